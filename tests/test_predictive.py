"""The parts of `predictive`, each with numbers that can be worked out by hand.

Unless said otherwise seat 1 of four is asked, seat 0 sells, all have 100, and YO has 1 on the board: in `FLAT` one of
its paintings is sure to pay 31. It thinks that open lots fetch 0.9 and sealed ones 1.0 of their worth.
"""

import math

import pytest
from positions import CLASSIC, FLAT, position

from modernart.simulator.cards import AuctionKind
from modernart.simulator.decisions import DECLINE, STAY_OUT, Form
from modernart.simulator.players import params_of
from modernart.simulator.rules import load_edition
from modernart.strategies.bidders import predictive
from modernart.strategies.bidders.predictive import (
    AT_ONCE,
    FIXED_PRICES,
    IF_IT_GAINS,
    KNOWS,
    LOT_KIND,
    LOT_MONEY,
    LOT_ROUND,
    LOT_SELLER,
    LOT_UP,
    LOT_WORTH,
    NEVER,
    OPEN_PRICES,
    SEALED_PRICES,
    WITH_THREE,
)
from modernart.strategies.forecast import (
    INTEREST,
    PAYS,
    RIVALS,
    compare_stakes,
    expect,
    new_view,
    relative_collection,
)
from modernart.strategies.specs import load_strategy

YO, CP = 1, 2
LEVELS = {KNOWS: 1, OPEN_PRICES: 0.9, SEALED_PRICES: 1.0, FIXED_PRICES: 0.9}
TWO_YO = {1: (0, 2, 0, 0, 0)}
SPLIT = load_edition("classic", {"rank_values": [30] * 5, "double_revenue": "split_odd_joiner"}).rules(4)
HIDDEN = load_edition("classic", {"rank_values": [30] * 5, "rivals_money": "hidden"}).rules(4)
SAME_KIND = load_edition("classic", {"rank_values": [30] * 5, "pairing": "same_kind"}).rules(4)
LAST_ROUND = 3


def asked(phase="CARD", spec="predictive", notes=None, **case):
    """Return the table and the hand of the seat that is asked, which plays by a spec's parameters."""
    case = {"rules": FLAT, "board": (0, 1, 0, 0, 0)} | case
    game = position(phase, notes=LEVELS | (notes or {}), **case)
    hand = game.hands[game.table.seat]
    hand.params[:] = params_of([load_strategy(spec).player()], CLASSIC)[0]
    return game.table, hand


def seen(table, hand, rivals_hold=None):
    """Return what the hand sees, with so many cards of each artist in the rivals' hands."""
    view = new_view(table, hand, True)
    if rivals_hold is not None:
        view[RIVALS, :] = 0
        view[RIVALS, : len(rivals_hold)] = rivals_hold
    return view


def test_its_parameters_and_what_they_may_be():
    found = {name: (one.default, one.low, one.high) for name, one in load_strategy("predictive").params.items()}
    assert found == {
        "open": (0.95, 0.3, 1.3),
        "sealed": (0.5, 0, 3),
        "once": (1, 0.3, 1.3),
        "accept": (1, 0.3, 1.3),
        "reserve": (0.87, 0, 1.3),
        "ask": (1, 0.3, 1.3),
        "margin": (-0.07, -0.2, 0.5),
        "learn": (0.12, 0, 1),
        "level": (0.9, 0.2, 1.2),
        "sealed_level": (1, 0.1, 1.2),
        "lift": (1, 0, 3),
        "end": (14, -30, 30),
        "end_hand": (0.18, -5, 15),
        "keep": (0.39, -0.5, 1),
        "lone": (0.83, 0, 2),
        "last_word": (0.5, 0, 1.2),
    }


def lot(kind, worth=40.0, money=80, seller=0, up=4, of_round=0):
    """Notes on the last lot: its seller had `money` before and has 100 now."""
    return {
        LOT_SELLER: seller,
        LOT_MONEY: money,
        LOT_WORTH: worth,
        LOT_KIND: kind,
        LOT_UP: up,
        LOT_ROUND: of_round,
    }


OPEN, ONCE, SEALED, FIXED = AuctionKind.OPEN, AuctionKind.ONCE_AROUND, AuctionKind.SEALED, AuctionKind.FIXED_PRICE


