"""What each kind of auction brings for the same lot, measured by `modernart auctions --run` and added to the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modernart.analysis.measures.costs import cost_findings, cost_table, cost_view
from modernart.analysis.measures.drawing import plot_effects
from modernart.analysis.measures.measure import (
    CASE,
    CAUSAL,
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
    points,
    range_in_words,
    value,
)
from modernart.simulator.cards import KIND_NAMES, AuctionKind

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _draw(tables: Tables) -> Axes:
    frame = tables["auctions_causal"]
    return plot_effects(
        frame,
        list(frame["kind"]),
        "money_difference",
        "The same lot, by kind of auction",
        "the seller's final money against an open auction; bars: 95% interval",
    )


def _effects(tables: Tables) -> list[Finding]:
    """Say which kind brings its seller most, once that was measured."""
    if "auctions_causal" not in tables:
        return []
    frame = tables["auctions_causal"]
    best = frame.sort_values("money_difference").iloc[-1]
    n_kinds = {2: "two", 3: "three", 4: "four"}.get(len(frame), len(frame))
    text = (
        f"Measured effect: of the {n_kinds} kinds, {best.kind} sale of the same lot brings its seller most final "
        f"money, {best.money_difference:+.1f} against an open auction "
        f"({range_in_words(best.money_difference_low, best.money_difference_high, '+.1f')})."
    )
    effect = numbers(best.money_difference, best.money_difference_low, best.money_difference_high)
    return [Finding("auctions_causal", text, *effect, CAUSAL, WHAT_WINS)]


_MISTAKES = {
    name: f"{name} sales where another kind was better"
    for kind, name in KIND_NAMES.items()
    if kind < AuctionKind.DOUBLE
}

_BY = {
    "form": Column("single card or own double", evidence=CASE),
    "round": Column("number of the round, from 1", evidence=CASE),
    "cards_out": Column("cards of the artist out, the lot's included", evidence=CASE),
    "strategy": Column("the seller", evidence=CASE),
}
_EFFECTS = {
    "kind": Column("how the lot was sold", evidence=CASE),
    "moments": Column("lots, each sold in every way", "lots", CAUSAL),
    "price": Column("mean price", "money a lot", CAUSAL, interval=True),
    "revenue": Column("what the seller got", "money a lot", CAUSAL, interval=True),
    "own_share": Column("share that the seller bought", "share", CAUSAL, interval=True),
    "price_difference": Column("price less that of an open auction", "money a lot", CAUSAL, interval=True),
    "revenue_difference": Column("the seller's revenue less that of an open auction", "money", CAUSAL, interval=True),
    "money_difference": Column("the seller's final money, likewise", "money", CAUSAL, interval=True),
    "relative_difference": Column(
        "the seller's final money less the mean of all others', likewise", "money", CAUSAL, interval=True
    ),
    "win_share_difference": Column("the seller's win share, likewise", "share", CAUSAL, interval=True),
}


def _table(name: str, *by: str) -> Table:
    rows = "a kind of auction" + "".join(f", a {key.replace('_', ' ')}" for key in by)
    return Table(name, rows, {**{key: _BY[key] for key in by}, **_EFFECTS}, in_summary=not by)


MEASURE = Measure(
    name="auctions_causal",
    section="Auctions",
    order=0,
    tables=(
        _table("auctions_causal"),
        _table("auctions_causal_by_form", "form"),
        _table("auctions_causal_by_round", "round"),
        _table("auctions_causal_by_cards_out", "cards_out"),
        _table("auctions_causal_by_seller", "strategy"),
        Table(
            "auctions_left_out",
            "lots of the games that the study takes or leaves out",
            {
                "lot": Column("in the study, or why it is left out", evidence=CASE),
                "lots": Column("lots", "lots"),
                "share": Column("their share of all lots", "share"),
            },
        ),
        cost_table("auctions_cost"),
    ),
    drawings=(
        Drawing(
            "auctions_causal",
            "auctions_causal",
            _draw,
            "Causal: the same lot in the same state, sold by each kind; the open auction is the line.",
        ),
    ),
    views=(
        View(
            "The same lot in the same state, sold by each kind",
            "auctions_causal",
            (
                Cell("kind", "kind"),
                Cell("moments", "lots", value(",")),
                Cell("price", "price", interval(".1f")),
                Cell("revenue_difference", "seller's revenue against open", interval("+.1f")),
                Cell("money_difference", "seller's final money against open", interval("+.1f")),
                Cell("win_share_difference", "win share against open, points", points),
            ),
            "Causal: the same decision points with the same random streams, sold in every way; the deal is the unit.",
        ),
        View(
            "Lots that the study leaves out",
            "auctions_left_out",
            (Cell("lot", "lots"), Cell("lots", "number", value(",")), Cell("share", "share", value(".0%"))),
            "Observed.",
        ),
        cost_view("What wrong kinds of auction cost", "auctions_cost"),
    ),
    find=lambda tables: [
        *_effects(tables),
        *cost_findings(tables, "auctions_cost", "the kinds of auction it chooses", _MISTAKES),
    ],
)
