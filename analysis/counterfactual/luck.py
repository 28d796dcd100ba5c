"""Luck and skill: the shares of the variance of money that strategy, seat, hand, deal, mates and chance have."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from modernart.analysis.statistics.estimates import Estimate
from modernart.simulator.nested_games import nested_money
from modernart.simulator.players import Player
from modernart.simulator.rules import Rules

#: Sources of the variance of money, from the most like skill to the most like luck.
LUCK_SOURCES = ("strategy", "table mates", "seat", "hand", "deal", "dice")
GROUPS = 20


def luck_table(
    players: Sequence[Player], rules: Rules, *, n_deals: int = 400, n_mates: int = 2, n_repeats: int = 2, seed: int = 1
) -> pd.DataFrame:
    """Return the shares of the variance of a seat's final money that its sources have.

    A nested design: each strategy plays the same deals, in every seat, each time among `n_mates` sets of mates drawn
    from all strategies, and each of these tables `n_repeats` times with other random streams. Components are estimated
    from the inside out: the variance of a level's means, less what the inner levels put into it (Searle, Casella and
    McCulloch, *Variance Components*, 1992). Intervals by jackknife over groups of deals; a component may come out
    below 0.

    Returns
    -------
    DataFrame
        `source`, `share` with interval, `sd` (money; 0 for a negative component).
    """
    money, seats = nested_money(players, rules, n_deals=n_deals, n_mates=n_mates, n_repeats=n_repeats, seed=seed)
    full = variance_components(money, seats)
    groups = np.arange(n_deals) % GROUPS
    parts = np.array([_shares(variance_components(money[:, groups != g], seats[groups != g])) for g in range(GROUPS)])
    shares = _shares(full)
    error = np.sqrt((GROUPS - 1) / GROUPS * np.sum((parts - parts.mean(axis=0)) ** 2, axis=0))
    estimate = Estimate(shares, error, np.full(len(shares), GROUPS - 1.0))
    return pd.DataFrame(
        {
            "source": list(LUCK_SOURCES),
            "share": estimate.mean,
            "share_low": estimate.low,
            "share_high": estimate.high,
            "sd": np.sqrt(np.maximum(full, 0)),
        }
    )


def _shares(components: np.ndarray) -> np.ndarray:
    return components / components.sum()


def variance_components(money: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Return the variances of LUCK_SOURCES.

    Parameters
    ----------
    money : ndarray, shape (n_strategies, n_deals, n_seats, n_mates, n_repeats)
    seats : ndarray of int, shape (n_deals, n_seats)
        Place from the starter, by deal and rotation; every deal has every place once.
    """
    n_strategies, n_deals, n_seats, n_mates, n_repeats = money.shape
    chance = money.var(axis=4, ddof=1).mean()
    tables = money.mean(axis=4)
    mates = tables.var(axis=3, ddof=1).mean() - chance / n_repeats
    hands = tables.mean(axis=3)
    noise = (mates + chance / n_repeats) / n_mates
    # Order each deal's hands by place, and take each strategy's mean of the place out.
    order = np.argsort(seats, axis=1)
    placed = np.take_along_axis(hands, np.broadcast_to(order, hands.shape), axis=2)
    place_means = placed.mean(axis=1, keepdims=True)
    overall = placed.mean(axis=(1, 2), keepdims=True)
    left = placed - placed.mean(axis=2, keepdims=True) - place_means + overall
    degrees = (n_deals - 1) * (n_seats - 1)
    within = (left**2).sum(axis=(1, 2)).mean() / degrees
    hand = within - noise
    seat = np.mean((place_means - overall) ** 2) * n_seats / (n_seats - 1) - within / n_deals
    deals = hands.mean(axis=2)
    deal = deals.var(axis=1, ddof=1).mean() - within / n_seats
    strategy = 0.0
    if n_strategies > 1:
        # All strategies play the same deals, so what the deal gives to all is no noise of their differences.
        apart = deals - deals.mean(axis=0, keepdims=True)
        error = apart.var(axis=1, ddof=1).mean() * n_strategies / (n_strategies - 1) / n_deals
        strategy = deals.mean(axis=1).var(ddof=1) - error
    return np.array([strategy, mates, seat, hand, deal, chance])
