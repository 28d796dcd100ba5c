"""Compiling the kernel of runs in a process of its own, while this one compiles the strategies."""

import atexit
import subprocess
import sys

from modernart.simulator import batch
from modernart.simulator.code_cache import can_keep, has_code
from modernart.simulator.compiling import telling_of_it
from modernart.simulator.cores import usable_cores
from modernart.simulator.jit import JIT_DISABLED

_PROGRAM = "from modernart.simulator.works import compile_kernel; compile_kernel()"
_under_way: list[subprocess.Popen] = []


def compile_ahead() -> None:
    """Start to compile the kernel of runs in another process, unless it is in the cache already."""
    if JIT_DISABLED or _under_way or usable_cores() < 2 or not can_keep() or has_code(batch.play_blocks):
        return
    nowhere = subprocess.DEVNULL
    # With -P, so that no file beside the user is taken for a module; in a session of its own, as Ctrl-C is for us.
    child = subprocess.Popen(
        [sys.executable, "-P", "-c", _PROGRAM], stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True
    )
    atexit.register(child.kill)
    _under_way.append(child)


def wait_for_kernel() -> None:
    """Wait for the other process; if it failed, this one compiles what is missing."""
    while _under_way:
        with telling_of_it():
            _under_way.pop().wait()
