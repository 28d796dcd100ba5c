"""Figures: a table in, an Axes out. No state of pyplot; style holds inside this module alone.

Every function takes an optional `ax`; without one it makes a figure of its own, sized to be read on a phone.
"""

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

#: Size in inches: at 9 points it stays legible at the width of a phone.
WIDTH = 4.8
HEIGHT = 3.3

#: A cycle that people with colour-blindness can tell apart (Petroff 2021).
COLOURS = mpl.color_sequences["petroff10"]
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
    "axes.prop_cycle": mpl.cycler(color=COLOURS),
    "svg.hashsalt": "modernart",
    "svg.fonttype": "path",
}


@contextlib.contextmanager
def style() -> Iterator[None]:
    """Hold the style of all figures for the length of a block."""
    with mpl.rc_context(_STYLE):
        yield


def _styled(function: Callable[..., Axes]) -> Callable[..., Axes]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Axes:
        with style():
            return function(*args, **kwargs)

    return wrapper


def new_axes(height: float = HEIGHT, width: float = WIDTH) -> Axes:
    """Return the Axes of a new figure."""
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


def _bars(frame: pd.DataFrame, column: str) -> np.ndarray:
    """Return the two arms of error bars."""
    mean = frame[column].to_numpy(float)
    arms = np.vstack([mean - frame[f"{column}_low"], frame[f"{column}_high"] - mean])
    return np.nan_to_num(np.maximum(arms, 0.0))


def _short(name: str, most: int = 22) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _height_for(n: int) -> float:
    return max(2.0, 1.25 + 0.26 * n)


def _percent(ax: Axes, axis: str = "y") -> None:
    formatter = mpl.ticker.FuncFormatter(lambda value, _: f"{100 * value:g}%")
    getattr(ax, f"{axis}axis").set_major_formatter(formatter)


@_styled
def plot_win_shares(ranking: pd.DataFrame, fair: float, ax: Axes | None = None) -> Axes:
    """Draw win share and interval of each strategy, best on top, with the line of equals."""
    ax = ax or new_axes(_height_for(len(ranking)))
    y = np.arange(len(ranking))[::-1]
    ax.axvline(fair, color=INK, linewidth=1, linestyle="--")
    ax.errorbar(ranking["win_share"], y, xerr=_bars(ranking, "win_share"), fmt="o", color=COLOURS[0], capsize=3)
    right = float(np.nanmax([ranking["win_share_high"].max(), ranking["win_share"].max(), fair]))
    for row, height in zip(ranking.itertuples(), y, strict=True):
        ax.annotate(
            f"{row.win_share:.1%}",
            (np.nanmax([row.win_share_high, row.win_share]), height),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
        )
    ax.set_yticks(y, [_short(name) for name in ranking["strategy"]])
    ax.set_xlim(left=min(0.0, ranking["win_share"].min()), right=right * 1.2)
    ax.set_ylim(-0.6, len(ranking) - 0.4)
    _percent(ax, "x")
    ax.set_xlabel(f"win share a seat (dashed: equals, {fair:.1%}); bars: 95% interval")
    ax.set_title("Who wins")
    return ax


