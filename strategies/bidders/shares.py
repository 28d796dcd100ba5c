"""Bidders who pay a share of what a lot would pay if the round ended now: the folk rules of thumb."""

from modernart.simulator.decisions import Phase
from modernart.simulator.jit import kernel
from modernart.strategies.base import RULES_OF_THUMB, Param, strategy
from modernart.strategies.bidding import bid_by_value, simple_tender
from modernart.strategies.card_choice import choose_addition, choose_card, choose_flip
from modernart.strategies.forecast import expected_value
from modernart.strategies.valuation import is_leading, match_seller_price, match_table_price, value_now

GROUP = RULES_OF_THUMB

SHADE = 0


@kernel
def play_by_share(table, hand, worth, share):
    """Answer any question: cards by the shared heuristic, bids by a share of what the lot is worth."""
    if table.phase == Phase.CARD:
        return choose_card(table, hand)
    if table.phase == Phase.PAIR or table.phase == Phase.JOIN:
        return choose_addition(table, hand)
    if table.phase == Phase.FLIP:
        return choose_flip(table, hand)
    if table.phase == Phase.TENDER:
        return simple_tender(table, hand, worth)
    return bid_by_value(table, hand, worth, share)


@kernel
def play_fair_share(table, hand, remembers):
    """Answer any question as `fair_share`; without memory all cards may still be about, and all sellers are alike."""
    if table.phase == Phase.CARD or table.phase == Phase.PAIR or table.phase == Phase.JOIN:
        return play_by_share(table, hand, 0.0, 0.0)
    worth = expected_value(table, hand, remembers)
    share = match_table_price(1.0, table.rules.n_seats)
    if remembers and hand.seat != table.auctioneer and is_leading(table, table.auctioneer):
        share = match_seller_price(1.0)
    return play_by_share(table, hand, worth, share)


@strategy(
    params={"shade": Param(0.5, low=0.0, high=1.0, doc="share of the lot's value that it pays")},
    sources=["folk rule: pay at most half, so that seller and buyer gain alike"],
)
def half_value(table, hand):
    """Bids half of what the lot would pay if the round ended now."""
    return play_by_share(table, hand, value_now(table), hand.params[SHADE])


@strategy(sources=["folk rule: a price of v (n-1)/n leaves the buyer level with the average rival"])
def fair_share(table, hand):
    """Bids up to (n-1)/n of what a lot is expected to pay, to gain as the average rival does; half if the leader sells.

    At half the seller gains as much as the buyer.
    """
    return play_fair_share(table, hand, True)


@strategy(sources=["folk rule: any price below the value is a profit"])
def full_value(table, hand):
    """Bids all that the lot would pay if the round ended now."""
    return play_by_share(table, hand, value_now(table), 1.0)


@strategy(sources=["folk claim: one can win without buying"])
def never_buy(table, hand):
    """Never buys if it can help it: lives off selling, at a fixed price of half the value."""
    if table.phase == Phase.PRICE:
        return bid_by_value(table, hand, value_now(table), 0.5)
    return play_by_share(table, hand, value_now(table), 0.0)
