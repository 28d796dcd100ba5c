"""Positions as TOML files: read, checked by the rules, and a template to start from."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from modernart.analysis.table.positions import Position, base_game, position_from_table
from modernart.analysis.table.sitting import Sitting, check_names
from modernart.simulator.arguments import parse_whole
from modernart.simulator.cards import UNKNOWN_CARD, card_artist
from modernart.simulator.decisions import SECRET, Phase
from modernart.simulator.errors import UsageError
from modernart.simulator.files import read_toml
from modernart.simulator.game import begin_turn
from modernart.simulator.interpreter import reveal_card
from modernart.simulator.limits import MAX_MONEY, MAX_SEATS
from modernart.simulator.rules import Rules, load_edition
from modernart.simulator.wording import shown, unknown

_REQUIRED = ("players", "you", "round", "money", "hand", "cards", "turn")
_KEYS = ("edition", "rules", "artists", *_REQUIRED, "values", "out", "bought", "gone", "now")

TEMPLATE = """\
# A position of Modern Art: what one player knows at a decision. `modernart advise FILE` answers it.
# Cards are ARTIST-KIND, as KR-S; artists also go by their names ("Silveira sealed").
# Kinds: O open, R once around, S sealed, F fixed price, D double.

edition = "classic"                 # or the TOML file of a house rule
players = ["A", "B", "C", "D"]      # clockwise; or just how many
you = "A"

round = 2
values = { KR = 30, YO = 20, LM = 10 }          # what each artist gained in the rounds before
money = [112, 95, 131, 104]                     # of each player, before the lot on sale

# When this turn began:
hand = ["KR-S", "KR-D", "YO-O", "YO-F", "LM-R", "CP-O", "CP-S", "KG-R"]   # your cards
cards = [8, 9, 8, 8]                            # cards in each player's hand
out = ["KR-O", "YO-S", "KR-R"]                  # cards put up this round; "KR" if you forgot the kind
bought = { A = ["KR"], C = ["YO"], D = ["KR"] }  # paintings bought this round
# gone = ["LM-O", "CP"]                         # cards put up in earlier rounds, all or none; may be left out

