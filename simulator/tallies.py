"""What a run counts: sums of integers, which do not depend on how the run was split.

A measure declares a `Layout` (axes and measured quantities) and a counting function; together they are a `Tally`. The
batch kernel knows neither: it plays a game and calls every tally's function (see `modernart.simulator.counting`).

Every tally has a leading axis of `N_BATCHES`: block `b` counts in batch `b % N_BATCHES`. The batches give any statistic
an interval: each is an independent sample of deals.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import NamedTuple

import numpy as np

from modernart.simulator.counting import COUNT, adder_for, cell_counter_for
from modernart.simulator.jit import address_of, kernel
from modernart.simulator.lots import walk_for

#: Independent samples of deals that a run is divided into.
N_BATCHES = 32


class Size(IntEnum):
    """Sizes of axes that depend on the run."""

    STRATEGIES = -1
    ROUNDS = -2
    SEATS = -3


class Sizes(NamedTuple):
    """The sizes of one run, in the order of `Size`."""

    n_strategies: int
    n_rounds: int
    n_seats: int


@dataclass(frozen=True)
class Layout:
    """What a tally tells apart and what it sums in each case.

    Parameters
    ----------
    name : str
        Name of the array in `Tallies` and in a run's file.
    axes : dict of str to int
        Axes by name, the last running fastest; a size is a number or a `Size`.
    quantities : tuple of str
        What is summed in each case, as a last axis.
    """

    name: str
    axes: dict[str, int]
    quantities: tuple[str, ...]

    def shape(self, sizes: Sizes) -> tuple[int, ...]:
        """Return the shape for one batch: the axes and then the quantities."""
        named = [sizes[-1 - size] if size < 0 else size for size in self.axes.values()]
        return (*named, len(self.quantities))

    @property
    def digest(self) -> str:
        """A number that changes with the declaration: files of another declaration are not read."""
        text = repr((self.name, list(self.axes.items()), self.quantities))
        return hashlib.sha256(text.encode()).hexdigest()[:8]

    def adder(self) -> Callable[..., None]:
        """Return a compiled function `add(cells, sizes, index, amounts)` that adds to one case.

        `sizes` comes from `sizes_of`, `index` is a tuple with one entry an axis, `amounts` with one a quantity. The
        place is computed from this declaration, with its fixed sizes as constants of the code.
        """
        return adder_for(self._lengths, len(self.quantities))

    def n_cells(self) -> Callable[..., int]:
        """Return a compiled function `n_cells(sizes)`: how many cells the tally has."""
        return cell_counter_for(self._lengths, len(self.quantities))

    @property
    def _lengths(self) -> tuple[int, ...]:
        return tuple(int(size) for size in self.axes.values())


@kernel(inline=True)
def sizes_of(game):
    """Return the run's sizes that axes may have, in the order of `Size`."""
    rules = game.table.rules
    return (np.int64(game.n_strategies), np.int64(rules.n_rounds), np.int64(rules.n_seats))


class Per(Enum):
    """When a counting function is called."""

    GAME = "game"  #: `count(game, cells)` after each game; the game's `who`, `win_units` and log are set
    LOT = "lot"  #: `count(cells, sizes, lot)` for each lot (see `modernart.simulator.lots.Lot`) of each game
    BLOCK = "block"  #: `count(game, cells)` after each block; the game's `line_up` and the block's sums are set


@dataclass(frozen=True)
class Tally:
    """A layout and the compiled function that counts in it.

    Parameters
    ----------
    layout : Layout
    count : compiled function
    per : Per
        When it is called, and with what.
    """

    layout: Layout
    count: Callable[..., None]
    per: Per = Per.GAME


