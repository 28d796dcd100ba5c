"""What paintings may be expected to pay: the chance of each artist to come first, second, third.

A closed estimator. Each artist gets a strength from what a seat can see: cards out, its own hand, the cards that its
rivals may hold (from the deck, less what was put up in this and earlier rounds, less its own), the board. The artists
then rank as in a Plackett-Luce model: the first is drawn in proportion to strength, the second among the others in
proportion to theirs, and so on. The weights were fitted by maximum likelihood to games of an earlier `predictive`;
`modernart.strategies.calibration` fits such weights anew, to games of the present one.
"""

import numpy as np

from modernart.simulator.decisions import artist_of
from modernart.simulator.jit import kernel, stack_zeros
from modernart.simulator.state import N_ARTISTS, SEAT_MASK

# Rows of a view: one number for each artist.
OUT = 0  #: cards put up this round
OWN = 1  #: cards in the own hand
RIVALS = 2  #: cards to be expected in the rivals' hands
INTEREST = 3  #: own crowns bought this round, less the mean of the rivals'
PAYS = 4  #: expected payout of one crown, in money
STRENGTH = 5  #: scratch
HELD = 6  #: own paintings bought this round
N_ROWS = 7

#: Up to so many artists are forecast without loops: the built-in decks have as many. What a smaller deck lacks is
#: forecast as artists without cards.
FIVE = 5

#: Logarithm of the least strength, where the greatest is 1.
_LEAST_LOGARITHM = -16.0

#: Weights of a strength's logarithm, in the order of `features`.
WEIGHTS = (0.313, 0.063, -0.578, 0.29, -0.033, 0.282, -0.043, 0.018, 0.037, 0.017, 3.378, -0.985, 0.768, -0.142)
N_FEATURES = len(WEIGHTS)
# Two columns of `features`.
CARDS_OUT = 0  #: cards out, as in a round that ends with five
ARTISTS_RIGHT = 7  #: how many artists are further right, who lose ties


@kernel
def new_view(table, hand, remembers):
    """Return what a seat knows of each artist, with the payouts that it expects.

    Parameters
    ----------
    table, hand : records
    remembers : bool
        Whether cards of earlier rounds are known to be gone; without it the whole deck less this round's cards may
        still be about.

    Returns
    -------
    ndarray of float64, shape (N_ROWS, N_ARTISTS)
    """
    view = np.zeros((N_ROWS, N_ARTISTS))
    count_cards(table, hand, remembers, view)
    compare_stakes(table, hand, view)
    expect(table, view)
    return view


@kernel(zero_check=False)
def count_cards(table, hand, remembers, view):
    """Fill in what a seat knows of the cards: all that `expect` needs. Parameters as `new_view`; `view` holds zeros."""
    # A byte for each artist: sums in memory wait for each other. Without the JIT, a bare 1 would have a card's 16 bits.
    own = 0
    for slot in range(hand.n_cards):
        own += np.int64(1) << (8 * artist_of(hand.cards[slot]))
    unseen_total = 0.0
    for artist in range(N_ARTISTS):
        out = table.cards_out[artist]
        view[OWN, artist] = (own >> (8 * artist)) & 255
        gone = table.cards_gone[artist] if remembers else out
        unseen = max(table.rules.artist_copies[artist] - gone - view[OWN, artist], 0.0)
        unseen_total += unseen
        view[OUT, artist] = out
        view[RIVALS, artist] = unseen
        view[HELD, artist] = table.gallery[hand.seat & SEAT_MASK, artist]
    share = (table.cards_in_hands - hand.n_cards) / max(unseen_total, 1.0)
    for artist in range(N_ARTISTS):
        view[RIVALS, artist] *= share


@kernel(zero_check=False)
def compare_stakes(table, hand, view):
    """Fill in the crowns that a seat bought this round, less the mean of its rivals'."""
    n_seats = table.rules.n_seats
    for artist in range(N_ARTISTS):
        own = table.stakes[hand.seat & SEAT_MASK, artist]
        total = 0
        for seat in range(n_seats):
            total += table.stakes[seat, artist]
        view[INTEREST, artist] = own - (total - own) / (n_seats - 1)


