"""Rule sets and editions: read from files, checked, and written into records.

An *edition* is a named set of options with a deal for each number of players; `Edition.rules` turns it into the
`Rules` of one game. Options and their sources: docs/rules.md; S1 and S2 are the sources named there.
"""

import csv
import difflib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from numbers import Integral
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator

from modernart.simulator.cards import parse_card
from modernart.simulator.errors import UsageError
from modernart.simulator.options import OPTION_VALUES

# Limits of the records that hold a game (`modernart.simulator.state`).
MIN_SEATS, MAX_SEATS = 2, 8
MAX_ROUNDS = 8
MAX_ARTISTS = 5
MAX_HAND = 48
MAX_CARDS = 128
#: Copies of one card are counted in 8 bits.
MAX_COPIES = 127
MAX_MONEY = 1_000_000
#: Keeps the payouts of a game, 128 cards of 7 crowns over 8 rounds, within 32 bits.
MAX_RANK_VALUE = 100_000

_EDITIONS = Path(__file__).parent / "editions"


def _whole(low: int, high: int) -> BeforeValidator:
    """Accept whole numbers from `low` to `high`; booleans and texts are none."""

    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, Integral) or not low <= value <= high:
            raise ValueError(f"must be a whole number from {low} to {high}, got {_shown(value)}")
        return int(value)

    return BeforeValidator(check)


def _whole_list(most: int, high: int) -> BeforeValidator:
    """Accept lists of 1 to `most` whole numbers from 0 to `high`."""

    def check(value: Any) -> tuple[int, ...]:
        if (
            not isinstance(value, list | tuple)
            or not 1 <= len(value) <= most
            or not all(isinstance(v, Integral) and not isinstance(v, bool) and 0 <= v <= high for v in value)
        ):
            raise ValueError(f"must be a list of 1 to {most} whole numbers from 0 to {high}, got {_shown(value)}")
        return tuple(int(v) for v in value)

    return BeforeValidator(check)


def _choice(option: str) -> BeforeValidator:
    """Accept the values of a named option."""

    def check(value: Any) -> str:
        if value not in OPTION_VALUES[option]:
            raise ValueError(f"must be {_one_of(OPTION_VALUES[option])}, got {_shown(value)}")
        return value

    return BeforeValidator(check)


def _yes_no(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"must be true or false, got {_shown(value)}")
    return value


Money = Annotated[int, _whole(0, MAX_MONEY)]
Switch = Annotated[bool, BeforeValidator(_yes_no)]
Deal = Annotated[tuple[int, ...], _whole_list(MAX_ROUNDS, MAX_HAND)]
RankValues = Annotated[tuple[int, ...], _whole_list(MAX_ARTISTS, MAX_RANK_VALUE)]
Copies = Annotated[int, _whole(0, MAX_COPIES)]


