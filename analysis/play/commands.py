"""The command that plays a game with people. Heavy imports wait until it runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from modernart.simulator.arguments import PLAYING, EditionOption, OpenStyleOption, RuleOption, overrides_of, whole

if TYPE_CHECKING:
    from modernart.analysis.play.session import Session

DEFAULT_SEATS = "me,planner,predictive,fair_share"


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command(rich_help_panel=PLAYING)(play)


def play(
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="me,SPEC,...",
            help="Who sits where, clockwise: strategies, and me or me:NAME for people at this machine.  "
            f"[default: {DEFAULT_SEATS}]",
        ),
    ] = None,
    edition: EditionOption = "classic",
    open_style: OpenStyleOption = None,
    rule: RuleOption = None,
    seed: Annotated[int | None, whole("Deal this game; default: another one each time.", low=0)] = None,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="The record; default: a name of its own under results/.")
    ] = None,
    resume: Annotated[
        str | None, typer.Option(metavar="last|NAME", help="Go on with an unfinished game, without other options.")
    ] = None,
    saves: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Unfinished games; default: in your data folder.")
    ] = None,
    confirm: Annotated[
        bool | None,
        typer.Option("--confirm/--no-confirm", help="Ask before an entry counts; default: in a terminal."),
    ] = None,
) -> None:
    """Play against strategies in the terminal; several people can share it.

    Every answer is saved, so a game that was left goes on with --resume last. A finished game becomes a record for
    replay and check.
    """
    import sys
    from datetime import datetime

    from rich.console import Console

    from modernart.analysis.play.saves import Saves, default_folder
    from modernart.analysis.play.terminal import Terminal, line_reader
    from modernart.simulator.compiling import announce_compilation
    from modernart.simulator.errors import UsageError
    from modernart.simulator.files import check_output
    from modernart.simulator.records import write_records

    target = output or Path("results") / f"game-{datetime.now():%Y%m%d-%H%M%S}.jsonl"
    check_output(target)
    shelf = Saves(saves or default_folder())
    announce_compilation()
    if resume is not None:
        if seats is not None or seed is not None or rule or open_style is not None:
            raise UsageError("--resume goes on with a game as it was begun; leave --seats, --seed and rules out")
        name = shelf.last() if resume == "last" else resume
        session = shelf.load(name)
    else:
        name, session = shelf.new_name(), _begin(seats, edition, open_style, rule, seed)
    if not session.people:
        raise UsageError("nobody plays: put me among --seats, or use `modernart record` for a game of strategies")
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    console = Console(highlight=False)
    front = Terminal(
        session, shelf, name, console, line_reader(console, is_terminal), is_terminal if confirm is None else confirm
    )
    if not front.play():
        typer.echo(f"\nSaved. Go on with: modernart play --resume {name}" + _where(saves))
        return
    write_records(target, [session.record()])
    shelf.remove(name)
    typer.echo(f"Record: {target}. Next: modernart replay {target} --html game.html")


def _begin(
    seats: str | None, edition: str, open_style: str | None, rule: list[str] | None, seed: int | None
) -> "Session":
    """Return a new game."""
    import secrets

    from modernart.analysis.play.session import Session, parse_seats
    from modernart.simulator.rules import load_edition

    who = parse_seats(seats or DEFAULT_SEATS)
    rules = load_edition(edition, overrides_of(open_style, rule)).rules(len(who))
    return Session(rules, who, secrets.randbelow(2**53) if seed is None else seed)


def _where(saves: Path | None) -> str:
    return "" if saves is None else f" --saves {saves}"
