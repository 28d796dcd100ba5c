"""Ctrl-C ends a command in time, also while compiled code runs that never comes back to Python."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest
from hostile_bots import HOSTILE

from modernart.simulator.jit import JIT_DISABLED

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="plain Python answers by itself")

#: Three seconds is the promise; a busy test machine gets a little more.
IN_TIME = 5.0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("where", [(), ("--in-process",)], ids=["worker", "in_process"])
def test_a_signal_ends_a_command_whose_bot_hangs(where, number, tmp_path):
    (tmp_path / "bot.py").write_text(HOSTILE["loops"].text())
    command = [sys.executable, "-m", "modernart", "tournament", "bot.py:bot", "random", "--players", "3", *where]
    command += ["--games", "300", "--output", "run", "--no-report"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=dict(os.environ))
    try:
        until = time.monotonic() + 300
        while not (tmp_path / "run" / "run.json").exists():
            assert process.poll() is None, process.stderr.read()
            assert time.monotonic() < until
            time.sleep(0.05)
        # The folder is made just before the games begin; compiling, if there is any, may be interrupted as well.
        time.sleep(2.0)
        start = time.monotonic()
        process.send_signal(number)
        process.wait(60)
        seconds = time.monotonic() - start
        assert process.returncode == 128 + number
        assert "interrupted" in process.stderr.read()
        assert seconds < IN_TIME
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


@pytest.mark.parametrize("is_of_a_terminal", [False, True], ids=["process", "terminal"])
# Not sooner: Python swallows a signal that comes while it reads the environment's path files.
@pytest.mark.parametrize("seconds", [0.4, 0.8, 1.6])
def test_a_signal_while_the_command_loads_ends_it_in_a_word(seconds, is_of_a_terminal, tmp_path):
    (tmp_path / "bot.py").write_text(HOSTILE["loops"].text())
    command = [sys.executable, "-m", "modernart", "tournament", "bot.py:bot", "random", "--players", "3"]
    command += ["--games", "300", "--output", "run", "--no-report"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path, start_new_session=True)
    try:
        while used_by(process.pid) < seconds:
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.01)
        start = time.monotonic()
        (os.killpg if is_of_a_terminal else os.kill)(process.pid, signal.SIGINT)
        process.wait(60)
        assert time.monotonic() - start < IN_TIME
        assert process.returncode == 130
        # Twice if a busy machine gives the worker no time to end after it has said so.
        assert set(process.stderr.read().split()) == {"interrupted"}
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def used_by(pid):
    """Return the processor time of a process and of what it started."""
    first = psutil.Process(pid)
    times = [one.cpu_times() for one in (first, *first.children(recursive=True))]
    return sum(one.user + one.system for one in times)
