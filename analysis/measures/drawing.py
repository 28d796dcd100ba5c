"""Figures: a table in, an Axes out, with no state of pyplot. The style holds inside these functions alone.

Every function takes an optional `ax`; without one it makes a figure of its own, sized to be read on a phone.
matplotlib is loaded when the first figure is drawn: every run imports this file, few draw.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Size in inches: at 9 points it stays legible at the width of a phone.
WIDTH = 4.8
HEIGHT = 3.3

#: A cycle that people with colour-blindness can tell apart (Petroff 2021, ten colours).
COLOURS = (
    "#3f90da",
    "#ffa90e",
    "#bd1f01",
    "#94a4a2",
    "#832db6",
    "#a96b59",
    "#e76300",
    "#b9ac70",
    "#717581",
    "#92dadd",
)
MARKERS = "osD^vPX*<>"
INK = "#222222"
PALE = "#b8b8b8"

_STYLE = {
    "font.size": 9,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.7,
    "svg.hashsalt": "modernart",
    "svg.fonttype": "path",
}


@contextlib.contextmanager
def style() -> Iterator[None]:
    """Hold the style of all figures for the length of a block."""
    import matplotlib as mpl
    from cycler import cycler

    with mpl.rc_context({**_STYLE, "axes.prop_cycle": cycler(color=COLOURS)}):
        yield


def styled(function: Callable[..., Axes]) -> Callable[..., Axes]:
    """Return a drawing function that draws in this project's style."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Axes:
        with style():
            return function(*args, **kwargs)

    return wrapper


