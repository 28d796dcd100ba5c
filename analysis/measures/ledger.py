"""What auctions earn: price, realised value, revenue and profit of lots; black-framed cards apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from modernart.analysis.measures.drawing import (
    COLOURS,
    INK,
    PALE,
    bars,
    from_zero,
    height_for,
    legend_below,
    name_rows,
    new_axes,
    plot_lines,
    styled,
)
from modernart.analysis.measures.measure import (
    CASE,
    OBSERVED,
    WHAT_WINS,
    Cell,
    Column,
    Drawing,
    Finding,
    Measure,
    Table,
    Tables,
    View,
    interval,
    numbers,
    range_in_words,
    value,
)
from modernart.analysis.measures.tables import FORM_NAMES, cases, form_names, means, mix_of, seen, shares, total
from modernart.simulator.cards import KIND_NAMES, AuctionKind
from modernart.simulator.decisions import Form
from modernart.simulator.jit import kernel
from modernart.simulator.tallies import Layout, Per, Size, Tally

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Cards out are told apart up to this number.
MAX_OUT = 8

LOTS = Layout(
    "lots",
    {
        "kind": len(AuctionKind),
        "form": len(FORM_NAMES),
        "round": Size.ROUNDS,
        "cards_out": MAX_OUT + 1,
        "own": 2,  # whether the auctioneer bought it
    },
    ("lots", "price", "value", "to_bank", "fees"),
)
add_lot = LOTS.adder()


@kernel(inline=True)
def count_lot(cells, sizes, lot):
    """Count a lot by its situation; a black-framed card's value is what it cost its taker."""
    place = (lot.kind, lot.form, lot.round_index, min(lot.cards_out, MAX_OUT), lot.is_own)
    add_lot(cells, sizes, place, (1, lot.price, lot.value, lot.to_bank, lot.fees))


def ledger_table(tables: Tables, by: Sequence[str] = ("kind", "form")) -> pd.DataFrame:
    """Return what lots earned for sellers, buyers and the bank; black-framed cards, which are not sold, are left out.

    Parameters
    ----------
    tables : Tables
    by : sequence of {"kind", "form", "round", "cards_out"}
        What to tell apart; `cards_out` counts the lot's own cards.
    """
    mix = mix_of(tables.run)
    sold = tables.run.tallies.sums("lots").at(kind=slice(0, AuctionKind.BLACK_FRAMED))
    own = sold.at(own=1).by(*by)["lots"]
    sums = sold.by(*by)
    lots, price, worth, to_bank = (sums[name] for name in ("lots", "price", "value", "to_bank"))
    values = {
        "kind": [KIND_NAMES[kind] for kind in AuctionKind if kind < AuctionKind.BLACK_FRAMED],
        "form": form_names(tables.run.rules),
        "round": range(1, tables.run.rules.rounds + 1),
        "cards_out": range(MAX_OUT + 1),
    }
    frame = pd.DataFrame(
        {
            **cases({name: values[name] for name in values if name in by}),
            "lots": total(lots),
            **means("price", price, lots, mix=mix),
            **means("value", worth, lots, mix=mix),
            **means("revenue", price - to_bank, lots, mix=mix),
            **means("profit", worth - price, lots, mix=mix),
            **means("to_bank", to_bank, lots, mix=mix),
            **means("price_to_value", price, worth, mix=mix),
            **shares("own_share", own, lots, mix=mix),
        }
    )
    return seen(frame, "lots")


def make_black_framed(tables: Tables) -> pd.DataFrame:
    """Return one row a round: what black-framed cards cost."""
    black = tables.run.tallies.sums("lots").at(kind=AuctionKind.BLACK_FRAMED)
    own = black.at(own=1).by("round")["lots"]
    sums = black.by("round")
    frame = pd.DataFrame(
        {
            **cases({"round": range(1, tables.run.rules.rounds + 1)}),
            "cards": total(sums["lots"]),
            **means("fine", sums["value"], sums["lots"]),
            **means("fees", sums["fees"], sums["lots"]),
            **shares("own_share", own, sums["lots"]),
        }
    )
    return seen(frame, "cards")