class _Options(BaseModel):
    """What an edition and the rules of one game have in common."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    starting_money: Money = Field(description="money of each player at the start, in whole units")
    end_count: Annotated[int, _whole(2, 30)] = Field(description="cards of one artist that end a round")
    ending_cards_rank: Switch = Field(description="whether the cards that end a round count for rank")
    rank_values: RankValues = Field(description="gain of the first, second, ... artist in a round")
    no_bid_price: Money = Field(description="what the auctioneer pays the bank for a lot nobody bid on")
    sealed_tie: Annotated[str, _choice("sealed_tie")] = Field(
        description="place of the auctioneer among equal sealed bids"
    )
    double_revenue: Annotated[str, _choice("double_revenue")] = Field(
        description="who earns from a joined double, and who the odd unit"
    )
    decline_penalty: Annotated[str, _choice("decline_penalty")] = Field(
        description="what declining to join a double costs who could"
    )
    last_card: Annotated[str, _choice("last_card")] = Field(
        description="whether the last card of all hands is still sold"
    )
    next_starter: Annotated[str, _choice("next_starter")] = Field(
        description="whose left neighbour starts after a joined ending card"
    )
    open_style: Annotated[str, _choice("open_style")] = Field(description="how an open auction is simulated")
    shill: Annotated[str, _choice("shill")] = Field(
        description="who may turn up a card of the face-down extra hand after a sale"
    )
    debt: Switch = Field(description="whether money may fall below zero by black-framed cards")
    artists: tuple[str, ...] = Field(description="codes of the artists, in board order")
    deck: dict[str, Copies] = Field(description="copies of each card, in deck order")

    @field_validator("artists")
    @classmethod
    def _check_artists(cls, artists: tuple[str, ...]) -> tuple[str, ...]:
        for code in artists:
            if not re.fullmatch(r"[A-Z][A-Z0-9]{0,3}", code):
                raise ValueError(f"must be codes of 1 to 4 capital letters or digits, got {_shown(code)}")
        if not 1 <= len(artists) <= MAX_ARTISTS or len(set(artists)) < len(artists):
            raise ValueError(f"must be 1 to {MAX_ARTISTS} different codes, got {_shown(artists)}")
        return artists

    @model_validator(mode="after")
    def _check_together(self) -> "_Options":
        if any(a < b for a, b in zip(self.rank_values, self.rank_values[1:], strict=False)):
            raise ValueError(f"rank_values must not rise from one rank to the next, got {_shown(self.rank_values)}")
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


#: Fields of a record's rules, in the order of the record.
_RECORD_FIELDS = (
    "edition", "players", "rounds", "starting_money", "deal", "end_count", "ending_cards_rank", "rank_values",
    "no_bid_price", "sealed_tie", "double_revenue", "decline_penalty", "last_card", "next_starter", "open_style",
    "shill", "debt", "artists", "deck",
)  # fmt: skip

#: Options of an edition whose values classic lends to a file that leaves them out.
_LENT_OPTIONS = tuple(name for name in _Options.model_fields if name not in ("artists", "deck"))


class Rules(_Options):
    """The rules of one game: an edition's options for one number of players, checked.

    `Rules(...)` raises pydantic's ValidationError; `Rules.from_record` raises one clear sentence.
    """

    edition: Annotated[str, Field(min_length=1, description="name of the edition")]
    players: Annotated[int, _whole(MIN_SEATS, MAX_SEATS)] = Field(description="number of players")
    rounds: Annotated[int, _whole(1, MAX_ROUNDS)] = Field(description="number of rounds")
    deal: Deal = Field(description="new cards of each player in each round")

    @model_validator(mode="after")
    def _check_deal(self) -> "Rules":
        if self.rounds != len(self.deal):
            raise ValueError(f"rounds is {self.rounds}, but deal has {len(self.deal)} rounds")
        each = sum(self.deal)
        if not 1 <= each <= MAX_HAND:
            raise ValueError(f"deal must give each player 1 to {MAX_HAND} cards in all, got {each}")
        if self.n_dealt > self.n_cards:
            shill = " and the shill" if self.shill != "none" else ""
            raise ValueError(
                f"deal {_shown(self.deal)} takes {self.n_dealt} cards for {self.players} players{shill}, "
                f"but the deck has only {self.n_cards}"
            )
        return self

    @property
    def n_dealt(self) -> int:
        """Number of cards dealt in all rounds, the shill's included."""
        return sum(self.deal) * (self.players + (self.shill != "none"))

    def to_record(self) -> dict[str, Any]:
        """Return the rules as plain data, as a record carries them (docs/rules.md, game record)."""
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
            raise UsageError(f"rules must be an object, got {_shown(data)}")
        try:
            return cls.model_validate(dict(data))
        except ValidationError as error:
            raise UsageError(_sentence(error, cls)) from None


