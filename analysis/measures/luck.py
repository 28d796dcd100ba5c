"""Luck against skill: the sources of the variance of final money, measured on extra games of a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from modernart.analysis.measures.drawing import (
    COLOURS,
    INK,
    bars,
    from_zero,
    height_for,
    name_rows,
    new_axes,
    percent,
    styled,
    values_at_right,
)
from modernart.analysis.measures.measure import CASE, DESIGNED, Column, Drawing, Measure, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@styled
def plot_luck(luck: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the shares of the variance of money, largest on top."""
    frame = luck.sort_values("share", ignore_index=True)
    ax = ax or new_axes(height_for(len(frame)))
    y = np.arange(len(frame))
    ax.barh(y, frame["share"], color=COLOURS[0], height=0.6, alpha=0.75)
    ax.errorbar(frame["share"], y, xerr=bars(frame, "share"), fmt="none", ecolor=INK, capsize=3)
    values_at_right(ax, [f"{share:z.1%}" for share in frame["share"]], y)
    name_rows(ax, y, list(frame["source"]))
    from_zero(ax, "x")
    percent(ax, "x")
    ax.set_xlabel("share of the variance of final money")
    ax.set_title("Luck against skill")
    return ax


MEASURE = Measure(
    name="luck",
    section="Win rates",
    order=7,
    tables=(
        Table(
            "luck",
            "a source of the differences in final money",
            {
                "source": Column("from strategy (skill) to random decisions (luck)", evidence=CASE),
                "share": Column(
                    "share of the variance of final money; an estimate, so it may fall below 0 or exceed 1",
                    "share",
                    DESIGNED,
                    interval=True,
                ),
                "sd": Column("standard deviation that the source alone would cause", "money", DESIGNED),
            },
        ),
    ),
    drawings=(
        Drawing(
            "luck",
            "luck",
            lambda tables: plot_luck(tables["luck"]),
            "Where the differences in final money between seats come from. An estimated share may fall below 0 or "
            "exceed 1. Bars are 95% intervals.",
        ),
    ),
)
