"""Progress of long work, on stderr."""

import contextlib
import itertools
import sys
import time
from collections.abc import Callable, Iterator

#: Seconds between two lines of progress where stderr is not a terminal.
_LOG_SECONDS = 15.0
#: Seconds of work after which its end is foretold, if it is further off than so many seconds.
_FORECAST_AFTER, _LONG_SECONDS = 3.0, 60.0
#: Work that still gets faster by more than this is not yet under way in earnest.
_STEADY = 1.5


@contextlib.contextmanager
def progress_bar(what: str, total: int) -> Iterator[tuple[Callable[..., None], Callable[..., None]]]:
    """Show how far some work has come: a bar on a terminal; elsewhere what `advance` is told in words.

    Where there is no bar, long work says once, after its first seconds, how long it will take.

    Parameters
    ----------
    what : str
        What is counted.
    total : int
        How many there will be.

    Yields
    ------
    start, advance : callable
        `start(n, new_total)`: begin at `n` that are done already; the total may turn out another.
        `advance(n, words, is_stage)`: now `n` are done (None: as many as before); `words` tell where the work stands,
        and a new stage of it is always told.
    """
    if not sys.stderr.isatty():
        log = _Log(what, total)
        yield log.start, log.advance
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        say = _say_where_it_goes_on(what)

        def start(n: int, new_total: int | None = None) -> None:
            nonlocal total
            total = new_total or total
            say(n)
            progress.reset(task, completed=n, total=total)

        def advance(n: int | None, words: str = "", is_stage: bool = False) -> None:
            progress.update(task, completed=n, description=words or None)
            if n is not None and n >= total and not words:
                progress.stop()  # what is printed next must find the line empty

        yield start, advance


@contextlib.contextmanager
def stages(words: str) -> Iterator[Callable[[int, int, str], None]]:
    """Show what long work is at, of which it is not known beforehand how many steps it takes.

    On a terminal a line that moves all the time; elsewhere each stage in words, once the work takes longer.

    Parameters
    ----------
    words : str
        What it is at first.

    Yields
    ------
    callable
        `tell(done, total, words)`: steps done, of how many, and what comes next.
    """
    if not sys.stderr.isatty():
        began, told = time.monotonic(), ""

        def log(done: int, total: int, words: str) -> None:
            nonlocal began, told
            if words != told and time.monotonic() - began > _LOG_SECONDS:
                began, told = time.monotonic(), words
                print(f"{words} ({done} of {total})", file=sys.stderr, flush=True)

        yield log
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(words, total=None)
        yield lambda done, total, words: progress.update(task, completed=done, total=total, description=words)


@contextlib.contextmanager
def later_stages(words: str) -> Iterator[Callable[[int, int, str], None]]:
    """Show stages as `stages` does, from the first one that is told on."""
    with contextlib.ExitStack() as stack:
        tell: Callable[[int, int, str], None] | None = None

        def begin_and_tell(done: int, total: int, now: str) -> None:
            nonlocal tell
            if tell is None:
                tell = stack.enter_context(stages(words))
            tell(done, total, now)

        yield begin_and_tell


def _say_where_it_goes_on(what: str) -> Callable[[int], None]:
    def say(n: int) -> None:
        if n > 0:
            print(f"going on after {n:,} {what} that are there already", file=sys.stderr, flush=True)

    return say


class _Log:
    """Lines now and then, where there is no terminal."""

    def __init__(self, what: str, total: int) -> None:
        self._what, self._total = what, total
        self._logged = time.monotonic()
        self._marks: list[tuple[float, int]] = []
        self._has_foretold = False
        self._begun_at = 0

    def start(self, n: int, new_total: int | None = None) -> None:
        """Begin at `n` that are done already."""
        self._total = new_total or self._total
        self._marks, self._has_foretold, self._begun_at = [], False, n
        _say_where_it_goes_on(self._what)(n)

    def advance(self, n: int | None, words: str = "", is_stage: bool = False) -> None:
        """Print a line for a new stage, and else now and then; foretell the end once."""
        if words and (is_stage or time.monotonic() - self._logged > _LOG_SECONDS):
            self._logged = time.monotonic()
            self._print(f"{n:,} {self._what}: {words}" if n is not None else words)
        if n is not None and not self._has_foretold:
            self._foretell(n)

    def _foretell(self, n: int) -> None:
        now = time.monotonic()
        if n <= self._begun_at or (self._marks and now - self._marks[-1][0] < _FORECAST_AFTER / 2):
            return
        # Not from the start: what comes first may wait for the compiler, or for workers to begin.
        self._marks = [*self._marks[-2:], (now, n)]
        if len(self._marks) < 2:
            return
        *before, lately = ((b[1] - a[1]) / (b[0] - a[0]) for a, b in itertools.pairwise(self._marks))
        is_long = now - self._marks[-2][0] >= _LOG_SECONDS
        if lately <= 0 or not (is_long or (before and lately < _STEADY * before[0])):
            return
        self._has_foretold = True
        left = (self._total - n) / lately
        if left > _LONG_SECONDS:
            self._print(f"{n:,} of {self._total:,} {self._what}: {duration_in_words(left)} to go")

    @staticmethod
    def _print(line: str) -> None:
        print(line, file=sys.stderr, flush=True)


def duration_in_words(seconds: float) -> str:
    """Return a time as `about 3 minutes`."""
    for unit, length in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"about {seconds / length:,.0f} {unit}"
    return f"about {max(seconds, 1):.0f} s"
