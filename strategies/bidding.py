"""From what a lot is worth to a legal answer in every kind of auction."""

import math

from modernart.simulator.decisions import DECLINE, STAY_OUT, Phase, budget, fits
from modernart.simulator.jit import kernel


@kernel
def limit_for(table, hand, worth, share):
    """Return the most a player would pay, in money: `share` of what the lot is worth to them, within their money.

    Selling to a rival for `p` beats buying one's own lot for `p` unless it is worth more than `2 p`: the auctioneer
    goes no further than half.
    """
    if hand.seat == table.auctioneer:
        share = min(share, 0.5)
    return whole_amount(table, hand, worth * share)


@kernel
def bid_by_value(table, hand, worth, share):
    """Answer any question about buying or pricing the lot from its worth.

    Parameters
    ----------
    table, hand : records
    worth : float
        What the lot is worth to the player, in money.
    share : float
        How much of it they would pay.

    Returns
    -------
    int
        Open limit, sealed: the limit. Once around: the limit, or as the last speaker one more than the high bid.
        Outcry: one more than the high bid. Fixed price: asks what such a bidder would pay; accepts up to it.
    """
    limit = limit_for(table, hand, worth, share)
    phase = table.phase
    if phase == Phase.BID or phase == Phase.RAISE:
        if limit <= table.high_bid:
            return 0
        return limit if phase == Phase.BID and hand.seat != table.auctioneer else table.high_bid + 1
    if phase == Phase.ACCEPT:
        return 1 if table.high_bid <= limit else 0
    if phase == Phase.PRICE:
        return whole_amount(table, hand, worth * share)
    return limit


@kernel
def first_fitting(table, hand):
    """Return the first slot whose card can be added to the lot on the table, or DECLINE."""
    for slot in range(hand.n_cards):
        if fits(table, hand, slot):
            return slot
    return DECLINE


@kernel
def whole_amount(table, hand, amount):
    """Return a whole amount that the player can pay, at most `amount`."""
    return min(max(math.floor(amount), 0), budget(table, hand.seat))


@kernel
def answer_up_to(table, hand, open_cap, once_cap, sealed, ask, accept_cap):
    """Answer any question of an auction from one amount for each kind: for bidders who do not tell seller from buyer.

    Parameters
    ----------
    table, hand : records
    open_cap : float
        How far to raise in an open auction.
    once_cap : float
        The bid once around, if that beats the high bid.
    sealed, ask : float
        The sealed bid, and the fixed price to ask.
    accept_cap : float
        Highest fixed price to accept.
    """
    phase = table.phase
    if phase == Phase.LIMIT:
        return whole_amount(table, hand, open_cap)
    if phase == Phase.RAISE:
        return table.high_bid + 1 if whole_amount(table, hand, open_cap) > table.high_bid else 0
    if phase == Phase.BID:
        amount = whole_amount(table, hand, once_cap)
        return amount if amount > table.high_bid else 0
    if phase == Phase.SEALED:
        return whole_amount(table, hand, sealed)
    if phase == Phase.PRICE:
        return whole_amount(table, hand, ask)
    return 1 if table.high_bid <= accept_cap else 0


@kernel
def simple_tender(table, hand, worth):
    """Answer TENDER for a card that may cost its taker `worth`: a share of it for each who might take it instead.

    The auctioneer stays out.
    """
    if hand.seat == table.auctioneer:
        return STAY_OUT
    return whole_amount(table, hand, worth / (table.rules.n_seats - 1.0))
