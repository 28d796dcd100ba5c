"""The catalogue of claims: fields to test in, and each claim with its source and its tests."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from modernart.simulator.errors import UsageError

CATALOGUE = Path(__file__).parent / "claims.toml"
#: What the only test of a claim is called.
ONLY_READING = "as it stands"
#: Keys of a claim that are no test.
_CLAIM_KEYS = ("key", "says", "source", "also")
_SETTING_KEYS = ("edition", "players")

#: One test: its `reading` of the claim, its `hypothesis`, its `measure` and that measure's own keys.
Test = Mapping[str, Any]


@dataclass(frozen=True)
class Field:
    """Strategies that a claim is tested among.

    Parameters
    ----------
    strategies : tuple of str
    most_games : int or None
        Games of a comparison are cut to this, for slow strategies.
    """

    strategies: tuple[str, ...]
    most_games: int | None = None


@dataclass(frozen=True)
class Claim:
    """Something people say, who says it, and the tests that its words allow.

    Parameters
    ----------
    key, says, source : str
    tests : tuple of Test
        At least one; the first is the plainest reading.
    """

    key: str
    says: str
    source: str
    tests: tuple[Test, ...]


@dataclass(frozen=True)
class Catalogue:
    """Claims, and the fields they are tested in."""

    fields: Mapping[str, Field]
    claims: Sequence[Claim]


def read_catalogue(path: Path, measures: Sequence[str]) -> Catalogue:
    """Read a catalogue of claims.

    Parameters
    ----------
    path : Path
    measures : sequence of str
        Names of the measures that there are.

    Raises
    ------
    UsageError
        If the file is no catalogue.
    """
    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        fields = _fields(data)
        claims = tuple(_claim(table, measures) for table in data["claim"])
        if not claims or not fields:
            raise ValueError("it needs at least one claim and one field")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} is no catalogue of claims: {error}") from None
    return Catalogue(fields, claims)


def field_strategies() -> dict[str, tuple[str, ...]]:
    """Return the strategies of each field of the built-in catalogue."""
    data = tomllib.loads(CATALOGUE.read_text(encoding="utf-8"))
    return {name: field.strategies for name, field in _fields(data).items()}


def _fields(data: Mapping[str, Any]) -> dict[str, Field]:
    """Return the fields of a catalogue, by name."""
    return {name: Field(tuple(field["strategies"]), field.get("most_games")) for name, field in data["fields"].items()}


def _claim(table: Mapping[str, Any], measures: Sequence[str]) -> Claim:
    """Return a claim; an entry of `also` is a test that changes some keys of the claim's first one.

    With another measure it takes over nothing but the setting.
    """
    first = {"reading": ONLY_READING} | {key: value for key, value in table.items() if key not in _CLAIM_KEYS}
    setting = {key: first[key] for key in _SETTING_KEYS if key in first}
    tests = (
        first,
        *(
            (first if also.get("measure", first["measure"]) == first["measure"] else setting) | also
            for also in table.get("also", ())
        ),
    )
    for key in ("key", "says", "source"):
        if not isinstance(table[key], str):
            raise ValueError(f"{key} must be a text")
    for test in tests:
        for key in ("reading", "hypothesis", "measure"):
            if not isinstance(test[key], str):
                raise ValueError(f"{key} must be a text")
        if test["measure"] not in measures:
            raise ValueError(f"there is no measure {test['measure']}")
    if len({test["reading"] for test in tests}) < len(tests):
        raise ValueError(f"two tests of {table['key']} have the same reading")
    return Claim(table["key"], table["says"], table["source"], tests)