@pytest.mark.parametrize(
    ("notes", "levels"),
    [
        # Open lots, sealed lots, fixed prices. It moves by .12 of the way to the price, here half of the worth.
        (lot(OPEN), (0.852, 1.0, 0.9)),
        (lot(ONCE), (0.852, 1.0, 0.9)),
        (lot(SEALED), (0.9, 0.94, 0.9)),
        (lot(FIXED), (0.852, 1.0, 0.852)),
        # 20 is far more than a worth of 10: 1.5 counts.
        (lot(OPEN, worth=10), (0.972, 1.0, 0.9)),
        (lot(OPEN, worth=0.1), (0.972, 1.0, 0.9)),
        # All that it was worth: no more than usual.
        (lot(FIXED, money=60), (0.912, 1.0, 0.912)),
        # Twice as much: half of the way for fixed prices, and 1.5 counts for open lots.
        (lot(FIXED, money=20), (0.972, 1.0, 1.45)),
        # Ten times as much: 6 counts.
        (lot(FIXED, worth=10, money=0), (0.972, 1.0, 3.45)),
        # Nobody paid. It was its own lot at a fixed price, and it took it for nothing or for money.
        (lot(OPEN, money=100), (0.9, 1.0, 0.9)),
        (lot(SEALED, money=120), (0.9, 1.0, 0.9)),
        (lot(FIXED, money=100), (0.9, 1.0, 0.9)),
        (lot(FIXED, money=100, seller=1), (0.9, 1.0, 0.54)),
        (lot(FIXED, money=120, seller=1), (0.9, 1.0, 0.54)),
        # Another lot came between; it was in another round; there was none.
        (lot(OPEN, up=3), (0.9, 1.0, 0.9)),
        (lot(OPEN, of_round=1), (0.9, 1.0, 0.9)),
        (lot(OPEN, up=9, of_round=1), (0.9, 1.0, 0.9)),
        (lot(OPEN, worth=0), (0.9, 1.0, 0.9)),
    ],
)
def test_prices_are_learned_from_what_the_last_seller_gained(notes, levels):
    table, hand = asked(notes=notes)
    predictive.learn_prices(table, hand)
    assert (hand.notes[OPEN_PRICES], hand.notes[SEALED_PRICES], hand.notes[FIXED_PRICES]) == pytest.approx(levels)
    assert hand.notes[LOT_WORTH] == 0


@pytest.mark.parametrize(("buyer", "level"), [(2, 0.852), (0, 0.9)])
def test_where_money_is_hidden_prices_are_learned_from_what_all_heard(buyer, level):
    # Seat 0 sold a lot worth 40 for 20, or bought it itself; what money it has is not told.
    table, hand = asked(rules=HIDDEN, notes=lot(OPEN, money=7))
    table.last_price, table.last_buyer = 20, buyer
    predictive.learn_prices(table, hand)
    assert hand.notes[OPEN_PRICES] == pytest.approx(level)


@pytest.mark.parametrize(
    ("phase", "cards", "out", "level", "worth"),
    [
        ("LIMIT", "YO-D YO-O", (0, 4, 1, 0, 1), 0.852, 0),  # four cards were up before these two
        ("LIMIT", "YO-O", (0, 2, 1, 0, 1), 0.9, 40),  # the very lot that it noted
        ("FLIP", "YO-O", (0, 2, 1, 0, 1), 0.852, 0),  # that lot is sold
    ],
)
def test_a_price_is_learned_once_the_lot_is_sold(phase, cards, out, level, worth):
    table, hand = asked(phase, lot=cards, out=out, notes=lot(OPEN))
    predictive.learn_prices(table, hand)
    assert (hand.notes[OPEN_PRICES], hand.notes[LOT_WORTH]) == (pytest.approx(level), worth)


def test_a_game_starts_with_the_levels_of_the_parameters_and_nothing_to_learn_from():
    table, hand = asked(spec="predictive(level=0.7, sealed_level=0.6)", notes=lot(OPEN) | {KNOWS: 0})
    predictive.learn_prices(table, hand)
    assert (hand.notes[OPEN_PRICES], hand.notes[SEALED_PRICES], hand.notes[FIXED_PRICES]) == (0.7, 0.6, 0.7)
    assert (hand.notes[KNOWS], hand.notes[LOT_WORTH]) == (1, 0)