def _names(frame: pd.DataFrame) -> list[str]:
    """Name lots by kind and form; a double that nobody joined has no kind of sale."""
    return [row.form if row.form == FORM_NAMES[Form.LONE] else f"{row.kind}, {row.form}" for row in frame.itertuples()]


@styled
def plot_ledger(ledger: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw price and realised value of a lot by kind and form: the gap is the buyer's profit."""
    frame = ledger.sort_values(["form", "kind"], ignore_index=True)
    ax = ax or new_axes(height_for(len(frame)))
    y = np.arange(len(frame))[::-1]
    ax.hlines(y, frame["price"], frame["value"], color=PALE, linewidth=2)
    ax.errorbar(frame["price"], y, xerr=bars(frame, "price"), fmt="o", color=COLOURS[0], markersize=4.5, label="price")
    ax.errorbar(
        frame["value"], y, xerr=bars(frame, "value"), fmt="D", color=COLOURS[1], markersize=4.5, label="realised value"
    )
    name_rows(ax, y, _names(frame))
    from_zero(ax, "x")
    ax.set_xlabel("money a lot; the gap is the buyer's profit")
    ax.set_title("What lots cost and pay")
    legend_below(ax)
    return ax


@styled
def plot_price_ratio(ledger: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw price over realised value by kind and form; above one, buyers lost money."""
    frame = ledger[ledger["value"] > 0].sort_values("price_to_value", ignore_index=True)
    ax = ax or new_axes(height_for(len(frame)))
    y = np.arange(len(frame))
    ax.errorbar(
        frame["price_to_value"],
        y,
        xerr=bars(frame, "price_to_value"),
        fmt="o",
        color=COLOURS[2],
        capsize=3,
        markersize=4.5,
    )
    ax.axvline(1.0, color=INK, linewidth=1, linestyle="--")
    name_rows(ax, y, _names(frame))
    ax.set_xlabel("price / realised value (dashed: buyers break even)")
    ax.set_title("Which sale is dear")
    return ax


def find(tables: Tables) -> list[Finding]:
    """Say which kind of single cards sells dearest and cheapest."""
    ledger = tables["auctions"]
    singles = ledger[(ledger["form"] == "single") & (ledger["lots"] >= 30)].sort_values("price_to_value")
    if len(singles) < 2:
        return []
    low, high = singles.iloc[0], singles.iloc[-1]
    text = (
        f"Observed: of single cards, {high.kind} lots sell dearest against what they pay at the round's end "
        f"({high.price_to_value:.0%} of it, {range_in_words(high.price_to_value_low, high.price_to_value_high, '.0%')}"
        f"), {low.kind} lots cheapest ({low.price_to_value:.0%}); players choose what to sell when."
    )
    ratio = numbers(high.price_to_value, high.price_to_value_low, high.price_to_value_high)
    return [Finding("auctions", text, *ratio, OBSERVED, WHAT_WINS)]


_CASES = {
    "kind": Column("how the lot was sold", evidence=CASE),
    "form": Column(
        "single card, own double (with `pairing` own pair), joined double, or lone double (kept free)", evidence=CASE
    ),
    "round": Column("number of the round, from 1", evidence=CASE),
    "cards_out": Column(f"cards of the artist out, the lot's included; {MAX_OUT} or more are one", evidence=CASE),
}
_EARNED = {
    "lots": Column("lots; black-framed cards are in black_framed", "lots"),
    "price": Column("mean price", "money a lot", interval=True),
    "value": Column("what the buyer's paintings paid at the round's end", "money a lot", interval=True),
    "revenue": Column("what its sellers got: price less the bank's part", "money a lot", interval=True),
    "profit": Column("the buyer's profit: value less price", "money a lot", interval=True),
    "to_bank": Column("what of the price went to the bank: lots bought by a seller", "money a lot", interval=True),
    "price_to_value": Column(
        "sum of prices over sum of values; above 1 buyers lost money on the whole", "ratio", interval=True
    ),
    "own_share": Column("share that the auctioneer bought, lone doubles included", "share", interval=True),
}


def _table(name: str, *by: str, in_summary: bool = False) -> Table:
    columns = {**{key: column for key, column in _CASES.items() if key in by}, **_EARNED}
    rows = "a case of " + ", ".join(by)
    return Table(name, rows, columns, lambda tables: ledger_table(tables, by), in_summary)


def _cells(*by: Cell) -> tuple[Cell, ...]:
    return (
        *by,
        Cell("lots", "lots", value(",")),
        Cell("price", "price", interval(".1f")),
        Cell("value", "realised value", interval(".1f")),
        Cell("price_to_value", "price / value", interval(".2f")),
        Cell("revenue", "sellers' revenue", interval(".1f")),
        Cell("profit", "buyer's profit", interval(".1f")),
        Cell("to_bank", "to bank", value(".1f")),
        Cell("own_share", "bought by auctioneer", value(".0%")),
    )


def _draw_cards_out(tables: Tables) -> Axes:
    return plot_lines(
        tables["auctions_by_cards_out"],
        "cards_out",
        {"price": "price", "value": "realised value", "revenue": "sellers' revenue"},
        "Lots by cards out",
        "cards of the artist out, the lot's included",
        "money a lot",
        MAX_OUT,
    )


_KIND = Cell("kind", "kind")

MEASURE = Measure(
    name="ledger",
    section="Auctions",
    order=10,
    tallies=(Tally(LOTS, count_lot, Per.LOT),),
    tables=(
        _table("auctions", "kind", "form", in_summary=True),
        _table("auctions_by_round", "kind", "form", "round"),
        _table("auctions_by_kind_and_round", "kind", "round"),
        _table("auctions_by_cards_out", "cards_out"),
        _table("auctions_full", "kind", "form", "round", "cards_out"),
        Table(
            "black_framed",
            "a round in which black-framed cards were taken; empty without such cards",
            {
                "round": Column("number of the round, from 1", evidence=CASE),
                "cards": Column("black-framed cards taken", "cards"),
                "fine": Column("what such a card cost its taker at the round's end", "money a card", interval=True),
                "fees": Column("what the others paid the bank to avoid it, together", "money a card", interval=True),
                "own_share": Column("share taken by the player who put it up", "share", interval=True),
            },
            make_black_framed,
        ),
    ),
    drawings=(
        Drawing(
            "auctions",
            "auctions",
            lambda tables: plot_ledger(tables["auctions"]),
            "Observed: mean price of a lot and what its paintings paid.",
        ),
        Drawing(
            "auctions_ratio",
            "auctions",
            lambda tables: plot_price_ratio(tables["auctions"]),
            "Observed: price against value, as a ratio of sums. Above 1 buyers paid more than they got back.",
        ),
        Drawing(
            "auctions_cards_out",
            "auctions_by_cards_out",
            _draw_cards_out,
            "Observed: lots by how many cards of the artist are out. Players choose what to put up when, so the lines "
            "do not say what one more card out changes.",
        ),
    ),
    views=(
        View(
            "Ledger",
            "auctions",
            _cells(_KIND, Cell("form", "form")),
            "Observed; money a lot. The bank's part is what sellers paid for lots of their own. A lone double is one "
            "that nobody joined: its seller keeps it free.",
        ),
        View(
            "Ledger by round",
            "auctions_by_kind_and_round",
            _cells(_KIND, Cell("round", "round", value("d"))),
            "Observed; money a lot.",
        ),
        View(
            "Black-framed cards",
            "black_framed",
            (
                Cell("round", "round", value("d")),
                Cell("cards", "cards", value(",")),
                Cell("fine", "cost of its taker", interval(".1f")),
                Cell("fees", "fees of the others", interval(".1f")),
                Cell("own_share", "taken by who put it up", value(".0%")),
            ),
            "Observed; money a card. Nobody sells such a card: the lowest tender takes it, the others pay the bank.",
        ),
    ),
    find=find,
)
