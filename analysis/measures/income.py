"""Where the money comes from: an account of every strategy that adds up to the last unit.

Starting money + profit of buying + revenue of selling + other money = final money. Other money is the sum of what
black-framed cards cost (fines of the takers, fees of the others) and what is spared where nobody goes into debt.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from modernart.analysis.measures.measure import (
    CASE,
    OBSERVED,
    WHAT_WINS,
    Cell,
    Column,
    Finding,
    Measure,
    Table,
    Tables,
    View,
    interval,
    value,
)
from modernart.analysis.measures.tables import means, mix_of, shares
from modernart.simulator.cards import AuctionKind
from modernart.simulator.jit import kernel
from modernart.simulator.rules import Rules
from modernart.simulator.simulate import Run
from modernart.simulator.tallies import Layout, Per, Size, Tally, sizes_of

#: What sellers of joined doubles got who did not sell them in the end: the other sums of lots are those of `trades`.
FIRST_SELLERS = Layout("first_sellers", {"strategy": Size.STRATEGIES}, ("revenue",))
BANK = Layout("bank", {"strategy": Size.STRATEGIES}, ("fees", "spared"))
add_first_seller = FIRST_SELLERS.adder()
add_bank = BANK.adder()


@kernel(inline=True)
def count_first_seller(cells, sizes, lot):
    """Count what the first seller of a joined double got."""
    if lot.to_owner > 0:
        add_first_seller(cells, sizes, (lot.owner,), (lot.to_owner,))


@kernel
def count_bank(game, cells):
    """Count what every seat paid the bank for black-framed cards of others, and what it was spared of its fines."""
    sizes = sizes_of(game)
    for seat in range(sizes[2]):
        fees = 0
        spared = 0
        for r in range(sizes[1]):
            fees += game.rounds[r].fees[seat]
            spared += game.rounds[r].spared[seat]
        if fees > 0 or spared > 0:
            add_bank(cells, sizes, (game.who[seat],), (fees, spared))


class Account(NamedTuple):
    """Sums of money by batch and strategy; every array has the shape (N_BATCHES, n_strategies)."""

    seats: np.ndarray
    lots: np.ndarray
    spent: np.ndarray
    collected: np.ndarray
    revenue: np.ndarray
    fines: np.ndarray
    fees: np.ndarray
    spared: np.ndarray


def account_of(run: Run) -> Account:
    """Return where the money of each strategy comes from."""
    trades = run.tallies.sums("trades")
    sold = trades.at(kind=slice(0, AuctionKind.BLACK_FRAMED))
    bought, by_seller = sold.by("buyer"), sold.by("auctioneer")
    bank = run.tallies.sums("bank")
    return Account(
        seats=run.tallies.sums("scores")["seats"],
        lots=bought["lots"],
        spent=bought["price"],
        collected=bought["value"],
        revenue=by_seller["price"]
        - by_seller["to_bank"]
        - by_seller["to_owner"]
        + run.tallies.sums("first_sellers")["revenue"],
        fines=trades.at(kind=AuctionKind.BLACK_FRAMED).by("buyer")["value"],
        fees=bank["fees"],
        spared=bank["spared"],
    )


def make_buyers(tables: Tables) -> pd.DataFrame:
    """Return one row a strategy: the account of its money."""
    run = tables.run
    account = account_of(run)
    mix = mix_of(run)
    seats = account.seats
    buying = account.collected - account.spent
    other = account.spared - account.fines - account.fees
    rules = run.rules
    # Within a block every line-up position takes each place in the order of play once.
    on_top = seats // rules.players * sum(rules.order_money[: rules.players])
    starting = seats * rules.starting_money + on_top
    return pd.DataFrame(
        {
            "strategy": list(run.names),
            "starting_money": rules.all_starting_money / rules.players,
            **means("lots_bought", account.lots, seats, mix=mix),
            **means("spent", account.spent, seats, mix=mix),
            **means("buying_profit", buying, seats, mix=mix),
            **means("selling_revenue", account.revenue, seats, mix=mix),
            **means("fines", account.fines, seats, mix=mix),
            **means("fees", account.fees, seats, mix=mix),
            **means("spared", account.spared, seats, mix=mix),
            **means("other_money", other, seats, mix=mix),
            **means("money", starting + buying + account.revenue + other, seats, mix=mix),
            **shares("sales_share", account.revenue, account.revenue + account.collected, mix=mix),
        }
    )


def has_black_framed(rules: Rules) -> bool:
    """Return whether the deck holds black-framed cards."""
    return any("-B" in card for card in rules.deck)


def _cells() -> tuple[Cell, ...]:
    return (
        Cell("strategy", "strategy"),
        Cell("lots_bought", "lots bought a game", value(".1f")),
        Cell("spent", "spent", value(".0f")),
        Cell("starting_money", "starting money", lambda row, name: f"{row[name]:.1f}".removesuffix(".0")),
        Cell("buying_profit", "+ profit of buying", interval(".1f")),
        Cell("selling_revenue", "+ revenue of selling", interval(".1f")),
        Cell("other_money", "+ other", interval(".1f")),
        Cell("money", "= final money", interval(".1f")),
        Cell("sales_share", "selling's part of income", interval(".0%")),
    )


def _note(tables: Tables) -> str:
    note = (
        "Observed; money a game and seat. Profit of buying: payouts of the paintings bought less their prices, the "
        "price without a bid included. Revenue of selling: what sellers got, each seller of a double their own part. "
        "Income, in the last column: revenue of selling and payouts."
    )
    if has_black_framed(tables.run.rules):
        note += " Other: fines of those who took black-framed cards, and fees of the others, as losses."
    return note


def find(tables: Tables) -> list[Finding]:
    """Say whether the best gains by buying or by selling, against the mean of all others."""
    frame = tables["buyers"].set_index("strategy")
    if len(frame) == 1:
        return []
    best = tables.order[0]
    gap = frame.loc[best] - frame.drop(best).mean()
    other = f", {gap['other_money']:+.0f} by black-framed cards" if has_black_framed(tables.run.rules) else ""
    text = (
        f"Observed: {best} ends with {gap['money']:+.0f} in money against the mean of the other strategies: "
        f"{gap['buying_profit']:+.0f} by buying (what its paintings paid less their prices), "
        f"{gap['selling_revenue']:+.0f} by selling{other}."
    )
    return [Finding("income", text, float(gap["money"]), evidence=OBSERVED, question=WHAT_WINS)]


MEASURE = Measure(
    name="income",
    section="Win rates",
    order=8,
    tallies=(Tally(FIRST_SELLERS, count_first_seller, Per.LOT), Tally(BANK, count_bank)),
    tables=(
        Table(
            "buyers",
            "a strategy",
            {
                "strategy": Column("its name", evidence=CASE),
                "starting_money": Column("money at the start of a game", "money a game"),
                "lots_bought": Column("lots bought, black-framed cards not counted", "lots a game", interval=True),
                "spent": Column("prices paid, to the bank too", "money a game", interval=True),
                "buying_profit": Column("payouts of paintings bought less prices paid", "money a game", interval=True),
                "selling_revenue": Column(
                    "what it got for lots as seller, also as first seller of a joined double",
                    "money a game",
                    interval=True,
                ),
                "fines": Column("payouts owed for black-framed cards taken", "money a game", interval=True),
                "fees": Column(
                    "paid to the bank for black-framed cards that others took", "money a game", interval=True
                ),
                "spared": Column(
                    "fines beyond the money there was, where the rules allow no debt", "money a game", interval=True
                ),
                "other_money": Column("spared less fines and fees", "money a game", interval=True),
                "money": Column(
                    "final money: starting money, profit of buying, revenue of selling and other money added up",
                    "money a game",
                    interval=True,
                ),
                "sales_share": Column(
                    "revenue of selling over itself and the payouts of paintings bought", "share", interval=True
                ),
            },
            make_buyers,
        ),
    ),
    views=(
        View(
            "Where the money comes from",
            "buyers",
            _cells(),
            _note,
            lambda tables: tables.ranked(tables["buyers"], "strategy"),
        ),
    ),
    find=find,
)
