"""Checks that a bidder is fit to play: in every edition, at every seat, by the rules, repeatably, without cheating."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from modernart.simulator.asking import consult
from modernart.simulator.copying import copy_hand, copy_table
from modernart.simulator.decisions import Phase, is_legal
from modernart.simulator.errors import RecordsChanged, UsageError
from modernart.simulator.events import say
from modernart.simulator.game import apply
from modernart.simulator.interpreter import Interpreter, ask
from modernart.simulator.jit import kernel
from modernart.simulator.lineups import BalancedSchedule
from modernart.simulator.players import Player
from modernart.simulator.rules import Rules, builtin_editions, load_edition
from modernart.simulator.setup import games_of, seat_game
from modernart.simulator.simulate import score
from modernart.simulator.state import HAND_DTYPE, MAX_CARDS, MAX_SEATS, new_games
from modernart.simulator.under_way import failure_of, playing
from modernart.simulator.works import IllegalAnswer, describe_illegal
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
    kind : str
        What it did, without the place: the same fault elsewhere has the same kind.
    n_rule_sets : int
        In how many rule sets it was found.
    """

    what: str
    command: str = ""
    kind: str = ""
    n_rule_sets: int = 1


@kernel
def play_to(game, is_checked):
    """Play on until a seat is asked that is checked, or the game is over, or an answer is illegal.

    Returns
    -------
    int
        The seat that is asked.
    """
    table = game.table
    while table.phase != Phase.OVER and not is_checked[table.seat]:
        if not apply(game, consult(game.acts[table.seat], table, game.hands[table.seat])):
            break
    return table.seat


@kernel
def put_elsewhere(other, game, state):
    """Give a game of random numbers the table and the own hand of the seat that is asked, and deal all unseen cards."""
    seat = game.table.seat
    copy_table(other.table, game.table)
    copy_hand(other.hands[seat], game.hands[seat])
    for k in range(MAX_SEATS):
        other.acts[k] = game.acts[seat]
    cards = np.zeros(MAX_CARDS, np.int16)
    deal_unseen(other, seat, cards, unseen_cards(other.table, other.hands[seat], cards), state)


