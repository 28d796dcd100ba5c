"""Values of paintings against plain-Python twins, and what the forecast says of tables that speak for themselves."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modernart.simulator.cards import card_code
from modernart.simulator.limits import N_ARTISTS as MOST_ARTISTS
from modernart.simulator.rules import load_edition
from modernart.simulator.setup import games_of
from modernart.strategies import forecast
from modernart.strategies.forecast import (
    N_FEATURES,
    OUT,
    OWN,
    PAYS,
    RIVALS,
    STRENGTH,
    WEIGHTS,
    expect,
    features,
    new_view,
    relative_collection,
)
from modernart.strategies.valuation import (
    collection_now,
    denial_price,
    is_leading,
    is_trailing,
    keep_price,
    match_seller_price,
    match_table_price,
    payout_now,
    table_payouts,
    wealth_now,
)

#: Artists of the built-in decks; records have room for more.
N_ARTISTS = 5
COUNTS = st.lists(st.integers(0, 5), min_size=N_ARTISTS, max_size=N_ARTISTS)
BOARD = st.lists(st.integers(0, 9).map(lambda n: 10 * n), min_size=N_ARTISTS, max_size=N_ARTISTS)
STAKES = st.lists(st.lists(st.integers(-3, 6), min_size=N_ARTISTS, max_size=N_ARTISTS), min_size=4, max_size=4)


def game_with(out=(0,) * 5, board=(0,) * 5, stakes=None, cards=(), edition="classic", players=4):
    """A game in which seat 0 holds `cards` and is asked; the other hands hold five cards each."""
    game = games_of(load_edition(edition).rules(players), 1)[0]
    table = game.table
    table.cards_out[: len(out)] = out
    table.values[: len(board)] = board
    for seat, row in enumerate(stakes or []):
        table.stakes[seat, : len(row)] = row
    hand = game.hands[0]
    hand.n_cards = len(cards)
    hand.cards[: len(cards)] = cards
    table.hand_sizes[:players] = 5
    table.hand_sizes[0] = len(cards)
    table.cards_in_hands = table.hand_sizes[:players].sum()
    return game


def naive_pays(out, board, rank_values=(30, 20, 10)):
    """What a crown of each artist pays if the round ends: sort, cut, look up."""
    ranked = sorted((a for a in range(N_ARTISTS) if out[a] > 0), key=lambda a: (-out[a], a))[: len(rank_values)]
    return [board[a] + rank_values[ranked.index(a)] if a in ranked else 0 for a in range(N_ARTISTS)]


def naive_collection(stakes, pays):
    """Crowns times payout, summed."""
    return sum(crowns * pay for crowns, pay in zip(stakes, pays, strict=True))


@settings(max_examples=60, deadline=None)
@given(COUNTS, BOARD, st.integers(0, 4), st.integers(0, 2))
def test_payout_now_is_that_of_the_sorted_artists(out, board, artist, n_more):
    game = game_with(out, board)
    with_more = [n + (n_more if a == artist else 0) for a, n in enumerate(out)]
    assert payout_now(game.table, artist, n_more) == naive_pays(with_more, board)[artist]


@settings(max_examples=60, deadline=None)
@given(COUNTS, BOARD, STAKES, st.integers(0, 4), st.integers(0, 2))
def test_what_ending_now_does_to_everyone(out, board, stakes, artist, n_more):
    game = game_with(out, board, stakes)
    before = game.table.cards_out.copy()
    pays = naive_pays([n + (n_more if a == artist else 0) for a, n in enumerate(out)], board)
    payouts = [naive_collection(row, pays) for row in stakes]
    for seat in range(4):
        rivals = (sum(payouts) - payouts[seat]) / 3
        assert collection_now(game.table, seat, artist, n_more) == payouts[seat]
        assert table_payouts(game.table, seat, artist, n_more) == pytest.approx(payouts[seat] - rivals)
    assert (game.table.cards_out == before).all()


def test_ending_cards_do_not_rank_where_the_edition_says_so():
    out, stakes = (5, 5, 0, 0, 0), [[0, 1, 0, 0, 0], [0] * 5, [0] * 5, [0] * 5]
    assert table_payouts(game_with(out, stakes=stakes, edition="sotheby").table, 0, 1, 1) == 20
    assert table_payouts(game_with(out, stakes=stakes).table, 0, 1, 1) == 30


def test_wealth_is_money_and_what_paintings_would_pay_now():
    # YO pays 30 and KR 10; LM has no card out and pays nothing.
    table = game_with((0, 2, 1, 0, 1), stakes=[[2, 1, 0, 0, 1], [1, 0, 0, 0, 0], [0] * 5, [0] * 5]).table
    table.money[:4] = 60, 100, 100, 130
    assert [wealth_now(table, seat) for seat in range(4)] == [100, 100, 100, 130]
    assert [is_leading(table, seat) for seat in range(4)] == [False, False, False, True]
    assert [is_trailing(table, seat) for seat in range(4)] == [True, True, True, False]


def test_walk_away_prices_leave_gains_level():
    v, n = 60.0, 4
    # At v / 2 buyer and seller gain alike.
    p = match_seller_price(v)
    assert v - p == p
    # At v (n - 1) / n the buyer gains what the seller's price adds to the rivals' mean.
    p = match_table_price(v, n)
    assert v - p == pytest.approx(p / (n - 1))
    # At v it is one whether the bidder or a rival buys: v - p - p / (n - 1) against -(v - p) / (n - 1) - p / (n - 1).
    p = denial_price(v)
    assert v - p - p / (n - 1) == pytest.approx(-(v - p) / (n - 1) - p / (n - 1))
    # Auctioneers who keep their lot pay the bank; if they sell it, the buyer gains.
    p = keep_price(v, n)
    assert v - p == pytest.approx(p - (v - p) / (n - 1))


def naive_rank_chances(strengths):
    """Chance of each artist (row) at each rank (column) by going through all orders of a Plackett-Luce draw."""
    chances = np.zeros((N_ARTISTS, N_ARTISTS))
    for order in itertools.permutations(range(N_ARTISTS)):
        p, left = 1.0, sum(strengths)
        for artist in order:
            p *= strengths[artist] / left
            left -= strengths[artist]
        for rank, artist in enumerate(order):
            chances[artist, rank] += p
    return chances


@settings(max_examples=40, deadline=None)
@given(COUNTS, BOARD, st.lists(st.sampled_from([card_code(a, k) for a in range(5) for k in range(5)]), max_size=9))
def test_expected_payouts_are_those_of_all_orders_of_the_artists(out, board, cards):
    game = game_with(out, board, cards=cards)
    view = new_view(game.table, game.hands[0], True)
    chances = naive_rank_chances(view[STRENGTH, :N_ARTISTS])
    for artist in range(N_ARTISTS):
        expected = sum(chances[artist, rank] * (board[artist] + pay) for rank, pay in enumerate((30, 20, 10)))
        assert view[PAYS, artist] == pytest.approx(expected, rel=1e-6, abs=1e-6)


@settings(max_examples=40, deadline=None)
@given(COUNTS, BOARD, st.lists(st.sampled_from([card_code(a, 0) for a in range(5)]), max_size=9))
def test_strengths_are_the_weighted_features(out, board, cards):
    game = game_with(out, board, cards=cards)
    view = new_view(game.table, game.hands[0], True)
    logs = features(game.table, view)[:N_ARTISTS] @ np.array(WEIGHTS)
    assert len(WEIGHTS) == N_FEATURES
    assert np.log(view[STRENGTH, :N_ARTISTS]) == pytest.approx(np.maximum(logs - logs.max(), -16.0))


def test_rivals_hands_are_what_is_left_of_the_deck():
    cards = [card_code(4, 0), card_code(4, 1), card_code(0, 0)]
    game = game_with((0, 1, 0, 0, 0), cards=cards)
    game.table.cards_gone[1] = 2
    view = new_view(game.table, game.hands[0], True)
    unseen = [12 - 1, 13 - 2, 14, 15, 16 - 2]
    assert list(view[OWN, :N_ARTISTS]) == [1, 0, 0, 0, 2]
    assert list(view[RIVALS, :N_ARTISTS]) == pytest.approx([n * 15 / sum(unseen) for n in unseen])
    forgetful = new_view(game.table, game.hands[0], False)
    unseen[1] = 13 - 1
    assert list(forgetful[RIVALS, :N_ARTISTS]) == pytest.approx([n * 15 / sum(unseen) for n in unseen])


@pytest.mark.parametrize("artist", range(N_ARTISTS))
def test_another_card_of_an_artist_raises_what_he_is_expected_to_pay(artist):
    game = game_with((1, 2, 1, 2, 1), (30, 0, 20, 10, 0))
    view = new_view(game.table, game.hands[0], True)
    before = view[PAYS, artist]
    view[OUT, artist] += 1
    expect(game.table, view)
    assert view[PAYS, artist] > before


def test_expected_payouts_share_out_at_most_all_rank_values():
    game = game_with((4, 3, 2, 0, 0))
    view = new_view(game.table, game.hands[0], True)
    assert math.fsum(view[PAYS]) == pytest.approx(60, abs=1e-6)


def test_relative_collection_is_own_less_mean_of_rivals():
    stakes = [[1, 0, 0, 0, 2], [0, 3, 0, 0, 0], [0, 0, 0, 0, 1], [-1, 0, 0, 0, 0]]
    game = game_with((2, 1, 0, 0, 3), stakes=stakes)
    view = new_view(game.table, game.hands[0], True)
    pays = view[PAYS]
    rivals = (3 * pays[1] + pays[4] - pays[0]) / 3
    assert relative_collection(view) == pytest.approx(pays[0] + 2 * pays[4] - rivals)


@pytest.mark.parametrize("rank_values", [(30, 20, 10), (10, 20, 30, 40, 50), (30,)])
def test_forecast_with_loops_is_that_without_them(rank_values):
    table = games_of(load_edition("classic", {"rank_values": str(list(rank_values))}).rules(4), 1)[0].table
    table.values[:5] = 30, 0, 50, 10, 20
    rng = np.random.default_rng(5)
    view = np.zeros((forecast.N_ROWS, MOST_ARTISTS))
    view[forecast.OUT, :5] = rng.integers(0, 5, 5)
    view[forecast.RIVALS, :5] = 3.0 * rng.random(5)
    forecast.expect(table, view)
    total = view[forecast.STRENGTH].sum()
    looped = [forecast.payout_among(table, view, artist, 5, total) for artist in range(5)]
    assert looped == pytest.approx(list(view[forecast.PAYS, :5]))
    assert (view[forecast.PAYS, 5:] == 0).all()


def test_a_sixth_artist_without_cards_changes_the_forecast_little_and_ranks_by_chance():
    deck = dict(load_edition("classic").deck) | {"ZZ-O": 14}
    rules = load_edition("classic").rules(4).model_copy(update={"artists": (*load_edition("classic").artists, "ZZ")})
    table = games_of(rules.model_copy(update={"deck": deck}), 1)[0].table
    view = np.zeros((forecast.N_ROWS, MOST_ARTISTS))
    view[forecast.RIVALS, :6] = 3.0
    forecast.expect(table, view)
    # Six artists share 30 + 20 + 10; those further left win ties.
    assert view[forecast.PAYS, :6].sum() == pytest.approx(60.0)
    assert (np.diff(view[forecast.PAYS, :6]) < 0).all()
