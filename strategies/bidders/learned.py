"""The bidder whose judgement comes from self-play: small networks on top of `predictive`'s forecast."""

import math

import numpy as np

from modernart.simulator.cards import AuctionKind
from modernart.simulator.data import data_of
from modernart.simulator.decisions import DECLINE, Phase, artist_of, fits, kind_of
from modernart.simulator.jit import kernel, stack_zeros
from modernart.simulator.state import N_ARTISTS
from modernart.strategies.base import Param, strategy
from modernart.strategies.bidders.predictive import (
    IF_IT_GAINS,
    PARAMS,
    best_second,
    choose_tender,
    flip_by_gain,
    funds_of_rivals,
    learn_prices,
    note_lot,
)
from modernart.strategies.bidding import whole_amount
from modernart.strategies.forecast import N_ROWS, PAYS, compare_stakes, count_cards, expect
from modernart.strategies.learning.features import (
    AFTER_ROWS,
    LEARNED_ARTISTS,
    N_AFTER,
    N_CARD,
    N_COMMON,
    N_LOT,
    N_MARKET,
    N_PUT_UP,
    N_SCENE,
    card_features,
    copy_scene,
    lot_features,
    market_features,
    set_scene,
)
from modernart.strategies.learning.hearing import hear, note_sale
from modernart.strategies.learning.layout import ADDITION, CARD, KNOBS, LOT, MARKET
from modernart.strategies.learning.network import (
    WIDTH_1,
    WIDTH_2,
    add_rows,
    hidden_units,
    number_at,
    output,
    output_offset,
    second_layer,
    stack_floats,
    start_sums,
)
from modernart.strategies.learning.weights_file import shipped_weights

#: Highest price that it looks at, as a share of what the lot is expected to pay, and how often that range is halved.
_HIGHEST, _HALVINGS = 1.6, 8

#: Sums of a first layer: those of the card in question, and what each artist's cards have in common.
_N_SUMS = WIDTH_1 * (1 + LEARNED_ARTISTS)

#: Its parameters stand where those of `predictive` do, since it uses that bidder's forecast of prices and endings; in
#: place of those that say how far to bid, it has shifts of what was learned.
_SHIFTS = {
    "open": Param(0.0, -0.4, 0.4, "added to the share of a lot's worth that it pays in an open auction"),
    "sealed": Param(0.0, -0.4, 0.4, "added to the share of the worth that it reckons with in a sealed auction"),
    "once": Param(0.0, -0.4, 0.4, "the same once around"),
    "accept": Param(0.0, -0.4, 0.4, "added to the share of the worth that it pays at a fixed price"),
    "reserve": Param(0.0, -0.4, 0.4, "added to its bid for its own lot, as a share of what that should pay"),
    "margin": Param(0.0, -0.4, 0.4, "added to its bids sealed and once around, as such a share"),
    "price": Param(0.0, -0.4, 0.4, "added to the fixed price it asks, as such a share"),
    "add": Param(0.0, -20.0, 20.0, "money that adding a card to a double must gain"),
}
_IN_PLACE_OF = {"lift": "price", "last_word": "add"}
LEARNED_PARAMS = {
    name: _SHIFTS.get(name, param)
    for name, param in ((_IN_PLACE_OF.get(name, name), param) for name, param in PARAMS.items())
}
#: What tuning moves.
TUNED = tuple(_SHIFTS)
OPEN, SEALED, ONCE, ACCEPT, RESERVE, _, MARGIN, _, _, _, PRICE, _, _, _, _, ADD = range(len(PARAMS))


@kernel
def knob(hand, k):
    """Return a bidding number: what tuning found, and what the parameter adds to it."""
    return np.float64(number_at(data_of(hand), np.int64(KNOBS + k))) + hand.params[k]


@kernel
def lot_worth(table, hand, view, scene, x, units):
    """Return the price up to which the seat would rather buy the lot than see another player buy it."""
    lot_features(table, hand, view, scene, x)
    hidden_units(data_of(hand), np.int64(LOT), np.int64(N_LOT), x, units)
    learned = output(data_of(hand), output_offset(LOT, N_LOT), units, 0)
    return table.lot_crowns * view[PAYS, table.artist] + learned


