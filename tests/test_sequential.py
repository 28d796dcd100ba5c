"""Sequential tests and intervals of few deals, against bets played one by one, integrals and numbers by hand."""

import math

import numpy as np
import pytest
from scipy import integrate

from modernart.analysis.statistics.sequential import (
    UNDECIDED,
    BoundedMean,
    Interval,
    _gaussian_limits,
    corrected_for_stopping,
    fixed_interval,
    judge,
    log_threshold,
    look_sizes,
    student_interval,
    unbounded_interval,
)

#: Shares of their wealth that 19 gamblers stake: 95 %, and each 1.35 times as much as the next.
GAMBLERS = [0.95 / 1.35**k for k in range(19)]


def evidence_of(values, low=-1.0, high=1.0):
    evidence = BoundedMean(low, high)
    evidence.add(np.array(values, float))
    return evidence


@pytest.mark.parametrize(("mean", "above"), [(0.5, True), (0.5, False), (-1.0, True), (3.0, False)])
def test_wealth_is_that_of_gamblers_who_bet_on_every_deal(mean, above):
    values = [0, 3, -1, 2, 3, 3]
    total = 0.0
    for stake in GAMBLERS:
        wealth = 1 / 19
        for value in values:
            wealth *= 1 + stake * (value - mean if above else mean - value) / 4
        total += wealth
    assert evidence_of(values, -1, 3).log_wealth(mean, above) == pytest.approx(math.log(total))


def test_a_bet_on_either_side_rejects_at_40_times_the_stake():
    assert log_threshold(0.95) == pytest.approx(math.log(40))
    assert log_threshold(0.9) == pytest.approx(math.log(20))


@pytest.mark.parametrize("values", [[0, 1, 0.5, 1] * 10, [1] * 10, [-1] * 10])
def test_ends_of_the_interval_are_the_means_that_a_bet_just_rejects(values):
    evidence = evidence_of(values)
    low, high = evidence.interval()
    if min(values) > -1:
        assert low > -1
        assert evidence.log_wealth(low, above=True) == pytest.approx(math.log(40), abs=1e-6)
    if max(values) < 1 or min(values) == -1:
        assert high < 1
        assert evidence.log_wealth(high, above=False) == pytest.approx(math.log(40), abs=1e-6)


def test_nothing_is_known_before_the_first_deal_and_little_after_one():
    evidence = BoundedMean(-1, 3)
    assert evidence.interval() == (-1, 3)
    evidence.add(np.zeros(0))
    assert (evidence.n, evidence.interval()) == (0, (-1, 3))
    evidence.add(np.array([2.0]))
    assert (evidence.n, evidence.interval()) == (1, (-1, 3))


def test_mean_and_variance_are_those_of_the_values():
    # 1.5 off once, 0.5 off three times: (2.25 + 3 x 0.25) / 4.
    evidence = evidence_of([0, 2, 2, 2], -1, 3)
    assert (evidence.mean, evidence.variance) == (1.5, 0.75)


def test_bounds_may_be_reached_and_not_passed_on_either_side():
    assert evidence_of([0, 1], 0, 1).mean == 0.5
    for values in ([-0.5, 0.5], [0.5, 1.5]):
        with pytest.raises(ValueError, match="values must be from 0 to 1"):
            evidence_of(values, 0, 1)


@pytest.mark.parametrize(("confidence", "best_at", "rate"), [(0.95, 500, 0.0158723), (0.9, 100, 0.0632886)])
def test_unbounded_interval_ends_where_a_mixture_of_bets_on_a_normal_mean_rejects(confidence, best_at, rate):
    # Bets lambda are drawn from a normal distribution of this variance: (2 log 20 + log(1 + 2 log 20)) / 500.
    n, variance = 300, 1600.0
    low, high = unbounded_interval(n, 7.0, variance, confidence, best_at)
    assert (low + high) / 2 == pytest.approx(7)
    total = n * (high - 7) / math.sqrt(variance)

    def wealth(bet):
        density = math.exp(-(bet**2) / (2 * rate)) / math.sqrt(2 * math.pi * rate)
        return density * math.exp(bet * total - n * bet**2 / 2)

    mixture = integrate.quad(wealth, -2, 2, points=[0, total / n])[0]
    assert mixture == pytest.approx(1 / (1 - confidence), rel=1e-4)


def test_unbounded_interval_is_made_for_95_percent_and_500_deals():
    assert unbounded_interval(300, 7.0, 1600.0) == unbounded_interval(300, 7.0, 1600.0, 0.95, 500)
    # At 500 deals no other choice is better.
    halves = [unbounded_interval(500, 0.0, 1.0, 0.95, best_at).high for best_at in (350, 500, 700)]
    assert min(halves) == halves[1]


