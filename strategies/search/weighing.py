"""Weighing answers: how many scenes each is tried in, and which is taken."""

import math

import numpy as np

from modernart.simulator.copying import scratch_games
from modernart.simulator.jit import kernel
from modernart.simulator.state import MAX_CARDS, MAX_SEATS
from modernart.simulator.streams import LOOKAHEAD, scaled, step, stream_start
from modernart.strategies.scratch import deal_unseen, unseen_cards
from modernart.strategies.search.playouts import (
    IMPOSSIBLE,
    draw_factors,
    is_about_a_lot,
    seat_rival,
    set_scene,
    try_answer,
    try_bids,
)

#: Most answers tried for one decision.
MAX_TRIED = 24


@kernel
def draw_policy(chances, seat, n_policies, state):
    """Draw a policy by its chances, row `seat`."""
    draw = scaled(state, 1_000_000) * 1e-6
    for policy in range(n_policies - 1):
        draw -= chances[seat, policy]
        if draw < 0.0:
            return policy
    return n_policies - 1


@kernel
def new_scene(scene, table, hand, data, n_policies, chances, cards, n_unseen, spread, factors, state):
    """Deal a scene: hidden cards and each rival's policy at random; returns the stream's state."""
    set_scene(scene, table, hand, data)
    state = deal_unseen(scene, hand.seat, cards, n_unseen, state)
    for seat in range(table.rules.n_seats):
        if seat != hand.seat:
            state = step(state)
            seat_rival(scene, seat, hand, data, draw_policy(chances, seat, n_policies, state), state)
    return draw_factors(factors, table.rules.n_seats, hand.seat, spread, state)


@kernel
def lead_of(sums, squares, n, k):
    """Return the mean lead of an answer over the base's, and its standard error."""
    n = max(n, 1)
    mean = sums[k] / n
    variance = max(squares[k] / n - mean * mean, 0.0)
    return mean, math.sqrt(variance / max(n - 1, 1))


@kernel
def best_lead(sums, squares, n, is_tried, n_answers, caution):
    """Return the tried answer that leads the base's most, if by more than `caution` standard errors; or 0."""
    best = 0
    most = 0.0
    for k in range(1, n_answers):
        if is_tried[k]:
            mean, error = lead_of(sums, squares, n, k)
            if mean > most and mean > caution * error:
                most = mean
                best = k
    return best


@kernel
def drop_weaker(sums, is_tried, n_answers):
    """Drop the weaker half of the answers still tried; the base's, number 0, stays. Returns how many are left."""
    n_left = 0
    for k in range(n_answers):
        n_left += is_tried[k]
    for _ in range(n_left // 2):
        worst = -1
        for k in range(1, n_answers):
            if is_tried[k] and (worst < 0 or sums[k] < sums[worst]):
                worst = k
        if worst >= 0:
            is_tried[worst] = False
            n_left -= 1
    return n_left


@kernel
def weigh(table, hand, data, n_policies, chances, answers, n_answers, rollouts, spread, win_weight, caution):
    """Return the answer that is best over scenes, all answers meeting the same ones; the first is the base's.

    Answers about a lot share playouts (`try_bids`), so all are tried in every scene. Of others the weaker half is
    dropped again and again (sequential halving: Karnin, Koren, Somekh 2013). `rollouts` playouts are spent for each
    answer.
    """
    games = scratch_games(2)
    cards = np.zeros(MAX_CARDS, np.int16)
    n_unseen = unseen_cards(table, hand, cards)
    factors = np.ones(MAX_SEATS)
    kept = np.zeros((3, MAX_SEATS, MAX_SEATS))
    values = np.zeros(MAX_TRIED)
    sums = np.zeros(MAX_TRIED)
    squares = np.zeros(MAX_TRIED)
    is_tried = np.ones(MAX_TRIED, np.bool_)
    hand.rng = step(hand.rng)
    state = stream_start(hand.rng, table.round_index, hand.home, LOOKAHEAD)
    is_lot = is_about_a_lot(table.phase)
    n_stages = max(math.ceil(math.log2(n_answers)), 1.0)
    left = rollouts * n_answers
    n_left = n_answers
    n = 0
    stage_end = rollouts if is_lot else max(math.floor(rollouts / n_stages), 1.0)
    while left > 0:
        # Taken from the array anew each time: a record does not keep its array alive, and numba would free it.
        scene = games[0]
        trial = games[1]
        state = new_scene(scene, table, hand, data, n_policies, chances, cards, n_unseen, spread, factors, state)
        if is_lot:
            # To try all amounts up to the sale takes about as long as one more playout.
            left -= 1 + try_bids(trial, scene, hand.seat, answers, n_answers, factors, win_weight, kept, values)
        else:
            for k in range(n_answers):
                if is_tried[k]:
                    values[k] = try_answer(
                        trial, scene, hand.seat, answers[k], factors, win_weight, kept[0, 0], kept[1, 0]
                    )
            left -= n_left
        if values[0] < IMPOSSIBLE / 2:
            continue
        n += 1
        for k in range(1, n_answers):
            lead = values[k] - values[0]
            sums[k] += lead
            squares[k] += lead * lead
        if not is_lot and n >= stage_end and n_left > 2:
            n_left = drop_weaker(sums, is_tried, n_answers)
            stage_end = n + math.floor(rollouts * n_answers / n_stages / n_left)
    return answers[best_lead(sums, squares, n, is_tried, n_answers, caution)]
