"""Whole games kept as arrays: every sale, every round and the final money of a run's first games."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from modernart.simulator.batch import seat_players
from modernart.simulator.errors import RunError
from modernart.simulator.game import new_deal, new_game, play
from modernart.simulator.jit import kernel
from modernart.simulator.lineups import BalancedSchedule
from modernart.simulator.players import Player, acts_of, params_of
from modernart.simulator.rules import Rules
from modernart.simulator.setup import games_of
from modernart.simulator.under_way import playing

#: Blocks played at a time.
_CHUNK = 64


@dataclass(frozen=True)
class GameLogs:
    """Games as arrays; game `g` belongs to deal ``g // n_seats``.

    Parameters
    ----------
    who, money : ndarray of int, shape (n_games, n_seats)
        Strategy and final money by seat.
    first_seat : ndarray of int, shape (n_games,)
        Seat that starts the first round.
    sales : ndarray of SALE_DTYPE, shape (n_games, MAX_CARDS)
        The first ``n_sales[g]`` of a row are lots of game `g`.
    n_sales : ndarray of int, shape (n_games,)
    rounds : ndarray of ROUND_DTYPE, shape (n_games, n_rounds)
    """

    who: np.ndarray
    money: np.ndarray
    first_seat: np.ndarray
    sales: np.ndarray
    n_sales: np.ndarray
    rounds: np.ndarray

    @property
    def deals(self) -> np.ndarray:
        """Number of each game's deal."""
        return np.arange(len(self.money)) // self.money.shape[1]

    @property
    def win_share(self) -> np.ndarray:
        """Win share by seat, ties shared; shape (n_games, n_seats)."""
        won = self.money == self.money.max(axis=1, keepdims=True)
        return won / won.sum(axis=1, keepdims=True)


@kernel
def play_apart(games, acts, params, line_ups, first_block, seed):
    """Play blocks, every game in a record of its own: game `block * n_seats + rotation`.

    Returns False after an illegal answer.
    """
    n_blocks, n_seats = line_ups.shape
    for block in range(n_blocks):
        for rotation in range(n_seats):
            game = games[block * n_seats + rotation]
            new_deal(game, seed, first_block + block)
            seat_players(game, acts, params, line_ups[block], rotation)
            new_game(game, rotation)
            if not play(game):
                return False
    return True


def log_games(players: Sequence[Player], rules: Rules, games: int, *, seed: int = 1) -> GameLogs:
    """Return the first games of a run, those of `simulate` with the same arguments, as arrays.

    Raises
    ------
    RunError
        After an illegal answer.
    """
    n_seats = rules.players
    n_blocks = -(-games // n_seats)
    line_ups = BalancedSchedule(len(players), n_seats, seed).line_ups(0, n_blocks)
    acts, params = acts_of(players), params_of(players, rules)
    work = games_of(rules, min(_CHUNK, n_blocks) * n_seats)
    parts = []
    for first in range(0, n_blocks, _CHUNK):
        here = line_ups[first : first + _CHUNK]
        with playing(players, rules, seed, work, here, first, is_run=True):
            is_legal = play_apart(work, acts, params, here, first, np.uint64(seed))
        if not is_legal:
            raise RunError(f"a strategy gave an illegal answer in deals {first} to {first + len(here) - 1}")
        done = work[: here.size]
        parts.append(
            (
                done["who"][:, :n_seats].copy(),
                done["table"]["money"][:, :n_seats].copy(),
                done["first_seat"].copy(),
                done["sales"].copy(),
                done["n_sales"].copy(),
                done["rounds"][:, : rules.rounds].copy(),
            )
        )
    return GameLogs(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
