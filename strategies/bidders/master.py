"""The bidders of the project modern_art_master, rebuilt from a description of how they decide.

They name a price together with the card that they put up, so they take it from the market before that card counts, and
for one painting even when they sell two. Where cards carry crowns, a painting counts as often as it has crowns.
"""

from modernart.simulator.cards import AuctionKind
from modernart.simulator.decisions import (
    DECLINE,
    Phase,
    artist_of,
    budget,
    count_fitting,
    crowns_of,
    ends_round,
    fits,
    kind_of,
)
from modernart.simulator.jit import kernel
from modernart.simulator.state import N_ARTISTS
from modernart.simulator.streams import below
from modernart.strategies.base import PUBLISHED, strategy
from modernart.strategies.bidding import answer_up_to, first_fitting, simple_tender, whole_amount
from modernart.strategies.card_choice import copies_in_hand

GROUP = PUBLISHED

SOURCES = ("thedefisentinel/modern_art_master, by its behaviour",)

#: What an artist below the ranks that pay adds to its board value.
_BELOW_RANKS = 5.0
#: What `standard` takes off the value of a card that ends the round.
_ENDING_COSTS = 15.0
#: `standard` adds a second card to a double from this value on.
_SECOND_FROM = 12.0
#: Among equal cards the kind further down this list goes up later; kinds unknown to the originals come last.
_KINDS = (
    AuctionKind.ONCE_AROUND,
    AuctionKind.OPEN,
    AuctionKind.SEALED,
    AuctionKind.FIXED_PRICE,
    AuctionKind.DOUBLE,
)
#: Place in it, by number of `AuctionKind`.
_KIND_ORDER = tuple(_KINDS.index(kind) if kind in _KINDS else len(_KINDS) for kind in AuctionKind)
#: `master_random` bids at most this much in secret, and raises by at most one more.
_RANDOM_MOST = 40


@kernel
def projected_value(table, artist, n_more):
    """Return an artist's board value plus what its place by cards out adds, with `n_more` more of its cards out.

    Ties go to the artist further left. Artists without a card have a place too.
    """
    count = table.cards_out[artist] + n_more
    place = 0
    for other in range(N_ARTISTS):
        n = table.cards_out[other]
        place += other != artist and (n > count or (n == count and other < artist))
    return table.values[artist] + (table.rules.rank_values[place] if place < table.rules.n_ranks else _BELOW_RANKS)


@kernel
def counted_value(table, artist, n_more):
    """Return an artist's board value plus 30, 20, 10 or nothing for four, two, one or no card out."""
    out = table.cards_out[artist] + n_more
    return table.values[artist] + (30.0 if out >= 4 else 20.0 if out >= 2 else 10.0 if out == 1 else 0.0)


@kernel
def valued_card(table, hand, by_count, ending_costs):
    """Return the slot of the most valuable card, before it counts.

    Ties go to the artist most held, then to the kind first in `_KIND_ORDER`, then to the lower slot.
    """
    best = 0
    most = -1e9
    for slot in range(hand.n_cards):
        card = hand.cards[slot]
        artist = artist_of(card)
        value = counted_value(table, artist, 0) if by_count else projected_value(table, artist, 0)
        score = 0.0 if kind_of(card) == AuctionKind.BLACK_FRAMED else float(crowns_of(card) * value)
        if ends_round(table, artist, 1):
            score -= ending_costs
        # One hand holds fewer than 100 cards, so neither tie-break outweighs what stands before it.
        score = 10_000.0 * score + 10.0 * copies_in_hand(hand, artist) - _KIND_ORDER[kind_of(card)]
        if score > most:
            most = score
            best = slot
    return best


@kernel
def second_in_order(table, hand):
    """Return the slot of the fitting card whose kind is first in `_KIND_ORDER`, or DECLINE if none fits."""
    best = DECLINE
    for slot in range(hand.n_cards):
        if fits(table, hand, slot) and (
            best == DECLINE or _KIND_ORDER[kind_of(hand.cards[slot])] < _KIND_ORDER[kind_of(hand.cards[best])]
        ):
            best = slot
    return best


@kernel(inline=True)
def crowns_of_one(table):
    """Return the crowns of the lot's last card: prices are named for one painting."""
    return crowns_of(table.lot[table.n_lot - 1])


@kernel
def raise_by_one(table, hand, cap):
    """Once around: return one more than the high bid if that is within the cap and the money, else 0."""
    return table.high_bid + 1 if whole_amount(table, hand, cap) > table.high_bid else 0