@kernel
def network_value(address, offset, scene, artist, is_known, x, sums, units):
    """Return what a network of cards says, whose own features stand in `x`.

    Cards of one artist have most features in common: their part of the first layer is added up once a decision.
    """
    shared = np.int64(WIDTH_1 * (1 + artist))
    if is_known[0, artist] == 0.0:
        is_known[0, artist] = 1.0
        copy_scene(scene, artist, x)
        start_sums(address, offset, sums, shared)
        add_rows(address, offset + WIDTH_1, np.int64(N_COMMON), x, np.int64(0), sums, shared)
    for unit in range(WIDTH_1):
        sums[unit] = sums[shared + unit]
    rows = offset + WIDTH_1 * (N_COMMON + 1)
    add_rows(address, rows, np.int64(N_CARD), x, np.int64(N_COMMON), sums, np.int64(0))
    second_layer(address, offset + WIDTH_1 * (N_PUT_UP + 1), sums, units)
    return output(address, output_offset(offset, N_PUT_UP), units, 0)


@kernel
def is_copy(hand, slot):
    """Tell whether an earlier slot holds the same card."""
    for earlier in range(slot):
        if hand.cards[earlier] == hand.cards[slot]:
            return True
    return False


@kernel
def card_by_value(table, hand, view):
    """Return the slot of the card that gains most; a double counts with the second card that fetches most."""
    x = stack_floats(N_PUT_UP)
    units = stack_floats(WIDTH_2)
    sums = stack_floats(_N_SUMS)
    is_known = stack_zeros(1, N_ARTISTS)
    after = stack_zeros(AFTER_ROWS, N_AFTER)
    scene = stack_floats(N_SCENE)
    set_scene(table, hand, view, scene)
    funds = funds_of_rivals(table, hand)
    address = data_of(hand)
    best = 0
    most = -1e18
    for slot in range(hand.n_cards):
        if is_copy(hand, slot):
            continue
        artist = artist_of(hand.cards[slot])
        second = DECLINE
        if kind_of(hand.cards[slot]) == AuctionKind.DOUBLE:
            second = best_second(table, hand, artist, slot)
        value = card_features(table, hand, view, scene, slot, second, funds, after, x)
        value += network_value(address, np.int64(CARD), scene, artist, is_known, x, sums, units)
        if value > most:
            most = value
            best = slot
    return best


@kernel
def addition_by_value(table, hand, view):
    """Answer PAIR or JOIN: add the card that gains most, or decline."""
    x = stack_floats(N_PUT_UP)
    units = stack_floats(WIDTH_2)
    sums = stack_floats(_N_SUMS)
    is_known = stack_zeros(1, N_ARTISTS)
    after = stack_zeros(AFTER_ROWS, N_AFTER)
    scene = stack_floats(N_SCENE)
    set_scene(table, hand, view, scene)
    funds = funds_of_rivals(table, hand)
    address = data_of(hand)
    artist = table.artist
    best = DECLINE
    most = knob(hand, ADD)
    for slot in range(hand.n_cards):
        if fits(table, hand, slot) and not is_copy(hand, slot):
            value = card_features(table, hand, view, scene, slot, DECLINE, funds, after, x)
            value += network_value(address, np.int64(ADDITION), scene, artist, is_known, x, sums, units)
            if value > most:
                most = value
                best = slot
    return best


@kernel
def market(table, hand, scene, public, x, units):
    """Return the middle and the width of what the rivals' best price is thought to be, as shares of `public`."""
    market_features(table, hand, scene, public, x)
    hidden_units(data_of(hand), np.int64(MARKET), np.int64(N_MARKET), x, units)
    start = output_offset(MARKET, N_MARKET)
    width = math.exp(min(max(output(data_of(hand), start, units, 1), -5.0), 1.0))
    return output(data_of(hand), start, units, 0), width


@kernel
def chance_below(price, middle, width):
    """Return the chance that the rivals' best price is below a share."""
    return 1.0 / (1.0 + math.exp(min(max((middle - price) / width, -40.0), 40.0)))


