"""What the networks of `learned` see: numbers from the table and the own hand, in a fixed order.

Numbers are not scaled; the first layer of each network takes that in. Artists other than the one in question follow in
the order of what they are expected to pay, so that a network need not learn the same for every artist.
"""

import numpy as np

from modernart.simulator.cards import AuctionKind
from modernart.simulator.decisions import DECLINE, Phase, artist_of, budget, crowns_of, kind_of
from modernart.simulator.jit import kernel
from modernart.simulator.state import N_ARTISTS
from modernart.strategies.bidders.predictive import (
    FIXED_PRICES,
    IF_IT_GAINS,
    OPEN_PRICES,
    SEALED_PRICES,
    card_cost,
    ending_gain,
    expected_sale_gain,
    funds_of_rivals,
    lone_gain,
    speakers_behind,
)
from modernart.strategies.forecast import HELD, INTEREST, OUT, OWN, PAYS, RIVALS, expect, relative_collection
from modernart.strategies.learning.hearing import OPEN_LEVEL, add_levels

#: Auction kinds, the black-framed one included.
N_KINDS = 6
# Lengths of the parts of feature vectors, and of the vectors; these are even.
N_SITUATION, N_ARTIST, N_OTHERS, N_OWN_CARDS = 14, 12, 20, 12
N_LOT = 70
N_PUT_UP = 86
N_MARKET = 54


@kernel
def projected_wealth(table, view, seat):
    """Return a seat's money and what its paintings are expected to pay."""
    total = np.float64(table.money[seat])
    for artist in range(N_ARTISTS):
        total += table.stakes[seat, artist] * view[PAYS, artist]
    return total


@kernel
def add_situation(table, hand, view, x, n):
    """Write where the game stands for the own seat; returns how many features there are then."""
    rules = table.rules
    n_seats = rules.n_seats
    seat = hand.seat
    own = projected_wealth(table, view, seat)
    total = 0.0
    best = -1e9
    richest = 0
    for other in range(n_seats):
        if other != seat:
            wealth = projected_wealth(table, view, other)
            total += wealth
            best = max(best, wealth)
            richest = max(richest, table.money[other])
    rivals = n_seats - 1.0
    to_come = rules.n_rounds - 1 - table.round_index
    n_new = 0
    for later in range(table.round_index + 1, rules.n_rounds):
        n_new += rules.deal[later]
    left = seat + 1 if seat + 1 < n_seats else 0
    x[n] = to_come
    x[n + 1] = 1.0 if to_come == 0 else 0.0
    x[n + 2] = 1.0 if to_come == 1 else 0.0
    x[n + 3] = n_new
    x[n + 4] = hand.n_cards
    x[n + 5] = (table.cards_in_hands - hand.n_cards) / rivals
    x[n + 6] = table.hand_sizes[left]
    x[n + 7] = 0.01 * table.money[seat]
    x[n + 8] = 0.01 * richest
    x[n + 9] = 0.01 * (own - total / rivals)
    x[n + 10] = 0.01 * (own - best)
    x[n + 11] = 1.0 if own >= best else 0.0
    x[n + 12] = table.pile_size
    x[n + 13] = 0.1 * relative_collection(view)
    return n + N_SITUATION


@kernel
def add_artist(table, hand, view, artist, x, n):
    """Write how one artist stands; returns how many features there are then."""
    n_ahead = 0
    n_level = 0
    for other in range(N_ARTISTS):
        if other != artist:
            n_ahead += view[OUT, other] > view[OUT, artist]
            n_level += view[OUT, other] == view[OUT, artist] and other < artist
    most = 0
    for seat in range(table.rules.n_seats):
        if seat != hand.seat:
            most = max(most, table.stakes[seat, artist])
    doubles = 0
    for slot in range(hand.n_cards):
        card = hand.cards[slot]
        doubles += artist_of(card) == artist and kind_of(card) == AuctionKind.DOUBLE
    x[n] = view[OUT, artist]
    x[n + 1] = table.rules.end_count - view[OUT, artist]
    x[n + 2] = view[OWN, artist]
    x[n + 3] = view[RIVALS, artist]
    x[n + 4] = view[INTEREST, artist]
    x[n + 5] = 0.1 * view[PAYS, artist]
    x[n + 6] = 0.1 * table.values[artist]
    x[n + 7] = view[HELD, artist]
    x[n + 8] = most
    x[n + 9] = n_ahead
    x[n + 10] = n_level
    x[n + 11] = doubles
    return n + N_ARTIST


