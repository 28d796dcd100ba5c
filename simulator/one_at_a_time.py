"""The parallel kernels run once at a time, and only in the process that began with them.

numba's own pool of threads allows neither: calls from two threads abort the process, and a forked child waits forever
for threads that only its parent has.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from modernart.simulator.errors import RunError

_lock = threading.Lock()
_has_played = False
_is_forked = False


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Wait until no other thread plays; for the time of one call of a parallel kernel.

    Raises
    ------
    RunError
        In a process that was forked from one that has played.
    """
    global _has_played
    if _is_forked:
        raise RunError(
            "games cannot be played in a process forked from one that has played; start processes by "
            'multiprocessing.get_context("spawn"), or fork before the first game'
        )
    with _lock:
        _has_played = True
        yield


def _after_fork() -> None:
    global _lock, _is_forked
    _lock = threading.Lock()  # the thread that held it is not here
    _is_forked = _is_forked or _has_played


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
