"""What is being played at the moment: the game, seat and strategy to name when one of them fails, hangs or crashes."""

import os
import re
import shlex
import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numba.core import event

from modernart.simulator import streams, worker
from modernart.simulator.decisions import Phase
from modernart.simulator.errors import ModernArtError, RecordsChanged, RunError
from modernart.simulator.players import Player
from modernart.simulator.rules import Rules
from modernart.simulator.state import GAME_DTYPE


@dataclass(frozen=True)
class Place:
    """A decision point of a run.

    Parameters
    ----------
    game_number : int
    seat : int
    player : Player
        Who is asked there.
    phase : str
    """

    game_number: int
    seat: int
    player: Player
    phase: str


@dataclass(frozen=True, eq=False)
class Play:
    """Blocks that a kernel plays.

    Parameters
    ----------
    players : sequence of Player
    rules : Rules
    seed : int
    work : recarray of GAME_DTYPE
        Where the games are played.
    line_ups : ndarray of int64, shape (n_blocks, n_seats)
    first_block : int
    is_run : bool
        Whether `modernart record` with these players comes to the same games.
    """

    players: Sequence[Player]
    rules: Rules
    seed: int
    work: np.recarray
    line_ups: np.ndarray
    first_block: int
    is_run: bool

    @property
    def names(self) -> str:
        """Whose code may be at fault: that of strangers, if there are any."""
        foreign = [player for player in self.players if player.trial is not None]
        return " or ".join(f'"{name}"' for name in dict.fromkeys(player.name for player in foreign or self.players))

    @property
    def games(self) -> str:
        """Which games these are."""
        n_blocks, n_seats = self.line_ups.shape
        if n_blocks == 0:
            return f"a study of seed {self.seed}"
        first = self.first_block * n_seats
        return f"games {first} to {first + n_blocks * n_seats - 1} of seed {self.seed}"

    def mark(self) -> int:
        """Return a number that changes as the games go on, but not by what a strategy writes while it hangs."""
        rows = self.work.view(np.uint8).reshape(len(self.work), -1)
        asked = [self.work.table[name] for name in ("phase", "seat", "high_bid")]
        return zlib.crc32(np.array(asked).data, zlib.crc32(np.ascontiguousarray(rows[:, _HANDS_END:]).data))

    def places(self) -> list[Place]:
        """Return the decision points at which the games stand now, or stood when an error ended them."""
        n_blocks, n_seats = self.line_ups.shape
        seed = np.uint64(self.seed)
        blocks = {int(streams.deal_key(seed, self.first_block + k)): k for k in range(n_blocks)}
        found = []
        for game in self.work:
            block, seat = blocks.get(int(game.key)), int(game.table.seat)
            if block is None or game.table.phase == Phase.OVER or not 0 <= seat < n_seats:
                continue
            rotation = int(game.hands[0].home)
            phase = int(game.table.phase)
            player = self.players[int(self.line_ups[block, game.hands[seat].home])]
            name = Phase(phase).name if phase in list(Phase) else f"phase {phase}"
            found.append(Place((self.first_block + block) * n_seats + rotation, seat, player, name))
        return sorted(found, key=lambda place: place.game_number)

    def told(self, place: Place) -> str:
        """Return how to name a decision point in a sentence."""
        return f"at seat {place.seat} ({place.phase}) of game {place.game_number} of seed {self.seed}"

    def way_to_see(self, place: Place, with_jit: bool = False) -> str:
        """Return a command that comes to a decision point and shows more."""
        name = shlex.quote(place.player.name.partition(" #")[0])
        if not self.is_run:
            return f"modernart check-bot {name}"
        names = " ".join(shlex.quote(player.name.partition(" #")[0]) for player in self.players)
        where = f"--edition {self.rules.edition} --players {self.rules.players} --seed {self.seed}"
        plain = "" if with_jit else "NUMBA_DISABLE_JIT=1 "
        return f"{plain}modernart --debug record {names} {where} --game {place.game_number}"


