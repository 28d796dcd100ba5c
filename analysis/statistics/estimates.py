"""Means, intervals and comparisons. The deal is the unit: games of one deal are not independent, blocks are.

How each interval is made, and how often it covers the truth: docs/statistics.md, measured by
`benchmarks/interval_coverage.py`.
"""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from scipy import special

#: Confidence of all intervals.
CONFIDENCE = 0.95
#: Chance that the truth lies beyond a given end of an interval.
TAIL = (1 - CONFIDENCE) / 2
#: With fewer degrees of freedom a ratio from batches gets no interval: so few say too little about their own spread.
FEWEST_DF = 4.0
#: A mean whose sampling distribution is more skewed than this gets no interval. A count of m rare events has a
#: skewness of m ** -0.5, so this asks for about five events.
MOST_SKEW = 0.45


def t_quantile(df: np.ndarray | float) -> np.ndarray:
    """Return how many standard errors a two-sided t interval of `CONFIDENCE` reaches to each side."""
    # `scipy.special` has what is needed and loads much faster than `scipy.stats`.
    return special.stdtrit(np.maximum(df, 1), 1 - TAIL)


@dataclass(frozen=True)
class Estimate:
    """Numbers with standard errors, degrees of freedom and intervals; all arrays of one shape.

    Parameters
    ----------
    mean : ndarray of float
        NaN where nothing was observed.
    error : ndarray of float
        Standard error; NaN where fewer than two units were observed.
    df : ndarray of float
        Degrees of freedom.
    skew : ndarray of float, optional
        Skewness of the mean's sampling distribution; default: 0.
    floor, ceiling : ndarray of float, optional
        Bounds of a unit's value; default: none. They matter only where no two units differ.
    n_units : ndarray of float, optional
        Independent units observed; default: `df + 1`.
    """

    mean: np.ndarray
    error: np.ndarray
    df: np.ndarray
    skew: np.ndarray | float = 0.0
    floor: np.ndarray | float = -np.inf
    ceiling: np.ndarray | float = np.inf
    n_units: np.ndarray | None = None

    def at(self, *index: np.ndarray) -> "Estimate":
        """Return the estimates at an index of every array."""
        chosen: dict[str, Any] = {}
        for item in fields(self):
            value = getattr(self, item.name)
            chosen[item.name] = value if value is None else np.broadcast_to(value, np.shape(self.mean))[index]
        return Estimate(**chosen)

    @property
    def units(self) -> np.ndarray:
        """Independent units observed."""
        return np.asarray(self.df) + 1 if self.n_units is None else np.asarray(self.n_units)

    @property
    def is_constant(self) -> np.ndarray:
        """Whether no two of several units differ, up to rounding."""
        # Sums of squares are differences of large sums, which leave a rest of some 1e-8 of the mean.
        return np.asarray(self.error) <= 1e-7 * np.abs(self.mean)

    @property
    def half_width(self) -> np.ndarray:
        """Half the width of the t interval, not corrected for skewness."""
        with np.errstate(invalid="ignore"):
            return t_quantile(self.df) * self.error

    @property
    def low(self) -> np.ndarray:
        """Lower end of the interval; NaN where there is too little to tell."""
        return self._limits()[0]

    @property
    def high(self) -> np.ndarray:
        """Upper end of the interval; NaN where there is too little to tell."""
        return self._limits()[1]

    def _limits(self) -> tuple[np.ndarray, np.ndarray]:
        """Return both ends: exact ones where no two units differ, else those of t corrected for skewness."""
        low, high = constant_limits(self)
        reach = t_quantile(self.df)
        with np.errstate(invalid="ignore"):
            spread = np.where(np.abs(self.skew) <= MOST_SKEW, self.error, np.nan)
            below = self.mean - spread * unskewed(reach, self.skew)
            above = self.mean - spread * unskewed(-reach, self.skew)
        return np.where(self.is_constant, low, below), np.where(self.is_constant, high, above)

    @property
    def p_value(self) -> np.ndarray:
        """Two-sided p value of the hypothesis that the true value is 0.

        It belongs to the interval: below 1 - `CONFIDENCE` where that excludes 0. Where no two units differ, it is the
        chance that so many units agree although the mean is 0; 1 where all are 0, NaN where values have no bounds.
        """
        mean = np.asarray(self.mean, float)
        with np.errstate(invalid="ignore", divide="ignore"):
            p = 2 * special.stdtr(np.maximum(self.df, 1), -np.abs(skewed(mean / self.error, self.skew)))
            # A share `away` of units at the far bound would bring the mean to 0.
            far = np.where(mean > 0, self.floor, self.ceiling)
            away = np.abs(mean) / np.abs(mean - far)
            agreeing = np.where(np.isfinite(far), np.minimum(2 * (1 - np.minimum(away, 1)) ** self.units, 1), np.nan)
        exact = np.where(mean == 0, 1.0, agreeing)
        return np.where(self.is_constant, exact, p)


