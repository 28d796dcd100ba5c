"""Where games are played: in threads of this process or, if a scheduler is in use, elsewhere.

What is played is a `Work`: blocks that depend on their numbers alone, so that any part of them can be played anywhere
and in any order. Every long study goes through one of its kinds (see `modernart.simulator.works` and `fork_runs`).
"""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numba

from modernart.simulator.cores import usable_cores
from modernart.simulator.errors import UsageError
from modernart.simulator.players import Player
from modernart.simulator.rules import Rules
from modernart.simulator.tallies import N_BATCHES

#: Seconds that a call of compiled code in this process should take: the grain of progress and of interruption.
_CHUNK_SECONDS = 0.4

_Part = TypeVar("_Part")


class Work(Protocol):
    """Blocks to be played, all in the same way."""

    @property
    def players(self) -> Sequence[Player]:
        """Who plays."""
        ...

    @property
    def rules(self) -> Rules:
        """The rules of every game."""
        ...

    def part(self, first_block: int, n_blocks: int) -> "Work":
        """Return the work with no more than what these blocks need, to be sent elsewhere."""
        ...

    def play(self, first_block: int, n_blocks: int, threads: int) -> Any:
        """Play blocks `first_block` to `first_block + n_blocks - 1` in this process and return what came of them."""
        ...


@dataclass(frozen=True)
class Order:
    """Blocks of a work, from the first to before the last."""

    work: Work
    first_block: int
    last_block: int


@dataclass(frozen=True)
class Piece:
    """What came of some consecutive blocks.

    Parameters
    ----------
    order : int
        Which of the orders they belong to.
    first_block, n_blocks : int
    outcome : object
        As `Work.play` returns it.
    """

    order: int
    first_block: int
    n_blocks: int
    outcome: Any


class Scheduler(Protocol):
    """Plays blocks somewhere."""

    @property
    def n_threads(self) -> int:
        """How many threads play."""
        ...

    def pieces(self, orders: Sequence[Order]) -> Iterator[Piece | None]:
        """Yield pieces that together are the orders, in any order; None now and then, so that the caller can look up.

        Leaving it early gives up what is still being played.
        """
        ...


@dataclass(frozen=True)
class Threads:
    """Plays in threads of this process, one order after the other.

    Parameters
    ----------
    n_threads : int
    chunk : int, optional
        Blocks played at once; default: as many as take about half a second.
    """

    n_threads: int
    chunk: int | None = None

    def pieces(self, orders: Sequence[Order]) -> Iterator[Piece]:
        """Yield the pieces of each order in turn."""
        for number, order in enumerate(orders):
            least = lanes_for(self.n_threads)
            size = self.chunk or least
            first = order.first_block
            while first < order.last_block:
                n = min(size, order.last_block - first)
                start = time.perf_counter()
                outcome = order.work.play(first, n, self.n_threads)
                seconds = time.perf_counter() - start
                yield Piece(number, first, n, outcome)
                first += n
                if self.chunk is None:
                    # Grow by a factor of eight at most: the first chunk may include the compilation.
                    size = max(least, min(size * 8, int(n * _CHUNK_SECONDS / max(seconds, 1e-6))))


def available_threads() -> int:
    """Return how many threads a run may use on this machine."""
    return min(numba.config.NUMBA_NUM_THREADS, usable_cores())


def in_threads(
    play: Callable[[int, int], _Part], first_block: int, n_blocks: int, threads: int, most: int
) -> list[_Part]:
    """Return what `play(first, end)` makes of blocks, some at a time, at most `most`, in their order; in threads."""
    size = min(max(1, -(-n_blocks // threads)), most)
    end = first_block + n_blocks
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda first: play(first, min(first + size, end)), range(first_block, end, size)))


def lanes_for(threads: int) -> int:
    """Return into how many lanes the kernels share out blocks: a multiple of N_BATCHES, and enough for all threads.

    Batches are for statistics. A batch is a lane of its own, or several if there are more threads than batches.
    """
    return N_BATCHES * -(-threads // N_BATCHES)


_in_use: list[Scheduler] = []


@contextmanager
def playing_elsewhere(scheduler: Scheduler) -> Iterator[None]:
    """Let a scheduler play all that is asked for in the meantime."""
    _in_use.append(scheduler)
    try:
        yield
    finally:
        _in_use.remove(scheduler)


def scheduler_for(threads: int | None, chunk: int | None = None) -> Scheduler:
    """Return what plays: the scheduler in use or, without one, threads of this process.

    Raises
    ------
    UsageError
        If a number is out of range.
    """
    if threads is not None and threads < 1:
        raise UsageError(f"threads must be at least 1, got {threads}")
    if chunk is not None and chunk < 1:
        raise UsageError(f"chunk must be at least 1 block, got {chunk}")
    if _in_use:
        return _in_use[-1]
    most = available_threads()
    return Threads(min(threads or most, most), chunk)