#: After how many messages without a change games are said to stand still.
_STANDS_STILL = 4

#: Where the hands of a game's record end, and what only the simulator writes begins.
_HANDS_END = GAME_DTYPE.fields["acts"][1]  # type: ignore[index]

_plays: list[Play] = []


@contextmanager
def playing(
    players: Sequence[Player],
    rules: Rules,
    seed: int,
    work: np.recarray,
    line_ups: np.ndarray,
    first_block: int,
    is_run: bool = False,
) -> Iterator[None]:
    """Note what a kernel plays while it does so, and name the strategy and the game if an error is raised in it.

    Raises
    ------
    RunError
        In place of an error that a strategy raised.
    """
    play = Play(players, rules, seed, work, line_ups, first_block, is_run)
    _plays.append(play)
    worker.tell_play(play.names, play.games)
    try:
        yield
    except ModernArtError:
        raise
    except Exception as error:
        raise RunError(_failure(play, error)) from error
    finally:
        _plays.remove(play)


def _failure(play: Play, error: Exception) -> str:
    """Return the sentence for an error that a strategy raised."""
    # Threads raise a SystemError whose cause is the error of the strategy.
    cause = error.__cause__ or error
    what = failure_of(cause)
    places = [place for place in play.places() if _may_raise(place, cause)]
    if not places:
        return f"strategy {play.names} failed in {play.games}: {what}; `modernart check-bot` tells more"
    first = places[0]
    return f'strategy "{first.player.name}" failed {play.told(first)}: {what}; see it: {play.way_to_see(first)}'


def _may_raise(place: Place, cause: BaseException) -> bool:
    """Tell whether the error can come from the player that is asked: only strangers have a guard."""
    return place.player.trial is not None or not isinstance(cause, RecordsChanged)


def failure_of(cause: BaseException) -> str:
    """Return what an error of a strategy says."""
    if isinstance(cause, RecordsChanged):
        return str(cause)
    if isinstance(cause, RuntimeWarning) and re.search(r"scalar \w*(divide|remainder)", str(cause)):
        # With the JIT off, NumPy's word for what compiled code calls so.
        return "ZeroDivisionError: division by zero"
    return f"{type(cause).__name__}: {cause}"


class _Compiler(event.Listener):
    """Knows whether the compiler is at work, which may take longer than any strategy may."""

    def __init__(self) -> None:
        self.depth = 0

    def on_start(self, event: event.Event) -> None:
        """A function begins to compile, perhaps within another."""
        self.depth += 1

    def on_end(self, event: event.Event) -> None:
        """A function is compiled."""
        self.depth -= 1


class Watch(threading.Thread):
    """Tells the command that watches a worker whether its games go on.

    Parameters
    ----------
    seconds : float
        Between two messages.
    """

    def __init__(self, seconds: float = 0.25) -> None:
        super().__init__(daemon=True, name="watch")
        self._seconds = seconds
        self._pause = threading.Event()

    def run(self) -> None:
        """Send messages as long as the process lives; end it with the command that started it."""
        last: list[int] = []
        n_same = 0
        compiler = _Compiler()
        event.register("numba:compile", compiler)
        while not self._pause.wait(self._seconds):
            plays = list(_plays)
            marks = [play.mark() for play in plays]
            n_same = n_same + 1 if plays and marks == last and compiler.depth == 0 else 0
            last = marks
            try:
                # Naming the place takes a moment: only once the games stand still.
                worker.tell_progress(n_same == 0, _standstill(plays) if n_same == _STANDS_STILL else "")
            except OSError:
                # The command that watches has gone.
                os._exit(1)


def _standstill(plays: Sequence[Play]) -> str:
    """Return which stranger is asked where games stand still, and after a `|` how to see that; "" if none is."""
    for play in plays:
        for place in play.places():
            if place.player.trial is not None:
                return f'strategy "{place.player.name}" does not answer {play.told(place)}|{play.way_to_see(place)}'
    return ""
