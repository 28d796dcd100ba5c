"""The line-ups of a run: which strategies play each block, as a function of its number alone."""

import itertools
import math
from typing import Protocol

import numpy as np

from modernart.simulator import streams
from modernart.simulator.jit import kernel

#: Up to this many different tables are listed and visited in turn; above it, tables are drawn at random.
_MAX_LISTED = 20_000


class Schedule(Protocol):
    """Line-ups of a run."""

    def line_ups(self, first_block: int, n_blocks: int) -> np.ndarray:
        """Return the strategies of consecutive blocks, int64 of shape (n_blocks, n_seats)."""
        ...


class BalancedSchedule:
    """Line-ups in which every strategy meets every other equally often.

    With S strategies and n seats, each line-up contains every strategy n // S times plus n % S extras; every set of
    extras appears once per cycle, in shuffled order. Line-up positions, and thus neighbours, are drawn for each block.
    Rotation balances the seats.

    Parameters
    ----------
    n_strategies, n_seats : int
    seed : int
        Run seed.
    """

    def __init__(self, n_strategies: int, n_seats: int, seed: int) -> None:
        self.n_strategies = n_strategies
        self.n_seats = n_seats
        self.seed = seed
        n_extra = n_seats % n_strategies
        base = list(range(n_strategies)) * (n_seats // n_strategies)
        self.is_listed = math.comb(n_strategies, n_extra) <= _MAX_LISTED
        extras = itertools.combinations(range(n_strategies), n_extra) if self.is_listed else [range(n_extra)]
        self.tables = np.array([[*base, *extra] for extra in extras], np.int64)

    @property
    def n_tables(self) -> int:
        """Number of blocks in a cycle, after which the balance is exact; 1 if tables are drawn."""
        return len(self.tables)

    def line_ups(self, first_block: int, n_blocks: int) -> np.ndarray:
        """Return the strategies of consecutive blocks, int64 of shape (n_blocks, n_seats)."""
        result = np.empty((n_blocks, self.n_seats), np.int64)
        n_drawn = 0 if self.is_listed else self.n_strategies
        _fill_line_ups(result, self.tables, n_drawn, np.uint64(self.seed), first_block)
        return result


@kernel(inline=True)
def position_at(seat, rotation, n_seats):
    """Return which line-up position takes a seat in the game of a block with this rotation, 0 to n_seats - 1."""
    position = seat + rotation
    return position - n_seats if position >= n_seats else position


@kernel
def _number(items):
    """Fill an array with 0, 1, 2, ...: in a loop, which compiles much faster than an assignment of arrays."""
    for i in range(items.size):
        items[i] = i


@kernel
def _fill_line_ups(result, tables, n_drawn, seed, first_block):
    """Fill in line-ups; with `n_drawn` > 0 each is drawn anew from that many strategies."""
    n_blocks, n_seats = result.shape
    n_tables = tables.shape[0]
    order = np.empty(n_tables, np.int64)
    pool = np.empty(max(n_drawn, 1), np.int64)
    cycle = np.int64(-1)
    for row in range(n_blocks):
        block = first_block + row
        if n_drawn == 0 and block // n_tables != cycle:
            cycle = block // n_tables
            _number(order)
            start = streams.stream_start(streams.deal_key(seed, cycle), 0, 0, streams.TABLES)
            streams.shuffle(order, n_tables, n_tables, start)
        state = streams.stream_start(streams.deal_key(seed, block), 0, 0, streams.PLACES)
        if n_drawn > 0:
            _number(pool)
            state = streams.shuffle(pool, n_drawn, n_drawn, state)
        for i in range(n_seats):
            result[row, i] = tables[order[block % n_tables], i] if n_drawn == 0 else pool[i]
        streams.shuffle(result[row], n_seats, n_seats, state)