@kernel
def best_bid(worth, middle, width):
    """Return the bid, as a share, with the best of chance to win times gain: sealed and once around, not as seller.

    Notes
    -----
    Where (worth - b) / (1 + exp((middle - b) / width)) is greatest, y = (worth - b) / width - 1 solves
    y + log y = (worth - middle) / width - 1; Newton's steps find it.
    """
    z = (worth - middle) / width - 1.0
    y = max(z - math.log(max(z, 1.0)), 0.5) if z > 0.0 else math.exp(max(z, -30.0))
    for _ in range(4):
        y *= (1.0 + z - math.log(y)) / (1.0 + y)
    return max(worth - width * (1.0 + y), 0.0)


@kernel
def price_slope(price, worth, middle, width, sold):
    """Return a number that is above 0 as long as a higher fixed price gains its seller more.

    Notes
    -----
    With c the chance that all refuse, the gain (1 - c) price sold + c (worth sold - price) has the slope
    sold (1 - c) - c + c (1 - c) / width (worth sold - price (1 + sold)); this is the slope over 1 - c.
    """
    refused = chance_below(price, middle, width)
    keeping = worth * sold - price * (1.0 + sold)
    return sold - refused / max(1.0 - refused, 1e-12) + refused / width * keeping


@kernel
def reserve_slope(price, worth, middle, width, sold, n_rivals, is_second_price):
    """Return a number that is above 0 as long as a higher bid for the own lot gains its seller more.

    Notes
    -----
    With c the chance that no rival goes beyond the price, a little more keeps the lot with c (1 - c) / width, for
    worth sold - price (1 + sold). In a sealed auction the seller then pays it whenever they keep the lot: c. In an
    open one it lifts the price where it comes between the best and the second rival: n u^(n-1) (1 - u), with u the
    n-th root of c, for n rivals drawn alike. Both are the slope over positive numbers.
    """
    below = chance_below(price, middle, width)
    keeping = worth * sold - price * (1.0 + sold)
    if not is_second_price:
        return (1.0 - below) / width * keeping - 1.0
    one = below ** (1.0 / n_rivals)
    return one * (1.0 - below) / width * keeping + sold * n_rivals * (1.0 - one)


@kernel
def best_price(worth, middle, width, n_seats):
    """Return the fixed price, as a share, that gains its seller most: sold to a rival, or kept and paid to the bank."""
    sold = n_seats / (n_seats - 1.0)
    low = 0.0
    high = _HIGHEST
    for _ in range(_HALVINGS):
        middle_price = 0.5 * (low + high)
        if price_slope(middle_price, worth, middle, width, sold) > 0.0:
            low = middle_price
        else:
            high = middle_price
    return 0.5 * (low + high)


@kernel
def best_reserve(worth, middle, width, n_seats, is_second_price):
    """Return how far, as a share, a seller should bid for the own lot; 0 where any bid loses.

    A higher bid keeps the lot where the best rival's price lies below it; in an open auction it also lifts the price
    where it comes between the best and the second.
    """
    sold = n_seats / (n_seats - 1.0)
    if reserve_slope(0.0, worth, middle, width, sold, n_seats - 1.0, is_second_price) <= 0.0:
        return 0.0
    low = 0.0
    high = _HIGHEST
    for _ in range(_HALVINGS):
        price = 0.5 * (low + high)
        if reserve_slope(price, worth, middle, width, sold, n_seats - 1.0, is_second_price) > 0.0:
            low = price
        else:
            high = price
    return 0.5 * (low + high)


