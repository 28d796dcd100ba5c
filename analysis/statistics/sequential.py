"""Intervals and tests that stay valid however often one looks: pure functions of per-deal values.

A value is one deal's outcome (a win share, a difference of win shares, an amount of money); deals are independent.

For values within bounds the test is by betting: the wealth of one who stakes a share `lambda` of it on every deal
against "the mean is m" is a nonnegative martingale if the mean is m, so that it ever grows `1/alpha`-fold with
probability `alpha` at most (Ville 1939), and so does the mean wealth over a fixed set of stakes. That holds at every
sample size at once, for any distribution within the bounds, zero variance included (Waudby-Smith and Ramdas 2024,
Estimating means of bounded random variables by betting, J. R. Statist. Soc. B 86). All values of m that have not
been rejected form a confidence sequence.
"""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from scipy import optimize, stats

#: Stakes, for values scaled to [0, 1]: from one at which a certain winner is found out within some ten deals to one
#: that suits millions of deals. Steps of a factor 1.35 lose little between two stakes.
_STAKES = 0.95 * 1.35 ** -np.arange(19.0)
#: Simulated runs of a sequential test, from which the bias of its estimate is read.
_N_BIAS_RUNS = 4_000


class Interval(NamedTuple):
    """An estimate's interval."""

    low: float
    high: float


@dataclass
class BoundedMean:
    """Mean of values within bounds, with evidence that does not mind peeking.

    The evidence depends on which values came, not on their order, so only their counts are kept.

    Parameters
    ----------
    low, high : float
        Bounds of the values.
    """

    low: float
    high: float
    n: int = 0
    _values: np.ndarray = field(default_factory=lambda: np.zeros(0))
    _counts: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))

    def add(self, values: np.ndarray) -> None:
        """Take in values of further deals.

        Parameters
        ----------
        values : ndarray of float, shape (n_deals,)

        Raises
        ------
        ValueError
            If a value is out of bounds.
        """
        values = np.asarray(values, float)
        if len(values) and not (self.low <= values.min() and values.max() <= self.high):
            raise ValueError(f"values must be from {self.low} to {self.high}, got {values.min()} to {values.max()}")
        new, counts = np.unique(values, return_counts=True)
        merged, where = np.unique(np.concatenate([self._values, new]), return_inverse=True)
        self._counts = np.bincount(where, np.concatenate([self._counts, counts]), len(merged)).astype(np.int64)
        self._values = merged
        self.n += len(values)

    @property
    def mean(self) -> float:
        """Mean of the values so far."""
        return float(self._values @ self._counts / self.n)

    @property
    def variance(self) -> float:
        """Variance of the values so far (not of their mean)."""
        return float((self._values - self.mean) ** 2 @ self._counts / self.n)

    def log_wealth(self, mean: float, above: bool = True) -> float:
        """Return the log of the wealth won by betting that the mean is above (or below) a given one."""
        scale = self.high - self.low
        gains = (self._values - mean) / scale if above else (mean - self._values) / scale
        by_stake = np.log1p(np.outer(_STAKES, gains)) @ self._counts
        return float(np.logaddexp.reduce(by_stake) - math.log(len(_STAKES)))

    def interval(self, confidence: float = 0.95) -> Interval:
        """Return the means not yet rejected: an interval valid at all sample sizes at once."""
        if self.n == 0:
            return Interval(self.low, self.high)
        target = log_threshold(confidence)
        ends = []
        for bound, above in ((self.low, True), (self.high, False)):

            def excess(mean: float, above: bool = above) -> float:
                return self.log_wealth(mean, above) - target

            # At the sample mean no bet has won (Jensen), so the limit lies between it and the bound.
            ends.append(optimize.brentq(excess, bound, self.mean, xtol=1e-9) if excess(bound) > 0 else bound)
        return Interval(*ends)


def log_threshold(confidence: float) -> float:
    """Return the log wealth at which one of two one-sided bets rejects: each may err with half of the risk."""
    return math.log(2 / (1 - confidence))


def unbounded_interval(n: int, mean: float, variance: float, confidence: float = 0.95, best_at: int = 500) -> Interval:
    """Return an interval for a mean without bounds, valid under peeking once `n` is in the hundreds.

    Parameters
    ----------
    n : int
        Deals.
    mean, variance : float
        Of the values.
    confidence : float
    best_at : int
        Sample size at which the interval is tightest.

    Notes
    -----
    The asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024, Ann. Statist. 52),
    a normal mixture after Robbins (1970): needs a variance, no bounds.
    """
    alpha = 1 - confidence
    rho2 = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / best_at
    t = n * rho2 + 1
    half = math.sqrt(variance * 2 * t / (n * n * rho2) * math.log(math.sqrt(t) / alpha))
    return Interval(mean - half, mean + half)


