"""Positions: a decision of one seat, with all that the seat saw before it, and no more."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from modernart.analysis.table.scenes import ADD, AMOUNT, N_COLUMNS, PUT, TURN
from modernart.simulator.auctions import UNHEARD
from modernart.simulator.cards import format_card, parse_card
from modernart.simulator.decisions import SECRET, STAY_OUT, Phase
from modernart.simulator.errors import UsageError
from modernart.simulator.events import WORDS
from modernart.simulator.interpreter import Interpreter
from modernart.simulator.limits import MAX_CARDS, MAX_HAND, MAX_ROUNDS, MAX_SEATS
from modernart.simulator.rules import Rules
from modernart.simulator.setup import games_of

#: Letters by which people name the seats at a table.
SEAT_LETTERS = "ABCDEFGH"
#: No bid can be higher.
_NO_LIMIT = 100_000

Event = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Position:
    """A decision of one seat.

    Parameters
    ----------
    rules : Rules
    seat : int
        Who decides.
    phase : Phase
        What is asked.
    base : recarray of GAME_DTYPE, shape (1,)
        The table before the first of `steps`; `table.starter` is the seat that puts up the next card.
    steps : ndarray of int64, shape (n, N_COLUMNS)
        What was done since then, as `modernart.analysis.table.scenes` reads it.
    sizes : ndarray of int64, shape (MAX_SEATS,)
        Cards in each hand before the first step.
    known : ndarray of int64, shape (MAX_SEATS, MAX_ROUNDS, MAX_HAND)
        The cards that the seat holds and held, by round; -1 where a hand is hidden.
    played : ndarray of int64, shape (n, 3)
        Cards that hidden hands put up: card, seat, round.
    last : int
        Last round that was dealt, from 0.
    pool : ndarray of int16, shape (MAX_CARDS,)
        Cards that the seat cannot place; the first `n_pool` count.
    n_pool : int
    names : tuple of str
        How the seats are called.
    place : str
        Where it comes from, to be named in messages.
    """

    rules: Rules
    seat: int
    phase: Phase
    base: np.recarray
    steps: np.ndarray
    sizes: np.ndarray
    known: np.ndarray
    played: np.ndarray
    last: int
    pool: np.ndarray
    n_pool: int
    names: tuple[str, ...]
    place: str = ""

    @property
    def new(self) -> np.ndarray:
        """Cards dealt to each seat by round, int64 of shape (MAX_ROUNDS,)."""
        return np.array([*self.rules.deal, *[0] * (MAX_ROUNDS - self.rules.rounds)], np.int64)

    @property
    def hidden(self) -> np.ndarray:
        """Which seats' cards are not known, bool of shape (MAX_SEATS,)."""
        first = int(self.base[0].table.round_index)
        return (self.sizes > 0) & (self.known[:, first, 0] < 0)

    @property
    def knows_hand(self) -> bool:
        """Whether the cards of the seat that decides are known."""
        return not self.hidden[self.seat]

    @property
    def n_hidden(self) -> int:
        """Cards in the hidden hands."""
        first = int(self.base[0].table.round_index)
        dealt = int(self.new[first + 1 : self.last + 1].sum())
        return int((self.sizes[self.hidden] + dealt).sum()) - len(self.played)

    def card(self, code: int) -> str:
        """Return the text of a card code."""
        return format_card(int(code), self.rules.artists, self.rules.carries_crowns)


