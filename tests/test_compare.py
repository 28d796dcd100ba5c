"""Rule sets side by side: right numbers, paired where deals are shared, clear refusals."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from modernart.analysis.comparing.editions import compare_editions, parse_edition
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
