"""Figures: a table in, an Axes out, with no state of pyplot. The style holds inside these functions alone.

Every function takes an optional `ax`; without one it makes a figure of its own, sized to be read on a phone.
matplotlib is loaded when the first figure is drawn: every run imports this file, few draw.
"""

from __future__ import annotations

import contextlib
import functools
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from modernart.analysis.measures.looks import COLOURS, INK, MARKERS, looks_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox

#: Size in inches: at 9 points it stays legible at the width of a phone.
WIDTH = 4.8
HEIGHT = 3.3

#: Ink on coloured cells, which stay as they are where a page is dark.
ON_COLOUR = "#1a1a1a"
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
    # A label that is longer than the axes is wide then runs out to the left, where names leave room.
    "xaxis.labellocation": "right",
    "svg.hashsalt": "modernart",
    # Text stays text: it can be selected, and the browser has glyphs for every script.
    "svg.fonttype": "none",
}

#: Fonts with Chinese, Japanese and Korean glyphs, tried in turn for what the font of the figures lacks.
_CJK_FONTS = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans SC",
    "Source Han Sans SC",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "Droid Sans Fallback",
    "Microsoft YaHei",
    "PingFang SC",
    "Hiragino Sans",
    "Arial Unicode MS",
)

#: What stands at a point of a figure, in words: for pages that show it under the pointer.
#: By Axes, a list of x, y, width, height (in data units; 0 for a dot) and words.
_WORDS: weakref.WeakKeyDictionary[Axes, list[tuple[float, float, float, float, str]]] = weakref.WeakKeyDictionary()


@contextlib.contextmanager
def style() -> Iterator[None]:
    """Hold the style of all figures for the length of a block."""
    import matplotlib as mpl
    from cycler import cycler

    fonts = {"font.family": ["DejaVu Sans", *_installed_cjk_fonts()]}
    with mpl.rc_context({**_STYLE, **fonts, "axes.prop_cycle": cycler(color=COLOURS)}):
        yield


@functools.cache
def _installed_cjk_fonts() -> tuple[str, ...]:
    from matplotlib.font_manager import fontManager

    there = set(fontManager.get_font_names())
    return tuple(name for name in _CJK_FONTS if name in there)


def put_words(ax: Axes, x: float, y: float, words: str, width: float = 0.0, height: float = 0.0) -> None:
    """Note what stands at a point of a figure, or in a cell around it, for pages that show it under the pointer."""
    _WORDS.setdefault(ax, []).append((x, y, width, height, words))


def words_at(ax: Axes) -> list[tuple[float, float, float, float, str]]:
    """Return what `put_words` noted."""
    return _WORDS.get(ax, [])


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


def add_note(ax: Axes, text: str) -> Bbox:
    """Write below a figure what it was made from: games, seed, source.

    Returns
    -------
    Bbox
        Figure and note with a margin, for `savefig(bbox_inches=...)`. The layout must have been found, so that all else
        lies within the figure; "tight" would draw the whole figure once more to see.
    """
    from matplotlib.transforms import Bbox

    figure = figure_of(ax)
    with style():
        for legend in figure.legends:
            # By default a legend follows the edge of the picture, which the note moves down.
            legend.set_bbox_to_anchor((0.0, 0.0, 1.0, 1.0), figure.transFigure)
        note = figure.text(0.01, -0.01, text, fontsize=6.5, color="#555555", ha="left", va="top")
        below = note.get_window_extent().transformed(figure.dpi_scale_trans.inverted())
    return Bbox.union([figure.bbox_inches, below]).padded(0.1)


def bars(frame: pd.DataFrame, column: str) -> np.ndarray:
    """Return the two arms of error bars."""
    mean = frame[column].to_numpy(float)
    arms = np.vstack([mean - frame[f"{column}_low"], frame[f"{column}_high"] - mean])
    return np.nan_to_num(np.maximum(arms, 0.0))


def short(name: str, most: int = 40) -> str:
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
    setattr(ax, f"fmt_{axis}data", lambda value: f"{value:.1%}")


def from_zero(ax: Axes, axis: str = "y") -> None:
    """Begin an axis a little below 0, so that markers at 0 are whole."""
    low, high = getattr(ax, f"get_{axis}lim")()
    getattr(ax, f"set_{axis}lim")(min(-0.03 * high, low if low < 0 else 0.0), high)


def values_at_right(ax: Axes, values: Sequence[str], heights: np.ndarray) -> None:
    """Write a value beside each row, in a column right of the axes, where no line strikes it."""
    for text, height in zip(values, heights, strict=True):
        ax.annotate(
            text,
            (1.0, height),
            xycoords=("axes fraction", "data"),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            annotation_clip=False,
        )


def open_last(ax: Axes, last: int) -> None:
    """Write the last whole number of the horizontal axis as a class without end: `6+`."""
    ax.set_xticks(range(last + 1), [*map(str, range(last)), f"{last}+"])


def legend_below(ax: Axes, columns: int = 3) -> None:
    """Put the legend below the axes, if there is anything to explain."""
    handles, labels = ax.get_legend_handles_labels()
    if labels:
        figure_of(ax).legend(
            handles, labels, loc="outside lower left", ncols=columns, columnspacing=1.0, handletextpad=0.4
        )


