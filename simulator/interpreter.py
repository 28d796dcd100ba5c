"""One game, decision by decision, as a record (docs/records.md), played by the same state machine as batches."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from modernart.simulator.asking import consult
from modernart.simulator.cards import UNKNOWN_CARD, format_card
from modernart.simulator.decisions import STAY_OUT, Phase, Reason, artist_of, can_be_second
from modernart.simulator.events import Event, tell_answer
from modernart.simulator.game import apply
from modernart.simulator.jit import kernel
from modernart.simulator.limits import cards_taken
from modernart.simulator.players import Player
from modernart.simulator.rules import Rules
from modernart.simulator.setup import games_of, seat_game
from modernart.simulator.under_way import playing
from modernart.simulator.works import IllegalAnswer, describe_illegal

FORMAT = "modern-art-record"
VERSION = 1
REASONS = {Reason.END_COUNT: "end_count", Reason.HANDS_EMPTY: "hands_empty", Reason.SHILL: "shill"}


@kernel
def ask(game):
    """Return the answer of the strategy at seat `table.seat`."""
    seat = game.table.seat
    return consult(game.acts[seat], game.table, game.hands[seat])


def reveal_card(game, seat: int, code: int) -> bool:
    """Put a card in place of an unknown one of a hand; returns whether the hand has an unknown one."""
    hand = game.hands[seat]
    for slot in range(int(hand.n_cards)):
        if hand.cards[slot] == UNKNOWN_CARD:
            hand.cards[slot] = code
            hand.fitting[artist_of(code)] += can_be_second(code)
            return True
    return False


class Interpreter:
    """Plays one game step by step and notes what happens.

    Parameters
    ----------
    rules : Rules

    Attributes
    ----------
    games : recarray of GAME_DTYPE, shape (1,)
    game : record of GAME_DTYPE
        The only one of them.
    rounds : list of dict
        The rounds so far: `dealt`, `events` and, once a round is over, `result`.
    money, cards_out : list of int
        Money by seat and cards put up by artist after the last answer, before the payout if it ended the round.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.games = games_of(rules, 1)
        self.game = self.games[0]
        self.rounds: list[dict[str, Any]] = []
        self.first_seat = 0
        self.money = rules.money_at_start(0)
        self.cards_out = [0] * len(rules.artists)
        self._deck_position = 0
        self._secrets: dict[int, int] = {}
        self._black_framed = False

    def card(self, code: int) -> str:
        """Return the text of a card code."""
        return format_card(int(code), self.rules.artists, self.rules.carries_crowns)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.game.table.phase == Phase.OVER

    def n_taken(self, round_index: int, seat: int) -> int:
        """Return how many new cards a seat took up in a round that was dealt, as the hand limit let it."""
        n_held = int(self.game.rounds[round_index - 1].hand_sizes[seat]) if round_index > 0 else 0
        return int(cards_taken(self.rules.hand_limit, n_held, self.rules.deal[round_index]))

    def start(self) -> None:
        """Begin the record of a game that `new_game` has set up."""
        self.first_seat = int(self.game.first_seat)
        self.money = self.rules.money_at_start(self.first_seat)
        self._tell_rounds(-1)

    def step(self, action: int) -> list[Event]:
        """Play an answer and return the events that follow, which also go into `rounds`.

        Raises
        ------
        ValueError
            If the answer is illegal; the game is then unchanged.
        """
        game = self.game
        table = game.table
        round_index = int(table.round_index)
        n_sales = int(game.n_sales)
        cards_out = [int(n) for n in table.cards_out[: len(self.rules.artists)]]
        events = self._tell_answer(action)
        if not apply(game, action):
            asked = f"{Phase(int(table.phase)).name} at seat {int(table.seat)}"
            raise ValueError(f"{action} is not a legal answer to {asked}")
        events += self._tell_secrets()
        has_ended = table.round_index > round_index
        n_seats = self.rules.players
        money = game.rounds[round_index].money - game.rounds[round_index].payout if has_ended else table.money
        self.money = [int(m) for m in money[:n_seats]]
        for event in events:
            if event["e"] in ("play", "pair", "join", "flip") and event["card"] is not None:
                cards_out[self.rules.artists.index(event["card"].partition("-")[0])] += 1
        self.cards_out = cards_out
        if game.n_sales > n_sales:
            events.append(self._tell_sale())
        self.rounds[round_index]["events"] += events
        if has_ended:
            self._tell_rounds(round_index)
        return events

    def record(self) -> dict[str, Any]:
        """Return the record of the finished game, without seed, number and players."""
        money = [int(m) for m in self.game.table.money[: self.rules.players]]
        return {
            "format": FORMAT,
            "version": VERSION,
            "rules": self.rules.to_record(),
            "first_seat": self.first_seat,
            "rounds": self.rounds,
            "money": money,
            "winners": [seat for seat, amount in enumerate(money) if amount == max(money)],
        }

    def _tell_answer(self, action: int) -> list[Event]:
        """Tell an answer that everybody sees, from the state before it is played; keep one that is secret."""
        event = tell_answer(self.game, action, self.card)
        if event is not None:
            return [event]
        table = self.game.table
        if table.phase in (Phase.SEALED, Phase.TENDER):
            self._secrets[int(table.seat)] = action
            self._black_framed = table.phase == Phase.TENDER
        return []

    def _tell_secrets(self) -> list[Event]:
        """Return the event of the secret amounts once all seats have answered."""
        if len(self._secrets) < self.rules.players:
            return []
        amounts: list[int | None] = [self._secrets[seat] for seat in range(self.rules.players)]
        if self._black_framed:
            amounts = [None if amount == STAY_OUT else amount for amount in amounts]
        self._secrets = {}
        return [{"e": "sealed", "amounts": amounts}]

    def _tell_sale(self) -> Event:
        sale = self.game.sales[self.game.n_sales - 1]
        return {
            "e": "sale",
            "seller": int(sale.auctioneer),
            "buyer": int(sale.buyer),
            "price": int(sale.price),
            "cards": [self.card(code) for code in sale.cards[: sale.n_cards]],
            "money": self.money,
        }

    def _tell_rounds(self, last_round: int) -> None:
        """Note the end of round `last_round` and of empty rounds after it, and the deal of the round that follows."""
        table = self.game.table
        current = int(table.round_index)
        for round_index in range(last_round, current):
            if round_index >= 0:
                self.rounds[round_index]["result"] = self._tell_result(round_index)
            if round_index + 1 < self.rules.rounds:
                self.rounds.append({"dealt": self._tell_deal(round_index + 1), "events": []})

    def _tell_deal(self, round_index: int) -> list[list[str] | None]:
        n_new = self.rules.deal[round_index]
        dealt: list[list[str] | None] = []
        for seat in range(self.rules.players):
            n_taken = self.n_taken(round_index, seat)
            cards = self.game.deck[self._deck_position : self._deck_position + n_taken]
            is_known = n_taken == 0 or UNKNOWN_CARD not in cards
            dealt.append([self.card(code) for code in cards] if is_known else None)
            self._deck_position += n_new
        if self.rules.shill != "none":
            self._deck_position += n_new
        return dealt

    def _tell_result(self, round_index: int) -> dict[str, Any]:
        result = self.game.rounds[round_index]
        artists = self.rules.artists
        n_seats = self.rules.players
        return {
            "round": round_index + 1,
            "reason": REASONS[Reason(int(result.reason))],
            "ended_by": int(result.ender) if result.ender >= 0 else None,
            "counts": {artist: int(n) for artist, n in zip(artists, result.counts, strict=False)},
            "ranking": [artists[artist] for artist in result.ranking if artist >= 0],
            "values": {artist: int(value) for artist, value in zip(artists, result.pays, strict=False)},
            "payout": [int(p) for p in result.payout[:n_seats]],
            "money": [int(m) for m in result.money[:n_seats]],
        }


