"""The command line: finds the commands of all parts and turns errors into one line and an exit code."""

import errno
import gc
import io
import os
import re
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from modernart.sign_of_life import say_that_it_starts, signs_of_life
from modernart.simulator import arguments, worker
from modernart.simulator.cores import check_environment
from modernart.simulator.errors import ModernArtError
from modernart.simulator.interrupts import answer_interrupts, leave_interrupts
from modernart.simulator.wording import cut, printable

_IN_PROCESS = "--in-process"
#: Commands that talk with a person, who sees for themselves when a bot hangs; a worker has no keyboard.
_TALKING = ("play",)
#: Commands that wait for what a person types.
_ASKING = (*_TALKING, "quiz", "log")


class _Commands(TyperGroup):
    """All commands, with one way to report errors."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            typer.echo(f"error: {printable(cut(error.format_message()))}", err=True)
            raise typer.Exit(2) from None
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
            typer.echo(f"error: {printable(cut(_sentence(error)))}", err=True)
            raise typer.Exit(getattr(error, "exit_code", 1)) from None


_NO_ROOM_TO_PRINT = "cannot write to stdout: No space left on device; files that are whole are kept"


def _sentence(error: Exception) -> str:
    """What went wrong, in one line."""
    if isinstance(error, ModernArtError):
        return str(error)
    if isinstance(error, OSError) and error.errno == errno.ENOSPC and not error.filename:
        return _NO_ROOM_TO_PRINT  # files name themselves
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
    in_process: Annotated[
        bool,
        typer.Option("--in-process", help="Play bots of own files in this process, unwatched; may stand anywhere."),
    ] = False,
    check_bounds: Annotated[
        bool, typer.Option("--check-bounds", help="Play all games of own bots with bounds checks, not only the first.")
    ] = False,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version and stop.")
    ] = False,
) -> None:
    """Take the options that come before the command."""
    check_environment()
    if in_process:
        worker.offer(False)
    if check_bounds:
        from modernart.simulator.players import Trial

        Trial.never_ends = True


def _command_modules() -> Iterator[str]:
    """Names of the modules that hold commands: files `commands.py` and `*_commands.py` anywhere in the three parts."""
    for part in ("analysis", "strategies", "simulator"):
        spec = find_spec(f"modernart.{part}")
        folder = Path(str(spec and spec.origin)).parent
        for path in sorted(folder.rglob("*commands.py")):
            yield ".".join(("modernart", part, *path.relative_to(folder).with_suffix("").parts))


def _register_commands() -> None:
    """Let every module that holds commands add them; help lists them by panel."""
    for name in _command_modules():
        import_module(name).register(app)
    app.registered_commands.sort(key=lambda command: arguments.PANELS.index(command.rich_help_panel))


_register_commands()


def _prepare_streams() -> None:
    """Make stdout and stderr take whatever is printed: no text may cost the work that it tells of."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the caller
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))
        elif isinstance(stream, io.TextIOWrapper):
            # What the encoding of the terminal lacks is written as an escape.
            stream.reconfigure(errors="backslashreplace")


def _finish_stdout(code: int | str | None) -> int | str | None:
    """Write out what is left, and return the exit code: another one if there is no place for it."""
    try:
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        pass  # The reader has gone, as `head` does.
    except OSError:
        if not code:
            print(f"error: {_NO_ROOM_TO_PRINT}", file=sys.stderr)
    # Python would try again, and complain, at exit: send what is left nowhere instead.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code or 1


def main() -> None:
    """Run the command line; the entry point of `modernart`."""
    _prepare_streams()
    arguments = _options_first(sys.argv[1:])
    worker.offer(_command_of(arguments) not in _TALKING)
    try:
        code = _run_in_worker(arguments) if _names_bots(arguments) else run(arguments)
    except worker.WorkerNeeded:
        leave_interrupts()
        code = _run_in_worker(arguments)
    sys.exit(code)


def _run_in_worker(arguments: Sequence[str]) -> int:
    say_that_it_starts()
    return worker.run_in_worker(run, arguments)


def run(arguments: Sequence[str]) -> int:
    """Run a command in this process and return its exit code."""
    code: int | str | None = 0
    _prepare_streams()
    # On SIGTERM, exit normally so that temporary files are removed.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    answer_interrupts()
    try:
        with signs_of_life(talks=_command_of(arguments) in _ASKING):
            app(list(arguments))
    except SystemExit as stop:
        code = stop.code
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        code = 130
    code = _finish_stdout(code)
    # Looking once more for garbage among all that was loaded would keep the prompt waiting for up to a second.
    gc.freeze()
    return code if isinstance(code, int) else int(code is not None)


def _options_first(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with `--in-process`, wherever it stands, where the parser looks for it."""
    wanted = [word for word in arguments if word == _IN_PROCESS]
    return [*wanted[:1], *(word for word in arguments if word != _IN_PROCESS)]


def _command_of(arguments: Sequence[str]) -> str:
    """Return the name of the command; the options before it take no values."""
    return next((word for word in arguments if not word.startswith("-")), "")


def _names_bots(arguments: Sequence[str]) -> bool:
    """Tell whether a command surely loads code of strangers: then this process need not load what that needs."""
    if (
        _IN_PROCESS in arguments
        or _command_of(arguments) in _TALKING
        or os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
    ):
        return False
    return any(re.search(r"\.py:\w", word) and not word.startswith("-") for word in arguments)


if __name__ == "__main__":
    main()
