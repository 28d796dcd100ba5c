"""Checked rules as the numbers that the kernel reads, and the players of a game on their seats."""

from collections.abc import Sequence

import numpy as np

from modernart.simulator.cards import card_artist
from modernart.simulator.game import new_deal, new_game
from modernart.simulator.lineups import position_at
from modernart.simulator.options import OPTIONS
from modernart.simulator.players import Player, acts_of, params_of
from modernart.simulator.rules import Rules
from modernart.simulator.state import new_games


def write_rules(record, rules: Rules) -> None:
    """Write a rule set into a `rules` record of RULES_DTYPE.

    Parameters
    ----------
    record : record of RULES_DTYPE
        Written.
    rules : Rules
    """
    record.n_seats = rules.players
    record.n_rounds = rules.rounds
    for name, values in OPTIONS.items():
        record[name] = values.number(getattr(rules, name))
    record.n_artists = len(rules.artists)
    record.n_ranks = len(rules.rank_values)
    record.carries_crowns = rules.carries_crowns
    record.deal[: rules.rounds] = rules.deal
    codes = np.array(rules.card_codes(), np.int64)
    record.n_deck = len(codes)
    record.n_dealt = rules.n_dealt
    record.deck[: len(codes)] = codes
    np.add.at(record.artist_copies, [card_artist(code) for code in codes], 1)
    np.add.at(record.code_copies, codes, 1)


def players_at_seats(members: Sequence[int], game_number: int) -> list[int]:
    """Return who of a line-up sits where in a game of a run, by seat."""
    n_seats = len(members)
    return [int(members[position_at(seat, game_number % n_seats, n_seats)]) for seat in range(n_seats)]


def seat_game(
    game, rules: Rules, players: Sequence[Player], members: Sequence[int], seed: int, game_number: int
) -> list[int]:
    """Set up a game of a run, as the batch loop does: seat its players and deal its first round.

    Parameters
    ----------
    game : record of GAME_DTYPE
        Written; the rules must be set.
    rules : Rules
    players : sequence of Player
    members : sequence of int
        The line-up of the game's block, as indices into `players`.
    seed, game_number : int

    Returns
    -------
    list of int
        Who sits where: the index into `players`, by seat.
    """
    block, rotation = divmod(game_number, len(members))
    acts, params = acts_of(players), params_of(players, rules)
    at_seat = players_at_seats(members, game_number)
    for seat, player in enumerate(at_seat):
        game.acts[seat] = acts[player]
        game.hands[seat].params[:] = params[player]
    new_deal(game, np.uint64(seed), block)
    new_game(game, rotation)
    return at_seat


def games_of(rules: Rules, n: int):
    """Return `n` blank games (recarray of GAME_DTYPE) with these rules."""
    games = new_games(n)
    write_rules(games[0].table.rules, rules)
    games[1:] = games[0]
    return games
