"""Positions and advice: what a seat knows, what playouts come to, and what a position must fulfil."""

import json
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

from modernart.analysis.table import belief, walk_away
from modernart.analysis.table.advice import Advice, Option, advise, relative_and_wins, smoothed
from modernart.analysis.table.belief import Effort, draw_belief, mean_and_error
from modernart.analysis.table.drawing import line_of_ties
from modernart.analysis.table.position_file import TEMPLATE, position_of
from modernart.analysis.table.positions import heard_range
from modernart.analysis.table.sources import position_at
from modernart.analysis.table.walk_away import money_flow, walk_away_price
from modernart.analysis.table.ways import Played, Way, play_ways
from modernart.command_line import app
from modernart.simulator.decisions import Phase
from modernart.simulator.errors import UsageError
from modernart.simulator.game import apply
from modernart.simulator.games import records_of_run
from modernart.simulator.interpreter import ask
from modernart.simulator.rules import load_edition
from modernart.simulator.setup import games_of
from modernart.strategies.specs import load_players

RULES = load_edition("classic").rules(4)
#: Cheap to play, and all chance but the cards is gone: the same scene always goes on in the same way.
QUICK = ("half_value", "fair_share")
SMALL = Effort(walks=4, kept=4, first=6, every=2)


@pytest.fixture(scope="module")
def record():
    field = load_players(["half_value", "fair_share", "full_value", "predictive"])
    return next(records_of_run(field, RULES, 7, 0, 1))


def first_of(record, round_index, word):
    events = record["rounds"][round_index]["events"]
    return next(i for i, event in enumerate(events) if event["e"] == word and i > 0)


def template(**changes):
    return tomllib.loads(TEMPLATE) | changes


def hands_of(games, seat):
    return [sorted(int(code) for code in game.hands[seat].cards[: game.hands[seat].n_cards]) for game in games]


def test_scenes_agree_with_the_game_in_all_that_the_seat_saw(record):
    event = first_of(record, 1, "play")
    position = position_at(record, 1, event)
    belief = draw_belief(position, QUICK, effort=SMALL, threads=1)
    games = games_of(RULES, 16)
    scenes, repeats, _ = belief.spread(16)
    belief.make(games, scenes, repeats)
    sale = record["rounds"][1]["events"][event - 1]
    dealt = [card for told in record["rounds"][:2] for card in told["dealt"][position.seat]]
    for game in games:
        assert [int(m) for m in game.table.money[:4]] == sale["money"]
        assert Phase(int(game.table.phase)) == Phase.CARD
        assert int(game.table.seat) == position.seat
    assert len({tuple(map(tuple, hands)) for hands in zip(*(hands_of(games, s) for s in range(4)), strict=True)}) > 8
    assert len(set(map(tuple, hands_of(games, position.seat)))) == 1
    assert {position.card(code) for code in hands_of(games, position.seat)[0]} <= set(dealt)
    deck = sorted(RULES.card_codes())
    for game in games:
        held = [int(c) for s in range(4) for c in game.hands[s].cards[: game.hands[s].n_cards]]
        seen = [code for code in range(len(game.table.seen)) for _ in range(int(game.table.seen[code]))]
        rest = [
            int(c)
            for c in game.deck[int(game.deck_position) : len(deck) - len(held) - len(seen) + int(game.deck_position)]
        ]
        assert sorted(held + seen + rest) == deck


@pytest.mark.parametrize("word", ["limit", "price", "sealed"])
def test_amounts_come_to_the_same_as_when_every_game_is_played_out(record, word):
    round_index = next(r for r in range(3) if any(e["e"] == word for e in record["rounds"][r]["events"]))
    position = position_at(record, round_index, first_of(record, round_index, word))
    belief = draw_belief(position, QUICK, effort=SMALL, threads=1)
    amounts = [0, 7, 15]
    played = play_ways(belief, [Way(amount, amount) for amount in amounts], 6, threads=1, spread=0.0)
    scenes, repeats, _ = belief.spread(6)
    for k in range(6):
        finals = []
        for amount in amounts:
            games = games_of(RULES, 1)
            belief.make(games, scenes[k : k + 1], repeats[k : k + 1])
            finals.append(played_by_hand(games[0], position.seat, amount))
        buyers = [buyer for buyer, _ in finals]
        assert list(played.buyers[k]) == buyers
        for option, (buyer, money) in enumerate(finals):
            # The first amount that leads to a buyer is played out; another only moves the price.
            if buyers.index(buyer) == option:
                assert list(played.money[k, option]) == money


