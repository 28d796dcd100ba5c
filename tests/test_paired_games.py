"""Forked duels: with one repeat the very outcomes of separate games; with more, the mean that a slow twin finds."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from modernart.analysis.cluster.travelling import code_of, grow, pack, shrink, unpack
from modernart.analysis.comparing.duel import duel
from modernart.simulator import paired_runs, streams
from modernart.simulator.decisions import ACT, DECLINE, Phase
from modernart.simulator.errors import RunError
from modernart.simulator.game import apply, new_deal, new_game
from modernart.simulator.jit import JIT_DISABLED, call_act, kernel
from modernart.simulator.paired_games import BRANCHED, FORKED, N_COUNTS, SHARED
from modernart.simulator.paired_runs import PairedBlocks, PairedScores, score_pair
from modernart.simulator.players import Player, acts_of, params_of
from modernart.simulator.rules import load_edition
from modernart.simulator.scoring import WIN_UNITS, richest
from modernart.simulator.setup import games_of
from modernart.simulator.simulate import Scores, score
from modernart.simulator.works import IllegalAnswer
from modernart.strategies.base import strategy
from modernart.strategies.specs import load_players, load_strategy
from modernart.strategies.tuning.focal_seat import FocalSeat
from modernart.strategies.tuning.paired_seat import PILOT, PairedSeat, best_repeats

CLASSIC = load_edition("classic").rules(4)
#: A and B: close variants; one that draws random numbers; one with notes; readers of bids, which never join again.
PAIRS = [
    ("predictive(open=0.9)", "predictive"),
    ("random", "half_value"),
    ("half_value", "random"),
    ("reader", "predictive"),
    ("reader", "reader(read_sealed=0)"),
]
TABLES = [
    ("classic", 3, {}),
    ("classic", 4, {}),
    ("classic", 5, {}),
    ("classic", 4, {"open_style": "outcry"}),
    ("online", 4, {}),
    ("shill", 3, {}),
    ("sotheby", 4, {}),
]
FIELD = ["half_value", "fair_share", "random", "reader"]
needs_jit = pytest.mark.skipif(JIT_DISABLED, reason="takes hundreds of games")


def some(deals):
    """Return how many deals to play: with the JIT off games are some hundred times slower."""
    return max(deals // 20, 1) if JIT_DISABLED else deals


def paired(a, b, field, rules, first, n, **options):
    players = load_players([a, b, *field])
    return score_pair(players, rules, line_ups(field, rules, first, n), first, n, **options)


def line_ups(field, rules, first, n):
    return FocalSeat(load_players(field), rules, 5).line_ups(first, n, n_before=2)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_one_repeat_gives_the_outcomes_of_separate_games(table):
    edition, n_seats, changes = table
    rules = load_edition(edition, changes).rules(n_seats)
    for field in [FIELD] if JIT_DISABLED else [["fair_share", "half_value"], FIELD]:
        seat = FocalSeat(load_players(field), rules, 5, 1)
        for a, b in PAIRS[1:2] if JIT_DISABLED else PAIRS:
            pair = PairedSeat(seat, *load_players([a, b]), repeats=1)
            apart = seat.score_all(load_players([a, b]), 40, some(24))
            for one, other in zip(pair.score(40, some(24)), apart, strict=True):
                for name in ("win_share", "money", "relative_money"):
                    np.testing.assert_array_equal(getattr(one, name), getattr(other, name), f"{a} {b} {field}")


@kernel
def ask(game):
    return call_act(game.acts[game.table.seat], game.table, game.hands[game.table.seat])


def lots_of(game):
    """Play a game and return it as it stood between lots."""
    stood = [game.copy()]
    while game.table.phase != Phase.OVER:
        assert apply(game, ask(game))
        if game.table.phase in (Phase.CARD, Phase.OVER):
            stood.append(game.copy())
    return stood


def public(game, n_seats, focal):
    """Return what two games must share to go on alike, where nobody reads bids."""
    table, hands = game["table"], game["hands"]
    shown = [table[name].tolist() for name in table.dtype.names if name not in ("heard", "rules")]
    own = [hands[seat][name].tolist() for seat in range(n_seats) if seat != focal for name in ("rng", "notes", "cards")]
    mine = hands[focal]
    return shown, own, mine["cards"][: mine["n_cards"]].tolist(), int(game["deck_position"])


def dealt_anew(game, start, repeat):
    """Shuffle the cards to come by Fisher and Yates."""
    rules = game.table.rules
    state = streams.stream_start(np.uint64(game.key), 0, repeat, 6)
    for i in range(start, int(rules.n_dealt)):
        if i == rules.n_deck - 1:
            break
        # Compiled functions return a plain int, which they take for a signed one.
        state = np.uint64(streams.step(np.uint64(state)))
        j = i + streams.scaled(state, int(rules.n_deck) - i)
        game.deck[i], game.deck[j] = int(game.deck[j]), int(game.deck[i])


def result(game, focal):
    table = game["table"]
    best, n = richest(table["money"], int(table["rules"]["n_seats"]))
    return np.array([WIN_UNITS / n if table["money"][focal] == best else 0, table["money"][focal]])


def twin(players, members, rules, deal, rotation, repeats):
    """Play both games whole, and both again from the first lot after which they differ; means of the focal seat."""
    n_seats = rules.players
    focal = -rotation % n_seats
    acts, params = acts_of(players), params_of(players, rules)
    stood = []
    for k in range(2):
        game = games_of(rules, 1)[0]
        for seat in range(n_seats):
            position = (seat + rotation) % n_seats
            who = members[position] if position else k
            game.acts[seat] = acts[who]
            game.hands[seat].params[:] = params[who]
        new_deal(game, np.uint64(5), deal)
        new_game(game, rotation)
        stood.append(lots_of(game))
    apart = [
        i
        for i, (x, y) in enumerate(zip(*stood, strict=False))
        if public(x, n_seats, focal) != public(y, n_seats, focal)
    ]
    if not apart:
        return np.array([result(games[-1], focal) for games in stood]), False
    at = [games[apart[0]] for games in stood]
    start = max(int(game["deck_position"]) for game in at)
    n = repeats if start < rules.n_dealt else 1
    means = np.zeros((2, 2))
    for k, source in enumerate(at):
        for repeat in range(n):
            game = games_of(rules, 1)
            game[0] = source
            if repeat:
                dealt_anew(game[0], start, repeat)
            means[k] += result(lots_of(game[0])[-1], focal) / n
    return means, True


@pytest.mark.parametrize("edition", ["classic", "sotheby"])
def test_twin_finds_the_same_means_of_four_repeats(edition):
    rules = load_edition(edition).rules(4)
    a, b, field = "predictive(open=0.9)", "predictive", ["fair_share", "half_value", "never_buy"]
    players = load_players([a, b, *field])
    n = 2  # deals of which some games fork, and some do not
    scores = paired(a, b, field, rules, 4, n, seed=5, threads=1, repeats=4)
    n_forked = 0
    for block, members in enumerate(line_ups(field, rules, 4, n)):
        found = [twin(players, members, rules, 4 + block, rotation, 4) for rotation in range(4)]
        wins, money = np.mean([means for means, _ in found], axis=0).T
        assert wins / WIN_UNITS == pytest.approx([one.win_share[block, 0] for one in scores.both])
        assert money == pytest.approx([one.money[block, 0] for one in scores.both])
        n_forked += sum(is_forked for _, is_forked in found)
    assert n_forked == scores.counts[:, FORKED].sum()
    assert 0 < n_forked < 4 * n


@needs_jit
def test_first_repeats_are_the_games_of_the_deals():
    once, often = (
        paired("predictive(open=0.9)", "predictive", ["fair_share"], CLASSIC, 0, 40, repeats=k) for k in (1, 4)
    )
    np.testing.assert_array_equal(once.first_shares, often.first_shares)
    np.testing.assert_array_equal(once.first_shares[:, 0], once.both[0].win_share[:, 0])
    assert (once.both[0].win_share != often.both[0].win_share).any()


def test_scores_depend_on_neither_threads_nor_pieces():
    n, half = some(70), some(66) // 2
    whole = paired("random", "half_value", ["fair_share"], CLASSIC, 0, n, repeats=2, threads=2)
    parts = [
        paired("random", "half_value", ["fair_share"], CLASSIC, f, n, repeats=2, threads=1)
        for f, n in ((0, half), (half, n - half))
    ]
    for k in range(2):
        np.testing.assert_array_equal(whole.both[k].money, np.concatenate([part.both[k].money for part in parts]))


def test_part_of_a_work_travels_to_a_worker_and_gives_the_same():
    field = ["fair_share"]
    players = load_players(["predictive(open=0.9)", "predictive", *field])
    n, first, n_there = (3, 1, 1) if JIT_DISABLED else (12, 4, 6)
    work = PairedBlocks(players, CLASSIC, 5, line_ups(field, CLASSIC, 0, n), 0, 2)
    packed = pickle.loads(pack(work.part(first, n_there), code_of(work)))
    there = unpack(packed, [load_strategy(one.spec).player() for one in packed.players])
    for whole, part in zip(work.play(0, n, 2), grow(shrink(there.play(first, n_there, 1))), strict=True):
        np.testing.assert_array_equal(whole[first : first + n_there], part)


def test_who_hears_bids_is_told_by_the_code():
    assert not any(load_strategy(name).hears for name in ("predictive", "fair_share", "half_value", "random"))
    assert all(load_strategy(name).hears for name in ("reader", "planner", "learned"))


@needs_jit
def test_games_join_again_only_where_nobody_hears():
    deaf = paired("predictive(open=0.9)", "predictive", ["fair_share"], CLASSIC, 0, 40)
    one_hears = paired("predictive(open=0.9)", "predictive", ["fair_share", "reader"], CLASSIC, 0, 40)
    assert deaf.counts[:, FORKED].mean() < 1 < 3.5 < one_hears.counts[:, FORKED].mean()


def parrot(table, hand):
    """Bid by what was heard, of which it keeps no notes."""
    if table.phase == Phase.PAIR or table.phase == Phase.JOIN:
        return DECLINE
    if table.phase == Phase.SEALED or table.phase == Phase.LIMIT:
        heard = 0
        for seat in range(table.rules.n_seats):
            heard += max(table.heard[seat], 0)
        return min(heard % 50, table.money[hand.seat])
    return 0


def test_bids_heard_count_where_somebody_reads_them_without_notes():
    a, b, rival = load_players(["predictive(open=0.4)", "predictive(open=0.5)", "fair_share"])
    reads = Player("parrot", kernel(parrot, signature=ACT), keeps_notes=False)
    deaf = replace(reads, hears=False)
    line_up = np.array([0, 2, 3, 2])
    money = [
        score_pair([a, b, rival, player], CLASSIC, np.tile(line_up, (12, 1)), 0, 12, threads=1).both[1].money
        for player in (reads, deaf)
    ]
    apart = score([a, b, rival, reads], CLASSIC, np.maximum(line_up, 1), 0, 12, threads=1).money
    np.testing.assert_array_equal(money[0], apart)
    assert (money[1] != apart).any()


def test_player_against_itself_shares_every_game_to_its_end():
    scores = paired("random", "random", ["fair_share"], CLASSIC, 0, some(20), repeats=4)
    assert scores.counts[:, FORKED].sum() == scores.counts[:, BRANCHED].sum() == 0
    np.testing.assert_array_equal(scores.both[0].money, scores.both[1].money)


def test_illegal_answer_is_named_as_in_separate_games():
    @strategy
    def cheat(table, hand):
        """Answer what is never legal from the second round on."""
        if table.round_index > 0:
            return -7
        return DECLINE if table.phase == Phase.PAIR or table.phase == Phase.JOIN else 0

    players = [load_strategy("half_value").player(), cheat.player(), load_strategy("fair_share").player()]
    with pytest.raises(IllegalAnswer, match=r'"cheat" answered -7 .* of game \d+ of seed 1'):
        score_pair(players, CLASSIC, np.tile([0, 2, 2, 2], (3, 1)), 0, 3, threads=1)


def test_illegal_answer_with_other_cards_stops_the_duel(monkeypatch):
    monkeypatch.setattr(paired_runs, "pair_blocks", lambda *_: False)
    with pytest.raises(RunError, match="where cards were dealt anew, in deals 0 to 1 of seed 1"):
        paired("half_value", "fair_share", ["half_value"], CLASSIC, 0, 2, threads=1)


def made_up(between, within, shared, branch, repeats=2, n=4000):
    """Return scores of deals whose differences vary so much between forks and within, at so much cost."""
    rng = np.random.default_rng(3)
    centre = rng.normal(0, np.sqrt(between), n)
    values = centre[:, None] + rng.normal(0, np.sqrt(within), (n, repeats))
    none = np.zeros((n, 4))
    ours = none.copy()
    ours[:, 0] = values.mean(axis=1)
    counts = np.zeros((n, N_COUNTS), np.int64)
    counts[:, FORKED], counts[:, SHARED], counts[:, BRANCHED] = 1, shared, repeats * branch
    firsts = np.column_stack([values[:, 0], np.zeros(n)])
    return PairedScores((Scores(ours, none, n), Scores(none, none, n)), firsts, repeats, counts)


@pytest.mark.parametrize(
    ("between", "within", "shared", "branch", "best"),
    # The optimum is sqrt(shared / branch * within / between).
    [(1, 4, 400, 100, 4), (1, 1, 400, 100, 2), (1, 1, 10, 400, 1), (0.01, 4, 400, 10, 16)],
)
def test_repeats_are_those_of_the_textbook(between, within, shared, branch, best):
    assert best_repeats([made_up(between, within, shared, branch)]) == best
    assert best_repeats([made_up(between, within, shared, branch, repeats=8)]) == best


@needs_jit
def test_pilot_comes_first_and_strangers_are_played_apart():
    seat = PairedSeat(
        FocalSeat(load_players(["fair_share"]), CLASSIC, 1, 1), *load_players(["half_value", "predictive"])
    )
    assert len(seat.score(0, PILOT + 40)[0].money) == PILOT + 40
    assert [one.repeats for one in seat.played] == [2, best_repeats(seat.played[:1])]

    @strategy
    def stranger(table, hand):
        """Add no card, and answer 0 to all else."""
        return DECLINE if table.phase == Phase.PAIR or table.phase == Phase.JOIN else 0

    seat = PairedSeat(
        FocalSeat(load_players(["fair_share"]), CLASSIC, 1, 1), stranger.player(), load_players(["random"])[0]
    )
    seat.score(0, 4)
    assert not seat.played


@needs_jit
def test_duel_agrees_with_separate_games_and_varies_less():
    """Both play the same deals, so they differ by what the repeats average out alone."""
    a, b, rivals = load_players(["predictive(open=0.9)", "predictive", "fair_share"])
    seat, n = FocalSeat([rivals], CLASSIC, 1), 1000
    apart = seat.score_all([a, b], 0, n)
    forked = PairedSeat(seat, a, b).score(0, n)
    for name in ("win_share", "money"):
        plain, ours = (getattr(one, name) - getattr(other, name) for one, other in (apart, forked))
        assert ours.mean() == pytest.approx(plain.mean(), abs=3 * (ours - plain).std() / np.sqrt(n))
        assert ours.var() < 0.6 * plain.var()
    outcome = duel(a, b, [rivals], CLASSIC, fixed=4 * n)
    assert outcome.difference == pytest.approx((forked[0].win_share - forked[1].win_share).mean())
    assert outcome.money_difference == pytest.approx((forked[0].money - forked[1].money).mean())
