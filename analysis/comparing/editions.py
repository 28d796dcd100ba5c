"""Rule sets side by side: the same strategies, seed and deals under each, with paired intervals."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from modernart.analysis.measures import tallies_for
from modernart.analysis.notebook import html_of
from modernart.analysis.statistics.estimates import ratio_of
from modernart.simulator.arguments import parse_whole
from modernart.simulator.cards import AuctionKind
from modernart.simulator.errors import UsageError
from modernart.simulator.limits import MAX_SEATS, MIN_SEATS
from modernart.simulator.players import Player
from modernart.simulator.rules import Edition, Rules, load_edition, parse_overrides
from modernart.simulator.scoring import WIN_UNITS
from modernart.simulator.simulate import Run, n_blocks_for, new_run, simulate
from modernart.simulator.tallies import N_BATCHES

#: Most values of an option that are swept.
_MOST_SWEPT = 12
#: Fewest blocks a batch should hold for its ratio to be near normal.
_BLOCKS_A_BATCH = 4
_SPEC = re.compile(r"(?P<base>.+?)\s*(?:\((?P<rules>[^()]*)\))?\s*")


@dataclass(frozen=True)
class Metric:
    """One number of a run: a sum over another, each by batch of deals.

    Parameters
    ----------
    name, unit : str
    sums : callable
        From a run to numerator and denominator, each of shape (N_BATCHES,).
    """

    name: str
    unit: str
    sums: Callable[[Run], tuple[np.ndarray, np.ndarray]]


def _by_batch(array: np.ndarray) -> np.ndarray:
    return array.reshape(N_BATCHES, -1).sum(axis=1)


def _lots(measure: int, over: int | None = 0, own: int | None = None) -> Callable[[Run], tuple[np.ndarray, np.ndarray]]:
    """Sum a measure of all lots that are sold for money, black-framed cards and lone doubles aside."""

    def sums(run: Run) -> tuple[np.ndarray, np.ndarray]:
        sold = run.tallies.lots[:, : AuctionKind.DOUBLE]
        chosen = sold if own is None else sold[..., own, :]
        return _by_batch(chosen[..., measure]), _by_batch(sold[..., over])

    return sums


def _buyer_profit(run: Run) -> tuple[np.ndarray, np.ndarray]:
    sold = run.tallies.lots[:, : AuctionKind.DOUBLE]
    return _by_batch(sold[..., 2] - sold[..., 1]), _by_batch(sold[..., 0])


def _seller_revenue(run: Run) -> tuple[np.ndarray, np.ndarray]:
    sold = run.tallies.lots[:, : AuctionKind.DOUBLE]
    return _by_batch(sold[..., 1] - sold[..., 3]), _by_batch(sold[..., 0])


def _black(measure: int) -> Callable[[Run], tuple[np.ndarray, np.ndarray]]:
    def sums(run: Run) -> tuple[np.ndarray, np.ndarray]:
        lots = run.tallies.lots[:, AuctionKind.BLACK_FRAMED]
        return _by_batch(lots[..., measure]), _by_batch(lots[..., 0])

    return sums


def _black_a_game(run: Run) -> tuple[np.ndarray, np.ndarray]:
    return _by_batch(run.tallies.lots[:, AuctionKind.BLACK_FRAMED, ..., 0]), run.tallies.leaders[:, 0, 0]


def _money_spread(run: Run) -> tuple[np.ndarray, np.ndarray]:
    """Root mean square distance of final money from its mean, pooled over batches (low where they are small)."""
    scores = run.tallies.scores.sum(axis=1).astype(float)
    n = scores[:, 0]
    with np.errstate(invalid="ignore", divide="ignore"):
        deviation = np.sqrt(scores[:, 3] / n - (scores[:, 2] / n) ** 2)
    return np.nan_to_num(deviation) * n, n


def _decided_late(run: Run) -> tuple[np.ndarray, np.ndarray]:
    """Share of wins that do not go to the leader before the last round in which cards are put up."""
    lengths = run.tallies.lengths[..., 0]
    played = lengths[:, :, 1:].sum(axis=(0, 2)) > 0
    last = int(np.flatnonzero(played)[-1])
    leaders = run.tallies.leaders[:, max(last - 1, 0)]
    units = WIN_UNITS * WIN_UNITS
    return leaders[:, 0] - leaders[:, 1] / units, leaders[:, 0]


def _round_length(run: Run) -> tuple[np.ndarray, np.ndarray]:
    lengths = run.tallies.lengths[..., 0]
    cards = np.arange(lengths.shape[2])
    return (lengths * cards).sum(axis=(1, 2)), lengths[:, :, 1:].sum(axis=(1, 2))


def _in_debt(run: Run) -> tuple[np.ndarray, np.ndarray]:
    rounds = run.tallies.rounds.sum(axis=1)
    return rounds[:, 4], rounds[:, 0] * run.rules.players


def _starter_advantage(run: Run) -> tuple[np.ndarray, np.ndarray]:
    seats = run.tallies.seats.sum(axis=1)
    fair = WIN_UNITS / run.rules.players
    return 100 * (seats[:, 0, 1] - fair * seats[:, 0, 0]) / WIN_UNITS, seats[:, 0, 0]


METRICS: tuple[Metric, ...] = (
    Metric("price of a lot", "money", _lots(1)),
    Metric("value of a lot", "money", _lots(2)),
    Metric("price over value", "ratio", _lots(1, over=2)),
    Metric("seller's revenue a lot", "money", _seller_revenue),
    Metric("buyer's profit a lot", "money", _buyer_profit),
    Metric("bought by its auctioneer", "share", _lots(0, own=1)),
    Metric("cards put up in a round", "cards", _round_length),
    Metric(
        "final money of a seat",
        "money",
        lambda run: (_by_batch(run.tallies.scores[..., 2]), _by_batch(run.tallies.scores[..., 0])),
    ),
    Metric("spread of final money", "money", _money_spread),
    Metric("starter's advantage", "points", _starter_advantage),
    Metric("seats in debt after a round", "share", _in_debt),
    Metric("games decided by the last round", "share", _decided_late),
)
BLACK_METRICS: tuple[Metric, ...] = (
    Metric("black-framed cards put up a game", "cards", _black_a_game),
    Metric("fine of a black-framed card", "money", _black(2)),
    Metric("paid by the others for it", "money", _black(4)),
)


@dataclass(frozen=True)
class RuleSet:
    """An edition as the user named it, perhaps for a number of players of its own."""

    label: str
    edition: Edition
    players: int | None = None

    def rules(self, players: int) -> Rules:
        """Return its rules, for `players` where it has no number of its own."""
        return self.edition.rules(self.players or players)


def parse_rule_set(text: str) -> RuleSet:
    """Return the rule set that `NAME`, `FILE.toml` or `NAME(key=value, ...)` stands for; `players` is a key too.

    Raises
    ------
    UsageError
        If the text is not of that form, or there is no such edition or rule.
    """
    base, items = _parts(text)
    wanted = [item for item in items if item.partition("=")[0].strip() == "players"]
    if not wanted:
        return RuleSet(text, parse_edition(text))
    players = parse_whole("players", wanted[-1].partition("=")[2], MIN_SEATS, MAX_SEATS)
    others = [item for item in items if item not in wanted]
    return RuleSet(text, parse_edition(f"{base}({', '.join(others)})" if others else base), players)


def sweep(base: str, option: str) -> list[str]:
    """Return a rule set for each value of an option: `end_count=4:8`, or `open_style=limit,outcry`.

    Raises
    ------
    UsageError
        If the option is not KEY=FROM:TO or KEY=A,B,C, or asks for too many values.
    """
    key, equals, values = option.partition("=")
    if not key.strip() or not equals or not values.strip():
        raise UsageError(f"--sweep must be KEY=FROM:TO or KEY=A,B,C, as end_count=4:8, got {option}")
    low, colon, high = values.partition(":")
    if colon:
        first, last = parse_whole(key, low), parse_whole(key, high)
        chosen = [str(value) for value in range(first, last + 1)]
    else:
        chosen = [value.strip() for value in re.split(r",(?![^\[]*\])", values)]
    if not 2 <= len(chosen) <= _MOST_SWEPT:
        raise UsageError(f"--sweep must ask for 2 to {_MOST_SWEPT} values, got {len(chosen)}")
    name, items = _parts(base)
    return [f"{name}({', '.join([*items, f'{key.strip()}={value}'])})" for value in chosen]


def _parts(text: str) -> tuple[str, list[str]]:
    """Split a rule set into its edition and its rules."""
    match = _SPEC.fullmatch(text.strip())
    if match is None:
        raise UsageError(f'"{text}" names no edition; write NAME, FILE.toml or NAME(key=value, ...)')
    # Commas inside the brackets of a list do not part the rules.
    items = re.split(r",(?![^\[]*\])", match["rules"]) if match["rules"] else []
    return match["base"], [item.strip() for item in items]


def parse_edition(text: str) -> Edition:
    """Return the edition that `NAME`, `FILE.toml` or `NAME(key=value, ...)` stands for.

    Raises
    ------
    UsageError
        If the text is not of that form, or there is no such edition or rule.
    """
    base, items = _parts(text)
    return load_edition(base, parse_overrides(items))


@dataclass(frozen=True)
class Comparison:
    """Runs of the same strategies under several rule sets.

    Parameters
    ----------
    labels : tuple of str
        Rule sets as the user named them.
    runs : tuple of Run
    shares_deals : tuple of bool
        Whether deals and hands are those of the first rule set.
    """

    labels: tuple[str, ...]
    runs: tuple[Run, ...]
    shares_deals: tuple[bool, ...]

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """`metrics`, as of `table`, and `win_shares` of every strategy."""
        return {"metrics": self.table(), "win_shares": self.win_shares()}

    def _repr_html_(self) -> str:
        """Return the metrics, for notebooks."""
        title = f"{self.runs[0].n_games:,} games under each rule set, seed {self.runs[0].seed}"
        return html_of(title, self.tables["metrics"])

    def table(self) -> pd.DataFrame:
        """Return each metric under each rule set, with the paired difference from the first and intervals.

        Returns
        -------
        DataFrame
            Columns `metric`, `unit`, `edition`, `value`, `low`, `high`, `difference`, `difference_low`,
            `difference_high`, `matters`, `same_deals`; differences are empty for the first rule set. `matters` is "no"
            where the whole interval lies below the size that matters (see `least_that_matters`), "yes" where it lies
            beyond it, else "open".
        """
        rows = []
        for metric in self._metrics():
            first = metric.sums(self.runs[0])
            for label, run, same in zip(self.labels, self.runs, self.shares_deals, strict=True):
                sums = metric.sums(run)
                rows.append(_row(metric, label, sums, None if run is self.runs[0] else first) | {"same_deals": same})
        return pd.DataFrame(rows)

    def win_shares(self) -> pd.DataFrame:
        """Return the win share of every strategy under each rule set, with intervals and paired differences."""
        rows = []
        for s, name in enumerate(self.runs[0].names):
            metric = Metric(name, "share", _win_share_of(s))
            first = metric.sums(self.runs[0])
            for label, run in zip(self.labels, self.runs, strict=True):
                rows.append(_row(metric, label, metric.sums(run), None if run is self.runs[0] else first))
        return pd.DataFrame(rows).rename(columns={"metric": "strategy"})

    def _metrics(self) -> Sequence[Metric]:
        has_black = any(run.tallies.lots[:, AuctionKind.BLACK_FRAMED].any() for run in self.runs)
        return METRICS + (BLACK_METRICS if has_black else ())


def _win_share_of(s: int) -> Callable[[Run], tuple[np.ndarray, np.ndarray]]:
    return lambda run: (run.tallies.scores[:, s, 1] / WIN_UNITS, run.tallies.scores[:, s, 0])


def _row(metric: Metric, label: str, sums: tuple, first: tuple | None) -> dict[str, Any]:
    """Estimate a metric and its difference from the first rule set's, from batches of the same deals."""
    own = ratio_of(*sums)
    row: dict[str, Any] = {"metric": metric.name, "unit": metric.unit, "edition": label}
    row |= {"value": float(own.mean), "low": float(own.low), "high": float(own.high)}
    if first is None:
        return row | {"difference": np.nan, "difference_low": np.nan, "difference_high": np.nan, "matters": ""}
    difference = float(own.mean) - float(ratio_of(*first).mean)
    half = _half_width_of_difference(sums, first)
    low, high = difference - half, difference + half
    least = least_that_matters(metric.unit, float(ratio_of(*first).mean))
    matters = "no" if max(-low, high) < least else "yes" if low > least or high < -least else "open"
    return row | {"difference": difference, "difference_low": low, "difference_high": high, "matters": matters}


