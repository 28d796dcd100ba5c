"""Hostile inputs, as hypothesis strategies, and what must hold for each: a result or one error of the project's own.

`tests/test_fuzz.py` tries some thousands; `benchmarks/fuzz.py` any number.
"""

import copy
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import strategies as st

from modernart.analysis.runs.run_json import RUN_FILE, read_run_file
from modernart.analysis.runs.target import parse_target
from modernart.simulator.arguments import parse_whole
from modernart.simulator.errors import ModernArtError
from modernart.simulator.records import read_records, replay_record
from modernart.simulator.replay import tell_record
from modernart.simulator.rules import load_edition, parse_overrides
from modernart.strategies.specs import load_strategy, split_specs

#: Pieces that have made readers stumble.
NASTY = st.one_of(
    st.sampled_from(["", " ", "-1", "0", "1e999", "nan", "inf", "-0.0", "2**63", "9" * 5000, "-" * 3000, "[" * 3000]),
    st.sampled_from(["\x00", "\x1b[2J", "\ufeff", "\u202e", "<script>", "{0}", "{" * 50, "(" * 500, "%s", "a" * 5000]),
    st.sampled_from(["@", ":", "=", ",", ";", "#", '"', "'", "\\", "../..", "/dev/null", "x.py:y", "x.toml"]),
    st.sampled_from(["true", "null", "None", "__import__('os')", "1if 1else 0", "half_value", "shade", "(shade=0.5)"]),
    st.sampled_from(["predictive@", "classic", "value", "end_count", "deck", "LM-O"]),
)
TEXT = st.one_of(st.text(max_size=40), NASTY)
PIECES = st.lists(TEXT, min_size=1, max_size=6).map("".join)
SCALAR = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXT)
JSON = st.recursive(
    SCALAR, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4), max_leaves=8
)

_SPEC_WORDS = st.sampled_from(
    [
        "half_value",
        "predictive",
        "random",
        "planner",
        "no_such",
        "shade",
        "=",
        "0.5",
        "(",
        ")",
        ",",
        "@",
        ".py:",
        ".toml",
    ]
)
SPECS = st.one_of(PIECES, st.lists(_SPEC_WORDS | NASTY, min_size=1, max_size=9).map("".join))

_TOML_VALUE = st.one_of(
    st.integers().map(str),
    st.floats().map(str),
    st.booleans().map(lambda value: str(value).lower()),
    TEXT.map(lambda text: json.dumps(text)),
    st.lists(st.integers(-5, 200), max_size=9).map(str),
    st.sampled_from(['{ "LM-O" = 3 }', "{ 4 = [9, 4, 4, 0] }", '"deck.csv"', '"classic"', "9" * 5000, "[" * 2000]),
    NASTY,
)
_EDITION_KEYS = st.one_of(
    st.sampled_from(["extends", "title", "source", "notes", "deck_note", "players", "deal", "artists", "artist_names"]),
    st.sampled_from(["deck", "name", "starting_money", "end_count", "rank_values", "no_bid_price", "sealed_tie"]),
    st.sampled_from(["open_style", "shill", "debt"]),
)
_BOT_KEYS = st.sampled_from(["about", "value", "bids", "bids.open", "bids.sealed", "bids.ask", "ending.end_round"])
_EXPRESSION = st.lists(
    st.sampled_from(["value", "0.75", "*", "+", "/", "(", ")", " if ", " else ", "mine", "min(", ",", "not ", "<", "-"])
    | NASTY,
    min_size=1,
    max_size=8,
).map(lambda parts: json.dumps("".join(parts)))


def _toml(keys: st.SearchStrategy, values: st.SearchStrategy) -> st.SearchStrategy:
    line = st.tuples(keys | TEXT, values).map(" = ".join)
    return st.lists(line, max_size=6).map("\n".join)


EDITIONS = st.one_of(
    _toml(_EDITION_KEYS, _TOML_VALUE), _toml(_EDITION_KEYS, _TOML_VALUE).map('extends = "classic"\n'.__add__)
)
BOTS = _toml(_BOT_KEYS, _EXPRESSION | _TOML_VALUE)
TUNED = st.one_of(
    _toml(st.sampled_from(["strategy", "parameters", "parameters.shade"]), _TOML_VALUE),
    _TOML_VALUE.map('strategy = "half_value"\n[parameters]\nshade = '.__add__),
)
_CELL = st.one_of(st.sampled_from(["LM", "YO", "CP", "KG", "KR", "O", "R", "S", "F", "D", "artist", "copies"]), TEXT)
_ROW = st.one_of(
    st.lists(_CELL | st.integers(-3, 200).map(str), max_size=5).map(",".join),
    st.tuples(
        st.sampled_from(["LM", "YO", "CP", "KG", "KR"]), st.sampled_from("ORSFD"), st.integers(0, 20).map(str)
    ).map(",".join),
)
#: Enough cards to deal, so that what follows decides.
_FULL_DECK = "artist,kind,copies\n" + "".join(f"{artist},O,15\n" for artist in ("LM", "YO", "CP", "KG", "KR"))
DECKS = st.tuples(
    st.sampled_from(
        [_FULL_DECK, "artist,kind,copies\n", "artist;kind;copies\n", "\ufeffartist,kind,crowns,copies\n", ""]
    ),
    st.lists(_ROW, max_size=6).map("\n".join),
).map("".join)
RULES = st.tuples(_EDITION_KEYS | TEXT, TEXT | _TOML_VALUE).map("=".join)
COUNTS = st.one_of(TEXT, st.integers().map(str))
TARGETS = st.tuples(st.sampled_from(["", "win=", "money="]) | TEXT, COUNTS, st.sampled_from(["", "%"])).map("".join)


