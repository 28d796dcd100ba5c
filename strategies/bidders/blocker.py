"""A bidder that looks at who leads before it bids."""

from modernart.simulator.decisions import Phase
from modernart.simulator.jit import kernel
from modernart.strategies.base import CLAIMS, strategy
from modernart.strategies.bidders.predictive import (
    IF_IT_GAINS,
    PARAMS,
    choose_bid,
    learn_prices,
    note_lot,
    play_predictive,
)
from modernart.strategies.forecast import expected_value
from modernart.strategies.valuation import denial_price, is_trailing, match_seller_price, wealth_now

GROUP = CLAIMS


@kernel
def leader_of(table):
    """Return the richest seat (the lowest number on ties)."""
    leader = 0
    for seat in range(1, table.rules.n_seats):
        if wealth_now(table, seat) > wealth_now(table, leader):
            leader = seat
    return leader


@strategy(params=PARAMS, sources=["folk claim: stop the leader, let the others have theirs"])
def leader_blocker(table, hand):
    """Bids up to the full value against the leader, to deny them the lot; leaves lots to a trailing high bidder.

    When the leader sells, it pays at most half. Otherwise it plays as `predictive`.
    """
    phase = table.phase
    is_auction = phase == Phase.LIMIT or phase == Phase.BID or phase == Phase.RAISE or phase == Phase.ACCEPT
    leader = leader_of(table)
    if not is_auction or hand.seat == table.auctioneer or leader == hand.seat:
        return play_predictive(table, hand, IF_IT_GAINS, True)
    learn_prices(table, hand)
    worth = expected_value(table, hand, True)
    note_lot(table, hand, worth)
    high = table.high_bid
    if phase == Phase.ACCEPT:
        return 1 if high <= (match_seller_price(worth) if leader == table.auctioneer else denial_price(worth)) else 0
    if leader == table.auctioneer:
        worth = match_seller_price(worth)
    elif table.high_bidder == leader and worth > high + 1 and table.money[hand.seat] > high:
        return high + 1
    elif table.high_bidder >= 0 and table.high_bidder != table.auctioneer and is_trailing(table, table.high_bidder):
        return 0
    return choose_bid(table, hand, worth)
