"""Measure how often the intervals of a tournament's tables cover the truth.

    python benchmarks/interval_coverage.py [STRATEGY ...] [--runs N] [--games N] [--edition E] [--players N] [--seed S]
    python benchmarks/interval_coverage.py --metagame [--runs N]

Plays many small runs with different seeds. Their pooled games stand for the truth; for every table and every number
with an interval it counts in which share of runs and cells the interval holds the pooled number: about 95 of 100 for a
95 % interval. `shown` is the share of cells that get an interval at all: too few observations get none. Cells of a run
share its deals, so the coverage is uncertain itself: `error` is its standard error from runs. `above` and `below` tell
on which side the truth was missed.

With --metagame the intervals of `modernart metagame` are tried instead, on made-up payoffs of three strategies, almost
equally strong, at four seats: 150 deals a run against 60,000 for the truth.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from modernart.analysis.comparing.metagame import analyse
from modernart.analysis.comparing.payoffs import Payoffs
from modernart.analysis.comparing.population import all_tables
from modernart.analysis.measures import tables_of, tallies_for
from modernart.simulator.rules import load_edition
from modernart.simulator.simulate import Run, simulate
from modernart.strategies.specs import load_players

#: A field with a strategy that rarely wins.
FIELD = ("predictive", "fair_share", "half_value", "full_value", "random")
#: Columns that count what was observed: they name no case.
COUNTS = {"games", "pairs", "rounds", "lots", "seats"}


def runs_of(specs: Sequence[str], edition: str, players: int, games: int, n_runs: int, seed: int) -> Iterator[Run]:
    """Yield independent runs of the same strategies."""
    bidders = load_players(list(specs))
    rules = load_edition(edition).rules(players)
    for number in range(n_runs):
        yield simulate(bidders, rules, games, tallies=tallies_for(rules), seed=seed + number)


def pooled(runs: Sequence[Run]) -> Run:
    """Return one run that holds the games of all."""
    first = runs[0]
    total = first.tallies.blank()
    for run in runs:
        total += run.tallies
    return replace(first, tallies=total, n_blocks=sum(run.n_blocks for run in runs))


def intervals(table: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each number with an interval: its `column`, `case`, value, `low` and `high`.

    Pairs of strategies are put in alphabetical order, since a table may list the better one first.
    """
    numbers = [name for name in frame if f"{name}_low" in frame]
    first = min((frame.columns.get_loc(name) for name in numbers), default=0)
    keys = [name for name in frame.columns[:first] if name not in COUNTS and name != "strength"]
    case = frame[keys].astype(str).agg("|".join, axis=1) if keys else pd.Series("", frame.index)
    parts = []
    turned = np.zeros(len(frame), bool)
    if table == "differences":
        turned = (frame["strategy"] > frame["other"]).to_numpy()
        case = case.where(~turned, frame["other"] + "|" + frame["strategy"])
    sign = np.where(turned, -1.0, 1.0)
    for name in numbers:
        low, high = frame[f"{name}_low"], frame[f"{name}_high"]
        ends = {"low": np.where(turned, -high, low), "high": np.where(turned, -low, high)}
        parts.append(pd.DataFrame({"column": name, "case": case, "value": sign * frame[name], **ends}))
    return pd.concat(parts, ignore_index=True).assign(table=table)


def all_intervals(run: Run) -> pd.DataFrame:
    """Return the rows of `intervals` of every table of a run that has any."""
    tables = {name: frame for name, frame in tables_of(run).items() if len(frame)}
    has_any = {name: any(f"{column}_low" in frame for column in frame) for name, frame in tables.items()}
    return pd.concat([intervals(name, frame) for name, frame in tables.items() if has_any[name]])


