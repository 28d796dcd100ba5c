"""Games to try things on: what a seat knows of a game, with the hidden cards dealt at random."""

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from modernart.simulator.decisions import artist_of, can_be_second
from modernart.simulator.jit import JIT_DISABLED, kernel
from modernart.simulator.state import (
    GAME_DTYPE,
    HAND_DTYPE,
    LIVE_BYTES,
    MAX_CARDS,
    MAX_HAND,
    MAX_SEATS,
    N_ARTISTS,
    N_CODES,
    new_games,
)
from modernart.simulator.streams import scaled, step

_TABLE_BYTES = GAME_DTYPE.fields["table"][0].itemsize  # type: ignore[index]
_HAND_BYTES = HAND_DTYPE.itemsize
_HANDS_START = GAME_DTYPE.fields["hands"][1]  # type: ignore[index]
_HANDS_END = _HANDS_START + MAX_SEATS * _HAND_BYTES

if JIT_DISABLED:

    def scratch_games(n):
        """Return blank games."""
        return new_games(n)

    def _copy_fields(target, source, skipped):
        for name in source.dtype.names:
            if name not in skipped:
                target[name] = source[name]

    def copy_table(target, source):
        """Copy a table."""
        _copy_fields(target, source, ())

    def copy_hand(target, source):
        """Copy a hand."""
        _copy_fields(target, source, ())

    def copy_game(target, source):
        """Copy a game without its log."""
        _copy_fields(target, source, ("rounds", "sales"))

else:

    @intrinsic
    def _copy_bytes(typingctx, target, source, start, end):
        """Copy the bytes from `start` to `end` of a record to another; numba itself copies records field by field."""

        def codegen(context, builder, signature, arguments):
            to, origin, first, behind = arguments
            to = cgutils.pointer_add(builder, to, first, to.type)
            origin = cgutils.pointer_add(builder, origin, first, origin.type)
            cgutils.raw_memcpy(builder, to, origin, builder.sub(behind, first), 1)
            return behind

        return types.int64(target, source, types.int64, types.int64), codegen

    @kernel
    def scratch_games(n):
        """Return blank games."""
        return np.zeros(n, GAME_DTYPE)

    @kernel
    def copy_table(target, source):
        """Copy a table."""
        _copy_bytes(target, source, 0, _TABLE_BYTES)

    @kernel
    def copy_hand(target, source):
        """Copy a hand."""
        _copy_bytes(target, source, 0, _HAND_BYTES)

    @kernel
    def copy_game(target, source):
        """Copy a game without its log and without the hands of seats that nobody takes."""
        _copy_bytes(target, source, 0, _HANDS_START + source.table.rules.n_seats * _HAND_BYTES)
        _copy_bytes(target, source, _HANDS_END, LIVE_BYTES)


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
    for i in range(n_cards - 1):
        state = step(state)
        j = i + scaled(state, n_cards - i)
        kept = cards[i]
        cards[i] = cards[j]
        cards[j] = kept
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
