"""Every game starts afresh: nothing of the game before it in the same memory is left, in hands, table or notes."""

import numpy as np
import pytest

from modernart.simulator.decisions import DECLINE, Phase
from modernart.simulator.game import apply, new_deal, new_game, play
from modernart.simulator.games import records_of_run
from modernart.simulator.interpreter import ask, play_record
from modernart.simulator.players import params_of
from modernart.simulator.rules import load_edition
from modernart.simulator.scoring import pay_round
from modernart.simulator.setup import games_of, seat_game
from modernart.simulator.simulate import score
from modernart.simulator.state import WITHOUT_NOTES
from modernart.simulator.works import IllegalAnswer
from modernart.strategies.base import Param, strategy
from modernart.strategies.registry import STRATEGIES
from modernart.strategies.specs import load_players


@strategy()
def counts_in_notes(table, hand):
    """Bids how often it was asked so far in this game."""
    for note in range(hand.notes.shape[0]):
        hand.notes[note] += 1.0
    asked = int(hand.notes[hand.notes.shape[0] - 1])
    if table.phase == Phase.CARD:
        return 0
    if table.phase == Phase.PAIR or table.phase == Phase.JOIN:
        return DECLINE
    if table.phase == Phase.BID:
        return table.high_bid + 1 if asked > table.high_bid else 0
    if table.phase == Phase.ACCEPT:
        return 0
    return min(asked, table.money[hand.seat])


def blank_game(rules, address):
    game = games_of(rules, 1)[0]
    game.acts[: rules.players] = address
    new_deal(game, np.uint64(5), 0)
    new_game(game, 0)
    return game


def test_a_game_in_used_memory_starts_like_one_in_blank_memory():
    rules = load_edition("classic").rules(4)
    address = counts_in_notes.player().address
    first = blank_game(rules, address)
    used = blank_game(rules, address)
    assert play(used)
    assert used.hands[0].notes[0] > 20
    used.rounds["fees"][:] = 7
    for field in set(used.table.dtype.names) - {"rules"}:
        used.table[field] = 7
    new_deal(used, np.uint64(5), 0)
    new_game(used, 0)
    # What belongs to a lot is written when one comes up; seats that nobody takes may keep their money.
    of_a_lot = {"form", "kind", "artist", "n_lot", "lot", "lot_crowns", "high_bid", "high_bidder", "n_passed"}
    for field in set(used.table.dtype.names) - {"rules", "money", "hand_sizes"} - of_a_lot:
        assert np.all(used.table[field] == first.table[field]), field
    for field in ("money", "hand_sizes"):
        assert (used.table[field][:4] == first.table[field][:4]).all(), field
    for seat in range(4):
        one, other = used.hands[seat], first.hands[seat]
        assert not one.notes.any()
        assert (one.fitting == other.fitting).all()
        assert (one.rng, one.seat, one.home, one.n_cards) == (other.rng, other.seat, other.home, other.n_cards)
        assert (one.cards[: one.n_cards] == other.cards[: one.n_cards]).all()
    assert (used.n_sales, used.n_decisions) == (0, 0)
    assert play(used)
    assert not used.rounds["fees"][: rules.rounds].any()


WITHOUT_NOTES_NAMES = [one.name for one in STRATEGIES if not one.keeps_notes]


def test_code_that_may_read_notes_is_told_by_what_it_names():
    assert {"random", "never_buy", "fair_share", "half_value", "merchant"} <= set(WITHOUT_NOTES_NAMES)
    keeping = {"predictive", "learned", "planner", "reader", "high_roller", "collector", "forgetful_predictive"}
    assert not keeping & set(WITHOUT_NOTES_NAMES)
    # Nothing is told of a user's own code.
    assert counts_in_notes.keeps_notes
    assert counts_in_notes.player().keeps_notes
    params = params_of(load_players(["random", "predictive"]), load_edition("classic").rules(4))
    assert params[:, WITHOUT_NOTES].tolist() == [1.0, 0.0]


