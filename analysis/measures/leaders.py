"""How often the leader after a round wins the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from modernart.analysis.measures.drawing import COLOURS, INK, bars, new_axes, percent, styled
from modernart.analysis.measures.measure import (
    CASE,
    OBSERVED,
    Column,
    Drawing,
    Finding,
    Measure,
    Table,
    Tables,
    numbers,
)
from modernart.analysis.measures.tables import shares
from modernart.simulator.jit import kernel
from modernart.simulator.scoring import WIN_UNITS
from modernart.simulator.tallies import Layout, Size, Tally, sizes_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Each leader of a round counts `WIN_UNITS / leaders` times their win units, so that ties stay whole numbers.
LEADERS = Layout("leaders", {"round": Size.ROUNDS}, ("games", "squared_win_units"))
add_leaders = LEADERS.adder()


@kernel
def count_leaders(game, cells):
    """Count for each round what those with most money after it win in the end."""
    sizes = sizes_of(game)
    for r in range(sizes[1]):
        money = game.rounds[r].money
        lead = money[0]
        for seat in range(1, sizes[2]):
            lead = max(lead, money[seat])
        n_leaders = 0
        won = 0
        for seat in range(sizes[2]):
            leads = money[seat] == lead
            n_leaders += leads
            # A product, not a branch: it would be guessed wrong half the time.
            won += leads * game.win_units[seat]
        # A single leader is the usual case, and division is slow.
        share = WIN_UNITS if n_leaders == 1 else WIN_UNITS // n_leaders
        add_leaders(cells, sizes, (r,), (1, won * share))


def make_leaders(tables: Tables) -> pd.DataFrame:
    """Return one row a round but the last."""
    n = max(tables.run.rules.rounds - 1, 1)
    sums = tables.run.tallies.sums("leaders").at(round=slice(0, n))
    seats = tables.run.rules.players
    return pd.DataFrame(
        {
            "round": range(1, n + 1),
            "games": sums["games"].sum(axis=0),
            **shares("win_share", sums["squared_win_units"], sums["games"], WIN_UNITS * WIN_UNITS, per_block=seats),
        }
    )


@styled
def plot_leaders(leaders: pd.DataFrame, fair: float, ax: Axes | None = None) -> Axes:
    """Draw how often the leader after each round goes on to win."""
    ax = ax or new_axes(2.6)
    ax.errorbar(
        leaders["round"], leaders["win_share"], yerr=bars(leaders, "win_share"), fmt="o-", color=COLOURS[0], capsize=3
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
    percent(ax)
    ax.set_xlabel("leader after round (dashed: no better than chance)")
    ax.set_ylabel("wins the game")
    ax.set_title("How often the leader wins")
    return ax


def find(tables: Tables) -> list[Finding]:
    """Say how often an early and a late leader wins."""
    early, late = tables["leaders"].iloc[0], tables["leaders"].iloc[-1]
    text = (
        f"Observed: the leader after round {int(early['round'])} wins {early.win_share:.0%} of games, "
        f"after round {int(late['round'])} {late.win_share:.0%} (chance: {tables.fair:.0%})."
    )
    return [Finding("leader", text, *numbers(early.win_share, early.win_share_low, early.win_share_high), OBSERVED)]


MEASURE = Measure(
    name="leaders",
    section="Win rates",
    order=3,
    tallies=(Tally(LEADERS, count_leaders),),
    tables=(
        Table(
            "leaders",
            "a round but the last",
            {
                "round": Column("number of the round, from 1", evidence=CASE),
                "games": Column("games", "games"),
                "win_share": Column(
                    "how often the player with most money after the round, payouts included, wins the game; "
                    "ties are shared",
                    "share",
                    interval=True,
                ),
            },
            make_leaders,
            in_summary=True,
        ),
    ),
    drawings=(
        Drawing(
            "leaders",
            "leaders",
            lambda tables: plot_leaders(tables["leaders"], tables.fair),
            "Observed: how often the player with most money after a round, payouts included, wins the game.",
        ),
    ),
    find=find,
)
