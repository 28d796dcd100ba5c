"""What the batch kernel counts, counted again from records."""

from collections import Counter

from .deck import KINDS

FORMS = {"play": "SINGLE", "pair": "PAIRED", "join": "JOINED"}


def artist_of(card: str) -> str:
    return card.split("-")[0]


def crowns_of(card: str) -> int:
    return int(card.partition("*")[2] or 1)


def lots_of(record: dict) -> list[dict]:
    """Every lot of a game: how it was sold, for what, and what it paid."""
    lots = []
    for number, one in enumerate(record["rounds"]):
        out = Counter()
        put_up = []
        values = one["result"]["values"]
        for event in one["events"]:
            if event["e"] in FORMS:
                form = FORMS[event["e"]]
                put_up = [event] if event["e"] == "play" else [*put_up, event]
                out[artist_of(event["card"])] += 1
            elif event["e"] == "flip" and event["card"] is not None:
                out[artist_of(event["card"])] += 1
            elif event["e"] == "sale":
                cards = event["cards"]
                kind = cards[-1].split("-")[1][0]
                artist = artist_of(cards[0])
                lots.append(
                    {
                        "round": number,
                        "kind": list(KINDS).index(kind),
                        "form": "LONE" if kind == "D" else form,
                        "artist": record["rules"]["artists"].index(artist),
                        "out": out[artist],
                        "n_cards": len(cards),
                        "seller": event["seller"],
                        "buyer": event["buyer"],
                        "crowns": sum(map(crowns_of, cards)),
                        "price": event["price"],
                        "value": sum(crowns_of(card) for card in cards) * values[artist],
                    }
                )
    return lots


def wins_of(record: dict) -> list[int]:
    """Win units of each seat: 840 shared by the winners."""
    winners = record["winners"]
    return [840 // len(winners) if seat in winners else 0 for seat in range(len(record["money"]))]
