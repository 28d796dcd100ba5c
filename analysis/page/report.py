"""The report of a run: one page that needs nothing else, its figures, its tables and a summary for programs."""

from __future__ import annotations

import base64
import io
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
import pandas as pd

from modernart.analysis.measures import all_measures, drawing, tables_of
from modernart.analysis.measures.measure import OBSERVED, SECTIONS, Finding, Tables, View
from modernart.analysis.measures.tables import write_tables
from modernart.analysis.runs import run_folder
from modernart.simulator.files import whole_file
from modernart.simulator.simulate import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUMMARY_FILE = "summary.json"
FIGURES_FOLDER = "figures"
SUMMARY_FORMAT = "modern-art-summary"
#: Rises when a key of `summary.json` changes its meaning.
SUMMARY_VERSION = 1

#: With fewer blocks intervals rest on few deals, and batches stay empty.
FEW_BLOCKS = 320

_TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class DrawnFigure:
    """A figure that is drawn."""

    name: str
    axes: Axes
    caption: str


@dataclass
class Section:
    """A part of the page."""

    title: str
    sentences: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    drawn: list[DrawnFigure] = field(default_factory=list)
    figures: list[dict[str, str]] = field(default_factory=list)
    tables: list[dict[str, Any]] = field(default_factory=list)
    facts: list[tuple[str, str]] = field(default_factory=list)

    @property
    def anchor(self) -> str:
        """Name for links."""
        return self.title.lower().replace(" ", "-")


@dataclass(frozen=True)
class Report:
    """Files that were written."""

    page: Path
    summary: Path
    tables: tuple[Path, ...]
    figures: tuple[Path, ...]


def write_report(folder: Path, *, csv: bool = False, png: bool = True, tables: Tables | None = None) -> Report:
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

    Raises
    ------
    UsageError
        If the folder holds no run.
    """
    folder = Path(folder)
    run, data = run_folder.load_run(folder)
    tables = tables_of(run, {**(tables.made if tables is not None else {}), **study_tables(folder)})
    findings = find(tables)
    sections = compose(run, data, tables, findings)
    note = f"{run.n_games:,} games of {data['edition']}, {run.rules.players} players, seed {run.seed}; {folder.name}"
    figures = _draw_figures(sections, note, folder if png else None)
    formats = ("parquet", "csv") if csv else ("parquet",)
    write_tables(folder / run_folder.TABLES_FOLDER, tables, formats)
    page = _render(run, data, sections)
    with whole_file(folder / run_folder.REPORT_FILE) as file:
        file.write(page)
    with whole_file(folder / SUMMARY_FILE) as file:
        json.dump(summarise(run, data, tables, findings), file, indent=1, ensure_ascii=False, allow_nan=False)
        file.write("\n")
    paths = tuple(folder / run_folder.TABLES_FOLDER / f"{name}.{ending}" for name in tables for ending in formats)
    return Report(folder / run_folder.REPORT_FILE, folder / SUMMARY_FILE, paths, tuple(figures))


def study_tables(folder: Path) -> dict[str, pd.DataFrame]:
    """Return the tables that studies have added to a run folder."""
    names = [table.name for measure in all_measures() for table in measure.tables if table.make is None]
    paths = {name: Path(folder) / run_folder.TABLES_FOLDER / f"{name}.parquet" for name in names}
    return {name: pd.read_parquet(path) for name, path in paths.items() if path.exists()}


def _draw_figures(sections: Sequence[Section], note: str, folder: Path | None) -> list[Path]:
    """Put every section's figures into it, and into PNG files if a folder is given; returns the files."""
    files = []
    for section in sections:
        for drawn in section.drawn:
            drawing.add_note(drawn.axes, note)
            section.figures.append({"data": _inline(drawn.axes), "alt": drawn.caption, "caption": drawn.caption})
            if folder is not None:
                files.append(folder / FIGURES_FOLDER / f"{drawn.name}.png")
                with whole_file(files[-1], "wb") as file, drawing.style():
                    _figure_of(drawn.axes).savefig(file, format="png", dpi=120)
    return files


def _figure_of(axes: Axes) -> Figure:
    """Return the figure that axes belong to."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    return figure


def _inline(axes: Axes) -> str:
    """Return a figure as a data URI, so that the page needs no other file."""
    buffer = io.BytesIO()
    figure = _figure_of(axes)
    with drawing.style():
        # The layout is found once and kept: savefig would find it anew for every file, which takes as long as drawing.
        layout = figure.get_layout_engine()
        if layout is not None:
            layout.execute(figure)
            figure.set_layout_engine("none")
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")


def _render(run: Run, data: dict[str, Any], sections: Sequence[Section]) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    best = sections[0].sentences[0] if sections[0].sentences else ""
    return environment.get_template("report.html.j2").render(
        title=f"Modern Art, {data['edition']}, {run.rules.players} players",
        facts=f"{run.n_games:,} games, {run.n_blocks:,} deals, {len(run.names)} strategies, seed {run.seed}. {best}",
        css=jinja2.utils.markupsafe.Markup((_TEMPLATES / "report.css").read_text(encoding="utf-8")),
        sections=sections,
    )


def find(tables: Tables) -> list[Finding]:
    """Return what a player would want to know, in sentences with numbers; effects before what was only observed."""
    found = [finding for measure in tables.measures if measure.find for finding in measure.find(tables)]
    return sorted(found, key=lambda finding: finding.evidence == OBSERVED)


def summarise(run: Run, data: dict[str, Any], tables: Tables, findings: Sequence[Finding]) -> dict[str, Any]:
    """Return the content of `summary.json`: plain data, None where a number is not known."""
    in_summary = [table.name for measure in tables.measures for table in measure.tables if table.in_summary]
    keys = ("command", "edition", "players", "games", "complete", "seconds", "cpu_seconds", "versions")
    return {
        "format": SUMMARY_FORMAT,
        "version": SUMMARY_VERSION,
        "run": {key: data[key] for key in keys}
        | {"seed": run.seed, "games_played": run.n_games, "blocks": run.n_blocks},
        "warnings": warnings_of(run, data),
        "findings": [asdict(finding) for finding in findings],
        **{name: plain_rows(tables[name]) for name in in_summary if name in tables},
        "tables": sorted(tables),
    }


def plain_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a table as plain data."""
    return [{key: plain(value) for key, value in row.items()} for row in frame.to_dict("records")]