@_styled
def plot_ratings(ratings: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the Plackett-Luce rating and interval of each strategy, best on top."""
    ax = ax or new_axes(_height_for(len(ratings)))
    y = np.arange(len(ratings))[::-1]
    ax.errorbar(ratings["rating"], y, xerr=_bars(ratings, "rating"), fmt="D", color=COLOURS[1], capsize=3, markersize=5)
    ax.set_yticks(y, [_short(name) for name in ratings["strategy"]])
    ax.set_ylim(-0.6, len(ratings) - 0.4)
    ax.set_xlabel("rating; 400 points = ten times as likely to win")
    ax.set_title("Plackett-Luce ratings")
    return ax


@_styled
def plot_money(quantiles: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the spread of final money: middle half as a bar, 5 to 95 % as a line, the median as a dot."""
    ax = ax or new_axes(_height_for(len(quantiles)))
    frame = quantiles.sort_values("q50%", ignore_index=True)
    for y, row in enumerate(frame.to_dict("records")):
        ax.hlines(y, row["q5%"], row["q95%"], color=COLOURS[0], linewidth=1.2)
        ax.hlines(y, row["q25%"], row["q75%"], color=COLOURS[0], linewidth=7, alpha=0.45)
        ax.plot(row["q50%"], y, "o", color=INK, markersize=5)
    ax.set_yticks(range(len(frame)), [_short(name) for name in frame["strategy"]])
    ax.set_ylim(-0.6, len(frame) - 0.4)
    ax.set_xlabel("final money; dot: median, bar: middle half, line: 5 to 95%")
    ax.set_title("How much money they end with")
    return ax


@_styled
def plot_seats(seats: pd.DataFrame, fair: float, ax: Axes | None = None) -> Axes:
    """Draw each strategy's win share by seat."""
    names = list(dict.fromkeys(seats["strategy"]))
    ax = ax or new_axes(HEIGHT + 0.15 * max(0, len(names) - 6))
    looks = look_of(names)
    for i, name in enumerate(names):
        own = seats[seats["strategy"] == name]
        shift = 0.06 * (i - (len(names) - 1) / 2)
        ax.errorbar(
            own["seat"] + shift,
            own["win_share"],
            yerr=_bars(own, "win_share"),
            linewidth=1.2,
            markersize=4,
            capsize=2,
            label=_short(name),
            **looks[name],
        )
    ax.axhline(fair, color=INK, linewidth=1, linestyle="--")
    ax.set_xticks(sorted(seats["seat"].unique()))
    ax.set_xlabel("seat in the first round; 1 = starter")
    ax.set_ylabel("win share")
    ax.set_ylim(bottom=0)
    _percent(ax)
    ax.set_title("Does the seat matter?")
    _legend_below(ax)
    return ax


@_styled
def plot_seat_effect(effect: pd.DataFrame, fair: float, ax: Axes | None = None) -> Axes:
    """Draw the win share of each seat over all strategies."""
    ax = ax or new_axes(2.6)
    ax.errorbar(
        effect["seat"],
        effect["win_share"],
        yerr=_bars(effect, "win_share"),
        fmt="o-",
        color=COLOURS[0],
        capsize=3,
        linewidth=1.2,
    )
    ax.axhline(fair, color=INK, linewidth=1, linestyle="--")
    ax.set_xticks(effect["seat"])
    ax.margins(y=0.25)
    _percent(ax)
    ax.set_xlabel("seat in the first round; 1 = starter (dashed: no effect)")
    ax.set_ylabel("win share, all strategies")
    ax.set_title("The seat alone")
    return ax


def _legend_below(ax: Axes, columns: int = 3) -> None:
    if not ax.get_legend_handles_labels()[1]:
        return
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=columns, columnspacing=1.0, handletextpad=0.4)


@_styled
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
    ax.set_xticks(range(len(others)), [_short(name, 16) for name in others], rotation=30, ha="right")
    ax.set_yticks(range(len(names)), [_short(name, 18) for name in names])
    ax.grid(visible=False)
    ax.set_xlabel(column_label)
    ax.set_ylabel(row_label)
    ax.set_title(title)
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.8, pad=0.02)
    bar.ax.yaxis.set_major_formatter(mpl.ticker.FuncFormatter(lambda value, _: f"{100 * value:+.0f}"))
    bar.ax.tick_params(labelsize=7)
    bar.set_label("points from row mean", fontsize=7)
    return ax


@_styled
def plot_leaders(leaders: pd.DataFrame, fair: float, ax: Axes | None = None) -> Axes:
    """Draw how often the leader after each round goes on to win."""
    ax = ax or new_axes(2.6)
    ax.errorbar(
        leaders["round"], leaders["win_share"], yerr=_bars(leaders, "win_share"), fmt="o-", color=COLOURS[0], capsize=3
    )
    for row in leaders.itertuples():
        ax.annotate(
            f"{row.win_share:.0%}",
            (row.round, row.win_share),
            xytext=(0, 6),
            textcoords="offset points",
            ha="center",
            fontsize=8,
        )
    ax.axhline(fair, color=INK, linewidth=1, linestyle="--")
    ax.set_xticks(leaders["round"])
    ax.set_ylim(0, 1.15)
    _percent(ax)
    ax.set_xlabel("leader after round (dashed: no better than chance)")
    ax.set_ylabel("wins the game")
    ax.set_title("How often the leader wins")
    return ax


@_styled
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
                    position,
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
    _percent(ax)
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    ax.set_title(title)
    _legend_below(ax)
    return ax


