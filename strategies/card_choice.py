"""Which card to put up, and whether to add one to a double: a heuristic that simple bidders share."""

from modernart.simulator.cards import AuctionKind
from modernart.simulator.decisions import DECLINE, artist_of, crowns_of, ends_round, fits, kind_of
from modernart.simulator.jit import kernel
from modernart.simulator.state import N_ARTISTS
from modernart.strategies.valuation import collection_now, payout_now, table_payouts


@kernel
def sale_gain(table, seat, artist, crowns, n_cards):
    """Return what putting up cards promises: half their worth once they are out, and the lift to the own collection."""
    lift = collection_now(table, seat, artist, n_cards) - collection_now(table, seat, artist, 0)
    return 0.5 * crowns * payout_now(table, artist, n_cards) + lift


@kernel
def sale_gain_of_slot(table, hand, slot):
    """Return what putting up the card in a slot promises; a double counts with a second if there is one."""
    card = hand.cards[slot]
    artist = artist_of(card)
    if kind_of(card) == AuctionKind.DOUBLE and hand.fitting[artist] > 0:
        return sale_gain(table, hand.seat, artist, 2 * crowns_of(card), 2)
    return sale_gain(table, hand.seat, artist, crowns_of(card), 1)


@kernel
def choose_card(table, hand):
    """Return the slot of the card that promises most; a card that ends the round must be worth ending it."""
    best = 0
    best_gain = -1e9
    for slot in range(hand.n_cards):
        card = hand.cards[slot]
        artist = artist_of(card)
        if ends_round(table, artist, 1):
            gain = table_payouts(table, hand.seat, artist, 1)
        else:
            gain = sale_gain_of_slot(table, hand, slot)
        if gain > best_gain:
            best = slot
            best_gain = gain
    return best


@kernel
def choose_addition(table, hand):
    """Return the slot of a card to add to the lot on the table, or DECLINE where that would end the round badly."""
    ends = ends_round(table, table.artist, 1)
    if ends and table_payouts(table, hand.seat, table.artist, 1) <= 0:
        return DECLINE
    return finest_addition(table, hand)


@kernel
def finest_addition(table, hand):
    """Return the slot of the fitting card with most crowns, or DECLINE if none fits."""
    best = DECLINE
    most = 0
    for slot in range(hand.n_cards):
        if fits(table, hand, slot) and crowns_of(hand.cards[slot]) > most:
            best = slot
            most = crowns_of(hand.cards[slot])
    return best


@kernel
def choose_flip(table, hand):
    """Answer FLIP: turn a card up if one more card of the own best artist would gain on the rivals' mean."""
    best = -1
    for artist in range(N_ARTISTS):
        if table.stakes[hand.seat, artist] > 0 and (
            best < 0 or table.stakes[hand.seat, artist] > table.stakes[hand.seat, best]
        ):
            best = artist
    if best < 0:
        return 0
    gain = table_payouts(table, hand.seat, best, 1) - table_payouts(table, hand.seat, best, 0)
    return 1 if gain > 0 else 0


@kernel
def copies_in_hand(hand, artist):
    """Return how many cards of an artist a hand holds."""
    total = 0
    for slot in range(hand.n_cards):
        total += artist_of(hand.cards[slot]) == artist
    return total