def plain(value: Any) -> Any:
    """Return a cell of a table as JSON takes it: None where a number is not known."""
    if isinstance(value, str):
        return value
    number = float(value)
    return None if not math.isfinite(number) else int(number) if number.is_integer() else number


def warnings_of(run: Run, data: dict[str, Any]) -> list[str]:
    """Return what a reader must know before trusting the numbers."""
    warnings = []
    if not data["complete"]:
        warnings.append(
            f"The run is unfinished: {run.n_games:,} of {data['games']:,} games. {data['command']} goes on."
        )
    if run.n_blocks < FEW_BLOCKS:
        warnings.append(
            f"Only {run.n_blocks} deals were played: intervals are wide, and those of rare cases not to be trusted. "
            f"Play at least {FEW_BLOCKS * run.rules.players:,} games."
        )
    missing = [m.name for m in all_measures() if m.applies(run.rules) and not m.is_counted(run)]
    if missing:
        warnings.append(
            f"This run was played by an older version that did not count {', '.join(missing)} as this one does. "
            f"To have all tables, delete the folder and play anew: {data['command']}"
        )
    warnings += data.get("notes", [])
    return warnings


def _shown_table(view: View, tables: Tables) -> dict[str, Any]:
    """Return a table for the page; cells whose column the frame lacks are left out."""
    frame = tables[view.table] if view.shown is None else view.shown(tables)
    cells = [cell for cell in view.cells if cell.name in frame]
    rows = [
        [str(row[cell.name]) if cell.write is None else cell.write(row, cell.name) for cell in cells]
        for row in frame.to_dict("records")
    ]
    return {
        "title": view.title,
        "note": view.note(tables) if callable(view.note) else view.note,
        "columns": [{"title": cell.heading, "is_text": cell.write is None} for cell in cells],
        "rows": rows,
    }


def compose(run: Run, data: dict[str, Any], tables: Tables, findings: Sequence[Finding]) -> list[Section]:
    """Return the sections of the page: a summary, the measures by section, and the method."""
    summary = Section("Summary", [finding.text for finding in findings], warnings_of(run, data))
    return [summary, *(_measured(title, tables) for title in SECTIONS), _method(run, data)]


def _measured(title: str, tables: Tables) -> Section:
    """Return a section with all that its measures show."""
    section = Section(title)
    is_single = len(tables.run.names) == 1
    for measure in tables.measures:
        if measure.section != title:
            continue
        section.sentences += measure.notes(tables) if measure.notes else []
        for figure in measure.drawings:
            if not (figure.of_several and is_single) and figure.table in tables and len(tables[figure.table]):
                caption = figure.caption(tables) if callable(figure.caption) else figure.caption
                section.drawn.append(DrawnFigure(figure.name, figure.draw(tables), caption))
        for view in measure.views:
            if not (view.of_several and is_single) and view.table in tables and len(tables[view.table]):
                section.tables.append(_shown_table(view, tables))
    return section


def _method(run: Run, data: dict[str, Any]) -> Section:
    versions = ", ".join(f"{name} {number}" for name, number in data["versions"].items())
    players = ", ".join(
        s["name"] + (f" [{', '.join(f'{x:g}' for x in s['params'])}]" if s["params"] else "")
        for s in data["identity"]["strategies"]
    )
    return Section(
        "Method",
        sentences=[
            "The unit is the deal. A block is one deal played with every rotation of a line-up over the seats, so that "
            "every player gets every hand; games of one deal are not independent, and intervals come from blocks.",
            "Strategies: t intervals of block means (as a ratio where a strategy sits in some blocks more often). All "
            "other numbers: the same over 32 independent batches of deals. Confidence 95 %; intervals are not "
            "corrected for their number, p values of differences are (Holm).",
            "Ratings: Plackett-Luce strengths fitted to who won at which tables.",
            "Tallies are whole numbers and do not depend on threads or chunks: the command below makes the same ones.",
        ],
        facts=[
            ("command", data["command"]),
            ("seed", str(run.seed)),
            ("games", f"{run.n_games:,} ({run.n_blocks:,} blocks of {run.rules.players})"),
            ("line-ups", "balanced: every strategy meets every other equally often and takes every seat"),
            ("strategies", players),
            (
                "cost",
                f"{data['cpu_seconds']:.1f} CPU seconds, {timedelta(seconds=round(data['seconds']))} on the clock, "
                f"{data['threads']} thread(s); {run.n_decisions:,} decisions",
            ),
            ("rules", json.dumps({k: v for k, v in data["identity"]["rules"].items() if k != "deck"})),
            ("versions", versions),
        ],
    )
