"""Intervals from bootstrap samples: pure functions."""

import numpy as np

from modernart.analysis.statistics.estimates import CONFIDENCE, TAIL

#: Shares nearer to 0 or 1 than this count as being there: a ten-thousandth of a point.
_LEAST_SHARE = 1e-6


def log_odds(shares: np.ndarray) -> np.ndarray:
    """Return the logarithm of the odds of shares, 0 and 1 moved inwards by `_LEAST_SHARE`."""
    inside = np.clip(shares, _LEAST_SHARE, 1 - _LEAST_SHARE)
    return np.log(inside / (1 - inside))


def share_limits(shares: np.ndarray, samples: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of intervals of shares that depend steeply on the data.

    Parameters
    ----------
    shares : ndarray of float, shape (n_shares,)
        What the data themselves give.
    samples : ndarray of float, shape (n_bootstrap, n_shares)
        What the bootstrap samples give.

    Notes
    -----
    Symmetric in log-odds (Hall 1988, "On symmetric bootstrap confidence intervals", J. R. Statist. Soc. B 50), reaching
    to the farther of the two tails: the percentiles of a share near 0 or 1 are cut off on one side, which hides how
    uncertain it is.
    """
    centre = log_odds(shares)
    low, high = np.quantile(log_odds(samples) - centre, [TAIL, 1 - TAIL], axis=0)
    reach = np.maximum(np.maximum(-low, high), 0)
    return 1 / (1 + np.exp(reach - centre)), 1 / (1 + np.exp(-reach - centre))


def limits_of_maximum(values: np.ndarray, samples: np.ndarray) -> tuple[float, float]:
    """Return the ends of an interval of the greatest of several means, which covers at least `CONFIDENCE`.

    Parameters
    ----------
    values : ndarray of float, shape (n_values,)
    samples : ndarray of float, shape (n_bootstrap, n_values)

    Notes
    -----
    The greatest of noisy values is too great on average, and percentiles of it still more. Here all values get
    intervals that hold together: their width is the bootstrap quantile of the greatest error in standard errors. The
    interval of the greatest value reaches from the greatest lower to the greatest upper end.
    """
    errors = samples.std(axis=0, ddof=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        worst = np.nanmax(np.where(errors > 0, np.abs(samples - values) / errors, 0.0), axis=1)
    reach = np.quantile(worst, CONFIDENCE) * errors
    return float(np.max(values - reach)), float(np.max(values + reach))