@kernel
def ask_often(game, kept, times):
    """Ask the same question again and again, with the hand as it was; for measuring."""
    seat = game.table.seat
    total = 0
    for _ in range(times):
        copy_hand(game.hands[seat], kept)
        total += consult(game.acts[seat], game.table, game.hands[seat])
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
        # Views that stay: NumPy makes a record's fields anew at each access, which took most of the time.
        self.table = self.game.table
        self.hands = [self.game.hands[seat] for seat in range(rules.players)]
        self.other_games = new_games(1)
        self.other = self.other_games[0]
        self.other_bytes = self.other_games.view(np.uint8)
        self.scrambled = scrambled_games()
        self.scrambled_bytes = self.scrambled.view(np.uint8).reshape(len(self.scrambled), -1)
        self.kept = new_games(1)[0].hands[0]
        self.n_decisions = 0

    def play(self, seed: int, number: int) -> Finding | None:
        """Play a game and return the first thing that is wrong, if any."""
        at_seat = seat_table(self.game, self.players, self.rules, seed, number)
        is_checked = np.array([player == 0 for player in at_seat])
        block, rotation = divmod(number, self.rules.players)
        line_up = np.array([np.roll(at_seat, rotation)])
        with playing(self.players, self.rules, seed, self.games, line_up, block, is_run=True):
            while True:
                seat = int(play_to(self.game, is_checked))
                if self.table.phase == Phase.OVER:
                    return None
                finding = self._check_answer(self.hands[seat], seed, number)
                if finding:
                    return finding
                apply(self.game, int(ask(self.game)))

    def _check_answer(self, hand, seed: int, number: int) -> Finding | None:
        """Ask the bidder some times and return what is wrong, if anything."""
        game, table = self.game, self.table
        self.n_decisions += 1
        copy_hand(self.kept, hand)
        table_before = table.tobytes()
        cards = bytes_of_cards(hand)

        def found(kind: str, what: str | None = None) -> Finding:
            return Finding(what or f"{kind} {self._place(seed, number)}", self._command(seed, number), kind)

        try:
            answer = int(ask(game))
        except Exception as error:
            return found(str(error) if isinstance(error, RecordsChanged) else f"it fails with {failure_of(error)}")
        if table.tobytes() != table_before:
            return found("it writes to the table")
        if bytes_of_cards(hand) != cards:
            return found("it writes to its hand, beyond notes and rng")
        if not is_legal(table, hand, answer):
            kind = f"it gives an illegal answer to {Phase(int(table.phase)).name}"
            return found(kind, describe_illegal(game, self.players[0].name, answer, seed, number))
        after = hand.tobytes()
        copy_hand(hand, self.kept)
        if int(ask(game)) != answer or hand.tobytes() != after:
            return found("asked the same again it answers otherwise")
        copy_hand(hand, self.kept)
        if self._answer_elsewhere() != answer:
            return found("its answer changes with what it cannot see")
        return None

    def _answer_elsewhere(self) -> int:
        """Return its answer in a game of the same table and own hand, all else at random.

        Everything else is scrambled because compiled code can read past its records into the surrounding game record.
        """
        k = self.n_decisions % len(self.scrambled)
        self.other_bytes[:] = self.scrambled_bytes[k]
        put_elsewhere(self.other, self.game, self.scrambled[k].key)
        return int(ask(self.other))

    def _place(self, seed: int, number: int) -> str:
        table = self.table
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
        Each kind of fault once, with the number of rule sets where it is the first fault.
    decisions : dict of str to int
        Decisions checked, by the options of the rule set.
    """
    findings: dict[str, Finding] = {}
    decisions = {}
    player = player.careful()
    for options, rules in all_rules():
        checker = Checker(player, company, rules, options)
        for number in range(max(games, rules.players)):
            finding = checker.play(seed, number)
            if finding:
                first = findings.get(finding.kind, replace(finding, n_rule_sets=0))
                findings[finding.kind] = replace(first, n_rule_sets=first.n_rule_sets + 1)
                break
        decisions[options] = checker.n_decisions
    return list(findings.values()), decisions


def trace_game(
    player: Player, company: Sequence[Player], rules: Rules, options: str, seed: int, number: int
) -> Iterator[str]:
    """Play a game and yield lines that tell it: each event, and what the bidder saw and answered when it was asked.

    Parameters
    ----------
    player, company, rules, options
        As for `Checker`.
    seed, number : int

    Raises
    ------
    IllegalAnswer, RunError
        Where the bidder answers what is not legal, or fails.
    """
    players = Checker(player, company, rules, options).players
    interpreter = Interpreter(rules)
    game = interpreter.game
    at_seat = seat_table(game, players, rules, seed, number)
    interpreter.start()
    block, rotation = divmod(number, rules.players)
    line_up = np.array([np.roll(at_seat, rotation)])
    yield "seats: " + ", ".join(f"{seat} {players[k].name}" for seat, k in enumerate(at_seat))
    while not interpreter.is_over:
        table = game.table
        seat, round_index = int(table.seat), int(table.round_index)
        with playing(players, rules, seed, interpreter.games, line_up, block, is_run=True):
            answer = int(ask(game))
        if at_seat[seat] == 0:
            yield _decision_line(interpreter, answer)
        try:
            events = interpreter.step(answer)
        except ValueError:
            name = players[at_seat[seat]].name
            raise IllegalAnswer(describe_illegal(game, name, answer, seed, number)) from None
        yield from map(say, events)
        if interpreter.is_over or game.table.round_index > round_index:
            money = interpreter.rounds[round_index]["result"]["money"]
            yield f"  -- round {round_index + 1} is over; money {', '.join(map(str, money))}"


def _decision_line(interpreter: Interpreter, answer: int) -> str:
    """Tell what the bidder that is asked can see, in short, and what it answers."""
    table = interpreter.game.table
    seat = int(table.seat)
    hand = interpreter.game.hands[seat]
    cards = " ".join(interpreter.card(code) for code in hand.cards[: hand.n_cards])
    phase = Phase(int(table.phase))
    on_sale = ""
    if phase not in (Phase.CARD, Phase.FLIP):
        lot = " ".join(interpreter.card(code) for code in table.lot[: table.n_lot])
        bid = f", bid {int(table.high_bid)}" if table.high_bid else ""
        on_sale = f"; lot {lot} of seat {int(table.auctioneer)}{bid}"
    notes = {k: float(note) for k, note in enumerate(hand.notes) if note}
    kept = f"; notes {notes}" if notes else ""
    return f"> {phase.name} at seat {seat}: money {int(table.money[seat])}{on_sale}; hand {cards}{kept} -> {answer}"


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
