"""What a seat believes: scenes drawn with their weights, for rivals that play by a choice of policies."""

import math
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from modernart.analysis.claims.catalogue import field_strategies
from modernart.analysis.table.positions import Position
from modernart.analysis.table.scenes import IMPOSSIBLE, Told, make_scenes, walk
from modernart.simulator.data import address_of_data
from modernart.simulator.errors import UsageError
from modernart.simulator.limits import MAX_CARDS, MAX_SEATS
from modernart.simulator.rules import Rules
from modernart.simulator.setup import games_of
from modernart.simulator.simulate import available_threads
from modernart.simulator.streams import deal_key
from modernart.strategies.search.policies import policies_for
from modernart.strategies.specs import split_specs

#: By which the seat itself goes on after the decision.
OWN = "learned"
#: Kinds of rivals: the strong ones are one bidder as trained, cautious and eager; the weak ones a field of the claims.
FIELDS: dict[str, tuple[str, ...]] = {
    "strong": (
        "learned",
        "learned(open=-0.06, accept=-0.06, reserve=-0.06)",
        "learned(open=0.06, sealed=0.06, once=0.06)",
    ),
    "weak": field_strategies()["weak"],
}
#: One thread at a time loads policies: of two sets for one table only the last is kept, the other's weights are freed.
_LOADING = threading.Lock()
#: Scenes that a thread makes at a time.
CHUNK = 64
#: Power of the weights: policies are models of people, so what they make of an answer counts in part.
POWER = 0.7


def rival_specs(rivals: str) -> tuple[str, ...]:
    """Return the strategies that `--rivals` stands for: `strong`, `weak`, or specs with commas between them."""
    if rivals in FIELDS:
        return FIELDS[rivals]
    specs = tuple(split_specs(rivals))
    if not specs:
        raise UsageError("rivals must be strong, weak, mixed, or strategies with commas between them")
    return specs


