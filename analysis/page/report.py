"""The report of a run: one page that needs nothing else, its figures, its tables and a summary for programs."""

from __future__ import annotations

import base64
import hashlib
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd
from markupsafe import Markup, escape

from modernart.analysis.measures import all_measures, drawing, tables_of
from modernart.analysis.measures.measure import Tables
from modernart.analysis.measures.tables import write_tables
from modernart.analysis.page.columns import in_columns
from modernart.analysis.page.sections import DrawnFigure, Section, compose
from modernart.analysis.page.summary import find, write_summary
from modernart.analysis.page.svg import dark_colours, inline_svg, themed
from modernart.analysis.runs import run_folder
from modernart.simulator.files import whole_file
from modernart.simulator.simulate import Run

FIGURES_FOLDER = "figures"
_TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Report:
    """Files that were written, and what their reader should know of them."""

    page: Path
    summary: Path
    tables: tuple[Path, ...]
    figures: tuple[Path, ...]
    hints: tuple[str, ...] = ()


def write_report(
    folder: Path,
    *,
    csv: bool = False,
    png: bool = True,
    tables: Tables | None = None,
    on_stage: Callable[[int, int, str], None] | None = None,
) -> Report:
    """Write the report of a run folder into it: page, summary, tables and figures.

    Parameters
    ----------
    folder : Path
        A run folder; the run may still be unfinished.
    csv : bool
        Write the tables as CSV too.
    png : bool
        Write every figure as a PNG file too.
    tables : Tables, optional
        The run's tables, as far as they have been made; default: made from what the folder holds.
    on_stage : callable, optional
        Called with how many steps are done, how many there are, and what comes next.

    Raises
    ------
    UsageError
        If the folder holds no run.
    """
    folder = Path(folder)
    tell = on_stage or (lambda done, total, words: None)
    tell(0, 1, "tables")
    run, data = run_folder.load_run(folder)
    tables = tables_of(run, {**(tables.made if tables is not None else {}), **study_tables(folder)})
    findings = find(tables)
    with _noting_missing_glyphs() as missing:
        sections = compose(run, data, tables, findings)
        note = (
            f"{run.n_games:,} games of {data['edition']}, {run.rules.players} players, seed {run.seed}; {folder.name}"
        )
        figures = _draw_figures(sections, note, folder if png else None, tell)
    formats = ("parquet", "csv") if csv else ("parquet",)
    write_tables(folder / run_folder.TABLES_FOLDER, tables, formats)
    with whole_file(folder / run_folder.REPORT_FILE) as file:
        file.write(_render(run, data, sections))
    summary = write_summary(folder, run, data, tables, findings)
    paths = tuple(folder / run_folder.TABLES_FOLDER / f"{name}.{ending}" for name in tables for ending in formats)
    return Report(folder / run_folder.REPORT_FILE, summary, paths, tuple(figures), _hints(missing, png))


def study_tables(folder: Path) -> dict[str, pd.DataFrame]:
    """Return the tables that studies have added to a run folder."""
    names = [table.name for measure in all_measures() for table in measure.tables if table.make is None]
    paths = {name: Path(folder) / run_folder.TABLES_FOLDER / f"{name}.parquet" for name in names}
    return {name: pd.read_parquet(path) for name, path in paths.items() if path.exists()}


@contextmanager
def _noting_missing_glyphs() -> Iterator[set[str]]:
    """Collect the characters that no installed font can draw, instead of a line of warning for each use."""
    missing: set[str] = set()
    with warnings.catch_warnings():
        warnings.filterwarnings("always", message="Glyph .* missing from")
        show = warnings.showwarning

        def note(message: Any, *args: Any, **kwargs: Any) -> None:
            found = re.match(r"Glyph (\d+) .*missing from", str(message))
            if found:
                missing.add(chr(int(found[1])))
            else:
                show(message, *args, **kwargs)

        warnings.showwarning = note
        yield missing


def _hints(missing: set[str], png: bool) -> tuple[str, ...]:
    if not missing or not png:
        return ()
    shown = "".join(sorted(missing))[:20]
    return (
        f"no installed font has {shown}: figures/*.png show boxes there; the page does not, as the browser draws its "
        "text. A font such as Noto Sans CJK helps",
    )


def _draw_figures(
    sections: Sequence[Section], note: str, folder: Path | None, tell: Callable[[int, int, str], None]
) -> list[Path]:
    """Put every section's figures into it, and into PNG files if a folder is given; returns the files."""
    files = []
    total, done = sum(len(section.drawn) for section in sections), 0
    for section in sections:
        drawn_here = []
        for drawn in section.drawn:
            tell(done, total, f"figure {drawn.name}")
            drawn_here.append((inline_svg(drawn.axes, drawn.name, drawn.caption), drawn.caption))
            if folder is not None:
                files.append(_write_png(drawn, note, folder / FIGURES_FOLDER))
            done += 1
        section.figures = in_columns(drawn_here)
    tell(done, total, "page")
    return files


def _write_png(drawn: DrawnFigure, note: str, folder: Path) -> Path:
    """Write a figure as a file of its own, with a note of what it was made from."""
    path = folder / f"{drawn.name}.png"
    box = drawing.add_note(drawn.axes, note)
    with whole_file(path, "wb") as file, drawing.style():
        drawing.figure_of(drawn.axes).savefig(file, format="png", dpi=120, bbox_inches=box)
    return path


def _render(run: Run, data: dict[str, Any], sections: Sequence[Section]) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["prose"] = _prose
    environment.filters["themed"] = themed
    environment.filters["cell"] = _cell
    script = (_TEMPLATES / "report.js").read_text(encoding="utf-8")
    return environment.get_template("report.html.j2").render(
        title=f"Modern Art, {data['edition']}, {run.rules.players} players",
        facts=f"{run.n_games:,} games, {run.n_blocks:,} deals, {len(run.names)} strategies, seed {run.seed}.",
        css=Markup((_TEMPLATES / "report.css").read_text(encoding="utf-8")),
        dark_colours=Markup(dark_colours()),
        script=Markup(script),
        # The policy of the page lets this script run and no other.
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
        sections=sections,
    )


def _prose(text: str) -> Markup:
    """Return a sentence for the page, what stands between backticks as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _cell(text: str) -> Markup:
    """Return the words of a cell for the page; where a line must break, an interval stays whole."""
    return Markup(re.sub(r" (\([^()]+ to [^()]+\))$", r" <span>\1</span>", str(_prose(text))))
