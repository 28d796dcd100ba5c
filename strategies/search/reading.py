"""Reading rivals: which policy explains best what each was heard to bid.

Before a lot is sold, the seat asks every policy what each rival would bid, on a few deals of the hidden cards. Once the
lot is sold, the table tells what each rival was heard to bid, and Bayes' rule moves the chances of the policies. The
buyer of an open lot would have gone at least as far as it paid; all others are heard exactly, or in an outcry between
their last raise and the price.
"""

import math

import numpy as np

from modernart.simulator.asking import consult
from modernart.simulator.auctions import UNHEARD
from modernart.simulator.copying import scratch_games
from modernart.simulator.jit import kernel
from modernart.simulator.state import MAX_CARDS
from modernart.simulator.streams import LOOKAHEAD, step, stream_start
from modernart.strategies.scratch import deal_unseen, unseen_cards
from modernart.strategies.search.playouts import seat_rival, set_scene
from modernart.strategies.search.policies import BASE_NOTES, MAX_POLICIES, n_policies

#: Ways in which bids are heard: all limits but the buyer's, all amounts, or raises.
LIMITS, SEALED, OUTCRY = range(3)

#: Rivals that are told apart; at larger tables every fourth shares what is noted.
_MAX_READ = 4
# Notes: the lot that bids were predicted for (counted from 1; 0: none), how it is sold, then by rival and policy the
# logarithm of its odds, and the predicted bid.
READ_LOT = BASE_NOTES + 2
READ_WAY = READ_LOT + 1
ODDS = READ_WAY + 1
PREDICTED = ODDS + _MAX_READ * MAX_POLICIES

#: Deals of the hidden cards on which a bid is predicted.
_N_DEALS = 3
#: Chance that a rival bids like none of the policies, and then somewhere about this amount.
_STRANGER, _STRANGE_BID, _STRANGE_SCALE = 0.05, 20.0, 15.0
#: Odds are kept within this of the best, so that a rival who changes is noticed.
_MOST_ODDS = 6.0


@kernel(inline=True)
def rival_slot(table, hand, seat):
    """Return the place of a rival in the notes, counted from the left neighbour."""
    offset = seat - hand.seat - 1
    return (offset + table.rules.n_seats if offset < 0 else offset) % _MAX_READ


@kernel
def chance_within(low, high, middle, scale):
    """Return the chance that a whole number is from `low` to `high` (logistic about `middle`)."""
    below = 1.0 / (1.0 + math.exp(min((middle - high - 0.5) / scale, 50.0)))
    above = 1.0 / (1.0 + math.exp(min((middle - low + 0.5) / scale, 50.0)))
    return below - above


@kernel
def likelihood(low, high, predicted):
    """Return the chance of a bid from `low` to `high` of a rival whose policy was predicted to bid `predicted`."""
    own = chance_within(low, high, predicted, 0.7 + 0.06 * predicted)
    return (1.0 - _STRANGER) * own + _STRANGER * chance_within(low, high, _STRANGE_BID, _STRANGE_SCALE) + 1e-9


@kernel
def read_last_lot(table, hand, data):
    """Move the odds of the policies by what was heard of the lot that bids were predicted for."""
    notes = hand.notes
    if notes[READ_LOT] == 0.0 or table.n_sold < notes[READ_LOT]:
        return
    if table.n_sold == notes[READ_LOT]:
        way = int(notes[READ_WAY])
        for seat in range(table.rules.n_seats):
            heard = table.heard[seat]
            if seat == hand.seat or heard == UNHEARD:
                continue
            high = heard
            if way != SEALED:
                if seat == table.last_buyer:
                    high = 100_000
                elif way == OUTCRY:
                    high = table.last_price
            start = rival_slot(table, hand, seat) * MAX_POLICIES
            most = -1e9
            for policy in range(n_policies(data)):
                notes[ODDS + start + policy] += math.log(likelihood(heard, high, notes[PREDICTED + start + policy]))
                most = max(most, notes[ODDS + start + policy])
            for policy in range(n_policies(data)):
                notes[ODDS + start + policy] = max(notes[ODDS + start + policy] - most, -_MOST_ODDS)
    notes[READ_LOT] = 0.0


@kernel
def predict_bids(table, hand, data, way):
    """Note what every policy would bid for the lot on sale at each rival's place; `way` is how bids are heard."""
    notes = hand.notes
    n_seats = table.rules.n_seats
    n = n_policies(data)
    for k in range(_MAX_READ * MAX_POLICIES):
        notes[PREDICTED + k] = 0.0
    games = scratch_games(1)
    cards = np.zeros(MAX_CARDS, np.int16)
    n_unseen = unseen_cards(table, hand, cards)
    hand.rng = step(hand.rng)
    state = stream_start(hand.rng, table.round_index, hand.home, LOOKAHEAD)
    for _ in range(_N_DEALS):
        scene = games[0]
        set_scene(scene, table, hand, data)
        state = deal_unseen(scene, hand.seat, cards, n_unseen, state)
        for seat in range(n_seats):
            if seat == hand.seat:
                continue
            scene.table.seat = seat
            start = PREDICTED + rival_slot(table, hand, seat) * MAX_POLICIES
            for policy in range(n):
                state = step(state)
                seat_rival(scene, seat, hand, data, policy, state)
                notes[start + policy] += consult(scene.acts[seat], scene.table, scene.hands[seat]) / _N_DEALS
    notes[READ_LOT] = table.n_sold + 1
    notes[READ_WAY] = float(way)


@kernel
def read_chances(table, hand, data, chances):
    """Fill in the chance of every policy at each rival's place, rows by seat; the base is likelier at first."""
    n = n_policies(data)
    for seat in range(table.rules.n_seats):
        start = ODDS + rival_slot(table, hand, seat) * MAX_POLICIES
        total = 0.0
        for policy in range(n):
            prior = 0.5 if policy == 0 or n == 1 else 0.5 / (n - 1)
            chances[seat, policy] = prior * math.exp(hand.notes[start + policy])
            total += chances[seat, policy]
        for policy in range(n):
            chances[seat, policy] /= total
