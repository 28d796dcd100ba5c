"""Do the tests notice when the code is wrong? Breaks it on purpose, one spot at a time, and counts what survives.

    python benchmarks/mutants.py --sample 40          40 mutants a group, drawn at random
    python benchmarks/mutants.py --group rules        all mutants of a group
    python benchmarks/mutants.py --fixed              the fixed set that runs in CI

A mutant is one change of a syntax tree: another comparison, operator or number, a condition negated, a statement left
out. Each runs in a copy of the sources, as plain Python (NUMBA_DISABLE_JIT), against the tests of its group; a process
that has imported the libraries is forked for each, so that one takes seconds. A mutant that fails a test is killed; the
others are listed. Needs a system with fork.
"""

import argparse
import ast
import compileall
import json
import os
import py_compile
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("simulator", "strategies", "analysis", "src", "tests", "pyproject.toml")
#: Seconds after which a mutant counts as killed, at most: it runs for ever.
PATIENCE = 300
#: The same of processor time in one test: so many seconds at least, or times what the test takes without a mutant.
TEST_SECONDS, TEST_TIMES = 20.0, 8.0

USED_MEMORY = "tests/test_new_game.py::test_a_game_in_used_memory_starts_like_one_in_blank_memory"
ILLEGAL_BID = "tests/test_new_game.py::test_an_illegal_answer_stops_the_run_and_is_told[BID--1-classic]"
NEW_GAME = "tests/test_new_game.py::test_a_new_game_of_classic_in_literal_numbers"
BATCH_LOOP = "tests/test_new_game.py::test_the_batch_loop_plays_a_game_as_its_steps_do"
EIGHT_RANKS = "tests/test_new_game.py::test_eight_artists_can_have_eight_ranks"
ORDER_MONEY = "tests/test_new_game.py::test_money_by_order_of_play_is_counted_from_the_first_seat"
NO_BID = "tests/test_new_game.py::test_no_bid_stands_where_none_can_be_made"
SCENARIOS = "tests/test_game.py"
HEARD_IN_OUTCRY = "tests/test_heard.py::test_an_outcry_is_heard_by_the_highest_bid_of_each_seat"
HEARD = "tests/test_heard.py::test_heard_tells_what_a_record_tells[sotheby-6-changes4]"
DECISIONS = "tests/test_decisions.py"
PLAYED = ("tests/test_golden.py", "tests/test_naive.py")
#: Golden games of bidders.
_GAMES = "choosers endings garthg master online owu predictive predictive_outcry predictive_sotheby shares".split()
GAMES_OF_BIDDERS = tuple(f"tests/test_golden.py::test_golden_game_is_unchanged[{name}]" for name in _GAMES)
#: Runs small enough for plain Python, counted again from their records.
COUNTED = (
    "tests/test_tallies.py",
    "tests/test_new_game.py::test_notes_of_one_game_do_not_reach_the_next_of_a_run",
    ILLEGAL_BID,
    "tests/test_batch.py::test_games_are_rounded_up_to_whole_blocks",
    "tests/test_batch.py::test_batches_hold_the_blocks_in_turn",
    "tests/test_batch.py::test_score_is_that_of_the_records",
    "tests/test_batch.py::test_a_run_of_other_rules_in_between_changes_nothing",
    "tests/test_batch.py::test_block_sums_are_those_of_the_records[counted0]",
    *(
        f"tests/test_measures.py::{test}[{setting}]"
        for test in ("test_every_table_agrees_with_the_recount_of_the_records", "test_money_adds_up_to_the_last_unit")
        for setting in ("last card auctioned", "few cards")
    ),
)
_BIDDERS = "blocker choosers collector determinised endings forgetful garthg master owu random shares".split()
#: What is broken, the tests that should notice, and which of them (-k): some play too many games for plain Python.
GROUPS = {
    "rules": (
        ("simulator/auctions.py", "simulator/scoring.py", "simulator/game.py", "simulator/deck.py"),
        (
            SCENARIOS,
            "tests/test_game_log.py",
            USED_MEMORY,
            NEW_GAME,
            EIGHT_RANKS,
            ORDER_MONEY,
            BATCH_LOOP,
            NO_BID,
            ILLEGAL_BID,
            *PLAYED,
            HEARD,
            HEARD_IN_OUTCRY,
        ),
        "",
    ),
    "bidders": (
        tuple(f"strategies/bidders/{name}.py" for name in _BIDDERS),
        (DECISIONS, "tests/test_determinised.py", *GAMES_OF_BIDDERS),
        "not planner",
    ),
    "bidding": (
        ("strategies/bidding.py", "strategies/card_choice.py", "strategies/valuation.py"),
        (DECISIONS, "tests/test_valuation.py", "tests/test_card_choice.py", *GAMES_OF_BIDDERS),
        "not planner",
    ),
    "predictive": (
        ("strategies/bidders/predictive.py",),
        (DECISIONS, "tests/test_predictive.py", *GAMES_OF_BIDDERS),
        "not planner",
    ),
    "statistics": (
        ("analysis/statistics/estimates.py", "analysis/statistics/bootstrap.py"),
        ("tests/test_statistics.py", "tests/test_estimates.py"),
        "not real_games and not hardly_wins and not takes_two_of_four and not always_split",
    ),
    "sequential": (
        ("analysis/statistics/sequential.py",),
        ("tests/test_sequential.py", "tests/test_duel.py"),
        "alarms or sequential or stop or closes_in or certain or evidence or out_of_bounds or interval or looks",
    ),
    "tallies": (
        ("simulator/tallies.py", "simulator/lots.py", "simulator/batch.py"),
        COUNTED,
        "",
    ),
}

