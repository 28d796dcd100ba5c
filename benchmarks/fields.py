"""What strategies win alone among copies of one bidder, for many bidders, on the same deals: the tables of the docs.

    python benchmarks/fields.py planner predictive --among predictive,half_value,full_value --games 300

The first strategy is compared with each of the others: the difference is paired by deal.
"""

import argparse
import time

import numpy as np

from modernart.analysis.statistics.sequential import student_interval
from modernart.simulator.rules import load_edition
from modernart.simulator.simulate import score
from modernart.strategies.specs import load_strategy, split_specs

#: Deals that no training and no tuning meets.
FIRST_DEAL = 10_000_000
AMONG = "predictive,half_value,fair_share,full_value,standard,heuristic,aggressive,tight"


def half_width(values: np.ndarray) -> float:
    """Return half the width of the 95 % interval of a mean of deals, in points."""
    low, high = student_interval(values)
    return 50 * (high - low)


def main() -> None:
    """Play and print one line for each bidder and strategy."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("specs", nargs="+", help="strategies, each alone at the table in turn")
    parser.add_argument("--among", default=AMONG, help="bidders, each copied into all other seats; with commas")
    parser.add_argument("--games", type=int, default=300, help="games of each cell")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--open-style", default="limit", choices=["limit", "outcry"])
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    rules = load_edition("classic", {"open_style": options.open_style}).rules(options.players)
    n_deals = -(-options.games // options.players)
    line_up = [0] + [1] * (options.players - 1)
    for rival in split_specs(options.among):
        first = None
        for spec in options.specs:
            players = [load_strategy(spec).player(), load_strategy(rival).player()]
            start = time.process_time()
            scores = score(players, rules, line_up, FIRST_DEAL, n_deals, seed=options.seed, threads=options.threads)
            spent = 1000 * (time.process_time() - start) / scores.n_games
            share = scores.win_share[:, 0]
            money = scores.money[:, 0] - scores.money[:, 1:].mean(axis=1)
            line = f"{rival:12} {spec:28} {100 * share.mean():5.1f} +-{half_width(share):4.1f} %"
            line += f"  money {money.mean():+6.1f}  {spent:6.1f} ms a game"
            if first is None:
                first = share
            else:
                line += f"  first less this {100 * (first - share).mean():+5.1f} +-{half_width(first - share):4.1f}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
