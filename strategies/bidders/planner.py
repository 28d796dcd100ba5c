"""A bidder that tries its answers out: deals the hidden cards at random and plays on, again and again."""

import math

import numpy as np

from modernart.simulator.copying import copy_table, scratch_games
from modernart.simulator.decisions import DECLINE, STAY_OUT, Phase, budget, fits
from modernart.simulator.jit import kernel
from modernart.simulator.options import LIMIT_STYLE
from modernart.simulator.state import DATA, MAX_SEATS
from modernart.strategies.base import Param
from modernart.strategies.search.policies import BASE, BASE_NOTES, MAX_POLICIES, Searcher, base_answer, n_policies
from modernart.strategies.search.reading import LIMITS, OUTCRY, SEALED, predict_bids, read_chances, read_last_lot
from modernart.strategies.search.weighing import MAX_TRIED, weigh

#: By which rivals may play, beside the base: unlike each other, and between them like most.
MODELS = ("predictive", "fair_share", "half_value", "full_value", "standard", "heuristic", "tight", "aggressive")

ROLLOUTS, SPREAD, WIN, CAUTION, READ = range(5)

#: Amounts tried, as shares of what the base would answer or of the standing bid, whichever is more.
_SHARES = (0.0, 0.5, 0.65, 0.75, 0.82, 0.88, 0.94, 1.06, 1.12, 1.2, 1.3, 1.45)

# Notes behind those of the base: the lot that a limit was set for in an outcry (counted from 1), and the limit.
LIMIT_LOT, LIMIT = BASE_NOTES, BASE_NOTES + 1


@kernel
def add_answer(answers, n, answer):
    """Append an answer that is not among the first `n` yet; returns how many there are then."""
    for i in range(n):
        if answers[i] == answer:
            return n
    if n < MAX_TRIED:
        answers[n] = answer
        return n + 1
    return n


@kernel
def candidate_cards(hand, base, answers):
    """Fill in one slot for each different card of the hand, `base` first, and return how many."""
    answers[0] = base
    n = 1
    for slot in range(hand.n_cards):
        is_new = True
        for earlier in range(slot):
            is_new = is_new and hand.cards[earlier] != hand.cards[slot]
        if is_new and hand.cards[slot] != hand.cards[base]:
            n = add_answer(answers, n, slot)
    return n


@kernel
def candidate_amounts(table, hand, base, answers):
    """Fill in the amounts to be tried, `base` first, and return how many."""
    phase = table.phase
    answers[0] = base
    n = 1
    most = budget(table, hand.seat)
    around = max(base, table.high_bid)
    is_bid = phase == Phase.BID
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
def candidate_answers(table, hand, base, answers):
    """Fill in the answers to be tried, `base` first, and return how many."""
    phase = table.phase
    if phase == Phase.CARD:
        return candidate_cards(hand, base, answers)
    answers[0] = base
    n = 1
    if phase == Phase.PAIR or phase == Phase.JOIN:
        n = add_answer(answers, n, DECLINE)
        for slot in range(hand.n_cards):
            if fits(table, hand, slot):
                n = add_answer(answers, n, slot)
        return n
    if phase == Phase.ACCEPT or phase == Phase.FLIP:
        return add_answer(answers, n, 1 - base)
    if phase == Phase.TENDER and hand.seat == table.auctioneer:
        return add_answer(answers, n, STAY_OUT)
    return candidate_amounts(table, hand, base, answers)


@kernel
def searched_answer(table, hand, is_outcry):
    """Return the best of the candidate answers; that of the base unless another leads by enough.

    For an outcry a limit is searched, as if limits were asked for.
    """
    params = hand.params
    data = params[DATA]
    reads = params[READ] > 0.5
    if reads and table.phase == Phase.LIMIT:
        predict_bids(table, hand, data, OUTCRY if is_outcry else LIMITS)
    elif reads and table.phase == Phase.SEALED:
        predict_bids(table, hand, data, SEALED)
    base = base_answer(table, hand, data)
    answers = np.zeros(MAX_TRIED, np.int64)
    n_answers = candidate_answers(table, hand, base, answers)
    if n_answers == 1:
        return base
    chances = np.zeros((MAX_SEATS, MAX_POLICIES))
    if reads:
        read_chances(table, hand, data, chances)
    else:
        chances[:, BASE] = 1.0
    return weigh(
        table,
        hand,
        data,
        n_policies(data),
        chances,
        answers,
        n_answers,
        int(params[ROLLOUTS]),
        params[SPREAD],
        params[WIN],
        params[CAUTION],
    )


@kernel
def raise_to_limit(table, hand):
    """Answer RAISE: one more than the standing bid, up to a limit that is searched once for the lot and then kept."""
    notes = hand.notes
    if notes[LIMIT_LOT] != table.n_sold + 1:
        games = scratch_games(1)
        asked = games[0].table
        copy_table(asked, table)
        asked.rules.open_style = LIMIT_STYLE
        asked.phase = Phase.LIMIT
        asked.high_bid = 0
        asked.high_bidder = -1
        notes[LIMIT] = searched_answer(asked, hand, True)
        notes[LIMIT_LOT] = table.n_sold + 1
        # A record does not keep its array alive: without a use here numba would free it before the search.
        games[0].n_sales = 0
    return table.high_bid + 1 if notes[LIMIT] > table.high_bid else 0


def planner_act(table, hand):
    """Tries its answers out: deals the hidden cards at random, plays the round on, and takes the best.

    For each decision it plays the same deals, as the cards seen and the hand sizes allow, with every answer worth
    trying, and compares its money, and what its hand should still bring, with the rivals' mean. Rivals play by a mix
    of strategies, weighed by how well each explains what they were heard to bid.
    """
    read_last_lot(table, hand, hand.params[DATA])
    if table.phase == Phase.RAISE:
        return raise_to_limit(table, hand)
    return searched_answer(table, hand, False)


planner = Searcher(
    "planner",
    planner_act,
    {
        "rollouts": Param(16.0, 1.0, 4096.0, "rounds played on for each answer to a decision"),
        "spread": Param(0.1, 0.0, 0.5, "how far a rival's bids may lie from what its model bids"),
        "win": Param(60.0, 0.0, 1000.0, "money that a win is worth where a tried game comes to its end"),
        "caution": Param(1.0, 0.0, 5.0, "standard errors by which an answer must beat the base's"),
        "read": Param(
            1.0, 0.0, 1.0, "1: rivals play by the models that explain them best; 0: all play as the base does"
        ),
    },
    ("original; determinised look-ahead as in perfect-information Monte Carlo search (Ginsberg 2001)",),
    base="learned",
    fallback="predictive",
    models=MODELS,
)
