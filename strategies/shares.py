"""Bidders who pay a share of what a lot would pay if the round ended now: the folk rules of thumb."""

from simulator.decisions import Phase
from simulator.jit import kernel
from strategies.base import Param, strategy
from strategies.bidding import bid_by_value
from strategies.card_choice import choose_addition, choose_card
from strategies.valuation import value_now

SHADE = 0


@kernel
def play_by_share(table, hand, share):
    """Answer any question: cards by the shared heuristic, bids by a share of the lot's value now."""
    if table.phase == Phase.CARD:
        return choose_card(table, hand)
    if table.phase == Phase.PAIR or table.phase == Phase.JOIN:
        return choose_addition(table, hand)
    return bid_by_value(table, hand, value_now(table), share)


@strategy(
    params={"shade": Param(0.5, low=0.0, high=1.0, doc="share of the lot's value that it pays")},
    sources=["folk rule: pay at most half, so that seller and buyer gain alike"],
)
def half_value(table, hand):
    """Bids half of what the lot would pay if the round ended now."""
    return play_by_share(table, hand, hand.params[SHADE])


@strategy(sources=["folk rule: a price of v (n-1)/n leaves the buyer level with the average rival"])
def fair_share(table, hand):
    """Bids up to (n-1)/n of what the lot would pay now: there buyer and average rival gain alike."""
    n = table.rules.n_seats
    return play_by_share(table, hand, (n - 1.0) / n)


@strategy(sources=["folk rule: any price below the value is a profit"])
def full_value(table, hand):
    """Bids all that the lot would pay if the round ended now."""
    return play_by_share(table, hand, 1.0)


@strategy(sources=["folk claim: one can win without buying"])
def never_buy(table, hand):
    """Never buys if it can help it: lives off selling, at a fixed price of half the value."""
    if table.phase == Phase.PRICE:
        return bid_by_value(table, hand, value_now(table), 0.5)
    return play_by_share(table, hand, 0.0)
