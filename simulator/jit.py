"""The only place that chooses numba's options and the folder of its cache."""

import contextlib
import hashlib
import os
import shutil
import sys
import time
from pathlib import Path

import numba
import numpy as np
import platformdirs
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

#: Compiled code older than this (seconds since it was last used) is deleted when a new cache folder is made.
_CACHE_LIFETIME = 14 * 24 * 3600


_ROOT = Path(__file__).parent.parent


def _source_digest(packages: tuple[str, ...]) -> str:
    """Digest of the sources that end up in a package's compiled code, and of the flags that change it.

    numba looks only at the file of a cached function: an edit of a helper in another file would keep the old code.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    for package in packages:
        for path in sorted((_ROOT / package).rglob("*.py")):
            digest.update(path.relative_to(_ROOT).as_posix().encode())
            digest.update(path.read_bytes())
    for name in sorted(os.environ):
        if name.startswith("NUMBA_") and name not in ("NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS"):
            digest.update(f"{name}={os.environ[name]}".encode())
    return digest.hexdigest()[:16]


def _cache_folder(packages: tuple[str, ...]) -> Path:
    """Return the folder of compiled code of this very version, after deleting folders long unused."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return Path(os.environ["NUMBA_CACHE_DIR"])
    base = Path(platformdirs.user_cache_dir("modernart"))
    folder = base / f"{packages[-1]}-{_source_digest(packages)}"
    if folder.exists():
        with contextlib.suppress(OSError):
            os.utime(folder)
    else:
        for old in base.glob("*-*"):
            if time.time() - old.stat().st_mtime > _CACHE_LIFETIME:
                shutil.rmtree(old, ignore_errors=True)
    return folder


#: Where compiled code is kept between runs. The simulator's has a folder of its own: editing a strategy spares it.
_SIMULATOR_FOLDER = _cache_folder(("simulator",))
_STRATEGY_FOLDER = _cache_folder(("simulator", "strategies"))

#: True when NUMBA_DISABLE_JIT is set: everything runs as plain Python, for the debugger.
JIT_DISABLED = bool(numba.config.DISABLE_JIT)
if JIT_DISABLED:
    # uint64 wraps around on purpose in the random streams; only NumPy's scalars warn of it.
    np.seterr(over="ignore")


def is_cached(name: str) -> bool:
    """Tell whether the simulator's function `name`, as of this very version, lies compiled in the cache."""
    return JIT_DISABLED or (_SIMULATOR_FOLDER.exists() and any(_SIMULATOR_FOLDER.rglob(f"*.{name}-*.nbc")))


def kernel(function=None, *, signature=None, parallel=False, inline=False, cache=True, zero_check=True):
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
        Keep the compiled code on disk.
    zero_check : bool
        Raise ZeroDivisionError as Python does. False leaves the check out of every division: only for helpers of this
        project whose divisors cannot be zero, so that play with and without the JIT stays the same.
    """

    def decorate(plain):
        options = {"cache": cache, "nogil": True, "parallel": parallel}
        if not zero_check:
            options["error_model"] = "numpy"
        if inline:
            options["forceinline"] = True
        if JIT_DISABLED:
            return numba.njit(plain)
        is_ours = Path(plain.__code__.co_filename).parent == _ROOT / "simulator"
        numba.config.CACHE_DIR = str(_SIMULATOR_FOLDER if is_ours else _STRATEGY_FOLDER)
        return numba.njit(signature, **options)(plain)

    return decorate if function is None else decorate(function)


if JIT_DISABLED:
    _FUNCTIONS = []

    def address_of(function, signature):
        """Return a number that stands for the function."""
        if function not in _FUNCTIONS:
            _FUNCTIONS.append(function)
        return _FUNCTIONS.index(function)

    def call_act(address, table, hand):
        """Call the strategy that a number stands for."""
        return _FUNCTIONS[address](table, hand)

    def cells_of(array):
        """Return what `add_to_cell` adds to: here the array itself."""
        return array

    def add_to_cell(cells, index, amount):
        """Add to one cell."""
        cells[index] += amount

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

    @intrinsic
    def cells_of(typingctx, array):
        """Return the address of the first cell of a contiguous int64 array, which must outlive its use.

        A bare number: an array is passed on as seven, and counts its references.
        """
        if array.dtype != numba.types.int64 or array.layout != "C":
            raise numba.core.errors.TypingError("cells_of takes a contiguous array of int64")

        def codegen(context, builder, signature, arguments):
            data = make_array(array)(context, builder, arguments[0]).data
            return builder.ptrtoint(data, context.get_value_type(numba.types.int64))

        return numba.types.int64(array), codegen

    @intrinsic
    def add_to_cell(typingctx, cells, index, amount):
        """Add an int64 to one of the cells that start at an address."""
        result = numba.types.none
        int64 = numba.types.int64

        def codegen(context, builder, signature, arguments):
            start = builder.inttoptr(arguments[0], context.get_value_type(int64).as_pointer())
            cell = builder.gep(start, [arguments[1]])
            builder.store(builder.add(builder.load(cell), arguments[2]), cell)
            return context.get_dummy_value()

        return result(int64, int64, int64), codegen

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


def announce_compilation(name: str = "play_blocks") -> None:
    """Say on stderr that calling the simulator's function `name` will compile first, if it will."""
    if not is_cached(name):
        print("compiling the simulator for this machine (once, about half a minute) ...", file=sys.stderr, flush=True)
