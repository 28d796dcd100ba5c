"""The Python API: `import modernart`."""

import doctest
import json
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import modernart as ma
from modernart.analysis.decisions import COLUMNS, write_decisions
from modernart.analysis.runs.run_folder import load_run
from modernart.command_line import app
from modernart.simulator.events import say
from modernart.strategies.registry import BY_NAME

ROOT = Path(__file__).parent.parent


bid_half = BY_NAME["half_value"].act


@ma.strategy(params={"share": ma.Param(0.5, doc="share of the value that it pays")})
def own_bot(table, hand):
    """Plays as `half_value`, whose parameter stands at the same place."""
    return bid_half(table, hand)


@pytest.fixture(scope="module")
def result():
    return ma.tournament(["half_value", own_bot(share=0.7), "random"], players=3, games=600, seed=3)


def test_importing_the_package_loads_no_library():
    code = "import sys, modernart; print(*sorted({'numpy', 'numba', 'pandas', 'pydantic', 'typer'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


def test_every_name_of_the_api_is_there_and_others_are_not():
    assert {"tournament", "duel", "tune", "endings", "auctions", "compare_editions", "Game"} <= set(ma.__all__)
    for name in ma.__all__:
        assert getattr(ma, name).__doc__
    assert set(ma.__all__) <= set(dir(ma))
    assert ma.strategies.__name__ == "modernart.strategies"  # packages need no import of their own
    with pytest.raises(AttributeError, match="no attribute 'turnament'"):
        _ = ma.turnament


def test_a_tournament_has_a_ranking_with_intervals(result):
    ranking = result.ranking
    assert list(ranking)[:4] == ["strategy", "games", "win_share", "ci"]
    assert list(ranking["strategy"])[-1] == "random"
    assert ranking["games"].sum() == 1800
    for row in ranking.itertuples():
        assert row.ci.left == row.win_share_low
        assert row.win_share in row.ci
    assert np.isclose((ranking["win_share"] * ranking["games"]).sum(), 600)


def test_an_own_strategy_plays_as_the_built_in_that_it_calls(result):
    built_in = ma.tournament(["half_value", "half_value(shade=0.7)", "random"], players=3, games=600, seed=3)
    own = ["half_value", "own_bot(share=0.7)", "random"]
    names = ["half_value", "half_value(shade=0.7)", "random"]
    mine, theirs = (one.ranking.set_index("strategy")["money"] for one in (result, built_in))
    assert [mine[name] for name in own] == [theirs[name] for name in names]


def test_tables_are_frames_by_name(result):
    assert {"ranking", "auctions", "prices", "seats"} <= set(result.tables)
    assert isinstance(result.tables["auctions"], pd.DataFrame)
    with pytest.raises(KeyError):
        _ = result.tables["auktions"]


def test_plot_returns_axes_of_a_figure_of_the_report(result):
    axes = result.plot("win_share")
    assert [label.get_text() for label in axes.get_yticklabels()] == list(result.ranking["strategy"])
    with pytest.raises(ma.UsageError, match='no figure "auktions"; did you mean auctions'):
        result.plot("auktions")


def test_notebooks_show_the_ranking(result):
    html = result._repr_html_()
    assert html.startswith("<p>600 games of classic for 3 players, seed 3; equals would win 33.3%</p>")
    assert html.count("<tr") == 4
    assert "own_bot(share=0.7)" in repr(result)


@pytest.fixture(scope="module")
def folder(result, tmp_path_factory):
    """Run folder with the report of the tournament."""
    place = tmp_path_factory.mktemp("api") / "run"
    assert result.report(place).page == place / "report.html"
    return place


def test_report_writes_a_run_folder_that_the_commands_read(result, folder):
    run, told = load_run(folder)
    assert (run.n_games, told["complete"]) == (600, True)
    assert told["notes"] == [
        "Defined in Python, not in a file: own_bot(share=0.7); the command alone does not bring them back"
    ]
    assert told["release"].startswith("modern-art-simulator 0.")
    assert len(told["edition_digest"]) == 12
    assert (folder / "report.html").stat().st_size > 50_000
    with pytest.raises(ma.UsageError, match="holds another run"):
        ma.tournament(["half_value"], players=3, games=30).report(folder)


