"""Single games from Python: step by step, as a record, and told as text."""

import copy
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from modernart.analysis.api.asked import Asked, asked_list, overrides_from
from modernart.analysis.api.views import Text, View
from modernart.simulator.cards import KIND_NAMES, AuctionKind
from modernart.simulator.decisions import Phase, budget, is_legal, legal_answers
from modernart.simulator.errors import RunError, UsageError
from modernart.simulator.events import Event, say
from modernart.simulator.games import records_of_run
from modernart.simulator.interpreter import Interpreter, ask
from modernart.simulator.players import Player, acts_of, params_of
from modernart.simulator.records import Record, read_records
from modernart.simulator.replay import tell_record
from modernart.simulator.rules import load_edition
from modernart.simulator.setup import seat_game
from modernart.simulator.simulate import check_seed
from modernart.simulator.under_way import playing
from modernart.strategies.registry import BY_NAME, DEFAULT_FIELD
from modernart.strategies.specs import load_players, load_strategy


class Decision(NamedTuple):
    """What is asked, and of whom."""

    phase: str  #: A name of `modernart.simulator.decisions.Phase`.
    seat: int
    answers: str  #: Which answers are legal, in words.


class Game:
    """A game, decision by decision: for exploring, and for programs that play along.

    Parameters
    ----------
    edition : str
        A built-in edition or a TOML file.
    players : int
        Seats at the table.
    seed : int
        Decides the deal and all random streams.
    game : int
        Number of the game of that seed: the cards of `modernart record --seed SEED --game GAME`.
    strategies : sequence of str or Strategy, optional
        Who sits at seat 0, 1, ... for `play`; default: whoever `play` is given.
    rules : mapping, optional
        Changed rules, such as `{"end_count": 6}`.

    Attributes
    ----------
    rules : Rules
    interpreter : Interpreter
        The state machine below, with its record of the game.

    Raises
    ------
    UsageError
        If something is wrong or unknown.
    """

    def __init__(
        self,
        edition: str = "classic",
        players: int = 4,
        seed: int = 1,
        *,
        game: int = 0,
        strategies: Sequence[Asked] | None = None,
        rules: Mapping[str, Any] | None = None,
    ) -> None:
        check_seed(seed)
        self.rules = load_edition(edition, overrides_from(rules)).rules(players)
        self._seed, self._number = seed, game
        sitting = load_players(asked_list(strategies)) if strategies is not None else []
        if sitting and len(sitting) != players:
            raise UsageError(f"give a strategy for each of {players} seats, got {len(sitting)}")
        self._is_seated = bool(sitting)
        self._players = sitting or [BY_NAME["random"].player()] * players
        self.interpreter = Interpreter(self.rules)
        # Rotations move the line-up around the seats; here seat 0 has the first strategy in every game.
        line_up = [(position - game) % players for position in range(players)]
        seat_game(self._record_of_game, self.rules, self._players, line_up, seed, game)
        self._line_up = np.array([line_up])
        self.interpreter.start()

    @property
    def _record_of_game(self) -> Any:
        return self.interpreter.game

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return bool(self.interpreter.is_over)

    @property
    def seat(self) -> int:
        """The seat that is asked."""
        return int(self._record_of_game.table.seat)

    @property
    def decision(self) -> Decision | None:
        """What is asked, of which seat, and which answers are legal; None when the game is over."""
        if self.is_over:
            return None
        table = self._record_of_game.table
        return Decision(Phase(int(table.phase)).name, self.seat, legal_answers(table))

    @property
    def legal(self) -> list[int]:
        """All legal answers, in ascending order: slots of the hand, amounts of money, or 0 and 1 (see `decision`)."""
        if self.is_over:
            return []
        table, hand = self._record_of_game.table, self._record_of_game.hands[self.seat]
        most = max(int(budget(table, self.seat)), int(hand.n_cards), 1)
        return [answer for answer in range(-1, most + 1) if is_legal(table, hand, answer)]

    def apply(self, answer: int | str) -> list[Event]:
        """Answer the decision and return the events that follow, as a record holds them.

        Parameters
        ----------
        answer : int or str
            One of `legal`; where a card is asked for, its text does too: `game.apply("KR-S")`.

        Raises
        ------
        UsageError
            If the answer is not legal; it tells which are. The game is then unchanged.
        """
        decision = self.decision
        if decision is None:
            raise UsageError("the game is over; begin another with modernart.Game()")
        number = self._slot_of(answer) if isinstance(answer, str) else answer
        if isinstance(number, bool) or not isinstance(number, int | np.integer) or int(number) not in self.legal:
            asked = f"{decision.phase} at seat {decision.seat}"
            raise UsageError(f"{answer!r} is no legal answer to {asked}; legal is {decision.answers}")
        return self.interpreter.step(int(number))

    def answer(self, strategy: Asked | None = None) -> int:
        """Return what a strategy would answer here, or the one that sits there.

        The game is unchanged, notebook and random stream of the seat included; `play` moves them on. A strategy that is
        given sits down just now, with an empty notebook.

        Raises
        ------
        UsageError
            If the game is over, or nobody sits there and no strategy is given.
        RunError
            If the strategy fails.
        """
        if self.is_over:
            raise UsageError("the game is over: nothing is asked")
        trial = self.copy()
        player = self._players[self.seat]
        if strategy is not None:
            player = load_strategy(strategy).player()
            trial._sit(self.seat, player)
        elif not self._is_seated:
            raise UsageError("nobody sits here: name a strategy, or give Game(strategies=[...])")
        return trial._ask()

    def play(self, strategy: Asked | None = None, *, decisions: int | None = None) -> list[Event]:
        """Let strategies play on, to the end or for some decisions; return the events that follow.

        Parameters
        ----------
        strategy : str or Strategy, optional
            Who answers at every seat; default: those that sit there.
        decisions : int, optional
            How many answers to play; default: to the end.

        Returns
        -------
        list of dict
            As a record holds them (docs/records.md).

        Raises
        ------
        UsageError
            If nobody sits there and no strategy is given.
        RunError
            If a strategy fails.
        """
        if strategy is not None:
            player = load_strategy(strategy).player()
            for seat in range(self.rules.players):
                self._sit(seat, player)
        elif not self._is_seated:
            raise UsageError("nobody sits here: name a strategy, or give Game(strategies=[...])")
        events: list[Event] = []
        while not self.is_over and decisions != 0:
            events += self.apply(self._ask())
            decisions = decisions if decisions is None else decisions - 1
        return events

    @property
    def table(self) -> View:
        """What every player may know, as strategies get it; `simulator/state.py` lists the fields."""
        table = self._record_of_game.table
        words = {
            "round": f"{int(table.round_index) + 1} of {self.rules.rounds}",
            "phase": Phase(int(table.phase)).name,
            "cards_out": self._by_artist(table.cards_out),
            "values": self._by_artist(table.values),
            "lot": " ".join(self.interpreter.card(code) for code in table.lot[: table.n_lot]) or "none",
            "kind": KIND_NAMES[AuctionKind(int(table.kind))] if table.n_lot else "none",
        }
        shown = ["round", "phase", "seat", "money", "hand_sizes", "cards_out", "values"]
        if table.n_lot and table.phase != Phase.CARD:
            shown += ["lot", "kind", "auctioneer", "high_bid"]
        return View(table, self._sizes, "table", shown, words)

    def hand(self, seat: int) -> View:
        """Return what only a player knows: their cards, parameters and notebook.

        Raises
        ------
        UsageError
            If there is no such seat.
        """
        if not 0 <= seat < self.rules.players:
            raise UsageError(f"seat must be from 0 to {self.rules.players - 1}, got {seat}")
        hand = self._record_of_game.hands[seat]
        words = {"cards": " ".join(self.cards(seat)) or "none"}
        sizes = self._sizes | {"cards": int(hand.n_cards)}
        return View(hand, sizes, f"hand of seat {seat}", ["cards"], words)

    def cards(self, seat: int) -> list[str]:
        """Return a seat's cards as text, by slot: `KR-S` is Krypto, sealed (docs/records.md)."""
        hand = self._record_of_game.hands[seat]
        return [self.interpreter.card(code) for code in hand.cards[: int(hand.n_cards)]]

    @property
    def money(self) -> list[int]:
        """Money by seat."""
        return [int(amount) for amount in self._record_of_game.table.money[: self.rules.players]]

    @property
    def events(self) -> list[Event]:
        """All events so far."""
        return [event for told in self.interpreter.rounds for event in told["events"]]

    def record(self) -> Record:
        """Return the record of the finished game.

        Raises
        ------
        UsageError
            If the game is not over.
        """
        if not self.is_over:
            raise UsageError("the game is not over yet, so it has no record; `play` plays on")
        return json.loads(json.dumps(self.interpreter.record()))

    def copy(self) -> "Game":
        """Return a game that goes on from here apart from this one."""
        twin = copy.copy(self)
        twin._players = list(self._players)
        twin.interpreter = copy.deepcopy(self.interpreter)
        twin.interpreter.game = twin.interpreter.games[0]
        return twin

    def __repr__(self) -> str:
        """Return where the game stands."""
        if self.is_over:
            return f"Game of {self.rules.edition}, over: money {', '.join(map(str, self.money))}"
        decision = self.decision
        assert decision is not None
        return (
            f"Game of {self.rules.edition}, {self.table!r}\n"
            f"{decision.phase} at seat {decision.seat}, who holds {' '.join(self.cards(self.seat))}: {decision.answers}"
        )

    @property
    def _sizes(self) -> dict[str, int]:
        """Places that these rules use of fields that have room for more."""
        return {"seats": self.rules.players, "artists": len(self.rules.artists), "rounds": self.rules.rounds}

    def _by_artist(self, numbers: Any) -> str:
        return " ".join(f"{artist}:{int(n)}" for artist, n in zip(self.rules.artists, numbers, strict=False))

    def _slot_of(self, card: str) -> int:
        cards = self.cards(self.seat)
        phase = Phase(int(self._record_of_game.table.phase))
        if phase not in (Phase.CARD, Phase.PAIR, Phase.JOIN) or card not in cards:
            raise UsageError(
                f'"{card}" is no answer to {phase.name} at seat {self.seat}, who holds {" ".join(cards)}; '
                f"legal is {legal_answers(self._record_of_game.table)}"
            )
        return cards.index(card)

    def _sit(self, seat: int, player: Player) -> None:
        """Put a player on a seat."""
        if self._players[seat] is player:
            return
        self._players[seat] = player
        self._record_of_game.acts[seat] = acts_of([player])[0]
        self._record_of_game.hands[seat].params[:] = params_of([player], self.rules)[0]
        self._record_of_game.hands[seat].notes[:] = 0

    def _ask(self) -> int:
        """Return the answer of the player that is asked."""
        block = self._number // self.rules.players
        games = self.interpreter.games
        with playing(self._players, self.rules, self._seed, games, self._line_up, block):
            return int(ask(self._record_of_game))


