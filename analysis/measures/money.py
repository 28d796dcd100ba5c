"""The spread of final money, debts included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from modernart.analysis.measures.drawing import height_for, name_rows, new_axes, put_words, styled
from modernart.analysis.measures.looks import looks_of
from modernart.analysis.measures.measure import CASE, DESIGNED, Column, Drawing, Measure, Table, Tables
from modernart.analysis.measures.tables import cases, seen
from modernart.simulator.counting import bit_length
from modernart.simulator.jit import kernel
from modernart.simulator.tallies import Layout, Size, Tally, sizes_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Amounts below FINE have classes of their own; from there on a class is at most 1/32 of its amounts wide.
FINE = 64
_HALF = FINE // 2
_FINE_BITS = 6
#: Classes on each side of 0: up to 2^31, more than a record of the game can hold.
N_SIDE = FINE + 25 * _HALF
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)

MONEY = Layout("final_money", {"strategy": Size.STRATEGIES, "class": 2 * N_SIDE}, ("seats",))
add_money = MONEY.adder()


@kernel(inline=True)
def class_of(money):
    """Return the class of an amount of money: 0 has N_SIDE, debts have the classes below.

    From FINE on, an amount is halved (rounded down) until it is below FINE; every halving makes classes twice as wide.
    """
    amount = abs(money)
    halvings = max(bit_length(amount) - _FINE_BITS, 0)
    place = halvings * _HALF + (amount >> halvings)
    return N_SIDE + place if money >= 0 else N_SIDE - place


@kernel
def count_money(game, cells):
    """Count the class of every seat's final money."""
    sizes = sizes_of(game)
    for seat in range(sizes[2]):
        add_money(cells, sizes, (game.who[seat], class_of(np.int64(game.table.money[seat]))), (1,))


def bounds_of(index: int) -> tuple[int, int]:
    """Return the least and the greatest amount of a class."""
    place = abs(index - N_SIDE)
    halvings = max(0, place // _HALF - 1)
    low = (place - halvings * _HALF) << halvings
    high = low + (1 << halvings) - 1
    return (low, high) if index >= N_SIDE else (-high, -low)


#: Least and greatest amount of every class but the first, which no amount has.
_BOUNDS = np.array([bounds_of(i) for i in range(1, 2 * N_SIDE)])


def make_money(tables: Tables) -> pd.DataFrame:
    """Return one row a strategy and class of final money that occurred."""
    run = tables.run
    counts = run.tallies.sums("final_money")["seats"].sum(axis=0)[:, 1:]
    frame = pd.DataFrame(
        {
            **cases({"strategy": run.names, "money_from": _BOUNDS[:, 0]}),
            "money_to": np.tile(_BOUNDS[:, 1], len(run.names)),
            "seats": counts.ravel(),
            "share": (counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)).ravel(),
        }
    )
    return seen(frame, "seats")


def quantile(counts: np.ndarray, share: float) -> float:
    """Return a quantile of amounts counted in classes, each spread evenly from its least to its greatest amount.

    Parameters
    ----------
    counts : ndarray of int, shape (2 * N_SIDE - 1,)
    share : float
    """
    wanted = share * counts.sum()
    below = np.cumsum(counts)
    i = int(np.searchsorted(below, wanted))
    low, high = _BOUNDS[i]
    return float(low + (high - low) * (wanted - below[i] + counts[i]) / counts[i])


def make_quantiles(tables: Tables, quantiles: Sequence[float] = QUANTILES) -> pd.DataFrame:
    """Return one row a strategy: quantiles of its final money."""
    counts = tables.run.tallies.sums("final_money")["seats"].sum(axis=0)[:, 1:]
    rows = [
        {"strategy": name, **{f"q{q:.0%}": quantile(own, q) if own.any() else np.nan for q in quantiles}}
        for name, own in zip(tables.run.names, counts, strict=True)
    ]
    return pd.DataFrame(rows)


@styled
def plot_money(quantiles: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the spread of final money: middle half as a bar, 5 to 95 % as a line, the median as a dot."""
    ax = ax or new_axes(height_for(len(quantiles)))
    names = list(quantiles["strategy"])
    looks, heights = looks_of(names), np.arange(len(names))[::-1]
    for y, row in zip(heights, quantiles.to_dict("records"), strict=True):
        look = looks[row["strategy"]]
        ax.hlines(y, row["q5%"], row["q95%"], color=look["color"], linewidth=1.2)
        ax.hlines(y, row["q25%"], row["q75%"], color=look["color"], linewidth=7, alpha=0.45)
        ax.plot(row["q50%"], y, markersize=5.5, **look)
        spread = ", ".join(f"{key.removeprefix('q')}: {row[key]:.0f}" for key in row if key != "strategy")
        put_words(ax, row["q50%"], float(y), f"{row['strategy']}: final money {spread}")
    name_rows(ax, heights, names)
    ax.set_xlabel("final money")
    ax.set_title("How much money they end with")
    return ax


MEASURE = Measure(
    name="money",
    section="Win rates",
    order=2,
    tallies=(Tally(MONEY, count_money),),
    tables=(
        Table(
            "money",
            "a strategy and a class of final money that occurred",
            {
                "strategy": Column("its name", evidence=CASE),
                "money_from": Column("least amount of the class; negative for debts", "money", CASE),
                "money_to": Column("greatest amount of the class", "money", CASE),
                "seats": Column("seats that ended with such an amount", "seats", DESIGNED),
                "share": Column("their share of the strategy's seats", "share", DESIGNED),
            },
            make_money,
        ),
        Table(
            "money_quantiles",
            "a strategy",
            {
                "strategy": Column("its name", evidence=CASE),
                **{
                    f"q{q:.0%}": Column(f"final money that {q:.0%} of its seats do not exceed", "money", DESIGNED)
                    for q in QUANTILES
                },
            },
            make_quantiles,
        ),
    ),
    drawings=(
        Drawing(
            "money",
            "money_quantiles",
            lambda tables: plot_money(tables.ranked(tables["money_quantiles"], "strategy")),
            "Spread of final money. Marker: median; bar: middle half; line: 5 to 95%.",
        ),
    ),
)
