"""Runs of counterfactual playouts: blocks shared out among threads, the same numbers however many there are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from modernart.simulator.errors import RunError
from modernart.simulator.forks import (
    ENDINGS,
    ILLEGAL,
    N_COUNTS,
    N_FACTS,
    N_GAMES,
    SALES,
    SHAPES,
    STARTS,
    fork_blocks,
)
from modernart.simulator.lineups import BalancedSchedule
from modernart.simulator.players import Player, acts_of, params_of
from modernart.simulator.rules import Rules
from modernart.simulator.scheduling import Order, in_threads, scheduler_for
from modernart.simulator.setup import games_of
from modernart.simulator.under_way import playing
from modernart.simulator.works import LinedUpBlocks

#: Blocks that a thread plays at a time.
_CHUNK = 16
#: Most decision points of a block and seat: those of a study of sales.
_ROOM_PER_SEAT = 128
#: What a user calls the studies.
STUDIES = {"endings": ENDINGS, "auctions": SALES, "starts": STARTS}


@dataclass(frozen=True)
class Forks:
    """Decision points of a run and what came of each branch.

    Parameters
    ----------
    facts : ndarray of int64, shape (n, N_FACTS)
        Columns as in `modernart.simulator.forks`.
    outcomes : ndarray of int64, shape (n, repeats, branches, outcomes)
    counts : ndarray of int64, shape (N_COUNTS,)
        Lots by what became of them in a study of sales.
    line_ups : ndarray of int64, shape (n_blocks, n_seats)
        Strategies of each block, whose number is that of its deal.
    """

    facts: np.ndarray
    outcomes: np.ndarray
    counts: np.ndarray
    line_ups: np.ndarray


#: Facts, outcomes and counts of some blocks.
_Part = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True)
class ForkedBlocks(LinedUpBlocks):
    """Blocks of a run whose games are forked; further parameters as for `play_forks`."""

    study: str
    repeats: int

    def play(self, first_block: int, n_blocks: int, threads: int) -> _Part:
        """Play blocks; returns facts, outcomes and counts as `Forks` has them.

        Raises
        ------
        RunError
            After an illegal answer.
        """
        # Made here once, not in every thread: what is not compiled yet is compiled by one.
        acts, params = acts_of(self.players), params_of(self.players, self.rules)
        parts = in_threads(partial(self._play_some, acts, params), first_block, n_blocks, threads, _CHUNK)
        facts, outcomes, counts = zip(*parts, strict=True)
        return np.concatenate(facts), np.concatenate(outcomes), np.sum(counts, axis=0)

    def _play_some(self, acts: np.ndarray, params: np.ndarray, first: int, end: int) -> _Part:
        """Play blocks in one thread."""
        code = STUDIES[self.study]
        work = games_of(self.rules, N_GAMES)
        here = self.part(first, end - first).line_ups
        room = _ROOM_PER_SEAT * here.size
        facts = np.zeros((room, N_FACTS), np.int64)
        outcomes = np.zeros((room, self.repeats, *SHAPES[code]), np.int64)
        counts = np.zeros(N_COUNTS, np.int64)
        seed = np.uint64(self.seed)
        with playing(self.players, self.rules, self.seed, work, here, first):
            n = fork_blocks(code, work, acts, params, here, first, seed, facts, outcomes, counts)
        if n < 0:
            what = "a strategy gave an illegal answer" if n == ILLEGAL else "too many decision points in a block"
            raise RunError(f"the study stopped at deals {first} to {end - 1}, seed {self.seed}: {what}")
        return facts[:n].copy(), outcomes[:n].copy(), counts


def play_forks(
    study: str,
    players: Sequence[Player],
    rules: Rules,
    games: int,
    *,
    seed: int = 1,
    repeats: int = 1,
    threads: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Forks:
    """Play a run's games and fork each at every decision that the study asks about.

    Parameters
    ----------
    study : {"endings", "auctions", "starts"}
    players : sequence of Player
    rules : Rules
    games : int
        Games to look through; those of `simulate` with the same arguments.
    seed : int
    repeats : int
        How often each decision point is played on; the first time with the game's own random streams.
    threads : int, optional
    on_progress : callable, optional
        Called with the number of games done.

    Raises
    ------
    RunError
        After an illegal answer.
    """
    n_seats = rules.players
    n_blocks = -(-games // n_seats)
    line_ups = BalancedSchedule(len(players), n_seats, seed).line_ups(0, n_blocks)
    work = ForkedBlocks(players, rules, seed, line_ups, 0, study, repeats)
    parts = {}
    n_done = 0
    for piece in scheduler_for(threads).pieces([Order(work, 0, n_blocks)]):
        if piece is not None:
            parts[piece.first_block] = piece.outcome
            n_done += piece.n_blocks
        if on_progress is not None:
            on_progress(n_done * n_seats)
    facts, outcomes, counts = zip(*(parts[first] for first in sorted(parts)), strict=True)
    return Forks(np.concatenate(facts), np.concatenate(outcomes), np.sum(counts, axis=0), line_ups)
