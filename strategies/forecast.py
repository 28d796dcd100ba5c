"""What paintings may be expected to pay: the chance of each artist to come first, second, third.

A closed estimator. Each artist gets a strength from what a seat can see: cards out, its own hand, the cards that its
rivals may hold (from the deck, less what was put up in this and earlier rounds, less its own), the board. The artists
then rank as in a Plackett-Luce model: the first is drawn in proportion to strength, the second among the others in
proportion to theirs, and so on. The weights were fitted by maximum likelihood to games of an earlier `predictive`;
`modernart.strategies.calibration` fits such weights anew, to games of the present one.
"""

import numpy as np

from modernart.simulator.decisions import artist_of
from modernart.simulator.jit import kernel
from modernart.simulator.state import N_ARTISTS, N_CODES

# Rows of a view: one number for each artist.
OUT = 0  #: cards put up this round
OWN = 1  #: cards in the own hand
RIVALS = 2  #: cards to be expected in the rivals' hands
INTEREST = 3  #: own crowns bought this round, less the mean of the rivals'
PAYS = 4  #: expected payout of one crown, in money
STRENGTH = 5  #: scratch
HELD = 6  #: own paintings bought this round
N_ROWS = 7

#: Weights of a strength's logarithm, in the order of `features`.
WEIGHTS = (0.313, 0.063, -0.578, 0.29, -0.033, 0.282, -0.043, 0.018, 0.037, 0.017, 3.378, -0.985, 0.768, -0.142)
N_FEATURES = len(WEIGHTS)
# Two columns of `features`.
CARDS_OUT = 0  #: cards out, as in a round that ends with five
ARTISTS_RIGHT = 7  #: how many artists are further right, who lose ties

#: Codes of one artist follow each other: this many.
_CODES_EACH = N_CODES // N_ARTISTS


@kernel
def new_view(table, hand, remembers):
    """Return what a seat knows of each artist, and fill in the payouts that it expects.

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
    rules = table.rules
    n_seats = rules.n_seats
    for slot in range(hand.n_cards):
        view[OWN, artist_of(hand.cards[slot])] += 1.0
    unseen_total = 0.0
    for artist in range(N_ARTISTS):
        out = table.cards_out[artist]
        seen = 0
        if remembers:
            for code in range(artist * _CODES_EACH, (artist + 1) * _CODES_EACH):
                seen += table.seen[code]
        else:
            seen = out
        unseen = max(rules.artist_copies[artist] - seen - view[OWN, artist], 0.0)
        unseen_total += unseen
        view[OUT, artist] = out
        view[RIVALS, artist] = unseen
        own = table.stakes[hand.seat, artist]
        total = 0
        for seat in range(n_seats):
            total += table.stakes[seat, artist]
        view[INTEREST, artist] = own - (total - own) / (n_seats - 1)
        view[HELD, artist] = table.gallery[hand.seat, artist]
    share = (table.cards_in_hands - hand.n_cards) / max(unseen_total, 1.0)
    for artist in range(N_ARTISTS):
        view[RIVALS, artist] *= share
    expect(table, view)
    return view


@kernel
def expect(table, view):
    """Fill in a view's expected payouts from its cards; ending cards that do not count must not be among them."""
    rules = table.rules
    scale = 5.0 / rules.end_count
    most = 0.0
    for artist in range(N_ARTISTS):
        most = max(most, view[OUT, artist])
    most *= scale
    scarce = 1.0 / (1.0 + 0.25 * table.cards_in_hands)
    top = -1e9
    for artist in range(N_ARTISTS):
        logarithm = _log_strength(table, view, artist, scale, most, scarce)
        view[STRENGTH, artist] = logarithm
        top = max(top, logarithm)
    total = 0.0
    for artist in range(N_ARTISTS):
        # The floor keeps differences of sums exact enough.
        strength = np.exp(max(view[STRENGTH, artist] - top, -16.0))
        view[STRENGTH, artist] = strength
        total += strength
    _rank_chances(rules, table.values, view, total)


@kernel(inline=True)
def _log_strength(table, view, artist, scale, most, scarce):
    """Return the weighted sum of an artist's features."""
    out = view[OUT, artist] * scale
    own = view[OWN, artist]
    rivals = view[RIVALS, artist]
    left = N_ARTISTS - 1.0 - artist
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
        row[ARTISTS_RIGHT] = N_ARTISTS - 1.0 - artist
        row[8] = row[ARTISTS_RIGHT] * most
        row[9] = view[HELD, artist]
        row[10] = 0.01 * table.values[artist]
        row[11] = row[10] * most
        row[12] = out / (1.0 + 0.25 * table.cards_in_hands)
        row[13] = row[2] * most
    return found


@kernel(inline=True)
def _rank_chances(rules, values, view, total):
    """Turn strengths into chances of each rank, and these into expected payouts.

    Notes
    -----
    With strengths s, S their sum: P(a second) = s_a sum_{b != a} s_b / (S (S - s_b)), and P(a third) =
    s_a sum over pairs {b, c} without a of s_b s_c / S (1 / (S - s_b) + 1 / (S - s_c)) / (S - s_b - s_c). Sums over
    all b or all pairs, less the terms with a, serve all artists. Lower ranks share what is left alike.
    """
    all_seconds = 0.0
    all_thirds = 0.0
    for artist in range(N_ARTISTS):
        s = view[STRENGTH, artist]
        all_seconds += s / (total * max(total - s, 1e-9))
        view[PAYS, artist] = 0.0
    for b in range(N_ARTISTS - 1):
        s_b = view[STRENGTH, b]
        rest_b = 1.0 / max(total - s_b, 1e-9)
        for c in range(b + 1, N_ARTISTS):
            s_c = view[STRENGTH, c]
            rest_c = 1.0 / max(total - s_c, 1e-9)
            pair = s_b * s_c / total * (rest_b + rest_c) / max(total - s_b - s_c, 1e-9)
            all_thirds += pair
            # Pairs with the artist himself, to be taken off again.
            view[PAYS, b] += pair
            view[PAYS, c] += pair
    for artist in range(N_ARTISTS):
        s = view[STRENGTH, artist]
        first = s / total
        second = min(s * (all_seconds - s / (total * max(total - s, 1e-9))), 1.0)
        third = min(s * (all_thirds - view[PAYS, artist]), 1.0)
        pays = first * (values[artist] + rules.rank_values[0])
        if rules.n_ranks > 1:
            pays += second * (values[artist] + rules.rank_values[1])
        if rules.n_ranks > 2:
            pays += third * (values[artist] + rules.rank_values[2])
        if rules.n_ranks > 3:
            rest = max(1.0 - first - second - third, 0.0) / (N_ARTISTS - 3)
            for rank in range(3, rules.n_ranks):
                pays += rest * (values[artist] + rules.rank_values[rank])
        view[PAYS, artist] = pays


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
    return table.lot_crowns * new_view(table, hand, remembers)[PAYS, table.artist]
