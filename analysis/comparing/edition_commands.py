"""The command that compares rule sets: `modernart editions compare`. Heavy imports wait until it runs."""

import json
import string
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from modernart.analysis.cluster.option import SchedulerOption
from modernart.analysis.plain import to_json
from modernart.simulator.arguments import JsonOption, PlayersOption, SeedOption, ThreadsOption, whole
from modernart.simulator.commands import editions_app

if TYPE_CHECKING:
    import pandas as pd
    from rich.table import Table

    from modernart.analysis.comparing.editions import Comparison


def register(app: typer.Typer) -> None:
    """Add the command to those of `modernart editions`, which is part of `app`."""
    editions_app.command("compare")(compare)


def compare(
    editions: Annotated[
        list[str], typer.Argument(metavar="A B [...]", help="Rule sets: NAME, FILE.toml or 'NAME(key=value, ...)'.")
    ],
    field: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y,Z", help="Strategies at the tables, or weak, strong or expert; default: the built-in field."
        ),
    ] = None,
    players: PlayersOption = 4,
    games: Annotated[int, whole("Games under each rule set.")] = 100_000,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
    scheduler: SchedulerOption = "threads",
    output: Annotated[Path | None, typer.Option(help="Write the table as a CSV file too.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Play the same strategies and deals under each rule set and show what changes.

    Differences are from the first rule set, with 95% intervals; where deck and deal are the same the deals are too,
    and the luck of the deal cancels.
    """
    from modernart.analysis.api.studies import compare_editions
    from modernart.simulator.files import check_output, whole_file
    from modernart.strategies.specs import split_specs

    if output is not None:
        check_output(output)
    comparison = compare_editions(
        editions, split_specs(field), players=players, games=games, seed=seed, threads=threads, progress=True
    )
    metrics, shares = comparison.tables["metrics"], comparison.tables["win_shares"]
    if output is not None:
        with whole_file(output) as file:
            metrics.to_csv(file, index=False)
    if as_json:
        tables = {"metrics": metrics, "win_shares": shares}
        typer.echo(
            to_json(
                {"editions": editions, "games": comparison.runs[0].n_games, "seed": seed, "players": players}
                | {name: json.loads(frame.to_json(orient="records")) for name, frame in tables.items()}
            )
        )
        return
    _show(comparison, metrics, shares)
    if output is not None:
        typer.echo(f"Table: {output}")


def _show(comparison: "Comparison", metrics: "pd.DataFrame", shares: "pd.DataFrame") -> None:
    """Print what was compared, under a letter each, and the two tables."""
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    run = comparison.runs[0]
    letters = string.ascii_uppercase[: len(comparison.labels)]
    console.print(
        f"{run.n_games:,} games for {run.rules.players} players under each rule set, seed {run.seed}; "
        "below a value its difference from A with a 95% interval"
    )
    rule_sets = zip(letters, comparison.labels, comparison.runs, comparison.shares_deals, strict=True)
    for letter, label, run, same in rule_sets:
        notes = "" if same else "; deals other hands than A: not paired"
        if run.rules.carries_crowns:
            notes += "; placeholder deck: no source prints the real one"
        console.print(f"  {letter}  {label}{notes}")
    console.print(_table(metrics, "metric", comparison.labels, letters))
    console.print(_table(shares.assign(unit="share"), "win share of", comparison.labels, letters))


def _table(frame: "pd.DataFrame", title: str, labels: tuple[str, ...], letters: str) -> "Table":
    """Lay a long table out with one column a rule set: its value, and below it the difference from the first."""
    from rich.table import Table

    key = frame.columns[0]
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column(title)
    for letter in letters:
        table.add_column(letter, justify="right", no_wrap=True)
    for name in dict.fromkeys(frame[key]):
        rows = frame[frame[key] == name].set_index("edition")
        unit = rows["unit"].iloc[0]
        scale, form, suffix = (100, ".1f", "%") if unit == "share" else (1, ".2f" if unit == "ratio" else ".1f", "")
        cells = []
        for label in labels:
            row = rows.loc[label]
            cell = f"{row.value * scale:{form}}{suffix}" if row.value == row.value else "-"
            if row.difference == row.difference:
                half = (row.difference_high - row.difference_low) / 2
                cell += f"\n{row.difference * scale:+{form}} ±{half * scale:{form}}"
            cells.append(cell)
        table.add_row(name if unit in ("share", "ratio") else f"{name}, {unit}", *cells)
    return table
