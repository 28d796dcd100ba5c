"""The catalogue of claims: readable, every reading measured as it says, verdicts that follow from numbers."""

import json

import numpy as np
import pandas as pd
import pytest
from positions import FLAT, position
from typer.testing import CliRunner

from modernart.analysis.claims import bidders, log_numbers
from modernart.analysis.claims.catalogue import CATALOGUE, Catalogue, Claim, Field, read_catalogue
from modernart.analysis.claims.laboratory import Laboratory, player_of
from modernart.analysis.claims.measures import MEASURES, measure_auctions, measure_duel, measure_level, unit_of
from modernart.analysis.claims.verdicts import overall, put_to_the_test, told
from modernart.analysis.claims.writing import in_words, lines, markdown
from modernart.analysis.field import with_fields
from modernart.command_line import app
from modernart.simulator.errors import UsageError
from modernart.simulator.games import records_of_run
from modernart.simulator.rules import load_edition

BOOK = read_catalogue(CATALOGUE, list(MEASURES))
CLAIMS = {claim.key: claim for claim in BOOK.claims}
SEED, GAMES = 1, 400
#: Claims whose words allow several tests, and how these come out in few games: number in `weak`, number in `strong`.
DISPUTED = {
    ("selling", "net: profit of buying"): (154.651, 358.431),
    ("selling", "gross: payouts of paintings"): (-118.354, -26.15),
    ("doubles", "worth using"): (31.188, 29.438),
    ("doubles", "worth more than any other kind"): (-8.26, 16.65),
    ("ending_costs", "all decisions"): (32.412, 23.968),
    ("ending_costs", "own choice"): (6.711, -13.287),
    ("with_three", "money"): (8.333, 5.291),
    ("with_three", "money against the others'"): (31.5, 7.703),
    ("with_three", "own choice"): (8.191, 9.328),
    ("below_three", "all decisions"): (29.396, 21.904),
    ("below_three", "own choice"): (12.894, -16.143),
    ("below_three", "own choice, winning"): (0.034, 0.167),
    ("start", "first round, winning"): (0.003, -0.006),
    ("start", "any round, money"): (15.013, 2.778),
    ("start", "last round, money"): (22.203, 11.145),
    ("sealed_highest", "against once around"): (0.067, 1.305),
    ("sealed_highest", "against open"): (14.839, -1.56),
    ("sealed_highest", "against a fixed price"): (14.471, 1.652),
    ("fixed_control", "final money"): (-2.999, -1.092),
    ("fixed_control", "steadier revenue"): (-3.349, 0.682),
    ("counting", "cards and prices"): (15.902, 43.33),
    ("counting", "cards alone"): (9.675, 46.01),
    ("counting", "prices alone"): (7.38, -0.273),
    ("three_influence", "money"): (9.231, 4.807),
    ("three_influence", "against the spread of money"): (-0.03, -0.024),
}
#: All other tests, in `weak`.
UNDISPUTED = {
    ("half", "as it stands"): -117.392,
    ("cap", "money"): -11.475,
    ("cap", "winning"): -0.039,
    ("nineteen", "as it stands"): 0.074,
    ("loss_is_gift", "you lose"): 39.633,
    ("loss_is_gift", "rivals get it"): 6.526,
    ("overbidders", "as it stands"): 18.156,
    ("max_first_round", "as it stands"): -12.852,
    ("none_first_round", "as it stands"): -14.415,
    ("lots", "observed"): 1.748,
    ("lots", "two a round are enough"): 43.197,
    ("lots", "three a round are enough"): 28.878,
    ("lots", "five a round are enough"): 8.265,
    ("spend_one", "hold half back"): -1.913,
    ("spend_one", "hold a quarter back"): -1.458,
    ("spend_two", "hold half back"): -2.32,
    ("spend_two", "hold a quarter back"): -1.475,
    ("spend_three", "hold half back"): -4.143,
    ("spend_three", "hold a quarter back"): -1.498,
    ("no_buying", "as it stands"): -0.225,
    ("cheap_buyer", "as it stands"): 71.3,
    ("push_own", "as it stands"): 57.273,
    ("one_artist", "as it stands"): -21.86,
    ("own_lot", "as it stands"): -3.917,
    ("deny", "winning"): -0.007,
    ("deny", "money"): -10.155,
    ("once_keep", "against never"): 0.645,
    ("once_keep", "against up to 75 %"): 6.607,
    ("once_keep", "against up to 30 %"): 0.655,
    ("lone", "as it stands"): 48.627,
    ("lone_at_three", "as it stands"): 1.673,
    ("before_you", "as it stands"): 17.133,
    ("rush", "as it stands"): -0.117,
    ("never_end", "as it stands"): -0.091,
    ("once_around", "revenue"): 14.772,
    ("once_around", "final money"): 15.829,
    ("hot_open", "as it stands"): -9.406,
    ("floor", "as it stands"): 0.014,
    ("snowball", "as it stands"): 0.234,
    ("late_money", "as it stands"): -1.538,
    ("left_artist", "as it stands"): -0.146,
    ("scarce_first", "as it stands"): -16.582,
    ("hand_management", "as it stands"): 51.18,
    ("show_hand", "it costs the player who shows"): 2.757,
    ("show_hand", "it helps the player who sees"): -2.13,
    ("seat_right", "as it stands"): 40.538,
    ("leader_wins", "as it stands"): 0.26,
    ("tight", "as it stands"): -0.1,
    ("skill", "as it stands"): 0.176,
    ("shill_repairs", "money"): 10.035,
    ("shill_repairs", "against the spread of money"): 0.025,
    ("five_chaos", "as it stands"): 0.034,
    ("black_framed", "as it stands"): 59.664,
    ("black_costs", "money"): 243.798,
    ("black_costs", "money against the others'"): 184.133,
    ("crowns_fought", "as it stands"): -8.144,
    ("crowns_risk", "lost when unranked"): 1.969,
    ("crowns_risk", "profit all the same lower"): -37.415,
    ("sotheby_lone", "money"): -117.715,
    ("sotheby_lone", "money against the others'"): -135.52,
}


