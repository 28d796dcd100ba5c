"""The catalogue of claims: readable, each measured in two fields, verdicts that follow from numbers."""

import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from modernart.analysis.claims import claims
from modernart.analysis.claims.claims import (
    Laboratory,
    in_words,
    markdown,
    overall,
    player_of,
    put_to_the_test,
    read_catalogue,
    told,
)
from modernart.command_line import app
from modernart.simulator.errors import UsageError

BOOK = read_catalogue()
WANTED = (
    "half cap nineteen no_buying selling doubles lone lone_at_three ending_costs with_three before_you start "
    "once_around hot_open sealed_highest fixed_control max_first_round none_first_round floor left_artist overbidders "
    "three_influence shill_repairs five_chaos tight counting look_ahead hand_management own_lot scarce_first"
).split()


def test_catalogue_holds_every_claim_with_source_and_hypothesis():
    keys = [claim["key"] for claim in BOOK.claims]
    assert set(WANTED) <= set(keys)
    assert len(set(keys)) == len(keys)
    assert len(BOOK.fields) >= 2
    for claim in BOOK.claims:
        assert claim["source"]
        assert claim["hypothesis"].endswith(".")


@pytest.fixture(scope="module")
def lab():
    return Laboratory(["half_value", "fair_share", "never_buy", "full_value"], 400, seed=1, threads=1)


@pytest.mark.parametrize("claim", [c for c in BOOK.claims if c["key"] != "look_ahead"], ids=lambda claim: claim["key"])
def test_every_claim_gives_a_number_with_an_interval(lab, claim):
    estimate = claims.MEASURES[claim["measure"]](lab, claim)
    assert np.isfinite([estimate.mean, estimate.low, estimate.high]).all()
    assert estimate.low < estimate.high


def test_a_better_habit_is_found_better_and_a_worse_one_worse(lab):
    claim = {"outcome": "money", "measure": "duel", "a": "habits(order=0)", "b": ["habits(order=1)"]}
    assert claims.measure_duel(lab, claim).low > 0
    turned = claim | {"a": "habits(order=1)", "b": ["habits(order=0)"]}
    assert claims.measure_duel(lab, turned).high < 0


def test_equal_habits_differ_by_nothing(lab):
    claim = {"outcome": "money", "measure": "duel", "a": "habits", "b": ["habits(share=0.75)"]}
    estimate = claims.measure_duel(lab, claim)
    assert (float(estimate.mean), float(estimate.error)) == (0.0, 0.0)


def test_never_buying_is_below_an_equals_share_by_its_own_count(lab):
    claim = next(claim for claim in BOOK.claims if claim["key"] == "no_buying")
    scores = lab.chair.score(player_of("never_buy"), 0, lab.n_deals)
    assert float(claims.measure_level(lab, claim).mean) == pytest.approx(scores.win_share.mean() - 0.25)


def record(values, money=(300, 200)):
    """A game of two rounds with a painting of A sold in each."""
    rounds = [
        {"events": [{"e": "sale", "cards": ["A-O"]}], "result": {"values": {"A": value, "B": 0}}} for value in values
    ]
    return {"rules": {"artists": ["A", "B"]}, "rounds": rounds, "money": list(money)}


@pytest.mark.parametrize(("values", "kept"), [((30, 50), 1.0), ((30, 0), 0.0)])
def test_floor_counts_paintings_that_pay_less_than_before(values, kept):
    assert claims._floor(record(values)) == pytest.approx(kept - 0.95)


def test_an_unranked_round_does_not_erase_an_earlier_value():
    # A paid 30, then nothing, then 40: the second painting broke the floor of 30, the third kept it.
    assert claims._floor(record((30, 0, 40))) == pytest.approx(0.5 - 0.95)


def test_floor_of_a_game_without_earlier_values_says_nothing():
    assert np.isnan(claims._floor(record((0, 0))))


def test_tightness_is_the_last_over_the_winner():
    assert claims._tightness(record((30,), money=(300, 150))) == pytest.approx(0.5 - 2 / 3)


def test_verdicts_follow_from_corrected_p_values():
    frame = put_to_the_test(BOOK, ["hand_management", "own_lot"], ["weak"], games=400)
    for row in frame.itertuples():
        expected = "open" if row.p_holm >= 0.05 else "holds" if row.number > 0 else "fails"
        assert row.verdict == expected
    assert (frame["p_holm"] >= frame["p"]).all()


def test_fields_that_disagree_make_it_depend():
    assert overall({"weak": "holds", "strong": "holds"}) == "holds"
    assert overall({"weak": "holds", "strong": "fails"}) == "depends on the field (weak: holds, strong: fails)"


def test_numbers_are_written_with_unit_and_interval():
    row = {"unit": "share", "number": 0.05, "low": 0.01, "high": 0.09}
    assert in_words(row) == "+5.0 points (+1.0 to +9.0)"
    assert in_words(row | {"unit": "money", "number": 5.0, "low": None}) == "+5.0"


def test_stories_and_markdown_carry_claim_and_numbers():
    row = {"claim": "half", "number": 1.0, "low": 0.5, "high": 1.5, "p": 0.0, "unit": "money", "p_holm": 0.0}
    frame = pd.DataFrame([row | {"field": "weak", "verdict": "holds"}, row | {"field": "strong", "verdict": "open"}])
    (story,) = told(BOOK, frame)
    assert story["verdict"] == "depends on the field (weak: holds, strong: open)"
    table = markdown([story])
    assert "Buy at half the value." in table
    assert table.splitlines()[0].count("|") == table.splitlines()[2].count("|")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[claim]", "is no catalogue of claims"),
        ('fields = {}\n[[claim]]\nkey = "x"\n', "is no catalogue of claims: 'says'"),
        (
            'fields = {}\n[[claim]]\nkey="x"\nsays="s"\nsource="s"\nhypothesis="h."\nmeasure="guess"\n',
            "there is no measure guess",
        ),
    ],
)
def test_broken_catalogue_is_refused(tmp_path, text, message):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match="catalogue") as raised:
        read_catalogue(path)
    assert message in str(raised.value)


def run(*args):
    return CliRunner().invoke(app, ("claims", *args), env={"COLUMNS": "120", "NO_COLOR": "1"})


def test_command_prints_one_object(tmp_path):
    done = run("start", "--field", "weak", "--games", "400", "--json", "--output", str(tmp_path / "c"))
    assert done.exit_code == 0, done.stderr
    result = json.loads(done.stdout)
    assert [claim["key"] for claim in result["claims"]] == ["start"]
    assert json.loads((tmp_path / "c" / "claims.json").read_text()) == result
    assert (tmp_path / "c" / "claims.md").exists()


@pytest.mark.parametrize(("args", "message"), [(["nonsense"], "no claim"), (["start", "--field", "x"], "no field")])
def test_unknown_claim_or_field_is_one_sentence_and_code_2(args, message):
    done = run(*args)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr
