"""Scenes: complete games that agree with what a seat saw, drawn by how well they explain what was played and bid.

A scene gives every card that the seat cannot see a place, then relives the recorded answers. A policy in each rival's
seat is asked at every decision what it would have done there; the likelihood of what the rival did do weighs the scene.
A walk over scenes (Metropolis et al. 1953) exchanges hidden cards and changes the rivals' policies: so it finds hands,
and players, that explain the game. Compiled code of this module stands in this file alone: the cache of compiled code
compares one file (`modernart.simulator.code_cache`).
"""

import math
from typing import NamedTuple

import numpy as np

from modernart.simulator.asking import consult
from modernart.simulator.copying import copy_game
from modernart.simulator.decisions import DECLINE, Phase, artist_of, can_be_second
from modernart.simulator.forks import rekey
from modernart.simulator.game import apply, begin_turn
from modernart.simulator.jit import kernel
from modernart.simulator.options import NO_SHILL
from modernart.simulator.state import MAX_CARDS, MAX_HAND, MAX_ROUNDS, MAX_SEATS, N_ARTISTS
from modernart.simulator.streams import DECISIONS, PLACES, mix, scaled, shuffle, step, stream_start
from modernart.strategies.search.playouts import is_secret
from modernart.strategies.search.policies import seat_policy
from modernart.strategies.search.reading import likelihood

#: Columns of `steps`: what was done, by whom, with which card or amount; an amount lay from LOW to HIGH.
KIND, SEAT, VALUE, LOW, HIGH = range(5)
N_COLUMNS = 5
#: Values of KIND: a card put up, a card added to a double, an amount or another number, a card of the shill.
PUT, ADD, AMOUNT, TURN = range(4)

#: Columns of `played`: the card that a rival put up, its seat, and the round.
CARD, WHO, WHEN = range(3)

#: Logarithm of the weight of a scene that cannot be.
IMPOSSIBLE = -1e30
#: Chance that a rival's choice of a card, or another answer without an amount, is not the one its policy makes.
_STRAY = 0.5

#: Round of a card that is still held.
_HELD = 99


@kernel
def take_hand(game, seat, cards, n):
    """Give a seat the first `n` of some cards as its whole hand."""
    hand = game.hands[seat]
    for artist in range(N_ARTISTS):
        hand.fitting[artist] = 0
    for k in range(n):
        card = cards[k]
        hand.cards[k] = card
        hand.fitting[artist_of(card)] += can_be_second(card)
    hand.n_cards = n
    game.table.hand_sizes[seat] = n


@kernel
def part_deals(cards, since, n, new, first, last, parts, state):
    """Draw in which round each card of a seat was dealt: any way that lets it be played when it was is as likely.

    Parameters
    ----------
    cards, since : ndarray of int64
        The seat's `n` cards, and the round each was put up in.
    new : ndarray of int64, shape (MAX_ROUNDS,)
        Cards dealt to a seat by round.
    first, last : int
        Round whose start the cards of row `first` of `parts` are held at, and the last round dealt.
    parts : ndarray of int64, shape (MAX_ROUNDS, MAX_HAND)
        Written: the cards by round; row `first` has all that are left.

    Returns
    -------
    state : uint64
    is_possible : bool
    """
    is_taken = np.zeros(MAX_CARDS, np.bool_)
    for r in range(last, first, -1):
        for k in range(new[r]):
            n_open = 0
            for i in range(n):
                n_open += not is_taken[i] and since[i] >= r
            if n_open == 0:
                return state, False
            state = step(state)
            left = scaled(state, n_open)
            for i in range(n):
                if not is_taken[i] and since[i] >= r:
                    if left == 0:
                        is_taken[i] = True
                        parts[r, k] = cards[i]
                        break
                    left -= 1
    k = 0
    for i in range(n):
        if not is_taken[i]:
            parts[first, k] = cards[i]
            k += 1
    return state, True


