"""What fails outside the program: disks that fill, killed processes, altered files, closed pipes. Nothing is lost."""

import errno
import json
import multiprocessing
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from modernart.analysis.runs import run_folder
from modernart.analysis.runs.listing import list_runs, prune
from modernart.analysis.runs.merging import merge_runs
from modernart.analysis.runs.run_json import read_run_file
from modernart.analysis.runs.target import Target, parse_target
from modernart.command_line import app
from modernart.simulator import files
from modernart.simulator.arguments import parse_whole
from modernart.simulator.errors import RunError, UsageError
from modernart.simulator.files import WriteError, check_output, is_draft, parse_json, remove_drafts, whole_file
from modernart.simulator.rules import load_edition
from modernart.simulator.simulate import score
from modernart.simulator.wording import printable
from modernart.strategies.specs import load_players, load_strategy

FIELD = ("random", "half_value", "fair_share")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def run(*args):
    return CliRunner().invoke(app, list(map(str, args)))


def plan(games=40, part=None):
    return run_folder.plan_run(load_players(FIELD), games=games, part=part)


def no_room(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def write_without_room(path):
    with whole_file(path) as file:
        file.write("new")
        no_room()


# Files


def test_full_disk_keeps_the_old_file_and_leaves_no_draft(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("old")
    with pytest.raises(WriteError, match=r"cannot write .*file.txt: No space left on device; make room"):
        write_without_room(path)
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("file.txt", "old")]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
def test_disk_without_room_for_another_file_is_a_fault_of_the_run(tmp_path, monkeypatch, code):
    def refuse(**_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(files.tempfile, "mkstemp", refuse)
    with pytest.raises(WriteError), whole_file(tmp_path / "file.txt"):
        pass


def test_text_that_is_no_unicode_is_written_as_an_escape(tmp_path):
    with whole_file(tmp_path / "file.txt") as file:
        file.write("a\udcffb ±")
    assert (tmp_path / "file.txt").read_text(encoding="utf-8") == "a\\udcffb ±"


def test_draft_of_a_killed_process_is_removed_and_that_of_a_living_one_kept(tmp_path):
    code = "import os, sys; from modernart.simulator.files import whole_file\n"
    code += "with whole_file(sys.argv[1]) as file: file.write('x'); file.flush(); os.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", code, tmp_path / "dead.txt"], check=False)
    with whole_file(tmp_path / "living.txt"):
        assert sorted(is_draft(path) for path in tmp_path.iterdir()) == [True, True]
        remove_drafts(tmp_path)
        assert [path.name.startswith(".living.txt.") for path in tmp_path.iterdir()] == [True]


def test_writing_a_file_again_removes_what_a_killed_process_left_of_it(tmp_path):
    code = "import os, sys; from modernart.simulator.files import whole_file\n"
    code += "with whole_file(sys.argv[1]) as file: os.kill(os.getpid(), 9)"
    for name in ("tables/[a].txt", "tables/b.txt"):
        subprocess.run([sys.executable, "-c", code, tmp_path / name], check=False)
    with whole_file(tmp_path / "tables" / "[a].txt"):
        pass
    assert sorted(path.name.split(".")[1] for path in (tmp_path / "tables").iterdir()) == ["b", "txt"]


@pytest.mark.parametrize(
    ("place", "is_folder", "message"),
    [
        ("/proc/nowhere/file", False, "cannot write /proc/nowhere/file"),
        ("taken", True, "taken is a file; give a folder"),
        ("taken/file", False, "cannot write taken/file: Not a directory"),
        ("/dev/null", False, "it is not a regular file"),
        ("x" * 300, False, "File name too long"),
        ("nul\0", False, "this is no name of a file"),
    ],
)
def test_place_that_cannot_be_written_is_refused_and_nothing_is_left(tmp_path, place, is_folder, message):
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(UsageError, match=message):
        check_output(Path(place), is_folder=is_folder)
    check_output(Path("new/folder/file.txt"))
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


@pytest.mark.parametrize(
    "args",
    [
        ("editions", "compare", "classic", "online", "--output", "/proc/nowhere/x.csv"),
        ("claims", "--output", "/proc/nowhere"),
        ("endings", "--output", "/proc/nowhere"),
        ("auctions", "--output", "/proc/nowhere"),
        ("metagame", "--study", "/proc/nowhere"),
        ("sensitivity", "half_value", "--study", "/proc/nowhere"),
        ("tune", "half_value", "--study", "/proc/nowhere"),
        ("record", "random", "--output", "/proc/nowhere/games.jsonl"),
    ],
)
def test_every_command_refuses_its_place_before_it_plays(args, monkeypatch):
    monkeypatch.setattr("modernart.simulator.batch.play_blocks", no_room)
    monkeypatch.setattr("modernart.simulator.batch.score_blocks", no_room)
    done = run(*args)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith("error: cannot write /proc/nowhere")


