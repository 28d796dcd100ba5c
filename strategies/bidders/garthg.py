"""Three bidders of the project garthg/modern-art, rebuilt from a description of what they weigh."""

from modernart.strategies.base import PUBLISHED, Param, strategy
from modernart.strategies.bidders.shares import play_by_share
from modernart.strategies.valuation import value_now

GROUP = PUBLISHED

SOURCES = ("garthg/modern-art, by its behaviour",)


@strategy(params={"profit": Param(10.0, low=0.0, high=40.0, doc="money it wants to gain on each lot")}, sources=SOURCES)
def fixed_profit(table, hand):
    """Pays what a lot would pay now less a fixed profit."""
    worth = value_now(table)
    return play_by_share(table, hand, max(worth - hand.params[0], 0.0), 1.0)


@strategy(params={"share": Param(0.66, low=0.0, high=1.0, doc="share of the value it pays")}, sources=SOURCES)
def ratio(table, hand):
    """Pays .66 of what a lot would pay now."""
    return play_by_share(table, hand, value_now(table), hand.params[0])


@strategy(
    params={"weight": Param(1.0, low=0.0, high=3.0, doc="weight of the seller's gain against its own")}, sources=SOURCES
)
def me_vs_you(table, hand):
    """Buys as long as its own gain is at least the seller's: v - p >= weight x p."""
    return play_by_share(table, hand, value_now(table), 1.0 / (1.0 + hand.params[0]))