def test_the_command_and_the_api_count_the_same(tmp_path):
    arguments = ["half_value", "random", "--players", "3", "--games", "300", "--seed", "5", "--no-report", "--cite"]
    done = CliRunner().invoke(app, ["tournament", *arguments, "--output", str(tmp_path / "run")])
    assert done.exit_code == 0, done.output
    assert "To cite these numbers:" in done.output
    assert "seed 5, 300 games; made by: modernart tournament half_value random" in done.output
    mine = ma.tournament(["half_value", "random"], players=3, games=300, seed=5)
    pd.testing.assert_frame_equal(mine.tables["ranking"], pd.read_parquet(tmp_path / "run" / "tables/ranking.parquet"))


def test_parquet_files_carry_units_and_meanings(folder):
    schema = pq.read_schema(folder / "tables" / "ranking.parquet")
    assert schema.metadata[b"rows"] == b"a strategy, best first"
    assert schema.field("money").metadata[b"unit"] == b"money a game"
    assert schema.field("win_share_low").metadata[b"meaning"] == b"lower end of the 95 % interval of win_share"


def test_describe_explains_every_column_of_every_table(result):
    for name in result.tables:
        told = ma.describe(name)
        assert list(told.index) == list(result.tables[name]), name
        assert (told["meaning"] != "").all()
    assert ma.describe("auctions").loc["lots", "unit"] == "lots"
    assert "decisions" in ma.describe().index
    with pytest.raises(ma.UsageError, match="did you mean auctions"):
        ma.describe("auction")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ma.tournament(["half_valu"]), "did you mean half_value"),
        (lambda: ma.tournament([own_bot.function]), "put @strategy above the function"),
        (lambda: ma.tournament(games=10.5), "games must be a whole number, got 10.5"),
        (lambda: ma.tournament(players=9), "players"),
        (lambda: ma.tournament(rules={"end_cound": 6}), "end_count"),
        (lambda: ma.tournament(progress=3), "progress must be True, False, None or a function"),
        (lambda: own_bot(share=2), "share must be from 0 to 1, got 2"),
        (lambda: ma.duel("half_value", "nobody"), "nobody"),
    ],
)
def test_a_wrong_call_raises_the_sentence_of_the_command(call, words):
    with pytest.raises(ma.UsageError, match=words):
        call()


def test_nothing_is_printed_and_progress_goes_to_a_function(capfd):
    seen = []
    ma.tournament(
        ["half_value"],
        players=3,
        games=300,
        progress=lambda done, total: seen.append((done, total)),
        rules={"end_count": 4},
    )
    assert seen[-1] == (300, 300)
    assert capfd.readouterr() == ("", "")


class Display:
    """Stands for what a notebook shows in one place."""

    def __init__(self):
        self.shown = []

    def update(self, html):
        self.shown.append(html)


@pytest.fixture
def notebook(monkeypatch):
    """Let this process look like a Jupyter kernel; returns all that it shows."""
    shown = []

    def display(what, display_id=None):
        shown.append(Display() if display_id else what)
        return shown[-1]

    shell = types.SimpleNamespace(version_info=(9, 0), get_ipython=lambda: types.SimpleNamespace(kernel=object()))
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", types.SimpleNamespace(HTML=str, display=display))
    return shown


def test_a_notebook_shows_a_bar_while_games_are_played_and_figures_after(notebook, capfd):
    result = ma.tournament(["half_value"], players=3, games=300)
    (bar,) = notebook
    assert '<progress value="300" max="300"></progress> 300 of 300 games' in bar.shown[-2]
    assert bar.shown[-1] == ""
    ma.tournament(["half_value"], players=3, games=300, progress=False)
    assert len(notebook) == 1
    axes = result.plot("lengths")
    assert notebook[1] is axes.figure
    assert capfd.readouterr().out == ""


