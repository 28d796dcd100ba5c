"""Fit the small networks with numpy: Adam on mini-batches, standardised inputs."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from modernart.strategies.learning.network import WIDTH_1, WIDTH_2

_BATCH = 512
_DECAY_1, _DECAY_2, _TINY = 0.9, 0.999, 1e-8

#: Given outputs and the rows of a batch, return the loss and its gradient by output.
Loss = Callable[[np.ndarray, slice], tuple[float, np.ndarray]]


@dataclass
class Network:
    """A network as it is fitted, on standardised inputs.

    Parameters
    ----------
    mean, scale : ndarray of float32, shape (n_inputs,)
        What inputs are standardised by.
    layers : list of ndarray of float32
        Weights and biases of the three layers, in turn.
    """

    mean: np.ndarray
    scale: np.ndarray
    layers: list[np.ndarray] = field(default_factory=list)

    @classmethod
    def blank(cls, n_inputs: int, start: tuple[float, ...], rng: np.random.Generator) -> "Network":
        """Return a network that answers `start` whatever it sees."""
        shapes = (n_inputs, WIDTH_1), (WIDTH_1, WIDTH_2), (WIDTH_2, len(start))
        layers = []
        for k, shape in enumerate(shapes):
            weights = rng.normal(0.0, np.sqrt(2.0 / shape[0]), shape) if k < 2 else np.zeros(shape)
            bias = np.zeros(shape[1]) if k < 2 else np.array(start)
            layers += [weights.astype(np.float32), bias.astype(np.float32)]
        return cls(np.zeros(n_inputs, np.float32), np.ones(n_inputs, np.float32), layers)

    @classmethod
    def from_numbers(cls, numbers: np.ndarray, n_inputs: int, n_outputs: int, x: np.ndarray) -> "Network":
        """Return the network that `numbers` wrote, to be fitted on: its inputs are standardised by the rows `x`."""
        network = cls.blank(n_inputs, (0.0,) * n_outputs, np.random.default_rng(0))
        network.learn_scale(x)
        shapes = (WIDTH_1,), (n_inputs, WIDTH_1), (WIDTH_2,), (WIDTH_1, WIDTH_2), (n_outputs, 1 + WIDTH_2)
        ends = np.cumsum([math.prod(shape) for shape in shapes])
        parts = np.split(np.asarray(numbers, np.float64), ends[:-1])
        bias, scaled, b2, w2, outputs = (part.reshape(shape) for part, shape in zip(parts, shapes, strict=True))
        # A column that never changes in these rows keeps its weights: it may in later ones.
        network.scale = np.where(network.scale > 0.0, network.scale, 1.0).astype(np.float32)
        bias = bias + network.mean.astype(np.float64) @ scaled
        w1 = scaled / network.scale[:, None]
        layers = (w1, bias, w2, b2, outputs[:, 1:].T, outputs[:, 0])
        network.layers = [layer.astype(np.float32) for layer in layers]
        return network

    def learn_scale(self, x: np.ndarray) -> None:
        """Take mean and scale from rows; a column that never changes is left out."""
        self.mean = x.mean(axis=0, dtype=np.float64).astype(np.float32)
        spread = x.std(axis=0, dtype=np.float64)
        self.scale = np.where(spread > 1e-6, 1.0 / np.maximum(spread, 1e-6), 0.0).astype(np.float32)

    def forward(self, x: np.ndarray) -> list[np.ndarray]:
        """Return the standardised inputs, both hidden layers and the outputs."""
        w1, b1, w2, b2, w3, b3 = self.layers
        inputs = (x - self.mean) * self.scale
        first = np.maximum(inputs @ w1 + b1, 0.0)
        second = np.maximum(first @ w2 + b2, 0.0)
        return [inputs, first, second, second @ w3 + b3]

    def predict(self, x: np.ndarray) -> np.ndarray:
        """Return the outputs, float32 of shape (n, n_outputs)."""
        return np.concatenate([self.forward(x[k : k + 65536])[-1] for k in range(0, len(x), 65536)])

    def gradients(self, layers: list[np.ndarray], slope: np.ndarray) -> list[np.ndarray]:
        """Return the gradient of every weight from the layers of `forward` and the gradient by output."""
        inputs, first, second, _ = layers
        _, _, w2, _, w3, _ = self.layers
        back_2 = (slope @ w3.T) * (second > 0)
        back_1 = (back_2 @ w2.T) * (first > 0)
        return [inputs.T @ back_1, back_1.sum(0), first.T @ back_2, back_2.sum(0), second.T @ slope, slope.sum(0)]

    def numbers(self) -> np.ndarray:
        """Return the network as `modernart.strategies.learning.network` reads it, inputs not standardised."""
        w1, b1, w2, b2, w3, b3 = (layer.astype(np.float64) for layer in self.layers)
        scaled = w1 * self.scale[:, None]
        outputs = np.vstack([b3, w3]).T
        bias = b1 - self.mean.astype(np.float64) @ scaled
        parts = (bias, scaled, b2, w2, outputs)
        return np.concatenate([part.ravel() for part in parts]).astype(np.float32)


def fit(network: Network, x: np.ndarray, starts: np.ndarray, loss: Loss, epochs: float, rate: float, seed: int) -> None:
    """Fit a network to rows, in place.

    Parameters
    ----------
    network : Network
    x : ndarray of float32, shape (n, n_inputs)
    starts : ndarray of int, shape (n_groups + 1,)
        Where each group of rows starts, and `n`; groups stay together in a mini-batch.
    loss : callable
        Of outputs and the rows they belong to.
    epochs : float
        How often all rows are seen.
    rate : float
        First learning rate; it falls to 0 along a cosine.
    seed : int
    """
    rng = np.random.default_rng(seed)
    n_groups = len(starts) - 1
    each = max(1, int(_BATCH * n_groups / max(len(x), 1)))
    # Blocks of groups that lie side by side: a slice of rows instead of a copy.
    blocks = np.arange(0, n_groups, each)
    n_steps = max(1, int(epochs * len(blocks)))
    firsts = [np.zeros_like(layer) for layer in network.layers]
    seconds = [np.zeros_like(layer) for layer in network.layers]
    order = rng.permutation(blocks)
    for step in range(n_steps):
        if step % len(blocks) == 0:
            order = rng.permutation(blocks)
        block = order[step % len(blocks)]
        rows = slice(starts[block], starts[min(block + each, n_groups)])
        layers = network.forward(x[rows])
        _, slope = loss(layers[-1], rows)
        current = rate * 0.5 * (1.0 + np.cos(np.pi * step / n_steps))
        steps = step + 1
        for k, gradient in enumerate(network.gradients(layers, slope.astype(np.float32))):
            firsts[k] += (1.0 - _DECAY_1) * (gradient - firsts[k])
            seconds[k] += (1.0 - _DECAY_2) * (gradient * gradient - seconds[k])
            size = current * np.sqrt(1.0 - _DECAY_2**steps) / (1.0 - _DECAY_1**steps)
            network.layers[k] -= (size * firsts[k] / (np.sqrt(seconds[k]) + _TINY)).astype(np.float32)


def squared(target: np.ndarray) -> Loss:
    """Return the squared error from targets."""

    def loss(outputs: np.ndarray, rows: slice) -> tuple[float, np.ndarray]:
        wrong = outputs[:, 0] - target[rows]
        return float(np.mean(wrong**2)), wrong[:, None] / len(wrong)

    return loss


def squared_in_groups(target: np.ndarray, groups: np.ndarray) -> Loss:
    """Return the squared error of differences within groups: only which answer is better than which matters."""

    def loss(outputs: np.ndarray, rows: slice) -> tuple[float, np.ndarray]:
        wrong = centred(outputs[:, 0] - target[rows], groups[rows])
        return float(np.mean(wrong**2)), wrong[:, None] / len(wrong)

    return loss


def centred(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Return values less the mean of their group; the rows of a group follow each other."""
    starts = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]])
    sizes = np.diff(np.r_[starts, len(groups)])
    return values - np.repeat(np.add.reduceat(values, starts) / sizes, sizes)


def chance_of_winning(price: np.ndarray, won: np.ndarray) -> Loss:
    """Return the log loss of whether a price won; the outputs are middle and log width of a logistic distribution."""

    def loss(outputs: np.ndarray, rows: slice) -> tuple[float, np.ndarray]:
        logarithm = np.clip(outputs[:, 1], -5.0, 1.0)
        width = np.exp(logarithm)
        z = np.clip((price[rows] - outputs[:, 0]) / width, -40.0, 40.0)
        chance = 1.0 / (1.0 + np.exp(-z))
        y = won[rows]
        value = -np.mean(y * np.log(chance + 1e-12) + (1.0 - y) * np.log(1.0 - chance + 1e-12))
        wrong = (chance - y) / len(y)
        inside = logarithm == outputs[:, 1]
        return float(value), np.stack([-wrong / width, -wrong * z * inside], axis=1)

    return loss


def explained(target: np.ndarray, predicted: np.ndarray) -> float:
    """Return the share of the targets' variance that predictions explain."""
    return float(1.0 - np.mean((target - predicted) ** 2) / max(np.var(target), 1e-12))
