"""Studies of cause: copies play on as the game itself would, moments are those of the records, components are found."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from modernart.analysis.counterfactual import studies
from modernart.command_line import app
from modernart.simulator.decisions import Phase
from modernart.simulator.game import apply, new_deal, new_game
from modernart.simulator.games import records_of_run
from modernart.simulator.interpreter import play_record
from modernart.simulator.jit import call_act, kernel
from modernart.simulator.players import acts_of, params_of
from modernart.simulator.rules import load_edition
from modernart.simulator.setup import games_of
from modernart.strategies.specs import load_players

FIELD = ("random", "half_value", "full_value", "fair_share")
RULES = load_edition("classic").rules(4)


@kernel
def step(game):
    """Play one decision of the game's own players."""
    action = call_act(game.acts[game.table.seat], game.table, game.hands[game.table.seat])
    return apply(game, action)


@kernel
def answer(game):
    """Ask the player whose turn it is."""
    return call_act(game.acts[game.table.seat], game.table, game.hands[game.table.seat])


def started(n_steps):
    players = load_players(FIELD)
    games = games_of(RULES, 3)
    words = games.view(np.int64).reshape(3, -1)
    game = games[0]
    for seat in range(4):
        game.acts[seat] = acts_of(players)[seat]
        game.hands[seat].params[:] = params_of(players, RULES)[seat]
    new_deal(game, np.uint64(3), 0)
    new_game(game, 0)
    for _ in range(n_steps):
        step(game)
    return games, words


@pytest.mark.parametrize("n_steps", [0, 17, 60, 111])
def test_a_copy_plays_on_as_the_game_itself_does(n_steps):
    games, words = started(n_steps)
    seat = int(games[0].table.seat)
    action = answer(games[0])
    studies.copy_game(words, 1, 0)
    sums = np.zeros(16)
    assert studies.play_out(words, games, action, 0, sums, 1.0)
    assert apply(games[0], action)
    while games[0].table.phase != Phase.OVER:
        step(games[0])
    expected = [int(games[0].table.money[(seat + k) % 4]) for k in range(4)]
    assert sums[0:8:2].tolist() == expected
    assert sums[1:8:2].sum() == 840


def test_other_dice_leave_the_cards_alone_and_change_the_game():
    games, _ = started(0)
    deck = games[0].deck.copy()
    key = int(games[0].key)
    rng = [int(hand.rng) for hand in games[0].hands[:4]]
    studies.rekey(games[0], 0)
    assert (int(games[0].key), [int(hand.rng) for hand in games[0].hands[:4]]) == (key, rng)
    studies.rekey(games[0], 1)
    assert int(games[0].key) != key
    assert all(a != int(hand.rng) for a, hand in zip(rng, games[0].hands[:4], strict=True))
    np.testing.assert_array_equal(games[0].deck, deck)


def moments_in(record):
    """Moments of a record where the mover holds a card that ends the round and one that does not."""
    n = 0
    hands = [[] for _ in range(4)]
    for part in record["rounds"]:
        for hand, dealt in zip(hands, part["dealt"], strict=True):
            hand += dealt
        out = {}
        for event in part["events"]:
            if event["e"] not in ("play", "pair", "join"):
                continue
            hand = hands[event["seat"]]
            ending = [card for card in hand if out.get(card[:2], 0) == 4]
            if event["e"] == "play" and 0 < len(ending) < len(hand):
                n += 1
            hand.remove(event["card"])
            out[event["card"][:2]] = out.get(event["card"][:2], 0) + 1
    return n


def test_moments_are_those_of_the_records():
    players = load_players(FIELD)
    found = studies.ending_moments(players, RULES, 40, seed=5, repeats=1, threads=1)
    records = records_of_run(players, RULES, 5, 0, 40)
    by_card = (found.frame["case"] == 1).sum()
    assert by_card == sum(moments_in(record) for record in records)
    assert found.n_games == 40


def test_threads_change_no_number():
    players = load_players(FIELD)
    one = studies.ending_moments(players, RULES, 160, repeats=2, threads=1)
    two = studies.ending_moments(players, RULES, 160, repeats=2, threads=2)
    np.testing.assert_array_equal(one.facts, two.facts)
    np.testing.assert_array_equal(one.outcomes, two.outcomes)


def test_ending_and_playing_on_share_one_win_between_all_seats():
    found = studies.ending_moments(load_players(FIELD), RULES, 80, repeats=2, threads=1)
    np.testing.assert_allclose(found.outcomes[..., 1].sum(axis=1), 0, atol=1e-12)
    assert np.abs(found.outcomes[..., 1]).max() > 0


