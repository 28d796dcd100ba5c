"""Commands of tournaments, studies and reports. Heavy imports wait until a command runs."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from modernart.analysis.cluster.option import SchedulerOption
from modernart.analysis.plain import to_json
from modernart.analysis.runs.arguments import RUN_HELP, run_folder_of
from modernart.simulator.arguments import (
    PLAYING,
    EditionOption,
    JsonOption,
    OpenStyleOption,
    PlayersOption,
    RuleOption,
    SeedOption,
    Specs,
    ThreadsOption,
    overrides_of,
    whole,
)
from modernart.simulator.terminal_tables import Column, ColumnsOption, print_table

if TYPE_CHECKING:
    from modernart.analysis.runs.tournament import Tournament
    from modernart.simulator.simulate import Run

#: The most games of a tournament that is given a precision.
MOST_GAMES = 10**9


def register(app: typer.Typer) -> None:
    """Add the commands of this package to `app`."""
    app.command(rich_help_panel=PLAYING)(tournament)
    app.command("report", rich_help_panel=PLAYING)(report_command)
    app.command(rich_help_panel=PLAYING)(bench)


def tournament(
    specs: Specs = None,
    edition: EditionOption = "classic",
    players: PlayersOption = 4,
    games: Annotated[
        int | None,
        whole("Games, rounded up to whole blocks of one deal; with --target-error the most.  [default: 200000]"),
    ] = None,
    target_error: Annotated[
        str | None,
        typer.Option(
            metavar="0.2%|money=1", help="Play until every win share, or mean money, is known to within this, at 95%."
        ),
    ] = None,
    blocks: Annotated[
        str | None,
        typer.Option(
            metavar="FROM:TO", help="Play these blocks of the run alone, from 0, without TO; `modernart merge` joins."
        ),
    ] = None,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
    scheduler: SchedulerOption = "threads",
    output: Annotated[Path | None, typer.Option(help="Run folder; default: a name of its own under results/.")] = None,
    records: Annotated[int, whole("Write the first K games as records too.", 0, metavar="K")] = 0,
    open_style: OpenStyleOption = None,
    rule: RuleOption = None,
    report: Annotated[
        bool | None,
        typer.Option(
            "--report/--no-report", help="Write report.html, which takes some seconds; default: unless --json."
        ),
    ] = None,
    columns: ColumnsOption = None,
    cite: Annotated[
        bool, typer.Option("--cite", help="Print what a paper should say too: version, rules, seed, command.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Play strategies against each other at balanced tables and rank them.

    Every strategy meets every other equally often and takes every seat. A strategy is NAME, NAME(parameter=number),
    NAME@FILE.toml with tuned parameters, learned@FILE.npz with weights, FILE.py:NAME, or FILE.toml for a bot of
    expressions; in place of strategies, `weak`, `strong` or `expert` names a field of the claims. The run folder holds
    all that was counted; an interrupted run goes on when the same command is given again, and a finished one answers
    at once.
    """
    from contextlib import ExitStack

    from modernart.analysis.progress import duration_in_words, later_stages, progress_bar, stages

    with stages("starting"):
        # Loading the simulator takes a second or more.
        from modernart.analysis.api.tournaments import DEFAULT_GAMES, plan_tournament
        from modernart.analysis.runs.run_folder import Interrupted, parse_part
        from modernart.analysis.runs.target import FIRST_GAMES, parse_target
        from modernart.analysis.runs.tournament import hold_tournament
        from modernart.simulator.ahead import compile_ahead
        from modernart.simulator.compiling import announce_compilation
        from modernart.simulator.errors import UsageError

    if target_error is not None and blocks is not None:
        raise UsageError("give --target-error or --blocks, not both: a part of a run does not know the rest's spread")
    target = parse_target(target_error) if target_error is not None else None
    announce_compilation()
    compile_ahead()
    plan = plan_tournament(
        specs or (),
        edition,
        players,
        games or (MOST_GAMES if target else DEFAULT_GAMES),
        seed,
        overrides_of(open_style, rule),
        parse_part(blocks) if blocks is not None else None,
    )
    with_report = not as_json if report is None else report
    total = plan.n_games if target is None else min(FIRST_GAMES, plan.n_games)

    def tell_target(needed: int, run: "Run") -> None:
        nonlocal total
        total = min(needed, plan.n_games)
        left = duration_in_words((total - run.n_games) * run.seconds / run.n_games)
        typer.echo(f"{target_error} takes {needed:,} games; {total - run.n_games:,} to go, {left}", err=True)

    try:
        with progress_bar("games", total) as (start, advance), ExitStack() as stack:
            result = hold_tournament(
                plan,
                output,
                threads=threads,
                n_records=records,
                with_report=with_report,
                target=target,
                on_start=lambda run: start(run.n_games, total),
                on_progress=lambda run: advance(run.n_games),
                on_target=tell_target,
                on_ranking=None if as_json else lambda result: _show_ranking(result, columns),
                on_stage=stack.enter_context(later_stages("luck against skill")),
            )
    except Interrupted as stop:
        typer.echo(str(stop), err=True)
        raise typer.Exit(stop.exit_code) from None
    assert result.folder is not None
    if as_json:
        typer.echo(to_json(result.to_dict()))
    else:
        _show_files(result, records, with_report)
        if cite:
            typer.echo(f"\nTo cite these numbers:\n{result.cite()}")
    if output is None:
        _tell_of_replaced(result.folder)


