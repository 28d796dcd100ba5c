"""The only place that chooses numba's options, and the few intrinsics that numba lacks."""

import functools
import warnings

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from modernart.simulator.code_cache import CodeCache, can_tell

#: True when NUMBA_DISABLE_JIT is set: everything runs as plain Python, for the debugger.
JIT_DISABLED = bool(numba.config.DISABLE_JIT)
if JIT_DISABLED:
    # As compiled code does, raise where a number is divided by zero; NumPy's scalars would only warn.
    warnings.filterwarnings(
        "error", r"(divide by zero|invalid value) encountered in scalar (divide|floor_divide|remainder)", RuntimeWarning
    )


def kernel(function=None, *, signature=None, parallel=False, inline=False, cache=True, zero_check=True, wraps=False):
    """Compile a function of the simulator or of a strategy.

    Parameters
    ----------
    function : callable
        What to compile.
    signature : numba signature, optional
        Compile at once for these types; needed at the border with strategies. Without it, at the first call.
    parallel : bool
        Whether `prange` in it runs in threads; for the batch kernel only.
    inline : bool
        Ask LLVM to inline it into its callers; for tiny helpers of the hot loop.
    cache : bool
        Keep the compiled code on disk, if all that it depends on can be told: that is so for this project's own code,
        and where the function has an attribute `code_place` (see `modernart.simulator.code_cache`).
    zero_check : bool
        Raise ZeroDivisionError as Python does. False leaves the check out of every division: only for helpers of this
        project whose divisors cannot be zero, so that play with and without the JIT stays the same.
    wraps : bool
        Its uint64 numbers wrap around on purpose. With the JIT off NumPy's scalars would warn of that, and their
        silence holds for one thread: so each such function asks for it.
    """

    def decorate(plain):
        if JIT_DISABLED:
            return numba.njit(_without_overflow_warnings(plain) if wraps else plain)
        options = {"nogil": True, "parallel": parallel}
        if not zero_check:
            options["error_model"] = "numpy"
        if inline:
            options["forceinline"] = True
        compiled = numba.njit(**options)(plain)
        if cache and can_tell(plain):
            # In place of numba's own, which `cache=True` would set up on disk at once.
            compiled._cache = CodeCache(plain)
        if inline:
            _share_code(compiled)
        if signature is not None:
            compiled.compile(signature)
            compiled.disable_compile()
        return compiled

    return decorate if function is None else decorate(function)


def _without_overflow_warnings(plain):
    @functools.wraps(plain)
    def quiet(*arguments):
        with np.errstate(over="ignore"):
            return plain(*arguments)

    return quiet


def _share_code(compiled):
    """Let calls with numbers written in their source share the code of all others.

    numba would compile a function anew for every such number. Where it is inlined, LLVM finds out anyway what a number
    makes superfluous.
    """
    resolve = compiled.get_call_template

    def without_literals(args, kws):
        unliteral = numba.types.unliteral
        return resolve(tuple(map(unliteral, args)), {name: unliteral(kind) for name, kind in kws.items()})

    compiled.get_call_template = without_literals


if JIT_DISABLED:
    _FUNCTIONS: list = []

    def address_of(function, signature):
        """Return a number that stands for the function."""
        if function not in _FUNCTIONS:
            _FUNCTIONS.append(function)
        return _FUNCTIONS.index(function)

    def call_act(address, table, hand):
        """Call the strategy that a number stands for."""
        return _FUNCTIONS[address](table, hand)

    def stack_zeros(n_rows, n_columns):
        """Return a matrix of zeros."""
        return np.zeros((n_rows, n_columns))

else:

    def address_of(function, signature):
        """Return the address of a compiled function's native code, for `call_act`."""
        compiled = function.get_compile_result(signature)
        return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)

    @intrinsic
    def call_act(typingctx, address, table, hand):
        """Call the strategy whose native code starts at `address`.

        A plain pointer call in numba's own calling convention: errors raised in the strategy reach the caller, and a
        tuple of first-class functions, which costs 0.2 ms a function to unpack and fixes their number, is not needed.
        """
        result = numba.types.int64
        argument_types = (table, hand)

        def codegen(context, builder, signature, arguments):
            pointer_type = context.call_conv.get_function_type(result, argument_types).as_pointer()
            pointer = builder.inttoptr(arguments[0], pointer_type)
            status, value = context.call_conv.call_function(builder, pointer, result, argument_types, arguments[1:])
            with cgutils.if_unlikely(builder, status.is_error):
                context.call_conv.return_status_propagate(builder, status)
            return value

        return result(address, table, hand), codegen

    @intrinsic(prefer_literal=True)
    def stack_zeros(typingctx, n_rows, n_columns):
        """Return a float64 matrix of zeros on the stack of the calling function, which must not return it.

        Its size must be known at compile time. It costs a few stores, where `np.zeros` allocates and counts references.
        """
        matrix = numba.types.Array(numba.types.float64, 2, "C")
        shape = (n_rows.literal_value, n_columns.literal_value)

        def codegen(context, builder, signature, arguments):
            cell = context.get_value_type(numba.types.float64)
            memory = cgutils.alloca_once(builder, ir.ArrayType(cell, shape[0] * shape[1]))
            builder.store(ir.Constant(memory.type.pointee, None), memory)
            array = make_array(matrix)(context, builder)
            populate_array(
                array,
                data=builder.bitcast(memory, array.data.type),
                shape=[context.get_constant(numba.types.intp, n) for n in shape],
                strides=[context.get_constant(numba.types.intp, n) for n in (8 * shape[1], 8)],
                itemsize=context.get_constant(numba.types.intp, 8),
                meminfo=None,
            )
            return array._getvalue()

        return matrix(n_rows, n_columns), codegen
