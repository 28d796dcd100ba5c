"""Counterfactual playouts: copies play on as the game itself would, decision points and lots are those of records."""

import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from modernart.analysis.counterfactual import endings, regret
from modernart.analysis.counterfactual.auctions import auction_points, auctions_effect, left_out_table, sale_outcomes
from modernart.analysis.counterfactual.luck import LUCK_SOURCES, luck_table, variance_components
from modernart.analysis.counterfactual.points import DecisionPoints, by_deal, repeats_note
from modernart.analysis.counterfactual.starts import start_effects, start_points
from modernart.command_line import app
from modernart.simulator import forks
from modernart.simulator.cards import AuctionKind
from modernart.simulator.copying import copy_game
from modernart.simulator.decisions import Phase, kind_of
from modernart.simulator.errors import RunError
from modernart.simulator.fork_runs import Forks
from modernart.simulator.game import apply, new_deal, new_game
from modernart.simulator.game_logs import log_games
from modernart.simulator.games import records_of_run
from modernart.simulator.interpreter import play_record
from modernart.simulator.jit import call_act, kernel
from modernart.simulator.nested_games import nested_money
from modernart.simulator.players import acts_of, params_of
from modernart.simulator.rules import load_edition
from modernart.simulator.setup import games_of
from modernart.simulator.shown_hands import score_shown
from modernart.simulator.simulate import score
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
    game = games[0]
    for seat in range(4):
        game.acts[seat] = acts_of(players)[seat]
        game.hands[seat].params[:] = params_of(players, RULES)[seat]
    new_deal(game, np.uint64(3), 0)
    new_game(game, 0)
    for _ in range(n_steps):
        step(game)
    return games


@pytest.mark.parametrize("n_steps", [0, 17, 60, 111])
def test_a_copy_plays_on_as_the_game_itself_does(n_steps):
    games = started(n_steps)
    seat = int(games[0].table.seat)
    action = answer(games[0])
    copy_game(games[1], games[0])
    result = np.zeros(forks.ENDED + 1, np.int64)
    assert forks.play_out(games, action, 0, result)
    assert apply(games[0], action)
    while games[0].table.phase != Phase.OVER:
        step(games[0])
    expected = [int(games[0].table.money[(seat + k) % 4]) for k in range(4)]
    assert result[0:8:2].tolist() == expected
    assert result[1:8:2].sum() == 840


def test_other_random_streams_leave_the_cards_alone_and_change_the_game():
    games = started(0)
    deck = games[0].deck.copy()
    key = int(games[0].key)
    rng = [int(hand.rng) for hand in games[0].hands[:4]]
    forks.rekey(games[0], 0)
    assert (int(games[0].key), [int(hand.rng) for hand in games[0].hands[:4]]) == (key, rng)
    forks.rekey(games[0], 1)
    assert int(games[0].key) != key
    assert all(a != int(hand.rng) for a, hand in zip(rng, games[0].hands[:4], strict=True))
    np.testing.assert_array_equal(games[0].deck, deck)


def decisions_in(record):
    """Decision points of a record by card; and of declined additions that could end, whether a join ended the lot."""
    n = 0
    ended_anyway = []
    hands = [[] for _ in range(4)]
    for part in record["rounds"]:
        for hand, dealt in zip(hands, part["dealt"], strict=True):
            hand += dealt
        out, lot = {}, ""
        events = part["events"]
        for i, event in enumerate(events):
            if event["e"] == "decline" and out[lot[:2]] == 4:
                rest = [later["e"] for later in events[i + 1 :] if later["e"] in ("join", "sale", "play")]
                ended_anyway.append(rest[:1] == ["join"])
            if event["e"] not in ("play", "pair", "join"):
                continue
            lot = event["card"]
            hand = hands[event["seat"]]
            ending = [card for card in hand if out.get(card[:2], 0) == 4]
            if event["e"] == "play" and 0 < len(ending) < len(hand):
                n += 1
            hand.remove(lot)
            out[lot[:2]] = out.get(lot[:2], 0) + 1
    return n, ended_anyway