@strategy(sources=SOURCES)
def standard(table, hand):
    """Raises by one up to all that the lot would pay now, its own lots too; sealed 3/4 of it, asks 4/5 and at least 1.

    A painting counts its board value and 30, 20 or 10 for the artist's place by cards out, 5 below third. It puts up
    the most valuable card, ending cards 15 lower; ties go to the artist it holds most of, then once around, open,
    sealed, fixed price, double. It adds a second card to a double whose artist counts 12 or more.
    """
    phase = table.phase
    if phase == Phase.CARD:
        return valued_card(table, hand, False, _ENDING_COSTS)
    if phase == Phase.FLIP:
        return 0
    value = projected_value(table, table.artist, 0)
    if phase == Phase.PAIR or phase == Phase.JOIN:
        return second_in_order(table, hand) if value >= _SECOND_FROM else DECLINE
    worth = table.lot_crowns * value
    if phase == Phase.TENDER:
        return simple_tender(table, hand, worth)
    if phase == Phase.BID:
        return raise_by_one(table, hand, worth)
    asked = max(0.8 * crowns_of_one(table) * projected_value(table, table.artist, -1), 1.0)
    return answer_up_to(table, hand, worth, worth, 0.75 * worth, asked, worth)


@strategy(sources=SOURCES)
def heuristic(table, hand):
    """Values a painting by cards out alone: board value and 30 from four, 20 from two, 10 from one on, else nothing.

    It raises by one up to that, and passes on its own lots; sealed .6 of it, asks .6 of it. It puts up the most
    valuable card, with `standard`'s order among equals, and adds a second card to every double.
    """
    phase = table.phase
    if phase == Phase.CARD:
        return valued_card(table, hand, True, 0.0)
    if phase == Phase.FLIP:
        return 0
    if phase == Phase.PAIR or phase == Phase.JOIN:
        return second_in_order(table, hand)
    worth = table.lot_crowns * counted_value(table, table.artist, 0)
    if phase == Phase.TENDER:
        return simple_tender(table, hand, worth)
    cap = 0.0 if hand.seat == table.auctioneer else float(worth)
    if phase == Phase.BID:
        return raise_by_one(table, hand, cap)
    asked = 0.6 * crowns_of_one(table) * counted_value(table, table.artist, -1)
    return answer_up_to(table, hand, cap, cap, 0.6 * worth, asked, worth)


@strategy(sources=SOURCES)
def aggressive(table, hand):
    """Takes every artist for the first of the round and bids .85 of that at once; buys at any price that it can pay.

    It puts up any card, adds the first fitting card to every double, and asks half of what the artist counts for
    `standard`, at least 1.
    """
    phase = table.phase
    if phase == Phase.CARD:
        return below(hand, hand.n_cards)
    if phase == Phase.FLIP:
        return 0
    if phase == Phase.PAIR or phase == Phase.JOIN:
        return first_fitting(table, hand)
    cap = 0.85 * table.lot_crowns * (table.values[table.artist] + 30.0)
    if phase == Phase.TENDER:
        return simple_tender(table, hand, cap)
    if phase == Phase.RAISE:
        jump = whole_amount(table, hand, cap)
        return jump if jump > table.high_bid else 0
    asked = max(0.5 * crowns_of_one(table) * projected_value(table, table.artist, -1), 1.0)
    return answer_up_to(table, hand, cap, cap, cap, asked, 1e9)


@strategy(sources=SOURCES)
def tight(table, hand):
    """Raises by one while within half of what the lot would pay now; bids nothing in sealed auctions, adds no card.

    It puts up any card. It asks all that one painting counts for `standard`, and buys up to that.
    """
    phase = table.phase
    if phase == Phase.CARD:
        return below(hand, hand.n_cards)
    if phase == Phase.FLIP:
        return 0
    if phase == Phase.PAIR or phase == Phase.JOIN:
        return DECLINE
    value = projected_value(table, table.artist, 0)
    half = table.lot_crowns * value / 2.0
    if phase == Phase.TENDER:
        return simple_tender(table, hand, half)
    if phase == Phase.BID:
        return raise_by_one(table, hand, half)
    one = crowns_of_one(table)
    return answer_up_to(table, hand, half, half, 0.0, one * projected_value(table, table.artist, -1), one * value)


@kernel
def any_or_no_addition(table, hand):
    """Return each fitting slot, and DECLINE, with equal chance."""
    skip = below(hand, count_fitting(table, hand) + 1)
    for slot in range(hand.n_cards):
        if fits(table, hand, slot):
            if skip == 0:
                return slot
            skip -= 1
    return DECLINE


@strategy(sources=SOURCES)
def master_random(table, hand):
    """Picks any card; secret amounts up to 40, raises by up to 41 half of the time, asks any price that it could pay.

    It accepts half of all fixed prices. With k cards that fit a double it adds each with chance 1 / (k + 1).
    """
    phase = table.phase
    money = budget(table, hand.seat)
    if phase == Phase.CARD:
        return below(hand, hand.n_cards)
    if phase == Phase.FLIP:
        return 0
    if phase == Phase.PAIR or phase == Phase.JOIN:
        return any_or_no_addition(table, hand)
    if phase == Phase.BID or phase == Phase.RAISE:
        if below(hand, 2) == 0:
            return 0
        return table.high_bid + 1 + below(hand, min(money - table.high_bid, _RANDOM_MOST + 1))
    if phase == Phase.PRICE:
        return below(hand, money + 1)
    if phase == Phase.ACCEPT:
        return below(hand, 2)
    return below(hand, min(money, _RANDOM_MOST) + 1)
