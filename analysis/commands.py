"""Commands of tournaments, studies and reports."""

import typer


def register(app: typer.Typer) -> None:
    """Add the commands of this package to `app`."""
