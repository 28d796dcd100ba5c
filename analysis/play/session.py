"""A game with people in some of its seats: a state machine that knows nothing of screens.

A front asks `asked`, shows `view` to that seat and hands in `answer`; `advance` lets the bots answer until a person is
asked or the game is over. Equal seats, seed and answers make the same game.
"""

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from modernart.analysis.play.artist_names import full_names
from modernart.analysis.play.board import Frame, Point, Story, as_known_to
from modernart.analysis.play.questions import Question, question_of
from modernart.analysis.table.names import artist_words
from modernart.simulator.decisions import is_legal
from modernart.simulator.errors import ModernArtError, RunError, UsageError
from modernart.simulator.game import new_deal, new_game
from modernart.simulator.interpreter import Interpreter, ask
from modernart.simulator.limits import MAX_WHOLE
from modernart.simulator.players import acts_of, params_of
from modernart.simulator.rules import Rules, load_edition
from modernart.simulator.under_way import failure_of
from modernart.simulator.wording import shown
from modernart.strategies.specs import load_players, split_specs

DEFAULT_SEATS = "me,planner,predictive,fair_share"

FORMAT = "modern-art-unfinished-game"
VERSION = 1
#: The spec of a seat that a person takes: `me`, or `me:NAME`.
_PERSON = re.compile(r"me(?::\s*(?P<name>.+))?")
_LONGEST_NAME = 30


class NotYourTurn(UsageError):
    """An answer that nobody asked for: of another seat, or to a question that is answered already."""


class IllegalEntry(UsageError):
    """An answer that the rules forbid."""


@dataclass(frozen=True)
class Seat:
    """Who sits in a seat.

    Parameters
    ----------
    name : str
        As the game calls them.
    spec : str or None
        The strategy that plays; None for a person.
    """

    name: str
    spec: str | None

    @property
    def is_person(self) -> bool:
        """Whether a person answers."""
        return self.spec is None


def parse_seats(text: str) -> list[Seat]:
    """Return the seats that a list stands for: `me,predictive,me:Ann,half_value(shade=0.6)`.

    Raises
    ------
    UsageError
        If a person's name is too long, cannot be printed, or is taken.
    """
    seats: list[Seat] = []
    for item in split_specs(text):
        match = _PERSON.fullmatch(item)
        name = (match["name"] or "me").strip() if match else item
        if match and not (name.isprintable() and 1 <= len(name) <= _LONGEST_NAME):
            raise UsageError(f"a player's name must have 1 to {_LONGEST_NAME} printable characters, got {shown(name)}")
        seats.append(Seat(name, None if match else item))
    people = [seat.name for seat in seats if seat.is_person]
    if len(set(people)) < len(people):
        raise UsageError("give every person a name of their own, as --seats me:Ann,me:Bob,predictive")
    return seats


