"""Bidders that keep in mind neither the cards of earlier rounds nor the others' money."""

from modernart.strategies.base import CLAIMS, strategy
from modernart.strategies.bidders.predictive import IF_IT_GAINS, PARAMS, forget_prices, play_predictive
from modernart.strategies.bidders.shares import play_fair_share

GROUP = CLAIMS

SOURCES = ["original: what is it worth to count cards and money?"]


@strategy(params=PARAMS, sources=SOURCES)
def forgetful_predictive(table, hand):
    """As `predictive`, but forgets the cards of earlier rounds, others' money and the prices they paid."""
    forget_prices(hand)
    return play_predictive(table, hand, IF_IT_GAINS, False)


@strategy(sources=SOURCES)
def forgetful_fair_share(table, hand):
    """As `fair_share`, but forgets the cards of earlier rounds and does not see who leads."""
    return play_fair_share(table, hand, False)