class Told(NamedTuple):
    """What a seat saw of a game, as compiled code takes it.

    Parameters
    ----------
    base : recarray of GAME_DTYPE, shape (1,)
        The table before the first of `steps`; `table.starter` puts up the next card.
    data : int
        Address of the policies (`modernart.strategies.search.policies`).
    known : ndarray of int64, shape (MAX_SEATS, MAX_ROUNDS, MAX_HAND)
        Cards of the seats whose hand is known, by the round they were dealt in; -1 for a hidden hand.
    sizes : ndarray of int64, shape (MAX_SEATS,)
        Cards in each hand before the first step.
    new : ndarray of int64, shape (MAX_ROUNDS,)
        Cards dealt to each seat by round.
    last : int
        The last round that was dealt.
    played : ndarray of int64, shape (n, 3)
        The cards that seats of hidden hands put up, columns CARD, WHO, WHEN.
    n_pool, n_hidden : int
        Cards that the seat cannot place, and how many of them lie in hidden hands.
    steps : ndarray of int64, shape (n, N_COLUMNS)
        What was done.
    phase, seat : int
        The decision that follows. A secret auction is left at its first answer.
    hidden : ndarray of bool, shape (MAX_SEATS,)
        Seats whose hands are not known: their answers tell something.
    """

    base: np.ndarray
    data: int
    known: np.ndarray
    sizes: np.ndarray
    new: np.ndarray
    last: int
    played: np.ndarray
    n_pool: int
    n_hidden: int
    steps: np.ndarray
    phase: int
    seat: int
    hidden: np.ndarray


@kernel
def n_dealt_in(rules, new, round_index):
    """Return how many cards are dealt in a round, the shill's included."""
    return new[round_index] * (rules.n_seats + (rules.shill != NO_SHILL))


@kernel
def first_position(told):
    """Return where in the deck the cards of the rounds after the last one dealt begin."""
    table = told.base[0].table
    position = 0
    for r in range(table.round_index + 1, told.last + 1):
        position += n_dealt_in(table.rules, told.new, r)
    return position


@kernel
def deal_hidden(told, seat, first, pool, n_used, parts, state):
    """Give a hidden hand the next cards of the pool beside those it put up, parted into deals.

    Returns
    -------
    n_used : int
        Cards of the pool that are taken now; -1 if the hand cannot be.
    state : uint64
    """
    cards = np.zeros(MAX_CARDS, np.int64)
    since = np.zeros(MAX_CARDS, np.int64)
    n = 0
    n_all = told.sizes[seat]
    for r in range(first + 1, told.last + 1):
        n_all += told.new[r]
    for i in range(told.played.shape[0]):
        if told.played[i, WHO] == seat:
            cards[n] = told.played[i, CARD]
            since[n] = told.played[i, WHEN]
            n += 1
    while n < n_all:
        if n_used >= told.n_pool:
            return -1, state
        cards[n] = pool[n_used]
        since[n] = _HELD
        n += 1
        n_used += 1
    state, is_possible = part_deals(cards, since, n, told.new, first, told.last, parts, state)
    return (n_used if is_possible else -1), state


@kernel
def lay_out(game, told, pool, key):
    """Deal a scene as it stood before the first step; the cards of later deals lie in the deck.

    Parameters
    ----------
    game : record of GAME_DTYPE
        Written.
    told : Told
    pool : ndarray of int16, shape (MAX_CARDS,)
        Cards that the seat cannot place: those in hidden hands seat by seat, then the others.
    key : uint64
        Of this scene's streams.

    Returns
    -------
    int
        How many cards of the pool lie in hidden hands; -1 if the scene cannot be.
    """
    copy_game(game, told.base[0])
    table = game.table
    first = table.round_index
    state = stream_start(key, 0, 0, PLACES)
    parts = np.zeros((MAX_ROUNDS, MAX_HAND), np.int64)
    n_used = 0
    total = 0
    for seat in range(table.rules.n_seats):
        if told.hidden[seat]:
            n_used, state = deal_hidden(told, seat, first, pool, n_used, parts, state)
            if n_used < 0:
                return -1
        else:
            parts[:] = told.known[seat]
        take_hand(game, seat, parts[first], told.sizes[seat])
        total += told.sizes[seat]
        position = 0
        for r in range(first + 1, told.last + 1):
            for k in range(told.new[r]):
                game.deck[position + seat * told.new[r] + k] = parts[r, k]
            position += n_dealt_in(table.rules, told.new, r)
        hand = game.hands[seat]
        hand.seat = seat
        hand.home = seat
        hand.rng = stream_start(key, first, seat, DECISIONS)
    position = first_position(told)
    for k in range(n_used, min(told.n_pool, n_used + MAX_CARDS - position)):
        game.deck[position + k - n_used] = pool[k]
    game.key = key
    game.deck_position = 0
    table.cards_in_hands = total
    begin_turn(table, table.starter)
    return n_used


