"""Weights as files: `learned@classic-4` (they come with the program) or `learned@results/NAME/learned.npz`."""

import difflib
import hashlib
import json
import sys
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from modernart.simulator.errors import UsageError
from modernart.simulator.files import whole_file
from modernart.simulator.rules import Rules
from modernart.strategies.learning.features import LEARNED_ARTISTS
from modernart.strategies.learning.layout import N_NUMBERS, block_of

#: Weights that come with the program; each file names the command that made it.
_SHIPPED = Path(__file__).parent / "weights"
#: Options of a rule set that say how alike two are; another deck or number of players is told apart by itself.
_NOT_COMPARED = ("edition", "players", "rounds", "deal", "artists", "deck")
#: Another deck counts as so many other options, a player more or less as so many.
_OTHER_DECK, _ONE_PLAYER = 3.0, 1.5

#: What to do where the number of artists is another, by whether `learned` can be trained for it.
_ADVICE = {
    True: "train others with `modernart learn` and play learned@results/NAME/learned.npz",
    False: "its networks have room for no more: let another strategy play",
}


@dataclass(frozen=True)
class Weights:
    """Learned numbers, and where they come from.

    Parameters
    ----------
    source : str
        What stands behind the `@` of a spec.
    numbers : ndarray of float32, shape (N_NUMBERS,)
    facts : dict
        `command`, `digest` of the numbers, `rules` (as a game record has them), and figures.
    """

    source: str
    numbers: np.ndarray
    facts: Mapping[str, Any]

    def distance(self, rules: Rules) -> float:
        """Return how far the rules they were trained for are from others: 0 if they are the same."""
        # Options that came later have their defaults in rules that do not name them.
        trained, other = Rules.from_record(self.facts["rules"]).to_record(), rules.to_record()
        options = sum(trained.get(name) != value for name, value in other.items() if name not in _NOT_COMPARED)
        deck = _OTHER_DECK * (sorted(trained["deck"].items()) != sorted(other["deck"].items()))
        deal = float(trained["deal"] != other["deal"] and trained["players"] == other["players"])
        return options + deck + deal + _ONE_PLAYER * abs(trained["players"] - other["players"])

    def check_fit(self, rules: Rules) -> None:
        """Refuse rules with another number of artists.

        Raises
        ------
        UsageError
            If the number is another.
        """
        n_artists, trained = len(rules.artists), len(self.facts["rules"]["artists"])
        if n_artists != trained:
            raise UsageError(
                f"learned@{self.source} was trained with {trained} artists, edition {rules.edition} has {n_artists}; "
                + _ADVICE[n_artists <= LEARNED_ARTISTS]
            )


def digest_of(numbers: np.ndarray) -> str:
    """Return the digest of learned numbers that their file carries."""
    return hashlib.sha256(np.ascontiguousarray(numbers, "<f4").tobytes()).hexdigest()[:16]


def write_weights(path: Path, numbers: np.ndarray, facts: Mapping[str, Any]) -> None:
    """Write weights, whole or not at all.

    Parameters
    ----------
    path : Path
        An `.npz` file.
    numbers : ndarray of float32, shape (N_NUMBERS,)
    facts : mapping
        `command`, `rules` and figures; the digest is added.
    """
    text = json.dumps({**facts, "digest": digest_of(numbers)}, ensure_ascii=False).encode()
    with whole_file(path, "wb") as file:
        np.savez_compressed(file, numbers=numbers.astype("<f4"), facts=np.frombuffer(text, np.uint8))


def read_weights(path: Path, source: str) -> Weights:
    """Read weights.

    Parameters
    ----------
    path : Path
    source : str
        How they are named.

    Raises
    ------
    UsageError
        If there is no such file, or it does not hold weights of this version, or it is damaged.
    """
    if not path.is_file():
        near = difflib.get_close_matches(source, shipped_names(), n=3)
        hint = f"did you mean learned@{near[0]}?" if near else "`modernart learn` makes such files"
        raise UsageError(f'there is no file "{source}" with weights of learned; {hint}')
    try:
        with np.load(path, allow_pickle=False) as data:
            numbers = np.ascontiguousarray(data["numbers"], np.float32)
            facts = json.loads(data["facts"].tobytes().decode())
        Rules.from_record(facts["rules"])
        digest = facts["digest"]
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, UsageError):
        raise UsageError(f"{path} is not a file of weights; `modernart learn` makes such files") from None
    if numbers.shape != (N_NUMBERS,):
        raise UsageError(f"{path} holds weights of another version of the program; train anew with `modernart learn`")
    if digest != digest_of(numbers) or not np.isfinite(numbers).all():
        raise UsageError(f"{path} is damaged: its numbers are not those that were written; train anew or copy it again")
    return Weights(source, block_of(numbers), facts)


def shipped_names() -> list[str]:
    """Return what may stand behind the `@` for the weights that come with the program."""
    return sorted(path.stem for path in _SHIPPED.glob("*.npz"))


@cache
def load_weights(source: str) -> Weights:
    """Return the weights that a source names; they are read once and stay in memory."""
    path = _SHIPPED / f"{source}.npz" if source in shipped_names() else Path(source)
    return read_weights(path, source)


def weights_from(source: str) -> Callable[[Rules], np.ndarray]:
    """Return what `Player.weights` takes for weights that are named.

    Raises
    ------
    UsageError
        If they do not load; later, if they do not fit the rules of a table.
    """
    weights = load_weights(source)

    def fitting(rules: Rules) -> np.ndarray:
        weights.check_fit(rules)
        return weights.numbers

    return fitting


def shipped_weights(rules: Rules) -> np.ndarray:
    """Return the shipped weights nearest to a table's rules; says which on stderr where they are not made for it."""
    name = nearest_shipped(rules)
    weights = load_weights(name)
    if weights.distance(rules) > 0:
        _say_once(f"learned plays with the weights of {name} here: none were trained for these very rules")
    return weights.numbers


def nearest_shipped(rules: Rules) -> str:
    """Return the name of the shipped weights whose rules are nearest.

    Raises
    ------
    UsageError
        If none were trained with so many artists.
    """
    fitting = []
    for name in shipped_names():
        weights = load_weights(name)
        try:
            weights.check_fit(rules)
        except UsageError:
            continue
        fitting.append((weights.distance(rules), name))
    if not fitting:
        raise UsageError(
            f"learned was trained with {LEARNED_ARTISTS} artists alone, edition {rules.edition} has "
            f"{len(rules.artists)}; " + _ADVICE[len(rules.artists) <= LEARNED_ARTISTS]
        )
    return min(fitting)[1]


@cache
def _say_once(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
