"""The tuned parameters that come with the program: what each file says, and that it plays as it says."""

import tomllib
from pathlib import Path

import pytest

import modernart.strategies.tuning.tuned_file as tuned_file
from modernart.simulator.errors import UsageError
from modernart.simulator.rules import load_edition
from modernart.simulator.simulate import score
from modernart.strategies.bidders.predictive import PARAMS
from modernart.strategies.specs import load_players, load_strategy

FOLDER = Path(tuned_file.__file__).parent / "tuned"


def test_the_shipped_files_are_those_of_classic():
    assert tuned_file.shipped_names() == ["classic-3", "classic-4", "classic-5"]


@pytest.mark.parametrize("name", ["classic-3", "classic-4", "classic-5"])
def test_a_shipped_file_tells_its_study_and_holds_all_parameters_within_bounds(name):
    data = tomllib.loads((FOLDER / f"{name}.toml").read_text())
    edition, players = name.split("-")
    assert data["strategy"] == "predictive"
    assert (data["study"]["edition"], data["study"]["players"]) == (edition, int(players))
    assert f"modernart tune predictive --against {data['study']['against'].replace(', ', ',')}" in data["command"]
    assert f"--players {players} --edition {edition} --seed {data['study']['seed']}" in data["command"]
    assert list(data["parameters"]) == list(PARAMS)
    assert all(PARAMS[key].low <= value <= PARAMS[key].high for key, value in data["parameters"].items())
    bidder = load_strategy(f"predictive@{name}")
    assert bidder.vector == list(data["parameters"].values())
    assert bidder.player().name == f"predictive@{name}"


def test_only_three_players_have_better_numbers_than_the_defaults():
    """The searches for four and five found nothing better: their files hold the defaults, and say so."""
    for name, verdict in (("classic-3", "better"), ("classic-4", "worse"), ("classic-5", "worse")):
        data = tomllib.loads((FOLDER / f"{name}.toml").read_text())
        defaults = {key: param.default for key, param in PARAMS.items()}
        assert data["study"]["verdict"] == verdict
        assert (data["parameters"] == defaults) == (verdict == "worse")
    assert load_strategy("predictive@classic-3").vector[:2] == [0.919790477709677, 0.8234357093577793]


def test_numbers_tuned_for_three_play_better_there():
    """Of the file: 71 against 63 % in a field of four strategies; 300 deals have a standard error near 2."""
    players = load_players(["predictive@classic-3", "predictive", "half_value"])
    rules = load_edition("classic").rules(3)
    tuned = score(players, rules, [0, 1, 2], 0, 300, seed=77, threads=1).win_share[:, 0].mean()
    plain = score(players, rules, [1, 1, 2], 0, 300, seed=77, threads=1).win_share[:, 0].mean()
    assert tuned > plain + 0.02


def test_a_near_name_of_a_shipped_file_is_offered():
    with pytest.raises(UsageError, match=r"did you mean predictive@classic-4\?"):
        load_strategy("predictive@clasic-4")
