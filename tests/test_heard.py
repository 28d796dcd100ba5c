"""What a table tells of the last lot sold: who bought it, and what each seat was heard to bid."""

import numpy as np
import pytest
from positions import position

from modernart.simulator.auctions import open_auction
from modernart.simulator.data import address_of_data, own_number
from modernart.simulator.decisions import ACT, Phase
from modernart.simulator.game import apply, new_deal, new_game
from modernart.simulator.games import records_of_run
from modernart.simulator.jit import call_act, kernel
from modernart.simulator.players import Player, acts_of, params_of
from modernart.simulator.rules import load_edition
from modernart.simulator.setup import games_of
from modernart.simulator.simulate import score
from modernart.simulator.state import DATA, MAX_PARAMS
from modernart.strategies.specs import load_players

FIELD = ["predictive", "half_value", "random", "aggressive"]


@kernel
def ask(game):
    seat = game.table.seat
    return call_act(game.acts[seat], game.table, game.hands[seat])


def heard_in(record) -> list[tuple[int, int, list[int]]]:
    """The slow way: buyer, price and bids of every lot, from the events of a game's record."""
    n_seats = record["rules"]["players"]
    lots, bids, price = [], {}, 0
    for event in (event for round_ in record["rounds"] for event in round_["events"]):
        kind = event["e"]
        if kind == "play":
            bids = {}
        elif kind in ("limit", "bid"):
            bids[event["seat"]] = event["amount"]
        elif kind in ("pass", "refuse"):
            bids.setdefault(event["seat"], 0)
        elif kind == "sealed":
            bids = {seat: -1 if amount is None else amount for seat, amount in enumerate(event["amounts"])}
        elif kind == "price":
            price = event["amount"]
        elif kind == "accept":
            bids[event["seat"]] = price
        elif kind == "sale":
            is_black = any("-B" in card for card in event["cards"])
            heard = [bids.get(seat, -1) for seat in range(n_seats)]
            heard = heard if is_black else [min(bid, event["price"]) for bid in heard]
            lots.append((event["buyer"], event["price"], heard))
    return lots


@pytest.mark.parametrize(
    ("edition", "n_seats", "changes"),
    [
        ("classic", 4, {}),
        ("classic", 5, {"open_style": "outcry"}),
        ("online", 3, {}),
        ("shill", 3, {}),
        ("sotheby", 6, {}),
    ],
)
def test_heard_tells_what_a_record_tells(edition, n_seats, changes):
    rules = load_edition(edition, changes).rules(n_seats)
    players = load_players([FIELD[k % 4] for k in range(n_seats)])
    members = list(range(n_seats))

    class Fixed:
        def line_ups(self, first, n):
            return np.tile(members, (n, 1))

    acts, params = acts_of(players), params_of(players, rules)
    n_lots = 0
    for number, record in enumerate(records_of_run(players, rules, 5, 0, 6, Fixed())):
        expected = heard_in(record)
        game = games_of(rules, 1)[0]
        for seat in range(n_seats):
            game.acts[seat] = acts[(seat + number) % n_seats]
            game.hands[seat].params[:] = params[(seat + number) % n_seats]
        new_deal(game, np.uint64(5), number // n_seats)
        new_game(game, number % n_seats)
        table = game.table
        assert (table.n_sold, table.last_buyer, table.last_price) == (0, -1, 0)
        seen = 0
        while table.phase != Phase.OVER:
            assert apply(game, ask(game))
            if table.n_sold > seen:
                seen = int(table.n_sold)
                told = (int(table.last_buyer), int(table.last_price), table.heard[:n_seats].tolist())
                assert told == expected[seen - 1]
        assert seen == len(expected)
        n_lots += seen
    assert n_lots > 100


def test_an_outcry_is_heard_by_the_highest_bid_of_each_seat():
    rules = load_edition("classic", {"open_style": "outcry"}).rules(4)
    game = position("RAISE", rules=rules, auctioneer=0, lot="KR-O")
    open_auction(game)
    for seat, bid in ((1, 5), (2, 6), (3, 0), (0, 0), (1, 9), (2, 0), (3, 0), (0, 0)):
        assert game.table.seat == seat
        assert apply(game, bid)
    assert (game.table.last_buyer, game.table.last_price) == (1, 9)
    assert game.table.heard[:4].tolist() == [0, 9, 6, 0]


@kernel(signature=ACT, cache=False)
def bids_its_data(table, hand):
    """Bid the third number of its data for every lot, up to its money; add nothing, ask and accept 0."""
    if table.phase == Phase.LIMIT:
        return min(int(own_number(hand, 2)), max(table.money[hand.seat], 0))
    return -1 if table.phase == Phase.PAIR or table.phase == Phase.JOIN else 0


def test_a_player_reaches_the_data_it_was_seated_with():
    rich = Player("rich", bids_its_data, data=np.array([1.0, 2.0, 30.0]))
    poor = Player("poor", bids_its_data, data=np.array([0.0, 0.0, 0.0]))
    params = params_of([rich, Player("none", bids_its_data)], load_edition("classic").rules(4))
    assert params[:, DATA].tolist() == [address_of_data(rich.data), 0.0]
    assert params.shape == (2, MAX_PARAMS)
    rules = load_edition("classic").rules(3)
    scores = score([rich, poor], rules, [0, 1, 1], 0, 20, seed=1, threads=1)
    # The one bidder buys all open lots at 1, below what they pay; the others buy only what nobody wants.
    assert scores.win_share[:, 0].mean() > 0.9


def test_data_must_be_floats_in_one_piece():
    with pytest.raises(TypeError, match="contiguous array of float64"):
        address_of_data(np.array([1, 2, 3]))
