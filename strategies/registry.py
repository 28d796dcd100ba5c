"""All built-in strategies, by name."""

from importlib.metadata import EntryPoint, entry_points

from modernart.simulator.errors import UsageError
from modernart.strategies.base import Strategy
from modernart.strategies.bidders.blocker import leader_blocker
from modernart.strategies.bidders.choosers import common_first, scarce_first
from modernart.strategies.bidders.collector import collector
from modernart.strategies.bidders.determinised import pimc_greedy
from modernart.strategies.bidders.endings import end_with_three, rusher, staller
from modernart.strategies.bidders.forgetful import forgetful_fair_share, forgetful_predictive
from modernart.strategies.bidders.garthg import fixed_profit, me_vs_you, ratio
from modernart.strategies.bidders.learned import learned
from modernart.strategies.bidders.master import aggressive, heuristic, standard, tight
from modernart.strategies.bidders.owu import high_roller, merchant, predictive_v2, predictive_v3, reactive
from modernart.strategies.bidders.planner import planner
from modernart.strategies.bidders.predictive import predictive
from modernart.strategies.bidders.random import random
from modernart.strategies.bidders.shares import fair_share, full_value, half_value, never_buy

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
    learned,
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
    return Strategy(point.name, found.function, found.params, found.sources, found.values, found.weights)
