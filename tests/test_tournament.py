"""`modernart tournament`: the contract of its output, going on after an interruption, and clear refusals."""

import json
import shlex
import signal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from modernart.analysis.measures import tallies_for
from modernart.analysis.runs import run_folder as runs
from modernart.command_line import app
from modernart.simulator.simulate import simulate
from modernart.strategies.specs import load_players

FIELD = ("half_value", "random", "fair_share")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def run(*args):
    return CliRunner().invoke(app, ("tournament", *args), env={"COLUMNS": "120", "NO_COLOR": "1"})


def result_of(*args):
    done = run(*args, "--json", "--no-report")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def plan(games=400, seed=1):
    return runs.plan_run(load_players(FIELD), games=games, seed=seed)


def assert_same_tallies(one, other):
    assert list(one.arrays) == list(other.arrays)
    for name in one.arrays:
        np.testing.assert_array_equal(one.arrays[name], other.arrays[name], err_msg=name)


def test_json_is_one_object_with_the_keys_of_the_contract():
    result = result_of("half_value", "random", "--games", "42", "--seed", "7")
    assert list(result) == ["games", "seconds", "seed", "edition", "players", "output", "strategies"]
    assert (result["games"], result["seed"], result["edition"], result["players"]) == (44, 7, "classic", 4)
    for strategy in result["strategies"]:
        assert list(strategy) == [
            "strategy",
            "games",
            "win_share",
            "win_share_ci",
            "money_mean",
            "money_sd",
            "starting_money",
            "buying_profit",
            "selling_revenue",
            "other_money",
        ]
    assert {s["strategy"] for s in result["strategies"]} == {"half_value", "random"}


def test_win_shares_are_per_seat_and_sum_to_one_win_a_game():
    result = result_of(*FIELD, "--games", "120", "--players", "5")
    assert sum(s["games"] for s in result["strategies"]) == 120 * 5
    assert sum(s["win_share"] * s["games"] for s in result["strategies"]) == pytest.approx(120)
    for s in result["strategies"]:
        assert s["win_share_ci"][0] <= s["win_share"] <= s["win_share_ci"][1]


@pytest.mark.parametrize(
    ("options", "has_other"), [(("--players", "4"), False), (("--edition", "sotheby", "--players", "5"), True)]
)
def test_accounts_of_the_json_add_up_to_the_mean_of_final_money(options, has_other):
    result = result_of(*FIELD, "--games", "60", *options)
    for s in result["strategies"]:
        parts = [s[key] for key in ("starting_money", "buying_profit", "selling_revenue", "other_money")]
        assert sum(parts) == pytest.approx(s["money_mean"], abs=1e-9)
        assert (s["other_money"] != 0) == has_other


