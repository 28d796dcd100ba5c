"""How fast the kernel plays: a table of `random` seats, with all that a run counts."""

import time
from typing import Any

from modernart.analysis.measures import tallies_for
from modernart.simulator.rules import load_edition
from modernart.simulator.simulate import available_threads, simulate
from modernart.strategies.registry import BY_NAME


def bench(
    players: int = 4, threads: int | None = None, games: int = 200_000, seed: int = 1, edition: str = "classic"
) -> dict[str, Any]:
    """Play `random` against itself and measure.

    Parameters
    ----------
    players, threads, games, seed : int
    edition : str

    Returns
    -------
    dict
        `games`, `seconds`, `games_per_s`, `decisions_per_game`, `threads`; compiling does not count.
    """
    rules = load_edition(edition).rules(players)
    threads = threads or available_threads()
    bidders = [BY_NAME["random"].player()]
    tallies = tallies_for(rules)
    simulate(bidders, rules, 2_000, tallies=tallies, seed=seed, threads=threads)
    start = time.perf_counter()
    run = simulate(bidders, rules, games, tallies=tallies, seed=seed, threads=threads)
    seconds = time.perf_counter() - start
    return {
        "games": run.n_games,
        "seconds": seconds,
        "games_per_s": run.n_games / seconds,
        "decisions_per_game": run.n_decisions / run.n_games,
        "threads": threads,
    }
