"""Batches: the same games as the interpreter's, counted right, whatever the threads and chunks."""

from collections import Counter

import numpy as np
import pytest

from modernart.simulator.decisions import Form
from modernart.simulator.errors import UsageError
from modernart.simulator.games import records_of_run
from modernart.simulator.interpreter import play_record
from modernart.simulator.lineups import BalancedSchedule
from modernart.simulator.rules import load_edition
from modernart.simulator.simulate import score, simulate
from modernart.simulator.tallies import MAX_HOLDING, MAX_OUT, MONEY_STEP, N_BATCHES, N_MONEY, End
from modernart.strategies.specs import load_players
from naive.tallies import lots_of, wins_of

FIELD = ["random", "half_value", "fair_share", "full_value", "never_buy"]
#: More blocks than batches, so that batches hold several.
GAMES = 200


def total(run, name):
    return getattr(run.tallies, name).sum(axis=0)


def assert_same_tallies(a, b):
    for name, left, right in zip(a.tallies._fields, a.tallies, b.tallies, strict=True):
        assert np.array_equal(left, right), name


@pytest.fixture(scope="module", params=[("classic", 4), ("online", 3), ("shill", 3), ("sotheby", 6)])
def counted(request):
    """A run of the kernel, and the records of the same games."""
    edition, players = request.param
    rules = load_edition(edition).rules(players)
    field = load_players(FIELD)
    run = simulate(field, rules, GAMES, seed=3)
    return run, list(records_of_run(field, rules, 3, 0, run.n_games))


def test_threads_and_chunks_change_nothing():
    field = load_players(FIELD)
    rules = load_edition("classic").rules(4)
    whole = simulate(field, rules, 2000, seed=9, threads=1)
    for threads, chunk in ((2, None), (1, 7), (2, 33)):
        assert_same_tallies(whole, simulate(field, rules, 2000, seed=9, threads=threads, chunk=chunk))


def test_run_that_goes_on_ends_like_one_in_one_go():
    field = load_players(FIELD)
    rules = load_edition("online").rules(5)
    part = simulate(field, rules, 300, seed=2)
    whole = simulate(field, rules, 1000, seed=2, run=part)
    assert whole is part
    assert_same_tallies(whole, simulate(field, rules, 1000, seed=2))


def test_games_are_rounded_up_to_whole_blocks():
    run = simulate(load_players(["random"]), load_edition("classic").rules(5), 11)
    assert run.n_games == 15
    assert total(run, "scores")[0, 0] == 75


def test_scores_are_those_of_the_records(counted):
    run, records = counted
    expected = Counter()
    for record in records:
        for seat, name in enumerate(record["players"]):
            money = record["money"][seat]
            expected.update({(name, 0): 1, (name, 1): wins_of(record)[seat], (name, 2): money, (name, 3): money**2})
    assert {(name, m): total(run, "scores")[s, m] for s, name in enumerate(run.names) for m in range(4)} == expected


