"""Ratings: one strength a strategy, fitted to who won at which tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from modernart.analysis.measures.drawing import height_for, new_axes, strategies_as_rows, styled, values_at_right
from modernart.analysis.measures.measure import CASE, DESIGNED, Column, Drawing, Measure, Table
from modernart.analysis.statistics.ratings import ratings_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@styled
def plot_ratings(ratings: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the Plackett-Luce rating and interval of each strategy, best on top."""
    ax = ax or new_axes(height_for(len(ratings)))
    heights = strategies_as_rows(ax, ratings, "rating")
    values_at_right(ax, [f"{rating:.0f}" for rating in ratings["rating"]], heights)
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
