"""Who ends rounds, how, holding what, and who is paid then: observed, so no causal effect."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from modernart.analysis.measures.drawing import plot_lines, plot_stacked
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
    value,
)
from modernart.analysis.measures.tables import cases, means, own_pair, seen, total, win_shares
from modernart.simulator.decisions import Form, Reason
from modernart.simulator.jit import kernel
from modernart.simulator.tallies import Layout, Size, Tally, sizes_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Own paintings of the ending artist are told apart up to this number.
MAX_HOLDING = 6


class End(IntEnum):
    """How a round ended: the form of the lot that completed `end_count`, or one of two further ways."""

    SINGLE = Form.SINGLE
    PAIRED = Form.PAIRED
    JOINED = Form.JOINED
    SHILL = Form.LONE  # a lone double ends no round, so its place is free
    HANDS_EMPTY = 4


END_NAMES = {
    End.SINGLE: "single card",
    End.PAIRED: "own double",
    End.JOINED: "joined double",
    End.SHILL: "shill's card",
    End.HANDS_EMPTY: "hands empty",
}

ENDS = Layout(
    "ends",
    {"strategy": Size.STRATEGIES, "round": Size.ROUNDS, "how": len(End), "holding": MAX_HOLDING + 1},
    ("rounds", "payout_ender", "payout_next", "payout_others", "win_units_ender", "win_units_next"),
)
add_end = ENDS.adder()


@kernel
def count_ends(game, cells):
    """Count the rounds that a player's card ended."""
    sizes = sizes_of(game)
    for r in range(sizes[1]):
        result = game.rounds[r]
        ender = result.ender
        if ender < 0:
            continue
        how = np.int64(result.form)
        if result.reason == Reason.HANDS_EMPTY:
            how = np.int64(End.HANDS_EMPTY)
        elif result.reason == Reason.SHILL:
            how = np.int64(End.SHILL)
        following = ender + 1 if ender + 1 < sizes[2] else 0
        others = 0
        for seat in range(sizes[2]):
            others += result.payout[seat]
        others -= result.payout[ender] + result.payout[following]
        paid = (1, result.payout[ender], result.payout[following], others)
        place = (game.who[ender], r, how, min(np.int64(result.holding[ender]), MAX_HOLDING))
        add_end(cells, sizes, place, (*paid, game.win_units[ender], game.win_units[following]))


def endings_table(tables: Tables, by: Sequence[str] = ()) -> pd.DataFrame:
    """Return what the ends of rounds paid. Players choose to end rounds, so this is not a causal effect.

    Parameters
    ----------
    tables : Tables
    by : sequence of {"strategy", "round", "how", "holding"}
        What to tell apart; `holding` is the ender's own paintings of the ending artist, the last class open.
    """
    run = tables.run
    values = {
        "strategy": run.names,
        "round": range(1, run.rules.rounds + 1),
        "how": list((END_NAMES | {End.PAIRED: own_pair(tables.run.rules)}).values()),
        "holding": range(MAX_HOLDING + 1),
    }
    sums = run.tallies.sums("ends").by(*by)
    n, ender, following, others = (sums[name] for name in ("rounds", "payout_ender", "payout_next", "payout_others"))
    n_others = run.rules.players - 2
    frame = pd.DataFrame(
        {
            **cases({name: values[name] for name in values if name in by}),
            "rounds": total(n),
            **means("payout_ender", ender, n),
            **means("payout_next", following, n),
            **means("payout_others", others, n * n_others),
            **means("gain", ender - (following + others) / (n_others + 1), n),
            **win_shares("win_share_ender", sums["win_units_ender"], n, run.rules.players),
            **win_shares("win_share_next", sums["win_units_next"], n, run.rules.players),
        }
    )
    return seen(frame, "rounds")


def with_shares(tables: Tables) -> pd.DataFrame:
    """Return how rounds end, with the share of each way in its round."""
    how = tables["endings_by_how"].copy()
    how["share"] = how["rounds"] / how.groupby("round")["rounds"].transform("sum")
    return how


def _draw_how(tables: Tables) -> Axes:
    often = with_shares(tables)
    often = often[often["share"] >= 0.005]
    return plot_stacked(often, "round", "how", "share", "What ends rounds", "round", "share of rounds")


_HOLDING_AXIS = "ender's own paintings of the ending artist"


def _draw_holding(tables: Tables) -> Axes:
    return plot_lines(
        tables["endings_by_holding"],
        "holding",
        {"payout_ender": "ender", "payout_next": "next player", "payout_others": "other players"},
        "Who is paid when a round ends",
        _HOLDING_AXIS,
        "payout in that round, money",
        MAX_HOLDING,
    )


def _draw_wins(tables: Tables) -> Axes:
    return plot_lines(
        tables["endings_by_holding"],
        "holding",
        {"win_share_ender": "ender", "win_share_next": "next player"},
        "Who wins the game in the end",
        _HOLDING_AXIS,
        "win share",
        MAX_HOLDING,
    )


