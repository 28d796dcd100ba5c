"""Single games of a run, as records."""

from collections.abc import Iterator, Sequence
from typing import Any

from modernart.simulator.errors import UsageError
from modernart.simulator.interpreter import play_record
from modernart.simulator.lineups import BalancedSchedule, Schedule
from modernart.simulator.players import Player
from modernart.simulator.rules import Rules
from modernart.simulator.simulate import check_seed

#: Games of a run are numbered below this.
MAX_GAME = 2**53


def records_of_run(
    players: Sequence[Player], rules: Rules, seed: int, first: int, count: int, schedule: Schedule | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the records of games `first` to `first + count - 1` of a run with these arguments.

    Parameters
    ----------
    players : sequence of Player
    rules : Rules
    seed : int
    first, count : int
    schedule : Schedule, optional
        As for `modernart.simulator.simulate.simulate`.

    Raises
    ------
    UsageError
        If seed or numbers are out of range.
    """
    check_seed(seed)
    if not 0 <= first <= MAX_GAME - count:
        raise UsageError(f"game numbers of a run go from 0 to 2^53, got {first} to {first + count - 1}")
    schedule = schedule or BalancedSchedule(len(players), rules.players, seed)
    for game in range(first, first + count):
        members = schedule.line_ups(game // rules.players, 1)[0]
        yield play_record(rules, players, members, seed, game)
