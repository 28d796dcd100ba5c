"""The search: playouts shared by amounts, answers dropped, rivals read, money to come, `planner`."""

import math
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from positions import answer_of, position

from modernart.simulator.decisions import Phase
from modernart.simulator.errors import UsageError
from modernart.simulator.game import apply, new_deal, new_game
from modernart.simulator.interpreter import ask
from modernart.simulator.players import acts_of, params_of
from modernart.simulator.rules import load_edition
from modernart.simulator.setup import games_of
from modernart.simulator.simulate import score
from modernart.simulator.state import DATA, MAX_CARDS, MAX_SEATS, new_games
from modernart.strategies.scratch import unseen_cards
from modernart.strategies.search import policies, reading
from modernart.strategies.search.leaf import N_FEATURES, WEIGHTS, leaf_features, money_to_come
from modernart.strategies.search.playouts import IMPOSSIBLE, try_answer, try_bids
from modernart.strategies.search.policies import MAX_POLICIES, n_policies
from modernart.strategies.search.weighing import best_lead, drop_weaker, new_scene
from modernart.strategies.specs import load_players, load_strategy

CLASSIC = load_edition("classic").rules(4)


def address_of_policies(spec: str) -> float:
    """Where the policies of a planner are."""
    return params_of([load_strategy(spec).player()], CLASSIC)[0][DATA]


def scene_of(game, spec: str, state: int):
    """A dealt-out scene of the position, and the factors of the rivals' bids."""
    data = address_of_policies(spec)
    chances = np.zeros((MAX_SEATS, MAX_POLICIES))
    chances[:, 0] = 1.0
    scene, factors, cards = new_games(1)[0], np.ones(MAX_SEATS), np.zeros(MAX_CARDS, np.int16)
    hand = game.hands[game.table.seat]
    n_unseen = unseen_cards(game.table, hand, cards)
    new_scene(scene, game.table, hand, data, n_policies(data), chances, cards, n_unseen, 0.1, factors, np.uint64(state))
    return scene, factors


@pytest.mark.parametrize(
    ("phase", "lot", "high", "answers"),
    [
        ("LIMIT", "YO-O", 0, range(0, 30, 3)),
        ("SEALED", "YO-S", 0, range(0, 30, 3)),
        ("BID", "YO-R", 4, [0, *range(5, 30, 3)]),
        ("ACCEPT", "YO-F", 12, [0, 1]),
    ],
)
def test_playouts_shared_by_amounts_come_to_what_each_amount_comes_to_alone(phase, lot, high, answers):
    """`half_value` looks at no money and no price, so sharing must be exact: the slow way plays every amount on."""
    answers = np.array(list(answers))
    n_played = []
    for state in range(12):
        game = position(phase, lot=lot, high=high, high_bidder=3 if phase == "BID" else -1, hand="CP-O KR-S YO-R")
        scene, factors = scene_of(game, "planner@half_value", state)
        values, kept, trial = np.zeros(len(answers)), np.zeros((3, MAX_SEATS, MAX_SEATS)), new_games(1)[0]
        n_played.append(try_bids(trial, scene, 1, answers, len(answers), factors, 60.0, kept, values))
        alone = [
            try_answer(trial, scene, 1, a, factors, 60.0, np.zeros(MAX_SEATS), np.zeros(MAX_SEATS)) for a in answers
        ]
        assert min(alone) > IMPOSSIBLE
        assert values == pytest.approx(alone)
        assert len(set(values)) > 1
    # Whoever buys, and no more: the own seat, and at times several rivals.
    assert max(n_played) <= 4
    assert phase == "ACCEPT" or sum(n_played) < 12 * len(answers) / 2


def test_the_weaker_half_is_dropped_and_the_base_stays():
    sums = np.array([0.0, 5.0, -3.0, 2.0, 9.0, 1.0])
    is_tried = np.ones(6, np.bool_)
    assert drop_weaker(sums, is_tried, 6) == 3
    assert is_tried.tolist() == [True, True, False, False, True, False]
    assert drop_weaker(sums, is_tried, 6) == 2
    assert is_tried.tolist() == [True, False, False, False, True, False]


