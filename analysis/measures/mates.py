"""Who gains from whose company at the table."""

import pandas as pd

from modernart.analysis.measures.drawing import plot_heatmap
from modernart.analysis.measures.measure import CASE, DESIGNED, Column, Drawing, Measure, Table, Tables
from modernart.analysis.measures.tables import cases, most_places, seen, total, win_shares
from modernart.simulator.jit import kernel
from modernart.simulator.tallies import Layout, Per, Size, Tally, sizes_of

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
            lambda tables: plot_heatmap(
                tables["mates"],
                "strategy",
                "mate",
                "win_share",
                "Win share by table mate, %",
                "win share of",
                "when this one is at the table",
            ),
            "Who gains from whose company.",
            of_several=True,
        ),
    ),
)