@pytest.mark.parametrize(
    ("values", "confidence", "low", "high"),
    [
        # Eight values and one at each bound: a variance of 0.1 of ten, and a t of 9 degrees of freedom.
        ([0] * 8, 0.95, 0, 0.1 + 2.262157 * 0.1),
        ([1] * 8, 0.95, 0.9 - 2.262157 * 0.1, 1),
        ([0.5] * 8, 0.95, 0.5 - 2.262157 * math.sqrt(0.5 / 90), 0.5 + 2.262157 * math.sqrt(0.5 / 90)),
        ([0.5] * 8, 0.9, 0.5 - 1.833113 * math.sqrt(0.5 / 90), 0.5 + 1.833113 * math.sqrt(0.5 / 90)),
        ([0.5], 0.95, 0, 1),  # further than the bounds
    ],
)
def test_fixed_interval_is_students_with_one_more_value_at_each_bound(values, confidence, low, high):
    assert fixed_interval(np.array(values, float), 0, 1, confidence) == pytest.approx((low, high), abs=1e-6)


def test_students_interval_needs_two_values():
    assert student_interval(np.array([5.0])) == (-math.inf, math.inf)
    assert student_interval(np.array([1.0, 3.0])) == pytest.approx((2 - 12.706205, 2 + 12.706205))
    assert student_interval(np.array([1.0, 3.0]), 0.9) == pytest.approx((2 - 6.313752, 2 + 6.313752))


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.001, 0.5, "better"),
        (0, 0.5, UNDECIDED),
        (-0.5, -0.001, "worse"),
        (-0.5, 0, UNDECIDED),
        (-0.009, 0.009, "equal"),
        (-0.01, 0.009, UNDECIDED),
        (-0.009, 0.01, UNDECIDED),
        (-0.5, 0.009, UNDECIDED),
    ],
)
def test_verdict_needs_an_interval_beyond_0_or_inside_the_margin(low, high, verdict):
    assert judge(Interval(low, high), 0.01) == verdict


@pytest.mark.parametrize(
    ("first", "most", "sizes"),
    [(64, 100, [64, 73, 83, 95, 100]), (3, 6, [3, 4, 5, 6]), (10, 5, [5]), (5, 5, [5])],
)
def test_looks_come_after_15_percent_more_deals_and_at_least_one_more(first, most, sizes):
    assert look_sizes(first, most) == sizes


def limit_by_search(n, square):
    """Least sum of n differences at which gamblers with half the stakes have 40 times their wealth."""
    low, high = 0.0, 1e5
    for _ in range(200):
        total = (low + high) / 2
        wealth = sum(math.exp(min(s / 2 * total - n * (s / 2) ** 2 * square / 2, 600)) / 19 for s in GAMBLERS)
        low, high = (low, total) if wealth >= 40 else (total, high)
    return low


@pytest.mark.parametrize(
    ("first", "mean", "variance", "margin"), [(200, 0.12, 0.5, 0.0), (200, 0.12, 0.5, 0.2), (20, 0.6, 0.3, 0.0)]
)
def test_corrected_difference_is_that_whose_mean_at_the_stop_is_the_one_observed(first, mean, variance, margin):
    corrected = corrected_for_stopping(mean, variance, [first, 2 * first], margin)
    limit = limit_by_search(first, variance + mean**2)
    # The sum at the first look is normal; from there to the second the mean moves by the difference alone.
    spread = math.sqrt(variance * first)

    def at_stop(total):
        is_over = abs(total) >= limit or abs(total) <= first * margin - limit
        mean_at_stop = total / first if is_over else (total / first + corrected) / 2
        return (
            mean_at_stop
            * math.exp(-(((total - first * corrected) / spread) ** 2) / 2)
            / spread
            / math.sqrt(2 * math.pi)
        )

    totals = np.linspace(first * corrected - 8 * spread, first * corrected + 8 * spread, 8001)
    expected = sum(map(at_stop, totals)) * (totals[1] - totals[0])
    assert corrected < mean
    # From 4,000 simulated runs; the mean of one varies by this or less.
    assert expected == pytest.approx(mean, abs=3 * spread / first / math.sqrt(4000))


@pytest.mark.parametrize(("n", "square"), [(20, 0.66), (200, 0.51), (5000, 0.3)])
def test_limits_of_the_simulation_are_those_at_which_gamblers_have_40_times_their_wealth(n, square):
    found = _gaussian_limits(np.array([1.0, n]), square, math.log(40))
    assert found == pytest.approx([limit_by_search(1, square), limit_by_search(n, square)], rel=1e-9)


@pytest.mark.parametrize("mean", [0.02, -0.02])
def test_where_no_look_stops_the_test_there_is_no_bias_but_the_noise_of_the_simulation(mean):
    # At 500 deals the sum is 10 or so, and 57 would stop: the mean counts that was seen last, not that after one deal.
    noise = 3 * math.sqrt(0.5 / 500 / 4000)
    assert corrected_for_stopping(mean, 0.5, [1, 500], 0.0) == pytest.approx(mean, abs=noise)


def test_no_difference_and_one_that_never_varies_are_left_as_they_are():
    assert corrected_for_stopping(0.0, 0.5, [200, 400], 0.01) == 0.0
    assert corrected_for_stopping(0.3, 0.0, [200, 400], 0.01) == 0.3
