"""Whether the seat matters, counted from the first round's starter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from modernart.analysis.measures.drawing import (
    COLOURS,
    INK,
    bars,
    from_zero,
    legend_below,
    new_axes,
    percent,
    plot_heatmap,
    relative_to_rows,
    short,
    styled,
)
from modernart.analysis.measures.looks import looks_of
from modernart.analysis.measures.measure import (
    CASE,
    DESIGNED,
    Column,
    Drawing,
    Finding,
    Measure,
    Table,
    Tables,
    numbers,
    range_in_words,
)
from modernart.analysis.measures.tables import cases, means, most_places, seen, total, win_shares
from modernart.simulator.jit import kernel
from modernart.simulator.tallies import Layout, Size, Tally, sizes_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SEATS = Layout("seats", {"strategy": Size.STRATEGIES, "seat": Size.SEATS}, ("games", "win_units", "money"))
add_seat = SEATS.adder()

#: More strategies than this are shown as a map.
MOST_LINES = 8


@kernel
def count_seats(game, cells):
    """Count every seat's outcome, seats numbered from the first round's starter."""
    sizes = sizes_of(game)
    position = sizes[2] - game.first_seat
    for seat in range(sizes[2]):
        if position >= sizes[2]:
            position -= sizes[2]
        outcome = (1, game.win_units[seat], game.table.money[seat])
        add_seat(cells, sizes, (game.who[seat], position), outcome)
        position += 1


def make_seats(tables: Tables) -> pd.DataFrame:
    """Return one row a strategy and seat."""
    run = tables.run
    sums = run.tallies.sums("seats")
    frame = pd.DataFrame(
        {
            **cases({"strategy": run.names, "seat": range(1, run.rules.players + 1)}),
            "games": total(sums["games"]),
            **win_shares("win_share", sums["win_units"], sums["games"], most_places(run)),
            **means("money", sums["money"], sums["games"]),
        }
    )
    return seen(frame, "games")


def make_seat_effect(tables: Tables) -> pd.DataFrame:
    """Return one row a seat, over all strategies."""
    sums = tables.run.tallies.sums("seats").by("seat")
    return pd.DataFrame(
        {
            "seat": range(1, tables.run.rules.players + 1),
            "games": total(sums["games"]),
            **win_shares("win_share", sums["win_units"], sums["games"], tables.run.rules.players),
            **means("money", sums["money"], sums["games"]),
        }
    )


@styled
def plot_seats(seats: pd.DataFrame, fair: float, ax: Axes | None = None) -> Axes:
    """Draw each strategy's win share by seat: as lines; in a big field, where they would hide each other, as a map."""
    names = list(dict.fromkeys(seats["strategy"]))
    if len(names) > MOST_LINES:
        return _map_seats(seats, ax)
    ax = ax or new_axes()
    looks = looks_of(names)
    for i, name in enumerate(names):
        own = seats[seats["strategy"] == name]
        shift = 0.06 * (i - (len(names) - 1) / 2)
        ax.errorbar(
            own["seat"] + shift,
            own["win_share"],
            yerr=bars(own, "win_share"),
            linewidth=1.2,
            markersize=4,
            capsize=2,
            label=short(name),
            **looks[name],
        )
    ax.axhline(fair, color=INK, linewidth=1, linestyle="--")
    ax.set_xticks(sorted(seats["seat"].unique()))
    ax.set_xlabel("seat in the first round; 1 = starter")
    ax.set_ylabel("win share")
    from_zero(ax)
    percent(ax)
    ax.set_title("Does the seat matter?")
    legend_below(ax)
    return ax


def _map_seats(seats: pd.DataFrame, ax: Axes | None) -> Axes:
    grid = seats.pivot(index="strategy", columns="seat", values="win_share").reindex(dict.fromkeys(seats["strategy"]))
    return plot_heatmap(
        grid,
        "Does the seat matter? Win share, %",
        "win share of",
        "seat in the first round; 1 = starter",
        float(np.nanmax(np.abs(relative_to_rows(grid)), initial=0.0)),
        lambda name, seat, share: f"{name} in seat {seat}: {share:.1%}",
        ax,
    )


@styled
def plot_seat_effect(effect: pd.DataFrame, fair: float, ax: Axes | None = None) -> Axes:
    """Draw the win share of each seat over all strategies."""
    ax = ax or new_axes(2.6)
    ax.errorbar(
        effect["seat"],
        effect["win_share"],
        yerr=bars(effect, "win_share"),
        fmt="o-",
        color=COLOURS[0],
        capsize=3,
        linewidth=1.2,
    )
    ax.axhline(fair, color=INK, linewidth=1, linestyle="--")
    ax.set_xticks(effect["seat"])
    ax.margins(y=0.25)
    percent(ax)
    ax.set_xlabel("seat in the first round; 1 = starter (dashed: no effect)")
    ax.set_ylabel("win share, all strategies")
    ax.set_title("The seat alone")
    return ax


def find(tables: Tables) -> list[Finding]:
    """Say what starting the first round is worth."""
    first, last = tables["seat_effect"].iloc[0], tables["seat_effect"].iloc[-1]
    text = (
        f"The starter of the first round wins {first.win_share:.1%} "
        f"({range_in_words(first.win_share_low, first.win_share_high, '.1%')}), the last of the "
        f"{tables.run.rules.players} seats {last.win_share:.1%}; every strategy took every seat equally often."
    )
    return [Finding("starter", text, *numbers(first.win_share, first.win_share_low, first.win_share_high))]


_OUTCOMES = {
    "games": Column("games played there", "games", DESIGNED),
    "win_share": Column("share of these games won; a tie is shared", "share", DESIGNED, interval=True),
    "money": Column("mean final money", "money a game", DESIGNED, interval=True),
}

MEASURE = Measure(
    name="seats",
    section="Win rates",
    order=4,
    tallies=(Tally(SEATS, count_seats),),
    tables=(
        Table(
            "seats",
            "a strategy and a seat",
            {
                "strategy": Column("its name", evidence=CASE),
                "seat": Column("seat clockwise from the first round's starter, who is 1", evidence=CASE),
                **_OUTCOMES,
            },
            make_seats,
        ),
        Table(
            "seat_effect",
            "a seat, over all strategies",
            {"seat": Column("seat clockwise from the first round's starter, who is 1", evidence=CASE), **_OUTCOMES},
            make_seat_effect,
            in_summary=True,
        ),
    ),
    drawings=(
        Drawing(
            "seat_effect",
            "seat_effect",
            lambda tables: plot_seat_effect(tables["seat_effect"], tables.fair),
            "The seat alone, over all strategies. In every deal each player at the table takes every seat once, so all "
            "strategies take all seats equally often.",
        ),
        Drawing(
            "seats",
            "seats",
            lambda tables: plot_seats(tables.ranked(tables["seats"], "strategy"), tables.fair),
            "Win share by strategy and seat; best strategy first.",
            of_several=True,
        ),
    ),
    find=find,
)