def test_record_does_not_overwrite_silently(tmp_path):
    (tmp_path / "games.jsonl").write_text("mine")
    done = run("record", "random", "--output", "games.jsonl")
    assert done.exit_code == 2
    assert "games.jsonl exists; name another --output, or replace it with --force" in done.stderr
    assert (tmp_path / "games.jsonl").read_text() == "mine"


# Numbers and words


@pytest.mark.parametrize(("text", "number"), [("0", 0), (str(2**63 - 1), 2**63 - 1), ("1_000", 1000), (" +7 ", 7)])
def test_whole_numbers_up_to_the_bound_are_read(text, number):
    assert parse_whole("seed", text) == number


@pytest.mark.parametrize("text", ["-1", str(2**63), "9" * 5000, "1.0", "1e3", "", "٣", "0x1", "1__0", "nan"])
def test_anything_else_is_no_whole_number(text):
    with pytest.raises(UsageError, match=r"seed must be a whole number from 0 to 2\^63 - 1, got"):
        parse_whole("seed", text)


SEEDED = ["tournament", "record", "bench", "endings", "auctions", "claims", "metagame", "learn"]
SEEDED += ["tune half_value", "sensitivity half_value", "exploit half_value", "duel random half_value"]
SEEDED += ["check-bot random", "editions compare classic online"]


@pytest.mark.parametrize("command", SEEDED)
@pytest.mark.parametrize("seed", ["-1", str(2**63), "9" * 5000])
def test_every_command_reads_its_seed_alike(command, seed):
    done = run(*command.split(), "--seed", seed)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "error: Invalid value for '--seed': must be a whole number from 0 to 2^63 - 1, got" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "args",
    [
        ("endings", "--repeats", 2**63),
        ("claims", "--games", 10**18),
        ("sensitivity", "half_value", "--values", 10**9),
        ("metagame", "--games", 2**62),
        ("metagame", "--bootstrap", 10**12),
        ("exploit", "half_value", "--responder", "search", "--rollouts", "9" * 5000),
    ],
)
def test_counts_that_no_machine_could_hold_are_refused(args):
    done = run(*args)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "whole number from " in done.stderr


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("half_value(shade=0.5,shade=0.9)", "shade is given twice"),
        ("half_value(shade=True)", "write parameters as"),
        ('half_value(shade="0.6")', "write parameters as"),
        ("half_value(shade=1if 1else 0)", "write parameters as"),
        (f"half_value(shade={'-' * 100_000}1)", "names no strategy"),
        ("half_value\x1b[2J", "names no strategy"),
    ],
)
def test_spec_that_says_nothing_clear_is_refused(spec, message):
    with pytest.raises(UsageError, match=message):
        load_strategy(spec)


@pytest.mark.parametrize("name", ["a@b.toml", "bot (1).toml", "{bot}.toml", "a,b.toml", "sub@dir/my (2) {x}.toml"])
def test_any_path_can_be_named(tmp_path, name):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text('\ufeffvalue = "crowns * expected"\n', encoding="utf-8")
    assert load_strategy(name).name == name


def test_tuned_parameters_may_lie_anywhere(tmp_path):
    path = tmp_path / "tuned @ (1).toml"
    path.write_text('strategy = "half_value"\n[parameters]\nshade = 0.25\n')
    assert load_strategy(f"half_value@{path}(shade=0.5)").vector[0] == 0.5
    assert load_strategy(f"half_value@{path}").vector[0] == 0.25


@pytest.mark.parametrize("head", ["artist,kind,copies", "\ufeffartist;kind;copies"])
def test_deck_of_a_spreadsheet_is_read_however_its_cells_are_parted(tmp_path, head):
    classic = load_edition("classic")
    sign = ";" if ";" in head else ","
    rows = [sign.join((*card.split("-"), str(copies))) for card, copies in classic.deck.items()]
    (tmp_path / "deck.csv").write_text("\n".join([head, *rows]), encoding="utf-8")
    (tmp_path / "mine.toml").write_text('extends = "classic"\ndeck = "deck.csv"\n')
    assert load_edition("mine.toml").deck == classic.deck


