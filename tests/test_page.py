"""The report page in a browser: tables sort, fold and filter, the theme changes, nothing is cut off on a phone."""

import re
import shutil

import numpy as np
import pandas as pd
import pytest

from modernart.analysis.measures import drawing
from modernart.analysis.measures.looks import KNOWN, looks_of, on_dark
from modernart.analysis.measures.ranking import plot_win_shares
from modernart.analysis.page.columns import in_columns
from modernart.analysis.page.report import _cell, _hints, _noting_missing_glyphs, _prose, _write_png, write_report
from modernart.analysis.page.sections import DrawnFigure
from modernart.analysis.page.svg import inline_svg
from modernart.analysis.runs import run_folder as runs
from modernart.strategies.registry import STRATEGIES
from modernart.strategies.specs import load_players

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


def make_page(folder, field, games):
    runs.play(runs.plan_run(load_players(field), games=games), folder, threads=1)
    return write_report(folder, png=False).page


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    return make_page(tmp_path_factory.mktemp("page") / "run", ("random", "half_value", "fair_share"), 1200)


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser, page_file):
    """Open the page on a phone; what its console says is in `page.said`."""
    page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme="light")
    page.said = []
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.goto(page_file.resolve().as_uri())
    yield page
    assert page.said == []
    page.close()


@needs_browser
def test_nothing_is_wider_than_a_phone(page):
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") == 390


@needs_browser
def test_heading_sorts_by_number_and_back(page):
    table = page.get_by_role("region", name="Ranking").locator("table")
    heading = table.locator("th", has_text="mean money")

    def money():
        return [float(text.split()[0]) for text in table.locator("tbody tr td:nth-child(5)").all_inner_texts()]

    before = money()
    heading.click()
    assert money() == sorted(before, reverse=True)
    heading.press("Enter")
    assert money() == sorted(before)
    assert heading.get_attribute("aria-sort") == "ascending"


@needs_browser
def test_filter_hides_the_other_rows(page):
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    table = page.get_by_role("region", name="Who sells to whom").locator("table")
    box = page.locator("div:has(> .scroll[aria-label='Who sells to whom']) > input").first
    box.fill("half_value fair_share")
    shown = [text for text in table.locator("tbody tr").all() if text.is_visible()]
    assert len(shown) == 2


@needs_browser
def test_long_table_unfolds(page):
    fold = page.locator("details").first
    rows = fold.locator("tbody tr").first
    assert not rows.is_visible()
    fold.locator("summary").click()
    assert rows.is_visible()


@needs_browser
def test_theme_changes(page):
    def paper():
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    assert paper() == "rgb(255, 255, 255)"
    page.locator("#theme").click()
    assert paper() == "rgb(20, 24, 31)"
    page.locator("#theme").click()
    assert paper() == "rgb(255, 255, 255)"


@needs_browser
def test_pointer_shows_the_value(page):
    page.locator("svg.figure").first.locator(".mark").first.hover()
    assert re.fullmatch(r"fair_share: \d+\.\d% \(\d+\.\d% to \d+\.\d%\)", page.locator("#tip").inner_text())


@needs_browser
def test_page_is_whole_without_scripts(browser, page_file):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(page_file.resolve().as_uri())
    assert page.locator("svg.figure").first.is_visible()
    assert page.get_by_role("region", name="Ranking").is_visible()
    assert page.locator(".mark title").first.text_content().startswith("fair_share: ")
    context.close()


@needs_browser
def test_name_and_its_dot_stay_on_one_line(page):
    page.evaluate(
        "document.querySelector('td > i').nextSibling.textContent = 'forgetful_predictive_of_earlier_rounds_and_prices'"
    )
    place = """(() => {
        const dot = document.querySelector('td > i'), range = document.createRange();
        range.selectNode(dot.nextSibling);
        return [dot.getBoundingClientRect().bottom, range.getClientRects()[0].bottom];
    })()"""
    dot, line = page.evaluate(place)
    assert dot < line


@needs_browser
def test_dark_page_lightens_what_would_not_show(page):
    dot = "getComputedStyle(document.querySelector('td > i[style*=\"bd1f01\"]')).backgroundColor"
    assert page.evaluate(dot) == "rgb(189, 31, 1)"
    page.locator("#theme").click()
    assert page.evaluate(dot) == "rgb(212, 109, 90)"
    page.locator("#theme").click()


def svg_of(height, is_wide=False):
    return f'<svg class="figure{" wide" if is_wide else ""}" viewBox="0 0 100 {100 * height:g}">'


def test_figures_change_places_only_where_a_column_would_end_early():
    def ordered(*heights):
        figures = [(svg_of(height), str(i)) for i, height in enumerate(heights)]
        return [figures.index(figure) for figure in in_columns(figures)]

    assert ordered(1.0, 0.5, 0.5, 1.1) == [0, 1, 2, 3]
    assert ordered(1.8, 1.7, 1.6, 0.71, 0.72, 1.9) == [0, 1, 3, 2, 4, 5]
    assert in_columns([]) == []


