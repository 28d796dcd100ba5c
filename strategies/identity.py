"""The identity of a strategy: a digest of all that its machine code depends on.

The compiler freezes every value that a function reads from its module: a number that was loaded from a file, a constant
of another module, a setting of the environment. The text of the function does not change with them, so compiled code is
looked up by this digest, and a run goes on only with the same one.
"""

import dis
import enum
import hashlib
import platform
import secrets
import sys
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np

#: Packages of which a name is enough, as the sources of the first and the versions of the others are told beside it.
_KNOWN_PACKAGES = ("modernart", "numba", "numpy", "llvmlite")
#: Options of numba that are those of every strategy.
_USUAL_OPTIONS = {"nopython": True, "nogil": True, "parallel": False, "boundscheck": None}
_LIBRARIES = tuple(sysconfig.get_path(name) for name in ("stdlib", "platstdlib"))


@dataclass(frozen=True)
class Identity:
    """What a strategy is.

    Parameters
    ----------
    digest : str
        Equal only for equal code; at random where `is_certain` is false.
    is_certain : bool
        Whether everything that the code depends on could be told.
    """

    digest: str
    is_certain: bool


def identity_of(function: Callable) -> Identity:
    """Return the identity of a strategy's function, compiled or not.

    Parameters
    ----------
    function : callable
        `act(table, hand)`, or a compiled form of it.

    Returns
    -------
    Identity
        Of its code and of all values and functions that it reaches. What the project itself holds counts by name.
    """
    walk = _Walk()
    walk.add(function)
    if not walk.is_certain:
        return Identity(secrets.token_hex(16), False)
    return Identity(walk.digest.hexdigest()[:32], True)


class _Walk:
    """Goes from a function to all that it reaches, and adds each to a digest."""

    def __init__(self) -> None:
        versions = (platform.python_version(), numba.__version__, np.__version__, llvmlite.__version__)
        self.digest = hashlib.sha256(repr(versions).encode())
        self.is_certain = True
        self._places: dict[int, int] = {}
        self._kept: list[Any] = []  # alive, so that no other object takes over its id

    def _note(self, *parts: object) -> None:
        for part in parts:
            content = part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass")
            self.digest.update(f"{type(part).__name__} {len(content)} ".encode())
            self.digest.update(content)

    def add(self, value: Any, names: frozenset[str] = frozenset()) -> None:
        """Add a value.

        Parameters
        ----------
        value : object
        names : frozenset of str
            What the code that reaches the value reads of modules.
        """
        if value is None or (isinstance(value, bool | int | float | complex | str | bytes) and not _is_enum(value)):
            self._note(type(value).__name__, repr(value))
        elif isinstance(value, np.ndarray | np.generic):
            self._add_array(np.asarray(value), type(value).__name__)
        elif _is_enum(value) or isinstance(value, np.dtype | np.ufunc | BuiltinFunctionType | numba.types.Type):
            self._note(type(value).__name__, repr(value))
        elif id(value) in self._places:
            self._note("again", self._places[id(value)])
        else:
            self._places[id(value)] = len(self._places)
            self._kept.append(value)
            self._add_composed(value, names)

    def _add_array(self, array: np.ndarray, kind: str) -> None:
        if array.dtype.hasobject:
            self.is_certain = False
        layout = "C" if array.flags.c_contiguous else "F" if array.flags.f_contiguous else "A"
        self._note(kind, layout, array.shape, np.lib.format.dtype_to_descr(array.dtype), array.tobytes())

    def _add_composed(self, value: Any, names: frozenset[str]) -> None:
        plain = getattr(value, "py_func", None)
        if isinstance(plain, FunctionType):
            options = getattr(value, "targetoptions", {})
            unusual = {
                key: one for key, one in options.items() if key not in _USUAL_OPTIONS or one != _USUAL_OPTIONS[key]
            }
            self._note("options", sorted(map(repr, unusual.items())))
            self.add(plain)
        elif isinstance(value, FunctionType):
            self._add_function(value)
        elif isinstance(value, CodeType):
            self._add_code(value)
        elif isinstance(value, ModuleType):
            self._add_module(value, names)
        elif isinstance(value, type) and issubclass(value, enum.Enum):
            self._note("enum", value.__name__, [(member.name, repr(member.value)) for member in value])
        elif isinstance(value, tuple | list):
            self._note(type(value).__name__, getattr(value, "_fields", ""), len(value))
            for item in value:
                self.add(item, names)
        elif isinstance(value, dict):
            self.add(list(value.items()), names)
        elif isinstance(value, set | frozenset):
            self.add(sorted(value, key=repr), names)
        elif _is_known(getattr(value, "__module__", None) or type(value).__module__):
            # A type, or another object of a library, of which its name and the library's version are enough.
            name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
            self.is_certain &= isinstance(name, str)
            self._note("known", getattr(value, "__module__", ""), name)
        else:
            self.is_certain = False

    def _add_function(self, function: FunctionType) -> None:
        if _is_known(function.__module__):
            self._note("known", function.__module__, function.__qualname__)
            return
        self.add(function.__code__)
        names = frozenset(_names_in(function.__code__))
        for name in sorted(names & function.__globals__.keys()):
            self._note("global", name)
            self.add(function.__globals__[name], names)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            self._note("closure", name)
            try:
                self.add(cell.cell_contents, names)
            except ValueError:  # a cell that is still empty
                self.is_certain = False
        self.add(function.__defaults__)
        self.add(function.__kwdefaults__)

    def _add_code(self, code: CodeType) -> None:
        # What it does, without where it stands: a comment above it makes no other strategy.
        words = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        counts = (code.co_argcount, code.co_kwonlyargcount, code.co_posonlyargcount, code.co_flags)
        instructions = [(step.opcode, step.arg) for step in dis.get_instructions(code)]
        self._note("code", words, counts, instructions, code.co_exceptiontable)
        for constant in code.co_consts:
            self.add(constant)

    def _add_module(self, module: ModuleType, names: frozenset[str]) -> None:
        self._note("module", module.__name__)
        if _is_known(module.__name__):
            return
        self._note(_version_of(module.__name__.partition(".")[0]))
        path = Path(getattr(module, "__file__", None) or "")
        # Beside the values that are read: what its functions make of them when they are compiled.
        if path.suffix == ".py" and path.is_file():
            self._note(path.read_bytes())
        for name in sorted(names):
            if name in vars(module):
                self._note("attribute", name)
                self.add(vars(module)[name], names)