def skewed(t: np.ndarray, skew: np.ndarray | float) -> np.ndarray:
    """Return a t statistic freed of the skewness of its mean.

    Parameters
    ----------
    t : ndarray of float
        Error of the mean in standard errors.
    skew : ndarray of float
        Skewness of the mean's sampling distribution.

    Notes
    -----
    Hall (1992), "On the removal of skewness by transformation", J. R. Statist. Soc. B 54, 221-228: monotone, and with
    an inverse (`unskewed`).
    """
    skew = np.asarray(skew, float)
    return t + skew * t**2 / 3 + skew**2 * t**3 / 27 + skew / 6


def unskewed(u: np.ndarray, skew: np.ndarray | float) -> np.ndarray:
    """Return the t statistic that `skewed` takes to `u`."""
    u, skew = np.broadcast_arrays(np.asarray(u, float), np.asarray(skew, float))
    is_flat = ~(np.abs(skew) > 1e-6)
    s = np.where(is_flat, 1.0, skew)
    return np.where(is_flat, u, 3 / s * (np.cbrt(1 + s * (u - s / 6)) - 1))


def constant_limits(estimate: Estimate) -> tuple[np.ndarray, np.ndarray]:
    """Return exact limits of the mean where all units gave the same value; NaN towards a side without a bound.

    Notes
    -----
    If a share `q` of units differs, n units agree with probability ``(1 - q) ** n``, so that with the confidence of
    one side ``q <= 1 - TAIL ** (1 / n)`` (Clopper and Pearson 1934). The mean is furthest off if all of these units lie
    at a bound.
    """
    mean = np.asarray(estimate.mean, float)
    with np.errstate(invalid="ignore"):
        share = 1 - TAIL ** (1 / np.maximum(estimate.units, 1))
        low = mean - share * np.maximum(mean - estimate.floor, 0)
        high = mean + share * np.maximum(estimate.ceiling - mean, 0)
    return np.where(np.isfinite(low), low, np.nan), np.where(np.isfinite(high), high, np.nan)