def fixed_interval(values: np.ndarray, low: float, high: float, confidence: float = 0.95) -> Interval:
    """Return the interval of a mean of bounded values whose number was fixed beforehand.

    Student's interval with one further value at each bound, clipped to the bounds and holding the sample mean: at zero
    variance about as wide as the exact "rule of three" instead of nothing.

    Notes
    -----
    The added values are those of Agresti and Caffo (2000, Amer. Statist. 54).
    """
    padded = np.concatenate([values, [low, high]])
    half = stats.t.ppf((1 + confidence) / 2, len(padded) - 1) * padded.std(ddof=1) / math.sqrt(len(padded))
    mean = float(np.mean(values))
    return Interval(max(min(padded.mean() - half, mean), low), min(max(padded.mean() + half, mean), high))


def student_interval(values: np.ndarray, confidence: float = 0.95) -> Interval:
    """Return Student's interval of the mean of values whose number was fixed beforehand."""
    mean, n = float(np.mean(values)), len(values)
    if n < 2:
        return Interval(-math.inf, math.inf)
    half = float(stats.t.ppf((1 + confidence) / 2, n - 1) * np.std(values, ddof=1) / math.sqrt(n))
    return Interval(mean - half, mean + half)


#: Verdict of a test that may not stop yet.
UNDECIDED = "undecided"


def judge(interval: Interval, margin: float) -> str:
    """Return the verdict that an interval of a difference allows.

    Parameters
    ----------
    interval : Interval
    margin : float
        Differences smaller than this count as none.

    Returns
    -------
    str
        `better`, `worse`, `equal` (within the margin) or `undecided`.
    """
    if interval.low > 0:
        return "better"
    if interval.high < 0:
        return "worse"
    return "equal" if -margin < interval.low and interval.high < margin else UNDECIDED


def look_sizes(first: int, most: int, growth: float = 1.15) -> list[int]:
    """Return growing sample sizes at which to look, from `first` to `most`."""
    sizes = [min(first, most)]
    while sizes[-1] < most:
        sizes.append(min(max(int(sizes[-1] * growth), sizes[-1] + 1), most))
    return sizes


def corrected_for_stopping(
    mean: float, variance: float, looks: list[int], margin: float, confidence: float = 0.95
) -> float:
    """Return the estimate of a difference after a sequential test, freed of the bias that its stopping brings.

    A test stops when the mean so far looks large, so that this mean is too large on average. The corrected estimate
    is the difference under which the mean at the stop would be, on average, the one observed.

    Parameters
    ----------
    mean, variance : float
        Of the differences in [-1, 1] at the stop.
    looks : list of int
        Sample sizes at which the test was, or would have been, looked at, to the last allowed.
    margin, confidence : float
        Of the test.

    Notes
    -----
    Whitehead (1986, Biometrika 73, 573-581). The mean at the stop is simulated as a Brownian motion seen at the looks,
    with the same draws for every difference tried.
    """
    if variance <= 0:
        return mean
    sizes = np.array(looks, float)
    limits = _gaussian_limits(sizes, variance + mean * mean, log_threshold(confidence))
    steps = np.diff(sizes, prepend=0.0)
    draws = np.random.default_rng(1986).standard_normal((_N_BIAS_RUNS, len(sizes)))
    noise = np.cumsum(draws * np.sqrt(variance * steps), axis=1)

    def expected(difference: float) -> float:
        sums = noise + difference * sizes
        is_over = (np.abs(sums) >= limits) | (np.abs(sums) <= sizes * margin - limits)
        is_over[:, -1] = True
        stop = np.argmax(is_over, axis=1)
        return float(np.mean(sums[np.arange(len(sums)), stop] / sizes[stop]))

    low, high = sorted((0.0, mean))
    if expected(low) >= mean or expected(high) <= mean:
        # No bias away from zero to take off.
        return mean if mean else 0.0
    return float(optimize.bisect(lambda difference: expected(difference) - mean, low, high, xtol=1e-6))


def _gaussian_limits(sizes: np.ndarray, square: float, target: float) -> np.ndarray:
    """Return the sums of differences at which a bet rejects, with log(1 + x) taken as x - x^2/2.

    Parameters
    ----------
    sizes : ndarray of float, shape (n_looks,)
    square : float
        Mean square of the differences.
    target : float
        Log wealth that rejects.
    """
    stakes = _STAKES / 2  # differences span [-1, 1]

    def wealth(total: float, n: float) -> float:
        return np.logaddexp.reduce(stakes * total - n * stakes**2 * square / 2) - math.log(len(stakes)) - target

    return np.array([optimize.brentq(wealth, 0, 2 * n + 1e6, args=(n,)) for n in sizes])
