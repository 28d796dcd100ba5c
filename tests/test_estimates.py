"""Estimates of few units, whose intervals and p values can be reckoned by hand or looked up in tables of t and beta."""

import numpy as np
import pytest
from scipy import stats

from modernart.analysis.statistics.bootstrap import limits_of_maximum, log_odds, share_limits
from modernart.analysis.statistics.estimates import (
    BlockSums,
    Estimate,
    block_differences,
    block_means,
    holm,
    mean_of,
    ratio_of,
    share_bounds,
)

NAN = pytest.approx(np.nan, nan_ok=True)


def ends(estimate):
    return float(estimate.low), float(estimate.high)


def constant(mean, units, floor=-np.inf, ceiling=np.inf):
    """What so many units that all gave the same value say."""
    values = (np.array(number, float) for number in (mean, 0, units - 1, 0, floor, ceiling))
    return Estimate(*values)


def test_two_units_have_one_degree_of_freedom():
    e = mean_of(np.array([1.0, 3.0]))
    assert ends(e) == pytest.approx((2 - 12.7062, 2 + 12.7062), abs=1e-4)
    # The chance that a t of 1 degree of freedom (Cauchy's) is beyond 2 or -2.
    assert float(e.p_value) == pytest.approx(1 - 2 / np.pi * np.arctan(2))


def test_interval_needs_a_skewness_of_at_most_45_percent():
    e = Estimate(np.ones(3), np.full(3, 0.1), np.full(3, 31.0), np.array([0.45, 0.46, -0.46]))
    assert np.isnan(e.low).tolist() == [False, True, True]


def test_five_equal_batches_give_an_interval_and_four_do_not():
    x = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    five, four = ratio_of(x, np.ones(5)), ratio_of(x[:4], np.ones(4))
    # A variance of 2.5, and a t of 4 degrees of freedom.
    assert ends(five) == pytest.approx((3 - 2.776445 * np.sqrt(0.5), 3 + 2.776445 * np.sqrt(0.5)))
    assert (float(four.df), ends(four)) == (pytest.approx(3), (NAN, NAN))


@pytest.mark.parametrize(
    ("estimate", "low", "high"),
    [
        # Had a share q of all units lain at the bound, so many agreed with probability (1 - q) ** n = 0.025.
        (constant(10, 1, -30, 20), 10 - 0.975 * 40, 10 + 0.975 * 10),
        (constant(10, 2, -30, 20), 10 - 0.841886 * 40, 10 + 0.841886 * 10),
        (constant(0.5, 10, 0, 0.5), 0.5 * 0.691503, 0.5),
        (constant(0.5, 10, 0.5, 1), 0.5, 1 - 0.5 * 0.691503),
        (constant(10, 2), np.nan, np.nan),
    ],
)
def test_units_that_all_agree_leave_room_for_those_not_seen(estimate, low, high):
    assert ends(estimate) == pytest.approx((low, high), nan_ok=True, rel=1e-5)


@pytest.mark.parametrize(
    ("estimate", "p"),
    [
        # The mean were 0 if a quarter of the units lay at -30: all 8 agree with probability 0.75 ** 8, two-sided twice.
        (constant(10, 8, -30, 20), 2 * 0.75**8),
        # A third at 20.
        (constant(-10, 8, -30, 20), 2 * (2 / 3) ** 8),
        (constant(1, 8, -3, 2), 2 * 0.75**8),
        (constant(10, 2, -90, 20), 1),  # twice 0.81, but no chance is above 1
        (constant(0, 8, -30, 20), 1),
        (constant(0.25, 10, 0.25, 0.25), 0),  # cannot be 0
        (constant(10, 8), np.nan),
    ],
)
def test_p_value_of_units_that_all_agree_is_the_chance_of_that(estimate, p):
    assert float(estimate.p_value) == pytest.approx(p, nan_ok=True)


