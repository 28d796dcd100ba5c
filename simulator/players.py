"""What the simulator needs to know of a player: a name, compiled code, parameters, learned weights."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from modernart.simulator.decisions import ACT
from modernart.simulator.jit import address_of, data_address
from modernart.simulator.rules import Rules
from modernart.simulator.state import MAX_PARAMS

#: Columns of `acts_of`: address of the player's code, and of its weights (0: none).
CODE, WEIGHTS = range(2)


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
        At most MAX_PARAMS numbers for `hand.params`.
    weights : callable, optional
        Return the numbers that the player has learned, for the rules of a table: a contiguous array that is kept as
        long as the program runs. `hand.weights` holds its address.
    """

    name: str
    act: Callable
    params: Sequence[float] = field(default=())
    weights: Callable[[Rules], np.ndarray] | None = None

    @property
    def address(self) -> int:
        """Address of the compiled code."""
        return address_of(self.act, ACT)


def acts_of(players: Sequence[Player], rules: Rules) -> np.ndarray:
    """Return the players' addresses at a table of these rules: int64 of shape (n_players, 2), columns CODE, WEIGHTS."""
    acts = np.zeros((len(players), 2), np.int64)
    for row, player in zip(acts, players, strict=True):
        row[CODE] = player.address
        if player.weights is not None:
            row[WEIGHTS] = data_address(player.weights(rules))
    return acts


def params_of(players: Sequence[Player]) -> np.ndarray:
    """Return the players' parameters, float64 of shape (n_players, MAX_PARAMS), padded with 0."""
    params = np.zeros((len(players), MAX_PARAMS))
    for row, player in zip(params, players, strict=True):
        row[: len(player.params)] = player.params
    return params


def seat_player(game, seat, act, params):
    """Put a player on a seat of a game.

    Parameters
    ----------
    game : record of GAME_DTYPE
        Written.
    seat : int
    act, params : ndarray
        The player's rows of `acts_of` and `params_of`.
    """
    game.acts[seat] = act[CODE]
    hand = game.hands[seat]
    hand.weights = act[WEIGHTS]
    for k in range(MAX_PARAMS):
        hand.params[k] = params[k]
