"""What lies on the table at each point of a game, put together from the events of its record."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import InitVar, dataclass, field
from typing import Any

from modernart.analysis.play.telling import only_seat_that_knows, tell, tell_heard, tell_result
from modernart.simulator.cards import parse_card
from modernart.simulator.events import Event
from modernart.simulator.limits import cards_taken
from modernart.simulator.rules import Rules

#: A point of a game as plain data: what lies on the table, and the sentence that led there.
Frame = dict[str, Any]


@dataclass
class Board:
    """The table of one game; `deal`, `happen` and `close` lay out what the record tells.

    Parameters
    ----------
    rules : Rules
    first_seat : int
        Who starts the first round.

    Attributes
    ----------
    hands : list of list of str, or None
        Cards by seat; None for a hand that the record does not know.
    sizes : list of int
        Cards in each hand.
    galleries : list of list of str
        Cards bought this round, by seat.
    money : list of int
    out : list of int
        Cards put up this round, by artist.
    values : list of int
        Gains of all rounds so far, by artist.
    pile : int
        Face-down cards of the shill.
    limits : dict of int to int
        Limits named for the lot in an open auction, by seat.
    """

    rules: Rules
    first_seat: InitVar[int]
    round: int = 0
    hands: list[list[str] | None] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    galleries: list[list[str]] = field(default_factory=list)
    money: list[int] = field(default_factory=list)
    out: list[int] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    pile: int = 0
    lot: list[str] = field(default_factory=list)
    seller: int | None = None
    bid: int = 0
    bidder: int | None = None
    limits: dict[int, int] = field(default_factory=dict)

    def __post_init__(self, first_seat: int) -> None:
        """Lay out the table before the first deal."""
        n = self.rules.players
        self.hands = [[] for _ in range(n)]
        self.sizes = [0] * n
        self.money = self.rules.money_at_start(first_seat)
        self.values = [0] * len(self.rules.artists)

    def deal(self, dealt: Sequence[Sequence[str] | None]) -> None:
        """Begin a round with the new cards of each seat."""
        n_new = self.rules.deal[self.round]
        self.round += 1
        self.out = [0] * len(self.rules.artists)
        self.galleries = [[] for _ in dealt]
        self.pile += n_new if self.rules.shill != "none" else 0
        self._clear_lot()
        for seat, cards in enumerate(dealt):
            hand = self.hands[seat]
            self.hands[seat] = None if cards is None or hand is None else sorted([*hand, *cards], key=self._order)
            self.sizes[seat] += cards_taken(self.rules.hand_limit, self.sizes[seat], n_new)

    def happen(self, event: Event) -> None:
        """Lay out one event."""
        match event["e"]:
            case "play" | "pair" | "join":
                if event["e"] == "play":
                    self._clear_lot()
                if event["e"] != "pair":
                    self.seller = event["seat"]
                self._put_up(event["seat"], event["card"])
            case "flip" if event["card"] is not None:
                self.pile -= 1
                self._count(event["card"])
            case "limit":
                self.limits[event["seat"]] = event["amount"]
            case "bid" | "price":
                self.bid, self.bidder = event["amount"], event["seat"]
            case "sale":
                self.galleries[event["buyer"]] += event["cards"]
                self.money = list(event["money"])
                self._clear_lot()

    def close(self, result: dict[str, Any]) -> None:
        """End a round: pay out, and let the first artists gain."""
        self.money = list(result["money"])
        for artist, gain in zip(result["ranking"], self.rules.rank_values, strict=False):
            self.values[self.rules.artists.index(artist)] += gain

    def as_data(self) -> dict[str, Any]:
        """Return the table as plain data; limits, which are secret, are left out."""
        return {name: deepcopy(value) for name, value in vars(self).items() if name not in ("rules", "limits")}

    def _put_up(self, seat: int, card: str) -> None:
        self.lot.append(card)
        self.sizes[seat] -= 1
        hand = self.hands[seat]
        if hand is not None:
            hand.remove(card)
        self._count(card)

    def _count(self, card: str) -> None:
        self.out[self.rules.artists.index(card.partition("-")[0])] += 1

    def _clear_lot(self) -> None:
        self.lot, self.seller, self.bid, self.bidder, self.limits = [], None, 0, None, {}

    def _order(self, card: str) -> int:
        return parse_card(card, self.rules.artists)


@dataclass(frozen=True)
class Point:
    """A point of a game: the table, and what led there.

    Parameters
    ----------
    place : str
        Where that stands in the record, as ROUND:EVENT, both from 1; the deal of a round is event 0.
    only : int or None
        The seat that alone knows of it; None: everybody does.
    table : dict
        See `Board.as_data`.
    event : dict or None
        An event of the record, or the result of a round; None for the deal.
    limits : dict of int to int
        What was secret of an open auction until this event.
    """

    place: str
    only: int | None
    table: dict[str, Any]
    event: dict[str, Any] | None
    limits: dict[int, int]

    def frame(self, names: Sequence[str], reader: int | None = None) -> Frame:
        """Return the point as plain data, everybody's hands included.

        Parameters
        ----------
        names : sequence of str
            The players' names, by seat.
        reader : int, optional
            The seat that its sentences address as "you".
        """
        event, heard = self.event, ""
        if event is None:
            text = f"Round {self.table['round']} begins"
        elif "e" not in event:
            text = tell_result(event, names, reader)
        else:
            text = tell(event, names, reader)
            heard = tell_heard(self.limits, event, names, reader) if event["e"] == "sale" else ""
        return {"place": self.place, "only": self.only, "text": text, "heard": heard, **self.table}


class Story:
    """All points of a game so far: the deal of each round, each event, the end of each round.

    Parameters
    ----------
    rules : Rules
    first_seat : int
        Who starts the first round.

    Attributes
    ----------
    points : list of Point
    """

    def __init__(self, rules: Rules, first_seat: int) -> None:
        self.points: list[Point] = []
        self._board = Board(rules, first_seat)
        self._has_penalty = rules.decline_penalty != "none"
        self._n_events = 0
        self._is_closed = True

    def follow(self, rounds: Sequence[dict[str, Any]]) -> "Story":
        """Go on to the end of the rounds of a record, the last of which may be unfinished."""
        board = self._board
        while True:
            if self._is_closed:
                if board.round == len(rounds):
                    return self
                board.deal(rounds[board.round]["dealt"])
                self._n_events, self._is_closed = 0, False
                self._add(None)
            told = rounds[board.round - 1]
            for event in told["events"][self._n_events :]:
                limits = board.limits
                board.happen(event)
                self._n_events += 1
                self._add(event, only_seat_that_knows(event, self._has_penalty), limits)
            if "result" not in told:
                return self
            board.close(told["result"])
            self._n_events, self._is_closed = self._n_events + 1, True
            self._add(told["result"])

    def _add(self, event: Event | None, only: int | None = None, limits: dict[int, int] | None = None) -> None:
        place = f"{self._board.round}:{self._n_events}"
        self.points.append(Point(place, only, self._board.as_data(), event, dict(limits or {})))


def as_known_to(frame: Frame, seat: int, hides_money: bool = False) -> Frame:
    """Return a frame without the hands of all other seats, and if the rules hide it, without their money."""
    known = {**frame, "hands": [hand if other == seat else None for other, hand in enumerate(frame["hands"])]}
    if hides_money:
        known["money"] = [money if other == seat else None for other, money in enumerate(frame["money"])]
    return known
