"""Commands about run folders: `merge` and `runs`. Heavy imports wait until a command runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from modernart.analysis.plain import to_json
from modernart.analysis.runs.arguments import run_folder_of
from modernart.simulator.arguments import PLAYING, JsonOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modernart.analysis.runs.listing import ListedRun


def register(app: typer.Typer) -> None:
    """Add the commands of this file to `app`."""
    app.command(rich_help_panel=PLAYING)(merge)
    app.command(rich_help_panel=PLAYING)(runs)


def merge(
    folders: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Run folders of different blocks.", parser=run_folder_of)
    ],
    output: Annotated[Path, typer.Option(help="The run folder to make of them.")],
    as_json: JsonOption = False,
) -> None:
    """Put together the blocks of one run that were played in several places with `tournament --blocks`.

    The outcome is that of the whole run played at once, to the last bit.
    """
    from modernart.analysis.measures import tables_of
    from modernart.analysis.measures.tables import write_tables
    from modernart.analysis.runs.merging import merge_runs
    from modernart.analysis.runs.run_folder import TABLES_FOLDER

    run = merge_runs(folders, output)
    tables = tables_of(run)
    write_tables(output / TABLES_FOLDER, {name: tables[name] for name in ("ranking", "differences")})
    if as_json:
        blocks = [run.first_block, run.next_block]
        typer.echo(to_json({"output": str(output), "games": run.n_games, "blocks": blocks, "runs": len(folders)}))
        return
    typer.echo(f"{run.n_games:,} games, blocks {run.first_block}:{run.next_block}, of {len(folders)} runs: {output}")
    typer.echo(f"Next: modernart report {output}")


def runs(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where to look, folders below included.")] = Path(
        "results"
    ),
    prune: Annotated[
        bool,
        typer.Option(
            "--prune", help="Delete runs that a later run of the same command replaced, as after edits of a bot."
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """List run folders: what was played, when, how far, and how much room it takes."""
    from modernart.analysis.runs.listing import list_runs
    from modernart.analysis.runs.listing import prune as delete_replaced

    found = list_runs(folder)
    deleted = delete_replaced(found) if prune else []
    left = [run for run in found if run not in deleted]
    if as_json:
        told = {"runs": [run.to_json() for run in left]}
        typer.echo(to_json(told | ({"deleted": [str(run.folder) for run in deleted]} if prune else {})))
        return
    for run in deleted:
        typer.echo(f"deleted {run.folder}")
    if left:
        _show(left)
    else:
        typer.echo(f"no runs in {folder}")


def _show(found: "Sequence[ListedRun]") -> None:
    """Print a table of run folders."""
    from modernart.simulator.terminal_tables import Column, print_table

    columns = (
        Column("run"),
        Column("when", rank=2),
        Column("games", is_number=True, rank=1),
        Column("MB", is_number=True, rank=3),
        Column("what", rank=4, is_sentence=True),
    )
    rows = []
    for run in found:
        state = "" if run.games_played >= run.games else f" of {run.games:,}"
        words = run.fault or run.command.removeprefix("modernart tournament ")
        words = f"(replaced by a later run) {words}" if run.is_replaced else words
        rows.append((str(run.folder), run.date[:16], f"{run.games_played:,}{state}", f"{run.size / 1e6:.1f}", words))
    print_table(columns, rows)
    n_replaced = sum(run.is_replaced for run in found)
    if n_replaced:
        typer.echo(f"Next: --prune deletes the {n_replaced} that later runs of the same command replaced")
