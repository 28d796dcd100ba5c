"""A game on a real table, told in short lines: what is played, bid and sold, while hidden hands stay unknown."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from modernart.analysis.table.names import artist_words, read_card
from modernart.analysis.table.positions import SEAT_LETTERS, refuse_hand_limit
from modernart.simulator.cards import UNKNOWN_CARD, AuctionKind, card_artist, card_kind
from modernart.simulator.decisions import (
    ABOUT_A_LOT,
    ABOUT_A_SECOND,
    BUYING,
    DECLINE,
    IN_TURN,
    SECRET,
    STAY_OUT,
    Phase,
    can_be_second,
)
from modernart.simulator.errors import UsageError
from modernart.simulator.game import new_game
from modernart.simulator.interpreter import Interpreter, reveal_card
from modernart.simulator.rules import Rules
from modernart.simulator.wording import cut, one_of

#: Highest amount that a line may hold: what an int32 holds with room to spare.
_MOST = 10**8


@dataclass(frozen=True)
class Double:
    """A card that was put up and may take a second, before it is known whether one is added."""

    seat: int
    card: int

    @property
    def is_double(self) -> bool:
        """Whether it is a double; with `pairing` = `same_kind` it may be another card."""
        return card_kind(self.card) == AuctionKind.DOUBLE


@dataclass
class _Mark:
    """A state to come back to."""

    games: np.recarray
    rounds: list[tuple[list[Any], int]]
    interpreter: dict[str, Any]
    pending: Double | None
    first_seat: int | None
    known: dict[int, list[list[int] | None]]
    names: tuple[str, ...]


class Sitting:
    """A game as it is told, line by line.

    Parameters
    ----------
    rules : Rules
    names : sequence of str, optional
        Names of the players from the first seat clockwise; letters by default.
    artists : sequence of str, optional
        The user's own names of the artists, in board order.

    Attributes
    ----------
    interpreter : Interpreter
        The game so far; cards that nobody told are `UNKNOWN_CARD`.
    pending : Double or None
        A card, mostly a double, for which no second card, nor that it stays alone, was told yet.
    lines : list of str
        Lines that were taken.
    """

    def __init__(self, rules: Rules, names: Sequence[str] = (), artists: Sequence[str] = ()) -> None:
        refuse_hand_limit(rules)
        self.rules = rules
        self.names = check_names(names, rules) if names else tuple(SEAT_LETTERS[: rules.players])
        self._words = artist_words(rules.artists, artists)
        self.interpreter = Interpreter(rules)
        self.pending: Double | None = None
        self.first_seat: int | None = None
        #: Hands told, by seat and round.
        self.known: dict[int, list[list[int] | None]] = {}
        self.lines: list[str] = []
        self._marks: list[_Mark] = []

    @property
    def game(self) -> Any:
        """The game's record."""
        return self.interpreter.game

    @property
    def has_begun(self) -> bool:
        """Whether a card was put up."""
        return bool(self.interpreter.rounds)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.has_begun and self.interpreter.is_over

    def seat_of(self, word: str) -> int:
        """Return the seat that a name or a letter stands for.

        Raises
        ------
        UsageError
            If it is none.
        """
        names = [name.lower() for name in self.names]
        letters = list(SEAT_LETTERS[: self.rules.players].lower())
        for known in (names, letters):
            if word.lower() in known:
                return known.index(word.lower())
        raise UsageError(f'"{cut(word, 40)}" is no player; the players are {", ".join(self.names)}')

    def card(self, text: str) -> int:
        """Return the code of a card as people write it; it must be one of the deck."""
        code = read_card(text, self.rules.artists, self._words)
        if code not in self.rules.card_codes():
            raise UsageError(f"the deck has no {self.interpreter.card(code)}")
        return code

    def take(self, line: str) -> None:
        """Take a line; after an error the game is as it was.

        Raises
        ------
        UsageError
            If the line cannot be understood, or the rules forbid what it tells.
        """
        from modernart.analysis.table.lines import read_line

        mark = self._mark()
        try:
            read_line(self, line)
        except UsageError:
            self._restore(mark)
            raise
        self._marks.append(mark)
        self.lines.append(line.strip())

    def undo(self) -> str:
        """Take the last line back and return it.

        Raises
        ------
        UsageError
            If there is none.
        """
        if not self.lines:
            raise UsageError("there is no line to take back")
        self._restore(self._marks.pop())
        return self.lines.pop()

    def _mark(self) -> _Mark:
        interpreter = self.interpreter
        kept = {
            key: value for key, value in vars(interpreter).items() if key not in ("rules", "games", "game", "rounds")
        }
        return _Mark(
            interpreter.games.copy(),
            [(list(told.get("dealt", ())), len(told.get("events", ()))) for told in interpreter.rounds],
            kept | {"_secrets": dict(interpreter._secrets)},
            self.pending,
            self.first_seat,
            {seat: list(hands) for seat, hands in self.known.items()},
            self.names,
        )

    def _restore(self, mark: _Mark) -> None:
        interpreter = self.interpreter
        interpreter.games[:] = mark.games
        del interpreter.rounds[len(mark.rounds) :]
        for told, (dealt, n_events) in zip(interpreter.rounds, mark.rounds, strict=True):
            told["dealt"] = dealt
            del told["events"][n_events:]
        if interpreter.rounds and len(interpreter.rounds) == int(interpreter.game.table.round_index) + 1:
            interpreter.rounds[-1].pop("result", None)
        vars(interpreter).update(mark.interpreter)
        self.pending, self.first_seat, self.known, self.names = mark.pending, mark.first_seat, mark.known, mark.names

    # What lines tell.

    def begin(self, seat: int) -> None:
        """Begin the game with a seat as the first to put up a card."""
        game = self.game
        if self.first_seat is not None and self.first_seat != seat:
            raise UsageError(f"{self.names[self.first_seat]} starts, not {self.names[seat]}")
        self.first_seat = seat
        game.first_seat = seat
        game.deck[:] = UNKNOWN_CARD
        new_game(game, 0)
        self.interpreter.start()
        for other, hands in self.known.items():
            self._show(other, hands[0] or [], 0)

    def tell_hand(self, seat: int, cards: list[int]) -> None:
        """Take down the cards that a seat was dealt in the round under way."""
        index = int(self.game.table.round_index) if self.has_begun else 0
        n_new = self.rules.deal[index] if index < self.rules.rounds else 0
        name = self.names[seat]
        if len(cards) != n_new:
            raise UsageError(f"{name} is dealt {n_new} cards in round {index + 1}, got {len(cards)}")
        hands = self.known.setdefault(seat, [None] * self.rules.rounds)
        if hands[index] is not None:
            raise UsageError(f"the hand of {name} in round {index + 1} is told already; take that line back first")
        if self.has_begun and self.interpreter.rounds[index]["events"]:
            raise UsageError(f"tell the hand of {name} before the first card of the round is put up")
        hands[index] = cards
        self._check_copies()
        if self.has_begun:
            self._show(seat, cards, index)

    def _show(self, seat: int, cards: list[int], index: int) -> None:
        for code in cards:
            reveal_card(self.game, seat, code)
        if cards:
            self.interpreter.rounds[index]["dealt"][seat] = [self.interpreter.card(code) for code in cards]

    def _check_copies(self) -> None:
        """Refuse more copies of a card, in hands that were told and put up, than the deck holds."""
        held = [code for hands in self.known.values() for hand in hands for code in hand or ()]
        table = self.game.table
        for code in set(held):
            copies = self.rules.card_codes().count(code)
            if held.count(code) > copies:
                raise UsageError(f"{self.interpreter.card(code)} comes up more often than the deck holds it, {copies}")
        for seat in range(self.rules.players if self.has_begun else 0):
            for code in {int(code) for code in self.game.hands[seat].cards[: int(table.hand_sizes[seat])]}:
                self._check_seen(code, 0)

    def _check_seen(self, code: int, n_more: int) -> None:
        """Refuse a card of which all copies are told for already: put up, or in a hand."""
        if code == UNKNOWN_CARD:
            return
        table = self.game.table
        held = sum(
            int(other == code)
            for seat in range(self.rules.players)
            for other in self.game.hands[seat].cards[: int(table.hand_sizes[seat])]
        )
        copies = self.rules.card_codes().count(code)
        if int(table.seen[code]) + held + n_more > copies:
            raise UsageError(f"{self.interpreter.card(code)} comes up more often than the deck holds it, {copies}")

    def hold(self, seat: int, code: int, copies: int = 1) -> int:
        """Return the slot of a card that a hand holds, so many copies of it; they replace unknown cards if need be."""
        hand = self.game.hands[seat]
        slots = [slot for slot in range(int(hand.n_cards)) if hand.cards[slot] == code]
        if len(slots) >= copies:
            return slots[0]
        if UNKNOWN_CARD not in hand.cards[: int(hand.n_cards)]:
            raise UsageError(f"{self.names[seat]} does not hold {self.interpreter.card(code)}")
        self._check_seen(code, 1)
        reveal_card(self.game, seat, code)
        return self.hold(seat, code, copies)

    def play(self, seat: int, code: int) -> None:
        """Let a seat put up a card."""
        if not self.has_begun:
            self.begin(seat)
        self.finish()
        table = self.game.table
        if self.is_over:
            raise UsageError("the game is over")
        if int(table.phase) == Phase.FLIP:
            self.step(0)
        if int(table.phase) != Phase.CARD:
            raise UsageError(f"first tell how the lot of {self.names[int(table.auctioneer)]} was sold")
        if int(table.seat) != seat:
            raise UsageError(f"it is the turn of {self.names[int(table.seat)]}, not of {self.names[seat]}")
        slot = self.hold(seat, code)
        ends = int(table.cards_out[card_artist(code)]) + 1 >= self.rules.end_count
        takes_second = card_kind(code) == AuctionKind.DOUBLE or self._may_pair(seat, code)
        if takes_second and not ends and int(table.cards_in_hands) > 1:
            self.pending = Double(seat, code)
            return
        self.step(slot)

    def _may_pair(self, seat: int, code: int) -> bool:
        """Return whether the rules and a hand may allow a second card of the same kind as a single one put up."""
        if self.rules.pairing != "same_kind" or not can_be_second(code):
            return False
        hand = self.game.hands[seat]
        cards = [int(card) for card in hand.cards[: int(hand.n_cards)]]
        return UNKNOWN_CARD in cards or sum(_is_alike(card, code) for card in cards) > 1

    def sell_alone(self) -> None:
        """Let a single card stay alone to which the rules would let its seller add another: what follows tells so."""
        if self.pending is not None and not self.pending.is_double:
            self.leave_alone()

    def add(self, seat: int, code: int) -> None:
        """Let a seat add a card to the one that was put up."""
        double = self.pending
        if double is None:
            raise UsageError("there is no double to which a card can be added")
        if not double.is_double and seat != double.seat:
            raise UsageError(f"only {self.names[double.seat]} may add a card to {self.interpreter.card(double.card)}")
        is_fine = can_be_second(code) if double.is_double else _is_alike(code, double.card)
        if card_artist(code) != card_artist(double.card) or not is_fine:
            raise UsageError(f"{self.interpreter.card(code)} cannot be added to {self.interpreter.card(double.card)}")
        self.hold(seat, code, 2 if (seat, code) == (double.seat, double.card) else 1)
        self._settle_double(seat, code)

    def leave_alone(self) -> None:
        """Let the double that was put up stay alone."""
        if self.pending is None:
            raise UsageError("there is no double that could stay alone")
        self._settle_double(-1, 0)

    def _settle_double(self, seat: int, code: int) -> None:
        double = self.pending
        assert double is not None
        self.pending = None
        self.step(self.hold(double.seat, double.card))
        while int(self.game.table.phase) in ABOUT_A_SECOND:
            asked = int(self.game.table.seat)
            if asked == seat:
                self.step(self.hold(seat, code))
                return
            self.step(DECLINE)
        if seat >= 0:
            raise UsageError(f"{self.names[seat]} is not asked for a second card")

    def step(self, action: int) -> None:
        """Play an answer.

        Raises
        ------
        UsageError
            If it is not legal.
        """
        table = self.game.table
        name = self.names[int(table.seat)]
        try:
            self.interpreter.step(action)
        except ValueError:
            most = int(table.money[int(table.seat)])
            raise UsageError(
                f"{name} cannot answer {action} here, with {most} of money and {int(table.high_bid)} bid"
            ) from None

    def finish(self) -> None:
        """End what the next card shows to be over: a double that stayed alone, a round of bids."""
        if self.pending is not None:
            self.leave_alone()
        if not self.has_begun:
            return
        phase = int(self.game.table.phase)
        if phase in IN_TURN and int(self.game.table.high_bid) > 0:
            self._answer_while(IN_TURN, lambda seat: 0)

    def _answer_while(self, phases: Sequence[Phase], answer: Callable[[int], int]) -> None:
        """Answer for each seat that is asked, until the lot is sold."""
        n_sold = int(self.game.table.n_sold)
        while int(self.game.table.phase) in phases and int(self.game.table.n_sold) == n_sold:
            self.step(answer(int(self.game.table.seat)))

    def bid(self, bids: Sequence[tuple[int, int | None]]) -> None:
        """Take amounts, or None for a pass, in the order in which they were named."""
        self.sell_alone()
        if self.pending is not None:
            raise UsageError("say which card is added to the double, or that it stays alone, before the bids")
        phase = int(self.game.table.phase) if self.has_begun else Phase.CARD
        if phase in SECRET:
            self._bid_secretly({seat: amount for seat, amount in bids}, phase)
        elif phase in IN_TURN:
            self._bid_in_turn(bids)
        elif phase == Phase.PRICE and len(bids) == 1 and bids[0][1] is not None:
            self.ask(bids[0][0], bids[0][1])
        elif phase == Phase.ACCEPT and all(amount in (None, 0) for _, amount in bids):
            for seat, _ in bids:
                self._answer_until(Phase.ACCEPT, seat, "asked")
                self.step(0)
        else:
            raise UsageError("nobody can bid here; tell what is put up, or who accepts")

    def _bid_secretly(self, amounts: Mapping[int, int | None], phase: int) -> None:
        stays_out = STAY_OUT if phase == Phase.TENDER else 0

        def answer(seat: int) -> int:
            amount = amounts.get(seat, 0)
            return stays_out if amount is None else amount

        self._answer_while((Phase(phase),), answer)

    def _bid_in_turn(self, bids: Sequence[tuple[int, int | None]]) -> None:
        for seat, amount in bids:
            if int(self.game.table.phase) not in IN_TURN:
                if amount in (None, 0):
                    continue
                raise UsageError(f"the lot is sold before {self.names[seat]} could bid {amount}")
            if amount in (None, 0) and not self._is_asked(seat):
                continue
            self._answer_until(Phase(int(self.game.table.phase)), seat, "asked for a bid")
            self.step(amount or 0)

    def _is_asked(self, seat: int) -> bool:
        return int(self.game.table.seat) == seat

    def _answer_until(self, phase: Phase, seat: int, what: str) -> None:
        """Let all seats before one pass or refuse."""
        for _ in range(self.rules.players):
            if int(self.game.table.phase) != phase:
                break
            if self._is_asked(seat):
                return
            self.step(0)
        raise UsageError(f"{self.names[seat]} is not {what} here")

    def ask(self, seat: int, price: int) -> None:
        """Let the auctioneer ask a fixed price."""
        self.sell_alone()
        table = self.game.table
        if not self.has_begun or int(table.phase) != Phase.PRICE:
            raise UsageError("there is no lot at a fixed price for which a price could be asked")
        if seat >= 0 and int(table.seat) != seat:
            raise UsageError(f"{self.names[int(table.seat)]} asks the price, not {self.names[seat]}")
        self.step(price)

    def sell(self, seat: int, price: int | None) -> None:
        """Let a seat buy the lot; what is not told of the bids is filled in so that it comes out so."""
        self.sell_alone()
        if self.pending is not None:
            raise UsageError("say which card is added to the double, or that it stays alone, before the sale")
        phase = int(self.game.table.phase) if self.has_begun else Phase.CARD
        n_sold = int(self.game.table.n_sold)
        if phase in ABOUT_A_LOT:
            self._sell_now(Phase(phase), seat, price)
        elif not self.has_begun or n_sold == 0:
            raise UsageError("there is no lot to be sold")
        table = self.game.table
        sale = self.interpreter.game.sales[int(self.game.n_sales) - 1]
        buyer, paid = int(sale.buyer), int(sale.price)
        if buyer != seat or (price is not None and price != paid):
            told = f"{self.names[seat]}" + (f" {price}" if price is not None else "")
            raise UsageError(f"by the bids told {self.names[buyer]} buys for {paid}, not {told}")
        del table

    def _sell_now(self, phase: Phase, seat: int, price: int | None) -> None:
        table = self.game.table
        seller = int(table.auctioneer)
        if phase == Phase.PRICE:
            if price is None:
                raise UsageError("tell the price that was asked")
            self.step(price)
            phase = Phase(int(table.phase))
        if phase == Phase.ACCEPT:
            if seat != seller:
                self._answer_until(Phase.ACCEPT, seat, "asked whether to buy")
                self.step(1)
            else:
                self._answer_while((Phase.ACCEPT,), lambda asked: 0)
            return
        if phase in IN_TURN:
            self._sell_in_turn(seat, price)
            return
        if price is None:
            raise UsageError("tell for how much it was sold")
        self._answer_while((phase,), self._secret_answers(phase, seat, price, seller))

    def _sell_in_turn(self, seat: int, price: int | None) -> None:
        table = self.game.table
        bid = int(table.high_bid) if price is None else price

        def answer(asked: int) -> int:
            return bid if asked == seat and int(table.high_bidder) != seat and bid > int(table.high_bid) else 0

        self._answer_while(IN_TURN, answer)

    def _secret_answers(self, phase: Phase, seat: int, price: int, seller: int) -> Callable[[int], int]:
        """Return answers by which a seat buys at a price; in an open auction somebody else went one less far."""
        if phase == Phase.TENDER:
            return lambda asked: 0 if asked == seat else 1
        others = [(seller + k) % self.rules.players for k in range(1, self.rules.players + 1)]
        money = self.game.table.money
        second = next((other for other in others if other != seat and int(money[other]) >= price - 1), -1)

        def answer(asked: int) -> int:
            if asked == seat:
                return price
            return max(price - 1, 0) if phase == Phase.LIMIT and asked == second else 0

        return answer

    def nobody(self) -> None:
        """Let nobody bid, or accept."""
        self.sell_alone()
        phase = int(self.game.table.phase) if self.has_begun else Phase.CARD
        if self.pending is not None:
            self.leave_alone()
        elif phase in BUYING:
            self._answer_while((Phase(phase),), lambda asked: 0)
        elif phase == Phase.FLIP:
            self.step(0)
        else:
            raise UsageError("nobody is asked for a bid here")

    def turn_up(self, code: int | None) -> None:
        """Turn up a card of the shill's hand, or leave it."""
        table = self.game.table
        if not self.has_begun or int(table.phase) != Phase.FLIP:
            raise UsageError("no card of the shill can be turned up here")
        if code is not None:
            self._check_seen(code, 1)
            self.game.pile[int(table.pile_size) - 1] = code
        self.step(0 if code is None else 1)

    def status(self) -> str:
        """Return in a few words what is asked next."""
        if not self.has_begun:
            return "the first card"
        if self.is_over:
            return "the game is over"
        if self.pending is not None:
            if not self.pending.is_double:
                return f"a second card of the same kind, or the bids for {self.interpreter.card(self.pending.card)}"
            return "a second card for the double, or `alone`"
        table = self.game.table
        name = self.names[int(table.seat)]
        words = {
            Phase.CARD: f"{name} puts up a card",
            Phase.PRICE: f"{name} asks a price",
            Phase.ACCEPT: f"who buys for {int(table.high_bid)}",
            Phase.FLIP: f"{name} turns up a card of the shill, or leaves it",
        }
        return words.get(Phase(int(table.phase)), "the bids, or `sold NAME PRICE`")

    def record(self) -> dict[str, Any]:
        """Return the record of the finished game.

        Raises
        ------
        UsageError
            If it is not over.
        """
        if not self.is_over:
            raise UsageError(f"the game is not over: next comes {self.status()}")
        record = self.interpreter.record()
        head = {key: record[key] for key in ("format", "version", "rules")}
        return head | {"players": list(self.names)} | {key: record[key] for key in record if key not in head}


