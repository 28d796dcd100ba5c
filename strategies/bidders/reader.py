"""`predictive` with reading: what each rival is likely to bid and to accept, from what it was heard to say."""

import math

from modernart.simulator.auctions import UNHEARD
from modernart.simulator.cards import AuctionKind
from modernart.simulator.decisions import Phase, budget
from modernart.simulator.jit import kernel
from modernart.strategies.base import Param, strategy
from modernart.strategies.bidders.predictive import (
    IF_IT_GAINS,
    LOT_KIND,
    LOT_SELLER,
    LOT_WORTH,
    ONCE,
    PARAMS,
    SEALED,
    play_predictive,
)
from modernart.strategies.bidding import whole_amount
from modernart.strategies.valuation import keep_price

READ_PARAMS = {
    "read_sealed": Param(
        1.0, 0.0, 1.0, "1: bids less in sealed auctions where all rivals were heard to bid low; 0: not"
    ),
    "read_once": Param(0.0, 0.0, 1.0, "1: the same once around; 0: not"),
    "read_prices": Param(1.0, 0.0, 1.0, "1: asks more of rivals who seem to buy at any fixed price; 0: not"),
}
READ_SEALED, READ_ONCE, READ_PRICES = range(len(PARAMS), len(PARAMS) + 3)

# Numbers of a rival in the notes; prices are shares of what the reader thinks a lot is worth. They are kept as
# differences from what is thought of a stranger, as notes start at 0.
#: Mean, spread and number of its sealed bids heard; of its limits in open auctions.
SEALED_MEAN, SEALED_SPREAD, SEALED_HEARD, OPEN_MEAN, OPEN_SPREAD, OPEN_HEARD = range(6)
#: Highest fixed price that it accepts; logarithm of the odds that it buys at any.
ACCEPTS, BLIND = 6, 7
N_READ = 8
#: Rivals that are told apart; at larger tables every fourth shares its numbers.
_MAX_READ = 4
#: Notes behind those of `predictive`: the lot that was noted (counted from 1; 0: none), its worth, the rivals' numbers.
NOTED, WORTH, READ = 10, 11, 12

#: Sealed bids are read where all rivals' means lie below this; elsewhere the usual bid does better.
_LOW = 0.65
#: A stranger's mean and spread, in sealed and in open auctions, and what it accepts, with the spread of that.
_MEAN, _SPREAD = 0.85, 0.15
_ACCEPTS, _ACCEPT_SPREAD = 1.0, 0.12
#: As if a stranger had been heard so often, and least weight of the latest bid.
_FIRST_WEIGHT, _LEAST_WEIGHT = 3.0, 0.08
#: Odds that a stranger buys at any price, and bounds that keep an opinion open to change.
_BLIND_ODDS, _MOST_ODDS = -4.0, 4.0
#: Shares of the worth at which a blind rival refuses, or a rival who looks at the worth accepts far too much.
_SLIP = 0.02
#: How far bids speak for a blind rival: those above this share of the worth, and all others.
_FOOLISH, _FOOLISH_ODDS, _SENSIBLE_ODDS = 1.35, 0.7, -0.15
#: How many such prices it looks at, beside all the money of each rival.
_N_FOOLISH = 12


@kernel(inline=True)
def rival_notes(table, hand, seat):
    """Return where the numbers of a rival start in the notes."""
    offset = seat - hand.seat - 1
    return READ + N_READ * ((offset + table.rules.n_seats if offset < 0 else offset) % _MAX_READ)


@kernel(inline=True)
def logistic(x):
    """Return 1 / (1 + exp(-x)), without overflow."""
    return 1.0 / (1.0 + math.exp(min(max(-x, -40.0), 40.0)))


@kernel
def blind_chance(table, hand, seat):
    """Return the chance that a rival buys at any fixed price that it can pay."""
    return logistic(_BLIND_ODDS + hand.notes[rival_notes(table, hand, seat) + BLIND])


@kernel
def hear_bid(notes, start, share, is_open, is_lower_bound):
    """Move mean and spread of a rival's bids, numbers from `start` on; a lower bound below the mean says nothing.

    A bid that is known to be a lower bound counts as its expectation: the mean, or the bound if that is more.
    """
    mean = start + (OPEN_MEAN if is_open else SEALED_MEAN)
    if is_lower_bound and share < _MEAN + notes[mean]:
        return
    heard = mean + 2
    weight = max(1.0 / (notes[heard] + 1.0 + _FIRST_WEIGHT), _LEAST_WEIGHT)
    error = share - _MEAN - notes[mean]
    notes[mean] += weight * error
    notes[mean + 1] += weight * (abs(error) - _SPREAD - notes[mean + 1])
    notes[heard] += 1.0


