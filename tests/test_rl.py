"""Environments for reinforcement learning: what seats observe, what they may do, and games stepped in batches."""

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="the environments come with the extra `rl`")
pytest.importorskip("gymnasium", reason="the environments come with the extra `rl`")

from gymnasium.utils import seeding
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from modernart import rl
from modernart.rl.actions import N_ACTIONS, N_CARDS, N_LEVELS, ONE_MORE, PASS, YES, answer_for, mark_legal, name_of
from modernart.rl.observations import N_OBSERVED, PARTS, STARTS, observe, split_observation
from modernart.rl.stepping import MONEY, WIN, pay_rewards
from modernart.rl.tables import seat_opponents
from modernart.simulator.cards import card_artist, card_code, card_crowns, card_kind
from modernart.simulator.copying import copy_hand, copy_table
from modernart.simulator.decisions import Form, Phase, is_legal
from modernart.simulator.errors import RunError, UsageError
from modernart.simulator.game import apply, new_deal, new_game
from modernart.simulator.rules import load_edition
from modernart.simulator.setup import games_of
from modernart.simulator.simulate import score
from modernart.simulator.state import N_CODES, new_games
from modernart.strategies.base import strategy
from modernart.strategies.checking import ask, scramble
from modernart.strategies.scratch import deal_unseen, unseen_cards
from modernart.strategies.specs import load_strategy

#: PettingZoo's own card games give a dictionary with a mask too; its test warns of that, then goes on.
OF_DICTIONARIES = ("ignore:Observation space for each agent", "ignore:Observation is not a NumPy array")
EDITIONS = [("classic", 4, {}), ("classic", 3, {"open_style": "outcry"}), ("sotheby", 5, {}), ("shill", 3, {})]


def ignoring(test):
    for text in OF_DICTIONARIES:
        test = pytest.mark.filterwarnings(text)(test)
    return test


# PettingZoo's own tests


@ignoring
@pytest.mark.parametrize(("edition", "players", "rule"), EDITIONS[:2])
def test_pettingzoo_accepts_the_environment(edition, players, rule):
    api_test(rl.env(edition=edition, players=players, rule=rule), num_cycles=300)


@ignoring
def test_pettingzoo_finds_games_repeatable_by_seed():
    seed_test(rl.env, num_cycles=50)


def test_parallel_conversion_plays_a_game():
    env = turn_based_aec_to_parallel(rl.env(players=3))
    observations, _ = env.reset(seed=5)
    rng = np.random.default_rng(0)
    n_asked = 0
    while env.agents:
        actions = {}
        for agent in env.agents:
            legal = np.flatnonzero(observations[agent]["action_mask"])
            n_asked += legal.size > 0
            actions[agent] = int(rng.choice(legal)) if legal.size else None
        observations, rewards, terminations, _, _ = env.step(actions)
    assert all(terminations.values())
    assert sum(rewards.values()) == pytest.approx(0, abs=1e-5)
    assert n_asked > 100


def test_illegal_action_ends_the_game_and_costs_one():
    env = rl.env()
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(YES)
    assert env.rewards[agent] == -1
    assert all(env.terminations.values())


def test_illegal_action_of_the_bare_environment_is_an_error():
    env = rl.raw_env()
    env.reset(seed=1)
    with pytest.raises(UsageError, match="illegal; choose one that action_mask marks"):
        env.step(YES)


