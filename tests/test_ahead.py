"""The kernel of runs is compiled in a process of its own while a fresh machine compiles the strategies."""

import os
import subprocess
import sys

import numba
import pytest

from modernart.analysis.measures import tallies_for
from modernart.simulator import ahead, batch, works
from modernart.simulator.jit import JIT_DISABLED
from modernart.simulator.rules import load_edition
from modernart.simulator.simulate import simulate
from modernart.strategies.specs import load_players

needs_jit = pytest.mark.skipif(JIT_DISABLED, reason="compiles")


class _Child:
    """Stands for the other process."""

    def __init__(self, command, **how):
        self.command, self.how, self.waits = command, how, 0

    def wait(self):
        self.waits += 1

    def kill(self):
        pass


@pytest.fixture
def children(monkeypatch):
    started = []

    def start(command, **how):
        started.append(_Child(command, **how))
        return started[-1]

    monkeypatch.setattr(ahead.subprocess, "Popen", start)
    monkeypatch.setattr(ahead, "usable_cores", lambda: 2)
    monkeypatch.setattr(ahead, "can_keep", lambda: True)
    monkeypatch.setattr(ahead, "_under_way", [])
    return started


@needs_jit
def test_the_kernel_is_compiled_for_the_very_types_that_a_run_calls_it_with(monkeypatch):
    called = []
    kernel = batch.play_blocks

    def note(*arguments):
        called.append(tuple(numba.typeof(one) for one in arguments))
        kernel(*arguments)

    monkeypatch.setattr(batch, "play_blocks", note)
    rules = load_edition("classic").rules(4)
    simulate(load_players(["random"]), rules, 4, tallies=tallies_for(rules), threads=1)
    assert called == [works.kernel_types()]


@needs_jit
def test_one_process_is_started_and_waited_for_once(monkeypatch, children):
    monkeypatch.setattr(ahead, "has_code", lambda compiled: False)
    ahead.compile_ahead()
    ahead.compile_ahead()
    assert [child.command[0] for child in children] == [sys.executable]
    ahead.wait_for_kernel()
    ahead.wait_for_kernel()
    assert children[0].waits == 1


@needs_jit
@pytest.mark.parametrize(
    ("name", "answer"), [("has_code", lambda compiled: True), ("usable_cores", lambda: 1), ("can_keep", lambda: False)]
)
def test_no_process_is_started_for_nothing(monkeypatch, children, name, answer):
    monkeypatch.setattr(ahead, "has_code", lambda compiled: False)
    monkeypatch.setattr(ahead, name, answer)
    ahead.compile_ahead()
    assert children == []


@needs_jit
@pytest.mark.slow
def test_the_other_process_leaves_the_kernel_in_the_cache(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-P", "-c", ahead._PROGRAM], env=environment, check=True)
    told = "from modernart.simulator import batch, code_cache; print(code_cache.has_code(batch.play_blocks))"
    done = subprocess.run([sys.executable, "-P", "-c", told], env=environment, check=True, capture_output=True)
    assert done.stdout.split() == [b"True"]
