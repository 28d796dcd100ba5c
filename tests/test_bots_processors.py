"""The same games on every processor: nothing may depend on vector units or on fused multiply-add.

The other processor is the compiler's `generic` one, with the C library told to leave its faster variants alone.
"""

import os
import subprocess
import sys

import pytest

from modernart.simulator.jit import JIT_DISABLED
from modernart.strategies.registry import BY_NAME

#: Strategies that search play fewer games than the others.
N_GAMES, N_GAMES_OF_SEARCH = 2_000, 40
SEARCH = ("planner",)

#: How a machine without vector units and fused multiply-add plays.
OTHER = {"NUMBA_CPU_NAME": "generic", "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F"}

PROGRAM = """
import hashlib, sys
from modernart.simulator.rules import load_edition
from modernart.simulator.simulate import score
from modernart.strategies.specs import load_players

rules = load_edition("classic").rules(4)
for item in sys.argv[1:]:
    name, games = item.split("=")
    scores = score(load_players([name, "half_value", "predictive"]), rules, [0, 1, 0, 2], 0, int(games) // 4, seed=12)
    print(item, hashlib.sha256(scores.money.tobytes() + scores.win_share.tobytes()).hexdigest()[:16])
"""


def digests(names, n_games, **environment):
    """Play games of each strategy in a process of its own and return a line for each."""
    items = [f"{name}={N_GAMES_OF_SEARCH if name in SEARCH else n_games}" for name in names]
    command, env = [sys.executable, "-c", PROGRAM, *items], os.environ | environment
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(done.stdout.splitlines()) == len(names)
    return done.stdout.splitlines()


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_two_strategies_play_the_same_on_another_processor():
    names = ("half_value", "predictive")
    assert digests(names, 400) == digests(names, 400, **OTHER)


@pytest.mark.slow
def test_every_strategy_plays_the_same_on_another_processor():
    assert digests(BY_NAME, N_GAMES) == digests(BY_NAME, N_GAMES, **OTHER)