def test_rendered_table_tells_whose_decision_it_is():
    env = rl.raw_env(players=3, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == (
        f"round 1, CARD asked of {env.agent_selection}\n"
        "cards out: LM 0, YO 0, CP 0, KG 0, KR 0\n"
        "money: seat_0 100, seat_1 100, seat_2 100"
    )


# Observations


def twin_observation(table, hand, rules):
    """What a seat observes, written again from the meanings in `PARTS`, in plain Python."""
    n = rules.players
    own, phase = int(hand.seat), int(table.phase)
    parts = {name: [0.0] * size for name, (size, _) in PARTS.items()}

    def mark(part, seat):
        if seat >= 0:
            parts[part][(seat - own) % n] = 1.0

    if phase != Phase.OVER:
        parts["phase"][phase] = 1.0
        mark("asked", int(table.seat))
        mark("auctioneer", int(table.auctioneer))
        parts["round"][int(table.round_index)] = 1.0
    parts["rounds_left"] = [max(rules.rounds - int(table.round_index) - 1, 0) / rules.rounds]
    counts = [int(c) for c in table.cards_out[:5]]
    order = sorted((a for a in range(5) if counts[a]), key=lambda a: (-counts[a], a))[: len(rules.rank_values)]
    pays = [0] * 5
    for rank, artist in enumerate(order):
        pays[artist] = int(table.values[artist]) + rules.rank_values[rank]
        parts["rank_now"][artist] = 1 / (rank + 1)
    parts["pays_now"] = [p / 100 for p in pays]
    parts["values"] = [int(v) / 100 for v in table.values[:5]]
    parts["cards_out"] = [c / rules.end_count for c in counts]
    if phase not in (Phase.CARD, Phase.FLIP, Phase.OVER):
        artist = int(table.artist)
        parts["lot_artist"][artist] = 1.0
        parts["lot_kind"][int(table.kind)] = 1.0
        crowns = sum(card_crowns(int(card)) for card in table.lot[: int(table.n_lot)])
        parts["lot_crowns"] = [crowns / 10]
        parts["lot_worth"] = [crowns * pays[artist] / 100]
        parts["lot_most"] = [crowns * (int(table.values[artist]) + max(rules.rank_values)) / 100]
        if table.form == Form.JOINED:
            mark("first_seller", int(table.owner))
        if phase in (Phase.BID, Phase.RAISE, Phase.ACCEPT):
            parts["high_bid"] = [int(table.high_bid) / 100]
            mark("high_bidder", int(table.high_bidder))
    for card in range(N_CODES):
        if table.seen[card]:
            parts["cards_gone"][card_artist(card) * 6 + card_kind(card)] += int(table.seen[card]) / 10
    for card in map(int, hand.cards[: int(hand.n_cards)]):
        parts["hand"][card_artist(card) * 6 + card_kind(card)] += 0.1
        parts["hand_crowns"][card_artist(card)] += card_crowns(card) / 10
    for place in range(n):
        seat = (own + place) % n
        parts["money"][place] = int(table.money[seat]) / 100
        parts["hand_sizes"][place] = int(table.hand_sizes[seat]) / 10
        parts["skips_turn"][place] = float(table.skips_turn[seat])
        parts["heard"][place] = max(int(table.heard[seat]), 0) / 100
        for artist in range(5):
            parts["gallery"][5 * place + artist] = int(table.gallery[seat, artist]) / 10
            parts["stakes"][5 * place + artist] = int(table.stakes[seat, artist]) / 10
    if table.n_sold > 0:
        mark("last_buyer", int(table.last_buyer))
        if table.last_buyer >= 0:
            parts["last_price"] = [int(table.last_price) / 100]
    parts["pile"] = [int(table.pile_size) / 10]
    return np.concatenate([parts[name] for name in PARTS])


def stepped(edition, players, rule, steps=60, n=6, seed=3):
    """A batch of games after each of many random steps, every seat controlled."""
    env = rl.vector_env(n, edition=edition, players=players, rule=rule, seats=range(players), opponents=())
    shown, infos = env.reset(seed=seed)
    for _ in range(steps):
        yield env, shown, infos
        shown, _, _, _, infos = env.step(env.random_actions())


@pytest.mark.parametrize(("edition", "players", "rule"), EDITIONS)
def test_observations_are_what_the_twin_makes_of_table_and_hand(edition, players, rule):
    for env, shown, infos in stepped(edition, players, rule):
        for game, x, seat in zip(env.games, shown["observation"], infos["seat"], strict=True):
            np.testing.assert_allclose(x, twin_observation(game.table, game.hands[seat], env.rules), atol=1e-6)


def test_observation_of_a_fixed_price_in_numbers():
    rules = load_edition("classic").rules(4)
    game = games_of(rules, 1)[0]
    new_deal(game, np.uint64(1), 0)
    new_game(game, 0)
    seller = int(game.table.seat)
    hand = game.hands[seat_after(seller, 0)]
    hand.cards[0] = card_code(2, 3)  # Christin P, fixed price
    assert apply(game, 0)
    assert apply(game, 37)  # the price
    buyer = seat_after(seller, 1)
    assert (game.table.phase, game.table.seat) == (Phase.ACCEPT, buyer)
    x = np.zeros(N_OBSERVED, np.float32)
    observe(game.table, game.hands[buyer], x)
    parts = split_observation(x)
    assert np.flatnonzero(parts["phase"]).tolist() == [8]
    assert np.flatnonzero(parts["asked"]).tolist() == [0]
    assert np.flatnonzero(parts["auctioneer"]).tolist() == [3]
    assert np.flatnonzero(parts["high_bidder"]).size == 0
    assert parts["lot_artist"].tolist() == [0, 0, 1, 0, 0]
    assert parts["lot_kind"].tolist() == [0, 0, 0, 1, 0, 0]
    assert parts["high_bid"] == pytest.approx([0.37])
    assert parts["lot_worth"] == pytest.approx([0.30])  # the only card out is first
    assert parts["cards_out"] == pytest.approx([0, 0, 0.2, 0, 0])
    assert parts["money"] == pytest.approx([1, 1, 1, 1, 0, 0, 0, 0])
    assert parts["hand_sizes"] == pytest.approx([0.9, 0.9, 0.9, 0.8, 0, 0, 0, 0])
    assert parts["hand"].sum() == pytest.approx(0.9)
    assert parts["rounds_left"] == pytest.approx([0.75])


def seat_after(seat, steps, n=4):
    return (seat + steps) % n


def test_layout_of_version_0_is_as_it_was():
    # Another layout is another version of the environment: trained policies depend on it.
    assert (N_OBSERVED, N_ACTIONS) == (274, 63)
    assert {name: STARTS[name] for name in ("asked", "lot_worth", "hand", "money", "gallery", "pile")} == {
        "asked": 11,
        "lot_worth": 48,
        "hand": 117,
        "money": 152,
        "gallery": 168,
        "pile": 273,
    }


# No leak


@pytest.mark.parametrize(("edition", "players", "rule"), EDITIONS)
def test_nothing_hidden_changes_an_observation_or_a_mask(edition, players, rule):
    """Games that differ in all that the asked seat may not know: rivals' hands, deck, pile, secret bids, streams."""
    rng = np.random.default_rng(8)
    other = new_games(1)
    x, mask = np.zeros(N_OBSERVED, np.float32), np.zeros(N_ACTIONS, np.int8)
    n_hands_changed = 0
    for env, shown, infos in stepped(edition, players, rule):
        for i, game in enumerate(env.games):
            seat = int(infos["seat"][i])
            scramble(other, rng)
            copy_table(other[0].table, game.table)
            copy_hand(other[0].hands[seat], game.hands[seat])
            cards = np.zeros(128, np.int16)
            deal_unseen(other[0], seat, cards, unseen_cards(other[0].table, other[0].hands[seat], cards), np.uint64(i))
            other[0].hands[seat].rng = 99
            other[0].hands[seat].notes[:] = 7.0
            rival = (seat + 1) % players
            n_hands_changed += other[0].hands[rival].cards.tobytes() != game.hands[rival].cards.tobytes()
            observe(other[0].table, other[0].hands[seat], x)
            mark_legal(other[0].table, other[0].hands[seat], mask)
            assert x.tobytes() == shown["observation"][i].tobytes()
            assert mask.tobytes() == shown["action_mask"][i].tobytes()
    assert n_hands_changed > 200


def test_own_cards_do_change_the_observation():
    env, shown, infos = next(stepped("classic", 4, {}))
    game, seat = env.games[0], int(infos["seat"][0])
    game.hands[seat].cards[0] = card_code((card_artist(int(game.hands[seat].cards[0])) + 1) % 5, 0)
    x = np.zeros(N_OBSERVED, np.float32)
    observe(game.table, game.hands[seat], x)
    changed = {name for name, part in split_observation(x != shown["observation"][0]).items() if part.any()}
    assert changed == {"hand", "hand_crowns"}


def test_order_of_the_cards_in_hand_tells_nothing():
    env, shown, infos = next(stepped("sotheby", 4, {}))
    game, seat = env.games[0], int(infos["seat"][0])
    n = int(game.hands[seat].n_cards)
    game.hands[seat].cards[:n] = game.hands[seat].cards[:n][::-1].copy()
    x = np.zeros(N_OBSERVED, np.float32)
    observe(game.table, game.hands[seat], x)
    np.testing.assert_allclose(x, shown["observation"][0], atol=1e-6)


# Actions


@pytest.mark.parametrize(("edition", "players", "rule"), EDITIONS)
def test_masks_mark_the_legal_actions_and_one_for_each_answer(edition, players, rule):
    phases = set()
    for env, shown, infos in stepped(edition, players, rule, steps=80):
        for game, mask, seat in zip(env.games, shown["action_mask"], infos["seat"], strict=True):
            table, hand = game.table, game.hands[seat]
            phases.add(Phase(int(table.phase)))
            answers = [int(answer_for(table, hand, action)) for action in np.flatnonzero(mask)]
            assert answers
            assert all(is_legal(table, hand, answer) for answer in answers)
            assert len(set(answers)) == len(answers)
            assert mask.tolist() == twin_mask(table, hand)
    wanted = {Phase.CARD, Phase.SEALED, Phase.PRICE, Phase.ACCEPT, Phase.BID}
    assert phases >= wanted | ({Phase.RAISE} if rule else {Phase.LIMIT})


def twin_mask(table, hand):
    """Which actions are legal, from the rules in words."""
    mask = [0] * N_ACTIONS
    phase = Phase(int(table.phase))
    cards = [int(card) for card in hand.cards[: int(hand.n_cards)]]
    if phase in (Phase.PAIR, Phase.JOIN):
        cards = [card for card in cards if card_artist(card) == table.artist and card_kind(card) < 4]
    if phase in (Phase.CARD, Phase.PAIR, Phase.JOIN):
        for card in cards:
            mask[6 * card_artist(card) + card_kind(card)] = 1
        mask[PASS] = int(phase != Phase.CARD)
        return mask
    mask[PASS] = 1
    if phase in (Phase.ACCEPT, Phase.FLIP):
        mask[YES] = 1
        return mask
    funds = max(int(table.money[hand.seat]), 0)
    can_outbid = phase in (Phase.BID, Phase.RAISE)
    seen = {0}
    if can_outbid and table.high_bid < funds:
        mask[ONE_MORE] = 1
    if can_outbid:
        seen |= set(range(int(table.high_bid) + 2))
    highest = max(int(value) for value in table.rules.rank_values[: int(table.rules.n_ranks)])
    most = int(table.lot_crowns) * (int(table.values[table.artist]) + highest)
    for level in range(1, N_LEVELS + 1):
        amount = most * level // N_LEVELS
        if amount <= funds and amount not in seen:
            mask[ONE_MORE + level] = 1
        seen.add(amount)
    return mask


def test_actions_have_names():
    names = ["LM", "YO", "CP", "KG", "KR"]
    assert [name_of(action, names) for action in (0, 9, N_CARDS - 1, PASS, YES, ONE_MORE, ONE_MORE + 12)] == [
        "card LM-O",
        "card YO-F",
        "card KR-B",
        "pass",
        "yes",
        "one more than the bid",
        "12/30 of the most that the lot can pay",
    ]


def test_an_action_for_a_card_takes_the_one_with_most_crowns():
    game = new_games(1)[0]
    game.table.phase = Phase.CARD
    hand = game.hands[0]
    hand.n_cards = 3
    hand.cards[:3] = [card_code(4, 1, 1), card_code(4, 2, 3), card_code(4, 2, 2)]
    assert answer_for(game.table, hand, 4 * 6 + 2) == 1
    hand.cards[1:3] = hand.cards[1:3][::-1].copy()
    assert answer_for(game.table, hand, 4 * 6 + 2) == 2


# Rewards


def test_rewards_in_numbers():
    game = new_games(1)[0]
    game.table.rules.n_seats = 3
    game.table.money[:3] = [500, 500, 200]
    rewards = np.zeros(3, np.float32)
    pay_rewards(game, WIN, rewards)
    assert rewards.tolist() == [0.5, 0.5, 0.0]
    pay_rewards(game, MONEY, rewards)
    assert rewards == pytest.approx([1.5, 1.5, -3.0])


# Batches


def slow_batch(n, steps, seed, players, opponent, choose):
    """What the batch does, one game and one answer at a time; yields money and reward of seat 0 for games that end."""
    rules = load_edition("classic").rules(players)
    game = games_of(rules, 1)[0]
    player = load_strategy(opponent).player()
    for seat in range(players):
        game.acts[seat] = player.address
        game.hands[seat].params[: len(player.params)] = player.params
    for i in range(n):
        deal, taken = i, 0
        mask = np.zeros(N_ACTIONS, np.int8)
        while taken < steps:
            new_deal(game, np.uint64(seed), deal)
            new_game(game, 0)
            while game.table.phase != Phase.OVER:
                if game.table.seat != 0:
                    assert apply(game, int(ask(game)))
                    continue
                if taken == steps:
                    break
                mark_legal(game.table, game.hands[0], mask)
                assert apply(game, int(answer_for(game.table, game.hands[0], choose(mask, taken))))
                taken += 1
            if game.table.phase == Phase.OVER:
                money = game.table.money[:players].tolist()
                mean = sum(money[1:]) / (players - 1)
                yield i, taken, money, (money[0] - mean) / 100
            deal += n


def choose_one(mask, step):
    """Some legal action that depends on the step."""
    legal = np.flatnonzero(mask)
    return int(legal[(7 * step) % len(legal)])


@pytest.mark.parametrize("threads", [1, 2])
def test_batch_plays_as_single_games_do(threads):
    n, steps, seed = 3, 150, 12
    ended = slow_batch(n, steps, seed, 4, "fair_share", choose_one)
    expected = {(i, taken): (money, reward) for i, taken, money, reward in ended}
    env = rl.vector_env(n, opponents="fair_share", threads=threads)
    shown, _ = env.reset(seed=seed)
    found = {}
    for step in range(steps):
        shown, rewards, is_over, is_cut, infos = env.step([choose_one(mask, step) for mask in shown["action_mask"]])
        assert not is_cut.any()
        for i in range(n):
            if is_over[i]:
                assert infos["_money"][i]
                found[i, step + 1] = (infos["money"][i].tolist(), float(rewards[i]))
            else:
                assert rewards[i] == 0
    env.close()
    assert len(found) > 6
    assert found.keys() == expected.keys()
    for key, (money, reward) in found.items():
        assert money == expected[key][0]
        assert reward == pytest.approx(expected[key][1], abs=1e-5)


def test_batch_and_pettingzoo_show_the_same_game():
    env = rl.raw_env(players=3, reward="win")
    env.reset(seed=4)
    batch = rl.vector_env(2, players=3, seats=range(3), opponents=(), reward="win")
    shown, infos = batch.reset(seed=int(seeding.np_random(4)[0].integers(2**63)))
    is_over = [False]
    step = 0
    while not is_over[0]:
        agent = env.agent_selection
        assert agent == f"seat_{infos['seat'][0]}"
        one = env.observe(agent)
        assert one["observation"].tobytes() == shown["observation"][0].tobytes()
        assert one["action_mask"].tobytes() == shown["action_mask"][0].tobytes()
        actions = [choose_one(mask, step) for mask in shown["action_mask"]]
        env.step(actions[0])
        shown, _, is_over, _, infos = batch.step(actions)
        step += 1
    assert list(env.rewards.values()) == pytest.approx(infos["seat_rewards"][0].tolist())
    assert [env.infos[agent]["money"] for agent in env.agents] == infos["money"][0].tolist()


def test_same_seed_same_games_and_another_seed_others():
    def observed(seed):
        env = rl.vector_env(8)
        shown, _ = env.reset(seed=seed)
        for _ in range(20):
            shown, *_ = env.step(env.random_actions())
        return shown["observation"].tobytes()

    assert observed(1) == observed(1)
    assert observed(1) != observed(2)


def test_observations_are_views_that_the_next_step_overwrites():
    env = rl.vector_env(4)
    first, _ = env.reset(seed=1)
    before = first["observation"].copy()
    later, *_ = env.step(env.random_actions())
    assert later["observation"] is first["observation"]
    assert not np.array_equal(before, first["observation"])
    assert env.single_observation_space["observation"].shape == before[0].shape
    assert first["observation"] in env.observation_space["observation"]


def test_gymnasium_wrapper_counts_the_episodes():
    env = RecordEpisodeStatistics(rl.vector_env(16))
    env.reset(seed=1)
    lengths = []
    for _ in range(120):
        _, rewards, is_over, _, infos = env.step(env.unwrapped.random_actions())
        if is_over.any():
            lengths += infos["episode"]["l"][is_over].tolist()
            assert infos["episode"]["r"][is_over] == pytest.approx(rewards[is_over])
    assert len(lengths) >= 16
    assert 20 < np.mean(lengths) < 80


def test_every_seat_can_be_controlled_and_the_others_can_differ():
    env = rl.vector_env(4, players=4, seats=(1, 3), opponents=("half_value", "random"))
    _, infos = env.reset(seed=1)
    seen = set()
    for _ in range(60):
        seen |= set(infos["seat"].tolist())
        _, _, _, _, infos = env.step(env.random_actions())
    assert seen == {1, 3}


# Errors


def test_illegal_action_names_the_game():
    env = rl.vector_env(3)
    shown, _ = env.reset(seed=1)
    actions = env.random_actions()
    actions[2] = np.flatnonzero(shown["action_mask"][2] == 0)[0]
    with pytest.raises(UsageError, match=r"the action for game 2 \(seat 0, \w+\) is illegal"):
        env.step(actions)
    with pytest.raises(UsageError, match="call reset before the first step"):
        env.step(actions)


@pytest.mark.parametrize("action", [-1, N_ACTIONS])
def test_action_outside_the_space_is_illegal(action):
    env = rl.vector_env(1)
    env.reset(seed=1)
    with pytest.raises(UsageError, match="is illegal"):
        env.step([action])


@strategy()
def throws_slot_99(table, hand):
    """Answers 99 to everything."""
    return 99


def test_illegal_answer_of_an_opponent_names_it():
    env = rl.vector_env(2, opponents=[throws_slot_99, "random", "random"])

    def play():
        env.reset(seed=1)
        for _ in range(20):
            env.step(env.random_actions())

    with pytest.raises(RunError, match="throws_slot_99 gave the illegal answer 99 to"):
        play()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seats": (0, 4)}, r"seats must be different numbers from 0 to 3, got \[0, 4\]"),
        ({"seats": ()}, "seats must be different numbers"),
        ({"opponents": ("random", "random")}, "give one opponent for all, or 3 for seats"),
        ({"reward": "fame"}, 'reward must be "money" or "win", got "fame"'),
        ({"num_envs": 0}, "num_envs and threads must be at least 1, got 0 and 1"),
    ],
)
def test_wrong_arguments_are_told_in_a_sentence(options, message):
    with pytest.raises(UsageError, match=message):
        rl.vector_env(**{"num_envs": 2, **options})


