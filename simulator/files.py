"""Files that are written completely or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from modernart.simulator.errors import UsageError


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
        If the file cannot be written.
    """
    path = Path(path)
    encoding = None if "b" in mode else "utf-8"
    if path.exists() and not path.is_file():
        raise UsageError(f"cannot write {path}: it is not a regular file; name another place with --output")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}; name another place with --output") from None
    try:
        # mkstemp gives access to the owner alone; a result is for everybody whom the umask allows.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(draft, 0o666 & ~mask)
        with os.fdopen(handle, mode, encoding=encoding) as file:
            yield file
        os.replace(draft, path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
