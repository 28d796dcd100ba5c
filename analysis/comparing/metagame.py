"""The game of choosing a strategy: where a population of players would go, with intervals.

Strategies are the moves of a symmetric game for as many players as the table has seats; the payoff is the win share. A
table is a multiset of strategies. All tables play the same deals, so a bootstrap over deals gives intervals of all that
follows from the payoffs.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from modernart.analysis.comparing.payoffs import Payoffs
from modernart.analysis.comparing.population import POPULATION, SELECTION
from modernart.analysis.statistics.bootstrap import limits_of_maximum, share_limits


def analyse(payoffs: Payoffs, n_bootstrap: int = 200, seed: int = 1) -> dict[str, Any]:
    """Return where a population of players goes, with 95 % intervals from a bootstrap over deals.

    Returns
    -------
    dict
        `stationary`: share of time by strategy; `regret` of everybody playing one strategy, of the uniform and of the
        stationary mix; `nash`: mix of least regret and its regret; `replicator`: where the dynamics from the uniform
        mix are at the end, and whether at rest; `cycles`: of strategies each of which replaces the one before, with
        the share of bootstrap samples that show them.
    """
    game = payoffs.game()
    names, n = payoffs.names, len(payoffs.names)
    uniform = np.full(n, 1 / n)
    stationary, nash, cycles = game.stationary(), game.nash_mix(), game.cycles()
    mixes = {f"all {name}": row for name, row in zip(names, np.eye(n), strict=True)}
    mixes |= {"uniform": uniform, "stationary": stationary, "least regret": nash}
    regrets = [game.regret(mix) for mix in mixes.values()]
    sampled = _bootstrap(payoffs, list(mixes.values()), cycles, n_bootstrap, seed)
    stationary_limits = share_limits(stationary, sampled.stationary)
    regret_limits = [
        limits_of_maximum(game.gains(mix), samples) for mix, samples in zip(mixes.values(), sampled.gains, strict=True)
    ]
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
            name: {"regret": regret, "ci": [max(low, 0.0), high]}
            for name, regret, (low, high) in zip(mixes, regrets, regret_limits, strict=True)
        },
        "nash": {"mix": dict(zip(names, map(float, nash), strict=True)), "regret": game.regret(nash)},
        "replicator": {
            "end": dict(zip(names, map(float, path[-1]), strict=True)),
            "is_at_rest": game.is_at_rest(path[-1]),
        },
        "cycles": [
            {"strategies": [names[i] for i in cycle], "bootstrap_share": float(share)}
            for cycle, share in zip(cycles, sampled.cycle_shares, strict=True)
        ],
    }


class _Samples(NamedTuple):
    """What follows from the payoffs of each bootstrap sample."""

    stationary: np.ndarray  #: (n_bootstrap, n_strategies)
    gains: np.ndarray  #: (n_mixes, n_bootstrap, n_strategies), of each pure strategy over the mix
    cycle_shares: np.ndarray  #: (n_cycles,)


def _bootstrap(
    payoffs: Payoffs, mixes: Sequence[np.ndarray], cycles: Sequence[tuple[int, ...]], n_bootstrap: int, seed: int
) -> _Samples:
    """Draw deals with replacement, and analyse the mean payoffs of each draw."""
    rng = np.random.default_rng(seed)
    stationary, gains, seen = [], [], np.zeros(len(cycles))
    for _ in range(n_bootstrap):
        weights = np.bincount(rng.integers(payoffs.n_deals, size=payoffs.n_deals), minlength=payoffs.n_deals)
        sample = payoffs.game(weights.astype(float))
        stationary.append(sample.stationary())
        gains.append([sample.gains(mix) for mix in mixes])
        edges = sample.invasions()
        seen += [all(edges[a, b] for a, b in zip(c, (*c[1:], c[0]), strict=True)) for c in cycles]
    return _Samples(np.array(stationary), np.array(gains).swapaxes(0, 1), seen / max(n_bootstrap, 1))
