"""What `reader` notes of its rivals, and what that gains."""

import math

import pytest
from positions import position

from modernart.simulator.cards import AuctionKind
from modernart.simulator.rules import load_edition
from modernart.simulator.simulate import score
from modernart.strategies.bidders import reader
from modernart.strategies.bidders.predictive import LOT_KIND, LOT_SELLER
from modernart.strategies.specs import load_players

SLOT_OF_SEAT_2 = reader.READ


def heard(kind, bids, buyer, price, worth=20.0, seller=0):
    """A hand of seat 1 that has just heard what was bid for a lot worth 20."""
    game = position("LIMIT", lot="YO-O")
    table, hand = game.table, game.hands[1]
    hand.notes[reader.NOTED], hand.notes[reader.WORTH] = 1, worth
    hand.notes[LOT_KIND], hand.notes[LOT_SELLER] = kind, seller
    table.n_sold, table.last_buyer, table.last_price = 1, buyer, price
    table.heard[:4] = bids
    reader.hear_last_lot(table, hand)
    assert hand.notes[reader.NOTED] == 0
    return hand.notes[SLOT_OF_SEAT_2 : SLOT_OF_SEAT_2 + reader.N_READ]


def test_a_sealed_bid_moves_mean_and_spread_of_who_made_it():
    notes = heard(AuctionKind.SEALED, [0, 16, 4, 10], buyer=1, price=16)
    # 4 / 20 is .65 below a stranger's .85; the first bid weighs 1 / (3 + 1).
    assert notes[reader.SEALED_MEAN] == pytest.approx(-0.65 / 4)
    assert notes[reader.SEALED_SPREAD] == pytest.approx((0.65 - 0.15) / 4)
    assert notes[reader.SEALED_HEARD] == 1
    assert notes[reader.OPEN_MEAN] == notes[reader.ACCEPTS] == 0
    # A sensible bid speaks a little against a rival who buys at any price.
    assert notes[reader.BLIND] == pytest.approx(-0.15)


def test_the_buyer_of_an_open_lot_would_have_gone_further():
    # Seat 2 bought at 10 of 20: it would have gone at least so far, which says nothing against a mean of .85.
    assert heard(AuctionKind.OPEN, [0, 9, 10, 8], buyer=2, price=10)[reader.OPEN_MEAN] == 0
    # At 24 it went beyond the mean, by 1.2 - .85.
    assert heard(AuctionKind.OPEN, [0, 23, 24, 8], buyer=2, price=24)[reader.OPEN_MEAN] == pytest.approx(0.35 / 4)
    # As a loser it is heard exactly.
    assert heard(AuctionKind.OPEN, [0, 11, 10, 8], buyer=1, price=11)[reader.OPEN_MEAN] == pytest.approx(-0.35 / 4)


def test_answers_to_fixed_prices_tell_who_looks_at_the_worth():
    # 24 is 1.2 x 20: a stranger who looks at the worth, up to 1.0 x with spread .12, accepts with this chance.
    sensible = 0.02 + 0.96 / (1 + math.exp(0.2 / 0.12))
    accepted = heard(AuctionKind.FIXED_PRICE, [-1, 0, 24, -1], buyer=2, price=24)
    assert accepted[reader.BLIND] == pytest.approx(math.log(0.98 / sensible))
    assert accepted[reader.ACCEPTS] == pytest.approx(0.3 * 0.2)
    refused = heard(AuctionKind.FIXED_PRICE, [-1, 0, 0, -1], buyer=0, price=24)
    assert refused[reader.BLIND] == pytest.approx(math.log(0.02 / (1 - sensible)))
    assert refused[reader.ACCEPTS] == 0
    # 12 refused, at .6 of the worth: it accepts less than was thought.
    assert heard(AuctionKind.FIXED_PRICE, [-1, 0, 0, -1], buyer=0, price=12)[reader.ACCEPTS] < -0.1
    # A player who was not asked says nothing.
    assert not heard(AuctionKind.FIXED_PRICE, [-1, 12, -1, -1], buyer=1, price=12).any()


def test_nothing_is_heard_of_a_lot_when_another_was_sold_since():
    game = position("LIMIT", lot="YO-O")
    table, hand = game.table, game.hands[1]
    hand.notes[reader.NOTED], hand.notes[reader.WORTH], hand.notes[LOT_KIND] = 1, 20.0, AuctionKind.SEALED
    table.n_sold, table.last_buyer = 2, 2
    table.heard[:4] = [0, 0, 7, 0]
    reader.hear_last_lot(table, hand)
    assert not hand.notes[reader.READ :].any()


def test_sealed_bids_are_read_where_all_rivals_bid_low():
    game = position("SEALED", lot="YO-S")
    table, hand = game.table, game.hands[1]
    # A stranger is thought to bid .85 of the worth; seat 0 sells, so it is not waited for.
    means = {seat: reader.rival_notes(table, hand, seat) + reader.SEALED_MEAN for seat in (0, 2, 3)}
    assert table.auctioneer == 0
    hand.notes[means[2]], hand.notes[means[3]] = -0.85, -0.25
    assert reader.rivals_bid_low(table, hand)
    hand.notes[means[3]] = -0.15
    assert not reader.rivals_bid_low(table, hand)


def test_more_is_asked_only_of_a_rival_who_buys_blindly():
    game = position("PRICE", lot="YO-F")
    table, hand = game.table, game.hands[table_seat := game.table.seat]
    table.money[:4] = [100, 100, 100, 100]
    table.money[(table_seat + 1) % 4] = 70
    blind = [reader.rival_notes(table, hand, seat) + reader.BLIND for seat in range(4) if seat != table_seat]
    # Nobody is known: the usual price stands, whether it is high or low.
    assert reader.best_price(table, hand, 20.0, 17) == 17
    assert reader.best_price(table, hand, 20.0, 9) == 9
    # All rivals have long bought at any price: all the money of the richest.
    hand.notes[blind] = 8.0
    assert reader.best_price(table, hand, 20.0, 17) == 100
    # Only the poorer neighbour: all of its money, and no more.
    hand.notes[blind] = 0.0
    hand.notes[reader.rival_notes(table, hand, (table_seat + 1) % 4) + reader.BLIND] = 8.0
    assert reader.best_price(table, hand, 20.0, 17) == 70


@pytest.mark.parametrize(
    ("field", "spec", "least"), [("tight", "reader", 30), ("aggressive", "reader(read_sealed=0)", 60)]
)
def test_reading_gains_against_those_it_was_made_for(field, spec, least):
    """Money at five seats, on the same deals: measured 60 and 117 a game more, with standard errors of some 5."""
    rules = load_edition("classic").rules(5)
    money = []
    for focal in (spec, "predictive"):
        scores = score(load_players([focal, field]), rules, [0, 1, 1, 1, 1], 0, 100, seed=8, threads=1)
        money.append(scores.money[:, 0].mean() - scores.money[:, 1:].mean())
    assert money[0] - money[1] > least
