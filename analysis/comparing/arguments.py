"""Arguments that several commands of this wing share, each declared once."""

from typing import Annotated

import typer

from modernart.simulator.arguments import whole

OpponentsOption = Annotated[
    str | None,
    typer.Option(
        "--field",
        metavar="X,Y,Z",
        help="Strategies in all other seats, or weak, strong or expert; default: copies of the strategy.",
    ),
]
ParametersOption = Annotated[
    str | None, typer.Option(metavar="A,B", help="Parameters to vary; default: all that the strategy has.")
]
ObjectiveOption = Annotated[
    str, typer.Option(metavar="money|win", help="Money relative to rivals (less noisy), or win share.")
]
BudgetOption = Annotated[int, whole("Games of the search; checks come on top.", 1, 10**12, "GAMES")]
StudyOption = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Folder under results/, or a path; default: named after command and strategy."),
]
