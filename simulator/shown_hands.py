"""Games in which one player sees another's hand, to find what that is worth and what it costs."""

from collections.abc import Sequence

import numpy as np

from modernart.simulator.asking import consult
from modernart.simulator.batch import seat_players
from modernart.simulator.decisions import Phase, artist_of
from modernart.simulator.errors import RunError
from modernart.simulator.forks import win_units
from modernart.simulator.game import apply, new_deal, new_game
from modernart.simulator.jit import kernel
from modernart.simulator.players import Player, acts_of, params_of
from modernart.simulator.rules import Rules
from modernart.simulator.scoring import WIN_UNITS
from modernart.simulator.setup import games_of
from modernart.simulator.state import MAX_NOTES, N_ARTISTS
from modernart.simulator.under_way import playing

#: The last notes of the watcher's notebook: cards of each artist in the shown hand, written before each decision.
FIRST_SHOWN = MAX_NOTES - N_ARTISTS


@kernel
def show_hand(game, watcher, shown):
    """Write into the watcher's notes how many cards of each artist the shown player holds."""
    table = game.table
    notes = game.hands[table.seat].notes
    if game.hands[table.seat].home != watcher:
        return
    for artist in range(N_ARTISTS):
        notes[FIRST_SHOWN + artist] = 0.0
    for seat in range(table.rules.n_seats):
        hand = game.hands[seat]
        if hand.home == shown:
            for slot in range(hand.n_cards):
                notes[FIRST_SHOWN + artist_of(hand.cards[slot])] += 1.0


@kernel
def score_shown_blocks(game, acts, params, line_ups, first_block, seed, watcher, shown, wins, money):
    """Play blocks in which one player sees another's hand; parameters as `score_shown`.

    Returns False after an illegal answer.
    """
    n_blocks, n_seats = line_ups.shape
    for block in range(n_blocks):
        new_deal(game, seed, first_block + block)
        key = game.key
        for rotation in range(n_seats):
            seat_players(game, acts, params, line_ups[block], rotation)
            game.key = key
            new_game(game, rotation)
            while game.table.phase != Phase.OVER:
                show_hand(game, watcher, shown)
                seat = game.table.seat
                if not apply(game, consult(game.acts[seat], game.table, game.hands[seat])):
                    return False
            for seat in range(n_seats):
                money[block, game.hands[seat].home] += game.table.money[seat]
                wins[block, game.hands[seat].home] += win_units(game.table, seat)
    return True


def score_shown(
    players: Sequence[Player], rules: Rules, line_ups: np.ndarray, *, watcher: int, shown: int, seed: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Return win share and money by block and place when one player sees another's hand all game.

    Parameters
    ----------
    players : sequence of Player
    rules : Rules
    line_ups : ndarray of int64, shape (n_blocks, n_seats)
        Strategies of each block; block `b` is deal `b`.
    watcher, shown : int
        Places in the line-up.
    seed : int

    Returns
    -------
    win_share, money : ndarray of float64, shape (n_blocks, n_seats)
        Means over the block's games, by line-up position.

    Raises
    ------
    RunError
        After an illegal answer.
    """
    games = games_of(rules, 1)
    wins = np.zeros(line_ups.shape, np.int64)
    money = np.zeros(line_ups.shape, np.int64)
    acts, params = acts_of(players), params_of(players, rules)
    with playing(players, rules, seed, games, line_ups, 0):
        is_legal = score_shown_blocks(games[0], acts, params, line_ups, 0, np.uint64(seed), watcher, shown, wins, money)
    if not is_legal:
        raise RunError(f"a strategy gave an illegal answer where it sees a hand (seed {seed})")
    return wins / (WIN_UNITS * rules.players), money / rules.players
