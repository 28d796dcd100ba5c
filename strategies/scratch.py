"""Games to try things on: what a seat knows of a game, with the hidden cards dealt at random."""

import numpy as np

from modernart.simulator.decisions import artist_of, can_be_second
from modernart.simulator.jit import kernel
from modernart.simulator.state import MAX_CARDS, MAX_HAND, N_ARTISTS, N_CODES
from modernart.simulator.streams import shuffle


@kernel
def unseen_cards(table, hand, cards):
    """Fill in the cards that a seat cannot place: the deck, less what was put up, less its own; returns how many.

    Parameters
    ----------
    table, hand : records
    cards : ndarray of int16, shape (MAX_CARDS,)
        Written.
    """
    own = np.zeros(N_CODES, np.int64)
    for slot in range(hand.n_cards):
        own[hand.cards[slot]] += 1
    n = 0
    for code in range(N_CODES):
        for _ in range(table.rules.code_copies[code] - table.seen[code] - own[code]):
            if n < MAX_CARDS:
                cards[n] = code
                n += 1
    return n


@kernel
def deal_unseen(game, own_seat, cards, n_cards, state):
    """Deal unseen cards at random: to the rivals as many as each holds, to the shill's pile, the rest is the deck.

    Parameters
    ----------
    game : record of GAME_DTYPE
        Its table and own hand must be set; the others' hands, the pile and the deck are written.
    own_seat : int
    cards : ndarray of int16
        Unseen cards; shuffled in place.
    n_cards : int
    state : uint64
        Of a stream.

    Returns
    -------
    uint64
        The stream's state after the draws.
    """
    table = game.table
    state = shuffle(cards, n_cards, n_cards, state)
    position = 0
    total = game.hands[own_seat].n_cards
    table.hand_sizes[own_seat] = total
    for seat in range(table.rules.n_seats):
        if seat == own_seat:
            continue
        hand = game.hands[seat]
        for artist in range(N_ARTISTS):
            hand.fitting[artist] = 0
        n = min(min(table.hand_sizes[seat], n_cards - position), MAX_HAND)
        for k in range(n):
            card = cards[position + k]
            hand.cards[k] = card
            hand.fitting[artist_of(card)] += can_be_second(card)
        hand.n_cards = n
        table.hand_sizes[seat] = n
        position += n
        total += n
    table.cards_in_hands = total
    table.pile_size = min(table.pile_size, n_cards - position)
    for k in range(table.pile_size):
        game.pile[k] = cards[position + k]
    position += table.pile_size
    for k in range(n_cards - position):
        game.deck[k] = cards[position + k]
    game.deck_position = 0
    return state