@kernel
def hear_acceptance(notes, start, share, is_accepted):
    """Move what a rival is thought to accept by one answer to a price, a share of the worth."""
    accepts = _ACCEPTS + notes[start + ACCEPTS]
    sensible = _SLIP + (1.0 - 2.0 * _SLIP) * logistic((accepts - share) / _ACCEPT_SPREAD)
    if is_accepted:
        notes[start + BLIND] += math.log((1.0 - _SLIP) / sensible)
        notes[start + ACCEPTS] += 0.3 * max(min(share, 2.0) - accepts, 0.0)
    else:
        notes[start + BLIND] += math.log(_SLIP / (1.0 - sensible))
        notes[start + ACCEPTS] += 0.3 * min(share - _ACCEPT_SPREAD - accepts, 0.0)
    notes[start + BLIND] = min(max(notes[start + BLIND], -_MOST_ODDS), _MOST_ODDS - 2.0 * _BLIND_ODDS)


@kernel
def hear_last_lot(table, hand):
    """Take in what was said about the lot that was noted, if no other was sold since."""
    notes = hand.notes
    if notes[NOTED] == 0.0 or table.n_sold < notes[NOTED]:
        return
    if table.n_sold == notes[NOTED] and notes[WORTH] >= 1.0:
        kind = int(notes[LOT_KIND])
        for seat in range(table.rules.n_seats):
            if seat == hand.seat or table.heard[seat] == UNHEARD:
                continue
            start = rival_notes(table, hand, seat)
            share = table.heard[seat] / notes[WORTH]
            if kind == AuctionKind.FIXED_PRICE:
                if seat != int(notes[LOT_SELLER]):
                    hear_acceptance(notes, start, table.last_price / notes[WORTH], table.heard[seat] > 0)
            elif kind == AuctionKind.OPEN or kind == AuctionKind.SEALED:
                is_open = kind == AuctionKind.OPEN
                hear_bid(notes, start, share, is_open, is_open and seat == table.last_buyer)
                notes[start + BLIND] += _FOOLISH_ODDS if share > _FOOLISH else _SENSIBLE_ODDS
                notes[start + BLIND] = min(max(notes[start + BLIND], -_MOST_ODDS), _MOST_ODDS - 2.0 * _BLIND_ODDS)
    notes[NOTED] = 0.0


@kernel
def note_lot_heard(table, hand):
    """Write down which lot the bids will be about; `predictive` has noted its kind, seller and worth."""
    hand.notes[NOTED] = table.n_sold + 1
    hand.notes[WORTH] = hand.notes[LOT_WORTH]


@kernel
def chance_to_win(table, hand, worth, amount, is_sealed, first, n_rivals):
    """Return the chance that none of the `n_rivals` seats from `first` on goes beyond an amount.

    Once around the auctioneer, who speaks last, is thought to go as far as keeping the lot gains.
    """
    notes = hand.notes
    n_seats = table.rules.n_seats
    chance = 1.0
    seat = first
    for _ in range(n_rivals):
        seat = seat - n_seats if seat >= n_seats else seat
        if seat != hand.seat and not (is_sealed and seat == table.auctioneer):
            start = rival_notes(table, hand, seat)
            mean = start + (SEALED_MEAN if is_sealed else OPEN_MEAN)
            middle = (_MEAN + notes[mean]) * worth
            if seat == table.auctioneer:
                middle = min(middle, keep_price(worth, n_seats))
            # The spread of a logistic curve whose mean absolute deviation is that of the bids.
            scale = max((_SPREAD + notes[mean + 1]) * worth / 1.39, 0.4)
            if budget(table, seat) > amount:
                chance *= logistic((amount + 0.5 - middle) / scale)
        seat += 1
    return chance


@kernel
def rivals_bid_low(table, hand):
    """Tell whether every rival's sealed bids were heard to be low, so that the usual bid would pay far too much."""
    for seat in range(table.rules.n_seats):
        if seat != hand.seat and seat != table.auctioneer:
            if _MEAN + hand.notes[rival_notes(table, hand, seat) + SEALED_MEAN] > _LOW:
                return False
    return True