def test_lot_sold_by_its_own_kind_is_the_lot_of_the_record():
    players = load_players(FIELD)
    found = studies.auction_moments(players, RULES, 4, seed=2, repeats=1, threads=1)
    # Only the sales of what was put up as one card or own double; the study's lots come in the order of the game.
    expected = []
    for record in records_of_run(players, RULES, 2, 0, 4):
        for part in record["rounds"]:
            last = None
            for event in part["events"]:
                if event["e"] in ("play", "pair", "join"):
                    last = event
                if event["e"] == "sale" and last["e"] != "join" and not last["card"].endswith("-D"):
                    own = event["seller"] == event["buyer"]
                    expected.append((event["price"], 0 if own else event["price"]))
    kinds = found.facts[:, 4]
    got = found.outcomes[np.arange(len(kinds)), kinds, :2]
    assert [tuple(int(x) for x in row) for row in got] == expected


def test_components_are_found_in_made_up_money():
    rng = np.random.default_rng(2)
    s, d, n, m, k = 4, 1500, 4, 3, 2
    truth = np.array([900.0, 400.0, 0.0, 1600.0, 100.0, 225.0])
    seats = np.array([rng.permutation(n) for _ in range(d)])
    skill = np.array([-1, -1, 1, 1]) * np.sqrt(900 * 3 / 4)
    money = 300 + skill[:, None, None, None, None]
    money = money + rng.normal(0, 10, (1, d, 1, 1, 1)) + rng.normal(0, 40, (1, d, n, 1, 1))
    money = money + rng.normal(0, 20, (s, d, n, m, 1)) + rng.normal(0, 15, (s, d, n, m, k))
    found = studies.variance_components(money, seats)
    np.testing.assert_allclose(found, truth, rtol=0.12, atol=25)


def test_the_seat_is_told_from_the_hand():
    rng = np.random.default_rng(3)
    seats = np.array([rng.permutation(4) for _ in range(2000)])
    money = 10.0 * seats[None, :, :, None, None] + rng.normal(0, 5, (2, 2000, 4, 2, 2))
    _, _, seat, hand, _, dice = studies.variance_components(money, seats)
    assert seat == pytest.approx(np.var([0, 10, 20, 30], ddof=1), rel=0.02)
    assert abs(hand) < 1
    assert dice == pytest.approx(25, rel=0.1)


def test_seat_of_the_focal_player_is_where_the_game_puts_him():
    players = load_players(FIELD)
    n = RULES.players
    money, seats = np.zeros((5, n, 1, 1)), np.zeros((5, n), np.int64)
    work = games_of(RULES, 1)
    assert studies.study_luck(work, acts_of(players), params_of(players, RULES), 0, 1, 1, 0, np.uint64(1), money, seats)
    for deal in range(5):
        for rotation in range(n):
            record = play_record(RULES, players, [0] + [1] * (n - 1), 1, deal * n + rotation)
            place = (record["players"].index(players[0].name) - record["first_seat"]) % n
            assert seats[deal, rotation] == place


def test_shares_of_luck_find_strategy_and_dice():
    frame = studies.luck_table(load_players(FIELD), RULES, n_deals=60)
    assert list(frame["source"]) == list(studies.LUCK_SOURCES)
    assert frame["share"].sum() == pytest.approx(1)
    shares = frame.set_index("source")["share"]
    assert shares["strategy"] > 0.1
    assert shares["dice"] > 0.01  # `random` throws them


def run(*args):
    return CliRunner().invoke(app, args, env={"COLUMNS": "120", "NO_COLOR": "1"})


@pytest.mark.parametrize("study", ["endings", "auctions"])
def test_study_command_prints_one_object(study):
    done = run(study, "half_value", "random", "--games", "16", "--repeats", "1", "--json")
    assert done.exit_code == 0, done.stderr
    result = json.loads(done.stdout)
    assert (result["study"], result["games"], result["strategies"]) == (study, 16, ["half_value", "random"])
    assert result["moments"] == result[f"{study}_causal"][0]["moments"]


def test_study_of_a_run_is_added_to_its_report(tmp_path):
    folder = str(tmp_path / "run")
    assert run("tournament", *FIELD, "--games", "400", "--output", folder, "--no-report").exit_code == 0
    done = run("endings", "--run", folder, "--games", "80", "--repeats", "1")
    assert done.exit_code == 0, done.stderr
    page = (tmp_path / "run" / "report.html").read_text()
    assert "Measured: ending the round where one could also play on brings" in page


def test_strategies_and_run_together_are_refused(tmp_path):
    done = run("endings", "random", "--run", str(tmp_path))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "give strategies or --run, not both" in done.stderr
