"""Who sells to whom, and what it brings the buyer."""

import pandas as pd

from modernart.analysis.measures.measure import CASE, Cell, Column, Measure, Table, Tables, View, interval, value
from modernart.analysis.measures.tables import FORM_NAMES, cases, means, seen, total
from modernart.simulator.cards import AuctionKind
from modernart.simulator.jit import kernel
from modernart.simulator.tallies import Layout, Per, Size, Tally

TRADES = Layout(
    "trades",
    {
        "kind": len(AuctionKind),
        "form": len(FORM_NAMES),
        "auctioneer": Size.STRATEGIES,
        "buyer": Size.STRATEGIES,
    },
    ("lots", "price", "value", "to_bank", "to_owner"),
)
add_trade = TRADES.adder()


@kernel(inline=True)
def count_trade(cells, sizes, lot):
    """Count a lot by who sold it to whom."""
    amounts = (1, lot.price, lot.value, lot.to_bank, lot.to_owner)
    add_trade(cells, sizes, (lot.kind, lot.form, lot.auctioneer, lot.buyer), amounts)


def make_trades(tables: Tables) -> pd.DataFrame:
    """Return one row a pair of auctioneer's and buyer's strategy; black-framed cards are not sold and left out."""
    names = tables.run.names
    sold = tables.run.tallies.sums("trades").at(kind=slice(0, AuctionKind.BLACK_FRAMED))
    sums = sold.by("auctioneer", "buyer")
    frame = pd.DataFrame(
        {
            **cases({"auctioneer": names, "buyer": names}),
            "lots": total(sums["lots"]),
            **means("price", sums["price"], sums["lots"]),
            **means("profit", sums["value"] - sums["price"], sums["lots"]),
        }
    )
    return seen(frame, "lots")


MEASURE = Measure(
    name="trades",
    section="Auctions",
    order=12,
    tallies=(Tally(TRADES, count_trade, Per.LOT),),
    tables=(
        Table(
            "trades",
            "a pair of an auctioneer's and a buyer's strategy",
            {
                "auctioneer": Column("who sold; of a joined double, the one who joined", evidence=CASE),
                "buyer": Column("who bought", evidence=CASE),
                "lots": Column("lots, black-framed cards not counted", "lots"),
                "price": Column("mean price", "money a lot", interval=True),
                "profit": Column("the buyer's profit: realised value less price", "money a lot", interval=True),
            },
            make_trades,
        ),
    ),
    views=(
        View(
            "Who sells to whom",
            "trades",
            (
                Cell("auctioneer", "auctioneer"),
                Cell("buyer", "buyer"),
                Cell("lots", "lots", value(",")),
                Cell("price", "price", interval(".1f")),
                Cell("profit", "buyer's profit", interval(".1f")),
            ),
            "Observed; money a lot.",
            lambda tables: tables.ranked(tables["trades"], "auctioneer", "buyer"),
            of_several=True,
        ),
    ),
)