def played_by_hand(game, seat, amount):
    """Return buyer and final money when a seat answers with an amount, each player asked in turn."""
    n_sold, is_asked, buyer = int(game.table.n_sold), False, None
    while int(game.table.phase) != Phase.OVER:
        action = int(ask(game))
        if int(game.table.seat) == seat and not is_asked:
            action, is_asked = amount, True
        assert apply(game, action)
        if buyer is None and int(game.table.n_sold) > n_sold:
            buyer = int(game.table.last_buyer)
    return buyer, [int(m) for m in game.table.money[: RULES.players]]


def test_limit_of_the_buyer_is_known_to_reach_the_price_and_no_more():
    likely = heard_range({"e": "limit", "seat": 1, "amount": 9}, [{"e": "sale", "buyer": 1, "price": 5}], True)
    assert likely == (5, 100_000)
    assert heard_range({"e": "limit", "seat": 2, "amount": 9}, [{"e": "sale", "buyer": 1, "price": 5}], True) == (5, 5)
    assert heard_range({"e": "limit", "seat": 2, "amount": 4}, [{"e": "sale", "buyer": 1, "price": 5}], False) == (0, 5)


def test_walk_away_price_is_where_buying_and_letting_go_are_worth_the_same():
    position = position_of(template())
    game = games_of(RULES, 1)[0]
    game.table.money[:4] = 100
    game.table.auctioneer = 1
    final = np.zeros((2, 4, 4))
    final[:, 0] = [150, 110, 100, 100]  # A bought for 20
    final[:, 2] = [100, 110, 130, 100]  # C bought for 20
    sold = np.array([[20.0, -1, 20, -1]] * 2)
    played = Played(
        np.zeros((2, 2, 4)),
        np.arange(2),
        np.zeros((2, 2)),
        np.zeros((2, 2), bool),
        np.array([[2, 0]] * 2),
        sold,
        final,
        np.zeros((2, 2, 4)),
        final,
    )
    ways = [Way(0, 0), Way(50, 50)]
    # At price p: buying leaves 170 - p, the others 90 + p, 100, 100; letting go 100, the others 90 + p, 150 - p, 100.
    # Relative money: 170 - p - (290 + p) / 3 = 100 - 340 / 3 where p = 65.
    assert walk_away_price(position, game, ways, played, False) == (65, 0.0)


def test_money_of_a_split_double_flows_to_both_sellers():
    rules = load_edition("online").rules(4)
    position = position_of(template(edition="online", cards=[8, 9, 8, 8]))
    game = games_of(rules, 1)[0]
    game.table.form, game.table.auctioneer, game.table.owner = 2, 1, 3
    assert list(money_flow(position, game.table, 0)) == [-1, 0.5, 0, 0.5]
    assert list(money_flow(position, game.table, 3)) == [0, 0.5, 0, -1]


def test_wins_are_shared_and_money_is_compared_with_the_mean_of_the_others():
    relative, wins = relative_and_wins(np.array([[[300.0, 300, 100, 200]]]), 0)
    assert relative.tolist() == [[100.0]]
    assert wins.tolist() == [[0.5]]


def test_error_counts_a_walk_once_however_many_playouts_it_has():
    values = np.repeat([1.0, 3.0], 50)
    mean, error = mean_and_error(values, np.repeat([0, 1], 50))
    assert (float(mean), float(error)) == (2.0, 1.0)


def test_neighbouring_amounts_are_judged_together_and_zero_alone():
    assert smoothed(np.array([0.0, 10.0, 50.0]), np.array([5.0, 1.0, 2.0])).round(6).tolist() == [5.0, 1.0, 2.0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hand": ["KR-S"]}, "hand has 1 cards, but cards says 8"),
        ({"money": [500, 500, 500, 500]}, "money adds up to 2000, but there can be at most 640 in round 2"),
        ({"values": {"KR": 30, "YO": 30, "LM": 10}}, "values add up to 70, but 1 rounds give at most 60"),
        ({"values": {"KR": 25}}, "KR cannot have gained 25 in 1 rounds"),
        ({"bought": {}}, "0 paintings of YO are bought, but 1 cards of it are out"),
        ({"cards": [8, 14, 8, 8]}, "cards of B must be a whole number from 0 to 13"),
        ({"now": ["C plays KR-S"]}, "it is the turn of B, not of C"),
        ({"now": []}, "B decides here, not A"),
        ({"hands": []}, 'there is no entry of a position "hands"; did you mean hand'),
        ({"gone": ["LM-O"]}, "do not add up to the 52 dealt by round 2"),
        ({"now": ["B plays KG-D"], "hand": [*["YO-O"] * 2, *["LM-O"] * 3, *["CP-O"] * 3]}, "A holds no card"),
    ],
)
def test_position_that_cannot_be_is_refused_with_the_reason(changes, message):
    with pytest.raises(UsageError, match=message):
        position_of(template(**changes))


