"""Looking back at a game: what decisions cost, and what luck gave."""

import json

import numpy as np
import pytest
from notes import notes_of
from typer.testing import CliRunner

from modernart.analysis.table.luck import (
    _played_from,
    _random_belief,
    deal_differences,
    deal_luck,
    relative_money,
    reliability,
    win_curve,
)
from modernart.analysis.table.positions import position_from_rounds
from modernart.analysis.table.review import _is_filled_in, chosen_apart, decisions_of, judge, marks_of, review_record
from modernart.analysis.table.review_page import mistake_lines, review_page, seat_rows
from modernart.analysis.table.sitting import Sitting
from modernart.analysis.table.sources import names_of, phase_of, position_at
from modernart.command_line import app
from modernart.simulator.decisions import Phase
from modernart.simulator.games import records_of_run
from modernart.simulator.rules import Rules, load_edition
from modernart.simulator.setup import games_of
from modernart.strategies.specs import load_players

#: Two rounds of a few cards: a game that takes a moment.
SHORT = load_edition("classic", {"deal": "[3, 2]"}).rules(3)
QUICK = ("fair_share",)


@pytest.fixture(scope="module")
def record():
    return next(records_of_run(load_players(["fair_share", "half_value", "full_value"]), SHORT, 2, 0, 1))


@pytest.fixture(scope="module")
def reviewed(record):
    return review_record(record, rivals="fair_share", rollouts=64, threads=1)


def overpaid():
    """A game of one round in which A pays 90 for a painting that can pay 30 at most."""
    rules = load_edition("classic", {"deal": "[2]"}).rules(3)
    sitting = Sitting(rules)
    for line in (
        "hand A LM-O YO-O",
        "hand B LM-S KR-S",
        "hand C CP-S KG-S",
        "B plays LM-S",
        "A 90, B 5, C 8",
        "C plays CP-S",
        "A 0, B 4, C 2",
        "A plays LM-O, sold C 3",
        "B plays KR-S",
        "A 1, B 2, C 3",
        "C plays KG-S",
        "A 1, B 2, C 3",
        "A plays YO-O",
    ):
        sitting.take(line)
    return sitting.record()


def test_paying_three_times_the_worth_is_a_mistake_and_marked():
    record = overpaid()
    judged = judge(record, (0, 1, 0), QUICK, 200, 1)
    assert (judged.kind, judged.answer) == ("sealed", 90)
    assert judged.is_mistake
    assert judged.money > 60  # At 30 it would have lost nothing to anybody.
    assert judged.best < 40
    found = review_record(record, rivals="fair_share", rollouts=64, threads=1)
    marks = marks_of(found)
    assert marks["1:2"][0]["seat"] == 0
    assert marks["1:2"][0]["text"].startswith("A: 90 (sealed) costs ")
    assert mistake_lines(found)[0].startswith("1:2 A: 90 (sealed) costs ")


def test_every_amount_of_a_sealed_auction_is_a_decision_and_a_sale_is_none(record):
    events = [event for told in record["rounds"] for event in told["events"]]
    n = sum(3 if event["e"] == "sealed" else event["e"] != "sale" for event in events)
    assert len(decisions_of(record)) == n


def test_best_option_is_chosen_by_the_scenes_that_do_not_judge_it():
    values = np.array([[0.0, 5], [0, 3], [4, 0], [2, 0]])
    assert chosen_apart(values, np.array([0, 2, 1, 3]), [0, 1]).tolist() == [0, 0, 1, 1]
    # Of noise alone nothing is gained on average; the best on the same scenes would gain 0.56 of a standard deviation.
    noise = np.random.default_rng(1).standard_normal((4000, 2))
    gains = [
        noise[k : k + 2][np.arange(2), chosen_apart(noise[k : k + 2], np.array([0, 1]), [0, 1])].mean()
        for k in range(0, 4000, 2)
    ]
    assert abs(np.mean(gains)) < 3 * np.std(gains) / np.sqrt(len(gains))
    assert noise.max(axis=1).mean() > 0.5