def test_decision_points_are_those_of_the_records():
    players = load_players(FIELD)
    found = endings.ending_points(players, RULES, 400, seed=5, repeats=1, threads=1)
    expected = [decisions_in(record) for record in records_of_run(players, RULES, 5, 0, 400)]
    assert (found.frame["case"] == 1).sum() == sum(n for n, _ in expected)
    assert found.n_games == 400
    # Playing on is what the game itself did where a double was declined.
    declined = ((found.frame["case"] > 1) & (found.frame["chosen"] == 0)).to_numpy()
    flags = [flag for _, part in expected for flag in part]
    assert endings.ended_anyway(found)[declined].astype(bool).tolist() == flags
    assert 0 < sum(flags) < len(flags)


def test_ending_always_ends_the_round_with_that_lot():
    found = endings.ending_points(load_players(FIELD), RULES, 80, repeats=1, threads=1)
    assert (found.means[:, 0, forks.ENDED] == 1).all()


def test_threads_change_no_number():
    players = load_players(FIELD)
    one = endings.ending_points(players, RULES, 160, repeats=2, threads=1)
    two = endings.ending_points(players, RULES, 160, repeats=2, threads=2)
    np.testing.assert_array_equal(one.forks.facts, two.forks.facts)
    np.testing.assert_array_equal(one.forks.outcomes, two.forks.outcomes)


def test_ending_and_playing_on_share_one_win_between_all_seats():
    found = endings.ending_points(load_players(FIELD), RULES, 80, repeats=2, threads=1)
    wins = endings.differences(found)[..., 1]
    np.testing.assert_allclose(wins.sum(axis=1), 0, atol=1e-12)
    assert np.abs(wins).max() > 0


def test_repeats_that_change_nothing_are_said():
    fixed = load_players(["half_value", "full_value"])
    still = endings.ending_points(fixed, RULES, 16, repeats=2, threads=1)
    assert still.share_moved_by_repeats == 0
    assert "use --repeats 1" in repeats_note(still)
    moving = endings.ending_points(load_players(FIELD), RULES, 16, repeats=2, threads=1)
    assert moving.share_moved_by_repeats > 0.9
    assert "use --repeats" not in repeats_note(moving)


def test_effects_of_all_points_are_those_of_ending_and_of_playing_on_together():
    found = endings.ending_points(load_players(FIELD), RULES, 80, repeats=1, threads=1)
    entries = endings.effects(found)
    assert [entry["strategy"] for entry in entries[::3]] == [None, *FIELD]
    for every, own, other in zip(entries[::3], entries[1::3], entries[2::3], strict=True):
        assert [entry["points"] for entry in (every, own, other)] == ["all", "own_choice", "played_on"]
        assert every["n"] == own["n"] + other["n"]
        parts = sum(entry["n"] * (entry["money"] or 0) for entry in (own, other))
        assert every["money"] == pytest.approx(parts / every["n"])
    assert sum(entry["n"] for entry in entries[3::3]) == entries[0]["n"] == len(found.frame)