def test_another_answer_must_lead_by_more_than_its_error():
    # Over four scenes answer 1 leads by 1, 1, 1, 1 and answer 2 by 8, 0, 8, 0: mean 4, standard error 4 / sqrt(3).
    sums, squares = np.array([0.0, 4.0, 16.0]), np.array([0.0, 4.0, 128.0])
    tried = np.ones(3, np.bool_)
    assert best_lead(sums, squares, 4, tried, 3, 1.7) == 2
    assert best_lead(sums, squares, 4, tried, 3, 1.8) == 1
    assert best_lead(-sums, squares, 4, tried, 3, 0.0) == 0


def test_money_to_come_counts_the_hand():
    game = position("CARD", hand="YO-D YO-O CP-S KR-R", board=(10, 20, 30, 0, 40), round_index=1)
    game.table.starter = 1
    found = np.zeros(N_FEATURES)
    leaf_features(game.table, game.hands[1], 4, found)
    # Cards, a tenth of their board values, doubles, those with a partner, once around, sealed, starts, most of one.
    assert found.tolist() == pytest.approx([4, 2 + 2 + 3 + 4, 1, 1, 1, 1, 1, 2])
    by_hand = sum(w * x for w, x in zip(WEIGHTS[1][1], found, strict=True))
    assert money_to_come(game.table, game.hands[1], 4, 2) == pytest.approx(by_hand)
    # Without the last card, of once around, and for the first of the rounds to come.
    leaf_features(game.table, game.hands[1], 3, found)
    assert found.tolist() == pytest.approx([3, 7, 1, 1, 0, 1, 1, 2])


def chance(low, high, middle, scale):
    """Chance of a whole number from low to high about a middle, from the definition."""
    return 1 / (1 + math.exp((middle - high - 0.5) / scale)) - 1 / (1 + math.exp((middle - low + 0.5) / scale))


def test_odds_of_policies_follow_what_was_heard():
    game = position("LIMIT", lot="YO-O")
    table, hand = game.table, game.hands[1]
    data = address_of_policies("planner@half_value")
    n = n_policies(data)

    def read(way, heard, buyer, price):
        hand.notes[:] = 0
        hand.notes[reading.READ_LOT], hand.notes[reading.READ_WAY] = 1, way
        # Policy k is thought to bid 5 (k + 1) at the place of seat 2, the left neighbour.
        hand.notes[reading.PREDICTED : reading.PREDICTED + n] = 5 * np.arange(1, n + 1)
        table.n_sold, table.last_buyer, table.last_price = 1, buyer, price
        table.heard[:4] = [-1, -1, heard, -1]
        reading.read_last_lot(table, hand, data)
        chances = np.zeros((MAX_SEATS, MAX_POLICIES))
        reading.read_chances(table, hand, data, chances)
        return chances[2, :n]

    prior = np.array([0.5] + [0.5 / (n - 1)] * (n - 1))
    for way, low, high, buyer in (
        (reading.LIMITS, 10, 10, 3),  # dropped out at 10
        (reading.LIMITS, 10, 10**5, 2),  # bought for 10, and would have gone further
        (reading.SEALED, 10, 10, 2),  # all amounts are shown, the buyer's too
        (reading.OUTCRY, 10, 17, 3),  # raised to 10, and let another have it at 17
    ):
        likelihood = [
            0.95 * chance(low, high, bid, 0.7 + 0.06 * bid) + 0.05 * chance(low, high, 20, 15)
            for bid in 5.0 * np.arange(1, n + 1)
        ]
        # No policy falls further behind the best than exp(-6).
        likely = np.maximum(np.array(likelihood) / max(likelihood), math.exp(-6))
        expected = prior * likely / (prior * likely).sum()
        assert read(way, 10, buyer, 17 if way == reading.OUTCRY else 10) == pytest.approx(expected, rel=1e-4)
    # Nothing is learned of a seat that was not asked.
    assert read(reading.SEALED, -1, 3, 10) == pytest.approx(prior)


