"""Arguments that many commands share, each declared once, and the one way in which whole numbers are read.

Light to import: types for the command line, no simulator.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from modernart.simulator.cores import usable_cores
from modernart.simulator.errors import UsageError
from modernart.simulator.limits import MAX_WHOLE

if TYPE_CHECKING:
    from modernart.simulator.rules import Rules

# The headings under which `modernart --help` lists the commands.
PLAYING = "Play"
STUDIES = "Find out"
OWN = "Look up, and make your own"
PANELS = (PLAYING, STUDIES, OWN)

#: Games of a study that keeps each of them; more would not fit into memory.
MOST_GAMES_KEPT = 10**8


def parse_whole(what: str, text: Any, low: int = 0, high: int = MAX_WHOLE) -> int:
    """Return the whole number that a text stands for; digits may be parted by "_".

    Parameters
    ----------
    what : str
        What it is, to begin the message with; "" where that is said already.
    text : str or int
    low, high : int
        Bounds; both are allowed.

    Raises
    ------
    UsageError
        If it is no whole number, or out of bounds.
    """
    given = str(text).strip()
    is_whole = re.fullmatch(r"[+-]?[0-9]+(_[0-9]+)*", given) is not None and len(given) <= 40
    if not is_whole or not low <= int(given) <= high:
        top = "2^63 - 1" if high == MAX_WHOLE else f"{high}"
        shown = given if len(given) <= 40 else f"{given[:37]}..."
        raise UsageError(f"{what} must be a whole number from {low} to {top}, got {shown}".strip())
    return int(given)


def whole(help: str, low: int = 1, high: int = MAX_WHOLE, metavar: str = "N", name: str | None = None) -> Any:
    """Return an option that takes a whole number, read by `parse_whole`."""
    parse = _option_parser(low, high)
    return typer.Option(*([name] if name else []), help=help, parser=parse, metavar=metavar, show_default=True)


def _option_parser(low: int, high: int) -> Callable[[Any], int]:
    def parse(value: Any) -> int:
        try:
            return parse_whole("", value, low, high)
        except UsageError as error:
            # Typer says which option it is.
            raise typer.BadParameter(str(error)) from None

    return parse


def _parse_threads(value: Any) -> int:
    wanted = _option_parser(1, MAX_WHOLE)(value)
    most = usable_cores()
    if wanted > most:
        typer.echo(f"{wanted} threads wanted, {most} used: this machine has no more", err=True)
    return min(wanted, most)


Specs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[SPEC]...", help="Strategies: NAME, NAME(parameter=number), FILE.py:NAME; default: the built-in field."
    ),
]
EditionOption = Annotated[str, typer.Option(metavar="NAME|FILE", help="A built-in edition or a TOML file.")]
PlayersOption = Annotated[int, whole("Seats at the table.")]
SeedOption = Annotated[int, whole("Run seed: the same seed gives the same games.", low=0)]
ThreadsOption = Annotated[
    int | None, typer.Option(help="Threads; default: all cores.", parser=_parse_threads, metavar="N")
]
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
