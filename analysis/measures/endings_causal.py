"""What ending a round brings, measured by `modernart endings --run` and added to the run's tables."""

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

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: Groups of decision points that the summary tells of: key, the group in the table, words.
_GROUPS = (
    ("endings_causal", "all", "all decision points", "where a player could end the round and could also play on"),
    ("endings_causal_own_choice", "own choice", "ends", "where the player ended it of their own choice"),
    ("endings_causal_played_on", "own choice", "plays on", "where the player played on"),
)


def _effects(tables: Tables) -> list[Finding]:
    """Return the effect of ending on the player who decides, over all decision points and by what they chose."""
    if "endings_causal" not in tables:
        return []
    frame = tables["endings_causal"]
    found = []
    for key, by, case, where in _GROUPS:
        rows = frame[(frame["by"] == by) & ((frame["case"] == case) | (by == "all"))]
        for row in rows.itertuples():
            relative = f"{row.relative:+.1f} against the others' mean, " if "relative" in frame else ""
            text = (
                f"Measured effect: ending the round, against playing on, {where}: {row.money:+.1f} in money "
                f"({range_in_words(row.money_low, row.money_high, '+.1f')}), {relative}{100 * row.win_share:+.1f} "
                f"points of win share, over {row.moments:,} decision points."
            )
            found.append(Finding(key, text, *numbers(row.money, row.money_low, row.money_high), CAUSAL, WHAT_WINS))
    return found


def notes(tables: Tables) -> list[str]:
    """Say what ending brings, once that was measured."""
    return [finding.text for finding in _effects(tables)]


def _draw(tables: Tables) -> Axes:
    frame = tables["endings_causal"]
    labels = [row.case if row.by == "all" else f"{row.by}: {row.case}" for row in frame.itertuples()]
    return plot_effects(frame, labels, "money", "Ending, against playing on", "final money of who decides")


_MISTAKES = {"ends": "ending rounds where playing on was better", "plays on": "playing on where ending was better"}

_EFFECTS = {
    "moments": Column("decision points", "decision points", CAUSAL),
    "ended_anyway": Column("share of playing on in which the same lot ended the round all the same", "share", CAUSAL),
    "money": Column("final money of the player who decides: ending less playing on", "money", CAUSAL, interval=True),
    "relative": Column("their money less the mean of all others', likewise", "money", CAUSAL, interval=True),
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
        cost_table("endings_cost"),
    ),
    drawings=(
        Drawing(
            "endings_causal",
            "endings_causal",
            _draw,
            "Causal: what ending brings where one could also play on, by what may matter. Bars are 95% intervals.",
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
                Cell("ended_anyway", "ended anyway", value(".0%")),
                Cell("money", "money", interval("+.1f")),
                Cell("relative", "against the others' mean", interval("+.1f")),
                Cell("win_share", "win share, points", points),
            ),
            "Causal: the same decision point is played on both ways with the same cards and random streams, several "
            "times. Ended anyway: playing on changed nothing, as another player's card ended the round with the same "
            "lot.",
        ),
        cost_view("What wrong endings cost", "endings_cost"),
    ),
    notes=notes,
    find=lambda tables: [
        *_effects(tables),
        *cost_findings(tables, "endings_cost", "when it ends rounds", _MISTAKES),
    ],
)
