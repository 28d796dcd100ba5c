"""What the functions of the API are asked for: strategies, rules and a display of progress."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from modernart.analysis.notebook import in_notebook, notebook_bar
from modernart.analysis.progress import progress_bar
from modernart.simulator.compiling import announce_compilation
from modernart.simulator.errors import UsageError
from modernart.strategies.base import Strategy

#: One strategy: its spec, or itself.
Asked = str | Strategy
#: Whether to show progress: None in notebooks only; a function is called with the number done and their total.
Progress = bool | None | Callable[[int, int], None]


def asked_list(strategies: Asked | Sequence[Asked] | None) -> list[Asked]:
    """Return strategies as a list; one alone may stand without brackets."""
    if strategies is None:
        return []
    return [strategies] if isinstance(strategies, str | Strategy) else list(strategies)


def overrides_from(rules: Mapping[str, Any] | None) -> dict[str, str]:
    """Return changed rules as the command line writes them: `{"end_count": 6}` as `end_count=6`."""
    return {key: value if isinstance(value, str) else json.dumps(value) for key, value in (rules or {}).items()}


def rule_words(rules: Mapping[str, Any] | None) -> list[str]:
    """Return changed rules as KEY=VALUE."""
    return [f"{key}={value}" for key, value in overrides_from(rules).items()]


def prepare(progress: Progress) -> None:
    """Begin a function of the API: where progress is shown, the compiler says so when it takes its time.

    Raises
    ------
    UsageError
        If `progress` is none of what it may be.
    """
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise UsageError(f"progress must be True, False, None or a function of two numbers, got {progress!r}")
    if _has_bar(progress):
        announce_compilation()


def _has_bar(progress: Progress) -> bool:
    return progress is True or (progress is None and in_notebook())


@contextmanager
def shown_progress(progress: Progress, what: str, total: int) -> Iterator[tuple[Callable, Callable]]:
    """Show how far some work has come, where that is wanted.

    Yields
    ------
    start, advance : callable
        As of `modernart.analysis.progress.progress_bar`.
    """

    def ignore(*_: Any, **__: Any) -> None:
        pass

    if callable(progress):
        tell = progress
        yield ignore, lambda done, *_, **__: None if done is None else tell(done, total)
    elif not _has_bar(progress):
        yield ignore, ignore
    elif in_notebook():
        with notebook_bar(what, total) as advance:
            yield ignore, advance
    else:
        with progress_bar(what, total) as (start, advance):
            yield start, advance
