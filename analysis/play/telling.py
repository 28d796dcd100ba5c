"""Events of a game as sentences for one reader, who may be a player and know only what their seat knows."""

from collections.abc import Sequence
from typing import Any

from modernart.simulator.events import Event, say

#: Verbs of `modernart.simulator.events.WORDS` after "You".
_SECOND_PERSON = {
    "puts": "put",
    "adds": "add",
    "joins": "join",
    "bids": "bid",
    "passes": "pass",
    "asks": "ask",
    "accepts": "accept",
    "refuses": "refuse",
    "turns": "turn",
    "leaves": "leave",
    "buys": "buy",
}

REASONS = {
    "end_count": "enough cards of one artist are out",
    "hands_empty": "all hands are empty",
    "shill": "the shill's card was turned up",
}


def only_seat_that_knows(event: Event, has_penalty: bool) -> int | None:
    """Return the seat that alone knows of an event, or None if everybody does.

    A limit of an open auction is secret. So is whether a player declined to add a card or had none to add, unless
    declining costs a turn.

    Parameters
    ----------
    event : dict
    has_penalty : bool
        Whether the rules punish declining, which makes it public.
    """
    is_secret = event["e"] == "limit" or (event["e"] == "decline" and not has_penalty)
    return int(event["seat"]) if is_secret else None


def tell(event: Event, names: Sequence[str], reader: int | None = None) -> str:
    """Return an event as a sentence.

    Parameters
    ----------
    event : dict
        One that the reader may know of (see `only_seat_that_knows`).
    names : sequence of str
        The players' names, by seat.
    reader : int, optional
        The seat of the reader, called "you".
    """
    if "amounts" in event:
        amounts = (
            f"{_name(seat, names, reader)} {'stays out' if amount is None else amount}"
            for seat, amount in enumerate(event["amounts"])
        )
        return f"Amounts: {', '.join(amounts)}"
    roles: tuple[str, ...] = ("seat", "buyer", "seller")
    people: dict[str, Any] = {role: _name(event[role], names, reader) for role in roles if role in event}
    text = say({**event, **people}).strip()
    subject = "buyer" if event["e"] == "sale" else "seat"
    if event.get(subject) != reader:
        return text
    name, rest = people[subject], text[len(people[subject]) :].lstrip()
    verb, _, tail = rest.partition(" ")
    tail = tail.replace(", their own lot,", ", your own lot,")
    return f"{name.capitalize()} {_SECOND_PERSON.get(verb, verb)} {tail}".rstrip()


def _name(seat: int, names: Sequence[str], reader: int | None) -> str:
    return "you" if seat == reader else names[seat]


def tell_heard(limits: dict[int, int], sale: Event, names: Sequence[str], reader: int | None = None) -> str:
    """Return what everybody heard of the limits in an open auction: how far each player bid, at most the price.

    Parameters
    ----------
    limits : dict of int to int
        The limits by seat; empty for a lot sold in another way.
    sale : dict
        How it ended.
    names, reader
        As for `tell`.
    """
    heard = {seat: min(amount, sale["price"]) for seat, amount in limits.items() if seat != sale["buyer"] and amount}
    if not limits:
        return ""
    bids = ", ".join(f"{_name(seat, names, reader)} to {amount}" for seat, amount in heard.items())
    return f"Others went: {bids}" if bids else "Nobody else bid"


def tell_result(result: dict[str, Any], names: Sequence[str], reader: int | None = None) -> str:
    """Return how a round ended, and what it paid."""
    ender = result["ended_by"]
    by = "" if ender is None else f", by {_name(ender, names, reader)}"
    values = ", ".join(f"{artist} {result['values'][artist]}" for artist in result["ranking"])
    pays = f"a painting pays: {values}" if values else "nothing pays"
    payout = ", ".join(f"{_name(seat, names, reader)} {amount}" for seat, amount in enumerate(result["payout"]))
    return f"Round {result['round']} is over: {REASONS[result['reason']]}{by}; {pays}. Paid out: {payout}"
