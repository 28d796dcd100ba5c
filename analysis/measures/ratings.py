"""Ratings: one strength a strategy, fitted to who won at which tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from modernart.analysis.measures.drawing import COLOURS, bars, height_for, new_axes, short, styled
from modernart.analysis.measures.measure import CASE, DESIGNED, Column, Drawing, Measure, Table
from modernart.analysis.statistics.ratings import ratings_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@styled
def plot_ratings(ratings: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the Plackett-Luce rating and interval of each strategy, best on top."""
    ax = ax or new_axes(height_for(len(ratings)))
    y = np.arange(len(ratings))[::-1]
    ax.errorbar(ratings["rating"], y, xerr=bars(ratings, "rating"), fmt="D", color=COLOURS[1], capsize=3, markersize=5)
    ax.set_yticks(y, [short(name) for name in ratings["strategy"]])
    ax.set_ylim(-0.6, len(ratings) - 0.4)
    ax.set_xlabel("rating; 400 points = ten times as likely to win")
    ax.set_title("Plackett-Luce ratings")
    return ax


MEASURE = Measure(
    name="ratings",
    section="Win rates",
    order=1,
    tables=(
        Table(
            "ratings",
            "a strategy, best first",
            {
                "strategy": Column("its name", evidence=CASE),
                "strength": Column("Plackett-Luce strength; all of them sum to 1", "", DESIGNED),
                "rating": Column("strength on a scale where 400 is a factor of ten", "points", DESIGNED, interval=True),
            },
            lambda tables: ratings_table(tables.run),
            in_summary=True,
        ),
    ),
    drawings=(
        Drawing(
            "ratings",
            "ratings",
            lambda tables: plot_ratings(tables["ratings"]),
            "Strength fitted to who won at which tables.",
            of_several=True,
        ),
    ),
)
