"""The game from first deal to winners, every edition, told as the rulebook tells it.

A game is one dict. A *lot* is a dict of the cards on sale, the `owner` who put up the first of them, and the
`auctioneer` who sells them (another seat than the owner only after a joined double). An *ending* is a dict that says
why a round ended, or None while it goes on. Sources S1, S2 and the numbered rulings: docs/rules.md.
"""

from collections.abc import Callable

from .deck import (
    BLACK_FRAMED,
    DOUBLE,
    FIXED_PRICE,
    ONCE_AROUND,
    OPEN,
    SEALED,
    artist_of,
    crowns_of,
    kind_of,
)


class IllegalAnswer(ValueError):
    """A decider answered what the rules forbid."""


def play(rules: dict, dealt: list, first_seat: int, deciders: list[Callable]) -> dict:
    """Record of one game.

    Parameters
    ----------
    rules : dict
        The rules of the game record.
    dealt : list of rounds, each a list of hands, each a list of card texts
        New cards by round and seat; where a shill plays, its new cards are the last hand of each round.
    first_seat : int
        Seat that starts round one.
    deciders : list of callables, one a seat
        Called as `decider(view, question)`. The view is a dict: `round` (from 0), `seat`, `hand` (card texts by slot),
        `money`, `all_money`, `events` (of this round so far), and what the question needs. Questions and answers:

        - `card`: slot of the card to put up.
        - `pair`, `join`: slot of the second card, one of `fitting`, or None to decline.
        - `limit`, `sealed`, `price`: an amount.
        - `once_around`, `outcry`: a bid above `high`, or None to pass.
        - `accept`: whether the player buys at `price`.
        - `black_framed`: an amount; the auctioneer (`may_stay_out`) also None.
        - `flip`: whether the shill's card is turned up.

    Returns
    -------
    dict
        The game record, money in whole units.

    Raises
    ------
    IllegalAnswer
        If a decider answers what the rules forbid.
    """
    game = {
        "rules": rules,
        "deciders": deciders,
        "money": money_at_start(rules, first_seat),
        "hands": [[] for _ in range(rules["players"])],
        "pile": [],
        "cumulative": {artist: 0 for artist in rules["artists"]},
    }
    rounds = []
    starter = first_seat
    for number in range(rules["rounds"]):
        begin_round(game, number, dealt[number])
        ending = play_round(game, starter)
        result = end_round(game, ending)
        rounds.append({"dealt": game["taken"], "events": game["events"], "result": result})
        starter = ending["next_starter"]
    most = max(game["money"])
    return {
        "format": "modern-art-record",
        "version": 1,
        "rules": rules,
        "first_seat": first_seat,
        "rounds": rounds,
        "money": list(game["money"]),
        "winners": [seat for seat in range(rules["players"]) if game["money"][seat] == most],
    }


def money_at_start(rules: dict, first_seat: int) -> list[int]:
    """What each seat begins with: the same for all, and more by its place in the order of play."""
    money = [rules["starting_money"]] * rules["players"]
    seat = first_seat
    for amount in rules["order_money"][: rules["players"]]:
        money[seat] += amount
        seat = (seat + 1) % rules["players"]
    return money


def begin_round(game: dict, number: int, hands: list) -> None:
    """Deal the new cards and clear the table."""
    game["taken"] = []
    for seat in range(game["rules"]["players"]):
        # ruling: cards beyond the limit are put away unseen; they are the last of the share.
        room = max(game["rules"]["hand_limit"] - len(game["hands"][seat]), 0)
        taken = list(hands[seat][:room])
        if len(taken) < min(room, game["rules"]["deal"][number]):
            raise ValueError(f"round {number + 1} deals seat {seat} fewer cards than it may take up")
        game["taken"].append(taken)
        game["hands"][seat] += taken
    if game["rules"]["shill"] != "none":
        game["pile"] += hands[-1]
    game["round"] = number
    game["events"] = []
    game["put_up"] = {artist: 0 for artist in game["rules"]["artists"]}
    game["paintings"] = [[] for _ in game["hands"]]
    game["must_skip"] = [False for _ in game["hands"]]


def play_round(game: dict, starter: int) -> dict:
    """Play lot after lot; the ending of the round."""
    if hands_are_empty(game):
        # ruling: an empty round is reported as `hands_empty`, ended by nobody.
        return {"reason": "hands_empty", "ended_by": None, "cards": [], "next_starter": starter}
    ending = None
    turn = starter
    while ending is None:
        seat = next_auctioneer(game, turn)
        lot = put_up(game, seat)
        ending = sell_lot(game, lot)
        turn = left_of(game, lot["auctioneer"])
    return ending