def _wins_caption(tables: Tables) -> str:
    rules = tables.run.rules
    always = rules.shill == "none" and rules.next_starter == "after_ender"
    starts = "who starts the next round" if always else "who often, but not always, starts the next round"
    return f"Observed win share of the player who ended a round, and of the player to their left, {starts}."


def notes(tables: Tables) -> list[str]:
    """Say what the section's numbers are not."""
    if tables["endings_by_how"].empty:
        return ["No round was ended by a card."]
    return [
        "Observed: players choose to end rounds, so these numbers do not say what ending costs. "
        "`modernart endings` plays the same decision points on both ways and measures that."
    ]


def find(tables: Tables) -> list[Finding]:
    """Say what enders hold and how they are paid."""
    endings = tables["endings_by_holding"]
    if endings.empty:
        return []
    rounds = endings["rounds"]
    mean = (endings["holding"] * rounds).sum() / rounds.sum()
    none = rounds[endings["holding"] == 0].sum() / rounds.sum()
    gain = float((endings["gain"] * rounds).sum() / rounds.sum())
    text = (
        f"Observed, not an effect of ending: the player who ends a round holds {mean:.1f} paintings of the ending "
        f"artist on average (none in {none:.0%} of rounds) and is paid {gain:+.0f} against the mean of the others in "
        "that round."
    )
    if "endings_causal" not in tables:
        text += " `modernart endings --run` measures the effect."
    return [Finding("endings", text, gain, evidence=OBSERVED, question=WHAT_WINS)]


_PAID = {
    "rounds": Column("rounds that a player's card ended so", "rounds"),
    "payout_ender": Column("payout of the ender in that round", "money", interval=True),
    "payout_next": Column("payout of the player to the ender's left", "money", interval=True),
    "payout_others": Column("mean payout of all other players", "money", interval=True),
    "gain": Column("the ender's payout less the mean of all others'", "money", interval=True),
    "win_share_ender": Column("how often the ender wins the game; ties are shared", "share", interval=True),
    "win_share_next": Column("how often the player to the ender's left wins the game", "share", interval=True),
}
_CASES = {
    "strategy": Column("who ended the round", evidence=CASE),
    "round": Column("number of the round, from 1", evidence=CASE),
    "how": Column("what put the ending card up", evidence=CASE),
    "holding": Column(f"the ender's own paintings of the ending artist; {MAX_HOLDING} or more are one", evidence=CASE),
}


def _table(name: str, *by: str, in_summary: bool = False) -> Table:
    columns = {**{key: column for key, column in _CASES.items() if key in by}, **_PAID}
    rows = "a case of " + ", ".join(by)
    return Table(name, rows, columns, lambda tables: endings_table(tables, by), in_summary)


_MONEY_CELLS = (
    Cell("payout_next", "next player", interval(".1f")),
    Cell("payout_others", "others", interval(".1f")),
)

MEASURE = Measure(
    name="endings",
    section="Ending cards",
    order=10,
    tallies=(Tally(ENDS, count_ends),),
    tables=(
        _table("endings_by_strategy", "strategy"),
        _table("endings_by_how", "round", "how"),
        _table("endings_by_holding", "holding", in_summary=True),
        _table("endings", "strategy", "round", "how", "holding"),
    ),
    drawings=(
        Drawing(
            "endings_how",
            "endings_by_how",
            _draw_how,
            "Observed: the form of the lot that ended the round; what ends less than one round in 200 is left out.",
        ),
        Drawing(
            "endings_holding",
            "endings_by_holding",
            _draw_holding,
            "Observed mean payout of the round, by what the ender holds.",
        ),
        Drawing("endings_wins", "endings_by_holding", _draw_wins, _wins_caption),
    ),
    views=(
        View(
            "Who ends rounds",
            "endings_by_strategy",
            (
                Cell("strategy", "ender"),
                Cell("rounds", "rounds", value(",")),
                Cell("payout_ender", "payout", interval(".1f")),
                *_MONEY_CELLS,
                Cell("gain", "against the mean", interval("+.1f")),
                Cell("win_share_ender", "wins", interval(".1%")),
            ),
            "Observed: payouts of the round, money.",
            lambda tables: tables.ranked(tables["endings_by_strategy"], "strategy"),
        ),
        View(
            "How rounds end",
            "endings_by_how",
            (
                Cell("round", "round", value("d")),
                Cell("how", "how"),
                Cell("rounds", "rounds", value(",")),
                Cell("share", "share", value(".1%")),
                Cell("payout_ender", "ender", interval(".1f")),
                *_MONEY_CELLS,
            ),
            "Observed: payouts of the round, money.",
            with_shares,
        ),
    ),
    notes=notes,
    find=find,
)
