"""The walk-away price: up to which price a lot is worth having."""

import math
from collections.abc import Sequence

import numpy as np

from modernart.analysis.table.belief import mean_and_error
from modernart.analysis.table.positions import Position
from modernart.analysis.table.ways import Played, Way
from modernart.simulator.decisions import ASCENDING, BUYING, Form, budget

#: Prices over which win chances are averaged, to each side.
_SPAN = 4
#: What a unit of relative money weighs beside win chances. Where a price hardly moves them, money decides: their small
#: differences are noise of the playouts, which would move the price from seed to seed.
_MONEY = 1e-3


def money_flow(position: Position, table, buyer: int) -> np.ndarray:
    """Return what each seat gains for every unit of a lot's price, shape (n_seats,)."""
    flow = np.zeros(position.rules.players)
    seller, owner = int(table.auctioneer), int(table.owner)
    is_split = int(table.form) == Form.JOINED and position.rules.double_revenue != "joiner"
    shares = {seller: 0.5, owner: 0.5} if is_split else {seller: 1.0}
    for seat, share in shares.items():
        # What a buyer would owe to themselves goes to the bank.
        flow[seat] += 0.0 if seat == buyer else share
    flow[buyer] -= 1.0
    return flow


def walk_away_price(
    position: Position, game, ways: Sequence[Way], played: Played, by_win: bool
) -> tuple[int | None, float]:
    """Return the highest price at which having the lot is at least as good as letting it go.

    In every scene the game was played on once with the lot in the seat's hands and once with whoever buys it
    otherwise; another price moves money alone. In an open auction the rival who would go furthest pays the same price;
    in the other kinds the rivals pay what they bid. In the last round win chances are compared, before that relative
    money.

    Returns
    -------
    price : int or None
        From 0 to the seat's money; None where no lot is bid for, or no scene tells.
    error : float
        Its standard error where money is compared; else NaN.
    """
    if position.phase not in BUYING:
        return None, math.nan
    curves = price_curves(position, game, ways, played, by_win)
    if curves is None:
        return None, math.nan
    buy, let, units = curves
    most = int(budget(game.table, position.seat))
    if by_win:
        gain, error = _gain_by_win(position, buy, let, most), math.nan
    else:
        gain, error = _gain_by_money(position, buy, let, most), _error_of(position, buy, let, units)
    worth_it = np.flatnonzero(gain >= 0)
    return (int(worth_it[-1]) if len(worth_it) else 0), error


def _error_of(position: Position, buy, let, units: np.ndarray) -> float:
    """Return the standard error of the price at which two straight lines meet."""
    level = _relative(buy[0], position.seat) - _relative(let[0], position.seat)
    slope = _relative(buy[1], position.seat) - _relative(let[1], position.seat)
    meets = -level.mean() / slope.mean()
    _, error = mean_and_error(level + slope * meets, units)
    return float(error) / abs(float(slope.mean()))


def price_curves(
    position: Position, game, ways: Sequence[Way], played: Played, by_win: bool
) -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray], np.ndarray] | None:
    """Return money when the seat buys, and when it lets the lot go: at price 0, and for each unit of the price.

    Final money where win chances count, else what each seat has and should still earn when the round is over.

    Returns
    -------
    buy, let : tuple of two ndarrays of float64, shape (n, n_seats)
        Only scenes in which some answer buys the lot; None if there are none.
    units : ndarray of int64, shape (n,)
        Their walks.
    """
    seat = position.seat
    table = game.table
    out = min(range(len(ways)), key=lambda k: abs(ways[k].first))
    instead = played.buyers[:, out]
    told = (played.sold[:, seat] >= 0) & (instead != seat)
    if not told.any() and seat == int(table.auctioneer):
        told = played.sold[:, seat] >= 0
    if not told.any():
        return None
    flows = np.array([money_flow(position, table, buyer) for buyer in range(position.rules.players)])
    rows = np.flatnonzero(told)
    level = played.final if by_win else played.held
    bought = level[rows, seat] - flows[seat] * played.sold[rows, seat][:, None]
    others = instead[rows]
    natural = level[rows, others]
    prices = played.sold[rows, others]
    rises = np.zeros(len(rows))
    if position.phase in ASCENDING:
        # Who gets the lot because nobody bids pays nothing, however far this seat would have gone.
        rises = ((prices > 0) & (others != seat)).astype(float)
    slope = flows[others] * rises[:, None]
    let = natural - slope * prices[:, None]
    return (bought, np.broadcast_to(flows[seat], bought.shape)), (let, slope), played.units[rows]


def _gain_by_money(position: Position, buy, let, most: int) -> np.ndarray:
    """Return by price what buying gains in relative money: a straight line."""
    level = _relative(buy[0], position.seat) - _relative(let[0], position.seat)
    slope = _relative(buy[1], position.seat) - _relative(let[1], position.seat)
    return level.mean() + slope.mean() * np.arange(most + 1)


def _relative(money: np.ndarray, seat: int) -> np.ndarray:
    n_seats = money.shape[1]
    return (money[:, seat] * n_seats - money.sum(axis=1)) / (n_seats - 1)


def _gain_by_win(position: Position, buy, let, most: int) -> np.ndarray:
    """Return by price what buying gains in win chance, averaged over neighbouring prices; money parts what is equal."""
    seat = position.seat
    chances = []
    for level, slope in (buy, let):
        rivals = np.delete(np.arange(level.shape[1]), seat)
        by_price = []
        for price in range(most + 1):
            money = level + slope * price
            lead = money[:, seat] - money[:, rivals].max(axis=1)
            by_price.append(float((lead > 0).mean() + 0.5 * (lead == 0).mean()))
        chances.append(np.array(by_price))
    raw = chances[0] - chances[1]
    kernel = np.ones(2 * _SPAN + 1)
    weight = np.convolve(np.ones_like(raw), kernel, "same")
    gain = np.convolve(raw, kernel, "same") / weight
    return gain + _MONEY * _gain_by_money(position, buy, let, most)
