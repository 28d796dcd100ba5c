"""Shuffling and dealing."""

from modernart.simulator import streams
from modernart.simulator.decisions import artist_of, can_be_second
from modernart.simulator.jit import kernel
from modernart.simulator.limits import cards_taken
from modernart.simulator.options import NO_SHILL

_cards_taken = kernel(inline=True)(cards_taken)


@kernel
def shuffle_deck(game):
    """Shuffle the cards to be dealt to the front of the deck and draw the seat that starts the first round."""
    table = game.table
    state = streams.step(streams.stream_start(game.key, 0, 0, streams.DEAL))
    game.first_seat = streams.scaled(state, table.rules.n_seats)
    n_deck = table.rules.n_deck
    for i in range(n_deck):
        game.deck[i] = table.rules.deck[i]
    streams.shuffle(game.deck, n_deck, table.rules.n_dealt, state)


@kernel
def deal_round(game):
    """Deal the cards of the table's round, the shill's pile last, and start every player's random stream for it.

    Notes
    -----
    A hand limit changes no other card: every share comes off the deck whole.
    """
    table = game.table
    rules = table.rules
    n_new = rules.deal[table.round_index]
    position = game.deck_position
    for seat in range(rules.n_seats):
        hand = game.hands[seat]
        n_held = hand.n_cards
        n_taken = _cards_taken(rules.hand_limit, n_held, n_new)
        for i in range(n_taken):
            card = game.deck[position + i]
            hand.cards[n_held + i] = card
            hand.fitting[artist_of(card)] += can_be_second(card)
        hand.n_cards = n_held + n_taken
        table.cards_in_hands += n_taken
        table.hand_sizes[seat] = hand.n_cards
        position += n_new
        hand.rng = streams.stream_start(game.key, table.round_index, hand.home, streams.DECISIONS)
    if rules.shill != NO_SHILL:
        for i in range(n_new):
            game.pile[table.pile_size + i] = game.deck[position + i]
        table.pile_size += n_new
        position += n_new
    game.deck_position = position


@kernel
def take_card(game, seat, slot):
    """Remove the card in a slot from a hand and return its code; the last card of the hand fills the slot."""
    hand = game.hands[seat]
    card = hand.cards[slot]
    n_left = hand.n_cards - 1
    hand.n_cards = n_left
    hand.cards[slot] = hand.cards[n_left]
    hand.fitting[artist_of(card)] -= can_be_second(card)
    game.table.hand_sizes[seat] = n_left
    game.table.cards_in_hands -= 1
    return card
