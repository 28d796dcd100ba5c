"""Files are written completely or not at all; places of output are checked before there is work to lose."""

import contextlib
import errno
import glob
import json
import os
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from modernart.simulator.errors import RunError, UsageError
from modernart.simulator.wording import shown

try:
    import fcntl
except ImportError:  # a system without locks of this kind
    fcntl = None  # type: ignore[assignment]

#: What the name of a half-written file ends with; it begins with a dot.
_DRAFT = ".draft"
#: The longest text that is read; a device may have no end at all.
_MOST_CHARACTERS = 20_000_000
#: Reasons that lie in the machine and not in the name of the place.
_OF_THE_MACHINE = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.EFBIG)


class WriteError(RunError):
    """A file could not be written in the middle of the work; what was saved before is kept."""


@contextmanager
def whole_file(path: Path, mode: str = "w") -> Iterator[IO]:
    """Open a file for writing; it gets its name only when it is complete.

    Parameters
    ----------
    path : Path
        Replaced if it exists; missing folders are made.
    mode : str
        "w" or "wb".

    Raises
    ------
    UsageError
        If nothing can be written at this place.
    WriteError
        If the disk is full or fails; a file that was there before is left as it was.
    """
    path = Path(path)
    encoding = None if "b" in mode else "utf-8"
    try:
        if path.exists() and not path.is_file():
            raise UsageError(f"cannot write {path}: it is not a regular file; name another place with --output")
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=_DRAFT)
    except (OSError, ValueError) as error:
        raise _refusal(path, error) from None
    try:
        if fcntl is not None:
            # Whoever can take the lock knows that the writer is gone; see `remove_drafts`.
            fcntl.flock(handle, fcntl.LOCK_EX)
        # What a killed process left of this very file, in whatever folder it is.
        remove_drafts(path.parent, path.name)
        # mkstemp gives access to the owner alone; a result is for everybody whom the umask allows.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(draft, 0o666 & ~mask)
        # A text may hold what is no character, as a file's name that is not UTF-8: written as an escape, not lost.
        with os.fdopen(handle, mode, encoding=encoding, errors=encoding and "backslashreplace") as file:
            yield file
            file.flush()
            os.replace(draft, path)
    except BaseException as error:
        Path(draft).unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename in (None, draft):
            raise _refusal(path, error) from error
        raise


def _refusal(path: Path, error: OSError | ValueError) -> RunError | UsageError:
    """Return the error that says why a file cannot be written, and what to do."""
    if not isinstance(error, OSError):
        return UsageError(f"cannot write {str(path)!r}: this is no name of a file; name another place with --output")
    reason = error.strerror or str(error)
    if error.errno in _OF_THE_MACHINE:
        return WriteError(f"cannot write {path}: {reason}; make room and give the command again, saved work is kept")
    return UsageError(f"cannot write {path}: {reason}; name another place with --output")


def check_output(path: Path, *, is_folder: bool = False) -> None:
    """Refuse a place of output that cannot be written, before there is work to lose; nothing is left there.

    Parameters
    ----------
    path : Path
    is_folder : bool
        Whether a folder is to be made, or a file.

    Raises
    ------
    UsageError
        If a file or folder cannot be made there.
    WriteError
        If the disk is full.
    """
    path = Path(path)
    try:
        if "\0" in str(path):
            raise ValueError("a NUL")
        if is_folder and path.exists() and not path.is_dir():
            raise UsageError(f"{path} is a file; give a folder as --output")
        if not is_folder and path.exists() and not path.is_file():
            raise UsageError(f"cannot write {path}: it is not a regular file; name another place with --output")
        place = path if is_folder else path.parent
        while not place.exists():
            place = place.parent
        # Trying is surer than reading permissions: a file system may be read-only, or take no files at all.
        handle, draft = tempfile.mkstemp(dir=place, prefix=".place.", suffix=_DRAFT)
        os.close(handle)
        os.unlink(draft)
    except (OSError, ValueError) as error:
        raise _refusal(path, error) from None


def is_draft(path: Path) -> bool:
    """Tell whether a file is one that `whole_file` has not finished."""
    return path.name.startswith(".") and path.name.endswith(_DRAFT)


def remove_drafts(folder: Path, name: str = "") -> None:
    """Remove the half-written files of processes that were killed, or those of one name; those of living ones stay."""
    if fcntl is None:
        return
    for path in folder.glob(f".{glob.escape(name)}.*{_DRAFT}" if name else f".*{_DRAFT}"):
        # Another process may tidy up at the same time.
        with contextlib.suppress(OSError), open(path, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()


def is_file(path: Path | str) -> bool:
    """Tell whether there is a file of this name; a name that no file can have is none."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def read_text(path: Path, what: str = "") -> str:
    """Return the text of a file in UTF-8, with or without a byte order mark.

    Parameters
    ----------
    path : Path
    what : str
        What it is, for messages: "edition file ".

    Raises
    ------
    UsageError
        If it does not exist, or is no such text.
    """
    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read(_MOST_CHARACTERS)
        if len(text) == _MOST_CHARACTERS:
            raise UsageError(f"{what}{path} is far too long")
        return text
    except FileNotFoundError:
        raise UsageError(f"{what}{path} does not exist") from None
    except UnicodeDecodeError:
        raise UsageError(f"{what}{path} must be text in UTF-8") from None
    except OSError as error:
        raise UsageError(f"{what}{path} cannot be read: {error.strerror}") from None
    except ValueError:  # a NUL
        raise UsageError(f"{what}{str(path)!r} is no name of a file") from None


def parse_json(text: str) -> Any:
    """Return the data of a text of strict JSON, in which every key stands once and every text can be written again.

    Raises
    ------
    ValueError
        If it is anything else; the message says what.
    """
    try:
        data = json.loads(text, object_pairs_hook=_each_once, parse_constant=_no_number)
        if "\\ud" in text.lower():
            json.dumps(data, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON, {error.msg} at column {error.colno}") from None
    except UnicodeEncodeError:
        raise ValueError("not JSON, a text holds half a character (a lone surrogate)") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except _NotStrictError:
        raise
    except ValueError:
        raise ValueError("not JSON, a number has far too many digits") from None
    return data


class _NotStrictError(ValueError):
    """What Python's reader of JSON would let pass."""


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON, none of whose keys stands twice: readers differ in which of the two they take."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _NotStrictError(f"{shown(key)} stands twice in one object; keep one")
        found[key] = value
    return found


def _no_number(name: str) -> None:
    raise _NotStrictError(f"{name} is no number of JSON")


def read_toml(path: Path, what: str = "") -> dict[str, Any]:
    """Return the data of a TOML file; `what` as for `read_text`.

    Raises
    ------
    UsageError
        If it cannot be read, or is no TOML.
    """
    text = read_text(path, what)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is not valid TOML: {error}") from None
    except ValueError:
        raise UsageError(f"{path} is not valid TOML: it holds a number of far too many digits") from None
    except RecursionError:
        raise UsageError(f"{path} is not valid TOML: it is nested too deeply") from None
