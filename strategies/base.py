"""What a strategy is: a function `act(table, hand) -> int` with a name, bounds for its parameters, and sources."""

import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import overload

from numba.core.errors import NumbaTypeSafetyWarning

from modernart.simulator.code_cache import ROOT
from modernart.simulator.decisions import ACT
from modernart.simulator.errors import BotError, UsageError
from modernart.simulator.jit import kernel
from modernart.simulator.players import Data, Player, Trial
from modernart.simulator.state import MAX_OWN_PARAMS
from modernart.strategies.compiler_messages import reason_of
from modernart.strategies.guard import guarded_act, trial_of
from modernart.strategies.identity import uses_any

# Groups of bidders, in the order of the list. A file in `bidders/` names its group as GROUP; the default is the last.
RULES_OF_THUMB, PUBLISHED, CLAIMS, OWN_IDEAS = range(4)
#: How the code of a bot of expressions calls its file: it holds nothing but arithmetic.
EXPRESSIONS = "<expressions "
#: What code names that reads notes: the field, or the call of another strategy.
_READS_NOTES = frozenset({"notes", "call_act", "consult"})
#: What code names that reads what each seat was heard to bid.
_READS_BIDS = frozenset({"heard", "call_act", "consult"})


@dataclass(frozen=True)
class Param:
    """A number that a strategy plays by.

    Parameters
    ----------
    default : float
    low, high : float
        Bounds, which tuning searches within and specs are held to.
    doc : str
        What it does, in half a line.
    """

    default: float
    low: float = 0.0
    high: float = 1.0
    doc: str = ""

    def __post_init__(self) -> None:
        """Check the bounds."""
        if not self.low <= self.default <= self.high:
            raise ValueError(f"a parameter's default must lie within its bounds, got {self}")


@dataclass(frozen=True)
class Strategy:
    """A bidder that can be named, listed, compiled and seated.

    Parameters
    ----------
    name : str
    function : callable
        Plain `act(table, hand) -> int`.
    params : mapping of str to Param
        In the order of `hand.params`.
    sources : sequence of str
        Where the idea comes from.
    values : mapping of str to float
        Parameters that differ from their defaults.
    data : ndarray or callable, optional
        What else it plays by, as `Player` takes it: weights for instance.
    """

    name: str
    function: Callable
    params: Mapping[str, Param] = field(default_factory=dict)
    sources: Sequence[str] = ()
    values: Mapping[str, float] = field(default_factory=dict)
    data: Data | None = None

    @property
    def doc(self) -> str:
        """How it plays, told to a player."""
        return inspect.getdoc(self.function) or ""

    @property
    def summary(self) -> str:
        """First line of `doc`."""
        return self.doc.partition("\n")[0]

    @cached_property
    def act(self) -> Callable:
        """The compiled function; compiling, or loading it from the cache, waits until somebody plays it."""
        with _telling_what_does_not_compile(self.name, self.function):
            return guarded_act(self.function) if self.is_foreign else _compiled(self.function)

    @property
    def is_foreign(self) -> bool:
        """Whether its code is not this project's own, nor made of expressions: it plays behind a guard."""
        file = self.function.__code__.co_filename
        return not Path(file).is_relative_to(ROOT) and not file.startswith(EXPRESSIONS)

    @property
    def trial(self) -> Trial | None:
        """Its first games, with bounds checks; None for this project's own."""
        return trial_of(self.function) if self.is_foreign else None

    @property
    def keeps_notes(self) -> bool:
        """Whether it may read notes in its hand, by itself or through another strategy that it calls."""
        return self.is_foreign or uses_any(self.function, _READS_NOTES)

    @property
    def hears(self) -> bool:
        """Whether it may read what each seat was heard to bid, by itself or through another strategy that it calls."""
        return self.is_foreign or uses_any(self.function, _READS_BIDS)

    def with_values(self, values: Mapping[str, float]) -> "Strategy":
        """Return the strategy with other parameter values.

        Raises
        ------
        UsageError
            If there is no such parameter, or a value is out of bounds.
        """
        for key, value in values.items():
            if key not in self.params:
                known = ", ".join(self.params) or "none"
                raise UsageError(f'strategy {self.name} has no parameter "{key}"; it has: {known}')
            param = self.params[key]
            if not param.low <= value <= param.high:
                raise UsageError(f"{self.name}: {key} must be from {param.low:g} to {param.high:g}, got {value:g}")
        return replace(self, values={**self.values, **values})

    @property
    def vector(self) -> list[float]:
        """Parameter values in the order of `hand.params`."""
        return [float(self.values.get(name, param.default)) for name, param in self.params.items()]

    @property
    def spec(self) -> str:
        """The text that names this strategy with its parameters."""
        # The shortest text that reads back as the very same number.
        changed = {name: value for name, value in self.values.items() if value != self.params[name].default}
        if not changed:
            return self.name
        return f"{self.name}({', '.join(f'{name}={_shortest(value)}' for name, value in changed.items())})"

    def __call__(self, **values: float) -> "Strategy":
        """Return the strategy with other parameter values, as `half_value(shade=0.6)` does in a spec."""
        return self.with_values({name: float(value) for name, value in values.items()})

    def player(self, name: str | None = None) -> Player:
        """Return what the simulator needs to seat it."""
        return Player(
            name or self.spec,
            self.act,
            self.vector,
            self.data,
            trial=self.trial,
            keeps_notes=self.keeps_notes,
            spec=self.spec,
            hears=self.hears,
        )


