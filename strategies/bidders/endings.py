"""Bidders with one fixed idea of when to end a round; in all else they play as `predictive`."""

from modernart.strategies.base import CLAIMS, strategy
from modernart.strategies.bidders.predictive import AT_ONCE, NEVER, PARAMS, WITH_THREE, play_predictive

GROUP = CLAIMS

S2 = "S2, strategy notes on the online edition"


@strategy(params=PARAMS, sources=["folk claim: end rounds before the others have sold"])
def rusher(table, hand):
    """Ends every round as soon as it can, and until then puts up the artist with most cards out."""
    return play_predictive(table, hand, AT_ONCE, True)


@strategy(params=PARAMS, sources=[S2 + ": ending costs a sale and the first turn of the next round"])
def staller(table, hand):
    """Never ends a round if it can avoid it: leaves that to the others, and sells one painting more."""
    return play_predictive(table, hand, NEVER, True)


@strategy(params=PARAMS, sources=[S2 + ": end it yourself only with three paintings of that artist"])
def end_with_three(table, hand):
    """Ends a round only when it holds three or more paintings of the artist that ends it."""
    return play_predictive(table, hand, WITH_THREE, True)
