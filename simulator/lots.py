"""One walk over the lots of a finished game, which hands each lot to every measure that counts lots."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from modernart.simulator.cards import AuctionKind
from modernart.simulator.counting import cells_from
from modernart.simulator.jit import JIT_DISABLED, kernel
from modernart.simulator.state import ARTIST_MASK, ROUND_MASK, SALE_MASK, SEAT_MASK


class Lot(NamedTuple):
    """A lot as it came out; money in whole units, players as their strategies' numbers."""

    kind: int  #: `modernart.simulator.cards.AuctionKind`
    form: int  #: `modernart.simulator.decisions.Form`
    round_index: int
    artist: int
    cards_out: int  #: of the artist, the lot included
    n_cards: int
    crowns: int
    price: int
    value: int  #: what the paintings paid at the round's end; what a black-framed card cost its taker
    to_bank: int  #: part of the price that went to the bank
    to_owner: int  #: part of the price that went to the first seller of a joined double
    fees: int  #: what all others paid the bank for a black-framed card
    auctioneer: int
    owner: int  #: the first seller of a joined double; the auctioneer otherwise
    buyer: int
    is_own: bool  #: whether the auctioneer bought it
    is_sold: bool  #: False for black-framed cards


@kernel(inline=True)
def lot_of(game, i):
    """Return the `i`-th lot of a finished game."""
    sale = game.sales[i & SALE_MASK]
    artist = np.int64(sale.artist) & ARTIST_MASK
    owner = sale.owner if sale.owner >= 0 else sale.auctioneer
    return Lot(
        np.int64(sale.kind),
        np.int64(sale.form),
        np.int64(sale.round_index),
        artist,
        np.int64(sale.cards_out),
        np.int64(sale.n_cards),
        np.int64(sale.crowns),
        np.int64(sale.price),
        np.int64(sale.crowns) * game.rounds[sale.round_index & ROUND_MASK].pays[artist],
        np.int64(sale.to_bank),
        np.int64(sale.to_owner),
        np.int64(sale.fees),
        np.int64(game.who[sale.auctioneer & SEAT_MASK]),
        np.int64(game.who[owner & SEAT_MASK]),
        np.int64(game.who[sale.buyer & SEAT_MASK]),
        sale.buyer == sale.auctioneer,
        sale.kind != AuctionKind.BLACK_FRAMED,
    )


#: What the walk calls, while it is being compiled. Module variables, since numba finds no compiled code again whose
#: closure holds a compiled function.
_count_each: Callable[..., None]
_sizes_of: Callable[..., tuple[int, ...]]
#: Walks that were made, with their tallies, by the counting functions.
_walks: dict[tuple[int, ...], tuple[Callable[..., None], tuple]] = {}


def walk_for(tallies: Sequence) -> Callable[..., None]:
    """Return a counting function that walks over a game's lots once, for tallies whose cells lie in a row.

    Parameters
    ----------
    tallies : sequence of Tally
        Their `count(cells, sizes, lot)` is compiled into the walk. That keeps the lot in registers: a walk of its own
        for each tally takes three times as long.
    """
    from modernart.simulator.tallies import sizes_of

    global _count_each, _sizes_of
    key = tuple(id(tally.count) for tally in tallies)
    if key in _walks:
        return _walks[key][0]
    _sizes_of = sizes_of
    _count_each = _in_a_row([tally.count for tally in tallies], [tally.layout.n_cells() for tally in tallies])
    # The compiled walk is found in the cache by this number, since numba looks at neither globals nor other files.
    digest = hashlib.sha256()
    for tally in tallies:
        code = getattr(tally.count, "py_func", tally.count).__code__
        digest.update(Path(code.co_filename).read_bytes() + code.co_qualname.encode() + tally.layout.digest.encode())
    _walks[key] = _walk(int(digest.hexdigest()[:15], 16)), tuple(tallies)
    return _walks[key][0]


def _walk(key: int) -> Callable[..., None]:
    if JIT_DISABLED:
        # Compiled code keeps what the module variables are now; so must plain Python, as a later walk sets others.
        count_each, sizes_then = _count_each, _sizes_of

        def count_lots_slowly(game, cells):
            for i in range(game.n_sales):
                count_each(cells, sizes_then(game), lot_of(game, i))

        return count_lots_slowly

    @kernel
    def count_lots(game, cells):
        if key == 0:
            return
        sizes = _sizes_of(game)
        for i in range(game.n_sales):
            _count_each(cells, sizes, lot_of(game, i))

    return count_lots


def _in_a_row(counts: Sequence[Callable[..., None]], n_cells: Sequence[Callable[..., int]]) -> Callable[..., None]:
    """Return a function that counts a lot by each function in turn, each one's cells behind those of the last."""
    first, n_first = counts[0], n_cells[0]
    if len(counts) == 1:
        return first
    rest = _in_a_row(counts[1:], n_cells[1:])

    @kernel(inline=True, cache=False)
    def count_each(cells, sizes, lot):
        first(cells, sizes, lot)
        rest(cells_from(cells, n_first(sizes)), sizes, lot)

    return count_each
