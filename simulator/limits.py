"""Limits that every edition and house rule must keep: the room in the records of a game, and in their integers."""

MIN_SEATS, MAX_SEATS = 2, 8
MAX_ROUNDS = 8
N_ARTISTS = 8
MAX_HAND = 48
MAX_CARDS = 128
#: Copies of one card are counted in 8 bits.
MAX_COPIES = 127
MAX_MONEY = 1_000_000
#: Keeps the payouts of a game, 128 cards of 7 crowns over 8 rounds, within 32 bits.
MAX_RANK_VALUE = 100_000
#: Seeds and counts of games go up to here: what a signed integer of 64 bits holds.
MAX_WHOLE = 2**63 - 1


def cards_taken(hand_limit, n_held, n_new):
    """Return how many new cards a hand takes up under a hand limit; the others leave the game unseen."""
    return min(n_new, max(hand_limit - n_held, 0))