def new_axes(height: float = HEIGHT, width: float = WIDTH) -> Axes:
    """Return the Axes of a new figure."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained").subplots()


def add_note(ax: Axes, text: str) -> None:
    """Write below a figure what it was made from: games, seed, source."""
    with style():
        ax.figure.supxlabel(text, fontsize=6.5, color="#555555", x=0.01, ha="left")


def look_of(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return colour and marker of each strategy, the same in all figures of a run."""
    return {
        name: {"color": COLOURS[i % len(COLOURS)], "marker": MARKERS[(i + i // len(COLOURS)) % len(MARKERS)]}
        for i, name in enumerate(names)
    }


def bars(frame: pd.DataFrame, column: str) -> np.ndarray:
    """Return the two arms of error bars."""
    mean = frame[column].to_numpy(float)
    arms = np.vstack([mean - frame[f"{column}_low"], frame[f"{column}_high"] - mean])
    return np.nan_to_num(np.maximum(arms, 0.0))


def short(name: str, most: int = 22) -> str:
    """Return a name cut to a length."""
    return name if len(name) <= most else f"{name[: most - 1]}…"


def height_for(n: int) -> float:
    """Return the height in inches of a figure with `n` rows."""
    return max(2.0, 1.25 + 0.26 * n)


def percent(ax: Axes, axis: str = "y") -> None:
    """Write the ticks of an axis as percentages."""
    from matplotlib.ticker import FuncFormatter

    formatter = FuncFormatter(lambda value, _: f"{100 * value:g}%")
    getattr(ax, f"{axis}axis").set_major_formatter(formatter)


def legend_below(ax: Axes, columns: int = 3) -> None:
    """Put the legend below the axes, if there is anything to explain."""
    if not ax.get_legend_handles_labels()[1]:
        return
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=columns, columnspacing=1.0, handletextpad=0.4)


def whole_numbers(ax: Axes) -> None:
    """Put ticks of the horizontal axis at whole numbers."""
    from matplotlib.ticker import MaxNLocator

    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def small_multiples(n: int, height: float = 2.2) -> tuple[Figure, np.ndarray]:
    """Return a figure of `n` panels in two columns, and its panels."""
    from matplotlib.figure import Figure

    columns = min(n, 2)
    rows = -(-n // columns)
    figure = Figure(figsize=(WIDTH, height * rows + 0.5), layout="constrained")
    axes = figure.subplots(rows, columns, sharey=True, sharex=True, squeeze=False).ravel()
    for spare in axes[n:]:
        spare.set_visible(False)
    return figure, axes


@styled
def plot_heatmap(
    frame: pd.DataFrame,
    rows: str,
    columns: str,
    value: str,
    title: str,
    row_label: str,
    column_label: str,
    ax: Axes | None = None,
) -> Axes:
    """Draw win shares by pairs, each cell against its row's mean: blue above, orange below."""
    names = list(dict.fromkeys(frame[rows]))
    others = list(dict.fromkeys([*names, *frame[columns]]))
    grid = frame.pivot(index=rows, columns=columns, values=value).reindex(index=names, columns=others)
    values = grid.to_numpy(float)
    n = max(len(others), 1)
    ax = ax or new_axes(max(2.6, 1.5 + 0.33 * n))
    with np.errstate(invalid="ignore"):
        relative = (
            values - np.nanmean(np.where(np.isnan(values).all(axis=1, keepdims=True), 0, values), axis=1)[:, None]
        )
    most = max(float(np.nanmax(np.abs(relative), initial=0.0)), 0.01)
    image = ax.imshow(relative, cmap="PuOr", vmin=-1.6 * most, vmax=1.6 * most, aspect="auto")
    size = 8 if n <= 6 else 6.5 if n <= 10 else 5
    for i in range(len(names)):
        for j in range(len(others)):
            if not np.isnan(values[i, j]):
                ax.text(j, i, f"{100 * values[i, j]:.1f}", ha="center", va="center", fontsize=size, color=INK)
    ax.set_xticks(range(len(others)), [short(name, 16) for name in others], rotation=30, ha="right")
    ax.set_yticks(range(len(names)), [short(name, 18) for name in names])
    ax.grid(visible=False)
    ax.set_xlabel(column_label)
    ax.set_ylabel(row_label)
    ax.set_title(title)
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.8, pad=0.02)
    bar.ax.yaxis.set_major_formatter(lambda value, _: f"{100 * value:+.0f}")
    bar.ax.tick_params(labelsize=7)
    bar.set_label("points from row mean", fontsize=7)
    return ax


@styled
def plot_stacked(
    frame: pd.DataFrame, x: str, part: str, share: str, title: str, xlabel: str, ylabel: str, ax: Axes | None = None
) -> Axes:
    """Draw shares that sum to one as stacked bars."""
    grid = frame.pivot(index=x, columns=part, values=share).fillna(0.0)
    grid = grid[[name for name in dict.fromkeys(frame[part])]]
    ax = ax or new_axes(2.9)
    bottom = np.zeros(len(grid))
    positions = np.arange(len(grid))
    for i, name in enumerate(grid.columns):
        heights = grid[name].to_numpy(float)
        ax.bar(
            positions,
            heights,
            bottom=bottom,
            width=0.7,
            color=COLOURS[i % len(COLOURS)],
            label=str(name),
            edgecolor="white",
            linewidth=0.8,
        )
        for position, height, base in zip(positions, heights, bottom, strict=True):
            if height >= 0.07:
                ax.text(
                    float(position),
                    base + height / 2,
                    f"{height:.0%}",
                    ha="center",
                    va="center",
                    fontsize=7.5,
                    color="white",
                    fontweight="bold",
                )
        bottom += heights
    ax.set_xticks(positions, [str(label) for label in grid.index])
    ax.set_ylim(0, 1)
    ax.grid(visible=False, axis="x")
    percent(ax)
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    ax.set_title(title)
    legend_below(ax)
    return ax


@styled
def plot_lines(
    frame: pd.DataFrame, x: str, columns: dict[str, str], title: str, xlabel: str, ylabel: str, ax: Axes | None = None
) -> Axes:
    """Draw several measures, each with its interval, along one axis; `columns` gives each its label."""
    ax = ax or new_axes()
    for i, (column, label) in enumerate(columns.items()):
        ax.errorbar(
            frame[x],
            frame[column],
            yerr=bars(frame, column),
            marker=MARKERS[i],
            color=COLOURS[i],
            capsize=2,
            linewidth=1.3,
            markersize=4,
            label=label,
        )
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    if all(column.startswith("win_share") for column in columns):
        percent(ax)
    ax.set_title(title)
    whole_numbers(ax)
    legend_below(ax)
    return ax


@styled
def plot_effects(
    frame: pd.DataFrame, labels: Sequence[str], value: str, title: str, xlabel: str, ax: Axes | None = None
) -> Axes:
    """Draw effects with their intervals, one a row, against the line of no effect."""
    ax = ax or new_axes(height_for(len(frame)))
    y = np.arange(len(frame))[::-1]
    ax.axvline(0.0, color=INK, linewidth=1, linestyle="--")
    ax.errorbar(frame[value], y, xerr=bars(frame, value), fmt="o", color=COLOURS[0], capsize=2.5, markersize=4.5)
    ax.set_yticks(y, [short(text, 34) for text in labels])
    ax.set_ylim(-0.6, len(frame) - 0.4)
    ax.set_xlabel(xlabel)
    ax.set_title(title)
    return ax
