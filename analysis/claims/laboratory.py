"""What the measures of claims share in one field: its players, and what has been played already."""

import numpy as np
import pandas as pd

from modernart.analysis.claims.bidders import BIDDERS
from modernart.analysis.claims.catalogue import Field
from modernart.analysis.counterfactual.auctions import auction_points
from modernart.analysis.counterfactual.endings import ending_points
from modernart.analysis.counterfactual.luck import luck_table
from modernart.analysis.counterfactual.points import DecisionPoints
from modernart.analysis.counterfactual.starts import start_points
from modernart.simulator.errors import UsageError
from modernart.simulator.game_logs import GameLogs, log_games
from modernart.simulator.lineups import BalancedSchedule
from modernart.simulator.players import Player
from modernart.simulator.rules import Rules, load_edition
from modernart.simulator.shown_hands import score_shown
from modernart.simulator.simulate import score
from modernart.strategies.specs import load_strategy
from modernart.strategies.tuning.focal_seat import FocalScores, FocalSeat

#: Outcomes of a seat.
OUTCOMES = ("money", "relative_money", "win_share")
#: Fewest deals of a comparison, and most games whose logs are kept.
_LEAST_DEALS, _MOST_LOGS = 40, 6000
_SETTING = ("classic", 4)


def player_of(spec: str) -> Player:
    """Return the player of a spec; the bidders of `modernart.analysis.claims.bidders` are known here alone."""
    name, _, values = spec.partition("(")
    if name not in BIDDERS:
        return load_strategy(spec).player()
    pairs = (item.split("=") for item in values.rstrip(")").split(",") if item.strip())
    try:
        chosen = {key.strip(): float(value) for key, value in pairs}
    except ValueError:
        raise UsageError(f'"{spec}": write parameters as NAME(parameter=number, ...)') from None
    return BIDDERS[name].with_values(chosen).player(spec)


class Laboratory:
    """One field and what has been played in it.

    Parameters
    ----------
    field : Field
    games : int
        Games of a comparison; counterfactual playouts look through fewer.
    seed, threads : int
    """

    def __init__(self, field: Field, games: int, seed: int, threads: int) -> None:
        self.players = [player_of(spec) for spec in field.strategies]
        self.games = games if field.most_games is None else min(games, field.most_games)
        self.seed = seed
        self.threads = threads
        self._kept: dict[tuple, object] = {}

    def _once(self, key: tuple, make):
        """Return what was made for a key, making it the first time."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    @staticmethod
    def rules(edition: str = "classic", players: int = 4) -> Rules:
        """Return the rules of a setting."""
        return load_edition(edition).rules(players)

    def n_deals(self, games: int | None = None, players: int = 4) -> int:
        """Return the deals of a comparison."""
        wanted = self.games if games is None else min(games, self.games)
        return max(wanted // players, _LEAST_DEALS if games is None else 1)

    def focal_seat(self, edition: str, players: int) -> FocalSeat:
        """Return one seat among this field."""
        rules = self.rules(edition, players)
        return self._once(("seat", edition, players), lambda: FocalSeat(self.players, rules, self.seed, self.threads))

    def scores(
        self, spec: str, n_deals: int, first: int = 0, edition: str = "classic", players: int = 4
    ) -> FocalScores:
        """Return what a player gets in the focal seat, by deal."""
        seat = self.focal_seat(edition, players)
        key = ("scores", spec, n_deals, first, edition, players)
        return self._once(key, lambda: seat.score(player_of(spec), first, n_deals))

    def logs(self, edition: str = "classic", players: int = 4) -> GameLogs:
        """Return games of the field as arrays."""
        games = min(self.games, _MOST_LOGS)
        rules = self.rules(edition, players)
        return self._once(("logs", edition, players), lambda: log_games(self.players, rules, games, seed=self.seed))

    def _points(self, kind: str, make, share: int, edition: str, players: int) -> DecisionPoints:
        rules = self.rules(edition, players)
        games = max(self.games // share, _LEAST_DEALS)
        key = (kind, edition, players)
        # One playout: it has the game's own random streams; more of them change little where bidders are not random.
        return self._once(
            key, lambda: make(self.players, rules, games, seed=self.seed, repeats=1, threads=self.threads)
        )

    def endings(self, edition: str = "classic", players: int = 4) -> DecisionPoints:
        """Return the decisions where a round could be ended or not."""
        return self._points("endings", ending_points, 10, edition, players)

    def auctions(self, edition: str = "classic", players: int = 4) -> DecisionPoints:
        """Return lots of the field's games, sold by every kind."""
        return self._points("auctions", auction_points, 20, edition, players)

    def starts(self, edition: str = "classic", players: int = 4) -> DecisionPoints:
        """Return rounds of the field's games, started by every seat."""
        return self._points("starts", start_points, 10, edition, players)

    def luck(self, edition: str, players: int) -> pd.DataFrame:
        """Return the shares of luck and skill, by source."""
        rules = self.rules(edition, players)
        n_deals = max(min(self.games // 50, 800), _LEAST_DEALS)
        make = lambda: luck_table(self.players, rules, n_deals=n_deals, seed=self.seed).set_index("source")  # noqa: E731
        return self._once(("luck", edition, players), make)

    def beside(self, spec: str, neighbour: str, place: int) -> np.ndarray:
        """Return a player's money by deal with a neighbour at a line-up position: 1 is the next seat to the left.

        The other seats are the field's.
        """
        rules = self.rules()
        n_deals = self.n_deals()
        rest = BalancedSchedule(len(self.players), rules.players - 2, self.seed).line_ups(0, n_deals) + 2
        line_ups = np.insert(np.column_stack([np.zeros(n_deals, np.int64), rest]), place, 1, axis=1)
        team = [player_of(spec), player_of(neighbour), *self.players]
        return score(team, rules, line_ups, 0, n_deals, seed=self.seed, threads=self.threads).money[:, 0]

    def shown(self, watcher: str) -> np.ndarray:
        """Return the money of the watcher and of the shown player, the next seat to the left, by deal.

        Shape (n_deals, n_seats), by place: 0 the watcher, 1 the shown player.
        """
        rules = self.rules()
        n_deals = self.n_deals()
        rest = BalancedSchedule(len(self.players), rules.players - 1, self.seed).line_ups(0, n_deals) + 1
        line_ups = np.column_stack([np.zeros(n_deals, np.int64), rest])
        team = [player_of(watcher), *self.players]
        return self._once(
            ("shown", watcher), lambda: score_shown(team, rules, line_ups, watcher=0, shown=1, seed=self.seed)[1]
        )