def test_rules_are_changed_by_name():
    short, long = (
        ma.tournament(["random"], players=3, games=300, rules={"end_count": n}).tables["lengths"] for n in (3, 6)
    )
    assert (short["cards_up"] * short["share"]).sum() < (long["cards_up"] * long["share"]).sum()


def test_duels_and_studies_are_those_of_the_commands(tmp_path):
    mine = ma.duel("fair_share", "half_value", players=3, fixed=150, seed=2)
    arguments = ["duel", "fair_share", "half_value", "--players", "3", "--fixed", "150", "--seed", "2", "--json"]
    assert json.loads(CliRunner().invoke(app, arguments).stdout)["difference"] == mine.difference
    assert mine.names == ("fair_share", "half_value")
    assert "fair_share is" in mine._repr_html_()
    found = ma.endings(["half_value", own_bot], players=3, games=60, repeats=1, rules={"deal": [4, 2]})
    assert found.facts["strategies"] == ["half_value", "own_bot"]
    assert found.plot().get_title(loc="left") == "Ending, against playing on"
    assert len(found.tables["endings_causal_seats"]) == 3
    with pytest.raises(ma.UsageError, match='no figure "ending"; did you mean endings_causal'):
        found.plot("ending")
    both = ma.compare_editions(["classic", "classic(end_count=4)"], ["half_value"], players=3, games=600)
    assert set(both.tables["metrics"]["edition"]) == {"classic", "classic(end_count=4)"}


def test_a_record_of_a_run_is_told_as_text():
    record = ma.play_game(["half_value", "random"], players=3, seed=4, game=2)
    told = ma.replay(record)
    assert told.startswith("Edition classic, 3 players, game 2 of seed 4")
    assert repr(told) == told
    record["money"][0] += 1
    with pytest.raises(ma.RunError, match="money: the record has"):
        ma.replay(record)


class TestGame:
    """A game step by step."""

    def test_it_tells_what_is_asked_and_which_answers_are_legal(self):
        game = ma.Game("classic", players=4, seed=1)
        assert game.decision == ("CARD", 2, "a slot from 0 to 8")
        assert game.legal == [0, 1, 2, 3, 4, 5, 6, 7, 8]
        assert game.cards(2)[0] == "CP-R"
        assert game.apply("CP-R") == [{"e": "play", "seat": 2, "card": "CP-R"}]
        assert game.decision.phase == "BID"
        assert game.legal == list(range(101))  # 0 passes; the standing bid is 0
        assert repr(game).startswith("Game of classic, table: round 1 of 4, phase BID, seat 3")
        game.apply(15)
        assert game.legal == [0, *range(16, 101)]
        assert game.table.high_bid == 15
        assert list(game.table.money) == [100] * 4
        assert game.table.gallery.shape == (4, 5)
        assert len(game.hand(2).cards) == 8

    def test_an_illegal_answer_changes_nothing(self):
        game = ma.Game(seed=1)
        for answer in (9, -1, True, 1.0, "LM-O", "nonsense"):
            with pytest.raises(ma.UsageError, match="legal is a slot from 0 to 8"):
                game.apply(answer)
        assert game.events == []
        with pytest.raises(ma.UsageError, match="seat must be from 0 to 3"):
            game.hand(4)
        with pytest.raises(AttributeError, match="table has no field purse"):
            _ = game.table.purse

    def test_it_plays_on_to_a_record(self):
        game = ma.Game(players=3, seed=7, strategies=["half_value", "fair_share", "predictive"], game=4)
        with pytest.raises(ma.UsageError, match="not over yet"):
            game.record()
        assert game.answer() in game.legal
        while not game.is_over:
            game.play(decisions=1)
        other = ma.Game(players=3, seed=7, strategies=["half_value", "fair_share", "predictive"], game=4)
        other.play()
        assert game.money == other.money == game.record()["money"]
        assert str(game.money[0]) in ma.replay(game.record()).splitlines()[-1]
        assert game.legal == []
        assert game.decision is None

    def test_the_cards_are_those_of_the_run(self):
        record = ma.play_game(["half_value"], players=3, seed=7, game=4)
        game = ma.Game(players=3, seed=7, game=4)
        assert [game.cards(seat) for seat in range(3)] == record["rounds"][0]["dealt"]
        assert game.seat == record["first_seat"]

    def test_a_copy_goes_its_own_way_and_asking_changes_nothing(self):
        game = ma.Game(players=3, seed=2)
        before = repr(game)
        assert game.answer("predictive") in game.legal
        twin = game.copy()
        twin.play("half_value")
        assert twin.is_over
        assert repr(game) == before


