"""What strategies that are not this project's own play behind: their records must come back as they were given.

Code that was not seen before also plays its first games with bounds checks, in a copy compiled for that.
"""

from collections.abc import Callable
from functools import cache
from types import CellType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.caching import NullCache
from numba.extending import intrinsic

from modernart.simulator.code_cache import folder_of_place
from modernart.simulator.decisions import ACT
from modernart.simulator.errors import RecordsChanged
from modernart.simulator.jit import JIT_DISABLED, kernel
from modernart.simulator.players import Trial
from modernart.simulator.state import HAND_DTYPE, TABLE_DTYPE
from modernart.strategies.identity import Identity, foreign_dispatchers, identity_of, reached_by

_TABLE_SIZE = TABLE_DTYPE.itemsize // 4
_HAND_SIZE = HAND_DTYPE.itemsize // 4
# A hand's words before its stream and behind its notes, which a strategy may change, and its parameters.
_PARAMS = HAND_DTYPE.fields["params"][1] // 4  # type: ignore[index]
_NOTES = HAND_DTYPE.fields["notes"][1] // 4  # type: ignore[index]
_REST = HAND_DTYPE.fields["seat"][1] // 4  # type: ignore[index]

if JIT_DISABLED:

    def words_of(record, n):
        """Return a record as whole numbers of 32 bits."""
        return np.frombuffer(record.data, np.int32, n)

    def copy_of(words, start, end):
        """Return some of the words."""
        return words[start:end].copy()

    def differs(kept, words, start):
        """Tell whether words are others than those kept."""
        return bool((words[start : start + len(kept)] != kept).any())

else:

    @intrinsic
    def _pointer_to(typingctx, record):
        """Return where a record starts."""

        def codegen(context, builder, signature, arguments):
            return builder.bitcast(arguments[0], context.get_value_type(types.voidptr))

        return types.voidptr(record), codegen

    @kernel(inline=True)
    def words_of(record, n):
        """Return a record as whole numbers of 32 bits."""
        return numba.carray(_pointer_to(record), n, np.int32)

    @kernel(inline=True)
    def copy_of(words, start, end):
        """Return some of the words."""
        return words[start:end].copy()

    @kernel(inline=True)
    def differs(kept, words, start):
        """Tell whether words are others than those kept."""
        # Without an early exit the loop becomes a few wide instructions.
        changed = np.int32(0)
        for k in range(kept.size):
            changed |= kept[k] ^ words[start + k]
        return changed != 0


def _act(table, hand):
    """Stands for the strategy, which takes this name in the copy below."""
    raise NotImplementedError


def guarded(table, hand):
    """Return the strategy's answer; an error is raised if it changed what it may only read."""
    table_words = words_of(table, _TABLE_SIZE)
    hand_words = words_of(hand, _HAND_SIZE)
    table_kept = copy_of(table_words, 0, _TABLE_SIZE)
    params_kept = copy_of(hand_words, _PARAMS, _NOTES)
    rest_kept = copy_of(hand_words, _REST, _HAND_SIZE)
    answer = _act(table, hand)
    if differs(table_kept, table_words, 0):
        raise RecordsChanged("it writes to the table")
    if differs(params_kept, hand_words, _PARAMS) or differs(rest_kept, hand_words, _REST):
        raise RecordsChanged("it writes to its hand, beyond notes and rng")
    return np.int64(answer)


@cache
def identity_once(function: Callable) -> Identity:
    """Return the identity of a function as it was when first asked for: that of its compiled code."""
    return identity_of(function)


@cache
def guarded_act(function: Callable) -> Callable:
    """Return a strategy's function compiled, behind the guard."""
    _mistrust_saved_code(function)
    return _behind_guard(kernel(function, cache=False), identity_once(function), "fast")


@cache
def trial_of(function: Callable) -> Trial:
    """Return the trial of a strategy's code: bounds checks, which Python has anyway, until it has played some games."""
    if JIT_DISABLED:
        return Trial(lambda: guarded_act(function), None)
    identity = identity_once(function)
    folder = folder_of_place(_place(identity, "fast")) if identity.is_certain else None
    marker = folder / "tried" if folder is not None else None

    def careful() -> Callable:
        _mistrust_saved_code(function)
        return _behind_guard(_BoundsChecks().of(function), identity, "careful")

    return Trial(careful, marker)


def _place(identity: Identity, kind: str) -> str:
    return f"bot-{identity.digest}-{kind}"


def _behind_guard(act: Callable, identity: Identity, kind: str) -> Callable:
    """Compile the guard around a strategy; kept on disk under the strategy's identity."""
    # Not a closure: numba would look its code up by the content of the cells, which is new in every process.
    scope = {**globals(), "_act": act}
    wrapped = FunctionType(guarded.__code__, scope, "guarded")
    wrapped.__module__ = act.__module__  # it is as foreign as the strategy in it
    if identity.is_certain and not JIT_DISABLED:
        wrapped.code_place = _place(identity, kind)  # type: ignore[attr-defined]
    return kernel(wrapped, signature=ACT, cache=identity.is_certain)


def _mistrust_saved_code(function: Callable) -> None:
    """Compile a strategy's helpers anew: numba's own cache does not see the values that they read."""
    for compiled in foreign_dispatchers(function):
        if sum(compiled.stats.cache_hits.values()):
            compiled._cache = NullCache()
            compiled.recompile()
        compiled._cache = NullCache()


class _BoundsChecks:
    """Makes copies of functions that check every index, and of the user's functions that they call."""

    def __init__(self) -> None:
        self._copies: dict[int, Any] = {}

    def of(self, function: Callable) -> Any:
        """Return a copy of a plain or compiled function, to be compiled with bounds checks."""
        plain: Any = getattr(function, "py_func", function)
        if id(plain) in self._copies:
            return self._copies[id(plain)]
        options = {key: one for key, one in getattr(function, "targetoptions", {}).items() if key != "boundscheck"}
        scope = dict(plain.__globals__)
        free = plain.__code__.co_freevars
        cells = dict(zip(free, (CellType(cell.cell_contents) for cell in plain.__closure__ or ()), strict=True))
        closure = tuple(cells.values())
        copy = FunctionType(plain.__code__, scope, plain.__name__, plain.__defaults__, closure)
        copy.__kwdefaults__, copy.__module__ = plain.__kwdefaults__, plain.__module__
        compiled = numba.jit(**{"nopython": True, "nogil": True, **options, "boundscheck": True})(copy)
        self._copies[id(plain)] = compiled
        foreign = {id(one) for one in foreign_dispatchers(function)}
        for (name, *inner), helper in reached_by(plain).items():
            if id(helper) not in foreign:
                continue
            if inner:
                scope[name] = _with(scope[name], inner[0], self.of(helper))
            elif name in cells:
                cells[name].cell_contents = self.of(helper)
            else:
                scope[name] = self.of(helper)
        return compiled


def _with(module: ModuleType, name: str, value: Any) -> ModuleType:
    """Return a copy of a module with another value of a name."""
    copy = ModuleType(module.__name__)
    vars(copy).update({**vars(module), name: value})
    return copy
