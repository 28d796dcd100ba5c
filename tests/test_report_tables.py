"""Tables of a run: money identities, shares that add up, ratings checked against choix."""

import choix
import numpy as np
import pytest

from modernart.analysis.measures import tables
from modernart.analysis.statistics.ratings import fit_strengths, ratings_table, table_counts
from modernart.simulator.games import records_of_run
from modernart.simulator.rules import load_edition
from modernart.simulator.simulate import simulate
from modernart.strategies.specs import load_players

FIELD = ("random", "half_value", "full_value", "never_buy", "fair_share")


def played(edition="classic", seats=4, games=2000, field=FIELD, seed=1):
    return simulate(load_players(field), load_edition(edition).rules(seats), games, seed=seed, threads=1)


@pytest.fixture(scope="module", params=[("classic", 4), ("online", 3), ("online", 5)], ids=str)
def run(request):
    return played(*request.param)


@pytest.fixture(scope="module")
def one():
    return played()


def test_money_of_all_rises_by_payouts_and_falls_by_what_the_bank_takes(run):
    t = run.tallies
    money = t.rounds.sum(axis=0)[:, 3]
    payout = t.rounds.sum(axis=0)[:, 2]
    to_bank = t.lots.sum(axis=(0, 1, 2, 4, 5))[:, 3]
    start = run.rules.starting_money * run.rules.players * run.n_games
    np.testing.assert_array_equal(np.diff(money, prepend=start), payout - to_bank)


def test_final_money_is_the_money_after_the_last_round(run):
    assert run.tallies.scores[..., 2].sum() == run.tallies.rounds[:, -1, 3].sum()


def test_payouts_are_the_realised_value_of_what_was_sold(run):
    lots = run.tallies.lots
    np.testing.assert_array_equal(lots.sum(axis=(0, 1, 2, 4, 5))[:, 2], run.tallies.rounds.sum(axis=0)[:, 2])


def test_every_view_of_the_lots_counts_the_same_prices_and_values(run):
    t = run.tallies
    views = [
        t.lots.reshape(-1, 4)[:, [0, 1, 2]],
        t.trades.reshape(-1, 5)[:, [0, 1, 2]],
        t.curve.reshape(-1, 3)[:, [0, 1, 2]],
        t.prices.reshape(-1, 4)[:, [0, 2, 3]],
    ]
    for view in views[1:]:
        np.testing.assert_array_equal(view.sum(axis=0), views[0].sum(axis=0))


def test_ledger_agrees_with_the_sales_of_the_records(one):
    records = records_of_run(load_players(FIELD), one.rules, one.seed, 0, 40)
    short = played(games=40)
    sales = [event for r in records for part in r["rounds"] for event in part["events"] if event["e"] == "sale"]
    ledger = tables.ledger_table(short)
    assert ledger["lots"].sum() == len(sales)
    assert (ledger["lots"] * ledger["price"]).sum() == pytest.approx(sum(sale["price"] for sale in sales))
    own = [sale for sale in sales if sale["seller"] == sale["buyer"]]
    assert (ledger["lots"] * ledger["own_share"]).sum() == pytest.approx(len(own))


def test_revenue_and_the_banks_part_make_the_price(one):
    ledger = tables.ledger_table(one, ["kind", "form", "round", "cards_out"])
    np.testing.assert_allclose(ledger["revenue"] + ledger["to_bank"], ledger["price"])
    np.testing.assert_allclose(ledger["value"] - ledger["price"], ledger["profit"])


def test_lone_double_costs_nothing_and_goes_to_its_owner(one):
    lone = tables.ledger_table(one).query("form == 'lone double'").iloc[0]
    assert (lone["price"], lone["own_share"]) == (0.0, 1.0)
    assert lone["value"] > 0


def test_shares_that_make_a_whole_add_up(one):
    money = tables.money_table(one).groupby("strategy")["share"].sum()
    np.testing.assert_allclose(money, 1)
    market = tables.market_table(one)
    np.testing.assert_allclose(market.groupby(["round", "artist"])["share"].sum(), 1)
    first = market[market["rank"] == 1].groupby("round")["share"].sum()
    np.testing.assert_allclose(first, 1)
    np.testing.assert_allclose(tables.lengths_table(one).groupby("round")["share"].sum(), 1)


def test_seats_and_ranking_tell_of_the_same_wins(one):
    seats = tables.seats_table(one)
    by_strategy = (seats["games"] * seats["win_share"]).groupby(seats["strategy"]).sum()
    ranking = tables.ranking_table(one).set_index("strategy")
    for name in FIELD:
        assert by_strategy[name] == pytest.approx(ranking.loc[name, "win_share"] * ranking.loc[name, "games"])
    effect = tables.seat_effect_table(one)
    assert effect["win_share"].mean() == pytest.approx(0.25)


