"""Plackett-Luce ratings: one strength a strategy, from who won at which tables."""

import numpy as np
import pandas as pd

from modernart.analysis.statistics.estimates import t_quantile
from modernart.simulator.lineups import BalancedSchedule
from modernart.simulator.simulate import Run
from modernart.simulator.tallies import N_BATCHES, WIN_UNITS

#: Ratings are printed on the scale of chess: a factor of ten in strength is 400 points, the mean is 1500.
SCALE = 400.0
CENTRE = 1500.0
_TOLERANCE = 1e-10
_MAX_STEPS = 10_000


def fit_strengths(wins: np.ndarray, tables: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the most likely Plackett-Luce strengths given how often each strategy won.

    Who wins is the first choice of a Plackett-Luce ranking: at a table with places `k` a strategy wins with
    probability ``k_a s_a / sum(k s)``. Given the tables played, the wins of each strategy are all that the likelihood
    asks for, so any number of games is fitted at once, shared wins as fractions.

    Parameters
    ----------
    wins : ndarray of float, shape (n_strategies,)
        Wins of each strategy, ties shared.
    tables : ndarray of int, shape (n_tables, n_strategies)
        Places that each strategy takes at each sort of table.
    counts : ndarray of float, shape (n_tables,)
        Games at each sort of table.

    Returns
    -------
    ndarray of float, shape (n_strategies,)
        Strengths that sum to 1; 0 for who never won.

    Notes
    -----
    The MM algorithm of Hunter (2004), "MM algorithms for generalized Bradley-Terry models", with counts as weights.
    """
    places = np.asarray(tables, float)
    wins = np.asarray(wins, float)
    played = places.sum(axis=0) > 0
    strengths = np.where(played & (wins > 0), 1.0, 0.0)
    strengths /= strengths.sum()
    for _ in range(_MAX_STEPS):
        load = places.T @ (counts / (places @ strengths))
        with np.errstate(invalid="ignore", divide="ignore"):
            new = np.where(strengths > 0, wins / load, 0.0)
        new /= new.sum()
        step = np.max(np.abs(new - strengths) / np.maximum(strengths, 1e-300))
        strengths = new
        if step < _TOLERANCE:
            break
    return strengths


def table_counts(run: Run) -> tuple[np.ndarray, np.ndarray]:
    """Return the sorts of tables of a balanced run and how many games each batch played at them.

    Returns
    -------
    tables : ndarray of int, shape (n_tables, n_strategies)
        Places of each strategy.
    counts : ndarray of int, shape (N_BATCHES, n_tables)
    """
    n = len(run.names)
    line_ups = BalancedSchedule(n, run.rules.players, run.seed).line_ups(0, run.n_blocks)
    line_ups = np.sort(line_ups, axis=1)
    keys = np.zeros(len(line_ups), np.int64)
    for column in line_ups.T:
        keys = keys * n + column
    _, first, sort_of = np.unique(keys, return_index=True, return_inverse=True)
    tables = np.array([np.bincount(row, minlength=n) for row in line_ups[first]])
    counts = np.zeros((N_BATCHES, len(first)), np.int64)
    np.add.at(counts, (np.arange(run.n_blocks) % N_BATCHES, sort_of), run.rules.players)
    return tables, counts


def ratings_table(run: Run) -> pd.DataFrame:
    """Return one row a strategy, best first: Plackett-Luce strength and rating with a jackknife interval.

    The interval leaves out one batch of deals at a time. A strategy that never won has no rating.
    """
    tables, counts = table_counts(run)
    wins = run.tallies.scores[..., 1] / WIN_UNITS
    full = fit_strengths(wins.sum(axis=0), tables, counts.sum(axis=0))
    used = np.flatnonzero(counts.sum(axis=1))
    n = len(used)
    with np.errstate(divide="ignore", invalid="ignore"):
        rating = _on_scale(full)
        if n > 1:
            leave_out = np.array(
                [
                    _on_scale(fit_strengths((wins.sum(axis=0) - wins[b]), tables, counts.sum(axis=0) - counts[b]))
                    for b in used
                ]
            )
            error = np.sqrt((n - 1) / n * np.sum((leave_out - leave_out.mean(axis=0)) ** 2, axis=0))
            half = t_quantile(n - 1) * error
        else:
            half = np.full(len(full), np.nan)
    frame = pd.DataFrame(
        {
            "strategy": list(run.names),
            "strength": full,
            "rating": rating,
            "rating_low": rating - half,
            "rating_high": rating + half,
        }
    )
    return frame.sort_values("strength", ascending=False, kind="stable", ignore_index=True)


def _on_scale(strengths: np.ndarray) -> np.ndarray:
    """Return ratings whose mean over the strategies that won at all is CENTRE; NaN for the others."""
    logs = np.where(strengths > 0, np.log10(np.where(strengths > 0, strengths, 1.0)), np.nan)
    return CENTRE + SCALE * (logs - np.nanmean(logs))
