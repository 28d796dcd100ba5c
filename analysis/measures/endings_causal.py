"""What ending a round brings, measured by `modernart endings --run` and added to the run's tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modernart.analysis.measures.drawing import plot_effects
from modernart.analysis.measures.measure import (
    CASE,
    CAUSAL,
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

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def in_short(tables: Tables) -> str:
    """Return the overall effect in a sentence."""
    overall = tables["endings_causal"].iloc[0]
    return (
        f"Measured: ending the round where one could also play on brings {overall.money:+.1f} in money "
        f"({range_in_words(overall.money_low, overall.money_high, '+.1f')}) and {100 * overall.win_share:+.1f} points "
        f"of win share, over {overall.moments:,} decision points."
    )


def notes(tables: Tables) -> list[str]:
    """Say what ending brings, once that was measured."""
    return [in_short(tables)] if "endings_causal" in tables else []


def find(tables: Tables) -> list[Finding]:
    """Say what ending brings, once that was measured."""
    if "endings_causal" not in tables:
        return []
    overall = tables["endings_causal"].iloc[0]
    effect = numbers(overall.money, overall.money_low, overall.money_high)
    return [Finding("endings_causal", in_short(tables), *effect, CAUSAL)]


def _draw(tables: Tables) -> Axes:
    frame = tables["endings_causal"]
    labels = [row.case if row.by == "all" else f"{row.by}: {row.case}" for row in frame.itertuples()]
    return plot_effects(
        frame, labels, "money", "Ending, against playing on", "final money of who decides; bars: 95% interval"
    )


_EFFECTS = {
    "moments": Column("decision points", "decision points", CAUSAL),
    "money": Column("final money of the player who decides: ending less playing on", "money", CAUSAL, interval=True),
    "win_share": Column("win share of the player who decides, likewise", "share", CAUSAL, interval=True),
    "next_money": Column("final money of the player to their left, likewise", "money", CAUSAL, interval=True),
    "next_win_share": Column("win share of the player to their left, likewise", "share", CAUSAL, interval=True),
    "others_money": Column("mean final money of all other players, likewise", "money", CAUSAL, interval=True),
}

MEASURE = Measure(
    name="endings_causal",
    section="Ending cards",
    order=0,
    tables=(
        Table(
            "endings_causal",
            "a group of decision points at which a player can end the round or play on",
            {
                "by": Column("what the group goes by", evidence=CASE),
                "case": Column("the group", evidence=CASE),
                **_EFFECTS,
            },
            in_summary=True,
        ),
        Table(
            "endings_causal_seats",
            "a seat, counted from the one that decides",
            {
                "seat_from_ender": Column("0 the player who decides, 1 the one to their left", evidence=CASE),
                "money": Column("final money of the seat: ending less playing on", "money", CAUSAL, interval=True),
                "win_share": Column("win share of the seat, likewise", "share", CAUSAL, interval=True),
            },
        ),
    ),
    drawings=(
        Drawing(
            "endings_causal",
            "endings_causal",
            _draw,
            "Causal: what ending brings where one could also play on, by what may matter.",
        ),
    ),
    views=(
        View(
            "What ending a round brings its player, against playing on",
            "endings_causal",
            (
                Cell("by", "by"),
                Cell("case", "case"),
                Cell("moments", "decision points", value(",")),
                Cell("money", "money", interval("+.1f")),
                Cell("win_share", "win share", interval("+.1%")),
            ),
            "Causal: the same decision point is played on both ways with the same cards and random streams, several "
            "times.",
        ),
    ),
    notes=notes,
    find=find,
)