def test_result_is_what_was_expected_and_luck_less_what_was_given_away(reviewed):
    for seat in range(3):
        parts = reviewed.before[seat] + reviewed.luck(seat) - reviewed.given_away(seat)
        assert parts == pytest.approx(reviewed.final[seat])
    assert reviewed.final.sum() == pytest.approx(0)
    assert reviewed.deal.sum() == pytest.approx(0)


def test_win_chances_end_with_the_winners(record, reviewed):
    plays = sum(event["e"] == "play" for told in record["rounds"] for event in told["events"])
    assert reviewed.curve.chances.shape == (plays + 1, 3)
    assert reviewed.curve.chances.sum(axis=1) == pytest.approx(1)
    winners = [1 / len(record["winners"]) if seat in record["winners"] else 0 for seat in range(3)]
    assert reviewed.curve.chances[-1].tolist() == winners


def test_deals_that_might_have_been_keep_the_cards_held_and_draw_the_new_ones(record):
    """Before the second round the hands are as they were; what is dealt then varies, and no card comes twice."""
    rounds = [{"dealt": told["dealt"], "events": told["events"]} for told in record["rounds"]]
    seat = record["rounds"][1]["events"][0]["seat"]
    position = position_from_rounds(SHORT, record["first_seat"], rounds[:1], seat, Phase.CARD, sees_all=True)
    belief = _random_belief(position, QUICK, 20, 1)
    games = games_of(SHORT, 20)
    belief.make(games, *belief.spread(20)[:2])
    put_up = [e["card"] for e in rounds[0]["events"] if e["e"] in ("play", "pair", "join")]
    hands = set()
    for game in games:
        assert int(game.table.round_index) == 1
        held = [int(code) for s in range(3) for code in game.hands[s].cards[: game.hands[s].n_cards]]
        rest = [int(code) for code in game.deck[int(game.deck_position) :][: 70 - len(held) - len(put_up)]]
        gone = [code for code in range(320) for _ in range(int(game.table.seen[code]))]
        assert sorted(held + rest + gone) == sorted(SHORT.card_codes())
        hands.add(tuple(sorted(held)))
        for s in range(3):
            left = list(rounds[0]["dealt"][s])
            for event in rounds[0]["events"]:
                if event["e"] in ("play", "pair", "join") and event["seat"] == s:
                    left.remove(event["card"])
            cards = [position.card(code) for code in game.hands[s].cards[: game.hands[s].n_cards]]
            assert not set(left) - set(cards)
            assert len(cards) == len(left) + 2
    assert len(hands) > 15


def test_measured_difference_of_a_deal_counts_by_how_little_of_it_is_noise(record):
    assert reliability(100, 1) == pytest.approx(100 * 0.14 / (100 * 0.14 + 2))
    assert 0 < reliability(24, 0) < reliability(400, 0) < reliability(400, 2) < 1
    assert reliability(24, 5) == reliability(24, 2)
    differences, before = deal_differences(record, QUICK, n=16, threads=1)
    luck, same = deal_luck(record, QUICK, n=16, threads=1)
    assert differences.shape == (2, 3)
    assert differences[1].any()
    assert luck == pytest.approx(reliability(16, 0) * differences[0] + reliability(16, 1) * differences[1])
    assert same.tolist() == before.tolist()


def test_deals_are_compared_with_the_same_players(record):
    """Line-ups and streams go by the seed; the cards that nobody knows are drawn for each position apart."""
    rounds = [{"dealt": told["dealt"], "events": told["events"]} for told in record["rounds"]]
    seat = record["rounds"][1]["events"][0]["seat"]
    before = position_from_rounds(SHORT, record["first_seat"], rounds[:1], seat, Phase.CARD, sees_all=True)
    rounds[1] = rounds[1] | {"events": []}
    after = position_from_rounds(SHORT, record["first_seat"], rounds[:2], seat, Phase.CARD, sees_all=True)
    one, other = (_random_belief(position, ("fair_share", "half_value"), 20, 1) for position in (before, after))
    assert one.players.tolist() == other.players.tolist()
    assert one.keys.tolist() == other.keys.tolist()
    assert len({tuple(row) for row in one.players[:, :3].tolist()}) > 4


