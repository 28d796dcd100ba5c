"""Checks that a bidder is fit to play: in every edition, at every seat, by the rules, repeatably, without cheating."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from modernart.simulator.copying import copy_hand, copy_table
from modernart.simulator.decisions import Phase, is_legal
from modernart.simulator.errors import RecordsChanged, UsageError
from modernart.simulator.game import apply
from modernart.simulator.jit import call_act, kernel
from modernart.simulator.lineups import BalancedSchedule
from modernart.simulator.players import Player
from modernart.simulator.rules import Rules, builtin_editions, load_edition
from modernart.simulator.setup import games_of, seat_game
from modernart.simulator.simulate import score
from modernart.simulator.state import HAND_DTYPE, MAX_CARDS, new_games
from modernart.simulator.under_way import failure_of, playing
from modernart.simulator.works import describe_illegal
from modernart.strategies.scratch import deal_unseen, unseen_cards

#: Who sits at the table with the bidder that is checked.
COMPANY = ("half_value", "fair_share", "random")
#: Every edition is also played with these changes.
_VARIANTS: tuple[dict[str, str], ...] = ({}, {"open_style": "outcry"})


@dataclass(frozen=True)
class Finding:
    """Something wrong with a bidder.

    Parameters
    ----------
    what : str
        What it did, in a sentence.
    command : str
        A command that comes to the same point, or "".
    """

    what: str
    command: str = ""


@kernel
def ask(game):
    """Return the answer of the strategy at seat `table.seat`."""
    seat = game.table.seat
    return call_act(game.acts[seat], game.table, game.hands[seat])


@kernel
def ask_often(game, kept, times):
    """Ask the same question again and again, with the hand as it was; for measuring."""
    seat = game.table.seat
    total = 0
    for _ in range(times):
        copy_hand(game.hands[seat], kept)
        total += call_act(game.acts[seat], game.table, game.hands[seat])
    return total


def all_rules() -> Iterator[tuple[str, Rules]]:
    """Yield every edition with every number of players, in both styles of open auctions, with options for a command."""
    for edition in builtin_editions():
        for changes in _VARIANTS:
            one = load_edition(edition, changes)
            for players in range(one.players[0], one.players[-1] + 1):
                words = "".join(f" --rule {key}={value}" for key, value in changes.items())
                yield f"--edition {edition} --players {players}{words}", one.rules(players)


@cache
def scrambled_games() -> np.recarray:
    """Return games that hold nothing but random numbers."""
    games = new_games(64)
    scramble(games, np.random.default_rng(1))
    return games


def scramble(records: np.recarray, rng: np.random.Generator) -> None:
    """Fill records, and all records in them, with random whole numbers such as amounts and card codes may be.

    Parameters
    ----------
    records : recarray
        Written.
    rng : Generator
    """
    for name, (kind, *_) in (records.dtype.fields or {}).items():
        if kind.base.names:
            scramble(records[name].view(np.recarray), rng)
        elif kind.base == np.uint64:
            records[name] = rng.integers(2**64, size=records[name].shape, dtype=np.uint64)
        else:
            records[name] = rng.integers(100, size=records[name].shape)


def seat_table(game, players: Sequence[Player], rules: Rules, seed: int, number: int) -> list[int]:
    """Set a game of a run up, as `modernart record` with these players does; returns who sits where."""
    members = BalancedSchedule(len(players), rules.players, seed).line_ups(number // rules.players, 1)[0]
    return seat_game(game, rules, players, members, seed, number)


class Checker:
    """Checks one bidder at tables of one rule set.

    Parameters
    ----------
    player : Player
        The bidder.
    company : sequence of Player
        The others.
    rules : Rules
    options : str
        What a command needs to play by these rules.
    """

    def __init__(self, player: Player, company: Sequence[Player], rules: Rules, options: str) -> None:
        others = [company[k % len(company)] for k in range(rules.players - 1)]
        self.players = [player, *others]
        self.rules = rules
        self.options = options
        self.games = games_of(rules, 1)
        self.game = self.games[0]
        self.other_games = new_games(1)
        self.kept = new_games(1)[0].hands[0]
        self.n_decisions = 0

    def play(self, seed: int, number: int) -> Finding | None:
        """Play a game and return the first thing that is wrong, if any."""
        at_seat = seat_table(self.game, self.players, self.rules, seed, number)
        block, rotation = divmod(number, self.rules.players)
        line_up = np.array([np.roll(at_seat, rotation)])
        with playing(self.players, self.rules, seed, self.games, line_up, block, is_run=True):
            while self.game.table.phase != Phase.OVER:
                if at_seat[self.game.table.seat] == 0:
                    fault, answer = self._check_answer(seed, number)
                    if fault:
                        return Finding(fault, self._command(seed, number))
                else:
                    answer = int(ask(self.game))
                apply(self.game, answer)
        return None

    def _check_answer(self, seed: int, number: int) -> tuple[str, int]:
        """Ask the bidder twice and return what is wrong, or "", and its answer."""
        game = self.game
        table, hand = game.table, game.hands[game.table.seat]
        self.n_decisions += 1
        copy_hand(self.kept, hand)
        table_before = table.tobytes()
        cards = bytes_of_cards(hand)
        try:
            answer = int(ask(game))
        except Exception as error:
            what = str(error) if isinstance(error, RecordsChanged) else f"it fails with {failure_of(error)}"
            return f"{what} {self._place(seed, number)}", 0
        if table.tobytes() != table_before:
            return f"it writes to the table {self._place(seed, number)}", answer
        if bytes_of_cards(hand) != cards:
            return f"it writes to its hand, beyond notes and rng {self._place(seed, number)}", answer
        if not is_legal(table, hand, answer):
            return describe_illegal(game, self.players[0].name, answer, seed, number), answer
        after = hand.tobytes()
        copy_hand(hand, self.kept)
        if int(ask(game)) != answer or hand.tobytes() != after:
            return f"asked the same again it answers otherwise {self._place(seed, number)}", answer
        copy_hand(hand, self.kept)
        if self._answer_elsewhere() != answer:
            return f"its answer changes with what it cannot see {self._place(seed, number)}", answer
        return "", int(ask(game))

    def _answer_elsewhere(self) -> int:
        """Return its answer in a game of the same table and own hand, all else at random.

        Everything else is scrambled because compiled code can read past its records into the surrounding game record.
        """
        scrambled = scrambled_games()
        k = self.n_decisions % len(scrambled)
        self.other_games.view(np.uint8)[:] = scrambled[k : k + 1].view(np.uint8)
        game, other = self.game, self.other_games[0]
        seat = int(game.table.seat)
        copy_table(other.table, game.table)
        copy_hand(other.hands[seat], game.hands[seat])
        other.acts[:] = game.acts[seat]
        cards = np.zeros(MAX_CARDS, np.int16)
        n = unseen_cards(other.table, other.hands[seat], cards)
        deal_unseen(other, seat, cards, n, scrambled[k].key)
        return int(ask(other))

    def _place(self, seed: int, number: int) -> str:
        table = self.game.table
        phase = Phase(int(table.phase)).name
        return (
            f"({phase} at seat {int(table.seat)} in round {int(table.round_index) + 1} of game {number}, seed {seed})"
        )

    def _command(self, seed: int, number: int) -> str:
        names = " ".join(f'"{p.name.partition(" #")[0]}"' for p in self.players)
        return f"modernart record {names} {self.options} --seed {seed} --game {number}"


def bytes_of_cards(hand) -> tuple:
    """Return what a strategy must leave alone in its hand."""
    own = (int(hand.seat), int(hand.home), int(hand.n_cards))
    return (*own, hand.cards.tobytes(), hand.params.tobytes(), hand.fitting.tobytes())


def check_player(
    player: Player, company: Sequence[Player], games: int = 8, seed: int = 1
) -> tuple[list[Finding], dict[str, int]]:
    """Play a bidder in all editions and at all seats.

    Parameters
    ----------
    player : Player
    company : sequence of Player
        Who else sits at the table.
    games : int
        Least number of games for each rule set; at least one a seat.
    seed : int

    Returns
    -------
    findings : list of Finding
        At most one for each rule set.
    decisions : dict of str to int
        Decisions checked, by the options of the rule set.
    """
    findings = []
    decisions = {}
    player = player.careful()
    for options, rules in all_rules():
        checker = Checker(player, company, rules, options)
        for number in range(max(games, rules.players)):
            finding = checker.play(seed, number)
            if finding:
                findings.append(finding)
                break
        decisions[options] = checker.n_decisions
    return findings, decisions


def cost_per_decision(player: Player, rules: Rules, company: Sequence[Player], games: int = 4, seed: int = 1) -> float:
    """Return the processor time of a decision, in microseconds, over the decisions of whole games.

    Parameters
    ----------
    player : Player
    rules : Rules
    company : sequence of Player
    games, seed : int
    """
    others = [company[k % len(company)] for k in range(rules.players - 1)]
    players = [player, *others]
    game = games_of(rules, 1)[0]
    kept = np.zeros(1, HAND_DTYPE).view(np.recarray)[0]
    spent = 0.0
    n = 0
    times = 1
    for number in range(games):
        at_seat = seat_table(game, players, rules, seed, number)
        while game.table.phase != Phase.OVER:
            if at_seat[game.table.seat] == 0:
                copy_hand(kept, game.hands[game.table.seat])
                start = time.thread_time()
                ask_often(game, kept, times)
                took = time.thread_time() - start
                if n > 0:
                    spent += took / times
                # Long enough that the call from Python does not count.
                times = int(min(max(200e-6 / max(took / times, 1e-9), 1), 200))
                n += 1
                copy_hand(game.hands[game.table.seat], kept)
            if not apply(game, int(ask(game))):
                raise UsageError(f"{player.name} gives an illegal answer; `modernart check-bot` tells more")
    return 1e6 * spent / max(n - 1, 1)


def smoke_match(player: Player, company: Sequence[Player], blocks: int = 100, seed: int = 1) -> dict[str, float]:
    """Return the win share of everybody at one table of `classic`, by name."""
    players = [player, *company]
    scores = score(players, load_edition("classic").rules(len(players)), range(len(players)), 0, blocks, seed=seed)
    return {p.name: float(share) for p, share in zip(players, scores.win_share.mean(axis=0), strict=True)}