def test_missing_library_is_told_with_the_extra_that_brings_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "modernart.rl.aec", raising=False)
    with pytest.raises(
        UsageError, match=r"pettingzoo is missing; install it with pip install .modern-art-simulator\[rl\]"
    ):
        rl.env()


# Policies


def random_layers(seed=1, width=8):
    rng = np.random.default_rng(seed)
    sizes = [N_OBSERVED, width, width, N_ACTIONS]
    return [
        (rng.normal(size=(a, b)).astype(np.float32), rng.normal(size=b).astype(np.float32)) for a, b in pairwise(sizes)
    ]


def test_saved_policy_plays_as_its_network_says(tmp_path):
    layers = random_layers()
    rl.save_policy(tmp_path / "net.npz", layers)
    player = rl.load_policy(tmp_path / "net.npz").player()
    n = 0
    for env, shown, infos in stepped("classic", 4, {}, steps=40):
        for i, seat in enumerate(infos["seat"]):
            seat_opponents(env.games[i : i + 1], env.rules, {int(seat): player})
            x = shown["observation"][i]
            for k, (weights, biases) in enumerate(layers):
                x = x @ weights + biases
                x = np.maximum(x, 0) if k < 2 else x
            best = int(np.argmax(np.where(shown["action_mask"][i], x, -np.inf)))
            hand = env.games[i].hands[seat]
            assert int(ask(env.games[i])) == answer_for(env.games[i].table, hand, best)
            n += 1
    assert n == 240