@pytest.mark.parametrize(("wins", "trials", "ceiling"), [(40, 100, 0.5), (40, 50, 1.0), (3, 10, 0.25)])
@pytest.mark.parametrize("df", [7, np.inf])
def test_interval_of_a_share_is_that_of_jeffreys_for_as_many_trials_as_have_its_error(wins, trials, ceiling, df):
    share = wins / trials
    # The reach of the t interval is that of so many independent trials in the normal one.
    error = np.sqrt(share * (1 - share) / trials) * stats.norm.ppf(0.975) / stats.t.ppf(0.975, df)
    e = Estimate(*(np.array(number) for number in (share * ceiling, error * ceiling, df, 0.0, 0.0, ceiling)))
    posterior = stats.beta(wins + 0.5, trials - wins + 0.5)
    low, high = share_bounds(e)
    assert (float(low), float(high)) == pytest.approx((posterior.ppf(0.025) * ceiling, posterior.ppf(0.975) * ceiling))


def test_a_share_of_one_half_in_each_of_ten_units_is_between_0_and_1():
    low, high = share_bounds(mean_of(np.full(10, 0.5)))
    # 0.025 ** (1 / 10) = 0.691503.
    assert (float(low), float(high)) == pytest.approx((0.5 * 0.691503, 1 - 0.5 * 0.691503), rel=1e-5)


def test_a_ratio_over_one_single_case_is_known_and_one_over_none_is_not():
    e = ratio_of(np.array([[3.0, 0.0], [0.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 0.0]]))
    assert e.mean.tolist() == pytest.approx([3.0, np.nan], nan_ok=True)


#: Numbers of eight batches with ten cases each.
TENS = np.full(8, 10.0)
NUMBERS = np.array([100.0, 120.0, 140.0, 120.0, 300.0, 310.0, 290.0, 340.0])


def test_strategies_that_take_whole_batches_are_strata():
    first = np.repeat([1.0, 0.0], 4)
    e = ratio_of(NUMBERS, TENS, mix=20 * np.column_stack([first, 1 - first]))
    # Strata of half the cases each: variances of 8 / 3 and 14 / 3 of four batches, with 3 degrees of freedom each.
    assert (float(e.mean), float(e.df)) == (21.5, 6)
    assert float(e.error) == pytest.approx(np.sqrt((8 / 3 + 14 / 3) / 4 / 4))


def test_a_mix_that_hardly_varies_explains_what_goes_with_it():
    first = np.array([10.0, 11.0, 9.0, 10.0, 11.0, 9.0, 10.0, 10.0])
    e = ratio_of(100 * first, TENS, mix=np.column_stack([first, 20 - first]))
    assert (float(e.mean), float(e.df)) == (100, 6)
    assert float(e.error) == pytest.approx(0, abs=1e-9)


def test_a_mix_that_never_varies_explains_nothing():
    plain = ratio_of(NUMBERS, TENS)
    e = ratio_of(NUMBERS, TENS, mix=np.tile([3.0, 7.0, 10.0], (8, 1)))
    assert (float(e.df), float(e.error)) == (pytest.approx(7), pytest.approx(float(plain.error)))


@pytest.mark.parametrize("sizes", [[4.0, 4, 4, 4, 3, 3, 3, 3], [1.0, 2, 3, 4, 5, 6, 7, 8]])
def test_strategies_that_always_sit_together_count_as_one(sizes):
    one, three = (ratio_of(NUMBERS, TENS, mix=np.outer(sizes, seats)) for seats in ([4.0], [2.0, 1.0, 1.0]))
    assert (float(one.df), float(three.df)) == (7, 7)
    assert float(three.error) == pytest.approx(float(one.error))


def test_at_most_half_of_the_batches_are_spent_on_the_mix():
    mix = np.random.default_rng(3).integers(0, 9, size=(8, 5)).astype(float)
    plain, four, five = (ratio_of(NUMBERS, TENS, mix=m) for m in (None, mix[:, :4], mix))
    assert (float(four.df), float(five.df)) == (4, pytest.approx(7))
    assert float(five.error) == float(plain.error)