@pytest.mark.parametrize(
    ("rules", "form", "is_noted"),
    [(FLAT, Form.PAIRED, True), (FLAT, Form.JOINED, True), (SPLIT, Form.PAIRED, True), (SPLIT, Form.JOINED, False)],
)
def test_a_lot_is_noted_unless_two_share_its_price(rules, form, is_noted):
    table, hand = asked("SEALED", rules=rules, auctioneer=2, lot="YO-D YO-S", round_index=2, money=(1, 2, 70, 4))
    table.form = form
    predictive.note_lot(table, hand, 62.0)
    assert list(hand.notes[: LOT_ROUND + 1]) == ([2, 70, 62, SEALED, 4, 2] if is_noted else [0] * 6)


def test_share_of_its_worth_that_a_lot_is_thought_to_fetch():
    prices = {OPEN_PRICES: 0.5, SEALED_PRICES: 0.3, FIXED_PRICES: 0.8}
    hand = asked(spec="predictive(ask=0.6)", notes=prices)[1]
    assert [predictive.price_share(hand, kind) for kind in (OPEN, ONCE, SEALED, FIXED)] == pytest.approx(
        [0.5, 0.5, 0.3, 0.3]
    )


@pytest.mark.parametrize(("money", "most"), [((70, 500, 90, 60), 90), ((0, 100, 0, 0), 0), ((-5, 9, -7, -1), 0)])
def test_no_price_is_above_the_money_of_the_richest_rival(money, most):
    assert predictive.funds_of_rivals(*asked(money=money)) == most


@pytest.mark.parametrize(
    ("kind", "worth", "funds", "gain"),
    [
        (OPEN, 40, 100, 20 - 20 / 3),  # half of it, and the buyer gains the other half
        (OPEN, 40, 10, 0),  # 10, and the buyer gains 30, a third of that for each rival
        (SEALED, 40, 100, 10 - 30 / 3),
        (AuctionKind.BLACK_FRAMED, 30, 100, 10),
        (AuctionKind.DOUBLE, 30, 100, 30 * math.exp(-0.83) - 10 * (1 - math.exp(-0.83))),
    ],
)
def test_gain_of_a_sale_is_the_price_less_what_the_buyer_gains_on_the_rivals_mean(kind, worth, funds, gain):
    table, hand = asked(notes={OPEN_PRICES: 0.5, SEALED_PRICES: 0.25})
    view = seen(table, hand, (0, 1, 0, 0, 0))
    assert predictive.lot_gain(table, hand, view, YO, kind, worth, funds) == pytest.approx(gain)


def test_a_double_that_nobody_can_join_is_kept():
    table, hand = asked()
    assert predictive.lone_gain(table, hand, seen(table, hand, (9, 0, 9, 9, 9)), YO, 30.0) == 30
    table, hand = asked(out=(0, 4, 1, 0, 1))  # whoever joined would end the round
    assert predictive.lone_gain(table, hand, seen(table, hand, (0, 9, 0, 0, 0)), YO, 30.0) == 30
    table, hand = asked(out=(0, 3, 1, 0, 1))  # surely joined: the joiner gains 30
    assert predictive.lone_gain(table, hand, seen(table, hand, (0, 9, 0, 0, 0)), YO, 30.0) == pytest.approx(
        -10, abs=0.03
    )


@pytest.mark.parametrize(
    ("readiness", "paintings", "n_more", "round_index", "gain"),
    [
        # Two YO pay 62. It holds 2 cards and rivals 5 on average: 4 or 5 fewer once it has put up one or two.
        (IF_IT_GAINS, 2, 1, 0, 62 - 14 + 4 * 3 / 4),
        (IF_IT_GAINS, 2, 2, 0, 62 - 14 + 5 * 3 / 4),
        (IF_IT_GAINS, 2, 1, 2, 62 - 14 + 4 * 3 / 2),
        (IF_IT_GAINS, 2, 1, LAST_ROUND, 62 - 14 + 4 * 3),
        (WITH_THREE, 3, 1, 0, 93 - 14 + 4 * 3 / 4),
    ],
)
def test_gain_of_ending_a_round(readiness, paintings, n_more, round_index, gain):
    bought = {1: (0, paintings, 0, 0, 0)}
    table, hand = asked(
        spec="predictive(end_hand=3)",
        rules=CLASSIC,
        out=(0, 4, 1, 0, 1),
        hand="YO-D YO-O",
        bought=bought,
        round_index=round_index,
    )
    view = seen(table, hand)
    assert predictive.ending_gain(table, hand, view, YO, n_more, readiness) == pytest.approx(gain)