def test_policy_at_a_temperature_draws_by_the_softmax(tmp_path):
    # One layer whose biases alone count: yes with 3/4, no with 1/4.
    weights, biases = np.zeros((N_OBSERVED, N_ACTIONS), np.float32), np.zeros(N_ACTIONS, np.float32)
    biases[YES] = np.log(3)
    rl.save_policy(tmp_path / "net.npz", [(weights, biases)])
    policy = rl.load_policy(tmp_path / "net.npz")
    shares = {}
    for temperature in (0, 1):
        player = policy.with_values({"temperature": temperature}).player()
        game = games_of(load_edition("classic").rules(4), 1)
        seat_opponents(game, load_edition("classic").rules(4), {0: player})
        game[0].table.phase = Phase.ACCEPT
        game[0].hands[0].rng = 5
        shares[temperature] = np.mean([int(ask(game[0])) for _ in range(4000)])
    assert shares[0] == 1.0
    assert shares[1] == pytest.approx(0.75, abs=0.03)


def test_policy_plays_in_tournaments_by_its_file(tmp_path):
    bot = rl.save_policy(tmp_path / "net.npz", random_layers())
    command = ["tournament", f"{bot}:policy", "half_value", "--games", "400", "--output", str(tmp_path / "run")]
    done = subprocess.run(
        [sys.executable, "-m", "modernart", *command], capture_output=True, text=True, env=os.environ, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "net.py:policy" in done.stdout


def test_policies_with_other_weights_play_otherwise(tmp_path):
    players = []
    for seed in (1, 2):
        rl.save_policy(tmp_path / f"net{seed}.npz", random_layers(seed))
        players.append(rl.load_policy(tmp_path / f"net{seed}.npz").player())
    rules = load_edition("classic").rules(4)
    rival = load_strategy("half_value").player()
    money = [score([player, rival], rules, [0, 1, 1, 1], 0, 20, seed=1).money[:, 0].tolist() for player in players]
    assert money[0] != money[1]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda layers: layers[:2], "the last layer must give 63 numbers"),
        (lambda layers: layers[1:], r"a layer takes 274 numbers, but its weights have shape \(8, 8\)"),
        (lambda layers: [(w * np.nan, b) for w, b in layers], "weights that are not finite"),
    ],
)
def test_policies_that_do_not_fit_are_refused(tmp_path, spoil, message):
    with pytest.raises(UsageError, match=message):
        rl.save_policy(tmp_path / "net.npz", spoil(random_layers()))