@contextmanager
def _telling_what_does_not_compile(name: str, function: Callable) -> Iterator[None]:
    try:
        with warnings.catch_warnings():
            # Of casts, as of an answer that is text: the error that follows says more.
            warnings.simplefilter("ignore", NumbaTypeSafetyWarning)
            yield
    except Exception as error:  # the compiler has no type of its own for all that it may raise
        raise BotError(
            f"strategy {name} does not compile: {reason_of(error, function)} "
            "(NUMBA_DISABLE_JIT=1 plays it as plain Python, for a debugger)"
        ) from error


def _shortest(value: float) -> str:
    return f"{value:g}" if float(f"{value:g}") == value else repr(float(value))


@cache
def _compiled(function: Callable) -> Callable:
    """Compile a function of this project once for all parameter values: these are data, and tuning tries thousands."""
    # What was made of expressions has no file beside which its code could be kept.
    return kernel(function, signature=ACT, cache=Path(function.__code__.co_filename).is_file())


@overload
def strategy(function: Callable, /) -> Strategy: ...


@overload
def strategy(
    *,
    params: Mapping[str, Param] | None = None,
    sources: Sequence[str] = ("original",),
    name: str | None = None,
    data: Data | None = None,
) -> Callable[[Callable], Strategy]: ...


def strategy(
    function: Callable | None = None,
    /,
    *,
    params: Mapping[str, Param] | None = None,
    sources: Sequence[str] = ("original",),
    name: str | None = None,
    data: Data | None = None,
) -> Strategy | Callable[[Callable], Strategy]:
    """Make a strategy of a function `act(table, hand) -> int`, as `@strategy` or `@strategy(params=...)` above it.

    Parameters
    ----------
    function : callable
        The function itself; given by `@strategy` without brackets.
    params : mapping of str to Param, optional
        What `hand.params[0]`, `hand.params[1]`, ... are.
    sources : sequence of str
        Person, paper, forum thread, or "original".
    name : str, optional
        Default: the function's.
    data : ndarray or callable, optional
        What else it plays by, as `Player` takes it.
    """
    chosen = dict(params or {})
    if len(chosen) > MAX_OWN_PARAMS:
        raise ValueError(f"a strategy may have at most {MAX_OWN_PARAMS} parameters, got {len(chosen)}")

    def decorate(function: Callable) -> Strategy:
        return Strategy(name or function.__name__, function, chosen, tuple(sources), data=data)

    return decorate if function is None else decorate(function)