class Edition(_Options):
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
        return self

    @property
    def label(self) -> str:
        """Name of the edition, with the options changed by hand."""
        return f"{self.name} with {', '.join(self.overrides)}" if self.overrides else self.name

    @property
    def player_counts(self) -> tuple[int, ...]:
        """Numbers of players that the edition is for."""
        return tuple(range(self.players[0], self.players[1] + 1))

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
            If the edition is not for so many players, or its deck cannot serve the deal.
        """
        if players not in self.player_counts:
            raise UsageError(
                f"players must be {_one_of(self.player_counts)} for edition {self.name}, got {_shown(players)}"
            )
        options = {name: getattr(self, name) for name in _Options.model_fields}
        deal = self.deal[players]
        try:
            return Rules(edition=self.name, players=players, rounds=len(deal), deal=deal, **options)
        except ValidationError as error:
            raise UsageError(f"edition {self.name}: {_sentence(error, Rules)}") from None

    def to_dict(self) -> dict[str, Any]:
        """Return the edition as plain data: what it is, its options, its deals and its deck."""
        head = ("name", "title", "source", "notes", "deck_note", "overrides", "players", "deal")
        data = self.model_dump(mode="json")
        names = (*head, *(n for n in _Options.model_fields if n != "deck"), "artist_names", "deck")
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
            name: getattr(self, name)
            for name in ("players", *_LENT_OPTIONS)
            if getattr(self, name) != getattr(other, name)
        }
        deals = {n: deal for n, deal in self.deal.items() if other.deal.get(n) != deal}
        if deals:
            changed["deal"] = deals
        if (self.artists, list(self.deck.items())) != (other.artists, list(other.deck.items())):
            changed["deck"] = True
        return changed


def option_meanings() -> dict[str, str]:
    """One-line meaning of each option of an edition, by name, in the order of a record."""
    return {n: _Options.model_fields[n].description or "" for n in _RECORD_FIELDS if n in _LENT_OPTIONS}


def builtin_editions() -> tuple[str, ...]:
    """Names of the built-in editions, in alphabetical order."""
    return tuple(sorted(path.stem for path in _EDITIONS.glob("*.toml")))


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
    path = _find(str(name_or_path))
    edition = _build(_resolve(path, ()), f"{path}: " if path.parent != _EDITIONS else f"edition {path.stem}: ")
    if not overrides:
        return edition
    data = edition.model_dump()
    for key in overrides:
        if key not in _OVERRIDE_KEYS:
            raise UsageError(_unknown("rule", key, _OVERRIDE_KEYS))
    data = _merge(data, {key: _toml_value(key, text) for key, text in overrides.items()}, Path(), "")
    data["overrides"] = tuple(f"{key}={text}" for key, text in overrides.items())
    return _build(data, "")


_OVERRIDE_KEYS = ("players", "deal", *_LENT_OPTIONS, "artists", "artist_names", "deck")
_FILE_KEYS = ("extends", "title", "source", "notes", "deck_note", *_OVERRIDE_KEYS)
#: Words of a record or of a table that are no options of an edition, and what to do instead.
_FOLLOWING = {
    "name": "an edition is named after its file",
    "edition": "an edition is named after its file",
    "rounds": "it follows from the length of deal",
}


def _find(name_or_path: str) -> Path:
    """File of the edition that is meant."""
    if name_or_path in builtin_editions():
        return _EDITIONS / f"{name_or_path}.toml"
    path = Path(name_or_path)
    if path.suffix == ".toml":
        return path
    if path.exists() and path.parent != Path():
        raise UsageError(f"edition file {path} must end in .toml")
    if Path(f"{path}.toml").exists():
        raise UsageError(f'there is no edition "{path}"; to read the file, write {path}.toml')
    raise UsageError(_unknown("edition", name_or_path, builtin_editions()))


def _resolve(path: Path, below: tuple[Path, ...]) -> dict[str, Any]:
    """Read a file on top of what it extends; `below` are the files that extend it."""
    if path.resolve() in below:
        raise UsageError(f"{below[0].name}: extends leads back to {path.name}; one of the files must stand alone")
    data = _read_toml(path)
    where = f"{path}: "
    for key in data:
        if key not in _FILE_KEYS:
            raise UsageError(where + _unknown("option", key, _FILE_KEYS))
    parent = data.pop("extends", None)
    if parent is None:
        classic = _EDITIONS / "classic.toml"
        lent = {} if path == classic else _read_toml(classic)
        base = {name: lent[name] for name in _LENT_OPTIONS if name in lent}
        own = {}
    else:
        if not isinstance(parent, str):
            raise UsageError(f"{where}extends must be the name of an edition or a file, got {_shown(parent)}")
        file = _EDITIONS / f"{parent}.toml" if parent in builtin_editions() else path.parent / parent
        if file.suffix != ".toml":
            raise UsageError(f"{where}extends: {_unknown('edition', parent, builtin_editions())}")
        base = _resolve(file, (*below, path.resolve()))
        own = {"title": f"{base['name']} with changes", "source": "house rules"}
    return _merge(base, {**own, **data, "name": path.stem}, path.parent, where)


def _merge(base: dict[str, Any], changes: dict[str, Any], folder: Path, where: str) -> dict[str, Any]:
    """Lay changes over a base, both as `Edition` takes them but for the short forms a file may use."""
    merged = base | changes
    if "players" in changes:
        merged["players"] = _player_range(changes["players"], where)
    if "players" in merged:
        merged["deal"] = _merge_deals(base.get("deal", {}), changes.get("deal", {}), merged["players"], where)
    if "deck" in changes:
        merged["deck"] = _read_deck(changes["deck"], folder, where)
        merged["deck_note"] = changes.get("deck_note", "")
    if "artists" in changes and "artist_names" not in changes:
        merged["artist_names"] = changes["artists"]
    if base.get("notes") and "notes" in changes and isinstance(changes["notes"], list):
        merged["notes"] = [*base["notes"], *changes["notes"]]
    return merged


def _player_range(value: Any, where: str) -> tuple[int, int]:
    """Fewest and most players, from one number or a list of the two."""
    pair = value if isinstance(value, list) else [value, value]
    if (
        len(pair) != 2
        or not all(isinstance(n, int) and not isinstance(n, bool) for n in pair)
        or not MIN_SEATS <= pair[0] <= pair[1] <= MAX_SEATS
    ):
        raise UsageError(
            f"{where}players must be a number from {MIN_SEATS} to {MAX_SEATS}, or a list of the fewest and the most, "
            f"got {_shown(value)}"
        )
    return pair[0], pair[1]


def _merge_deals(base: dict[int, Any], changes: Any, players: tuple[int, int], where: str) -> dict[int, Any]:
    """Deals by number of players; deals of the base for numbers no longer played are left out."""
    counts = range(players[0], players[1] + 1)
    if isinstance(changes, list):
        return dict.fromkeys(counts, changes)
    if not isinstance(changes, dict):
        raise UsageError(
            f"{where}deal must be a list of cards by round, or a table of such lists by number of players, "
            f"got {_shown(changes)}"
        )
    deals = {n: deal for n, deal in base.items() if n in counts}
    for key, deal in changes.items():
        if not str(key).isdecimal() or int(key) not in counts:
            raise UsageError(f"{where}deal is given for {key} players, but players are {_one_of(counts)}")
        deals[int(key)] = deal
    missing = [n for n in counts if n not in deals]
    if missing:
        raise UsageError(f"{where}deal is missing for {missing[0]} players; add it to the deals or narrow players")
    return dict(sorted(deals.items()))


def _read_deck(deck: Any, folder: Path, where: str) -> dict[str, Any]:
    """Return copies by card, from a table or from a CSV file."""
    if isinstance(deck, dict):
        return deck
    if not isinstance(deck, str):
        raise UsageError(f"{where}deck must be a CSV file or a table of cards and copies, got {_shown(deck)}")
    path = folder / deck
    if not path.exists() and Path(deck).name == deck and (_EDITIONS / deck).exists():
        path = _EDITIONS / deck  # a copied edition file goes on using the built-in deck
    rows = csv.DictReader(_read_text(path, f"{where}deck file ").splitlines(), skipinitialspace=True)
    columns = rows.fieldnames or []
    if not {"artist", "kind", "copies"} <= set(columns) <= {"artist", "kind", "crowns", "copies"}:
        raise UsageError(
            f"{path}: the columns must be artist, kind, copies and perhaps crowns, got {','.join(columns)}"
        )
    copies_of: dict[str, int] = {}
    for row in rows:
        line = f"{path}: line {rows.line_num}: "
        if None in row or None in row.values():
            raise UsageError(f"{line}must have {len(columns)} columns")
        cells = {name: cell.strip() for name, cell in row.items()}
        card = f"{cells['artist']}-{cells['kind']}" + (f"*{cells['crowns']}" if cells.get("crowns") else "")
        if not re.fullmatch(r"[0-9]{1,6}", cells["copies"]):
            raise UsageError(f'{line}copies must be a whole number, got "{cells["copies"]}"')
        if card in copies_of:
            raise UsageError(f"{line}card {card} is listed twice; give it one line")
        copies_of[card] = int(cells["copies"])
    return copies_of


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_read_text(path, "edition file "))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is not valid TOML: {error}") from None


def _read_text(path: Path, what: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UsageError(f"{what}{path} does not exist") from None
    except UnicodeDecodeError:
        raise UsageError(f"{what}{path} must be text in UTF-8") from None
    except OSError as error:
        raise UsageError(f"{what}{path} cannot be read: {error.strerror}") from None


def _toml_value(key: str, text: str) -> Any:
    """Value of an option given by hand; a bare word is a text."""
    try:
        parsed = tomllib.loads(f"value = {text}")
        if list(parsed) == ["value"]:
            return parsed["value"]
    except tomllib.TOMLDecodeError:
        if re.fullmatch(r"[A-Za-z_./~][^\n\"'\[\]{}=#]*", text):
            return text
    raise UsageError(f'rule {key}: "{text}" is no value; write a number, a word, true, false or a list as [9,4,4,0]')


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
            return _unknown("option", place, model.model_fields)
    kinds: dict[str, str] = {"string_type": "a text", "tuple_type": "a list", "dict_type": "a table"}
    if first["type"] in kinds:
        return f"{place} must be {kinds[first['type']]}, got {_shown(first['input'])}"
    return f"{place}: {first['msg']}"


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    """There is no such name; say which are near, or else which there are."""
    if what != "edition" and name in _FOLLOWING:
        return f"{name} cannot be set; {_FOLLOWING[name]}"
    names = list(known)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    return f'there is no {what} "{name}"; ' + (f"did you mean {_one_of(near)}?" if near else f"use {_one_of(names)}")


def _one_of(values: Iterable[Any]) -> str:
    """Write ``a, b or c``."""
    *most, last = (str(value) for value in values)
    return f"{', '.join(most)} or {last}" if most else last


def _shown(value: Any) -> str:
    """Write a value much as TOML and JSON do, cut where it is long."""
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."