def test_leader_table_agrees_with_the_records():
    records = list(records_of_run(load_players(FIELD), load_edition("classic").rules(4), 1, 0, 40))
    expected = []
    for record in records:
        money = record["rounds"][1]["result"]["money"]
        leaders = [seat for seat, m in enumerate(money) if m == max(money)]
        won = sum(seat in record["winners"] for seat in leaders) / len(leaders) / len(record["winners"])
        expected.append(won)
    assert tables.leaders_table(played(games=40))["win_share"][1] == pytest.approx(np.mean(expected))


def test_endings_agree_with_the_records():
    records = list(records_of_run(load_players(FIELD), load_edition("classic").rules(4), 1, 0, 40))
    results = [part["result"] for record in records for part in record["rounds"]]
    ended = [result for result in results if result["ended_by"] is not None]
    table = tables.endings_table(played(games=40))
    assert table["rounds"][0] == len(ended)
    assert table["payout_ender"][0] == pytest.approx(np.mean([r["payout"][r["ended_by"]] for r in ended]))
    others = [sum(p for s, p in enumerate(r["payout"]) if (s - r["ended_by"]) % 4 in (2, 3)) / 2 for r in ended]
    assert table["payout_others"][0] == pytest.approx(np.mean(others))


def test_quantiles_lie_where_the_counts_say():
    run = played(games=40, field=("random",))
    run.tallies.money[:] = 0
    run.tallies.money[0, 0, 10, 0] = 100  # all between 200 and 220
    assert tables.money_quantiles_table(run)["q50%"][0] == pytest.approx(210)


def test_every_table_of_a_tiny_run_of_one_strategy_is_finite_or_empty():
    for name, frame in tables.all_tables(played(games=1, field=("random",))).items():
        assert not np.isinf(frame.select_dtypes("number").to_numpy(float)).any(), name


def test_strengths_are_those_of_choix_on_tables_of_different_size():
    rng = np.random.default_rng(1)
    truth = np.array([0.1, 0.2, 0.3, 0.4])
    lines, data = [], []
    for _ in range(3000):
        members = rng.choice(4, size=rng.integers(2, 5), replace=False)
        winner = rng.choice(members, p=truth[members] / truth[members].sum())
        lines.append((np.isin(range(4), members).astype(int), winner))
        data.append((winner, [m for m in members if m != winner]))
    wins = np.bincount([winner for _, winner in lines], minlength=4)
    fitted = fit_strengths(wins, np.array([line for line, _ in lines]), np.ones(len(lines)))
    theirs = np.exp(choix.mm_top1(4, data, alpha=1e-12))
    np.testing.assert_allclose(fitted, theirs / theirs.sum(), rtol=1e-4)
    np.testing.assert_allclose(fitted, truth, atol=0.03)


def test_strengths_count_two_places_of_one_strategy_twice():
    # One of the first and three of the second, equally strong: the second wins three times in four.
    fitted = fit_strengths(np.array([25.0, 75.0]), np.array([[1, 3]]), np.array([100.0]))
    np.testing.assert_allclose(fitted, [0.5, 0.5])


def test_tables_played_are_counted_as_the_schedule_drew_them(one):
    sorts, counts = table_counts(one)
    assert (sorts.sum(axis=1) == 4).all()
    assert counts.sum() == one.n_games
    np.testing.assert_array_equal(
        (counts[:, :, None] * sorts[None]).sum(axis=(0, 1)), one.tallies.scores[..., 0].sum(axis=0)
    )


def test_ratings_order_the_field_and_expected_wins_match(one):
    frame = ratings_table(one)
    assert (frame["rating_low"] < frame["rating"]).all()
    strengths = frame.set_index("strategy")["strength"][list(FIELD)].to_numpy()
    sorts, counts = table_counts(one)
    expected = (counts.sum(axis=0)[:, None] * sorts * strengths / (sorts @ strengths)[:, None]).sum(axis=0)
    # The prior is a quarter of a game.
    np.testing.assert_allclose(expected, one.tallies.scores[..., 1].sum(axis=0) / 840, atol=0.25)


def test_who_never_won_has_no_rating():
    strengths = fit_strengths(np.array([0.0, 4.0, 6.0]), np.array([[2, 1, 1]]), np.array([10.0]))
    np.testing.assert_allclose(strengths, [0.0, 0.4, 0.6])
