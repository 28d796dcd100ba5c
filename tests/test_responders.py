"""Responses by search to a table of copies: `exploit --responder search`."""

import json

import pytest
from typer.testing import CliRunner

from modernart.analysis.comparing.responders import kinds_of, searching_response, split_counts
from modernart.command_line import app
from modernart.simulator.errors import UsageError
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
