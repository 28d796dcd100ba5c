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
from modernart.simulator.terminal_tables import Column, print_table

if TYPE_CHECKING:
    import pandas as pd

    from modernart.analysis.comparing.editions import Comparison


def register(app: typer.Typer) -> None:
    """Add the command to those of `modernart editions`, which is part of `app`."""
    editions_app.command("compare")(compare)


def compare(
    editions: Annotated[
        list[str],
        typer.Argument(
            metavar="A B [...]",
            help="Rule sets: NAME, FILE.toml or 'NAME(key=value, ...)'; players=6 is a key too.",
        ),
    ],
    field: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y,Z", help="Strategies at the tables, or weak, strong or expert; default: the built-in field."
        ),
    ] = None,
    sweep: Annotated[
        str | None,
        typer.Option(
            metavar="KEY=FROM:TO", help="Compare the values of one option, as end_count=4:8 or debt=true,false."
        ),
    ] = None,
    players: PlayersOption = 4,
    games: Annotated[int, whole("Games under each rule set.")] = 100_000,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
    scheduler: SchedulerOption = "threads",
    output: Annotated[
        Path | None,
        typer.Option(help="Write the table as a CSV file too; with --sweep also curves, as PNG."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Play the same strategies and deals under each rule set and show what changes.

    Differences are from the first rule set, with 95% intervals; where deck and deal are the same the deals are too,
    and the luck of the deal cancels.
    """
    from modernart.analysis.progress import stages

    with stages("starting"):
        from modernart.analysis.api.studies import compare_editions
        from modernart.analysis.comparing.editions import sweep as rule_sets_of
        from modernart.analysis.comparing.sweep_plots import draw_curves
        from modernart.simulator.errors import UsageError
        from modernart.simulator.files import check_output, whole_file
        from modernart.strategies.specs import split_specs

    if sweep is not None and len(editions) != 1:
        raise UsageError("--sweep takes one rule set to start from")
    asked = editions if sweep is None else rule_sets_of(editions[0], sweep)
    if output is not None:
        check_output(output)
    comparison = compare_editions(
        asked, split_specs(field), players=players, games=games, seed=seed, threads=threads, progress=True
    )
    metrics, shares = comparison.tables["metrics"], comparison.tables["win_shares"]
    if output is not None:
        with whole_file(output) as file:
            metrics.to_csv(file, index=False)
        if sweep is not None:
            draw_curves(metrics, sweep, output.with_suffix(".png"))
    if as_json:
        facts = {"editions": list(comparison.labels), "games": comparison.runs[0].n_games}
        facts |= {"seed": seed, "players": players}
        tables = {"metrics": metrics, "win_shares": shares}
        typer.echo(
            to_json(facts | {name: json.loads(table.to_json(orient="records")) for name, table in tables.items()})
        )
        return
    _show(comparison, metrics, shares)
    if output is not None:
        typer.echo(f"Table: {output}" + (f"; curves: {output.with_suffix('.png')}" if sweep is not None else ""))


def _show(comparison: "Comparison", metrics: "pd.DataFrame", shares: "pd.DataFrame") -> None:
    """Print what was compared, under a letter each, and the two tables."""
    run = comparison.runs[0]
    letters = string.ascii_uppercase[: len(comparison.labels)]
    seats = {one.rules.players for one in comparison.runs}
    among = f"{run.rules.players} players" if len(seats) == 1 else "different numbers of players"
    typer.echo(
        f"{run.n_games:,} games for {among} under each rule set, seed {run.seed}; below a value its difference from A "
        "with a 95% interval; = where it is surely too small to matter (2%, of shares 1 point)"
    )
    rule_sets = zip(letters, comparison.labels, comparison.runs, comparison.shares_deals, strict=True)
    for letter, label, one, same in rule_sets:
        notes = "" if same else "; deals other hands than A: not paired"
        if one.rules.players != run.rules.players:
            notes += f"; {one.rules.players} players, of whom equals win {1 / one.rules.players:.1%}"
        if one.rules.carries_crowns:
            notes += "; placeholder deck: no source prints the real one"
        typer.echo(f"  {letter}  {label}{notes}")
    _print(metrics, "metric", comparison.labels, letters)
    typer.echo()
    _print(shares.assign(unit="share"), "win share of", comparison.labels, letters)


def _print(frame: "pd.DataFrame", title: str, labels: tuple[str, ...], letters: str) -> None:
    """Print a long table with one column a rule set: its value, and below it the difference from the first."""
    key = frame.columns[0]
    columns = [Column(title, is_sentence=True), *(Column(letter, is_number=True) for letter in letters)]
    rows = []
    for name in dict.fromkeys(frame[key]):
        own = frame[frame[key] == name].set_index("edition")
        unit = own["unit"].iloc[0]
        scale, form, suffix = (100, ".1f", "%") if unit == "share" else (1, ".2f" if unit == "ratio" else ".1f", "")
        cells = []
        for label in labels:
            row = own.loc[label]
            cell = f"{row.value * scale:{form}}{suffix}" if row.value == row.value else "-"
            if row.difference == row.difference:
                half = (row.difference_high - row.difference_low) / 2
                same = "= " if row.matters == "no" else ""
                cell += f"\n{same}{row.difference * scale:+{form}} ±{half * scale:{form}}"
            cells.append(cell)
        rows.append([name if unit in ("share", "ratio") else f"{name}, {unit}", *cells])
    print_table(columns, rows)