def test_new_position_is_answered_unedited_and_json_has_the_keys_of_the_contract(tmp_path):
    runner = CliRunner()
    file = tmp_path / "position.toml"
    assert runner.invoke(app, ["position", "new", str(file)]).exit_code == 0
    done = runner.invoke(app, ["advise", str(file), "--json", "--rollouts", "300", "--rivals", "fair_share,half_value"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert list(found) == ["seat", "decision", "options", "best", "walk_away", "rivals", "why"]
    assert (found["seat"], found["decision"]) == (0, "limit")
    keys = ["answer", "money", "money_ci", "relative", "relative_ci", "win", "win_ci", "n"]
    assert all(list(option) == keys for option in found["options"])
    assert found["best"] in [option["answer"] for option in found["options"]]
    assert 0 <= found["walk_away"] <= 112
    assert found["why"].startswith("The lot should pay about ")
    again = runner.invoke(app, ["position", "new", str(file)])
    assert again.exit_code == 2
    shown = runner.invoke(app, ["position", "show", str(file)])
    assert "Your hand: CP-O CP-S KG-R KR-D KR-S LM-R YO-F YO-O" in shown.stdout
    assert "would pay now      0    40     0    10    60" in shown.stdout


def test_card_that_ends_the_round_while_leading_is_the_advice():
    """A holds four paintings of the artist with four cards out; ending now pays them 30 each before anybody else's."""
    position = position_of(
        template(
            round=4,
            values={},
            money=[10, 10, 10, 10],
            hand=["KR-S", "LM-O"],
            cards=[2, 2, 2, 2],
            out=["KR-O", "KR-R", "KR-F", "KR-O"],
            bought={"A": ["KR", "KR", "KR", "KR"]},
            turn="A",
            now=[],
        )
    )
    found = advise(position, "fair_share", rollouts=256, effort=SMALL, threads=1)
    assert found.best_option.way.answer == "KR-S"
    assert found.best_option.ends == 1.0
    assert found.best_option.money == 130.0
    assert found.best_option.win == 1.0
    assert found.walk_away is None


def same_kind(now, rule="same_kind"):
    """A, who is to move, holds two open Kryptos, a sealed one and a card of another artist."""
    return position_of(
        template(
            rules={"pairing": rule},
            round=4,
            values={},
            money=[10, 10, 10, 10],
            hand=["KR-O", "KR-O", "KR-S", "LM-O"],
            cards=[4, 4, 4, 4],
            out=[],
            bought={},
            turn="A",
            now=now,
        )
    )


def test_card_with_a_twin_is_put_up_alone_or_with_it():
    found = advise(same_kind([]), "fair_share", rollouts=64, effort=SMALL, threads=1)
    answers = {option.way.answer for option in found.options}
    assert answers == {"KR-O alone", "KR-O with KR-O", "KR-S", "LM-O"}


def test_where_doubles_alone_take_a_second_a_twin_offers_no_other_way():
    found = advise(same_kind([], "doubles"), "fair_share", rollouts=64, effort=SMALL, threads=1)
    assert {option.way.answer for option in found.options} == {"KR-O", "KR-S", "LM-O"}


def test_second_card_of_the_same_kind_is_asked_for_after_the_first():
    position = same_kind(["A plays KR-O"])
    assert position.phase == Phase.PAIR
    found = advise(position, "fair_share", rollouts=64, effort=SMALL, threads=1)
    assert {option.way.answer for option in found.options} == {"alone", "KR-O"}


def test_other_seats_decide_about_the_single_card():
    position = position_of(template(rules={"pairing": "same_kind"}, turn="B", now=["B plays KG-O"]))
    assert (position.seat, position.phase) == (0, Phase.LIMIT)


def test_record_event_asks_for_a_decision():
    record = next(records_of_run(load_players(["half_value"]), RULES, 1, 0, 1))
    sale = next(i for i, event in enumerate(record["rounds"][0]["events"]) if event["e"] == "sale")
    with pytest.raises(UsageError, match=f"event {sale + 1} of round 1 tells a sale"):
        position_at(record, 0, sale)
    with pytest.raises(UsageError, match="the game has 4 rounds"):
        position_at(record, 9, 0)


def test_policies_are_loaded_by_one_thread_at_a_time(monkeypatch):
    """Two loads at once would leave one of them with the address of weights that are freed."""
    inside, most = 0, 0

    def slow(specs, rules):
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        time.sleep(0.01)
        inside -= 1
        return np.zeros(1)

    monkeypatch.setattr(belief, "policies_for", slow)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda k: belief.policies_of(RULES, QUICK), range(8)))
    assert most == 1