def test_luck_is_not_told_where_hands_are_not_known(record):
    sitting = Sitting(SHORT)
    for line in notes_of(record, hands=[1]):
        sitting.take(line)
    blind = sitting.record()
    luck, before = deal_luck(blind, QUICK)
    assert np.isnan(luck).all()
    assert np.isnan(before).all()
    assert judge(blind, (0, 0, blind["rounds"][0]["events"][0]["seat"]), QUICK, 64, 1) is None or (
        blind["rounds"][0]["events"][0]["seat"] == 1
    )
    assert win_curve(blind, QUICK, n=8, threads=1).chances[-1].sum() == pytest.approx(1)


def test_seats_go_by_their_names_if_these_are_short(record):
    assert names_of(record | {"players": ["Ann", "Ben", "Cem"]}) == ("Ann", "Ben", "Cem")
    assert names_of(record | {"players": ["half_value", "half_value", "Cem"]}) == ("A", "B", "C")
    assert names_of(record | {"players": ["learned(open=0.06)", "x", "y"]}) == ("A", "B", "C")


def test_every_event_but_a_sale_names_a_decision(record):
    rules = Rules.from_record(record["rules"])
    for r, told in enumerate(record["rounds"]):
        for i, event in enumerate(told["events"]):
            phase = phase_of(rules, told["events"], i)
            assert (phase is None) == (event["e"] == "sale")
            if phase is not None:
                assert position_at(record, r, i).seat == event.get("seat", 0)


def test_json_has_the_keys_of_the_contract_and_pages_are_written(record, tmp_path):
    (tmp_path / "game.jsonl").write_text(json.dumps(record) + "\n")
    arguments = ["review", str(tmp_path / "game.jsonl"), "--rivals", "fair_share", "--rollouts", "64", "--json"]
    pages = ["--html", str(tmp_path / "review.html"), "--replay", str(tmp_path / "replay.html")]
    done = CliRunner().invoke(app, [*arguments, *pages])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert list(found) == ["seats", "decisions"]
    assert [list(seat) for seat in found["seats"]] == [["seat", "error_money", "error_win", "luck", "mistakes"]] * 3
    assert "http" not in (tmp_path / "review.html").read_text().replace("http-equiv", "")
    assert (tmp_path / "replay.html").stat().st_size > 10_000


def test_page_shows_each_seat_and_its_curve(reviewed):
    page = review_page(reviewed, "A <game>", "Three players.")
    assert "A &lt;game&gt;" in page
    assert page.count("<polyline") == 3
    assert [row[0] for row in seat_rows(reviewed)] == list(reviewed.names)


@pytest.mark.slow
def test_luck_of_the_deals_is_unbiased():
    """Over many games the deals give each line-up position nothing on average, and explain part of the spread."""
    rules = load_edition("classic").rules(4)
    field = load_players(["learned", "predictive", "half_value", "fair_share"])
    luck = np.array(
        [deal_luck(one, QUICK, n=24, seed=k)[0] for k, one in enumerate(records_of_run(field, rules, 3, 0, 200))]
    )
    z = luck.mean(axis=0) / (luck.std(axis=0) / np.sqrt(len(luck)))
    assert np.abs(z).max() < 3
    assert relative_money(_played_from(one_of(rules), rules, 0, False, QUICK, 16, 1, 1)).sum() == pytest.approx(0)


def one_of(rules):
    return next(records_of_run(load_players(["fair_share"]), rules, 1, 0, 1))


def test_limit_that_only_makes_a_sale_come_out_is_not_judged(record):
    sitting = Sitting(load_edition("classic", {"deal": "[2]"}).rules(3))
    for line in ("hand A LM-O YO-O", "B plays LM-O, sold A 9"):
        sitting.take(line)
    told = {"rounds": sitting.interpreter.rounds}
    limits = [(k, event["seat"]) for k, event in enumerate(told["rounds"][0]["events"]) if event["e"] == "limit"]
    assert {seat: _is_filled_in(told, (0, k, seat)) for k, seat in limits} == {2: True, 0: False, 1: True}
    known = [(k, event["seat"]) for k, event in enumerate(record["rounds"][0]["events"]) if event["e"] == "limit"]
    assert not any(_is_filled_in(record, (0, k, seat)) for k, seat in known)