#: Mutants that change nothing that can be observed: file, start of the changed line, mutation; and why. Where a line
#: has the same mutation several times, a number may say which: "0 to 1 #2".
EQUIVALENT = {
    ("simulator/auctions.py", "UNHEARD = -1", "1 to 2"): "any number below 0 says that nobody was heard",
    ("simulator/auctions.py", "ILLEGAL = 4", "4 to 5"): "a name for a number",
    (
        "simulator/scoring.py",
        "if game.n_ending > 0 and",
        "Gt to GtE",
    ): "no card is taken off if none ended it",
    **{
        (f"simulator/{file}.py", start, "1 to 2"): "any number below 0 says that nobody bid"
        for file, start in (
            ("auctions", "table.high_bidder = -1"),
            ("auctions", "game.top_bidder = -1"),
            ("game", "table.high_bidder = -1"),
        )
    },
    (
        "simulator/auctions.py",
        "elif buyer == table.owner and to_owner >",
        "Gt to GtE",
    ): "a share of nothing goes nowhere",
    ("simulator/auctions.py", "if to_owner > 0:", "Gt to GtE"): "a share of nothing goes nowhere",
    ("simulator/auctions.py", "if rules.house_fee > 0:", "Gt to GtE"): "a fee of nothing is nothing",
    ("simulator/game.py", "if table.hand_sizes[seat] > 0:", "Gt to GtE"): (
        "without cards there is no turn left to lose in this round"
    ),
    ("simulator/auctions.py", "table.seat = table.auctioneer", "left out"): "who put up the last card was asked for it",
    ("simulator/game.py", "result.holding[seat] = ", "0 to 1"): "only read of rounds that a card ended",
    ("simulator/lots.py", "_walks[key] = _walk(int(digest", "16 to 17"): "another number that tells walks apart",
    ("simulator/lots.py", "if key == 0:", "0 to 1"): "no walk has such a number",
    **{
        ("simulator/lots.py", start, what): "only compiled code runs it: without it no lot is counted"
        for start, what in (("if key == 0:", "Eq to NotEq"), ("_count_each(cells, sizes, lot_of(game, i))", "left out"))
    },
    **{
        ("simulator/game.py", start, "1 to 2"): "any number below 0 says that nobody, or no card, ended it"
        for start in ("close_round(game, game.reason, ender,", "close_round(game, Reason.HANDS_EMPTY, -1, -1, 0)")
    },
    ("strategies/card_choice.py", "best_gain = -1e9", "1000000000.0 to 500000000.125"): "below all gains either way",
    ("strategies/bidders/choosers.py", "most = -1e9", "1000000000.0 to 500000000.125"): "no deck has so many copies",
    ("strategies/bidders/master.py", "most = -1e9", "1000000000.0 to 500000000.125"): "below all scores either way",
    ("strategies/bidders/determinised.py", "most = -1e18", "1e+18 to 5e+17"): "below all promises either way",
    ("strategies/bidders/predictive.py", "most = -1e18", "1e+18 to 5e+17"): "below all gains either way",
    ("strategies/bidders/predictive.py", "most = -1.0", "1.0 to 0.625"): "shares of prices are not below 0",
    ("strategies/bidders/owu.py", "most = -1", "1 to 2"): "neither copies nor board values are below 0",
    **{
        (file, "best = 0", "0 to 1"): "what stands first is better than the start value, and takes its place"
        for file in (
            "strategies/card_choice.py",
            "strategies/bidders/choosers.py",
            "strategies/bidders/determinised.py",
            "strategies/bidders/master.py",
            "strategies/bidders/owu.py",
            "strategies/bidders/predictive.py",
        )
    },
    **{
        (file, "best = -1", "1 to 2"): "any number below 0 says that there is none"
        for file in ("strategies/card_choice.py", "strategies/bidders/collector.py", "strategies/bidders/owu.py")
    },
    ("strategies/valuation.py", "return -1", "1 to 2"): "any number below 0 says that an artist does not rank",
    ("strategies/valuation.py", "return rank if rank < table.rules.n_ranks else -1", "1 to 2"): "likewise",
    **{
        ("analysis/statistics/estimates.py", start, what): why
        for start, what, why in (
            ("far = np.where(mean > 0", "Gt to GtE", "a mean of 0 has a p value of its own"),
            ("is_flat = ~(np.abs(skew) > 1e-6)", "Gt to GtE", "both formulas agree there"),
            ("s = np.where(is_flat, 1.0, skew)", "1.0 to 0.625", "stands in where it is not used"),
            ("bounded = Estimate(", "0.0 to 0.125", "what never varied is bounded without a skewness"),
            ("return Estimate(mean, np.where(n > 1, error", "Gt to GtE", "the error of one unit is 0 / 0"),
            ("size = np.clip(y / total, 0, 1)", "1 to 2", "a batch of more than there is leaves no error to tell"),
            ("residuals = np.where(size < 1, ", "Lt to LtE", "where one batch has all there is, no error is told"),
            ("residuals = np.where(size < 1, ", "1 to 2 #1", "likewise"),
            ("skew = np.where(squares > 0, ", "Gt to GtE", "what never varied is bounded without a skewness"),
            ("skew = np.where(squares > 0, ", "0.0 to 0.125", "likewise"),
            ("is_told = np.round(df, 6)", "6 to 7", "rounding leaves a rest of some 1e-15"),
            ("return Estimate(ratio, error, df, np.where(is_told, ", "0.0 to 0.125", "no error, no interval"),
            ("directions = directions[:, weights > ", "Gt to GtE", "no singular value is just there"),
            ("if rank > n_batches / 2 or leverage.max() > ", "Gt to GtE #2", "no leverage is just there"),
            ("flat = pulls.reshape(n_batches, -1)", "1 to 2", "numpy works out any negative size"),
        )
    },
    **{
        ("analysis/statistics/sequential.py", start, what): why
        for start, what, why in (
            ("_N_BIAS_RUNS = 4_000", "4000 to 4001", "one simulated run more"),
            ("draws = np.random.default_rng(1986)", "1986 to 1987", "another seed"),
            ("if self.n == 0:", "0 to 1", "neither no deal nor one rejects anything"),
            ("ends.append(optimize.brentq(excess, bound", "Gt to GtE", "then the bound is the limit either way"),
            ("if variance <= 0:", "LtE to Lt", "without variance there is no bias to take off"),
            ("steps = np.diff(sizes, prepend=0.0)", "0.0 to 0.125", "less than the simulation's noise"),
            ("is_over = (np.abs(sums) >= limits)", "GtE to Gt", "no simulated sum is just there"),
            ("is_over = (np.abs(sums) >= limits)", "LtE to Lt", "no simulated sum is just there"),
            ("if expected(low) >= mean", "GtE to Gt", "no simulated mean is just that"),
            ("if expected(low) >= mean", "LtE to Lt", "no simulated mean is just that"),
            ("return np.array([optimize.brentq(wealth, 0, ", "0 to 1", "limits lie between either way"),
            ("return np.array([optimize.brentq(wealth, 0, ", "2 to 3", "limits lie between either way"),
            ("return np.array([optimize.brentq(wealth, 0, ", "Mult to Add", "limits lie between either way"),
            (
                "return np.array([optimize.brentq(wealth, 0, ",
                "1000000.0 to 500000.125",
                "limits lie between either way",
            ),
        )
    },
    ("analysis/statistics/bootstrap.py", "errors = samples.std(axis=0, ddof=1)", "1 to 2"): (
        "errors are measured in units of themselves"
    ),
    ("strategies/valuation.py", "rank += other != artist and (n > count", "Lt to LtE"): (
        "an artist is not compared with itself"
    ),
    ("strategies/valuation.py", "return table.money[seat] + collection_now(table, seat, 0, 0)", "0 to 1 #1"): (
        "no cards more of one artist or of another"
    ),
    **{
        ("strategies/bidders/predictive.py", start, what): why
        for start, what, why in (
            ("_DECISIVE = 1e6", "1000000.0 to 500000.125", "above all gains either way"),
            (
                "elif notes[LOT_ROUND] == table.round_index and n_before < ",
                "Lt to LtE",
                "as many were up: learned above",
            ),
            ("if price > 0.0:", "0.0 to 0.125", "prices are whole"),
            ("elif price > 0.0:", "0.0 to 0.125", "prices are whole"),
            ("if view[INTEREST, other] != 0.0", "0.0 to 0.125", "crowns less a mean of at most seven are no eighths"),
            ("if view[OWN, artist] > 0.0", "0.0 to 0.125", "cards are whole"),
            ("if view[OWN, artist] > 0.0", "Gt to GtE", "what cards that it does not hold would gain is not read"),
            ("if chance > 0.0", "Gt to GtE", "what has no chance weighs nothing"),
            ("total = 0.0", "0.0 to 0.125", "where no card is to come nothing is gained"),
            ("return 1 if total > 0.0", "Gt to GtE #1", "where no card is to come nothing is gained"),
            ("return min(int(max(worth, 0.0) / n_rivals)", "0.0 to 0.125", "rounded down"),
            ("return whole_amount(table, hand, max(asked, 0.0))", "0.0 to 0.125", "rounded down"),
        )
    },
    ("strategies/bidders/predictive.py", "second = best_second(table, hand, artist, -1)", "1 to 2"): (
        "no slot is left out either way"
    ),
    **{
        (file, start, "1 to 2"): "where one more card ends the round, its artist is first with one more or two"
        for file, start in (
            ("strategies/card_choice.py", "gain = table_payouts(table, hand.seat, artist, 1)"),
            ("strategies/card_choice.py", "if ends and table_payouts(table, hand.seat, table.artist, 1) <= 0"),
            ("strategies/bidders/determinised.py", "if ends and table_payouts(table, hand.seat, table.artist, 1) <= 0"),
            ("strategies/bidders/determinised.py", "return table_payouts(table, hand.seat, artist, 1) - _HAND"),
        )
    },
    ("strategies/bidders/choosers.py", "rank = sign * table.rules.artist_copies", "0.5 to 0.375"): (
        "any part of 1 puts a pair before other artists with as many copies"
    ),
    ("strategies/bidders/choosers.py", "rank = sign * table.rules.artist_copies", "0.0 to 0.125"): (
        "still less than what a pair gets"
    ),
    ("strategies/bidders/garthg.py", "return play_by_share(table, hand, max(worth - ", "0.0 to 0.125"): (
        "bids are rounded down"
    ),
    ("strategies/bidders/shares.py", "return play_by_share(table, hand, 0.0, 0.0)", "0.0 to 0.125"): (
        "questions about cards ask for no worth"
    ),
    ("strategies/bidders/predictive.py", "notes[KNOWS] = 1.0", "1.0 to 0.625"): "any number but 0 says that it knows",
    ("strategies/bidders/predictive.py", "before = stack_zeros(1, ", "1 to 2"): "the second row is not read",
    ("strategies/bidders/predictive.py", "pays = stack_zeros(1, ", "1 to 2"): "the second row is not read",
    ("strategies/bidders/master.py", "return answer_up_to(table, hand, half, half, 0.0", "0.0 to 0.125"): (
        "bids are rounded down"
    ),
    **{
        ("strategies/bidders/determinised.py", "chosen = table.rules.n_artists - 1", what): (
            "stands in only where rounding leaves a draw beyond the last artist, once in some 1e15 draws"
        )
        for what in ("1 to 2", "Sub to Add")
    },
    **{
        (f"strategies/bidders/{name}.py", start, what): why
        for name, start, what, why in (
            ("choosers", "return card_by_copies(table, hand, -1.0)", "1.0 to 0.625", "more than 0.5 either way"),
            ("choosers", "return card_by_copies(table, hand, 1.0)", "1.0 to 0.625", "more than 0.5 either way"),
            ("determinised", "if draw < 0.0:", "Lt to LtE", "a draw is just there once in some 1e15 draws"),
            ("determinised", "ahead = out[other] > out[artist]", "Lt to LtE", "no artist is compared with itself"),
            ("determinised", "return table_payouts(table, hand.seat, 0, 0)", "0 to 1 #1", "no cards of any artist"),
            ("determinised", "view[HELD] = 0.0", "left out", "read by forecasts, and none is made from here on"),
            ("determinised", "view[HELD] = 0.0", "0.0 to 0.125", "read by forecasts, and none is made from here on"),
            ("master", "place += other != artist and", "Lt to LtE", "no artist is compared with itself"),
            ("master", "score = 10_000.0 * score", "10000.0 to 5000.125", "scores differ by 1, tie-breaks by less"),
            ("master", "score = 10_000.0 * score", "10.0 to 5.125", "places in the order of kinds end with 5"),
            ("master", "cap = 0.0 if hand.seat == table.auctioneer", "0.0 to 0.125", "bids are rounded down"),
            ("master", "return answer_up_to(", "1000000000.0 to 500000000.125", "above all prices either way"),
            ("owu", "ROUND, N_FAVOURITES, FAVOURITES = 0, 1, 2", "2 to 3", "another place in the notebook"),
            ("owu", "if own > 0 and ends_round(", "Gt to GtE", "no artist ends a round without one more card"),
            ("owu", "notes[N_FAVOURITES] = 0.0", "0.0 to 0.125", "read as a whole number"),
            ("owu", "rank = table.values[artist] + (", "100000 to 100001", "above all board values either way"),
            ("owu", "rank = table.values[artist] + (", "0 to 1", "one more for all that cannot be paired"),
            ("shares", "if table.phase == Phase.CARD or ", "Or to And", "questions about cards ask for no worth"),
        )
    },
}

