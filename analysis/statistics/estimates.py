"""Means, intervals and comparisons. The deal is the unit: games of one deal are not independent, blocks are."""

from dataclasses import dataclass

import numpy as np
from scipy import special

#: Confidence of all intervals.
CONFIDENCE = 0.95


def t_quantile(df: np.ndarray) -> np.ndarray:
    """Return how many standard errors a two-sided t interval of `CONFIDENCE` reaches to each side."""
    # `scipy.special` has what is needed and loads much faster than `scipy.stats`.
    return special.stdtrit(np.maximum(df, 1), 0.5 + CONFIDENCE / 2)


@dataclass(frozen=True)
class Estimate:
    """Numbers with their standard errors and degrees of freedom; all arrays of one shape.

    Parameters
    ----------
    mean : ndarray of float
        NaN where nothing was observed.
    error : ndarray of float
        Standard error; NaN where fewer than two units were observed.
    df : ndarray of float
        Degrees of freedom: units observed less one.
    """

    mean: np.ndarray
    error: np.ndarray
    df: np.ndarray

    @property
    def half_width(self) -> np.ndarray:
        """Half the width of the t interval."""
        with np.errstate(invalid="ignore"):
            return t_quantile(self.df) * self.error

    @property
    def low(self) -> np.ndarray:
        """Lower end of the t interval."""
        return self.mean - self.half_width

    @property
    def high(self) -> np.ndarray:
        """Upper end of the t interval."""
        return self.mean + self.half_width

    @property
    def p_value(self) -> np.ndarray:
        """Two-sided p value of the hypothesis that the true value is 0; 1 where mean and error are both 0."""
        with np.errstate(invalid="ignore", divide="ignore"):
            t = np.where((self.mean == 0) & (self.error == 0), 0.0, np.abs(self.mean) / self.error)
            return 2 * special.stdtr(np.maximum(self.df, 1), -t)


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


def ratio_of(numerator: np.ndarray, denominator: np.ndarray) -> Estimate:
    """Return the ratio of two sums with an interval from independent batches.

    Parameters
    ----------
    numerator, denominator : ndarray, shape (n_batches, ...)
        Sums of each batch; batches with nothing in the denominator do not count as observed.

    Returns
    -------
    Estimate
        NaN where the denominator is 0 altogether.

    Notes
    -----
    Ratio estimator (Cochran, *Sampling Techniques*, ch. 6): for ``R = sum x / sum y`` the variance is
    ``B / (B - 1) * sum (x_b - R y_b)**2 / (sum y)**2``.
    """
    x = np.asarray(numerator, float)
    y = np.asarray(denominator, float)
    x, y = np.broadcast_arrays(x, y)
    total = y.sum(axis=0)
    total = np.where(total == 0, np.nan, total)
    n = np.count_nonzero(y, axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = x.sum(axis=0) / total
        squares = np.sum((x - ratio * y) ** 2, axis=0)
        error = np.sqrt(n / (n - 1) * squares) / np.abs(total)
    return Estimate(ratio, np.where(n > 1, error, np.nan), n - 1.0)


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
    """

    n_blocks: np.ndarray
    nn: np.ndarray
    nx: np.ndarray
    xx: np.ndarray
    n: np.ndarray
    x: np.ndarray

    def residual_products(self) -> np.ndarray:
        """Return the sums over blocks of r_a r_c, where r = (x - mean n) / (sum of n) is a block's pull on the mean."""
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = self.x / self.n
            a, c = mean[:, None], mean[None, :]
            products = self.xx - a * self.nx - c * self.nx.T + a * c * self.nn
            return products / (self.n[:, None] * self.n[None, :])


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
    return Estimate(mean, np.where(k > 1, np.sqrt(np.maximum(variance, 0)), np.nan), k - 1)


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
    return Estimate(mean[:, None] - mean[None, :], np.where(k > 1, error, np.nan), k - 1.0), saved


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


def share_bounds(estimate: Estimate) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of intervals of shares, which lie between 0 and 1.

    Where every unit gave 0, or every unit 1, the t interval has no width; there the exact binomial bound for units
    (Clopper and Pearson 1934) is taken.
    """
    low = np.clip(estimate.low, 0.0, 1.0)
    high = np.clip(estimate.high, 0.0, 1.0)
    rest = ((1 - CONFIDENCE) / 2) ** (1.0 / np.maximum(estimate.df + 1, 1))
    never = (estimate.mean == 0) & ~np.isnan(estimate.error)
    always = (estimate.mean == 1) & ~np.isnan(estimate.error)
    return np.where(always, rest, low), np.where(never, 1 - rest, high)