def report_command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help=RUN_HELP, parser=run_folder_of)],
    csv: Annotated[bool, typer.Option("--csv", help="Write the tables as CSV too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print summary.json and nothing else.")] = False,
) -> None:
    """Write a run's report: one page that needs no network, every figure as PNG, every table, a summary.

    The run may still be unfinished; then the report tells of the games played so far.
    """
    from modernart.analysis.progress import stages

    with stages("reading the run") as tell:
        from modernart.analysis.page.report import write_report

        written = write_report(run, csv=csv, on_stage=tell)
    for hint in written.hints:
        typer.echo(f"note: {hint}", err=True)
    if as_json:
        typer.echo(written.summary.read_text(encoding="utf-8"), nl=False)
        return
    for finding in json.loads(written.summary.read_text(encoding="utf-8"))["findings"]:
        typer.echo(f"- {finding['text']}")
    typer.echo(
        f"Files: {written.page}, {written.summary.name}, {len(written.figures)} figures in "
        f"{written.figures[0].parent.name}/, {len(written.tables)} tables in {written.tables[0].parent.name}/"
    )
    typer.echo("Next: open the page in a browser; in Python, pandas.read_parquet reads the tables")


def bench(
    players: PlayersOption = 4,
    threads: ThreadsOption = None,
    games: Annotated[int, whole("Games to play, after a warm-up.")] = 200_000,
    seed: SeedOption = 1,
    edition: EditionOption = "classic",
    as_json: JsonOption = False,
) -> None:
    """Measure how many games a second the kernel plays, with `random` in every seat."""
    from modernart.analysis.runs.bench import bench as measure
    from modernart.simulator.compiling import announce_compilation

    announce_compilation()
    result = measure(players, threads, games, seed, edition)
    if as_json:
        print(json.dumps(result))
        return
    print(
        f"{result['games_per_s']:,.0f} games/s on {result['threads']} thread(s): {result['games']:,} games in "
        f"{result['seconds']:.2f} s, {result['decisions_per_game']:.1f} decisions a game"
    )


#: Columns of the ranking in a terminal; see `Column` for the ranks.
_RANKING = (
    Column("rank", is_number=True),
    Column("strategy"),
    Column("win share", is_number=True),
    Column("95% interval", is_number=True, rank=1),
    Column("money", is_number=True, rank=2),
    Column("of money", is_number=True, rank=3),
    Column("sd", is_number=True, rank=4),
)


def _show_ranking(result: "Tournament", columns: str | None) -> None:
    """Print who won."""
    run = result.run
    rows = [
        (
            str(i),
            row.strategy,
            f"{row.win_share:.1%}",
            _interval(row.win_share_low, row.win_share_high, ".1%"),
            f"{row.money:.1f}",
            _interval(row.money_low, row.money_high, ".1f"),
            f"{row.money_sd:.0f}",
        )
        for i, row in enumerate(result.tables["ranking"].itertuples(), 1)
    ]
    seats = run.rules.players
    played = "played before" if result.was_finished else f"in {run.seconds:.1f} s"
    typer.echo(
        f"{run.n_games:,} games of {result.label} for {seats} players, seed {run.seed}, {played}; "
        f"equals would win {1 / seats:.1%}"
    )
    print_table(_RANKING, rows, chosen=columns)
    sys.stdout.flush()


def _show_files(result: "Tournament", n_records: int, has_report: bool) -> None:
    """Print where the files are and what to do next."""
    from modernart.analysis.runs.run_folder import RECORDS_FILE, REPORT_FILE

    assert result.folder is not None
    files = [name for name, is_there in ((REPORT_FILE, has_report), (RECORDS_FILE, n_records > 0)) if is_there]
    print(f"Files: {result.folder}" + (f" ({', '.join(files)})" if files else ""))
    if n_records:
        print(f"Next: modernart replay {result.folder / RECORDS_FILE}")
    elif has_report:
        print(
            f"Next: open {result.folder / REPORT_FILE}; modernart report {result.folder} also writes figures as files"
        )
    else:
        print(f"Next: modernart report {result.folder}")
    sys.stdout.flush()


def _tell_of_replaced(folder: Path) -> None:
    """Say on stderr that runs of the same command pile up, as under edits of a bot."""
    from modernart.analysis.runs.listing import replaced_runs

    n = len(replaced_runs(folder))
    if n:
        print(f"{n} older run(s) of edited code lie in {folder.parent}; modernart runs --prune", file=sys.stderr)


def _interval(low: float, high: float, form: str) -> str:
    """Write an interval; a dash where too few deals were played to tell."""
    return f"{low:{form}} to {high:{form}}" if low == low else "-"
