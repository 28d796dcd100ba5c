"""The game of choosing a strategy: payoffs of all tables, and where a population of players would go.

Strategies are the moves of a symmetric game for as many players as the table has seats; the payoff is the win share. A
table is a multiset of strategies. All tables play the same deals, so that a bootstrap over deals gives intervals of
everything that follows from the payoffs.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy import integrate, optimize, stats

from modernart.simulator.errors import UsageError
from modernart.simulator.players import Player
from modernart.simulator.rules import Rules
from modernart.simulator.simulate import score

#: Most tables that one study plays.
_MOST_TABLES = 5_000
#: Size of the finite population, and how strongly payoffs, in fair shares, steer imitation in it.
POPULATION = 100
SELECTION = 1.0
#: Time over which replicator dynamics are followed, in units of 1 / fair share of payoff.
_HORIZON = 400.0
#: Speed below which the dynamics count as come to rest.
_REST = 1e-5
_MOST_CYCLES = 50
#: Longer cycles are not looked for: there are too many candidates.
_LONGEST_CYCLE = 5


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

    def game(self, weights: np.ndarray | None = None) -> "Game":
        """Return the game of the mean payoffs.

        Parameters
        ----------
        weights : ndarray of float, shape (n_deals,), optional
            How often each deal counts; default: once.
        """
        weights = np.ones(self.n_deals) if weights is None else weights
        return Game(self.tables, np.einsum("tds,d->ts", self.win_share, weights / weights.sum()))


def all_tables(n_strategies: int, n_seats: int) -> np.ndarray:
    """Return every multiset of strategies, int64 of shape (n_tables, n_seats)."""
    return np.array(list(itertools.combinations_with_replacement(range(n_strategies), n_seats)), np.int64)


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
    win_share = np.full((n_tables, n_deals, n), np.nan)
    money = win_share.copy()
    for number, members in enumerate(tables):
        places = np.random.default_rng([seed, number]).permuted(np.tile(members, (n_deals, 1)), axis=1)
        scores = score(players, rules, places, 0, n_deals, seed=seed, threads=threads)
        for i in np.unique(members):
            is_here = places == i
            win_share[number, :, i] = np.where(is_here, scores.win_share, 0).sum(axis=1) / is_here.sum(axis=1)
            money[number, :, i] = np.where(is_here, scores.money, 0).sum(axis=1) / is_here.sum(axis=1)
        if on_progress is not None:
            on_progress((number + 1) * n_deals * rules.players)
    return Payoffs([player.name for player in players], tables, win_share, money)


@dataclass(frozen=True)
class Game:
    """A symmetric game of several players.

    Parameters
    ----------
    tables : ndarray of int64, shape (n_tables, n_seats)
    payoffs : ndarray of float, shape (n_tables, n_strategies)
        NaN where a strategy does not sit at the table.
    """

    tables: np.ndarray
    payoffs: np.ndarray

    @property
    def n_strategies(self) -> int:
        """Number of strategies."""
        return self.payoffs.shape[1]

    @property
    def n_seats(self) -> int:
        """Seats at a table."""
        return self.tables.shape[1]

    @cached_property
    def _row_of(self) -> dict[tuple[int, ...], int]:
        return {tuple(int(i) for i in members): row for row, members in enumerate(self.tables)}

    def payoff(self, strategy: int, opponents: Sequence[int]) -> float:
        """Return what a strategy gets against given opponents."""
        return float(self.payoffs[self._row_of[tuple(sorted((strategy, *opponents)))], strategy])

    @cached_property
    def _opponents(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """How often each strategy is among the opponents, in how many orders they come, and payoffs against them."""
        groups = all_tables(self.n_strategies, self.n_seats - 1)
        counts = np.array([np.bincount(group, minlength=self.n_strategies) for group in groups])
        orders = np.array([math.factorial(self.n_seats - 1) / math.prod(map(math.factorial, c)) for c in counts])
        payoffs = np.array([[self.payoff(i, group) for group in groups] for i in range(self.n_strategies)])
        return counts, orders, payoffs

    def fitness(self, mix: np.ndarray) -> np.ndarray:
        """Return the payoff of each strategy where all opponents are drawn from a mix, shape (n_strategies,)."""
        counts, orders, payoffs = self._opponents
        return payoffs @ (orders * np.prod(np.asarray(mix) ** counts, axis=1))

    def regret(self, mix: np.ndarray) -> float:
        """Return what the best reply to a mix gains over the mix itself: 0 in a symmetric Nash equilibrium."""
        fitness = self.fitness(mix)
        return float(fitness.max() - fitness @ mix)

    def velocity(self, mix: np.ndarray) -> np.ndarray:
        """Return the replicator dynamics: each share grows by its payoff above the mean, in fair shares."""
        mix = np.maximum(mix, 0)
        fitness = self.fitness(mix / mix.sum()) * self.n_seats
        return mix * (fitness - fitness @ mix / mix.sum())

    def follow(
        self, start: np.ndarray, horizon: float = _HORIZON, n_points: int = 400
    ) -> tuple[np.ndarray, np.ndarray]:
        """Follow the replicator dynamics.

        Returns
        -------
        times : ndarray of float, shape (n_points,)
        mixes : ndarray of float, shape (n_points, n_strategies)
        """
        times = np.linspace(0, horizon, n_points)
        path = integrate.solve_ivp(
            lambda _, mix: self.velocity(mix), (0, horizon), start, "LSODA", times, rtol=1e-8, atol=1e-12
        )
        mixes = np.maximum(path.y.T, 0)
        return times, mixes / mixes.sum(axis=1, keepdims=True)

    def is_at_rest(self, mix: np.ndarray) -> bool:
        """Tell whether the dynamics have come to rest."""
        return bool(np.abs(self.velocity(mix)).max() < _REST)

    def nash_mix(self, n_starts: int = 12) -> np.ndarray:
        """Return the symmetric mix of least regret that was found, from the ends of paths and local searches."""
        n = self.n_strategies
        rng = np.random.default_rng(1)
        starts = [np.full(n, 1 / n), *np.eye(n), *rng.dirichlet(np.ones(n), n_starts)]
        candidates = list(np.eye(n))
        for start in starts:
            if start.max() < 1:
                _, mixes = self.follow(start, n_points=100)
                candidates += [mixes[-1], mixes[50:].mean(axis=0)]
        best = min(candidates, key=self.regret)
        # Least t with no reply gaining more than t over the mix.
        found = optimize.minimize(
            lambda x: x[-1],
            [*best, self.regret(best)],
            method="SLSQP",
            bounds=[(0, 1)] * n + [(0, 1)],
            constraints=[
                {"type": "eq", "fun": lambda x: x[:-1].sum() - 1},
                {"type": "ineq", "fun": lambda x: x[-1] + self.fitness(x[:-1]) @ x[:-1] - self.fitness(x[:-1])},
            ],
        )
        mix = np.maximum(found.x[:-1], 0)
        mix = mix / mix.sum()
        return mix if self.regret(mix) < self.regret(best) else best

    def fixation(self, mutant: int, resident: int, population: int = POPULATION, selection: float = SELECTION) -> float:
        """Return the chance that one mutant takes over a population of residents.

        Notes
        -----
        Pairwise comparison with the Fermi function (Traulsen, Pacheco, Nowak 2007, J. Theor. Biol. 246); tables of
        several players drawn without replacement (Gokhale and Traulsen 2010, PNAS 107). `selection` multiplies payoffs
        in fair shares.
        """
        m = self.n_seats - 1
        others = np.arange(m + 1)
        pay_mutant = [self.payoff(mutant, [mutant] * a + [resident] * (m - a)) for a in others]
        pay_resident = [self.payoff(resident, [mutant] * a + [resident] * (m - a)) for a in others]
        k = np.arange(1, population)[:, None]
        seen_by_mutant = stats.hypergeom.pmf(others, population - 1, k - 1, m)
        seen_by_resident = stats.hypergeom.pmf(others, population - 1, k, m)
        advantage = (seen_by_mutant @ pay_mutant - seen_by_resident @ pay_resident) * self.n_seats
        return float(np.exp(-np.logaddexp.reduce([0.0, *np.cumsum(-selection * advantage)])))

    @cached_property
    def fixations(self) -> np.ndarray:
        """Chance that a mutant (column) takes over residents (row), shape (n_strategies, n_strategies); 0 diagonal."""
        n = self.n_strategies
        return np.array([[self.fixation(j, i) if i != j else 0.0 for j in range(n)] for i in range(n)])

    def stationary(self) -> np.ndarray:
        """Return the share of time that a finite population spends with each strategy, where mutants are rare.

        Notes
        -----
        Fudenberg and Imhof (2006, J. Econ. Theory 131): the chain over populations of one strategy.
        """
        n = self.n_strategies
        chain = self.fixations / (n - 1)
        np.fill_diagonal(chain, 1 - chain.sum(axis=1))
        equations = np.vstack([chain.T - np.eye(n), np.ones(n)])
        shares = np.linalg.lstsq(equations, np.array([0.0] * n + [1.0]), rcond=None)[0]
        return np.maximum(shares, 0) / np.maximum(shares, 0).sum()

    def invasions(self, population: int = POPULATION) -> np.ndarray:
        """Return which mutants (column) selection favours among residents (row): likelier than chance to take over."""
        # The margin keeps rounding from favouring a mutant that does exactly as residents do.
        return self.fixations > (1 + 1e-9) / population

    def cycles(self) -> list[tuple[int, ...]]:
        """Return cycles of 3 to 5 strategies, each favoured against the one before, shortest first."""
        edges = self.invasions()
        found: list[tuple[int, ...]] = []
        for length in range(3, min(self.n_strategies, _LONGEST_CYCLE) + 1):
            for members in itertools.permutations(range(self.n_strategies), length):
                if members[0] != min(members):
                    continue
                if all(edges[a, b] for a, b in zip(members, (*members[1:], members[0]), strict=True)):
                    found.append(members)
                    if len(found) >= _MOST_CYCLES:
                        return found
        return found


def analyse(payoffs: Payoffs, n_bootstrap: int = 200, seed: int = 1) -> dict[str, Any]:
    """Return where a population of players goes, with 95 % bootstrap intervals over deals.

    Returns
    -------
    dict
        `stationary`: share of time by strategy; `regret` of everybody playing one strategy, of the uniform and of the
        stationary mix; `nash`: mix of least regret and its regret; `replicator`: where the dynamics from the uniform
        mix are at the end, and whether at rest; `cycles`: of strategies each of which replaces the one before, with
        the share of bootstrap samples that show them. Intervals of regrets lean upwards, as a maximum of noisy
        payoffs does.
    """
    game = payoffs.game()
    names, n = payoffs.names, len(payoffs.names)
    uniform = np.full(n, 1 / n)
    mixes = {**{f"all {name}": row for name, row in zip(names, np.eye(n), strict=True)}, "uniform": uniform}
    stationary = game.stationary()
    mixes["stationary"] = stationary
    nash = game.nash_mix()
    mixes["least regret"] = nash
    cycles = game.cycles()
    rng = np.random.default_rng(seed)
    sampled_stationary, sampled_regret, seen = [], [], np.zeros(len(cycles))
    for _ in range(n_bootstrap):
        weights = np.bincount(rng.integers(payoffs.n_deals, size=payoffs.n_deals), minlength=payoffs.n_deals)
        sample = payoffs.game(weights.astype(float))
        sampled_stationary.append(sample.stationary())
        sampled_regret.append([sample.regret(mix) for mix in mixes.values()])
        edges = sample.invasions()
        seen += [all(edges[a, b] for a, b in zip(c, (*c[1:], c[0]), strict=True)) for c in cycles]
    stationary_limits = np.quantile(sampled_stationary, [0.025, 0.975], axis=0)
    regret_limits = np.quantile(sampled_regret, [0.025, 0.975], axis=0)
    _, path = game.follow(uniform)
    return {
        "strategies": list(names),
        "seats": payoffs.n_seats,
        "tables": len(payoffs.tables),
        "deals": payoffs.n_deals,
        "games": len(payoffs.tables) * payoffs.n_deals * payoffs.n_seats,
        "stationary": {
            name: {"share": float(s), "ci": [float(low), float(high)]}
            for name, s, low, high in zip(names, stationary, *stationary_limits, strict=True)
        },
        "population": POPULATION,
        "selection": SELECTION,
        "regret": {
            name: {"regret": game.regret(mix), "ci": [float(low), float(high)]}
            for (name, mix), low, high in zip(mixes.items(), *regret_limits, strict=True)
        },
        "nash": {"mix": dict(zip(names, map(float, nash), strict=True)), "regret": game.regret(nash)},
        "replicator": {
            "end": dict(zip(names, map(float, path[-1]), strict=True)),
            "is_at_rest": game.is_at_rest(path[-1]),
        },
        "cycles": [
            {"strategies": [names[i] for i in cycle], "bootstrap_share": float(s / max(n_bootstrap, 1))}
            for cycle, s in zip(cycles, seen, strict=True)
        ],
    }
