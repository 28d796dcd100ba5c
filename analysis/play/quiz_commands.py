"""The command of the quiz. Heavy imports wait until it runs."""

from pathlib import Path
from typing import Annotated

import typer

from modernart.simulator.arguments import PLAYING, whole


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command(rich_help_panel=PLAYING)(quiz)


def quiz(
    questions: Annotated[int, whole("Questions to ask, or with --make to find.", high=1000)] = 5,
    file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Positions made by --make; default: those that come with it.")
    ] = None,
    score: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Your score; default: in your data folder.")
    ] = None,
    seed: Annotated[int | None, whole("Order of the questions; of --make, the deals.", low=0)] = None,
    make: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Find new positions and write them; takes minutes.")
    ] = None,
    rollouts: Annotated[int, whole("With --make, playouts for each position.", low=64, high=10**7)] = 12_000,
) -> None:
    """Answer positions from games of strong bidders where most rules of thumb go wrong, and see the cost.

    The score is kept. Answers that the playouts cannot tell from the best count as right.
    """
    from modernart.analysis.play.quiz import Score, default_score, hold_quiz, load_positions
    from modernart.analysis.play.terminal import open_console

    if make is not None:
        _make(make, questions, seed or 0, rollouts)
        return
    console, read, _ = open_console()
    positions = load_positions(file) if file else load_positions()
    hold_quiz(positions, Score(score or default_score()), questions, console, read, seed)


def _make(path: Path, n: int, seed: int, rollouts: int) -> None:
    import json

    from modernart.analysis.play.quiz_making import find_positions
    from modernart.simulator.compiling import announce_compilation
    from modernart.simulator.files import check_output, whole_file

    check_output(path)
    announce_compilation()
    positions = []
    command = f"modernart quiz --make {path.name} --questions {n} --seed {seed} --rollouts {rollouts}"
    for position in find_positions(n, seed, rollouts):
        positions.append(position)
        # Written each time: a search that is stopped keeps what it has found.
        with whole_file(path) as file:
            json.dump({"format": "modern-art-quiz", "version": 1, "command": command, "positions": positions}, file)
            file.write("\n")
        typer.echo(f"{len(positions)} of {n}: {position['decision']}", err=True)
    typer.echo(f"{len(positions)} positions written to {path}; ask them: modernart quiz --file {path}")
