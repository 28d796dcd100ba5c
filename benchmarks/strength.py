"""How strong our best bidders are: every figure of docs/learned.md and docs/strategies.md on strength, part by part.

    python benchmarks/strength.py                  # lists the parts
    python benchmarks/strength.py planner copies   # plays two of them

Deals, seeds and random streams are fixed, so the same version gives the same figures; only times differ. A line names
the bidder that all other seats are copies of, then the strategy alone among them (see `fields.py`).
"""

import argparse
from dataclasses import dataclass

from fields import AMONG, print_cells

from modernart.simulator.players import Player
from modernart.simulator.rules import load_edition
from modernart.strategies.checking import COMPANY, cost_per_decision
from modernart.strategies.specs import load_players, split_specs

READER_PARTS = (
    "reader",
    "reader(read_prices=0)",
    "reader(read_sealed=0)",
    "reader(read_once=1)",
    "reader(read_sealed=0,read_prices=0)",
)


@dataclass(frozen=True)
class Table:
    """Cells that are played alike.

    Parameters
    ----------
    specs, among : tuple of str
        Strategies alone in turn, and the bidders that they meet.
    games : int
        Of each cell.
    players : int
    edition : str
    changes : tuple of (str, str)
        Options of the edition that are changed.
    """

    specs: tuple[str, ...]
    among: tuple[str, ...]
    games: int
    players: int = 4
    edition: str = "classic"
    changes: tuple[tuple[str, str], ...] = ()

    def play(self, threads: int) -> None:
        """Play and print."""
        changed = ", ".join(f"{name} {value}" for name, value in self.changes)
        print(f"# {self.edition}{', ' + changed if changed else ''}, {self.players} seats, {self.games:,} games a cell")
        rules = load_edition(self.edition, dict(self.changes)).rules(self.players)
        print_cells(self.specs, self.among, rules, self.games, threads=threads)


FIELDS = tuple(split_specs(AMONG))
OUTCRY = (("open_style", "outcry"),)
PARTS = {
    "learned": [
        table
        for players in (3, 4, 5)
        for table in (
            Table(("learned",), ("reader", *FIELDS, "random"), 20_000, players),
            Table(("predictive",), ("learned",), 20_000, players),
        )
    ],
    "relatives": [
        Table(("learned",), ("predictive",), 8_000, changes=OUTCRY),
        Table(("learned",), ("predictive",), 8_000, edition="online"),
        Table(("learned",), ("predictive",), 8_000, 3, edition="shill"),
        Table(("learned",), ("predictive", "half_value"), 8_000, edition="sotheby"),
    ],
    "planner": [Table(("planner", "learned"), FIELDS, 600)],
    "planner-outcry": [Table(("planner", "learned"), FIELDS, 300, changes=OUTCRY)],
    "rollouts": [
        Table(tuple(f"planner@predictive(rollouts={n})" for n in (16, 4, 64)), ("predictive",), 600),
    ],
    "strangers": [Table(("planner", "learned"), ("ratio", "merchant", "reactive"), 300)],
    "copies": [Table(("planner(read=0)", "learned"), ("learned",), 1_000)],
    "reading": [
        Table(READER_PARTS, ("tight", "aggressive", "half_value", "predictive", "reader"), 4_000, 5),
        Table(READER_PARTS, ("predictive", "reader"), 20_000),
    ],
}


def print_costs() -> None:
    """Print the processor time of a decision, the best of five measurements."""
    rules = load_edition("classic").rules(4)
    company: list[Player] = load_players(COMPANY)
    for spec, times in (("predictive", 5), ("learned", 5), ("reader", 5), ("planner", 1)):
        one = load_players([spec])[0]
        best = min(cost_per_decision(one, rules, company) for _ in range(times))
        print(f"{spec:12} {best:8.2f} microseconds a decision", flush=True)


def main() -> None:
    """Play the parts that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"one of {', '.join(PARTS)}, costs")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    for part in options.parts:
        if part != "costs" and part not in PARTS:
            parser.error(f"there is no part {part}; there are {', '.join(PARTS)}, costs")
    if not options.parts:
        for name, tables in PARTS.items():
            games = sum(table.games * len(table.specs) * len(table.among) for table in tables)
            print(f"{name:16} {games:,} games")
        print("costs            processor time of a decision")
    for part in options.parts:
        if part == "costs":
            print_costs()
        else:
            for table in PARTS[part]:
                table.play(options.threads)


if __name__ == "__main__":
    main()