class Session:
    """One game.

    Parameters
    ----------
    rules : Rules
    seats : sequence of Seat
        One for each player.
    seed : int
        Of the deal, and of the bots' random streams.
    artist_names : sequence of str, optional
        What the artists are called, in board order; by default as in the built-in edition.

    Attributes
    ----------
    names : list of str
        By seat, all different.
    answers : list of int
        All answers so far, the bots' too.
    interpreter : Interpreter
        The game with all that is hidden: to be read, and only for what a seat knows.

    Raises
    ------
    UsageError
        If there are too many or too few seats, or no such strategy.
    """

    def __init__(
        self, rules: Rules, seats: Sequence[Seat], seed: int, artist_names: Sequence[str] | None = None
    ) -> None:
        if len(seats) != rules.players:
            raise UsageError(f"a game of {rules.players} players needs as many seats, got {len(seats)}")
        if not 0 <= seed <= MAX_WHOLE:
            raise UsageError(f"seed must be from 0 to 2^63 - 1, got {seed}")
        self.rules = rules
        self.seats = tuple(seats)
        self.seed = seed
        self.artist_names = list(artist_names or full_names(rules))
        artist_words(rules.artists, self.artist_names)  # refuses too few or too many, and one for two artists
        self.answers: list[int] = []
        self._n_answers = [0] * rules.players
        # Kept: compiled code reaches a bot's data by address.
        self._bots = load_players([seat.spec for seat in seats if seat.spec is not None])
        self.interpreter = Interpreter(rules)
        bots = iter(self._bots)
        self.names = _all_different([seat.name if seat.is_person else next(bots).name for seat in seats])
        self._set_up()
        self._story = Story(rules, self.interpreter.first_seat).follow(self.interpreter.rounds)

    def _set_up(self) -> None:
        """Seat the bots and deal; line-up positions are the seats."""
        game = self.interpreter.game
        places = [place for place, seat in enumerate(self.seats) if not seat.is_person]
        for place, act, params in zip(places, acts_of(self._bots), params_of(self._bots, self.rules), strict=True):
            game.acts[place] = act
            game.hands[place].params[:] = params
        new_deal(game, np.uint64(self.seed), 0)
        new_game(game, 0)
        self.interpreter.start()

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return bool(self.interpreter.is_over)

    @property
    def asked(self) -> int | None:
        """The seat that must answer; None when the game is over."""
        return None if self.is_over else int(self.interpreter.game.table.seat)

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [place for place, seat in enumerate(self.seats) if seat.is_person]

    @property
    def is_persons_turn(self) -> bool:
        """Whether a person must answer."""
        return self.asked in self.people

    def turn(self, seat: int) -> int:
        """Return how many answers a seat has given: it tells whether a question is still open.

        The number of all answers would not do: it tells how many were asked in secret.
        """
        return self._n_answers[seat]

    @property
    def question(self) -> Question:
        """What the seat whose turn it is is asked."""
        return question_of(self.interpreter, self.artist_names)

    def allows(self, answer: int) -> bool:
        """Return whether the rules allow an answer to the open question; a card may be named by any of its slots."""
        table = self.interpreter.game.table
        hand = self.interpreter.game.hands[int(table.seat)]
        return abs(answer) < 2**31 and bool(is_legal(table, hand, answer))

    def answer(self, seat: int, answer: int, turn: int | None = None) -> None:
        """Take the answer of a person.

        Parameters
        ----------
        seat : int
            Who answers.
        answer : int
        turn : int, optional
            What `turn` was when the person was asked; the answer to an older question is refused.

        Raises
        ------
        NotYourTurn
            If this seat is not asked, or no longer.
        IllegalEntry
            If the rules forbid the answer; the game is then unchanged.
        """
        if seat != self.asked or seat not in self.people or turn not in (None, self.turn(seat)):
            raise NotYourTurn("this question is answered already, or it is another player's turn")
        question = self.question
        if not question.is_legal(answer):
            raise IllegalEntry(f"that answer is not allowed; legal is {question.bounds}")
        self._play(answer)

    def step(self) -> None:
        """Let the bot whose turn it is answer."""
        self._play(self._ask_bot())

    def advance(self) -> None:
        """Let bots answer until a person is asked or the game is over."""
        while not self.is_over and not self.is_persons_turn:
            self.step()

    def _ask_bot(self) -> int:
        name = self.names[int(self.interpreter.game.table.seat)]
        try:
            return int(ask(self.interpreter.game))
        except ModernArtError:
            raise
        except Exception as error:
            raise RunError(f'strategy "{name}" failed in this game: {failure_of(error.__cause__ or error)}') from error

    def _play(self, answer: int) -> None:
        seat = int(self.interpreter.game.table.seat)
        try:
            self.interpreter.step(answer)
        except ValueError as error:
            raise RunError(f'strategy "{self.names[seat]}" gave an illegal answer: {error}') from None
        self._n_answers[seat] += 1
        self.answers.append(answer)
        self._story.follow(self.interpreter.rounds)

    def frames(self, seat: int, since: int = 0) -> list[Frame]:
        """Return what a seat knows of the points of the game from number `since` on.

        Parameters
        ----------
        seat : int
            The frames hold no other hand, and nothing that is secret from this seat.
        since : int
            How many of them are left out: those that the seat has seen.
        """
        known = [point for point in self._story.points if point.only in (None, seat)]
        return [self._known(point, seat) for point in known[max(since, 0) :]]

    def table(self, seat: int) -> Frame:
        """Return what a seat sees of the table now; the sentence in it is the last that the seat may know."""
        return next(self._known(p, seat) for p in reversed(self._story.points) if p.only in (None, seat))

    def _known(self, point: Point, seat: int) -> Frame:
        hides_money = self.rules.rivals_money == "hidden" and not self.is_over
        frame = as_known_to(point.frame(self.names, seat), seat, hides_money)
        # The number of an event would tell how many secret ones came before it.
        return {key: value for key, value in frame.items() if key not in ("place", "only")}

    def record(self) -> dict[str, Any]:
        """Return the record of the finished game (docs/records.md)."""
        if not self.is_over:
            raise UsageError("a game has a record when it is over; this one is not")
        record = self.interpreter.record()
        head = {key: record[key] for key in ("format", "version", "rules")}
        return head | {"players": self.names} | {key: record[key] for key in record if key not in head}

    def saved(self) -> dict[str, Any]:
        """Return the unfinished game as plain data, to be resumed by `resume`."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "rules": self.rules.to_record(),
            "seats": [{"name": seat.name, "spec": seat.spec} for seat in self.seats],
            "artist_names": self.artist_names,
            "seed": self.seed,
            "answers": self.answers,
        }


def begin(
    seats: str,
    edition: str = "classic",
    overrides: Mapping[str, str] | None = None,
    seed: int | None = None,
    artist_names: Sequence[str] | None = None,
) -> Session:
    """Return a new game.

    Parameters
    ----------
    seats : str
        See `parse_seats`; "" for one person among three bidders of different strength.
    edition : str
    overrides : mapping of str to str, optional
        Changed rules, as for `load_edition`.
    seed : int, optional
        Without it the deal is drawn.
    artist_names : sequence of str, optional
        Of the player's own printing, in board order.

    Raises
    ------
    UsageError
        If seats or edition are wrong, or nobody plays.
    """
    who = parse_seats(seats or DEFAULT_SEATS)
    if not any(seat.is_person for seat in who):
        raise UsageError("nobody plays: put me among --seats, or use `modernart record` for a game of strategies")
    found = load_edition(edition, overrides)
    seed = secrets.randbelow(2**53) if seed is None else seed
    return Session(found.rules(len(who)), who, seed, artist_names or found.artist_names)


def resume(data: Any) -> Session:
    """Return the session that `Session.saved` wrote.

    The bots are asked again, so that their notes are as they were; a bot that has learned to answer otherwise since
    is held to what it answered then.

    Raises
    ------
    UsageError
        If the data is no such game.
    """
    if not isinstance(data, dict) or (data.get("format"), data.get("version")) != (FORMAT, VERSION):
        raise UsageError(f'an unfinished game must have "format": "{FORMAT}" and "version": {VERSION}')
    seats, seed, answers = data.get("seats"), data.get("seed"), data.get("answers")
    if not isinstance(seats, list) or not all(_is_seat(seat) for seat in seats):
        raise UsageError("seats must be a list of objects with name and spec")
    if type(seed) is not int or not isinstance(answers, list) or not all(type(one) is int for one in answers):
        raise UsageError("seed must be a whole number, and answers a list of whole numbers")
    artist_names = data.get("artist_names")
    if not isinstance(artist_names, list) or not all(isinstance(name, str) for name in artist_names):
        raise UsageError("artist_names must be a list of texts")
    rules = Rules.from_record(data.get("rules"))
    session = Session(rules, [Seat(one["name"], one["spec"]) for one in seats], seed, artist_names)
    for number, answer in enumerate(answers, start=1):
        if session.is_over or not session.allows(answer):
            raise UsageError(f"answer {number} of the unfinished game contradicts the rules")
        if not session.is_persons_turn:
            session._ask_bot()
        session._play(answer)
    return session


def _is_seat(seat: Any) -> bool:
    return (
        isinstance(seat, dict)
        and isinstance(seat.get("name"), str)
        and (seat.get("spec") is None or isinstance(seat["spec"], str))
    )


def _all_different(names: list[str]) -> list[str]:
    """Number a name that another seat has already, as a person called like a bot."""
    counts = [names[: place + 1].count(name) for place, name in enumerate(names)]
    return [f"{name} ({count})" if count > 1 else name for name, count in zip(names, counts, strict=True)]
