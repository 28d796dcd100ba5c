"""Where the learned numbers lie in their block of float32."""

import numpy as np

from modernart.simulator.state import MAX_ROUNDS
from modernart.strategies.learning.features import N_LOT, N_MARKET, N_PUT_UP
from modernart.strategies.learning.network import network_size

#: Features of a hand at the start of a round: `modernart.strategies.learning.outcomes`.
N_LEAF = 12
#: Bidding numbers that tuning finds, each beside the parameter that shifts it.
N_KNOBS = 16

#: Each network starts where a cache line does, given a block that does: loads of a row then touch one line each.
_LINE = 16


def _aligned(place: int) -> int:
    """Return the first place from `place` on where a cache line starts."""
    return -(-place // _LINE) * _LINE


KNOBS = 0
LEAF = KNOBS + N_KNOBS
LOT = _aligned(LEAF + MAX_ROUNDS * N_LEAF)
CARD = _aligned(LOT + network_size(N_LOT, 1))
ADDITION = _aligned(CARD + network_size(N_PUT_UP, 1))
MARKET = _aligned(ADDITION + network_size(N_PUT_UP, 1))
N_NUMBERS = _aligned(MARKET + network_size(N_MARKET, 2))
#: Where tuning starts: pay what the lot is worth in open auctions and at a fixed price, a little less elsewhere.
FIRST_KNOBS = (0.95, 0.95, 0.97, 0.97, 0.0, 0.0, 0.0) + (0.0,) * (N_KNOBS - 7)


def block_of(numbers: np.ndarray) -> np.ndarray:
    """Return a copy of a block, float32, that starts where a cache line does."""
    room = np.zeros(N_NUMBERS + _LINE, np.float32)
    start = -room.ctypes.data % (4 * _LINE) // 4
    block = room[start : start + N_NUMBERS]
    block[:] = numbers
    return block
