"""The parts of the page: a summary, the measures by section, the method, a glossary."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from modernart.analysis.measures.looks import looks_of
from modernart.analysis.measures.measure import QUESTIONS, SECTIONS, Finding, Tables, View
from modernart.analysis.page.glossary import TERMS
from modernart.analysis.page.method import PlainTable, facts_of, method_tables, sentences_of
from modernart.analysis.page.summary import warnings_of
from modernart.simulator.simulate import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Tables of more rows are folded, unless they have one row a strategy.
_MOST_ROWS = 15


@dataclass(frozen=True)
class DrawnFigure:
    """A figure that is drawn."""

    name: str
    axes: Axes
    caption: str


@dataclass(frozen=True)
class Heading:
    """The head of a column: its words, and whether it holds text."""

    words: str
    is_text: bool


@dataclass(frozen=True)
class TableCell:
    """What a cell shows; the number it is sorted by, if it is one; the colour of the strategy it names, if it does."""

    words: str
    number: float | None = None
    colour: str | None = None


@dataclass(frozen=True)
class ShownTable:
    """A table as the page shows it."""

    title: str
    note: str
    headings: Sequence[Heading]
    rows: Sequence[Sequence[TableCell]]
    is_folded: bool = False


@dataclass
class Section:
    """A part of the page."""

    title: str
    #: Sentences under questions; without a question they stand for themselves.
    answers: list[tuple[str, list[str]]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    drawn: list[DrawnFigure] = field(default_factory=list)
    figures: list[tuple[Markup, str]] = field(default_factory=list)
    tables: list[ShownTable] = field(default_factory=list)
    facts: list[tuple[str, str]] = field(default_factory=list)

    @property
    def anchor(self) -> str:
        """Name for links."""
        return self.title.lower().replace(" ", "-")


def compose(run: Run, data: dict[str, Any], tables: Tables, findings: Sequence[Finding]) -> list[Section]:
    """Return the sections of the page, figures not yet drawn into it."""
    answers = [(question, [f.text for f in findings if f.question == question]) for question in QUESTIONS]
    summary = Section("Summary", [(question, told) for question, told in answers if told], warnings_of(run, data))
    method = Section("Method", [("", sentences_of())], facts=facts_of(run, data))
    method.tables = [_plain_table(table) for table in method_tables(run, data)]
    glossary = Section("Glossary", facts=[*TERMS, *_artists(run, data)])
    return [summary, *(_measured(title, tables) for title in SECTIONS), method, glossary]


def _artists(run: Run, data: dict[str, Any]) -> list[tuple[str, str]]:
    names = data.get("artist_names") or []
    if len(names) != len(run.rules.artists):
        return []
    named = zip(run.rules.artists, names, strict=True)
    return [(code, f"the artist {name}") for code, name in named if name != code]


def _measured(title: str, tables: Tables) -> Section:
    """Return a section with all that its measures show."""
    section = Section(title)
    is_single = len(tables.run.names) == 1
    sentences: list[str] = []
    for measure in tables.measures:
        if measure.section != title:
            continue
        sentences += measure.notes(tables) if measure.notes else []
        for figure in measure.drawings:
            if not (figure.of_several and is_single) and figure.table in tables and len(tables[figure.table]):
                caption = figure.caption(tables) if callable(figure.caption) else figure.caption
                section.drawn.append(DrawnFigure(figure.name, figure.draw(tables), caption))
        for view in measure.views:
            if not (view.of_several and is_single) and view.table in tables and len(tables[view.table]):
                section.tables.append(_shown_table(view, tables))
    section.answers = [("", sentences)] if sentences else []
    return section


def _shown_table(view: View, tables: Tables) -> ShownTable:
    """Return a table for the page; cells whose column the frame lacks are left out."""
    frame = tables[view.table] if view.shown is None else view.shown(tables)
    cells = [cell for cell in view.cells if cell.name in frame]
    colours = {name: look["color"] for name, look in looks_of(tables.run.names).items()}
    rows = []
    for row in frame.to_dict("records"):
        shown = []
        for cell in cells:
            value = row[cell.name]
            if cell.write is None:
                shown.append(TableCell(str(value), colour=colours.get(str(value))))
            else:
                number = float(value) if math.isfinite(value) else None
                shown.append(TableCell(cell.write(row, cell.name), number))
        rows.append(shown)
    return ShownTable(
        view.title,
        view.note(tables) if callable(view.note) else view.note,
        [Heading(cell.heading, cell.write is None) for cell in cells],
        rows,
        len(rows) > max(_MOST_ROWS, len(tables.run.names)),
    )


def _plain_table(table: PlainTable) -> ShownTable:
    rows = [[TableCell(words) for words in row] for row in table.rows]
    headings = [Heading(words, True) for words in table.headings]
    return ShownTable(table.title, table.note, headings, rows, len(rows) > 2 * _MOST_ROWS)