@pytest.mark.parametrize("name", WITHOUT_NOTES_NAMES)
def test_notes_that_stay_from_game_to_game_are_neither_read_nor_written(name):
    rules = load_edition("classic").rules(4)
    ends = []
    for note in (0.0, 7.0):
        game = games_of(rules, 1)[0]
        for seat in range(4):
            game.hands[seat].notes[:] = note
        seat_game(game, rules, load_players([name, "random"]), [0, 1, 0, 1], 5, 0)
        assert play(game)
        assert all((game.hands[seat].notes == note).all() for seat in range(4))
        ends.append(game.table.money[:4].tolist())
    assert ends[0] == ends[1]


def test_a_new_game_of_classic_in_literal_numbers():
    game = blank_game(load_edition("classic").rules(4), counts_in_notes.player().address)
    table = game.table
    assert list(table.money[:4]) == [100, 100, 100, 100]
    assert list(table.hand_sizes[:4]) == [9, 9, 9, 9]
    assert (table.round_index, table.cards_in_hands, table.pile_size, table.owner, table.n_sold) == (0, 36, 0, -1, 0)
    assert (game.n_sales, game.n_decisions, game.deck_position) == (0, 0, 36)
    assert table.phase == Phase.CARD
    assert table.seat == table.auctioneer == table.starter == game.first_seat
    for field in ("cards_out", "values", "skips_turn", "gallery", "stakes", "seen"):
        assert not table[field].any(), field
    for seat in range(4):
        assert (game.hands[seat].seat, game.hands[seat].home, game.hands[seat].n_cards) == (seat, seat, 9)


def test_money_by_order_of_play_is_counted_from_the_first_seat():
    rules = load_edition("classic", {"order_money": [7, 5, 3]}).rules(4)
    game = blank_game(rules, counts_in_notes.player().address)
    for first_seat, money in ((0, [107, 105, 103, 100]), (2, [103, 100, 107, 105]), (3, [105, 103, 100, 107])):
        game.first_seat = first_seat
        new_game(game, 0)
        assert game.table.money[:4].tolist() == money


def test_eight_artists_can_have_eight_ranks():
    game = blank_game(load_edition("classic").rules(3), counts_in_notes.player().address)
    table = game.table
    table.rules.n_artists = table.rules.n_ranks = 8
    table.rules.rank_values[:] = [80, 70, 60, 50, 40, 30, 20, 10]
    table.cards_out[:] = [1, 2, 1, 4, 2, 3, 1, 3]
    table.stakes[1, :] = [1, 0, 0, 0, 0, 0, 2, 0]
    pay_round(game, game.rounds[0])
    assert game.rounds[0].ranking.tolist() == [3, 5, 7, 1, 4, 0, 2, 6]
    assert table.values.tolist() == [30, 50, 20, 80, 40, 70, 10, 60]
    assert table.money[:3].tolist() == [100, 100 + 30 + 2 * 10, 100]


@pytest.mark.parametrize("edition", ["classic", "sotheby"])
def test_the_batch_loop_plays_a_game_as_its_steps_do(edition):
    """`play` has loops of its own for the most frequent decisions; `apply` answers one at a time."""
    rules = load_edition(edition).rules(4)
    address = load_players(["random"])[0].address
    whole, stepped = blank_game(rules, address), blank_game(rules, address)
    assert play(whole)
    while stepped.table.phase != Phase.OVER:
        assert apply(stepped, ask(stepped))
    assert whole.table.tobytes() == stepped.table.tobytes()
    assert (whole.n_decisions, whole.n_sales) == (stepped.n_decisions, stepped.n_sales)
    assert whole.rounds.tobytes() == stepped.rounds.tobytes()
    assert whole.sales.tobytes() == stepped.sales.tobytes()
    for one in whole.rounds[: rules.rounds]:
        n_not_counted = 0 if rules.ending_cards_rank or one.artist < 0 else one.n_up - one.counts.sum()
        assert one.n_up == one.counts.sum() + n_not_counted
        assert 0 <= n_not_counted <= 2


def test_notes_of_one_game_do_not_reach_the_next_of_a_run():
    """The kernel plays all games of a batch in the same memory, `record` each in its own."""
    rules = load_edition("classic").rules(3)
    players = [counts_in_notes.player(), *load_players(["half_value"])]
    scores = score(players, rules, [0, 1, 0], 0, 40, seed=2, threads=1)
    for block in (0, 32, 39):  # blocks 0 and 32 are of the same batch
        records = [play_record(rules, players, [0, 1, 0], 2, 3 * block + rotation) for rotation in range(3)]
        for position in range(3):
            money = [record["money"][(position - rotation) % 3] for rotation, record in enumerate(records)]
            assert scores.money[block, position] == pytest.approx(sum(money) / 3)