def test_json_of_one_block_leaves_intervals_open_and_stays_valid_json():
    done = run("random", "half_value", "--games", "1", "--json", "--no-report")
    result = json.loads(done.stdout, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert result["strategies"][0]["win_share_ci"] == [None, None]


def test_without_output_the_same_command_finds_its_folder_again():
    first = result_of(*FIELD, "--games", "40")
    assert first["output"].startswith("results/classic-4p-")
    assert result_of(*FIELD, "--games", "40") == first
    assert result_of(*FIELD, "--games", "40", "--seed", "2")["output"] != first["output"]


def test_changed_rules_are_named_with_the_edition_and_kept():
    result = result_of("random", "--games", "8", "--open-style", "outcry", "--rule", "end_count=4")
    assert result["edition"] == "classic with end_count=4, open_style=outcry"
    kept = json.loads(Path(result["output"], "run.json").read_text())
    assert (kept["identity"]["rules"]["end_count"], kept["identity"]["rules"]["open_style"]) == (4, "outcry")


def test_the_kept_command_makes_the_same_run():
    result = result_of("half_value(shade=0.4)", "random", "--games", "16", "--rule", "end_count=6")
    kept = json.loads(Path(result["output"], "run.json").read_text())
    program, command, *words = shlex.split(kept["command"])
    assert (program, command) == ("modernart", "tournament")
    again = result_of(*words, "--output", "again")
    assert again["strategies"] == result["strategies"]


def test_tables_in_the_folder_hold_what_is_printed():
    result = result_of(*FIELD, "--games", "80", "--output", "here")
    table = pd.read_parquet("here/tables/ranking.parquet")
    assert list(table["strategy"]) == [s["strategy"] for s in result["strategies"]]
    assert list(table["win_share"]) == pytest.approx([s["win_share"] for s in result["strategies"]])
    assert len(pd.read_parquet("here/tables/differences.parquet")) == 3


def test_ranking_is_shown_with_files_and_what_is_next():
    done = run(*FIELD, "--games", "80", "--output", "here", "--no-report")
    assert done.exit_code == 0
    assert "80 games of classic for 4 players, seed 1" in done.stdout
    assert done.stdout.index("fair_share") < done.stdout.index("random")
    assert "Files: here" in done.stdout
    assert "Next: " in done.stdout


def test_records_are_the_first_games_of_the_run():
    result = result_of(*FIELD, "--games", "8", "--records", "8", "--output", "here")
    records = [json.loads(line) for line in Path("here/records.jsonl").read_text().splitlines()]
    assert [record["game"] for record in records] == list(range(8))
    money = dict.fromkeys(FIELD, 0)
    for record in records:
        for name, amount in zip(record["players"], record["money"], strict=True):
            money[name] += amount
    for s in result["strategies"]:
        assert s["money_mean"] * s["games"] == pytest.approx(money[s["strategy"]])


def test_threads_and_chunks_change_no_number(tmp_path):
    one = runs.play(plan(), tmp_path / "one", threads=1)
    other = runs.play(plan(), tmp_path / "other", threads=2 if runs_on_two() else 1, chunk=7)
    assert_same_tallies(one.tallies, other.tallies)


def runs_on_two():
    from modernart.simulator.simulate import available_threads

    return available_threads() > 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_run_goes_on_and_ends_with_the_same_numbers(tmp_path, number):
    def stop(run):
        if run.n_blocks >= 30:
            signal.raise_signal(number)

    with pytest.raises(runs.Interrupted, match="interrupted after 120 of 400 games") as stopped:
        runs.play(plan(), tmp_path / "run", threads=1, chunk=10, on_progress=stop)
    assert stopped.value.exit_code == 128 + number
    found = []
    again = runs.play(plan(), tmp_path / "run", threads=1, on_start=lambda run: found.append(run.n_games))
    assert found == [120]
    straight = simulate(load_players(FIELD), plan().rules, 400, tallies=tallies_for(plan().rules), seed=1, threads=1)
    assert_same_tallies(again.tallies, straight.tallies)
    assert again.n_decisions == straight.n_decisions
    assert json.loads((tmp_path / "run" / "run.json").read_text())["complete"]


def test_killed_run_goes_on_from_its_last_checkpoint(tmp_path, monkeypatch):
    monkeypatch.setattr(runs, "CHECKPOINT_SECONDS", 0.0)

    class Killed(BaseException):
        pass

    def kill(run):
        if run.n_blocks >= 50:
            raise Killed

    with pytest.raises(Killed):
        runs.play(plan(), tmp_path / "run", threads=1, chunk=10, on_progress=kill)
    found = []
    again = runs.play(plan(), tmp_path / "run", threads=1, on_start=lambda run: found.append(run.n_blocks))
    assert found == [40]
    assert_same_tallies(
        again.tallies,
        simulate(load_players(FIELD), plan().rules, 400, tallies=tallies_for(plan().rules), seed=1).tallies,
    )


def test_more_games_go_on_and_fewer_are_refused(tmp_path):
    runs.play(plan(100), tmp_path / "run", threads=1)
    longer = runs.play(plan(400), tmp_path / "run", threads=1)
    assert_same_tallies(
        longer.tallies,
        simulate(load_players(FIELD), plan().rules, 400, tallies=tallies_for(plan().rules), seed=1).tallies,
    )
    done = run(*FIELD, "--games", "100", "--output", str(tmp_path / "run"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "holds 400 games of this run, more than --games 100" in done.stderr


def test_interrupt_from_the_command_line_says_how_to_go_on(monkeypatch):
    monkeypatch.setattr(
        "modernart.analysis.runs.tournament.runs.play",
        lambda *_, **__: (_ for _ in ()).throw(
            runs.Interrupted("interrupted after 4 of 8 games; give the same command again to go on", signal.SIGINT)
        ),
    )
    done = run(*FIELD, "--games", "8")
    assert (done.exit_code, done.stdout) == (130, "")
    assert done.stderr == "interrupted after 4 of 8 games; give the same command again to go on\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["half_valu"], 'there is no strategy "half_valu"; did you mean half_value'),
        (["--edition", "clasic"], 'there is no edition "clasic"; did you mean classic?'),
        (["--players", "9"], "players must be from 2 to 8, got 9"),
        (["--games", "0"], "'--games': must be a whole number from 1 to 2^63 - 1, got 0"),
        (["--games", "-4"], "must be a whole number from 1 to 2^63 - 1, got -4"),
        (["--seed", "-1"], "'--seed': must be a whole number from 0 to 2^63 - 1, got -1"),
        (["--threads", "0"], "must be a whole number from 1 to 2^63 - 1"),
        (["--games", "8", "--records", "9"], "records must be from 0 to the number of games, 8, got 9"),
        (["--rule", "deal=[11,6,6,0]"], "deal [11, 6, 6, 0] takes 92 cards"),
        (["--output", "taken"], "taken holds other files than a run; choose another --output"),
        (["--output", "taken/file.txt"], "taken/file.txt is a file; give a folder as --output"),
        (["--output", "taken/file.txt/below"], "cannot write taken/file.txt/below"),
        (["--output", "/proc/nowhere"], "cannot write /proc/nowhere"),
    ],
)
def test_wrong_call_ends_with_one_sentence_code_2_and_no_file(tmp_path, args, message):
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "file.txt").write_text("mine")
    done = run("random", *args) if not args[0].startswith("half") else run(*args)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert [p.name for p in tmp_path.rglob("*")] == ["taken", "file.txt"]