COMPARISONS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
OPERATORS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


@dataclass(frozen=True)
class Mutant:
    """One change of one file.

    Parameters
    ----------
    file : str
    line : int
    text : str
        The line that is changed.
    what : str
        The change.
    node, change : int
        Which node of the file's tree is changed, and which of its changes it is.
    nth : int
        Which of the mutations of its line that read the same it is, from 1.
    """

    file: str
    line: int
    text: str
    what: str
    node: int
    change: int
    nth: int

    def source_in(self, folder: Path) -> str:
        """Return the whole file as it stands in a folder, changed."""
        tree = ast.parse((folder / self.file).read_text(encoding="utf-8"))
        node = list(body_nodes(tree))[self.node]
        change = list(changes_of(node))[self.change][1]
        return ast.unparse(ast.fix_missing_locations(_Change(node, change).visit(tree)))

    @property
    def is_equivalent(self) -> bool:
        """Whether it is known to change nothing."""
        return any(self.is_named(*name) for name in EQUIVALENT)

    def is_named(self, file: str, start: str, what: str) -> bool:
        """Whether a key of `EQUIVALENT` means it."""
        return self.file == file and self.text.startswith(start) and what in (self.what, f"{self.what} #{self.nth}")

    def __str__(self) -> str:
        """Return a line of a report."""
        return f"{self.file}:{self.line}: {self.what}: {self.text}"


