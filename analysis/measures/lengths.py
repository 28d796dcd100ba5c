"""How many cards are put up until a round ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from modernart.analysis.measures.drawing import (
    COLOURS,
    MARKERS,
    bars,
    from_zero,
    legend_below,
    new_axes,
    percent,
    styled,
    whole_numbers,
)
from modernart.analysis.measures.measure import CASE, Column, Drawing, Measure, Table, Tables
from modernart.analysis.measures.tables import cases, seen, shares, total
from modernart.simulator.jit import kernel
from modernart.simulator.tallies import Layout, Size, Tally, sizes_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Cards put up in a round are told apart up to this number.
MAX_CARDS_UP = 64

LENGTHS = Layout("lengths", {"round": Size.ROUNDS, "cards_up": MAX_CARDS_UP + 1}, ("rounds",))
add_length = LENGTHS.adder()


@kernel
def count_lengths(game, cells):
    """Count the cards put up in every round."""
    sizes = sizes_of(game)
    for r in range(sizes[1]):
        add_length(cells, sizes, (r, min(np.int64(game.rounds[r].n_up), MAX_CARDS_UP)), (1,))


def make_lengths(tables: Tables) -> pd.DataFrame:
    """Return one row a round and number of cards put up in it."""
    rounds = tables.run.tallies.sums("lengths")["rounds"]
    of_all = np.broadcast_to(rounds.sum(axis=-1, keepdims=True), rounds.shape)
    axes = {"round": range(1, tables.run.rules.rounds + 1), "cards_up": range(MAX_CARDS_UP + 1)}
    frame = pd.DataFrame(
        {**cases(axes), "rounds": total(rounds), **shares("share", rounds, of_all, per_block=tables.run.rules.players)}
    )
    return seen(frame, "rounds")


@styled
def plot_lengths(lengths: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how many cards are put up in a round."""
    ax = ax or new_axes()
    for i, round_number in enumerate(sorted(lengths["round"].unique())):
        own = lengths[lengths["round"] == round_number]
        ax.errorbar(
            own["cards_up"],
            own["share"],
            yerr=bars(own, "share"),
            color=COLOURS[i],
            marker=MARKERS[i],
            markersize=3.5,
            linewidth=1.2,
            label=f"round {round_number}",
        )
    percent(ax)
    whole_numbers(ax)
    from_zero(ax)
    is_open = lengths["cards_up"].max() == MAX_CARDS_UP
    ax.set_xlabel("cards put up in the round" + (f" ({MAX_CARDS_UP} = or more)" if is_open else ""))
    ax.set_ylabel("share of rounds")
    ax.set_title("How long rounds last")
    legend_below(ax, 4)
    return ax


MEASURE = Measure(
    name="lengths",
    section="Market",
    order=2,
    tallies=(Tally(LENGTHS, count_lengths),),
    tables=(
        Table(
            "lengths",
            "a round and a number of cards put up in it",
            {
                "round": Column("number of the round, from 1", evidence=CASE),
                "cards_up": Column(f"cards put up or turned up; {MAX_CARDS_UP} or more are one", "cards", CASE),
                "rounds": Column("such rounds", "rounds"),
                "share": Column("their share of all rounds of that number", "share", interval=True),
            },
            make_lengths,
        ),
    ),
    drawings=(
        Drawing(
            "lengths",
            "lengths",
            lambda tables: plot_lengths(tables["lengths"]),
            "Observed: cards put up until the round ended.",
        ),
    ),
)
