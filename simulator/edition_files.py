"""Edition files: TOML files that extend each other, and decks as CSV files, read into the data of an `Edition`."""

import csv
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from modernart.simulator.errors import UsageError
from modernart.simulator.files import is_file, read_text, read_toml
from modernart.simulator.limits import MAX_SEATS, MIN_SEATS
from modernart.simulator.options import OPTIONS
from modernart.simulator.wording import cut, one_of, shown, unknown

#: The built-in editions.
FOLDER = Path(__file__).parent / "editions"

_OVERRIDE_KEYS = ("players", "deal", *OPTIONS, "artists", "artist_names", "deck")
_FILE_KEYS = ("extends", "title", "source", "notes", "deck_note", *_OVERRIDE_KEYS)
#: Files that may extend each other, one upon the other.
_DEEPEST = 50
#: Words of a record or of a table that are not options of an edition, and what to do instead.
_FOLLOWING = {
    "name": "an edition is named after its file",
    "edition": "an edition is named after its file",
    "rounds": "it follows from the length of deal",
}


def builtin_editions() -> tuple[str, ...]:
    """Names of the built-in editions, in alphabetical order."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def override(data: dict[str, Any], overrides: Mapping[str, str]) -> dict[str, Any]:
    """Return the data of an edition with options changed by hand, each value written as in TOML.

    Raises
    ------
    UsageError
        If there is no such option, or a value cannot be read.
    """
    for key in overrides:
        if key not in _OVERRIDE_KEYS:
            raise UsageError(_no_such("rule", key, _OVERRIDE_KEYS))
    return _merge(data, {key: _toml_value(key, text) for key, text in overrides.items()}, Path(), "")


def _no_such(what: str, name: str, known: tuple[str, ...]) -> str:
    """Say that there is no such option, or that this one cannot be set."""
    return f"{name} cannot be set; {_FOLLOWING[name]}" if name in _FOLLOWING else unknown(what, name, known)


def find(name_or_path: str) -> Path:
    """File of the edition that is meant."""
    if name_or_path in builtin_editions():
        return FOLDER / f"{name_or_path}.toml"
    path = Path(name_or_path)
    if path.suffix == ".toml":
        return path
    if is_file(path) and path.parent != Path():
        raise UsageError(f"edition file {path} must end in .toml")
    if is_file(f"{path}.toml"):
        raise UsageError(f'there is no edition "{path}"; to read the file, write {path}.toml')
    raise UsageError(unknown("edition", cut(name_or_path, 80), builtin_editions()))


def resolve(path: Path, below: tuple[Path, ...] = ()) -> dict[str, Any]:
    """Return the data of an edition file, with all that it extends; `below` are the files that extend it."""
    if len(below) > _DEEPEST or path.absolute() in below:
        raise UsageError(f"{below[0].name}: extends leads back to {path.name}; one of the files must stand alone")
    data = read_toml(path, "edition file ")
    where = f"{path}: "
    for key in data:
        if key not in _FILE_KEYS:
            raise UsageError(where + _no_such("option", key, _FILE_KEYS))
    parent = data.pop("extends", None)
    base: dict[str, Any] = {}
    own: dict[str, Any] = {}
    if parent is not None:
        if not isinstance(parent, str):
            raise UsageError(f"{where}extends must be the name of an edition or a file, got {shown(parent)}")
        file = FOLDER / f"{parent}.toml" if parent in builtin_editions() else path.parent / parent
        if file.suffix != ".toml":
            raise UsageError(f"{where}extends: {unknown('edition', parent, builtin_editions())}")
        base = resolve(file, (*below, path.absolute()))
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
            f"got {shown(value)}"
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
            f"got {shown(changes)}"
        )
    deals = {n: deal for n, deal in base.items() if n in counts}
    for key, deal in changes.items():
        if not re.fullmatch(r"[0-9]{1,3}", str(key)) or int(key) not in counts:
            raise UsageError(f"{where}deal is given for {cut(str(key), 40)} players, but players are {one_of(counts)}")
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
        raise UsageError(f"{where}deck must be a CSV file or a table of cards and copies, got {shown(deck)}")
    path = folder / deck
    if Path(deck).name == deck and is_file(FOLDER / deck) and not is_file(path):
        path = FOLDER / deck  # a copied edition file goes on using the built-in deck
    lines = read_text(path, f"{where}deck file ").splitlines()
    # Spreadsheets of countries with a decimal comma part cells by semicolons.
    delimiter = ";" if lines and ";" in lines[0] and "," not in lines[0] else ","
    try:
        return _copies_of(csv.DictReader(lines, skipinitialspace=True, delimiter=delimiter), path)
    except csv.Error as error:
        raise UsageError(f"{path} is not readable as CSV: {error}") from None


def _copies_of(rows: "csv.DictReader[str]", path: Path) -> dict[str, int]:
    """Return copies by card, from the rows of a CSV file."""
    columns = rows.fieldnames or []
    if not {"artist", "kind", "copies"} <= set(columns) <= {"artist", "kind", "crowns", "copies"}:
        raise UsageError(
            f"{path}: the columns must be artist, kind, copies and perhaps crowns, got {cut(','.join(columns), 80)}"
        )
    copies_of: dict[str, int] = {}
    for row in rows:
        line = f"{path}: line {rows.line_num}: "
        if None in row or None in row.values():
            raise UsageError(f"{line}must have {len(columns)} columns")
        cells = {name: cell.strip() for name, cell in row.items()}
        card = f"{cells['artist']}-{cells['kind']}" + (f"*{cells['crowns']}" if cells.get("crowns") else "")
        if not re.fullmatch(r"[0-9]{1,6}", cells["copies"]):
            raise UsageError(f"{line}copies must be a whole number, got {shown(cells['copies'])}")
        if card in copies_of:
            raise UsageError(f"{line}card {cut(card, 60)} is listed twice; give it one line")
        copies_of[card] = int(cells["copies"])
    return copies_of


def _toml_value(key: str, text: str) -> Any:
    """Value of an option given by hand; a bare word is a text."""
    try:
        parsed = tomllib.loads(f"value = {text}")
        if list(parsed) == ["value"]:
            return parsed["value"]
    except (ValueError, RecursionError):
        if re.fullmatch(r"[A-Za-z_./~][^\n\"'\[\]{}=#]*", text):
            return text
    raise UsageError(
        f'rule {key}: "{cut(text, 80)}" is not a value; write a number, a word, true, false or a list such as [9,4,4,0]'
    )