def advised(values, answers, best, phase=Phase.LIMIT):
    """Advice whose options have these values by scene, one scene a walk."""
    values = np.array(values, float)
    n, k = values.shape
    nothing = np.zeros((n, k))
    played = Played(np.zeros((n, k, 4)), np.arange(n), nothing, nothing, nothing, nothing, nothing, nothing, nothing)
    ways = [Way(answer, answer if isinstance(answer, int) else place) for place, answer in enumerate(answers)]
    options = tuple(Option(way, 0, 0, 0, 0, 0, 0, n, 0, 0, 0) for way in ways)
    position = replace(position_of(template()), phase=phase)
    return Advice(position, None, options, best, None, 0.0, "strong", (), "", values, played, {})


def test_answers_as_good_as_the_best_are_told_by_the_difference_in_each_scene():
    """The second is always 1 below the first, though both vary by 100; the third is level with it on average."""
    noise = np.array([-100.0, 100, -50, 50])
    found = advised(np.stack([noise, noise - 1, -noise], axis=1), [5, 6, 7], 0)
    assert [option.way.answer for option in found.as_good()] == [7]
    assert line_of_ties(found) == "As good as 5, as far as the playouts tell: 7."


def test_neighbouring_amounts_that_are_as_good_are_told_as_a_range():
    found = advised(np.repeat([[1.0, 1, 0, 1, 1, 1]], 3, axis=0), [0, 5, 7, 9, 11, 15], 5)
    assert line_of_ties(found) == "As good as 15, as far as the playouts tell: 0 to 5, 9 to 11."
    assert line_of_ties(advised([[1.0, 0]] * 3, ["KR-S", "LM-O"], 0)) == ""
    assert line_of_ties(advised([[1.0, 1]] * 3, ["KR-S", "LM-O"], 0)).endswith("tell: LM-O.")


@pytest.mark.parametrize(("n_steps", "n_walks"), [(0, 1800), (50, 1800), (100, 1600), (200, 800), (300, 600)])
def test_early_in_the_game_there_are_more_walks_as_there_is_less_to_replay(n_steps, n_walks):
    position = SimpleNamespace(steps=np.zeros((n_steps, 5), np.int64))
    assert Effort(walks=600, replayed=160_000).walks_for(position) == n_walks
    assert Effort(walks=600).walks_for(position) == 600


def test_where_a_price_hardly_moves_win_chances_money_decides():
    def worth(buy, let):
        position = SimpleNamespace(seat=0)
        prices = np.tile([-1.0, 0.0, 0.0, 0.0], (40, 1))
        gain = walk_away._gain_by_win(position, (buy, prices), (let, np.zeros((40, 4))), 100)
        return int(np.flatnonzero(gain >= 0)[-1])

    # Won in every scene at any price, and 60 more where the lot is bought for nothing.
    buy, let = np.tile([900.0, 0.0, 0.0, 0.0], (40, 1)), np.tile([840.0, 0.0, 0.0, 0.0], (40, 1))
    assert worth(buy, let) == 60
    # In 3 scenes of 40 a rival with 865 would share the win at a price of 35, and have it beyond: 7.5 % of the wins,
    # beside 0.7 % for the money. By the mean over nine prices 31 is the last before that.
    buy[:3, 1] = 865.0
    assert worth(buy, let) == 31
