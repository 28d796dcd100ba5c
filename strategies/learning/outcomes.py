"""What a game played on is worth to each seat when a round ends: money, and the money that its hand brings later."""

import numpy as np

from modernart.simulator.asking import consult
from modernart.simulator.cards import AuctionKind
from modernart.simulator.decisions import Phase, artist_of, kind_of
from modernart.simulator.game import apply
from modernart.simulator.jit import kernel
from modernart.simulator.state import MAX_SEATS, N_ARTISTS
from modernart.strategies.learning.layout import N_LEAF


@kernel
def hand_features(table, hand, x):
    """Write what the money to come depends on, for a hand at the start of a round."""
    counts = np.zeros(N_ARTISTS)
    x[:] = 0.0
    most = 0.0
    kinds = 0.0
    for slot in range(hand.n_cards):
        card = hand.cards[slot]
        artist = artist_of(card)
        counts[artist] += 1.0
        x[1] += 0.1 * table.values[artist]
        kind = kind_of(card)
        if kind == AuctionKind.DOUBLE:
            x[2] += 1.0
            x[3] += 1.0 if hand.fitting[artist] > 0 else 0.0
        elif kind == AuctionKind.OPEN:
            x[4] += 1.0
        elif kind == AuctionKind.SEALED:
            x[5] += 1.0
        elif kind == AuctionKind.FIXED_PRICE:
            x[6] += 1.0
    for artist in range(N_ARTISTS):
        kinds += counts[artist] > 0.0
        most = max(most, counts[artist])
    distance = hand.seat - table.starter
    if distance < 0:
        distance += table.rules.n_seats
    x[0] = hand.n_cards
    x[7] = kinds
    x[8] = most
    x[9] = 1.0 if distance == 0 else 0.0
    x[10] = distance
    x[11] = 0.01 * table.money[hand.seat]


@kernel
def ask(game):
    """Return the answer of the player whose turn it is."""
    seat = game.table.seat
    return consult(game.acts[seat], game.table, game.hands[seat])


@kernel
def play_round_out(game, round_index):
    """Play on until the round is over; returns False after an illegal answer."""
    table = game.table
    while table.phase != Phase.OVER and table.round_index == round_index:
        if not apply(game, ask(game)):
            return False
    return True


@kernel
def outcomes(game, leaf, results):
    """Write what every seat has: its money, and at the start of a round the money that its hand should bring.

    Parameters
    ----------
    game : record of GAME_DTYPE
    leaf : ndarray of float64, shape (MAX_ROUNDS, N_LEAF)
        Weights of `hand_features` by round.
    results : ndarray of float64, shape (MAX_SEATS,)
        Written.
    """
    table = game.table
    x = np.zeros(N_LEAF)
    for seat in range(table.rules.n_seats):
        total = np.float64(table.money[seat])
        if table.phase != Phase.OVER:
            hand_features(table, game.hands[seat], x)
            for k in range(N_LEAF):
                total += x[k] * leaf[table.round_index, k]
        results[seat] = total


@kernel
def relative(results, weights, n_seats, values):
    """Write each seat's outcome less the weighted mean of the others'.

    Parameters
    ----------
    results : ndarray of float64, shape (MAX_SEATS,)
    weights : ndarray of float64, shape (MAX_SEATS, MAX_SEATS)
        How much seat i (row) minds what seat j has; rows sum to 1, the diagonal is 0.
    n_seats : int
    values : ndarray of float64, shape (MAX_SEATS,)
        Written.
    """
    for seat in range(n_seats):
        value = results[seat]
        for other in range(n_seats):
            value -= weights[seat, other] * results[other]
        values[seat] = value


@kernel
def mind_rivals(wealth, n_seats, focus, weights):
    """Write how much each seat minds what each other has: all alike, or with `focus` the richest most.

    Notes
    -----
    If seat j wins with chance proportional to exp(focus * wealth_j), then what raises seat i's chance most for its
    money is its wealth less the mean of the others' weighted by their chances.
    """
    top = wealth[0]
    for seat in range(1, n_seats):
        top = max(top, wealth[seat])
    for seat in range(n_seats):
        total = 0.0
        for other in range(n_seats):
            share = 0.0 if other == seat else np.exp(focus * (wealth[other] - top)) + 1e-9
            weights[seat, other] = share
            total += share
        for other in range(n_seats):
            weights[seat, other] /= total


@kernel
def new_weights():
    """Return room for `mind_rivals`."""
    return np.zeros((MAX_SEATS, MAX_SEATS))