def test_readiness_outweighs_what_ending_gains():
    table, hand = asked(out=(0, 4, 1, 0, 1), hand="YO-D YO-O", bought=TWO_YO)
    view = seen(table, hand)
    gains = [predictive.ending_gain(table, hand, view, YO, 1, one) for one in (AT_ONCE, NEVER, WITH_THREE)]
    assert gains[0] > 1e5
    assert max(gains[1:]) < -1e5


@pytest.mark.parametrize(("board", "round_index", "cost"), [(0, 0, 3.9), (20, 0, 11.7), (20, 2, 11.7), (20, 3, 0)])
def test_a_card_kept_for_later_is_worth_a_share_of_10_and_its_board_value(board, round_index, cost):
    table, hand = asked(board=(0, board, 0, 0, 0), round_index=round_index)
    assert predictive.card_cost(table, hand, YO) == pytest.approx(cost)


@pytest.mark.parametrize(
    ("spec", "case", "n_more", "readiness", "gain"),
    [
        # Its two YO pay 62; each card given up costs .39 x 11 = 4.29 before the last round.
        ("predictive", {"round_index": LAST_ROUND}, 1, IF_IT_GAINS, 62),
        ("predictive", {}, 1, IF_IT_GAINS, 62 - 4.29),
        ("predictive", {}, 2, IF_IT_GAINS, 62 - 8.58),
        ("predictive(lift=0.5)", {}, 1, IF_IT_GAINS, 31 - 4.29),
        ("predictive", {}, 1, AT_ONCE, 62 - 4.29 + 300),
        ("predictive", {}, 2, AT_ONCE, 62 - 8.58 + 400),
        # Ending must gain 14 more; no cards in hand against five.
        ("predictive", {"out": (0, 4, 1, 0, 1)}, 1, IF_IT_GAINS, 62 - 4.29 - 14 + 0.18 * 6 / 4),
        ("predictive", {"out": (0, 3, 1, 0, 1)}, 2, IF_IT_GAINS, 62 - 8.58 - 14 + 0.18 * 7 / 4),
        ("predictive", {"out": (0, 3, 1, 0, 1)}, 1, IF_IT_GAINS, 62 - 4.29),
    ],
)
def test_gain_of_putting_up_cards_before_anybody_pays(spec, case, n_more, readiness, gain):
    table, hand = asked(spec=spec, bought=TWO_YO, **case)
    view = seen(table, hand)
    assert predictive.gain_before_sale(table, hand, view, YO, n_more, readiness) == pytest.approx(gain)


@pytest.mark.parametrize(
    ("cards", "shares", "skip", "slot"),
    [
        ("YO-S YO-O KR-O YO-D YO-R", (0.9, 1.0), -1, 0),  # sealed lots fetch more
        ("YO-S YO-O KR-O YO-D YO-R", (0.9, 1.0), 0, 1),  # of equals the first
        ("KR-S YO-D", (0.9, 1.0), -1, DECLINE),
        ("YO-S YO-O*2", (0.45, 1.0), -1, 0),  # 1.0 against 2 x 0.45
        ("YO-S YO-O*2", (0.55, 1.0), -1, 1),
        ("YO-O YO-O*2 YO-O", (0.0, 0.0), -1, 1),  # where nobody pays: most crowns
    ],
)
def test_the_card_that_fetches_most_is_added_to_a_double(cards, shares, skip, slot):
    notes = {OPEN_PRICES: shares[0], SEALED_PRICES: shares[1]}
    table, hand = asked("PAIR", lot="YO-D", hand=cards, notes=notes)
    assert predictive.best_second(table, hand, YO, skip) == slot


HALF_FOR_SEALED = {OPEN_PRICES: 0.1, SEALED_PRICES: 0.5}


@pytest.mark.parametrize(
    ("cards", "case", "gain"),
    [
        ("YO-D YO-S", {}, 31 - 31 / 3),  # half of 62
        ("YO-D*2 YO-S*3", {}, 77.5 - 77.5 / 3),  # half of 155
        ("YO-D*2 YO-S*3", {"money": 50}, 50 - 105 / 3),  # that is all that the rivals have
        ("YO-D YO-S", {"out": (0, 3, 1, 0, 1)}, -14 + 0.18 * 5),  # nobody pays for cards that end the round
    ],
)
def test_gain_of_a_double_with_a_second_card(cards, case, gain):
    table, hand = asked(hand=cards, notes=HALF_FOR_SEALED, round_index=LAST_ROUND, **case)
    funds = predictive.funds_of_rivals(table, hand)
    found = predictive.pair_gain(table, hand, seen(table, hand), 0, 1, funds, IF_IT_GAINS)
    assert found == pytest.approx(gain)


