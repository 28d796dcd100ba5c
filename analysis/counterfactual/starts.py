"""What starting a round brings: the same round, begun by each seat in turn."""

from collections.abc import Callable, Sequence

import numpy as np

from modernart.analysis.counterfactual.points import DecisionPoints
from modernart.simulator.fork_runs import play_forks
from modernart.simulator.players import Player
from modernart.simulator.rules import Rules
from modernart.simulator.scoring import WIN_UNITS


def start_points(
    players: Sequence[Player],
    rules: Rules,
    games: int,
    *,
    seed: int = 1,
    repeats: int = 1,
    threads: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> DecisionPoints:
    """Return the rounds of a run's games that every seat could start, played on from each of these starts.

    Parameters as `modernart.analysis.counterfactual.endings.ending_points`.
    """
    found = play_forks(
        "starts", players, rules, games, seed=seed, repeats=repeats, threads=threads, on_progress=on_progress
    )
    return DecisionPoints(tuple(p.name for p in players), found)


def start_effects(points: DecisionPoints) -> dict[str, np.ndarray]:
    """Return what starting brings a seat against the mean of all starts, mean over the seats; `money` and `win`."""
    n = points.n_seats
    results = points.means[:, :n, : 2 * n].reshape(-1, n, n, 2)  # start, seat, money or win units
    own = np.arange(n)
    apart = (results[:, own, own] - results.mean(axis=1)).mean(axis=1)
    return {"money": apart[:, 0], "win": apart[:, 1] / WIN_UNITS}
