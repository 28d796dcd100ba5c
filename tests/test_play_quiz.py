"""The quiz: positions, answers, costs and the score."""

import io
import json

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner

from modernart.analysis.play.quiz import Score, choose, cost_of, hold_quiz, is_amount, load_positions, read_answer
from modernart.analysis.play.quiz_making import FOLK, answer_of
from modernart.analysis.play.session import Seat, Session
from modernart.command_line import app
from modernart.simulator.decisions import Phase
from modernart.simulator.errors import UsageError
from modernart.simulator.rules import load_edition
from modernart.strategies.specs import load_players

POSITIONS = load_positions()


def amounts(*answers, best=1, decision="SEALED"):
    options = [{"answer": a, "money": 10.0 - a, "win": 0.5, "is_as_good": k == best} for k, a in enumerate(answers)]
    return {
        "options": options,
        "best": best,
        "table": {"money": [50, 9], "bid": 3},
        "seat": 0,
        "decision": decision,
    }


def test_shipped_positions_hide_what_the_seat_does_not_know():
    assert len(POSITIONS) >= 10
    for position in POSITIONS:
        seat = position["seat"]
        assert [other for other, hand in enumerate(position["table"]["hands"]) if hand is not None] == [seat]
        assert not any("would go to" in line for line in position["story"] if not line.startswith("You "))
        assert position["game"]["names"] == ["seat 0", "seat 1", "seat 2", "seat 3"]


def test_shipped_positions_are_clear_and_most_rules_of_thumb_go_wrong_in_them():
    for position in POSITIONS:
        assert position["options"][position["best"]]["is_as_good"]
        assert len(position["folk"]) == len(FOLK)
        wrong = [rule for rule in position["folk"] if not cost_of(position, rule["option"])[0]]
        assert len(wrong) > 0.5 * len(FOLK)
        assert sum(option["is_as_good"] for option in position["options"]) <= 0.75 * len(position["options"])
    assert len({position["decision"] for position in POSITIONS}) >= 3


@pytest.mark.parametrize(
    ("typed", "option"),
    [("0", 0), ("13", 1), ("20", 2), ("50", 2), ("51", None), ("x", None), ("-1", None), ("²", None)],
)
def test_an_amount_stands_for_the_nearest_that_was_tried(typed, option):
    assert read_answer(amounts(0, 12, 24), typed) == option


def test_a_bid_must_beat_the_last():
    position = amounts(0, 12, 24, decision="BID")
    assert [read_answer(position, typed) for typed in ("0", "3", "4")] == [0, None, 0]
    assert read_answer(amounts(0, 12, 24), "3") == 0


def test_other_answers_go_by_their_number():
    position = amounts(0, 12)
    position["options"] = [{"answer": "KR-S"}, {"answer": "LM-O"}]
    assert not is_amount(position)
    assert [read_answer(position, typed) for typed in ("0", "1", "2", "3")] == [None, 0, 1, None]


def test_cost_is_the_difference_to_the_best_and_none_where_it_cannot_be_told():
    position = amounts(0, 5, 9)
    position["options"][1]["money"], position["options"][1]["win"] = 20.0, 0.6
    assert cost_of(position, 1) == (True, 0.0, 0.0)
    right, money, win = cost_of(position, 2)
    assert (right, money) == (False, 19.0)
    assert win == pytest.approx(0.1)


def test_the_score_is_kept_and_damage_is_told(tmp_path):
    score = Score(tmp_path / "data" / "quiz.json")
    assert score.text == "No question answered so far."
    score.note("3", True, 0.0)
    score.note("4", False, 9.0)
    again = Score(score.path)
    assert (again.asked, again.right, again.money) == (["3", "4"], 1, 9.0)
    assert again.text == "1 of 2 right; answers cost 4.5 money each."
    score.path.write_text('{"asked": 3}')
    with pytest.raises(UsageError, match="damaged; delete the file"):
        Score(score.path)


def test_questions_not_asked_yet_come_first(tmp_path):
    score = Score(tmp_path / "quiz.json")
    score.asked = ["0", "2", "3"]
    assert choose([{}] * 5, score, 2, seed=1) in ([1, 4], [4, 1])


@pytest.mark.parametrize("width", [40, 100])
def test_a_quiz_asks_tells_the_cost_and_counts(tmp_path, width):
    file = io.StringIO()
    console = Console(file=file, width=width, highlight=False)
    answers = iter(["nonsense", None, "q"])
    score = Score(tmp_path / "quiz.json")

    def read(prompt):
        file.write(prompt)
        typed = next(answers)
        return typed or ("1" if "[1-" in prompt else "0")

    hold_quiz(POSITIONS, score, 3, console, read, seed=1)
    text = file.getvalue()
    assert len(score.asked) == 1
    assert "That is no answer here" in text
    assert "Best: " in text
    assert " ".join(text.split()).endswith("money each.")


def test_a_bidders_answer_is_the_one_it_gives_in_the_game_and_leaves_it_alone():
    rules = load_edition("classic").rules(3)
    session = Session(rules, [Seat("half_value", "half_value")] * 3, 5)
    (player,) = load_players(["half_value"])
    phases = set()
    while not session.is_over:
        before = session.interpreter.games.copy()
        told = answer_of(session.interpreter, player)
        assert np.array_equal(session.interpreter.games, before)
        game = session.interpreter.game
        seat, phase = int(game.table.seat), Phase(int(game.table.phase))
        hand = [int(card) for card in game.hands[seat].cards]
        session.step()
        answer = session.answers[-1]
        is_card = phase in (Phase.CARD, Phase.PAIR, Phase.JOIN) and answer >= 0
        assert told == (hand[answer] if is_card else answer)
        phases.add(phase)
    assert {Phase.CARD, Phase.LIMIT, Phase.SEALED} <= phases


def run(*arguments, code=0, **options):
    done = CliRunner().invoke(app, list(map(str, arguments)), **options)
    assert done.exit_code == code, done.output
    return done


def test_quiz_over_a_pipe(tmp_path):
    done = run("quiz", "--score", tmp_path / "s.json", "--questions", 2, "--seed", 1, input="0\n1\n" * 4)
    assert "of 2 right" in done.stdout
    assert len(json.loads((tmp_path / "s.json").read_text())["asked"]) == 2


def test_what_is_no_quiz_is_refused(tmp_path):
    for text, message in (("{}", "is no quiz"), ("[", "not JSON"), ('{"format": "modern-art-quiz"}', "is no quiz")):
        (tmp_path / "x.json").write_text(text)
        assert message in run("quiz", "--file", tmp_path / "x.json", code=2).stderr
