"""How a test of a claim is measured: each measure returns a number that is above 0 where the claim holds."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from modernart.analysis.claims.catalogue import Test
from modernart.analysis.claims.laboratory import Laboratory
from modernart.analysis.claims.log_numbers import LOTS, NUMBERS, SHARES
from modernart.analysis.counterfactual.auctions import KIND_LABELS, sale_outcomes
from modernart.analysis.counterfactual.endings import differences, mover_effects
from modernart.analysis.counterfactual.luck import GROUPS
from modernart.analysis.counterfactual.points import by_deal
from modernart.analysis.counterfactual.starts import start_effects
from modernart.analysis.statistics.estimates import Estimate, mean_of, t_quantile


def _setting(test: Test) -> dict[str, Any]:
    return {key: test[key] for key in ("edition", "players") if key in test}


def _scores(lab: Laboratory, test: Test, spec: str, first: int = 0) -> np.ndarray:
    """Return a player's outcome in the focal seat, by deal."""
    n = lab.n_deals(test.get("games"), test.get("players", 4))
    return getattr(lab.scores(spec, n, first, **_setting(test)), test["outcome"])


def measure_duel(lab: Laboratory, test: Test) -> Estimate:
    """Return what `a` gains on one of `b` in the same seat, paired by deal, times `sign`.

    Of several `b`, the best (or, with `rival` = "worst", the worst) is chosen on other deals than it is measured on.
    """
    rivals: Sequence[str] = test["b"]
    rival = rivals[0]
    first = 0
    if len(rivals) > 1:
        first = lab.n_deals(test.get("games"), test.get("players", 4))
        choose = min if test.get("rival") == "worst" else max
        rival = choose(rivals, key=lambda spec: float(_scores(lab, test, spec).mean()))
    gain = _scores(lab, test, test["a"], first) - _scores(lab, test, rival, first)
    return mean_of(test.get("sign", 1) * gain)


def measure_duel_of_duels(lab: Laboratory, test: Test) -> Estimate:
    """Return how much more `a` gains on `b` than `c` on `d`, paired by deal."""
    a, b, c, d = (_scores(lab, test, spec) for spec in (test["a"], test["b"][0], test["c"], test["d"]))
    return mean_of(a - b - (c - d))


def measure_level(lab: Laboratory, test: Test) -> Estimate:
    """Return the win share of `a` in the focal seat less an equal's."""
    return mean_of(_scores(lab, {"outcome": "win_share", **test}, test["a"]) - 1 / test.get("players", 4))


def measure_mates(lab: Laboratory, test: Test) -> Estimate:
    """Return the mean money of the other seats with `a` in the focal seat less that with `b`, times `sign`."""
    n = lab.n_deals(None, test.get("players", 4))
    with_a, with_b = (lab.scores(spec, n, **_setting(test)) for spec in (test["a"], test["b"][0]))
    others = (with_a.money - with_a.relative_money) - (with_b.money - with_b.relative_money)
    return mean_of(test.get("sign", 1) * others)


def measure_endings(lab: Laboratory, test: Test) -> Estimate:
    """Return what ending a round brings, times `sign`, over the decision points of `where`.

    With `seat` 0 it is the ender's `outcome`; for another seat, counted from the ender, its money less the mean of
    all but the ender and itself.
    """
    points = lab.endings(**_setting(test))
    chosen = points.among(test.get("where"))
    seat = test["seat"]
    if seat == 0:
        values = mover_effects(points)[test.get("outcome", "money")]
    else:
        money = differences(points)[..., 0]
        values = money[:, seat] - np.delete(money[:, 1:], seat - 1, axis=1).mean(axis=1)
    return points.mean_of(test.get("sign", 1) * values, chosen)


def measure_auctions(lab: Laboratory, test: Test) -> Estimate:
    """Return the seller's outcome by one kind of sale less that by another, of the same lots.

    With `spread`, how far revenue lies from the mean of its kind, round and number of cards out, the other kind's
    less the first's: above 0 where the first is steadier.
    """
    points = lab.auctions(**_setting(test))
    kinds = {label: int(kind) for kind, label in KIND_LABELS.items()}
    values = sale_outcomes(points)[test["outcome"]]
    if test.get("spread", False):
        cells = points.frame.groupby(["round", "cards_out", "case"]).ngroup().to_numpy()
        means = np.stack([np.bincount(cells, column) for column in values.T]) / np.bincount(cells)
        values = -np.abs(values - means[:, cells].T)
    return points.mean_of(
        values[:, kinds[test["kind"]]] - values[:, kinds[test["other"]]], points.among(test.get("where"))
    )


