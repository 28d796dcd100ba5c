"""Arrays that a strategy reaches through its hand: `hand.params[DATA]` holds the address of `Player.data`, or 0.

Weights and the like are data, not code: to load other weights compiles nothing, and two players of one strategy may
play by different ones. An address is below 2**53, so a float holds it exactly.
"""

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from modernart.simulator.jit import JIT_DISABLED, kernel
from modernart.simulator.state import DATA

if JIT_DISABLED:
    _ARRAYS: dict[float, np.ndarray] = {}

    def address_of_data(array: np.ndarray) -> float:
        """Return a number that stands for an array."""
        _ARRAYS[array.ctypes.data] = array
        return float(array.ctypes.data)

    def array_at(address):
        """Return the array that an address stands for."""
        return _ARRAYS[int(address)]

    def number_at(address, index):
        """Return one number of the array that an address stands for."""
        return float(_ARRAYS[int(address)][index])

else:

    def address_of_data(array: np.ndarray) -> float:
        """Return the address of a contiguous array of float64 or float32, which must outlive its use."""
        if array.dtype not in (np.float64, np.float32) or not array.flags.c_contiguous:
            raise TypeError("a player's data must be a contiguous array of float64 or float32")
        return float(array.ctypes.data)

    @intrinsic
    def _load(typingctx, address, index):
        def codegen(context, builder, signature, arguments):
            double = context.get_value_type(types.float64)
            start = builder.inttoptr(arguments[0], double.as_pointer())
            return builder.load(cgutils.gep_inbounds(builder, start, arguments[1]))

        return types.float64(types.int64, types.int64), codegen

    @kernel(inline=True)
    def number_at(address, index):
        """Return one number of the array of float64 at an address."""
        return _load(np.int64(address), np.int64(index))


@kernel(inline=True)
def own_number(hand, index):
    """Return one number of the own data."""
    return number_at(hand.params[DATA], index)


@kernel(inline=True)
def data_of(hand):
    """Return the address of the own data, an int64; 0 if there are none."""
    return np.int64(hand.params[DATA])