def _is_alike(code: int, other: int) -> bool:
    """Return whether two cards have the same artist and kind."""
    return card_artist(code) == card_artist(other) and card_kind(code) == card_kind(other)


def check_names(names: Sequence[str], rules: Rules) -> tuple[str, ...]:
    """Return the names of the players, which must be one word each and all different.

    Raises
    ------
    UsageError
        If they are not.
    """
    if len(names) != rules.players:
        raise UsageError(f"give {rules.players} names, got {len(names)}")
    if len({name.lower() for name in names}) != len(names):
        raise UsageError("two players have the same name; give each one of their own")
    for name in names:
        if not re.fullmatch(r"[^\W\d][\w']{0,19}", name):
            raise UsageError(f'"{cut(name, 40)}" must be one word of letters and digits, at most 20')
        if name.upper() in SEAT_LETTERS and SEAT_LETTERS.index(name.upper()) != list(names).index(name):
            raise UsageError(f"{name} is the letter of another seat; choose names that are not {one_of(SEAT_LETTERS)}")
    return tuple(names)


def amount_of(text: str) -> int:
    """Return a whole amount of money.

    Raises
    ------
    UsageError
        If it is none.
    """
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) > _MOST:
        raise UsageError(f'"{cut(text, 20)}" must be a whole amount of money')
    return int(text)
