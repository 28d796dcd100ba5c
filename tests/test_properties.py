"""What holds in every game, whatever the rules: money, cards, bids, symmetry."""

import copy
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_differential import rule_sets

from modernart.simulator.decisions import Phase
from modernart.simulator.game import apply, new_deal, new_game
from modernart.simulator.interpreter import ask, play_record
from modernart.simulator.players import acts_of
from modernart.simulator.records import replay_record
from modernart.simulator.rules import load_edition
from modernart.simulator.setup import games_of
from modernart.strategies.specs import load_players

SEEDS = st.integers(0, 2**63 - 1)
GAMES = st.integers(0, 10**6)


def recorded(rules, seed, game):
    return play_record(rules, load_players(["random"]), [0] * rules.players, seed, game)


@settings(max_examples=100, deadline=None)
@given(rules=rule_sets(), seed=SEEDS, game=GAMES)
def test_money_moves_only_as_the_events_say(rules, seed, game):
    record = recorded(rules, seed, game)
    money = rules.money_at_start(record["first_seat"])
    for one in record["rounds"]:
        amounts = []
        for event in one["events"]:
            if event["e"] == "sealed":
                amounts = event["amounts"]
            if event["e"] != "sale":
                continue
            before = list(money)
            money = event["money"]
            change = [after - b for after, b in zip(money, before, strict=True)]
            if event["cards"][-1].split("-")[1][0] == "B":
                paid = [0 if a is None or seat == event["buyer"] else -a for seat, a in enumerate(amounts)]
                assert change == paid
                continue
            # The bank only takes; nobody but buyer and sellers is touched; the buyer pays no more than the price.
            assert -event["price"] <= sum(change) <= 0
            assert -event["price"] <= change[event["buyer"]] <= 0
            assert all(c >= 0 for seat, c in enumerate(change) if seat != event["buyer"])
            if event["buyer"] != event["seller"] and rules.double_revenue == "joiner":
                fee = event["price"] * rules.house_fee // 100
                assert change[event["seller"]] == event["price"] - fee
        result = one["result"]
        money = [m + p for m, p in zip(money, result["payout"], strict=True)]
        assert money == result["money"]
    assert money == record["money"]


@settings(max_examples=100, deadline=None)
@given(rules=rule_sets(), seed=SEEDS, game=GAMES)
def test_nobody_bids_more_than_he_holds(rules, seed, game):
    record = recorded(rules, seed, game)
    money = rules.money_at_start(record["first_seat"])
    for one in record["rounds"]:
        for event in one["events"]:
            if "amount" in event:
                assert 0 <= event["amount"] <= max(money[event["seat"]], 0)
            for seat, amount in enumerate(event.get("amounts", [])):
                assert amount is None or 0 <= amount <= max(money[seat], 0)
            if event["e"] == "sale":
                assert event["price"] <= max(money[event["buyer"]], 0)
                money = event["money"]
        money = one["result"]["money"]


@settings(max_examples=60, deadline=None)
@given(rules=rule_sets(), seed=SEEDS)
def test_every_card_is_in_exactly_one_place_after_every_decision(rules, seed):
    players = load_players(["random"])
    game = games_of(rules, 1)[0]
    game.acts[: rules.players] = acts_of(players)[0]
    new_deal(game, np.uint64(seed), 0)
    new_game(game, 0)
    table = game.table
    whole = Counter(rules.card_codes())
    gone, position = Counter(), -1
    while table.phase != Phase.OVER:
        places = Counter(game.deck[game.deck_position : table.rules.n_deck].tolist())
        places.update(game.pile[: table.pile_size].tolist())
        for seat in range(rules.players):
            hand = game.hands[seat]
            cards = hand.cards[: hand.n_cards].tolist()
            assert len(cards) == table.hand_sizes[seat]
            places.update(cards)
        places.update({code: int(n) for code, n in enumerate(table.seen) if n})
        # A hand limit puts cards away, for good, and only when cards are dealt.
        assert not places - whole
        if game.deck_position != position:
            assert not gone - (whole - places)
            gone, position = whole - places, int(game.deck_position)
        assert whole - places == gone
        assert rules.limits_hands or not gone
        assert apply(game, ask(game))


@settings(max_examples=100, deadline=None)
@given(rules=rule_sets(), seed=SEEDS, turn=st.integers(1, 7))
def test_turning_the_table_turns_the_result(rules, seed, turn):
    n = rules.players
    record = recorded(rules, seed, 0)

    def there(seat):
        return (seat + turn) % n

    def turned(by_seat):
        return [by_seat[(seat - turn) % n] for seat in range(n)]

    other = copy.deepcopy(record)
    other["first_seat"] = there(record["first_seat"])
    for one in other["rounds"]:
        one["dealt"] = turned(one["dealt"])
        for event in one["events"]:
            for key in ("seat", "seller", "buyer"):
                if key in event:
                    event[key] = there(event[key])
            for key in ("amounts", "money"):
                if key in event:
                    event[key] = turned(event[key])
        result = one["result"]
        result["payout"], result["money"] = turned(result["payout"]), turned(result["money"])
        if result["ended_by"] is not None:
            result["ended_by"] = there(result["ended_by"])
    other["money"] = turned(record["money"])
    other["winners"] = sorted(map(there, record["winners"]))
    assert replay_record(other).record()["money"] == other["money"]


@settings(max_examples=40, deadline=None)
@given(rules=rule_sets(), seed=SEEDS, answer=st.integers(-3, 10**6))
def test_illegal_answers_change_nothing(rules, seed, answer):
    game = games_of(rules, 1)[0]
    game.acts[: rules.players] = acts_of(load_players(["random"]))[0]
    new_deal(game, np.uint64(seed), 0)
    new_game(game, 0)
    for _ in range(25):
        before = game.tobytes()
        if not apply(game, answer):
            assert game.tobytes() == before
            apply(game, ask(game))
        if game.table.phase == Phase.OVER:
            break


def test_a_finished_game_takes_no_answer():
    rules = load_edition("classic").rules(3)
    game = games_of(rules, 1)[0]
    game.table.phase = Phase.OVER
    assert not apply(game, 0)


@pytest.mark.parametrize("seed", [0, 2**63 - 1])
def test_extreme_seeds_play(seed):
    rules = load_edition("classic").rules(3)
    assert len(recorded(rules, seed, 0)["money"]) == 3
