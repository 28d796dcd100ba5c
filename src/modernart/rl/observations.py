"""What a seat observes, as numbers. All of it comes from the table and the seat's own hand, so nothing hidden can leak.

The layout belongs to the version `modern_art_v0`: another layout would be another version.
"""

import numpy as np

from modernart.rl.compiled import rl_kernel
from modernart.simulator.cards import AuctionKind
from modernart.simulator.decisions import Phase, artist_of, crowns_of, kind_of
from modernart.simulator.options import OPEN_MONEY
from modernart.simulator.state import MAX_ROUNDS, MAX_SEATS, N_ARTISTS, N_CODES
from modernart.strategies.valuation import payout_now, rank_of, value_now

#: Name of the environment; files of policies say it too.
VERSION = "modern_art_v0"
#: Kinds of auctions that a card can have.
N_KINDS = len(AuctionKind)
#: Card codes of one artist (see `modernart.simulator.cards`).
_CODES = N_CODES // N_ARTISTS
#: Money is given in this many thousands, and counts of cards in this many cards: most numbers then lie from 0 to 2.
MONEY_UNIT, CARD_UNIT = 100.0, 10.0

#: Artists that version `modern_art_v0` has room for; the records of a game have more.
ARTISTS_SEEN = 5

#: The parts of an observation in their order: size and meaning. Seats count clockwise from the observing seat, which
#: is 0; artists count along the board. Parts for seats and rounds that a game does not have stay 0.
PARTS = {
    "phase": (int(Phase.OVER), "which decision is asked for, one-hot (`Phase`)"),
    "asked": (MAX_SEATS, "whose decision it is, one-hot"),
    "round": (MAX_ROUNDS, "the round, one-hot"),
    "rounds_left": (1, "share of the rounds that are still to come"),
    "auctioneer": (MAX_SEATS, "auctioneer, one-hot"),
    "lot_artist": (ARTISTS_SEEN, "artist of the lot on sale, one-hot; 0 if there is none"),
    "lot_kind": (N_KINDS, "how the lot is sold, one-hot (`AuctionKind`); 0 if there is none"),
    "lot_crowns": (1, "crowns of the lot, in crowns / 10; without crowns, cards / 10"),
    "lot_worth": (1, "what the lot would pay if the round ended now, in money / 100"),
    "lot_most": (1, "the most that it can pay this round, in money / 100"),
    "first_seller": (MAX_SEATS, "first seller of a joined double, one-hot; 0 otherwise"),
    "high_bid": (1, "standing bid, or the fixed price asked, in money / 100"),
    "high_bidder": (MAX_SEATS, "who made the standing bid, one-hot; 0 if nobody"),
    "cards_out": (ARTISTS_SEEN, "cards put up this round, as a share of the number that ends it"),
    "cards_gone": (
        ARTISTS_SEEN * N_KINDS,
        "cards put up or turned up so far in the game, by artist and kind, / 10",
    ),
    "values": (ARTISTS_SEEN, "gains of the artists in earlier rounds, in money / 100"),
    "pays_now": (ARTISTS_SEEN, "what a painting would pay if the round ended now, in money / 100"),
    "rank_now": (ARTISTS_SEEN, "1 for the artist that is first now, 1/2 for the second, ...; 0 if not ranked"),
    "hand": (ARTISTS_SEEN * N_KINDS, "own cards, by artist and kind, in cards / 10"),
    "hand_crowns": (ARTISTS_SEEN, "crowns on own cards, by artist, / 10; without crowns, cards / 10"),
    "money": (MAX_SEATS, "money by seat, in money / 100; where rivals' money is hidden, the own at every seat"),
    "hand_sizes": (MAX_SEATS, "cards in hand by seat, in cards / 10"),
    "gallery": (MAX_SEATS * ARTISTS_SEEN, "paintings bought this round, by seat and artist, / 10"),
    "stakes": (MAX_SEATS * ARTISTS_SEEN, "crowns bought this round, by seat and artist, / 10"),
    "skips_turn": (MAX_SEATS, "1 if the seat loses its next turn"),
    "last_buyer": (MAX_SEATS, "buyer of the last lot sold, one-hot; 0 if none was sold"),
    "last_price": (1, "price of the last lot sold, in money / 100"),
    "heard": (MAX_SEATS, "what each seat was heard to bid for that lot, in money / 100"),
    "pile": (1, "face-down cards of the shill, / 10"),
}

_SIZES = [size for size, _ in PARTS.values()]
#: Numbers in an observation.
N_OBSERVED = sum(_SIZES)
#: Where each part starts.
STARTS: dict[str, int] = dict(zip(PARTS, (int(start) for start in np.cumsum([0, *_SIZES[:-1]])), strict=True))

(
    _PHASE,
    _ASKED,
    _ROUND,
    _ROUNDS_LEFT,
    _AUCTIONEER,
    _LOT_ARTIST,
    _LOT_KIND,
    _LOT_CROWNS,
    _LOT_WORTH,
    _LOT_MOST,
    _FIRST_SELLER,
    _HIGH_BID,
    _HIGH_BIDDER,
    _CARDS_OUT,
    _CARDS_GONE,
    _VALUES,
    _PAYS_NOW,
    _RANK_NOW,
    _HAND,
    _HAND_CROWNS,
    _MONEY,
    _HAND_SIZES,
    _GALLERY,
    _STAKES,
    _SKIPS_TURN,
    _LAST_BUYER,
    _LAST_PRICE,
    _HEARD,
    _PILE,
) = STARTS.values()


