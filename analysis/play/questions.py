"""What a player is asked, as plain data: the text, the answers that are legal, and what a typed answer means."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from modernart.analysis.table.names import artist_words, read_card
from modernart.simulator.cards import KIND_LETTERS, KIND_NAMES, AuctionKind, parse_card
from modernart.simulator.decisions import DECLINE, STAY_OUT, Phase, budget, fits
from modernart.simulator.errors import UsageError
from modernart.simulator.interpreter import Interpreter

_TEXTS = {
    Phase.CARD: "Which card do you put up?",
    Phase.PAIR: "Which card do you add to your double?",
    Phase.JOIN: "Which card do you add to the double? Then you are the auctioneer of both.",
    Phase.LIMIT: "How far do you go?",
    Phase.BID: "What do you bid?",
    Phase.RAISE: "What do you bid?",
    Phase.SEALED: "What do you write down?",
    Phase.PRICE: "What do you ask?",
    Phase.ACCEPT: "Do you buy?",
    Phase.FLIP: "Do you turn up a card of the shill's pile?",
    Phase.TENDER: "What do you put in?",
}

_EXPLANATIONS = {
    Phase.CARD: "The card is sold in the way of its kind, and you get the money. It counts for its artist's rank. "
    "The card that ends the round is not sold.",
    Phase.PAIR: "The two are sold together in the way of the second. Without a second card the others are asked, "
    "from your left; if nobody adds one, you keep the double for nothing.",
    Phase.JOIN: "You sell both cards in the way of yours, and the money goes to you as the rules of this edition say.",
    Phase.LIMIT: "Everyone names a limit in secret. The highest buys at one above the second highest, or at their own "
    "limit if that is lower; on a tie, the first from the auctioneer's left.",
    Phase.BID: "Everyone bids once, from the auctioneer's left; the auctioneer comes last.",
    Phase.RAISE: "Raise or pass. A pass is not final: you are asked again when somebody bids.",
    Phase.SEALED: "All amounts are shown at once and the highest buys.",
    Phase.PRICE: "From your left everyone may buy at this price. If nobody does, you buy at it from the bank.",
    Phase.ACCEPT: "If you refuse, the next player is asked.",
    Phase.FLIP: "The card is not sold, but counts for its artist's rank, and may end the round.",
    Phase.TENDER: "The lowest takes the card, which costs its owner money if the artist ranks, and pays nothing. "
    "All others pay what they put in.",
}

_YES, _NO = ("y", "yes", "1"), ("n", "no", "0")


#: The same of a card that is no double, where the rules let its seller add one of its kind.
_PAIR_TEXT = "Which card of the same kind do you add?"
_PAIR_EXPLANATION = "The two are sold together. Without a second card the first is sold alone."


class EntryError(UsageError):
    """What a player typed is no answer; the message says what is."""


@dataclass(frozen=True)
class Question:
    """A decision that a player is asked for.

    Parameters
    ----------
    seat : int
    phase : Phase
    cards : tuple of (str, int)
        Cards to choose from, each once, and the answer that each stands for.
    low, high : int
        Bounds of an amount; `high` is below `low` where there is no amount to name.
    other : tuple of (str, int)
        Answers that are neither card nor amount, with their words.
    artists, artist_names : tuple of str
        Codes of the artists, and names by which cards may be called besides those of all printings.
    """

    seat: int
    phase: Phase
    cards: tuple[tuple[str, int], ...] = ()
    low: int = 0
    high: int = -1
    other: tuple[tuple[str, int], ...] = ()
    artists: tuple[str, ...] = ()
    artist_names: tuple[str, ...] = ()
    pairs_single: bool = False

    @property
    def text(self) -> str:
        """The question."""
        if self.pairs_single:
            return _PAIR_TEXT
        return _TEXTS[self.phase]

    @property
    def explanation(self) -> str:
        """What the rules say about it."""
        if self.pairs_single:
            return _PAIR_EXPLANATION
        return _EXPLANATIONS[self.phase]

    @property
    def bounds(self) -> str:
        """The legal answers, in words."""
        amount = [f"{self.low}-{self.high}"] if self.high >= self.low else []
        cards = [f"1-{len(self.cards)}"] if self.cards else []
        return ", ".join(amount + cards + [f"{_key(word)} = {word}" for word, _ in self.other])

    def is_legal(self, answer: Any) -> bool:
        """Return whether an answer is a whole number that the rules allow."""
        if not isinstance(answer, int) or isinstance(answer, bool):
            return False
        return self.low <= answer <= self.high or any(answer == one for _, one in (*self.cards, *self.other))

    def read(self, typed: str) -> int:
        """Return the answer that a typed text stands for: a number of the list, a card, an amount, a word.

        Raises
        ------
        EntryError
            If it is none; the message says what is.
        """
        text = " ".join(typed.lower().split())
        if re.fullmatch(r"[0-9]{1,9}", text):
            number = int(text)
            if self.cards and 1 <= number <= len(self.cards):
                return self.cards[number - 1][1]
            if self.low <= number <= self.high:
                return number
        for word, answer in self.other:
            if text in (word, _key(word)) or (text in _YES and answer == 1) or (text in _NO and answer < 1):
                return answer
        if self.cards:
            named = self._named(text)
            for card, answer in self.cards:
                if parse_card(card, self.artists) == named:
                    return answer
        raise EntryError(f"that is no answer here; type {self.bounds}")

    def _named(self, text: str) -> int | None:
        """Return the code of the card that a text names; None if it names none."""
        try:
            return read_card(text, self.artists, artist_words(self.artists, self.artist_names))
        except UsageError:
            return None

    def say(self, answer: int) -> str:
        """Return an answer in words, to be confirmed."""
        for words, one in (*self.cards, *self.other):
            if answer == one:
                return words
        return str(answer)

    def as_data(self) -> dict[str, Any]:
        """Return the question as plain data."""
        return {
            "seat": self.seat,
            "phase": self.phase.name,
            "text": self.text,
            "explanation": self.explanation,
            "cards": [{"card": card, "answer": answer} for card, answer in self.cards],
            "low": self.low,
            "high": self.high,
            "other": [{"text": word, "answer": answer} for word, answer in self.other],
        }


def _key(word: str) -> str:
    return word[0]


def question_of(interpreter: Interpreter, artist_names: Sequence[str] = ()) -> Question:
    """Return what the seat whose turn it is is asked; cards may also be called by these names of the artists."""
    artists, names = tuple(interpreter.rules.artists), tuple(artist_names)
    table = interpreter.game.table
    seat, phase = int(table.seat), Phase(int(table.phase))
    hand = interpreter.game.hands[seat]
    most = int(budget(table, seat))
    match phase:
        case Phase.CARD:
            cards = _cards(interpreter, hand, range(hand.n_cards))
            return Question(seat, phase, cards, artists=artists, artist_names=names)
        case Phase.PAIR | Phase.JOIN:
            fitting = [slot for slot in range(hand.n_cards) if fits(table, hand, slot)]
            cards = _cards(interpreter, hand, fitting)
            return Question(
                seat,
                phase,
                cards,
                other=(("no card", DECLINE),),
                artists=artists,
                artist_names=names,
                pairs_single=table.kind != AuctionKind.DOUBLE,
            )
        case Phase.BID | Phase.RAISE:
            return Question(seat, phase, low=int(table.high_bid) + 1, high=most, other=(("pass", 0),))
        case Phase.ACCEPT | Phase.FLIP:
            return Question(seat, phase, other=(("yes", 1), ("no", 0)))
        case Phase.TENDER if seat == table.auctioneer:
            return Question(seat, phase, high=most, other=(("stay out", STAY_OUT),))
    return Question(seat, phase, high=most)


def _cards(interpreter: Interpreter, hand: Any, slots: Sequence[int]) -> tuple[tuple[str, int], ...]:
    """Return the different cards in some slots, in the order of the board, and the first slot of each."""
    first = {int(hand.cards[slot]): slot for slot in reversed(slots)}
    return tuple((interpreter.card(code), slot) for code, slot in sorted(first.items()))


def card_in_words(card: str, artists: Sequence[str], names: Sequence[str]) -> str:
    """Return a card with the full names of its artist and kind."""
    artist, _, rest = card.partition("-")
    kind, _, crowns = rest.partition("*")
    name = KIND_NAMES[AuctionKind(KIND_LETTERS.index(kind))]
    return f"{names[artists.index(artist)]}, {name}" + (f", {crowns} crowns" if crowns else "")
