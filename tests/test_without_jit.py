"""The debugger's way in: with NUMBA_DISABLE_JIT=1 the same games are played in plain Python."""

import os
import subprocess
import sys

import pytest

from modernart.strategies.new_bot import write_template

ARGUMENTS = {
    "classic": ["random", "half_value", "fair_share", "predictive", "--count", "2"],
    "sotheby": ["random", "predictive", "--edition", "sotheby", "--players", "5", "--count", "1"],
    "planner": ["planner(rollouts=1)", "predictive", "--players", "3", "--rule", "deal=[3]", "--count", "1"],
    "learned": ["learned", "predictive", "--players", "3", "--rule", "deal=[4,2]", "--count", "1"],
    "published": ["predictive_v3", "standard", "me_vs_you", "pimc_greedy(samples=5)", "--count", "1"],
    "shill": ["random", "--edition", "shill", "--players", "3", "--count", "1"],
}


def output_of(arguments: list[str], **environment: str) -> str:
    command = [sys.executable, "-m", "modernart", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("game", ARGUMENTS)
def test_records_are_the_same_without_the_jit(game):
    arguments = ["record", *ARGUMENTS[game], "--seed", "4"]
    assert output_of(arguments, NUMBA_DISABLE_JIT="1") == output_of(arguments)


def test_a_file_of_expressions_plays_the_same_without_the_jit(tmp_path):
    arguments = ["record", write_template(tmp_path / "mybot.toml"), "half_value", "--players", "3", "--seed", "4"]
    assert output_of(arguments, NUMBA_DISABLE_JIT="1") == output_of(arguments)


def test_scenarios_hold_without_the_jit():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_game.py"]
    done = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:]