def test_lots_are_those_of_the_record_and_left_out_ones_are_counted():
    players = load_players(FIELD)
    found = auction_points(players, RULES, 40, seed=2, repeats=1, threads=1)
    lots, left = [], dict.fromkeys(("ending", "last", "joined", "lone", "no copy"), 0)
    for record in records_of_run(players, RULES, 2, 0, 40):
        put_up = {}
        in_hands = 0
        for part in record["rounds"]:
            out, last, why = {}, None, None
            in_hands += sum(len(dealt) for dealt in part["dealt"])
            for event in part["events"]:
                if event["e"] in ("play", "pair", "join"):
                    artist = event["card"][:2]
                    kinds = [f"{artist}-{kind}" for kind in "ORSF" if f"{artist}-{kind}" != event["card"]]
                    copies = record["rules"]["deck"]
                    why = None
                    if out.get(artist, 0) == 4:
                        why = "ending"
                    elif in_hands == 1:
                        why = "last"
                    elif event["e"] == "join":
                        why = "joined"
                    elif not event["card"].endswith("-D") and any(copies[k] <= put_up.get(k, 0) for k in kinds):
                        why = "no copy"
                    if why:
                        left[why] += 1
                    last = event
                    in_hands -= 1
                    put_up[event["card"]] = put_up.get(event["card"], 0) + 1
                    out[artist] = out.get(artist, 0) + 1
                if event["e"] == "sale":
                    if last["card"].endswith("-D"):
                        left["lone"] += 1
                    elif why is None:
                        own = event["seller"] == event["buyer"]
                        lots.append((event["price"], 0 if own else event["price"]))
    rows, kinds = np.arange(len(found.frame)), found.frame["kind"].to_numpy()
    outcomes = sale_outcomes(found)
    both = np.stack([outcomes[name][rows, kinds] for name in ("price", "revenue")], axis=1)
    got = [(int(price), int(revenue)) for price, revenue in both]
    assert got == lots
    assert left_out_table(found)["lots"].tolist() == [len(lots), *[left[k] for k in list(left)[:4]], 0, left["no copy"]]


def without(kinds):
    """Rules of a deck that lacks kinds of auction."""
    left = [f'"{card}" = {copies}' for card, copies in RULES.deck.items() if card[-1] not in kinds]
    return load_edition("classic", {"deck": f"{{{', '.join(left)}}}", "deal": "[6, 4]"}).rules(4)


def test_lots_are_sold_by_the_kinds_in_the_deck_alone():
    found = auction_points(load_players(FIELD), without("F"), 40, repeats=1, threads=1)
    table = auctions_effect(found)
    assert table["kind"].tolist() == ["open", "once around", "sealed"]
    assert (table["moments"] == len(found.frame)).all()
    assert len(found.frame) > 20
    with pytest.raises(RunError, match="which this deck lacks: choose another edition"):
        auction_points(load_players(FIELD), without("O"), 4)


def cards_of(game):
    """All cards that nobody has seen put up, sorted."""
    hands = [card for hand in game.hands[:4] for card in hand.cards[: hand.n_cards]]
    return sorted([*hands, *game.deck[game.deck_position : game.table.rules.n_deck]])


def test_exchanged_card_leaves_every_card_in_one_place():
    games = started(40)
    game = games[0]
    while game.table.phase != Phase.CARD:
        step(game)
    before = cards_of(game)
    n_exchanged = 0
    for slot in range(game.hands[game.table.seat].n_cards):
        for kind in range(4):
            copy_game(games[1], games[0])
            card = int(game.hands[game.table.seat].cards[slot])
            if kind_of(card) < 4 and forks.exchange(games[1], slot, forks.of_kind(card, kind)):
                n_exchanged += 1
                assert kind_of(int(games[1].hands[game.table.seat].cards[slot])) == kind
                assert cards_of(games[1]) == before
    assert n_exchanged > 10


def test_round_started_by_its_starter_is_the_game_itself():
    players = load_players(FIELD)
    found = start_points(players, RULES, 8, seed=3, threads=1)
    records = list(records_of_run(players, RULES, 3, 0, 8))
    first = found.frame.index[found.frame["round"] == 1]
    for row, record in zip(first, records, strict=True):
        start = record["first_seat"]
        assert found.forks.outcomes[row, 0, start, :8:2].tolist() == record["money"]
    assert set(start_effects(found)) == {"money", "win"}


