"""Tables for a terminal of any width: what matters stays, the rest is left out by priority, and no word is broken."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from modernart.simulator.errors import UsageError
from modernart.simulator.wording import unknown

#: Between two columns.
_GAP = 2
#: Fewest characters that a column of sentences needs.
_LEAST_SENTENCE = 16

ColumnsOption = Annotated[
    str | None,
    typer.Option(
        "--columns", metavar="X,Y,Z", help="Columns to print, whatever the width; a wrong name lists the right ones."
    ),
]


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Parameters
    ----------
    title : str
    is_number : bool
        Numbers stand to the right.
    rank : int
        Columns of rank 0 always stay; of the others the largest rank is left out first.
    is_sentence : bool
        Sentences may be broken into lines between words.
    """

    title: str
    is_number: bool = False
    rank: int = 0
    is_sentence: bool = False


def terminal_width() -> int | None:
    """Return the width of the terminal; None for a file or a pipe, which has none: what goes there is not cut."""
    if not sys.stdout.isatty():
        return None
    from rich.console import Console

    return Console().width


def print_table(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    *,
    chosen: str | None = None,
    title: str = "",
    gap_below: int = 0,
) -> None:
    """Print a table as the terminal has room for it; see `table_text`."""
    typer.echo(table_text(columns, rows, terminal_width(), chosen=chosen, title=title, gap_below=gap_below))


def table_text(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    width: int | None = None,
    *,
    chosen: str | None = None,
    title: str = "",
    gap_below: int = 0,
) -> str:
    """Return a table as text.

    Parameters
    ----------
    columns : sequence of Column
    rows : sequence of sequence of str
        Cells in the order of the columns; a cell may have several lines.
    width : int, optional
        Characters that a line may have; default: as many as it takes.
    chosen : str, optional
        Titles of the columns to show, with commas between; default: as many as there is room for.
    title : str
        Stands above the table.
    gap_below : int
        Empty lines below each row.

    Raises
    ------
    UsageError
        If a chosen column does not exist.
    """
    shown = _chosen(columns, chosen) if chosen is not None else _fitting(columns, rows, width)
    lines = [*([title] if title else []), *_lines(columns, rows, shown, width, gap_below)]
    left_out = [column.title for i, column in enumerate(columns) if i not in shown]
    if left_out and chosen is None:
        lines += _wrapped(f"Left out for want of width: {', '.join(left_out)}", width or 80)
    return "\n".join(lines)


def _chosen(columns: Sequence[Column], chosen: str) -> list[int]:
    titles = [column.title for column in columns]
    wanted = [word.strip() for word in chosen.split(",") if word.strip()]
    for word in wanted:
        if word not in titles:
            raise UsageError(unknown("column", word, titles))
    if not wanted:
        raise UsageError(f"--columns names no column; there are {', '.join(titles)}")
    return [titles.index(word) for word in wanted]


def _fitting(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int | None) -> list[int]:
    """Return the columns that fit, those of the largest rank left out first."""
    shown = list(range(len(columns)))
    while width is not None and _needed(columns, rows, shown) > width:
        worst = max(shown, key=lambda i: (columns[i].rank, i))
        if columns[worst].rank == 0:
            break
        shown.remove(worst)
    return shown


def _needed(columns: Sequence[Column], rows: Sequence[Sequence[str]], shown: Sequence[int]) -> int:
    """Return the width that some columns take, sentences broken into lines as short as they may be."""
    widths = []
    for i in shown:
        natural = _natural(columns, rows, i)
        widths.append(min(natural, max(_LEAST_SENTENCE, _longest_word(rows, i))) if columns[i].is_sentence else natural)
    return sum(widths) + _GAP * (len(widths) - 1)


def _natural(columns: Sequence[Column], rows: Sequence[Sequence[str]], i: int) -> int:
    return max([len(columns[i].title), *(_cells(line) for row in rows for line in row[i].split("\n"))])


def _longest_word(rows: Sequence[Sequence[str]], i: int) -> int:
    return max((_cells(word) for row in rows for word in row[i].split()), default=0)


def _cells(text: str) -> int:
    """Return how many places of a terminal a text takes; Chinese characters take two."""
    from rich.cells import cell_len

    return cell_len(text)


def _lines(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], shown: Sequence[int], width: int | None, gap_below: int
) -> list[str]:
    widths = {i: _natural(columns, rows, i) for i in shown}
    if width is not None:
        _share_out(columns, widths, width)
    lines = _row(columns, [column.title for column in columns], shown, widths)
    for row in rows:
        lines += _row(columns, row, shown, widths) + [""] * gap_below
    return lines


def _share_out(columns: Sequence[Column], widths: dict[int, int], width: int) -> None:
    """Narrow the columns of sentences, the widest first, until a line has room."""
    while sum(widths.values()) + _GAP * (len(widths) - 1) > width:
        wide = [i for i in widths if columns[i].is_sentence and widths[i] > _LEAST_SENTENCE]
        if not wide:
            return
        widths[max(wide, key=lambda i: widths[i])] -= 1


def _row(columns: Sequence[Column], cells: Sequence[str], shown: Sequence[int], widths: dict[int, int]) -> list[str]:
    """Return the lines of a row."""
    parts = {
        i: [piece for line in cells[i].split("\n") for piece in _wrapped(line, widths[i])]
        if columns[i].is_sentence
        else cells[i].split("\n")
        for i in shown
    }
    lines = []
    for n in range(max(len(part) for part in parts.values())):
        texts = []
        for i in shown:
            text = parts[i][n] if n < len(parts[i]) else ""
            space = " " * (widths[i] - _cells(text))
            texts.append(space + text if columns[i].is_number else text + space)
        lines.append((" " * _GAP).join(texts).rstrip())
    return lines


def _wrapped(text: str, width: int) -> list[str]:
    """Return a text in lines, broken between words alone."""
    import textwrap

    return textwrap.wrap(text, max(width, 1), break_long_words=False, break_on_hyphens=False) or [""]
