"""Rule sets of editions and of single games.

An *edition* is a named set of options with a deal for each number of players; `Edition.rules` turns it into the `Rules`
of one game. Options and their sources: docs/rules.md.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError, model_validator

from modernart.simulator import edition_files
from modernart.simulator.edition_files import builtin_editions
from modernart.simulator.errors import UsageError
from modernart.simulator.limits import MAX_HAND, MAX_ROUNDS, MAX_SEATS, MIN_SEATS
from modernart.simulator.options import ADDED_SINCE_VERSION_1, OPTIONS, Deal, Options, Whole, option_meanings
from modernart.simulator.wording import shown, unknown

__all__ = ["Edition", "Rules", "builtin_editions", "load_edition", "option_meanings", "parse_overrides"]

_FIRST_OPTION, *_OTHER_OPTIONS = OPTIONS
#: Fields of a record's rules, in the order of the record.
_RECORD_FIELDS = ("edition", "players", "rounds", _FIRST_OPTION, "deal", *_OTHER_OPTIONS, "artists", "deck")

_LONGEST_TEXT = 1000


def _check_text(what: str, text: str) -> None:
    """Refuse a text of an edition that is too long for a table, or that could steer a terminal."""
    if len(text) > _LONGEST_TEXT or not text.replace("\n", " ").isprintable():
        raise ValueError(f"{what} must be at most {_LONGEST_TEXT} printable characters, got {shown(text)}")


class Rules(Options):
    """The rules of one game: an edition's options for one number of players, checked.

    `Rules(...)` raises pydantic's ValidationError; `Rules.from_record` raises one clear sentence.
    """

    edition: Annotated[str, Field(min_length=1, description="name of the edition")]
    players: Annotated[int, Whole(MIN_SEATS, MAX_SEATS)] = Field(description="number of players")
    rounds: Annotated[int, Whole(1, MAX_ROUNDS)] = Field(description="number of rounds")
    deal: Deal = Field(description="new cards of each player in each round")

    @model_validator(mode="after")
    def _check_deal(self) -> "Rules":
        _check_text("edition", self.edition)
        if self.rounds != len(self.deal):
            raise ValueError(f"rounds is {self.rounds}, but deal has {len(self.deal)} rounds")
        each = sum(self.deal)
        if not 1 <= each <= MAX_HAND:
            raise ValueError(f"deal must give each player 1 to {MAX_HAND} cards in all, got {each}")
        if self.n_dealt > self.n_cards:
            shill = " and the shill" if self.shill != "none" else ""
            raise ValueError(
                f"deal {shown(self.deal)} takes {self.n_dealt} cards for {self.players} players{shill}, "
                f"but the deck has only {self.n_cards}"
            )
        return self

    @property
    def n_dealt(self) -> int:
        """Number of cards dealt in all rounds, the shill's included."""
        return sum(self.deal) * (self.players + (self.shill != "none"))

    @property
    def limits_hands(self) -> bool:
        """Whether the hand limit may keep cards from the players."""
        return self.hand_limit < sum(self.deal)

    @property
    def all_starting_money(self) -> int:
        """Money of all players together at the start."""
        return self.players * self.starting_money + sum(self.order_money[: self.players])

    def money_at_start(self, first_seat: int) -> list[int]:
        """Return the money of each seat at the start of a game, whose first round `first_seat` starts."""
        on_top = (*self.order_money, *(0,) * self.players)
        return [self.starting_money + on_top[(seat - first_seat) % self.players] for seat in range(self.players)]

    def to_record(self) -> dict[str, Any]:
        """Return the rules as plain data, as in a record (docs/records.md)."""
        data = self.model_dump(mode="json")
        return {name: data[name] for name in _RECORD_FIELDS}

    @classmethod
    def from_record(cls, data: Any) -> "Rules":
        """Return the rules that a record carries.

        Raises
        ------
        UsageError
            If a field is missing, unknown or wrong, or fields contradict each other.
        """
        if not isinstance(data, Mapping):
            raise UsageError(f"rules must be an object, got {shown(data)}")
        for name in _RECORD_FIELDS:
            if name not in data and name not in ADDED_SINCE_VERSION_1:
                raise UsageError(f"{name} is missing")
        try:
            return cls.model_validate(dict(data))
        except ValidationError as error:
            raise UsageError(_sentence(error, cls)) from None


