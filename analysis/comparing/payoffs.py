"""Payoffs of all tables that some strategies can make, all on the same deals."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from modernart.analysis.comparing.population import Game, all_tables
from modernart.simulator.errors import UsageError
from modernart.simulator.players import Player
from modernart.simulator.rules import Rules
from modernart.simulator.simulate import score_all, scored_blocks

#: Most tables that one study plays.
_MOST_TABLES = 5_000


@dataclass(frozen=True)
class Payoffs:
    """Win shares at every table.

    Parameters
    ----------
    names : sequence of str
        Strategies.
    tables : ndarray of int64, shape (n_tables, n_seats)
        Strategies of each table, in ascending order.
    win_share, money : ndarray of float, shape (n_tables, n_deals, n_strategies)
        Mean a seat of the strategy at that table; NaN where it does not sit there.
    """

    names: Sequence[str]
    tables: np.ndarray
    win_share: np.ndarray
    money: np.ndarray

    @property
    def n_seats(self) -> int:
        """Seats at a table."""
        return self.tables.shape[1]

    @property
    def n_deals(self) -> int:
        """Deals that every table played."""
        return self.win_share.shape[1]

    def table(self) -> pd.DataFrame:
        """Return one row for each strategy at each table: win share and money with standard errors."""
        rows = []
        for members, wins, money in zip(self.tables, self.win_share, self.money, strict=True):
            for i in np.unique(members):
                rows.append(
                    {
                        "table": " + ".join(f"{np.sum(members == j)} {self.names[j]}" for j in np.unique(members)),
                        "strategy": self.names[i],
                        "seats": int(np.sum(members == i)),
                        "win_share": wins[:, i].mean(),
                        "win_share_se": wins[:, i].std(ddof=1) / math.sqrt(self.n_deals),
                        "money": money[:, i].mean(),
                        "money_se": money[:, i].std(ddof=1) / math.sqrt(self.n_deals),
                    }
                )
        return pd.DataFrame(rows)

    def game(self, weights: np.ndarray | None = None) -> Game:
        """Return the game of the mean payoffs.

        Parameters
        ----------
        weights : ndarray of float, shape (n_deals,), optional
            How often each deal counts; default: once.
        """
        weights = np.ones(self.n_deals) if weights is None else weights
        return Game(self.tables, np.einsum("tds,d->ts", self.win_share, weights / weights.sum()))


def play_tables(
    players: Sequence[Player],
    rules: Rules,
    games: int,
    *,
    seed: int = 1,
    threads: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Payoffs:
    """Play every table on the same deals.

    Parameters
    ----------
    players : sequence of Player
    rules : Rules
    games : int
        In all, about; every table plays at least 10 deals, with its members' places drawn for each deal.
    seed, threads : int
    on_progress : callable, optional
        Called with the number of games played.

    Raises
    ------
    UsageError
        If there are fewer than two strategies or too many tables.
    """
    n = len(players)
    if n < 2:
        raise UsageError("a metagame needs at least 2 strategies")
    n_tables = math.comb(n + rules.players - 1, rules.players)
    if n_tables > _MOST_TABLES:
        raise UsageError(f"{n} strategies at {rules.players} seats make {n_tables:,} tables; name fewer strategies")
    tables = all_tables(n, rules.players)
    n_deals = max(10, games // (n_tables * rules.players))
    places = [
        np.random.default_rng([seed, number]).permuted(np.tile(members, (n_deals, 1)), axis=1)
        for number, members in enumerate(tables)
    ]
    works = [scored_blocks(players, rules, line_ups, 0, n_deals, seed=seed) for line_ups in places]
    played = score_all(works, threads=threads, on_done=on_progress)
    win_share = np.full((n_tables, n_deals, n), np.nan)
    money = win_share.copy()
    for number, (members, scores) in enumerate(zip(tables, played, strict=True)):
        for i in np.unique(members):
            is_here = places[number] == i
            win_share[number, :, i] = np.where(is_here, scores.win_share, 0).sum(axis=1) / is_here.sum(axis=1)
            money[number, :, i] = np.where(is_here, scores.money, 0).sum(axis=1) / is_here.sum(axis=1)
    return Payoffs([player.name for player in players], tables, win_share, money)