def changes_of(node: ast.AST) -> Iterator[tuple[str, Callable[[ast.AST], ast.AST]]]:
    """Yield what can be done to a node: in words, and as a function that returns the changed node."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in COMPARISONS:
            other = COMPARISONS[type(op)]
            yield f"{type(op).__name__} to {other.__name__}", lambda n: ast.Compare(n.left, [other()], n.comparators)
        case ast.BinOp(op=op) if type(op) in OPERATORS:
            other = OPERATORS[type(op)]
            yield f"{type(op).__name__} to {other.__name__}", lambda n: ast.BinOp(n.left, other(), n.right)
        case ast.AugAssign(op=op) if type(op) in OPERATORS:
            other = OPERATORS[type(op)]
            yield f"{type(op).__name__}= to {other.__name__}=", lambda n: ast.AugAssign(n.target, other(), n.value)
        case ast.BoolOp(op=op):
            other = ast.Or if isinstance(op, ast.And) else ast.And
            yield f"{type(op).__name__} to {other.__name__}", lambda n: ast.BoolOp(other(), n.values)
        case ast.UnaryOp(op=ast.Not()):
            yield "without not", lambda n: n.operand
        case ast.Constant(value=bool(value)):
            yield f"{value} to {not value}", lambda n: ast.Constant(not n.value)
        case ast.Constant(value=int(value)):
            yield f"{value} to {value + 1}", lambda n: ast.Constant(n.value + 1)
        case ast.Constant(value=float(value)):
            yield f"{value} to {0.5 * value + 0.125}", lambda n: ast.Constant(0.5 * n.value + 0.125)
        case ast.If(test=ast.Name() | ast.Attribute() | ast.Call()):
            yield "condition negated", lambda n: ast.If(ast.UnaryOp(ast.Not(), n.test), n.body, n.orelse)
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) | ast.Expr(value=ast.Call()):
            yield "left out", lambda n: ast.Pass()


def body_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that run: no decorators, annotations or docstrings; the same order for the same source."""
    for name, value in ast.iter_fields(tree):
        if name in ("decorator_list", "annotation", "returns", "args"):
            if name != "args" or not isinstance(value, list):
                continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child
                yield from body_nodes(child)


