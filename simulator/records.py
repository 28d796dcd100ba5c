"""Game records: files with one JSON object a line, checked by replaying them."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeGuard

from modernart.simulator.cards import UNKNOWN_CARD, AuctionKind, card_kind, parse_card
from modernart.simulator.decisions import STAY_OUT, Phase
from modernart.simulator.errors import RunError, UsageError
from modernart.simulator.events import AMOUNT, CARD, PILE, SECRET, WORDS, words_for
from modernart.simulator.files import parse_json, whole_file
from modernart.simulator.game import new_game
from modernart.simulator.interpreter import FORMAT, VERSION, Interpreter, reveal_card
from modernart.simulator.limits import MAX_WHOLE
from modernart.simulator.rules import Rules
from modernart.simulator.wording import cut, unknown

Record = dict[str, Any]

#: What a record may hold besides what the rules make of it: where it came from.
_ORIGIN = {"seed": MAX_WHOLE, "game": 2**53 - 1}
_KEYS = ("format", "version", "rules", *_ORIGIN, "players", "first_seat", "rounds", "money", "winners")
_ROUND_KEYS = {"dealt", "events", "result"}


class RecordError(RunError):
    """A malformed record, or one that contradicts the rules."""


def write_records(path: Path, records: Iterable[Record]) -> None:
    """Write records to a file, one a line; the file appears only when all are written."""
    with whole_file(path) as file:
        for record in records:
            file.write(json.dumps(record) + "\n")


#: The longest line that is read; a game of seven takes a hundredth of it. A device may have no end at all.
_MOST_CHARACTERS = 20_000_000


def read_records(path: Path) -> Iterator[tuple[int, Record]]:
    """Yield the line number, from 1, and the record of each line of a file; blank lines are skipped.

    Raises
    ------
    UsageError
        If the file cannot be read.
    RecordError
        If a line is not a JSON object.
    """
    try:
        with open(path, encoding="utf-8-sig") as file:
            for number, line in enumerate(iter(partial(file.readline, _MOST_CHARACTERS), ""), start=1):
                if len(line) == _MOST_CHARACTERS:
                    raise RecordError(f"{path}, line {number}: far too long for a record")
                if not line.strip():
                    continue
                try:
                    record = parse_json(line)
                except ValueError as error:
                    raise RecordError(f"{path}, line {number}: {error}") from None
                if not isinstance(record, dict):
                    raise RecordError(f"{path}, line {number}: a record must be a JSON object")
                yield number, record
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RecordError(f"{path} is not a text file in UTF-8") from None
    except ValueError:  # a NUL
        raise UsageError(f"cannot read {str(path)!r}: this is no name of a file") from None


def _check_keys(record: Record, known: Iterable[str], where: str = "") -> None:
    for key in record:
        if key not in known:
            raise RecordError(where + unknown("entry of a record", cut(str(key), 60), known))


def replay_record(
    record: Record, on_step: Callable[[Interpreter, list[dict] | None], None] | None = None
) -> Interpreter:
    """Replay the deals and decisions of a record and compare every event and result with the rules.

    Parameters
    ----------
    record : dict
    on_step : callable, optional
        Called with the interpreter and the events of each answer, and with None at the start of each round.

    Returns
    -------
    Interpreter
        With the finished game.

    Raises
    ------
    RecordError
        At the first disagreement; the message names round and event, counted from 1.
    """
    if not _is_same([record.get("format"), record.get("version")], [FORMAT, VERSION]):
        raise RecordError(f'a record must have "format": "{FORMAT}" and "version": {VERSION}')
    _check_keys(record, _KEYS)
    for key, high in _ORIGIN.items():
        value = record.get(key, 0)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= high:
            raise RecordError(f"{key} must be a whole number from 0 to {high}, got {_shown(value)}")
    try:
        rules = Rules.from_record(record.get("rules"))
    except UsageError as error:
        raise RecordError(str(error)) from None
    return _Replay(record, rules, on_step).play()


class _Replay:
    """The replay of one record."""

    def __init__(self, record: Record, rules: Rules, on_step: Callable | None) -> None:
        self.record = record
        self.rules = rules
        self.on_step = on_step or (lambda interpreter, events: None)
        self.interpreter = Interpreter(rules)
        self.round_index = 0
        self.event = 0
        self.unseen = Counter(rules.card_codes())

    @property
    def game(self):
        return self.interpreter.game

    def play(self) -> Interpreter:
        self._lay_deals()
        first_seat = self.record.get("first_seat")
        if not _is_whole(first_seat) or not 0 <= first_seat < self.rules.players:
            raise RecordError(f"first_seat must be from 0 to {self.rules.players - 1}, got {first_seat!r}")
        names = self.record.get("players", [""] * self.rules.players)
        if (
            not isinstance(names, list)
            or len(names) != self.rules.players
            or not all(isinstance(n, str) for n in names)
        ):
            raise RecordError(f"players must be a list of {self.rules.players} names")
        self.game.first_seat = first_seat
        new_game(self.game, 0)
        self.interpreter.start()
        self._check_deals()
        self._check_ended_rounds()
        self.on_step(self.interpreter, None)
        while not self.interpreter.is_over:
            self._step()
        final = self.interpreter.record()
        for key in ("money", "winners"):
            if not _is_same(self.record.get(key), final[key]):
                raise RecordError(f"{key}: the record has {self.record.get(key)}, the rules give {final[key]}")
        return self.interpreter

    def _lay_deals(self) -> None:
        """Put the recorded cards on top of the deck, in the order in which they are dealt."""
        rounds = self.record.get("rounds")
        if not isinstance(rounds, list) or len(rounds) != self.rules.rounds:
            raise RecordError(f"a game of these rules has {self.rules.rounds} rounds; give each, also an empty one")
        position = 0
        for index, told in enumerate(rounds):
            where = f"round {index + 1}"
            if not isinstance(told, Mapping) or not _ROUND_KEYS <= told.keys():
                raise RecordError(f"{where} must have dealt, events and result")
            _check_keys(dict(told), _ROUND_KEYS, f"{where}: ")
            if not isinstance(told["events"], list):
                raise RecordError(f"{where}: events must be a list")
            n_new = self.rules.deal[index]
            dealt = told["dealt"]
            is_fine = isinstance(dealt, list) and len(dealt) == self.rules.players
            fewest = 0 if self.rules.limits_hands else n_new
            if not is_fine or any(not _is_deal(cards, fewest, n_new) for cards in dealt):
                most = f"{n_new} cards" if fewest == n_new else f"at most {n_new} cards"
                raise RecordError(f"{where}: dealt must give each of {self.rules.players} seats {most}, or null")
            for cards in dealt:
                self.game.deck[position : position + n_new] = UNKNOWN_CARD
                for k, card in enumerate(cards or ()):
                    self.game.deck[position + k] = self._take(card, f"{where}, dealt")
                position += n_new
            if self.rules.shill != "none":
                position += n_new  # the shill's cards come to light when they are turned up

    def _check_deals(self) -> None:
        """Refuse a hand that took up more or fewer of the cards dealt so far than the hand limit lets it."""
        for index in range(len(self.interpreter.rounds)):
            for seat, cards in enumerate(self.record["rounds"][index]["dealt"]):
                n = self.interpreter.n_taken(index, seat)
                if cards is not None and len(cards) != n:
                    raise RecordError(
                        f"round {index + 1}, dealt: by the hand limit seat {seat} takes {n} new cards, "
                        f"the record has {len(cards)}"
                    )

    def _take(self, text: Any, where: str) -> int:
        """Return the code of a card taken from the deck."""
        code = self._code(text, where)
        if self.unseen[code] == 0:
            raise RecordError(f"{where}: card {text} comes up more often than the deck holds it")
        self.unseen[code] -= 1
        return code

    def _code(self, text: Any, where: str) -> int:
        if not isinstance(text, str):
            raise RecordError(f"{where}: a card must be written as text, got {_shown(text)}")
        try:
            return parse_card(text, self.rules.artists)
        except ValueError as error:
            raise RecordError(f"{where}: {error}") from None

    def _where(self, event: int) -> str:
        return f"round {self.round_index + 1}, event {event + 1}"

    def _step(self) -> None:
        """Play the next answer of the record and compare the events that follow."""
        interpreter = self.interpreter
        recorded = self.record["rounds"][self.round_index]["events"]
        start = self.event
        action = self._read_answer(recorded)
        try:
            events = interpreter.step(action)
        except ValueError as error:
            raise RecordError(f"{self._where(start)}: {error}") from None
        for told in events:
            there = recorded[self.event] if self.event < len(recorded) else None
            if not _is_same(there, told):
                raise RecordError(f"{self._where(self.event)}: the record has {_shown(there)}, the rules give {told}")
            self.event += 1
        self.on_step(interpreter, events)
        before = self.round_index
        self._check_ended_rounds()
        if self.round_index > before:
            self._check_deals()
        if self.round_index > before and not interpreter.is_over:
            self.on_step(interpreter, None)

    def _check_ended_rounds(self) -> None:
        """Compare the results of rounds that are over, including empty ones."""
        rounds = self.interpreter.rounds
        while self.round_index < len(rounds) and "result" in rounds[self.round_index]:
            told = self.record["rounds"][self.round_index]
            if self.event < len(told["events"]):
                extra = _shown(told["events"][self.event])
                raise RecordError(f"{self._where(self.event)}: the round is over, but the record goes on with {extra}")
            right = rounds[self.round_index]["result"]
            if isinstance(told["result"], Mapping):
                _check_keys(dict(told["result"]), right, f"round {self.round_index + 1}, result: ")
            for key, value in right.items():
                there = told["result"].get(key) if isinstance(told["result"], Mapping) else None
                if not _is_same(there, value):
                    where = f"round {self.round_index + 1}, result"
                    raise RecordError(f"{where}: the record has {key} {there}, the rules give {value}")
            self.round_index += 1
            self.event = 0

    def _read_answer(self, recorded: list) -> int:
        """Return the answer that the next event of the record stands for."""
        table = self.game.table
        phase = Phase(int(table.phase))
        seat = int(table.seat)
        where = self._where(self.event)
        words = words_for(phase)
        wanted = f"{where}: seat {seat} must answer with {' or '.join(words)}"
        if self.event >= len(recorded):
            raise RecordError(f"{wanted}, but the record has no more events in this round")
        event = recorded[self.event]
        if not isinstance(event, Mapping) or event.get("e") not in words:
            raise RecordError(f"{wanted}, the record has {_shown(event)}")
        carries = WORDS[event["e"]].carries
        if carries == SECRET:
            return self._read_secret(event, seat, where)
        if event.get("seat") != seat:
            raise RecordError(f"{wanted}, the record has {_shown(event)}")
        if carries == CARD:
            slot = self._slot_of(event.get("card"), seat, where)
            self._reveal_addition(event, recorded)
            return slot
        if carries == PILE:
            return self._read_flip(event, where)
        if carries == AMOUNT:
            amount = event.get("amount")
            # An answer that has a word of its own is not told as an amount.
            is_told_otherwise = any(WORDS[word].carries == amount for word in words)
            if not _is_whole(amount) or is_told_otherwise:
                raise RecordError(f"{where}: amount must be a whole number, got {amount!r}")
            return amount
        return int(carries)

    def _read_secret(self, event: Mapping, seat: int, where: str) -> int:
        amounts = event.get("amounts")
        if not isinstance(amounts, list) or len(amounts) != self.rules.players:
            raise RecordError(f"{where}: amounts must give one for each of {self.rules.players} seats")
        amount = amounts[seat]
        if amount is None:
            return STAY_OUT
        if not _is_whole(amount) or amount < 0:
            raise RecordError(f"{where}: seat {seat}'s amount must be a whole number from 0, got {amount!r}")
        return amount

    def _read_flip(self, event: Mapping, where: str) -> int:
        if event.get("card") is None:
            return 0
        self.game.pile[self.game.table.pile_size - 1] = self._take(event["card"], where)
        return 1

    def _slot_of(self, text: Any, seat: int, where: str, copies: int = 1) -> int:
        """Return the slot of a card of which a hand must hold some copies; unknown cards are revealed."""
        code = self._code(text, where)
        hand = self.game.hands[seat]
        slots = [slot for slot in range(int(hand.n_cards)) if hand.cards[slot] == code]
        if len(slots) >= copies:
            return slots[0]
        if UNKNOWN_CARD not in hand.cards[: hand.n_cards]:
            raise RecordError(f"{where}: seat {seat} does not hold {text}")
        reveal_card(self.game, seat, self._take(text, where))
        return self._slot_of(text, seat, where, copies)

    def _reveal_addition(self, event: Mapping, recorded: list) -> None:
        """Reveal the card that will be added to another from an unknown hand: who holds none is not asked."""
        if event["e"] != "play":
            return
        is_double = card_kind(self._code(event["card"], "")) == AuctionKind.DOUBLE
        if not is_double and self.rules.pairing != "same_kind":
            return
        for index in range(self.event + 1, len(recorded)):
            told = recorded[index]
            word = told.get("e") if isinstance(told, Mapping) else None
            if word in ("pair", "join"):
                seat = told.get("seat")
                if _is_whole(seat) and 0 <= seat < self.rules.players:
                    is_copy = (seat, told.get("card")) == (event.get("seat"), event["card"])
                    self._slot_of(told.get("card"), seat, self._where(index), 2 if is_copy else 1)
            if word != "decline":
                return


def _is_same(told: Any, right: Any) -> bool:
    """Return whether two pieces of records are identical: 1 is neither 1.0 nor true."""
    return json.dumps(told, sort_keys=True) == json.dumps(right, sort_keys=True)


def _is_deal(cards: Any, fewest: int, most: int) -> bool:
    """Return whether a deal gives a seat a number of cards that it can take, or leaves them unknown."""
    return cards is None or (isinstance(cards, list) and fewest <= len(cards) <= most)


def _is_whole(value: Any) -> TypeGuard[int]:
    """Return whether a value is a whole number in the range of money."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**31


def _shown(event: Any) -> str:
    """Quote a piece of a record, cut to a readable length."""
    text = "nothing" if event is None else json.dumps(event)
    return text if len(text) <= 120 else text[:117] + "..."