@pytest.mark.parametrize(
    ("cards", "rivals_yo", "case", "gain"),
    [
        ("YO-S*2", 0, {}, 5 + 31 - 31 / 3),  # half of 2 x 31
        ("YO-S", 0, {"out": (0, 4, 1, 0, 1)}, 5),
        ("YO-S", 0, {"out": (0, 3, 1, 0, 1)}, 5 + 31 / 2 - 31 / 6),  # a fourth is sold
        ("YO-D", 0, {}, 5 + 31),  # kept free
        ("YO-D KR-S", 9, {}, 5 - 31 / 3),  # surely joined: the rival gains 31
        ("YO-D YO-S", 9, {}, 31 - 31 / 3),  # half of 62 for both
        ("YO-D YO-S", 0, {}, 5 + 31),  # more if kept alone
        ("YO-S YO-S", 0, {}, 5 + 31 / 2 - 31 / 6),
        ("YO-S YO-S", 0, {"rules": SAME_KIND}, 31 - 31 / 3),
        ("YO-S YO-O", 0, {"rules": SAME_KIND}, 5 + 31 / 2 - 31 / 6),
        ("YO-B YO-B", 0, {"rules": SAME_KIND}, 5 + 31 / 3),  # not paired
    ],
)
def test_gain_of_a_card_is_that_of_the_better_way_to_sell_it(cards, rivals_yo, case, gain):
    table, hand = asked(hand=cards, notes=HALF_FOR_SEALED, round_index=LAST_ROUND, **case)
    view = seen(table, hand, (0, rivals_yo, 0, 0, 0))
    found = predictive.card_gain(table, hand, view, 0, 5.0, 31.0, 100, IF_IT_GAINS)
    assert found == pytest.approx(gain, abs=0.03)


@pytest.mark.parametrize(("slot", "twin"), [(0, 4), (4, 0), (1, DECLINE), (2, DECLINE), (3, DECLINE)])
def test_a_twin_has_the_same_artist_and_kind(slot, twin):
    hand = asked(hand="YO-O KR-O YO-S KR-S YO-O")[1]
    assert predictive.twin_of(hand, slot) == twin


def test_of_cards_that_sell_alike_that_of_the_own_artist_is_put_up():
    case = {"hand": "LM-O YO-O", "board": (0,) * 5, "out": (1, 1, 3, 0, 3), "rivals_hold": 0}
    table, hand = asked(rules=CLASSIC, bought={1: (0, 9, 0, 0, 0)}, money=0, round_index=LAST_ROUND, **case)
    view = seen(table, hand)
    view[INTEREST] = 0  # filled in by what answers
    assert predictive.card_by_gain(table, hand, view, IF_IT_GAINS) == 1


def test_of_cards_that_gain_alike_the_first_is_put_up():
    table, hand = asked(hand="YO-O YO-R YO-O")
    assert predictive.card_by_gain(table, hand, seen(table, hand), IF_IT_GAINS) == 0


def adds(phase, spec="predictive", rivals_yo=0, share=0.9, **case):
    """Tell whether YO-O is added to the double YO-D, which a rival seldom holds and which fetches a share with it."""
    case = {"lot": "YO-D", "hand": "KR-O YO-O", "round_index": LAST_ROUND} | case
    table, hand = asked(phase, spec, {OPEN_PRICES: share}, **case)
    view = seen(table, hand, (0, rivals_yo, 0, 0, 0))
    view[INTEREST] = 0  # filled in by what answers
    answer = predictive.addition_by_gain(table, hand, view, IF_IT_GAINS)
    assert answer in (DECLINE, 1)
    return answer == 1


