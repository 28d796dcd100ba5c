"""Tuning: the search, studies in folders, tuned files as specs, best responses, sensitivity."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from modernart.analysis.comparing.exploit import screen
from modernart.analysis.comparing.sensitivity import plot_sensitivity, sensitivity
from modernart.analysis.comparing.tuning_plots import plot_deviations
from modernart.command_line import app
from modernart.simulator.errors import UsageError
from modernart.simulator.rules import load_edition
from modernart.simulator.simulate import score
from modernart.strategies.specs import load_strategy
from modernart.strategies.tuning.focal_seat import FocalSeat
from modernart.strategies.tuning.search import Search, search
from modernart.strategies.tuning.tuned_file import with_tuned_parameters, write_tuned_file

ROOT = Path(__file__).parent.parent
CLASSIC = load_edition("classic").rules(4)
HALF = load_strategy("half_value")
FIELD = "full_value,fair_share,half_value"
KEYS = [
    "parameters",
    "win_share_before",
    "win_share_after",
    "optimism",
    "verdict",
    "games",
    "gain",
    "gain_ci",
    "held_out",
]
#: A study that takes about a second.
SMALL = ["tune", "half_value", "--against", FIELD, "--budget", "6000", "--threads", "1"]


def focal_seat(specs=FIELD, seed=1, threads=1):
    return FocalSeat([load_strategy(spec).player() for spec in specs.split(",")], CLASSIC, seed, threads)


def plan(budget=40_000, **changes):
    return Search(
        **{"strategy": HALF, "names": ["shade"], "objective": "money", "budget": budget, "n_seats": 4} | changes
    )


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *args: CliRunner().invoke(app, args, env={"COLUMNS": "120", "NO_COLOR": "1"})


def test_focal_seat_gives_every_player_the_same_deals():
    here = focal_seat()
    both = [here.score(load_strategy(spec).player(), 5, 6) for spec in ("half_value", "half_value")]
    np.testing.assert_array_equal(both[0].win_share, both[1].win_share)
    other = here.score(load_strategy("never_buy").player(), 5, 6)
    assert (other.money != both[0].money).any()


def test_focal_seat_does_not_depend_on_portions():
    here = focal_seat("full_value,fair_share,half_value,random,never_buy")
    whole = here.score(HALF.player(), 0, 20)
    parts = [here.score(HALF.player(), first, 10) for first in (0, 10)]
    np.testing.assert_array_equal(whole.money, np.concatenate([part.money for part in parts]))


def test_money_relative_to_rivals_is_what_they_have_less():
    scores = focal_seat("never_buy").score(HALF.player(), 0, 20)
    rivals = score([HALF.player(), load_strategy("never_buy").player()], CLASSIC, [0, 1, 1, 1], 0, 20, threads=1)
    np.testing.assert_allclose(scores.relative_money, rivals.money[:, 0] - rivals.money[:, 1:].mean(axis=1))
    assert scores.relative_money.mean() > 100


def test_search_comes_near_the_best_of_a_grid_on_held_out_deals():
    this = plan()

    def held_out(strategy):
        return focal_seat().score(strategy.player(), 1_000_000, 400).relative_money.mean()

    grid = {shade: held_out(HALF.with_values({"shade": shade})) for shade in np.linspace(0, 1, 21)}
    found = held_out(this.at(search(this, focal_seat()).means[-1]))
    assert found > max(grid.values()) - 5
    assert held_out(HALF) < found - 20


def test_candidates_of_a_generation_share_deals_and_generations_do_not(monkeypatch):
    seen = []
    original = FocalSeat.score_all

    def noting(self, players, first_deal, n_deals):
        seen.append((len(players), first_deal, n_deals))
        return original(self, players, first_deal, n_deals)

    monkeypatch.setattr(FocalSeat, "score_all", noting)
    small = plan(budget=2_000)
    search(small, focal_seat())
    n = small.n_deals
    assert seen == [(small.population, number * n, n) for number in range(small.n_generations)]
    assert len(seen) > 5


def test_search_keeps_to_bounds_and_starts_at_the_present_values():
    search_of_three = Search(load_strategy("half_value(shade=1)"), ["shade"], "win", 3_000, 4)
    progress = search(search_of_three, focal_seat())
    points = np.concatenate([generation.candidates for generation in progress.generations])
    assert progress.means[0] == pytest.approx([1.0])
    assert points.min() >= 0
    assert points.max() <= 1


def test_search_goes_on_from_its_history_to_the_last_bit():
    whole = search(plan(budget=4_000), focal_seat())
    stopped = []
    going_on = search(plan(budget=4_000), focal_seat(), history=whole.generations[:7], on_generation=stopped.append)
    assert len(stopped) == len(whole.generations) - 7
    np.testing.assert_array_equal(whole.means, going_on.means)


def test_search_refuses_the_history_of_another():
    other = search(plan(budget=2_000, seed=2), focal_seat())
    with pytest.raises(UsageError, match="generation 0 of the study was drawn by another version"):
        search(plan(budget=2_000), focal_seat(), history=other.generations)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"names": ["shady"]}, 'half_value has no parameter "shady"; it has: shade'),
        ({"names": []}, "name at least one parameter"),
        ({"names": ["shade", "shade"]}, "named twice"),
        ({"objective": "fame"}, 'objective must be money or win, got "fame"'),
        ({"budget": 0}, "budget must be at least 1 game"),
        ({"strategy": load_strategy("random")}, "random has no parameters to tune"),
    ],
)
def test_wrong_searches_are_refused(changes, message):
    with pytest.raises(UsageError, match=message):
        plan(**changes)


def test_tune_json_has_exactly_the_documented_keys_and_the_gain_is_real(run):
    done = run(*SMALL, "--study", "mine", "--json")
    assert done.exit_code == 0, done.stderr
    data = json.loads(done.stdout)
    assert list(data) == KEYS
    assert data["verdict"] == "better"
    assert data["win_share_after"] > data["win_share_before"] + 0.1
    assert data["gain"] == pytest.approx(data["win_share_after"] - data["win_share_before"])
    assert 0.1 < data["gain_ci"][0] < data["gain"] < data["gain_ci"][1]
    assert [row["met_in_search"] for row in data["held_out"]] == [True] + [False] * (len(data["held_out"]) - 1)
    assert data["held_out"][0]["gain"] == pytest.approx(data["gain"])
    # Luck chose the best candidate of the search: it showed more there than it is worth.
    best = json.loads(Path("results/mine/summary.json").read_text())["best_candidate"]
    assert data["optimism"] == best["bias"] == pytest.approx(best["win_share_search"] - best["win_share_held_out"])
    assert best["bias_ci"][0] > 0.1
    assert best["mean_ahead_ci"][1] > 0
    duel = run("duel", "half_value@results/mine/tuned.toml", "half_value", "--field", FIELD, "--json", "--seed", "9")
    assert json.loads(duel.stdout)["verdict"] == "better"


def test_study_folder_holds_tables_figures_and_the_command(run, tmp_path):
    run(*SMALL)
    folder = tmp_path / "results" / "tune-half_value"
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "study.json",
        "generations.json",
        "path.csv",
        "held_out.csv",
        "deviations.csv",
        "path.png",
        "deviations.png",
        "tuned.toml",
        "summary.json",
    }
    path = pd.read_csv(folder / "path.csv")
    assert path["shade"].iloc[0] == 0.5
    held_out = pd.read_csv(folder / "held_out.csv")
    assert held_out["met_in_search"].tolist() == [True] + [False] * (len(held_out) - 1)
    assert not set(held_out["rivals"][1:]) & set(FIELD.split(","))
    assert "modernart tune half_value --against" in (folder / "tuned.toml").read_text()


def test_same_command_shows_the_finished_study_and_another_gets_a_folder_of_its_own(run, tmp_path):
    first = run(*SMALL, "--json")
    search = tmp_path / "results" / "tune-half_value" / "generations.json"
    written = search.stat().st_mtime_ns
    assert run(*SMALL, "--json").stdout == first.stdout
    assert search.stat().st_mtime_ns == written
    run(*SMALL, "--seed", "2")
    assert sorted(path.name for path in (tmp_path / "results").iterdir()) == ["tune-half_value", "tune-half_value-2"]


def test_named_folder_of_another_study_is_refused(run):
    run(*SMALL, "--study", "mine")
    failed = run(*SMALL, "--study", "mine", "--seed", "2")
    assert failed.exit_code == 2
    assert "error: results/mine holds another study (other seed); choose another --study" in failed.stderr


def test_threads_do_not_change_a_study(run, tmp_path):
    run(*SMALL, "--study", "one")
    run(*[word if word != "1" else "2" for word in SMALL], "--study", "two")
    for name in ("generations.json", "tuned.toml", "held_out.csv", "deviations.csv", "summary.json"):
        assert (tmp_path / "results/one" / name).read_bytes() == (tmp_path / "results/two" / name).read_bytes()


def test_killed_study_goes_on_to_the_same_result(run, tmp_path):
    run(*SMALL, "--study", "whole")
    folder = tmp_path / "results" / "killed"
    command = [sys.executable, "-m", "modernart", *SMALL, "--study", "killed"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL) as process:
        for _ in range(30_000):
            if (folder / "generations.json").exists() or process.poll() is not None:
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    n_done = len(json.loads((folder / "generations.json").read_text()))
    n_all = len(json.loads((tmp_path / "results/whole/generations.json").read_text()))
    assert 0 < n_done < n_all
    assert not (folder / "summary.json").exists()
    run(*SMALL, "--study", "killed")
    for name in ("generations.json", "path.csv", "tuned.toml", "summary.json"):
        assert (folder / name).read_bytes() == (tmp_path / "results/whole" / name).read_bytes()


def test_damaged_checkpoint_is_named(run, tmp_path):
    run(*SMALL, "--study", "mine")
    (tmp_path / "results/mine/summary.json").unlink()
    (tmp_path / "results/mine/generations.json").write_text("[{]")
    failed = run(*SMALL, "--study", "mine")
    assert failed.exit_code == 2
    assert "generations.json is damaged" in failed.stderr


def test_tuned_file_brings_parameters_back_to_the_last_bit(tmp_path):
    path = tmp_path / "tuned.toml"
    write_tuned_file(path, "half_value", {"shade": 1 / 3}, 'modernart tune "x"', {"seed": 1, "by": "a\\b"})
    spec = f"half_value@{path}"
    strategy = load_strategy(spec)
    assert strategy.vector == [1 / 3]
    assert strategy.spec == spec
    changed = load_strategy(f"{spec}(shade=0.5)")
    assert (changed.vector, changed.spec) == ([0.5], f"{spec}(shade=0.5)")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("strategy = 'fair_share'\n[parameters]\n", "holds parameters of fair_share, not of half_value"),
        ("strategy = 'half_value'\n[parameters]\nshady = 1\n", 'no parameter "shady"'),
        ("strategy = 'half_value'\n[parameters]\nshade = 7\n", "shade must be from 0 to 1, got 7"),
        ("strategy = 'half_value'\n[parameters]\nshade = 'much'\n", 'shade must be a number, got "much"'),
        ("[parameters]\n", "must hold strategy"),
        ("strategy = ", "is not valid TOML"),
    ],
)
def test_wrong_tuned_files_are_refused(tmp_path, content, message):
    (tmp_path / "x.toml").write_text(content)
    with pytest.raises(UsageError, match=message):
        with_tuned_parameters(HALF, str(tmp_path / "x.toml"))


def test_missing_tuned_file_is_named():
    with pytest.raises(UsageError, match=r'there is no file "nowhere\.toml" with parameters of half_value'):
        load_strategy("half_value@nowhere.toml")


def test_users_own_strategy_can_be_tuned_and_played(run, tmp_path):
    shutil.copy(ROOT / "strategies" / "bidders" / "shares.py", tmp_path / "bots.py")
    done = run(
        "tune", "bots.py:half_value", "--against", "fair_share", "--budget", "3000", "--study", "own", "--threads", "1"
    )
    assert done.exit_code == 0, done.stderr
    assert load_strategy("bots.py:half_value@results/own/tuned.toml").vector != [0.5]


def test_exploit_finds_out_a_strategy_that_never_buys_and_says_what_its_number_is(run):
    args = ["exploit", "never_buy", "--responders", "half_value,random", "--budget", "3000", "--threads", "1"]
    data = json.loads(run(*args, "--json").stdout)
    assert data["gain"] == pytest.approx(0.75, abs=0.02)
    assert data["gain_ci"][0] < data["gain"] <= data["gain_ci"][1]
    assert data["bound"].startswith("a lower bound on exploitability")
    assert "lower bound" in run(*args).stdout


def test_exploit_of_a_responder_without_parameters_says_so(run):
    failed = run("exploit", "half_value", "--responders", "random")
    assert (failed.exit_code, "none of the responders has parameters to tune: random" in failed.stderr) == (2, True)


def test_screening_ranks_responders_by_the_objective():
    table = screen(focal_seat("half_value"), ["never_buy", "half_value(shade=0.55)", "half_value"], "money")
    assert table["spec"].tolist() == ["half_value(shade=0.55)", "half_value", "never_buy"]


def test_sensitivity_curve_is_zero_at_the_present_value_and_peaks_near_the_best():
    table = sensitivity(HALF, ["shade"], focal_seat(), n_deals=150, n_values=5)
    present = table[table["is_present"]]
    assert present["value"].tolist() == [0.5]
    assert present["money_difference"].tolist() == [0]
    assert table["value"].tolist() == [0, 0.25, 0.5, 0.75, 1]
    # Among these rivals it pays to bid more, but not everything.
    assert table["money_difference"].idxmax() == 3
    assert (table["money_difference_low"] <= table["money_difference"]).all()
    figure = plot_sensitivity(table, HALF, 150)
    assert figure.axes[0].get_title(loc="left") == "shade"


def test_sensitivity_command_writes_its_curves(run, tmp_path):
    done = run("sensitivity", "half_value", "--games", "80", "--values", "3", "--threads", "1")
    assert done.exit_code == 0, done.stderr
    assert len(pd.read_csv(tmp_path / "results/sensitivity-half_value/sensitivity.csv")) == 3
    assert (tmp_path / "results/sensitivity-half_value/sensitivity.png").stat().st_size > 1_000


def test_deviation_bars_show_both_sides_of_each_parameter():
    table = pd.DataFrame(
        {
            "parameter": ["shade", "shade"],
            "step": [-0.05, 0.05],
            "difference": [-2.0, 1.0],
            "difference_low": [-3.0, 0.0],
            "difference_high": [-1.0, 2.0],
        }
    )
    ax = plot_deviations(table, "money", 100).axes[0]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["shade"]
    assert sorted(line.get_xdata()[0] for line in ax.lines if line.get_marker() in ("o", "s")) == [-2.0, 1.0]


def test_loop_of_tuning_and_exploiting_stops_where_no_response_gains_the_goal(run, tmp_path):
    args = ["exploit", "half_value", "--iterate", "2", "--budget", "1500", "--threads", "1"]
    data = json.loads(run(*args, "--goal", "0", "--json").stdout)
    rows = data["rounds"]
    assert [row["round"] for row in rows] == [0, 1]
    assert rows[0]["version"] == "half_value"
    assert rows[1]["version"] == "half_value@results/iterate-half_value/round-0-tune/tuned.toml"
    assert not data["is_done"]
    assert pd.read_csv(tmp_path / "results/iterate-half_value/rounds.csv")["gain"].tolist() == pytest.approx(
        [row["gain"] for row in rows]
    )
    done = run(*args, "--goal", "0.99", "--study", "easy")
    assert done.stdout.startswith("done: the best response found to half_value gains")
    assert "lower bound" in done.stdout