class _Change(ast.NodeTransformer):
    """Changes one node, which is told by being the very same object."""

    def __init__(self, node: ast.AST, change: Callable[[ast.AST], ast.AST]) -> None:
        self.node, self.change = node, change

    def visit(self, node: ast.AST) -> ast.AST:
        return self.change(node) if node is self.node else self.generic_visit(node)


def mutants_of(folder: Path, file: str) -> Iterator[Mutant]:
    """Yield all mutants of a file of a folder."""
    source = (folder / file).read_text(encoding="utf-8")
    lines = source.splitlines()
    alike: Counter[tuple[int, str]] = Counter()
    for k, node in enumerate(body_nodes(ast.parse(source))):
        for number, (what, _) in enumerate(changes_of(node)):
            alike[node.lineno, what] += 1
            yield Mutant(file, node.lineno, lines[node.lineno - 1].strip(), what, k, number, alike[node.lineno, what])


def copy_sources() -> Path:
    """Return a new folder with what the tests need."""
    folder = Path(tempfile.mkdtemp(prefix="mutants-"))
    for part in PARTS:
        if (ROOT / part).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / part, folder / part, symlinks=True, ignore=ignored)
        else:
            shutil.copy(ROOT / part, folder / part)
    # Bytecode that is used only while the source has the same content: a fork then compiles the mutant's file alone.
    compileall.compile_dir(folder, quiet=1, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)
    return folder