def share_bounds(estimate: Estimate) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of intervals of shares, which lie between 0 and their ceiling (1 if the estimate names none).

    Notes
    -----
    Jeffreys' interval of a binomial share, with the number of independent trials that has the standard error observed
    (Korn and Graubard 1998, Survey Methodology 24, who take Clopper and Pearson's interval; Jeffreys' covers 95 % on
    average: Brown, Cai and DasGupta 2001, Statist. Sci. 16). At 0 and at the ceiling it is exact: see
    `constant_limits`.
    """
    floor = np.maximum(estimate.floor, 0.0)
    ceiling = np.minimum(estimate.ceiling, 1.0)
    bounded = Estimate(estimate.mean, estimate.error, estimate.df, 0.0, floor, ceiling, estimate.units)
    low, high = constant_limits(bounded)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.clip(estimate.mean / ceiling, 0.0, 1.0)
        spread = estimate.error / ceiling * t_quantile(estimate.df) / t_quantile(np.inf)
        trials = share * (1 - share) / spread**2
        a, b = trials * share + 0.5, trials * (1 - share) + 0.5
        below, above = special.betaincinv(a, b, TAIL), special.betaincinv(a, b, 1 - TAIL)
    is_constant = bounded.is_constant
    return np.where(is_constant, low, below * ceiling), np.where(is_constant, high, above * ceiling)


def mean_of(values: np.ndarray, axis: int = 0) -> Estimate:
    """Return the mean of independent units along an axis.

    Parameters
    ----------
    values : ndarray of float
        One value a unit (a deal); NaN where a unit has none.
    axis : int
    """
    values = np.asarray(values, float)
    n = np.sum(~np.isnan(values), axis=axis)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.nansum(values, axis=axis) / n
        squares = np.nansum((values - np.expand_dims(mean, axis)) ** 2, axis=axis)
        error = np.sqrt(squares / (n - 1) / n)
    return Estimate(mean, np.where(n > 1, error, np.nan), n - 1.0)


def ratio_of(
    numerator: np.ndarray, denominator: np.ndarray, per_block: float | None = None, mix: np.ndarray | None = None
) -> Estimate:
    """Return the ratio of two sums with an interval from independent batches.

    Parameters
    ----------
    numerator, denominator : ndarray, shape (n_batches, ...)
        Sums of each batch; batches with nothing in the denominator do not count as observed.
    per_block : float, optional
        Most that one block adds to the denominator: so the blocks behind a number that never varied are counted.
        Default: each batch counts as one.
    mix : ndarray, shape (n_batches, n_strategies), optional
        Seats that each strategy took in each batch. The schedule fixes them over the whole run, so that what they
        explain of the differences between batches is no error of the ratio (strata; Cochran, ch. 5); taken off by
        regression.

    Returns
    -------
    Estimate
        NaN where the denominator is 0 altogether.

    Notes
    -----
    Ratio estimator (Cochran, *Sampling Techniques*, ch. 6): the ratio is off by the sum of ``x_b - R y_b``, over
    ``sum y``. Batches differ in size: the variance and its degrees of freedom are those of Bell and McCaffrey (2002,
    Survey Methodology 28), unbiased where the variance of a batch goes with its size. With ``h_b = y_b / sum y``::

        variance = sum (x_b - R y_b)**2 / (1 - h_b) / (sum y)**2
        df       = 1 / (sum h_b**2 + sum over b != c of h_b**2 h_c**2 / ((1 - h_b) (1 - h_c)))

    With equal batches these are Cochran's variance and B - 1.
    """
    x, y = np.broadcast_arrays(np.asarray(numerator, float), np.asarray(denominator, float))
    total = y.sum(axis=0)
    total = np.where(total == 0, np.nan, total)
    n = np.count_nonzero(y, axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = x.sum(axis=0) / total
        size = np.clip(y / total, 0, 1)
        pulls = (x - ratio * y) / np.abs(total)
        residuals = np.where(size < 1, pulls / np.sqrt(1 - size), np.nan)
        lost = size**2 / (1 - size)
        df = 1 / (np.sum(size**2, axis=0) + np.sum(lost, axis=0) ** 2 - np.sum(lost**2, axis=0))
    if mix is not None:
        residuals, df = _without_mix(pulls, residuals, df, np.asarray(mix, float), n)
    with np.errstate(invalid="ignore", divide="ignore"):
        squares = np.sum(residuals**2, axis=0)
        skew = np.where(squares > 0, np.sum(residuals**3, axis=0) / squares**1.5, 0.0)
    # Five equal batches have 4, or a little less by rounding.
    is_told = np.round(df, 6) >= FEWEST_DF
    units = n if per_block is None else np.maximum(n, np.nan_to_num(total) / per_block)
    error = np.where(is_told, np.sqrt(squares), np.nan)
    return Estimate(ratio, error, df, np.where(is_told, skew, 0.0), n_units=units)


def _without_mix(
    pulls: np.ndarray, residuals: np.ndarray, df: np.ndarray, mix: np.ndarray, n: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return residuals and degrees of freedom with what the mix of strategies explains taken off.

    Cells that some batch did not observe, and runs of so many strategies that more than half of the batches would be
    spent on them, stay as they are.
    """
    directions, weights, _ = np.linalg.svd(mix, full_matrices=False)
    directions = directions[:, weights > 1e-9 * weights[0]]
    n_batches, rank = directions.shape
    leverage = np.sum(directions**2, axis=1)
    if rank > n_batches / 2 or leverage.max() > 1 - 1e-9:
        return residuals, df
    flat = pulls.reshape(n_batches, -1)
    left = flat - directions @ (directions.T @ flat)
    left = left / np.sqrt(1 - leverage)[:, None]
    is_whole = n == n_batches
    return np.where(is_whole, left.reshape(pulls.shape), residuals), np.where(is_whole, n_batches - float(rank), df)


