"""From sums to tidy frames: one row a case, one column a quantity, intervals beside it."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO

import numpy as np
import pandas as pd

from modernart.analysis.statistics.estimates import Estimate, ratio_of, share_bounds
from modernart.simulator.decisions import Form
from modernart.simulator.files import whole_file
from modernart.simulator.rules import Rules
from modernart.simulator.scoring import WIN_UNITS
from modernart.simulator.simulate import Run

#: Words for the forms of lots.
FORM_NAMES = {Form.SINGLE: "single", Form.PAIRED: "own double", Form.JOINED: "joined double", Form.LONE: "lone double"}


def own_pair(rules: Rules) -> str:
    """Return the word for two cards that one player sells together: only with `same_kind` are they not all doubles."""
    return "own pair" if rules.pairing == "same_kind" else FORM_NAMES[Form.PAIRED]


def form_names(rules: Rules) -> list[str]:
    """Return the names of the forms of lots under a rule set."""
    return list((FORM_NAMES | {Form.PAIRED: own_pair(rules)}).values())


def with_interval(name: str, estimate: Estimate, is_share: bool = False) -> dict[str, np.ndarray]:
    """Return columns `name`, `name_low` and `name_high` of an estimate and its 95 % interval."""
    low, high = share_bounds(estimate) if is_share else (estimate.low, estimate.high)
    return {name: estimate.mean.ravel(), f"{name}_low": low.ravel(), f"{name}_high": high.ravel()}


def means(name: str, sums: np.ndarray, counts: np.ndarray, mix: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """Return columns of a mean with its interval, from sums by batch; `mix` as for `ratio_of`."""
    return with_interval(name, ratio_of(sums, counts, mix=mix))


def shares(
    name: str,
    part: np.ndarray,
    whole: np.ndarray,
    unit: float = 1.0,
    *,
    per_block: float | None = None,
    mix: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """Return columns of a share with its interval, from sums by batch; `unit` parts make one (see `ratio_of`)."""
    return with_interval(name, ratio_of(part / unit, whole, per_block, mix), is_share=True)


def mix_of(run: Run) -> np.ndarray:
    """Return the seats that each strategy took in each batch, which intervals allow for (see `ratio_of`)."""
    return run.tallies.sums("scores")["seats"]


def win_shares(name: str, win_units: np.ndarray, games: np.ndarray, per_block: float) -> dict[str, np.ndarray]:
    """Return columns of a win share with its interval, from sums by batch; a block adds at most `per_block` games."""
    return shares(name, win_units, games, WIN_UNITS, per_block=per_block)


def most_places(run: Run) -> int:
    """Return the most places that one strategy takes in a line-up of the balanced schedule."""
    return -(-run.rules.players // len(run.names))


def cases(axes: Mapping[str, Iterable[object]]) -> dict[str, list[object]]:
    """Return columns that name every combination of cases, the last axis running fastest."""
    rows = list(itertools.product(*axes.values()))
    return {name: [row[i] for row in rows] for i, name in enumerate(axes)}


def seen(frame: pd.DataFrame, count: str) -> pd.DataFrame:
    """Return the rows of cases that occurred."""
    return frame[frame[count] > 0].reset_index(drop=True)


def total(sums: np.ndarray) -> np.ndarray:
    """Return sums by batch added up, as a column."""
    return sums.sum(axis=0).ravel()


def write_tables(folder: Path, tables: Mapping[str, pd.DataFrame], formats: Sequence[str] = ("parquet",)) -> None:
    """Write tables as files `NAME.parquet` or `NAME.csv`, each whole or not at all.

    Parameters
    ----------
    folder : Path
        Made if needed.
    tables : mapping of str to DataFrame
    formats : sequence of {"parquet", "csv"}
    """
    for name, frame in tables.items():
        for ending in formats:
            with whole_file(folder / f"{name}.{ending}", "wb") as file:
                if ending == "csv":
                    frame.to_csv(file, index=False)
                else:
                    _write_parquet(name, frame, file)


def _write_parquet(name: str, frame: pd.DataFrame, file: IO[bytes]) -> None:
    """Write a table as Parquet, with units and meanings of its columns where the dictionary has them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from modernart.analysis.measures.dictionary import columns_of
    from modernart.analysis.measures.metadata import with_intervals, with_metadata

    rows, columns = columns_of(name)
    table = with_metadata(pa.Table.from_pandas(frame, preserve_index=False), with_intervals(columns), rows)
    pq.write_table(table, file)