@pytest.fixture(scope="module")
def weak():
    return Laboratory(BOOK.fields["weak"], GAMES, SEED, threads=1)


@pytest.fixture(scope="module")
def strong():
    return Laboratory(BOOK.fields["strong"], GAMES, SEED, threads=1)


def number_of(lab, key, reading):
    test = next(test for test in CLAIMS[key].tests if test["reading"] == reading)
    return round(float(MEASURES[test["measure"]](lab, test).mean), 3)


@pytest.mark.parametrize(("key", "reading"), DISPUTED)
def test_disputed_claim_in_both_fields(weak, strong, key, reading):
    assert (number_of(weak, key, reading), number_of(strong, key, reading)) == DISPUTED[key, reading]


@pytest.mark.parametrize(("key", "reading"), UNDISPUTED)
def test_claim_in_the_weak_field(weak, key, reading):
    assert number_of(weak, key, reading) == UNDISPUTED[key, reading]


def test_every_test_of_the_catalogue_has_its_number():
    tests = {(claim.key, test["reading"]) for claim in BOOK.claims for test in claim.tests}
    assert tests - {("look_ahead", "as it stands")} == set(DISPUTED) | set(UNDISPUTED)


def test_catalogue_holds_forty_claims_and_more_each_with_source_and_hypotheses():
    assert len(BOOK.claims) >= 40
    assert len(CLAIMS) == len(BOOK.claims)
    assert {"weak", "strong"} <= set(BOOK.fields)
    for claim in BOOK.claims:
        assert claim.source
        assert len({test["hypothesis"] for test in claim.tests}) == len(claim.tests)
        assert all(test["hypothesis"].endswith((".", ").")) for test in claim.tests)


def answer(spec, game):
    player = player_of(spec)
    hand = game.hands[game.table.seat]
    hand.params[: len(player.params)] = player.params
    return int(player.act(game.table, hand))


# A painting of Yoko pays 41: 11 of earlier rounds and 30 of this one. No share below falls on a whole number.
LOT = {"rules": FLAT, "lot": "YO-O", "board": (0, 11, 0, 0, 0)}