def import_libraries() -> None:
    """Import what takes long, once for all forks; nothing of the project."""
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    # A mutant is written within the second in which the last one was: the files of bytecode could not be told apart.
    sys.dont_write_bytecode = True
    import hypothesis  # noqa: F401
    import matplotlib.pyplot  # noqa: F401
    import numba  # noqa: F401
    import pandas  # noqa: F401
    import pyarrow  # noqa: F401
    import pydantic  # noqa: F401
    import pytest  # noqa: F401
    import rich  # noqa: F401
    import scipy.optimize
    import scipy.special
    import scipy.stats  # noqa: F401
    import typer  # noqa: F401


class _QuickFirst:
    """A plugin of pytest that runs quick tests first, as most mutants die of one; it keeps durations in a folder.

    A test that takes far more processor time than without a mutant ends the process.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / "durations.json"
        self._known: dict[str, float] = json.loads(self._path.read_text()) if self._path.exists() else {}
        self._measured: dict[str, float] = {}

    def pytest_collection_modifyitems(self, items: list) -> None:
        """Order the tests; those of a module stay in their order where nothing is known."""
        items.sort(key=lambda item: self._known.get(item.nodeid, 0.0))

    def pytest_runtest_setup(self, item) -> None:
        """Give a test its time; what is known of it is by the clock, which is never less."""
        if item.nodeid in self._known:
            signal.setitimer(signal.ITIMER_PROF, max(TEST_SECONDS, TEST_TIMES * self._known[item.nodeid]))

    def pytest_runtest_logreport(self, report) -> None:
        """Add up how long a test takes, with what it sets up."""
        self._measured[report.nodeid] = self._measured.get(report.nodeid, 0.0) + report.duration

    def pytest_sessionfinish(self) -> None:
        """Keep what the first run measured, in which no mutant ends a test early."""
        if not self._path.exists():
            self._path.write_text(json.dumps(self._measured))


def fails(folder: Path, tests: tuple[str, ...], only: str = "", patience: float = PATIENCE) -> bool:
    """Tell whether the tests of a copy fail, or run for longer than `patience` seconds."""
    child = os.fork()
    if child == 0:
        os.setsid()
        os.chdir(folder)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        sys.path[:0] = [str(folder / "src"), str(folder / "tests")]
        code = 1
        try:
            import pytest

            chosen = ["-k", only] if only else []
            options = ["-x", "-q", "-p", "no:cacheprovider", "--assert=plain", *chosen, *tests]
            code = pytest.main(options, plugins=[_QuickFirst(folder)])
        finally:
            os._exit(0 if code == 0 else 1)
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) != 0
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def is_killed(
    folder: Path, file: str, source: str, tests: tuple[str, ...], only: str = "", patience: float = PATIENCE
) -> bool:
    """Tell whether the tests notice other source text in a file of a copy; the copy is put right again."""
    path = folder / file
    kept = path.read_text(encoding="utf-8")
    path.write_text(source, encoding="utf-8")
    try:
        return fails(folder, tests, only, patience)
    finally:
        path.write_text(kept, encoding="utf-8")


def run_group(
    group: str, sample: int | None, seed: int, worker: int, n_workers: int, file: TextIO, done: set[tuple]
) -> None:
    """Try a group's mutants, or a random part of them, but none of `done`, and write one line of JSON for each."""
    files, tests, only = GROUPS[group]
    folder = copy_sources()
    mutants = [mutant for name in files for mutant in mutants_of(folder, name) if not mutant.is_equivalent]
    total = len(mutants)
    if sample is not None and sample < total:
        mutants = random.Random(f"{seed} {group}").sample(mutants, sample)
    try:
        began = time.monotonic()
        # The second time in another order, and with limits.
        if fails(folder, tests, only) or fails(folder, tests, only):
            raise SystemExit(f"the tests of {group} fail without any mutant: {' '.join(tests)}")
        patience = min(max(30.0, 4 * (time.monotonic() - began)), PATIENCE)
        for mutant in mutants[worker::n_workers]:
            place = (str(mutant), mutant.node, mutant.change)
            if place in done:
                continue
            killed = is_killed(folder, mutant.file, mutant.source_in(folder), tests, only, patience)
            line = {"group": group, "of": total, "killed": killed, "mutant": place[0], "place": place[1:]}
            file.write(json.dumps(line) + "\n")
            file.flush()
    finally:
        shutil.rmtree(folder)


