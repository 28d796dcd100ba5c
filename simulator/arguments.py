"""Arguments that many commands share, each declared once. Light to import: types for the command line, no simulator."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from modernart.simulator.rules import Rules

# The headings under which `modernart --help` lists the commands.
PLAYING = "Play"
STUDIES = "Find out"
OWN = "Look up, and make your own"
PANELS = (PLAYING, STUDIES, OWN)

Specs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[SPEC]...", help="Strategies: NAME, NAME(parameter=number), FILE.py:NAME; default: the built-in field."
    ),
]
EditionOption = Annotated[str, typer.Option(metavar="NAME|FILE", help="A built-in edition or a TOML file.")]
PlayersOption = Annotated[int, typer.Option(help="Seats at the table.")]
SeedOption = Annotated[int, typer.Option(help="Run seed: the same seed gives the same games.", show_default=True)]
ThreadsOption = Annotated[int | None, typer.Option(help="Threads; default: all cores.", min=1)]
OpenStyleOption = Annotated[str | None, typer.Option(metavar="limit|outcry", help="How open auctions are simulated.")]
RuleOption = Annotated[
    list[str] | None,
    typer.Option(metavar="KEY=VALUE", help="Change a rule; may be repeated (`modernart editions show`)."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def overrides_of(open_style: str | None, rule: list[str] | None) -> dict[str, str]:
    """Return the changed rules that `--open-style` and `--rule` ask for.

    Raises
    ------
    UsageError
        If an item is not KEY=VALUE, or a rule is given twice.
    """
    from modernart.simulator.errors import UsageError
    from modernart.simulator.rules import parse_overrides

    overrides = parse_overrides(rule or [])
    if open_style is not None and "open_style" in overrides:
        raise UsageError("open_style is given twice, by --open-style and by --rule; keep one")
    return overrides if open_style is None else {**overrides, "open_style": open_style}


def rules_of(edition: str, players: int, open_style: str | None = None, rule: list[str] | None = None) -> "Rules":
    """Return the rules that the arguments of a command stand for.

    Raises
    ------
    UsageError
        If there is no such edition, rule or number of players.
    """
    from modernart.simulator.rules import load_edition

    return load_edition(edition, overrides_of(open_style, rule)).rules(players)
