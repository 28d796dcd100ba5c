"""Where positions and games come from: TOML files, records, games in short lines."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from modernart.analysis.table.logbook import Logbook
from modernart.analysis.table.position_file import read_position
from modernart.analysis.table.positions import SEAT_LETTERS, Position, position_from_rounds
from modernart.simulator.arguments import parse_whole
from modernart.simulator.decisions import Phase
from modernart.simulator.errors import UsageError
from modernart.simulator.records import RecordError, read_records, replay_record
from modernart.simulator.rules import Rules
from modernart.simulator.wording import cut

_NAME = re.compile(r"[^\W\d]\w{0,19}")
#: What an event of a record answers; some words answer several decisions, and the table tells which.
_PHASES = {
    "play": Phase.CARD,
    "pair": Phase.PAIR,
    "join": Phase.JOIN,
    "limit": Phase.LIMIT,
    "price": Phase.PRICE,
    "accept": Phase.ACCEPT,
    "refuse": Phase.ACCEPT,
    "flip": Phase.FLIP,
}


def load_position(path: Path, *, event: str | None = None, line: int = 1, seat: str | None = None) -> Position:
    """Return the position of a file.

    Parameters
    ----------
    path : Path
        A position in TOML, a file of records (`.jsonl`), or a game in short lines.
    event : str, optional
        `ROUND:EVENT`, from 1: the decision that this event of a record answers.
    line : int
        Which line of a file of records.
    seat : str, optional
        Who decides, by name, letter or number, where several are asked at once.

    Raises
    ------
    UsageError
        If there is no such decision.
    """
    if path.suffix == ".toml":
        if event is not None:
            raise UsageError("--record-event goes with a file of records; a position has one decision")
        return read_position(path)
    if path.suffix not in (".jsonl", ".json"):
        book = Logbook.read(path)
        known = book.sitting is not None and seat is not None
        return book.position(seat_named(seat or "", book.sitting.names) if known and book.sitting else None)
    record = load_record(path, line)
    if event is None:
        raise UsageError("a record has many decisions; name one as --record-event ROUND:EVENT, counted from 1")
    return position_at(record, *parse_event(event), seat=seat, place=f"{path}, line {line}")


def load_record(path: Path, line: int = 1) -> dict[str, Any]:
    """Return a record of a file, checked against the rules; a finished game in short lines is made one.

    Raises
    ------
    UsageError
        If there is no such line, or the game is not over.
    RecordError
        If the record contradicts the rules.
    """
    if path.suffix not in (".jsonl", ".json"):
        return Logbook.read(path).record()
    last = 0
    for number, record in read_records(path):
        last = number
        if number == line:
            try:
                replay_record(record)
            except RecordError as error:
                raise RecordError(f"{path}, line {number}: {error}") from None
            return record
    raise UsageError(
        f"{path} has no game in line {line}" + (f"; its last is in line {last}" if last else ": it is empty")
    )


def parse_event(text: str) -> tuple[int, int]:
    """Return round and event, from 0, of `ROUND:EVENT`."""
    parts = text.split(":")
    if len(parts) != 2:
        raise UsageError(f'--record-event must be ROUND:EVENT, as 2:14, got "{cut(text, 20)}"')
    round_number, event = (
        parse_whole(what, part, 1, 10**6) for what, part in zip(("ROUND", "EVENT"), parts, strict=True)
    )
    return round_number - 1, event - 1


def names_of(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return how the seats of a record are called: by name if names are short and differ, else by letters."""
    letters = tuple(SEAT_LETTERS[: record["rules"]["players"]])
    told = record.get("players") or ()
    are_names = len({name.lower() for name in told}) == len(letters) and all(map(_NAME.fullmatch, told))
    return tuple(told) if are_names else letters


def seat_named(text: str, names: tuple[str, ...]) -> int:
    """Return the seat that a name, a letter or a number stands for."""
    for words in (names, SEAT_LETTERS[: len(names)], [str(k) for k in range(len(names))]):
        lower = [word.lower() for word in words]
        if text.lower() in lower:
            return lower.index(text.lower())
    raise UsageError(f'there is no seat "{cut(text, 20)}"; use {", ".join(names)}')


def position_at(
    record: Mapping[str, Any],
    round_index: int,
    event: int,
    *,
    seat: str | int | None = None,
    place: str = "",
    sees_all: bool = False,
) -> Position:
    """Return the decision that an event of a checked record answers, as the seat that answers saw it.

    Parameters
    ----------
    record : dict
    round_index, event : int
        From 0.
    seat : str or int, optional
        For the amounts of a sealed auction, which one event tells; by default the first seat whose hand is known.
    place : str
        For messages.
    sees_all : bool
        Whether all hands that the record tells are known.

    Raises
    ------
    UsageError
        If there is no such event, or it answers nothing.
    """
    rounds = record["rounds"]
    if not 0 <= round_index < len(rounds) or not 0 <= event < len(rounds[round_index]["events"]):
        most = len(rounds[round_index]["events"]) if 0 <= round_index < len(rounds) else 0
        raise UsageError(
            f"the game has {len(rounds)} rounds" + (f", and {most} events in round {round_index + 1}" if most else "")
        )
    events = rounds[round_index]["events"]
    told = events[event]
    rules = Rules.from_record(record["rules"])
    names = names_of(record)
    if isinstance(seat, str):
        seat = seat_named(seat, names)
    phase = phase_of(rules, events, event)
    if phase is None:
        raise UsageError(f"event {event + 1} of round {round_index + 1} tells a sale; name a decision")
    if told["e"] != "sealed":
        seat = told["seat"]
    elif seat is None:
        known = [k for k in range(rules.players) if rounds[0]["dealt"][k] is not None]
        seat = known[0] if known else 0
    before = [{"dealt": one["dealt"], "events": one["events"]} for one in rounds[: round_index + 1]]
    before[-1] = before[-1] | {"events": events[:event]}
    return position_from_rounds(
        rules, record["first_seat"], before, int(seat), phase, names=names, place=place, sees_all=sees_all
    )


def phase_of(rules: Rules, events: list[Mapping[str, Any]], event: int) -> Phase | None:
    """Return which decision an event answers; None for a sale."""
    word = events[event]["e"]
    if word in _PHASES:
        return _PHASES[word]
    if word == "sale":
        return None
    start = max(k for k in range(event, -1, -1) if events[k]["e"] == "play")
    if word == "decline":
        return Phase.PAIR if events[event]["seat"] == events[start]["seat"] else Phase.JOIN
    lot = [one["card"] for one in events[start:event] if one["e"] in ("play", "pair", "join")]
    kind = lot[-1].partition("-")[2][0]
    if word == "sealed":
        return Phase.TENDER if kind == "B" else Phase.SEALED
    return Phase.RAISE if kind == "O" else Phase.BID