def _is_enum(value: Any) -> bool:
    return isinstance(value, enum.Enum)


def _names_in(code: CodeType) -> Iterator[str]:
    """Yield all names that code reads, also in the functions and comprehensions within it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)


@cache
def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "no version"


def _is_known(name: str | None) -> bool:
    """Tell whether a module belongs to this project, to its compiler, or to Python itself."""
    top = (name or "").partition(".")[0]
    if top in _KNOWN_PACKAGES:
        return True
    file = getattr(sys.modules.get(top), "__file__", None)
    is_pythons_own = file is None or (file.startswith(_LIBRARIES) and "site-packages" not in file)
    return top in sys.stdlib_module_names and is_pythons_own


def foreign_dispatchers(function: Callable) -> list[Any]:
    """Return the compiled functions that a strategy reaches outside this project and the libraries, itself included."""
    found: dict[int, Any] = {}
    waiting: list[Any] = [function]
    seen: set[int] = set()
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        plain = getattr(value, "py_func", value)
        if isinstance(plain, FunctionType) and not _is_known(plain.__module__):
            if plain is not value:
                found[id(value)] = value
            waiting += reached_by(plain).values()
    return list(found.values())


def reached_by(function: FunctionType) -> dict[tuple[str, ...], Any]:
    """Return what a function can call: by (name,) in its own module or closure, by (module, name) in others."""
    names = set(_names_in(function.__code__))
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    values = {name: value for name, value in function.__globals__.items() if name in names}
    values |= {name: cell.cell_contents for name, cell in cells}
    found: dict[tuple[str, ...], Any] = {}
    for name, value in values.items():
        if callable(value):
            found[name,] = value
        elif isinstance(value, ModuleType) and not _is_known(value.__name__):
            found |= {(name, inner): vars(value)[inner] for inner in names if callable(vars(value).get(inner))}
    return found


@cache
def uses_any(function: Callable, names: frozenset[str]) -> bool:
    """Tell whether a function of this project, or another of it that it reaches, names one of some things.

    Parameters
    ----------
    function : callable
        Plain or compiled.
    names : frozenset of str
        Names of functions, or of fields as in `hand.notes`.
    """
    waiting: list[Any] = [function]
    seen: set[int] = set()
    while waiting:
        value = waiting.pop()
        plain = getattr(value, "py_func", value)
        if id(plain) in seen or not isinstance(plain, FunctionType):
            continue
        seen.add(id(plain))
        named = set(_names_in(plain.__code__))
        if named & names:
            return True
        values = [plain.__globals__[name] for name in named & plain.__globals__.keys()]
        modules = [value for value in values if isinstance(value, ModuleType)]
        waiting += values
        waiting += [cell.cell_contents for cell in plain.__closure__ or ()]
        waiting += [vars(module)[name] for module in modules for name in named & vars(module).keys()]
    return False
