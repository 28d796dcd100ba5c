"""What a run counts: integer tallies, so that sums do not depend on how the run was split.

Every tally has a leading axis of `N_BATCHES`: block `b` counts in batch `b % N_BATCHES`. The batches are what threads
share out, and they give any statistic an interval: each batch is an independent sample of deals.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from simulator.cards import AuctionKind
from simulator.decisions import Form, Reason
from simulator.jit import kernel
from simulator.state import MAX_SEATS, N_ARTISTS

#: Independent samples of deals that a run is divided into.
N_BATCHES = 32
#: A win is counted in these units, which every number of tied winners divides (least common multiple of 1 to 8).
WIN_UNITS = 840
#: Cards out are told apart up to this number.
MAX_OUT = 8
#: Own paintings of the ending artist are told apart up to this number.
MAX_HOLDING = 6
#: Final money is counted in classes of MONEY_STEP; the last class takes all that is more, the first all below.
MONEY_STEP = 20
N_MONEY = 128
#: Prices are counted in classes of PRICE_STEP, likewise.
PRICE_STEP = 5
N_PRICES = 40
#: Cards put up in a round are told apart up to this number.
MAX_ROUND_CARDS = 64


class End(IntEnum):
    """How a round ended: the form of the lot that completed `end_count`, or one of two further ways."""

    SINGLE = Form.SINGLE
    PAIRED = Form.PAIRED
    JOINED = Form.JOINED
    SHILL = Form.LONE  # a lone double ends no round, so its place is free
    HANDS_EMPTY = 4


N_FORMS = len(Form)
N_ENDS = len(End)


class Tallies(NamedTuple):
    """Integer sums of a run; axes in brackets, measures last.

    Strategies are numbered as in the run, artists in board order, seats counted from the first round's starter.
    """

    scores: np.ndarray  #: [strategy] seats played, win units, money, money squared
    cross: (
        np.ndarray
    )  #: [strategy a][strategy b] over blocks: n_a n_b, n_a win_b, win_a win_b, n_a money_b, money_a money_b, 1
    seats: np.ndarray  #: [strategy][seat] games, win units, money
    meetings: np.ndarray  #: [strategy][other] pairs of seats, win units of the strategy
    neighbours: np.ndarray  #: [0 left, 1 right][strategy][neighbour there] seats, win units of the strategy
    money: np.ndarray  #: [strategy][class] seats (one measure)
    leaders: np.ndarray  #: [round] games, win units times 840 of who leads after it
    lots: np.ndarray  #: [kind][form][round][cards out][bought by auctioneer] lots, price, value, to bank (fees of black-framed cards too)
    trades: np.ndarray  #: [kind][form][auctioneer's strategy][buyer's] lots, price, value, to bank, to owner
    curve: np.ndarray  #: [kind][price class] lots, price, value
    prices: np.ndarray  #: [round][artist][cards out] lots, cards, price, value
    market: np.ndarray  #: [round][artist][rank, last = unranked] rounds (one measure)
    rounds: np.ndarray  #: [round] rounds, cards left in hands, payout of all, money of all
    lengths: np.ndarray  #: [round][cards put up] rounds (one measure)
    ends: np.ndarray  #: [strategy][round][End][holding] rounds, payout ender, next, others; win units of ender, next


def new_tallies(n_strategies: int, n_rounds: int) -> Tallies:
    """Return tallies of zero for a run of `n_strategies` strategies and `n_rounds` rounds a game."""
    s, r = n_strategies, n_rounds
    kinds, forms, outs = len(AuctionKind), N_FORMS, MAX_OUT + 1
    shapes = Tallies(
        scores=(s, 4),
        cross=(s, s, 6),
        seats=(s, MAX_SEATS, 3),
        meetings=(s, s, 2),
        neighbours=(2, s, s, 2),
        money=(s, N_MONEY, 1),
        leaders=(r, 2),
        lots=(kinds, forms, r, outs, 2, 4),
        trades=(kinds, forms, s, s, 5),
        curve=(kinds, N_PRICES, 3),
        prices=(r, N_ARTISTS, outs, 4),
        market=(r, N_ARTISTS, N_ARTISTS + 1, 1),
        rounds=(r, 4),
        lengths=(r, MAX_ROUND_CARDS + 1, 1),
        ends=(s, r, N_ENDS, MAX_HOLDING + 1, 6),
    )
    return Tallies(*(np.zeros((N_BATCHES, *shape), np.int64) for shape in shapes))


def flat_tallies(tallies: Tallies) -> Tallies:
    """Return views of shape (N_BATCHES, cells * measures) for the kernel, which computes the place itself."""
    return Tallies(*(array.reshape(N_BATCHES, -1) for array in tallies))


def add_tallies(total: Tallies, part: Tallies) -> None:
    """Add the sums of `part` to `total`, in place."""
    for into, addend in zip(total, part, strict=True):
        into += addend


@kernel(inline=True)
def add(tally, index, amount):
    """Add to one sum of a flat tally; an unsigned index spares the fix for negative ones."""
    tally[np.uint64(index)] += amount


@kernel
def tallies_of_batch(t, b):
    """Return the flat tallies of one batch: views of one axis."""
    return Tallies(
        t.scores[b],
        t.cross[b],
        t.seats[b],
        t.meetings[b],
        t.neighbours[b],
        t.money[b],
        t.leaders[b],
        t.lots[b],
        t.trades[b],
        t.curve[b],
        t.prices[b],
        t.market[b],
        t.rounds[b],
        t.lengths[b],
        t.ends[b],
    )


@kernel
def tally_game(t, game, who, n_strategies, block_wins, block_money):
    """Count one finished game.

    Parameters
    ----------
    t : Tallies
        Of the batch (see `tallies_of_batch`), updated.
    game : record of GAME_DTYPE
    who : ndarray of int64, shape (MAX_SEATS,)
        Strategy at each seat.
    n_strategies : int
    block_wins, block_money : ndarray of int64, shape (n_strategies,)
        Sums over the games of the block, updated.
    """
    table = game.table
    n_seats = table.rules.n_seats
    best = table.money[0]
    for seat in range(1, n_seats):
        best = max(best, table.money[seat])
    n_winners = 0
    for seat in range(n_seats):
        n_winners += table.money[seat] == best
    share = WIN_UNITS // n_winners
    position = n_seats - game.first_seat
    for seat in range(n_seats):
        if position >= n_seats:
            position -= n_seats
        money = table.money[seat]
        win = share if money == best else 0
        s = who[seat]
        block_wins[s] += win
        block_money[s] += money
        add(t.scores, s * 4, 1)
        add(t.scores, s * 4 + 1, win)
        add(t.scores, s * 4 + 2, money)
        add(t.scores, s * 4 + 3, money * money)
        add(t.money, s * N_MONEY + min(max(money, 0) // MONEY_STEP, N_MONEY - 1), 1)
        cell = s * MAX_SEATS + position
        position += 1
        add(t.seats, cell * 3, 1)
        add(t.seats, cell * 3 + 1, win)
        add(t.seats, cell * 3 + 2, money)
        for other in range(n_seats):
            if other != seat:
                cell = s * n_strategies + who[other]
                add(t.meetings, cell * 2, 1)
                add(t.meetings, cell * 2 + 1, win)
        left = s * n_strategies + who[seat + 1 if seat + 1 < n_seats else 0]
        right = (n_strategies + s) * n_strategies + who[seat - 1 if seat > 0 else n_seats - 1]
        add(t.neighbours, left * 2, 1)
        add(t.neighbours, left * 2 + 1, win)
        add(t.neighbours, right * 2, 1)
        add(t.neighbours, right * 2 + 1, win)
    n_rounds = table.rules.n_rounds
    for r in range(n_rounds):
        tally_round(t, game, r, who, best, share)
    for i in range(game.n_sales):
        sale = game.sales[i]
        r = np.int64(sale.round_index)
        form = np.int64(sale.kind) * N_FORMS + sale.form
        price = sale.price
        artist = sale.artist
        out = min(np.int64(sale.cards_out), MAX_OUT)
        value = sale.crowns * game.rounds[r].pays[artist]
        own = sale.buyer == sale.auctioneer
        cell = ((form * n_rounds + r) * (MAX_OUT + 1) + out) * 2 + own
        add(t.lots, cell * 4, 1)
        add(t.lots, cell * 4 + 1, price)
        add(t.lots, cell * 4 + 2, value)
        add(t.lots, cell * 4 + 3, sale.to_bank + sale.fees)
        cell = (form * n_strategies + who[sale.auctioneer]) * n_strategies + who[sale.buyer]
        add(t.trades, cell * 5, 1)
        add(t.trades, cell * 5 + 1, price)
        add(t.trades, cell * 5 + 2, value)
        add(t.trades, cell * 5 + 3, sale.to_bank)
        add(t.trades, cell * 5 + 4, sale.to_owner)
        cell = sale.kind * N_PRICES + min(price // PRICE_STEP, N_PRICES - 1)
        add(t.curve, cell * 3, 1)
        add(t.curve, cell * 3 + 1, price)
        add(t.curve, cell * 3 + 2, value)
        cell = (r * N_ARTISTS + artist) * (MAX_OUT + 1) + out
        add(t.prices, cell * 4, 1)
        add(t.prices, cell * 4 + 1, sale.n_cards)
        add(t.prices, cell * 4 + 2, price)
        add(t.prices, cell * 4 + 3, value)


@kernel(inline=True)
def tally_round(t, game, r, who, best, share):
    """Count round `r` of a finished game; `best` is the winners' money and `share` the win units of each."""
    table = game.table
    n_seats = table.rules.n_seats
    n_rounds = table.rules.n_rounds
    result = game.rounds[r]
    lead = result.money[0]
    payout = 0
    money = 0
    left = 0
    for seat in range(n_seats):
        lead = max(lead, result.money[seat])
        payout += result.payout[seat]
        money += result.money[seat]
        left += result.hand_sizes[seat]
    n_leaders = 0
    n_winning = 0
    for seat in range(n_seats):
        leads = result.money[seat] == lead
        n_leaders += leads
        n_winning += leads and table.money[seat] == best
    add(t.leaders, r * 2, 1)
    add(t.leaders, r * 2 + 1, n_winning * share * (WIN_UNITS // n_leaders))
    add(t.rounds, r * 4, 1)
    add(t.rounds, r * 4 + 1, left)
    add(t.rounds, r * 4 + 2, payout)
    add(t.rounds, r * 4 + 3, money)
    add(t.lengths, r * (MAX_ROUND_CARDS + 1) + min(result.n_up, MAX_ROUND_CARDS), 1)
    ranked = 0
    for rank in range(N_ARTISTS):
        artist = result.ranking[rank]
        if artist >= 0:
            ranked |= 1 << artist
            add(t.market, (r * N_ARTISTS + artist) * (N_ARTISTS + 1) + rank, 1)
    for artist in range(N_ARTISTS):
        if not (ranked >> artist) & 1:
            add(t.market, (r * N_ARTISTS + artist) * (N_ARTISTS + 1) + N_ARTISTS, 1)
    ender = result.ender
    if ender >= 0:
        how = np.int64(result.form)
        if result.reason == Reason.HANDS_EMPTY:
            how = np.int64(End.HANDS_EMPTY)
        elif result.reason == Reason.SHILL:
            how = np.int64(End.SHILL)
        holding = min(result.holding[ender], MAX_HOLDING)
        following = ender + 1 if ender + 1 < n_seats else 0
        cell = ((who[ender] * n_rounds + r) * N_ENDS + how) * (MAX_HOLDING + 1) + holding
        add(t.ends, cell * 6, 1)
        add(t.ends, cell * 6 + 1, result.payout[ender])
        add(t.ends, cell * 6 + 2, result.payout[following])
        add(t.ends, cell * 6 + 3, payout - result.payout[ender] - result.payout[following])
        add(t.ends, cell * 6 + 4, share if table.money[ender] == best else 0)
        add(t.ends, cell * 6 + 5, share if table.money[following] == best else 0)


@kernel
def tally_block(t, members, n_strategies, block_wins, block_money):
    """Count one block from the sums over its games, and clear them.

    Parameters
    ----------
    members : ndarray of int64, shape (n_seats,)
        The line-up's strategies; one that sits at the table twice counts once, with all its seats.
    """
    n_seats = members.shape[0]
    for i in range(n_seats):
        n_a, is_first = places_in_line_up(members, i)
        if not is_first:
            continue
        for j in range(n_seats):
            n_c, is_first = places_in_line_up(members, j)
            if is_first:
                a = members[i]
                c = members[j]
                cell = a * n_strategies + c
                add(t.cross, cell * 6, n_a * n_c * n_seats * n_seats)
                add(t.cross, cell * 6 + 1, n_a * n_seats * block_wins[c])
                add(t.cross, cell * 6 + 2, block_wins[a] * block_wins[c])
                add(t.cross, cell * 6 + 3, n_a * n_seats * block_money[c])
                add(t.cross, cell * 6 + 4, block_money[a] * block_money[c])
                add(t.cross, cell * 6 + 5, 1)
    for i in range(n_seats):
        block_wins[members[i]] = 0
        block_money[members[i]] = 0


@kernel(inline=True)
def places_in_line_up(members, i):
    """Return how many places of the line-up the strategy at place `i` takes, and whether `i` is the first of them."""
    n = 0
    is_first = True
    for j in range(members.shape[0]):
        if members[j] == members[i]:
            n += 1
            is_first = is_first and j >= i
    return n, is_first