@kernel
def add_others(view, artist, x, n):
    """Write how the other artists stand, the one expected to pay most first; returns how many features there are."""
    order = np.zeros(N_ARTISTS, np.int64)
    n_others = 0
    for other in range(N_ARTISTS):
        if other != artist:
            place = n_others
            while place > 0 and view[PAYS, order[place - 1]] < view[PAYS, other]:
                order[place] = order[place - 1]
                place -= 1
            order[place] = other
            n_others += 1
    for k in range(n_others):
        other = order[k]
        x[n] = 0.1 * view[PAYS, other]
        x[n + 1] = view[OUT, other]
        x[n + 2] = view[OWN, other]
        x[n + 3] = view[RIVALS, other]
        x[n + 4] = view[INTEREST, other]
        n += 5
    return n


@kernel
def add_own_cards(hand, artist, x, n):
    """Write how many own cards there are of each kind, of the artist and in all; returns how many features there are.

    `x` must hold zeros there.
    """
    for slot in range(hand.n_cards):
        card = hand.cards[slot]
        kind = kind_of(card)
        x[n + N_KINDS + kind] += 1.0
        if artist_of(card) == artist:
            x[n + kind] += 1.0
    return n + N_OWN_CARDS


@kernel
def lot_features(table, hand, view, x):
    """Write what the network of a lot's worth sees. The seat of the hand need not be the one that is asked."""
    x[:] = 0.0
    artist = table.artist
    seat = hand.seat
    seller = table.auctioneer
    n = add_situation(table, hand, view, x, 0)
    n = add_artist(table, hand, view, artist, x, n)
    n = add_others(view, artist, x, n)
    n = add_own_cards(hand, artist, x, n)
    distance = seat - seller
    if distance < 0:
        distance += table.rules.n_seats
    x[n] = 0.1 * table.lot_crowns * view[PAYS, artist]
    x[n + 1] = table.lot_crowns
    x[n + 2] = 1.0 if seat == seller else 0.0
    x[n + 3] = 1.0 if distance == 1 else 0.0
    x[n + 4] = table.stakes[seller, artist]
    x[n + 5] = table.n_lot
    add_levels(table, hand, x, n + 6)


@kernel
def put_up_base(table, hand, view, artist, kind, crowns, n_more, is_ending):
    """Return what `predictive` thinks that putting up cards gains: the sale and the lift, or ending the round."""
    cost = n_more * card_cost(table, hand, artist)
    if is_ending:
        return ending_gain(table, hand, view, artist, n_more, IF_IT_GAINS) - cost
    worth = crowns * view[PAYS, artist]
    gain = relative_collection(view) - cost
    if kind == AuctionKind.BLACK_FRAMED:
        return gain + worth / (table.rules.n_seats - 1)
    if kind == AuctionKind.DOUBLE:
        return gain + lone_gain(table, hand, view, artist, worth)
    return gain + expected_sale_gain(table, hand, kind, worth)


@kernel
def decline_base(table, hand, view):
    """Return what `predictive` thinks that adding no card to the double on the table gains."""
    alone = table.lot_crowns * view[PAYS, table.artist]
    if table.phase == Phase.PAIR:
        return lone_gain(table, hand, view, table.artist, alone)
    return -alone / (table.rules.n_seats - 1)