@pytest.mark.parametrize(
    ("spec", "phase", "place", "expected"),
    [
        ("habits", "LIMIT", {}, 30),  # three quarters of 41
        ("habits(share=0.5)", "SEALED", {}, 20),
        ("habits(first_round=0.5)", "LIMIT", {}, 15),
        ("habits(first_round=0.5)", "LIMIT", {"round_index": 1}, 30),
        ("habits", "LIMIT", {"auctioneer": 1}, 20),  # its own lot: half
        ("habits(own=0)", "LIMIT", {"auctioneer": 1}, 0),
        ("habits(own=0)", "PRICE", {"auctioneer": 1}, 30),
        ("habits(once=0.5)", "BID", {"auctioneer": 1, "high": 19}, 20),
        ("habits(once=0.5)", "BID", {"auctioneer": 1, "high": 20}, 0),
        ("habits(once=0.75)", "BID", {"auctioneer": 1, "high": 29}, 30),
        ("habits(most=2)", "LIMIT", {"bought": {1: (0, 0, 1, 1, 0)}}, 0),
        ("habits(most=2)", "LIMIT", {"bought": {1: (0, 0, 1, 0, 0)}}, 30),
        ("habits(hold_1=0.9)", "LIMIT", {}, 10),  # of 100 it keeps 90
        ("habits(hold_1=0.9)", "LIMIT", {"round_index": 1}, 30),
        ("habits(hold_2=0.9)", "LIMIT", {"round_index": 1}, 10),
        ("habits(hold_3=1)", "ACCEPT", {"round_index": 2, "high": 5}, 0),
        ("habits(hold_3=0.9)", "ACCEPT", {"round_index": 2, "high": 10}, 1),
        ("habits(hold_1=0.9)", "BID", {"high": 10}, 0),
        ("habits(hold_1=0.5)", "BID", {"high": 10}, 30),
    ],
)
def test_habits_of_paying(spec, phase, place, expected):
    assert answer(spec, position(phase, **LOT | place)) == expected


def test_money_is_held_back_from_what_the_round_began_with():
    # It noted 100 at the start of the round and has 60 left: 10 of the 50 that it may spend.
    game = position("LIMIT", **LOT, money=60, notes={bidders.NOTED_ROUND: 1, bidders.ROUND_MONEY: 100})
    assert answer("habits(hold_1=0.5)", game) == 10


@pytest.mark.parametrize(
    ("spec", "hand", "expected"),
    [
        ("habits", "KR-O YO-D YO-S", 1),  # the double with its second promises most
        ("habits(avoid=5)", "KR-O YO-D YO-S", 2),  # the best card that is no double
        ("habits(avoid=3)", "KR-O YO-S", 0),
        ("habits(avoid=3)", "YO-S", 0),  # nothing else left
    ],
)
def test_kinds_are_kept_to_the_last(spec, hand, expected):
    out = (0, 2, 0, 0, 0)
    assert answer(spec, position("CARD", out=out, hand=hand, board=(0, 30, 0, 0, 0))) == expected


def test_black_framed_cards_first_or_last():
    rules = load_edition("sotheby").rules(4)
    hand = {"rules": rules, "out": (0, 0, 1, 0, 0), "hand": "GR-O*5 BK-B*1", "gone": {}}
    assert answer("habits(black=1)", position("CARD", **hand)) == 1
    assert answer("habits(black=2)", position("CARD", **hand)) == 0


def test_lone_double_is_offered_as_the_habit_says():
    at = {"lot": "YO-D", "hand": "YO-O"}
    assert answer("habits", position("PAIR", out=(0, 1, 0, 0, 0), **at)) == 0
    assert answer("habits(lone=1)", position("PAIR", out=(0, 1, 0, 0, 0), **at)) == -1
    assert answer("habits(lone=2)", position("PAIR", out=(0, 3, 0, 0, 0), **at)) == 0
    assert answer("habits(lone=2)", position("PAIR", out=(0, 4, 0, 0, 0), **at)) == -1


def test_a_shown_hand_moves_what_lots_are_expected_to_pay():
    at = {"lot": "YO-O", "out": (0, 1, 2, 0, 0), "rivals_hold": 8}
    first = bidders.FIRST_SHOWN
    limits = [
        answer(f"habits(sees={sees}, share=1)", position("LIMIT", **at, notes={first + artist: 8.0}))
        for sees in (0, 1)
        for artist in (1, 4)
    ]
    # Unused, the notes change nothing; used, eight Yokos in one hand promise more than eight Kryptos.
    assert limits[0] == limits[1]
    assert limits[2] > limits[0] > limits[3]


def test_a_better_habit_is_found_better_and_a_worse_one_worse(weak):
    test = {"outcome": "money", "measure": "duel", "a": "habits(order=0)", "b": ["habits(order=1)"]}
    assert measure_duel(weak, test).low > 0
    turned = test | {"a": "habits(order=1)", "b": ["habits(order=0)"]}
    assert measure_duel(weak, turned).high < 0
    assert float(measure_duel(weak, turned | {"sign": -1}).mean) == float(measure_duel(weak, test).mean)


