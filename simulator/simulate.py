"""Play a run: many games, counted in tallies."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from modernart.simulator.cards import card_crowns
from modernart.simulator.errors import UsageError
from modernart.simulator.limits import MAX_WHOLE
from modernart.simulator.lineups import BalancedSchedule, Schedule
from modernart.simulator.players import Player
from modernart.simulator.rules import Rules
from modernart.simulator.scheduling import Order, Piece, scheduler_for
from modernart.simulator.scheduling import available_threads as available_threads  # asked for by those who simulate
from modernart.simulator.scoring import WIN_UNITS
from modernart.simulator.tallies import Sizes, Tallies, Tally
from modernart.simulator.works import Counted, CountedBlocks, ScoredBlocks

MAX_SEED = MAX_WHOLE


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

    def add(self, n_blocks: int, counted: Counted) -> None:
        """Add what came of the next blocks, all but the seconds they took."""
        self.tallies.cells += counted.cells
        self.n_blocks += n_blocks
        self.n_decisions += counted.n_decisions
        self.cpu_seconds += counted.cpu_seconds


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
    _check(players, games, seed)
    _check_sums(rules, games)
    scheduler = scheduler_for(threads, chunk)
    if run is None:
        run = new_run(rules, [player.name for player in players], seed, tallies)
    is_run = schedule is None
    if schedule is None:
        schedule = BalancedSchedule(len(players), rules.players, seed)
    work = CountedBlocks(players, rules, seed, schedule, run.tallies.blank(), is_run)
    end = run.first_block + n_blocks_for(rules, games)
    start = time.perf_counter()
    for n_blocks, counted in _in_order(scheduler.pieces([Order(work, run.next_block, end)]), run.next_block):
        # Time spent in `on_progress`, as for a report, is not spent on playing.
        run.seconds += time.perf_counter() - start
        if counted is not None:
            run.add(n_blocks, counted)
        if on_progress is not None:
            on_progress(run)
        start = time.perf_counter()
    return run


def _in_order(pieces: Iterable[Piece | None], first: int) -> Iterator[tuple[int, Counted | None]]:
    """Yield blocks and what came of them in the order of a run; no blocks where nothing came for a while.

    What comes before its turn waits, so that a run always holds its first blocks.
    """
    waiting: dict[int, tuple[int, Counted]] = {}  # by first block
    for piece in pieces:
        if piece is None:
            yield 0, None
            continue
        _join(waiting, piece.first_block, piece.n_blocks, piece.outcome)
        if first in waiting:
            n, counted = waiting.pop(first)
            first += n
            yield n, counted


def _join(waiting: dict[int, tuple[int, Counted]], first: int, n: int, counted: Counted) -> None:
    """Add a piece to those that wait, as one with its neighbours: there are no more of them than are being played."""
    beside = [start for start, (size, _) in waiting.items() if start + size == first or start == first + n]
    for start in beside:
        size, other = waiting.pop(start)
        first, n, counted = min(first, start), n + size, counted + other
    waiting[first] = n, counted


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
    work = scored_blocks(players, rules, line_up, first_block, n_blocks, seed=seed)
    return score_all([work], threads=threads)[0]


def scored_blocks(
    players: Sequence[Player],
    rules: Rules,
    line_up: Sequence[int] | np.ndarray,
    first_block: int,
    n_blocks: int,
    *,
    seed: int = 1,
) -> ScoredBlocks:
    """Return blocks to be scored by `score_all`; parameters as for `score`.

    Raises
    ------
    UsageError
        If a number is out of range.
    """
    _check(players, max(n_blocks, 1), seed)
    n_seats = rules.players
    line_ups = np.array(line_up, np.int64)
    if line_ups.shape == (n_seats,):
        line_ups = np.tile(line_ups, (n_blocks, 1))
    if line_ups.shape != (n_blocks, n_seats):
        raise UsageError(f"a line-up needs {n_seats} positions, got {line_ups.shape[-1]}")
    return ScoredBlocks(players, rules, seed, line_ups, first_block)


def score_all(
    works: Sequence[ScoredBlocks], *, threads: int | None = None, on_done: Callable[[int], None] | None = None
) -> list[Scores]:
    """Play several works and return the outcome of each; a scheduler in use plays them side by side.

    Parameters
    ----------
    works : sequence of ScoredBlocks
    threads : int, optional
    on_done : callable, optional
        Called with the number of games played so far, now and then.

    Raises
    ------
    UsageError, IllegalAnswer
        As `simulate`.
    """
    outcomes = [np.zeros((2, *work.line_ups.shape), np.int64) for work in works]
    orders = [Order(work, work.first_block, work.first_block + len(work.line_ups)) for work in works]
    n_games = 0
    for piece in scheduler_for(threads).pieces(orders):
        if piece is not None:
            start = piece.first_block - works[piece.order].first_block
            outcomes[piece.order][:, start : start + piece.n_blocks] = piece.outcome
            n_games += piece.n_blocks * works[piece.order].rules.players
        if on_done is not None:
            on_done(n_games)
    return [_scores_of(work.rules.players, outcome) for work, outcome in zip(works, outcomes, strict=True)]


def _scores_of(n_seats: int, outcome: np.ndarray) -> Scores:
    wins, money = outcome
    return Scores(wins / (WIN_UNITS * n_seats), money / n_seats, wins.size)


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
    of_a_block = (rules.all_starting_money + most_paid) * rules.players
    if n_blocks_for(rules, games) * of_a_block**2 >= 2**63:
        raise UsageError(f"{games} games with so much money cannot be summed exactly; play fewer, or lower the amounts")


def _check(players: Sequence[Player], games: int, seed: int) -> None:
    if not players:
        raise UsageError("a run needs at least one strategy")
    check_seed(seed)
    if games < 1:
        raise UsageError(f"games must be at least 1, got {games}")
