"""A record as the short lines in which a table would have told it, for tests of the way back."""

from collections.abc import Mapping, Sequence
from typing import Any

from modernart.analysis.table.positions import SEAT_LETTERS


def notes_of(record: Mapping[str, Any], hands: Sequence[int] = (), names: Sequence[str] = ()) -> list[str]:
    """Return lines that tell a game: all bids, and the hands of some seats."""
    names = names or SEAT_LETTERS[: record["rules"]["players"]]
    lines = []
    for told in record["rounds"]:
        for seat in hands:
            if told["dealt"][seat]:
                lines.append(f"hand {names[seat]} {' '.join(told['dealt'][seat])}")
        lines += list(_round_lines(told["events"], names))
    return lines


def _round_lines(events, names):
    bids = []
    for event in events:
        word = event["e"]
        who = names[event["seat"]] if "seat" in event else ""
        if word in ("limit", "bid", "pass", "refuse"):
            bids.append(f"{who} {event['amount']}" if "amount" in event else f"{who} pass")
            continue
        if bids and word in ("sale", "accept"):
            yield ", ".join(bids)
            bids = []
        if word == "play":
            yield f"{who} plays {event['card']}"
        elif word in ("pair", "join"):
            yield f"{who} adds {event['card']}"
        elif word == "sealed":
            yield ", ".join(
                f"{name} {'pass' if amount is None else amount}"
                for name, amount in zip(names, event["amounts"], strict=True)
            )
        elif word == "price":
            yield f"{who} asks {event['amount']}"
        elif word == "accept":
            yield f"{who} buys"
        elif word == "flip":
            yield "leaves" if event["card"] is None else f"{who} turns up {event['card']}"