turn = "B"                          # who puts up the next card
now = ["B plays KG-O"]              # this turn so far: as in `modernart log`; empty if it is your turn
"""


def read_position(path: Path) -> Position:
    """Return the position of a TOML file.

    Raises
    ------
    UsageError
        If it cannot be read, or cannot be.
    """
    data = read_toml(path, "position file ")
    try:
        return position_of(data, str(path))
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def position_of(data: Mapping[str, Any], place: str = "") -> Position:
    """Return the position that the entries of a TOML file stand for.

    Raises
    ------
    UsageError
        If an entry is missing, unknown or wrong, or the position cannot be.
    """
    for key in data:
        if key not in _KEYS:
            raise UsageError(unknown("entry of a position", key, _KEYS))
    for key in _REQUIRED:
        if key not in data:
            raise UsageError(f"{key} is missing")
    rules, names = _rules_and_names(data)
    sitting = Sitting(rules, names, _texts(data, "artists"))
    seat = sitting.seat_of(_text(data, "you"))
    reader = _Reader(data, rules, sitting, seat)
    base, sizes, hand = reader.base(), reader.sizes(), reader.hand()
    _check_cards(rules, base[0].table, sizes, hand, seat, "gone" in data)
    _seat_sitting(sitting, base, sizes, hand, seat)
    for line in _texts(data, "now"):
        sitting.take(line)
    phase, events = decision_of(sitting, seat)
    told = [*sitting.interpreter.rounds[int(base[0].table.round_index)]["events"], *events]
    return position_from_table(rules, base, sizes, hand, told, seat, phase, names=sitting.names, place=place)


def decision_of(sitting: Sitting, seat: int) -> tuple[Phase, list[dict[str, Any]]]:
    """Return what a seat is asked after the lines so far, and events that are not in the game's record yet.

    Raises
    ------
    UsageError
        If it is not asked anything.
    """
    name = sitting.names[seat]
    if sitting.pending is not None and sitting.pending.seat != seat:
        sitting.sell_alone()
    double = sitting.pending
    if double is not None:
        if int(sitting.game.hands[seat].fitting[card_artist(double.card)]) == 0:
            raise UsageError(f"{name} holds no card that could be added to {sitting.interpreter.card(double.card)}")
        event = {"e": "play", "seat": double.seat, "card": sitting.interpreter.card(double.card)}
        return (Phase.PAIR if double.seat == seat else Phase.JOIN), [event]
    if sitting.is_over:
        raise UsageError("the game is over; there is nothing to decide")
    table = sitting.game.table
    phase = Phase(int(table.phase))
    if phase == Phase.ACCEPT and seat != int(table.auctioneer):
        # Who was asked before has refused, or the lot would be sold.
        sitting._answer_until(Phase.ACCEPT, seat, "asked whether to buy")
    asked = int(table.seat)
    if phase not in SECRET and asked != seat:
        raise UsageError(f"{sitting.names[asked]} decides here, not {name}: {sitting.status()}")
    return phase, []


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        raise UsageError(f"{key} must be a text, got {shown(value)}")
    return value


def _texts(data: Mapping[str, Any], key: str) -> list[str]:
    value = data.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise UsageError(f"{key} must be a list of texts, got {shown(value)}")
    return value


def _rules_and_names(data: Mapping[str, Any]) -> tuple[Rules, list[str]]:
    players = data["players"]
    names = players if isinstance(players, list) else []
    if names and not all(isinstance(name, str) for name in names):
        raise UsageError(f"players must be a number or a list of names, got {shown(players)}")
    n = len(names) or parse_whole("players", players, 2, MAX_SEATS)
    changes = data.get("rules", {})
    if not isinstance(changes, dict):
        raise UsageError(f"rules must be a table of options, got {shown(changes)}")
    edition = load_edition(data.get("edition", "classic"), {key: _as_toml(value) for key, value in changes.items()})
    rules = edition.rules(n)
    if names:
        check_names(names, rules)
    return rules, names


def _as_toml(value: Any) -> str:
    """Write an option's value as it would stand on a command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class _Reader:
    """Reads the entries of a position that describe the table."""

    def __init__(self, data: Mapping[str, Any], rules: Rules, sitting: Sitting, seat: int) -> None:
        self.data, self.rules, self.sitting, self.seat = data, rules, sitting, seat
        self.round = parse_whole("round", data["round"], 1, rules.rounds) - 1

    def base(self) -> np.recarray:
        """Return the table before the turn."""
        rules = self.rules
        base = base_game(rules, self.sitting.seat_of(_text(self.data, "turn")))
        table = base[0].table
        table.round_index = self.round
        table.values[: len(rules.artists)] = self._values()
        table.money[: rules.players] = self._numbers("money", MAX_MONEY)
        out, gone = self._cards("out", []), []
        if "gone" in self.data:
            gone = self._cards("gone", out)
        for code in out:
            table.cards_out[card_artist(code)] += 1
        for code in out + gone:
            table.cards_gone[card_artist(code)] += 1
            table.seen[code] += 1
        self._hang_paintings(table)
        _check_money(rules, table, self.round)
        if rules.shill != "none":
            flipped = len(out) + len(gone)
            table.pile_size = max(sum(rules.deal[: self.round + 1]) - max(flipped - self._n_played(), 0), 0)
        return base

    def _n_played(self) -> int:
        """Cards that the players have put up, by the size of their hands."""
        dealt = self.rules.players * sum(self.rules.deal[: self.round + 1])
        return dealt - int(self.sizes().sum())

    def sizes(self) -> np.ndarray:
        """Return the cards in each hand."""
        sizes = np.zeros(MAX_SEATS, np.int64)
        sizes[: self.rules.players] = self._numbers("cards", sum(self.rules.deal[: self.round + 1]))
        return sizes

    def hand(self) -> list[int]:
        """Return the cards of the seat that decides."""
        return [self.sitting.card(text) for text in _texts(self.data, "hand")]

    def _numbers(self, key: str, high: int) -> list[int]:
        value = self.data[key]
        if isinstance(value, dict):
            value = [value.get(name) for name in self.sitting.names] if set(value) == set(self.sitting.names) else None
        if not isinstance(value, list) or len(value) != self.rules.players:
            raise UsageError(f"{key} must give one number for each of {self.rules.players} players, got {shown(value)}")
        return [
            parse_whole(f"{key} of {name}", one, 0, high) for name, one in zip(self.sitting.names, value, strict=True)
        ]

    def _artist(self, text: str) -> int:
        place = self.sitting._words.get(" ".join(str(text).lower().split()))
        if place is None:
            raise UsageError(f'"{text}" is no artist; use {", ".join(self.rules.artists)} or their names')
        return place

    def _values(self) -> list[int]:
        told = self.data.get("values", {})
        if not isinstance(told, dict):
            raise UsageError(f"values must be a table such as {{ KR = 30 }}, got {shown(told)}")
        values = [0] * len(self.rules.artists)
        for text, value in told.items():
            values[self._artist(text)] = parse_whole(f"values, {text},", value, 0, 10**6)
        _check_values(self.rules, values, self.round)
        return values

    def _cards(self, key: str, taken: list[int]) -> list[int]:
        """Return cards that were put up; of an artist alone, a card of the kind with the most copies left."""
        left = Counter(self.rules.card_codes())
        left.subtract(taken)
        texts = _texts(self.data, key)
        found: list[int] = []
        vague = []
        for text in texts:
            place = self.sitting._words.get(" ".join(text.lower().split()))
            if place is not None:
                vague.append(place)
            else:
                found.append(self.sitting.card(text))
        left.subtract(found)
        for code, n in left.items():
            if n < 0:
                raise UsageError(
                    f"{key}: {self.sitting.interpreter.card(code)} comes up more often than the deck holds it"
                )
        # The own hand is known: what is vague must not be one of its cards.
        left.subtract(self.hand())
        for place in vague:
            code = max((code for code in left if card_artist(code) == place), key=lambda code: left[code])
            if left[code] <= 0:
                raise UsageError(f"{key}: there are not so many cards of {self.rules.artists[place]}")
            left[code] -= 1
            found.append(code)
        return found

    def _hang_paintings(self, table) -> None:
        told = self.data.get("bought", {})
        if not isinstance(told, dict) or not all(isinstance(one, list) for one in told.values()):
            raise UsageError(f'bought must be a table such as {{ A = ["KR"] }}, got {shown(told)}')
        for name, texts in told.items():
            seat = self.sitting.seat_of(name)
            for text in texts:
                artist = self._artist(str(text).partition("-")[0] if "-" in str(text) else text)
                table.gallery[seat, artist] += 1
                table.stakes[seat, artist] += 1
        for place, code in enumerate(self.rules.artists):
            bought, out = int(table.gallery[:, place].sum()), int(table.cards_out[place])
            if bought > out or (bought < out and self.rules.shill == "none"):
                raise UsageError(f"bought: {bought} paintings of {code} are bought, but {out} cards of it are out")
            if out >= self.rules.end_count:
                raise UsageError(f"out: with {out} cards of {code} the round is over")