def next_auctioneer(game: dict, turn: int) -> int:
    """First seat from `turn` on that has a card and need not skip this turn."""
    while not game["hands"][turn] or game["must_skip"][turn]:
        if game["hands"][turn]:
            game["must_skip"][turn] = False
        turn = left_of(game, turn)
    return turn


def hands_are_empty(game: dict) -> bool:
    """Whether no seat holds a card; the shill's pile is nobody's hand."""
    return not any(game["hands"])


def left_of(game: dict, seat: int) -> int:
    """Next seat clockwise."""
    return (seat + 1) % game["rules"]["players"]


def seats_from_left(game: dict, auctioneer: int) -> list[int]:
    """All seats clockwise from the auctioneer's left, the auctioneer last."""
    players = game["rules"]["players"]
    return [(auctioneer + step) % players for step in range(1, players + 1)]


def put_up(game: dict, seat: int) -> dict:
    """The auctioneer puts up a card from their hand."""
    slot = ask(game, seat, "card")
    require(game, is_whole(slot) and 0 <= slot < len(game["hands"][seat]), seat, "card", slot, "a slot of the hand")
    card = take_from_hand(game, seat, slot)
    log(game, e="play", seat=seat, card=card)
    game["put_up"][artist_of(card)] += 1
    return {"cards": [card], "owner": seat, "auctioneer": seat}


def sell_lot(game: dict, lot: dict) -> dict | None:
    """Sell what was put up, unless it ends the round; the ending, or None."""
    ending = ended_by_card(game, lot)
    if ending is None and takes_second(game, lot) and add_second(game, lot):
        ending = ended_by_card(game, lot)
    if ending is not None:
        return ending
    if is_lone_double(lot):
        sale(game, lot, buyer=lot["owner"], price=0)
    else:
        buyer = auction(game, lot)
        ending = turn_up_shill(game, lot, buyer)
    if ending is None and hands_are_empty(game):
        # Only with last_card "auctioned": otherwise the last card itself has ended the round.
        ending = ended_after_lot(game, lot, "hands_empty", None, [])
    return ending


def takes_second(game: dict, lot: dict) -> bool:
    """Whether a second card may be added to the first: to a double, and where the rules say so to any that is sold."""
    kind = kind_of(lot["cards"][0])
    return kind == DOUBLE or (game["rules"]["pairing"] == "same_kind" and kind != BLACK_FRAMED)


def is_lone_double(lot: dict) -> bool:
    """Whether the lot is a double without a second."""
    return kind_of(lot["cards"][-1]) == DOUBLE


def ended_by_card(game: dict, lot: dict) -> dict | None:
    """The ending that the card just put up brings, or None."""
    rules = game["rules"]
    if game["put_up"][artist_of(lot["cards"][-1])] == rules["end_count"]:
        reason = "end_count"
    elif hands_are_empty(game) and rules["last_card"] == "void":
        reason = "hands_empty"
    else:
        return None
    ender = lot["auctioneer"]
    before_starter = lot["owner"] if rules["next_starter"] == "after_first_seller" else ender
    next_starter = left_of(game, before_starter)
    return {"reason": reason, "ended_by": ender, "cards": lot["cards"], "next_starter": next_starter}


def ended_after_lot(game: dict, lot: dict, reason: str, ended_by: int | None, cards: list[str]) -> dict:
    """An ending that comes after the lot was sold: left of its last auctioneer starts the next round."""
    next_starter = left_of(game, lot["auctioneer"])
    return {"reason": reason, "ended_by": ended_by, "cards": cards, "next_starter": next_starter}


def turn_up_shill(game: dict, lot: dict, buyer: int) -> dict | None:
    """The shill's card may be turned up; the ending it brings, or None."""
    if not game["pile"]:
        return None
    seat = buyer if game["rules"]["shill"] == "buyer" else lot["auctioneer"]
    if not ask(game, seat, "flip"):
        log(game, e="flip", seat=seat, card=None)
        return None
    card = game["pile"].pop()
    log(game, e="flip", seat=seat, card=card)
    artist = artist_of(card)
    game["put_up"][artist] += 1
    if game["put_up"][artist] == game["rules"]["end_count"]:
        # ruling: also after the sale of the last card of all hands, the reason is then the shill.
        return ended_after_lot(game, lot, "shill", seat, [card])
    return None


