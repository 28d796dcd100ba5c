"""Who gains from whose company at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from modernart.analysis.measures.drawing import plot_heatmap, relative_to_rows
from modernart.analysis.measures.measure import CASE, DESIGNED, Column, Drawing, Measure, Table, Tables
from modernart.analysis.measures.tables import cases, most_places, seen, total, win_shares
from modernart.simulator.jit import kernel
from modernart.simulator.tallies import Layout, Per, Size, Tally, sizes_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MEETINGS = Layout("meetings", {"strategy": Size.STRATEGIES, "mate": Size.STRATEGIES}, ("pairs", "win_units"))
add_meeting = MEETINGS.adder()


@kernel
def count_meetings(game, cells):
    """Count every pair of positions of a block's line-up, which meet in all its games."""
    sizes = sizes_of(game)
    n_seats = sizes[2]
    for i in range(n_seats):
        for j in range(n_seats):
            if j != i:
                add_meeting(cells, sizes, (game.line_up[i], game.line_up[j]), (n_seats, game.block_wins[i]))


def make_mates(tables: Tables) -> pd.DataFrame:
    """Return one row a strategy and a mate at its table."""
    run = tables.run
    sums = run.tallies.sums("meetings")
    frame = pd.DataFrame(
        {
            **cases({"strategy": run.names, "mate": run.names}),
            "pairs": total(sums["pairs"]),
            **win_shares("win_share", sums["win_units"], sums["pairs"], run.rules.players * most_places(run) ** 2),
        }
    )
    return seen(frame, "pairs")


def grid_of(tables: Tables, frame: pd.DataFrame, other: str) -> pd.DataFrame:
    """Return win shares by pairs as a grid, rows and columns in the order of the ranking."""
    return frame.pivot(index="strategy", columns=other, values="win_share").reindex(
        index=tables.order, columns=tables.order
    )


def deepest_colour(tables: Tables) -> float:
    """Return the difference from a row's mean that has the darkest colour in all maps of company."""
    grids = [grid_of(tables, tables["mates"], "mate")]
    if "neighbours" in tables:
        grids += [grid_of(tables, own, "neighbour") for _, own in tables["neighbours"].groupby("side")]
    return max(float(np.nanmax(np.abs(relative_to_rows(grid)), initial=0.0)) for grid in grids)


def _draw(tables: Tables) -> Axes:
    return plot_heatmap(
        grid_of(tables, tables["mates"], "mate"),
        "Win share by table mate, %",
        "win share of",
        "when this one is at the table",
        deepest_colour(tables),
        lambda name, mate, share: f"{name} with {mate} at the table: {share:.1%}",
    )


MEASURE = Measure(
    name="mates",
    section="Win rates",
    order=5,
    tallies=(Tally(MEETINGS, count_meetings, Per.BLOCK),),
    tables=(
        Table(
            "mates",
            "a strategy and a strategy at its table",
            {
                "strategy": Column("whose win share it is", evidence=CASE),
                "mate": Column("another seat's strategy", evidence=CASE),
                "pairs": Column("pairs of such seats in all games", "pairs", DESIGNED),
                "win_share": Column(
                    "win share of the strategy in games with such a mate, weighted by how many there are",
                    "share",
                    DESIGNED,
                    interval=True,
                ),
            },
            make_mates,
        ),
    ),
    drawings=(
        Drawing(
            "mates",
            "mates",
            _draw,
            "Who gains from whose company. This map and those of neighbours have one scale of colours.",
            of_several=True,
        ),
    ),
)
