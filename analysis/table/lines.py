"""The short lines in which a game is told: `B plays KR-S`, `A 12, B 9, C 0, D 14`, `C joins KR-O, sold D 31`."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from modernart.simulator.errors import UsageError
from modernart.simulator.wording import cut

if TYPE_CHECKING:
    from modernart.analysis.table.sitting import Sitting

#: Longest line that is read.
_LONGEST = 1000

#: What lines may say, for help.
GRAMMAR = (
    ("hand A KR-S LM-O ...", "the cards that A was dealt this round; leave it out for hands nobody saw"),
    ("first B", "B puts up the first card"),
    ("B plays KR-S", "B puts up a card"),
    ("B plays KR-D with KR-O", "a double with a second card of their own"),
    ("C joins KR-O", "C adds the second card to another's double"),
    ("alone", "nobody adds a card to the double"),
    ("A 12, B 9, C pass, D 14", "bids: sealed, once around in turn, or how far each went in an open auction"),
    ("sold D 31", "D buys for 31; bids may be left out"),
    ("asks 20, C buys", "a fixed price, and who takes it; `nobody` if all refuse"),
    ("turns up KR-S", "the buyer turns up a card of the shill; `leaves` if not"),
)

_Clause = tuple[str, tuple[str, ...]]
_SEAT = r"(?P<seat>[^\W\d][\w']*)"
_PATTERNS: tuple[tuple[str, str], ...] = (
    ("first", rf"first {_SEAT}|{_SEAT.replace('seat', 'other')} (?:starts|begins)"),
    ("alone", r"alone|stays alone|nobody (?:joins|adds)|no second(?: card)?"),
    ("nobody", r"nobody(?: bids| buys| accepts)?|no bids?|all (?:pass|refuse)"),
    ("leave", rf"(?:{_SEAT} )?leaves(?: it)?"),
    ("turn", rf"(?:{_SEAT} )?(?:turns up|turns|flips) (?P<card>.+)"),
    ("play", rf"{_SEAT} (?:plays|puts up|sells) (?P<card>.+?)(?: (?:with|and|\+) (?P<second>.+))?"),
    ("add", rf"{_SEAT} (?:joins|adds)(?: with)? (?P<card>.+)"),
    ("ask", rf"(?:{_SEAT} )?(?:asks|price|fixed)(?: for)? (?P<amount>[0-9]+)"),
    ("sell", rf"sold(?: to)? {_SEAT}(?: for)?(?: (?P<amount>[0-9]+))?"),
    ("buy", rf"{_SEAT} (?:buys|accepts|takes)(?: it)?(?: for)?(?: (?P<amount>[0-9]+))?"),
    ("pass", rf"{_SEAT} (?:pass|passes|out|refuses|declines|stays out|-)"),
    ("bid", rf"{_SEAT}(?: bids)? (?P<amount>[0-9]+)"),
)


def read_line(sitting: "Sitting", line: str) -> None:
    """Take what a line tells into a game.

    Raises
    ------
    UsageError
        If it cannot be understood, or the rules forbid it.
    """
    text = " ".join(line.partition("#")[0].split())
    if len(text) > _LONGEST:
        raise UsageError(f"a line may have {_LONGEST} signs")
    match = re.fullmatch(
        rf"(?:hand {_SEAT}|{_SEAT.replace('seat', 'other')} holds):? (?P<cards>.+)", text, re.IGNORECASE
    )
    if match:
        _tell_hand(sitting, match["seat"] or match["other"], match["cards"])
        return
    bids: list[tuple[int, int | None]] = []
    for clause in filter(None, (part.strip(" .") for part in re.split(r"[,;]", text))):
        word, found = _match(clause)
        if word in ("bid", "pass"):
            bids.append((sitting.seat_of(found["seat"] or ""), None if word == "pass" else _amount(found["amount"])))
            continue
        if bids and word in ("sell", "buy") and _is_price_of_open(sitting, bids, found):
            bids = _up_to_price(sitting, bids, found)
        _flush(sitting, bids)
        bids = []
        _DO[word](sitting, found)
    _flush(sitting, bids)


def _match(clause: str) -> tuple[str, dict[str, str | None]]:
    """Return which pattern a part of a line is, and its pieces."""
    for word, pattern in _PATTERNS:
        match = re.fullmatch(pattern, clause, re.IGNORECASE)
        if match:
            return word, match.groupdict()
    raise UsageError(f'"{cut(clause, 60)}" cannot be understood; write as `B plays KR-S`, `A 12, B 9` or `sold D 31`')


def _amount(text: str | None) -> int:
    from modernart.analysis.table.sitting import amount_of

    return amount_of(text or "")


def _is_price_of_open(sitting: "Sitting", bids: list[tuple[int, int | None]], found: dict[str, str | None]) -> bool:
    """Return whether bids were noted with a sale by an open auction, where the buyer's limit stays unknown."""
    from modernart.simulator.decisions import Phase

    return sitting.has_begun and int(sitting.game.table.phase) == Phase.LIMIT and found.get("amount") is not None


