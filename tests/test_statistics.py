"""Intervals that cover as often as they say, and corrections by hand-worked numbers."""

import numpy as np
import pytest
from scipy import stats

from modernart.analysis.measures.tables import block_sums
from modernart.analysis.statistics.estimates import (
    BlockSums,
    block_differences,
    block_means,
    holm,
    mean_of,
    ratio_of,
    share_bounds,
)
from modernart.simulator.rules import load_edition
from modernart.simulator.simulate import simulate
from modernart.strategies.specs import load_players

#: A 95 % interval tried N times covers within this many standard deviations of 95 %.
SPREAD = 4.0


def sums_of(n, x):
    """Cross sums of blocks, from games n and outcomes x of shape (n_blocks, n_strategies)."""
    there = (n > 0).astype(float)
    return BlockSums(there.T @ there, n.T @ n, n.T @ x, x.T @ x, n.sum(0), x.sum(0))


def covers(estimates, truth):
    return np.array([(e.low <= truth) & (truth <= e.high) for e in estimates])


def assert_covers_95_percent(hits):
    n = hits.size
    assert abs(hits.mean() - 0.95) < SPREAD * np.sqrt(0.95 * 0.05 / n) + 0.005


def played_blocks(rng, n_blocks):
    """Blocks where strategies take 0 to 2 places, share the luck of the deal and take from each other."""
    places = rng.multinomial(4, [0.5, 0.3, 0.2], size=n_blocks)
    luck = rng.normal(0, 30, size=(n_blocks, 1))
    skill = np.array([300.0, 320.0, 350.0])
    own = rng.normal(0, 20, size=(n_blocks, 3))
    own -= own.mean(axis=1, keepdims=True)
    n = 4.0 * places
    return n, n * (skill + luck + own), skill


def test_block_intervals_cover_the_true_means():
    rng = np.random.default_rng(5)
    estimates, skill = [], None
    for _ in range(1500):
        n, x, skill = played_blocks(rng, 60)
        estimates.append(block_means(sums_of(n, x)))
    assert_covers_95_percent(covers(estimates, skill)[:, 1])


def test_difference_intervals_cover_the_true_differences():
    rng = np.random.default_rng(6)
    estimates, skill = [], None
    for _ in range(1500):
        n, x, skill = played_blocks(rng, 60)
        estimates.append(block_differences(sums_of(n, x))[0])
    assert_covers_95_percent(covers(estimates, skill[:, None] - skill[None, :])[:, 0, 2])


def test_block_interval_is_the_t_interval_of_block_means_where_all_blocks_are_alike():
    x = np.array([[1.0], [4.0], [2.0], [7.0]])
    e = block_means(sums_of(np.full((4, 1), 4.0), 4 * x))
    low, high = stats.t.interval(0.95, 3, loc=x.mean(), scale=stats.sem(x[:, 0]))
    assert (e.low[0], e.high[0]) == (pytest.approx(low), pytest.approx(high))


def test_difference_of_strategies_that_always_meet_is_the_paired_one():
    rng = np.random.default_rng(3)
    x = rng.normal(10, 3, size=(50, 2)) + rng.normal(0, 9, size=(50, 1))
    e, saved = block_differences(sums_of(np.full((50, 2), 4.0), 4 * x))
    paired = mean_of(x[:, 0] - x[:, 1])
    apart = mean_of(x[:, 0]).error ** 2 + mean_of(x[:, 1]).error ** 2
    factor = float(apart / paired.error**2)
    assert e.mean[0, 1] == pytest.approx(float(paired.mean))
    assert e.error[0, 1] == pytest.approx(float(paired.error))
    assert saved[0, 1] == pytest.approx(factor)
    assert factor > 4


def test_ratio_intervals_from_batches_cover():
    rng = np.random.default_rng(7)
    lots = rng.poisson(200, size=(2000, 32)).astype(float)
    price = lots * rng.normal(21.0, 4.0, size=(2000, 32))
    estimates = ratio_of(price.T, lots.T)
    assert_covers_95_percent((estimates.low <= 21) & (21 <= estimates.high))


def test_win_shares_of_real_games_cover_the_share_of_equals():
    players = load_players(["random"] * 5)
    rules = load_edition("classic").rules(4)
    hits = []
    for seed in range(150):
        e = block_means(block_sums(simulate(players, rules, 400, seed=seed, threads=1), "win_share"))
        hits.append((e.low <= 0.25) & (0.25 <= e.high))
    # Five intervals of a run share its deals: count runs, not intervals.
    share = np.array(hits).mean(axis=1)
    assert abs(share.mean() - 0.95) < SPREAD * share.std() / np.sqrt(len(share)) + 0.005


def test_mean_of_leaves_out_units_without_a_value():
    e = mean_of(np.array([1.0, np.nan, 3.0]))
    assert (float(e.mean), float(e.df), float(e.error)) == (2.0, 1.0, pytest.approx(1.0))


def test_one_unit_gives_no_interval():
    assert np.isnan(mean_of(np.array([1.0])).low)
    assert np.isnan(ratio_of(np.array([3.0, 0.0]), np.array([1.0, 0.0])).high)


def test_holm_by_hand():
    corrected = holm(np.array([0.01, 0.04, 0.03, np.nan]))
    assert corrected[:3] == pytest.approx([0.03, 0.06, 0.06])
    assert np.isnan(corrected[3])


def test_share_that_never_came_still_has_an_upper_bound():
    low, high = share_bounds(mean_of(np.zeros(100)))
    assert (float(low), float(high)) == (0.0, pytest.approx(1 - 0.025 ** (1 / 100)))