def test_title_that_would_steer_a_terminal_is_refused(tmp_path):
    (tmp_path / "mine.toml").write_text('extends = "classic"\ntitle = "\\u001b[2J"\n')
    with pytest.raises(UsageError, match="title must be at most 1000 printable characters"):
        load_edition("mine.toml")


def test_printable_leaves_nothing_that_steers():
    assert printable("ü<b>\x1b[2J\n\udcff") == "ü<b>\\x1b[2J\\n\\udcff"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "a": 2}', '"a" stands twice'),
        ('{"a": NaN}', "NaN is no number of JSON"),
        ('{"a": ["\\ud800"]}', "lone surrogate"),
        ('{"a": ' + "9" * 5000 + "}", "far too many digits"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_json_that_readers_take_in_different_ways_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        parse_json(text)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no device without an end")
@pytest.mark.parametrize("command", ["check", "replay", "decisions", "review", "position show"])
def test_file_without_an_end_is_refused(command, monkeypatch):
    monkeypatch.setattr("modernart.simulator.records._MOST_CHARACTERS", 1000)
    monkeypatch.setattr("modernart.simulator.files._MOST_CHARACTERS", 1000)
    done = run(*command.split(), "/dev/zero")
    assert (done.exit_code in (1, 2), done.stdout) == (True, "")
    assert done.stderr.startswith("error: ")
    assert "too long" in done.stderr


def test_markup_in_a_name_is_text_on_the_terminal(tmp_path):
    name = "[red]<b>x[[-red].toml"
    (tmp_path / name).write_text('value = "crowns * expected"\n')
    done = run("tournament", name, "random", "--games", 40, "--no-report", "--output", "here")
    assert (done.exit_code, name in done.stdout) == (0, True)
    assert name in run("runs", ".").stdout.replace("\n", "")


# Streams


def main_with(redirect: str, *args: str, **environment: str) -> subprocess.CompletedProcess:
    command = f'exec "$0" -m modernart {" ".join(args)} {redirect}'
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "src"), **environment}
    return subprocess.run(["sh", "-c", command, sys.executable], capture_output=True, text=True, env=env, check=False)


@pytest.mark.parametrize(
    ("redirect", "code", "message"),
    [
        (">&-", 0, ""),
        ("2>&-", 0, ""),
        ("> /dev/full", 1, "error: cannot write to stdout: No space left on device; files that are whole are kept\n"),
    ],
)
def test_closed_or_full_streams_end_in_no_traceback(redirect, code, message):
    done = main_with(redirect, "strategies", "--names")
    assert (done.returncode, done.stderr) == (code, message)


def test_terminal_of_another_encoding_gets_escapes_and_loses_nothing():
    done = main_with("", "editions", "show", "sotheby", PYTHONIOENCODING="cp1252")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("sotheby: Duel at Sotheby's (\\u6c7a\\u6230\\u8607\\u5bcc\\u6bd4)\n")


@pytest.mark.parametrize(("value", "code"), [("0", 2), ("many", 2), ("", 0)])
def test_number_of_threads_in_the_environment(value, code):
    done = main_with("", "strategies", "--names", NUMBA_NUM_THREADS=value)
    assert done.returncode == code
    assert ("NUMBA_NUM_THREADS must be a whole number" in done.stderr) is (code == 2)


# Threads and processes


def test_games_may_be_played_from_several_threads():
    players, rules = load_players(FIELD), load_edition("classic").rules(4)
    at_once = threading.Barrier(3)

    def play(first):
        at_once.wait()
        return score(players, rules, [0, 1, 2, 1], first, 4).money

    with ThreadPoolExecutor(3) as pool:
        parts = list(pool.map(play, [0, 4, 8]))
    np.testing.assert_array_equal(np.concatenate(parts), score(players, rules, [0, 1, 2, 1], 0, 12).money)


def _play_in_child(pipe):
    try:
        score(load_players(["random"]), load_edition("classic").rules(4), [0, 0, 0, 0], 0, 4)
        pipe.send("played")
    except RunError as error:
        pipe.send(str(error))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_process_is_refused_in_a_sentence_instead_of_hanging():
    score(load_players(["random"]), load_edition("classic").rules(4), [0, 0, 0, 0], 0, 4)
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    child = context.Process(target=_play_in_child, args=(there,))
    child.start()
    assert here.poll(60)
    assert "games cannot be played in a process forked from one that has played" in here.recv()
    child.join()


