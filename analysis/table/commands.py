"""Commands for the table: `position`, `advise`. Heavy imports wait until a command runs."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from modernart.simulator.arguments import OWN, PLAYING, JsonOption, SeedOption, ThreadsOption, whole

position_app = typer.Typer(help="Write a position to fill in, or show one.", no_args_is_help=True)

SeatOption = Annotated[
    str | None,
    typer.Option("--seat", metavar="NAME", help="Who decides, by name, letter or number, where several are asked."),
]
RivalsOption = Annotated[
    str,
    typer.Option(metavar="strong|weak|mixed|SPEC,...", help="How the others play; mixed compares strong and weak."),
]
EventOption = Annotated[
    str | None,
    typer.Option(metavar="ROUND:EVENT", help="Of a record: the decision that this event answers, counted from 1."),
]
LineOption = Annotated[int, whole("Which line of a file of records, from 1.")]


def register(app: typer.Typer) -> None:
    """Add these commands to `app`."""
    app.add_typer(position_app, name="position", rich_help_panel=OWN)
    app.command(rich_help_panel=PLAYING)(advise)


@position_app.command("new")
def new_position(
    file: Annotated[Path, typer.Argument(help="TOML file to write; it must not exist yet.")],
) -> None:
    """Write a commented position to fill in; `modernart advise FILE` answers it as it stands."""
    from modernart.analysis.table.position_file import TEMPLATE
    from modernart.simulator.errors import UsageError
    from modernart.simulator.files import whole_file

    if file.exists():
        raise UsageError(f"{file} exists; name another file, or delete it first")
    with whole_file(file) as out:
        out.write(TEMPLATE)
    typer.echo(f"Wrote {file}. Next: fill it in, then modernart advise {file}")


@position_app.command("show")
def show_position(
    file: Annotated[Path, typer.Argument(help="A position in TOML, records, or a game in short lines.")],
    record_event: EventOption = None,
    line: LineOption = 1,
    seat: SeatOption = None,
) -> None:
    """Check a position and draw it."""
    from modernart.analysis.table.belief import draw_belief
    from modernart.analysis.table.drawing import draw_position
    from modernart.analysis.table.sources import load_position
    from modernart.analysis.table.ways import scene_of

    position = load_position(file, event=record_event, line=line, seat=seat)
    scene = scene_of(draw_belief(position, ("half_value",), power=0.0, threads=1))
    typer.echo(draw_position(position, scene))


def advise(
    file: Annotated[Path, typer.Argument(help="A position in TOML, records, or a game in short lines.")],
    record_event: EventOption = None,
    line: LineOption = 1,
    seat: SeatOption = None,
    rivals: RivalsOption = "strong",
    rollouts: Annotated[int, whole("Games played to their end, over all answers.", 64, 10**7)] = 12_000,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer a decision at the table: what each answer brings, how far to go in an auction, and why.

    Hidden hands are drawn by how well they explain what was played and bid; each answer is played on to the end of the
    game.
    """
    from rich.console import Console

    from modernart.analysis.plain import to_json
    from modernart.analysis.table import advice
    from modernart.analysis.table.drawing import draw_advice, draw_position
    from modernart.analysis.table.sources import load_position
    from modernart.simulator.compiling import announce_compilation

    announce_compilation()
    position = load_position(file, event=record_event, line=line, seat=seat)
    found = advice.advise(position, rivals, rollouts=rollouts, seed=seed, threads=threads)
    if as_json:
        typer.echo(to_json(found.to_record()))
        return
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    typer.echo(draw_position(position, found.scene) + "\n")
    console.print(draw_advice(found))
    if found.walk_away is not None:
        typer.echo(f"\nWalk away above {found.walk_away}.")
    typer.echo(f"\n{found.why}")
    typer.echo(f"Rivals: {rivals} ({', '.join(found.specs)}); {found.best_option.n} playouts of each answer.")
