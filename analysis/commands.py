"""Commands of tournaments, studies and reports. Heavy imports wait until a command runs."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analysis import lab_commands

if TYPE_CHECKING:
    from analysis.tournament import Tournament

#: Games of a tournament that is given no number: about ten seconds of two cores.
DEFAULT_GAMES = 1_000_000

Specs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[SPEC]...", help="Strategies: NAME, NAME(parameter=number), FILE.py:NAME; default: the built-in field."
    ),
]
EditionOption = Annotated[str, typer.Option(metavar="NAME|FILE", help="A built-in edition or a TOML file.")]
PlayersOption = Annotated[int, typer.Option(help="Seats at the table.")]
SeedOption = Annotated[int, typer.Option(help="Run seed: the same seed gives the same games.")]
ThreadsOption = Annotated[int | None, typer.Option(help="Threads; default: all cores.", min=1)]
OpenStyleOption = Annotated[str | None, typer.Option(metavar="limit|outcry", help="How open auctions are simulated.")]
RuleOption = Annotated[
    list[str] | None,
    typer.Option(metavar="KEY=VALUE", help="Change a rule; may be repeated (`modernart editions show`)."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this package to `app`."""
    app.command()(tournament)
    lab_commands.register(app)


def tournament(
    specs: Specs = None,
    edition: EditionOption = "classic",
    players: PlayersOption = 4,
    games: Annotated[int, typer.Option(help="Games to play, rounded up to whole blocks of one deal.")] = DEFAULT_GAMES,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
    output: Annotated[Path | None, typer.Option(help="Run folder; default: a name of its own under results/.")] = None,
    records: Annotated[int, typer.Option(metavar="K", help="Write the first K games as records too.", min=0)] = 0,
    open_style: OpenStyleOption = None,
    rule: RuleOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play strategies against each other at balanced tables and rank them.

    Every strategy meets every other equally often and takes every seat. The run folder holds all that was counted; an
    interrupted run goes on when the same command is given again.
    """
    from analysis.progress import progress_bar
    from analysis.runs import Interrupted, plan_run
    from analysis.tournament import hold_tournament
    from simulator.jit import announce_compilation
    from simulator.rules import parse_overrides
    from strategies.registry import DEFAULT_FIELD
    from strategies.specs import load_players

    overrides = parse_overrides(rule or [])
    if open_style is not None:
        overrides["open_style"] = open_style
    plan = plan_run(
        load_players(specs or DEFAULT_FIELD),
        edition=edition,
        seats=players,
        games=games,
        seed=seed,
        overrides=overrides,
    )
    announce_compilation()
    try:
        with progress_bar("games", plan.n_blocks * plan.rules.players) as (start, advance):
            result = hold_tournament(
                plan,
                output,
                threads=threads,
                n_records=records,
                on_start=lambda run: start(run.n_games),
                on_progress=lambda run: advance(run.n_games),
            )
    except Interrupted as stop:
        typer.echo(str(stop), err=True)
        raise typer.Exit(stop.exit_code) from None
    if as_json:
        typer.echo(json.dumps(result.to_dict()))
    else:
        _show_ranking(result, records)


def _show_ranking(result: "Tournament", n_records: int) -> None:
    """Print who won, where the files are and what to do next."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from analysis.runs import RECORDS_FILE

    run = result.run
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("rank", justify="right")
    table.add_column("strategy", overflow="fold")
    for column in ("win share", "95% interval", "money", "95% interval", "sd"):
        table.add_column(column, justify="right", no_wrap=True)
    for i, row in enumerate(result.ranking.itertuples(), 1):
        table.add_row(
            str(i),
            escape(row.strategy),
            f"{row.win_share:.1%}",
            _interval(row.win_share_low, row.win_share_high, ".1%"),
            f"{row.money:.1f}",
            _interval(row.money_low, row.money_high, ".1f"),
            f"{row.money_sd:.0f}",
        )
    console = Console(highlight=False)
    seats = run.rules.players
    console.print(
        f"{run.n_games:,} games of {escape(result.label)} for {seats} players, seed {run.seed}, "
        f"in {run.seconds:.1f} s; equals would win {1 / seats:.1%}"
    )
    console.print(table)
    folder = str(result.folder)
    print(f"Files: {folder}" + (f" (records: {result.folder / RECORDS_FILE})" if n_records else ""))
    if n_records:
        print(f"Next: modernart replay {result.folder / RECORDS_FILE}")
    else:
        print(
            "Next: --records 10 keeps games to replay, --edition and --players change the table, FILE.py:NAME is yours"
        )
    sys.stdout.flush()


def _interval(low: float, high: float, form: str) -> str:
    """Write an interval; a dash where too few deals were played to tell."""
    return f"{low:{form}} to {high:{form}}" if low == low else "-"
