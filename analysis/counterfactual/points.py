"""Decision points of counterfactual playouts: what the table showed there, and what each branch brought."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from modernart.analysis.statistics.estimates import Estimate, ratio_of
from modernart.simulator.fork_runs import Forks

#: Columns of `DecisionPoints.frame`, in the order of `modernart.simulator.forks`.
COLUMNS = (
    "deal",
    "strategy",
    "round",
    "case",
    "holding",
    "hand_size",
    "chosen",
    "cards_out",
    "kind",
    "kinds_held",
)


@dataclass(frozen=True)
class DecisionPoints:
    """Decision points of a study.

    Parameters
    ----------
    names : tuple of str
        Strategies.
    forks : Forks
        What the kernels wrote.
    """

    names: tuple[str, ...]
    forks: Forks

    @property
    def n_seats(self) -> int:
        """Seats of a table."""
        return self.forks.line_ups.shape[1]

    @property
    def n_deals(self) -> int:
        """Deals played."""
        return len(self.forks.line_ups)

    @property
    def n_games(self) -> int:
        """Games played."""
        return self.n_deals * self.n_seats

    @cached_property
    def frame(self) -> pd.DataFrame:
        """What the table showed, one row a decision point, strategies by name."""
        frame = pd.DataFrame(self.forks.facts, columns=list(COLUMNS))
        frame["strategy"] = np.array(self.names, object)[frame["strategy"]] if len(frame) else []
        return frame

    @cached_property
    def means(self) -> np.ndarray:
        """Outcomes as means over the repeats, shape (n, branches, outcomes)."""
        return self.forks.outcomes.mean(axis=1)

    @cached_property
    def share_moved_by_repeats(self) -> float:
        """Share of decision points where another random stream changed any outcome; 0 for a field without chance."""
        outcomes = self.forks.outcomes
        moved = (outcomes != outcomes[:, :1]).any(axis=(1, 2, 3))
        return float(moved.mean()) if len(moved) else 0.0

    def seat_games(self, name: str) -> np.ndarray:
        """Return how many games' seats a strategy took in each deal, shape (n_deals,)."""
        return (self.forks.line_ups == self.names.index(name)).sum(axis=1) * self.n_seats

    def among(self, where: str | None) -> np.ndarray:
        """Return which decision points fulfil a condition on the columns of `frame`; None: all."""
        if where is None:
            return np.ones(len(self.frame), bool)
        return self.frame.eval(where).to_numpy(bool)

    def mean_of(self, values: np.ndarray, chosen: np.ndarray) -> Estimate:
        """Return the mean of values of the chosen decision points; the deal is the unit of the interval."""
        return by_deal(self.forks.facts[chosen, 0], values[chosen])


def by_deal(deals: np.ndarray, values: np.ndarray) -> Estimate:
    """Return the mean of values, with an interval whose unit is the deal.

    Parameters
    ----------
    deals : ndarray of int, shape (n,)
    values : ndarray of float, shape (n,) or (n, ...)
    """
    unit, index = np.unique(deals, return_inverse=True)
    sums = np.zeros((len(unit), *values.shape[1:]))
    counts = np.zeros((len(unit),) + (1,) * (values.ndim - 1))
    np.add.at(sums, index, values)
    np.add.at(counts, index, 1.0)
    return ratio_of(sums, counts)


def in_columns(name: str, estimate: Estimate, at: tuple[int, ...] = ()) -> dict[str, float]:
    """Return an estimate, or one of its cells, as columns `name`, `name_low` and `name_high`."""
    return {
        name: float(estimate.mean[at]),
        f"{name}_low": float(estimate.low[at]),
        f"{name}_high": float(estimate.high[at]),
    }


def repeats_note(points: DecisionPoints) -> str:
    """Return a sentence on what the repeats added, empty if there was only one."""
    repeats = points.forks.outcomes.shape[1]
    if repeats == 1 or not len(points.frame):
        return ""
    if points.share_moved_by_repeats == 0:
        return f"The {repeats} repeats are all alike, as these strategies leave nothing to chance: use --repeats 1."
    return f"Other random streams change the outcome of {points.share_moved_by_repeats:.0%} ({repeats} repeats)."
