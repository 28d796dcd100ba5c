"""Runs of forked duels: blocks shared out among threads, the same numbers however many there are."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from modernart.simulator.errors import RunError
from modernart.simulator.paired_games import N_COUNTS, N_GAMES, pair_blocks
from modernart.simulator.players import Player, acts_of, params_of
from modernart.simulator.rules import Rules
from modernart.simulator.scheduling import Order, in_threads, scheduler_for
from modernart.simulator.scoring import WIN_UNITS
from modernart.simulator.setup import games_of
from modernart.simulator.simulate import Scores, scored_blocks
from modernart.simulator.under_way import playing
from modernart.simulator.works import LinedUpBlocks, ScoredBlocks

#: Blocks that a thread plays at a time.
_CHUNK = 64

#: Sums, firsts and counts of some blocks (see `modernart.simulator.paired_games.pair_blocks`).
_Part = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True)
class PairedBlocks(LinedUpBlocks):
    """Blocks with the first two players in turn at line-up position 0, forked where these lead apart.

    The code of all players must be this project's own; the line-ups are those of the first.

    Parameters
    ----------
    repeats : int
        How often each branch of a fork is played on, with other cards to come.
    """

    repeats: int

    def play(self, first_block: int, n_blocks: int, threads: int) -> _Part:
        """Play blocks; returns sums, firsts and counts as `pair_blocks` writes them.

        Raises
        ------
        IllegalAnswer
            If a strategy gives an answer that the rules forbid.
        """
        # Made here once, not in every thread: what is not compiled yet is compiled by one.
        acts, params = acts_of(self.players), params_of(self.players, self.rules)
        parts = in_threads(partial(self._play_some, acts, params), first_block, n_blocks, threads, _CHUNK)
        sums, firsts, counts = (np.concatenate(one) for one in zip(*parts, strict=True))
        return sums, firsts, counts

    def _play_some(self, acts: np.ndarray, params: np.ndarray, first: int, end: int) -> _Part:
        """Play blocks in one thread."""
        work = games_of(self.rules, N_GAMES)
        here = self.part(first, end - first).line_ups
        n_blocks, n_seats = here.shape
        sums, firsts = np.zeros((n_blocks, 2, 2, n_seats)), np.zeros((n_blocks, 2, 2))
        counts = np.zeros((n_blocks, N_COUNTS), np.int64)
        hears = any(player.hears for player in self.players)
        seed = np.uint64(self.seed)
        with playing(self.players, self.rules, self.seed, work, here, first):
            is_legal = pair_blocks(work, acts, params, here, first, seed, self.repeats, hears, sums, firsts, counts)
        if not is_legal:
            self._tell_illegal(here, first)
        return sums, firsts, counts

    def _tell_illegal(self, line_ups: np.ndarray, first: int) -> None:
        """Raise an error that names the illegal answer: play the same blocks with each player by itself."""
        for k in range(2):
            members = np.where(line_ups == 0, k, line_ups)
            ScoredBlocks(self.players, self.rules, self.seed, members, first).play(first, len(members), 1)
        raise RunError(
            f"a strategy gave an illegal answer where cards were dealt anew, in deals {first} to "
            f"{first + len(line_ups) - 1} of seed {self.seed}"
        )


@dataclass(frozen=True)
class PairedScores:
    """What A and B scored in the same places.

    Parameters
    ----------
    both : tuple of Scores
        By line-up position; where a game was forked, the mean over its repeats.
    first_shares : ndarray of float, shape (n_blocks, 2)
        Win shares of A and B in the games of the deals alone.
    repeats : int
    counts : ndarray of int64, shape (n_blocks, N_COUNTS)
        Forked games and decisions played (see `modernart.simulator.paired_games`).
    """

    both: tuple[Scores, Scores]
    first_shares: np.ndarray
    repeats: int
    counts: np.ndarray


def score_pair(
    players: Sequence[Player],
    rules: Rules,
    line_ups: np.ndarray,
    first_block: int,
    n_blocks: int,
    *,
    seed: int = 1,
    threads: int | None = None,
    repeats: int = 1,
) -> PairedScores:
    """Play blocks with A and with B at line-up position 0, as one game as long as nothing tells them apart.

    With one repeat, the outcomes are those of `modernart.simulator.simulate.score` with each of the two. With more, the
    part of a game that comes after a fork is played several times with other cards to come, the same for A and B.

    Parameters
    ----------
    players : sequence of Player
        A, B and the others.
    rules : Rules
    line_ups : ndarray of int64, shape (n_blocks, n_seats)
        Of A: 0 at position 0, then indices of the others.
    first_block, n_blocks : int
    seed, threads : int
    repeats : int
        A power of two, so that means are exact.

    Raises
    ------
    UsageError, IllegalAnswer
        As `modernart.simulator.simulate.score`.
    """
    checked = scored_blocks(players, rules, line_ups, first_block, n_blocks, seed=seed)
    work = PairedBlocks(players, rules, seed, checked.line_ups, first_block, repeats)
    parts = {}
    for piece in scheduler_for(threads).pieces([Order(work, first_block, first_block + n_blocks)]):
        if piece is not None:
            parts[piece.first_block] = piece.outcome
    sums, firsts, counts = (np.concatenate(one) for one in zip(*(parts[first] for first in sorted(parts)), strict=True))
    n_seats = rules.players
    one, other = (
        Scores(sums[:, k, 0] / (WIN_UNITS * n_seats), sums[:, k, 1] / n_seats, n_blocks * n_seats) for k in range(2)
    )
    return PairedScores((one, other), firsts[:, :, 0] / (WIN_UNITS * n_seats), repeats, counts)
