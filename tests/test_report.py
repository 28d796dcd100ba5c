"""`modernart report`: one page that needs nothing else, figures, tables and a summary that agree."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from modernart.analysis.measures import tables_of
from modernart.analysis.measures.money import plot_money
from modernart.analysis.measures.ranking import plot_win_shares
from modernart.analysis.page.report import write_report
from modernart.analysis.runs import run_folder as runs
from modernart.command_line import app
from modernart.strategies.specs import load_players

SECTIONS = ["Summary", "Win rates", "Ending cards", "Auctions", "Market", "Method", "Glossary"]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def make_run(folder, field=("random", "half_value", "fair_share"), games=2000, **options):
    runs.play(runs.plan_run(load_players(field), games=games, **options), folder, threads=1)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return make_run(tmp_path_factory.mktemp("runs") / "run")


@pytest.fixture(scope="module")
def report(folder):
    return write_report(folder, csv=True)


@pytest.fixture(scope="module")
def page(report):
    return report.page.read_text(encoding="utf-8")


def test_sections_are_headed_as_agreed(page):
    assert re.findall(r"<h2>(.*?)</h2>", page) == SECTIONS


def test_page_refers_to_nothing_outside_itself(page):
    targets = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert targets
    assert all(target.startswith(("data:", "#")) for target in targets)
    assert "@import" not in page
    assert set(re.findall(r"url\((.)", page)) == {"#"}
    assert page.count("<script") == 1
    assert "<script>" in page


def test_every_figure_is_in_the_page_and_a_file_with_its_words(report, page):
    figures = re.findall(r'<svg class="figure[^"]*" role="img" aria-label="([^"]+)"', page)
    assert len(figures) == len(report.figures) >= 15
    assert all(len(words) > 10 for words in figures)
    for path in report.figures:
        assert path.read_bytes().startswith(b"\x89PNG")


def test_tables_are_files_that_agree_with_each_other(report):
    for path in report.tables:
        if path.suffix == ".csv":
            stored = pd.read_parquet(path.with_suffix(".parquet"))
            assert list(pd.read_csv(path).columns) == list(stored.columns)
            assert len(pd.read_csv(path)) == len(stored)


def test_summary_is_versioned_and_agrees_with_the_tables(folder, report):
    summary = json.loads(report.summary.read_text(), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert (summary["format"], summary["version"]) == ("modern-art-summary", 1)
    run, _ = runs.load_run(folder)
    ranking = tables_of(run)["ranking"]
    assert summary["ranking"][0]["win_share"] == pytest.approx(ranking["win_share"][0])
    winner = summary["findings"][0]
    assert winner["text"].startswith(f"{ranking['strategy'][0]} wins most: {ranking['win_share'][0]:.1%}")
    assert summary["run"]["games_played"] == 2000
    assert set(summary["tables"]) == {path.stem for path in report.tables}


def test_method_tells_seed_command_versions_and_cost(page):
    for word in ("modernart tournament random half_value fair_share", "CPU seconds", "numba", "seed"):
        assert word in page


def test_names_are_escaped(tmp_path):
    (tmp_path / "a<b>.py").write_text(
        "from modernart.strategies.base import strategy\n\n"
        "@strategy()\ndef x(table, hand):\n    return -1 if table.phase == 1 or table.phase == 2 else 0\n"
    )
    written = write_report(make_run(tmp_path / "run", (f"{tmp_path}/a<b>.py:x", "random"), 40), png=False)
    assert "a<b>" not in written.page.read_text()
    assert "a&lt;b&gt;" in written.page.read_text()


def test_one_strategy_and_one_block_make_a_report_that_warns(tmp_path):
    written = write_report(make_run(tmp_path / "run", ("random",), 1), png=False)
    page = written.page.read_text()
    assert re.findall(r"<h2>(.*?)</h2>", page) == SECTIONS
    assert "Only 1 deals were played" in page
    assert not re.search(r"\bnan\b", re.sub(r"data:[^\"]*|<svg.*?</svg>", "", page, flags=re.DOTALL))


def test_unfinished_run_says_so(tmp_path):
    def stop(run):
        if run.n_blocks >= 10:
            raise KeyboardInterrupt

    plan = runs.plan_run(load_players(["random"]), games=400)
    with pytest.raises(runs.Interrupted):
        runs.play(plan, tmp_path / "run", threads=1, chunk=10, on_progress=stop)
    summary = json.loads(write_report(tmp_path / "run", png=False).summary.read_text())
    assert summary["warnings"][0].startswith("The run is unfinished: 40 of 400 games.")


def test_placeholder_deck_is_told(tmp_path):
    folder = make_run(tmp_path / "run", ("random",), 40, edition="sotheby", seats=4)
    assert "placeholder" in write_report(folder, png=False).page.read_text()


def run(*args):
    return CliRunner().invoke(app, args, env={"COLUMNS": "120", "NO_COLOR": "1"})


def test_report_command_prints_findings_and_files(folder):
    done = run("report", str(folder))
    assert done.exit_code == 0
    assert "wins most" in done.stdout
    assert f"Files: {folder}/report.html" in done.stdout


def test_report_json_is_the_summary(folder):
    assert json.loads(run("report", str(folder), "--json").stdout)["format"] == "modern-art-summary"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: None, "there is no run folder"),
        (lambda path: path.mkdir(), "is no run folder: it has no run.json"),
        (lambda path: (path.mkdir(), (path / "run.json").write_text("[]")), "run.json is not readable"),
    ],
)
def test_no_run_is_one_sentence_and_code_2(tmp_path, make, message):
    make(tmp_path / "x")
    done = run("report", str(tmp_path / "x"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_tournament_writes_the_report_unless_told_not_to(tmp_path):
    args = ("tournament", "random", "half_value", "--games", "40")
    assert run(*args, "--output", str(tmp_path / "a")).exit_code == 0
    assert (tmp_path / "a" / "report.html").exists()
    assert run(*args, "--output", str(tmp_path / "b"), "--no-report").exit_code == 0
    assert not (tmp_path / "b" / "report.html").exists()


def test_a_finished_run_answers_at_once_and_latest_names_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ("tournament", "random", "--games", "40")
    assert run(*words).exit_code == 0
    (folder,) = (tmp_path / "results").iterdir()
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir() if path.is_file()}
    again = run(*words)
    assert "played before" in again.stdout
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir() if path.is_file()} == before
    assert f"Files: results/{folder.name}/report.html" in run("report", "latest").stdout


def test_latest_needs_a_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("report", "latest")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "there is no run under results/ yet" in done.stderr


def test_plots_take_frames_and_give_labelled_axes_with_the_data(folder):
    loaded, _ = runs.load_run(folder)
    ranking = tables_of(loaded)["ranking"]
    ax = plot_win_shares(ranking, 0.25)
    assert [label.get_text() for label in ax.get_yticklabels()] == list(ranking["strategy"])
    assert "win share" in ax.get_xlabel()
    points = ax.containers[0].lines[0].get_xdata()
    assert list(points) == pytest.approx(list(ranking["win_share"]))


def test_plots_leave_the_global_style_alone(folder):
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    loaded, _ = runs.load_run(folder)
    plot_money(tables_of(loaded)["money_quantiles"])
    assert dict(mpl.rcParams) == before


def console_of(page: Path, tmp_path: Path) -> tuple[str, list[str], str]:
    """Open a page in a headless browser: its console, the addresses it asked for, its final document."""
    log = tmp_path / "net.json"
    done = subprocess.run(
        [
            CHROMIUM,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--enable-logging=stderr",
            f"--user-data-dir={tmp_path / 'profile'}",
            f"--log-net-log={log}",
            "--virtual-time-budget=5000",
            "--dump-dom",
            page.resolve().as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    console = "\n".join(line for line in done.stderr.splitlines() if "CONSOLE" in line)
    asked = sorted(set(re.findall(r'"url":"(https?://[^"]+)"', log.read_text(errors="replace"))))
    own = [url for url in asked if "google" not in url and "gvt1" not in url]
    return console, own, done.stdout


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_browser_shows_every_section_without_error_or_request(report, tmp_path):
    console, asked, document = console_of(report.page, tmp_path)
    assert console == ""
    assert asked == []
    assert re.findall(r"<h2>(.*?)</h2>", document) == SECTIONS


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_the_browser_check_sees_a_page_that_asks_the_network(page, tmp_path):
    bad = tmp_path / "bad.html"
    bad.write_text(page.replace("</body>", '<img src="http://example.test/x.png"></body>'))
    assert "Content Security Policy" in console_of(bad, tmp_path)[0]
