"""Plackett-Luce ratings: one strength a strategy, from who won at which tables."""

import numpy as np
import pandas as pd

from modernart.analysis.statistics.estimates import Estimate, constant_limits, share_bounds
from modernart.simulator.lineups import BalancedSchedule
from modernart.simulator.scoring import WIN_UNITS
from modernart.simulator.simulate import Run
from modernart.simulator.tallies import N_BATCHES

#: Ratings are printed on the scale of chess: a factor of ten in strength is 400 points. The mean strength has rating
#: 1500; a mean of logarithms would move with every win of a strategy that hardly ever wins.
SCALE = 400.0
CENTRE = 1500.0
#: The weak prior: a quarter of an imaginary game at one table of all strategies, each winning an equal share. It makes
#: the fit unique however few games there are and whoever won none.
PRIOR_GAMES = 0.25
#: Place of the number of blocks among the measures of `Tallies.cross`.
_BLOCKS = 5
_TOLERANCE = 1e-10
_MAX_STEPS = 200
#: Longest step of a logarithm: far from the maximum the curvature there says nothing about the curvature here.
_LONGEST_STEP = 5.0


def fit_strengths(wins: np.ndarray, tables: np.ndarray, counts: np.ndarray, prior: float = 0.0) -> np.ndarray:
    """Return the most likely Plackett-Luce strengths given how often each strategy won.

    The winner is the first choice of a Plackett-Luce ranking: at a table with places `k` a strategy wins with
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
    prior : float
        Imaginary games at one table of all strategies that played, of which each wins an equal share.

    Returns
    -------
    ndarray of float, shape (n_strategies,)
        Strengths that sum to 1; 0 for a strategy that did not play, and without a prior for one that never won.

    Notes
    -----
    Newton's method on logarithms of strengths, in which the likelihood is concave (Hunter 2004, "MM algorithms for
    generalized Bradley-Terry models"). Where hardly anybody ever lost, it takes ten steps and MM tens of thousands.
    """
    places = np.asarray(tables, float)
    wins = np.asarray(wins, float)
    counts = np.asarray(counts, float)
    played = places.sum(axis=0) > 0
    if prior:
        places = np.vstack([places, played])
        counts = np.append(counts, prior)
        wins = wins + prior * played / played.sum()
    has_won = played & (wins > 0)
    strengths = np.zeros(len(wins))
    strengths[has_won] = np.exp(_most_likely_logs(wins[has_won], places[:, has_won], counts))
    return strengths / strengths.sum()


def _most_likely_logs(wins: np.ndarray, places: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the logarithms of strengths, mean 0, at which the wins are most likely; all must have won."""
    logs = np.zeros(len(wins))
    counts = np.where(places.any(axis=1), counts, 0.0)

    def log_likelihood(logs: np.ndarray) -> float:
        with np.errstate(divide="ignore"):
            return float(wins @ logs - counts @ np.where(counts > 0, np.log(places @ np.exp(logs)), 0.0))

    now = log_likelihood(logs)
    for _ in range(_MAX_STEPS):
        weights = places * np.exp(logs)
        chances = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
        expected = counts @ chances
        information = np.diag(expected) - chances.T @ (counts[:, None] * chances)
        # Raising all strengths alike changes nothing: a constant keeps that direction from being singular, and a trace
        # on the diagonal the directions in which there is no maximum.
        information += counts.sum() * (1 / len(logs) + 1e-12 * np.eye(len(logs)))
        step = np.linalg.solve(information, wins - expected)
        step *= min(1.0, _LONGEST_STEP / max(np.abs(step).max(), 1e-300))
        while (new := log_likelihood(logs + step)) < now - 1e-9 and np.abs(step).max() > _TOLERANCE:
            step /= 2
        logs = logs + step - np.mean(logs + step)
        now = new
        if np.abs(step).max() < _TOLERANCE:
            break
    return logs


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
    """Return one row a strategy, best first: Plackett-Luce strength and rating with a 95 % interval.

    Strengths come from a fit with a weak prior (`PRIOR_GAMES`). A strength is the share of games that a strategy would
    win at one table of all strategies, so its interval is that of a share, with the jackknife's standard error over
    batches of deals. A strategy that never won gets only an upper end, and one that won all it could only a lower end.
    """
    tables, counts = table_counts(run)
    wins = run.tallies.scores[..., 1] / WIN_UNITS
    strengths = fit_strengths(wins.sum(axis=0), tables, counts.sum(axis=0), PRIOR_GAMES)
    low, high = strength_limits(run, strengths, wins, tables, counts)
    with np.errstate(divide="ignore", invalid="ignore"):
        frame = pd.DataFrame(
            {
                "strategy": list(run.names),
                "strength": strengths,
                "rating": _on_scale(strengths),
                "rating_low": _on_scale(np.where(low > 0, low, np.nan)),
                "rating_high": _on_scale(np.where(high < 1, high, np.nan)),
            }
        )
    return frame.sort_values("strength", ascending=False, kind="stable", ignore_index=True)


def strength_limits(
    run: Run, strengths: np.ndarray, wins: np.ndarray, tables: np.ndarray, counts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of the intervals of strengths, each of shape (n_strategies,); NaN with fewer than two batches."""
    used = np.flatnonzero(counts.sum(axis=1))
    n = len(used)
    if n < 2:
        return np.full(len(strengths), np.nan), np.full(len(strengths), np.nan)
    all_wins, all_counts = wins.sum(axis=0), counts.sum(axis=0)
    leave_out = np.array([fit_strengths(all_wins - wins[b], tables, all_counts - counts[b], PRIOR_GAMES) for b in used])
    error = np.sqrt((n - 1) / n * np.sum((leave_out - leave_out.mean(axis=0)) ** 2, axis=0))
    low, high = share_bounds(Estimate(strengths, error, np.full(len(strengths), n - 1.0)))
    games, most = _most_wins(run)
    for a in map(int, np.flatnonzero(all_wins == 0)):
        low[a], high[a] = 0.0, _strength_of(a, most[a], all_wins, tables, all_counts)
    for a in map(int, np.flatnonzero(all_wins >= games)):
        low[a], high[a] = _strength_of(a, games[a] - most[a], all_wins, tables, all_counts), 1.0
    return low, high


def _most_wins(run: Run) -> tuple[np.ndarray, np.ndarray]:
    """Return of each strategy the games in which it sat, and the most wins that a strategy with none may expect there.

    The second is the exact upper limit from blocks (see `constant_limits`).
    """
    blocks = np.diag(run.tallies.cross.sum(axis=0)[..., _BLOCKS]).astype(float)
    games = blocks * run.rules.players
    none = Estimate(np.zeros(len(blocks)), np.zeros(len(blocks)), blocks - 1, 0.0, 0.0, 1.0, blocks)
    return games, constant_limits(none)[1] * games


def _strength_of(a: int, wins_of_a: float, wins: np.ndarray, tables: np.ndarray, counts: np.ndarray) -> float:
    """Return the strength of a strategy had it won so many games, the others keeping their shares of the rest."""
    rest = wins.sum() - wins[a]
    changed = wins * ((wins.sum() - wins_of_a) / rest if rest > 0 else 0.0)
    if rest == 0:
        changed = np.full(len(wins), (wins.sum() - wins_of_a) / max(len(wins) - 1, 1))
    changed[a] = wins_of_a
    return float(fit_strengths(changed, tables, counts, PRIOR_GAMES)[a])


def _on_scale(strengths: np.ndarray) -> np.ndarray:
    """Return ratings; a strategy of mean strength has CENTRE."""
    return CENTRE + SCALE * np.log10(strengths * len(strengths))
