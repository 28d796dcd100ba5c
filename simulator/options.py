"""The options of a rule set, each declared once, in `Options`.

From its declaration an option gets: the check of its values, its place in records and edition files, the number in
`table.rules` that the kernel reads, its line in `modernart editions show`, and its default, which is the value in
edition `classic`. What a new option needs besides is listed in CONTRIBUTING.md.
"""

import re
from dataclasses import dataclass
from numbers import Integral
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, field_validator, model_validator
from pydantic_core import CoreSchema, core_schema

from modernart.simulator.cards import parse_card
from modernart.simulator.limits import (
    MAX_CARDS,
    MAX_COPIES,
    MAX_HAND,
    MAX_MONEY,
    MAX_RANK_VALUE,
    MAX_ROUNDS,
    MAX_SEATS,
    N_ARTISTS,
)
from modernart.simulator.wording import one_of, shown


class Values:
    """What values a field takes; used in its annotation."""

    def check(self, value: Any) -> Any:
        """Return the value in its final form; raises ValueError with a sentence if it is wrong."""
        raise NotImplementedError

    def number(self, value: Any) -> Any:
        """Return what stands for a checked value in `table.rules`."""
        return value

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the field of `table.rules`."""
        return ()

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Make pydantic call `check` (a hook of pydantic)."""
        return core_schema.no_info_before_validator_function(self.check, handler(source))


def _is_whole(value: Any, low: int, high: int) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and low <= int(value) <= high


@dataclass(frozen=True)
class Whole(Values):
    """Whole numbers from `low` to `high`; booleans and texts are refused."""

    low: int
    high: int

    def check(self, value: Any) -> int:
        """Return the number."""
        if not _is_whole(value, self.low, self.high):
            raise ValueError(f"must be a whole number from {self.low} to {self.high}, got {shown(value)}")
        return int(value)


@dataclass(frozen=True)
class WholeList(Values):
    """Lists of 1 to `most` whole numbers from 0 to `high`."""

    most: int
    high: int

    def check(self, value: Any) -> tuple[int, ...]:
        """Return the list as a tuple."""
        is_list = isinstance(value, list | tuple) and 1 <= len(value) <= self.most
        if not is_list or not all(_is_whole(v, 0, self.high) for v in value):
            raise ValueError(
                f"must be a list of 1 to {self.most} whole numbers from 0 to {self.high}, got {shown(value)}"
            )
        return tuple(int(v) for v in value)

    def number(self, value: tuple[int, ...]) -> tuple[int, ...]:
        """Return the list, padded with 0."""
        return value + (0,) * (self.most - len(value))

    @property
    def shape(self) -> tuple[int, ...]:
        """One dimension, with room for the longest list."""
        return (self.most,)


class Switch(Values):
    """True or false."""

    def check(self, value: Any) -> bool:
        """Return the value."""
        if not isinstance(value, bool):
            raise ValueError(f"must be true or false, got {shown(value)}")
        return value