def test_equal_habits_differ_by_nothing(weak):
    test = {"outcome": "money", "measure": "duel", "a": "habits", "b": ["habits(share=0.75)"]}
    estimate = measure_duel(weak, test)
    assert (float(estimate.mean), float(estimate.error)) == (0.0, 0.0)


def test_the_best_rival_is_measured_on_other_deals_than_it_is_chosen_on(weak):
    rivals = ["habits(share=0.65)", "habits(share=0.85)"]
    test = {"outcome": "money", "measure": "duel", "a": "habits", "b": rivals}
    n = weak.n_deals()
    best = max(rivals, key=lambda spec: weak.scores(spec, n).money.mean())
    expected = weak.scores("habits", n, n).money - weak.scores(best, n, n).money
    assert float(measure_duel(weak, test).mean) == pytest.approx(expected.mean())


def test_never_buying_is_below_an_equals_share_by_its_own_count(weak):
    scores = weak.focal_seat("classic", 4).score(player_of("never_buy"), 0, weak.n_deals())
    found = measure_level(weak, {"measure": "level", "a": "never_buy"})
    assert float(found.mean) == pytest.approx(scores.win_share.mean() - 0.25)


def test_spread_is_the_mean_distance_from_the_mean_of_like_lots(weak):
    frame = weak.auctions().frame
    from modernart.analysis.counterfactual.auctions import sale_outcomes

    revenue = pd.DataFrame(sale_outcomes(weak.auctions())["revenue"])
    like = [frame["round"], frame["cards_out"], frame["case"]]
    spread = (revenue - revenue.groupby(like).transform("mean")).abs()
    test = {"kind": "fixed price", "other": "open", "outcome": "revenue", "spread": True}
    expected = (spread[0] - spread[3]).mean()
    assert float(measure_auctions(weak, test).mean) == pytest.approx(expected)


def sums_of(record):
    """Revenue, payouts and prices of a record's lots, all seats together; lots bought by seat."""
    revenue = prices = payouts = 0
    bought = [0] * 4
    for part in record["rounds"]:
        for event in part["events"]:
            if event["e"] == "sale":
                bought[event["buyer"]] += 1
                prices += event["price"]
                revenue += 0 if event["seller"] == event["buyer"] else event["price"]
        payouts += sum(part["result"]["payout"])
    return revenue, payouts, prices, bought


def test_numbers_of_logs_are_those_of_the_records(weak):
    rules = weak.rules()
    logs = weak.logs()
    records = list(records_of_run(weak.players, rules, SEED, 0, 12))
    found = {name: number(logs, rules)[:12] for name, number in log_numbers.NUMBERS.items() if "crowns" not in name}
    for game, record in enumerate(records):
        revenue, payouts, prices, bought = sums_of(record)
        win = [(seat in record["winners"]) / len(record["winners"]) for seat in range(4)]
        results = [part["result"] for part in record["rounds"]]
        assert found["gross_selling"][game] == pytest.approx((revenue - payouts) / 4)
        assert found["net_selling"][game] == pytest.approx((revenue - (payouts - prices)) / 4)
        assert found["starter"][game] == pytest.approx(win[record["first_seat"]] - 0.25)
        assert found["winners_lots"][game] == pytest.approx(np.dot(win, bought) - np.mean(bought))
        assert found["tight"][game] == pytest.approx(min(record["money"]) / max(record["money"]) - 2 / 3)
        before = np.array(results[2]["money"])
        leads = before == before.max()
        assert found["leader_wins"][game] == pytest.approx(np.dot(leads, win) / leads.sum() - 0.5)
        firsts = [result["ranking"][0] for result in results]
        again = [first in result["ranking"][:3] for first, result in zip(firsts, results[1:], strict=False)]
        assert found["snowball"][game] == pytest.approx(np.mean(again) - 0.6)
        paid = [sum(result["payout"]) for result in results]
        assert found["late_payouts"][game] == pytest.approx((paid[3] - paid[0] - paid[1]) / 4)
        assert found["left_artist"][game] == pytest.approx(np.mean([(f == "LM") - (f == "KR") for f in firsts]))
        assert found["floor"][game] == pytest.approx(floor_of(record), nan_ok=True)


def floor_of(record):
    """Share of paintings that paid at least their artist's earlier value, less 19 in 20."""
    value = dict.fromkeys(record["rules"]["artists"], 0)
    kept = sold = 0
    for part in record["rounds"]:
        pays = part["result"]["values"]
        for event in part["events"]:
            for card in event["cards"] if event["e"] == "sale" else ():
                artist = card.partition("-")[0]
                if value[artist] > 0:
                    sold += 1
                    kept += pays[artist] >= value[artist]
        value |= {artist: pay for artist, pay in pays.items() if pay > 0}
    return kept / sold - 0.95 if sold else float("nan")


