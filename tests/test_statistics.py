"""Intervals that cover as often as they say, and corrections by hand-worked numbers."""

import numpy as np
import pytest
from scipy import stats

from modernart.analysis.measures import tables_of, tallies_for
from modernart.analysis.measures.ranking import block_sums
from modernart.analysis.statistics.bootstrap import limits_of_maximum, share_limits
from modernart.analysis.statistics.estimates import (
    BlockSums,
    block_differences,
    block_means,
    holm,
    mean_of,
    ratio_of,
    seat_limits,
    share_bounds,
    skewed,
    unskewed,
)
from modernart.analysis.statistics.ratings import ratings_table
from modernart.simulator.lineups import BalancedSchedule
from modernart.simulator.rules import load_edition
from modernart.simulator.simulate import new_run, simulate
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
        e = block_means(
            block_sums(simulate(players, rules, 400, tallies=tallies_for(rules), seed=seed, threads=1), "win_share")
        )
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


def lots_of_unequal_batches(rng, n_cells, n_batches=32, lots=12.0):
    """Lots of batches that differ in size, with prices that go up and down by batch: shape (n_batches, n_cells)."""
    sizes = rng.poisson(lots * rng.uniform(0.2, 3.0, size=(n_batches, 1)), size=(n_batches, n_cells)).astype(float)
    return sizes, sizes * 20.0 + rng.normal(0, 5.0, size=sizes.shape) * np.sqrt(sizes)


def test_variance_and_degrees_of_freedom_are_those_of_bell_and_mccaffrey_by_matrices():
    rng = np.random.default_rng(11)
    y = rng.integers(1, 30, size=7).astype(float)
    x = 20 * y + rng.normal(0, 3, 7) * np.sqrt(y)
    e = ratio_of(x, y)
    total = y.sum()
    maker = np.eye(7) - np.outer(y, np.ones(7)) / total  # residuals from errors
    adjust = np.diag(1 / (1 - y / total)) / total**2
    form = maker.T @ adjust @ maker @ np.diag(y)
    assert float(e.df) == pytest.approx(np.trace(form) ** 2 / np.trace(form @ form))
    # Unbiased where the variance of a batch goes with its size.
    assert np.trace(form) == pytest.approx(1 / total)
    residuals = x - x.sum() / total * y
    assert float(e.error) ** 2 == pytest.approx(residuals @ adjust @ residuals)


def test_equal_batches_give_the_t_interval():
    x = np.array([10.0, 12.0, 9.0, 14.0, 11.0, 10.0])
    e = ratio_of(x, np.full(6, 2.0))
    assert (float(e.df), float(e.error)) == (pytest.approx(5), pytest.approx(stats.sem(x / 2)))
    assert float(e.half_width) == pytest.approx(stats.t.ppf(0.975, 5) * stats.sem(x / 2))


def test_few_lots_in_unequal_batches_are_covered():
    rng = np.random.default_rng(12)
    sizes, prices = lots_of_unequal_batches(rng, 4000, lots=0.4)
    e = ratio_of(prices, sizes)
    shown = ~np.isnan(e.low)
    assert shown.mean() > 0.95
    assert_covers_95_percent(((e.low <= 20) & (20 <= e.high))[shown])


def test_rare_payments_are_covered_or_not_shown():
    # One lot in 60 pays the bank, about eleven of 640.
    rng = np.random.default_rng(13)
    lots = np.full((32, 4000), 20.0)
    paid = rng.binomial(20, 1 / 60, size=lots.shape) * rng.integers(5, 31, size=lots.shape)
    truth = 17.5 / 60
    e = ratio_of(paid, lots)
    shown = ~np.isnan(e.low)
    hits = ((e.low <= truth) & (truth <= e.high))[shown]
    assert 0.6 < shown.mean() < 1
    assert 0.93 < hits.mean() < 0.98
    plain = np.abs(e.mean - truth) <= e.half_width
    assert plain.mean() < 0.93


def test_too_few_batches_or_events_give_no_interval():
    nothing = ratio_of(np.zeros(32), np.full(32, 5.0))
    assert (float(nothing.mean), np.isnan(nothing.low), np.isnan(nothing.high)) == (0.0, True, True)
    once = np.zeros(32)
    once[3] = 7.0
    assert np.isnan(ratio_of(once, np.full(32, 5.0)).low)
    lots = np.array([4.0, 5.0, 6.0, *[0.0] * 29])
    paid = np.array([81.0, 98.0, 121.0, *[0.0] * 29])
    three = ratio_of(paid, lots)
    assert (float(three.mean), np.isnan(three.low)) == (20.0, True)


def test_skewness_is_taken_off_and_put_back():
    t = np.linspace(-6, 6, 25)
    np.testing.assert_allclose(unskewed(skewed(t, 0.3), 0.3), t)
    np.testing.assert_array_equal(unskewed(t, 0.0), t)
    # By hand: 2 + 0.3 * 4 / 3 + 0.09 * 8 / 27 + 0.05
    assert float(skewed(np.array(2.0), 0.3)) == pytest.approx(2.4766667)


