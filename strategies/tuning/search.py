"""Find good parameters of a strategy: an evolution strategy on common deals, fresh in every generation.

CMA-ES with learning-rate adaptation (Nomura, Akimoto, Ono 2023, arXiv:2304.03473; package `cmaes`) moves a normal
distribution over the parameters, scaled to their bounds. All candidates of a generation play the same deals in the same
focal seat with the same random streams, so luck hardly decides between them. Every generation plays new deals, so that
no set of deals can be learned by heart. The result is the mean of the last distribution, not the luckiest candidate.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from modernart.simulator.errors import UsageError
from modernart.strategies.base import Strategy
from modernart.strategies.tuning.focal_seat import FocalSeat

Objective = Literal["money", "win"]

#: Deals that each candidate of a generation plays, where the budget allows. For a given budget, more generations of
#: fewer deals did better on `predictive` (8, 16 and 32 deals were tried).
DEALS = 8
#: A small budget gets fewer deals a candidate, to leave at least so many generations.
_FEWEST_GENERATIONS = 40
_FEWEST_DEALS = 4
#: Width of the first distribution, as a share of each parameter's range.
SIGMA = 0.1
_SMALLEST_POPULATION = 8


@dataclass(frozen=True)
class Search:
    """What to tune, and how.

    Parameters
    ----------
    strategy : Strategy
        Its parameters are the starting point.
    names : sequence of str
        Parameters to tune; the others stay.
    objective : {"money", "win"}
        Money relative to rivals, or win share.
    budget : int
        Maximum number of games; the first generation is always played.
    n_seats : int
    seed : int
        Of the evolution strategy.
    """

    strategy: Strategy
    names: Sequence[str]
    objective: Objective
    budget: int
    n_seats: int
    seed: int = 1
    sigma: float = SIGMA

    def __post_init__(self) -> None:
        """Check the names and numbers."""
        if not self.strategy.params:
            raise UsageError(f"{self.strategy.name} has no parameters to tune")
        if not self.names:
            raise UsageError("name at least one parameter to tune")
        for name in self.names:
            if name not in self.strategy.params:
                known = ", ".join(self.strategy.params)
                raise UsageError(f'strategy {self.strategy.name} has no parameter "{name}"; it has: {known}')
            if self.strategy.params[name].low == self.strategy.params[name].high:
                raise UsageError(f"{name} of {self.strategy.name} has but one possible value; leave it out")
        if len(set(self.names)) < len(self.names):
            raise UsageError("a parameter to tune is named twice; keep one")
        if self.objective not in ("money", "win"):
            raise UsageError(f'objective must be money or win, got "{self.objective}"')
        if self.budget < 1:
            raise UsageError(f"budget must be at least 1 game, got {self.budget}")

    @property
    def population(self) -> int:
        """Candidates of a generation."""
        return max(_SMALLEST_POPULATION, 4 + math.floor(3 * math.log(len(self.names))))

    @property
    def n_deals(self) -> int:
        """Deals that each candidate plays."""
        games = self.population * self.n_seats * _FEWEST_GENERATIONS
        return max(_FEWEST_DEALS, min(DEALS, self.budget // games))

    @property
    def games_a_generation(self) -> int:
        """Games of one generation."""
        return self.population * self.n_deals * self.n_seats

    @property
    def n_generations(self) -> int:
        """Generations within the budget."""
        return max(1, self.budget // self.games_a_generation)

    @property
    def bounds(self) -> np.ndarray:
        """Bounds of the tuned parameters, shape (n_names, 2)."""
        return np.array([[self.strategy.params[n].low, self.strategy.params[n].high] for n in self.names])

    @property
    def start(self) -> np.ndarray:
        """Starting point, scaled to 0..1."""
        vector = dict(zip(self.strategy.params, self.strategy.vector, strict=True))
        low, high = self.bounds.T
        return (np.array([vector[name] for name in self.names]) - low) / (high - low)

    def values(self, point: np.ndarray) -> dict[str, float]:
        """Return the parameters at a scaled point."""
        low, high = self.bounds.T
        # Clipped, as scaling there and back may step over a bound by the last bit.
        scaled = np.clip(low + np.asarray(point) * (high - low), low, high)
        return dict(zip(self.names, (float(value) for value in scaled), strict=True))

    def at(self, point: np.ndarray) -> Strategy:
        """Return the strategy at a scaled point."""
        return self.strategy.with_values(self.values(point))


@dataclass(frozen=True)
class Generation:
    """One generation as it was played.

    Parameters
    ----------
    candidates : ndarray of float, shape (population, n_names)
        Scaled to 0..1.
    scores : ndarray of float, shape (population,)
        Mean objective of each.
    win_shares : ndarray of float, shape (population,)
    """

    candidates: np.ndarray
    scores: np.ndarray
    win_shares: np.ndarray


@dataclass
class Progress:
    """Where a search stands.

    Parameters
    ----------
    means : list of ndarray of float, shape (n_names,)
        Mean of the distribution before the first generation and after each, scaled to 0..1.
    sigmas : list of ndarray of float, shape (n_names,)
        Its standard deviation by parameter, likewise.
    generations : list of Generation
    """

    means: list[np.ndarray] = field(default_factory=list)
    sigmas: list[np.ndarray] = field(default_factory=list)
    generations: list[Generation] = field(default_factory=list)

    @property
    def best_score(self) -> float:
        """Best score that any candidate had: too good to be true, as luck chose it."""
        return max((float(g.scores.max()) for g in self.generations), default=math.nan)


def search(
    plan: Search,
    focal_seat: FocalSeat,
    *,
    history: Sequence[Generation] = (),
    on_generation: Callable[[Progress], None] | None = None,
) -> Progress:
    """Run a search, or go on with one.

    Parameters
    ----------
    plan : Search
    focal_seat : FocalSeat
        Where candidates play. Generation g plays deals `g * n_deals` to `(g + 1) * n_deals - 1`.
    history : sequence of Generation, optional
        Generations already played; the evolution strategy goes through them again without games, which brings it to
        the very same state.
    on_generation : callable, optional
        Called with the progress after each new generation, to save and show it.

    Returns
    -------
    Progress

    Raises
    ------
    UsageError
        If the history is not that of this search.
    """
    from cmaes import CMA

    optimizer = CMA(
        mean=plan.start,
        sigma=plan.sigma,
        bounds=np.tile([0.0, 1.0], (len(plan.names), 1)),
        population_size=plan.population,
        seed=plan.seed % 2**32,
        lr_adapt=True,
    )
    progress = Progress([plan.start], [np.full(len(plan.names), plan.sigma)])
    for number in range(plan.n_generations):
        candidates = np.array([optimizer.ask() for _ in range(plan.population)])
        if number < len(history):
            generation = history[number]
            if generation.candidates.shape != candidates.shape or not np.allclose(generation.candidates, candidates):
                raise UsageError(
                    f"generation {number} of the study was drawn by another version of cmaes or NumPy; "
                    "start a new study"
                )
        else:
            generation = _play_generation(plan, focal_seat, candidates, number * plan.n_deals)
        optimizer.tell([(point, -score) for point, score in zip(generation.candidates, generation.scores, strict=True)])
        progress.generations.append(generation)
        progress.means.append(optimizer.mean.copy())
        progress.sigmas.append(generation.candidates.std(axis=0))
        if number >= len(history) and on_generation is not None:
            on_generation(progress)
    return progress


def _play_generation(plan: Search, focal_seat: FocalSeat, candidates: np.ndarray, first_deal: int) -> Generation:
    """Let every candidate play the same deals."""
    players = [plan.at(point).player() for point in candidates]
    outcomes = focal_seat.score_all(players, first_deal, plan.n_deals)
    scores = np.array([float(outcome.objective(plan.objective).mean()) for outcome in outcomes])
    return Generation(candidates, scores, np.array([float(outcome.win_share.mean()) for outcome in outcomes]))
