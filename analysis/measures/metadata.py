"""Units and meanings of columns inside Parquet files, where any reader of the format finds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from modernart.analysis.measures.measure import Column

if TYPE_CHECKING:
    import pyarrow as pa


def with_metadata(table: pa.Table, columns: Mapping[str, Column], rows: str = "") -> pa.Table:
    """Return an Arrow table whose fields carry `unit`, `meaning` and `rests_on`.

    Parameters
    ----------
    table : pyarrow.Table
    columns : mapping of str to Column
        Columns that are not named here carry nothing.
    rows : str
        What one row is; goes into the metadata of the table.
    """
    import pyarrow as pa

    fields = []
    for field in table.schema:
        column = columns.get(field.name)
        if column is not None:
            told = {"unit": column.unit, "meaning": column.meaning, "rests_on": column.evidence}
            field = field.with_metadata(told)
        fields.append(field)
    of_table = dict(table.schema.metadata or {})
    if rows:
        of_table[b"rows"] = rows.encode()
    return table.cast(pa.schema(fields, metadata=of_table))


def with_intervals(columns: Mapping[str, Column]) -> dict[str, Column]:
    """Return columns with those of the ends of their intervals, as they stand in the files."""
    found: dict[str, Column] = {}
    for name, column in columns.items():
        found[name] = column
        if column.interval:
            for end, word in (("low", "lower"), ("high", "upper")):
                meaning = f"{word} end of the 95 % interval of {name}"
                found[f"{name}_{end}"] = Column(meaning, column.unit, column.evidence)
    return found
