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

    def add_rows(address, start, n_rows, inputs, first, sums, begin):
        """Add rows of weights times inputs to the sums of a first layer."""
        block = data.array_at(address)[start : start + n_rows * WIDTH_1].reshape(n_rows, WIDTH_1)
        parts = [np.zeros(WIDTH_1, np.float32), np.zeros(WIDTH_1, np.float32)]
        for k in range(n_rows):
            parts[k % 2] += block[k] * inputs[first + k]
        sums[begin : begin + WIDTH_1] += parts[0] + parts[1]

    def second_layer(address, start, sums, units):
        """Rectify the sums of a first layer and compute the second."""
        block = data.array_at(address)[start:]
        first = np.maximum(sums[:WIDTH_1], np.float32(0))
        parts = [block[:WIDTH_2].copy(), np.zeros(WIDTH_2, np.float32)]
        rows = block[WIDTH_2 : WIDTH_2 * (WIDTH_1 + 1)].reshape(WIDTH_1, WIDTH_2)
        for k in range(WIDTH_1):
            parts[k % 2] += rows[k] * first[k]
        units[:] = np.maximum(parts[0] + parts[1], np.float32(0))

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

    def _add_rows(builder, block, n_rows, inputs, target):
        """Build the loop over rows: two a step, whose sums are independent."""
        n = WIDTH_1
        zero = ir.Constant(ir.VectorType(_FLOAT, n), [0.0] * n)
        sums = [cgutils.alloca_once_value(builder, zero) for _ in range(2)]
        for cell in sums:
            builder.store(zero, cell)
        with cgutils.for_range(builder, builder.sdiv(n_rows, ir.Constant(_INT64, 2))) as loop:
            for k in range(2):
                index = builder.add(builder.mul(loop.index, ir.Constant(_INT64, 2)), ir.Constant(_INT64, k))
                weights = _load(builder, builder.gep(block, [builder.mul(index, ir.Constant(_INT64, n))]), n)
                value = builder.load(builder.gep(inputs, [index]), align=4)
                product = builder.fmul(weights, _spread(builder, value, n))
                builder.store(builder.fadd(builder.load(sums[k]), product), sums[k])
        total = builder.fadd(builder.load(sums[0]), builder.load(sums[1]))
        total = builder.fadd(_load(builder, target, n), total)
        builder.store(total, builder.bitcast(target, total.type.as_pointer()), align=4)

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
    def add_rows(typingctx, address, start, n_rows, inputs, first, sums, begin):
        """Add rows of weights times inputs to the sums of a first layer, which begin at a place of `sums`.

        Written as vector code by hand: numba alone leaves the sums in memory, which takes four times as long. Products
        and sums are rounded one by one, so that every machine comes to the same numbers.
        """

        def codegen(context, builder, signature, arguments):
            address, start, n_rows, _, first, _, begin = arguments
            block = builder.gep(builder.inttoptr(address, _FLOAT.as_pointer()), [start])
            values = builder.gep(make_array(inputs)(context, builder, arguments[3]).data, [first])
            target = builder.gep(make_array(sums)(context, builder, arguments[5]).data, [begin])
            _add_rows(builder, block, n_rows, values, target)
            return context.get_dummy_value()

        return types.none(types.int64, types.int64, types.int64, inputs, types.int64, sums, types.int64), codegen

    @intrinsic
    def second_layer(typingctx, address, start, sums, units):
        """Rectify the sums of a first layer and compute the second."""

        def codegen(context, builder, signature, arguments):
            block = builder.gep(builder.inttoptr(arguments[0], _FLOAT.as_pointer()), [arguments[1]])
            total = _load(builder, make_array(sums)(context, builder, arguments[2]).data, WIDTH_1)
            second = _second_layer(builder, block, _rectified(builder, total, WIDTH_1))
            target = make_array(units)(context, builder, arguments[3]).data
            builder.store(second, builder.bitcast(target, second.type.as_pointer()), align=4)
            return context.get_dummy_value()

        return types.none(types.int64, types.int64, sums, units), codegen


@kernel(inline=True)
def start_sums(address, offset, sums, begin):
    """Write the biases of a network's first layer to where its sums begin."""
    for unit in range(WIDTH_1):
        sums[begin + unit] = number_at(address, offset + unit)


@kernel
def hidden_units(address, offset, n_inputs, inputs, units):
    """Compute a network's second hidden layer."""
    sums = stack_floats(WIDTH_1)
    start_sums(address, offset, sums, 0)
    add_rows(address, offset + WIDTH_1, n_inputs, inputs, np.int64(0), sums, np.int64(0))
    second_layer(address, offset + WIDTH_1 * (n_inputs + 1), sums, units)


@kernel
def output(address, start, units, k):
    """Return output `k` of a network whose outputs start at `start`, from its second hidden layer."""
    place = start + k * (WIDTH_2 + 1)
    # Four sums that do not wait for each other.
    a = number_at(address, place)
    b = c = d = np.float32(0.0)
    for unit in range(0, WIDTH_2, 4):
        a += number_at(address, place + 1 + unit) * units[unit]
        b += number_at(address, place + 2 + unit) * units[unit + 1]
        c += number_at(address, place + 3 + unit) * units[unit + 2]
        d += number_at(address, place + 4 + unit) * units[unit + 3]
    return np.float64((a + b) + (c + d))
