"""Lots by their crowns, where cards carry crowns."""

import pandas as pd

from modernart.analysis.measures.measure import CASE, Cell, Column, Measure, Table, Tables, View, interval, value
from modernart.analysis.measures.tables import cases, means, seen, total
from modernart.simulator.cards import KIND_NAMES, MAX_CROWNS, AuctionKind, card_crowns
from modernart.simulator.jit import kernel
from modernart.simulator.rules import Rules
from modernart.simulator.tallies import Layout, Per, Tally

#: A lot has one or two cards.
CROWNS = Layout("lot_crowns", {"kind": len(AuctionKind), "crowns": 2 * MAX_CROWNS + 1}, ("lots", "price", "value"))
add_crowns = CROWNS.adder()


@kernel(inline=True)
def count_crowns(cells, sizes, lot):
    """Count a sold lot by its crowns."""
    if lot.is_sold:
        add_crowns(cells, sizes, (lot.kind, lot.crowns), (1, lot.price, lot.value))


def make_crowns(tables: Tables) -> pd.DataFrame:
    """Return one row a kind and number of crowns of the lot."""
    sums = tables.run.tallies.sums("lot_crowns")
    frame = pd.DataFrame(
        {
            **cases({"kind": list(KIND_NAMES.values()), "crowns": range(2 * MAX_CROWNS + 1)}),
            "lots": total(sums["lots"]),
            **means("price", sums["price"], sums["lots"]),
            **means("value", sums["value"], sums["lots"]),
        }
    )
    return seen(frame, "lots")


def carries_crowns(rules: Rules) -> bool:
    """Return whether any card of the deck has more than one crown."""
    return any(card_crowns(code) > 1 for code in rules.card_codes())


MEASURE = Measure(
    name="crowns",
    section="Market",
    order=4,
    tallies=(Tally(CROWNS, count_crowns, Per.LOT),),
    tables=(
        Table(
            "crowns",
            "a kind and a number of crowns; only where cards carry crowns",
            {
                "kind": Column("how the lot was sold", evidence=CASE),
                "crowns": Column("crowns of the lot's cards together", "crowns", CASE),
                "lots": Column("lots, black-framed cards not counted", "lots"),
                "price": Column("mean price", "money a lot", interval=True),
                "value": Column("what the lot paid at the round's end", "money a lot", interval=True),
            },
            make_crowns,
        ),
    ),
    views=(
        View(
            "Lots by their crowns",
            "crowns",
            (
                Cell("kind", "kind"),
                Cell("crowns", "crowns", value("d")),
                Cell("lots", "lots", value(",")),
                Cell("price", "price", interval(".1f")),
                Cell("value", "realised value", interval(".1f")),
            ),
            "Observed; money a lot.",
        ),
    ),
    applies=carries_crowns,
)
