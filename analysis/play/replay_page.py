"""One recorded game as a page to step through, which needs nothing but itself."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from modernart.analysis.play.artist_names import full_names
from modernart.analysis.play.board import Frame, Point, Story, as_known_to
from modernart.analysis.play.pages import build_page
from modernart.simulator.errors import UsageError
from modernart.simulator.files import whole_file
from modernart.simulator.records import Record, replay_record
from modernart.simulator.rules import Rules
from modernart.simulator.wording import printable

#: What a page says at a decision: by ROUND:EVENT, a list of `{"seat", "text"}`.
Marks = dict[str, list[dict[str, Any]]]


def game_for_page(rules: Rules, names: Sequence[str], artist_names: Sequence[str] | None = None) -> dict[str, Any]:
    """Return what a page needs to know of a game to draw its table (see `templates/table.js`)."""
    return {
        "artists": list(rules.artists),
        "artist_names": list(artist_names or full_names(rules)),
        "names": list(names),
        "end_count": rules.end_count,
        "rounds": rules.rounds,
        "has_pile": rules.shill != "none",
    }


def replay_page(record: Record, seat: int | None = None, marks: Marks | None = None) -> str:
    """Return the page of a game.

    Parameters
    ----------
    record : dict
        Checked against the rules first.
    seat : int, optional
        Leave out of the page all that this seat did not know; without it the reader chooses what to see.
    marks : dict, optional
        What a review says of the decisions.

    Raises
    ------
    RecordError
        If the record contradicts the rules.
    UsageError
        If the game has no such seat.
    """
    rules = replay_record(record).rules
    if seat is not None and not 0 <= seat < rules.players:
        raise UsageError(f"seat must be from 0 to {rules.players - 1}, got {seat}")
    names = display_names(record.get("players") or [f"seat {seat}" for seat in range(rules.players)])
    story = Story(rules, record["first_seat"]).follow(record["rounds"])
    frames = [_page_frame(point, names, marks or {}) for point in story.points]
    if seat is not None:
        hides_money = rules.rivals_money == "hidden"
        frames[:-1] = [as_known_to(frame, seat, hides_money) for frame in frames[:-1] if frame["only"] in (None, seat)]
        # All money is counted in the open once the game is over.
        frames[-1] = as_known_to(frames[-1], seat)
        for frame in frames:
            frame["marks"] = [mark for mark in frame["marks"] if mark["seat"] == seat]
    winners = " and ".join(names[winner] for winner in record["winners"])
    money = ", ".join(f"{name} {amount}" for name, amount in zip(names, record["money"], strict=True))
    origin = f" Game {record['game']} of seed {record['seed']}." if "game" in record and "seed" in record else ""
    return build_page(
        "replay",
        title=f"A game of Modern Art, won by {winners}",
        facts=f"Edition {printable(rules.edition)}, {rules.players} players. Final money: {money}.{origin}",
        data={"game": game_for_page(rules, names), "frames": frames, "seat": seat},
    )


def _page_frame(point: Point, names: Sequence[str], marks: Marks) -> Frame:
    """Return a frame with what is said of it; its number is left out, as it would tell of secret events before it."""
    frame = point.frame(names)
    place = frame.pop("place")
    return {**frame, "starts_round": point.event is None, "marks": marks.get(place, [])}


def write_replay_page(path: Path, record: Record, seat: int | None = None, marks: Marks | None = None) -> None:
    """Write the page of a game to a file; arguments as for `replay_page`."""
    page = replay_page(record, seat, marks)
    with whole_file(path) as file:
        file.write(page)


def display_names(names: Sequence[str]) -> list[str]:
    """Return players' names that are all different and can be printed; equal ones are numbered."""
    shown = [printable(name) or "?" for name in names]
    return [
        f"{name} #{shown[: seat + 1].count(name)}" if shown.count(name) > 1 else name for seat, name in enumerate(shown)
    ]
