"""What strategies win alone among copies of one bidder, for many bidders, on the same deals: the tables of the docs.

    python benchmarks/fields.py planner predictive --among predictive,half_value,full_value --games 300

The first strategy is compared with each of the others: the difference is paired by deal.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from modernart.analysis.statistics.sequential import student_interval
from modernart.simulator.rules import Rules, load_edition
from modernart.simulator.simulate import score
from modernart.strategies.specs import load_strategy, split_specs

#: Deals that no training and no tuning meets.
FIRST_DEAL = 10_000_000
SEED = 77
AMONG = "predictive,half_value,fair_share,full_value,standard,heuristic,aggressive,tight"


@dataclass(frozen=True)
class Cell:
    """What a strategy wins alone among copies of a bidder.

    Parameters
    ----------
    share, money : ndarray of float, shape (n_deals,)
        Win share, and money relative to the rivals' mean; means over a deal's games.
    milliseconds : float
        Processor time of a game.
    """

    share: np.ndarray
    money: np.ndarray
    milliseconds: float


def half_width(values: np.ndarray) -> float:
    """Return half the width of the 95 % interval of a mean of deals, in points."""
    low, high = student_interval(values)
    return 50 * (high - low)


def play_cell(spec: str, rival: str, rules: Rules, games: int, seed: int = SEED, threads: int = 1) -> Cell:
    """Play one strategy alone among copies of a bidder."""
    players = [load_strategy(spec).player(), load_strategy(rival).player()]
    line_up = [0] + [1] * (rules.players - 1)
    n_deals = -(-games // rules.players)
    # Compiled before the clock starts.
    score(players, rules, line_up, FIRST_DEAL, 1, seed=seed, threads=threads)
    start = time.process_time()
    scores = score(players, rules, line_up, FIRST_DEAL, n_deals, seed=seed, threads=threads)
    spent = 1000 * (time.process_time() - start) / scores.n_games
    return Cell(scores.win_share[:, 0], scores.money[:, 0] - scores.money[:, 1:].mean(axis=1), spent)


def print_cells(specs: Sequence[str], among: Sequence[str], rules: Rules, games: int, **options: int) -> None:
    """Play and print one line for each bidder and strategy, with what the first wins more than each other."""
    for rival in among:
        first = None
        for spec in specs:
            cell = play_cell(spec, rival, rules, games, **options)
            line = f"{rival:12} {spec:28} {100 * cell.share.mean():5.1f} +-{half_width(cell.share):4.1f} %"
            line += f"  money {cell.money.mean():+6.1f}  {cell.milliseconds:6.1f} ms a game"
            if first is None:
                first = cell.share
            else:
                more = first - cell.share
                line += f"  first less this {100 * more.mean():+5.1f} +-{half_width(more):4.1f}"
            print(line, flush=True)


def main() -> None:
    """Play what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("specs", nargs="+", help="strategies, each alone at the table in turn")
    parser.add_argument("--among", default=AMONG, help="bidders, each copied into all other seats; with commas")
    parser.add_argument("--games", type=int, default=300, help="games of each cell")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--edition", default="classic")
    parser.add_argument("--open-style", choices=["limit", "outcry"], help="default: the edition's")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    changes = {"open_style": options.open_style} if options.open_style else {}
    rules = load_edition(options.edition, changes).rules(options.players)
    among = split_specs(options.among)
    print_cells(options.specs, among, rules, options.games, seed=options.seed, threads=options.threads)


if __name__ == "__main__":
    main()