@pytest.mark.parametrize(
    ("phase", "spec", "case", "level"),
    [
        # A share p of 62 is p x 62 and leaves the buyer (1 - p) x 62, a third of which counts: 62 (4 p - 1) / 3.
        # The double alone would be kept and pay 31.
        ("PAIR", "predictive", {}, 0.625),
        ("PAIR", "predictive", {"rules": SPLIT}, 0.625),
        # What its own two YO pay does not change.
        ("PAIR", "predictive", {"bought": TWO_YO}, 0.625),
        ("PAIR", "predictive(lift=0)", {"bought": TWO_YO}, 0.625),
        # The card could be kept for .39 x 11 = 4.29.
        ("PAIR", "predictive", {"round_index": 0}, 0.625 + 4.29 * 3 / 248),
        # With a card of two crowns 93 (4 p - 1) / 3.
        ("PAIR", "predictive", {"hand": "KR-O YO-O*2"}, 0.5),
        # One card of its kind alone would fetch 31 (4 p - 1) / 3.
        ("PAIR", "predictive", {"rules": SAME_KIND, "lot": "YO-O"}, 0.25),
        # Alone it would be another's, who gains 31.
        ("JOIN", "predictive", {}, 0.125),
        ("JOIN", "predictive", {"out": (0, 3, 1, 0, 1)}, 0.125),
        ("JOIN", "predictive", {"bought": TWO_YO}, 0.125),
        ("JOIN", "predictive(lift=0)", {"bought": TWO_YO}, 0.125),
        # Half of the price is the first seller's, a rival: p x 31 - p x 31 / 3 - (1 - p) x 62 / 3.
        ("JOIN", "predictive", {"rules": SPLIT}, 0.25),
    ],
)
def test_a_second_card_is_added_where_both_fetch_enough(phase, spec, case, level):
    assert not adds(phase, spec, share=level - 0.004, **case)
    assert adds(phase, spec, share=level + 0.004, **case)


def test_a_second_card_is_reckoned_as_out_and_no_longer_in_hand():
    # Alone the double would be kept for what it pays now; with a second card both fetch a share p of what YO pays
    # then, 2 x (4 p - 1) / 3 of it. More YO out make it dearer: 25.3 for 22.4.
    case = {"rules": CLASSIC, "board": (0,) * 5, "lot": "YO-D", "round_index": LAST_ROUND}
    before, after = {"hand": "KR-O YO-O"}, {"hand": "KR-O", "out": (0, 3, 1, 0, 1)}
    pays = []
    for one in (before, after):
        table, hand = asked("PAIR", **case, **one)
        table.cards_in_hands = 17
        view = seen(table, hand, (0,) * 5)
        expect(table, view)
        pays.append(view[PAYS, YO])
    assert pays == pytest.approx([22.37, 25.28], abs=0.01)
    level = (1.5 * pays[0] / pays[1] + 1) / 4
    assert not adds("PAIR", share=level - 0.002, **case)
    assert adds("PAIR", share=level + 0.002, **case)


def test_a_second_card_is_not_added_where_the_rivals_have_little_money():
    # 34 and a rival's profit of 28: 24.7; 40 and 22: 32.7.
    assert not adds("PAIR", money=34)
    assert adds("PAIR", money=40)


def test_a_second_card_is_not_added_for_nothing():
    rules = load_edition("classic", {"rank_values": [0] * 5}).rules(4)
    assert not adds("JOIN", rules=rules, board=(0, 0, 0, 0, 0))


def test_a_second_card_that_ends_the_round_is_added_where_that_gains():
    # Its two YO pay 62 either way; declined, another keeps 31: 10.33. Given up are .39 x 11 = 4.29 and 14; it has one
    # card fewer than rivals after this: 4, at 1 / 4 each.
    case = {"out": (0, 4, 1, 0, 1), "bought": TWO_YO, "round_index": 0}
    gain = 31 / 3 - 4.29 + 4 / 4
    assert adds("JOIN", f"predictive(end_hand=1, end={gain - 0.05})", **case)
    assert not adds("JOIN", f"predictive(end_hand=1, end={gain + 0.05})", **case)
    # One that is blind to what its YO are expected to pay takes the 62 of the end for a gain.
    assert adds("JOIN", f"predictive(lift=0, end_hand=1, end={gain + 20})", **case)


@pytest.mark.parametrize(
    ("end", "rivals_hold", "answer"),
    [
        # All YO: the end of the round, which pays what is expected anyway, and must gain so much.
        (-1, (0, 3, 0, 0, 0), 1),
        (-0.1, (0, 3, 0, 0, 0), 1),
        (-1, (0, 0.1, 0, 0, 0), 1),
        (0, (0, 3, 0, 0, 0), 0),
        (1, (0, 3, 0, 0, 0), 0),
        # No YO: no end, and nothing changes; no card at all.
        (-1, (0, 0, 3, 0, 0), 0),
        (-1, (0, 0, 0, 0, 0), 0),
    ],
)
def test_a_card_that_may_end_the_round_is_turned_up_where_that_gains(end, rivals_hold, answer):
    spec = f"predictive(end_hand=0, end={end})"
    table, hand = asked("FLIP", spec, out=(0, 4, 1, 0, 1))
    assert predictive.flip_by_gain(table, hand, seen(table, hand, rivals_hold), IF_IT_GAINS) == answer


