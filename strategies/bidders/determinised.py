"""A bidder that samples how the round may end, rebuilt from the description of a determinised-search package."""

import math

import numpy as np

from modernart.simulator.cards import AuctionKind
from modernart.simulator.decisions import DECLINE, Phase, artist_of, crowns_of, ends_round, kind_of
from modernart.simulator.jit import kernel
from modernart.simulator.state import N_ARTISTS
from modernart.simulator.streams import uniform
from modernart.strategies.base import PUBLISHED, Param, strategy
from modernart.strategies.bidding import answer_up_to, first_fitting, simple_tender
from modernart.strategies.forecast import HELD, OUT, OWN, PAYS, RIVALS, new_view
from modernart.strategies.valuation import denial_price, ending_counts, table_payouts

GROUP = PUBLISHED

PARAMS = {
    "samples": Param(40.0, 1.0, 400.0, "round ends sampled for a decision"),
    "risk": Param(0.2, 0.0, 2.0, "standard deviations taken off the mean"),
    "gamma": Param(1.0, 0.0, 3.0, "weight of the rivals' mean gain against its own"),
}
SAMPLES, RISK, GAMMA = range(3)

_OPEN, _ONCE, _SEALED, _FIXED = 0.78, 0.70, 0.68, 0.80
_LAST_SPEAKER = 1.25
_HAND = 0.3


@kernel
def sample_end(table, hand, view, out):
    """Put cards up at random, by what hands may hold, until the round ends; `out` receives the counts."""
    weight = 0.0
    for artist in range(N_ARTISTS):
        out[artist] = view[OUT, artist]
        weight += view[OWN, artist] + view[RIVALS, artist]
    for _ in range(table.cards_in_hands):
        draw = uniform(hand) * weight
        chosen = table.rules.n_artists - 1
        for artist in range(N_ARTISTS):
            draw -= view[OWN, artist] + view[RIVALS, artist]
            if draw < 0.0:
                chosen = artist
                break
        if out[chosen] + 1 >= table.rules.end_count:
            out[chosen] += ending_counts(table, 1)
            return
        out[chosen] += 1


@kernel
def sample_values(table, hand, view):
    """Fill in the view's payouts with mean less risk x standard deviation of sampled round ends."""
    rules = table.rules
    n = int(hand.params[SAMPLES])
    out = np.zeros(N_ARTISTS)
    sums = np.zeros(N_ARTISTS)
    squares = np.zeros(N_ARTISTS)
    for _ in range(n):
        sample_end(table, hand, view, out)
        for artist in range(N_ARTISTS):
            rank = 0
            for other in range(N_ARTISTS):
                ahead = out[other] > out[artist] or (out[other] == out[artist] and other < artist)
                rank += other != artist and ahead
            if out[artist] > 0 and rank < rules.n_ranks:
                pays = float(table.values[artist] + rules.rank_values[rank])
                sums[artist] += pays
                squares[artist] += pays * pays
    for artist in range(N_ARTISTS):
        mean = sums[artist] / n
        deviation = math.sqrt(max(squares[artist] / n - mean * mean, 0.0))
        view[PAYS, artist] = max(mean - hand.params[RISK] * deviation, 0.0)


@kernel
def one_ply(table, hand, view, slot):
    """Return what a card promises: its sale, what it does to collections, and the hand that is left."""
    card = hand.cards[slot]
    artist = artist_of(card)
    gamma = hand.params[GAMMA]
    if ends_round(table, artist, 1):
        return table_payouts(table, hand.seat, artist, 1) - _HAND * view[PAYS, artist]
    lift = table_payouts(table, hand.seat, artist, 1) - table_payouts(table, hand.seat, artist, 0)
    worth = crowns_of(card) * view[PAYS, artist]
    sale = 0.0 if kind_of(card) == AuctionKind.BLACK_FRAMED else _FIXED * worth
    if kind_of(card) == AuctionKind.DOUBLE and hand.fitting[artist] > 0:
        sale *= 2.0
    rivals = gamma * (worth - sale) / (table.rules.n_seats - 1)
    return table_payouts(table, hand.seat, 0, 0) + lift + sale - rivals - _HAND * view[PAYS, artist]


@strategy(
    params=PARAMS,
    sources=("a Japanese package of determinised search, by its behaviour (project name not known)",),
)
def pimc_greedy(table, hand):
    """Samples 40 ends of the round from what hands may hold, and bids on their mean less a part of their spread.

    A rival's gain costs it gamma / (n-1). It pays most at fixed prices, then in open auctions, once around and sealed;
    once around the last speaker goes a quarter further. Cards are chosen one step ahead.
    """
    phase = table.phase
    if phase == Phase.FLIP:
        return 0
    view = new_view(table, hand, True)
    view[HELD] = 0.0
    sample_values(table, hand, view)
    if phase == Phase.CARD:
        best = 0
        most = -1e18
        for slot in range(hand.n_cards):
            promise = one_ply(table, hand, view, slot)
            if promise > most:
                most = promise
                best = slot
        return best
    if phase == Phase.PAIR or phase == Phase.JOIN:
        ends = ends_round(table, table.artist, 1)
        if ends and table_payouts(table, hand.seat, table.artist, 1) <= 0:
            return DECLINE
        return first_fitting(table, hand)
    worth = table.lot_crowns * view[PAYS, table.artist]
    if phase == Phase.TENDER:
        return simple_tender(table, hand, worth)
    g = hand.params[GAMMA] / (table.rules.n_seats - 1)
    # A buyer may pay worth / (1 + g), as the price is the seller's gain, and g times that to deny a rival: the worth.
    cap = worth / (2.0 + g) if hand.seat == table.auctioneer else denial_price(worth)
    once = _ONCE * cap
    last = table.auctioneer - 1 if table.auctioneer > 0 else table.rules.n_seats - 1
    if hand.seat == last or hand.seat == table.auctioneer:
        once *= _LAST_SPEAKER
    return answer_up_to(table, hand, _OPEN * cap, once, _SEALED * cap, _FIXED * worth, _FIXED * cap)