class Edition(Options):
    """A named set of options, with a deal for each number of players. Read one with `load_edition`."""

    name: str
    title: str = ""
    source: str = ""
    notes: tuple[str, ...] = ()
    #: What to know about the deck; does not go over to an edition with another deck.
    deck_note: str = ""
    players: tuple[int, int] = Field(description="fewest and most players")
    deal: dict[int, Deal] = Field(description="new cards of each player in each round, by number of players")
    artist_names: tuple[str, ...] = Field(description="full names of the artists, in board order")
    #: Options changed by hand, as KEY=VALUE.
    overrides: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _check_names(self) -> "Edition":
        if len(self.artist_names) != len(self.artists):
            raise ValueError(f"artist_names gives {len(self.artist_names)} names for {len(self.artists)} artists")
        for what in ("name", "title", "source", "deck_note", "artist_names", "notes"):
            value = getattr(self, what)
            for text in (value,) if isinstance(value, str) else value:
                _check_text(what, text)
        return self

    @property
    def label(self) -> str:
        """Name of the edition, with the options changed by hand."""
        return f"{self.name} with {', '.join(self.overrides)}" if self.overrides else self.name

    @property
    def player_counts(self) -> tuple[int, ...]:
        """Numbers of players that the edition is for."""
        return tuple(range(self.players[0], self.players[1] + 1))

    def deal_for(self, players: int) -> tuple[int, ...]:
        """Return the new cards of each player in each round.

        For a number of players that the edition has no deal for, that of the nearest number is scaled to as many cards
        as the deck serves: the later rounds are rounded down, the first has the rest.
        """
        if players in self.deal:
            return self.deal[players]
        like = self.deal[min(self.deal, key=lambda n: (abs(n - players), n))]
        each = min(self.n_cards // (players + (self.shill != "none")), MAX_HAND)
        later = [each * n // max(sum(like), 1) for n in like[1:]]
        return (each - sum(later), *later)

    def deal_note(self, players: int) -> str:
        """Return what to know about the deal for so many players; empty where the edition has one of its own."""
        if players in self.deal:
            return ""
        deal = ", ".join(map(str, self.deal_for(players)))
        return (
            f"Edition {self.name} has no deal for {players} players; derived from the nearest: {deal} new cards each."
        )

    def rules(self, players: int) -> Rules:
        """Return the rules of a game of this edition.

        Parameters
        ----------
        players : int
            Number of players.

        Returns
        -------
        Rules
            The checked rules.

        Raises
        ------
        UsageError
            If there cannot be so many players, or the deck has too few cards for the deal.
        """
        if isinstance(players, bool) or players not in range(MIN_SEATS, MAX_SEATS + 1):
            raise UsageError(f"players must be from {MIN_SEATS} to {MAX_SEATS}, got {shown(players)}")
        options = {name: getattr(self, name) for name in Options.model_fields}
        deal = self.deal_for(players)
        try:
            return Rules(edition=self.name, players=players, rounds=len(deal), deal=deal, **options)
        except ValidationError as error:
            raise UsageError(f"edition {self.name}: {_sentence(error, Rules)}") from None

    def to_dict(self) -> dict[str, Any]:
        """Return the edition as plain data: what it is, its options, its deals and its deck."""
        head = ("name", "title", "source", "notes", "deck_note", "overrides", "players", "deal")
        data = self.model_dump(mode="json")
        names = (*head, *(n for n in Options.model_fields if n != "deck"), "artist_names", "deck")
        return {name: data[name] for name in names}

    def changes(self, other: "Edition") -> dict[str, Any]:
        """Return the options, players and deals in which this edition differs from another.

        Returns
        -------
        dict
            By option, its value here. ``deal`` holds the deals of the player counts that differ or that the other
            lacks; ``deck`` is True where the cards are others.
        """
        changed = {
            name: getattr(self, name) for name in ("players", *OPTIONS) if getattr(self, name) != getattr(other, name)
        }
        deals = {n: deal for n, deal in self.deal.items() if other.deal.get(n) != deal}
        if deals:
            changed["deal"] = deals
        if (self.artists, list(self.deck.items())) != (other.artists, list(other.deck.items())):
            changed["deck"] = True
        return changed


def parse_overrides(items: Iterable[str]) -> dict[str, str]:
    """Split options given as ``KEY=VALUE`` into a dictionary for `load_edition`.

    Raises
    ------
    UsageError
        If an item has no ``=``, or a key comes twice.
    """
    overrides: dict[str, str] = {}
    for item in items:
        key, equals, value = item.partition("=")
        key = key.strip()
        if not key or not equals:
            raise UsageError(f'a rule must be written KEY=VALUE, as end_count=6, got "{item}"')
        if key in overrides:
            raise UsageError(f"rule {key} is given twice; keep one")
        overrides[key] = value.strip()
    return overrides


def load_edition(name_or_path: str | Path, overrides: Mapping[str, str] | None = None) -> Edition:
    """Read an edition.

    Parameters
    ----------
    name_or_path : str or Path
        Name of a built-in edition, or a TOML file.
    overrides : mapping of str to str, optional
        Options to change, each value written as in TOML; quotes may be left out: ``{"open_style": "outcry"}``.
        A ``deal`` list is for every number of players, a table ``{4 = [9, 4, 4, 0]}`` for those it names.

    Returns
    -------
    Edition
        The edition. Its deals are checked against the deck by `Edition.rules`.

    Raises
    ------
    UsageError
        If there is no such edition or file, or its contents are wrong; the message says what to change.

    Notes
    -----
    A file says what it ``extends`` (a built-in edition or another file, its path relative to this one) and gives only
    what differs. ``[deal]`` is taken over entry by entry, everything else as a whole. Without ``extends`` a file
    gives players, deal, artists and deck itself; options it leaves out are those of ``classic``. ``deck`` is a table
    of cards and copies, or a CSV file with columns artist, kind, copies and perhaps crowns.
    """
    path = edition_files.find(str(name_or_path))
    where = (
        f"edition {path.stem}: "
        if path.stem in builtin_editions() and path.parent == edition_files.FOLDER
        else f"{path}: "
    )
    edition = _build(edition_files.resolve(path), where)
    if not overrides:
        return edition
    data = edition_files.override(edition.model_dump(), overrides)
    data["overrides"] = tuple(f"{key}={text}" for key, text in overrides.items())
    return _build(data, "")


def _build(data: dict[str, Any], where: str) -> Edition:
    try:
        return Edition.model_validate(data)
    except ValidationError as error:
        raise UsageError(where + _sentence(error, Edition)) from None


def _sentence(error: ValidationError, model: type[BaseModel]) -> str:
    """Say in one sentence what the first fault is."""
    first = error.errors(include_url=False)[0]
    name, *rest = first["loc"] or ("",)
    place = str(name)
    if rest and name == "deal":
        place = f"deal for {rest[0]} players"
    elif rest:
        place = f"{name}, entry {rest[0] + 1}," if isinstance(rest[0], int) else f"{name}, {rest[0]},"
    match first["type"]:
        case "value_error":
            message = str(first["ctx"]["error"])
            return f"{place} {message}" if place else message
        case "missing":
            return f"{place} is missing"
        case "extra_forbidden":
            return unknown("option", place, model.model_fields)
    kinds: dict[str, str] = {"string_type": "a text", "tuple_type": "a list", "dict_type": "a table"}
    if first["type"] in kinds:
        return f"{place} must be {kinds[first['type']]}, got {shown(first['input'])}"
    return f"{place}: {first['msg']}"