def test_missing_and_foreign_files_are_told(tmp_path):
    with pytest.raises(UsageError, match="there is no file"):
        rl.load_policy(tmp_path / "net.npz")
    np.savez(tmp_path / "net.npz", numbers=np.zeros(3))
    with pytest.raises(UsageError, match="is not the file of a policy"):
        rl.load_policy(tmp_path / "net.npz")


# Compiled code and plain Python


def test_compiled_code_is_kept_in_a_folder_named_by_the_sources_of_the_package():
    assert observe.__name__ == "observe"
    plain = getattr(observe, "py_func", observe)
    assert plain.code_place.startswith("rl-")
    assert len(plain.code_place) == 19


PLAY = """
import hashlib, numpy as np
from modernart import rl
env = rl.vector_env(2, players=3)
shown, _ = env.reset(seed=2)
digest = hashlib.sha256()
for _ in range(50):
    shown, rewards, *_ = env.step(env.random_actions())
    digest.update(np.round(shown["observation"], 4).tobytes() + shown["action_mask"].tobytes() + rewards.tobytes())
print(digest.hexdigest())
"""


def test_games_are_the_same_without_the_jit():
    shown = [
        subprocess.run([sys.executable, "-c", PLAY], capture_output=True, text=True, env=os.environ | more, check=True)
        for more in ({}, {"NUMBA_DISABLE_JIT": "1"})
    ]
    assert shown[0].stdout == shown[1].stdout
    assert len(shown[0].stdout.strip()) == 64


def test_guide_lists_the_parts_of_an_observation():
    guide = (Path(__file__).parent.parent / "docs" / "rl.md").read_text()
    for name, (size, words) in PARTS.items():
        assert f"| `{name}` | {STARTS[name]} | {size} | {words} |\n" in guide


def test_code_of_the_guide_runs():
    guide = (Path(__file__).parent.parent / "docs" / "rl.md").read_text()
    one, many = (block for block in re.findall(r"```python\n(.*?)```", guide, re.DOTALL) if "env(" in block)
    told: dict = {}
    exec(one, told)
    assert told["is_over"]
    exec(many.replace("4096", "16").replace("1000", "50"), told)
    assert told["is_over"].shape == (16,)
