"""How compiled code counts: cells at an address, and counting functions that are called by address.

A counting function takes the game and the place of its tally's cells. The kernel calls it as it calls a strategy, so a
new measure compiles its own counting function and nothing else.
"""

import math

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

    def adder_for(axes, n_quantities):
        """Return a function `add(cells, sizes, index, amounts)` for a tally."""

        def add(cells, sizes, index, amounts):
            place = 0
            for i, axis in zip(index, axes, strict=True):
                place = place * (axis if axis >= 0 else int(sizes[-1 - axis])) + int(i)
            for k in range(n_quantities):
                cells[n_quantities * place + k] += np.int64(amounts[k])

        return add

    def cell_counter_for(axes, n_quantities):
        """Return a function `n_cells(sizes)` for a tally."""

        def n_cells(sizes):
            return n_quantities * math.prod(axis if axis >= 0 else int(sizes[-1 - axis]) for axis in axes)

        return n_cells

    def bit_length(number):
        """Return how many binary digits a number of at least 0 has."""
        return int(number).bit_length()

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

    def _lengths(context, builder, axes, sizes):
        """Return the lengths of a tally's axes: constants of the code, or a run's sizes."""
        return [context.get_constant(types.int64, axis) if axis >= 0 else sizes[-1 - axis] for axis in axes]

    def adder_for(axes, n_quantities):
        """Return what adds to one case of a tally.

        Parameters
        ----------
        axes : tuple of int
            Length of each axis, the last running fastest; -1, -2, ... stand for the run's sizes.
        n_quantities : int

        Returns
        -------
        intrinsic
            `add(cells, sizes, index, amounts)`: the address of the tally's cells, the run's sizes, and tuples of
            integers of any type, one an axis and one a quantity. It is code within its caller, not a function: the
            tallies of a run would take longer to compile than the rules of the game.
        """

        @intrinsic
        def add(typingctx, cells, sizes, index, amounts):
            if (len(index), len(amounts)) != (len(axes), n_quantities):
                raise TypingError(f"{len(index)} places and {len(amounts)} amounts for {axes} and {n_quantities}")

            def codegen(context, builder, signature, arguments):
                int64 = context.get_value_type(types.int64)
                lengths = _lengths(context, builder, axes, _as_int64(context, builder, sizes, arguments[1]))
                place = context.get_constant(types.int64, 0)
                for i, length in zip(_as_int64(context, builder, index, arguments[2]), lengths, strict=True):
                    place = builder.add(builder.mul(place, length), i)
                first = builder.mul(place, context.get_constant(types.int64, n_quantities))
                start = builder.inttoptr(arguments[0], int64.as_pointer())
                # All amounts are known before anything is stored: for all the compiler knows, cells overlap them.
                for k, amount in enumerate(_as_int64(context, builder, amounts, arguments[3])):
                    cell = builder.gep(start, [builder.add(first, context.get_constant(types.int64, k))])
                    builder.store(builder.add(builder.load(cell), amount), cell)
                return context.get_dummy_value()

            return types.none(types.int64, sizes, index, amounts), codegen

        return add

    def cell_counter_for(axes, n_quantities):
        """Return `n_cells(sizes)`, code within its caller that tells how many cells a tally has; see `adder_for`."""

        @intrinsic
        def n_cells(typingctx, sizes):
            def codegen(context, builder, signature, arguments):
                n = context.get_constant(types.int64, n_quantities)
                for length in _lengths(context, builder, axes, _as_int64(context, builder, sizes, arguments[0])):
                    n = builder.mul(n, length)
                return n

            return types.int64(sizes), codegen

        return n_cells

    @intrinsic
    def bit_length(typingctx, number):
        """Return how many binary digits a number of at least 0 has."""

        def codegen(context, builder, signature, arguments):
            leading = builder.ctlz(arguments[0], context.get_constant(types.boolean, False))
            return builder.sub(context.get_constant(types.int64, 64), leading)

        return types.int64(types.int64), codegen