def add_second(game: dict, lot: dict) -> bool:
    """Ask for the second card: first its seller, of a double then the others in turn; whether it was added."""
    owner = lot["owner"]
    if kind_of(lot["cards"][0]) != DOUBLE:
        return offer_second(game, lot, owner, "pair")
    others = seats_from_left(game, owner)[:-1]
    return offer_second(game, lot, owner, "pair") or any(offer_second(game, lot, seat, "join") for seat in others)


def offer_second(game: dict, lot: dict, seat: int, question: str) -> bool:
    """Ask one seat for the second; who holds no fitting card is not asked."""
    fitting = fitting_slots(game, lot, seat)
    if not fitting:
        return False
    slot = ask(game, seat, question, fitting=fitting, lot=list(lot["cards"]))
    if slot is None:
        log(game, e="decline", seat=seat)
        if question == "join" and game["rules"]["decline_penalty"] == "skip_turn":
            game["must_skip"][seat] = True
        return False
    require(game, slot in fitting, seat, question, slot, f"a fitting slot of {fitting}, or None")
    card = take_from_hand(game, seat, slot)
    log(game, e=question, seat=seat, card=card)
    game["put_up"][artist_of(card)] += 1
    lot["cards"].append(card)
    lot["auctioneer"] = seat
    return True


def fitting_slots(game: dict, lot: dict, seat: int) -> list[int]:
    """Slots of a hand whose cards can be the second.

    To a double: same artist, neither double nor black-framed. To another card: same artist and same kind.
    """
    first = lot["cards"][0]
    slots = []
    for slot, card in enumerate(game["hands"][seat]):
        if artist_of(card) != artist_of(first):
            continue
        if kind_of(first) == DOUBLE:
            if kind_of(card) not in (DOUBLE, BLACK_FRAMED):
                slots.append(slot)
        elif kind_of(card) == kind_of(first):
            slots.append(slot)
    return slots


def take_from_hand(game: dict, seat: int, slot: int) -> str:
    """Take a card out; the card of the last slot takes its place."""
    hand = game["hands"][seat]
    card = hand[slot]
    hand[slot] = hand[-1]
    hand.pop()
    return card


def auction(game: dict, lot: dict) -> int:
    """Sell the lot in the way of its last card; the buyer."""
    kind = kind_of(lot["cards"][-1])
    if kind == BLACK_FRAMED:
        return black_framed_auction(game, lot)
    if kind == OPEN:
        sold = open_limit(game, lot) if game["rules"]["open_style"] == "limit" else open_outcry(game, lot)
    elif kind == ONCE_AROUND:
        sold = once_around(game, lot)
    elif kind == SEALED:
        sold = sealed(game, lot)
    elif kind == FIXED_PRICE:
        sold = fixed_price(game, lot)
    if sold is None:
        return take_without_bids(game, lot)
    buyer, price = sold
    pay_for_lot(game, lot, buyer, price)
    sale(game, lot, buyer, price)
    return buyer


def purse(game: dict, seat: int) -> int:
    """The most a seat may bid: its money, and 0 if it holds less than nothing."""
    return max(game["money"][seat], 0)


def open_limit(game: dict, lot: dict) -> tuple[int, int] | None:
    """Everyone names a limit; the highest buys at one above the second highest, at most at their own limit."""
    limits = {}
    for seat in seats_from_left(game, lot["auctioneer"]):
        limits[seat] = ask_amount(game, lot, seat, "limit")
        log(game, e="limit", seat=seat, amount=limits[seat])
    buyer = first_with(limits, max(limits.values()))
    limit = limits.pop(buyer)
    if limit < game["rules"]["least_bid"]:
        return None
    return buyer, min(limit, max(max(limits.values()) + 1, game["rules"]["least_bid"]))


def open_outcry(game: dict, lot: dict) -> tuple[int, int] | None:
    """Around and around from the auctioneer's left, until all but the high bidder have passed since the last bid."""
    high, high_bidder = game["rules"]["least_bid"] - 1, None
    passes = 0
    seat = lot["auctioneer"]
    while passes < game["rules"]["players"] - (high_bidder is not None):
        seat = left_of(game, seat)
        bid = ask_bid(game, lot, seat, "outcry", high)
        if bid is None:
            passes += 1
        else:
            high, high_bidder = bid, seat
            passes = 0
    return None if high_bidder is None else (high_bidder, high)


def once_around(game: dict, lot: dict) -> tuple[int, int] | None:
    """One bid or pass each from the auctioneer's left, the auctioneer last."""
    high, high_bidder = game["rules"]["least_bid"] - 1, None
    for seat in seats_from_left(game, lot["auctioneer"]):
        bid = ask_bid(game, lot, seat, "once_around", high)
        if bid is not None:
            high, high_bidder = bid, seat
    return None if high_bidder is None else (high_bidder, high)


