"""Bidders that choose cards by how many copies of the artist there are; they bid as `predictive`."""

from modernart.simulator.cards import AuctionKind
from modernart.simulator.decisions import Phase, artist_of, kind_of
from modernart.simulator.jit import kernel
from modernart.strategies.base import CLAIMS, strategy
from modernart.strategies.bidders.predictive import IF_IT_GAINS, PARAMS, learn_prices, play_predictive

GROUP = CLAIMS


@kernel
def card_by_copies(table, hand, sign):
    """Return the slot of the artist with fewest (`sign` -1) or most (+1) copies in the deck; a pair before a single."""
    best = 0
    most = -1e9
    for slot in range(hand.n_cards):
        card = hand.cards[slot]
        artist = artist_of(card)
        can_pair = kind_of(card) == AuctionKind.DOUBLE and hand.fitting[artist] > 0
        rank = sign * table.rules.artist_copies[artist] + (0.5 if can_pair else 0.0)
        if rank > most:
            most = rank
            best = slot
    return best


@strategy(params=PARAMS, sources=["folk claim: rare artists first, as they win ties"])
def scarce_first(table, hand):
    """Puts up the artist with the fewest copies in the deck first; bids as `predictive`."""
    if table.phase == Phase.CARD:
        learn_prices(table, hand)
        return card_by_copies(table, hand, -1.0)
    return play_predictive(table, hand, IF_IT_GAINS, True)


@strategy(params=PARAMS, sources=["folk claim: common artists first, as more of them will come"])
def common_first(table, hand):
    """Puts up the artist with the most copies in the deck first; bids as `predictive`."""
    if table.phase == Phase.CARD:
        learn_prices(table, hand)
        return card_by_copies(table, hand, 1.0)
    return play_predictive(table, hand, IF_IT_GAINS, True)
