"""A symmetric game of several players: what its mixes of strategies pay, and where a population of players would go."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import integrate, optimize, stats

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


def all_tables(n_strategies: int, n_seats: int) -> np.ndarray:
    """Return every multiset of strategies, int64 of shape (n_tables, n_seats)."""
    return np.array(list(itertools.combinations_with_replacement(range(n_strategies), n_seats)), np.int64)


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
        return float(self.gains(mix).max())

    def gains(self, mix: np.ndarray) -> np.ndarray:
        """Return what each pure strategy gains over a mix where all opponents play the mix, shape (n_strategies,)."""
        fitness = self.fitness(mix)
        return fitness - fitness @ mix

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
