"""What is played of a run: blocks counted in tallies, and blocks of which each keeps its outcome."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numba
import numpy as np

from modernart.simulator import batch
from modernart.simulator.ahead import wait_for_kernel
from modernart.simulator.decisions import Phase, legal_answers
from modernart.simulator.errors import RunError
from modernart.simulator.lineups import Schedule
from modernart.simulator.one_at_a_time import one_at_a_time
from modernart.simulator.players import Player, acts_of, end_trials, params_of
from modernart.simulator.rules import Rules
from modernart.simulator.scheduling import lanes_for
from modernart.simulator.setup import games_of, players_at_seats
from modernart.simulator.state import new_games
from modernart.simulator.tallies import N_BATCHES, Per, Tallies
from modernart.simulator.under_way import playing


class IllegalAnswer(RunError):
    """A strategy gave an answer that the rules forbid."""


@dataclass(frozen=True)
class Counted:
    """What some blocks added to a run.

    Parameters
    ----------
    cells : ndarray of int64, shape (N_BATCHES, n_cells)
        Sums to add to the run's tallies.
    n_decisions : int
    seconds, cpu_seconds : float
        What it cost to play them.
    """

    cells: np.ndarray
    n_decisions: int
    seconds: float
    cpu_seconds: float

    def __add__(self, other: "Counted") -> "Counted":
        """Return what both added."""
        return Counted(
            self.cells + other.cells,
            self.n_decisions + other.n_decisions,
            self.seconds + other.seconds,
            self.cpu_seconds + other.cpu_seconds,
        )


@dataclass(frozen=True)
class CountedBlocks:
    """Blocks of a run, counted in tallies.

    Parameters
    ----------
    players : sequence of Player
    rules : Rules
    seed : int
    schedule : Schedule
        The line-ups.
    tallies : Tallies
        What to count; they stay as they are.
    is_run : bool
        Whether `modernart record` with these players comes to the same games.
    """

    players: Sequence[Player]
    rules: Rules
    seed: int
    schedule: Schedule
    tallies: Tallies
    is_run: bool

    def part(self, first_block: int, n_blocks: int) -> "CountedBlocks":
        """Return the work itself: it holds nothing that grows with the blocks."""
        return self

    def play(self, first_block: int, n_blocks: int, threads: int) -> Counted:
        """Play and count blocks.

        Raises
        ------
        IllegalAnswer
            If a strategy gives an answer that the rules forbid.
        """
        n_lanes = lanes_for(threads)
        games = games_of(self.rules, n_lanes)
        reports = _new_reports(n_lanes)
        line_ups = self.schedule.line_ups(first_block, n_blocks)
        of_game, of_block = self.tallies.counters(Per.GAME), self.tallies.counters(Per.BLOCK)
        cells = np.zeros((n_lanes, self.tallies.cells.shape[1]), np.int64)
        acts, params = acts_of(self.players), params_of(self.players, self.rules)
        seed = np.uint64(self.seed)
        wait_for_kernel()
        start, cpu_start = time.perf_counter(), time.process_time()
        with (
            one_at_a_time(),
            playing(self.players, self.rules, self.seed, games, line_ups, first_block, self.is_run),
        ):
            numba.set_num_threads(threads)
            batch.play_blocks(games, acts, params, line_ups, first_block, seed, cells, of_game, of_block, reports)
        seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu_start
        _stop_if_illegal(self, games, reports, line_ups, first_block)
        end_trials(self.players)
        if n_lanes > N_BATCHES:
            cells = cells.reshape(-1, *self.tallies.cells.shape).sum(axis=0)
        return Counted(cells, int(reports[:, batch.N_DECISIONS].sum()), seconds, cpu_seconds)


@dataclass(frozen=True)
class LinedUpBlocks:
    """Blocks with given line-ups.

    Parameters
    ----------
    players : sequence of Player
    rules : Rules
    seed : int
    line_ups : ndarray of int64, shape (n_blocks, n_seats)
    first_block : int
        Number of the first block, whose line-up comes first.
    """

    players: Sequence[Player]
    rules: Rules
    seed: int
    line_ups: np.ndarray
    first_block: int

    def part(self, first_block: int, n_blocks: int) -> Self:
        """Return the work with the line-ups of some blocks only."""
        start = first_block - self.first_block
        return replace(self, line_ups=self.line_ups[start : start + n_blocks], first_block=first_block)


class ScoredBlocks(LinedUpBlocks):
    """Blocks of which each keeps its outcome."""

    def play(self, first_block: int, n_blocks: int, threads: int) -> np.ndarray:
        """Play blocks; returns win units and money by line-up position, int64 of shape (2, n_blocks, n_seats).

        Raises
        ------
        IllegalAnswer
            If a strategy gives an answer that the rules forbid.
        """
        n_lanes = lanes_for(threads)
        games = games_of(self.rules, n_lanes)
        reports = _new_reports(n_lanes)
        line_ups = self.part(first_block, n_blocks).line_ups
        wins, money = outcome = np.zeros((2, *line_ups.shape), np.int64)
        acts, params = acts_of(self.players), params_of(self.players, self.rules)
        seed = np.uint64(self.seed)
        with one_at_a_time(), playing(self.players, self.rules, self.seed, games, line_ups, first_block):
            numba.set_num_threads(threads)
            batch.score_blocks(games, acts, params, line_ups, first_block, seed, wins, money, reports)
        _stop_if_illegal(self, games, reports, line_ups, first_block)
        end_trials(self.players)
        return outcome


def compile_kernel() -> None:
    """Compile the kernel that counts blocks, and save its code, without playing any."""
    batch.play_blocks.compile(kernel_types())


def kernel_types() -> tuple:
    """Return the types of the arguments with which `CountedBlocks.play` calls the kernel."""
    numbers, table = np.zeros(0, np.int64), np.zeros((0, 0), np.int64)
    counters = (numbers, numbers)
    arguments = (new_games(0), numbers, np.zeros((0, 0)), table, 0, np.uint64(0), table, counters, counters, table)
    return tuple(numba.typeof(one) for one in arguments)


def _new_reports(n_lanes: int) -> np.ndarray:
    reports = np.zeros((n_lanes, 4), np.int64)
    reports[:, batch.FAILED_GAME] = -1
    return reports


def _stop_if_illegal(work: CountedBlocks | ScoredBlocks, games, reports, line_ups, first_block: int) -> None:
    """Raise an error for the first illegal answer, if there is one."""
    failed = np.flatnonzero(reports[:, batch.FAILED_GAME] >= 0)
    if not len(failed):
        return
    lane = failed[np.argmin(reports[failed, batch.FAILED_GAME])]
    game_number, seat, answer = (int(x) for x in reports[lane, :3])
    members = line_ups[game_number // work.rules.players - first_block]
    name = work.players[players_at_seats(members, game_number)[seat]].name
    raise IllegalAnswer(describe_illegal(games[lane], name, answer, work.seed, game_number))


def describe_illegal(game, name: str, answer: int, seed: int, game_number: int) -> str:
    """Say which answer was illegal, what would have been legal, and in which game it happened."""
    table = game.table
    phase = Phase(int(table.phase))
    seat = int(table.seat)
    return (
        f'strategy "{name}" answered {answer} to {phase.name} at seat {seat} in round {int(table.round_index) + 1} '
        f"of game {game_number} of seed {seed}; legal is {legal_answers(table)}"
    )