@kernel(zero_check=False)
def expect(table, view):
    """Fill in a view's expected payouts from its cards; exclude ending cards that do not count for rank."""
    if table.rules.n_artists > FIVE:
        _expect_many(table, view)
        return
    total = _fill_strengths(table, view, FIVE)
    s = view[STRENGTH]
    # Read before anything is written: the compiler must see that the artists share their divisions.
    a, b, c, d, e = s[0], s[1], s[2], s[3], s[4]
    pays_a = _payout(table, 0, a, b, c, d, e, total)
    pays_b = _payout(table, 1, b, a, c, d, e, total)
    pays_c = _payout(table, 2, c, a, b, d, e, total)
    pays_d = _payout(table, 3, d, a, b, c, e, total)
    pays_e = _payout(table, 4, e, a, b, c, d, total)
    pays = view[PAYS]
    pays[0], pays[1], pays[2], pays[3], pays[4] = pays_a, pays_b, pays_c, pays_d, pays_e


@kernel(zero_check=False)
def expected_payout(table, view, artist):
    """Return the expected payout of one artist alone, which `expect` would fill in."""
    if table.rules.n_artists > FIVE:
        n_artists = int(table.rules.n_artists)
        return payout_among(table, view, artist, n_artists, _fill_strengths(table, view, n_artists))
    total = _fill_strengths(table, view, FIVE)
    s = view[STRENGTH]
    b, c, d, e = _others(artist)
    return _payout(table, artist, s[artist], s[b], s[c], s[d], s[e], total)


@kernel
def _expect_many(table, view):
    """Fill in the expected payouts of more than five artists."""
    n_artists = int(table.rules.n_artists)
    total = _fill_strengths(table, view, n_artists)
    for artist in range(n_artists):
        view[PAYS, artist] = payout_among(table, view, artist, n_artists, total)


@kernel
def payout_among(table, view, artist, n_artists, total):
    """Return the expected payout of one of any number of artists: `_payout` with its sums as loops."""
    s = view[STRENGTH]
    second = 0.0
    third = 0.0
    for b in range(n_artists):
        if b != artist:
            second += s[b] / (total - s[b])
            for c in range(b + 1, n_artists):
                if c != artist:
                    after = 1.0 / (total - s[b]) + 1.0 / (total - s[c])
                    third += s[b] * s[c] * after / (total - s[b] - s[c])
    first = s[artist] / total
    pays = first * (_prize(table, artist, 0) + second * _prize(table, artist, 1) + third * _prize(table, artist, 2))
    lower = 0
    for rank in range(3, n_artists):
        lower += _prize(table, artist, rank)
    return pays + max(1.0 - first * (1.0 + second + third), 0.0) / (n_artists - 3) * lower


@kernel(inline=True)
def _others(artist):
    """Return the other four artists, from left to right."""
    return int(artist < 1), 1 + int(artist < 2), 2 + int(artist < 3), 3 + int(artist < 4)


@kernel(inline=True, zero_check=False)
def _fill_strengths(table, view, n_artists):
    """Fill in every artist's strength, 1 for the strongest, and return their sum."""
    scale = 5.0 / table.rules.end_count
    most = 0.0
    for artist in range(n_artists):
        most = max(most, view[OUT, artist])
    most *= scale
    scarce = 1.0 / (1.0 + 0.25 * table.cards_in_hands)
    top = -1e9
    for artist in range(n_artists):
        logarithm = _log_strength(table, view, artist, n_artists, scale, most, scarce)
        view[STRENGTH, artist] = logarithm
        top = max(top, logarithm)
    total = 0.0
    for artist in range(n_artists):
        # The floor keeps the sum less any two strengths above 0, so that it can divide.
        strength = np.exp(max(view[STRENGTH, artist] - top, _LEAST_LOGARITHM))
        view[STRENGTH, artist] = strength
        total += strength
    return total


@kernel(inline=True)
def _log_strength(table, view, artist, n_artists, scale, most, scarce):
    """Return the weighted sum of an artist's features."""
    out = view[OUT, artist] * scale
    own = view[OWN, artist]
    rivals = view[RIVALS, artist]
    left = n_artists - 1.0 - artist
    board = 0.01 * table.values[artist]
    w = WEIGHTS
    return (
        out * (w[0] + w[1] * most + w[12] * scarce)
        + (w[2] + w[13] * most if out == 0.0 else 0.0)
        + own * (w[3] + w[4] * most)
        + rivals * (w[5] + w[6] * most)
        + left * (w[7] + w[8] * most)
        + view[HELD, artist] * w[9]
        + board * (w[10] + w[11] * most)
    )


