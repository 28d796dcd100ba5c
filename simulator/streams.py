"""Random numbers: one random stream for each (run seed, deal, round, seat, purpose), defined in docs/rules.md."""

import numpy as np

from modernart.simulator.jit import kernel

# What a stream is for.
DEAL = 1
DECISIONS = 2
LOOKAHEAD = 3
TABLES = 4
PLACES = 5
DEALT_ANEW = 6

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLIER_1 = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLIER_2 = np.uint64(0x94D049BB133111EB)
_SHIFT_30 = np.uint64(30)
_SHIFT_27 = np.uint64(27)
_SHIFT_31 = np.uint64(31)
_SHIFT_32 = np.uint64(32)


@kernel(inline=True, wraps=True)
def mix(word):
    """Return the SplitMix64 output function of a uint64 (Steele, Lea, Flood 2014)."""
    word = (word ^ (word >> _SHIFT_30)) * _MULTIPLIER_1
    word = (word ^ (word >> _SHIFT_27)) * _MULTIPLIER_2
    return word ^ (word >> _SHIFT_31)


@kernel(inline=True, wraps=True)
def deal_key(seed, deal):
    """Return the key (uint64) shared by all streams of one deal of a run."""
    return mix(mix(np.uint64(seed) + _GAMMA) + np.uint64(deal + 1) * _GAMMA)


@kernel(inline=True, wraps=True)
def stream_start(key, round_index, seat, purpose):
    """Return the first state (uint64) of a stream.

    Mixing twice keeps neighbouring keys apart. Adding the word to its mix cannot be inverted: players who know the
    state of their own stream cannot compute the key, which would give them all hands.
    """
    word = key ^ mix(np.uint64(65536 * purpose + 256 * round_index + seat + 1))
    return mix(word) + word


@kernel(inline=True, wraps=True)
def step(state):
    """Return the next state of a stream."""
    return state + _GAMMA


@kernel(inline=True)
def scaled(state, n):
    """Return the whole number in 0..n-1 that a stream's state stands for (bias below 2**-32)."""
    return np.int64(((mix(state) >> _SHIFT_32) * np.uint64(n)) >> _SHIFT_32)


@kernel(inline=True)
def shuffle(items, n, n_front, state):
    """Shuffle `n` items in place as far as the first `n_front`, which are then a random draw; returns the new state.

    Parameters
    ----------
    items : ndarray
        Written.
    n, n_front : int
    state : uint64
        Of a stream.
    """
    for i in range(min(n_front, n - 1)):
        state = step(state)
        j = i + scaled(state, n - i)
        kept = items[i]
        items[i] = items[j]
        items[j] = kept
    return state


@kernel(inline=True)
def below(hand, n):
    """Draw a whole number in 0..n-1 from the player's own stream."""
    hand.rng = step(hand.rng)
    return scaled(hand.rng, n)


@kernel(inline=True)
def uniform(hand):
    """Draw a float in [0, 1) from the player's own stream."""
    hand.rng = step(hand.rng)
    return np.float64(mix(hand.rng) >> np.uint64(11)) * (1.0 / 9007199254740992.0)
