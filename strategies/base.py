"""What a strategy is: a function `act(table, hand) -> int` with a name, bounds for its parameters, and sources."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path

from numba.core.errors import NumbaError

from modernart.simulator.code_cache import ROOT
from modernart.simulator.decisions import ACT
from modernart.simulator.errors import BotError, UsageError
from modernart.simulator.jit import kernel
from modernart.simulator.players import Data, Player, Trial
from modernart.simulator.state import HAND, MAX_OWN_PARAMS, TABLE
from modernart.strategies.guard import guarded_act, trial_of
from modernart.strategies.identity import uses_any

# Groups of bidders, in the order of the list. A file in `bidders/` names its group as GROUP; the default is the last.
RULES_OF_THUMB, PUBLISHED, CLAIMS, OWN_IDEAS = range(4)
#: How the code of a bot of expressions calls its file: it holds nothing but arithmetic.
EXPRESSIONS = "<expressions "
#: What code names that reads notes: the field, or the call of another strategy.
_READS_NOTES = frozenset({"notes", "call_act"})


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
        with _telling_what_does_not_compile(self.name):
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
        )


@contextmanager
def _telling_what_does_not_compile(name: str) -> Iterator[None]:
    try:
        yield
    except (NumbaError, KeyError) as error:  # an unknown field of a record is a KeyError
        raise BotError(
            f"strategy {name} does not compile: {_reason_of(error)} "
            "(NUMBA_DISABLE_JIT=1 plays it as plain Python, for a debugger)"
        ) from error


def _shortest(value: float) -> str:
    return f"{value:g}" if float(f"{value:g}") == value else repr(float(value))


def _reason_of(error: NumbaError | KeyError) -> str:
    """Return the sentence and the last line of code that a compiler error names, without the types of the records."""
    if isinstance(error, KeyError):
        return f"table, hand and table.rules have no field {error}"
    text = str(error).replace(str(TABLE), "table").replace(str(HAND), "hand")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = next((line for line in lines if not line.startswith("Failed in")), "no reason given")
    places = [line.rstrip(":") for line in lines if line.startswith('File "')]
    return f"{told[:300]}{', ' + places[0] if places else ''}"


@cache
def _compiled(function: Callable) -> Callable:
    """Compile a function of this project once for all parameter values: these are data, and tuning tries thousands."""
    # What was made of expressions has no file beside which its code could be kept.
    return kernel(function, signature=ACT, cache=Path(function.__code__.co_filename).is_file())


def strategy(
    *,
    params: Mapping[str, Param] | None = None,
    sources: Sequence[str] = ("original",),
    name: str | None = None,
    data: Data | None = None,
) -> Callable[[Callable], Strategy]:
    """Make a strategy of a function `act(table, hand) -> int`.

    Parameters
    ----------
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

    return decorate
