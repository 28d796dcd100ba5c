"""Who gains from sitting beside whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from modernart.analysis.measures.drawing import plot_heatmap
from modernart.analysis.measures.mates import deepest_colour, grid_of
from modernart.analysis.measures.measure import CASE, DESIGNED, Column, Drawing, Measure, Table, Tables
from modernart.analysis.measures.tables import cases, most_places, seen, total, win_shares
from modernart.simulator.jit import kernel
from modernart.simulator.tallies import Layout, Per, Size, Tally, sizes_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIDES = ("left", "right")
NEIGHBOURS = Layout(
    "neighbours",
    {"side": len(SIDES), "strategy": Size.STRATEGIES, "neighbour": Size.STRATEGIES},
    ("games", "win_units"),
)
add_neighbour = NEIGHBOURS.adder()


@kernel
def count_neighbours(game, cells):
    """Count who sits left and right of every position of a block's line-up: the same in all its games."""
    sizes = sizes_of(game)
    n_seats = sizes[2]
    for i in range(n_seats):
        left = game.line_up[i + 1 if i + 1 < n_seats else 0]
        right = game.line_up[i - 1 if i > 0 else n_seats - 1]
        outcome = (n_seats, game.block_wins[i])
        add_neighbour(cells, sizes, (0, game.line_up[i], left), outcome)
        add_neighbour(cells, sizes, (1, game.line_up[i], right), outcome)


def make_neighbours(tables: Tables) -> pd.DataFrame:
    """Return one row a side, a strategy and its neighbour there."""
    run = tables.run
    sums = run.tallies.sums("neighbours")
    frame = pd.DataFrame(
        {
            **cases({"side": SIDES, "strategy": run.names, "neighbour": run.names}),
            "games": total(sums["games"]),
            **win_shares("win_share", sums["win_units"], sums["games"], run.rules.players * most_places(run)),
        }
    )
    return seen(frame, "games")


def _draw(tables: Tables, side: str) -> Axes:
    frame = tables["neighbours"]
    return plot_heatmap(
        grid_of(tables, frame[frame["side"] == side], "neighbour"),
        f"Win share by {side} neighbour, %",
        "win share of",
        f"with this one on the {side}",
        deepest_colour(tables),
        lambda name, other, share: f"{name} with {other} on the {side}: {share:.1%}",
    )


MEASURE = Measure(
    name="neighbours",
    section="Win rates",
    order=6,
    tallies=(Tally(NEIGHBOURS, count_neighbours, Per.BLOCK),),
    tables=(
        Table(
            "neighbours",
            "a side, a strategy and its neighbour there",
            {
                "side": Column("left (acts next) or right (acted before)", evidence=CASE),
                "strategy": Column("whose win share it is", evidence=CASE),
                "neighbour": Column("the strategy on that side", evidence=CASE),
                "games": Column("seats with such a neighbour", "seats", DESIGNED),
                "win_share": Column("win share of the strategy beside it", "share", DESIGNED, interval=True),
            },
            make_neighbours,
        ),
    ),
    drawings=(
        Drawing(
            "neighbours_left",
            "neighbours",
            lambda tables: _draw(tables, "left"),
            "The player on the left acts next.",
            of_several=True,
        ),
        Drawing(
            "neighbours_right",
            "neighbours",
            lambda tables: _draw(tables, "right"),
            "The player on the right acted before.",
            of_several=True,
        ),
    ),
)
