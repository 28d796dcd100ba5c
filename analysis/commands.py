"""Commands of tournaments, studies and reports."""

import typer

from analysis import lab_commands


def register(app: typer.Typer) -> None:
    """Add the commands of this package to `app`."""
    lab_commands.register(app)