def _up_to_price(
    sitting: "Sitting", bids: list[tuple[int, int | None]], found: dict[str, str | None]
) -> list[tuple[int, int | None]]:
    """Return bids of an open auction that come to the price: the buyer went to it, somebody else to one less."""
    buyer, price = sitting.seat_of(found["seat"] or ""), _amount(found["amount"])
    told = {seat: amount or 0 for seat, amount in bids}
    told[buyer] = max(told.get(buyer, 0), price)
    others = [seat for seat in told if seat != buyer]
    if told[buyer] > price and others and max(told[seat] for seat in others) < price - 1:
        told[buyer] = price
    best = max(others, key=lambda seat: told[seat], default=None)
    if told[buyer] == price and best is not None and told[best] < price - 1:
        money = sitting.game.table.money
        able = [seat for seat in sorted(others, key=lambda seat: -told[seat]) if int(money[seat]) >= price - 1]
        if able:
            told[able[0]] = price - 1
    return list(told.items())


def _flush(sitting: "Sitting", bids: list[tuple[int, int | None]]) -> None:
    if bids:
        sitting.bid(bids)


def _tell_hand(sitting: "Sitting", name: str, cards: str) -> None:
    parts = cards.split(",") if "," in cards else cards.split()
    sitting.tell_hand(sitting.seat_of(name), [sitting.card(part) for part in parts if part.strip()])


def _first(sitting: "Sitting", found: dict[str, str | None]) -> None:
    if sitting.has_begun:
        raise UsageError("the game has begun already")
    sitting.begin(sitting.seat_of(found["seat"] or found["other"] or ""))


def _play(sitting: "Sitting", found: dict[str, str | None]) -> None:
    seat = sitting.seat_of(found["seat"] or "")
    card = sitting.card(found["card"] or "")
    second = found["second"]
    sitting.play(seat, card)
    if second is not None:
        sitting.add(seat, sitting.card(second))


def _seat(sitting: "Sitting", found: dict[str, str | None]) -> int:
    return sitting.seat_of(found["seat"]) if found["seat"] else -1


def _sell(sitting: "Sitting", found: dict[str, str | None]) -> None:
    amount = found["amount"]
    sitting.sell(_seat(sitting, found), None if amount is None else _amount(amount))


def _turn(sitting: "Sitting", found: dict[str, str | None]) -> None:
    if found["seat"]:
        sitting.seat_of(found["seat"])
    sitting.turn_up(sitting.card(found["card"] or ""))


_DO: dict[str, Callable[["Sitting", dict[str, str | None]], None]] = {
    "first": _first,
    "alone": lambda sitting, found: sitting.leave_alone(),
    "nobody": lambda sitting, found: sitting.nobody(),
    "leave": lambda sitting, found: sitting.turn_up(None),
    "turn": _turn,
    "play": _play,
    "add": lambda sitting, found: sitting.add(_seat(sitting, found), sitting.card(found["card"] or "")),
    "ask": lambda sitting, found: sitting.ask(_seat(sitting, found), _amount(found["amount"])),
    "sell": _sell,
    "buy": _sell,
}
