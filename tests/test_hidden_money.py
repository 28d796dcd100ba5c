"""`rivals_money = hidden`: nothing that a player sees or answers depends on what the others have."""

import numpy as np
import pytest
from positions import position

from modernart.analysis.play.session import begin
from modernart.rl.observations import N_OBSERVED, STARTS, observe
from modernart.simulator.decisions import Phase
from modernart.simulator.game import apply
from modernart.simulator.interpreter import ask, play_record
from modernart.simulator.players import params_of
from modernart.simulator.rules import load_edition
from modernart.simulator.setup import games_of, seat_game
from modernart.simulator.simulate import score
from modernart.simulator.state import HAND_DTYPE
from modernart.strategies.registry import STRATEGIES
from modernart.strategies.specs import load_players, load_strategy

HIDDEN = load_edition("classic", {"rivals_money": "hidden"}).rules(4)
OUTCRY = load_edition("sotheby", {"rivals_money": "hidden", "open_style": "outcry"}).rules(3)
OPEN = load_edition("classic").rules(4)
#: Search is cut short here.
SPECS = {"planner": "planner(rollouts=1)", "pimc_greedy": "pimc_greedy(samples=5)"}
NAMES = [one.name for one in STRATEGIES]


def scrambled(games, rng):
    """A copy of a game in which the seats that are not asked have any money."""
    other = games.copy()
    table = other[0].table
    own = int(table.money[table.seat])
    table.money[: table.rules.n_seats] = rng.integers(0, 900, int(table.rules.n_seats))
    table.money[table.seat] = own
    return other


def seated(spec, rules, number=0):
    """A game of a strategy against itself."""
    games = games_of(rules, 1)
    players = load_players([spec])
    seat_game(games[0], rules, players, [0] * rules.players, 3, number)
    return games, players


@pytest.mark.parametrize("name", NAMES)
def test_no_answer_and_no_note_depends_on_what_rivals_have(name):
    rng = np.random.default_rng(5)
    n_asked = 0
    for rules in (HIDDEN, OUTCRY):
        games, _players = seated(SPECS.get(name, name), rules)
        while games[0].table.phase != Phase.OVER and n_asked < 400:
            seat = int(games[0].table.seat)
            other = scrambled(games, rng)
            money = other[0].table.money.copy()
            answer, there = int(ask(games[0])), int(ask(other[0]))
            hand, other_hand = games[0].hands[seat], other[0].hands[seat]
            assert answer == there
            # Bit by bit, but for the padding at the record's end.
            assert all(hand[name].tobytes() == other_hand[name].tobytes() for name in HAND_DTYPE.names)
            assert (other[0].table.money == money).all()
            assert apply(games[0], answer)
            n_asked += 1
    assert n_asked > 100


def test_no_observation_depends_on_what_rivals_have():
    rng = np.random.default_rng(6)
    games, _players = seated("fair_share", HIDDEN)
    for _ in range(60):
        table = games[0].table
        seen = [np.zeros(N_OBSERVED, np.float32) for _ in range(2)]
        for game, x in zip((games[0], scrambled(games, rng)[0]), seen, strict=True):
            observe(game.table, game.hands[int(table.seat)], x)
        assert seen[0].tobytes() == seen[1].tobytes()
        shown = seen[0][STARTS["money"] : STARTS["money"] + 4]
        assert shown.tolist() == pytest.approx([table.money[table.seat] / 100] * 4)
        apply(games[0], int(ask(games[0])))


def test_open_money_is_observed():
    games, _players = seated("fair_share", OPEN)
    games[0].table.money[:4] = 100, 200, 300, 400
    games[0].table.seat = 1
    x = np.zeros(N_OBSERVED, np.float32)
    observe(games[0].table, games[0].hands[1], x)
    assert x[STARTS["money"] : STARTS["money"] + 4].tolist() == [2.0, 3.0, 4.0, 1.0]


def answer_under(rules, game):
    """What `leader_blocker` answers where it is asked as the machine asks."""
    player = load_strategy("leader_blocker").player()
    seat = int(game.table.seat)
    game.acts[seat] = player.address
    game.hands[seat].params[:] = params_of([player], rules)[0]
    return int(ask(game))


@pytest.mark.parametrize(("sight", "answer"), [("open", 21), ("hidden", 0)])
def test_who_looks_for_the_leader_finds_them_only_in_the_open(sight, answer):
    """Seat 2, far ahead, bids 20 for a lot worth 30. Seat 1 denies it to the leader, if it sees that seat 2 leads."""
    rules = load_edition("classic", {"rank_values": "[30,30,30,30,30]", "rivals_money": sight}).rules(4)
    game = position(
        "BID", rules=rules, seat=1, auctioneer=3, lot="YO-R", money=[100, 100, 500, 100], high=20, high_bidder=2
    )
    assert answer_under(rules, game) == answer
    assert game.table.money[:4].tolist() == [100, 100, 500, 100]


def test_people_see_no_money_of_others_before_the_end():
    session = begin("me,random,fair_share", overrides={"rivals_money": "hidden"}, seed=3)
    session.advance()
    own = int(session.interpreter.game.table.money[0])
    assert session.table(0)["money"] == [own, None, None]
    assert all(frame["money"][1:] == [None, None] for frame in session.frames(0))
    while not session.is_over:
        session.answer(0, session.question.cards[0][1] if session.question.cards else 0)
        session.advance()
    assert session.table(0)["money"] == session.record()["money"]


def test_people_see_all_money_where_it_is_open():
    session = begin("me,random,fair_share", seed=3)
    session.advance()
    assert None not in session.table(0)["money"]


@pytest.mark.parametrize("rules", [HIDDEN, OUTCRY], ids=["classic", "sotheby"])
def test_a_run_plays_the_games_of_its_records(rules):
    players = load_players(["leader_blocker", "random"])
    members = [0, 1, 0, 1][: rules.players]
    money = score(players, rules, members, 0, 3, seed=5, threads=1).money
    for block in range(3):
        sums = [0] * rules.players
        for rotation in range(rules.players):
            final = play_record(rules, players, members, 5, block * rules.players + rotation)["money"]
            for seat, amount in enumerate(final):
                sums[(seat + rotation) % rules.players] += amount
        assert money[block].tolist() == pytest.approx([total / rules.players for total in sums])
