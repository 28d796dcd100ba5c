"""The command that shows recorded games. Heavy imports wait until it runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from modernart.simulator.arguments import PLAYING, whole

if TYPE_CHECKING:
    from modernart.simulator.records import Record


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command(rich_help_panel=PLAYING)(replay)


def replay(
    file: Annotated[Path, typer.Argument(help="File of records, one a line.")],
    line: Annotated[int, whole("Which line of the file, from 1.")] = 1,
    html: Annotated[
        Path | None, typer.Option(metavar="OUT.html", help="Write a page to step through the game in a browser.")
    ] = None,
    seat: Annotated[
        int | None, whole("With --html, leave out what this seat did not know.", low=0, high=7, name="--seat")
    ] = None,
) -> None:
    """Show one recorded game, event by event, with money and cards out after each; or write it as a page."""
    from modernart.analysis.play.replay_page import write_replay_page
    from modernart.simulator.errors import UsageError
    from modernart.simulator.files import check_output
    from modernart.simulator.records import RecordError
    from modernart.simulator.replay import tell_record

    if seat is not None and html is None:
        raise UsageError("--seat goes with --html, which writes a page of what that seat knew")
    if html is not None:
        check_output(html)
    record = _record_at(file, line)
    try:
        if html is None:
            typer.echo("\n".join(tell_record(record)))
            return
        write_replay_page(html, record, seat)
    except RecordError as error:
        raise RecordError(f"{file}, line {line}: {error}") from None
    typer.echo(f"Page: {html}; open it in a browser.")


def _record_at(file: Path, line: int) -> "Record":
    from modernart.simulator.errors import UsageError
    from modernart.simulator.records import read_records

    last = 0
    for number, record in read_records(file):
        last = number
        if number == line:
            return record
    raise UsageError(f"{file} has no game in line {line}; its last is in line {last}" if last else f"{file} is empty")
