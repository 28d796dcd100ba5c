"""`modernart editions new`: the files it writes, and the games they make."""

import pytest
from typer.testing import CliRunner

from modernart.command_line import app
from modernart.simulator.new_edition import write_edition
from modernart.simulator.rules import load_edition


def run(*args):
    return CliRunner().invoke(app, list(map(str, args)), env={"COLUMNS": "120", "NO_COLOR": "1"})


def test_template_is_classic_until_it_is_changed(tmp_path):
    (file,) = write_edition(tmp_path / "mine.toml")
    assert load_edition(str(file)).changes(load_edition("classic")) == {}


def test_every_option_can_be_made_active(tmp_path):
    (file,) = write_edition(tmp_path / "mine.toml")
    lines = [
        line.removeprefix("# ") if " = " in line and not line.startswith("# #") else line
        for line in file.read_text().splitlines()
    ]
    file.write_text("\n".join(lines).replace("# [deal]", "[deal]") + "\n")
    assert load_edition(str(file)).changes(load_edition("classic")) == {}


def test_six_artists_have_fourteen_cards_each(tmp_path):
    write_edition(tmp_path / "six.toml", 6)
    edition = load_edition(str(tmp_path / "six.toml"))
    assert edition.artists == ("LM", "YO", "CP", "KG", "KR", "A6")
    assert [edition.deck[f"A6-{kind}"] for kind in "ORSFD"] == [3, 3, 3, 3, 2]
    assert edition.n_cards == 84
    assert edition.rules(6).deal == (8, 3, 3, 0)


def test_two_artists_pay_two_ranks(tmp_path):
    write_edition(tmp_path / "two.toml", 2, "OS")
    edition = load_edition(str(tmp_path / "two.toml"))
    assert edition.rank_values == (30, 20)
    assert dict(edition.deck) == {"LM-O": 7, "LM-S": 7, "YO-O": 7, "YO-S": 7}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["mine.txt"], "an edition file must end in .toml"),
        (["x.toml", "--kinds", "OO"], "kinds must be different letters of ORSF"),
        (["x.toml", "--kinds", "OB"], "kinds must be different letters of ORSF"),
        (["x.toml", "--kinds", "D"], "doubles alone cannot be sold"),
        (["x.toml", "--artists", "9"], "must be a whole number from 1 to 8, got 9"),
    ],
)
def test_wrong_calls_are_one_sentence(tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    done = run("editions", "new", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_file_is_never_replaced(tmp_path):
    assert run("editions", "new", tmp_path / "a.toml").exit_code == 0
    assert "exists; choose another name" in run("editions", "new", tmp_path / "a.toml").stderr


def test_learned_refuses_six_artists_in_a_sentence(tmp_path):
    write_edition(tmp_path / "six.toml", 6)
    done = run("tournament", "learned", "--edition", tmp_path / "six.toml", "--games", 4, "--output", tmp_path / "run")
    assert done.exit_code == 2
    assert (
        "learned was trained with 5 artists alone, edition six has 6; its networks have room for no more" in done.stderr
    )