# Run folders


def test_full_disk_keeps_the_checkpoint_and_the_run_goes_on(tmp_path, monkeypatch):
    write = run_folder.write_tallies
    n_written = 0

    def fill(path, part):
        nonlocal n_written
        n_written += 1
        if n_written > 2:
            raise WriteError(f"cannot write {path}: No space left on device")
        write(path, part)

    monkeypatch.setattr(run_folder, "CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr(run_folder, "write_tallies", fill)
    with pytest.raises(WriteError, match=r"tallies\.npz: No space left"):
        run_folder.play(plan(), tmp_path / "here", threads=1, chunk=2)
    monkeypatch.setattr(run_folder, "write_tallies", write)
    assert run_folder.load_run(tmp_path / "here")[0].n_blocks == 4
    done = run_folder.play(plan(), tmp_path / "here", threads=1)
    whole = run_folder.play(plan(), tmp_path / "whole", threads=1)
    np.testing.assert_array_equal(done.tallies.cells, whole.tallies.cells)


def test_folder_with_nothing_but_a_draft_is_no_other_folder(tmp_path):
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / ".run.json.abcd1234.draft").write_text("{")
    run_folder.play(plan(8), tmp_path / "here", threads=1)
    assert sorted(path.name for path in (tmp_path / "here").iterdir()) == ["run.json", "tallies.npz"]


def test_altered_tallies_are_refused(tmp_path):
    run_folder.play(plan(8), tmp_path / "here", threads=1)
    path = tmp_path / "here" / "tallies.npz"
    with np.load(path) as data:
        arrays = dict(data)
    name = next(name for name, array in arrays.items() if array.ndim > 1 and array.any())
    arrays[name] = -arrays[name]
    np.savez_compressed(path, **arrays)
    with pytest.raises(UsageError, match="its digest does not fit its content"):
        run_folder.load_run(tmp_path / "here")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"games": -4}, "games: Input should be greater than or equal to 0"),
        ({"games": "many"}, "games: Input should be a valid integer"),
        ({"command": None}, "command: Input should be a valid string"),
        ({"players": 5}, "players is 5, but its rules are for 4"),
        ({"edition": "\x1b[2J"}, "holds what is not printable"),
        ({"identity": {}}, "identity.seed: Field required"),
    ],
)
def test_altered_run_file_is_refused(tmp_path, change, message):
    run_folder.play(plan(8), tmp_path / "here", threads=1)
    path = tmp_path / "here" / "run.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(UsageError, match=message):
        read_run_file(tmp_path / "here")


# Blocks, merging, listing, precision


def test_merged_blocks_are_the_whole_run_to_the_byte(tmp_path):
    whole = run_folder.play(plan(), tmp_path / "whole", threads=1)
    for name, part in {"c": (7, 10), "a": (0, 3), "b": (3, 7)}.items():
        run_folder.play(plan(part=part), tmp_path / name, threads=1)
    merged = merge_runs([tmp_path / name for name in "cab"], tmp_path / "merged")
    np.testing.assert_array_equal(merged.tallies.cells, whole.tallies.cells)
    assert (merged.n_blocks, merged.n_decisions) == (whole.n_blocks, whole.n_decisions)
    told, right = (read_run_file(tmp_path / name) for name in ("merged", "whole"))
    for key in ("command", "games", "complete", "part", "identity", "decisions"):
        assert told[key] == right[key], key
    again = run_folder.play(plan(), tmp_path / "merged", threads=1)  # finds nothing left to play
    assert again.seconds == merged.seconds


