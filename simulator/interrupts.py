"""An answer to Ctrl-C within three seconds, also while compiled code plays.

Python's own handlers wait until the main thread runs Python again. A thread here is woken by the signal itself and ends
the process if nothing else has done so in time. Files are written whole or not at all, so what was saved stays.
"""

import os
import signal
import socket
import sys
import threading

from modernart.simulator.worker import ANSWER_SECONDS

_ANSWERED = (signal.SIGINT, signal.SIGTERM)


def answer_interrupts() -> None:
    """Make sure that this process ends soon after an interrupt; for the command line alone."""
    reading, writing = socket.socketpair()
    writing.setblocking(False)
    signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_wait, args=(reading, writing), daemon=True, name="interrupts").start()


def leave_interrupts() -> None:
    """Leave interrupts to the handlers again: this process watches another, to which it passes them on."""
    signal.set_wakeup_fd(-1)


def _wait(reading: socket.socket, writing: socket.socket) -> None:
    """Wait for a signal, then for the process to end by itself; `writing` is held open as long."""
    number = 0
    while number not in _ANSWERED:
        number = reading.recv(1)[0]
    threading.Event().wait(ANSWER_SECONDS)
    print("\ninterrupted", file=sys.stderr, flush=True)
    os._exit(128 + number)
