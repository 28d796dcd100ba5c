"""How much less an estimate would vary if the orders of the players around the table came equally often.

    python benchmarks/seating_orders.py [--blocks N] [--seed S] [--json]

A run draws each block's order around the table. If all (n - 1)! orders came equally often instead, the variance between
their expectations would leave the estimates: this program plays every order on deals of its own and tells, by an
analysis of variance, how large that part is. The gain of a strategy is (variance within + between orders) / (within).
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections.abc import Sequence

import numpy as np

from modernart.simulator.rules import load_edition
from modernart.simulator.simulate import score
from modernart.strategies.specs import load_players

FIELDS = {
    "weak": ("random", "never_buy", "full_value", "half_value"),
    "mixed": ("never_buy", "half_value", "fair_share", "predictive"),
    "strong": ("fair_share", "predictive", "reader", "high_roller"),
}


def gain_of(outcomes: Sequence[np.ndarray]) -> tuple[float, float]:
    """Return the gain, and its standard error if orders do not matter at all.

    Parameters
    ----------
    outcomes : sequence of ndarray of float, shape (n_blocks,)
        One array an order.
    """
    n = len(outcomes[0])
    within = float(np.mean([one.var(ddof=1) for one in outcomes]))
    # The variance of the means holds the variance within too, divided by the blocks of an order.
    between = float(np.var([one.mean() for one in outcomes], ddof=1)) - within / n
    return 1 + between / within, float(np.sqrt(2 / (len(outcomes) - 1))) / n


def gains(field: Sequence[str], n_blocks: int, seed: int) -> dict[str, dict[str, tuple[float, float]]]:
    """Return the gain of each strategy of a field, for win shares and for money.

    Parameters
    ----------
    field : sequence of str
        Specs of four strategies.
    n_blocks : int
        Blocks of each order.
    seed : int
    """
    rules = load_edition("classic").rules(len(field))
    players = load_players(field)
    found: dict[int, list] = {k: [] for k in range(len(field))}
    for i, others in enumerate(itertools.permutations(range(1, len(field)))):
        line_up = (0, *others)
        scores = score(players, rules, line_up, i * n_blocks, n_blocks, seed=seed)
        for position, k in enumerate(line_up):
            found[k].append((scores.win_share[:, position], scores.money[:, position]))
    return {
        name: {
            "wins": gain_of([wins for wins, _ in found[k]]),
            "money": gain_of([money for _, money in found[k]]),
        }
        for k, name in enumerate(field)
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure all fields and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--blocks", type=int, default=4000, help="blocks of each order (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the deals (default %(default)s)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(arguments)
    if args.blocks < 2:
        parser.error(f"--blocks must be at least 2, got {args.blocks}")
    table = {name: gains(field, args.blocks, args.seed) for name, field in FIELDS.items()}
    if args.json:
        print(json.dumps(table))
        return 0
    print(f"{'field':8}{'strategy':14}{'wins':>8}{'money':>8}   gain; chance alone: +-{2 * table_error(table):.4f}")
    for name, rows in table.items():
        for strategy, row in rows.items():
            print(f"{name:8}{strategy:14}{row['wins'][0]:8.3f}{row['money'][0]:8.3f}")
    return 0


def table_error(table: dict) -> float:
    """Return the standard error that all gains share."""
    return next(iter(next(iter(table.values())).values()))["wins"][1]


if __name__ == "__main__":
    sys.exit(main())