def play_record(
    rules: Rules, players: Sequence[Player], members: Sequence[int], seed: int, game_number: int
) -> dict[str, Any]:
    """Return the record of one game of a run, exactly as the batch kernel played it.

    Parameters
    ----------
    rules : Rules
    players : sequence of Player
    members : sequence of int
        Line-up of the game's block.
    seed, game_number : int

    Raises
    ------
    IllegalAnswer
        If a strategy gives an answer that the rules forbid.
    """
    interpreter = Interpreter(rules)
    game = interpreter.game
    at_seat = seat_game(game, rules, players, members, seed, game_number)
    interpreter.start()
    block = game_number // rules.players
    with playing(players, rules, seed, interpreter.games, np.array([members]), block, is_run=True):
        while not interpreter.is_over:
            action = int(ask(game))
            try:
                interpreter.step(action)
            except ValueError:
                name = players[at_seat[int(game.table.seat)]].name
                raise IllegalAnswer(describe_illegal(game, name, action, seed, game_number)) from None
    record = interpreter.record()
    own = {"seed": seed, "game": game_number, "players": [players[s].name for s in at_seat]}
    return (
        {key: record[key] for key in ("format", "version", "rules")}
        | own
        | {key: record[key] for key in ("first_seat", "rounds", "money", "winners")}
    )
