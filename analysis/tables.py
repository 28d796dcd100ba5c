"""From a run's tallies to tidy tables with intervals: one row a case, one column a measure."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.statistics import BlockSums, Estimate, block_differences, block_means, holm, share_bounds
from simulator.files import whole_file
from simulator.simulate import Run
from simulator.tallies import WIN_UNITS

#: Places of the measures in `Tallies.scores` and `Tallies.cross`.
_SEATS, _WINS, _MONEY, _SQUARES = range(4)
_NN, _NW, _WW, _NM, _MM, _BLOCKS = range(6)


def block_sums(run: Run, measure: str) -> BlockSums:
    """Return the sums over blocks that means, intervals and differences come from.

    Parameters
    ----------
    run : Run
    measure : {"win_share", "money"}
    """
    cross = run.tallies.cross.sum(axis=0).astype(float)
    scores = run.tallies.scores.sum(axis=0).astype(float)
    if measure == "win_share":
        unit, nx, xx, x = WIN_UNITS, _NW, _WW, _WINS
    else:
        unit, nx, xx, x = 1, _NM, _MM, _MONEY
    return BlockSums(
        n_blocks=cross[..., _BLOCKS],
        nn=cross[..., _NN],
        nx=cross[..., nx] / unit,
        xx=cross[..., xx] / unit**2,
        n=scores[:, _SEATS],
        x=scores[:, x] / unit,
    )


def with_interval(name: str, estimate: Estimate, is_share: bool = False) -> dict[str, np.ndarray]:
    """Return columns `name`, `name_low` and `name_high` of an estimate and its 95 % interval."""
    low, high = share_bounds(estimate) if is_share else (estimate.low, estimate.high)
    return {name: estimate.mean.ravel(), f"{name}_low": low.ravel(), f"{name}_high": high.ravel()}


def ranking_table(run: Run) -> pd.DataFrame:
    """Return one row a strategy, best first: seats played, win share and money with intervals, spread of money.

    Win shares are per seat played, ties shared: equals win one in `rules.players`. Intervals come from blocks.
    """
    scores = run.tallies.scores.sum(axis=0)
    n = scores[:, _SEATS].astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = scores[:, _MONEY] / n
        variance = (scores[:, _SQUARES] - n * mean**2) / (n - 1)
    frame = pd.DataFrame(
        {
            "strategy": list(run.names),
            "games": scores[:, _SEATS],
            **with_interval("win_share", block_means(block_sums(run, "win_share")), is_share=True),
            **with_interval("money", block_means(block_sums(run, "money"))),
            "money_sd": np.sqrt(np.maximum(variance, 0)),
        }
    )
    return frame.sort_values(["win_share", "money"], ascending=False, kind="stable", ignore_index=True)


def differences_table(run: Run) -> pd.DataFrame:
    """Return one row a pair of strategies, the better first: differences with intervals and corrected p values.

    `saved` is how many times fewer games the shared deals needed (see `analysis.statistics.block_differences`).
    """
    columns = {}
    for measure in ("win_share", "money"):
        difference, saved = block_differences(block_sums(run, measure))
        columns[measure] = (difference, saved)
    order = {name: i for i, name in enumerate(ranking_table(run)["strategy"])}
    pairs = [
        (a, c)
        for a in range(len(run.names))
        for c in range(len(run.names))
        if order[run.names[a]] < order[run.names[c]]
    ]
    a = np.array([pair[0] for pair in pairs], int)
    c = np.array([pair[1] for pair in pairs], int)
    data: dict[str, object] = {
        "strategy": [run.names[i] for i in a],
        "other": [run.names[i] for i in c],
    }
    for measure, (difference, saved) in columns.items():
        here = Estimate(difference.mean[a, c], difference.error[a, c], difference.df[a, c])
        data |= with_interval(f"{measure}_difference", here)
        data[f"{measure}_p_holm"] = holm(here.p_value)
        data[f"{measure}_saved"] = saved[a, c]
    return pd.DataFrame(data)


def write_tables(folder: Path, tables: Mapping[str, pd.DataFrame], formats: tuple[str, ...] = ("parquet",)) -> None:
    """Write tables as files `NAME.parquet` or `NAME.csv`, each whole or not at all.

    Parameters
    ----------
    folder : Path
        Made if needed.
    tables : mapping of str to DataFrame
    formats : tuple of {"parquet", "csv"}
    """
    for name, frame in tables.items():
        for ending in formats:
            with whole_file(folder / f"{name}.{ending}", "wb") as file:
                if ending == "csv":
                    frame.to_csv(file, index=False)
                else:
                    frame.to_parquet(file, index=False)