def sealed(game: dict, lot: dict) -> tuple[int, int] | None:
    """All bid at once; the rules say who wins a tie with the auctioneer."""
    order = seats_from_left(game, lot["auctioneer"])
    bids = {seat: ask_amount(game, lot, seat, "sealed") for seat in order}
    log(game, e="sealed", amounts=by_seat(bids))
    high = max(bids.values())
    if high < game["rules"]["least_bid"]:
        return None
    if game["rules"]["sealed_tie"] == "auctioneer_first" and bids[lot["auctioneer"]] == high:
        return lot["auctioneer"], high
    return first_with(bids, high), high


def fixed_price(game: dict, lot: dict) -> tuple[int, int]:
    """The auctioneer names a price; the first who accepts buys, or else the auctioneer."""
    auctioneer = lot["auctioneer"]
    price = ask_amount(game, lot, auctioneer, "price")
    log(game, e="price", seat=auctioneer, amount=price)
    for seat in seats_from_left(game, auctioneer)[:-1]:
        # ruling: who holds less than nothing can still pay a price of 0.
        if purse(game, seat) < price:
            continue
        accepts = ask(game, seat, "accept", price=price, lot=list(lot["cards"]), auctioneer=auctioneer)
        log(game, e="accept" if accepts else "refuse", seat=seat)
        if accepts:
            return seat, price
    return auctioneer, price


def black_framed_auction(game: dict, lot: dict) -> int:
    """Reverse sealed auction: the lowest takes the card and pays nothing, all others pay the bank; the taker."""
    auctioneer = lot["auctioneer"]
    amounts = {}
    for seat in seats_from_left(game, auctioneer):
        amounts[seat] = ask_amount(game, lot, seat, "black_framed", may_stay_out=seat == auctioneer)
    log(game, e="sealed", amounts=by_seat(amounts))
    put_in = {seat: amount for seat, amount in amounts.items() if amount is not None}
    taker = first_with(put_in, min(put_in.values()))
    for seat, amount in put_in.items():
        if seat != taker:
            game["money"][seat] -= amount
    sale(game, lot, buyer=taker, price=0)
    return taker


def take_without_bids(game: dict, lot: dict) -> int:
    """Nobody bid: the auctioneer takes the lot for the no-bid price, paid to the bank, and counts as the buyer."""
    seat = lot["auctioneer"]
    price = game["rules"]["no_bid_price"]
    if game["money"][seat] < price:
        price = 0
    game["money"][seat] -= price
    sale(game, lot, buyer=seat, price=price)
    return seat


def first_with(amounts: dict, amount: int) -> int:
    """First seat, in the order in which they were asked, that named this amount."""
    return next(seat for seat in amounts if amounts[seat] == amount)


def by_seat(amounts: dict) -> list:
    """Amounts in the order of the seats."""
    return [amounts[seat] for seat in sorted(amounts)]


def shares(game: dict, lot: dict, price: int) -> dict:
    """What each seller of the lot is due."""
    joiner, first, revenue = lot["auctioneer"], lot["owner"], game["rules"]["double_revenue"]
    if joiner == first or revenue == "joiner":
        return {joiner: price}
    smaller = price // 2
    if revenue == "split_odd_joiner":
        return {joiner: price - smaller, first: smaller}
    return {joiner: smaller, first: price - smaller}


