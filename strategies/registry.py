"""All built-in strategies, by name."""

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
DEFAULT_FIELD = ("random", "never_buy", "full_value", "half_value", "fair_share")
