"""Play a run: many games, counted in tallies."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numba
import numpy as np

from modernart.simulator import batch
from modernart.simulator.cards import card_crowns
from modernart.simulator.cores import usable_cores
from modernart.simulator.decisions import Phase, legal_answers
from modernart.simulator.errors import RunError, UsageError
from modernart.simulator.limits import MAX_WHOLE
from modernart.simulator.lineups import BalancedSchedule, Schedule
from modernart.simulator.one_at_a_time import one_at_a_time
from modernart.simulator.players import Player, acts_of, end_trials, params_of
from modernart.simulator.rules import Rules
from modernart.simulator.scoring import WIN_UNITS
from modernart.simulator.setup import games_of, players_at_seats
from modernart.simulator.tallies import N_BATCHES, Per, Sizes, Tallies, Tally
from modernart.simulator.under_way import playing

#: Seconds that one call of the kernel should take: the grain of progress and of interruption.
_CHUNK_SECONDS = 0.4
MAX_SEED = MAX_WHOLE


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
        Blocks played, counted from `first_block`; each is one deal and `rules.players` games.
    tallies : Tallies
    n_decisions : int
    seconds, cpu_seconds : float
        Wall clock time and processor time spent playing.
    first_block : int
        Number of the first block: 0, unless other blocks are played elsewhere.
    """

    rules: Rules
    names: tuple[str, ...]
    seed: int
    n_blocks: int
    tallies: Tallies
    n_decisions: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    first_block: int = 0

    @property
    def next_block(self) -> int:
        """Number of the block to be played next."""
        return self.first_block + self.n_blocks

    @property
    def n_games(self) -> int:
        """Games played."""
        return self.n_blocks * self.rules.players


def available_threads() -> int:
    """Return how many threads a run may use on this machine."""
    return min(numba.config.NUMBA_NUM_THREADS, usable_cores())


def new_run(rules: Rules, names: Sequence[str], seed: int, tallies: Sequence[Tally] = ()) -> Run:
    """Return a run that counts `tallies`, in which no game has been played yet."""
    sizes = Sizes(len(names), rules.rounds, rules.players)
    return Run(rules, tuple(names), seed, 0, Tallies(tallies, sizes))


