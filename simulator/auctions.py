"""The auctions: which seat is asked, who wins, and what is paid.

Each `answer_*` takes the legal answer of seat `table.seat` and returns a `Step`: whether another player is asked, or
the lot is sold to `table.high_bidder` (-1: nobody bid) at `table.high_bid`.
"""

from enum import IntEnum

from modernart.simulator.cards import AuctionKind
from modernart.simulator.decisions import STAY_OUT, Form, Phase, budget
from modernart.simulator.jit import kernel
from modernart.simulator.options import AUCTIONEER_FIRST, JOINER, OUTCRY, SPLIT_ODD_JOINER
from modernart.simulator.state import ARTIST_MASK, MAX_SEATS, SALE_MASK, SEAT_MASK

#: What `table.heard` holds for a seat that was not asked.
UNHEARD = -1


class Step(IntEnum):
    """What follows from an answer."""

    ASK = 0  #: A player is asked: `table.phase` and `table.seat` are set.
    SOLD = 1  #: The lot is sold.
    TURN = 2  #: The lot is settled; the next auctioneer sits left of `table.auctioneer`.
    ENDED = 3  #: The round is over.
    ILLEGAL = 4  #: The answer was refused; nothing has changed.


@kernel(inline=True)
def left_of(table, seat):
    """Return the seat to the left, clockwise."""
    seat += 1
    return (0 if seat == table.rules.n_seats else seat) & SEAT_MASK


@kernel
def open_auction(game):
    """Start the auction of the lot by its kind; returns a Step."""
    table = game.table
    # A bid must exceed this to count.
    below = table.rules.least_bid - 1
    table.high_bid = below
    table.high_bidder = -1
    for seat in range(MAX_SEATS):
        game.amounts[seat] = UNHEARD
    kind = table.kind
    if kind == AuctionKind.FIXED_PRICE:
        table.high_bid = 0
        table.phase = Phase.PRICE
        table.seat = table.auctioneer
        return Step.ASK
    if kind == AuctionKind.ONCE_AROUND:
        table.phase = Phase.BID
        return ask_next_bidder(table, left_of(table, table.auctioneer))
    if kind == AuctionKind.OPEN and table.rules.open_style == OUTCRY:
        table.phase = Phase.RAISE
        table.n_passed = 0
        return ask_next_caller(table, left_of(table, table.auctioneer))
    if kind == AuctionKind.BLACK_FRAMED:
        table.high_bid = 0
        table.phase = Phase.TENDER
        table.seat = left_of(table, table.auctioneer)
        return Step.ASK
    table.phase = Phase.SEALED if kind == AuctionKind.SEALED else Phase.LIMIT
    table.seat = left_of(table, table.auctioneer)
    game.top_bid = below
    game.top_bidder = -1
    game.second_bid = below
    return Step.ASK


@kernel(inline=True)
def outbid(top, second, bidder, seat, amount, tie_bonus):
    """Return the highest secret amount, the second highest and the highest bidder after one more answer.

    Ties go to the earlier answer, unless `tie_bonus` is 1. There are no branches, as processors cannot predict bids.
    """
    is_higher = amount + tie_bonus > top
    return max(top, amount), max(second, min(top, amount)), seat if is_higher else bidder


@kernel(inline=True)
def tie_bonus_of(table, amount):
    """Return 1 for an amount that wins a tie (S1: the auctioneer's in a sealed auction), else 0.

    An amount below the reserve never wins a tie; if nobody bids, the auctioneer gets the lot anyway.
    """
    is_first = table.phase == Phase.SEALED and table.rules.sealed_tie == AUCTIONEER_FIRST
    return 1 if is_first and amount >= table.rules.least_bid and table.seat == table.auctioneer else 0


@kernel(inline=True)
def answer_secret(game, amount):
    """Note the answer to LIMIT or SEALED; the auctioneer answers last, which sells the lot."""
    table = game.table
    seat = table.seat
    game.amounts[seat & SEAT_MASK] = amount
    bonus = tie_bonus_of(table, amount)
    game.top_bid, game.second_bid, game.top_bidder = outbid(
        game.top_bid, game.second_bid, game.top_bidder, seat, amount, bonus
    )
    if seat != table.auctioneer:
        table.seat = left_of(table, seat)
        return Step.ASK
    return sell_secret(game)


