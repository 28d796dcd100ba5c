"""Streams of random numbers: SplitMix64, started from (run seed, deal, round, seat, purpose)."""

WORD = 2**64
G = 0x9E3779B97F4A7C15

DEAL, DECISIONS, LOOK_AHEAD = 1, 2, 3
"""What a stream is for."""


def mix(z: int) -> int:
    """Output function of SplitMix64 (Steele, Lea, Flood 2014) on an unsigned 64-bit word."""
    z %= WORD
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % WORD
    return z ^ (z >> 31)


def deal_key(seed: int, deal: int) -> int:
    """Key of one deal of a run; deals count from 0."""
    return mix(mix(seed + G) + (deal + 1) * G)


class Stream:
    """One stream of draws.

    Parameters
    ----------
    key : int
        Key of the deal, from `deal_key`.
    round : int
        Round, from 0; 0 for the deal.
    seat : int
        Seat, or line-up position for a player's own streams, from 0; 0 for the deal.
    purpose : int
        `DEAL`, `DECISIONS` or `LOOK_AHEAD`.
    """

    def __init__(self, key: int, round: int, seat: int, purpose: int) -> None:
        word = key ^ mix(65536 * purpose + 256 * round + seat + 1)
        self.state = (mix(word) + word) % WORD

    def next(self) -> int:
        """Next unsigned 64-bit word."""
        self.state = (self.state + G) % WORD
        return mix(self.state)

    def below(self, n: int) -> int:
        """Whole number from 0 to n - 1."""
        return ((self.next() >> 32) * n) >> 32
