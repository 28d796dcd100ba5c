"""What lots sold at a price were worth: the winner's curse, if there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from modernart.analysis.measures.drawing import COLOURS, INK, MARKERS, bars, from_zero, legend_below, new_axes, styled
from modernart.analysis.measures.measure import CASE, Column, Drawing, Measure, Table, Tables
from modernart.analysis.measures.tables import cases, means, seen, total
from modernart.simulator.cards import KIND_NAMES, AuctionKind
from modernart.simulator.jit import kernel
from modernart.simulator.tallies import Layout, Per, Tally

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Prices are counted in classes of PRICE_STEP; the last class takes all that is more.
PRICE_STEP = 5
N_PRICES = 40

CURVE = Layout("price_curve", {"kind": len(AuctionKind), "price": N_PRICES}, ("lots", "price", "value"))
add_price = CURVE.adder()


@kernel(inline=True)
def count_price(cells, sizes, lot):
    """Count a sold lot by its price; a black-framed card has none."""
    if lot.is_sold:
        place = (lot.kind, min(lot.price // PRICE_STEP, N_PRICES - 1))
        add_price(cells, sizes, place, (1, lot.price, lot.value))


def make_curve(tables: Tables) -> pd.DataFrame:
    """Return one row a kind and class of prices."""
    sums = tables.run.tallies.sums("price_curve")
    frame = pd.DataFrame(
        {
            **cases({"kind": list(KIND_NAMES.values()), "price_from": np.arange(N_PRICES) * PRICE_STEP}),
            "lots": total(sums["lots"]),
            **means("price", sums["price"], sums["lots"]),
            **means("value", sums["value"], sums["lots"]),
        }
    )
    return seen(frame, "lots")


@styled
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
            yerr=bars(own, "value"),
            color=COLOURS[i],
            marker=MARKERS[i],
            markersize=3.5,
            linewidth=1.1,
            capsize=1.5,
            label=kind,
        )
    most = float(shown["price"].max()) if len(shown) else 1.0
    ax.plot([0, most], [0, most], color=INK, linewidth=1, linestyle="--")
    from_zero(ax)
    from_zero(ax, "x")
    ax.set_xlabel("price paid (dashed: value = price)")
    ax.set_ylabel("value at the round's end")
    ax.set_title("The winner's curse")
    legend_below(ax)
    return ax


MEASURE = Measure(
    name="price_curve",
    section="Auctions",
    order=11,
    tallies=(Tally(CURVE, count_price, Per.LOT),),
    tables=(
        Table(
            "price_curve",
            "a kind and a class of prices",
            {
                "kind": Column("how the lot was sold", evidence=CASE),
                "price_from": Column(f"least price of the class, {PRICE_STEP} wide; the last is open", "money", CASE),
                "lots": Column("lots, black-framed cards not counted", "lots"),
                "price": Column("mean price in the class", "money a lot", interval=True),
                "value": Column("what such lots paid at the round's end", "money a lot", interval=True),
            },
            make_curve,
        ),
    ),
    drawings=(
        Drawing(
            "price_curve",
            "price_curve",
            lambda tables: plot_curve(tables["price_curve"], tables.least_lots),
            lambda tables: (
                "Observed: what lots sold at a price were worth in the end, by kind of sale; at least "
                f"{tables.least_lots} lots a point. Prices bunch at multiples of ten, from bids that are a share of a "
                "value in tens, and lots at such prices differ from lots between them, which makes the lines jagged."
            ),
        ),
    ),
)
