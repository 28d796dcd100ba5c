"""The command line: gathers the commands of the packages and turns errors into one line and an exit code."""

import errno
import os
import signal
import sys
import traceback
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from modernart.analysis import commands as analysis_commands
from modernart.simulator import commands as simulator_commands
from modernart.simulator.errors import ModernArtError
from modernart.strategies import commands as strategy_commands


class _Commands(TyperGroup):
    """The commands together, with one way to report what goes wrong in any of them."""

    def invoke(self, ctx: typer.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (typer.Exit, typer.Abort, typer.TyperException):
            raise
        except KeyboardInterrupt:
            typer.echo("interrupted", err=True)
            raise typer.Exit(130) from None
        except Exception as error:
            if isinstance(error, OSError) and error.errno == errno.EPIPE:
                raise
            if ctx.params.get("debug"):
                traceback.print_exception(error)
            typer.echo(f"error: {_sentence(error)}", err=True)
            raise typer.Exit(getattr(error, "exit_code", 1)) from None


def _sentence(error: Exception) -> str:
    """What went wrong, in one line."""
    if isinstance(error, ModernArtError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, MemoryError):
        return "out of memory"
    if isinstance(error, RecursionError):
        return "a file is nested too deeply to be read"
    kind = type(error).__name__
    return f"a fault of the program, {kind}: {error} (`modernart --debug ...` shows where)"


app = typer.Typer(
    name="modernart",
    cls=_Commands,
    help="A laboratory for the auction game Modern Art.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"modern-art-simulator {version('modern-art-simulator')}")
        raise typer.Exit


@app.callback()
def _options(
    debug: Annotated[
        bool, typer.Option("--debug", envvar="MODERNART_DEBUG", help="Show the traceback of an error.")
    ] = False,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version and stop.")
    ] = False,
) -> None:
    """Take the options that come before the command."""


for _commands in (analysis_commands, strategy_commands, simulator_commands):
    _commands.register(app)


def main() -> None:
    """Run the command line; the entry point of `modernart`."""
    code = 0
    # Ended from outside, it still takes away what is half-written.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        app()
    except SystemExit as stop:
        code = stop.code
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has gone (as `head` does): nothing is left to say, and the interpreter must not say it either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)


if __name__ == "__main__":
    main()
