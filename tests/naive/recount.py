"""Every table of a run, counted again from the records of its games with pandas: slow, obvious, of no shared code."""

from collections import Counter

import numpy as np
import pandas as pd

from .deck import KINDS

FORMS = {"play": "single", "pair": "own double", "join": "joined double"}
ENDS = {"play": "single card", "pair": "own double", "join": "joined double", "flip": "shill's card"}


def artist_of(card: str) -> str:
    return card.split("-")[0]


def kind_of(card: str) -> str:
    return KINDS[card.split("-")[1][0]]


def crowns_of(card: str) -> int:
    return int(card.partition("*")[2] or 1)


class Recount:
    """Three long frames of some games: one row a seat of a game, one a lot, one a round."""

    def __init__(self, records: list[dict]) -> None:
        self.rules = records[0]["rules"]
        self.n = self.rules["players"]
        self.seat_rows: list[dict] = []
        self.lot_rows: list[dict] = []
        self.round_rows: list[dict] = []
        for game, record in enumerate(records):
            self.add_game(game, record)
        self.seats = pd.DataFrame(self.seat_rows)
        self.lots = pd.DataFrame(self.lot_rows)
        self.rounds = pd.DataFrame(self.round_rows)

    def word(self, name: str) -> str:
        """Where single cards are paired too, two cards of one player are an own pair."""
        return "own pair" if name == "own double" and self.rules["pairing"] == "same_kind" else name

    def add_game(self, game: int, record: dict) -> None:
        n, names = self.n, record["players"]
        win = [1 / len(record["winners"]) if seat in record["winners"] else 0.0 for seat in range(n)]
        accounts = [Counter() for _ in range(n)]
        on_top = self.rules["order_money"]
        start = [self.rules["starting_money"]] * n
        for place in range(min(n, len(on_top))):
            start[(record["first_seat"] + place) % n] += on_top[place]
        before = start
        for number, part in enumerate(record["rounds"], 1):
            before = self.add_round(game, number, part, names, win, before, accounts)
        for seat in range(n):
            self.seat_rows.append(
                {
                    "game": game,
                    "block": game // n,
                    "strategy": names[seat],
                    "seat": (seat - record["first_seat"]) % n + 1,
                    "mates": [names[other] for other in range(n) if other != seat],
                    "left": names[(seat + 1) % n],
                    "right": names[(seat - 1) % n],
                    "win": win[seat],
                    "money": record["money"][seat],
                    "starting_money": start[seat],
                    **{
                        key: accounts[seat][key]
                        for key in ("lots", "spent", "collected", "revenue", "fines", "fees", "spared")
                    },
                }
            )

    def add_round(self, game, number, part, names, win, before, accounts) -> list[int]:
        """Go through a round's events; returns the money of all seats after it."""
        result = part["result"]
        pays = result["values"]
        out, held, owed = Counter(), Counter(), Counter()
        ups: list[dict] = []
        first_seller = None
        for event in part["events"]:
            if event["e"] in FORMS or (event["e"] == "flip" and event["card"]):
                ups.append(event)
                out[artist_of(event["card"])] += 1
                if event["e"] == "play":
                    first_seller = event["seat"]
            if event["e"] != "sale":
                continue
            cards = event["cards"]
            artist, kind = artist_of(cards[0]), kind_of(cards[-1])
            crowns = sum(map(crowns_of, cards))
            value = crowns * pays[artist]
            change = [after - was for after, was in zip(event["money"], before, strict=True)]
            before = event["money"]
            buyer = event["buyer"]
            revenue, fees = [0] * self.n, [0] * self.n
            if kind == "black framed":
                fees = [-amount for amount in change]
                assert fees[buyer] == 0
                assert min(fees) >= 0
                accounts[buyer]["fines"] += value
                owed[buyer] -= value
            else:
                revenue = [amount + event["price"] * (seat == buyer) for seat, amount in enumerate(change)]
                assert min(revenue) >= 0
                assert set(np.flatnonzero(revenue)) <= {event["seller"], first_seller} - {buyer}
                accounts[buyer].update(lots=1, spent=event["price"], collected=value)
                owed[buyer] += value
                held[buyer, artist] += len(cards)
            for seat in range(self.n):
                accounts[seat].update(revenue=revenue[seat], fees=fees[seat])
            last = next(event["e"] for event in reversed(ups) if event["e"] in FORMS)
            self.lot_rows.append(
                {
                    "game": game,
                    "round": number,
                    "kind": kind,
                    "form": "lone double" if kind == "double" else self.word(FORMS[last]),
                    "artist": artist,
                    "cards_out": min(out[artist], 8),
                    "cards": len(cards),
                    "crowns": crowns,
                    "price": event["price"],
                    "value": value,
                    "revenue": sum(revenue),
                    "to_bank": event["price"] - sum(revenue) if kind != "black framed" else 0,
                    "fees": sum(fees),
                    "auctioneer": names[event["seller"]],
                    "buyer": names[buyer],
                    "own": event["seller"] == buyer,
                    "is_sold": kind != "black framed",
                }
            )
        for seat in range(self.n):
            accounts[seat]["spared"] += result["payout"][seat] - owed[seat]
        self.add_result(game, number, part, names, win, ups, held)
        return result["money"]

    def add_result(self, game, number, part, names, win, ups, held) -> None:
        result = part["result"]
        n, payout, money = self.n, result["payout"], result["money"]
        leaders = [seat for seat in range(n) if money[seat] == max(money)]
        row = {
            "game": game,
            "round": number,
            "cards_up": len(ups),
            "payout": sum(payout),
            "money": sum(money),
            "in_debt": sum(amount < 0 for amount in money),
            "leader_wins": sum(win[seat] for seat in leaders) / len(leaders),
            "ranking": result["ranking"],
            "strategy": None,
        }
        dealt = sum(len(cards) for cards in part["dealt"])
        row["dealt"] = dealt
        row["played"] = sum(event["e"] in FORMS for event in ups)
        ender = result["ended_by"]
        if ender is not None:
            left = (ender + 1) % n
            artist = artist_of(ups[-1]["card"])
            how = "hands empty" if result["reason"] == "hands_empty" else self.word(ENDS[ups[-1]["e"]])
            others = [payout[seat] for seat in range(n) if seat not in (ender, left)]
            row |= {
                "strategy": names[ender],
                "how": how,
                "holding": min(held[ender, artist], 6),
                "payout_ender": payout[ender],
                "payout_next": payout[left],
                "payout_others": np.mean(others),
                "gain": payout[ender] - np.mean([payout[seat] for seat in range(n) if seat != ender]),
                "win_share_ender": win[ender],
                "win_share_next": win[left],
            }
        self.round_rows.append(row)

    def table(self, name: str) -> pd.DataFrame:
        """Return what the table of that name must say, without its intervals."""
        if name.startswith("endings"):
            return self.endings(name)
        if name.startswith("auctions"):
            return self.auctions(name)
        return getattr(self, name)()

    def ranking(self) -> pd.DataFrame:
        by = self.seats.groupby("strategy")
        return by.agg(
            games=("win", "size"), win_share=("win", "mean"), money=("money", "mean"), money_sd=("money", "std")
        )

    def seats_by(self, *keys: str) -> pd.DataFrame:
        by = self.seats.groupby(list(keys))
        return by.agg(games=("win", "size"), win_share=("win", "mean"), money=("money", "mean"))

    def seat_effect(self) -> pd.DataFrame:
        return self.seats_by("seat")

    def mates(self) -> pd.DataFrame:
        by = self.seats.explode("mates").rename(columns={"mates": "mate"}).groupby(["strategy", "mate"])
        return by.agg(pairs=("win", "size"), win_share=("win", "mean"))

    def neighbours(self) -> pd.DataFrame:
        long = self.seats.melt(["strategy", "win"], ["left", "right"], "side", "neighbour")
        return long.groupby(["side", "strategy", "neighbour"]).agg(games=("win", "size"), win_share=("win", "mean"))

    def leaders(self) -> pd.DataFrame:
        early = self.rounds[self.rounds["round"] < self.rules["rounds"]]
        return early.groupby("round").agg(games=("game", "size"), win_share=("leader_wins", "mean"))

    def buyers(self) -> pd.DataFrame:
        mean = self.seats.groupby("strategy")[
            ["lots", "spent", "collected", "revenue", "fines", "fees", "spared", "starting_money", "money"]
        ].mean()
        return pd.DataFrame(
            {
                "starting_money": mean["starting_money"],
                "lots_bought": mean["lots"],
                "spent": mean["spent"],
                "buying_profit": mean["collected"] - mean["spent"],
                "selling_revenue": mean["revenue"],
                "fines": mean["fines"],
                "fees": mean["fees"],
                "spared": mean["spared"],
                "other_money": mean["spared"] - mean["fines"] - mean["fees"],
                "money": mean["money"],
                "sales_share": mean["revenue"] / (mean["revenue"] + mean["collected"]),
            }
        )

    def endings(self, name: str) -> pd.DataFrame:
        keys = {
            "endings": ["strategy", "round", "how", "holding"],
            "endings_by_strategy": ["strategy"],
            "endings_by_how": ["round", "how"],
            "endings_by_holding": ["holding"],
        }[name]
        means = [key for key in self.rounds if key.startswith(("payout_", "win_share_")) or key == "gain"]
        by = self.rounds.dropna(subset="strategy").groupby(keys)
        return by.size().to_frame("rounds").join(by[means].mean())

    def auctions(self, name: str) -> pd.DataFrame:
        keys = {
            "auctions": ["kind", "form"],
            "auctions_by_round": ["kind", "form", "round"],
            "auctions_by_kind_and_round": ["kind", "round"],
            "auctions_by_cards_out": ["cards_out"],
            "auctions_full": ["kind", "form", "round", "cards_out"],
        }[name]
        by = self.lots[self.lots["is_sold"]].groupby(keys)
        frame = by.size().to_frame("lots").join(by[["price", "value", "revenue", "to_bank"]].mean())
        frame["profit"] = frame["value"] - frame["price"]
        with np.errstate(invalid="ignore", divide="ignore"):
            frame["price_to_value"] = by["price"].sum() / by["value"].sum().where(lambda total: total > 0)
        frame["own_share"] = by["own"].mean()
        return frame

    def black_framed(self) -> pd.DataFrame:
        by = self.lots[~self.lots["is_sold"]].groupby("round")
        return by.agg(cards=("price", "size"), fine=("value", "mean"), fees=("fees", "mean"), own_share=("own", "mean"))

    def trades(self) -> pd.DataFrame:
        sold = self.lots[self.lots["is_sold"]].assign(profit=lambda frame: frame["value"] - frame["price"])
        by = sold.groupby(["auctioneer", "buyer"])
        return by.agg(lots=("price", "size"), price=("price", "mean"), profit=("profit", "mean"))

    def prices(self) -> pd.DataFrame:
        by = self.lots[self.lots["is_sold"]].groupby(["round", "artist", "cards_out"])
        cards = by["cards"].sum()
        lots = by.size().to_frame("lots")
        return lots.assign(price=by["price"].sum() / cards, value=by["value"].sum() / cards)

    def crowns(self) -> pd.DataFrame:
        by = self.lots[self.lots["is_sold"]].groupby(["kind", "crowns"])
        return by.agg(lots=("price", "size"), price=("price", "mean"), value=("value", "mean"))

    def market(self) -> pd.DataFrame:
        rows = [
            (row.round, artist, row.ranking.index(artist) + 1 if artist in row.ranking else 0)
            for row in self.rounds.itertuples()
            for artist in self.rules["artists"]
        ]
        counts = pd.DataFrame(rows, columns=["round", "artist", "rank"]).value_counts().to_frame("rounds")
        return counts.assign(share=counts["rounds"] / self.rounds["game"].nunique())

    def lengths(self) -> pd.DataFrame:
        counts = self.rounds.groupby(["round", "cards_up"]).size().to_frame("rounds")
        return counts.assign(share=counts["rounds"] / self.rounds["game"].nunique())

    def rounds_table(self) -> pd.DataFrame:
        left = self.rounds.assign(cards_left=self.rounds["dealt"] - self.rounds["played"])
        left["cards_left"] = left.groupby("game")["cards_left"].cumsum()
        by = left.groupby("round")
        frame = by.agg(
            rounds=("game", "size"), cards_up=("cards_up", "mean"), cards_left=("cards_left", "mean"),
            payout=("payout", "mean"),
        )  # fmt: skip
        return frame.assign(money=by["money"].mean() / self.n, in_debt=by["in_debt"].mean() / self.n)
