"""Measure how many decisions a second the environments play, beside those of OpenSpiel's hearts, in the same run.

    pip install open_spiel
    python benchmarks/rl_speed.py

Every contender plays random legal actions and makes, for each decision, an observation and the legal actions; an
observation that nobody reads would not be an environment. Hearts, for four players with 52 cards, is the published game
nearest in length and kind; its games are played by C++ code. Contenders take turns, and the median of their rounds
counts, so that a machine with other work treats all alike. Times are processor times of one thread.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np

from modernart import rl


def batched(n: int, **options) -> Iterator[int]:
    """Step a batch for ever; yields the decisions of each step."""
    env = rl.vector_env(n, **options)
    env.reset(seed=1)
    while True:
        env.step(env.random_actions())
        yield n


def pettingzoo() -> Iterator[int]:
    """Play the PettingZoo environment for ever, by its own loop over agents; all seats act."""
    env = rl.env()
    rng = np.random.default_rng(1)
    while True:
        env.reset(seed=int(rng.integers(2**31)))
        for _ in env.agent_iter():
            observation, _, is_over, is_cut, _ = env.last()
            if is_over or is_cut:
                env.step(None)
                continue
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
            yield 1


def openspiel_bare() -> Iterator[int]:
    """Play hearts by OpenSpiel's own objects for ever."""
    import pyspiel

    game = pyspiel.load_game("hearts")
    draw = random.Random(1)
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(draw.choices(actions, chances)[0])
                continue
            state.information_state_tensor(state.current_player())
            state.apply_action(draw.choice(state.legal_actions()))
            yield 1


def openspiel_batched(n: int) -> Iterator[int]:
    """Step a batch of hearts in OpenSpiel's environment for learning for ever."""
    from open_spiel.python import rl_environment
    from open_spiel.python.rl_agent import StepOutput
    from open_spiel.python.vector_env import SyncVectorEnv

    deals = [rl_environment.ChanceEventSampler(seed=k) for k in range(n)]
    envs = SyncVectorEnv([rl_environment.Environment("hearts", chance_event_sampler=one) for one in deals])
    draw = random.Random(1)
    steps = envs.reset()
    while True:
        legal = [step.observations["legal_actions"][step.observations["current_player"]] for step in steps]
        steps, *_ = envs.step([StepOutput(draw.choice(actions), None) for actions in legal], reset_if_done=True)
        yield n


def rate(steps: Iterator[int], seconds: float) -> float:
    """Return decisions a processor second."""
    start = time.process_time()
    n = 0
    for more in steps:
        n += more
        if time.process_time() - start > seconds:
            break
    return n / (time.process_time() - start)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="of processor time, for each contender in each round"
    )
    options = parser.parse_args()
    contenders: dict[str, Callable[[], Iterator[int]]] = {
        "batch of 4096, all seats act": lambda: batched(4096, seats=range(4), opponents=()),
        "batch of 4096, against three half_value": lambda: batched(4096),
        "batch of 256, against three half_value": lambda: batched(256),
        "PettingZoo environment, all seats act": pettingzoo,
        "OpenSpiel hearts, pyspiel": openspiel_bare,
        "OpenSpiel hearts, SyncVectorEnv of 256": lambda: openspiel_batched(256),
    }
    playing = {name: start() for name, start in contenders.items()}
    for steps in playing.values():
        list(islice(steps, 2))  # compiled, dealt and warm
    rates: dict[str, list[float]] = {name: [] for name in playing}
    for _ in range(options.rounds):
        for name, steps in playing.items():
            rates[name].append(rate(steps, options.seconds))
    middle = {name: statistics.median(found) for name, found in rates.items()}
    print(f"{'contender':<42} {'decisions a second':>18}   ratio of the first batch to it")
    first = next(iter(middle.values()))
    for name, found in middle.items():
        print(f"{name:<42} {found:>18,.0f}   {first / found:.3g}")


if __name__ == "__main__":
    main()
