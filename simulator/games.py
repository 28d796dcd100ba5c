"""Single games of a run, as records."""

from collections.abc import Iterator, Sequence
from typing import Any

from simulator.interpreter import play_record
from simulator.lineups import BalancedSchedule, Schedule
from simulator.players import Player
from simulator.rules import Rules


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
        As for `simulator.simulate.simulate`.
    """
    schedule = schedule or BalancedSchedule(len(players), rules.players, seed)
    for game in range(first, first + count):
        members = schedule.line_ups(game // rules.players, 1)[0]
        yield play_record(rules, players, members, seed, game)
