"""Small pieces that several parts share, each with literal numbers: seats, shuffles, winners, the end of a round."""

from collections import Counter

import numpy as np
import pytest
from positions import position

from modernart.simulator.decisions import ends_round
from modernart.simulator.scoring import WIN_UNITS, richest
from modernart.simulator.setup import players_at_seats
from modernart.simulator.streams import shuffle


@pytest.mark.parametrize(
    ("game_number", "at_seat"),
    [(0, [7, 8, 9]), (1, [8, 9, 7]), (2, [9, 7, 8]), (3, [7, 8, 9]), (301, [8, 9, 7])],
)
def test_each_game_of_a_block_moves_everybody_one_seat_on(game_number, at_seat):
    assert players_at_seats([7, 8, 9], game_number) == at_seat


@pytest.mark.parametrize(
    ("money", "best", "n_richest"),
    [((10, 30, 20, 30), 30, 2), ((50, 1, 2, 3), 50, 1), ((4, 4, 4, 4), 4, 4), ((-5, -9, -7, -6), -5, 1)],
)
def test_the_richest_are_counted(money, best, n_richest):
    assert richest(position("OVER", money=money).table.money, 4) == (best, n_richest)


def test_win_units_are_divided_without_rest_among_up_to_eight_winners():
    assert WIN_UNITS == 840
    assert all(WIN_UNITS % n == 0 for n in range(1, 9))


@pytest.mark.parametrize(
    ("artist", "n_more", "ends"),
    [(1, 1, True), (1, 0, False), (2, 1, False), (2, 2, True), (0, 4, False), (0, 5, True)],
)
def test_a_round_ends_with_the_fifth_card(artist, n_more, ends):
    table = position("CARD", out=(0, 4, 3, 0, 0)).table
    assert ends_round(table, artist, n_more) == ends


def test_a_shuffle_keeps_all_items_and_draws_the_front_evenly():
    """Two of four items in front: twelve orders, each a twelfth of 6,000; the standard deviation of a count is 21."""
    counts = Counter()
    state = np.uint64(5)
    for _ in range(6000):
        items = np.arange(4)
        state = np.uint64(shuffle(items, 4, 2, state))
        assert sorted(items) == [0, 1, 2, 3]
        counts[tuple(int(item) for item in items[:2])] += 1
    assert len(counts) == 12
    assert all(abs(count - 500) < 100 for count in counts.values())


def test_a_shuffle_draws_as_the_published_stream_says():
    """SplitMix64 from 0 gives .8833, .4315, .0264 of 2**32: of 4 items the fourth, of 3 the second, of 2 the first."""
    items = np.array([10, 11, 12, 13])
    shuffle(items, 4, 4, np.uint64(0))
    assert list(items) == [13, 12, 11, 10]
