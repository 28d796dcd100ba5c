"""The dictionary of all columns of all tables: `python -m modernart.analysis.measures.dictionary > docs/columns.md`."""

from collections.abc import Mapping

import pandas as pd

from modernart.analysis.measures import all_measures
from modernart.analysis.measures.measure import Column
from modernart.analysis.measures.metadata import with_intervals
from modernart.simulator.errors import UsageError
from modernart.simulator.wording import unknown

_HEAD = """# Columns of the tables

`modernart report RUN` writes these tables into the folder `tables/` of a run, as Parquet files and with `--csv` as CSV
files too. `*` marks columns with a 95 % interval beside them, in `NAME_low` and `NAME_high`. In Python,
`modernart.describe("auctions")` returns the same; the Parquet files carry units and meanings in their metadata.

What a number rests on:

- *case*: names what the row is about;
- *designed*: the balanced design, in which strategies play the same deals from every seat: a difference between
  strategies or seats is an effect;
- *observed*: what players chose to do: a difference between rows is not the effect of a choice;
- *causal*: the same position played on in several ways.
"""


def _tables() -> dict[str, tuple[str, Mapping[str, Column], str]]:
    """Return what one row is, the columns and the origin of every table, by its name."""
    from modernart.analysis.decisions import COLUMNS

    found: dict[str, tuple[str, Mapping[str, Column], str]] = {}
    for measure in all_measures():
        for table in measure.tables:
            found[table.name] = (table.rows, table.columns, "" if table.make is not None else " A study adds it.")
    found["decisions"] = ("a decision of a game record", COLUMNS, " `modernart decisions` makes it from records.")
    return found


def columns_of(name: str) -> tuple[str, Mapping[str, Column]]:
    """Return what one row of a table is, and its columns; nothing for a table that the dictionary does not have."""
    rows, columns, _ = _tables().get(name, ("", {}, ""))
    return rows, columns


def describe(name: str | None = None) -> pd.DataFrame:
    """Return what a table's columns mean, or which tables there are.

    Parameters
    ----------
    name : str, optional
        A table of `result.tables`, or `decisions`; default: all tables, with what one row of each is.

    Returns
    -------
    DataFrame
        By `column`: `unit`, `rests_on` (case, designed, observed or causal, as docs/columns.md explains) and `meaning`.

    Raises
    ------
    UsageError
        If there is no such table.
    """
    tables = _tables()
    if name is None:
        rows = [(key, f"one row: {row}.{origin}") for key, (row, _, origin) in tables.items()]
        return pd.DataFrame(rows, columns=["table", "rows"]).set_index("table")
    if name not in tables:
        raise UsageError(unknown("table", name, tables))
    columns = with_intervals(tables[name][1])
    told = [(key, column.unit, column.evidence, column.meaning) for key, column in columns.items()]
    return pd.DataFrame(told, columns=["column", "unit", "rests_on", "meaning"]).set_index("column")


def markdown() -> str:
    """Return the dictionary, made from the measures themselves."""
    parts = [_HEAD]
    for name, (rows, columns, origin) in _tables().items():
        parts.append(f"## {name}\n\nOne row: {rows}.{origin}\n\n")
        parts[-1] += "| column | unit | rests on | meaning |\n|---|---|---|---|\n"
        for key, column in columns.items():
            star = "*" if column.interval else ""
            parts[-1] += f"| `{key}`{star} | {column.unit} | {column.evidence} | {column.meaning} |\n"
    return "\n".join(parts)


if __name__ == "__main__":
    print(markdown(), end="")