@kernel
def bid_by_market(table, hand, view, scene, worth):
    """Answer the questions where what the rivals would pay matters: sealed, once around, prices, the own lot."""
    x = stack_floats(N_MARKET)
    units = stack_floats(WIDTH_2)
    public = max(table.lot_crowns * view[PAYS, table.artist], 1.0)
    middle, width = market(table, hand, scene, public, x, units)
    n_seats = np.float64(table.rules.n_seats)
    phase = table.phase
    if phase == Phase.PRICE:
        share = best_price(worth / public, middle, width, n_seats) + knob(hand, PRICE)
        return whole_amount(table, hand, max(share, 0.0) * public)
    if phase == Phase.SEALED:
        if hand.seat == table.auctioneer:
            return whole_amount(table, hand, best_reserve(worth / public, middle, width, n_seats, False) * public)
        most = worth * knob(hand, SEALED)
        share = best_bid(most / public, middle, width)
        return whole_amount(table, hand, min((share + knob(hand, MARGIN)) * public + 0.5, most))
    if phase == Phase.BID:
        most = worth * knob(hand, ONCE)
        share = best_bid(most / public, middle, width)
        wanted = min((share + knob(hand, MARGIN)) * public + 0.5, most)
        wanted = whole_amount(table, hand, max(wanted, min(table.high_bid + 1.0, most)))
        return wanted if wanted > table.high_bid else 0
    reserve = best_reserve(worth / public, middle, width, n_seats, True) + knob(hand, RESERVE)
    limit = whole_amount(table, hand, max(reserve, 0.0) * public)
    if phase == Phase.RAISE:
        return table.high_bid + 1 if limit > table.high_bid else 0
    return limit


@kernel
def bid_by_worth(table, hand, view):
    """Answer every question of an auction."""
    x = stack_floats(N_LOT)
    units = stack_floats(WIDTH_2)
    scene = stack_floats(N_SCENE)
    set_scene(table, hand, view, scene)
    worth = lot_worth(table, hand, view, scene, x, units)
    phase = table.phase
    is_seller = hand.seat == table.auctioneer
    if phase == Phase.ACCEPT:
        return 1 if table.high_bid <= worth * knob(hand, ACCEPT) else 0
    if phase == Phase.BID and is_seller:
        n_seats = table.rules.n_seats
        keeping = worth * n_seats / (2.0 * n_seats - 1.0)
        return table.high_bid + 1 if whole_amount(table, hand, keeping) > table.high_bid else 0
    if (phase == Phase.LIMIT or phase == Phase.RAISE) and not is_seller:
        limit = whole_amount(table, hand, worth * knob(hand, OPEN))
        if phase == Phase.LIMIT:
            return limit
        return table.high_bid + 1 if limit > table.high_bid else 0
    if worth < 1.0 and phase != Phase.PRICE:
        return 0
    if phase == Phase.BID and whole_amount(table, hand, worth * knob(hand, ONCE)) <= table.high_bid:
        return 0
    return bid_by_market(table, hand, view, scene, worth)


@kernel
def play_learned(table, hand):
    """Answer any question."""
    hear(table, hand)
    learn_prices(table, hand)
    phase = table.phase
    view = stack_zeros(N_ROWS, N_ARTISTS)
    count_cards(table, hand, True, view)
    compare_stakes(table, hand, view)
    expect(table, view)
    if phase == Phase.CARD:
        return np.int64(card_by_value(table, hand, view))
    if phase == Phase.PAIR or phase == Phase.JOIN:
        return np.int64(addition_by_value(table, hand, view))
    if phase == Phase.FLIP:
        return np.int64(flip_by_gain(table, hand, view, IF_IT_GAINS))
    public = table.lot_crowns * view[PAYS, table.artist]
    if phase == Phase.TENDER:
        return np.int64(choose_tender(table, hand, public))
    note_lot(table, hand, public)
    note_sale(table, hand, public)
    return np.int64(bid_by_worth(table, hand, view))


@strategy(
    params=LEARNED_PARAMS,
    sources=["original; approximate policy iteration on forked self-play (docs/learned.md)"],
    data=shipped_weights,
)
def learned(table, hand):
    """Plays by what self-play taught it: small networks judge lots, cards, doubles and what the rivals would pay.

    On top of `predictive`'s forecast, one network corrects what a lot is worth to it, two more say what each card gains
    when put up or added to a double, and the last says what the best rival would pay: its bids sealed and once around,
    its fixed prices and its bids for its own lots follow from that. Alone it takes the weights for the rules of the
    table; `learned@classic-4` or `learned@FILE.npz` names others.
    """
    return play_learned(table, hand)
