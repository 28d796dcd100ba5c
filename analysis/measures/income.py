"""Where the money comes from: an account of every strategy that adds up to the last unit.

Starting money + profit of buying + revenue of selling + other money = final money. Other money is the sum of what
black-framed cards cost (fines of who takes them, fees of the others) and what is spared where nobody goes into debt.
"""

import pandas as pd

from modernart.analysis.measures.measure import CASE, Cell, Column, Measure, Table, Tables, View, interval, value
from modernart.analysis.measures.tables import means, shares
from modernart.simulator.cards import AuctionKind
from modernart.simulator.jit import kernel
from modernart.simulator.rules import Rules
from modernart.simulator.state import SEAT_MASK
from modernart.simulator.tallies import Layout, Size, Tally, sizes_of, value_of

INCOME = Layout(
    "income",
    {"strategy": Size.STRATEGIES},
    ("seats", "lots", "spent", "collected", "sold", "shared", "fines", "fees", "spared"),
)
add_income = INCOME.adder()


@kernel
def count_income(game, cells):
    """Count every seat's payments of one game, each where the log of the game has it.

    The price of a lot that its seller takes without a bid (`no_bid_price`) is spent by a buyer like any other price.
    """
    sizes = sizes_of(game)
    for i in range(game.n_sales):
        sale = game.sales[i]
        buyer = game.who[sale.buyer & SEAT_MASK]
        value = value_of(game, sale)
        if sale.kind == AuctionKind.BLACK_FRAMED:
            add_income(cells, sizes, (buyer,), (0, 0, 0, 0, 0, 0, value, 0, 0))
        else:
            seller = game.who[sale.auctioneer & SEAT_MASK]
            first_seller = game.who[sale.owner & SEAT_MASK] if sale.to_owner > 0 else seller
            sold = sale.price - sale.to_bank - sale.to_owner
            add_income(cells, sizes, (buyer,), (0, 1, sale.price, value, 0, 0, 0, 0, 0))
            add_income(cells, sizes, (seller,), (0, 0, 0, 0, sold, 0, 0, 0, 0))
            add_income(cells, sizes, (first_seller,), (0, 0, 0, 0, 0, sale.to_owner, 0, 0, 0))
    for seat in range(sizes[2]):
        fees = 0
        spared = 0
        for r in range(sizes[1]):
            fees += game.rounds[r].fees[seat]
            spared += game.rounds[r].spared[seat]
        add_income(cells, sizes, (game.who[seat],), (1, 0, 0, 0, 0, 0, 0, fees, spared))


def make_buyers(tables: Tables) -> pd.DataFrame:
    """Return one row a strategy: the account of its money."""
    run = tables.run
    sums = run.tallies.sums("income")
    seats = sums["seats"]
    buying, selling, other = accounts(tables)
    starting = seats * run.rules.starting_money
    return pd.DataFrame(
        {
            "strategy": list(run.names),
            "starting_money": float(run.rules.starting_money),
            **means("lots_bought", sums["lots"], seats),
            **means("spent", sums["spent"], seats),
            **means("buying_profit", buying, seats),
            **means("selling_revenue", selling, seats),
            **means("fines", sums["fines"], seats),
            **means("fees", sums["fees"], seats),
            **means("spared", sums["spared"], seats),
            **means("other_money", other, seats),
            **means("money", starting + buying + selling + other, seats),
            **shares("sales_share", selling, selling + sums["collected"]),
        }
    )


def accounts(tables: Tables) -> tuple:
    """Return profit of buying, revenue of selling and other money, ndarrays of shape (N_BATCHES, n_strategies)."""
    sums = tables.run.tallies.sums("income")
    buying = sums["collected"] - sums["spent"]
    selling = sums["sold"] + sums["shared"]
    other = sums["spared"] - sums["fines"] - sums["fees"]
    return buying, selling, other


def has_black_framed(rules: Rules) -> bool:
    """Return whether the deck holds black-framed cards."""
    return any("-B" in card for card in rules.deck)


def _cells() -> tuple[Cell, ...]:
    return (
        Cell("strategy", "strategy"),
        Cell("lots_bought", "lots bought a game", value(".1f")),
        Cell("spent", "spent", value(".0f")),
        Cell("starting_money", "starting money", value(".0f")),
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


MEASURE = Measure(
    name="income",
    section="Win rates",
    order=8,
    tallies=(Tally(INCOME, count_income),),
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
            lambda tables: tables["buyers"].sort_values("selling_revenue", ascending=False),
        ),
    ),
)