def test_logs_hold_the_games_of_the_records():
    players = load_players(FIELD)
    logs = log_games(players, RULES, 8, seed=3)
    for game, record in enumerate(records_of_run(players, RULES, 3, 0, 8)):
        assert logs.money[game].tolist() == record["money"]
        assert logs.first_seat[game] == record["first_seat"]
        sales = [event for part in record["rounds"] for event in part["events"] if event["e"] == "sale"]
        kept = logs.sales[game, : logs.n_sales[game]]
        assert kept["price"].tolist() == [sale["price"] for sale in sales]
        assert kept["buyer"].tolist() == [sale["buyer"] for sale in sales]
        assert np.flatnonzero(logs.win_share[game]).tolist() == record["winners"]
    assert logs.deals.tolist() == [0] * 4 + [1] * 4


def test_who_is_not_shown_a_hand_plays_as_ever():
    players = load_players(FIELD)
    line_ups = np.array([[0, 1, 2, 3], [3, 1, 0, 2]])
    usual = score(players, RULES, line_ups, 0, 2, seed=6, threads=1)
    wins, money = score_shown(players, RULES, line_ups, watcher=0, shown=1, seed=6)
    np.testing.assert_array_equal(money, usual.money)
    np.testing.assert_array_equal(wins, usual.win_share)


def made_up(strategy_ends, effect, holding, deals):
    """Decision points of one strategy whose ending brings `effect` money."""
    n = len(effect)
    facts = np.zeros((n, forks.N_FACTS), np.int64)
    facts[:, forks.DEAL] = deals
    facts[:, forks.ROUND] = 1
    facts[:, forks.CASE] = 1
    facts[:, forks.HOLDING] = holding
    facts[:, forks.CHOSEN] = strategy_ends
    outcomes = np.zeros((n, 1, 2, forks.ENDED + 1), np.int64)
    outcomes[:, 0, 0, 0] = effect
    counts = np.zeros(forks.N_COUNTS, np.int64)
    return DecisionPoints(("one",), Forks(facts, outcomes, counts, np.zeros((max(deals) + 1, 4), np.int64)))


def test_regret_is_what_the_wrong_situations_lose_a_game():
    # A thousand deals, one decision a deal. Ending costs 10 without paintings and gains 10 with two; it always ends.
    n = 1000
    holding = np.arange(n) // 2 % 2 * 2
    points = made_up(1, np.where(holding == 2, 10, -10), holding, np.arange(n))
    table = regret.ending_regret(points).set_index("mistake")
    # 500 decisions at 10, over 1,000 deals of four games and four seats of the strategy.
    assert table["money"].to_dict() == pytest.approx({"ends": 5000 / 16000, "plays on": 0.0, "both": 5000 / 16000})
    assert table["switched"].to_dict() == pytest.approx({"ends": 0.5, "plays on": 0.0, "both": 0.5})
    # Playing on always, it loses the other half.
    table = regret.ending_regret(made_up(0, np.where(holding == 2, 10, -10), holding, np.arange(n)))
    assert table.set_index("mistake")["money"].to_dict() == pytest.approx(
        {"ends": 0.0, "plays on": 5000 / 16000, "both": 5000 / 16000}
    )