@kernel
def features(table, view):
    """Return what the weights multiply, shape (N_ARTISTS, N_FEATURES): for fitting them."""
    found = np.zeros((N_ARTISTS, N_FEATURES))
    scale = 5.0 / table.rules.end_count
    most = 0.0
    for artist in range(N_ARTISTS):
        most = max(most, view[OUT, artist] * scale)
    for artist in range(N_ARTISTS):
        out = view[OUT, artist] * scale
        row = found[artist]
        row[CARDS_OUT] = out
        row[1] = out * most
        row[2] = 1.0 if out == 0.0 else 0.0
        row[3] = view[OWN, artist]
        row[4] = row[3] * most
        row[5] = view[RIVALS, artist]
        row[6] = row[5] * most
        row[ARTISTS_RIGHT] = max(FIVE, table.rules.n_artists) - 1.0 - artist
        row[8] = row[ARTISTS_RIGHT] * most
        row[9] = view[HELD, artist]
        row[10] = 0.01 * table.values[artist]
        row[11] = row[10] * most
        row[12] = out / (1.0 + 0.25 * table.cards_in_hands)
        row[13] = row[2] * most
    return found


@kernel(inline=True, zero_check=False)
def _payout(table, artist, a, b, c, d, e, total):
    """Return the expected payout of an artist of strength `a` among others of strengths `b` to `e`.

    Notes
    -----
    With S the sum of all strengths: P(a second) = a / S * sum over b of b / (S - b), and P(a third) = a / S * sum over
    pairs {b, c} of b c (1 / (S - b) + 1 / (S - c)) / (S - b - c). Lower ranks share what is left alike. A forecast of
    all artists names the others from left to right, and so shares all divisions: 16 are left.
    """
    after_b = 1.0 / (total - b)
    after_c = 1.0 / (total - c)
    after_d = 1.0 / (total - d)
    after_e = 1.0 / (total - e)
    first = a * (1.0 / total)
    second = first * (b * after_b + c * after_c + d * after_d + e * after_e)
    third = first * (
        b * c * (after_b + after_c) / (total - b - c)
        + b * d * (after_b + after_d) / (total - b - d)
        + b * e * (after_b + after_e) / (total - b - e)
        + c * d * (after_c + after_d) / (total - c - d)
        + c * e * (after_c + after_e) / (total - c - e)
        + d * e * (after_d + after_e) / (total - d - e)
    )
    # Without branches up to here, or the compiler would divide anew in every branch.
    pays = first * _prize(table, artist, 0) + second * _prize(table, artist, 1) + third * _prize(table, artist, 2)
    if table.rules.n_ranks > 3:
        rest = max(1.0 - first - second - third, 0.0) / (FIVE - 3)
        pays += rest * _prize(table, artist, 3) + rest * _prize(table, artist, 4)
    return pays


@kernel(inline=True)
def _prize(table, artist, rank):
    """Return what one crown of an artist pays at a rank, 0 where there is no such rank."""
    prize = table.values[artist] + table.rules.rank_values[rank]
    return prize if rank < table.rules.n_ranks else 0


@kernel
def expect_with(table, view, artist, n_more, n_from_hand):
    """Fill in expected payouts as if `n_more` more cards of an artist were out, `n_from_hand` of them the own."""
    view[OUT, artist] += n_more
    view[OWN, artist] -= n_from_hand
    expect(table, view)
    view[OUT, artist] -= n_more
    view[OWN, artist] += n_from_hand


@kernel
def relative_collection(view):
    """Return what the own collection is expected to pay, less the mean of the rivals'."""
    total = 0.0
    for artist in range(N_ARTISTS):
        total += view[INTEREST, artist] * view[PAYS, artist]
    return total


@kernel
def expected_value(table, hand, remembers):
    """Return what the lot on sale is expected to pay, in money."""
    view = stack_zeros(N_ROWS, N_ARTISTS)
    count_cards(table, hand, remembers, view)
    return table.lot_crowns * expected_payout(table, view, table.artist)
