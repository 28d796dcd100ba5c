"""One strategy on the same deals, in every seat and among several sets of table mates: games of the luck study."""

from collections.abc import Sequence

import numpy as np

from modernart.simulator import streams
from modernart.simulator.batch import seat_players
from modernart.simulator.errors import RunError
from modernart.simulator.forks import repeat_key
from modernart.simulator.game import new_deal, new_game, play
from modernart.simulator.jit import kernel
from modernart.simulator.players import Player, acts_of, params_of
from modernart.simulator.rules import Rules
from modernart.simulator.setup import games_of
from modernart.simulator.under_way import playing


@kernel
def play_nested(game, acts, params, focal, seed, money, seats):
    """Play a focal strategy on deals, in every seat, among sets of mates, with several random streams.

    Parameters
    ----------
    game : record of GAME_DTYPE
        Work space; the rules must be set.
    focal : int
        The strategy.
    money : ndarray of float64, shape (n_deals, n_seats, n_mates, n_repeats)
        Written: the focal seat's final money.
    seats : ndarray of int64, shape (n_deals, n_seats)
        Written: the focal seat's place from the starter.

    Returns
    -------
    bool
        False after an illegal answer.
    """
    n_deals, n_seats, n_mates, n_repeats = money.shape
    members = np.zeros(n_seats, np.int64)
    for deal in range(n_deals):
        new_deal(game, seed, deal)
        key = game.key
        for rotation in range(n_seats):
            # The focal player has line-up position 0, which `new_game` puts on this seat.
            seat = n_seats - rotation if rotation > 0 else 0
            seats[deal, rotation] = (seat - game.first_seat) % n_seats
            state = streams.stream_start(key, rotation, focal, streams.TABLES)
            for mates in range(n_mates):
                members[0] = focal
                for i in range(1, n_seats):
                    state = streams.step(state)
                    members[i] = streams.scaled(state, acts.shape[0])
                for repeat in range(n_repeats):
                    seat_players(game, acts, params, members, rotation)
                    game.key = repeat_key(key, repeat)
                    new_game(game, rotation)
                    if not play(game):
                        return False
                    money[deal, rotation, mates, repeat] = game.table.money[seat]
    return True


def nested_money(
    players: Sequence[Player], rules: Rules, *, n_deals: int, n_mates: int, n_repeats: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the final money of each strategy as the focal one, and the focal seat's place from the starter.

    Returns
    -------
    money : ndarray of float64, shape (n_strategies, n_deals, n_seats, n_mates, n_repeats)
    seats : ndarray of int64, shape (n_deals, n_seats)

    Raises
    ------
    RunError
        After an illegal answer.
    """
    games = games_of(rules, 1)
    acts, params = acts_of(players), params_of(players, rules)
    money = np.zeros((len(players), n_deals, rules.players, n_mates, n_repeats))
    seats = np.zeros((n_deals, rules.players), np.int64)
    for focal in range(len(players)):
        # These games are not those of a run: no line-ups lead to them.
        with playing(players, rules, seed, games, np.zeros((0, rules.players), np.int64), 0):
            is_legal = play_nested(games[0], acts, params, focal, np.uint64(seed), money[focal], seats)
        if not is_legal:
            raise RunError(f"the study of luck stopped: a strategy gave an illegal answer (seed {seed})")
    return money, seats
