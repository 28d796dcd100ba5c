"""Play a run: many games between players, counted in tallies."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numba
import numpy as np

from modernart.simulator import batch
from modernart.simulator.cards import card_crowns
from modernart.simulator.decisions import Phase, budget
from modernart.simulator.errors import RunError, UsageError
from modernart.simulator.lineups import BalancedSchedule, Schedule
from modernart.simulator.players import Player, acts_of, params_of
from modernart.simulator.rules import Rules
from modernart.simulator.setup import games_of
from modernart.simulator.tallies import N_BATCHES, WIN_UNITS, Tallies, add_tallies, flat_tallies, new_tallies

#: Seconds that one call of the kernel should take: the grain of progress and of interruption.
_CHUNK_SECONDS = 0.4
MAX_SEED = 2**63 - 1


class IllegalAnswer(RunError):
    """A strategy gave an answer that the rules forbid."""


@dataclass
class Run:
    """Games played so far, and what was counted.

    Parameters
    ----------
    rules : Rules
    names : tuple of str
        Strategies, in the order of the tallies' axes.
    seed : int
    n_blocks : int
        Blocks played, from number 0 on; each is one deal and `rules.players` games.
    tallies : Tallies
    n_decisions : int
    seconds, cpu_seconds : float
        Wall clock and processor time spent in playing.
    """

    rules: Rules
    names: tuple[str, ...]
    seed: int
    n_blocks: int
    tallies: Tallies
    n_decisions: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    interrupted: bool = field(default=False)

    @property
    def n_games(self) -> int:
        """Games played."""
        return self.n_blocks * self.rules.players


def available_threads() -> int:
    """Return how many threads a run may use on this machine."""
    # Not every system can tell which cores the process may use.
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(numba.config.NUMBA_NUM_THREADS, cores)


def new_run(rules: Rules, names: Sequence[str], seed: int) -> Run:
    """Return a run of no games yet."""
    return Run(rules, tuple(names), seed, 0, new_tallies(len(names), rules.rounds))


def n_blocks_for(rules: Rules, games: int) -> int:
    """Return the number of whole blocks that hold at least `games` games."""
    return -(-games // rules.players)


def simulate(
    players: Sequence[Player],
    rules: Rules,
    games: int,
    *,
    seed: int = 1,
    threads: int | None = None,
    schedule: Schedule | None = None,
    chunk: int | None = None,
    run: Run | None = None,
    on_progress: Callable[[Run], None] | None = None,
) -> Run:
    """Play games between players and count them.

    Game `i` depends on the seed, the players, the rules and `i` alone, and the tallies are sums of integers: the result
    is the same to the last bit whatever `threads` and `chunk` are.

    Parameters
    ----------
    players : sequence of Player
        The strategies; line-ups repeat them where there are fewer than seats.
    rules : Rules
    games : int
        Least number of games; rounded up to whole blocks.
    seed : int
        Run seed, 0 to 2**63 - 1.
    threads : int, optional
        Default: all that the machine has.
    schedule : Schedule, optional
        Line-ups; default: every strategy meets every other equally often.
    chunk : int, optional
        Blocks in one call of the kernel; default: about half a second's worth.
    run : Run, optional
        A run to go on with, of the same players, rules, seed and schedule; updated.
    on_progress : callable, optional
        Called with the run after each chunk. A KeyboardInterrupt from it or from the keyboard leaves `run` whole.

    Returns
    -------
    Run

    Raises
    ------
    UsageError
        If a number is out of range.
    IllegalAnswer
        If a strategy gives an answer that the rules forbid. No later game counts.
    """
    _check(players, games, seed, threads, chunk)
    _check_sums(rules, games)
    n_seats = rules.players
    if run is None:
        run = new_run(rules, [player.name for player in players], seed)
    if schedule is None:
        schedule = BalancedSchedule(len(players), n_seats, seed)
    numba.set_num_threads(threads or available_threads())
    work = games_of(rules, N_BATCHES)
    acts = acts_of(players)
    params = params_of(players, rules)
    total = n_blocks_for(rules, games)
    size = chunk or N_BATCHES
    while run.n_blocks < total:
        n = min(size, total - run.n_blocks)
        line_ups = schedule.line_ups(run.n_blocks, n)
        part = new_tallies(len(players), rules.rounds)
        reports = _new_reports()
        start, cpu_start = time.perf_counter(), time.process_time()
        with telling_who_failed(players):
            batch.play_blocks(work, acts, params, line_ups, run.n_blocks, np.uint64(seed), flat_tallies(part), reports)
        seconds = time.perf_counter() - start
        _stop_if_illegal(work, reports, line_ups, run.n_blocks, rules, seed, players)
        add_tallies(run.tallies, part)
        run.n_decisions += int(reports[:, batch.N_DECISIONS].sum())
        run.n_blocks += n
        run.seconds += seconds
        run.cpu_seconds += time.process_time() - cpu_start
        if chunk is None:
            # Grow by at most eight times: the first chunk may hold the compilation.
            size = max(N_BATCHES, min(size * 8, int(n * _CHUNK_SECONDS / max(seconds, 1e-6))))
        if on_progress is not None:
            on_progress(run)
    return run


@dataclass(frozen=True)
class Scores:
    """Outcome of each block of a run, by place in the line-up.

    Parameters
    ----------
    win_share : ndarray of float, shape (n_blocks, n_seats)
        Mean win share (ties shared) of the place over the block's games.
    money : ndarray of float, shape (n_blocks, n_seats)
        Mean final money of the place.
    n_games : int
    """

    win_share: np.ndarray
    money: np.ndarray
    n_games: int


def score(
    players: Sequence[Player],
    rules: Rules,
    line_up: Sequence[int] | np.ndarray,
    first_block: int,
    n_blocks: int,
    *,
    seed: int = 1,
    threads: int | None = None,
) -> Scores:
    """Play blocks of given line-ups and return the outcome of each: for paired comparisons on the same deals.

    The deals and every seat's dice of a block depend on `seed` and the block's number alone, so two calls that differ
    in one player differ by that player's doing.

    Parameters
    ----------
    players : sequence of Player
    rules : Rules
    line_up : sequence of int, or ndarray of int64, shape (n_blocks, n_seats)
        Strategy of each place, as an index into `players`; one line-up for all blocks, or one for each.
    first_block, n_blocks : int
        Blocks `first_block` to `first_block + n_blocks - 1`.
    seed : int
    threads : int, optional

    Raises
    ------
    UsageError, IllegalAnswer
        As `simulate`.
    """
    _check(players, max(n_blocks, 1), seed, threads, None)
    n_seats = rules.players
    line_ups = np.array(line_up, np.int64)
    if line_ups.shape == (n_seats,):
        line_ups = np.tile(line_ups, (n_blocks, 1))
    if line_ups.shape != (n_blocks, n_seats):
        raise UsageError(f"a line-up needs {n_seats} places, got {line_ups.shape[-1]}")
    numba.set_num_threads(threads or available_threads())
    work = games_of(rules, N_BATCHES)
    wins = np.zeros((n_blocks, n_seats), np.int64)
    money = np.zeros((n_blocks, n_seats), np.int64)
    reports = _new_reports()
    acts, params = acts_of(players), params_of(players, rules)
    with telling_who_failed(players):
        batch.score_blocks(work, acts, params, line_ups, first_block, np.uint64(seed), wins, money, reports)
    _stop_if_illegal(work, reports, line_ups, first_block, rules, seed, players)
    return Scores(wins / (WIN_UNITS * n_seats), money / n_seats, n_blocks * n_seats)


def _new_reports() -> np.ndarray:
    reports = np.zeros((N_BATCHES, 4), np.int64)
    reports[:, batch.FAILED_GAME] = -1
    return reports


def check_seed(seed: int) -> None:
    """Refuse a run seed out of range.

    Raises
    ------
    UsageError
        If it is not from 0 to MAX_SEED.
    """
    if not 0 <= seed <= MAX_SEED:
        raise UsageError(f"seed must be a whole number from 0 to 2^63 - 1, got {seed}")


def _check_sums(rules: Rules, games: int) -> None:
    """Refuse a run whose sums of squared money could leave 64-bit integers."""
    # No more money can be on the table than all that was dealt out and all that its paintings can ever pay.
    most_paid = max(rules.rank_values) * rules.rounds * sum(map(card_crowns, rules.card_codes()))
    of_a_block = (rules.players * rules.starting_money + most_paid) * rules.players
    if n_blocks_for(rules, games) * of_a_block**2 >= 2**63:
        raise UsageError(f"{games} games with so much money cannot be summed exactly; play fewer, or lower the amounts")


@contextmanager
def telling_who_failed(players: Sequence[Player], where: str = "") -> Iterator[None]:
    """Turn an error raised inside a strategy into one sentence that names who can have raised it.

    Raises
    ------
    RunError
        In its place.
    """
    try:
        yield
    except Exception as error:
        # Out of threads comes a SystemError that carries the strategy's own error.
        cause = error.__cause__ or error
        names = " or ".join(f'"{name}"' for name in dict.fromkeys(player.name for player in players))
        which = "" if len(players) == 1 else "; `modernart check-bot` tells which, and in which game"
        raise RunError(f"strategy {names} failed{where}: {type(cause).__name__}: {cause}{which}") from error


def _check(players: Sequence[Player], games: int, seed: int, threads: int | None, chunk: int | None) -> None:
    if not players:
        raise UsageError("a run needs at least one strategy")
    check_seed(seed)
    if games < 1:
        raise UsageError(f"games must be at least 1, got {games}")
    if threads is not None and not 1 <= threads <= numba.config.NUMBA_NUM_THREADS:
        raise UsageError(f"threads must be from 1 to {numba.config.NUMBA_NUM_THREADS} on this machine, got {threads}")
    if chunk is not None and chunk < 1:
        raise UsageError(f"chunk must be at least 1 block, got {chunk}")


def _stop_if_illegal(work, reports, line_ups, first_block: int, rules: Rules, seed: int, players) -> None:
    """Raise for the first illegal answer of a chunk, if there was any."""
    failed = np.flatnonzero(reports[:, batch.FAILED_GAME] >= 0)
    if not len(failed):
        return
    b = failed[np.argmin(reports[failed, batch.FAILED_GAME])]
    game_number, seat, answer = (int(x) for x in reports[b, :3])
    n_seats = rules.players
    members = line_ups[game_number // n_seats - first_block]
    name = players[members[(seat + game_number) % n_seats]].name
    raise IllegalAnswer(describe_illegal(work[b], name, answer, seed, game_number))


def describe_illegal(game, name: str, answer: int, seed: int, game_number: int) -> str:
    """Say which answer was illegal, what would have been legal, and how to come back to that game."""
    table = game.table
    phase = Phase(int(table.phase))
    seat = int(table.seat)
    most = int(budget(table, seat))
    amount = f"an amount from 0 to {most}"
    legal = {
        Phase.CARD: f"a slot from 0 to {int(table.hand_sizes[seat]) - 1}",
        Phase.PAIR: "the slot of a fitting card, or -1",
        Phase.JOIN: "the slot of a fitting card, or -1",
        Phase.BID: f"0, or an amount from {int(table.high_bid) + 1} to {most}",
        Phase.RAISE: f"0, or an amount from {int(table.high_bid) + 1} to {most}",
        Phase.ACCEPT: "0 or 1",
        Phase.FLIP: "0 or 1",
        Phase.TENDER: f"-1, or {amount}" if seat == table.auctioneer else amount,
    }.get(phase, amount)
    return (
        f'strategy "{name}" answered {answer} to {phase.name} at seat {seat} in round {int(table.round_index) + 1} '
        f"of game {game_number} of seed {seed}; legal is {legal}"
    )
