"""Duels, and the sequential test behind them."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from modernart.analysis.comparing.duel import duel
from modernart.analysis.statistics.sequential import (
    UNDECIDED,
    BoundedMean,
    Interval,
    corrected_for_stopping,
    fixed_interval,
    judge,
    log_threshold,
    look_sizes,
    unbounded_interval,
)
from modernart.command_line import app
from modernart.simulator.errors import UsageError
from modernart.simulator.rules import load_edition
from modernart.strategies.specs import load_strategy, split_specs

KEYS = [
    "win_share",
    "win_share_ci",
    "win_share_other",
    "difference",
    "difference_ci",
    "money_difference",
    "money_difference_ci",
    "games",
    "verdict",
]
CLASSIC = load_edition("classic").rules(4)

#: Distributions of a deal's difference with mean 0: symmetric, rarely anything, skew, always extreme.
NULLS = {
    "symmetric": ([-0.5, 0, 0.5], [0.2, 0.6, 0.2]),
    "rare": ([-1, 0, 1], [0.005, 0.99, 0.005]),
    "skew": ([-0.125, 0.875], [0.875, 0.125]),
    "extreme": ([-1, 1], [0.5, 0.5]),
}


def player(spec):
    return load_strategy(spec).player()


def run(*args):
    return CliRunner().invoke(app, args, env={"COLUMNS": "120", "NO_COLOR": "1"})


@pytest.mark.parametrize("null", NULLS)
def test_false_alarms_stay_below_5_percent_though_one_peeks_after_every_deal(null):
    n_runs, n_deals = 150, 120
    rng = np.random.default_rng(7)
    alarms = 0
    for values in rng.choice(NULLS[null][0], (n_runs, n_deals), p=NULLS[null][1]):
        evidence = BoundedMean(-1, 1)
        for value in values:
            evidence.add(np.array([value]))
            if max(evidence.log_wealth(0), evidence.log_wealth(0, above=False)) >= log_threshold(0.95):
                alarms += 1
                break
    # 5 % of 150 are 7.5; more than 13 happen by chance in 2 of 100 studies at exactly 5 %.
    assert alarms <= 13


def test_false_alarms_stay_below_5_percent_over_long_duels():
    n_runs, looks = 200, look_sizes(64, 20_000)
    rng = np.random.default_rng(8)
    values, chances = NULLS["symmetric"]
    alarms = 0
    for _ in range(n_runs):
        evidence = BoundedMean(-1, 1)
        deals = rng.choice(values, looks[-1], p=chances)
        for look in looks:
            evidence.add(deals[evidence.n : look])
            if judge(evidence.interval(), margin=0) != UNDECIDED:
                alarms += 1
                break
    assert alarms <= 17


def test_peeking_at_students_interval_would_raise_many_false_alarms():
    """The study above can fail: a test that is not made for peeking does."""
    rng = np.random.default_rng(8)
    deals = rng.choice(NULLS["symmetric"][0], (200, 20_000), p=NULLS["symmetric"][1])
    n = np.arange(1, 20_001)
    means = np.cumsum(deals, axis=1) / n
    alarms = np.abs(means[:, 63:]) > 1.96 * deals.std() / np.sqrt(n[63:])
    assert alarms.any(axis=1).mean() > 0.2


def test_interval_of_a_sequential_test_covers_the_truth_where_the_test_stopped():
    rng = np.random.default_rng(9)
    truth, looks, covered = 0.05, look_sizes(64, 5_000), 0
    for _ in range(100):
        evidence = BoundedMean(-1, 1)
        deals = rng.choice([-0.5, 0, 0.5], looks[-1], p=[0.15, 0.6, 0.25])
        for look in looks:
            evidence.add(deals[evidence.n : look])
            if judge(evidence.interval(), 0.0) != UNDECIDED:
                break
        low, high = evidence.interval()
        covered += low <= truth <= high
    assert covered >= 91


def test_estimate_at_the_stop_is_too_large_and_its_correction_is_not():
    rng = np.random.default_rng(10)
    truth, looks = 0.04, look_sizes(64, 5_000)
    raw, corrected = [], []
    for _ in range(150):
        evidence = BoundedMean(-1, 1)
        deals = rng.choice([-0.5, 0, 0.5], looks[-1], p=[0.16, 0.6, 0.24])
        for look in looks:
            evidence.add(deals[evidence.n : look])
            if judge(evidence.interval(), 0.0) != UNDECIDED:
                break
        raw.append(evidence.mean)
        corrected.append(corrected_for_stopping(evidence.mean, evidence.variance, looks, 0.0))
    error = np.std(corrected) / np.sqrt(len(corrected))
    assert np.mean(raw) > truth + 0.004
    assert abs(np.mean(corrected) - truth) < 2.5 * error
    assert error < 0.0015


@pytest.mark.parametrize("value", [-1.0, 0.0, 1.0])
def test_interval_closes_in_on_values_that_never_vary(value):
    evidence = BoundedMean(-1, 1)
    evidence.add(np.full(20, value))
    wide = evidence.interval()
    evidence.add(np.full(2000, value))
    low, high = evidence.interval()
    assert low <= value <= high
    assert 0 < high - low < 0.03 < wide.high - wide.low
    assert corrected_for_stopping(value, 0.0, [20, 40], 0.01) == value


def test_certain_winner_is_found_out_within_twenty_deals():
    evidence = BoundedMean(-1, 1)
    evidence.add(np.ones(20))
    assert judge(evidence.interval(), 0.01) == "better"


def test_evidence_depends_on_neither_order_nor_portions():
    values = np.random.default_rng(1).choice([-0.5, 0, 0.25, 1], 200)
    once, often = BoundedMean(-1, 1), BoundedMean(-1, 1)
    once.add(values)
    for portion in np.split(values[::-1], 10):
        often.add(portion)
    assert once.interval() == often.interval()
    assert (once.n, once.mean, once.variance) == pytest.approx((200, values.mean(), values.var()))


def test_values_out_of_bounds_are_refused():
    with pytest.raises(ValueError, match=r"must be from 0 to 1, got 0\.0 to 1\.5"):
        BoundedMean(0, 1).add(np.array([0, 1.5]))


def test_money_interval_covers_the_mean_of_skew_values_at_every_look():
    rng = np.random.default_rng(11)
    n = np.array(look_sizes(256, 10_000))
    misses = 0
    for _ in range(300):
        values = rng.exponential(40, n[-1]) - 40
        sums, squares = np.cumsum(values)[n - 1], np.cumsum(values**2)[n - 1]
        intervals = [
            unbounded_interval(k, s / k, q / k - (s / k) ** 2) for k, s, q in zip(n, sums, squares, strict=True)
        ]
        misses += any(low > 0 or high < 0 for low, high in intervals)
    assert misses <= 23


@pytest.mark.parametrize("share", [0.0, 0.02, 0.3])
def test_fixed_interval_covers_95_percent_also_near_nothing(share):
    rng = np.random.default_rng(12)
    intervals = [fixed_interval((rng.random(60) < share).astype(float), 0, 1) for _ in range(400)]
    assert np.mean([low <= share <= high for low, high in intervals]) >= 0.93
    assert min(high - low for low, high in intervals) > 0


@pytest.mark.parametrize(
    ("interval", "margin", "verdict"),
    [
        (Interval(0.001, 0.2), 0.01, "better"),
        (Interval(-0.2, -0.001), 0.01, "worse"),
        (Interval(-0.005, 0.009), 0.01, "equal"),
        (Interval(-0.005, 0.011), 0.01, "undecided"),
    ],
)
def test_verdict_follows_from_the_interval(interval, margin, verdict):
    assert judge(interval, margin) == verdict


def test_looks_grow_from_the_first_to_the_last():
    assert look_sizes(64, 100) == [64, 73, 83, 95, 100]
    assert look_sizes(64, 10) == [10]


def test_strategy_against_itself_is_equal_at_the_fair_share():
    result = duel(player("half_value"), player("half_value"), None, CLASSIC, threads=1)
    assert (result.verdict, result.difference, result.money_difference) == ("equal", 0, 0)
    assert result.win_share == result.win_share_other == pytest.approx(0.25)


def test_duel_turned_around_says_the_opposite():
    field = [player("fair_share")]
    one = duel(player("half_value"), player("full_value"), field, CLASSIC, threads=1)
    other = duel(player("full_value"), player("half_value"), field, CLASSIC, threads=1)
    assert {one.verdict, other.verdict} == {"better", "worse"}
    assert one.difference == pytest.approx(-other.difference, abs=1e-4)
    assert one.money_difference == pytest.approx(-other.money_difference, abs=0.5)
    assert one.games == other.games


def test_duel_finds_the_winner_at_0_and_100_percent():
    result = duel(player("half_value"), player("never_buy"), None, CLASSIC, threads=1)
    assert result.verdict == "better"
    assert result.win_share > 0.99
    assert result.win_share_ci.low > 0.9
    assert result.win_share_ci.high == 1.0
    hopeless = duel(player("never_buy"), player("half_value"), [player("half_value")], CLASSIC, threads=1)
    assert hopeless.verdict == "worse"
    # Exactly 0.25 in the games of the deals alone, as every player gets every hand.
    assert hopeless.win_share_other == pytest.approx(0.25, abs=0.01)
    assert hopeless.win_share < 0.01


def test_fixed_duel_plays_that_many_games_and_reports_plain_means():
    result = duel(player("half_value"), player("full_value"), None, CLASSIC, fixed=401, threads=1)
    assert result.games == 404
    assert result.difference == result.raw_difference == result.win_share - result.win_share_other


def test_estimates_keep_to_each_other_after_correction():
    result = duel(player("half_value"), player("full_value"), None, CLASSIC, threads=1)
    assert 0 < result.difference < result.raw_difference
    assert result.win_share - result.win_share_other == pytest.approx(result.difference)
    assert result.difference_ci.low < result.difference < result.difference_ci.high


@pytest.mark.parametrize("fixed", [[], ["--fixed", "300"]])
def test_json_has_exactly_the_documented_keys(fixed):
    done = run("duel", "half_value", "never_buy", "--field", "random,half_value(shade=0.4),random", "--json", *fixed)
    assert done.exit_code == 0
    data = json.loads(done.stdout)
    assert list(data) == KEYS
    assert data["verdict"] == "better"
    assert data["difference_ci"][0] < data["difference"] < data["difference_ci"][1]


def test_table_names_the_winner_and_the_games():
    done = run("duel", "half_value", "never_buy", "--fixed", "200")
    assert done.stdout.startswith("half_value is better than never_buy (in one focal seat among copies of never_buy)")
    assert "200 games each on the same deals" in done.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["half_valu", "fair_share"], 'there is no strategy "half_valu"'),
        (["half_value", "fair_share", "--players", "9"], "players must be"),
    ],
)
def test_wrong_call_ends_with_one_sentence_and_code_2(args, message):
    failed = run("duel", *args)
    assert failed.exit_code == 2
    assert failed.stderr.startswith(f"error: {message}")
    assert failed.stderr.count("\n") == 1


def test_neighbours_of_the_focal_seat_change_from_deal_to_deal():
    field = [player(spec) for spec in ("half_value", "fair_share", "full_value")]
    turned = [field[2], field[0], field[1]]
    shares = [duel(player("half_value"), player("random"), f, CLASSIC, fixed=8000, threads=1) for f in (field, turned)]
    # With the rivals in fixed places the two differ by over 20 points.
    assert abs(shares[0].win_share - shares[1].win_share) < 0.03


def test_margin_below_zero_is_refused():
    with pytest.raises(UsageError, match="margin must be 0 or more"):
        duel(player("random"), player("random"), None, CLASSIC, margin=-1)


def test_specs_are_split_outside_brackets_only():
    assert split_specs("half_value(shade=0.4, x=2), random,bots.py:shy") == [
        "half_value(shade=0.4, x=2)",
        "random",
        "bots.py:shy",
    ]
    assert split_specs(None) == []