@kernel
def slot_of(hand, card):
    """Return the slot of a card in a hand; -1 if it is not there."""
    for slot in range(hand.n_cards):
        if hand.cards[slot] == card:
            return slot
    return -1


@kernel
def log_chance(table, hand, answer, action, low, high):
    """Return the logarithm of the chance of a recorded action, given what the policy would have answered."""
    phase = table.phase
    if phase == Phase.CARD or phase == Phase.PAIR or phase == Phase.JOIN:
        n = max(hand.n_cards, 1)
        same = answer == action
        if answer >= 0 and action >= 0 and answer < hand.n_cards:
            same = hand.cards[answer] == hand.cards[action]
        return math.log(_STRAY / n + (1.0 - _STRAY) * same)
    if phase == Phase.ACCEPT or phase == Phase.RAISE:
        # A raise tells that the limit is not reached yet, but not how far it lies.
        return math.log(0.5 * _STRAY + (1.0 - _STRAY) * ((answer > 0) == (action > 0)))
    if high < low:
        return 0.0
    return math.log(likelihood(low, high, float(answer)))


@kernel
def relive(game, told):
    """Play what was done on a scene until the decision is asked; returns the logarithm of the scene's weight."""
    steps = told.steps
    table = game.table
    weight = 0.0
    i = 0
    n = steps.shape[0]
    while table.phase != Phase.OVER:
        asked = table.seat
        is_here = table.phase == told.phase and (asked == told.seat or is_secret(told.phase))
        if i == n and is_here:
            return weight
        is_addition = table.phase == Phase.PAIR or table.phase == Phase.JOIN
        if i == n and not is_addition:
            return IMPOSSIBLE
        hand = game.hands[asked]
        low, high = np.int64(0), np.int64(-1)
        if is_addition and (i == n or steps[i, KIND] != ADD or steps[i, SEAT] != asked):
            action = np.int64(DECLINE)
        else:
            if steps[i, SEAT] != asked:
                return IMPOSSIBLE
            kind = steps[i, KIND]
            action = steps[i, VALUE]
            if kind == PUT or kind == ADD:
                action = np.int64(slot_of(hand, action))
                if action < 0:
                    return IMPOSSIBLE
            elif kind == TURN and action > 0:
                game.pile[table.pile_size - 1] = action
                action = np.int64(1)
            low, high = steps[i, LOW], steps[i, HIGH]
            i += 1
        # Asked even where the answer tells nothing: a policy keeps notes of what it sees.
        answer = consult(game.acts[asked], table, hand)
        if told.hidden[asked]:
            weight += log_chance(table, hand, answer, action, low, high)
        if not apply(game, action):
            return IMPOSSIBLE
    return IMPOSSIBLE


@kernel
def make_scene(game, told, pool, policies, key, repeat):
    """Make a scene; returns the logarithm of its weight.

    Parameters
    ----------
    game : record of GAME_DTYPE
        Written.
    told : Told
    pool : ndarray of int16, shape (MAX_CARDS,)
        See `lay_out`; left as it is.
    policies : ndarray of int64, shape (MAX_SEATS,)
        Which policy plays each seat.
    key : uint64
        Of the deals and the players' random streams.
    repeat : int
        With another number the cards and draws to come are others; 0 leaves them in the order of the pool.
    """
    n_used = lay_out(game, told, pool, key)
    if n_used < 0:
        return IMPOSSIBLE
    table = game.table
    for seat in range(table.rules.n_seats):
        seat_policy(game, seat, told.data, policies[seat])
    weight = relive(game, told)
    # Rounds that were dealt meanwhile took their cards from the pool.
    n_used += max(game.deck_position - first_position(told), 0)
    rest = pool[min(n_used, told.n_pool) : told.n_pool].copy()
    if repeat > 0:
        rekey(game, repeat)
        shuffle(rest, len(rest), len(rest), stream_start(game.key, 0, 2, PLACES))
    for k in range(min(table.pile_size, len(rest))):
        game.pile[k] = rest[k]
    for k in range(table.pile_size, min(len(rest), MAX_CARDS - game.deck_position)):
        game.deck[game.deck_position + k - table.pile_size] = rest[k]
    return weight


