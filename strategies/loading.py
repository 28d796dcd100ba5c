"""Running the files of strangers: in a worker process, and with one sentence for whatever they do.

Where strategies are to be loaded again on other machines, the files that they were loaded from are noted here.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from modernart.simulator import worker
from modernart.simulator.errors import BotError
from modernart.simulator.jit import JIT_DISABLED


@contextmanager
def foreign_code(name: str) -> Iterator[None]:
    """Load code of strangers.

    Parameters
    ----------
    name : str
        What is loaded, as a message names it.

    Raises
    ------
    BotError
        If the code raises anything, or asks to exit.
    WorkerNeeded
        If it is to be loaded in a worker process. With the JIT off there is none, for the debugger's sake.
    """
    if JIT_DISABLED:
        worker.offer(False)
    with worker.loading(name):
        try:
            yield
        except SystemExit as stop:
            raise BotError(
                f"{name} does not load: it calls sys.exit({stop.code if stop.code is not None else ''})"
            ) from None
        except (KeyboardInterrupt, worker.WorkerNeeded):
            raise
        except BaseException as error:
            raise BotError(f"{name} does not load: {type(error).__name__}: {error}") from error


class FilesRead:
    """Notes which files are read while strategies load: their own, and those that they read themselves."""

    def __init__(self) -> None:
        self.paths: set[Path] = set()
        self._is_watching = False
        self._depth = 0

    def watch(self) -> None:
        """Begin; Python knows no way to end it, so only a process that needs it does."""
        if not self._is_watching:
            self._is_watching = True
            sys.addaudithook(self._on_event)

    @contextmanager
    def loading(self) -> Iterator[None]:
        """Load a strategy."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def _on_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._depth and event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
            mode = arguments[1] if isinstance(arguments[1], str) else "r"
            if not set(mode) & set("wax"):
                self.paths.add(Path(os.fsdecode(arguments[0])).absolute())


FILES_READ = FilesRead()
