"""Figures by name, drawn from tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from modernart.analysis.measures import all_measures
from modernart.analysis.measures.measure import Drawing, Measure, Tables
from modernart.simulator.errors import UsageError
from modernart.simulator.wording import unknown

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


def drawings_of(tables: Mapping[str, pd.DataFrame], measures: Sequence[Measure] | None = None) -> dict[str, Drawing]:
    """Return the figures that tables allow, by name."""
    found = [one for measure in measures or all_measures() for one in measure.drawings if one.table in tables]
    return {one.name: one for one in found}


def draw(tables: Tables, name: str) -> Axes:
    """Draw a figure from tables.

    Parameters
    ----------
    tables : Tables
    name : str
        Its name; a plural's "s" may be left out.

    Raises
    ------
    UsageError
        If these tables have no such figure.
    """
    drawings = drawings_of(tables, tables.measures)
    if len(tables.run.names) == 1:
        drawings = {key: one for key, one in drawings.items() if not one.of_several}
    chosen = drawings.get(name) or drawings.get(f"{name}s")
    if chosen is None:
        raise UsageError(unknown("figure", name, drawings))
    return chosen.draw(tables)