def test_blocks_twice_missing_or_of_other_runs_are_not_merged(tmp_path):
    for name, part in {"a": (0, 4), "b": (3, 6), "c": (6, 10)}.items():
        run_folder.play(plan(part=part), tmp_path / name, threads=1)
    run_folder.play(plan(games=80, part=(4, 6)), tmp_path / "longer", threads=1)
    run_folder.play(
        run_folder.plan_run(load_players(FIELD), games=40, seed=2, part=(4, 6)), tmp_path / "seed", threads=1
    )
    for names, message in {
        "a b": "b plays block 3 again",
        "a c": "blocks 4:6 are missing before",
        "a longer": "part of a run of another number of games",
        "a seed": "another run than .* (other seed)",
        "a": "name at least two",
    }.items():
        with pytest.raises(UsageError, match=message.replace("(", r"\(").replace(")", r"\)")):
            merge_runs([tmp_path / name for name in names.split()], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


@pytest.mark.parametrize("blocks", ["5", "5:5", "0:11", "-1:4", "a:b"])
def test_blocks_outside_the_run_are_refused(blocks):
    done = run("tournament", *FIELD, "--games", 40, f"--blocks={blocks}")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "blocks" in done.stderr


def test_runs_lists_folders_and_prunes_those_of_edited_code(tmp_path):
    for number, code in enumerate(("0123abcd", "4567abcd")):
        folder = tmp_path / "results" / f"classic-4p-{code}"
        run_folder.play(plan(8), folder, threads=1)
        told = json.loads((folder / "run.json").read_text()) | {"date": f"2026-01-0{number + 1}T00:00:00"}
        (folder / "run.json").write_text(json.dumps(told))
    run_folder.play(plan(8), tmp_path / "results" / "mine", threads=1)
    (tmp_path / "results" / "bad").mkdir()
    (tmp_path / "results" / "bad" / "run.json").write_text("{")
    told = json.loads(run("runs", "--json").stdout)["runs"]
    assert {Path(one["folder"]).name: one["replaced"] for one in told} == {
        "mine": False, "classic-4p-4567abcd": True, "classic-4p-0123abcd": True, "bad": False
    }  # fmt: skip
    assert {one["games"] for one in told} == {8, 0}
    deleted = prune(list_runs(tmp_path / "results"))
    assert sorted(one.folder.name for one in deleted) == ["classic-4p-0123abcd", "classic-4p-4567abcd"]
    assert sorted(path.name for path in (tmp_path / "results").iterdir()) == ["bad", "mine"]


@pytest.mark.parametrize(
    ("text", "target"), [("0.2%", ("win", 0.002)), ("win=0.01", ("win", 0.01)), ("money=1", ("money", 1.0))]
)
def test_target_is_read(text, target):
    found = parse_target(text)
    assert (found.of, found.error) == (target[0], pytest.approx(target[1]))


@pytest.mark.parametrize("text", ["", "0", "-1%", "100%", "money=1%", "nan", "win=1", "1e-3", "seats=1"])
def test_what_is_no_target_is_refused(text):
    with pytest.raises(UsageError, match="--target-error takes a win share"):
        parse_target(text)


def test_target_takes_games_by_the_widest_interval():
    ranking = pd.DataFrame({"win_share_low": [0.25, 0.25], "win_share_high": [0.25, 0.375]})
    target = Target("win", 1 / 64, "1.5625%")
    assert target.games_for(ranking, 1000) == 16_000  # half a width of 1/16 is four times the target
    assert Target("win", 0.5, "50%").games_for(ranking, 1000) == 1000


def test_stopping_at_a_target_keeps_the_error_it_promises():
    from scipy import stats

    generator = np.random.default_rng(1)
    n_batches, error, n_missed, n_trials = 32, 0.1, 0, 4000
    for _ in range(n_trials):
        first = generator.normal(size=n_batches)
        half = stats.t.ppf(0.975, n_batches - 1) * first.std(ddof=1) / np.sqrt(n_batches)
        ranking = pd.DataFrame({"win_share_low": [-half], "win_share_high": [half]})
        n = Target("win", error, "").games_for(ranking, n_batches)
        rest = generator.normal() * np.sqrt(n - n_batches)  # the sum of all that follow
        n_missed += abs((first.sum() + rest) / n) > error
    # A binomial number of misses at 5 % stays below this in all but one of 10,000 cases.
    assert n_missed / n_trials < 0.0635


def test_run_with_a_target_fixes_its_games_once(monkeypatch):
    monkeypatch.setattr("modernart.analysis.runs.target.FIRST_GAMES", 400)
    monkeypatch.setattr("modernart.analysis.runs.tournament.FIRST_GAMES", 400)
    args = ("tournament", *FIELD, "--target-error", "3%", "--output", "here", "--no-report", "--json")
    first = run(*args)
    assert first.exit_code == 0, first.stderr
    told = read_run_file(Path("here"))
    assert told["target"]["error"] == "3%"
    assert 400 <= told["target"]["games"] <= told["games"] < told["target"]["games"] + 4
    assert f"3% takes {told['target']['games']:,} games" in first.stderr
    again = run(*args)
    assert json.loads(again.stdout) == json.loads(first.stdout)
    assert "takes" not in again.stderr
