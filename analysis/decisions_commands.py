"""The command `decisions`. Heavy imports wait until it runs."""

from pathlib import Path
from typing import Annotated

import typer

from modernart.simulator.arguments import PLAYING


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command(rich_help_panel=PLAYING)(decisions)


def decisions(
    records: Annotated[Path, typer.Argument(metavar="RECORDS", help="File of game records, as `record` writes it.")],
    output: Annotated[Path | None, typer.Option(help="Parquet file; default: beside the records.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
) -> None:
    """Turn game records into one flat table of decisions: what the seat knew, what it answered, how it ended.

    The columns are explained in docs/columns.md and in the file's own metadata.
    """
    from modernart.analysis.decisions import write_decisions
    from modernart.simulator.errors import UsageError
    from modernart.simulator.files import check_output

    path = output or records.with_suffix(".decisions.parquet")
    check_output(path)
    if path.exists() and not force:
        raise UsageError(f"{path} exists already; choose another --output, or --force to replace it")
    n_rows = write_decisions(records, path)
    typer.echo(f"{n_rows:,} decisions: {path} ({path.stat().st_size / 1e6:.1f} MB)")
