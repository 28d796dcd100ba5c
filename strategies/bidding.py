"""From what a lot is worth to a legal answer in every kind of auction."""

import math

from simulator.decisions import DECLINE, Phase, budget, fits_double
from simulator.jit import kernel


@kernel
def limit_for(table, hand, worth, share):
    """Return the most a player would pay, in money: `share` of what the lot is worth to him, within his money.

    Selling to a rival for `p` beats buying one's own lot for `p` unless it is worth more than `2 p`: the auctioneer
    goes no further than half.
    """
    if hand.seat == table.auctioneer:
        share = min(share, 0.5)
    return min(max(int(math.floor(worth * share)), 0), budget(table, hand.seat))


@kernel
def bid_by_value(table, hand, worth, share):
    """Answer any question about buying or pricing the lot from its worth.

    Parameters
    ----------
    table, hand : records
    worth : float
        What the lot is worth to the player, in money.
    share : float
        How much of it he would pay.

    Returns
    -------
    int
        Open limit, sealed: his limit. Once around: the limit, or as the last speaker one more than the high bid.
        Outcry: one more than the high bid. Fixed price: asks what a bidder like himself would pay; accepts up to it.
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
        return min(max(int(math.floor(worth * share)), 0), budget(table, hand.seat))
    return limit


@kernel
def first_fitting(table, hand):
    """Return the first slot whose card can be added to the double on the table, or DECLINE."""
    for slot in range(hand.n_cards):
        if fits_double(hand, slot, table.artist):
            return slot
    return DECLINE