@kernel
def put_up_features(table, hand, view, slot, second, now, situation, x):
    """Write what the networks of cards see: a card of the hand put up, with a second or DECLINE; returns the base.

    Parameters
    ----------
    table, hand, view : records, and what the seat knows
        The view is left as it was.
    slot, second : int
        For PAIR and JOIN `slot` is the card to be added, and the lot on the table counts with it.
    now : ndarray of float64, shape (N_ARTISTS,)
        The view's expected payouts.
    situation : ndarray of float32
        What `add_situation` writes for them.
    x : ndarray of float32, shape (N_PUT_UP,)
        Written.

    Returns
    -------
    float
        What the present forecast says that it gains.
    """
    x[:] = 0.0
    phase = table.phase
    adds = phase == Phase.PAIR or phase == Phase.JOIN
    card = hand.cards[slot]
    artist = artist_of(card)
    kind = kind_of(card)
    crowns = crowns_of(card)
    n_more = 1
    if adds:
        crowns += table.lot_crowns
    elif second != DECLINE:
        n_more = 2
        kind = kind_of(hand.cards[second])
        crowns += crowns_of(hand.cards[second])
    left = table.rules.end_count - table.cards_out[artist]
    is_ending = left <= n_more
    n_up = min(n_more, left)
    before = relative_collection(view)
    for k in range(N_SITUATION):
        x[k] = situation[k]
    n = add_artist(table, hand, view, artist, x, N_SITUATION)
    n = add_others(view, artist, x, n)
    n = add_own_cards(hand, artist, x, n)
    x[n + kind] = 1.0
    if kind_of(card) == AuctionKind.DOUBLE:
        x[n + AuctionKind.DOUBLE] = 1.0
    n += N_KINDS
    x[n] = crowns
    x[n + 1] = 1.0 if is_ending else 0.0
    x[n + 2] = 1.0 if left == n_more + 1 else 0.0
    x[n + 3] = n_more
    x[n + 4] = 1.0 if phase == Phase.JOIN else 0.0
    if is_ending:
        base = put_up_base(table, hand, view, artist, kind, crowns, n_up, True) - before
        x[n + 5] = 0.1 * base
    else:
        view[OUT, artist] += n_more
        view[OWN, artist] -= n_more
        expect(table, view)
        base = put_up_base(table, hand, view, artist, kind, crowns, n_more, False) - before
        x[n + 6] = 0.1 * base
        x[n + 7] = 0.1 * (relative_collection(view) - before)
        x[n + 8] = 0.1 * crowns * view[PAYS, artist]
        add_collections(table, hand, view, x, n + 9)
        view[OUT, artist] -= n_more
        view[OWN, artist] += n_more
        for other in range(N_ARTISTS):
            view[PAYS, other] = now[other]
    n += 12
    x[n] = 0.01 * funds_of_rivals(table, hand)
    x[n + 1] = hand.notes[OPEN_PRICES]
    x[n + 2] = hand.notes[SEALED_PRICES]
    if adds:
        declined = decline_base(table, hand, view)
        x[n + 3] = 0.1 * declined
        base -= declined
    add_levels(table, hand, x, n + 4)
    return base


@kernel
def add_collections(table, hand, view, x, n):
    """Write what the collections of the next players, and of the one that gains most, are expected to pay."""
    most = 0.0
    for step in range(1, table.rules.n_seats):
        seat = hand.seat + step
        if seat >= table.rules.n_seats:
            seat -= table.rules.n_seats
        pays = 0.0
        for artist in range(N_ARTISTS):
            pays += table.stakes[seat, artist] * view[PAYS, artist]
        most = max(most, pays)
        if step == 1:
            x[n] = 0.1 * pays
    x[n + 1] = 0.1 * most
    x[n + 2] = 0.1 * projected_wealth(table, view, hand.seat) - 0.1 * table.money[hand.seat]


@kernel
def market_features(table, hand, view, worth, x):
    """Write what the network of rivals' prices sees; `worth` is what the lot is expected to pay, at least 1."""
    x[:] = 0.0
    seat = hand.seat
    seller = table.auctioneer
    artist = table.artist
    n_seats = table.rules.n_seats
    n = add_situation(table, hand, view, x, 0)
    n = add_artist(table, hand, view, artist, x, n)
    x[n + table.kind] = 1.0
    n += N_KINDS
    richest = 0
    second = 0
    for other in range(n_seats):
        if other != seat and other != seller:
            money = budget(table, other)
            if money > richest:
                second = richest
                richest = money
            else:
                second = max(second, money)
    behind = speakers_behind(table) if table.phase == Phase.BID else n_seats - 1
    x[n] = hand.notes[OPEN_PRICES]
    x[n + 1] = hand.notes[SEALED_PRICES]
    x[n + 2] = hand.notes[FIXED_PRICES]
    x[n + 3] = min(richest / worth, 3.0)
    x[n + 4] = min(second / worth, 3.0)
    x[n + 5] = min(budget(table, seller) / worth, 3.0)
    x[n + 6] = table.high_bid / worth if table.phase == Phase.BID else 0.0
    x[n + 7] = behind
    x[n + 8] = 1.0 if behind <= 1 else 0.0
    x[n + 9] = 1.0 if seat == seller else 0.0
    x[n + 10] = 0.1 * worth
    x[n + 11] = 1.0 / worth
    x[n + 12] = table.stakes[seller, artist]
    x[n + 13] = table.n_lot
    n = add_levels(table, hand, x, n + 14)
    next_seat = hand.seat + 1 if hand.seat + 1 < n_seats else 0
    x[n] = hand.notes[OPEN_LEVEL + next_seat]
    x[n + 1] = hand.notes[OPEN_LEVEL + seller] if seat != seller else 0.0
