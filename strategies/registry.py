"""All built-in strategies, by name."""

from strategies.base import Strategy
from strategies.predictive import predictive
from strategies.random import random
from strategies.shares import fair_share, full_value, half_value, never_buy

#: In the order in which they are listed: from the plainest to the strongest.
STRATEGIES: tuple[Strategy, ...] = (random, never_buy, full_value, half_value, fair_share, predictive)

BY_NAME: dict[str, Strategy] = {strategy.name: strategy for strategy in STRATEGIES}

#: Who plays when nobody is named.
DEFAULT_FIELD = ("random", "never_buy", "full_value", "half_value", "fair_share")
