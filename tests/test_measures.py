"""Measures: every table of a run against an independent recount of the records of its games, and money that adds up."""

import itertools

import numpy as np
import pandas as pd
import pytest

from modernart.analysis.measures import all_measures, dictionary, tables_of, tallies_for
from modernart.analysis.measures.income import account_of
from modernart.analysis.measures.money import N_SIDE, bounds_of, class_of, quantile
from modernart.analysis.measures.price_curve import N_PRICES, PRICE_STEP
from modernart.simulator.games import records_of_run
from modernart.simulator.jit import JIT_DISABLED
from modernart.simulator.rules import load_edition
from modernart.simulator.simulate import simulate
from modernart.strategies.specs import load_players
from naive.recount import Recount

FIELD = ("random", "half_value", "fair_share", "full_value", "never_buy")
#: More blocks than batches, so that batches hold several; plain Python, which takes 20 ms a game, plays few.
GAMES = 20 if JIT_DISABLED else 200
SETTINGS = {
    "classic": ("classic", 4, {}),
    "online": ("online", 5, {}),
    "shill": ("shill", 3, {}),
    "sotheby five": ("sotheby", 5, {}),
    "sotheby six": ("sotheby", 6, {}),
    "odd to the first seller": ("classic", 4, {"double_revenue": "split_odd_first"}),
    "one without a bid": ("classic", 3, {"no_bid_price": "1"}),
    "no debt": ("sotheby", 5, {"debt": "false"}),
    "last card auctioned": ("classic", 4, {"last_card": "auctioned", "deal": "[3,2,1,1]"}),
    "few cards": ("sotheby", 5, {"deal": "[3,2,1,1]"}),
    "outcry": ("online", 4, {"open_style": "outcry"}),
    "money by order": ("classic", 3, {"order_money": "[0, 5, 11, 99]"}),
    "pairs of one kind": ("classic", 4, {"pairing": "same_kind"}),
    "a hand limit": ("classic", 4, {"hand_limit": "7"}),
}

#: Tables that are checked elsewhere, and where.
ELSEWHERE = {
    "ratings": "test_report_tables: against choix and expected wins",
    "differences": "below: against the ranking",
    "money": "below: against every seat's money",
    "money_quantiles": "below: against every seat's money",
    "price_curve": "below: against every lot",
}


@pytest.fixture(scope="module", params=SETTINGS)
def both(request):
    """Tables of a run, and the recount of its records."""
    edition, seats, changes = SETTINGS[request.param]
    rules = load_edition(edition, changes).rules(seats)
    field = load_players(FIELD)
    run = simulate(field, rules, GAMES, tallies=tallies_for(rules), seed=3)
    return tables_of(run), Recount(list(records_of_run(field, rules, 3, 0, run.n_games)))


def assert_same(table: pd.DataFrame, expected: pd.DataFrame, name: str) -> None:
    """Hold a table against the recount, whatever the order of rows; every column but intervals must be recounted."""
    keys = list(expected.index.names)
    told = table.set_index(keys).sort_index()
    columns = [column for column in told if not column.endswith(("_low", "_high"))]
    assert sorted(columns) == sorted(expected.columns), name
    expected = expected.reindex(told.index)[columns]
    pd.testing.assert_frame_equal(told[columns].astype(float), expected.astype(float), check_index_type=False, obj=name)


def test_every_table_agrees_with_the_recount_of_the_records(both):
    tables, recount = both
    counted = [t.name for m in tables.measures for t in m.tables if t.make is not None and t.name not in ELSEWHERE]
    assert len(counted) >= 20
    names = {"seats": lambda: recount.seats_by("strategy", "seat"), "rounds": recount.rounds_table}
    for name in counted:
        expected = names[name]() if name in names else recount.table(name)
        # Rows of cases that never occurred are left out, but for the market, which tells of every rank.
        frame = tables[name]
        assert_same(frame[frame["rounds"] > 0] if name == "market" else frame, expected, name)
        if name == "market":
            assert (frame.loc[frame["rounds"] == 0, "share"] == 0).all()


def test_money_adds_up_to_the_last_unit(both):
    """Starting money + profit of buying + revenue of selling + other money = final money, in whole numbers."""
    tables, _ = both
    run = tables.run
    account = account_of(run)
    final = run.tallies.sums("scores")["money"]
    starting = account.seats * sum(run.rules.money_at_start(0)) // run.rules.players
    buying = account.collected - account.spent
    other = account.spared - account.fines - account.fees
    np.testing.assert_array_equal(starting + buying + account.revenue + other, final)
    if "B" not in {card.split("-")[1][0] for card in run.rules.deck}:
        assert not other.any()
    if run.rules.debt or run.rules.edition != "sotheby":
        assert not account.spared.any()


