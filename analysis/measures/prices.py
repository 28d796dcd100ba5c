"""What one painting costs and pays, by round, artist and cards out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from modernart.analysis.measures.drawing import (
    COLOURS,
    MARKERS,
    bars,
    from_zero,
    small_multiples,
    styled,
    whole_numbers,
)
from modernart.analysis.measures.ledger import MAX_OUT
from modernart.analysis.measures.measure import (
    CASE,
    Cell,
    Column,
    Drawing,
    Measure,
    Table,
    Tables,
    View,
    interval,
    value,
)
from modernart.analysis.measures.tables import cases, means, seen, total
from modernart.simulator.jit import kernel
from modernart.simulator.state import N_ARTISTS
from modernart.simulator.tallies import Layout, Per, Size, Tally

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAINTINGS = Layout(
    "paintings",
    {"round": Size.ROUNDS, "artist": N_ARTISTS, "cards_out": MAX_OUT + 1},
    ("lots", "cards", "price", "value"),
)
add_painting = PAINTINGS.adder()


@kernel(inline=True)
def count_painting(cells, sizes, lot):
    """Count a sold lot by round, artist and cards out; black-framed cards are not sold."""
    if lot.is_sold:
        place = (lot.round_index, lot.artist, min(lot.cards_out, MAX_OUT))
        add_painting(cells, sizes, place, (1, lot.n_cards, lot.price, lot.value))


def make_prices(tables: Tables) -> pd.DataFrame:
    """Return one row a round, artist and cards out (the lot's included)."""
    rules = tables.run.rules
    sums = tables.run.tallies.sums("paintings").at(artist=slice(0, len(rules.artists)))
    axes = {"round": range(1, rules.rounds + 1), "artist": rules.artists, "cards_out": range(MAX_OUT + 1)}
    frame = pd.DataFrame(
        {
            **cases(axes),
            "lots": total(sums["lots"]),
            **means("price", sums["price"], sums["cards"]),
            **means("value", sums["value"], sums["cards"]),
        }
    )
    return seen(frame, "lots")


@styled
def plot_prices(prices: pd.DataFrame, n_least: int = 1) -> Axes:
    """Draw the price of a painting by cards out, a panel a round, a line an artist; returns the first panel."""
    shown = prices[prices["lots"] >= n_least]
    rounds = sorted(shown["round"].unique())
    figure, axes = small_multiples(max(len(rounds), 1), "What a painting costs")
    artists = list(dict.fromkeys(prices["artist"]))
    for ax, round_number in zip(axes, rounds, strict=False):
        for i, artist in enumerate(artists):
            own = shown[(shown["round"] == round_number) & (shown["artist"] == artist)]
            ax.errorbar(
                own["cards_out"],
                own["price"],
                yerr=bars(own, "price"),
                color=COLOURS[i],
                marker=MARKERS[i],
                markersize=3.5,
                linewidth=1.1,
                label=artist,
            )
        ax.set_title(f"round {round_number}")
        whole_numbers(ax)
        if len(own) and shown["cards_out"].max() == MAX_OUT:
            ax.set_xticks(*_ticks_of(shown["cards_out"].min()))
    # All panels share one axis.
    from_zero(axes[0])
    figure.supylabel("price of a painting", fontsize=9)
    axes[min(len(rounds), len(axes)) - 1].set_xlabel("cards of the artist out, this lot included")
    if rounds:
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower left", ncols=5)
    return axes[0]


def _ticks_of(least: int) -> tuple[list[int], list[str]]:
    """Return places and labels of cards out; the last class is open."""
    places = list(range(int(least), MAX_OUT + 1))
    return places, [*map(str, places[:-1]), f"{MAX_OUT}+"]


def often_enough(tables: Tables) -> pd.DataFrame:
    """Return the cases with enough lots to show."""
    return tables["prices"][tables["prices"]["lots"] >= tables.least_lots]


MEASURE = Measure(
    name="prices",
    section="Market",
    order=1,
    tallies=(Tally(PAINTINGS, count_painting, Per.LOT),),
    tables=(
        Table(
            "prices",
            "a round, an artist and a number of cards out",
            {
                "round": Column("number of the round, from 1", evidence=CASE),
                "artist": Column("the artist", evidence=CASE),
                "cards_out": Column(
                    f"cards of the artist out, the lot's included; {MAX_OUT} or more are one", evidence=CASE
                ),
                "lots": Column("lots, black-framed cards not counted", "lots"),
                "price": Column("mean price of one painting", "money a painting", interval=True),
                "value": Column("what one painting paid at the round's end", "money a painting", interval=True),
            },
            make_prices,
        ),
    ),
    drawings=(
        Drawing(
            "prices",
            "prices",
            lambda tables: plot_prices(tables["prices"], tables.least_lots),
            lambda tables: (
                "Observed: price of one painting by cards of its artist that are out; at least "
                f"{tables.least_lots} lots a point."
            ),
        ),
    ),
    views=(
        View(
            "What a painting costs and pays",
            "prices",
            (
                Cell("round", "round", value("d")),
                Cell("artist", "artist"),
                Cell("cards_out", "cards out", value("d")),
                Cell("lots", "lots", value(",")),
                Cell("price", "price", interval(".1f")),
                Cell("value", "realised value", interval(".1f")),
            ),
            lambda tables: (
                "Observed; money a painting. Cards out count the lot's own. Cases of fewer than "
                f"{tables.least_lots} lots are in the table's file."
            ),
            often_enough,
        ),
    ),
)