@st.composite
def altered(draw: Callable, data: object) -> object:
    """Return JSON data with one to three pieces replaced, removed, doubled or added."""
    data = copy.deepcopy(data)
    for _ in range(draw(st.integers(1, 3))):
        place = data
        while isinstance(place, dict | list) and place:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            key = draw(st.sampled_from(keys))
            if not isinstance(place[key], dict | list) or not place[key] or draw(st.integers(0, 3)) == 0:
                what = draw(st.sampled_from(["replace", "remove", "add"]))
                if what == "remove":
                    del place[key]
                elif what == "replace" or isinstance(place, list):
                    place[key] = draw(JSON)
                else:
                    place[draw(TEXT)] = draw(JSON)
                break
            place = place[key]
    return data


def _file(text: str, name: str, read: Callable[[Path], object]) -> object:
    """Write a text to a file of its own and read it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        return read(path)


def try_spec(text: str) -> None:
    """Read a spec, and a list of specs."""
    split_specs(text)
    load_strategy(text)


def try_edition(text: str) -> None:
    """Read an edition file and make the rules of each number of players."""

    def read(path: Path) -> None:
        edition = load_edition(path)
        for players in edition.player_counts:
            edition.rules(players)

    _file(text, "fuzzed.toml", read)


def try_bot(text: str) -> None:
    """Read a bot of expressions."""
    _file(text, "fuzzed.toml", lambda path: load_strategy(str(path)))


def try_tuned(text: str) -> None:
    """Read tuned parameters."""
    _file(text, "fuzzed.toml", lambda path: load_strategy(f"half_value@{path}"))


def try_deck(text: str) -> None:
    """Read a deck of an edition."""

    def read(path: Path) -> None:
        edition = path.parent / "fuzzed.toml"
        edition.write_text('extends = "classic"\ndeck = "fuzzed.csv"\n')
        load_edition(edition).rules(4)

    _file(text, "fuzzed.csv", read)


def try_rule(text: str) -> None:
    """Change a rule by hand."""
    load_edition("classic", parse_overrides([text])).rules(4)


def try_count(text: str) -> None:
    """Read a count."""
    assert 0 <= parse_whole("it", text) < 2**63


def try_target(text: str) -> None:
    """Read a precision to stop at."""
    assert parse_target(text).error > 0


def try_record(record: object) -> None:
    """Write an altered record, read it, replay it and tell it; what is told must not steer a terminal."""

    def read(path: Path) -> None:
        for _, one in read_records(path):
            replay_record(one)
            assert all(line.isprintable() for line in tell_record(one))

    _file(json.dumps(record), "fuzzed.jsonl", read)


def try_run_file(data: object) -> None:
    """Read an altered run.json."""
    _file(json.dumps(data), RUN_FILE, lambda path: read_run_file(path.parent))


#: Kinds of text input: what is drawn, and what is done with it.
KINDS: dict[str, tuple[st.SearchStrategy, Callable]] = {
    "specs": (SPECS, try_spec),
    "editions": (EDITIONS, try_edition),
    "bots": (BOTS, try_bot),
    "tuned files": (TUNED, try_tuned),
    "decks": (DECKS, try_deck),
    "rules": (RULES, try_rule),
    "counts": (COUNTS, try_count),
    "targets": (TARGETS, try_target),
}


def holds(attempt: Callable, value: object) -> bool:
    """Try an input; return whether it was accepted. Any error but the project's own goes on to the caller."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            attempt(value)
        except ModernArtError as error:
            message = str(error)
        else:
            return True
    assert message, "an error must say what is wrong"
    return False


def run_file_of(rules: dict) -> dict:
    """Return the `run.json` of a run of these rules."""
    return {
        "format": "modern-art-run",
        "version": 1,
        "command": "modernart tournament random",
        "edition": rules["edition"],
        "players": rules["players"],
        "games": 8,
        "games_played": 8,
        "complete": True,
        "blocks": 2,
        "part": None,
        "target": None,
        "identity": {"seed": 1, "rules": rules, "strategies": [{"name": "random", "params": [0.5]}], "code": "0"},
    }
