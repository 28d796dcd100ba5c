"""The command that plays a game with people. Heavy imports wait until it runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from modernart.simulator.arguments import PLAYING, EditionOption, OpenStyleOption, RuleOption, overrides_of, whole

if TYPE_CHECKING:
    from modernart.analysis.play.saves import Saves
    from modernart.analysis.play.session import Session


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command(rich_help_panel=PLAYING)(play)


def play(
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="me,SPEC,...",
            help="Who sits where, clockwise: strategies, and me or me:NAME for people at this machine.  "
            "[default: me,planner,predictive,fair_share]",
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
    artists: Annotated[
        str | None,
        typer.Option(metavar="NAME,...", help="What your printing calls the artists, in board order, rarest first."),
    ] = None,
    confirm: Annotated[
        bool | None,
        typer.Option("--confirm/--no-confirm", help="Ask before an entry counts; default: in a terminal."),
    ] = None,
    web: Annotated[
        bool, typer.Option("--web", help="Play in a browser on this machine; needs the extra [web].")
    ] = False,
    port: Annotated[int | None, whole("With --web, the port; default: a free one.", high=65535)] = None,
) -> None:
    """Play against strategies, in the terminal or in a browser; several people can share the machine.

    Every answer is saved, so a game that was left goes on with --resume last. A finished game becomes a record for
    review, replay and check.
    """
    from modernart.analysis.play.saves import Saves, default_folder
    from modernart.analysis.play.session import begin
    from modernart.simulator.compiling import announce_compilation
    from modernart.simulator.errors import UsageError
    from modernart.simulator.files import check_output

    if web and output is not None:
        raise UsageError("--web writes each record under results/ by the game's name; leave --output out")
    if port is not None and not web:
        raise UsageError("--port goes with --web")
    target = output or Path("results") / "game.jsonl"
    check_output(target)
    shelf = Saves(saves or default_folder())
    announce_compilation()
    if resume is not None:
        if any(one is not None for one in (seats, seed, rule, open_style, artists)):
            raise UsageError("--resume goes on with a game as it was begun; leave --seats, --seed and rules out")
        name = shelf.last() if resume == "last" else resume
        session = shelf.load(name)
    else:
        names = [one.strip() for one in artists.split(",")] if artists else None
        session = begin(seats or "", edition, overrides_of(open_style, rule), seed, names)
        name = shelf.new_name()
    if web:
        _serve(session, shelf, name, port)
    elif _play_here(session, shelf, name, confirm):
        target = output or Path("results") / f"game-{name}.jsonl"
        _write_record(session, target)
        shelf.remove(name)
    else:
        where = "" if saves is None else f" --saves {saves}"
        typer.echo(f"\nSaved. Go on with: modernart play --resume {name}{where}")


def _play_here(session: "Session", shelf: "Saves", name: str, confirm: bool | None) -> bool:
    """Play in the terminal, or over a pipe; returns whether the game is over."""
    from modernart.analysis.play.terminal import Terminal, open_console

    console, read, is_terminal = open_console()
    confirms = is_terminal if confirm is None else confirm
    return Terminal(session, shelf, name, console, read, confirms).play()


def _write_record(session: "Session", target: Path) -> None:
    from modernart.simulator.records import write_records

    write_records(target, [session.record()])
    typer.echo(f"Record: {target}. Next: modernart review {target} --replay game.html")


def _serve(session: "Session", shelf: "Saves", name: str, port: int | None) -> None:
    """Serve the game until the user presses Ctrl-C."""
    from modernart.simulator.errors import UsageError

    try:
        from modernart.analysis.play.server import serve
        from modernart.analysis.play.web import Games
    except ModuleNotFoundError as error:
        raise UsageError(f"--web needs {error.name}: pip install 'modern-art-simulator[web]'") from None
    games = Games(shelf, Path("results"))
    games.add(session, name)
    serve(games, port)
