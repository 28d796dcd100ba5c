"""Trained policies as players: a network on the environment's observations, its weights in an `.npz` file.

`save_policy` writes the file and, beside it, a bot of a few lines that plays by it, for `modernart tournament` and all
other commands.
"""

import difflib
import math
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from modernart.rl.actions import N_ACTIONS, answer_for, mark_legal
from modernart.rl.compiled import rl_kernel
from modernart.rl.observations import N_OBSERVED, VERSION, observe
from modernart.simulator.data import data_of
from modernart.simulator.errors import UsageError
from modernart.simulator.files import whole_file
from modernart.simulator.streams import uniform
from modernart.strategies.base import Param, Strategy
from modernart.strategies.learning.network import number_at

_TEMPERATURE = 0

_BOT = '''"""A policy trained in {version}; its weights stand in {name} beside this file."""

from pathlib import Path

from modernart.rl import load_policy

policy = load_policy(Path(__file__).with_name("{name}"))
'''


@rl_kernel
def logits_of(address, x):
    """Return what a network says of each action.

    Parameters
    ----------
    address : int64
        Of the block that `block_of` makes.
    x : ndarray of float32, shape (N_OBSERVED,)

    Returns
    -------
    ndarray of float32, shape (N_ACTIONS,)
    """
    n_layers = np.int64(number_at(address, np.int64(0)))
    start = np.int64(1 + n_layers)
    inputs = x
    for layer in range(n_layers):
        width = np.int64(number_at(address, np.int64(1 + layer)))
        sums = np.empty(width, np.float32)
        for unit in range(width):
            sums[unit] = number_at(address, start + unit)
        start += width
        for k in range(inputs.shape[0]):
            value = inputs[k]
            # Many inputs are 0, and the rectified units that are off too.
            if value != 0.0:
                for unit in range(width):
                    sums[unit] += number_at(address, start + unit) * value
            start += width
        if layer < n_layers - 1:
            for unit in range(width):
                sums[unit] = max(sums[unit], np.float32(0.0))
        inputs = sums
    return inputs


@rl_kernel
def play_policy(table, hand):
    """Play as a trained network says.

    It takes the action that the network rates highest. With a temperature it draws one: at 1 as in training.
    """
    x = np.empty(N_OBSERVED, np.float32)
    observe(table, hand, x)
    mask = np.empty(N_ACTIONS, np.int8)
    mark_legal(table, hand, mask)
    logits = logits_of(data_of(hand), x)
    best = 0
    most = -np.inf
    for action in range(N_ACTIONS):
        if mask[action]:
            value = np.float64(logits[action])
            if hand.params[_TEMPERATURE] > 0.0:
                # The largest of such sums is a draw from the softmax (Gumbel 1954).
                value = value / hand.params[_TEMPERATURE] - math.log(-math.log(max(uniform(hand), 1e-300)))
            if value > most:
                most = value
                best = action
    return np.int64(answer_for(table, hand, best))


def block_of(layers: Sequence[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Return a network as one block of numbers: how many layers, their widths, then biases and weights of each.

    Parameters
    ----------
    layers : sequence of (weights, biases)
        As `save_policy` takes them.

    Returns
    -------
    ndarray of float32
    """
    head = [len(layers), *(len(biases) for _, biases in layers)]
    body = [np.concatenate([biases, weights.ravel()]) for weights, biases in layers]
    return np.concatenate([head, *body]).astype(np.float32)


def save_policy(path: Path, layers: Sequence[tuple[np.ndarray, np.ndarray]]) -> Path:
    """Write a policy's weights and the bot that plays by them.

    Parameters
    ----------
    path : Path
        An `.npz` file; the bot gets the same name with `.py`.
    layers : sequence of (weights, biases)
        Weights of shape (inputs, outputs). Between layers, units are rectified; the first layer takes an observation,
        the last one gives a logit for each action.

    Returns
    -------
    Path
        The bot's file; its strategy is called `policy`.

    Raises
    ------
    UsageError
        If the layers do not fit each other or the environment.
    """
    if path.suffix != ".npz":
        raise UsageError(f"the file of a policy ends in .npz, got {path}")
    _check_layers(layers, path)
    arrays = {f"{kind}{k}": array for k, layer in enumerate(layers) for kind, array in zip("wb", layer, strict=True)}
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path, "wb") as file:
        np.savez(file, version=np.array(VERSION), **arrays)  # type: ignore[arg-type]  # numpy types a file too narrowly
    bot = path.with_suffix(".py")
    with whole_file(bot, "w") as file:
        file.write(_BOT.format(version=VERSION, name=path.name))
    return bot


def load_policy(path: Path) -> Strategy:
    """Return the strategy that plays by a policy's weights.

    Parameters
    ----------
    path : Path
        An `.npz` file that `save_policy` wrote.

    Raises
    ------
    UsageError
        If there is no such file, or it holds no policy of this version.
    """
    if not path.is_file():
        near = difflib.get_close_matches(path.name, [found.name for found in path.parent.glob("*.npz")], n=1)
        hint = f"; did you mean {near[0]}?" if near else "; modernart.rl.save_policy writes such files"
        raise UsageError(f'there is no file "{path}" with a policy{hint}')
    try:
        with np.load(path, allow_pickle=False) as data:
            version = str(data["version"])
            layers = [(data[f"w{k}"], data[f"b{k}"]) for k in range(len(data.files) // 2)]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise UsageError(f"{path} is not the file of a policy; modernart.rl.save_policy writes such files") from None
    if version != VERSION:
        raise UsageError(f"{path} holds a policy for {version}, this program has {VERSION}; train it anew")
    _check_layers(layers, path)
    return Strategy(
        path.stem,
        play_policy.py_func if hasattr(play_policy, "py_func") else play_policy,
        {"temperature": Param(0.0, 0.0, 5.0, "0: the best action; else draws from the softmax at this temperature")},
        (f"a network trained in {VERSION}",),
        data=block_of(layers),
    )


def _check_layers(layers: Sequence[tuple[np.ndarray, np.ndarray]], path: Path) -> None:
    """Refuse layers that do not lead from an observation to the actions, or hold numbers that are none."""
    width = N_OBSERVED
    for weights, biases in layers:
        if weights.ndim != 2 or weights.shape[0] != width or biases.shape != weights.shape[1:]:
            raise UsageError(f"{path}: a layer takes {width} numbers, but its weights have shape {weights.shape}")
        if not (np.isfinite(weights).all() and np.isfinite(biases).all()):
            raise UsageError(f"{path} holds weights that are not finite; train with a smaller learning rate")
        width = weights.shape[1]
    if not layers or width != N_ACTIONS:
        raise UsageError(f"{path}: the last layer must give {N_ACTIONS} numbers, one for each action, it gives {width}")
