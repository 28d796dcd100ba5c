"""What a run counts: integer tallies, so that sums do not depend on how the run was split.

Every tally has a leading axis of `N_BATCHES`: block `b` counts in batch `b % N_BATCHES`. The batches are what threads
share out, and they give any statistic an interval: each batch is an independent sample of deals.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from modernart.simulator.cards import MAX_CROWNS, AuctionKind
from modernart.simulator.decisions import Form, Reason
from modernart.simulator.jit import add_to_cell, cells_of, kernel
from modernart.simulator.scoring import WIN_UNITS, richest
from modernart.simulator.state import ARTIST_MASK, MAX_SEATS, N_ARTISTS, SEAT_MASK

#: Independent samples of deals that a run is divided into.
N_BATCHES = 32
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
#: Crowns of a lot of one or two cards.
MAX_LOT_CROWNS = 2 * MAX_CROWNS
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
    #: [strategy a][strategy b] over blocks: n_a n_b, n_a win_b, win_a win_b, n_a money_b, money_a money_b, 1
    cross: np.ndarray
    seats: np.ndarray  #: [strategy][seat] games, win units, money
    meetings: np.ndarray  #: [strategy][other] pairs of seats, win units of the strategy
    neighbours: np.ndarray  #: [0 left, 1 right][strategy][neighbour there] seats, win units of the strategy
    money: np.ndarray  #: [strategy][class] seats (one measure)
    leaders: np.ndarray  #: [round] games, win units times 840 of who leads after it
    #: [kind][form][round][cards out][bought by auctioneer] lots, price, value, to bank (black-framed cards: fees too)
    lots: np.ndarray
    trades: np.ndarray  #: [kind][form][auctioneer's strategy][buyer's] lots, price, value, to bank, to owner
    curve: np.ndarray  #: [kind][price class] lots, price, value
    prices: np.ndarray  #: [round][artist][cards out] lots, cards, price, value
    market: np.ndarray  #: [round][artist][rank, last = unranked] rounds (one measure)
    crowns: np.ndarray  #: [kind][crowns of the lot] lots, price, value; counted only where cards carry crowns
    rounds: np.ndarray  #: [round] rounds, cards left in hands, payout of all, money of all, seats in debt
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
        crowns=(kinds, MAX_LOT_CROWNS + 1, 3),
        rounds=(r, 5),
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
def cells_of_batch(t, b):
    """Return where the flat tallies of one batch are, for `add_to_cell`."""
    return Tallies(
        cells_of(t.scores[b]),
        cells_of(t.cross[b]),
        cells_of(t.seats[b]),
        cells_of(t.meetings[b]),
        cells_of(t.neighbours[b]),
        cells_of(t.money[b]),
        cells_of(t.leaders[b]),
        cells_of(t.lots[b]),
        cells_of(t.trades[b]),
        cells_of(t.curve[b]),
        cells_of(t.prices[b]),
        cells_of(t.market[b]),
        cells_of(t.crowns[b]),
        cells_of(t.rounds[b]),
        cells_of(t.lengths[b]),
        cells_of(t.ends[b]),
    )


@kernel
def tally_game(t, game, n_strategies):
    """Count one finished game, and add its outcome to the sums of its block.

    Parameters
    ----------
    t : Tallies
        Of the batch (see `cells_of_batch`), updated.
    game : record of GAME_DTYPE
        `who` must be set; `block_wins`, `block_money` and `block_squares` are updated.
    n_strategies : int
    """
    table = game.table
    n_seats = table.rules.n_seats
    best, n_winners = richest(table)
    share = WIN_UNITS // n_winners
    position = n_seats - game.first_seat
    for seat in range(n_seats):
        if position >= n_seats:
            position -= n_seats
        money = np.int64(table.money[seat])
        win = share if money == best else 0
        home = game.hands[seat].home & SEAT_MASK
        game.block_wins[home] += win
        game.block_money[home] += money
        game.block_squares[home] += money * money
        s = game.who[seat]
        add_to_cell(t.money, s * N_MONEY + min(max(money, 0) // MONEY_STEP, N_MONEY - 1), 1)
        cell = (s * MAX_SEATS + position) * 3
        position += 1
        add_to_cell(t.seats, cell, 1)
        add_to_cell(t.seats, cell + 1, win)
        add_to_cell(t.seats, cell + 2, money)
    for r in range(table.rules.n_rounds):
        tally_round(t, game, r, best, share)
    for i in range(game.n_sales):
        tally_sale(t, game, i, n_strategies)


@kernel(inline=True)
def tally_sale(t, game, i, n_strategies):
    """Count the `i`-th lot of a finished game."""
    # Everything is read before anything is counted: the compiler cannot know that tallies do not overlap the game.
    sale = game.sales[i]
    n_rounds = game.table.rules.n_rounds
    r = np.int64(sale.round_index)
    kind = np.int64(sale.kind)
    form = kind * N_FORMS + sale.form
    artist = np.int64(sale.artist) & ARTIST_MASK
    out = min(np.int64(sale.cards_out), MAX_OUT)
    n_cards = np.int64(sale.n_cards)
    price = np.int64(sale.price)
    value = np.int64(sale.crowns) * game.rounds[r].pays[artist]
    own = sale.buyer == sale.auctioneer
    seller = game.who[sale.auctioneer & SEAT_MASK]
    buyer = game.who[sale.buyer & SEAT_MASK]
    to_bank = np.int64(sale.to_bank)
    to_owner = np.int64(sale.to_owner)
    fees = np.int64(sale.fees)
    cell = (((form * n_rounds + r) * (MAX_OUT + 1) + out) * 2 + own) * 4
    add_to_cell(t.lots, cell, 1)
    add_to_cell(t.lots, cell + 1, price)
    add_to_cell(t.lots, cell + 2, value)
    add_to_cell(t.lots, cell + 3, to_bank + fees)
    cell = ((form * n_strategies + seller) * n_strategies + buyer) * 5
    add_to_cell(t.trades, cell, 1)
    add_to_cell(t.trades, cell + 1, price)
    add_to_cell(t.trades, cell + 2, value)
    add_to_cell(t.trades, cell + 3, to_bank)
    add_to_cell(t.trades, cell + 4, to_owner)
    cell = (kind * N_PRICES + min(price // PRICE_STEP, N_PRICES - 1)) * 3
    add_to_cell(t.curve, cell, 1)
    add_to_cell(t.curve, cell + 1, price)
    add_to_cell(t.curve, cell + 2, value)
    cell = ((r * N_ARTISTS + artist) * (MAX_OUT + 1) + out) * 4
    add_to_cell(t.prices, cell, 1)
    add_to_cell(t.prices, cell + 1, n_cards)
    add_to_cell(t.prices, cell + 2, price)
    add_to_cell(t.prices, cell + 3, value)
    if game.table.rules.carries_crowns:
        cell = (kind * (MAX_LOT_CROWNS + 1) + sale.crowns) * 3
        add_to_cell(t.crowns, cell, 1)
        add_to_cell(t.crowns, cell + 1, price)
        add_to_cell(t.crowns, cell + 2, value)


@kernel(inline=True)
def tally_round(t, game, r, best, share):
    """Count round `r` of a finished game; `best` is the winners' money and `share` the win units of each."""
    table = game.table
    n_seats = table.rules.n_seats
    n_rounds = table.rules.n_rounds
    result = game.rounds[r]
    lead = result.money[0]
    payout = 0
    money = 0
    left = 0
    in_debt = 0
    for seat in range(n_seats):
        lead = max(lead, result.money[seat])
        payout += result.payout[seat]
        money += result.money[seat]
        left += result.hand_sizes[seat]
        in_debt += result.money[seat] < 0
    n_leaders = 0
    n_winning = 0
    for seat in range(n_seats):
        leads = result.money[seat] == lead
        n_leaders += leads
        # `&`, not `and`: a branch here is guessed wrong half the time.
        n_winning += leads & (table.money[seat] == best)
    add_to_cell(t.leaders, r * 2, 1)
    add_to_cell(t.leaders, r * 2 + 1, n_winning * share * (WIN_UNITS // n_leaders))
    add_to_cell(t.rounds, r * 5, 1)
    add_to_cell(t.rounds, r * 5 + 1, left)
    add_to_cell(t.rounds, r * 5 + 2, payout)
    add_to_cell(t.rounds, r * 5 + 3, money)
    add_to_cell(t.rounds, r * 5 + 4, in_debt)
    add_to_cell(t.lengths, r * (MAX_ROUND_CARDS + 1) + min(result.n_up, MAX_ROUND_CARDS), 1)
    for artist in range(N_ARTISTS):
        add_to_cell(t.market, (r * N_ARTISTS + artist) * (N_ARTISTS + 1) + result.ranks[artist], 1)
    ender = result.ender
    if ender >= 0:
        how = np.int64(result.form)
        if result.reason == Reason.HANDS_EMPTY:
            how = np.int64(End.HANDS_EMPTY)
        elif result.reason == Reason.SHILL:
            how = np.int64(End.SHILL)
        holding = min(result.holding[ender], MAX_HOLDING)
        following = ender + 1 if ender + 1 < n_seats else 0
        cell = (((game.who[ender] * n_rounds + r) * N_ENDS + how) * (MAX_HOLDING + 1) + holding) * 6
        add_to_cell(t.ends, cell, 1)
        add_to_cell(t.ends, cell + 1, result.payout[ender])
        add_to_cell(t.ends, cell + 2, result.payout[following])
        add_to_cell(t.ends, cell + 3, payout - result.payout[ender] - result.payout[following])
        add_to_cell(t.ends, cell + 4, share if table.money[ender] == best else 0)
        add_to_cell(t.ends, cell + 5, share if table.money[following] == best else 0)


@kernel
def tally_block(t, game, members, n_strategies):
    """Count one block from the sums over its games, and clear them.

    Every rotation keeps who meets whom and who sits beside whom, so that these are counted here, not in each game.

    Parameters
    ----------
    t : Tallies
        Of the batch (see `cells_of_batch`), updated.
    game : record of GAME_DTYPE
        `block_wins`, `block_money` and `block_squares` are cleared.
    members : ndarray of int64, shape (n_seats,)
        The line-up's strategies; one that sits at the table twice counts once in `cross`, with all its seats.
    n_strategies : int
    """
    n_seats = members.shape[0]
    for i in range(n_seats):
        a = members[i]
        wins = game.block_wins[i]
        add_to_cell(t.scores, a * 4, n_seats)
        add_to_cell(t.scores, a * 4 + 1, wins)
        add_to_cell(t.scores, a * 4 + 2, game.block_money[i])
        add_to_cell(t.scores, a * 4 + 3, game.block_squares[i])
        for j in range(n_seats):
            if j != i:
                cell = (a * n_strategies + members[j]) * 2
                add_to_cell(t.meetings, cell, n_seats)
                add_to_cell(t.meetings, cell + 1, wins)
        left = (a * n_strategies + members[i + 1 if i + 1 < n_seats else 0]) * 2
        right = ((n_strategies + a) * n_strategies + members[i - 1 if i > 0 else n_seats - 1]) * 2
        add_to_cell(t.neighbours, left, n_seats)
        add_to_cell(t.neighbours, left + 1, wins)
        add_to_cell(t.neighbours, right, n_seats)
        add_to_cell(t.neighbours, right + 1, wins)
        n_a, wins_a, money_a, is_first = sums_of_strategy(game, members, i)
        if not is_first:
            continue
        for j in range(n_seats):
            n_b, wins_b, money_b, is_first = sums_of_strategy(game, members, j)
            if is_first:
                cell = (a * n_strategies + members[j]) * 6
                add_to_cell(t.cross, cell, n_a * n_b * n_seats * n_seats)
                add_to_cell(t.cross, cell + 1, n_a * n_seats * wins_b)
                add_to_cell(t.cross, cell + 2, wins_a * wins_b)
                add_to_cell(t.cross, cell + 3, n_a * n_seats * money_b)
                add_to_cell(t.cross, cell + 4, money_a * money_b)
                add_to_cell(t.cross, cell + 5, 1)
    for i in range(n_seats):
        game.block_wins[i] = 0
        game.block_money[i] = 0
        game.block_squares[i] = 0


@kernel(inline=True)
def sums_of_strategy(game, members, i):
    """Return places, win units and money in a block of the strategy at place `i`, and whether `i` is its first."""
    n = 0
    wins = 0
    money = 0
    is_first = True
    for j in range(members.shape[0]):
        if members[j] == members[i]:
            n += 1
            wins += game.block_wins[j]
            money += game.block_money[j]
            is_first = is_first and j >= i
    return n, wins, money, is_first