def killed_before(output: Path) -> list[dict]:
    """Return the lines of a file of results whose mutants were killed."""
    if not output.exists():
        return []
    lines = map(json.loads, output.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line["killed"]]


def run(groups: list[str], sample: int | None, seed: int, n_workers: int, output: Path) -> None:
    """Try mutants of groups in several processes, and print what survived.

    Mutants that the output already has as killed are not tried again: a run goes on where it was stopped, and survivors
    are tried anew, perhaps against more tests.
    """
    import_libraries()
    kept = killed_before(output)
    output.write_text("".join(json.dumps(line) + "\n" for line in kept), encoding="utf-8")
    done = {(line["mutant"], *line["place"]) for line in kept}
    children = []
    for worker in range(n_workers):
        child = os.fork()
        if child == 0:
            with output.open("a", encoding="utf-8") as file:
                for group in groups:
                    run_group(group, sample, seed, worker, n_workers, file, done)
            os._exit(0)
        children.append(child)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    results = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    for group in groups:
        own = [one for one in results if one["group"] == group]
        if own:
            killed = sum(one["killed"] for one in own)
            print(f"{group}: {killed} of {len(own)} killed ({own[0]['of']} mutants in all)")
    for one in results:
        if not one["killed"]:
            print("survived", one["mutant"])
    if any(codes):
        raise SystemExit("a process failed: see above")