@dataclass(frozen=True)
class Sums:
    """A tally's sums with the names of its axes and quantities.

    Parameters
    ----------
    array : ndarray of int64, shape (N_BATCHES, *axes, n_quantities)
    axes, quantities : tuple of str
    """

    array: np.ndarray
    axes: tuple[str, ...]
    quantities: tuple[str, ...]

    def __getitem__(self, quantity: str) -> np.ndarray:
        """Return one quantity, shape (N_BATCHES, *axes)."""
        return self.array[..., self.quantities.index(quantity)]

    def by(self, *names: str) -> "Sums":
        """Return the sums over all axes but these, which keep their order."""
        unknown = set(names) - set(self.axes)
        if unknown:
            raise KeyError(f"no axis {', '.join(sorted(unknown))}; there are {', '.join(self.axes)}")
        dropped = tuple(i + 1 for i, name in enumerate(self.axes) if name not in names)
        kept = tuple(name for name in self.axes if name in names)
        return Sums(self.array.sum(axis=dropped), kept, self.quantities)

    def at(self, **places: int | slice) -> "Sums":
        """Return the part at a place or slice of some axes; an axis with a single place is dropped."""
        index = tuple(places.get(name, slice(None)) for name in self.axes)
        kept = tuple(name for name in self.axes if isinstance(places.get(name, slice(None)), slice))
        return Sums(self.array[(slice(None), *index)], kept, self.quantities)


class Tallies:
    """The integer sums of a run, one array a tally: `tallies.lots` or `tallies.sums("lots")`.

    Parameters
    ----------
    tallies : sequence of Tally
    sizes : Sizes
    """

    def __init__(self, tallies: Sequence[Tally], sizes: Sizes) -> None:
        # Tallies of lots lie in a row at the start: one walk over the lots fills them all.
        self.declared = tuple(sorted(tallies, key=lambda tally: tally.per is not Per.LOT))
        self.sizes = sizes
        shapes = {tally.layout.name: tally.layout.shape(sizes) for tally in self.declared}
        if len(shapes) < len(self.declared):
            raise ValueError("two tallies have one name")
        counts = [int(np.prod(shape)) for shape in shapes.values()]
        self.offsets = np.cumsum([0, *counts])[:-1].astype(np.int64)
        #: All cells, one row a batch: what the kernel counts in.
        self.cells = np.zeros((N_BATCHES, sum(counts)), np.int64)
        self.arrays = {
            name: self.cells[:, start : start + n].reshape(N_BATCHES, *shape)
            for (name, shape), start, n in zip(shapes.items(), self.offsets, counts, strict=True)
        }

    def __getattr__(self, name: str) -> np.ndarray:
        """Return the array of a tally."""
        arrays = self.__dict__.get("arrays", {})
        if name in arrays:
            return arrays[name]
        raise AttributeError(f"this run does not count {name!r}; it counts {', '.join(arrays) or 'nothing'}")

    def __contains__(self, name: str) -> bool:
        """Return whether a tally of that name is counted."""
        return name in self.arrays

    def sums(self, name: str) -> Sums:
        """Return a tally's sums with the names of its axes and quantities."""
        layout = next(tally.layout for tally in self.declared if tally.layout.name == name)
        return Sums(self.arrays[name], tuple(layout.axes), layout.quantities)

    def blank(self) -> "Tallies":
        """Return tallies of zero of the same kind."""
        return Tallies(self.declared, self.sizes)

    def __iadd__(self, part: "Tallies") -> "Tallies":
        """Add the sums of tallies of the same kind."""
        self.cells += part.cells
        return self

    def counters(self, per: Per) -> tuple[np.ndarray, np.ndarray]:
        """Return addresses of the functions called after each game, or each block, and where their cells start."""
        found = [(t.count, offset) for t, offset in zip(self.declared, self.offsets, strict=True) if t.per is per]
        lots = [tally for tally in self.declared if tally.per is Per.LOT]
        if per is Per.GAME and lots:
            found.insert(0, (walk_for(lots), 0))
        addresses = [address_of(count, COUNT) for count, _ in found]
        return np.array(addresses, np.int64), np.array([offset for _, offset in found], np.int64)