@dataclass(frozen=True)
class Effort:
    """How many scenes are looked for.

    Parameters
    ----------
    walks : int
        Fewest walks over scenes, which start apart.
    kept : int
        Scenes that each keeps.
    first, every : int
        Steps before the first scene is kept, and from one to the next.
    replayed : int
        What all walks may replay together, plays and bids, at each of their steps: early in the game, when there is
        less to replay, there are more walks, up to three times the fewest.
    """

    walks: int = 600
    kept: int = 1
    first: int = 24
    every: int = 4
    replayed: int = 0

    def walks_for(self, position: Position) -> int:
        """Return the number of walks for a position."""
        return min(max(self.walks, self.replayed // max(len(position.steps), 1)), 3 * self.walks)


#: For a single decision, for a hint, and for each of the many decisions of a whole game. Scenes that one walk keeps are
#: much alike, so many short walks tell more than few long ones; after 24 steps another 56 add little to what is known.
FULL, HINT, BRIEF = Effort(replayed=160_000), Effort(walks=300), Effort(walks=24, first=20)


@dataclass(frozen=True, eq=False)
class Belief:
    """Scenes of a position that walks have found.

    Parameters
    ----------
    position : Position
    policies : ndarray of float64
        See `modernart.strategies.search.policies`; the seat's own is the first.
    pools : ndarray of int16, shape (n, MAX_CARDS)
    players : ndarray of int64, shape (n, MAX_SEATS)
    keys : ndarray of uint64, shape (n,)
    weights : ndarray of float64, shape (n,)
        See `modernart.analysis.table.scenes.walk`.
    walks : ndarray of int64, shape (n,)
        Which walk found a scene; in ascending order.
    """

    position: Position
    policies: np.ndarray
    pools: np.ndarray
    players: np.ndarray
    keys: np.ndarray
    weights: np.ndarray
    walks: np.ndarray

    def spread(self, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return for each of `n` playouts its scene, which repeat of the scene it is, from 1, and its walk."""
        scenes = np.sort(np.arange(n) * len(self.keys) // n if n < len(self.keys) else np.arange(n) % len(self.keys))
        repeats = np.arange(n) - np.searchsorted(scenes, scenes) + 1
        return scenes, repeats, self.walks[scenes]

    def make(self, games: np.recarray, scenes: np.ndarray, repeats: np.ndarray) -> None:
        """Make scenes in as many games, up to the decision."""
        told = _told(self.position, self.policies)
        make_scenes(games, told, self.pools, self.players, self.keys, scenes, repeats)


def _told(position: Position, policies: np.ndarray) -> Told:
    """Return a position as compiled code takes it."""
    return Told(
        position.base,
        int(address_of_data(policies)),
        position.known,
        position.sizes,
        position.new,
        position.last,
        position.played,
        position.n_pool,
        position.n_hidden,
        position.steps,
        int(position.phase),
        position.seat,
        position.hidden,
    )


def draw_belief(
    position: Position,
    rivals: Sequence[str],
    *,
    seed: int = 1,
    power: float = POWER,
    effort: Effort = FULL,
    threads: int | None = None,
) -> Belief:
    """Find scenes that explain what a seat saw.

    Parameters
    ----------
    position : Position
    rivals : sequence of str
        Specs; each rival plays by one of them.
    seed : int
    power : float
        How far plays and bids count; 0 makes every deal of the hidden cards as likely as any other.
    effort : Effort
    threads : int, optional

    Raises
    ------
    UsageError
        If no deal of the hidden cards agrees with what was seen.
    """
    policies, shares = policies_of(position.rules, rivals)
    n_walks = effort.walks_for(position)
    n = n_walks * effort.kept
    pools = np.zeros((n, MAX_CARDS), np.int16)
    players = np.zeros((n, MAX_SEATS), np.int64)
    keys = np.zeros(n, np.uint64)
    weights = np.zeros(n)
    first, every = (0, 0) if power == 0 else (effort.first, effort.every)

    told = _told(position, policies)

    def one_walk(number: int, work: np.recarray) -> None:
        rows = slice(number * effort.kept, (number + 1) * effort.kept)
        found = pools[rows], players[rows], keys[rows], weights[rows]
        key = np.uint64(deal_key(np.uint64(seed), number))
        walk(work, told, position.pool, shares, float(power), first, every, key, *found)

    in_threads(position.rules, range(n_walks), one_walk, 1, threads)
    possible = weights > IMPOSSIBLE / 2
    if not possible.any():
        where = f"{position.place}: " if position.place else ""
        raise UsageError(f"{where}no deal of the hidden cards agrees with what was played; check cards and turns")
    walks = np.repeat(np.arange(n_walks), effort.kept)[possible]
    return Belief(position, policies, pools[possible], players[possible], keys[possible], weights[possible], walks)


def policies_of(rules: Rules, rivals: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the policies, the seat's own first, and the chance of each at a rival's seat."""
    specs = tuple(dict.fromkeys((OWN, *rivals)))
    with _LOADING:
        policies = policies_for(specs, rules)
    counts = np.array([rivals.count(spec) for spec in specs], float)
    return policies, counts / counts.sum()


def in_threads(
    rules: Rules, tasks: Sequence[Any], do: Callable[[Any, np.recarray], None], n_games: int, threads: int | None
) -> None:
    """Call `do` for each task with blank games to work in, in threads."""
    n_threads = max(1, min(threads or available_threads(), len(tasks)))

    def some(first: int) -> None:
        work = games_of(rules, n_games)
        for task in tasks[first::n_threads]:
            do(task, work)

    if n_threads == 1:
        some(0)
        return
    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(some, range(n_threads)))


def chunks_of(n: int) -> list[np.ndarray]:
    """Return the places 0 to n - 1 in chunks."""
    return [np.arange(first, min(first + CHUNK, n)) for first in range(0, n, CHUNK)]


def mean_and_error(values: np.ndarray, units: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return means over scenes, and their standard errors with the walks as units.

    Parameters
    ----------
    values : ndarray of float, shape (n, ...)
    units : ndarray of int64, shape (n,)
        In ascending order. Scenes of one walk have cards in common, and so tell less than as many apart.
    """
    n = len(values)
    mean = values.mean(axis=0)
    starts = np.flatnonzero(np.r_[True, units[1:] != units[:-1]])
    sums = np.add.reduceat(values - mean, starts, axis=0)
    n_units = len(starts)
    scale = n_units / max(n_units - 1, 1)
    error = np.sqrt(scale * (sums**2).sum(axis=0)) / n
    return mean, np.asarray(error) if math.isfinite(float(np.sum(error))) else np.full_like(mean, np.inf)