def test_price_curve_agrees_with_the_recount(both):
    tables, recount = both
    sold = recount.lots[recount.lots["is_sold"]]
    classes = np.minimum(sold["price"] // PRICE_STEP, N_PRICES - 1) * PRICE_STEP
    by = sold.assign(price_from=classes).groupby(["kind", "price_from"])
    expected = by.agg(lots=("price", "size"), price=("price", "mean"), value=("value", "mean"))
    assert_same(tables["price_curve"], expected, "price_curve")


def test_classes_of_money_agree_with_the_recount(both):
    tables, recount = both
    for strategy, own in recount.seats.groupby("strategy")["money"]:
        classes = tables["money"][tables["money"]["strategy"] == strategy]
        assert classes["seats"].sum() == len(own)
        assert classes["share"].sum() == pytest.approx(1)
        for row in classes.itertuples():
            assert own.between(row.money_from, row.money_to).sum() == row.seats


def test_quantiles_of_money_lie_where_the_recount_has_them(both):
    """Debts included: within the width of a class, a thirty-second of the amount, of the true quantile."""
    tables, recount = both
    told = tables["money_quantiles"].set_index("strategy")
    for strategy, own in recount.seats.groupby("strategy")["money"]:
        for q in (0.05, 0.25, 0.5, 0.75, 0.95):
            right = np.quantile(own, q, method="inverted_cdf")
            assert told.loc[strategy, f"q{q:.0%}"] == pytest.approx(right, abs=max(1, abs(right) / 32)), strategy


def test_differences_are_those_of_the_ranking(both):
    tables, _ = both
    ranking = tables["ranking"].set_index("strategy")
    differences = tables["differences"]
    assert len(differences) == 10
    for row in differences.itertuples():
        for measure in ("win_share", "money"):
            apart = ranking.loc[row.strategy, measure] - ranking.loc[row.other, measure]
            assert getattr(row, f"{measure}_difference") == pytest.approx(apart)


@pytest.mark.parametrize(
    ("money", "bounds"),
    [
        (0, (0, 0)),
        (63, (63, 63)),
        (64, (64, 65)),
        (127, (126, 127)),
        (-1, (-1, -1)),
        (-64, (-65, -64)),
        (500, (496, 503)),
        (-1000, (-1007, -992)),
        (1023, (1008, 1023)),
        (1024, (1024, 1055)),
        (2**31 - 1, (2**31 - 2**25, 2**31 - 1)),
    ],
)
def test_classes_of_money_cover_debts_and_fortunes(money, bounds):
    assert bounds_of(class_of(money)) == bounds


def test_classes_of_money_follow_each_other_without_a_gap():
    bounds = [bounds_of(i) for i in range(1, 2 * N_SIDE)]
    assert all(high + 1 == low for (_, high), (low, _) in itertools.pairwise(bounds))


def test_quantile_of_a_class_is_spread_over_it():
    counts = np.zeros(2 * N_SIDE - 1, int)
    counts[class_of(500) - 1] = 100  # 496 to 503
    assert [quantile(counts, q) for q in (0.5, 1.0)] == [499.5, 503.0]


def test_fines_are_no_profit_of_who_takes_black_framed_cards():
    """Five players of `sotheby`: counted as profit, the fines of `random` would make 77.2 of buying 758.1."""
    rules = load_edition("sotheby").rules(5)
    names = ("random", "half_value", "fair_share", "full_value", "never_buy")
    tables = tables_of(simulate(load_players(names), rules, 1600, tallies=tallies_for(rules), seed=1))
    account = tables["buyers"].set_index("strategy").loc["random"]
    told = account[["buying_profit", "fines", "fees", "selling_revenue"]].tolist()
    assert told == pytest.approx([77.2, 680.9, 48.8, 308.1], abs=0.05)
    trades = tables["trades"].set_index(["auctioneer", "buyer"])
    assert trades.loc[("fair_share", "random"), "profit"] == pytest.approx(37.50, abs=0.005)
    # Classes from 0 on would lose this debt.
    assert tables["money_quantiles"].set_index("strategy").loc["random", "q5%"] == -768


def test_dictionary_of_columns_names_every_column_of_every_table(both):
    tables, _ = both
    for measure in tables.measures:
        for table in measure.tables:
            if table.make is None:
                continue
            told = [
                name + end
                for name, column in table.columns.items()
                for end in (("", "_low", "_high") if column.interval else ("",))
            ]
            assert sorted(tables[table.name].columns) == sorted(told), table.name


def test_dictionary_in_the_docs_is_made_from_the_measures():
    from pathlib import Path

    file = Path(__file__).parent.parent / "docs" / "columns.md"
    command = "python -m modernart.analysis.measures.dictionary > docs/columns.md"
    assert file.read_text(encoding="utf-8") == dictionary.markdown(), f"make it anew: {command}"


def test_names_of_measures_tallies_and_tables_are_used_once():
    measures = all_measures()
    for names in (
        [measure.name for measure in measures],
        [tally.layout.name for measure in measures for tally in measure.tallies],
        [table.name for measure in measures for table in measure.tables],
        [drawing.name for measure in measures for drawing in measure.drawings],
    ):
        assert len(set(names)) == len(names)
    assert all(column.meaning for measure in measures for table in measure.tables for column in table.columns.values())