def play_game(
    strategies: Asked | Sequence[Asked] | None = None,
    *,
    edition: str = "classic",
    players: int = 4,
    seed: int = 1,
    game: int = 0,
    rules: Mapping[str, Any] | None = None,
) -> Record:
    """Return one game of a run as a record, exactly as a tournament with these arguments plays it.

    Parameters
    ----------
    strategies, edition, players, seed, rules
        As for `tournament`.
    game : int
        Number of the game.

    Returns
    -------
    dict
        The record (docs/records.md).

    Raises
    ------
    UsageError, RunError
        As `tournament`.
    """
    table = load_edition(edition, overrides_from(rules)).rules(players)
    bidders = load_players(asked_list(strategies) or DEFAULT_FIELD)
    return next(records_of_run(bidders, table, seed, game, 1))


def replay(record: Record | Path | str) -> Text:
    """Return a game as text, event by event, after checking it against the rules.

    Parameters
    ----------
    record : dict or path
        A record, or a file of records, of which the first is told.

    Raises
    ------
    RunError
        If the record is malformed, or contradicts the rules.
    """
    if not isinstance(record, Mapping):
        found = next(read_records(Path(record)), None)
        if found is None:
            raise RunError(f"{record} holds no record")
        record = found[1]
    return Text("\n".join(tell_record(dict(record))))


def tell(events: Sequence[Event]) -> Text:
    """Return events as a replay says them."""
    return Text("\n".join(say(event) for event in events))
