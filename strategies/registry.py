"""All built-in strategies, by name."""

from importlib.metadata import EntryPoint, entry_points

from simulator.errors import UsageError
from strategies.base import Strategy
from strategies.blocker import leader_blocker
from strategies.choosers import common_first, scarce_first
from strategies.collector import collector
from strategies.determinised import pimc_greedy
from strategies.endings import end_with_three, rusher, staller
from strategies.forgetful import forgetful_fair_share, forgetful_predictive
from strategies.garthg import fixed_profit, me_vs_you, ratio
from strategies.master import aggressive, heuristic, standard, tight
from strategies.owu import high_roller, merchant, predictive_v2, predictive_v3, reactive
from strategies.planner import planner
from strategies.predictive import predictive
from strategies.random import random
from strategies.shares import fair_share, full_value, half_value, never_buy

#: In the order in which they are listed: rules of thumb, bidders that others published, our own.
STRATEGIES: tuple[Strategy, ...] = (
    random,
    never_buy,
    full_value,
    half_value,
    fair_share,
    forgetful_fair_share,
    reactive,
    predictive_v2,
    predictive_v3,
    high_roller,
    merchant,
    standard,
    heuristic,
    aggressive,
    tight,
    fixed_profit,
    ratio,
    me_vs_you,
    pimc_greedy,
    rusher,
    staller,
    end_with_three,
    collector,
    leader_blocker,
    scarce_first,
    common_first,
    forgetful_predictive,
    predictive,
    planner,
)

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
    try:
        found = point.load()
    except Exception as error:
        raise UsageError(f'strategy "{point.name}" ({point.value}) does not load: {error}') from error
    if not isinstance(found, Strategy):
        raise UsageError(f'"{point.name}" ({point.value}) is no strategy; put @strategy() above its function')
    return Strategy(point.name, found.function, found.params, found.sources, found.values)