def test_seats_meetings_and_neighbours_are_those_of_the_records(counted):
    run, records = counted
    number = {name: s for s, name in enumerate(run.names)}
    n = run.rules.players
    seats, meetings, sides, classes = Counter(), Counter(), Counter(), Counter()
    for record in records:
        wins = wins_of(record)
        who = [number[name] for name in record["players"]]
        for seat in range(n):
            position = (seat - record["first_seat"]) % n
            seats.update({(who[seat], position, 0): 1, (who[seat], position, 1): wins[seat]})
            classes[who[seat], min(max(record["money"][seat], 0) // MONEY_STEP, N_MONEY - 1)] += 1
            for other in set(range(n)) - {seat}:
                meetings.update({(who[seat], who[other], 0): 1, (who[seat], who[other], 1): wins[seat]})
            for side, other in enumerate(((seat + 1) % n, (seat - 1) % n)):
                sides.update({(side, who[seat], who[other], 0): 1, (side, who[seat], who[other], 1): wins[seat]})
    assert all(total(run, "seats")[key] == count for key, count in seats.items())
    assert all(total(run, "meetings")[key] == count for key, count in meetings.items())
    assert all(total(run, "neighbours")[key] == count for key, count in sides.items())
    assert all(total(run, "money")[(*key, 0)] == count for key, count in classes.items())
    assert total(run, "meetings")[..., 0].sum() == len(records) * n * (n - 1)


def test_lots_trades_and_prices_are_those_of_the_records(counted):
    run, records = counted
    number = {name: s for s, name in enumerate(run.names)}
    lots, trades, prices, crowns = Counter(), Counter(), Counter(), Counter()
    for record in records:
        for lot in lots_of(record):
            out = min(lot["out"], MAX_OUT)
            own = int(lot["seller"] == lot["buyer"])
            form = Form[lot["form"]]
            cell = (lot["kind"], form, lot["round"], out, own)
            lots.update({(*cell, 0): 1, (*cell, 1): lot["price"], (*cell, 2): lot["value"]})
            people = [number[record["players"][lot[side]]] for side in ("seller", "buyer")]
            cell = (lot["kind"], form, *people)
            trades.update({(*cell, 0): 1, (*cell, 1): lot["price"], (*cell, 2): lot["value"]})
            cell = (lot["round"], lot["artist"], out)
            prices.update(
                {(*cell, 0): 1, (*cell, 1): lot["n_cards"], (*cell, 2): lot["price"], (*cell, 3): lot["value"]}
            )
            cell = (lot["kind"], lot["crowns"])
            if run.rules.carries_crowns:
                crowns.update({(*cell, 0): 1, (*cell, 1): lot["price"], (*cell, 2): lot["value"]})
    assert total(run, "crowns")[..., 0].sum() == sum(n for key, n in crowns.items() if key[-1] == 0)
    for name, expected in (("lots", lots), ("trades", trades), ("prices", prices), ("crowns", crowns)):
        counts = total(run, name)
        assert all(counts[key] == count for key, count in expected.items()), name
    assert (
        total(run, "lots")[..., 0].sum() == total(run, "trades")[..., 0].sum() == sum(map(len, map(lots_of, records)))
    )
    assert total(run, "curve")[..., 1].sum() == sum(lot["price"] for r in records for lot in lots_of(r))


def test_rounds_and_endings_are_those_of_the_records(counted):
    run, records = counted
    number = {name: s for s, name in enumerate(run.names)}
    ends, lengths, market, rounds = Counter(), Counter(), Counter(), Counter()
    artists = run.rules.artists
    for record in records:
        for r, one in enumerate(record["rounds"]):
            result = one["result"]
            ups = [e for e in one["events"] if e["e"] in ("play", "pair", "join") or (e["e"] == "flip" and e["card"])]
            lengths[r, len(ups), 0] += 1
            rounds.update({(r, 0): 1, (r, 2): sum(result["payout"]), (r, 3): sum(result["money"])})
            rounds[r, 4] += sum(money < 0 for money in result["money"])
            for rank, artist in enumerate(artists):
                place = result["ranking"].index(artist) if artist in result["ranking"] else len(artists)
                market[r, rank, place, 0] += 1
            ender = result["ended_by"]
            if ender is None:
                continue
            last = ups[-1]
            artist = last["card"].split("-")[0]
            held = sum(
                len(e["cards"])
                for e in one["events"]
                if e["e"] == "sale"
                and e["buyer"] == ender
                and e["cards"][0].startswith(artist + "-")
                and e["cards"][0].split("-")[1][0] != "B"
            )
            how = {"play": End.SINGLE, "pair": End.PAIRED, "join": End.JOINED, "flip": End.SHILL}[last["e"]]
            how = End.HANDS_EMPTY if result["reason"] == "hands_empty" else how
            cell = (number[record["players"][ender]], r, how, min(held, MAX_HOLDING))
            after = (ender + 1) % run.rules.players
            ends.update({(*cell, 0): 1, (*cell, 1): result["payout"][ender], (*cell, 2): result["payout"][after]})
            ends.update({(*cell, 4): wins_of(record)[ender], (*cell, 5): wins_of(record)[after]})
    for name, expected in (("ends", ends), ("lengths", lengths), ("market", market), ("rounds", rounds)):
        counts = total(run, name)
        assert all(counts[key] == count for key, count in expected.items()), name
    assert total(run, "ends")[..., 0].sum() == sum(count for key, count in ends.items() if key[-1] == 0)


def test_leaders_are_those_of_the_records(counted):
    run, records = counted
    for r in range(run.rules.rounds):
        units = 0
        for record in records:
            money = record["rounds"][r]["result"]["money"]
            leaders = [seat for seat, m in enumerate(money) if m == max(money)]
            units += sum(wins_of(record)[seat] for seat in leaders) * (840 // len(leaders))
        assert total(run, "leaders")[r].tolist() == [len(records), units]


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
    run = simulate(load_players(["random"]), load_edition("classic").rules(4), 4 * (N_BATCHES + 3))
    assert run.tallies.scores[:, 0, 0].tolist() == [32] * 3 + [16] * (N_BATCHES - 3)


def test_score_is_that_of_the_records():
    field = load_players(["random", "half_value", "fair_share"])
    rules = load_edition("classic").rules(3)
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
        # Until the changed player speaks, the others, who throw dice for everything, do the very same.
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
