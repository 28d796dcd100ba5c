"""The commands that play and show games, from the command line: `record`, `replay`, `check`, `bench`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from modernart.command_line import app

runner = CliRunner()

BOTS = '''
from modernart.simulator.decisions import Phase
from modernart.strategies.base import Param, strategy
from modernart.strategies.bidding import bid_by_value
from modernart.strategies.valuation import value_now


@strategy(params={"extra": Param(7, low=0, high=100)})
def greedy(table, hand):
    """Bids more than it holds in a sealed auction."""
    if table.phase == Phase.SEALED:
        return table.money[hand.seat] + int(hand.params[0])
    if table.phase == Phase.CARD or table.phase == Phase.FLIP:
        return 0
    if table.phase == Phase.PAIR or table.phase == Phase.JOIN:
        return -1
    return bid_by_value(table, hand, value_now(table), 0.5)


@strategy()
def faulty(table, hand):
    """Divides by nothing."""
    return 1 // (table.phase - table.phase)
'''


@pytest.fixture
def bots(tmp_path):
    path = tmp_path / "bots.py"
    path.write_text(BOTS)
    return path


def run(*arguments, code=0):
    result = runner.invoke(app, list(map(str, arguments)))
    assert result.exit_code == code, result.output
    return result


def test_recorded_games_pass_the_check_and_can_be_shown(tmp_path):
    file = tmp_path / "games.jsonl"
    run("record", "random", "half_value", "--players", 3, "--seed", 5, "--game", 7, "--count", 4, "--output", file)
    records = [json.loads(line) for line in file.read_text().splitlines()]
    assert [(record["seed"], record["game"]) for record in records] == [(5, 7), (5, 8), (5, 9), (5, 10)]
    assert "4 games checked" in run("check", file).stdout
    told = run("replay", file, "--line", 2).stdout
    assert "game 8 of seed 5" in told
    assert "Won by" in told


def test_record_goes_to_the_terminal_without_an_output():
    assert json.loads(run("record", "random").stdout)["game"] == 0


def test_rules_can_be_changed_for_a_record():
    arguments = ("record", "random", "--open-style", "outcry", "--rule", "no_bid_price=1", "--rule", "end_count=4")
    rules = json.loads(run(*arguments).stdout)["rules"]
    assert (rules["open_style"], rules["no_bid_price"], rules["end_count"]) == ("outcry", 1, 4)


def test_record_is_a_game_of_the_tournament_with_the_same_arguments(tmp_path):
    arguments = ["random", "half_value", "fair_share", "--players", 4, "--seed", 3, "--edition", "online"]
    run("tournament", *arguments, "--games", 40, "--records", 6, "--output", tmp_path / "run")
    run("record", *arguments, "--game", 0, "--count", 6, "--output", tmp_path / "games.jsonl")
    assert (tmp_path / "run" / "records.jsonl").read_text() == (tmp_path / "games.jsonl").read_text()


def test_bench_tells_games_and_decisions_as_json():
    result = json.loads(run("bench", "--players", 4, "--threads", 1, "--games", 100, "--json").stdout)
    assert list(result) == ["games", "seconds", "games_per_s", "decisions_per_game", "threads"]
    assert result["games"] == 100
    assert 150 < result["decisions_per_game"] < 300


def test_own_strategy_plays_with_parameters(bots, tmp_path):
    record = json.loads(run("record", "random", f"{bots}:greedy(extra=0)", "--players", 3).stdout)
    assert any("greedy" in name for name in record["players"])


def test_illegal_answer_stops_with_everything_to_find_it(bots, tmp_path):
    output = tmp_path / "run"
    message = run("tournament", f"{bots}:greedy", "--games", 400, "--seed", 8, "--output", output, code=1).stderr
    assert "greedy" in message
    assert "SEALED" in message
    assert "of seed 8" in message
    game = int(message.split(" of game ")[1].split()[0])
    again = run("record", f"{bots}:greedy", "--seed", 8, "--game", game, code=1).stderr
    assert again.split("answered")[1] == message.split("answered")[1]


def test_error_inside_a_strategy_is_one_sentence(bots):
    message = run("record", f"{bots}:faulty", code=1).stderr
    assert "Traceback" not in message
    # On a slow machine the compiler's progress comes first.
    assert len([line for line in message.splitlines() if not line.startswith("compiling")]) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["record", "half_valu"], 'no strategy "half_valu"; did you mean half_value'),
        (["record", "half_value(shade=2)"], "shade must be from 0 to 1, got 2"),
        (["record", "half_value(shad=1)"], 'no parameter "shad"; it has: shade'),
        (["record", "half_value(1)"], "write parameters as NAME(parameter=number"),
        (["record", "half_value("], 'there is no strategy "half_value("'),
        (["record", "nofile.py:bot"], 'no file "nofile.py"'),
        (["record", "--edition", "clasic"], "classic"),
        (["record", "--players", "1"], "players must be from 2 to 8, got 1"),
        (["record", "--players", "9"], "players must be from 2 to 8, got 9"),
        (["record", "--rule", "deal=[30,30]"], "deal"),
        (["record", "--rule", "nonsense"], "KEY=VALUE"),
        (["record", "--open-style", "loud"], "limit or outcry"),
        (["record", "--game", "-1"], "must be a whole number from 0 to 2^63 - 1, got -1"),
        (["replay", "nothere.jsonl"], "cannot read nothere.jsonl"),
        (["check", "nothere.jsonl"], "cannot read nothere.jsonl"),
    ],
)
def test_wrong_call_is_answered_by_one_sentence_and_exit_code_2(arguments, message):
    result = run(*arguments, code=2)
    assert message in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr
    assert not result.stdout


def test_corrupt_record_fails_with_its_line(tmp_path):
    file = tmp_path / "games.jsonl"
    run("record", "random", "--count", 2, "--output", file)
    lines = file.read_text().splitlines()
    file.write_text(lines[0] + "\n" + lines[1].replace('"price": ', '"price": 9') + "\n")
    message = run("check", file, code=1).stderr
    assert "line 2: round" in message
    assert "the rules give" in message


def test_replay_of_a_missing_line_says_how_many_there_are(tmp_path):
    file = tmp_path / "games.jsonl"
    run("record", "random", "--output", file)
    assert "its last is in line 1" in run("replay", file, "--line", 3, code=2).stderr


def test_output_that_cannot_be_written_is_refused_and_leaves_nothing(tmp_path):
    (tmp_path / "file").write_text("")
    message = run("record", "random", "--output", tmp_path / "file" / "games.jsonl", code=2).stderr
    assert "cannot write" in message
    assert [path.name for path in Path(tmp_path).iterdir()] == ["file"]


def test_module_that_does_not_load_is_named(tmp_path):
    (tmp_path / "broken.py").write_text("import nothing_of_that_name\n")
    message = run("record", f"{tmp_path}/broken.py:bot", code=1).stderr
    assert "broken.py does not load: ModuleNotFoundError" in message


def test_file_without_strategies_says_how_to_make_one(tmp_path):
    (tmp_path / "empty.py").write_text("")
    assert "put @strategy() above its function" in run("record", f"{tmp_path}/empty.py:bot", code=2).stderr