def coverage(runs: Sequence[Run]) -> pd.DataFrame:
    """Return by table and column: `coverage`, its `error`, and the share of cells with an interval, `shown`."""
    keys = ["table", "column", "case"]
    truth = all_intervals(pooled(runs)).set_index(keys)["value"].rename("truth")
    parts = [all_intervals(run).assign(run=number) for number, run in enumerate(runs)]
    cells = pd.concat(parts).join(truth, on=keys).dropna(subset=["truth"])
    # An end may be missing where only one side is bounded.
    is_shown = cells["low"].notna() | cells["high"].notna()
    slack = 1e-9 * cells["truth"].abs()
    misses_below = cells["truth"] < cells["low"] - slack
    misses_above = cells["truth"] > cells["high"] + slack
    cells = cells.assign(shown=is_shown, hit=~(misses_below | misses_above), above=misses_above, below=misses_below)
    return summary(cells)


def summary(cells: pd.DataFrame) -> pd.DataFrame:
    """Return the coverage of each table and column from single cells."""
    rows = []
    for (table, column), group in cells.groupby(["table", "column"], sort=False):
        seen = group[group["shown"]]
        row = {"table": table, "column": column, "shown": group["shown"].mean()}
        if len(seen):
            by_run = seen.groupby("run")["hit"].agg(["sum", "count"])
            share = by_run["sum"].sum() / by_run["count"].sum()
            residuals = by_run["sum"] - share * by_run["count"]
            error = np.sqrt((residuals**2).sum()) / by_run["count"].sum()
            row |= {"coverage": share, "error": error, "above": seen["above"].mean(), "below": seen["below"].mean()}
        rows.append(row)
    return pd.DataFrame(rows)


def made_up_payoffs(rng: np.random.Generator, n_deals: int, strengths: Sequence[float]) -> Payoffs:
    """Return payoffs of strategies that win by strength, which every deal changes for all tables alike."""
    tables = all_tables(len(strengths), 4)
    logs = np.log(strengths) + 0.5 * rng.normal(size=(n_deals, len(strengths)))
    wins = np.full((len(tables), n_deals, len(strengths)), np.nan)
    for number, members in enumerate(tables):
        seats = np.bincount(members, minlength=len(strengths))
        weights = np.exp(logs + 0.4 * rng.normal(size=logs.shape))
        shares = weights / (weights @ seats)[:, None]
        wins[number] = np.where(seats > 0, shares, np.nan)
    return Payoffs([f"s{i}" for i in range(len(strengths))], tables, wins, wins)


def metagame_coverage(n_runs: int, strengths: Sequence[float] = (1.0, 1.02, 0.99)) -> pd.DataFrame:
    """Return the coverage of shares of time and of regrets in a metagame."""
    rng = np.random.default_rng(1)
    game = made_up_payoffs(rng, 60_000, strengths).game()
    names = [f"s{i}" for i in range(len(strengths))]
    stationary = dict(zip(names, game.stationary(), strict=True))
    mixes = {f"all {name}": row for name, row in zip(names, np.eye(len(names)), strict=True)}
    mixes["uniform"] = np.full(len(names), 1 / len(names))
    rows = []
    for run in range(n_runs):
        outcome = analyse(made_up_payoffs(rng, 150, strengths), n_bootstrap=100, seed=run)
        found = [("share of time", stationary[name], outcome["stationary"][name]["ci"]) for name in names]
        found += [("regret", game.regret(mix), outcome["regret"][name]["ci"]) for name, mix in mixes.items()]
        for column, truth, (low, high) in found:
            above, below = truth > high + 1e-9, truth < low - 1e-9
            row = {"table": "metagame", "column": column, "run": run, "shown": True}
            rows.append(row | {"hit": not (above or below), "above": above, "below": below})
    return summary(pd.DataFrame(rows))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the study and print its table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("strategies", nargs="*", default=FIELD)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--games", type=int, default=1280)
    parser.add_argument("--edition", default="classic")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--metagame", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    if options.metagame:
        table = metagame_coverage(options.runs)
    else:
        field = (options.strategies, options.edition, options.players, options.games, options.runs, options.seed)
        table = coverage(list(runs_of(*field)))
    if options.json:
        print(json.dumps(table.to_dict("records")))
    else:
        print(table.to_string(index=False, float_format=lambda x: f"{100 * x:.1f}"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