def test_wide_figures_stay_where_they_are():
    figures = [(svg_of(1.0), ""), (svg_of(3.0, is_wide=True), ""), (svg_of(0.3), ""), (svg_of(0.3), "")]
    assert in_columns(figures) == figures


def test_line_breaks_before_an_interval_never_within():
    assert _cell("1.5 (1.0 to 2.0)") == "1.5 <span>(1.0 to 2.0)</span>"
    assert _cell("learned(open=0.1) & co") == "learned(open=0.1) &amp; co"


def test_colours_that_hardly_show_on_dark_are_lighter_there():
    def brightness(colour):
        return sum(int(colour[i : i + 2], 16) for i in (1, 3, 5))

    assert "#bd1f01" in on_dark()
    assert all(brightness(lighter) > brightness(colour) + 100 for colour, lighter in on_dark().items())


def test_ticks_of_the_colour_bar_are_true():
    grid = pd.DataFrame([[0.2, 0.30]], index=["a"], columns=["b", "c"])
    ax = drawing.plot_heatmap(grid, "", "", "", 0.05, lambda *_: "")
    bar = ax.figure.axes[1]
    assert [float(text.get_text()) / 100 for text in bar.get_yticklabels()] == pytest.approx(list(bar.get_yticks()))
    assert [text.get_text() for text in bar.get_yticklabels()] == ["-8", "-6", "-4", "-2", "0", "+2", "+4", "+6", "+8"]


def test_prose_shows_commands_as_code_and_escapes_the_rest():
    assert _prose("a<b> `modernart x`") == "a&lt;b&gt; <code>modernart x</code>"


def test_every_built_in_strategy_has_a_look_of_its_own():
    names = [strategy.name for strategy in STRATEGIES]
    assert set(names) <= set(KNOWN)
    looks = looks_of(names)
    assert len({tuple(look.values()) for look in looks.values()}) == len(names)


def test_a_strategy_keeps_its_look_in_every_field():
    assert looks_of(["predictive", "mine.py:shy"])["predictive"] == looks_of(["random", "predictive"])["predictive"]
    assert looks_of(["mine.py:shy"]) == {"mine.py:shy": looks_of(["a", "mine.py:shy"])["mine.py:shy"]}


def test_strategies_of_one_run_never_share_a_look():
    looks = looks_of([f"bot{i}" for i in range(40)])
    assert len({tuple(look.values()) for look in looks.values()}) == 40


def test_figure_has_text_and_the_words_of_each_point():
    frame = pd.DataFrame(
        {
            "strategy": ["a", "b"],
            "win_share": [0.4, 0.1],
            "win_share_low": [0.3, np.nan],
            "win_share_high": [0.5, np.nan],
        }
    )
    svg = str(inline_svg(plot_win_shares(frame, 0.25), "shares", "Who wins."))
    assert ">Who wins<" in svg
    assert "<title>a: 40.0% (30.0% to 50.0%)</title>" in svg
    assert "<title>b: 10.0%</title>" in svg
    assert "#222222" not in svg


def test_points_that_are_not_known_have_no_words():
    ax = drawing.new_axes()
    ax.errorbar([0, 1, 2], [0.5, np.nan, np.nan], yerr=[[0.1, np.nan, np.nan]] * 2, fmt="o", label="third")
    ax.set_xlabel("round")
    svg = str(inline_svg(ax, "shares", "Who wins."))
    assert svg.count("<title>") == 1
    assert "<title>third: round 0: 0.5 (0.4 to 0.6)</title>" in svg


def test_cells_are_compared_with_the_mean_of_their_row():
    grid = pd.DataFrame([[0.2, 0.4, np.nan], [np.nan, np.nan, np.nan]])
    relative = drawing.relative_to_rows(grid)
    np.testing.assert_allclose(relative[0], [-0.1, 0.1, np.nan])
    assert np.isnan(relative[1]).all()


@pytest.mark.slow
def test_twenty_eight_strategies_stay_below_three_megabytes(tmp_path):
    page = make_page(tmp_path / "run", [strategy.name for strategy in STRATEGIES][:28], 4000)
    assert page.stat().st_size < 3_000_000


def test_characters_without_a_font_are_told_once_and_stay_text_on_the_page(tmp_path):
    frame = pd.DataFrame(
        {
            "strategy": ["藝術家"] * 3,
            "win_share": [0.4, 0.3, 0.3],
            "win_share_low": [0.3] * 3,
            "win_share_high": [0.5] * 3,
        }
    )
    with _noting_missing_glyphs() as missing:
        drawn = DrawnFigure("shares", plot_win_shares(frame, 0.25), "Who wins.")
        svg = str(inline_svg(drawn.axes, drawn.name, drawn.caption))
        _write_png(drawn, "note", tmp_path)
    assert ">藝術家<" in svg
    # A system with such a font has nothing to tell.
    assert missing in (set(), set("藝術家"))
    assert [hint[:28] for hint in _hints({"藝"}, png=True)] == ["no installed font has 藝: fig"]
    assert _hints({"藝"}, png=False) == ()
