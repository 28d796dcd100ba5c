"""The parts of `pimc_greedy`, each with numbers that can be worked out by hand.

Unless said otherwise seat 1 of four is asked, and two YO, one CP and one KR are out. Its random stream goes on with
`DRAWS`: .8833, .4315, .0264, .9709.
"""

import numpy as np
import pytest
from positions import CLASSIC, FLAT, position

from modernart.simulator.players import params_of
from modernart.simulator.rules import load_edition
from modernart.simulator.state import N_ARTISTS
from modernart.strategies.bidders import determinised
from modernart.strategies.forecast import OUT, OWN, PAYS, RIVALS, new_view
from modernart.strategies.specs import load_strategy

ENDS_UNRANKED = load_edition("classic", {"ending_cards_rank": "false"}).rules(4)


def asked(spec="pimc_greedy", own=(), rivals=(), pays=(), **case):
    """Return the table, the hand and a view with so many cards in hands, and payouts, by artist."""
    game = position("CARD", **case)
    table, hand = game.table, game.hands[game.table.seat]
    hand.params[:] = params_of([load_strategy(spec).player()], CLASSIC)[0]
    view = new_view(table, hand, True)
    for row, numbers in ((OWN, own), (RIVALS, rivals), (PAYS, pays)):
        view[row] = 0
        view[row, : len(numbers)] = numbers
    return table, hand, view


@pytest.mark.parametrize(
    ("case", "out", "n_cards", "expected"),
    [
        # Ten cards: one of LM, two of YO, three of CP, four of KR. 8.8 is a KR, 4.3 a CP, 0.26 LM, 9.7 a KR.
        ({}, (0, 2, 1, 0, 1), 4, (1, 2, 2, 0, 3)),
        ({}, (0, 2, 1, 0, 1), 1, (0, 2, 1, 0, 2)),
        # The second KR is the fifth: it ends the round before another card is drawn, here 1.06, a YO.
        ({}, (0, 2, 1, 0, 3), 5, (1, 2, 2, 0, 5)),
        # There it ends the round without counting.
        ({"rules": ENDS_UNRANKED}, (0, 2, 1, 0, 3), 5, (1, 2, 2, 0, 4)),
        # 4.315 is just short of the end of LM, or just past it.
        ({"own": (4.35, 0, 0, 0, 0), "rivals": (0, 0, 0, 0, 5.65)}, (0, 0, 0, 0, 0), 2, (1, 0, 0, 0, 1)),
        ({"own": (4.25, 0, 0, 0, 0), "rivals": (0, 0, 0, 0, 5.75)}, (0, 0, 0, 0, 0), 2, (0, 0, 0, 0, 2)),
    ],
)
def test_cards_are_put_up_by_what_hands_may_hold_until_one_ends_the_round(case, out, n_cards, expected):
    table, hand, view = asked(**({"own": (1, 0, 1, 0, 2), "rivals": (0, 2, 2, 0, 2), "out": out} | case))
    table.cards_in_hands = n_cards
    found = np.zeros(N_ARTISTS)
    determinised.sample_end(table, hand, view, found)
    assert list(found[:5]) == list(expected)


@pytest.mark.parametrize(
    ("risk", "case", "expected"),
    [
        # Every artist with a card pays 30. YO has one; LM gets one with .4315 and .0264, KR with .8833 and .9709.
        (0.2, {"rules": FLAT}, (12, 30, 0, 0, 12)),  # 30 or nothing: the mean is 15, the deviation 15
        (2, {"rules": FLAT}, (0, 30, 0, 0, 0)),  # no worth is below 0
        (0, {"rules": FLAT}, (15, 30, 0, 0, 15)),
        # YO leads, and LM or KR is second. With a card of its own LM would lead.
        (0, {"out": (0, 2, 0, 0, 0)}, (10, 30, 0, 0, 10)),
        # KR is never among the first three, so that its 40 on the board pay nothing.
        (0, {"out": (1, 3, 4, 0, 0), "board": (0, 0, 0, 0, 40)}, (10, 20, 30, 0, 0)),
    ],
)
def test_an_artist_is_worth_the_mean_of_what_it_pays_less_a_part_of_the_deviation(risk, case, expected):
    spec = f"pimc_greedy(samples=4, risk={risk})"
    table, hand, view = asked(spec, (1, 0, 0, 0, 0), (0, 0, 0, 0, 1), **({"out": (0, 1, 0, 0, 0)} | case))
    table.cards_in_hands = 1
    determinised.sample_values(table, hand, view)
    assert list(view[PAYS, :5]) == pytest.approx(expected)
    assert list(view[OUT, :5]) == list(table.cards_out[:5])


LIFTS = {"bought": {1: (0, 1, 0, 0, 1)}}


@pytest.mark.parametrize(
    ("cards", "gamma", "case", "promise"),
    [
        # A fixed price of .8 of 20; the buyer keeps 4, a third of which counts; the card is worth .3 of 20 in hand.
        ("YO-O", 1, {}, 16 - 4 / 3 - 6),
        ("YO-O", 3, {}, 16 - 4 - 6),
        # Two crowns of KR, at 10 each.
        ("KR-O*2", 1, {}, 16 - 4 / 3 - 3),
        # The buyer pays nothing.
        ("YO-B", 1, {}, 0 - 20 / 3 - 6),
        # Both cards of a double are paid.
        ("YO-D YO-O", 0, {}, 32 - 6),
        ("YO-D CP-O", 0, {}, 16 - 6),
        ("YO-O YO-R", 0, {}, 16 - 6),
        # Its YO and KR pay 30 + 10 now; one LM takes the third rank from KR, while two would be before YO.
        ("LM-O", 1, LIFTS, 30 + 16 - 4 / 3 - 6),
        # Nothing of its own changes, though one LM would take 10 from it.
        ("YO-O", 1, LIFTS, 40 + 16 - 4 / 3 - 6),
        # A fourth card is no end, a fifth is: nobody buys it, and rivals have three CP, which pay 20.
        ("YO-O", 1, {"out": (0, 3, 1, 0, 1)}, 16 - 4 / 3 - 6),
        ("YO-O", 1, {"out": (0, 4, 1, 0, 1), "bought": {1: (0, 1, 0, 0, 0), 2: (0, 0, 3, 0, 0)}}, 30 - 60 / 3 - 6),
    ],
)
def test_a_card_promises_its_sale_and_what_it_does_to_collections_less_its_worth_in_hand(cards, gamma, case, promise):
    table, hand, view = asked(f"pimc_greedy(gamma={gamma})", pays=(20, 20, 20, 20, 10), hand=cards, **case)
    assert determinised.one_ply(table, hand, view, 0) == pytest.approx(promise)
