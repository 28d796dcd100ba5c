"""What a measure is: what it counts, its tables, figures, findings and the meaning of every column."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from modernart.simulator.rules import Rules
from modernart.simulator.simulate import Run
from modernart.simulator.tallies import Tally

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: Kinds of evidence. Cases name what a row is about.
CASE = "case"
#: Comes from the balanced design: the same deals, every hand played by everybody, seats in turn.
DESIGNED = "designed"
#: Comes from what players chose to do: a difference between rows is not the effect of the choice.
OBSERVED = "observed"
#: Comes from playing one position on in several ways.
CAUSAL = "causal"

#: What a reader asks of a run, in the order of the summary.
WHO_WINS, WHAT_WINS, MISTAKES, OTHER, HOW_SURE = QUESTIONS = (
    "Who is best?",
    "What wins?",
    "What do mistakes cost?",
    "What else decides?",
    "How sure is this?",
)

#: Sections of the page, between its summary and its method.
SECTIONS = ("Win rates", "Ending cards", "Auctions", "Market")


@dataclass(frozen=True)
class Column:
    """The meaning of a column of a table.

    Parameters
    ----------
    meaning : str
        One phrase for someone who reads the file alone.
    unit : str
    evidence : {"case", "designed", "observed", "causal"}
    interval : bool
        Whether `NAME_low` and `NAME_high`, its 95 % interval, stand beside it.
    """

    meaning: str
    unit: str = ""
    evidence: str = OBSERVED
    interval: bool = False


@dataclass(frozen=True)
class Table:
    """A table of a run.

    Parameters
    ----------
    name : str
        Name of its file.
    rows : str
        What one row is.
    columns : dict of str to Column
    make : callable, optional
        Returns the frame from the run's tables; None where a study puts the file into the run folder.
    in_summary : bool
        Whether `summary.json` holds it too.
    """

    name: str
    rows: str
    columns: dict[str, Column]
    make: Callable[[Tables], pd.DataFrame] | None = None
    in_summary: bool = False


@dataclass(frozen=True)
class Drawing:
    """A figure.

    Parameters
    ----------
    name : str
    table : str
        Name of the table that it shows; without that table there is no figure.
    draw : callable
        Draws it from the run's tables.
    caption : str or callable
    of_several : bool
        Whether it needs more than one strategy.
    """

    name: str
    table: str
    draw: Callable[[Tables], Axes]
    caption: str | Callable[[Tables], str]
    of_several: bool = False


@dataclass(frozen=True)
class Cell:
    """A column of a table on the page: name in the frame, heading, and how it is written (as text without a format)."""

    name: str
    heading: str
    write: Callable[[Any, str], str] | None = None


@dataclass(frozen=True)
class View:
    """A table on the page.

    Parameters
    ----------
    title : str
    table : str
        Name of the table; without that table there is no view.
    cells : sequence of Cell
    note : str or callable
        Stands above the table.
    shown : callable, optional
        Returns the frame to show: rows chosen, sorted or joined with other tables.
    of_several : bool
        Whether it needs more than one strategy.
    """

    title: str
    table: str
    cells: Sequence[Cell]
    note: str | Callable[[Tables], str] = ""
    shown: Callable[[Tables], pd.DataFrame] | None = None
    of_several: bool = False


@dataclass(frozen=True)
class Finding:
    """A sentence of the summary, with its numbers for programs."""

    key: str
    text: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    evidence: str = DESIGNED
    question: str = OTHER


@dataclass(frozen=True)
class Measure:
    """All that belongs to one statistic.

    Parameters
    ----------
    name, section : str
    order : int
        Place within the section and among the findings; lower comes first.
    tallies : sequence of Tally
    tables : sequence of Table
    drawings : sequence of Drawing
    views : sequence of View
    notes : callable, optional
        Sentences at the head of the section.
    find : callable, optional
        Findings for the summary.
    applies : callable
        Whether games of these rules have anything to count.
    """

    name: str
    section: str
    order: int
    tallies: Sequence[Tally] = ()
    tables: Sequence[Table] = ()
    drawings: Sequence[Drawing] = ()
    views: Sequence[View] = ()
    notes: Callable[[Tables], list[str]] | None = None
    find: Callable[[Tables], list[Finding]] | None = None
    applies: Callable[[Rules], bool] = field(default=lambda rules: True)

    def is_counted(self, run: Run) -> bool:
        """Whether a run holds all that the tables are made from."""
        return all(tally.layout.name in run.tallies for tally in self.tallies)


class Tables(Mapping[str, "pd.DataFrame"]):
    """The tables of a run by name, each made when it is first asked for, and once.

    Parameters
    ----------
    run : Run
    measures : sequence of Measure
        Those that apply to the run.
    added : mapping of str to DataFrame
        Tables that studies have put into the run folder.
    """

    def __init__(self, run: Run, measures: Sequence[Measure], added: Mapping[str, pd.DataFrame] | None = None) -> None:
        self.run = run
        self.measures = tuple(measures)
        #: Tables made so far.
        self.made: dict[str, pd.DataFrame] = dict(added or {})
        declared = [table for measure in measures for table in measure.tables]
        self._make = {table.name: table.make for table in declared if table.make is not None}

    def __getitem__(self, name: str) -> pd.DataFrame:
        """Return a table, made if it has not been."""
        if name not in self.made:
            self.made[name] = self._make[name](self)
        return self.made[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of all tables."""
        return iter(dict.fromkeys([*self._make, *self.made]))

    def __len__(self) -> int:
        """Return how many tables there are."""
        return len(set(self._make) | set(self.made))

    def __contains__(self, name: object) -> bool:
        """Return whether there is such a table, without making it."""
        return name in self._make or name in self.made

    @property
    def fair(self) -> float:
        """The win share of equals."""
        return 1 / self.run.rules.players

    @property
    def order(self) -> list[str]:
        """The strategies by rank, best first."""
        return list(self["ranking"]["strategy"])

    def ranked(self, frame: pd.DataFrame, *columns: str) -> pd.DataFrame:
        """Return a frame with the strategies that its columns name in the order of the ranking."""
        place = {name: i for i, name in enumerate(self.order)}
        return frame.sort_values(list(columns), key=lambda names: names.map(place), kind="stable", ignore_index=True)

    @property
    def least_lots(self) -> int:
        """Lots that a point of a figure needs: fewer in short runs, so that there is something to see."""
        return int(min(100, max(2, self["auctions"]["lots"].sum() // 1000)))


def value(form: str) -> Callable[[Any, str], str]:
    """Return a writer of plain numbers in a format; a dash where there is none."""
    return lambda row, name: f"{row[name]:{form}}" if math.isfinite(row[name]) else "-"


def interval(form: str) -> Callable[[Any, str], str]:
    """Return a writer of numbers with their interval."""

    def write(row: Any, name: str) -> str:
        mean, low, high = row[name], row[f"{name}_low"], row[f"{name}_high"]
        if not math.isfinite(mean):
            return "-"
        return f"{mean:{form}} ({low:{form}} to {high:{form}})" if math.isfinite(low) else f"{mean:{form}}"

    return write


def points(row: Any, name: str) -> str:
    """Write a difference between shares, with its interval, in points."""
    mean, low, high = (100 * row[f"{name}{end}"] for end in ("", "_low", "_high"))
    if not math.isfinite(mean):
        return "-"
    return f"{mean:+.1f} ({low:+.1f} to {high:+.1f})" if math.isfinite(low) else f"{mean:+.1f}"


def p_value(row: Any, name: str) -> str:
    """Write a p value."""
    return in_words(row[name]).removeprefix("= ")


def in_words(p: float) -> str:
    """Return a p value as it stands in a sentence."""
    if not math.isfinite(p):
        return "unknown"
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def range_in_words(low: float, high: float, form: str) -> str:
    """Return an interval as it stands in a sentence."""
    return f"95% interval {low:{form}} to {high:{form}}" if math.isfinite(low) else "too few deals for an interval"


def numbers(value: float, low: float, high: float) -> tuple[float | None, float | None, float | None]:
    """Return a number and its interval for a program, None where one is not known."""
    return _known(value), _known(low), _known(high)


def _known(x: float) -> float | None:
    return float(x) if math.isfinite(x) else None