def n_blocks_for(rules: Rules, games: int) -> int:
    """Return the number of whole blocks that hold at least `games` games."""
    return -(-games // rules.players)


def simulate(
    players: Sequence[Player],
    rules: Rules,
    games: int,
    *,
    tallies: Sequence[Tally] = (),
    seed: int = 1,
    threads: int | None = None,
    schedule: Schedule | None = None,
    chunk: int | None = None,
    run: Run | None = None,
    on_progress: Callable[[Run], None] | None = None,
) -> Run:
    """Play games between players and count them.

    Game `i` depends only on the seed, the players, the rules and `i`, and the tallies are sums of integers. The result
    is therefore identical to the last bit for any `threads` and `chunk`.

    Parameters
    ----------
    players : sequence of Player
        The strategies; line-ups repeat them if there are fewer than seats.
    rules : Rules
    games : int
        Minimum number of games; rounded up to whole blocks.
    tallies : sequence of Tally
        What to count; `modernart.analysis.measures.tallies_for` returns all that reports need.
    seed : int
        Run seed, 0 to 2**63 - 1.
    threads : int, optional
        Default: all that the machine has, which is also the most that are used.
    schedule : Schedule, optional
        The line-ups; by default every strategy meets every other equally often.
    chunk : int, optional
        Blocks in one call of the kernel; default: as many as take about half a second.
    run : Run, optional
        A run to continue, with the same players, rules, seed and schedule; updated. It keeps its own tallies, and
        its `games` begin with its first block.
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
        run = new_run(rules, [player.name for player in players], seed, tallies)
    is_run = schedule is None
    if schedule is None:
        schedule = BalancedSchedule(len(players), n_seats, seed)
    _use_threads(threads)
    work = games_of(rules, N_BATCHES)
    acts = acts_of(players)
    params = params_of(players, rules)
    of_game, of_block = run.tallies.counters(Per.GAME), run.tallies.counters(Per.BLOCK)
    total = n_blocks_for(rules, games)
    size = chunk or N_BATCHES
    while run.n_blocks < total:
        n = min(size, total - run.n_blocks)
        first = run.next_block
        line_ups = schedule.line_ups(first, n)
        part = run.tallies.blank()
        reports = _new_reports()
        start, cpu_start = time.perf_counter(), time.process_time()
        with one_at_a_time(), playing(players, rules, seed, work, line_ups, first, is_run):
            batch.play_blocks(
                work, acts, params, line_ups, first, np.uint64(seed), part.cells, of_game, of_block, reports
            )
        seconds = time.perf_counter() - start
        _stop_if_illegal(work, reports, line_ups, first, rules, seed, players)
        run.tallies += part
        run.n_decisions += int(reports[:, batch.N_DECISIONS].sum())
        run.n_blocks += n
        run.seconds += seconds
        run.cpu_seconds += time.process_time() - cpu_start
        if end_trials(players):
            acts = acts_of(players)
        if chunk is None:
            # Grow by a factor of eight at most: the first chunk may include the compilation.
            size = max(N_BATCHES, min(size * 8, int(n * _CHUNK_SECONDS / max(seconds, 1e-6))))
        if on_progress is not None:
            on_progress(run)
    return run


@dataclass(frozen=True)
class Scores:
    """Outcome of each block of a run, by line-up position.

    Parameters
    ----------
    win_share : ndarray of float, shape (n_blocks, n_seats)
        Mean win share (ties shared) of the position over the block's games.
    money : ndarray of float, shape (n_blocks, n_seats)
        Mean final money of the position.
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
    """Play blocks with given line-ups and return the outcome of each, for paired comparisons on the same deals.

    The deal and all random streams of a block depend only on `seed` and the block's number. If two calls differ in one
    player, every difference between their results comes from that player.

    Parameters
    ----------
    players : sequence of Player
    rules : Rules
    line_up : sequence of int, or ndarray of int64, shape (n_blocks, n_seats)
        Strategy at each position, as an index into `players`; one line-up for all blocks, or one for each.
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
        raise UsageError(f"a line-up needs {n_seats} positions, got {line_ups.shape[-1]}")
    _use_threads(threads)
    work = games_of(rules, N_BATCHES)
    wins = np.zeros((n_blocks, n_seats), np.int64)
    money = np.zeros((n_blocks, n_seats), np.int64)
    reports = _new_reports()
    acts, params = acts_of(players), params_of(players, rules)
    with one_at_a_time(), playing(players, rules, seed, work, line_ups, first_block):
        batch.score_blocks(work, acts, params, line_ups, first_block, np.uint64(seed), wins, money, reports)
    _stop_if_illegal(work, reports, line_ups, first_block, rules, seed, players)
    end_trials(players)
    return Scores(wins / (WIN_UNITS * n_seats), money / n_seats, n_blocks * n_seats)


def _use_threads(threads: int | None) -> None:
    most = available_threads()
    numba.set_num_threads(min(threads or most, most))


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
    # The money on the table never exceeds what was dealt out and all that the paintings can ever pay.
    most_paid = max(rules.rank_values) * rules.rounds * sum(map(card_crowns, rules.card_codes()))
    of_a_block = (rules.players * rules.starting_money + most_paid) * rules.players
    if n_blocks_for(rules, games) * of_a_block**2 >= 2**63:
        raise UsageError(f"{games} games with so much money cannot be summed exactly; play fewer, or lower the amounts")


def _check(players: Sequence[Player], games: int, seed: int, threads: int | None, chunk: int | None) -> None:
    if not players:
        raise UsageError("a run needs at least one strategy")
    check_seed(seed)
    if games < 1:
        raise UsageError(f"games must be at least 1, got {games}")
    if threads is not None and threads < 1:
        raise UsageError(f"threads must be at least 1, got {threads}")
    if chunk is not None and chunk < 1:
        raise UsageError(f"chunk must be at least 1 block, got {chunk}")


def _stop_if_illegal(work, reports, line_ups, first_block: int, rules: Rules, seed: int, players) -> None:
    """Raise an error for the first illegal answer of a chunk, if there is one."""
    failed = np.flatnonzero(reports[:, batch.FAILED_GAME] >= 0)
    if not len(failed):
        return
    b = failed[np.argmin(reports[failed, batch.FAILED_GAME])]
    game_number, seat, answer = (int(x) for x in reports[b, :3])
    members = line_ups[game_number // rules.players - first_block]
    name = players[players_at_seats(members, game_number)[seat]].name
    raise IllegalAnswer(describe_illegal(work[b], name, answer, seed, game_number))


def describe_illegal(game, name: str, answer: int, seed: int, game_number: int) -> str:
    """Say which answer was illegal, what would have been legal, and in which game it happened."""
    table = game.table
    phase = Phase(int(table.phase))
    seat = int(table.seat)
    return (
        f'strategy "{name}" answered {answer} to {phase.name} at seat {seat} in round {int(table.round_index) + 1} '
        f"of game {game_number} of seed {seed}; legal is {legal_answers(table)}"
    )