def test_crowns_are_compared_by_lots_of_the_records():
    lab = Laboratory(BOOK.fields["weak"], 40, SEED, threads=1)
    logs, rules = lab.logs("sotheby"), lab.rules("sotheby")
    record = next(iter(records_of_run(lab.players, rules, SEED, 0, 1)))
    groups = {True: [], False: []}
    for part in record["rounds"]:
        for event in part["events"]:
            if (
                event["e"] != "sale"
                or len(event["cards"]) > 1
                or "-B" in event["cards"][0]
                or "-D" in event["cards"][0]
            ):
                continue
            card, crowns = event["cards"][0].split("*")
            pays = part["result"]["values"][card[:2]] * int(crowns)
            if crowns != "3":
                lost = event["price"] if pays == 0 else 0
                groups[crowns in "45"].append((event["price"] / int(crowns), event["price"] - pays, lost))
    expected = np.mean(groups[True], axis=0) - np.mean(groups[False], axis=0)
    names = ("crowns_price", "crowns_loss_of_profit", "crowns_loss")
    assert [log_numbers.NUMBERS[name](logs, rules)[0] for name in names] == pytest.approx(list(expected))


def test_units_are_those_of_the_number_measured():
    units = {(key, test["reading"]): unit_of(test) for key, claim in CLAIMS.items() for test in claim.tests}
    assert units["half", "as it stands"] == "money"
    assert units["cap", "winning"] == "share"
    assert units["lots", "observed"] == "lots"
    assert units["lots", "two a round are enough"] == "money"
    assert units["start", "any round, money"] == "money"
    assert units["three_influence", "against the spread of money"] == "deviations"


def test_another_reading_keeps_the_first_ones_keys_only_with_the_same_measure():
    tests = CLAIMS["counting"].tests
    assert [test["b"] for test in tests] == [["forgetful_predictive"], ["card_blind"], ["price_blind"]]
    assert {test["a"] for test in tests} == {"predictive"}
    assert "number" not in CLAIMS["start"].tests[1]


def test_verdicts_follow_from_corrected_p_values():
    steps: list[tuple[int, str, bool]] = []
    frame = put_to_the_test(
        BOOK, ["hand_management", "own_lot"], ["weak"], games=400, on_progress=lambda *step: steps.append(step)
    )
    assert steps[0] == (0, "games of the field weak", True)
    assert steps[1] == (0, "own_lot in the field weak", False)
    assert steps[-1] == (len(frame), "", False)
    for row in frame.itertuples():
        expected = "open" if row.p_holm >= 0.05 else "holds" if row.number > 0 else "fails"
        assert row.verdict == expected
    assert (frame["p_holm"] >= frame["p"]).all()