@dataclass
class _Account:
    """What one seat has seen of a game so far."""

    rules: Rules
    seat: int
    steps: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    put_up: list[tuple[int, int, int]] = field(default_factory=list)
    flipped: list[int] = field(default_factory=list)
    auctioneer: int = 0

    def note(self, events: Sequence[Event], round_index: int, tells_limits: bool) -> None:
        """Take over the events of a round."""
        for i, event in enumerate(events):
            self._note_one(event, round_index, events[i + 1 :], tells_limits)

    def _note_one(self, event: Event, round_index: int, later: Sequence[Event], tells_limits: bool) -> None:
        word, seat = event["e"], event.get("seat", 0)
        if word in ("play", "pair", "join"):
            code = parse_card(event["card"], self.rules.artists)
            self.put_up.append((code, seat, round_index))
            self.steps.append((PUT if word == "play" else ADD, seat, code, 0, -1))
            if word != "pair":
                self.auctioneer = seat
        elif word == "sealed":
            self._note_secrets(event["amounts"])
        elif word == "limit":
            self.steps.append((AMOUNT, seat, event["amount"], *heard_range(event, later, tells_limits)))
        elif word in ("bid", "price"):
            self.steps.append((AMOUNT, seat, event["amount"], event["amount"], event["amount"]))
        elif word in ("pass", "accept", "refuse"):
            answer = int(WORDS[word].carries)
            self.steps.append((AMOUNT, seat, answer, 0, 0))
        elif word == "flip":
            card = event["card"]
            code = parse_card(card, self.rules.artists) if card is not None else 0
            self.steps.append((TURN, seat, code, 0, -1))
            self.flipped += [code] if code else []

    def _note_secrets(self, amounts: Sequence[int | None]) -> None:
        """Note a sealed auction in the order in which the engine asks: from the auctioneer's left."""
        n_seats = self.rules.players
        for k in range(1, n_seats + 1):
            seat = (self.auctioneer + k) % n_seats
            told = amounts[seat]
            amount = STAY_OUT if told is None else told
            self.steps.append((AMOUNT, seat, amount, amount, amount))


def heard_range(event: Event, later: Sequence[Event], tells_limits: bool) -> tuple[int, int]:
    """Return between which amounts a limit lies for all that the table heard: the buyer's stays open above the price.

    Parameters
    ----------
    event : dict
        The limit.
    later : sequence of dict
        What follows it.
    tells_limits : bool
        Whether the limits of those who did not buy were noted; a game typed from a real table tells only the sale.
    """
    sale = next((one for one in later if one["e"] == "sale"), None)
    if sale is None:
        return 0, -1
    if sale["buyer"] == event["seat"]:
        return sale["price"], _NO_LIMIT
    limit = min(event["amount"], sale["price"])
    return (limit, limit) if tells_limits else (0, sale["price"])


def position_from_rounds(
    rules: Rules,
    first_seat: int,
    rounds: Sequence[Mapping[str, Any]],
    seat: int,
    phase: Phase,
    *,
    names: Sequence[str] = (),
    place: str = "",
    sees_all: bool = False,
) -> Position:
    """Return the decision of a seat after the events of the rounds so far, from what that seat saw.

    Parameters
    ----------
    rules : Rules
    first_seat : int
        Who started the first round.
    rounds : sequence of dict
        As in a record, `dealt` and `events`; the last one is under way and ends before the decision. Limits that
        others named in the auction under way are left out, as nobody has heard them.
    seat : int
        Who decides. If its `dealt` is null, its hand counts as hidden too.
    phase : Phase
        What is asked.
    names : sequence of str, optional
        Names of the seats; letters by default.
    place : str
        For messages.
    sees_all : bool
        Whether all hands that the rounds tell are known, as to somebody who walks around the table.
    """
    base = base_game(rules, first_seat)
    account = _Account(rules, seat)
    tells_limits = all(cards is not None for told in rounds for cards in told["dealt"])
    for index, told in enumerate(rounds):
        events = list(told["events"])
        if index == len(rounds) - 1:
            events = _before_secrets(events, phase)
        account.note(events, index, tells_limits)
    own = {}
    for other in range(rules.players) if sees_all else (seat,):
        dealt = [told["dealt"][other] for told in rounds]
        if all(cards is not None for cards in dealt):
            own[other] = [[parse_card(card, rules.artists) for card in cards] for cards in dealt]
    sizes = np.zeros(MAX_SEATS, np.int64)
    sizes[: rules.players] = rules.deal[0]
    return _position(base, account, sizes, own, 0, len(rounds) - 1, phase, names, place)


def position_from_table(
    rules: Rules,
    base: np.recarray,
    sizes: np.ndarray,
    hand: Sequence[int],
    events: Sequence[Event],
    seat: int,
    phase: Phase,
    *,
    names: Sequence[str] = (),
    place: str = "",
) -> Position:
    """Return the decision of a seat after events that follow a table in the middle of a round.

    Parameters
    ----------
    rules : Rules
    base : recarray of GAME_DTYPE, shape (1,)
        The table; `table.starter` puts up the next card.
    sizes : ndarray of int64, shape (MAX_SEATS,)
        Cards in each hand there.
    hand : sequence of int
        The seat's own cards there.
    events, seat, phase, names, place
        As for `position_from_rounds`.
    """
    account = _Account(rules, seat)
    index = int(base[0].table.round_index)
    account.note(_before_secrets(list(events), phase), index, False)
    return _position(base, account, sizes, {seat: [hand]}, index, index, phase, names, place)


