"""Compare Dask workers on this machine with threads: `python benchmarks/cluster.py --games 2000000`.

Prints games a second, and where the processor's time went: playing, the rest of the workers, and the command, which
sends pieces out and adds up. The last two columns are what a piece costs beside its games.
"""

import argparse
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil

from modernart.analysis.cluster.dask_scheduler import DaskScheduler
from modernart.analysis.measures import tallies_for
from modernart.simulator.rules import load_edition
from modernart.simulator.scheduling import Scheduler, Threads, playing_elsewhere
from modernart.simulator.simulate import simulate
from modernart.strategies.specs import load_players

FIELD = ("random", "half_value", "fair_share", "full_value")


class Counting:
    """A scheduler that counts the pieces of another."""

    def __init__(self, other: Scheduler) -> None:
        self.other, self.n_pieces = other, 0

    @property
    def n_threads(self) -> int:
        """How many threads play."""
        return self.other.n_threads

    def pieces(self, orders) -> Iterator:
        """Yield what the other yields."""
        for piece in self.other.pieces(orders):
            self.n_pieces += piece is not None
            yield piece


def cpu_of_workers() -> float:
    """Return the processor time of all processes below this one."""
    total = 0.0
    for child in psutil.Process().children(recursive=True):
        times = child.cpu_times()
        total += times.user + times.system
    return total


@contextmanager
def scheduler(kind: str, n: int) -> Iterator[Scheduler]:
    """Start threads or workers."""
    if kind == "threads":
        yield Threads(n)
        return
    workers = DaskScheduler(n_workers=n)
    try:
        yield workers
    finally:
        workers.close()


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2_000_000)
    arguments = parser.parse_args()
    rules = load_edition("classic").rules(4)
    players, tallies = load_players(FIELD), tallies_for(rules)
    print("| where | games/s | pieces | playing, s | rest of workers, ms a piece | command, ms a piece |")
    print("|---|---|---|---|---|---|", flush=True)
    cores = len(os.sched_getaffinity(0))
    for kind, n in (("threads", 1), ("threads", 2), ("dask", 1), ("dask", 2), ("dask", 4)):
        if kind == "threads" and n > cores:
            continue
        with scheduler(kind, n) as place, playing_elsewhere(counting := Counting(place)):
            simulate(players, rules, 200_000, tallies=tallies)  # compiles, and finds the pace
            counting.n_pieces = 0
            start, own, others = time.perf_counter(), time.process_time(), cpu_of_workers()
            run = simulate(players, rules, arguments.games, tallies=tallies)
            wall, own = time.perf_counter() - start, time.process_time() - own
            rest = cpu_of_workers() - others - run.cpu_seconds if kind == "dask" else 0.0
            own -= run.cpu_seconds if kind == "threads" else 0.0
        a_piece = 1e3 / counting.n_pieces
        print(
            f"| {kind} {n} | {run.n_games / wall:,.0f} | {counting.n_pieces} | {run.cpu_seconds:.1f} "
            f"| {rest * a_piece:.0f} | {own * a_piece:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