def test_a_field_is_one_table_and_slow_ones_may_play_less(tmp_path):
    text = CATALOGUE.read_text(encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(text + '\n[fields.slow]\nstrategies = ["predictive", "half_value"]\nmost_games = 160\n')
    book = read_catalogue(path, list(MEASURES))
    assert list(book.fields) == ["weak", "strong", "expert", "slow"]
    frame = put_to_the_test(book, ["tight"], ["slow,weak"], games=400)
    assert frame["field"].tolist() == ["weak", "slow"]
    assert Laboratory(book.fields["slow"], 400, SEED, 1).n_deals() == 40
    assert Laboratory(book.fields["weak"], 400, SEED, 1).n_deals() == 100


def test_the_expert_field_is_learned_and_reader():
    field = BOOK.fields["expert"]
    assert [spec.partition("(")[0] for spec in field.strategies] == ["learned", "learned", "learned", "reader"]
    assert with_fields(["expert"]) == list(field.strategies)
    assert with_fields(["predictive", "weak"]) == ["predictive", *BOOK.fields["weak"].strategies]
    assert with_fields(["learned(open=0.1)"]) == ["learned(open=0.1)"]


def test_claims_in_the_expert_field():
    expert = Laboratory(BOOK.fields["expert"], 160, SEED, threads=1)
    found = {reading: number_of(expert, "loss_is_gift", reading) for reading in ("you lose", "rivals get it")}
    assert found == {"you lose": 54.206, "rivals get it": 15.796}


def test_verdicts_that_disagree_make_it_depend():
    assert overall({"weak": "holds", "strong": "holds"}) == "holds"
    assert overall({"weak": "holds", "strong": "fails"}) == "depends on the field (weak: holds; strong: fails)"
    assert overall({"money": "open", "winning": "holds"}, "reading") == (
        "depends on the reading (money: open; winning: holds)"
    )


def test_numbers_are_written_with_unit_and_interval():
    test = {"unit": "share", "estimate": 0.05, "ci": [0.01, 0.09]}
    assert in_words(test) == "+5.0 points (+1.0 to +9.0)"
    assert in_words(test | {"unit": "money", "estimate": 5.0, "ci": [None, None]}) == "+5.0"
    assert in_words(test | {"unit": "deviations", "ci": [0.01, 0.1]}) == "+0.05 sd (+0.01 to +0.10)"


def two_readings():
    first = {"reading": "money", "hypothesis": "More money.", "measure": "duel"}
    claim = Claim("half", "Buy at half.", "a book", (first, first | {"reading": "winning", "hypothesis": "More wins."}))
    row = {"claim": "half", "number": 1.0, "low": 0.5, "high": 1.5, "p": 0.01, "p_holm": 0.02}
    rows = [
        row | {"reading": reading, "field": field, "unit": unit, "verdict": verdict}
        for reading, unit, verdict in (("money", "money", "holds"), ("winning", "share", "open"))
        for field in ("weak", "strong")
    ]
    return told(Catalogue({"weak": Field(()), "strong": Field(())}, (claim,)), pd.DataFrame(rows))


def test_stories_carry_every_reading_in_every_field():
    (story,) = two_readings()
    assert story["verdict"] == "depends on the reading (money: holds; winning: open)"
    assert (story["hypothesis"], story["measure"], story["source"]) == ("More money.", "duel", "a book")
    assert [(test["reading"], test["field"]) for test in story["tests"]] == [
        ("money", "weak"),
        ("money", "strong"),
        ("winning", "weak"),
        ("winning", "strong"),
    ]
    first = {key: story["tests"][0][key] for key in ("reading", "field", "estimate", "ci", "p")}
    assert first == {"reading": "money", "field": "weak", "estimate": 1.0, "ci": [0.5, 1.5], "p": 0.01}
    assert [row["field"] for row in story["fields"]] == ["weak", "strong"]
    assert set(story["fields"][0]) == {"field", "number", "low", "high", "p", "unit", "p_holm", "verdict"}


def test_markdown_has_a_row_for_each_reading():
    table = markdown(two_readings()).splitlines()
    assert len(table) == 4
    assert {row.count("|") for row in table} == {6}
    assert "Buy at half." in table[2]
    assert table[3].startswith("|  | winning | More wins. |")
    assert lines(two_readings()[0])[-1] == "    Source: a book"


TEST = 'hypothesis="h."\nmeasure="duel"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[claim]", "is no catalogue of claims"),
        ('fields = {}\n[[claim]]\nkey = "x"\n', "is no catalogue of claims: 'says'"),
        (
            'fields = {}\n[[claim]]\nkey="x"\nsays="s"\nsource="s"\nhypothesis="h."\nmeasure="guess"\n',
            "there is no measure guess",
        ),
        (
            f'fields = {{}}\n[[claim]]\nkey="x"\nsays="s"\nsource="s"\n{TEST}[[claim.also]]\nhypothesis="i."\n',
            "two tests of x have the same reading",
        ),
    ],
)
def test_broken_catalogue_is_refused(tmp_path, text, message):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match="catalogue") as raised:
        read_catalogue(path, list(MEASURES))
    assert message in str(raised.value)


def run(*args):
    return CliRunner().invoke(app, ("claims", *args), env={"COLUMNS": "120", "NO_COLOR": "1"})


def test_command_prints_one_object(tmp_path):
    done = run("start", "--field", "weak", "--games", "400", "--json", "--output", str(tmp_path / "c"))
    assert done.exit_code == 0, done.stderr
    result = json.loads(done.stdout)
    assert [claim["key"] for claim in result["claims"]] == ["start"]
    assert [test["reading"] for test in result["claims"][0]["tests"]] == [t["reading"] for t in CLAIMS["start"].tests]
    assert json.loads((tmp_path / "c" / "claims.json").read_text()) == result
    assert (tmp_path / "c" / "claims.md").exists()


@pytest.mark.parametrize(("args", "message"), [(["nonsense"], "no claim"), (["start", "--field", "x"], "no field")])
def test_unknown_claim_or_field_is_one_sentence_and_code_2(args, message):
    done = run(*args)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr
