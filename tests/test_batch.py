"""Batches: the same games as the interpreter's, counted right, whatever the threads and chunks."""

from collections import Counter

import numpy as np
import pytest

from modernart.analysis.measures import tallies_for
from modernart.simulator.errors import UsageError
from modernart.simulator.games import records_of_run
from modernart.simulator.interpreter import play_record
from modernart.simulator.jit import JIT_DISABLED
from modernart.simulator.lineups import BalancedSchedule
from modernart.simulator.rules import load_edition
from modernart.simulator.simulate import score, simulate
from modernart.simulator.tallies import N_BATCHES
from modernart.strategies.specs import load_players
from naive.tallies import wins_of

FIELD = ["random", "half_value", "fair_share", "full_value", "never_buy"]
#: More blocks than batches, so that batches hold several; plain Python, which takes 20 ms a game, plays few.
GAMES = 20 if JIT_DISABLED else 200


def short_games(n_seats):
    """Rules of games of a few lots, where only their number matters."""
    return load_edition("classic", {"deal": "[2,1,1,1]"}).rules(n_seats)


def total(run, name):
    return run.tallies.arrays[name].sum(axis=0)


def assert_same_tallies(a, b):
    assert list(a.tallies.arrays) == list(b.tallies.arrays)
    for name in a.tallies.arrays:
        assert np.array_equal(a.tallies.arrays[name], b.tallies.arrays[name]), name


@pytest.fixture(scope="module", params=[("classic", 4), ("online", 3), ("shill", 3), ("sotheby", 6)])
def counted(request):
    """A run of the kernel, and the records of the same games."""
    edition, players = request.param
    rules = load_edition(edition).rules(players)
    field = load_players(FIELD)
    run = simulate(field, rules, GAMES, tallies=tallies_for(rules), seed=3)
    return run, list(records_of_run(field, rules, 3, 0, run.n_games))


def test_threads_and_chunks_change_nothing():
    field = load_players(FIELD)
    rules = load_edition("classic").rules(4)
    whole = simulate(field, rules, 2000, tallies=tallies_for(rules), seed=9, threads=1)
    for threads, chunk in ((2, None), (1, 7), (2, 33)):
        assert_same_tallies(
            whole, simulate(field, rules, 2000, tallies=tallies_for(rules), seed=9, threads=threads, chunk=chunk)
        )


def test_a_run_of_other_rules_in_between_changes_nothing():
    # Tallies of crowns are counted by the second rules only.
    def counted(edition):
        rules = load_edition(edition).rules(4)
        run = simulate(load_players(["random", "never_buy"]), rules, 8, tallies=tallies_for(rules), threads=1)
        return run.tallies.cells

    before = counted("classic")
    assert counted("sotheby").shape != before.shape
    assert (counted("classic") == before).all()


def test_run_that_goes_on_ends_like_one_in_one_go():
    field = load_players(FIELD)
    rules = load_edition("online").rules(5)
    part = simulate(field, rules, 300, tallies=tallies_for(rules), seed=2)
    whole = simulate(field, rules, 1000, tallies=tallies_for(rules), seed=2, run=part)
    assert whole is part
    assert_same_tallies(whole, simulate(field, rules, 1000, tallies=tallies_for(rules), seed=2))


def test_games_are_rounded_up_to_whole_blocks():
    rules = short_games(5)
    run = simulate(load_players(["random"]), rules, 11, tallies=tallies_for(rules))
    assert run.n_games == 15
    assert total(run, "scores")[0, 0] == 75


def test_block_sums_are_those_of_the_records(counted):
    run, records = counted
    n = run.rules.players
    number = {name: s for s, name in enumerate(run.names)}
    expected = Counter()
    for block in range(0, len(records), n):
        wins, money, seats = Counter(), Counter(), Counter()
        for record in records[block : block + n]:
            for seat, name in enumerate(record["players"]):
                wins[number[name]] += wins_of(record)[seat]
                money[number[name]] += record["money"][seat]
                seats[number[name]] += 1
        for a in seats:
            for b in seats:
                sums = (seats[a] * seats[b], seats[a] * wins[b], wins[a] * wins[b], seats[a] * money[b])
                expected.update({(a, b, i): value for i, value in enumerate((*sums, money[a] * money[b], 1))})
    counts = total(run, "cross")
    assert all(counts[key] == count for key, count in expected.items())
    assert counts.sum() == sum(expected.values())


