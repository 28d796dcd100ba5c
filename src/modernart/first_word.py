"""A word on a terminal while a command loads what it needs, gone when the command says its own first word."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any, TextIO

#: Seconds after which, and then between which, there is a sign of life.
_PATIENCE, _TICK = 1.0, 0.5


@contextlib.contextmanager
def first_word(words: str = "starting", patience: float = _PATIENCE, tick: float = _TICK) -> Iterator[None]:
    """Show on a terminal that a command is at work, until it writes something itself.

    Parameters
    ----------
    words : str
        What is shown, with the seconds so far.
    patience, tick : float
        Seconds until it is shown, and between two changes of it.
    """
    if not (sys.stderr.isatty() and sys.stdout.isatty()):
        yield
        return
    word = _Word(words, patience, tick)
    try:
        yield
    finally:
        word.end()


class _Word:
    def __init__(self, words: str, patience: float, tick: float) -> None:
        self._words, self._patience, self._tick = words, patience, tick
        self._began = time.monotonic()
        self._lock = threading.RLock()
        self._is_over = threading.Event()
        self._length = 0
        self._heard: list[TextIO] = [sys.stdout, sys.stderr]
        for stream in self._heard:
            _hear(stream, self.end)
        threading.Thread(target=self._show, daemon=True, name="first word").start()

    def end(self) -> None:
        """Take the word away; from now on the streams are left alone."""
        with self._lock:
            if self._is_over.is_set():
                return
            self._is_over.set()
            for stream in self._heard:
                del stream.write
            if self._length:
                sys.stderr.write("\r" + " " * self._length + "\r")
                sys.stderr.flush()

    def _show(self) -> None:
        wait = self._patience
        while not self._is_over.wait(wait):
            with self._lock:
                if self._is_over.is_set():
                    return
                text = f"{self._words}: {time.monotonic() - self._began:.0f} s"
                # Past the attribute that `_hear` sets, which would take it for the command's own word.
                type(sys.stderr).write(sys.stderr, f"\r{text}")
                sys.stderr.flush()
                self._length, wait = len(text), self._tick


def _hear(stream: Any, tell: Any) -> None:
    """Call `tell` before the first thing is written to a stream."""
    write = stream.write

    def tell_and_write(text: str) -> Any:
        tell()
        return write(text)

    stream.write = tell_and_write
