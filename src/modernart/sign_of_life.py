"""A sign of life on a terminal whenever a command says nothing for a while, gone when it speaks again."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

#: Seconds of silence after which there is a sign of life: at the start, and later on.
_AT_FIRST, _LATER = 0.7, 1.2


@contextlib.contextmanager
def signs_of_life(talks: bool, at_first: float = _AT_FIRST, later: float = _LATER) -> Iterator[None]:
    """Show on a terminal that a command is at work while it writes nothing.

    Parameters
    ----------
    talks : bool
        The command waits for what a person types: then only its start is watched.
    at_first, later : float
        Seconds of silence that are borne before the first word and after it.
    """
    if not (sys.stderr.isatty() and sys.stdout.isatty()):
        yield
        return
    watch = _Watch(talks, at_first, later)
    try:
        yield
    finally:
        watch.end()


def say_that_it_starts() -> None:
    """Show one word on a terminal, which the next line covers: another process starts, and will speak for itself."""
    if sys.stderr.isatty() and sys.stdout.isatty():
        print("starting", end="\r", file=sys.stderr, flush=True)


class _Watch:
    """Hears all that is written to stdout and stderr, and speaks where nobody does."""

    def __init__(self, talks: bool, at_first: float, later: float) -> None:
        self._talks, self._patience, self._later = talks, at_first, later
        self._word = "starting"
        # Reentrant, as a signal may end the command while it writes.
        self._lock = threading.RLock()
        self._is_over = threading.Event()
        self._heard_at = time.monotonic()
        # Elsewhere in a line stands a bar or a question, which must stay.
        self._is_at_line_start = True
        self._shown = 0
        # The streams' own way to write, past the attribute that hears.
        self._write = sys.stderr.write
        self._streams: list[Any] = [sys.stdout, sys.stderr]
        for stream in self._streams:
            stream.write = self._hearing(stream.write)
        threading.Thread(target=self._speak, daemon=True, name="sign of life").start()

    def _hearing(self, write: Callable[[str], Any]) -> Callable[[str], Any]:
        def hear_and_write(text: str) -> Any:
            with self._lock:
                self._take_away()
                written = write(text)
                self._heard_at = time.monotonic()
                if text:
                    self._is_at_line_start = text.endswith(("\n", "\r"))
                self._word, self._patience = "working", self._later
                if self._talks:
                    self.end()
                return written

        return hear_and_write

    def _take_away(self) -> None:
        if self._shown:
            self._write("\r" + " " * self._shown + "\r")
            sys.stderr.flush()
            self._shown = 0

    def _speak(self) -> None:
        while not self._is_over.wait(min(self._patience, self._later) / 4):
            with self._lock:
                silence = time.monotonic() - self._heard_at
                if self._is_over.is_set() or silence < self._patience or not self._is_at_line_start:
                    continue
                text = f"{self._word}: {silence:.0f} s"
                self._write(f"\r{text}")
                sys.stderr.flush()
                self._shown = len(text)

    def end(self) -> None:
        """Take the word away and leave the streams alone."""
        with self._lock:
            if self._is_over.is_set():
                return
            self._is_over.set()
            self._take_away()
            for stream in self._streams:
                del stream.write
