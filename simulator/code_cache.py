"""Where compiled code is kept between runs: in folders named by all that the code depends on.

Importing this module reads the sources and writes nothing; folders are made when the first code is saved.
"""

import contextlib
import hashlib
import os
import re
import shutil
import time
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import ClassVar

import numba
import platformdirs
from numba.core.caching import CompileResultCacheImpl, FunctionCache, NullCache, UserProvidedCacheLocator
from numba.core.runtime import rtsys

#: Seconds after its last use at which a folder of compiled code may be deleted.
_LIFETIME = 14 * 24 * 3600

#: What saved code may call while numba has only been imported; anything else is known after a quarter of a second more,
#: in which numba loads all that it can compile.
_KNOWN_AT_ONCE = re.compile(
    r"_?Py\w+|NRT_\w+|llvm\..+|exp|log|log2|pow|sqrt"
    r"|numba_(do_raise|extract_record_data|gil_ensure|gil_release|release_buffer|runtime_build_excinfo_struct|unpickle)"
    # Of parallel loops, which numba prepares by itself when it loads them.
    r"|numba_parallel_for|do_scheduling_unsigned|(de)?allocate_sched|get_(num_threads|sched_size)"
    r"|[gs]et_parallel_chunksize|printf"
)
#: A file in a folder of saved code, of which some needs more.
_NEEDS_MORE = "needs-all-of-numba"

#: The folder that holds the packages.
ROOT = Path(__file__).parent.parent


def _base_folder() -> Path | None:
    """Return the folder that holds the folders of compiled code; None if the user has no place for it."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    base = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("modernart"))
    # Without a home the name of the user's cache stays relative, and would be taken from wherever the run starts.
    return base if chosen or base.is_absolute() else None


def _source_digest(packages: tuple[str, ...]) -> str:
    """Return a digest of the sources of packages, and of the flags that change their compiled code.

    numba looks only at the file of a cached function: after an edit of a helper in another file it would run old code.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            digest.update(path.relative_to(ROOT).as_posix().encode())
            digest.update(path.read_bytes())
    for name in sorted(os.environ):
        if name.startswith("NUMBA_") and name not in ("NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS"):
            digest.update(f"{name}={os.environ[name]}".encode())
    return digest.hexdigest()[:16]


@cache
def _folder_of(packages: tuple[str, ...]) -> Path | None:
    base = _base_folder()
    return base and base / f"{packages[-1]}-{_source_digest(packages)}"


def simulator_folder() -> Path | None:
    """Return where the simulator's compiled code is kept: apart, as editing a strategy leaves it valid."""
    return _folder_of(("simulator",))


def strategy_folder() -> Path | None:
    """Return where all other compiled code is kept."""
    return _folder_of(("simulator", "strategies"))


def folder_of_place(place: str) -> Path | None:
    """Return where code is kept that has a place of its own, named by all that it depends on."""
    folder = strategy_folder()
    return folder and folder / place


def can_tell(function: Callable) -> bool:
    """Tell whether the folder of a function's code names all that it depends on.

    That are sources for this project's own. Code of others may hold values that it loaded or computed; who compiles it
    puts a digest of them into the function's attribute `code_place`.
    """
    return hasattr(function, "code_place") or Path(function.__code__.co_filename).is_relative_to(ROOT)


class _Locator(UserProvidedCacheLocator):
    """Tells numba the folder of a function's compiled code."""

    def __init__(self, py_func: Callable, py_file: str) -> None:
        super().__init__(py_func, py_file)
        path = Path(py_file)
        folder = simulator_folder() if path.parent == ROOT / "simulator" else strategy_folder()
        if folder is None:
            raise OSError("the user has no folder for caches")
        # The same for every copy of the same sources.
        place = getattr(py_func, "code_place", None) or "_".join(path.parent.relative_to(ROOT).parts)
        self._cache_path = str(folder / place)

    @classmethod
    def from_function(cls, py_func: Callable, py_file: str) -> "_Locator":
        locator = cls(py_func, py_file)
        locator.ensure_cache_path()
        return locator


class _Saved(CompileResultCacheImpl):
    # No other places: numba's own would write into the folder of the installed package.
    _locator_classes: ClassVar = [_Locator]


class _Files(FunctionCache):
    _impl_class = _Saved

    @property
    def _mark(self) -> Path:
        return Path(self.cache_path) / _NEEDS_MORE

    def load_overload(self, sig, target_context):
        """Load saved code as numba does, but without all that only compiling needs where the code can do without."""
        if self._mark.exists():
            return super().load_overload(sig, target_context)
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def save_overload(self, sig, data) -> None:
        """Save code, after a mark if it needs more to be loaded."""
        module = data.library._final_module
        called = (f.name for f in (*module.functions, *module.global_variables) if f.is_declaration)
        if not all(_KNOWN_AT_ONCE.fullmatch(name) for name in called):
            self._impl.locator.ensure_cache_path()
            self._mark.touch()
        super().save_overload(sig, data)

    def is_empty(self) -> bool:
        """Tell whether no code is saved that can be read."""
        try:
            return not self._cache_file._load_index()
        except Exception:  # whatever reading a damaged file may raise
            return True


class CodeCache:
    """The saved code of one function, as numba's dispatchers ask for it.

    Unlike numba's own it touches the disk only when code is needed, does without a folder that cannot be written, and
    compiles anew where a file is damaged.

    Parameters
    ----------
    py_func : callable
        The plain function.
    """

    def __init__(self, py_func: Callable) -> None:
        self._py_func = py_func

    @cached_property
    def _files(self) -> FunctionCache | NullCache:
        try:
            return _Files(self._py_func)
        except OSError:
            return NullCache()

    @property
    def cache_path(self) -> str | None:
        """Folder of the saved code, None without one."""
        return self._files.cache_path

    def load_overload(self, sig, target_context):
        """Return the saved code for a signature, or None."""
        try:
            return self._files.load_overload(sig, target_context)
        except Exception:  # whatever reading a damaged file may raise
            self.flush()
            return None

    def save_overload(self, sig, data) -> None:
        """Save the code for a signature, if the disk takes it."""
        with contextlib.suppress(OSError):
            self._files.save_overload(sig, data)

    def flush(self) -> None:
        """Forget all saved code of the function."""
        with contextlib.suppress(OSError):
            self._files.flush()


def has_code(compiled: Callable) -> bool:
    """Tell whether code of a compiled function is saved."""
    files = compiled._cache._files  # type: ignore[attr-defined]
    return isinstance(files, _Files) and not files.is_empty()


def can_keep() -> bool:
    """Tell whether compiled code can be saved on this machine."""
    folder = simulator_folder()
    if folder is None:
        return False
    nearest = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    return nearest.is_dir() and os.access(nearest, os.W_OK)


def delete_unused() -> None:
    """Mark today's folders as used, and delete those that no run used for two weeks."""
    folders = [folder for folder in (simulator_folder(), strategy_folder()) if folder is not None]
    for folder in folders:
        with contextlib.suppress(OSError):
            os.utime(folder)
    for base in {folder.parent for folder in folders}:
        for old in [*base.glob("simulator-" + "?" * 16), *base.glob("strategies-" + "?" * 16)]:
            with contextlib.suppress(OSError):
                if time.time() - old.stat().st_mtime > _LIFETIME:
                    shutil.rmtree(old, ignore_errors=True)
