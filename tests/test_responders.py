"""Responses by search to a table of copies: `exploit --responder search`."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from modernart.analysis.comparing.responders import kinds_of, searching_response, split_counts
from modernart.command_line import app
from modernart.simulator.errors import UsageError
from modernart.strategies.learning.weights_file import read_weights
from modernart.strategies.specs import load_strategy


def test_kinds_come_in_their_usual_order_and_others_are_refused():
    assert kinds_of("search, family") == ["family", "search"]
    with pytest.raises(UsageError, match='family, learned, search, or several with commas, got "serach"'):
        kinds_of("serach")


def test_rollouts_are_whole_numbers():
    assert split_counts("4,16, 64") == [4, 16, 64]
    with pytest.raises(UsageError, match="--rollouts takes whole numbers from 1 on"):
        split_counts("")
    for wrong in ("4,x", "0", "-1"):
        with pytest.raises(UsageError, match="each number of --rollouts must be a whole number from 1 to 1000000, got"):
            split_counts(wrong)


def test_a_searching_response_takes_every_rival_for_a_copy_and_its_spec_brings_it_back():
    response = searching_response("half_value(shade=0.4)", 4)
    assert response.spec == "planner@half_value(shade=0.4)(rollouts=4, read=0)"
    again = load_strategy(response.spec)
    assert (again.base, again.vector) == ("half_value(shade=0.4)", response.vector)
    # Without parameters of its own, empty brackets keep those of the base apart.
    plain = load_strategy("planner@half_value(shade=0.4)()")
    assert (plain.base, plain.values, plain.spec) == ("half_value(shade=0.4)", {}, "planner@half_value(shade=0.4)()")


def test_exploit_tells_how_far_search_beats_copies_by_playouts():
    words = ["exploit", "half_value", "--responder", "search", "--rollouts", "1,4", "--games", "40", "--threads", "1"]
    done = CliRunner().invoke(app, [*words, "--json"])
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert data["strategy"] == "half_value"
    assert data["fair_share"] == 0.25
    assert data["bound"].startswith("a lower bound")
    kinds = [(found["kind"], found["rollouts"], found["games"]) for found in data["responders"]]
    assert kinds == [("search", 1, 40), ("search", 4, 40)]
    # Measured: 93 and 97 %.
    for found in data["responders"]:
        assert found["ci"][0] <= found["win_share"] <= found["ci"][1]
        assert found["win_share"] > 0.7


def test_fictitious_play_trains_each_response_against_all_before_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["exploit", "half_value", "--responder", "learned", "--iterate", "2", "--minutes", "0", "--games", "60"]
    words += ["--players", "3", "--rule", "deal=[3,2]", "--goal", "0", "--threads", "1", "--study", "play", "--json"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert data["bound"].startswith("a lower bound")
    rows = data["rounds"]
    assert [(row["round"], row["rivals"], row["games"]) for row in rows] == [(0, 1, 60), (1, 2, 60)]
    assert rows[0]["win_share"] == rows[0]["first_share"]
    assert rows[0]["gain"] == pytest.approx(rows[0]["win_share"] - 1 / 3)
    first, second = (tmp_path / "results/play" / f"round-{k}/state.npz" for k in (0, 1))
    with np.load(first) as one, np.load(second) as other:
        against = [json.loads(state["facts"].tobytes())["identity"]["against"] for state in (one, other)]
    assert against == [["half_value"], ["half_value", rows[0]["response"]]]
    command = read_weights(tmp_path / "results/play/round-0/learned.npz", "learned").facts["command"]
    assert "--responder learned --games 60 --minutes 0.0 --iterate 2 --goal 0.0 --rule" in command
    done = CliRunner().invoke(app, ["exploit", "half_value", "--responder", "learned,search", "--iterate", "2"])
    assert done.exit_code == 2
    assert "--iterate takes --responder family or learned" in done.output
