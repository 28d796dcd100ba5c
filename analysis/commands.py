"""The commands of this package, gathered from the folders that they stand in."""

import typer

from modernart.analysis.claims import commands as claims
from modernart.analysis.comparing import commands as comparing
from modernart.analysis.comparing import edition_commands
from modernart.analysis.counterfactual import commands as counterfactual
from modernart.analysis.runs import commands as runs


def register(app: typer.Typer) -> None:
    """Add the commands of this package to `app`, in the order in which help lists them."""
    runs.register(app)
    counterfactual.register(app)
    claims.register(app)
    comparing.register(app)
    edition_commands.register()
