"""Progress of long work, on stderr."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

#: Seconds between two lines of progress where stderr is not a terminal.
_LOG_SECONDS = 15.0


@contextlib.contextmanager
def progress_bar(what: str, total: int) -> Iterator[tuple[Callable[[int], None], Callable[..., None]]]:
    """Show how far some work has come: a bar on a terminal; elsewhere only what `advance` is told in words.

    Parameters
    ----------
    what : str
        What is counted.
    total : int
        How many there will be.

    Yields
    ------
    start, advance : callable
        `start(n)`: begin at `n` that are done already. `advance(n, words, is_stage)`: now `n` are done (None: as many
        as before); `words` tell where the work stands, and a new stage of it is always told.
    """
    if not sys.stderr.isatty():
        yield _say_where_it_goes_on(what), _log(what)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        say = _say_where_it_goes_on(what)

        def start(n: int) -> None:
            say(n)
            progress.reset(task, completed=n, total=total)

        def advance(n: int | None, words: str = "", is_stage: bool = False) -> None:
            progress.update(task, completed=n, description=words or None)
            if n is not None and n >= total and not words:
                progress.stop()  # what is printed next must find the line empty

        yield start, advance


def _say_where_it_goes_on(what: str) -> Callable[[int], None]:
    def say(n: int) -> None:
        if n > 0:
            print(f"going on after {n:,} {what} that are there already", file=sys.stderr, flush=True)

    return say


def _log(what: str) -> Callable[..., None]:
    """Return an `advance` that prints a line now and then, and one for every new stage."""
    logged = time.monotonic()

    def advance(n: int | None, words: str = "", is_stage: bool = False) -> None:
        nonlocal logged
        if words and (is_stage or time.monotonic() - logged > _LOG_SECONDS):
            logged = time.monotonic()
            print(f"{n:,} {what}: {words}" if n is not None else words, file=sys.stderr, flush=True)

    return advance