def test_decisions_hold_what_the_seat_knew_and_how_it_ended(tmp_path):
    records = [ma.play_game(["half_value", "predictive", "random"], players=3, seed=4, game=k) for k in range(2)]
    frame = ma.decisions(records)
    assert list(frame) == list(COLUMNS)
    assert list(frame["game"].unique()) == [0, 1]
    # The slow twin: every answer again, from the games played on step by step.
    for number, record in enumerate(records):
        rows = frame[frame["game"] == number]
        game = ma.Game(players=3, seed=4, game=number)
        for row in rows.itertuples():
            assert (row.phase, row.seat) == game.decision[:2]
            assert row.strategy == record["players"][row.seat]
            assert row.money == game.money[row.seat]
            assert row.money_1 == game.money[(row.seat + 1) % 3]
            assert row.money_3 is pd.NA
            assert [row.hand_0, row.hand_4] == [
                sum(card.startswith(artist) for card in game.cards(row.seat)) for artist in ("LM", "KR")
            ]
            if row.phase in ("CARD", "PAIR", "JOIN") and row.answer >= 0:
                card = game.cards(row.seat)[row.answer]
                assert card == f"{game.rules.artists[row.card_artist]}-{'ORSFD'[KINDS.index(row.card_kind)]}"
            elif row.phase in ("LIMIT", "BID", "SEALED", "PRICE"):
                assert row.amount == row.answer
            game.apply(row.answer)
            assert row.final_money == record["money"][row.seat]
            assert row.win_share == (row.seat in record["winners"]) / len(record["winners"])
        assert game.is_over
        assert [say(event) for event in game.events] == [
            say(event) for told in record["rounds"] for event in told["events"]
        ]


def test_before_the_first_bid_there_is_no_standing_bid_in_the_decisions():
    record = ma.play_game(["fair_share"], players=3, seed=4, rules={"least_bid": 5})
    frame = ma.decisions([record])
    is_bid = (frame["high_bidder"] >= 0) | (frame["phase"] == "ACCEPT")
    assert (frame["high_bid"][~is_bid] == 0).all()
    bids = frame["high_bid"][frame["phase"] == "BID"]
    assert (bids == 0).any()
    assert (bids >= 5).any()


KINDS = ("open", "once around", "sealed", "fixed price", "double")


def test_decisions_are_written_in_pieces_with_metadata(tmp_path, monkeypatch):
    monkeypatch.setattr("modernart.analysis.decisions.GAMES_A_PIECE", 1)
    records = tmp_path / "games.jsonl"
    done = CliRunner().invoke(
        app, ["record", "random", "half_value", "--players", "3", "--count", "3", "--output", str(records)]
    )
    assert done.exit_code == 0, done.output
    done = CliRunner().invoke(app, ["decisions", str(records)])
    assert done.exit_code == 0, done.output
    path = tmp_path / "games.decisions.parquet"
    assert f"decisions: {path}" in done.output
    read = pd.read_parquet(path)
    pd.testing.assert_frame_equal(read, ma.decisions(records), check_categorical=False, check_dtype=False)
    assert pq.read_schema(path).field("amount").metadata[b"unit"] == b"money"
    assert "exists already" in CliRunner().invoke(app, ["decisions", str(records)]).output
    with pytest.raises(ma.RunError, match="no record"):
        write_decisions([], tmp_path / "none.parquet")
    assert not (tmp_path / "none.parquet").exists()


def test_the_examples_of_the_guide_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    found = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False, optionflags=flags)
    assert found.attempted > 20
    assert found.failed == 0
    assert not list(tmp_path.glob("results")), "only what is asked for is written"
