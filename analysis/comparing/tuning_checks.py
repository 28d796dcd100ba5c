"""What a tuned strategy is worth: held-out deals and opponents, the trap of the best candidate, deviations of one step.

First deals of the stages lie far apart, so that no stage sees the deals of another.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from modernart.analysis.comparing.tuning_plan import StudyPlan
from modernart.analysis.statistics.sequential import Interval, fixed_interval, student_interval
from modernart.strategies.base import Strategy
from modernart.strategies.specs import load_strategy
from modernart.strategies.tuning.focal_seat import FocalScores, FocalSeat
from modernart.strategies.tuning.search import Progress

_HELD_OUT = 1 << 32
_DEVIATIONS = 2 << 32
#: First deal of the last test, against the untuned.
GATE = 3 << 32
#: Size of a deviation, as a share of the parameter's range.
STEP = 0.05


@dataclass(frozen=True)
class HeldOut:
    """Before and after on held-out deals.

    Parameters
    ----------
    table : DataFrame
        One row a field: that of the search, then each held-out opponent.
    before, after : ndarray of float, shape (n_held_out,)
        Win shares by deal in the field of the search.
    games : int
    """

    table: pd.DataFrame
    before: np.ndarray
    after: np.ndarray
    games: int

    @property
    def gain_ci(self) -> Interval:
        """Interval of the gain of win share in the field of the search."""
        return fixed_interval(self.after - self.before, -1.0, 1.0)

    def rows(self) -> list[dict[str, Any]]:
        """Return the gain in each field as plain data."""
        return [
            {
                "rivals": row["rivals"],
                "met_in_search": bool(row["met_in_search"]),
                "gain": row["gain"],
                "gain_ci": [row["gain_low"], row["gain_high"]],
            }
            for row in self.table.to_dict("records")
        ]


def held_out(plan: StudyPlan, focal_seat: FocalSeat, tuned: Strategy) -> HeldOut:
    """Compare before and after on held-out deals, in the field of the search and among held-out opponents."""
    n = plan.n_held_out
    players = (plan.strategy.player("untuned"), tuned.player("tuned"))
    in_field = focal_seat.score_all(players, _HELD_OUT, n)
    rows = [_gain_row(plan.specs_against, True, *in_field)]
    for spec in plan.held_out:
        other = FocalSeat([load_strategy(spec).player()], plan.rules, plan.seed, focal_seat.threads)
        rows.append(_gain_row([spec], False, *other.score_all(players, _HELD_OUT, n)))
    before, after = (scores.win_share for scores in in_field)
    return HeldOut(pd.DataFrame(rows), before, after, 2 * len(rows) * n * plan.rules.players)


def _gain_row(rivals: Sequence[str], met_in_search: bool, before: FocalScores, after: FocalScores) -> dict[str, Any]:
    """Return a row of `held_out.csv`."""
    gain = after.win_share - before.win_share
    money = after.relative_money - before.relative_money
    low, high = fixed_interval(gain, -1.0, 1.0)
    money_low, money_high = student_interval(money)
    return {
        "rivals": ", ".join(rivals),
        "met_in_search": met_in_search,
        "win_share_before": before.win_share.mean(),
        "win_share_after": after.win_share.mean(),
        "gain": gain.mean(),
        "gain_low": low,
        "gain_high": high,
        "relative_money_gain": money.mean(),
        "relative_money_gain_low": money_low,
        "relative_money_gain_high": money_high,
        "deals": len(gain),
    }


def best_candidate(plan: StudyPlan, focal_seat: FocalSeat, progress: Progress, after: np.ndarray) -> dict[str, Any]:
    """Return what the best candidate of the search looked like there, and what it is worth on held-out deals.

    Luck chose it: its win share in the search is too high (`bias`, on the same held-out deals that judge the tuned
    parameters). `mean_ahead` is how much more the mean of the last distribution wins than this candidate.

    Parameters
    ----------
    plan : StudyPlan
    focal_seat : FocalSeat
    progress : Progress
    after : ndarray of float, shape (n_held_out,)
        Win shares of the tuned parameters on the held-out deals.
    """
    generation = max(progress.generations, key=lambda g: float(g.scores.max()))
    number = int(np.argmax(generation.scores))
    player = plan.search.at(generation.candidates[number]).player("best candidate")
    shares = focal_seat.score(player, _HELD_OUT, plan.n_held_out).win_share
    searched = float(generation.win_shares[number])
    low, high = fixed_interval(shares, 0.0, 1.0)
    return {
        "win_share_search": searched,
        "win_share_held_out": float(shares.mean()),
        "bias": searched - float(shares.mean()),
        "bias_ci": [searched - high, searched - low],
        "mean_ahead": float((after - shares).mean()),
        "mean_ahead_ci": list(fixed_interval(after - shares, -1.0, 1.0)),
    }


def deviations(plan: StudyPlan, focal_seat: FocalSeat, tuned: Strategy) -> pd.DataFrame:
    """Move each parameter alone one step down and up, on the same held-out deals.

    Returns
    -------
    DataFrame
        `parameter`, `value`, `difference` of the objective from the tuned with simultaneous 95 % limits
        (Bonferroni), and of the win share.
    """
    moves = []
    for name in plan.names:
        param = tuned.params[name]
        step = STEP * (param.high - param.low)
        here = tuned.values[name]
        for value in (max(here - step, param.low), min(here + step, param.high)):
            # Nearer to a bound than half a step there is nothing to see on that side.
            if abs(value - here) >= step / 2:
                moves.append((name, value))
    players = [tuned.player("tuned"), *(tuned.with_values({name: value}).player("moved") for name, value in moves)]
    base, *others = focal_seat.score_all(players, _DEVIATIONS, plan.n_deviation)
    rows = []
    for (name, value), moved in zip(moves, others, strict=True):
        difference = moved.objective(plan.objective) - base.objective(plan.objective)
        low, high = student_interval(difference, 1 - 0.05 / len(moves))
        rows.append(
            {
                "parameter": name,
                "value": value,
                "step": value - tuned.values[name],
                "difference": difference.mean(),
                "difference_low": low,
                "difference_high": high,
                "win_share_difference": (moved.win_share - base.win_share).mean(),
            }
        )
    return pd.DataFrame(rows)
