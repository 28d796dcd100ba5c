"""The slow, obvious twin of the game: the rulebook in plain Python, sharing no code with the fast machine.

`play` plays a given deal with given deciders, `play_random` a seeded game of `random` bidders, and `referee` replays
somebody else's record. All return a game record as described in the project's record format.
"""

from .game import IllegalAnswer, play
from .random_bidder import play_random
from .referee import RecordedDeciders, RecordMismatch, first_difference, referee

__all__ = [
    "IllegalAnswer",
    "RecordMismatch",
    "RecordedDeciders",
    "first_difference",
    "play",
    "play_random",
    "referee",
]
