"""Small networks on weights that are data: a block of float32 numbers, reached by its address.

A network has two hidden layers of rectified units. Its numbers lie in a row: first-layer biases and weights (input by
input), second-layer biases and weights, then for each output its bias and weights.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from modernart.simulator import data
from modernart.simulator.jit import JIT_DISABLED, kernel

#: Units of the two hidden layers.
WIDTH_1, WIDTH_2 = 32, 16


def network_size(n_inputs: int, n_outputs: int) -> int:
    """Return how many numbers a network has; `n_inputs` must be even."""
    return WIDTH_1 * (n_inputs + 1) + WIDTH_2 * (WIDTH_1 + 1) + n_outputs * (WIDTH_2 + 1)


@kernel(inline=True)
def output_offset(offset, n_inputs):
    """Return where the outputs of a network start that itself starts at `offset`."""
    return offset + WIDTH_1 * (n_inputs + 1) + WIDTH_2 * (WIDTH_1 + 1)


if JIT_DISABLED:

    def stack_floats(n):
        """Return float32 zeros."""
        return np.zeros(n, np.float32)

    def number_at(address, index):
        """Return one number of the block at an address."""
        return data.array_at(address)[index]

    def hidden_units(address, offset, n_inputs, inputs, units):
        """Compute a network's second hidden layer."""
        block = data.array_at(address)[offset:]
        sums = [block[:WIDTH_1].copy(), np.zeros(WIDTH_1, np.float32)]
        rows = block[WIDTH_1 : WIDTH_1 * (n_inputs + 1)].reshape(n_inputs, WIDTH_1)
        for k in range(n_inputs):
            sums[k % 2] += rows[k] * inputs[k]
        first = np.maximum(sums[0] + sums[1], np.float32(0))
        block = block[WIDTH_1 * (n_inputs + 1) :]
        sums = [block[:WIDTH_2].copy(), np.zeros(WIDTH_2, np.float32)]
        rows = block[WIDTH_2 : WIDTH_2 * (WIDTH_1 + 1)].reshape(WIDTH_1, WIDTH_2)
        for k in range(WIDTH_1):
            sums[k % 2] += rows[k] * first[k]
        units[:] = np.maximum(sums[0] + sums[1], np.float32(0))

else:
    _FLOAT = ir.FloatType()
    _INT64 = ir.IntType(64)

    def _load(builder, pointer, n):
        """Load n numbers that follow each other."""
        vector = ir.VectorType(_FLOAT, n)
        return builder.load(builder.bitcast(pointer, vector.as_pointer()), align=4)

    def _spread(builder, value, n):
        """Return a vector of n times the same number."""
        vector = ir.VectorType(_FLOAT, n)
        one = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
        return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), n), [0] * n))

    def _rectified(builder, vector, n):
        """Return the vector with 0 in place of what is below."""
        zero = ir.Constant(ir.VectorType(_FLOAT, n), [0.0] * n)
        return builder.select(builder.fcmp_ordered(">", vector, zero), vector, zero)

    def _first_layer(builder, block, n_inputs, inputs):
        """Build the loop of the first layer: two inputs a step, whose sums are independent."""
        n = WIDTH_1
        vector = ir.VectorType(_FLOAT, n)
        zero = ir.Constant(vector, [0.0] * n)
        sums = [cgutils.alloca_once_value(builder, zero) for _ in range(2)]
        builder.store(_load(builder, block, n), sums[0])
        builder.store(zero, sums[1])
        pairs = builder.sdiv(n_inputs, ir.Constant(_INT64, 2))
        with cgutils.for_range(builder, pairs) as loop:
            for k in range(2):
                index = builder.add(builder.mul(loop.index, ir.Constant(_INT64, 2)), ir.Constant(_INT64, k))
                row = builder.mul(builder.add(index, ir.Constant(_INT64, 1)), ir.Constant(_INT64, n))
                weights = _load(builder, builder.gep(block, [row]), n)
                value = builder.load(builder.gep(inputs, [index]), align=4)
                product = builder.fmul(weights, _spread(builder, value, n))
                builder.store(builder.fadd(builder.load(sums[k]), product), sums[k])
        return _rectified(builder, builder.fadd(builder.load(sums[0]), builder.load(sums[1])), n)

    def _second_layer(builder, block, first):
        """Build the second layer, unrolled."""
        n = WIDTH_2
        sums = [_load(builder, block, n), ir.Constant(ir.VectorType(_FLOAT, n), [0.0] * n)]
        for k in range(WIDTH_1):
            weights = _load(builder, builder.gep(block, [ir.Constant(_INT64, (k + 1) * n)]), n)
            value = builder.extract_element(first, ir.Constant(ir.IntType(32), k))
            sums[k % 2] = builder.fadd(sums[k % 2], builder.fmul(weights, _spread(builder, value, n)))
        return _rectified(builder, builder.fadd(*sums), n)

    @intrinsic(prefer_literal=True)
    def stack_floats(typingctx, n):
        """Return float32 zeros on the stack of the calling function, which must not return them; `n` is a constant."""
        vector = types.Array(types.float32, 1, "C")
        length = n.literal_value

        def codegen(context, builder, signature, arguments):
            memory = cgutils.alloca_once(builder, ir.ArrayType(_FLOAT, length))
            builder.store(ir.Constant(memory.type.pointee, None), memory)
            array = make_array(vector)(context, builder)
            populate_array(
                array,
                data=builder.bitcast(memory, array.data.type),
                shape=[context.get_constant(types.intp, length)],
                strides=[context.get_constant(types.intp, 4)],
                itemsize=context.get_constant(types.intp, 4),
                meminfo=None,
            )
            return array._getvalue()

        return vector(n), codegen

    @intrinsic
    def number_at(typingctx, address, index):
        """Return one number of the block at an address."""

        def codegen(context, builder, signature, arguments):
            start = builder.inttoptr(arguments[0], _FLOAT.as_pointer())
            return builder.load(builder.gep(start, [arguments[1]]), align=4)

        return types.float32(types.int64, types.int64), codegen

    @intrinsic
    def hidden_units(typingctx, address, offset, n_inputs, inputs, units):
        """Compute a network's second hidden layer.

        Written as vector code by hand: numba alone leaves the sums in memory, which takes four times as long. Products
        and sums are rounded one by one, so that every machine comes to the same numbers.
        """

        def codegen(context, builder, signature, arguments):
            start = builder.inttoptr(arguments[0], _FLOAT.as_pointer())
            block = builder.gep(start, [arguments[1]])
            values = make_array(inputs)(context, builder, arguments[3]).data
            first = _first_layer(builder, block, arguments[2], values)
            skipped = builder.mul(builder.add(arguments[2], ir.Constant(_INT64, 1)), ir.Constant(_INT64, WIDTH_1))
            second = _second_layer(builder, builder.gep(block, [skipped]), first)
            target = make_array(units)(context, builder, arguments[4]).data
            target = builder.bitcast(target, ir.VectorType(_FLOAT, WIDTH_2).as_pointer())
            builder.store(second, target, align=4)
            return context.get_dummy_value()

        return types.none(types.int64, types.int64, types.int64, inputs, units), codegen


@kernel
def output(address, start, units, k):
    """Return output `k` of a network whose outputs start at `start`, from its second hidden layer."""
    place = start + k * (WIDTH_2 + 1)
    total = number_at(address, place)
    for unit in range(WIDTH_2):
        total += number_at(address, place + 1 + unit) * units[unit]
    return np.float64(total)
