"""A bidder that tries its answers out: deals the hidden cards at random and plays on, again and again."""

import math

import numpy as np

from modernart.simulator.decisions import DECLINE, STAY_OUT, Phase, budget, fits_double
from modernart.simulator.game import apply
from modernart.simulator.jit import kernel
from modernart.simulator.state import MAX_CARDS, MAX_NOTES, MAX_PARAMS
from modernart.simulator.streams import LOOKAHEAD, scaled, step, stream_start
from modernart.strategies.base import Param, strategy
from modernart.strategies.bidders.predictive import (
    ACCEPT,
    FIXED_PRICES,
    IF_IT_GAINS,
    KNOWS,
    ONCE,
    OPEN,
    OPEN_PRICES,
    PARAMS,
    SEALED,
    SEALED_PRICES,
    play_predictive,
)
from modernart.strategies.scratch import copy_game, copy_hand, copy_table, deal_unseen, scratch_games, unseen_cards

#: How the players of a tried game play: `predictive`, with its defaults.
FAST = tuple(param.default for param in PARAMS.values())
N_FAST = len(FAST)

ROLLOUTS, SPREAD, HORIZON, WIN = range(4)

#: Most answers tried for one decision.
_MAX_TRIED = 16
#: Amounts tried, as shares of what `predictive` would answer.
_SHARES = (0.0, 0.7, 0.85, 0.93, 1.07, 1.15, 1.3)


@kernel
def add_answer(answers, n, answer):
    """Append an answer that is not among the first `n` yet; returns how many there are then."""
    for i in range(n):
        if answers[i] == answer:
            return n
    if n < _MAX_TRIED:
        answers[n] = answer
        return n + 1
    return n


@kernel
def candidate_answers(table, hand, base, answers):
    """Fill in the answers to be tried, `base` first, and return how many."""
    phase = table.phase
    answers[0] = base
    n = 1
    if phase == Phase.CARD:
        for slot in range(hand.n_cards):
            is_new = True
            for earlier in range(slot):
                is_new = is_new and hand.cards[earlier] != hand.cards[slot]
            if is_new and hand.cards[slot] != hand.cards[base]:
                n = add_answer(answers, n, slot)
    elif phase == Phase.PAIR or phase == Phase.JOIN:
        n = add_answer(answers, n, DECLINE)
        for slot in range(hand.n_cards):
            if fits_double(hand, slot, table.artist):
                n = add_answer(answers, n, slot)
    elif phase == Phase.ACCEPT or phase == Phase.FLIP:
        n = add_answer(answers, n, 1 - base)
    else:
        if phase == Phase.TENDER and hand.seat == table.auctioneer:
            return add_answer(answers, n, STAY_OUT)
        most = budget(table, hand.seat)
        around = max(base, table.high_bid)
        is_bid = phase == Phase.BID or phase == Phase.RAISE
        if is_bid and table.high_bid < most:
            n = add_answer(answers, n, table.high_bid + 1)
        for share in _SHARES:
            amount = min(math.floor(around * share + 0.5), most)
            if not is_bid or amount == 0 or amount > table.high_bid:
                n = add_answer(answers, n, amount)
        if phase == Phase.TENDER:
            n = add_answer(answers, n, min(1, most))
    return n


@kernel
def is_secret(phase):
    """Tell whether a decision is one of those taken by all at once, in secret."""
    return phase == Phase.LIMIT or phase == Phase.SEALED or phase == Phase.TENDER


@kernel
def set_scene(game, table, hand):
    """Copy what the seat knows into a scratch game; the others play as `predictive` does, with the own price levels.

    A secret auction starts anew, as the others' amounts are not known.
    """
    copy_table(game.table, table)
    game.n_sales = 0
    for seat in range(table.rules.n_seats):
        other = game.hands[seat]
        if seat == hand.seat:
            copy_hand(other, hand)
        other.seat = seat
        for k in range(MAX_PARAMS):
            other.params[k] = FAST[k] if k < N_FAST else 0.0
        for k in range(MAX_NOTES):
            other.notes[k] = 0.0
        other.notes[KNOWS] = 1.0
        other.notes[OPEN_PRICES] = hand.notes[OPEN_PRICES]
        other.notes[SEALED_PRICES] = hand.notes[SEALED_PRICES]
        other.notes[FIXED_PRICES] = hand.notes[FIXED_PRICES]
    if is_secret(table.phase):
        first = table.auctioneer + 1
        game.table.seat = 0 if first == table.rules.n_seats else first
        game.top_bid = 0
        game.top_bidder = -1
        game.second_bid = 0


