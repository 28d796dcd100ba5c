"""`modernart editions`, and how the command line reports what goes wrong."""

import json
import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from modernart.command_line import app
from modernart.simulator import rules
from modernart.simulator.errors import RunError


def run(*args, **env):
    return CliRunner().invoke(app, args, env={"COLUMNS": "120", "NO_COLOR": "1", **env})


def words(text):
    """The text with every run of blanks made one, as tables wrap."""
    return " ".join(text.split())


def test_editions_lists_every_edition_and_how_it_differs():
    shown = run("editions")
    assert shown.exit_code == 0
    for name in ("classic", "online", "shill", "sotheby"):
        assert any(line.startswith(name) for line in shown.stdout.splitlines())
    assert "no_bid_price 1" in words(shown.stdout)


def test_editions_lists_a_users_own_too(tmp_path):
    (tmp_path / "longer.toml").write_text('extends = "classic"\nend_count = 6\n')
    line = next(
        line for line in run("editions", "--edition", f"{tmp_path}/longer.toml").stdout.splitlines() if "longer" in line
    )
    assert words(line) == "longer 3-5 classic with changes end_count 6"


def test_show_prints_options_deals_deck_and_the_note_on_the_deck():
    shown = run("editions", "show", "sotheby")
    assert shown.exit_code == 0
    lines = [words(line) for line in shown.stdout.splitlines()]
    assert "end_count 6 * cards of one artist that end a round" in lines
    assert "6 8/3/3/0 84 the edition" in lines
    assert "RD Red 1 2 4 5 1 2 4 2 1 3 4 2 3 4 5 1 3 5 18" in lines
    assert "cards 17 16 5 16 15 15 84" in lines
    assert "placeholder" in shown.stdout


def test_show_without_a_name_shows_classic():
    lines = [words(line) for line in run("editions", "show").stdout.splitlines()]
    assert "KR Krypto 4 3 3 3 3 16" in lines
    assert not any("*" in line for line in lines)


def test_show_takes_changed_rules():
    shown = run("editions", "show", "classic", "--rule", "end_count=6")
    assert "classic with end_count=6" in shown.stdout
    assert "end_count 6 *" in words(shown.stdout)


def test_show_says_which_deal_is_impossible():
    shown = run("editions", "show", "--rule", "deal=[11,6,6,0]")
    assert shown.exit_code == 0
    assert "takes 92 cards for 4 players, but the deck has only 70" in words(shown.stdout)


def test_show_json_is_one_object_and_nothing_else():
    data = json.loads(run("editions", "show", "online", "--json").stdout)
    assert data["deal"] == {"3": [11, 6, 6, 0], "4": [9, 4, 4, 0], "5": [8, 3, 3, 0]}
    assert data["double_revenue"] == "split_odd_joiner"
    assert data["deck"]["KR-O"] == 4


def test_show_json_for_a_number_of_players_is_what_a_record_carries():
    data = json.loads(run("editions", "show", "shill", "--json", "--players", "3").stdout)
    assert data == rules.load_edition("shill").rules(3).to_record()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["show", "clasic"], 'error: there is no edition "clasic"; did you mean classic?'),
        (["show", "--json", "--players", "9"], "error: players must be from 2 to 8, got 9"),
        (["show", "no/such.toml"], "error: edition file no/such.toml does not exist"),
        (["show", "classic", "--edition", "online"], "error: give the edition once, as classic or as --edition online"),
        (["show", "--rule", "end_count"], 'error: a rule must be written KEY=VALUE, as end_count=6, got "end_count"'),
    ],
)
def test_wrong_call_ends_with_one_sentence_and_code_2(args, message):
    failed = run("editions", *args)
    assert (failed.exit_code, failed.stderr, failed.stdout) == (2, message + "\n", "")


def test_unknown_option_ends_with_code_2():
    assert run("editions", "--nonsense").exit_code == 2


@pytest.fixture
def raising(monkeypatch):
    """Make `modernart editions` raise what the test wants."""

    def install(error):
        def fail(*_):
            raise error

        monkeypatch.setattr(rules, "load_edition", fail)

    return install


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (RunError("the run stopped"), 1, "error: the run stopped\n"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (PermissionError(13, "Permission denied", "there"), 1, "error: there: Permission denied\n"),
        (KeyError("x"), 1, "error: a fault of the program, KeyError: 'x' (`modernart --debug ...` shows where)\n"),
    ],
)
def test_failed_run_ends_with_one_line_and_its_code(raising, error, code, message):
    raising(error)
    failed = run("editions")
    assert (failed.exit_code, failed.stderr) == (code, message)


@pytest.mark.parametrize(("args", "env"), [(["--debug"], {}), ([], {"MODERNART_DEBUG": "1"})])
def test_traceback_is_shown_on_demand(args, env):
    failed = run(*args, "editions", "show", "nope", **env)
    assert failed.exit_code == 2
    assert "Traceback" in failed.stderr


def test_version_is_that_of_the_distribution():
    assert run("--version").stdout.startswith("modern-art-simulator ")


PLAIN_PRINT = """
import sys, modernart.command_line
modernart.command_line.app.command("plain")(lambda: print("not flushed by the command"))
sys.argv = ["modernart", "plain"]
modernart.command_line.main()
"""


@pytest.mark.parametrize(
    "args", [["-m", "modernart", "editions"], ["-m", "modernart", "editions", "show", "--json"], ["-c", PLAIN_PRINT]]
)
def test_reader_that_has_gone_away_is_met_with_silence(args):
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "wb") as gone:
        done = subprocess.run(
            [sys.executable, *args],
            stdout=gone,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"},
        )
    assert (done.returncode, done.stderr) == (1, "")