@kernel
def best_bid(table, hand, worth, least, most, is_sealed, first, n_rivals):
    """Return the amount from `least` to `most` that gains most on the rivals' mean, by what rivals should bid.

    Winning at a price b gains worth - b, and takes from the rivals what one of them would have gained: in all
    (worth - b) n / (n - 1), so the chance to win times worth - b is what counts.
    """
    best = least
    gain = -1e9
    step = max((most - least) // 24, 1)
    amount = least
    while amount <= most:
        found = chance_to_win(table, hand, worth, amount, is_sealed, first, n_rivals) * (worth - amount)
        if found > gain:
            gain = found
            best = amount
        amount += step
    return best


@kernel
def chance_to_sell(table, hand, worth, price):
    """Return the chance that some rival buys at a fixed price."""
    nobody = 1.0
    for seat in range(table.rules.n_seats):
        if seat == hand.seat or budget(table, seat) < price:
            continue
        blind = blind_chance(table, hand, seat)
        accepts = (_ACCEPTS + hand.notes[rival_notes(table, hand, seat) + ACCEPTS]) * worth
        sensible = logistic((accepts - price) / (_ACCEPT_SPREAD * max(worth, 1.0)))
        nobody *= 1.0 - blind * (1.0 - _SLIP) - (1.0 - blind) * sensible
    return 1.0 - nobody


@kernel
def sale_gain(table, hand, worth, price):
    """Return what asking a fixed price gains on the rivals' mean: it is sold, or the own money buys it."""
    sold = chance_to_sell(table, hand, worth, price)
    return sold * (price - (worth - price) / (table.rules.n_seats - 1.0)) + (1.0 - sold) * (worth - price)


@kernel
def best_price(table, hand, worth, usual):
    """Return the fixed price to ask: the usual one, or what only a rival who buys blindly pays, if that gains more.

    Prices between are left alone: what a sensible rival accepts is known too roughly to do better than the usual one.
    """
    most = budget(table, hand.seat)
    best = usual
    gain = sale_gain(table, hand, worth, usual)
    for k in range(_N_FOOLISH + table.rules.n_seats):
        asked = budget(table, k - _N_FOOLISH) if k >= _N_FOOLISH else math.floor((_FOOLISH + 0.1 * k) * worth)
        price = min(asked, most)
        if price >= _FOOLISH * worth:
            found = sale_gain(table, hand, worth, price)
            if found > gain:
                gain = found
                best = price
    return best


@strategy(
    params={**PARAMS, **READ_PARAMS}, sources=["original; Bayesian models of opponents as in poker (Southey 2005)"]
)
def reader(table, hand):
    """Plays as `predictive` does, but reads its rivals: who bids how much, and who pays any price.

    It keeps a mean and a spread of each rival's bids, in sealed and in open auctions apart, as shares of what it
    thought the lots worth. The buyer of an open lot is known to have gone at least as far as the price. Where all
    rivals bid low in sealed auctions, it takes the amount with the best chance to win times profit. From accepted and
    refused fixed prices, and from foolish bids, it reckons the chance that a rival buys blindly, and asks such a rival
    for more.
    """
    hear_last_lot(table, hand)
    notes = hand.notes
    params = hand.params
    answer = play_predictive(table, hand, IF_IT_GAINS, True)
    phase = table.phase
    if phase == Phase.CARD or phase == Phase.PAIR or phase == Phase.JOIN or phase == Phase.FLIP:
        return answer
    if phase == Phase.TENDER:
        return answer
    note_lot_heard(table, hand)
    worth = notes[WORTH]
    n_seats = table.rules.n_seats
    if phase == Phase.SEALED and params[READ_SEALED] > 0.5 and hand.seat != table.auctioneer:
        if not rivals_bid_low(table, hand):
            return answer
        most = whole_amount(table, hand, worth * (1.0 - params[SEALED] / n_seats))
        return best_bid(table, hand, worth, 0, most, True, 0, n_seats)
    if phase == Phase.BID and params[READ_ONCE] > 0.5 and answer > 0 and hand.seat != table.auctioneer:
        most = whole_amount(table, hand, worth * params[ONCE])
        left = table.auctioneer - hand.seat
        left = left + n_seats if left <= 0 else left
        return best_bid(table, hand, worth, table.high_bid + 1, most, False, hand.seat + 1, left)
    if phase == Phase.PRICE and params[READ_PRICES] > 0.5:
        return best_price(table, hand, worth, answer)
    return answer
