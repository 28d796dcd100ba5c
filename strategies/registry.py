"""All built-in strategies, by name: those that the files of `bidders/` hold."""

import pkgutil
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from modernart.simulator.errors import UsageError
from modernart.strategies import bidders
from modernart.strategies.base import OWN_IDEAS, Strategy
from modernart.strategies.loading import foreign_code


def _found_in(package) -> tuple[Strategy, ...]:
    """Return the strategies that the files of a package define, by group, then by file, then as they stand there."""
    modules = [import_module(f"{package.__name__}.{found.name}") for found in pkgutil.iter_modules(package.__path__)]
    modules.sort(key=lambda module: (getattr(module, "GROUP", OWN_IDEAS), module.__name__))
    return tuple(
        one
        for module in modules
        for one in vars(module).values()
        if isinstance(one, Strategy) and one.function.__module__ == module.__name__
    )


#: In the order in which they are listed: rules of thumb, bidders that others published, claims, ideas of our own.
STRATEGIES: tuple[Strategy, ...] = _found_in(bidders)

BY_NAME: dict[str, Strategy] = {strategy.name: strategy for strategy in STRATEGIES}

#: Who plays when nobody is named.
DEFAULT_FIELD = ("random", "never_buy", "full_value", "half_value", "fair_share", "predictive")

#: Other packages offer strategies under this entry-point group: name = "module:strategy".
ENTRY_POINTS = "modernart.strategies"


def offered() -> dict[str, EntryPoint]:
    """Return the strategies that other packages offer, by name; a built-in name stays the built-in's."""
    return {point.name: point for point in entry_points(group=ENTRY_POINTS) if point.name not in BY_NAME}


def load_offered(point: EntryPoint) -> Strategy:
    """Return a strategy that another package offers.

    Raises
    ------
    UsageError
        If it does not load, or is no strategy.
    """
    with foreign_code(f'strategy "{point.name}" ({point.value})'):
        found = point.load()
    if not isinstance(found, Strategy):
        raise UsageError(f'"{point.name}" ({point.value}) is no strategy; put @strategy() above its function')
    return Strategy(point.name, found.function, found.params, found.sources, found.values, found.data)
