"""Advice at the table from Python."""

from pathlib import Path
from typing import Any

from modernart.analysis.api.games import Game
from modernart.analysis.table import advice
from modernart.analysis.table.positions import Position, position_of_game
from modernart.analysis.table.sources import load_position, parse_event, position_at
from modernart.simulator.errors import UsageError
from modernart.simulator.records import Record, replay_record


def advise(
    position: Game | Position | Record | Path | str,
    *,
    event: str | None = None,
    line: int = 1,
    seat: str | None = None,
    rivals: str = "strong",
    rollouts: int = advice.ROLLOUTS,
    seed: int = 1,
    threads: int | None = None,
) -> advice.Advice:
    """Answer a decision at the table: what each answer brings, how far to go in an auction, and why.

    Parameters
    ----------
    position : Game, dict or path
        A `modernart.Game`, of which the seat that is asked gets the advice from what it can see; a record; or a file:
        a position in TOML, records, or a game in short lines.
    event : str, optional
        Of a record: the decision that event `"ROUND:EVENT"` answers, counted from 1.
    line : int
        Which line of a file of records.
    seat : str, optional
        Who decides, where several are asked at once.
    rivals : str
        How the others play: `strong`, `weak`, `mixed`, or strategies with commas between them.
    rollouts : int
        Games played to their end, over all answers.
    seed, threads : int
        As for `tournament`.

    Returns
    -------
    Advice
        With `best_option`, `options`, `walk_away` and `why`; `to_record()` is what the command prints as JSON.
    """
    found = _position(position, event, line, seat)
    return advice.advise(found, rivals, rollouts=rollouts, seed=seed, threads=threads)


def _position(source: Any, event: str | None, line: int, seat: str | None) -> Position:
    """Return the decision that is asked for."""
    if isinstance(source, Position):
        return source
    if isinstance(source, Game):
        if source.is_over:
            raise UsageError("the game is over: nothing is asked")
        return position_of_game(source.interpreter)
    if isinstance(source, str | Path):
        return load_position(Path(source), event=event, line=line, seat=seat)
    if event is None:
        raise UsageError('a record has many decisions; name one as event="ROUND:EVENT", counted from 1')
    replay_record(source)
    return position_at(source, *parse_event(event), seat=seat)