def _check_values(rules: Rules, values: Sequence[int], round_index: int) -> None:
    """Refuse values that the rounds before cannot have given."""
    ranks = rules.rank_values
    if sum(values) > round_index * sum(ranks):
        raise UsageError(
            f"values add up to {sum(values)}, but {round_index} rounds give at most {round_index * sum(ranks)}"
        )
    reachable = {0}
    for _ in range(round_index):
        reachable |= {value + rank for value in reachable for rank in ranks}
    for name, value in zip(rules.artists, values, strict=False):
        if value not in reachable:
            raise UsageError(f"values: {name} cannot have gained {value} in {round_index} rounds of {shown(ranks)}")


def _check_money(rules: Rules, table, round_index: int) -> None:
    """Refuse more money than can be about: what all began with, and what the paintings of earlier rounds paid."""
    total = int(table.money[: rules.players].sum())
    begun = rules.all_starting_money
    crowns = 7 if rules.carries_crowns else 1
    paid = 0
    for index in range(round_index):
        # An artist's value after a round is at most what the best rank gives in each round so far.
        paid += crowns * sum((index + 1) * rank * (rules.end_count - 1) for rank in rules.rank_values)
    if total > begun + paid:
        raise UsageError(
            f"money adds up to {total}, but there can be at most {begun + paid} in round {round_index + 1}"
        )


def _check_cards(rules: Rules, table, sizes: np.ndarray, hand: Sequence[int], seat: int, tells_gone: bool) -> None:
    """Refuse hands that do not agree with the deals."""
    if len(hand) != sizes[seat]:
        raise UsageError(f"hand has {len(hand)} cards, but cards says {sizes[seat]}")
    index = int(table.round_index)
    dealt = rules.players * sum(rules.deal[: index + 1])
    held = int(sizes.sum())
    n_out = int(table.cards_out.sum())
    if held + n_out > dealt and rules.shill == "none":
        raise UsageError(
            f"{held} cards in hands and {n_out} put up are more than the {dealt} dealt by round {index + 1}"
        )
    n_gone = int(table.cards_gone.sum())
    if tells_gone and held + n_gone != dealt and rules.shill == "none":
        raise UsageError(
            f"{held} cards in hands and {n_gone} put up do not add up to the {dealt} dealt by round {index + 1}"
        )
    if held == 0:
        raise UsageError("cards: all hands are empty, so the round is over")


def _seat_sitting(sitting: Sitting, base: np.recarray, sizes: np.ndarray, hand: Sequence[int], seat: int) -> None:
    """Let lines be told from a table on: the own hand is known, the others' are not."""
    interpreter = sitting.interpreter
    interpreter.games[:] = base
    game = interpreter.game
    table = game.table
    for other in range(sitting.rules.players):
        game.hands[other].seat = other
        game.hands[other].n_cards = sizes[other]
        game.hands[other].cards[: sizes[other]] = UNKNOWN_CARD
        table.hand_sizes[other] = sizes[other]
    table.cards_in_hands = int(sizes.sum())
    for code in hand:
        reveal_card(game, seat, code)
    game.deck[:] = UNKNOWN_CARD
    begin_turn(table, int(table.starter))
    index = int(table.round_index)
    interpreter.rounds = [{"dealt": [], "events": [], "result": {}} for _ in range(index)]
    interpreter.rounds.append({"dealt": [], "events": []})
    sitting.first_seat = int(table.starter)
    sitting._check_copies()
