"""Telling the user, on stderr, that a run waits for the compiler."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from numba.core import event

from modernart.simulator import code_cache
from modernart.simulator.jit import JIT_DISABLED

#: Seconds of compiling before anything is said; then between two signs of life on a terminal, or two lines of a log.
_PATIENCE, _TICK, _LOG_TICK = 1.0, 1.0, 15.0

_HINT = (
    "compiled code cannot be kept here, so every run compiles anew; set NUMBA_CACHE_DIR to a folder that can be written"
)


class _Watcher(event.Listener):
    """Adds up the time that compiling takes, and tells it from a thread of its own as long as it lasts."""

    def __init__(self) -> None:
        self._depth = 0
        self._n_functions = 0
        self._seconds = 0.0
        self._next_line = _PATIENCE

    def on_start(self, event: event.Event | None) -> None:
        """A function begins to compile, perhaps within another."""
        if self._depth == 0:
            self._start = time.monotonic() - self._seconds
            self._idle = threading.Event()
            self._thread = threading.Thread(target=self._tell, daemon=True)
            self._thread.start()
        self._depth += 1

    def on_end(self, event: event.Event | None) -> None:
        """A function is compiled."""
        self._depth -= 1
        self._n_functions += 1
        if self._depth == 0:
            self._idle.set()
            self._thread.join()
            self._seconds = time.monotonic() - self._start

    def _tell(self) -> None:
        is_terminal = sys.stderr.isatty()
        text = ""
        while not self._idle.wait(max(self._next_line - (time.monotonic() - self._start), 0.0)):
            seconds = time.monotonic() - self._start
            text = f"compiling for this machine, once: {seconds:.0f} s, {self._n_functions} functions"
            print(f"\r{text}" if is_terminal else text, end="" if is_terminal else "\n", file=sys.stderr, flush=True)
            self._next_line = seconds + (_TICK if is_terminal else _LOG_TICK)
        if is_terminal and text:
            # What is printed next must find the line empty.
            print("\r" + " " * len(text) + "\r", end="", file=sys.stderr, flush=True)


_WATCHER = _Watcher()
_is_watching = False


def announce_compilation() -> None:
    """Prepare a run: delete compiled code long unused, and from now on say so when the compiler takes its time."""
    global _is_watching
    if JIT_DISABLED or _is_watching:
        return
    _is_watching = True
    code_cache.delete_unused()
    if not code_cache.can_keep():
        print(_HINT, file=sys.stderr, flush=True)
    event.register("numba:compile", _WATCHER)


@contextmanager
def telling_of_it() -> Iterator[None]:
    """Tell the user of time spent waiting for code that another process compiles, as if this one did."""
    if not _is_watching:
        yield
        return
    _WATCHER.on_start(None)
    try:
        yield
    finally:
        _WATCHER.on_end(None)