def test_p_value_is_below_5_percent_just_where_the_interval_excludes_0():
    rng = np.random.default_rng(14)
    lots = np.full((32, 500), 4.0)
    e = ratio_of(rng.exponential(1.0, size=lots.shape) - 0.85, lots)
    excludes = (e.low > 0) | (e.high < 0)
    shown = ~np.isnan(e.low)
    assert 20 < excludes.sum() < 480
    np.testing.assert_array_equal(excludes[shown], (e.p_value < 0.05)[shown])


def test_what_the_schedule_fixes_is_no_error():
    rng = np.random.default_rng(15)
    hits, wide = [], []
    for _ in range(600):
        # Ten blocks a batch; strategy 0 or 1 sits in each, half and half over the run, and 0 brings 100 more.
        sits = rng.permutation(np.repeat([0, 1], 160)).reshape(32, 10)
        mix = np.column_stack([(sits == 0).sum(axis=1), (sits == 1).sum(axis=1)])
        money = (100.0 * (sits == 0) + rng.normal(0, 20, size=sits.shape)).sum(axis=1)
        fitted, plain = (ratio_of(money, np.full(32, 10.0), mix=m) for m in (mix, None))
        hits.append(bool(fitted.low <= 50 <= fitted.high))
        wide.append(bool(plain.low <= 50 <= plain.high))
    assert_covers_95_percent(np.array(hits))
    assert np.mean(wide) > 0.99


def test_shares_of_rare_events_are_covered():
    rng = np.random.default_rng(16)
    wins = rng.binomial(40, 0.002, size=(32, 4000)).astype(float)
    low, high = share_bounds(ratio_of(wins, np.full((32, 4000), 40.0), per_block=4))
    hits = (low <= 0.002) & (0.002 <= high)
    assert 0.94 < hits.mean() < 0.975


def test_bound_of_a_share_counts_blocks_and_keeps_to_its_ceiling():
    none = ratio_of(np.zeros(32), np.full(32, 71.0), per_block=4)  # 2272 games of 568 blocks
    low, high = share_bounds(none)
    assert (float(low), float(high)) == (0.0, pytest.approx(1 - 0.025 ** (1 / 568)))
    floor, ceiling = seat_limits(np.array([80.0, 160.0, 40.0]), np.array([10, 10, 10]), 4)
    np.testing.assert_allclose([floor, ceiling], [[0, 0.25, 0], [0.5, 0.25, 1]])


def test_who_takes_two_of_four_places_and_wins_all_has_50_percent_at_most():
    rules = load_edition("classic", {"double_revenue": "split_odd_joiner"}).rules(4)
    run = simulate(load_players(["half_value", "random"]), rules, 40, tallies=tallies_for(rules), seed=4, threads=1)
    ranking = tables_of(run)["ranking"].set_index("strategy")
    shares = ranking[["win_share", "win_share_low", "win_share_high"]]
    # Ten blocks: 0.025 ** (1 / 10) = 0.6915.
    assert shares.loc["half_value"].tolist() == pytest.approx([0.5, 0.34575, 0.5], abs=1e-4)
    assert shares.loc["random"].tolist() == pytest.approx([0.0, 0.0, 0.15425], abs=1e-4)
    pair = tables_of(run)["differences"].iloc[0]
    found = pair[["win_share_difference", "win_share_difference_low", "win_share_difference_high"]].tolist()
    assert found == pytest.approx([0.5, 0.1915, 0.5], abs=1e-4)
    # The mean is 0 if every second block went to the other: 2 * 0.5 ** 10.
    assert pair["win_share_p_holm"] == pytest.approx(2 / 1024)


def test_equals_that_always_split_the_wins_have_an_exact_share():
    rules = load_edition("classic").rules(4)
    run = simulate(load_players(["half_value"]), rules, 40, tallies=tallies_for(rules), threads=1)
    row = tables_of(run)["ranking"].iloc[0]
    assert (row["win_share"], row["win_share_low"], row["win_share_high"]) == (0.25, 0.25, 0.25)


STRENGTHS = np.array([0.662, 0.211, 0.113, 0.013, 0.001])


def played_by_strength(rng, seed, n_blocks=320, strengths=STRENGTHS):
    """A run whose winners are drawn from the Plackett-Luce model."""
    rules = load_edition("classic").rules(4)
    run = new_run(rules, list("abcde"), seed, tallies_for(rules))
    run.n_blocks = n_blocks
    for block, line_up in enumerate(BalancedSchedule(5, 4, seed).line_ups(0, n_blocks)):
        share = strengths[line_up] / strengths[line_up].sum()
        batch = block % 32
        np.add.at(run.tallies.scores[batch, :, 1], line_up, 840 * rng.multinomial(4, share))
        run.tallies.scores[batch, line_up, 0] += 4
        run.tallies.cross[batch, line_up, line_up, 5] += 1
    return run


