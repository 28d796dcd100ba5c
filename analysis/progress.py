"""Progress of long work, on stderr and only where somebody looks at it."""

import contextlib
import sys
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def progress_bar(what: str, total: int) -> Iterator[tuple[Callable[[int], None], Callable[[int], None]]]:
    """Show how far some work has come.

    Parameters
    ----------
    what : str
        What is counted.
    total : int
        How many there will be.

    Yields
    ------
    start, advance : callable
        `start(n)`: begin at `n` that are done already. `advance(n)`: now `n` are done.
    """
    if not sys.stderr.isatty():
        yield _say_where_it_goes_on(what), lambda n: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        say = _say_where_it_goes_on(what)

        def start(n: int) -> None:
            say(n)
            progress.reset(task, completed=n, total=total)

        def advance(n: int) -> None:
            progress.update(task, completed=n)
            if n >= total:
                progress.stop()  # what is printed next must find the line empty

        yield start, advance


def _say_where_it_goes_on(what: str) -> Callable[[int], None]:
    def say(n: int) -> None:
        if n > 0:
            print(f"going on after {n:,} {what} that are there already", file=sys.stderr, flush=True)

    return say