#: The set for CI: a file, a text in it, what it becomes, and the tests that must notice, with a filter (-k).
FIXED = [
    ("simulator/game.py", "hand.notes[note] = 0.0", "pass", USED_MEMORY, ""),
    ("simulator/game.py", "if not is_legal_bid(table, amount):", "if False:", ILLEGAL_BID, ""),
    ("simulator/game.py", "n_out >= table.rules.end_count", "n_out > table.rules.end_count", SCENARIOS, ""),
    ("simulator/auctions.py", "min(game.top_bid, game.second_bid + 1)", "game.top_bid", SCENARIOS, ""),
    ("simulator/scoring.py", "(other < artist)", "(other > artist)", SCENARIOS, ""),
    ("simulator/deck.py", "+= can_be_second(card)", "+= 1", SCENARIOS, ""),
    ("strategies/bidders/master.py", "0.75 * worth", "0.5 * worth", DECISIONS, "standard"),
    ("strategies/bidders/owu.py", "_NEEDS_LEFT = (5, 2, 1)", "_NEEDS_LEFT = (5, 3, 1)", DECISIONS, "predictive_v3"),
    ("strategies/bidders/endings.py", "AT_ONCE, True", "NEVER, True", DECISIONS, "rusher"),
    ("strategies/bidders/predictive.py", "wants = -_DECISIVE", "wants = 0.0", DECISIONS, "staller"),
    ("strategies/valuation.py", "(n_seats - 1.0) / n_seats", "n_seats / n_seats", DECISIONS, "fair_share"),
    ("strategies/bidding.py", "share = min(share, 0.5)", "share = min(share, 1.0)", DECISIONS, "full_value"),
]


def run_fixed() -> None:
    """Try the fixed set; exit with 1 and name those that no test noticed."""
    import_libraries()
    folder = copy_sources()
    survived = []
    try:
        tests = tuple(sorted({test for _, _, _, test, _ in FIXED}))
        if fails(folder, tests):
            raise SystemExit(f"the tests fail without any mutant: {' '.join(tests)}")
        for file, old, new, test, only in FIXED:
            source = (folder / file).read_text(encoding="utf-8")
            if old not in source:
                raise SystemExit(f"{file} holds no `{old}` any more: update FIXED in benchmarks/mutants.py")
            if not is_killed(folder, file, source.replace(old, new), (test,), only):
                survived.append(f"{file}: `{old}` as `{new}`")
    finally:
        shutil.rmtree(folder)
    if survived:
        raise SystemExit("no test noticed:\n" + "\n".join(survived))
    print(f"all {len(FIXED)} mutants were noticed")


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--group", choices=GROUPS, action="append", help="default: all")
    parser.add_argument("--sample", type=int, help="mutants of each group; default: all")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument(
        "--output", type=Path, default=Path("mutants.jsonl"), help="one line of JSON a mutant; goes on with it"
    )
    parser.add_argument("--fixed", action="store_true", help="only the fixed set of CI")
    chosen = parser.parse_args()
    if chosen.fixed:
        run_fixed()
    else:
        run(chosen.group or list(GROUPS), chosen.sample, chosen.seed, chosen.jobs, chosen.output)


if __name__ == "__main__":
    main()