@pytest.mark.parametrize(
    ("change", "what"),
    [(["--seed", "2"], "other seed"), (["--players", "5"], "other rules"), (["never_buy"], "other strategies")],
)
def test_folder_of_another_run_is_refused(change, what):
    result_of("random", "--games", "8", "--output", "here")
    done = run("random", "--games", "8", "--output", "here", *change)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"here holds another run ({what}); choose another --output" in done.stderr


@pytest.mark.parametrize(
    ("file", "content"), [("run.json", "{"), ("run.json", '{"format": "other"}'), ("tallies.npz", "no archive")]
)
def test_damaged_folder_is_refused(tmp_path, file, content):
    result_of("random", "--games", "8", "--output", "here")
    (tmp_path / "here" / file).write_text(content)
    done = run("random", "--games", "8", "--output", "here")
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"here/{file}" in done.stderr
    assert done.stderr.count("\n") == 1


ILLEGAL = """
from modernart.strategies.base import strategy

@strategy()
def rogue(table, hand):
    return 1000
"""


def test_illegal_answer_ends_with_code_1_and_leaves_no_folder(tmp_path):
    (tmp_path / "mybots.py").write_text(ILLEGAL)
    done = run("mybots.py:rogue", "random", "--games", "8", "--output", "here")
    assert (done.exit_code, done.stdout) == (1, "")
    assert 'strategy "mybots.py:rogue" answered 1000 to ' in done.stderr
    assert not (tmp_path / "here").exists()


FIRST = """
from modernart.strategies.base import strategy

@strategy()
def first(table, hand):
    return -1 if table.phase == 1 or table.phase == 2 else 0
"""


def test_changed_strategy_file_does_not_go_on_with_the_old_run(tmp_path):
    (tmp_path / "mybots.py").write_text(FIRST)
    result_of("mybots.py:first", "--games", "8", "--output", "here")
    (tmp_path / "mybots.py").write_text(FIRST + "# A comment changes nothing that is played.\n")
    assert run("mybots.py:first", "--games", "8", "--output", "here").exit_code == 0
    (tmp_path / "mybots.py").write_text(FIRST.replace("else 0", "else int(table.phase == 3)"))
    done = run("mybots.py:first", "--games", "8", "--output", "here")
    assert done.exit_code == 2
    assert "older version of the program or of a strategy" in done.stderr