def measure_starts(lab: Laboratory, test: Test) -> Estimate:
    """Return what starting a round brings a seat, against the mean of all starts of the same round."""
    points = lab.starts(**_setting(test))
    return points.mean_of(start_effects(points)[test["outcome"]], points.among(test.get("where")))


def measure_log(lab: Laboratory, test: Test) -> Estimate:
    """Return a number of single games (`modernart.analysis.claims.log_numbers`); the deal is the unit."""
    setting = _setting(test)
    logs = lab.logs(**setting)
    values = NUMBERS[test["number"]](logs, lab.rules(**setting))
    known = ~np.isnan(values)
    return by_deal(logs.deals[known], values[known])


def _shares(lab: Laboratory, setting: Test, sources: Sequence[str]) -> tuple[float, float]:
    """Return the sum of some sources' shares of the variance, and its standard error taking them as independent."""
    rows = lab.luck(**setting).loc[list(sources)]
    errors = (rows["share_high"] - rows["share_low"]) / 2 / t_quantile(np.float64(GROUPS - 1))
    return float(rows["share"].sum()), float(np.hypot.reduce(errors))


def measure_luck(lab: Laboratory, test: Test) -> Estimate:
    """Return the share of the variance of money of `sources` in setting `first` less that of `others` in `second`."""
    one = _shares(lab, test["first"], test.get("sources", ["strategy"]))
    other = _shares(lab, test["second"], test.get("others", ["strategy"]))
    return Estimate(np.array(one[0] - other[0]), np.array(np.hypot(one[1], other[1])), np.array(GROUPS - 1.0))


def measure_influence(lab: Laboratory, test: Test) -> Estimate:
    """Return how much a seat's ending changes another seat's money in one setting less that in another.

    With `scaled`, in standard deviations of a seat's final money in that setting.
    """
    parts = []
    for key in ("first", "second"):
        points = lab.endings(**test[key])
        change = np.abs(differences(points)[:, 1:, 0]).mean(axis=1)
        scale = lab.logs(**test[key]).money.std() if test.get("scaled", False) else 1.0
        parts.append(points.mean_of(change / scale, np.ones(len(change), bool)))
    one, other = parts
    return Estimate(one.mean - other.mean, np.hypot(one.error, other.error), np.minimum(one.df, other.df))


def measure_neighbour(lab: Laboratory, test: Test) -> Estimate:
    """Return what `a` gains by sitting right of `neighbour`, who then acts next, against left of them, times `sign`."""
    last = lab.rules().players - 1
    one, other = (lab.beside(test["a"], test["neighbour"], place) for place in (1, last))
    return mean_of(test.get("sign", 1) * (one - other))


def measure_shown(lab: Laboratory, test: Test) -> Estimate:
    """Return what seeing the next player's hand brings the watcher (`who` 0) or costs the shown player (`who` 1)."""
    sees, blind = lab.shown("habits(sees=1)"), lab.shown("habits(sees=0)")
    gain = (sees - blind)[:, test["who"]]
    return mean_of(gain if test["who"] == 0 else -gain)


MEASURES: dict[str, Callable[[Laboratory, Test], Estimate]] = {
    "duel": measure_duel,
    "duel_of_duels": measure_duel_of_duels,
    "level": measure_level,
    "mates": measure_mates,
    "endings": measure_endings,
    "auctions": measure_auctions,
    "starts": measure_starts,
    "log": measure_log,
    "luck": measure_luck,
    "influence": measure_influence,
    "neighbour": measure_neighbour,
    "shown": measure_shown,
}


def unit_of(test: Test) -> str:
    """Return what a test's number is in: "money", "share", "lots" or "deviations"."""
    if test.get("scaled", False):
        return "deviations"
    if test.get("number") in LOTS:
        return "lots"
    in_shares = test["measure"] in ("level", "luck") or test.get("number") in SHARES
    return "share" if in_shares or test.get("outcome") in ("win_share", "win") else "money"
