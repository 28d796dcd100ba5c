"""How many threads there are to use. Light to import: commands ask before anything is compiled."""

import os

from modernart.simulator.errors import UsageError

_VARIABLE = "NUMBA_NUM_THREADS"


def check_environment() -> None:
    """Refuse a number of threads in the environment that is none; an empty one counts as not given.

    Raises
    ------
    UsageError
        If NUMBA_NUM_THREADS is not a whole number from 1.
    """
    text = os.environ.get(_VARIABLE)
    if text is None:
        return
    if not text.strip():
        del os.environ[_VARIABLE]
    elif not (text.strip().isdecimal() and len(text) < 6 and int(text) > 0):
        raise UsageError(f'{_VARIABLE} must be a whole number from 1 to 99999, got "{text}"; correct or unset it')


def usable_cores() -> int:
    """Return how many threads a run may use on this machine."""
    check_environment()
    # Not every system says which cores the process may use.
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(int(os.environ.get(_VARIABLE, cores)), cores)