@rl_kernel(inline=True)
def most_it_pays(table):
    """Return the most that the lot on sale can pay this round: in most editions, if its artist comes first."""
    best = table.rules.rank_values[0]
    for rank in range(1, table.rules.n_ranks):
        best = max(best, table.rules.rank_values[rank])
    return table.lot_crowns * (table.values[table.artist] + best)


@rl_kernel(inline=True)
def has_lot(table):
    """Tell whether a lot is on sale, or a double waits for its second card."""
    return table.phase != Phase.CARD and table.phase != Phase.FLIP and table.phase != Phase.OVER


@rl_kernel(inline=True)
def distance(table, own, seat):
    """Return how many places clockwise from the own seat another one is."""
    steps = seat - own
    return steps if steps >= 0 else steps + table.rules.n_seats


@rl_kernel
def observe(table, hand, x):
    """Write what the owner of a hand observes.

    Parameters
    ----------
    table, hand : records
    x : ndarray of float32, shape (N_OBSERVED,)
        Written.
    """
    for k in range(N_OBSERVED):
        x[k] = 0.0
    rules = table.rules
    if table.phase != Phase.OVER:
        x[_PHASE + table.phase] = 1.0
        x[_ASKED + distance(table, hand.seat, table.seat)] = 1.0
        x[_ROUND + table.round_index] = 1.0
        x[_AUCTIONEER + distance(table, hand.seat, table.auctioneer)] = 1.0
    x[_ROUNDS_LEFT] = max(rules.n_rounds - 1 - table.round_index, 0) / rules.n_rounds
    x[_PILE] = table.pile_size / CARD_UNIT
    if has_lot(table):
        _observe_lot(table, hand.seat, x)
    _observe_artists(table, hand, x)
    _observe_seats(table, hand.seat, x)


@rl_kernel(inline=True)
def _observe_lot(table, own, x):
    """Write what is known of the lot on sale."""
    phase = table.phase
    x[_LOT_ARTIST + table.artist] = 1.0
    x[_LOT_KIND + table.kind] = 1.0
    x[_LOT_CROWNS] = table.lot_crowns / CARD_UNIT
    x[_LOT_WORTH] = value_now(table) / MONEY_UNIT
    x[_LOT_MOST] = most_it_pays(table) / MONEY_UNIT
    if table.owner >= 0:
        x[_FIRST_SELLER + distance(table, own, table.owner)] = 1.0
    # Before an auction opens, the record still holds the bid of the last one.
    if phase == Phase.BID or phase == Phase.RAISE or phase == Phase.ACCEPT:
        x[_HIGH_BID] = table.high_bid / MONEY_UNIT
        if table.high_bidder >= 0:
            x[_HIGH_BIDDER + distance(table, own, table.high_bidder)] = 1.0


@rl_kernel(inline=True)
def _observe_artists(table, hand, x):
    """Write what is known of the artists, and the own cards."""
    for artist in range(ARTISTS_SEEN):
        x[_CARDS_OUT + artist] = table.cards_out[artist] / table.rules.end_count
        x[_VALUES + artist] = table.values[artist] / MONEY_UNIT
        x[_PAYS_NOW + artist] = payout_now(table, artist, 0) / MONEY_UNIT
        rank = rank_of(table, artist, 0)
        x[_RANK_NOW + artist] = 1.0 / (rank + 1.0) if rank >= 0 else 0.0
        if table.cards_gone[artist] > 0:
            for code in range(artist * _CODES, (artist + 1) * _CODES):
                if table.seen[code] > 0:
                    x[_CARDS_GONE + N_KINDS * artist + kind_of(code)] += table.seen[code] / CARD_UNIT
    for slot in range(hand.n_cards):
        card = hand.cards[slot]
        x[_HAND + N_KINDS * artist_of(card) + kind_of(card)] += 1.0 / CARD_UNIT
        x[_HAND_CROWNS + artist_of(card)] += crowns_of(card) / CARD_UNIT


@rl_kernel(inline=True)
def _observe_seats(table, own, x):
    """Write what is known of every seat, and of the last sale; hidden money counts as the own."""
    sees_money = table.rules.rivals_money == OPEN_MONEY
    for seat in range(table.rules.n_seats):
        place = distance(table, own, seat)
        x[_MONEY + place] = table.money[seat if sees_money else own] / MONEY_UNIT
        x[_HAND_SIZES + place] = table.hand_sizes[seat] / CARD_UNIT
        x[_SKIPS_TURN + place] = table.skips_turn[seat]
        x[_HEARD + place] = max(table.heard[seat], 0) / MONEY_UNIT
        for artist in range(ARTISTS_SEEN):
            x[_GALLERY + ARTISTS_SEEN * place + artist] = table.gallery[seat, artist] / CARD_UNIT
            x[_STAKES + ARTISTS_SEEN * place + artist] = table.stakes[seat, artist] / CARD_UNIT
    if table.last_buyer >= 0:
        x[_LAST_BUYER + distance(table, own, table.last_buyer)] = 1.0
        x[_LAST_PRICE] = table.last_price / MONEY_UNIT


def split_observation(x: np.ndarray) -> dict[str, np.ndarray]:
    """Return the parts of an observation, or of many, by name.

    Parameters
    ----------
    x : ndarray, shape (..., N_OBSERVED)

    Returns
    -------
    dict of str to ndarray
        Views of the last axis.
    """
    return {name: x[..., start : start + PARTS[name][0]] for name, start in STARTS.items()}