def test_batches_hold_the_blocks_in_turn():
    rules = short_games(4)
    run = simulate(load_players(["random"]), rules, 4 * (N_BATCHES + 3), tallies=tallies_for(rules))
    assert run.tallies.scores[:, 0, 0].tolist() == [32] * 3 + [16] * (N_BATCHES - 3)


def test_score_is_that_of_the_records():
    field = load_players(["random", "half_value", "fair_share"])
    rules = short_games(3)
    scores = score(field, rules, [2, 0, 1], 5, 40, seed=4)
    for block in (5, 44):
        records = [play_record(rules, field, [2, 0, 1], 4, 3 * block + rotation) for rotation in range(3)]
        for place in range(3):
            seats = [(place - rotation) % 3 for rotation in range(3)]
            money = [record["money"][seat] for record, seat in zip(records, seats, strict=True)]
            wins = [wins_of(record)[seat] / 840 for record, seat in zip(records, seats, strict=True)]
            assert scores.money[block - 5, place] == pytest.approx(sum(money) / 3)
            assert scores.win_share[block - 5, place] == pytest.approx(sum(wins) / 3)


def test_changing_one_player_moves_neither_deal_nor_other_dice():
    field = load_players(["random", "half_value", "fair_share"])
    rules = load_edition("classic").rules(4)
    n_shared = 0
    for game in range(40):
        one, other = (play_record(rules, field, [0, 0, 0, last], 6, game) for last in (1, 2))
        changed = (3 - game) % 4
        assert one["players"][changed] != other["players"][changed]
        assert one["first_seat"] == other["first_seat"]
        assert [r["dealt"] for r in one["rounds"]] == [r["dealt"] for r in other["rounds"]]
        # Until the changed player speaks, the others, who decide everything at random, do the very same.
        for a, b in zip(one["rounds"][0]["events"], other["rounds"][0]["events"], strict=False):
            if changed in (a.get("seat"), b.get("seat")) or a["e"] == "sealed":
                break
            assert a == b
            n_shared += 1
    assert n_shared > 40


@pytest.mark.parametrize(("n_strategies", "n_seats"), [(1, 4), (2, 4), (3, 4), (4, 4), (5, 4), (7, 3), (3, 8)])
def test_line_ups_let_everybody_meet_equally_often(n_strategies, n_seats):
    schedule = BalancedSchedule(n_strategies, n_seats, 1)
    rows = schedule.line_ups(0, 2 * schedule.n_tables)
    appearances = Counter(rows.ravel().tolist())
    assert len(set(appearances.values())) == 1
    meetings = Counter()
    for row in rows.tolist():
        meetings.update((a, b) for i, a in enumerate(row) for j, b in enumerate(row) if i != j and a != b)
    assert len(set(meetings.values())) <= 1
    assert np.array_equal(schedule.line_ups(3, 5), schedule.line_ups(0, 8)[3:])


def test_many_strategies_are_drawn_without_repeats():
    rows = BalancedSchedule(40, 8, 1).line_ups(0, 500)
    assert all(len(set(row)) == 8 for row in rows.tolist())
    assert min(Counter(rows.ravel().tolist()).values()) > 60


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"games": 0}, "games must be at least 1, got 0"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"threads": 0}, "threads must be at least 1, got 0"),
        ({"chunk": 0}, "chunk must be at least 1"),
        ({"players": []}, "at least one strategy"),
    ],
)
def test_numbers_out_of_range_are_refused(changes, message):
    arguments = {"players": load_players(["random"]), "rules": load_edition("classic").rules(4), "games": 4} | changes
    with pytest.raises(UsageError, match=message):
        simulate(arguments.pop("players"), arguments.pop("rules"), arguments.pop("games"), **arguments)