def least_that_matters(unit: str, value: float) -> float:
    """Return how large a difference from a value must be to matter to a player.

    A hundredth of a share, a point, 0.02 of a ratio; of amounts two per cent.
    """
    return {"share": 0.01, "points": 1.0, "ratio": 0.02}.get(unit, 0.02 * abs(value))


def _half_width_of_difference(a: tuple, b: tuple) -> float:
    """Half the width of the t interval of R_a - R_b, both ratios linearised batch by batch (Cochran, ch. 6)."""
    residuals = []
    for x, y in (a, b):
        x, y = np.asarray(x, float), np.asarray(y, float)
        total = y.sum()
        with np.errstate(invalid="ignore", divide="ignore"):
            residuals.append((x - x.sum() / total * y) / total)
    # The sum of all batches' residuals is 0: what is left is their scatter, with what the shared deals take away.
    combined = residuals[0] - residuals[1]
    n = len(combined)
    return float(ratio_of(combined * n, np.ones(n)).half_width)


def compare_editions(
    editions: Sequence[tuple[str, Edition] | RuleSet],
    players: Sequence[Player],
    seats: int,
    games: int,
    *,
    seed: int = 1,
    threads: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Comparison:
    """Play the same strategies with the same seed under each rule set.

    Parameters
    ----------
    editions : sequence of RuleSet, or of (str, Edition)
        At least two, with the names to show.
    players : sequence of Player
    seats, games, seed, threads : int
        As for `modernart.simulator.simulate.simulate`; `games` for each rule set, `seats` where it does not say.
    on_progress : callable, optional
        Called with the number of games played in all.

    Raises
    ------
    UsageError
        If there are fewer than two rule sets, or too few games for intervals.
    """
    rule_sets_asked = [one if isinstance(one, RuleSet) else RuleSet(*one) for one in editions]
    labels = [one.label for one in rule_sets_asked]
    if len(set(labels)) < len(labels):
        raise UsageError(f"name each rule set once, got {', '.join(labels)}")
    if len(editions) < 2:
        raise UsageError("name at least two editions to compare, as: modernart editions compare classic online")
    rule_sets = [one.rules(seats) for one in rule_sets_asked]
    least = N_BATCHES * _BLOCKS_A_BATCH * max(rules.players for rules in rule_sets)
    if games < least:
        raise UsageError(f"games must be at least {least} for intervals from {N_BATCHES} batches of deals, got {games}")
    runs = []
    before = 0
    for rules in rule_sets:
        run = new_run(rules, [player.name for player in players], seed, tallies_for(rules))

        def report(run: Run, before: int = before) -> None:
            if on_progress is not None:
                on_progress(before + run.n_games)

        runs.append(simulate(players, rules, games, seed=seed, threads=threads, run=run, on_progress=report))
        before += n_blocks_for(rules, games) * rules.players
    same = tuple(_same_deals(rule_sets[0], rules) for rules in rule_sets)
    return Comparison(tuple(labels), tuple(runs), same)


def _same_deals(a: Rules, b: Rules) -> bool:
    """Tell whether two rule sets deal the same hands from the same seed."""
    return (a.players, a.deck, a.deal, a.shill != "none") == (b.players, b.deck, b.deal, b.shill != "none")
