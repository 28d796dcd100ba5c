"""Bots that misbehave end a command with exit code 1 and one sentence that names them, and harm nothing else."""

import os
import subprocess
import sys

import pytest
from hostile_bots import HOSTILE

#: One of each kind, at the prompt; the others run with `pytest -m slow`, and without processes below.
QUICK = ("loops", "robs_late", "moves_the_turn", "reads_far_outside", "exits_at_import", "leaves_at_import")


def played(tmp_path, name, *more, patience="3", **environment):
    """Play a tournament with a hostile bot in a process of its own."""
    (tmp_path / "bot.py").write_text(HOSTILE[name].text())
    command = [sys.executable, "-m", "modernart", "tournament", "bot.py:bot", "random", "half_value", "--players", "3"]
    command += ["--games", "300", "--output", "run", "--no-report", *more]
    env = os.environ | {"MODERNART_PATIENCE": patience, **environment}
    return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=env, timeout=400)


def assert_told(done, name):
    told = done.stderr.splitlines()[-1]
    assert (done.returncode, done.stdout) == (1, ""), told
    assert told.startswith("error: ")
    assert "bot.py" in told
    assert HOSTILE[name].words in told


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in HOSTILE]
)
def test_a_hostile_bot_ends_the_command_with_a_sentence(name, tmp_path):
    done = played(tmp_path, name)
    assert_told(done, name)
    assert not (tmp_path / "run" / "tallies.npz").exists() or name == "crashes_late"
