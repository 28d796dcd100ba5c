"""How many times cheaper a duel with forks is than one of separate games, for the same precision.

    python benchmarks/paired_duels.py [--duels N] [--deals N] [--seed S] [--json]

Every duel is played in both ways on the same deals. Efficiency is the variance of a deal's difference without forks
over that with forks, times the processor time without over that with. As both ways have the same expectation, the mean
of their difference over all duels must be 0: z is that mean in standard errors.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from statistics import mode

import numpy as np

from modernart.simulator.paired_games import FORKED
from modernart.simulator.rules import load_edition
from modernart.strategies.specs import load_players
from modernart.strategies.tuning.focal_seat import FocalScores, FocalSeat
from modernart.strategies.tuning.paired_seat import PairedSeat

PAIR = ("predictive(open=0.9)", "predictive")
FIELDS = ("fair_share", "half_value", "predictive")
MEASURES = ("win_share", "money")


def timed(score, *args: int) -> tuple[list[FocalScores], float]:
    """Return the scores of A and B, and the processor time that they took."""
    start = time.process_time()
    return score(*args), time.process_time() - start


def with_error(ratio, n: int) -> tuple[float, float]:
    """Return a ratio over all duels and its standard error, by a jackknife over duels."""
    left_out = [ratio(np.delete(np.arange(n), i)) for i in range(n)]
    return ratio(np.arange(n)), float(np.sqrt((n - 1) * np.var(left_out)))


def measure(rival: str, n_duels: int, n_deals: int, seed: int) -> dict:
    """Return what duels among copies of a rival cost and how much they vary, in both ways."""
    a, b = load_players(PAIR)
    focal_seat = FocalSeat(load_players([rival]), load_edition("classic").rules(4), seed, threads=1)
    pair = PairedSeat(focal_seat, a, b)
    # The pilot, with all that compiles.
    pair.score(0, 64)
    focal_seat.score_all((a, b), 0, 4)
    values = np.zeros((n_duels, 2, 2, n_deals))  # by way and measure
    seconds = np.zeros((n_duels, 2))
    repeats = []
    for i in range(n_duels):
        deals = (64 + i * n_deals, n_deals)
        repeats.append(pair.repeats)
        apart, seconds[i, 0] = timed(lambda *deals: focal_seat.score_all((a, b), *deals), *deals)
        forked, seconds[i, 1] = timed(pair.score, *deals)
        for way, (one, other) in enumerate((apart, forked)):
            for k, name in enumerate(MEASURES):
                values[i, way, k] = getattr(one, name) - getattr(other, name)
    n_forked = sum(scores.counts[:, FORKED].sum() for scores in pair.played[1:])
    found = {
        "rival": rival,
        "forked": float(n_forked) / (n_duels * n_deals * 4),
        "repeats": mode(repeats),
        "cpu_ratio": with_error(lambda on: seconds[on, 1].sum() / seconds[on, 0].sum(), n_duels),
    }
    for k, name in enumerate(MEASURES):

        def variances(on, k=k):
            return values[on, 0, k].var() / values[on, 1, k].var()

        def efficiency(on, variances=variances):
            return variances(on) * seconds[on, 0].sum() / seconds[on, 1].sum()

        off = (values[:, 1, k] - values[:, 0, k]).mean(axis=1)
        error = off.std(ddof=1) / np.sqrt(n_duels)
        found[name] = {
            "variance_ratio": with_error(variances, n_duels),
            "efficiency": with_error(efficiency, n_duels),
            "bias": float(off.mean()),
            "z": float(off.mean() / error) if error else 0.0,
        }
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure all fields and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--duels", type=int, default=100, help="duels among each rival (default %(default)s)")
    parser.add_argument("--deals", type=int, default=100, help="deals of a duel (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the deals (default %(default)s)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(arguments)
    if min(args.duels, args.deals) < 2:
        parser.error("--duels and --deals must be at least 2")
    if not args.json:
        print(f"{PAIR[0]} against {PAIR[1]}, {args.duels} duels of {args.deals} deals; +- 1.96 standard errors")
        print("rival        forked  repeats  CPU ratio      measure    variance ratio   efficiency      z")
    rows = []
    for rival in FIELDS:
        row = measure(rival, args.duels, args.deals, args.seed)
        rows.append(row)
        if args.json:
            continue
        for name in MEASURES:
            one = row[name]
            print(
                f"{rival:12}{row['forked']:7.1%}{row['repeats']:8}   {_shown(row['cpu_ratio'])}   {name:10}"
                f"{_shown(one['variance_ratio'])}    {_shown(one['efficiency'])}   {one['z']:+.2f}",
                flush=True,
            )
    if args.json:
        print(json.dumps(rows))
    return 0


def _shown(estimate: tuple[float, float]) -> str:
    value, error = estimate
    return f"{value:5.2f} +-{1.96 * error:5.2f}"


if __name__ == "__main__":
    sys.exit(main())