@pytest.mark.parametrize(("phase", "edition", "reserve"), [("PRICE", "classic", 5), ("TENDER", "sotheby", 5)])
def test_no_bid_stands_where_none_can_be_made(phase, edition, reserve):
    """A standing bid of one below the reserve, which bids must exceed, is of no use to who asks for a price."""
    rules = load_edition(edition, {"least_bid": reserve}).rules(3)
    game = blank_game(rules, load_players(["random"])[0].address)
    n_seen = 0
    while game.table.phase != Phase.OVER:
        if game.table.phase == Phase[phase]:
            n_seen += 1
            assert game.table.high_bid == 0
        assert apply(game, ask(game))
    assert n_seen >= 2


#: Answers that depend on the table: an amount beyond its money, and a bid not above the standing one.
TOO_MUCH, NOT_ABOVE = 1000, -1000


@strategy(params={"phase": Param(0, 0, 11), "answer": Param(0, NOT_ABOVE, TOO_MUCH)})
def answers_wrongly(table, hand):
    """Gives one wrong answer wherever it is asked in a phase, and else bids little."""
    if table.phase == int(hand.params[0]):
        answer = int(hand.params[1])
        if answer == NOT_ABOVE:
            # Somebody has to open the bidding.
            return max(table.high_bid, 1)
        return table.money[hand.seat] + 1 if answer == TOO_MUCH else answer
    if table.phase == Phase.PAIR or table.phase == Phase.JOIN:
        return DECLINE
    if table.phase == Phase.BID or table.phase == Phase.RAISE:
        return table.high_bid + 1 if table.money[hand.seat] > table.high_bid else 0
    return 1 if table.phase == Phase.PRICE else 0


WRONG = [
    (Phase.CARD, -1, "classic"),
    (Phase.CARD, 40, "classic"),
    (Phase.PAIR, -2, "classic"),
    (Phase.JOIN, 40, "classic"),
    (Phase.LIMIT, -1, "classic"),
    (Phase.LIMIT, TOO_MUCH, "classic"),
    (Phase.BID, -1, "classic"),
    (Phase.BID, TOO_MUCH, "classic"),
    (Phase.BID, NOT_ABOVE, "classic"),
    (Phase.RAISE, TOO_MUCH, "outcry"),
    (Phase.RAISE, NOT_ABOVE, "outcry"),
    (Phase.SEALED, -1, "classic"),
    (Phase.SEALED, TOO_MUCH, "classic"),
    (Phase.PRICE, TOO_MUCH, "classic"),
    (Phase.ACCEPT, 2, "classic"),
    (Phase.ACCEPT, -1, "classic"),
    (Phase.FLIP, 2, "shill"),
    (Phase.TENDER, -2, "sotheby"),
    (Phase.TENDER, TOO_MUCH, "sotheby"),
]


@pytest.mark.parametrize(("phase", "answer", "edition"), WRONG, ids=lambda value: getattr(value, "name", str(value)))
def test_an_illegal_answer_stops_the_run_and_is_told(phase, answer, edition):
    """In the batch loop, which has loops of its own for the most frequent decisions, and step by step."""
    overrides = {"open_style": "outcry"} if edition == "outcry" else {}
    rules = load_edition("classic" if edition == "outcry" else edition, overrides).rules(3)
    players = [answers_wrongly.with_values({"phase": phase, "answer": answer}).player()]
    told = rf"answered -?\d+ to {phase.name} at seat \d in round \d of game \d+ of seed 1; legal is"
    with pytest.raises(IllegalAnswer, match=told) as by_batch:
        score(players, rules, [0, 0, 0], 0, 40, threads=1)
    with pytest.raises(IllegalAnswer, match=told) as by_steps:
        list(records_of_run(players, rules, 1, 0, 120))
    assert str(by_batch.value) == str(by_steps.value)
