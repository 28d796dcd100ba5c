"""See that nothing grows over very many games, and that every sum fits: `python benchmarks/endurance.py`.

Prints games, speed and memory once a minute. Whenever it prints, and at the end, the tallies must fit together to the
last unit: seats and wins, cards, lots, ranks, and money in and out of the bank.
"""

import argparse
import os
import resource
import sys
import time
from pathlib import Path

import numpy as np

from modernart.analysis.measures import tallies_for
from modernart.simulator.rules import load_edition
from modernart.simulator.scoring import WIN_UNITS
from modernart.simulator.simulate import Run, simulate
from modernart.simulator.state import N_ARTISTS
from modernart.strategies.specs import load_players


def check(run: Run) -> int:
    """Raise an AssertionError if the tallies do not fit together; returns how many equations were tried."""
    games, rules = run.n_games, run.rules
    totals = {name: array.sum(axis=0) for name, array in run.tallies.arrays.items()}

    def of(tally: str, quantity: str, *axes: str) -> np.ndarray:
        return run.tallies.sums(tally).by(*axes)[quantity].sum(axis=0)

    rounds = {name: of("rounds", name, "round") for name in ("rounds", "cards_left", "payout", "money", "cards_up")}
    start = games * rules.all_starting_money
    equations = {
        "seats of scores": (of("scores", "seats"), games * rules.players),
        "win units": (of("scores", "win_units"), games * WIN_UNITS),
        "seats of final money": (of("final_money", "seats"), games * rules.players),
        "rounds": (rounds["rounds"], games),
        "rounds of lengths": (of("lengths", "rounds", "round"), games),
        "a rank for each artist": (of("market", "rounds", "round"), games * N_ARTISTS),
        "cards dealt": (rounds["cards_up"].sum() + rounds["cards_left"][-1], games * rules.n_dealt),
        "lots sold": (of("paintings", "lots", "round"), of("lots", "lots", "round")),
        "prices": (of("paintings", "price", "round"), of("lots", "price", "round")),
        "values": (of("paintings", "value", "round"), of("lots", "value", "round")),
        "money of all": (np.diff(rounds["money"], prepend=start), rounds["payout"] - of("lots", "to_bank", "round")),
        "final money": (of("scores", "money"), rounds["money"][-1]),
        "payouts are what the paintings are worth": (rounds["payout"], of("lots", "value", "round")),
    }
    for name, (one, other) in equations.items():
        assert np.all(one == other), f"{name}: {one} is not {other} after {games:,} games"
    assert all((total >= 0).all() for name, total in totals.items() if name not in ("scores", "cross"))
    return len(equations)


def memory() -> float:
    """Return how many MB of memory this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> None:
    """Read the arguments and play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10**8)
    parser.add_argument("--minutes", type=float, default=20.0, help="stop then, if not all games are played")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("specs", nargs="*", default=["random"])
    arguments = parser.parse_args()
    rules = load_edition("classic").rules(4)
    players = load_players(arguments.specs)
    began = told = time.monotonic()
    print("| games | seconds of playing | memory, MB | equations that hold |\n|---|---|---|---|", flush=True)

    class Done(Exception):
        """The time is up."""

    def after_chunk(run: Run) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told > 60 or run.n_games >= arguments.games:
            told = now
            print(f"| {run.n_games:,} | {run.seconds:,.0f} | {memory():.0f} | {check(run)} |", flush=True)
        if now - began > 60 * arguments.minutes:
            check(run)
            raise Done

    try:
        simulate(
            players,
            rules,
            arguments.games,
            tallies=tallies_for(rules),
            threads=arguments.threads,
            on_progress=after_chunk,
        )
    except Done:
        print(f"stopped after {arguments.minutes:g} minutes", file=sys.stderr)
    print(f"most memory at once: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB", file=sys.stderr)


if __name__ == "__main__":
    main()