def pay_for_lot(game: dict, lot: dict, buyer: int, price: int) -> None:
    """The buyer pays the price to the sellers; a share that would be their own goes to the bank."""
    # ruling: a joiner whom all refuse buys at their fixed price like any seller who buys, the other seller's share too.
    game["money"][buyer] -= price
    for seller, share in shares(game, lot, price).items():
        if seller != buyer:
            # ruling: the house takes its fee of the whole price from the auctioneer's share, at most that share.
            fee = min(price * game["rules"]["house_fee"] // 100, share) if seller == lot["auctioneer"] else 0
            game["money"][seller] += share - fee


def sale(game: dict, lot: dict, buyer: int, price: int) -> None:
    """Hand the paintings over and report how it came out, after the money has moved."""
    game["paintings"][buyer] += lot["cards"]
    # ruling: the seller named in the report is who held the auction, also where revenue is split.
    log(
        game,
        e="sale",
        seller=lot["auctioneer"],
        buyer=buyer,
        price=price,
        cards=list(lot["cards"]),
        money=list(game["money"]),
    )


def end_round(game: dict, ending: dict) -> dict:
    """Rank the artists, pay out, and report."""
    counts = rank_counts(game, ending)
    ranking = rank_artists(game["rules"], counts)
    for artist, gain in zip(ranking, game["rules"]["rank_values"], strict=False):
        game["cumulative"][artist] += gain
    values = {artist: game["cumulative"][artist] if artist in ranking else 0 for artist in game["rules"]["artists"]}
    payout = pay_out(game, values)
    return {
        "round": game["round"] + 1,
        "reason": ending["reason"],
        "ended_by": ending["ended_by"],
        "counts": counts,
        "ranking": ranking,
        "values": values,
        "payout": payout,
        "money": list(game["money"]),
    }


def rank_counts(game: dict, ending: dict) -> dict:
    """Cards that count for rank, by artist."""
    counts = dict(game["put_up"])
    if not game["rules"]["ending_cards_rank"]:
        for card in ending["cards"]:
            counts[artist_of(card)] -= 1
    return counts


def rank_artists(rules: dict, counts: dict) -> list[str]:
    """The artists that gain, best first; ties go to the one further left, who has no card does not rank."""
    # ruling: the reported ranking holds only the artists that gain, at most one for each of `rank_values`.
    ranked = [artist for artist in rules["artists"] if counts[artist] > 0]
    ranked.sort(key=lambda artist: -counts[artist])
    return ranked[: len(rules["rank_values"])]


def pay_out(game: dict, values: dict) -> list[int]:
    """Pay every seat for its paintings and fine it for its black-framed cards; what each got, by seat."""
    payouts = []
    for seat, paintings in enumerate(game["paintings"]):
        payout = 0
        for card in paintings:
            worth = crowns_of(card) * values[artist_of(card)]
            payout += -worth if kind_of(card) == BLACK_FRAMED else worth
        if not game["rules"]["debt"]:
            # ruling: the reported payout is what was really paid, so it stops at zero money too.
            payout = max(payout, -game["money"][seat])
        game["money"][seat] += payout
        payouts.append(payout)
    return payouts


def log(game: dict, **event) -> None:
    """Report an event."""
    game["events"].append(event)


def ask(game: dict, seat: int, question: str, **more) -> object:
    """The answer of a seat, unchecked."""
    view = {
        "round": game["round"],
        "seat": seat,
        "hand": list(game["hands"][seat]),
        "money": game["money"][seat],
        "all_money": money_seen(game, seat),
        "events": list(game["events"]),
        **more,
    }
    return game["deciders"][seat](view, question)


def money_seen(game: dict, seat: int) -> list[int]:
    """All money as a seat sees it: where it is hidden, the seat's own in every place."""
    if game["rules"]["rivals_money"] == "hidden":
        return [game["money"][seat]] * len(game["money"])
    return list(game["money"])


def ask_amount(game: dict, lot: dict, seat: int, question: str, may_stay_out: bool = False) -> int | None:
    """An amount from 0 to the seat's money."""
    most = purse(game, seat)
    amount = ask(game, seat, question, lot=list(lot["cards"]), auctioneer=lot["auctioneer"], may_stay_out=may_stay_out)
    if may_stay_out and amount is None:
        return None
    require(game, is_whole(amount) and 0 <= amount <= most, seat, question, amount, f"a whole number 0..{most}")
    return amount


def ask_bid(game: dict, lot: dict, seat: int, question: str, high: int) -> int | None:
    """A bid above the high bid, or None for a pass; who cannot outbid is not asked."""
    money = game["money"][seat]
    if money <= high:
        return None
    bid = ask(game, seat, question, lot=list(lot["cards"]), auctioneer=lot["auctioneer"], high=high)
    if bid is None:
        log(game, e="pass", seat=seat)
        return None
    require(game, is_whole(bid) and high < bid <= money, seat, question, bid, f"a bid {high + 1}..{money}, or None")
    log(game, e="bid", seat=seat, amount=bid)
    return bid


def is_whole(answer: object) -> bool:
    """Whether an answer is a whole number."""
    return isinstance(answer, int) and not isinstance(answer, bool)


def require(game: dict, holds: bool, seat: int, question: str, answer: object, wanted: str) -> None:
    """Refuse an illegal answer."""
    if not holds:
        place = f"round {game['round'] + 1}, event {len(game['events']) + 1}"
        raise IllegalAnswer(f"{place}: seat {seat} answers {answer!r} to {question}; must be {wanted}")
