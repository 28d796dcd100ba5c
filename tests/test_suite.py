"""The benchmarks' suite: paired ratios, turns, refusals."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace

import pytest

PATH = Path(__file__).parents[1] / "benchmarks" / "suite.py"


@pytest.fixture(scope="module")
def suite():
    spec = importlib.util.spec_from_file_location("suite", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_versions_are_measured_in_turn_and_every_second_time_backwards(suite):
    asked = []

    def measure(version):
        asked.append(version.name)
        return len(asked)

    versions = [SimpleNamespace(name="this"), SimpleNamespace(name="other")]
    assert suite.in_turn(versions, 3, measure) == [[1, 2], [4, 3], [5, 6]]
    assert asked == ["this", "other", "other", "this", "this", "other"]


def test_a_ratio_is_taken_within_a_repetition(suite):
    # The machine was ten times as slow in the second repetition.
    row = suite.row_of("predictive, 4 seats", "us a game", [[50.0, 100.0], [500.0, 1500.0], [60.0, 150.0]])
    assert row["this"] == 60.0
    assert row["other"] == 150.0
    assert row["ratio"] == {"median": 2.5, "min": 2.0, "max": 3.0}
    assert suite.show([row]).splitlines()[1].split() == (
        ["predictive,", "4", "seats", "us", "a", "game", "60.00", "150.00", "2.50", "(2.00-3.00)"]
    )


def test_one_version_alone_has_no_ratio(suite):
    row = suite.row_of("--help", "s", [[0.2], [0.4], [0.3]])
    assert row == {"what": "--help", "unit": "s", "this": 0.3}


def test_games_tell_of_a_game_and_of_a_decision(suite, monkeypatch):
    monkeypatch.setattr(suite, "STRATEGIES", {"random": 100})
    monkeypatch.setattr(suite, "SEATS", (4,))
    played = []

    def play(spec, seats, games):
        played.append((spec, seats, games))
        return {"games": 100, "decisions": 20_000, "seconds": 9.0, "cpu_seconds": 0.01}

    table = suite.measure_games([SimpleNamespace(name="this", play=play)], 1, 1.0)
    assert played == [("random", 4, 100)]
    assert [(row["what"], row["unit"], row["this"]) for row in table] == [
        ("random, 4 seats", "us a game", pytest.approx(100.0)),
        ("random, 4 seats, a decision", "ns", pytest.approx(500.0)),
    ]


def test_what_cannot_be_measured_is_told_in_a_sentence(suite, capsys, tmp_path):
    assert suite.main(["--against", str(tmp_path), "--parts", "c"]) == 2
    assert f"suite: {tmp_path} holds no src/modernart" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        suite.main(["--parts", "speed"])
    assert "--parts must be of games, threads, starts, c, got speed" in capsys.readouterr().err


def test_a_part_that_fails_costs_the_others_nothing(suite, monkeypatch, capsys):
    def fail(*_):
        raise suite.SuiteError("it does not start")

    row = {"what": "random, 4 seats", "unit": "us a game", "this": 5.25}
    monkeypatch.setattr(suite, "measure_games", lambda *_: [row])
    monkeypatch.setattr(suite, "measure_threads", fail)
    assert suite.measure_parts(suite.parse(["--parts", "threads,games"]), []) == 2
    out, err = capsys.readouterr()
    assert out.splitlines()[1].split() == ["random,", "4", "seats", "us", "a", "game", "5.25"]
    assert "suite: it does not start" in err
