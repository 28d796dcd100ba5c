"""Luck against skill: the sources of the variance of final money, measured on extra games of a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from modernart.analysis.measures.drawing import COLOURS, INK, bars, height_for, new_axes, percent, styled
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
    right = float(np.nanmax([frame["share_high"].max(), frame["share"].max()]))
    for row, height in zip(frame.itertuples(), y, strict=True):
        ax.annotate(
            f"{row.share:.1%}",
            (np.nanmax([row.share_high, row.share]), height),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
        )
    ax.set_yticks(y, frame["source"])
    ax.set_xlim(0, right * 1.25)
    percent(ax, "x")
    ax.set_xlabel("share of the variance of final money; bars: 95% interval")
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
            "exceed 1.",
        ),
    ),
)