def play(players, rules, seed, members, on_answer):
    game = games_of(rules, 1)[0]
    for seat, member in enumerate(members):
        game.acts[seat] = acts_of(players)[member]
        game.hands[seat].params[:] = params_of(players, rules)[member]
    new_deal(game, np.uint64(seed), 0)
    new_game(game, 0)
    while game.table.phase != Phase.OVER:
        answer = int(ask(game))
        on_answer(game, answer)
        assert apply(game, answer)
    return game


def test_planner_finds_out_that_its_rivals_bid_all_a_lot_would_pay_now():
    players = load_players(["planner@predictive(rollouts=1)", "full_value", "half_value"])
    game = play(players, CLASSIC, 1, [0, 1, 2, 1], lambda game, answer: None)
    data, hand = game.hands[0].params[DATA], game.hands[0]
    chances = np.zeros((MAX_SEATS, MAX_POLICIES))
    reading.read_chances(game.table, hand, data, chances)
    # The base and the first model are both `predictive`, which is kept once; so full_value is 3, half_value 2.
    assert n_policies(data) == 8
    assert chances[[1, 3], 3].min() > 0.9
    assert chances[2, 2] > 0.9


def test_in_an_outcry_planner_raises_by_one_up_to_a_limit_that_it_keeps():
    rules = load_edition("classic", {"open_style": "outcry"}).rules(4)
    passed, n_raises = set(), 0

    def watch(game, answer):
        nonlocal n_raises
        table = game.table
        if table.phase == Phase.RAISE and table.seat == 0:
            assert answer in (0, table.high_bid + 1)
            lot = int(table.n_sold)
            assert lot not in passed or answer == 0
            n_raises += answer > 0
            if answer == 0:
                passed.add(lot)

    for seed in range(3):
        passed.clear()
        play(load_players(["planner@predictive(rollouts=2)", "predictive"]), rules, seed, [0, 1, 1, 1], watch)
    assert n_raises > 50


def test_threads_that_start_at_once_play_by_the_same_policies(monkeypatch):
    monkeypatch.setattr(policies, "_KEPT", {})
    slow = load_strategy

    def load_slowly(spec):
        time.sleep(0.01)
        return slow(spec)

    monkeypatch.setattr("modernart.strategies.specs.load_strategy", load_slowly)
    players = [slow("planner").player()]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: params_of(players, CLASSIC)[0, DATA], range(4)))
    assert len(set(found)) == 1


def test_a_base_is_named_behind_the_at_sign():
    named = load_strategy("planner@half_value(rollouts=4)")
    assert (named.spec, named.base) == ("planner@half_value(rollouts=4)", "half_value")
    assert load_strategy(named.spec).vector == named.vector
    with pytest.raises(UsageError, match="which searches itself; name a fast strategy"):
        load_strategy("planner@planner")
    with pytest.raises(UsageError, match='no strategy "half_valeu"; did you mean half_value'):
        load_strategy("planner@half_valeu")


def test_without_reason_to_differ_planner_answers_as_its_base():
    # Standard errors by which an answer must lead: more than any can.
    for spec, amount in (("half_value", 15), ("full_value", 30)):
        assert answer_of(f"planner@{spec}(caution=5,rollouts=1)", position("LIMIT", lot="YO-O")) == amount


@pytest.mark.parametrize(("spec", "field", "least"), [("planner@predictive(rollouts=4)", "predictive", 0.45)])
def test_planner_beats_three_of_its_base(spec, field, least):
    """Four rollouts win some 60 %, where equals win 25; with 20 blocks the standard error is 5."""
    scores = score(load_players([spec, field]), CLASSIC, [0, 1, 1, 1], 0, 20, seed=3, threads=1)
    assert scores.win_share[:, 0].mean() > least
