"""The random bidder: the yardstick of speed, and an independent check of the rules."""

from modernart.simulator.decisions import DECLINE, STAY_OUT, Phase, budget, count_fitting, fits
from modernart.simulator.jit import kernel
from modernart.simulator.streams import below
from modernart.strategies.base import RULES_OF_THUMB, strategy

GROUP = RULES_OF_THUMB

#: Random amounts go up to this.
_MOST = 40
#: A random raise is at most this much above the high bid.
_RAISE = 10


@kernel
def random_addition(table, hand):
    """Decline half the time, else add each fitting card equally often."""
    if below(hand, 2) == 0:
        return DECLINE
    skip = below(hand, count_fitting(table, hand))
    for slot in range(hand.n_cards):
        if fits(table, hand, slot):
            if skip == 0:
                return slot
            skip -= 1
    return DECLINE


@strategy()
def random(table, hand):
    """Picks any card and any bid up to 40, and answers yes or no by the toss of a coin."""
    phase = table.phase
    if phase == Phase.LIMIT or phase == Phase.SEALED or phase == Phase.PRICE:
        return below(hand, min(budget(table, table.seat), _MOST) + 1)
    if phase == Phase.BID or phase == Phase.RAISE:
        if below(hand, 2) == 0:
            return 0
        high = table.high_bid
        return high + 1 + below(hand, min(table.money[table.seat] - high, _RAISE))
    if phase == Phase.CARD:
        return below(hand, hand.n_cards)
    if phase == Phase.PAIR or phase == Phase.JOIN:
        return random_addition(table, hand)
    if phase == Phase.TENDER:
        if table.seat == table.auctioneer and below(hand, 2) == 0:
            return STAY_OUT
        return below(hand, min(budget(table, table.seat), _MOST) + 1)
    return below(hand, 2)