def figure_of(ax: Axes) -> Figure:
    """Return the figure that axes belong to."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    return figure


def strategies_as_rows(ax: Axes, frame: pd.DataFrame, column: str) -> np.ndarray:
    """Draw a number and its interval for each strategy, one a row, the first on top; returns the heights."""
    names = list(frame["strategy"])
    looks = looks_of(names)
    heights = np.arange(len(names))[::-1]
    colours = [looks[name]["color"] for name in names]
    ax.errorbar(frame[column], heights, xerr=bars(frame, column), fmt=" ", ecolor=colours, elinewidth=2)
    for x, y, name in zip(frame[column], heights, names, strict=True):
        ax.plot(x, y, linestyle="none", markersize=5.5, label="_", **looks[name])
    name_rows(ax, heights, names)
    return heights


def name_rows(ax: Axes, heights: np.ndarray, names: Sequence[str]) -> None:
    """Write the names of rows, each whole row with as much room."""
    ax.set_yticks(heights, [short(name) for name in names])
    ax.set_ylim(-0.6, len(names) - 0.4)


def whole_numbers(ax: Axes) -> None:
    """Put ticks of the horizontal axis at whole numbers."""
    from matplotlib.ticker import MaxNLocator

    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def small_multiples(n: int, title: str, height: float = 2.2, share_y: bool = True) -> tuple[Figure, np.ndarray]:
    """Return a figure of `n` panels in two columns, with a title over all, and its panels."""
    from matplotlib.figure import Figure

    columns = min(n, 2)
    rows = -(-n // columns)
    figure = Figure(figsize=(WIDTH, height * rows + 0.5), layout="constrained")
    axes = figure.subplots(rows, columns, sharey=share_y, sharex=True, squeeze=False).ravel()
    figure.suptitle(title, x=0.02, ha="left", fontsize=9.5, fontweight="bold")
    for spare in axes[n:]:
        spare.set_visible(False)
    return figure, axes


def relative_to_rows(grid: pd.DataFrame) -> np.ndarray:
    """Return each cell less the mean of its row; NaN where there is no cell."""
    values = grid.to_numpy(float)
    here = ~np.isnan(values)
    rows = np.where(here, values, 0).sum(axis=1) / np.maximum(here.sum(axis=1), 1)
    return values - rows[:, None]


@styled
def plot_heatmap(
    grid: pd.DataFrame,
    title: str,
    row_label: str,
    column_label: str,
    most: float,
    words: Callable[[str, str, float], str],
    ax: Axes | None = None,
) -> Axes:
    """Draw win shares by pairs, each cell against its row's mean: purple above, orange below.

    Parameters
    ----------
    grid : DataFrame
        Win shares; its index names the rows, its columns the columns.
    title, row_label, column_label : str
    most : float
        Difference from the mean of a row that has the darkest colour.
    words : callable
        Tells what a cell says, from its row, its column and its win share.
    ax : Axes, optional
    """
    names, others, values = list(map(str, grid.index)), list(map(str, grid.columns)), grid.to_numpy(float)
    n, n_rows = max(len(others), 1), max(len(names), 1)
    # From some dozen columns on, a cell keeps its size and the figure grows.
    ax = ax or new_axes(max(2.6, 1.5 + 0.27 * n_rows), max(WIDTH, 2.0 + 0.3 * n))
    most = max(most, 0.01)
    image = ax.imshow(
        relative_to_rows(grid), cmap="PuOr", vmin=-1.6 * most, vmax=1.6 * most, aspect="auto", interpolation="none"
    )
    form = "{:.1f}" if n <= 10 else "{:.0f}"
    for i, j in np.argwhere(~np.isnan(values)):
        text = form.format(100 * values[i, j])
        ax.text(j, i, text, ha="center", va="center", fontsize=8 if n <= 6 else 6.5, color=ON_COLOUR)
        put_words(ax, float(j), float(i), words(names[i], others[j], values[i, j]), 1.0, 1.0)
    is_long = max(map(len, others), default=0) > 4
    ax.set_xticks(
        range(len(others)),
        [short(name, 24) for name in others],
        rotation=40 if is_long else 0,
        ha="right" if is_long else "center",
    )
    ax.set_yticks(range(len(names)), [short(name, 24) for name in names])
    ax.grid(visible=False)
    ax.set_xlabel(column_label)
    ax.set_ylabel(row_label)
    ax.set_title(title)
    bar = figure_of(ax).colorbar(image, ax=ax, shrink=0.8, pad=0.02)
    step = next((step for step in (1, 2, 5, 10, 20) if 160 * most <= 4.5 * step), 40)
    ticks = [points for points in range(-4 * step, 4 * step + 1, step) if abs(points) <= 160 * most]
    bar.set_ticks([points / 100 for points in ticks], labels=[f"{points:+d}" if points else "0" for points in ticks])
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
            words = f"{xlabel} {grid.index[position]}, {name}: {height:.1%}"
            put_words(ax, float(position), base + height / 2, words, 0.7, height)
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
    frame: pd.DataFrame,
    x: str,
    columns: dict[str, str],
    title: str,
    xlabel: str,
    ylabel: str,
    last: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw several measures, each with its interval, along one axis.

    Parameters
    ----------
    frame : DataFrame
    x : str
        Column of the horizontal axis, whole numbers.
    columns : dict of str to str
        Columns to draw, each with its label.
    title, xlabel, ylabel : str
    last : int, optional
        The class of `x` without end, written as `6+` where it occurs.
    ax : Axes, optional
    """
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
    if last is not None and frame[x].max() == last:
        open_last(ax, last)
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
    name_rows(ax, y, labels)
    ax.set_xlabel(xlabel)
    ax.set_title(title)
    return ax
