"""What the simulator needs to know of a player: name, compiled code, parameters, data."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from modernart.simulator.data import address_of_data
from modernart.simulator.decisions import ACT
from modernart.simulator.jit import address_of
from modernart.simulator.rules import Rules
from modernart.simulator.state import DATA, MAX_PARAMS

#: An array, or what returns one for the rules of a table.
Data = np.ndarray | Callable[[Rules], np.ndarray]


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
    """

    name: str
    act: Callable
    params: Sequence[float] = field(default=())
    data: Data | None = field(default=None, repr=False, compare=False)

    @property
    def address(self) -> int:
        """Address of the compiled code."""
        return address_of(self.act, ACT)


def acts_of(players: Sequence[Player]) -> np.ndarray:
    """Return the players' code addresses, int64 of shape (n_players,)."""
    return np.array([player.address for player in players], np.int64)


def params_of(players: Sequence[Player], rules: Rules) -> np.ndarray:
    """Return the players' parameters, float64 of shape (n_players, MAX_PARAMS), padded with 0.

    The addresses of their data for these rules come last in each row; the data live as long as the players.
    """
    params = np.zeros((len(players), MAX_PARAMS))
    for row, player in zip(params, players, strict=True):
        row[: len(player.params)] = player.params
        if player.data is not None:
            row[DATA] = address_of_data(player.data(rules) if callable(player.data) else player.data)
    return params