@dataclass(frozen=True)
class BlockSums:
    """Sums over blocks for pairs of strategies a, c; each array has shape (n_strategies, n_strategies).

    With n the games that a strategy's seats play in a block and x their summed outcome. Blocks where one of the two
    does not sit add nothing.

    Parameters
    ----------
    n_blocks : ndarray
        Blocks where both sit; on the diagonal, where the strategy sits.
    nn, nx, xx : ndarray
        Sums of n_a n_c, n_a x_c and x_a x_c.
    n, x : ndarray, shape (n_strategies,)
        Sums of n and x.
    floor, ceiling : ndarray, shape (n_strategies,), optional
        Least and greatest mean that the seats taken allow (see `seat_limits`); default: none.
    """

    n_blocks: np.ndarray
    nn: np.ndarray
    nx: np.ndarray
    xx: np.ndarray
    n: np.ndarray
    x: np.ndarray
    floor: np.ndarray | float = -np.inf
    ceiling: np.ndarray | float = np.inf

    def residual_products(self) -> np.ndarray:
        """Return the sums over blocks of r_a r_c, where r = (x - mean n) / (sum of n) is a block's pull on the mean."""
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = self.x / self.n
            a, c = mean[:, None], mean[None, :]
            products = self.xx - a * self.nx - c * self.nx.T + a * c * self.nn
            return products / (self.n[:, None] * self.n[None, :])


def seat_limits(n: np.ndarray, n_blocks: np.ndarray, players: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the least and the greatest win share a seat that the seats taken allow.

    A strategy that takes two of four places wins at most one game in two a seat; one that takes all of them, exactly
    one in four.

    Parameters
    ----------
    n : ndarray, shape (n_strategies,)
        Seats times games played.
    n_blocks : ndarray, shape (n_strategies,)
        Blocks where the strategy sits.
    players : int
        Seats at the table, and games of a block.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        ceiling = n_blocks * players / np.asarray(n, float)
    has_all = np.isclose(ceiling * players, 1)
    return np.where(has_all, ceiling, 0.0), ceiling


def block_means(sums: BlockSums) -> Estimate:
    """Return each strategy's mean outcome a game, with an interval from blocks; shape (n_strategies,).

    Notes
    -----
    The ratio estimator of `ratio_of` with blocks for batches: where a strategy takes the same number of places in all
    its blocks, this is the t interval of its block means.
    """
    k = np.diag(sums.n_blocks).astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = sums.x / sums.n
        variance = k / (k - 1) * np.diag(sums.residual_products())
    error = np.where(k > 1, np.sqrt(np.maximum(variance, 0)), np.nan)
    return Estimate(mean, error, k - 1, 0.0, sums.floor, sums.ceiling, k)


def block_differences(sums: BlockSums) -> tuple[Estimate, np.ndarray]:
    """Return the differences in mean outcome between strategies, and how much the shared deals saved.

    Returns
    -------
    Estimate
        Of ``mean[a] - mean[c]``, shape (n_strategies, n_strategies).
    ndarray
        The variance that separate deals would give, over the variance there is: how many times fewer games were
        needed. Below 1 where the two took from each other at the same tables.
    """
    products = sums.residual_products()
    own = np.diag(products)
    k = np.diag(sums.n_blocks)[:, None] + np.diag(sums.n_blocks)[None, :] - sums.n_blocks
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = sums.x / sums.n
        squares = np.maximum(own[:, None] + own[None, :] - 2 * products, 0)
        error = np.sqrt(k / (k - 1.0) * squares)
        saved = (own[:, None] + own[None, :]) / squares
    floor, ceiling = (np.broadcast_to(bound, mean.shape) for bound in (sums.floor, sums.ceiling))
    difference = Estimate(
        mean[:, None] - mean[None, :],
        np.where(k > 1, error, np.nan),
        k - 1.0,
        0.0,
        floor[:, None] - ceiling[None, :],
        ceiling[:, None] - floor[None, :],
        k,
    )
    return difference, saved


def holm(p_values: np.ndarray) -> np.ndarray:
    """Return p values corrected for being several (Holm 1979); NaN stays and does not count.

    Parameters
    ----------
    p_values : ndarray of float, shape (n,)
    """
    p = np.asarray(p_values, float)
    corrected = np.full(p.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    factors = len(order) - np.arange(len(order))
    corrected[order] = np.minimum(np.maximum.accumulate(factors * p[order]), 1.0)
    return corrected
