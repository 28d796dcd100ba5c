"""The choice of cards that simple bidders share, in positions whose numbers fit on a napkin.

Unless said otherwise two YO, one CP and one KR are out, so that YO pays 30, CP 20 and KR 10.
"""

import pytest
from positions import position

from modernart.simulator.decisions import DECLINE
from modernart.strategies.card_choice import choose_addition, choose_card, choose_flip, sale_gain_of_slot

OWNS_CP = {1: (0, 0, 1, 0, 0)}


def chosen(choose, phase, **case):
    game = position(phase, **case)
    return int(choose(game.table, game.hands[game.table.seat]))


@pytest.mark.parametrize(
    ("hand", "bought", "gain"),
    [
        ("YO-O", {}, 15),  # half of 30
        ("LM-O", {}, 10),  # one LM comes before one CP: half of 20
        ("KR-O", OWNS_CP, 0),  # half of 20, less the 10 that CP loses as third
        ("KR-D", OWNS_CP, 0),  # a double without a second is one card
        ("KR-D KR-O", OWNS_CP, 20),  # half of twice 30, less 10
        ("KG-D KG-O", {}, 20),  # two KG stand behind two YO: half of twice 20
    ],
)
def test_putting_up_a_card_promises_half_its_worth_and_the_lift_of_the_own_collection(hand, bought, gain):
    game = position("CARD", seat=1, auctioneer=1, hand=hand, bought=bought)
    assert sale_gain_of_slot(game.table, game.hands[1], 0) == gain


@pytest.mark.parametrize(
    ("case", "slot"),
    [
        ({"hand": "CP-O YO-O"}, 1),
        ({"hand": "YO-O YO-R"}, 0),  # alike: the first
        # A fourth YO does not end the round, so what two YO of seat 2 would pay does not count yet.
        ({"hand": "CP-O YO-O", "out": (0, 3, 1, 0, 1), "bought": {2: (0, 2, 0, 0, 0)}}, 1),
        # The fifth does.
        ({"hand": "CP-O YO-O", "out": (0, 4, 1, 0, 1), "bought": {2: (0, 2, 0, 0, 0)}}, 0),
    ],
)
def test_the_card_that_promises_most_is_chosen(case, slot):
    assert chosen(choose_card, "CARD", seat=1, auctioneer=1, **case) == slot


ONE_CP_EACH = {seat: (0, 0, 1, 0, 0) for seat in (0, 2, 3)}


@pytest.mark.parametrize(
    ("case", "answer"),
    [
        ({"hand": "KR-O"}, DECLINE),  # does not fit
        ({"hand": "KR-O YO-O"}, 1),
        ({"hand": "YO-O YO-R*2 YO-S*2"}, 1),  # most crowns; of equals the first
        ({"hand": "YO-O", "out": (0, 4, 1, 0, 1)}, DECLINE),  # ending pays nobody
        # Ending pays the own YO 1 + 30 and every rival's CP 10 + 20: 1 more.
        (
            {
                "hand": "YO-O",
                "out": (0, 4, 3, 0, 1),
                "board": (0, 1, 10, 0, 0),
                "bought": ONE_CP_EACH | {1: (0, 1, 0, 0, 0)},
            },
            0,
        ),
        # And as much: not worth it.
        (
            {
                "hand": "YO-O",
                "out": (0, 4, 3, 0, 1),
                "board": (0, 0, 10, 0, 0),
                "bought": ONE_CP_EACH | {1: (0, 1, 0, 0, 0)},
            },
            DECLINE,
        ),
    ],
)
def test_a_card_is_added_unless_that_ends_the_round_for_nothing(case, answer):
    assert chosen(choose_addition, "JOIN", seat=1, lot="YO-D", **case) == answer


@pytest.mark.parametrize(
    ("case", "answer"),
    [
        # Nothing of their own, though a card of LM would take seat 2's KR off the third rank.
        ({"bought": {2: (0, 0, 0, 0, 1)}}, 0),
        # LM would come second and pay 20.
        ({"bought": {1: (1, 0, 0, 0, 0)}}, 1),
        # KG would come third and pay 10, but there are more YO, which pay 30 as it is.
        ({"bought": {1: (0, 3, 0, 1, 0)}}, 0),
        # There are more KG.
        ({"bought": {1: (0, 1, 0, 2, 0)}}, 1),
        # As many: the one further left decides.
        ({"bought": {1: (0, 1, 0, 1, 0)}}, 0),
        # LM is first as it is, and KG, of which there are fewer, would come third.
        ({"bought": {1: (2, 0, 0, 1, 0)}, "out": (3, 2, 0, 0, 1)}, 0),
        # KG needs two cards to come third, and one is turned up.
        ({"bought": {1: (0, 0, 0, 1, 0)}, "out": (3, 3, 2, 1, 0)}, 0),
        # KG would pay 1 + 10, and KR 10 no more: 1 gained.
        ({"bought": {1: (0, 0, 0, 1, 1)}, "board": (0, 0, 0, 1, 0)}, 1),
    ],
)
def test_a_card_is_turned_up_if_one_more_of_the_artist_they_own_most_of_would_gain(case, answer):
    assert chosen(choose_flip, "FLIP", seat=1, auctioneer=1, **case) == answer
