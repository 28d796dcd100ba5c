"""Tables of a run: money identities, shares that add up, ratings checked against choix."""

import choix
import numpy as np
import pytest

from modernart.analysis.measures import tables_of, tallies_for
from modernart.analysis.statistics.ratings import fit_strengths, ratings_table, table_counts
from modernart.simulator.rules import load_edition
from modernart.simulator.simulate import simulate
from modernart.strategies.specs import load_players

FIELD = ("random", "half_value", "full_value", "never_buy", "fair_share")


def played(edition="classic", seats=4, games=2000, field=FIELD, seed=1):
    rules = load_edition(edition).rules(seats)
    return simulate(load_players(field), rules, games, tallies=tallies_for(rules), seed=seed, threads=1)


@pytest.fixture(scope="module", params=[("classic", 4), ("online", 3), ("online", 5)], ids=str)
def run(request):
    return played(*request.param)


@pytest.fixture(scope="module")
def one():
    return played()


def test_money_of_all_rises_by_payouts_and_falls_by_what_the_bank_takes(run):
    rounds = run.tallies.sums("rounds")
    to_bank = run.tallies.sums("lots").by("round")["to_bank"].sum(axis=0)
    start = run.rules.all_starting_money * run.n_games
    payout, money = (rounds[name].sum(axis=0) for name in ("payout", "money"))
    np.testing.assert_array_equal(np.diff(money, prepend=start), payout - to_bank)


def test_final_money_is_the_money_after_the_last_round(run):
    assert run.tallies.sums("scores")["money"].sum() == run.tallies.sums("rounds")["money"][:, -1].sum()


def test_payouts_are_the_realised_value_of_what_was_sold(run):
    value = run.tallies.sums("lots").by("round")["value"]
    np.testing.assert_array_equal(value, run.tallies.sums("rounds")["payout"])


def test_every_view_of_the_lots_counts_the_same_prices_and_values(run):
    for quantity in ("lots", "price", "value"):
        views = [run.tallies.sums(name).by()[quantity] for name in ("lots", "trades", "price_curve", "paintings")]
        for view in views[1:]:
            np.testing.assert_array_equal(view, views[0])


def test_revenue_and_the_banks_part_make_the_price(one):
    ledger = tables_of(one)["auctions_full"]
    np.testing.assert_allclose(ledger["revenue"] + ledger["to_bank"], ledger["price"])
    np.testing.assert_allclose(ledger["value"] - ledger["price"], ledger["profit"])


def test_lone_double_costs_nothing_and_goes_to_its_owner(one):
    lone = tables_of(one)["auctions"].query("form == 'lone double'").iloc[0]
    assert (lone["price"], lone["own_share"]) == (0.0, 1.0)
    assert lone["value"] > 0


def test_shares_that_make_a_whole_add_up(one):
    money = tables_of(one)["money"].groupby("strategy")["share"].sum()
    np.testing.assert_allclose(money, 1)
    market = tables_of(one)["market"]
    np.testing.assert_allclose(market.groupby(["round", "artist"])["share"].sum(), 1)
    first = market[market["rank"] == 1].groupby("round")["share"].sum()
    np.testing.assert_allclose(first, 1)
    np.testing.assert_allclose(tables_of(one)["lengths"].groupby("round")["share"].sum(), 1)


def test_seats_and_ranking_tell_of_the_same_wins(one):
    seats = tables_of(one)["seats"]
    by_strategy = (seats["games"] * seats["win_share"]).groupby(seats["strategy"]).sum()
    ranking = tables_of(one)["ranking"].set_index("strategy")
    for name in FIELD:
        assert by_strategy[name] == pytest.approx(ranking.loc[name, "win_share"] * ranking.loc[name, "games"])
    effect = tables_of(one)["seat_effect"]
    assert effect["win_share"].mean() == pytest.approx(0.25)


def test_every_table_of_a_tiny_run_of_one_strategy_is_finite_or_empty():
    for name, frame in tables_of(played(games=1, field=("random",))).items():
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