@_styled
def plot_lines(
    frame: pd.DataFrame, x: str, columns: dict[str, str], title: str, xlabel: str, ylabel: str, ax: Axes | None = None
) -> Axes:
    """Draw several measures, each with its interval, along one axis; `columns` gives each its label."""
    ax = ax or new_axes()
    for i, (column, label) in enumerate(columns.items()):
        ax.errorbar(
            frame[x],
            frame[column],
            yerr=_bars(frame, column),
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
        _percent(ax)
    ax.set_title(title)
    ax.xaxis.set_major_locator(mpl.ticker.MaxNLocator(integer=True))
    _legend_below(ax)
    return ax


@_styled
def plot_ledger(ledger: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw price and realised value of a lot by kind and form: the gap is the buyer's profit."""
    frame = ledger.sort_values(["form", "kind"], ignore_index=True)
    ax = ax or new_axes(_height_for(len(frame)))
    y = np.arange(len(frame))[::-1]
    ax.hlines(y, frame["price"], frame["value"], color=PALE, linewidth=2)
    ax.errorbar(frame["price"], y, xerr=_bars(frame, "price"), fmt="o", color=COLOURS[0], markersize=4.5, label="price")
    ax.errorbar(
        frame["value"], y, xerr=_bars(frame, "value"), fmt="D", color=COLOURS[1], markersize=4.5, label="realised value"
    )
    ax.set_yticks(y, [f"{row.kind}, {row.form}" for row in frame.itertuples()])
    ax.set_ylim(-0.6, len(frame) - 0.4)
    ax.set_xlim(left=0)
    ax.set_xlabel("money a lot; the gap is the buyer's profit")
    ax.set_title("What lots cost and pay")
    ax.legend(loc="lower right", ncols=1)
    return ax


@_styled
def plot_price_ratio(ledger: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw price over realised value by kind and form; above one, buyers lost money."""
    frame = ledger[ledger["value"] > 0].sort_values("price_to_value", ignore_index=True)
    ax = ax or new_axes(_height_for(len(frame)))
    y = np.arange(len(frame))
    ax.errorbar(
        frame["price_to_value"],
        y,
        xerr=_bars(frame, "price_to_value"),
        fmt="o",
        color=COLOURS[2],
        capsize=3,
        markersize=4.5,
    )
    ax.axvline(1.0, color=INK, linewidth=1, linestyle="--")
    ax.set_yticks(y, [f"{row.kind}, {row.form}" for row in frame.itertuples()])
    ax.set_ylim(-0.6, len(frame) - 0.4)
    ax.set_xlabel("price / realised value (dashed: buyers break even)")
    ax.set_title("Which sale is dear")
    return ax


@_styled
def plot_curve(curve: pd.DataFrame, n_least: int = 1, ax: Axes | None = None) -> Axes:
    """Draw realised value against price by kind; below the diagonal buyers lost: the winner's curse."""
    ax = ax or new_axes()
    shown = curve[(curve["lots"] >= n_least) & (curve["price"] > 0)]
    kinds = list(dict.fromkeys(shown["kind"]))
    for i, kind in enumerate(kinds):
        own = shown[shown["kind"] == kind]
        ax.errorbar(
            own["price"],
            own["value"],
            yerr=_bars(own, "value"),
            color=COLOURS[i],
            marker=MARKERS[i],
            markersize=3.5,
            linewidth=1.1,
            capsize=1.5,
            label=kind,
        )
    most = float(shown["price"].max()) if len(shown) else 1.0
    ax.plot([0, most], [0, most], color=INK, linewidth=1, linestyle="--")
    ax.set_xlim(0, most * 1.03)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("price paid (dashed: value = price)")
    ax.set_ylabel("value at the round's end")
    ax.set_title("The winner's curse")
    _legend_below(ax)
    return ax


def _small_multiples(n: int, height: float = 2.2) -> tuple[Figure, np.ndarray]:
    columns = min(n, 2)
    rows = -(-n // columns)
    figure = Figure(figsize=(WIDTH, height * rows + 0.5), layout="constrained")
    axes = figure.subplots(rows, columns, sharey=True, sharex=True, squeeze=False).ravel()
    for spare in axes[n:]:
        spare.set_visible(False)
    return figure, axes


@_styled
def plot_prices(prices: pd.DataFrame, n_least: int = 1) -> Axes:
    """Draw the price of a painting by cards out, a panel a round, a line an artist; returns the first panel."""
    shown = prices[prices["lots"] >= n_least]
    rounds = sorted(shown["round"].unique())
    figure, axes = _small_multiples(max(len(rounds), 1))
    artists = list(dict.fromkeys(prices["artist"]))
    for ax, round_number in zip(axes, rounds, strict=False):
        for i, artist in enumerate(artists):
            own = shown[(shown["round"] == round_number) & (shown["artist"] == artist)]
            ax.errorbar(
                own["cards_out"],
                own["price"],
                yerr=_bars(own, "price"),
                color=COLOURS[i],
                marker=MARKERS[i],
                markersize=3.5,
                linewidth=1.1,
                label=artist,
            )
        ax.set_title(f"round {round_number}")
        ax.xaxis.set_major_locator(mpl.ticker.MaxNLocator(integer=True))
    figure.supylabel("price of a painting", fontsize=9)
    axes[min(len(rounds), len(axes)) - 1].set_xlabel("his cards out, this lot included")
    if rounds:
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=5)
    return axes[0]


@_styled
def plot_market(market: pd.DataFrame) -> Axes:
    """Draw how often each artist takes each rank, a panel a round; returns the first panel."""
    rounds = sorted(market["round"].unique())
    figure, axes = _small_multiples(len(rounds), 1.9)
    artists = list(dict.fromkeys(market["artist"]))
    ranks = [rank for rank in sorted(market["rank"].unique()) if rank > 0]
    for ax, round_number in zip(axes, rounds, strict=False):
        bottom = np.zeros(len(artists))
        for i, rank in enumerate(ranks):
            own = market[(market["round"] == round_number) & (market["rank"] == rank)].set_index("artist")["share"]
            heights = np.nan_to_num(own.reindex(artists).to_numpy(float))
            ax.bar(
                range(len(artists)),
                heights,
                bottom=bottom,
                color=COLOURS[i],
                width=0.75,
                label=f"rank {rank}",
                edgecolor="white",
                linewidth=0.6,
            )
            bottom += heights
        ax.set_xticks(range(len(artists)), artists)
        ax.set_title(f"round {round_number}")
        ax.set_ylim(0, 1)
        ax.grid(visible=False, axis="x")
        _percent(ax)
    figure.supylabel("share of rounds", fontsize=9)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=5)
    return axes[0]


@_styled
def plot_lengths(lengths: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how many cards are put up in a round."""
    ax = ax or new_axes()
    for i, round_number in enumerate(sorted(lengths["round"].unique())):
        own = lengths[lengths["round"] == round_number]
        ax.errorbar(
            own["cards_up"],
            own["share"],
            yerr=_bars(own, "share"),
            color=COLOURS[i],
            marker=MARKERS[i],
            markersize=3.5,
            linewidth=1.2,
            label=f"round {round_number}",
        )
    _percent(ax)
    ax.xaxis.set_major_locator(mpl.ticker.MaxNLocator(integer=True))
    ax.set_xlabel("cards put up in the round")
    ax.set_ylabel("share of rounds")
    ax.set_title("How long rounds last")
    _legend_below(ax, 4)
    return ax


@_styled
def plot_luck(luck: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the shares of the variance of money, largest on top."""
    frame = luck.sort_values("share", ignore_index=True)
    ax = ax or new_axes(_height_for(len(frame)))
    y = np.arange(len(frame))
    ax.barh(y, frame["share"], color=COLOURS[0], height=0.6, alpha=0.75)
    ax.errorbar(frame["share"], y, xerr=_bars(frame, "share"), fmt="none", ecolor=INK, capsize=3)
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
    _percent(ax, "x")
    ax.set_xlabel("share of the variance of final money; bars: 95% interval")
    ax.set_title("Luck against skill")
    return ax


@_styled
def plot_effects(
    frame: pd.DataFrame, labels: Sequence[str], value: str, title: str, xlabel: str, ax: Axes | None = None
) -> Axes:
    """Draw effects with their intervals, one a row, against the line of no effect."""
    ax = ax or new_axes(_height_for(len(frame)))
    y = np.arange(len(frame))[::-1]
    ax.axvline(0.0, color=INK, linewidth=1, linestyle="--")
    ax.errorbar(frame[value], y, xerr=_bars(frame, value), fmt="o", color=COLOURS[0], capsize=2.5, markersize=4.5)
    ax.set_yticks(y, [_short(text, 34) for text in labels])
    ax.set_ylim(-0.6, len(frame) - 0.4)
    ax.set_xlabel(xlabel)
    ax.set_title(title)
    return ax
