"""Who sits at a table of an environment, and by which rules."""

from collections.abc import Mapping, Sequence

import numpy as np

from modernart.rl.observations import ARTISTS_SEEN
from modernart.simulator.errors import UsageError
from modernart.simulator.players import Player, acts_of, params_of
from modernart.simulator.rules import Rules, load_edition
from modernart.strategies.base import Strategy
from modernart.strategies.specs import load_strategy

#: Kinds of reward, by name, as `modernart.rl.stepping` numbers them.
REWARDS = ("money", "win")


def rules_for(edition: str, players: int, rule: Mapping[str, str] | None) -> Rules:
    """Return the rules of an edition, with changes, for a number of players."""
    rules = load_edition(edition, dict(rule or {})).rules(players)
    if len(rules.artists) > ARTISTS_SEEN:
        raise UsageError(
            f"the environment observes at most {ARTISTS_SEEN} artists, edition {rules.edition} has {len(rules.artists)}"
        )
    return rules


def reward_number(name: str) -> int:
    """Return the number of a kind of reward.

    Raises
    ------
    UsageError
        If there is no such kind.
    """
    if name not in REWARDS:
        raise UsageError(f'reward must be "money" or "win", got "{name}"')
    return REWARDS.index(name)


def opponents_at(
    opponents: str | Strategy | Sequence[str | Strategy], controlled: Sequence[int], n_seats: int
) -> dict[int, Player]:
    """Return who sits at the seats that are not controlled.

    Parameters
    ----------
    opponents : str, Strategy, or sequence of them
        One for all seats, or one for each seat in order.
    controlled : sequence of int
        The seats that an agent plays.
    n_seats : int

    Returns
    -------
    dict of int to Player

    Raises
    ------
    UsageError
        If a seat does not exist, none is controlled, or the opponents do not fit the seats.
    """
    if not controlled or len(set(controlled)) < len(controlled) or not set(controlled) <= set(range(n_seats)):
        raise UsageError(f"seats must be different numbers from 0 to {n_seats - 1}, got {list(controlled)}")
    free = [seat for seat in range(n_seats) if seat not in controlled]
    named = [opponents] * len(free) if isinstance(opponents, str | Strategy) else list(opponents)
    if len(named) != len(free):
        raise UsageError(f"give one opponent for all, or {len(free)} for seats {free}; got {len(named)}")
    return {seat: _player(one) for seat, one in zip(free, named, strict=True)}


def _player(one: str | Strategy) -> Player:
    return (load_strategy(one) if isinstance(one, str) else one).player()


def seat_opponents(games: np.recarray, rules: Rules, players: Mapping[int, Player]) -> None:
    """Write the opponents' code and parameters into blank games.

    Parameters
    ----------
    games : recarray of GAME_DTYPE
        Updated.
    rules : Rules
    players : mapping of int to Player
        By seat; the caller keeps them, as games hold only the address of their data.
    """
    if not players:
        return
    acts, params = acts_of(list(players.values())), params_of(list(players.values()), rules)
    for seat, act, row in zip(players, acts, params, strict=True):
        games.acts[:, seat] = act
        games.hands.params[:, seat] = row