@kernel(inline=True)
def sell_secret(game):
    """Sell to the highest secret amount.

    Notes
    -----
    Sealed (S1 C): at that amount. Open, `limit` style (docs/rules.md): at one above the second highest limit, or at the
    buyer's own limit if that is lower.
    """
    table = game.table
    table.high_bidder = game.top_bidder
    table.high_bid = game.top_bid if table.phase == Phase.SEALED else min(game.top_bid, game.second_bid + 1)
    return Step.SOLD


@kernel(inline=True)
def ask_next_bidder(table, seat):
    """Once around: ask the next player, from `seat` on, who can outbid; the auctioneer comes last."""
    while True:
        if table.money[seat] > table.high_bid:
            table.seat = seat
            return Step.ASK
        if seat == table.auctioneer:
            return Step.SOLD
        seat = left_of(table, seat)


@kernel(inline=True)
def answer_once_around(game, amount):
    """Once around (S1 B): one bid or pass each from the auctioneer's left."""
    table = game.table
    seat = table.seat
    game.amounts[seat & SEAT_MASK] = amount
    if amount > 0:
        table.high_bid = amount
        table.high_bidder = seat
    if seat == table.auctioneer:
        return Step.SOLD
    return ask_next_bidder(table, left_of(table, seat))


@kernel
def ask_next_caller(table, seat):
    """Outcry: ask the next player, from `seat` on, who can outbid; the others count as passing."""
    n_needed = table.rules.n_seats if table.high_bidder < 0 else table.rules.n_seats - 1
    while table.n_passed < n_needed:
        if table.money[seat] > table.high_bid:
            table.seat = seat
            return Step.ASK
        table.n_passed += 1
        seat = left_of(table, seat)
    return Step.SOLD


@kernel(inline=True)
def answer_outcry(game, amount):
    """Open auction, `outcry` style (docs/rules.md): it ends when all but the high bidder have passed in a row."""
    table = game.table
    seat = table.seat & SEAT_MASK
    game.amounts[seat] = max(game.amounts[seat], amount)
    if amount > 0:
        table.high_bid = amount
        table.high_bidder = table.seat
        table.n_passed = 0
    else:
        table.n_passed += 1
    return ask_next_caller(table, left_of(table, table.seat))


@kernel(inline=True)
def ask_next_buyer(table, seat):
    """Fixed price: ask the next player, from `seat` on, who can pay; the auctioneer, asked last, must buy (S1 D)."""
    while seat != table.auctioneer:
        if budget(table, seat) >= table.high_bid:
            table.seat = seat
            return Step.ASK
        seat = left_of(table, seat)
    table.high_bidder = seat
    return Step.SOLD


@kernel(inline=True)
def answer_price(game, amount):
    """Fixed price: note the price that the auctioneer names."""
    table = game.table
    table.high_bid = amount
    table.phase = Phase.ACCEPT
    return ask_next_buyer(table, left_of(table, table.auctioneer))


@kernel(inline=True)
def answer_accept(game, action):
    """Fixed price: sell to the player asked, or ask the next one."""
    table = game.table
    game.amounts[table.seat & SEAT_MASK] = table.high_bid * action
    if action == 1:
        table.high_bidder = table.seat
        return Step.SOLD
    return ask_next_buyer(table, left_of(table, table.seat))


