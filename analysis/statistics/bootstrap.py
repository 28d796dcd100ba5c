"""Intervals from bootstrap samples: pure functions."""

import numpy as np
from scipy import special

from modernart.analysis.statistics.estimates import TAIL

#: A tail of the samples never counts as emptier than this: so few lie there that their number is chance.
_LEAST_SHARE = 0.01


def bias_corrected_limits(values: np.ndarray, samples: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of bias-corrected percentile intervals, each of shape (n_values,).

    Parameters
    ----------
    values : ndarray of float, shape (n_values,)
        What the data themselves give.
    samples : ndarray of float, shape (n_bootstrap, n_values)
        What the bootstrap samples give.

    Notes
    -----
    Efron (1981, Canad. J. Statist. 9, 139-172): if the value does not lie at the median of its samples, the percentiles
    taken move by twice as much. Equal samples count half on each side.
    """
    below = (np.mean(samples < values, axis=0) + np.mean(samples <= values, axis=0)) / 2
    shift = 2 * special.ndtri(np.clip(below, _LEAST_SHARE, 1 - _LEAST_SHARE))
    reach = special.ndtri(1 - TAIL)
    columns = range(samples.shape[1])
    ends = [
        np.array([np.quantile(samples[:, j], special.ndtr(shift[j] + sign * reach)) for j in columns])
        for sign in (-1, 1)
    ]
    return ends[0], ends[1]
