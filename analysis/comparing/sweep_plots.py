"""Curves of a sweep: every number of a comparison of rule sets along the values of one option."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from modernart.analysis.measures import drawing
from modernart.analysis.measures.looks import COLOURS
from modernart.simulator.files import whole_file

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@drawing.styled
def plot_curves(metrics: pd.DataFrame, option: str) -> Axes:
    """Draw each metric with its interval along the swept values, a panel a metric; returns the first panel.

    Parameters
    ----------
    metrics : DataFrame
        As `Comparison.table` returns it.
    option : str
        The option, as `--sweep` names it.
    """
    key = option.partition("=")[0].strip()
    names = list(dict.fromkeys(metrics["metric"]))
    values = [label.rpartition(f"{key}=")[2].rstrip(")") for label in dict.fromkeys(metrics["edition"])]
    figure, axes = drawing.small_multiples(len(names), f"What changes with {key}", share_y=False)
    for ax, name in zip(axes, names, strict=False):
        own = metrics[metrics["metric"] == name]
        ax.errorbar(
            np.arange(len(values)), own["value"], yerr=drawing.bars(own.rename(columns=_ENDS), "value"), fmt="o-",
            color=COLOURS[0], markersize=4, linewidth=1.2, capsize=2,
        )  # fmt: skip
        if own["unit"].iloc[0] == "share":
            drawing.percent(ax)
        unit = own["unit"].iloc[0]
        ax.set_title(name if unit in ("share", "ratio") else f"{name}, {unit}", fontsize=8)
        ax.set_xticks(np.arange(len(values)), values)
    figure.supxlabel(key, fontsize=9)
    return axes[0]


_ENDS = {"low": "value_low", "high": "value_high"}


def draw_curves(metrics: pd.DataFrame, option: str, path: Path) -> None:
    """Write the curves of a sweep as a PNG file."""
    ax = plot_curves(metrics, option)
    with whole_file(path, "wb") as file, drawing.style():
        drawing.figure_of(ax).savefig(file, format="png", dpi=120)