def position_of_game(interpreter: Interpreter, *, names: Sequence[str] = (), place: str = "") -> Position:
    """Return the decision that a game under way asks for, as the seat that is asked sees it.

    Parameters
    ----------
    interpreter : Interpreter
        Not changed.
    names, place
        As for `position_from_rounds`.
    """
    table = interpreter.game.table
    return position_from_rounds(
        interpreter.rules,
        interpreter.first_seat,
        interpreter.rounds,
        int(table.seat),
        Phase(int(table.phase)),
        names=names,
        place=place,
    )


def refuse_hand_limit(rules: Rules) -> None:
    """Refuse rules by which players may leave dealt cards aside.

    Raises
    ------
    UsageError
        If they do.
    """
    if rules.limits_hands:
        raise UsageError(
            f"with hand_limit = {rules.hand_limit} cards leave the game unseen, which advice, reviews and logs cannot "
            "follow; use rules without a hand limit there"
        )


def base_game(rules: Rules, starter: int) -> np.recarray:
    """Return a game (shape (1,)) before its first card, which `starter` puts up.

    Raises
    ------
    UsageError
        If the rules limit hands.
    """
    refuse_hand_limit(rules)
    base = games_of(rules, 1)
    table = base[0].table
    table.starter = starter
    table.owner = -1
    table.last_buyer = -1
    table.heard[:] = UNHEARD
    table.money[: rules.players] = rules.money_at_start(starter)
    if rules.shill != "none":
        table.pile_size = rules.deal[0]
    return base


def _before_secrets(events: list[Event], phase: Phase) -> list[Event]:
    """Return the events without the limits named in the auction under way."""
    while phase in SECRET and events and events[-1]["e"] == "limit":
        events.pop()
    return events


def _position(
    base: np.recarray,
    account: _Account,
    sizes: np.ndarray,
    own: Mapping[int, Sequence[Sequence[int]]],
    first: int,
    last: int,
    phase: Phase,
    names: Sequence[str],
    place: str,
) -> Position:
    rules, seat = account.rules, account.seat
    known = np.full((MAX_SEATS, MAX_ROUNDS, MAX_HAND), -1, np.int64)
    left = list(rules.card_codes())
    seen = np.array(base[0].table.seen)
    for told in np.flatnonzero(seen):
        for _ in range(int(seen[told])):
            _take(left, int(told), rules, place)
    for other, hands in own.items():
        for k, cards in enumerate(hands):
            known[other, first + k, : len(cards)] = cards
            for code in cards:
                _take(left, code, rules, place)
    hidden = [one for one in account.put_up if one[1] not in own]
    for code in [one[0] for one in hidden] + account.flipped:
        _take(left, code, rules, place)
    still_to_deal = sum(rules.deal[last + 1 :]) * (rules.players + (rules.shill != "none"))
    pool = np.zeros(MAX_CARDS, np.int16)
    pool[: len(left)] = left
    position = Position(
        rules,
        seat,
        phase,
        base,
        np.array(account.steps, np.int64).reshape(-1, N_COLUMNS),
        sizes,
        known,
        np.array(hidden, np.int64).reshape(-1, 3),
        last,
        pool,
        len(left),
        tuple(names) or tuple(SEAT_LETTERS[: rules.players]),
        place,
    )
    if position.n_hidden + still_to_deal > len(left):
        raise UsageError(
            f"{position.n_hidden} hidden cards and {still_to_deal} to be dealt, but only {len(left)} are left"
        )
    return position


def _take(left: list[int], code: int, rules: Rules, place: str) -> None:
    """Take a card from those that are left."""
    if code not in left:
        card = format_card(code, rules.artists, rules.carries_crowns)
        copies = rules.card_codes().count(code)
        raise UsageError(f"{place + ': ' if place else ''}{card} comes up more often than the deck holds it, {copies}")
    left.remove(code)