def test_regret_is_free_of_the_winners_curse():
    # Effects are pure noise: to choose and to judge on the same playouts finds a mistake at every decision.
    rng = np.random.default_rng(1)
    judged_apart = []
    for _ in range(60):
        points = made_up(0, rng.normal(0, 50, 400).round(), rng.integers(0, 4, 400), np.arange(400) // 2)
        table = regret.ending_regret(points).set_index("mistake")
        judged_apart.append(table.loc["both", "money"] * 200 * 16 / 400)
        assert 15 < regret.chosen_and_judged_together(points) < 25  # sd / sqrt(2 pi) = 20
    mean = np.mean(judged_apart)
    assert abs(mean) < 3 * np.std(judged_apart) / np.sqrt(60) + 0.3


def test_kinds_cost_only_where_another_kind_is_held():
    n = 200
    facts = np.zeros((n, forks.N_FACTS), np.int64)
    facts[:, forks.DEAL] = np.arange(n)
    facts[:, forks.KINDS] = np.where(np.arange(n) // 2 % 2 == 0, 0b0001, 0b0101)  # open alone; open and sealed
    outcomes = np.zeros((n, 1, forks.N_KINDS, forks.OTHERS + 1), np.int64)
    outcomes[:, 0, AuctionKind.ONCE_AROUND, forks.MONEY] = 50
    outcomes[:, 0, AuctionKind.SEALED, forks.MONEY] = 8
    found = Forks(facts, outcomes, np.zeros(forks.N_COUNTS, np.int64), np.zeros((n, 4), np.int64))
    table = regret.kind_regret(DecisionPoints(("one",), found)).set_index("mistake")
    # Once around would bring 50, but nobody holds such a card; sealed brings 8 at each of 100 lots.
    assert table.loc["any kind", "money"] == pytest.approx(100 * 8 / (n * 16))
    assert table.loc["any kind", "moments"] == 100


def test_intervals_by_deal_cover_as_often_as_they_say():
    rng = np.random.default_rng(7)
    n_deals, covered, runs = 40, 0, 600
    for _ in range(runs):
        sizes = rng.integers(1, 12, n_deals)  # long rounds give a deal more decision points
        deals = np.repeat(np.arange(n_deals), sizes)
        luck = rng.normal(0, 20, n_deals)[deals]
        estimate = by_deal(deals, 5.0 + luck + rng.normal(0, 30, len(deals)))
        covered += estimate.low <= 5.0 <= estimate.high
    assert 0.925 < covered / runs < 0.97


def test_components_are_found_in_made_up_money():
    rng = np.random.default_rng(2)
    s, d, n, m, k = 4, 1500, 4, 3, 2
    truth = np.array([900.0, 400.0, 0.0, 1600.0, 100.0, 225.0])
    seats = np.array([rng.permutation(n) for _ in range(d)])
    skill = np.array([-1, -1, 1, 1]) * np.sqrt(900 * 3 / 4)
    money = 300 + skill[:, None, None, None, None]
    money = money + rng.normal(0, 10, (1, d, 1, 1, 1)) + rng.normal(0, 40, (1, d, n, 1, 1))
    money = money + rng.normal(0, 20, (s, d, n, m, 1)) + rng.normal(0, 15, (s, d, n, m, k))
    found = variance_components(money, seats)
    np.testing.assert_allclose(found, truth, rtol=0.12, atol=25)


def test_the_seat_is_told_from_the_hand():
    rng = np.random.default_rng(3)
    seats = np.array([rng.permutation(4) for _ in range(2000)])
    money = 10.0 * seats[None, :, :, None, None] + rng.normal(0, 5, (2, 2000, 4, 2, 2))
    _, _, seat, hand, _, chance = variance_components(money, seats)
    assert seat == pytest.approx(np.var([0, 10, 20, 30], ddof=1), rel=0.02)
    assert abs(hand) < 1
    assert chance == pytest.approx(25, rel=0.1)


def test_seat_of_the_focal_player_is_where_the_game_puts_them():
    players = load_players(FIELD)
    n = RULES.players
    _, seats = nested_money(players, RULES, n_deals=5, n_mates=1, n_repeats=1, seed=1)
    for deal in range(5):
        for rotation in range(n):
            record = play_record(RULES, players, [0] + [1] * (n - 1), 1, deal * n + rotation)
            place = (record["players"].index(players[0].name) - record["first_seat"]) % n
            assert seats[deal, rotation] == place


def test_shares_of_luck_find_strategy_and_chance():
    frame = luck_table(load_players(FIELD), RULES, n_deals=60)
    assert list(frame["source"]) == list(LUCK_SOURCES)
    assert frame["share"].sum() == pytest.approx(1)
    shares = frame.set_index("source")["share"]
    assert shares["strategy"] > 0.1
    assert shares["dice"] > 0.01  # `random` draws its answers


def test_lot_that_may_become_a_pair_of_one_kind_is_counted_once_and_sold_by_every_kind():
    rules = load_edition("classic", {"pairing": "same_kind"}).rules(4)
    players = load_players(FIELD)
    found = auction_points(players, rules, 40, seed=2, repeats=1, threads=1)
    events = [e for r in records_of_run(players, rules, 2, 0, 40) for part in r["rounds"] for e in part["events"]]
    assert sum(e["e"] == "pair" for e in events) > 40
    assert left_out_table(found)["lots"].sum() == sum(e["e"] == "play" for e in events)
    assert found.frame["case"].isin([0, 1]).all()
    prices = {e["price"] for e in events if e["e"] == "sale"}
    rows, kinds = np.arange(len(found.frame)), found.frame["kind"].to_numpy()
    assert {int(price) for price in sale_outcomes(found)["price"][rows, kinds]} <= prices


def test_choice_to_end_a_round_by_a_pair_of_one_kind_is_played_on_both_ways():
    rules = load_edition("classic", {"pairing": "same_kind", "end_count": "3"}).rules(4)
    found = endings.ending_points(load_players(FIELD), rules, 80, seed=2, repeats=1, threads=1)
    assert (found.frame["case"] == forks.BY_PAIR).sum() > 10
    assert (found.means[:, 0, forks.ENDED] == 1).all()
    # Without the second card a single one is sold and the round goes on; a double may still be joined.
    assert 0.3 < found.means[found.frame["case"] == forks.BY_PAIR, 1, forks.ENDED].mean() < 0.9


def run(*args):
    return CliRunner().invoke(app, args, env={"COLUMNS": "120", "NO_COLOR": "1"})


@pytest.mark.parametrize("study", ["endings", "auctions"])
def test_study_command_prints_one_object(study):
    done = run(study, "half_value", "random", "--games", "16", "--repeats", "1", "--json")
    assert done.exit_code == 0, done.stderr
    result = json.loads(done.stdout)
    assert (result["study"], result["games"], result["strategies"]) == (study, 16, ["half_value", "random"])
    assert result["moments"] == result[f"{study}_causal"][0]["moments"]
    assert {row["strategy"] for row in result[f"{study}_cost"]} == {"half_value", "random"}


def test_endings_command_keeps_the_contract_of_effects():
    result = json.loads(run("endings", "half_value", "random", "--games", "80", "--repeats", "1", "--json").stdout)
    keys = {"strategy", "points", "money", "money_ci", "relative", "relative_ci", "win", "win_ci", "n"}
    assert all(keys <= set(entry) for entry in result["effects"])
    everybody = result["effects"][0]
    assert (everybody["strategy"], everybody["points"], everybody["n"]) == (None, "all", result["moments"])
    assert everybody["money_ci"][0] < everybody["money"] < everybody["money_ci"][1]


def test_study_says_what_the_repeats_add_and_which_lots_are_left_out():
    shown = run("auctions", "half_value", "full_value", "--games", "16").stdout.replace("\n", " ")
    assert "Left out: ending card" in shown
    assert "2 repeats are all alike" in shown
    assert "What it costs them" in shown


def test_no_lot_with_all_kinds_is_one_sentence():
    done = run("auctions", "half_value", "--edition", "sotheby", "--games", "4", "--repeats", "1")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "these games have no decision with an unseen card of every other kind to exchange it for" in done.stderr


def test_study_of_a_run_is_added_to_its_report(tmp_path):
    folder = str(tmp_path / "run")
    assert run("tournament", *FIELD, "--games", "400", "--output", folder, "--no-report").exit_code == 0
    done = run("endings", "--run", folder, "--games", "80", "--repeats", "1")
    assert done.exit_code == 0, done.stderr
    page = (tmp_path / "run" / "report.html").read_text()
    assert "Measured effect: ending the round, against playing on, where the player played on:" in page
    kept = pd.read_parquet(tmp_path / "run" / "tables" / "endings_cost.parquet")
    assert set(kept["strategy"]) == set(FIELD)


def test_strategies_and_run_together_are_refused(tmp_path):
    done = run("endings", "random", "--run", str(tmp_path))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "give strategies or --run, not both" in done.stderr
