"""Try any number of hostile inputs, each kind in turn: `python benchmarks/fuzz.py --cases 100000 --seed 1`.

Prints a table of how many were tried, accepted and refused. The first input that gives anything but a result or one of
the project's own errors ends it, made as small as hypothesis can.
"""

import argparse
import sys
import time
from pathlib import Path

from hypothesis import HealthCheck, given, seed, settings

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fuzzing import KINDS, altered, holds, run_file_of, try_record, try_run_file

from modernart.simulator.games import records_of_run
from modernart.simulator.rules import load_edition
from modernart.strategies.specs import load_players

#: The editions and numbers of players whose records are altered.
_GAMES = (("classic", 4), ("online", 5), ("shill", 3))


def main() -> None:
    """Read the arguments and fuzz."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000, help="inputs in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help='a single kind, as "run.json"')
    arguments = parser.parse_args()
    kinds = dict(KINDS)
    for edition, players in _GAMES:
        rules = load_edition(edition).rules(players)
        record = next(records_of_run(load_players(["random"]), rules, arguments.seed, 0, 1))
        kinds[f"records, {edition}"] = (altered(record), try_record)
    kinds["run.json"] = (altered(run_file_of(rules.to_record())), try_run_file)
    if arguments.only is not None:
        if arguments.only not in kinds:
            parser.error(f"--only must be one of {', '.join(kinds)}")
        kinds = {arguments.only: kinds[arguments.only]}
    print("| input | tried | accepted | refused in a sentence | seconds |\n|---|---|---|---|---|")
    for kind, (drawn, attempt) in kinds.items():
        start = time.monotonic()
        n_tried, n_accepted = _fuzz(drawn, attempt, -(-arguments.cases // len(kinds)), arguments.seed)
        seconds = time.monotonic() - start
        print(f"| {kind} | {n_tried:,} | {n_accepted:,} | {n_tried - n_accepted:,} | {seconds:.0f} |", flush=True)


def _fuzz(drawn, attempt, n_cases: int, run_seed: int) -> tuple[int, int]:
    """Try inputs; return how many were tried and how many of them accepted."""
    n_tried = n_accepted = 0

    @seed(run_seed)
    @settings(max_examples=n_cases, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(drawn)
    def run(value):
        nonlocal n_tried, n_accepted
        n_tried += 1
        n_accepted += holds(attempt, value)

    run()
    return n_tried, n_accepted


if __name__ == "__main__":
    main()