@kernel
def draw_policy(shares, state):
    """Draw a policy by its chance."""
    draw = scaled(state, 1_000_000) * 1e-6
    for policy in range(shares.shape[0] - 1):
        draw -= shares[policy]
        if draw < 0.0:
            return policy
    return shares.shape[0] - 1


@kernel
def draw_anew(told, shares, pool, policies, state):
    """Put the pool in random order and draw the policies of the hidden hands; returns the stream's state."""
    state = shuffle(pool, told.n_pool, told.n_pool, state)
    for seat in range(told.base[0].table.rules.n_seats):
        state = step(state)
        policies[seat] = draw_policy(shares, state) if told.hidden[seat] else 0
    return state


@kernel
def change_a_little(told, shares, pool, policies, state):
    """Exchange a hidden card or two, or draw a policy anew; returns the stream's state.

    An exchange within one hand only deals its cards to other rounds.
    """
    state = step(state)
    if scaled(state, 6) == 0:
        state = step(state)
        seat = scaled(state, told.base[0].table.rules.n_seats)
        state = step(state)
        policies[seat] = draw_policy(shares, state) if told.hidden[seat] else 0
        return state
    state = step(state)
    for _ in range(1 + scaled(state, 2)):
        state = step(state)
        a = scaled(state, max(told.n_hidden, 1))
        state = step(state)
        b = scaled(state, max(told.n_pool, 1))
        pool[a], pool[b] = pool[b], pool[a]
    return state


@kernel
def walk(work, told, cards, shares, power, n_first, every, key, pools, policies, keys, weights):
    """Walk over scenes, and keep one every so many steps.

    Parameters
    ----------
    work : recarray of GAME_DTYPE, shape (1,)
        Work space.
    told : Told
    cards : ndarray of int16, shape (MAX_CARDS,)
        The cards that the seat cannot place.
    shares : ndarray of float64, shape (n_policies,)
        Chance of each policy at a rival's seat before anything is seen.
    power : float
        Power of the weights: 1 believes the policies, 0 makes every deal as likely as any other.
    n_first, every : int
        Steps before the first scene is kept, and from one kept to the next; 0 and 0 keep scenes dealt at random.
    key : uint64
        Of this walk's random stream.
    pools : ndarray of int16, shape (n, MAX_CARDS)
    policies : ndarray of int64, shape (n, MAX_SEATS)
    keys : ndarray of uint64, shape (n,)
    weights : ndarray of float64, shape (n,)
        Written: the scenes kept, as `make_scene` takes them, and the logarithms of their weights.
    """
    state = stream_start(key, 0, 3, PLACES)
    pool, tried = cards.copy(), cards.copy()
    who, tried_who = np.zeros(MAX_SEATS, np.int64), np.zeros(MAX_SEATS, np.int64)
    now, now_key = IMPOSSIBLE, key
    for kept in range(pools.shape[0]):
        for _ in range(1 if every == 0 else (n_first if kept == 0 else every)):
            tried[:] = pool
            tried_who[:] = who
            if now <= IMPOSSIBLE or every == 0:
                state = draw_anew(told, shares, tried, tried_who, state)
            else:
                state = change_a_little(told, shares, tried, tried_who, state)
            state = step(state)
            tried_key = mix(state)
            weight = make_scene(work[0], told, tried, tried_who, tried_key, 0)
            state = step(state)
            if every == 0 or math.log(scaled(state, 1_000_000) * 1e-6 + 1e-9) < power * (weight - now):
                now, now_key = weight, tried_key
                pool[:] = tried
                who[:] = tried_who
        pools[kept] = pool
        policies[kept] = who
        keys[kept] = now_key
        weights[kept] = now


@kernel
def make_scenes(games, told, pools, policies, keys, which, repeats):
    """Make some of the scenes that a walk kept, by their places `which`; repeats of one differ in what is to come."""
    for k in range(which.shape[0]):
        one = which[k]
        make_scene(games[k], told, pools[one], policies[one], keys[one], repeats[k])