def rating_ends(run):
    frame = ratings_table(run).set_index("strategy").loc[list("abcde")]
    return frame["rating_low"].to_numpy(), frame["rating_high"].to_numpy()


def test_ratings_cover_the_strength_of_every_strategy_also_of_one_that_hardly_wins():
    rng = np.random.default_rng(21)
    truth = 1500 + 400 * np.log10(5 * STRENGTHS / STRENGTHS.sum())
    hits = []
    for number in range(100):
        low, high = rating_ends(played_by_strength(rng, number))
        hits.append(~(low > truth) & ~(high < truth))
    share = np.mean(hits, axis=0)
    assert (np.abs(share - 0.95) < 0.06).all(), share
    assert abs(np.mean(hits) - 0.95) < 0.025


def test_one_win_of_a_strategy_that_hardly_wins_leaves_the_other_ratings_where_they_were():
    run = played_by_strength(np.random.default_rng(22), 1, strengths=np.array([0.66, 0.21, 0.11, 0.02, 0.0]))
    before = ratings_table(run).set_index("strategy")
    assert np.isnan(before.loc["e", "rating_low"])
    assert 1000 < before.loc["d", "rating"] < 1200
    batch = int(np.flatnonzero(run.tallies.scores[:, 4, 0])[0])
    run.tallies.scores[batch, 4, 1] += 840
    run.tallies.scores[batch, 0, 1] -= 840
    after = ratings_table(run).set_index("strategy")
    others = list("abcd")
    assert (after.loc[others, "rating"] - before.loc[others, "rating"]).abs().max() < 2
    assert np.isfinite(after.loc["e", "rating_low"])


def test_who_never_won_gets_an_upper_end_from_blocks():
    run = played_by_strength(np.random.default_rng(23), 1, strengths=np.array([0.25, 0.25, 0.25, 0.25, 0.0]))
    low, high = rating_ends(run)
    # It sat in 256 of 320 blocks: at most 1 - 0.025 ** (1 / 256) = 1.43 % of wins beside three equals of the four.
    odds = 0.0143 / (1 - 0.0143) * 3
    assert np.isnan(low[4])
    assert high[4] == pytest.approx(1500 + 400 * np.log10(5 * odds / (4 + odds)), abs=4)


def test_who_won_everything_gets_a_lower_end():
    run = played_by_strength(np.random.default_rng(24), 1, strengths=np.array([1.0, 0, 0, 0, 0]) + 1e-12)
    low, high = rating_ends(run)
    assert np.isnan(high[0])
    assert 1700 < low[0] < 2199
    assert 1500 + 400 * np.log10(5) - 1 < ratings_table(run)["rating"][0] < 1500 + 400 * np.log10(5)


def test_interval_of_a_share_reaches_to_the_farther_tail_in_log_odds():
    logs = np.concatenate([np.linspace(-3, 0, 500), np.linspace(0, 1, 500)])
    low, high = share_limits(np.array([0.5]), (1 / (1 + np.exp(-logs)))[:, None])
    # 2.5 % of the samples lie below -2.85 of log-odds.
    assert (low[0], high[0]) == (pytest.approx(0.0547, abs=1e-3), pytest.approx(0.9453, abs=1e-3))


def test_interval_of_a_maximum_covers_the_greatest_of_equal_means():
    rng = np.random.default_rng(31)
    hits, percentile_hits = [], []
    for _ in range(300):
        data = rng.normal(0, 1, size=(60, 4))
        draws = data[rng.integers(60, size=(200, 60))].mean(axis=1)
        low, high = limits_of_maximum(data.mean(axis=0), draws)
        hits.append(low <= 0 <= high)
        ends = np.quantile(draws.max(axis=1), [0.025, 0.975])
        percentile_hits.append(ends[0] <= 0 <= ends[1])
    assert np.mean(hits) > 0.93
    assert np.mean(percentile_hits) < 0.75


def test_bounds_of_what_never_happened_count_blocks_in_every_table():
    rules = load_edition("classic").rules(4)
    run = new_run(rules, ["half_value", "random"], 4, tallies_for(rules))
    # 568 blocks with two of four places each, which take every seat twice: 17.75 blocks a batch.
    blocks = np.where(np.arange(32) < 24, 18, 17)
    run.tallies.seats[:, :, :4, 0] = 2 * blocks[:, None, None]
    run.tallies.rounds[:, :, 0] = 4 * blocks[:, None]
    run.tallies.lengths[:, :, 9, 0] = 4 * blocks[:, None]
    row = tables_of(run)["seats"].query("strategy == 'random' and seat == 1").iloc[0]
    assert (row["games"], row["win_share_low"]) == (1136, 0.0)
    assert row["win_share_high"] == pytest.approx(1 - 0.025 ** (1 / 568))
    row = tables_of(run)["rounds"].iloc[0]
    assert (row["in_debt"], row["in_debt_high"]) == (0.0, pytest.approx(1 - 0.025 ** (1 / 568)))
