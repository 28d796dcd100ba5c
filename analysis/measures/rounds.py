"""Rounds: cards put up and left, payouts, money and debts."""

import numpy as np
import pandas as pd

from modernart.analysis.measures.drawing import plot_lines
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
from modernart.analysis.measures.tables import means, shares, total
from modernart.simulator.jit import kernel
from modernart.simulator.tallies import Layout, Size, Tally, sizes_of

ROUNDS = Layout("rounds", {"round": Size.ROUNDS}, ("rounds", "cards_left", "payout", "money", "in_debt", "cards_up"))
add_round = ROUNDS.adder()


@kernel
def count_rounds(game, cells):
    """Count every round over all its seats."""
    sizes = sizes_of(game)
    for r in range(sizes[1]):
        result = game.rounds[r]
        left = 0
        payout = 0
        money = 0
        in_debt = 0
        for seat in range(sizes[2]):
            left += result.hand_sizes[seat]
            payout += result.payout[seat]
            money += result.money[seat]
            in_debt += result.money[seat] < 0
        add_round(cells, sizes, (r,), (1, left, payout, money, in_debt, result.n_up))


def make_rounds(tables: Tables) -> pd.DataFrame:
    """Return one row a round."""
    rules = tables.run.rules
    sums = tables.run.tallies.sums("rounds")
    n = sums["rounds"]
    seats = n * rules.players
    return pd.DataFrame(
        {
            "round": np.arange(1, rules.rounds + 1),
            "rounds": total(n),
            **means("cards_up", sums["cards_up"], n),
            **means("cards_left", sums["cards_left"], n),
            **means("payout", sums["payout"], n),
            **means("money", sums["money"], seats),
            **shares("in_debt", sums["in_debt"], seats, per_block=rules.players**2),
        }
    )


MEASURE = Measure(
    name="rounds",
    section="Market",
    order=3,
    tallies=(Tally(ROUNDS, count_rounds),),
    tables=(
        Table(
            "rounds",
            "a round",
            {
                "round": Column("number of the round, from 1", evidence=CASE),
                "rounds": Column("rounds played", "rounds"),
                "cards_up": Column("cards put up or turned up in it", "cards", interval=True),
                "cards_left": Column("cards left in all hands after it", "cards", interval=True),
                "payout": Column("payouts of all seats together", "money", interval=True),
                "money": Column("money of a seat after it, payouts included", "money a seat", interval=True),
                "in_debt": Column("share of seats with less than no money after it", "share", interval=True),
            },
            make_rounds,
            in_summary=True,
        ),
    ),
    drawings=(
        Drawing(
            "cards_left",
            "rounds",
            lambda tables: plot_lines(
                tables["rounds"],
                "round",
                {"cards_up": "put up in the round", "cards_left": "left in all hands after it"},
                "Cards by round",
                "round",
                "cards",
            ),
            "Observed: how many cards the round used and left.",
        ),
    ),
    views=(
        View(
            "Rounds",
            "rounds",
            (
                Cell("round", "round", value("d")),
                Cell("cards_up", "cards put up", interval(".2f")),
                Cell("cards_left", "cards left", interval(".2f")),
                Cell("payout", "payout of all", interval(".0f")),
                Cell("money", "money of a seat", interval(".1f")),
                Cell("in_debt", "seats in debt", value(".1%")),
            ),
            "Observed.",
        ),
    ),
)
