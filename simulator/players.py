"""What the simulator needs to know of a player: name, compiled code, parameters, data."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from threading import RLock

import numpy as np

from modernart.simulator.data import address_of_data
from modernart.simulator.decisions import ACT
from modernart.simulator.jit import address_of
from modernart.simulator.rules import Rules
from modernart.simulator.state import DATA, MAX_PARAMS, WITHOUT_NOTES

#: An array, or what returns one for the rules of a table.
Data = np.ndarray | Callable[[Rules], np.ndarray]


class Trial:
    """The first games of code that was not seen before, which it plays with bounds checks.

    Parameters
    ----------
    careful : callable
        Returns the code compiled with bounds checks.
    marker : Path, optional
        A file that tells later runs that the code has been seen.
    """

    #: Whether all code stays on trial, for `modernart --check-bounds`.
    never_ends = False

    def __init__(self, careful: Callable[[], Callable], marker: Path | None) -> None:
        self._careful = careful
        self._marker = marker
        self._is_over = marker is not None and marker.exists()

    @property
    def is_over(self) -> bool:
        """Whether the code has played its first games."""
        return self._is_over and not Trial.never_ends

    @cached_property
    def act(self) -> Callable:
        """The code with bounds checks."""
        return self._careful()

    def end(self) -> None:
        """Note that the first games are played."""
        if not self._is_over and self._marker is not None:
            with suppress(OSError):
                self._marker.parent.mkdir(parents=True, exist_ok=True)
                self._marker.touch()
        self._is_over = True


@dataclass(frozen=True)
class Player:
    """A strategy with its parameters, ready to play.

    Parameters
    ----------
    name : str
        How tables name it: the spec that a user would write.
    act : callable
        Compiled `act(table, hand) -> int` of signature `modernart.simulator.decisions.ACT`.
    params : sequence of float
        At most MAX_OWN_PARAMS numbers for `hand.params`.
    data : ndarray of float64 or float32, or callable, optional
        Whatever else the strategy plays by, weights for instance; it reaches it through its hand (see
        `modernart.simulator.data`). A callable returns the array for the rules of a table, and keeps it.
    trial : Trial, optional
        Of code that is not this project's own.
    calls : sequence of Player
        Others whose code it calls when it searches.
    keeps_notes : bool
        Whether its code may read its notes; they are then cleared before each game.
    spec : str, optional
        The text that brings it back in another process.
    hears : bool
        Whether its code may read what each seat was heard to bid, or call code that does.
    """

    name: str
    act: Callable
    params: Sequence[float] = field(default=())
    data: Data | None = field(default=None, repr=False, compare=False)
    trial: Trial | None = field(default=None, repr=False, compare=False)
    calls: Sequence["Player"] = field(default=(), repr=False, compare=False)
    keeps_notes: bool = field(default=True, repr=False, compare=False)
    spec: str | None = field(default=None, repr=False, compare=False)
    hears: bool = field(default=True, repr=False, compare=False)

    @property
    def address(self) -> int:
        """Address of the compiled code, with bounds checks as long as it is on trial."""
        return address_of(self.trial.act if self.is_on_trial else self.act, ACT)  # type: ignore[union-attr]

    @property
    def is_on_trial(self) -> bool:
        """Whether its code is to play its first games yet."""
        return self.trial is not None and not self.trial.is_over

    def careful(self) -> "Player":
        """Return the player with bounds checks in all games, where its code is not this project's own."""
        return self if self.trial is None else replace(self, act=self.trial.act)


def acts_of(players: Sequence[Player]) -> np.ndarray:
    """Return the players' code addresses, int64 of shape (n_players,)."""
    return np.array([player.address for player in players], np.int64)


def end_trials(players: Sequence[Player]) -> bool:
    """Note that games went well; returns whether `acts_of` gives other addresses from now on."""
    on_trial = [player for player in with_callees(players) if player.is_on_trial]
    for player in on_trial:
        player.trial.end()  # type: ignore[union-attr]
    return bool(on_trial)


def with_callees(players: Sequence[Player]) -> list[Player]:
    """Return players and all whose code they call."""
    return [one for player in players for one in (player, *with_callees(player.calls))]


#: Data are made once and kept. Two threads that made them at once would keep the second, and free what the first plays
#: by. Data of a search are made of other players' data, so a thread may enter again.
_MAKING_DATA = RLock()


def params_of(players: Sequence[Player], rules: Rules) -> np.ndarray:
    """Return the players' parameters, float64 of shape (n_players, MAX_PARAMS), padded with 0.

    Behind each player's own stand the address of their data for these rules, which lives as long as the players, and
    whether their notes may stay as they are.
    """
    params = np.zeros((len(players), MAX_PARAMS))
    for row, player in zip(params, players, strict=True):
        row[: len(player.params)] = player.params
        row[WITHOUT_NOTES] = not player.keeps_notes
        if player.data is not None:
            with _MAKING_DATA:
                row[DATA] = address_of_data(player.data(rules) if callable(player.data) else player.data)
    return params
