"""Random streams: the compiled ones are the twin's, and lie apart."""

import numpy as np

from modernart.simulator import streams
from naive import stream as naive


def start(seed, deal, round_index, seat, purpose):
    """Return a stream's state; numbers that come back from compiled code must be made unsigned again."""
    return np.uint64(
        streams.stream_start(np.uint64(streams.deal_key(np.uint64(seed), deal)), round_index, seat, purpose)
    )


def step(state):
    return np.uint64(streams.step(state))


def test_streams_are_the_twins():
    for seed, deal, round_index, seat, purpose in [(0, 0, 0, 0, 1), (7, 123, 3, 4, 2), (2**63 - 1, 10**9, 7, 7, 3)]:
        state = start(seed, deal, round_index, seat, purpose)
        twin = naive.Stream(naive.deal_key(seed, deal), round_index, seat, purpose)
        for n in (2, 41, 70, 1000):
            state = step(state)
            assert streams.scaled(state, n) == twin.below(n)


def test_neighbouring_keys_start_apart():
    starts = {
        int(start(seed, deal, r, seat, purpose))
        for seed in range(10)
        for deal in range(50)
        for r in range(4)
        for seat in range(5)
        for purpose in (1, 2, 3)
    }
    assert len(starts) == 10 * 50 * 4 * 5 * 3


def test_first_draws_of_many_deals_are_uniform():
    n = 20_000
    draws = []
    for deal in range(n):
        state = step(start(1, deal, 0, 0, streams.DEAL))
        draws.append(streams.scaled(state, 10))
    counts = np.bincount(draws, minlength=10)
    # Chi-square with 9 degrees of freedom: 27.9 is exceeded once in a thousand.
    assert ((counts - n / 10) ** 2 / (n / 10)).sum() < 27.9