@kernel(inline=True)
def settle_lot(game):
    """Move the money and the paintings of a sold lot, and log the sale.

    Notes
    -----
    S1: the buyer pays the auctioneer; an auctioneer who buys pays the bank. Without a bid the auctioneer takes the lot
    for `no_bid_price` (S2: 1), or free if they have less. A joined double pays by `double_revenue`: all to the joiner
    (S1), or half each (S2). A house fee comes out of what the auctioneer would get.
    """
    table = game.table
    rules = table.rules
    seller = table.auctioneer & SEAT_MASK
    buyer = table.high_bidder
    price = table.high_bid
    artist = table.artist & ARTIST_MASK
    to_bank = 0
    to_owner = 0
    if buyer < 0:
        buyer = seller
        table.high_bidder = buyer
        can_pay = table.form != Form.LONE and budget(table, seller) >= rules.no_bid_price
        price = rules.no_bid_price if can_pay else 0
        to_bank = price
    else:
        if table.form == Form.JOINED and rules.double_revenue != JOINER:
            to_owner = price // 2 if rules.double_revenue == SPLIT_ODD_JOINER else price - price // 2
        if buyer == seller:
            to_bank = price - to_owner
        elif buyer == table.owner and to_owner > 0:
            to_bank = to_owner
            to_owner = 0
        if rules.house_fee > 0:
            to_bank += min(price * rules.house_fee // 100, price - to_bank - to_owner)
    table.high_bid = price
    buyer &= SEAT_MASK
    table.money[buyer] -= price
    table.money[seller] += price - to_bank - to_owner
    if to_owner > 0:
        table.money[table.owner] += to_owner
    table.gallery[buyer, artist] += table.n_lot
    table.stakes[buyer, artist] += table.lot_crowns
    table.last_buyer = buyer
    table.last_price = price
    is_lone = table.form == Form.LONE
    for seat in range(MAX_SEATS):
        # How far the buyer would have gone stays unknown.
        table.heard[seat] = UNHEARD if is_lone else min(game.amounts[seat], price)
    log_sale(game, to_bank, to_owner, 0)


@kernel
def answer_tender(game, amount):
    """Note the amount that a player puts in for a black-framed card; the auctioneer answers last."""
    table = game.table
    seat = table.seat
    game.amounts[seat] = amount
    if seat != table.auctioneer:
        table.seat = left_of(table, seat)
        return Step.ASK
    return Step.SOLD


@kernel
def settle_tender(game):
    """Give a black-framed card to the lowest amount, take the other amounts, and log the sale.

    Notes
    -----
    S2, Duel at Sotheby's: a reverse sealed auction. The lowest takes the card and pays nothing, all others pay the
    bank; ties go to the first from the auctioneer's left, the auctioneer, who may have stayed out, last.
    """
    table = game.table
    paid = game.rounds[table.round_index].fees
    n_seats = table.rules.n_seats
    taker = left_of(table, table.auctioneer)
    fees = 0
    seat = taker
    for _ in range(n_seats):
        amount = game.amounts[seat]
        if amount != STAY_OUT:
            fees += amount
            table.money[seat] -= amount
            paid[seat] += amount
            if amount < game.amounts[taker]:
                taker = seat
        seat = left_of(table, seat)
    lowest = game.amounts[taker]
    table.money[taker] += lowest
    paid[taker] -= lowest
    table.high_bidder = taker
    table.stakes[taker, table.artist] -= table.lot_crowns
    table.last_buyer = taker
    table.last_price = 0
    for seat in range(MAX_SEATS):
        table.heard[seat] = game.amounts[seat]
    log_sale(game, 0, 0, fees - lowest)


@kernel(inline=True)
def log_sale(game, to_bank, to_owner, fees):
    """Log the sale of the lot to `table.high_bidder` at `table.high_bid`."""
    table = game.table
    sale = game.sales[game.n_sales & SALE_MASK]
    game.n_sales += 1
    table.n_sold += 1
    sale.round_index = table.round_index
    sale.kind = table.kind
    sale.form = table.form
    sale.artist = table.artist
    sale.cards_out = table.cards_out[table.artist & ARTIST_MASK]
    sale.crowns = table.lot_crowns
    sale.n_cards = table.n_lot
    sale.cards[0] = table.lot[0]
    sale.cards[1] = table.lot[1]
    sale.auctioneer = table.auctioneer
    sale.owner = table.owner
    sale.buyer = table.high_bidder
    sale.price = table.high_bid
    sale.to_bank = to_bank
    sale.to_owner = to_owner
    sale.fees = fees
