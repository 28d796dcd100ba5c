"""Checked rules as the numbers that the kernel reads."""

import numpy as np

from modernart.simulator.cards import card_artist
from modernart.simulator.options import OPTIONS
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
    record.n_ranks = len(rules.rank_values)
    record.carries_crowns = rules.carries_crowns
    record.deal[: rules.rounds] = rules.deal
    codes = np.array(rules.card_codes(), np.int64)
    record.n_deck = len(codes)
    record.n_dealt = rules.n_dealt
    record.deck[: len(codes)] = codes
    np.add.at(record.artist_copies, [card_artist(code) for code in codes], 1)
    np.add.at(record.code_copies, codes, 1)


def games_of(rules: Rules, n: int):
    """Return `n` blank games (recarray of GAME_DTYPE) with these rules."""
    games = new_games(n)
    write_rules(games[0].table.rules, rules)
    games[1:] = games[0]
    return games
