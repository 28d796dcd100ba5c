"""The log that a game leaves behind, of which all tables are made: lots and rounds of scenarios, worked out by hand."""

import numpy as np
import pytest
from scenarios import SCENARIOS

from modernart.simulator.cards import AuctionKind, parse_card
from modernart.simulator.decisions import Form, Reason
from modernart.simulator.records import replay_record
from modernart.simulator.scoring import WIN_UNITS, richest

FEE = "house_takes_its_fee_of_the_whole_price_from_the_auctioneer_alone"
OWN_SHARE = "first_seller_who_buys_pays_the_own_share_to_the_bank_even_if_it_is_one"
BLACK = "black_framed_goes_to_the_lowest_all_others_pay_and_its_owner_is_fined_by_crowns"
DEBT = "fine_takes_a_player_into_debt_where_he_can_only_bid_nothing"
NO_DEBT = "without_debt_a_fine_stops_at_no_money"
PAIR = "second_card_of_a_pair_of_one_kind_ends_the_round_and_both_count"

FIXED, SEALED, OPEN = AuctionKind.FIXED_PRICE, AuctionKind.SEALED, AuctionKind.OPEN
MONEY = ("price", "to_bank", "to_owner", "fees")
#: By scenario and lot: round, kind, form, artist, cards out, crowns; cards; auctioneer, first seller, buyer; money.
LOTS = [
    (FEE, 0, (0, FIXED, Form.JOINED, 4, 2, 2), "KR-D KR-F", (1, 0, 2), (9, 4, 4, 0)),
    (FEE, 1, (0, SEALED, Form.SINGLE, 1, 1, 1), "YO-S", (2, -1, 1), (5, 2, 0, 0)),
    (OWN_SHARE, 0, (0, FIXED, Form.JOINED, 4, 2, 2), "KR-D KR-F", (1, 0, 0), (2, 1, 0, 0)),
    (BLACK, 0, (0, AuctionKind.BLACK_FRAMED, Form.SINGLE, 0, 1, 3), "BK-B*3", (0, -1, 2), (0, 0, 0, 4)),
    (BLACK, 1, (0, AuctionKind.BLACK_FRAMED, Form.SINGLE, 1, 1, 1), "BL-B*1", (1, -1, 2), (0, 0, 0, 8)),
    (BLACK, 3, (0, SEALED, Form.SINGLE, 0, 2, 2), "BK-S*2", (0, -1, 2), (9, 0, 0, 0)),
    (DEBT, 3, (1, FIXED, Form.SINGLE, 1, 1, 2), "BL-F*2", (0, -1, 2), (0, 0, 0, 0)),
    (DEBT, 7, (1, OPEN, Form.SINGLE, 2, 2, 1), "GR-O*1", (1, -1, 1), (0, 0, 0, 0)),
]


def played(scenario):
    return replay_record(SCENARIOS[scenario].record).game


@pytest.mark.parametrize(("scenario", "lot", "what", "cards", "seats", "money"), LOTS)
def test_a_lot_in_the_log(scenario, lot, what, cards, seats, money):
    sale = played(scenario).sales[lot]
    assert tuple(sale[name] for name in ("round_index", "kind", "form", "artist", "cards_out", "crowns")) == what
    codes = [parse_card(card, SCENARIOS[scenario].record["rules"]["artists"]) for card in cards.split()]
    assert sale["n_cards"] == len(codes)
    assert sale["cards"][: len(codes)].tolist() == codes
    assert tuple(sale[name] for name in ("auctioneer", "owner", "buyer")) == seats
    assert tuple(sale[name] for name in MONEY) == money


@pytest.mark.parametrize(
    ("scenario", "n_lots", "ended", "n_up", "by_seat"),
    [
        (
            BLACK,
            6,
            (Reason.HANDS_EMPTY, -1, -1, 0),
            6,
            {"fees": [11, 13, 0], "spared": [0, 0, 0], "payout": [0, 60, -100], "money": [148, 190, 48]},
        ),
        (NO_DEBT, 3, (Reason.HANDS_EMPTY, -1, -1, 0), 3, {"fees": [0, 1, 0], "spared": [0, 0, 129]}),
        (
            PAIR,
            3,
            (Reason.END_COUNT, 0, 4, 0),
            5,
            {"holding": [1, 1, 1], "hand_sizes": [0, 2, 2], "payout": [30, 30, 30], "money": [130, 130, 130]},
        ),
    ],
)
def test_a_round_in_the_log(scenario, n_lots, ended, n_up, by_seat):
    game = played(scenario)
    result = game.rounds[0]
    assert game.n_sales == game.table.n_sold == n_lots
    assert tuple(result[name] for name in ("reason", "ender", "artist", "starter")) == ended
    assert result["n_up"] == n_up
    for name, expected in by_seat.items():
        assert result[name][:3].tolist() == expected, name


def test_a_round_without_cards_counts_none():
    game = played("first_round_without_cards_leaves_the_start_to_the_same_seat")
    assert game.rounds[0]["counts"].tolist() == [0] * 8
    assert game.rounds[1]["counts"].tolist() == [0, 1, 0, 0, 1, 0, 0, 0]
    assert [game.rounds[r]["starter"] for r in range(2)] == [1, 1]


def test_cards_put_up_are_seen_by_all():
    table = played(FEE).table
    artists = SCENARIOS[FEE].record["rules"]["artists"]
    seen = {card: int(table.seen[parse_card(card, artists)]) for card in ("KR-D", "KR-F", "LM-S", "YO-S", "YO-O")}
    assert seen == {"KR-D": 1, "KR-F": 1, "LM-S": 2, "YO-S": 2, "YO-O": 0}
    assert int(table.seen.sum()) == 6
    assert table.cards_gone.tolist() == [2, 2, 0, 0, 2, 0, 0, 0]


def test_ranks_that_no_artist_reached_are_empty():
    assert played(BLACK).rounds[0]["ranking"].tolist() == [0, 1, 2, -1, -1, -1, -1, -1]
    assert played(PAIR).rounds[0]["ranking"].tolist() == [4, -1, -1, -1, -1, -1, -1, -1]


def test_a_win_can_be_shared_by_any_number_of_winners():
    assert [WIN_UNITS // n for n in range(1, 9)] == [840, 420, 280, 210, 168, 140, 120, 105]
    assert all(WIN_UNITS % n == 0 for n in range(1, 9))


@pytest.mark.parametrize(
    ("money", "n_seats", "expected"),
    [
        ((3, 9, 9, 1), 4, (9, 2)),
        ((9, 1, 2), 3, (9, 1)),
        ((1, 9, 2), 3, (9, 1)),
        ((-4, -1, -2), 3, (-1, 1)),
        ((5, 5, 5, 99), 3, (5, 3)),
    ],
)
def test_the_richest_win(money, n_seats, expected):
    assert richest(np.array(money, np.int32), n_seats) == expected


def test_the_log_tells_the_form_of_the_lot_that_ended_a_round():
    assert played(PAIR).rounds[0]["form"] == Form.PAIRED
