"""Rule sets side by side: right numbers, paired where deals are shared, clear refusals."""

import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from modernart.analysis.comparing.editions import (
    compare_editions,
    least_that_matters,
    parse_edition,
    parse_rule_set,
    sweep,
)
from modernart.command_line import app
from modernart.simulator.errors import UsageError
from modernart.simulator.games import records_of_run
from modernart.strategies.specs import load_players
from naive.tallies import lots_of

GAMES = 400
FIELD = ["random", "half_value", "fair_share"]


@pytest.fixture(scope="module")
def comparison():
    texts = ["classic", "classic(end_count=6)", "classic(deal=[10,6,6,0])"]
    return compare_editions([(text, parse_edition(text)) for text in texts], load_players(FIELD), 3, GAMES, seed=2)


def value(frame, name, edition, column="value"):
    return frame[(frame.iloc[:, 0] == name) & (frame["edition"] == edition)][column].item()


def test_metrics_are_those_of_the_records(comparison):
    frame = comparison.table()
    for label, run in zip(comparison.labels, comparison.runs, strict=True):
        records = list(records_of_run(load_players(FIELD), run.rules, 2, 0, run.n_games))
        sold = [lot for record in records for lot in lots_of(record) if lot["form"] != "LONE"]
        assert value(frame, "price of a lot", label) == pytest.approx(np.mean([lot["price"] for lot in sold]))
        profit = np.mean([lot["value"] - lot["price"] for lot in sold])
        assert value(frame, "buyer's profit a lot", label) == pytest.approx(profit)
        money = np.array([record["money"] for record in records])
        assert value(frame, "final money of a seat", label) == pytest.approx(money.mean())
        wins = [record["money"][s] == max(record["money"]) for record in records for s in [record["first_seat"]]]
        ties = [len(record["winners"]) for record in records]
        share = np.mean(np.array(wins) / ties)
        assert value(frame, "starter's advantage", label) == pytest.approx(100 * (share - 1 / 3))


def test_first_rule_set_has_no_difference_and_equal_rules_differ_by_nothing(comparison):
    frame = comparison.table()
    assert frame[frame["edition"] == "classic"]["difference"].isna().all()
    same = compare_editions(
        [("a", parse_edition("classic")), ("b", parse_edition("classic(no_bid_price=0)"))],
        load_players(FIELD),
        3,
        GAMES,
    ).table()
    assert (same[same["edition"] == "b"][["difference", "difference_low", "difference_high"]] == 0).all(axis=None)


def test_shared_deals_make_differences_sharper(comparison):
    frame = comparison.table()
    label = "classic(end_count=6)"
    own = [
        value(frame, "final money of a seat", e, "high") - value(frame, "final money of a seat", e)
        for e in ("classic", label)
    ]
    half = value(frame, "final money of a seat", label, "difference_high") - value(
        frame, "final money of a seat", label, "difference"
    )
    assert 0 < half < np.hypot(*own)
    assert comparison.shares_deals == (True, True, True)


def test_other_hands_are_said_to_be_other_hands():
    editions = [(text, parse_edition(text)) for text in ("classic", "online", "shill")]
    assert compare_editions(editions, load_players(["random"]), 3, GAMES).shares_deals == (True, False, False)


def test_win_shares_of_all_strategies_sum_to_one_a_game(comparison):
    frame = comparison.win_shares()
    for run, label in zip(comparison.runs, comparison.labels, strict=True):
        seats = run.tallies.scores[:, :, 0].sum(axis=0)
        shares = [value(frame, name, label) for name in run.names]
        assert np.dot(shares, seats) == pytest.approx(run.n_games)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["classic"], "at least two editions"),
        (["classic", "classic"], "name each rule set once"),
        (["classic", "classic(end_count)"], "KEY=VALUE"),
        (["classic", "classic(end_cont=6)"], "end_count"),
        (["classic", "sothebi"], "sotheby"),
        (["classic", "classic(deal=[30,30])"], "deal"),
    ],
)
def test_wrong_comparison_is_refused_with_the_reason(texts, message):
    result = CliRunner().invoke(app, ["editions", "compare", *texts, "--games", "400"])
    assert result.exit_code == 2
    assert message in result.stderr


def test_six_players_stand_beside_four_and_are_not_paired():
    rule_sets = [parse_rule_set(text) for text in ("classic", "classic(players=6, end_count=6)")]
    compared = compare_editions(rule_sets, load_players(["random"]), 4, 800)
    assert [run.rules.players for run in compared.runs] == [4, 6]
    assert [run.rules.end_count for run in compared.runs] == [5, 6]
    assert compared.runs[1].rules.deal == (7, 2, 2, 0)
    assert compared.shares_deals == (True, False)
    shares = compared.win_shares()
    assert list(shares["value"]) == pytest.approx([1 / 4, 1 / 6])


@pytest.mark.parametrize(
    ("base", "option", "rule_sets"),
    [
        ("classic", "end_count=4:6", ["classic(end_count=4)", "classic(end_count=5)", "classic(end_count=6)"]),
        (
            "classic(debt=true)",
            "shill=none,buyer",
            ["classic(debt=true, shill=none)", "classic(debt=true, shill=buyer)"],
        ),
        (
            "classic",
            "rank_values=[30,20],[10,20,30]",
            ["classic(rank_values=[30,20])", "classic(rank_values=[10,20,30])"],
        ),
    ],
)
def test_sweep_names_a_rule_set_for_each_value(base, option, rule_sets):
    assert sweep(base, option) == rule_sets


@pytest.mark.parametrize("option", ["end_count", "end_count=5", "end_count=1:99", "=1:2"])
def test_wrong_sweep_is_refused(option):
    with pytest.raises(UsageError, match="--sweep must"):
        sweep("classic", option)


def test_a_difference_matters_by_its_unit():
    assert least_that_matters("share", 0.5) == 0.01
    assert least_that_matters("ratio", 0.8) == 0.02
    assert least_that_matters("money", -200.0) == 4.0


def test_curves_are_written_beside_the_table(tmp_path):
    table = tmp_path / "sweep.csv"
    words = ["editions", "compare", "classic", "--sweep", "end_count=4:5", "--field", "random", "--games", "512"]
    done = CliRunner().invoke(app, [*words, "--output", str(table)])
    assert done.exit_code == 0, done.output
    assert table.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
    assert {"yes", "no", "open"} >= set(pd.read_csv(table)["matters"].dropna())


def test_too_few_games_for_intervals_are_refused():
    with pytest.raises(UsageError, match="games must be at least 384"):
        compare_editions([(t, parse_edition(t)) for t in ("classic", "online")], load_players(FIELD), 3, 100)


def test_command_prints_tables_and_json():
    arguments = [
        "editions",
        "compare",
        "classic",
        "sotheby",
        "--field",
        "random,half_value(shade=0.4)",
        "--games",
        "512",
    ]
    shown = CliRunner().invoke(app, arguments)
    assert shown.exit_code == 0, shown.output
    assert "fine of a black-framed card" in shown.stdout
    assert "placeholder deck" in shown.stdout
    told = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)
    assert told["games"] == 512
    assert {row["edition"] for row in told["metrics"]} == {"classic", "sotheby"}