def test_a_fourth_card_that_may_be_turned_up_is_no_end():
    # Ending would gain 1, but a fourth YO changes nothing.
    table, hand = asked("FLIP", "predictive(end_hand=0, end=-1)", out=(0, 3, 1, 0, 1))
    assert predictive.flip_by_gain(table, hand, seen(table, hand, (0, 3, 0, 0, 0)), IF_IT_GAINS) == 0


@pytest.mark.parametrize(("end", "answer"), [(4.5, 1), (6.5, 0)])
def test_a_card_that_is_turned_up_ends_the_round_with_few_cards_in_hand(end, answer):
    # It holds none and rivals five on average, at 1 each: ending may cost so much, and no more.
    table, hand = asked("FLIP", f"predictive(end_hand=1, end={end})", out=(0, 4, 1, 0, 1), round_index=LAST_ROUND)
    assert predictive.flip_by_gain(table, hand, seen(table, hand, (0, 3, 0, 0, 0)), IF_IT_GAINS) == answer


@pytest.mark.parametrize(("rivals_kr", "answer"), [(2, 0), (3, 0), (4, 1), (4.5, 1)])
def test_a_card_that_is_turned_up_leaves_the_own_hand_as_it_is(rivals_kr, answer):
    # A YO is bad for its own KR, a KR is good; it holds another KR, which is still to come.
    rivals_hold = (0, 6, 0, 0, rivals_kr)
    case = {"rules": CLASSIC, "board": (0,) * 5, "hand": "KR-O", "bought": {1: (0, 0, 0, 0, 1)}}
    worths = []
    for out in ((0, 2, 1, 0, 1), (0, 3, 1, 0, 1), (0, 2, 1, 0, 2)):
        table, hand = asked("FLIP", out=out, **case)
        view = seen(table, hand, rivals_hold)
        compare_stakes(table, hand, view)
        expect(table, view)
        worths.append(relative_collection(view))
    now, with_yo, with_kr = worths
    gain = 6 * (with_yo - now) + rivals_kr * (with_kr - now)
    table, hand = asked("FLIP", **case)
    found = predictive.flip_by_gain(table, hand, seen(table, hand, rivals_hold), IF_IT_GAINS)
    assert (found, gain > 0) == (answer, answer == 1)


@pytest.mark.parametrize(("rivals_hold", "answer"), [((0, 0, 0, 0, 3), 1), ((0, 3, 0, 0, 0), 0), ((0, 0, 0, 0, 0), 0)])
def test_a_card_is_turned_up_where_it_may_lift_the_own_artist(rivals_hold, answer):
    table, hand = asked("FLIP", rules=CLASSIC, board=(0,) * 5, bought={1: (0, 0, 0, 0, 1)})
    view = seen(table, hand, rivals_hold)
    view[INTEREST] = 0  # filled in by what answers
    assert predictive.flip_by_gain(table, hand, view, IF_IT_GAINS) == answer


@pytest.mark.parametrize("rivals_hold", [(0, 3, 1, 0, 0), (0, 1, 3, 0, 0), (0, 3, 2, 0, 0), (0, 2, 3, 0, 0)])
def test_a_card_is_turned_up_by_the_chances_of_both_endings(rivals_hold):
    # Ending with YO pays its own YO 30, ending with CP 20.
    case = {"out": (0, 4, 4, 0, 0), "board": (0,) * 5, "bought": {1: (0, 1, 0, 0, 0)}}
    table, hand = asked("FLIP", "predictive(end_hand=0, end=0)", rules=CLASSIC, **case)
    view = seen(table, hand, rivals_hold)
    compare_stakes(table, hand, view)
    expect(table, view)
    now = relative_collection(view)
    gain = rivals_hold[YO] * (30 - now) + rivals_hold[CP] * (20 - now)
    assert predictive.flip_by_gain(table, hand, view, IF_IT_GAINS) == (gain > 0)


@pytest.mark.parametrize(
    ("seat", "worth", "money", "answer"),
    [(1, 31.0, 100, 10), (1, 31.0, 5, 5), (1, -9.0, 100, 0), (0, 31.0, 100, STAY_OUT)],
)
def test_a_third_of_the_fine_is_tendered(seat, worth, money, answer):
    table, hand = asked("TENDER", seat=seat, lot="YO-B", money=money)
    assert predictive.choose_tender(table, hand, worth) == answer


