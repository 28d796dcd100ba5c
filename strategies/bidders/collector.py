"""A bidder that buys into one artist early and then plays and bids to keep that artist on top."""

from modernart.simulator.decisions import Phase, artist_of, ends_round
from modernart.simulator.jit import kernel
from modernart.simulator.state import N_ARTISTS
from modernart.strategies.base import CLAIMS, strategy
from modernart.strategies.bidders.predictive import (
    IF_IT_GAINS,
    PARAMS,
    cards_up,
    choose_bid,
    learn_prices,
    note_lot,
    play_predictive,
)
from modernart.strategies.forecast import expected_value

GROUP = CLAIMS

#: Lots count as early until this many cards are up.
_EARLY_CARDS = 5
#: What it adds to, or takes off, the worth of a lot.
_EARLY, _OWN_ARTIST, _OTHERS = 1.1, 1.15, 0.9


@kernel
def favourite(table, hand):
    """Return the artist of whom it bought most crowns this round, or -1."""
    best = -1
    for artist in range(N_ARTISTS):
        crowns = table.stakes[hand.seat, artist]
        if crowns > 0 and (best < 0 or crowns > table.stakes[hand.seat, best]):
            best = artist
    return best


@strategy(params=PARAMS, sources=["folk claim: collect one artist early and push that artist"])
def collector(table, hand):
    """Wins some lots early in the round, then plays and bids to lock that artist's rank.

    It pays a tenth more for early lots, more for its favourite and less for others, and puts up cards of its favourite
    as long as they do not end the round against it. Otherwise it plays as `predictive`.
    """
    phase = table.phase
    own = favourite(table, hand)
    if phase == Phase.CARD and own >= 0 and not ends_round(table, own, 1):
        for slot in range(hand.n_cards):
            if artist_of(hand.cards[slot]) == own:
                learn_prices(table, hand)
                return slot
    is_auction = Phase.LIMIT <= phase and phase <= Phase.ACCEPT
    if not is_auction or hand.seat == table.auctioneer:
        return play_predictive(table, hand, IF_IT_GAINS, True)
    learn_prices(table, hand)
    worth = expected_value(table, hand, True)
    note_lot(table, hand, worth)
    if own < 0:
        return choose_bid(table, hand, worth * (_EARLY if cards_up(table) <= _EARLY_CARDS else 1.0))
    return choose_bid(table, hand, worth * (_OWN_ARTIST if table.artist == own else _OTHERS))