def test_a_strategy_of_a_single_batch_is_not_taken_off_and_one_of_hardly_more_is():
    single = np.array([20.0, *[0.0] * 7])
    plain, alone = (ratio_of(NUMBERS, TENS, mix=m) for m in (None, np.column_stack([single, 20 - single])))
    assert (float(alone.df), float(alone.error)) == (pytest.approx(7), float(plain.error))
    single[1] = 2.0
    assert float(ratio_of(NUMBERS, TENS, mix=np.column_stack([single, 20 - single])).df) == 6


def blocks(games, outcomes):
    """Sums over blocks in which strategies (columns) played so many games, with these summed outcomes."""
    n, x = np.array(games, float), np.array(outcomes, float)
    sat = (n > 0).astype(float)
    return BlockSums(sat.T @ sat, n.T @ n, n.T @ x, x.T @ x, n.sum(axis=0), x.sum(axis=0))


def test_two_blocks_give_an_interval_with_one_degree_of_freedom():
    # Win shares of 0.25 and 0.5, and of 0.25 and 0 of the other: the error of a mean of two is half their distance.
    sums = blocks([[4, 4], [4, 4]], [[1, 1], [2, 0]])
    means, (differences, _) = block_means(sums), block_differences(sums)
    assert means.error == pytest.approx([0.125, 0.125])
    assert (means.low[0], means.high[0]) == pytest.approx((0.375 - 12.7062 / 8, 0.375 + 12.7062 / 8), abs=1e-5)
    # Differences of 0 and 0.5.
    assert (differences.mean[0, 1], differences.error[0, 1]) == pytest.approx((0.25, 0.25))
    found = (differences.low[0, 1], differences.high[0, 1])
    assert found == pytest.approx((0.25 - 12.7062 / 4, 0.25 + 12.7062 / 4), abs=1e-5)


@pytest.mark.parametrize("outcomes", [[1.0, 3.0], [0.1, 0.7], [0.3, 0.6], [1 / 3, 1 / 7]])
def test_one_block_gives_no_interval_whatever_rounding_leaves(outcomes):
    sums = blocks([[3, 7]], [outcomes])
    assert np.isnan(block_means(sums).error).all()
    assert np.isnan(block_differences(sums)[0].error).all()


def test_corrected_p_values_do_not_exceed_1():
    assert holm(np.array([0.7, 0.4, 0.02])) == pytest.approx([0.8, 0.8, 0.06])
    assert holm(np.array([0.9, 0.6])).tolist() == [1.0, 1.0]


def test_log_odds_of_0_and_1_are_those_of_one_in_a_million():
    assert log_odds(np.array([0.0, 0.8, 1.0])) == pytest.approx([-np.log(999999), np.log(4), np.log(999999)])


def test_interval_of_a_share_reaches_as_far_in_odds_to_both_sides():
    # Odds of 4, and of 2 or 6 in the samples: half as much is farther than one and a half times as much.
    low, high = share_limits(np.array([4 / 5]), np.repeat([2 / 3, 6 / 7], 50)[:, None])
    assert (low[0], high[0]) == pytest.approx((2 / 3, 8 / 9))


#: Deviations of -10 to 10; those within 9.5 are 95 % of them.
DEVIATIONS = np.linspace(-10, 10, 201)


def test_interval_of_a_maximum_holds_the_ends_of_intervals_that_hold_together():
    low, high = limits_of_maximum(np.array([10.0]), 10 + DEVIATIONS[:, None])
    assert (low, high) == pytest.approx((0.5, 19.5))
    # 10 give or take 9.5, and 12 give or take 4.75.
    low, high = limits_of_maximum(np.array([10.0, 12.0]), np.column_stack([10 + DEVIATIONS, 12 + DEVIATIONS / 2]))
    assert (low, high) == pytest.approx((7.25, 19.5))


def test_means_that_never_vary_have_a_maximum_without_error():
    assert limits_of_maximum(np.array([1.0, 2.0]), np.tile([1.0, 2.0], (20, 1))) == (2.0, 2.0)
    # Nor do they widen the interval of one that is elsewhere in 1 of 40 samples.
    samples = np.column_stack([np.zeros(40), np.ones(40)])
    samples[7, 1] = 5
    assert limits_of_maximum(np.array([0.0, 1.0]), samples) == (1.0, 1.0)