@kernel
def vary_rivals(game, own_seat, spread, state):
    """Let each rival pay more or less than `predictive`, by up to `spread`; returns the stream's state."""
    for seat in range(game.table.rules.n_seats):
        state = step(state)
        if seat == own_seat:
            continue
        factor = 1.0 + spread * (scaled(state, 2001) - 1000) / 1000.0
        params = game.hands[seat].params
        n = game.table.rules.n_seats
        params[OPEN] = FAST[OPEN] * factor
        params[ONCE] = FAST[ONCE] * factor
        params[ACCEPT] = FAST[ACCEPT] * factor
        params[SEALED] = n * (1.0 - (1.0 - FAST[SEALED] / n) * factor)
    return state


@kernel
def play_on(game, own_seat, answer, last_round):
    """Play a scratch game on: the own seat first gives `answer`, then all play as `predictive`, to the end of a round.

    Returns
    -------
    bool
        False if an answer was illegal, which a scratch game of an impossible table may bring.
    """
    table = game.table
    is_given = False
    while table.phase != Phase.OVER and table.round_index <= last_round:
        seat = table.seat
        if seat == own_seat and not is_given:
            action = np.int64(answer)
            is_given = True
        else:
            action = np.int64(play_predictive(table, game.hands[seat], IF_IT_GAINS, True))
        if not apply(game, action):
            return False
    return True


@kernel
def outcome(table, own_seat, win_weight):
    """Return the own money less the rivals' mean, and when the game is over `win_weight` for the (shared) win."""
    n_seats = table.rules.n_seats
    own = table.money[own_seat]
    total = 0
    best = own
    for seat in range(n_seats):
        total += table.money[seat]
        best = max(best, table.money[seat])
    value = own - (total - own) / (n_seats - 1.0)
    if table.phase == Phase.OVER and own == best:
        n_winners = 0
        for seat in range(n_seats):
            n_winners += table.money[seat] == best
        value += win_weight / n_winners
    return value


@kernel
def best_answer(table, hand, answers, n_answers):
    """Return the answer with the best mean outcome over the tried games; all answers meet the same deals and rivals."""
    params = hand.params
    games = scratch_games(2)
    cards = np.zeros(MAX_CARDS, np.int16)
    n_unseen = unseen_cards(table, hand, cards)
    sums = np.zeros(_MAX_TRIED)
    last_round = table.round_index + int(params[HORIZON])
    hand.rng = step(hand.rng)
    state = stream_start(hand.rng, table.round_index, hand.home, LOOKAHEAD)
    for _ in range(int(params[ROLLOUTS])):
        # Taken from the array anew each time: numba frees an array after its last use; a record of it does not count.
        scene = games[0]
        trial = games[1]
        set_scene(scene, table, hand)
        state = deal_unseen(scene, hand.seat, cards, n_unseen, state)
        state = vary_rivals(scene, hand.seat, params[SPREAD], state)
        for k in range(n_answers):
            copy_game(trial, scene)
            if play_on(trial, hand.seat, answers[k], last_round):
                sums[k] += outcome(trial.table, hand.seat, params[WIN])
            else:
                sums[k] -= 1e6
    best = 0
    for k in range(1, n_answers):
        # The first is what `predictive` would do: it stands unless another is better.
        if sums[k] > sums[best]:
            best = k
    return answers[best]


@kernel
def fast_answer(table, hand):
    """Answer as `predictive` with its defaults would; the own parameters are put back."""
    kept = hand.params.copy()
    for k in range(N_FAST):
        hand.params[k] = FAST[k]
    answer = np.int64(play_predictive(table, hand, IF_IT_GAINS, True))
    for k in range(N_FAST):
        hand.params[k] = kept[k]
    return answer


@strategy(
    params={
        "rollouts": Param(16.0, 1.0, 4096.0, "games tried for each answer to a decision"),
        "spread": Param(0.1, 0.0, 0.5, "how far what rivals pay may lie from what `predictive` pays"),
        "horizon": Param(0.0, 0.0, 8.0, "rounds played on after this one"),
        "win": Param(60.0, 0.0, 1000.0, "money that a win is worth where a tried game comes to its end"),
    },
    sources=["original; determinised look-ahead as in perfect-information Monte Carlo search (Ginsberg 2001)"],
)
def planner(table, hand):
    """Tries its answers out: deals the hidden cards at random, plays on with `predictive` bidders, and takes the best.

    For each decision it plays the same `rollouts` deals, as the cards seen and the hand sizes allow, with every answer
    worth trying, to the end of the round, and compares its money with the rivals' mean, near the end also its wins.
    """
    base = fast_answer(table, hand)
    answers = np.zeros(_MAX_TRIED, np.int64)
    n_answers = candidate_answers(table, hand, base, answers)
    if n_answers == 1:
        return base
    return best_answer(table, hand, answers, n_answers)