# The auctioneer, behind whom nobody speaks, has the number of all others: `learned` tells them apart by it.
@pytest.mark.parametrize(("seat", "behind"), [(3, 2), (0, 1), (1, 0), (2, 3)])
def test_how_many_speak_behind_before_the_auctioneer(seat, behind):
    assert predictive.speakers_behind(asked("BID", seat=seat, auctioneer=2)[0]) == behind


HALF = {OPEN_PRICES: 0.5, SEALED_PRICES: 0.5, FIXED_PRICES: 0.5}


@pytest.mark.parametrize(
    ("phase", "seat", "case", "answer"),
    [
        # Worth 31, and others pay half.
        ("PRICE", 0, {}, 15),
        ("PRICE", 0, {"notes": HALF | {FIXED_PRICES: 1.2}}, 15),
        ("PRICE", 0, {"notes": HALF | {FIXED_PRICES: 1.25}}, 58),  # half as much again as was paid: 1.875 x 31
        ("PRICE", 0, {"notes": HALF | {FIXED_PRICES: 1.25}, "money": (100, 40, 50, 40)}, 50),
        ("PRICE", 0, {"spec": "predictive(ask=1.2)"}, 18),
        ("ACCEPT", 1, {"high": 31}, 1),
        ("ACCEPT", 1, {"high": 32}, 0),
        ("ACCEPT", 1, {"spec": "predictive(accept=0.5)", "high": 16}, 0),
        ("LIMIT", 0, {}, 17),  # keeping it pays up to 31 x 4 / 7
        ("LIMIT", 0, {"notes": HALF | {OPEN_PRICES: 1.0}}, 26),  # .87 x 31: others drive it up
        ("LIMIT", 1, {}, 29),
        ("SEALED", 0, {}, 0),
        ("SEALED", 1, {}, 14),  # 15.5 - .07 x 31 + 1 = 14.33
        ("SEALED", 1, {"notes": HALF | {SEALED_PRICES: 1.0}}, 27),  # 7 / 8 of 31
        ("RAISE", 0, {"high": 16}, 17),
        ("RAISE", 0, {"high": 17}, 0),
        ("RAISE", 0, {"high": 25, "notes": HALF | {OPEN_PRICES: 1.0}}, 26),
        ("RAISE", 1, {"high": 28}, 29),
        ("RAISE", 1, {"high": 29}, 0),
        ("BID", 0, {"high": 16}, 17),
        ("BID", 0, {"high": 17}, 0),
        ("BID", 1, {}, 13),  # 15.5 - 2.17
        ("BID", 1, {"high": 13}, 14),
        ("BID", 1, {"high": 30}, 31),
        ("BID", 1, {"high": 31}, 0),
        ("BID", 1, {"spec": "predictive(margin=0.5)", "notes": HALF | {OPEN_PRICES: 0.9}}, 31),  # not 43
        ("BID", 3, {"spec": "predictive(last_word=0.3)"}, 9),
        ("BID", 2, {"spec": "predictive(last_word=0.3)"}, 13),
    ],
)
def test_an_answer_follows_from_what_a_lot_is_worth(phase, seat, case, answer):
    table, hand = asked(phase, seat=seat, **({"notes": HALF, "lot": "YO-O"} | case))
    assert predictive.choose_bid(table, hand, 31.0) == answer


def answer(phase, spec="predictive", **case):
    table, hand = asked(phase, spec, **case)
    return int(load_strategy(spec).function(table, hand)), hand


def test_a_painting_of_two_crowns_is_worth_twice_as_much():
    found, hand = answer("LIMIT", lot="YO-O*2")
    assert (found, hand.notes[LOT_WORTH]) == (58, pytest.approx(62))  # .95 x 62 = 58.9


def test_a_black_framed_card_is_not_noted():
    found, hand = answer("TENDER", lot="YO-B")
    assert (found, hand.notes[LOT_WORTH]) == (10, 0)


@pytest.mark.parametrize(("spec", "slot"), [("predictive", 0), ("forgetful_predictive", 1)])
def test_cards_of_earlier_rounds_are_remembered(spec, slot):
    # All other YO are gone, so that nobody can join a double of YO. CP sells for 27, and its buyer gains 3.
    case = {"hand": "YO-D CP-O", "gone": {"YO-O": 12}, "round_index": LAST_ROUND}
    assert answer("CARD", spec, **case)[0] == slot