class Choice(Values):
    """One of several words; in `table.rules` its place in the list, from 0."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def check(self, value: Any) -> str:
        """Return the word."""
        if value not in self.words:
            raise ValueError(f"must be {one_of(self.words)}, got {shown(value)}")
        return value

    def number(self, value: str) -> int:
        """Return the place of the word."""
        return self.words.index(value)


Copies = Annotated[int, Whole(0, MAX_COPIES)]
Deal = Annotated[tuple[int, ...], WholeList(MAX_ROUNDS, MAX_HAND)]


class Options(BaseModel):
    """The options that an edition and the rules of one game have in common, and their deck."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    starting_money: Annotated[int, Whole(0, MAX_MONEY)] = Field(
        100, description="money of each player at the start, in whole units"
    )
    end_count: Annotated[int, Whole(2, 30)] = Field(5, description="cards of one artist that end a round")
    ending_cards_rank: Annotated[bool, Switch()] = Field(
        True, description="whether the cards that end a round count for rank"
    )
    rank_values: Annotated[tuple[int, ...], WholeList(N_ARTISTS, MAX_RANK_VALUE)] = Field(
        (30, 20, 10), description="gain of the first, second, ... artist in a round"
    )
    no_bid_price: Annotated[int, Whole(0, MAX_MONEY)] = Field(
        0, description="what the auctioneer pays the bank for a lot without bids"
    )
    sealed_tie: Annotated[str, Choice("auctioneer_first", "auctioneer_last")] = Field(
        "auctioneer_first", description="place of the auctioneer among equal sealed bids"
    )
    double_revenue: Annotated[str, Choice("joiner", "split_odd_joiner", "split_odd_first")] = Field(
        "joiner", description="who earns from a joined double, and who gets the odd unit"
    )
    decline_penalty: Annotated[str, Choice("none", "skip_turn")] = Field(
        "none", description="what a player loses who could join a double and declines"
    )
    last_card: Annotated[str, Choice("void", "auctioned")] = Field(
        "void", description="whether the last card of all hands is still sold"
    )
    next_starter: Annotated[str, Choice("after_ender", "after_first_seller")] = Field(
        "after_ender", description="whose left neighbour starts after a joined ending card"
    )
    open_style: Annotated[str, Choice("limit", "outcry")] = Field(
        "limit", description="how an open auction is simulated"
    )
    shill: Annotated[str, Choice("none", "buyer", "auctioneer")] = Field(
        "none", description="who may turn up a card of the face-down extra hand after a sale"
    )
    debt: Annotated[bool, Switch()] = Field(
        False, description="whether money may fall below zero by black-framed cards"
    )
    least_bid: Annotated[int, Whole(1, MAX_MONEY)] = Field(
        1, description="reserve price: lower bids do not count; fixed prices are free"
    )
    house_fee: Annotated[int, Whole(0, 100)] = Field(
        0, description="percent of a price that its auctioneer pays the bank, rounded down"
    )
    order_money: Annotated[tuple[int, ...], WholeList(MAX_SEATS, MAX_MONEY)] = Field(
        (0,), description="money on top at the start, by order of play from the one who starts the first round"
    )
    rivals_money: Annotated[str, Choice("open", "hidden")] = Field(
        "open", description="whether players see the money of the others"
    )
    pairing: Annotated[str, Choice("doubles", "same_kind")] = Field(
        "doubles", description="whether a second card is added to doubles alone, or to a card of its own kind too"
    )
    hand_limit: Annotated[int, Whole(1, MAX_HAND)] = Field(
        MAX_HAND, description="most cards in hand after a deal; what a player may not take leaves the game unseen"
    )
    artists: tuple[str, ...] = Field(description="codes of the artists, in board order")
    deck: dict[str, Copies] = Field(description="copies of each card, in deck order")

    @field_validator("artists")
    @classmethod
    def _check_artists(cls, artists: tuple[str, ...]) -> tuple[str, ...]:
        for code in artists:
            if not re.fullmatch(r"[A-Z][A-Z0-9]{0,3}", code):
                raise ValueError(f"must be codes of 1 to 4 capital letters or digits, got {shown(code)}")
        if not 1 <= len(artists) <= N_ARTISTS or len(set(artists)) < len(artists):
            raise ValueError(f"must be 1 to {N_ARTISTS} different codes, got {shown(artists)}")
        return artists

    @model_validator(mode="after")
    def _check_together(self) -> "Options":
        if len(self.rank_values) > len(self.artists):
            raise ValueError(
                f"rank_values gives {len(self.rank_values)} ranks, but the deck has only {len(self.artists)} artists"
            )
        codes = [parse_card(card, self.artists) for card in self.deck]
        if len(set(codes)) < len(codes) or len({"*" in card for card in self.deck}) > 1:
            raise ValueError("either every card of the deck or none must be written with crowns")
        if not 1 <= self.n_cards <= MAX_CARDS:
            raise ValueError(f"the deck must hold 1 to {MAX_CARDS} cards, got {self.n_cards}")
        return self

    @property
    def n_cards(self) -> int:
        """Number of cards in the deck."""
        return sum(self.deck.values())

    @property
    def carries_crowns(self) -> bool:
        """Whether the cards of the deck are written with crowns."""
        return any("*" in card for card in self.deck)

    def card_codes(self) -> list[int]:
        """Packed code of every card of the deck, in deck order with each card's copies in a row."""
        return [parse_card(card, self.artists) for card, copies in self.deck.items() for _ in range(copies)]


#: Options added after version 1 of the record format. Records that lack one were played by its default.
ADDED_SINCE_VERSION_1: tuple[str, ...] = (
    "least_bid",
    "house_fee",
    "order_money",
    "rivals_money",
    "pairing",
    "hand_limit",
)

#: The options by name, with the values each takes; artists and deck are not among them.
OPTIONS: dict[str, Values] = {
    name: next(item for item in field.metadata if isinstance(item, Values))
    for name, field in Options.model_fields.items()
    if name not in ("artists", "deck")
}

#: The words of each option that is a choice, in the order of their numbers.
OPTION_VALUES = {name: values.words for name, values in OPTIONS.items() if isinstance(values, Choice)}


def option_meanings() -> dict[str, str]:
    """One-line meaning of each option of an edition, by name, in the order of a record."""
    return {name: Options.model_fields[name].description or "" for name in OPTIONS}


def option_fields() -> list[tuple]:
    """Fields of the options in `table.rules`, for a structured dtype."""
    return [(name, "i4", values.shape) for name, values in OPTIONS.items()]


# The numbers that the kernel compares with.
AUCTIONEER_FIRST = OPTION_VALUES["sealed_tie"].index("auctioneer_first")
JOINER = OPTION_VALUES["double_revenue"].index("joiner")
SPLIT_ODD_JOINER = OPTION_VALUES["double_revenue"].index("split_odd_joiner")
SKIP_TURN = OPTION_VALUES["decline_penalty"].index("skip_turn")
VOID = OPTION_VALUES["last_card"].index("void")
AFTER_FIRST_SELLER = OPTION_VALUES["next_starter"].index("after_first_seller")
LIMIT_STYLE = OPTION_VALUES["open_style"].index("limit")
OUTCRY = OPTION_VALUES["open_style"].index("outcry")
NO_SHILL = OPTION_VALUES["shill"].index("none")
SHILL_BUYER = OPTION_VALUES["shill"].index("buyer")
OPEN_MONEY = OPTION_VALUES["rivals_money"].index("open")
SAME_KIND = OPTION_VALUES["pairing"].index("same_kind")
