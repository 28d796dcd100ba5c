"""The bidder whose judgement comes from self-play: small networks on top of `predictive`'s forecast."""

import math

import numpy as np

from modernart.simulator.cards import AuctionKind
from modernart.simulator.data import data_of
from modernart.simulator.decisions import DECLINE, Phase, artist_of, fits_double, kind_of
from modernart.simulator.jit import kernel, stack_zeros
from modernart.simulator.state import N_ARTISTS
from modernart.strategies.base import Param, strategy
from modernart.strategies.bidders.predictive import (
    IF_IT_GAINS,
    PARAMS,
    best_second,
    choose_tender,
    flip_by_gain,
    learn_prices,
    note_lot,
)
from modernart.strategies.bidding import whole_amount
from modernart.strategies.forecast import N_ROWS, PAYS, compare_stakes, count_cards, expect
from modernart.strategies.learning.features import (
    AFTER_ROWS,
    N_AFTER,
    N_LOT,
    N_MARKET,
    N_PUT_UP,
    N_SCENE,
    lot_features,
    market_features,
    put_up_features,
    set_scene,
)
from modernart.strategies.learning.hearing import hear, note_sale
from modernart.strategies.learning.layout import ADDITION, CARD, KNOBS, LOT, MARKET
from modernart.strategies.learning.network import WIDTH_2, hidden_units, number_at, output, output_offset, stack_floats
from modernart.strategies.learning.weights_file import shipped_weights

#: Highest price that it looks at, as a share of what the lot is expected to pay, and the step from one to the next.
_HIGHEST, _STEP = 1.6, 0.025
_N_STEPS = int(_HIGHEST / _STEP)

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
def put_up_value(table, hand, view, scene, slot, after, x, units):
    """Return what putting up a card of the hand gains; a double counts with the second card that fetches most."""
    second = DECLINE
    if kind_of(hand.cards[slot]) == AuctionKind.DOUBLE:
        second = best_second(table, hand, artist_of(hand.cards[slot]), slot)
    base = put_up_features(table, hand, view, scene, slot, second, after, x)
    hidden_units(data_of(hand), np.int64(CARD), np.int64(N_PUT_UP), x, units)
    return base + output(data_of(hand), output_offset(CARD, N_PUT_UP), units, 0)


@kernel
def addition_value(table, hand, view, scene, slot, after, x, units):
    """Return what adding a card to the double on the table gains against adding none."""
    base = put_up_features(table, hand, view, scene, slot, DECLINE, after, x)
    hidden_units(data_of(hand), np.int64(ADDITION), np.int64(N_PUT_UP), x, units)
    return base + output(data_of(hand), output_offset(ADDITION, N_PUT_UP), units, 0)


@kernel
def is_copy(hand, slot):
    """Tell whether an earlier slot holds the same card."""
    for earlier in range(slot):
        if hand.cards[earlier] == hand.cards[slot]:
            return True
    return False


@kernel
def card_by_value(table, hand, view):
    """Return the slot of the card that gains most."""
    x = stack_floats(N_PUT_UP)
    units = stack_floats(WIDTH_2)
    after = stack_zeros(AFTER_ROWS, N_AFTER)
    scene = stack_floats(N_SCENE)
    set_scene(table, hand, view, scene)
    best = 0
    most = -1e18
    for slot in range(hand.n_cards):
        if is_copy(hand, slot):
            continue
        value = put_up_value(table, hand, view, scene, slot, after, x, units)
        if value > most:
            most = value
            best = slot
    return best


@kernel
def addition_by_value(table, hand, view):
    """Answer PAIR or JOIN: add the card that gains most, or decline."""
    x = stack_floats(N_PUT_UP)
    units = stack_floats(WIDTH_2)
    after = stack_zeros(AFTER_ROWS, N_AFTER)
    scene = stack_floats(N_SCENE)
    set_scene(table, hand, view, scene)
    best = DECLINE
    most = knob(hand, ADD)
    for slot in range(hand.n_cards):
        if fits_double(hand, slot, table.artist) and not is_copy(hand, slot):
            value = addition_value(table, hand, view, scene, slot, after, x, units)
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
def best_price(worth, middle, width, n_seats):
    """Return the fixed price, as a share, that gains its seller most: sold to a rival, or kept and paid to the bank."""
    sold = n_seats / (n_seats - 1.0)
    best = 0.0
    most = -1e9
    for k in range(1, _N_STEPS + 1):
        price = k * _STEP
        refused = chance_below(price, middle, width)
        gain = (1.0 - refused) * price * sold + refused * (worth * sold - price)
        if gain > most:
            most = gain
            best = price
    return best


@kernel
def best_reserve(worth, middle, width, n_seats, is_second_price):
    """Return how far, as a share, a seller should bid for the own lot.

    Notes
    -----
    A higher bid keeps the lot where the best rival's price lies below it; in an open auction it also lifts the price
    where it comes between the best and the second, here for rivals whose prices are drawn alike.
    """
    sold = n_seats / (n_seats - 1.0)
    n_rivals = n_seats - 1.0
    best = 0.0
    most = 0.0
    gain = 0.0
    below = chance_below(0.0, middle, width)
    for k in range(1, _N_STEPS + 1):
        price = k * _STEP
        chance = chance_below(price, middle, width)
        gain += (chance - below) * (worth * sold - price - price * sold)
        if is_second_price:
            one = chance ** (1.0 / n_rivals)
            gain += _STEP * sold * n_rivals * (chance / max(one, 1e-9)) * (1.0 - one)
        else:
            # A seller's own bid is the price of every lot that they keep.
            gain -= _STEP * below
        below = chance
        if gain > most:
            most = gain
            best = price
    return best


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
