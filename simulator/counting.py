"""How compiled code counts: cells at an address, and counting functions that are called by address.

A counting function takes the game and the place of its tally's cells. The kernel calls it as it calls a strategy, so a
new measure compiles its own counting function and nothing else.
"""

import numpy as np
from numba import types

from modernart.simulator.jit import JIT_DISABLED, kernel
from modernart.simulator.state import GAME

#: Type of a counting function: the game and the address of the tally's cells.
COUNT = types.none(GAME, types.int64)

if JIT_DISABLED:

    def call_counter(address, game, cells):
        """Call the counting function that a number stands for."""
        from modernart.simulator import jit

        jit._FUNCTIONS[address](game, cells)

    def cells_of(array):
        """Return what stands for an array's cells: here the array itself."""
        return array

    def cells_from(cells, offset):
        """Return the cells from one on."""
        return cells[offset:]

    def flat_index(index, shape):
        """Return the place of an index in an array of this shape, last axis fastest."""
        place = 0
        for i, size in zip(index, shape, strict=True):
            place = place * int(size) + int(i)
        return place

    def bit_length(number):
        """Return how many binary digits a number of at least 0 has."""
        return int(number).bit_length()

    def add_to_cells(cells, first, amounts):
        """Add amounts to as many cells in a row."""
        for i, amount in enumerate(amounts):
            cells[first + i] += np.int64(amount)

else:
    from numba.core import cgutils
    from numba.core.errors import TypingError
    from numba.extending import intrinsic
    from numba.np.arrayobj import make_array

    @intrinsic
    def call_counter(typingctx, address, game, cells):
        """Call the counting function whose native code starts at `address`, as `jit.call_act` calls a strategy."""
        result = types.none
        argument_types = (game, cells)

        def codegen(context, builder, signature, arguments):
            pointer_type = context.call_conv.get_function_type(result, argument_types).as_pointer()
            pointer = builder.inttoptr(arguments[0], pointer_type)
            status, _ = context.call_conv.call_function(builder, pointer, result, argument_types, arguments[1:])
            with cgutils.if_unlikely(builder, status.is_error):
                context.call_conv.return_status_propagate(builder, status)
            return context.get_dummy_value()

        return result(address, game, cells), codegen

    @intrinsic
    def cells_of(typingctx, array):
        """Return the address of the first cell of a contiguous int64 array, which must outlive its use.

        A bare number: an array is passed on as seven, and counts its references.
        """
        if array.dtype != types.int64 or array.layout != "C":
            raise TypingError("cells_of takes a contiguous array of int64")

        def codegen(context, builder, signature, arguments):
            data = make_array(array)(context, builder, arguments[0]).data
            return builder.ptrtoint(data, context.get_value_type(types.int64))

        return types.int64(array), codegen

    @kernel(inline=True)
    def cells_from(cells, offset):
        """Return the address of the cells from one on."""
        return cells + 8 * offset

    def _as_int64(context, builder, tuple_type, value):
        """Return the members of a tuple of integers, each as int64."""
        members = cgutils.unpack_tuple(builder, value, len(tuple_type))
        return [
            context.cast(builder, member, kind, types.int64) for member, kind in zip(members, tuple_type, strict=True)
        ]

    @intrinsic
    def flat_index(typingctx, index, shape):
        """Return the place of an index in an array of this shape, last axis fastest.

        Both are tuples of integers of any type. Sizes known to the compiler become constants of the code.
        """
        if len(index) != len(shape):
            raise TypingError(f"an index of {len(index)} for {len(shape)} axes")

        def codegen(context, builder, signature, arguments):
            place = context.get_constant(types.int64, 0)
            indices = _as_int64(context, builder, index, arguments[0])
            sizes = _as_int64(context, builder, shape, arguments[1])
            for i, size in zip(indices, sizes, strict=True):
                place = builder.add(builder.mul(place, size), i)
            return place

        return types.int64(index, shape), codegen

    @intrinsic
    def add_to_cells(typingctx, cells, first, amounts):
        """Add a tuple of integers to as many cells in a row; `cells` is an address."""

        def codegen(context, builder, signature, arguments):
            int64 = context.get_value_type(types.int64)
            start = builder.inttoptr(arguments[0], int64.as_pointer())
            # All amounts are known before anything is stored: the compiler cannot tell that cells do not overlap them.
            for i, amount in enumerate(_as_int64(context, builder, amounts, arguments[2])):
                place = builder.add(arguments[1], context.get_constant(types.int64, i))
                cell = builder.gep(start, [place])
                builder.store(builder.add(builder.load(cell), amount), cell)
            return context.get_dummy_value()

        return types.none(types.int64, types.int64, amounts), codegen

    @intrinsic
    def bit_length(typingctx, number):
        """Return how many binary digits a number of at least 0 has."""

        def codegen(context, builder, signature, arguments):
            leading = builder.ctlz(arguments[0], context.get_constant(types.boolean, False))
            return builder.sub(context.get_constant(types.int64, 64), leading)

        return types.int64(types.int64), codegen
