"""The decisions of the game and their legal answers: the contract with strategies.

A strategy is `act(table, hand) -> int`: it answers the decision that `table.phase` asks of seat `table.seat`.
"""

from enum import IntEnum

import numba

from modernart.simulator.cards import AuctionKind, card_artist, card_crowns, card_kind
from modernart.simulator.jit import kernel
from modernart.simulator.state import ARTIST_MASK, HAND, SEAT_MASK, TABLE

#: Signature of every strategy.
ACT = numba.int64(TABLE, HAND)

_artist_of = kernel(inline=True)(card_artist)
kind_of = kernel(inline=True)(card_kind)
crowns_of = kernel(inline=True)(card_crowns)


@kernel(inline=True)
def artist_of(card):
    """Return the place of a card's artist on the board, from 0."""
    return _artist_of(card) & ARTIST_MASK


class Phase(IntEnum):
    """What is asked, and the form of the answer."""

    CARD = 0  #: Which card to put up: its slot in the hand.
    PAIR = 1  #: Which second card to add to one's own double, or own single card: its slot, or DECLINE.
    JOIN = 2  #: Which second card to add to another player's double: its slot, or DECLINE.
    LIMIT = 3  #: Open auction, `limit` style: the most one would pay; 0 = no bid.
    BID = 4  #: Once around: a bid above the high bid; 0 = pass.
    RAISE = 5  #: Open auction, `outcry` style: a bid above the high bid; 0 = pass.
    SEALED = 6  #: Sealed auction: an amount; 0 = no bid.
    PRICE = 7  #: Fixed price: the price to ask.
    ACCEPT = 8  #: Fixed price: 1 = buy, 0 = refuse.
    FLIP = 9  #: Shill: 1 = turn a card of the pile up, 0 = leave it.
    TENDER = 10  #: Black-framed: the amount put in; the auctioneer may stay out with STAY_OUT.
    OVER = 11  #: The game is over: nothing is asked.


#: Whether to add a second card to a double.
ABOUT_A_SECOND = (Phase.PAIR, Phase.JOIN)
#: Answered by a card of the hand, or by none.
ABOUT_CARDS = (Phase.CARD, *ABOUT_A_SECOND)
#: Answered by yes or no.
YES_OR_NO = (Phase.ACCEPT, Phase.FLIP)
#: Asked of everyone before anybody's answer is heard.
SECRET = (Phase.LIMIT, Phase.SEALED, Phase.TENDER)
#: Answered aloud, one player after the other: a bid above the high bid, or a pass.
IN_TURN = (Phase.BID, Phase.RAISE)
#: Open auctions: the buyer pays what it takes to outbid the next.
ASCENDING = (Phase.LIMIT, Phase.RAISE)
#: Answered by how much to pay for the lot, or by whether to pay what is asked.
BUYING = (*ASCENDING, Phase.BID, Phase.SEALED, Phase.ACCEPT)
#: All questions of an auction: when they are answered, the lot is sold.
ABOUT_A_LOT = (*BUYING, Phase.PRICE, Phase.TENDER)
#: Answered by an amount of money.
AMOUNTS = tuple(phase for phase in ABOUT_A_LOT if phase not in YES_OR_NO)

#: Answer to PAIR and JOIN of a player who adds no card.
DECLINE = -1
#: Answer to TENDER of an auctioneer who stays out.
STAY_OUT = -1


class Form(IntEnum):
    """How a lot came to be."""

    SINGLE = 0
    PAIRED = 1  #: A double, or with `pairing` = `same_kind` a single card, with a second card of the same player.
    JOINED = 2  #: A double with a second card of another player.
    LONE = 3  #: A double that nobody joined.


class Reason(IntEnum):
    """Why a round ended."""

    END_COUNT = 0
    HANDS_EMPTY = 1
    SHILL = 2


@kernel(inline=True)
def budget(table, seat):
    """Return the most a seat can pay, in money units (never negative)."""
    return max(table.money[seat & SEAT_MASK], 0)


@kernel(inline=True)
def ends_round(table, artist, n_more):
    """Tell whether the round ends once `n_more` more cards of an artist are out (S1: with the fifth)."""
    return table.cards_out[artist] + n_more >= table.rules.end_count


@kernel(inline=True)
def can_be_second(card):
    """Return whether a card can be the second of a double of its artist (S1: not a double; S2: nor black-framed)."""
    return kind_of(card) < AuctionKind.DOUBLE


@kernel(inline=True)
def fits_double(hand, slot, artist):
    """Return whether the card in a slot can be the second of a double of `artist`."""
    card = hand.cards[slot]
    return artist_of(card) == artist and can_be_second(card)


@kernel(inline=True)
def fits(table, hand, slot):
    """Return whether the card in a slot can be added to the lot that waits for a second card, as PAIR and JOIN ask.

    To a double, any other card of its artist; with `pairing` = `same_kind`, to a single card one of the same kind.
    """
    is_double = table.kind == AuctionKind.DOUBLE
    return fits_double(hand, slot, table.artist) and (is_double or kind_of(hand.cards[slot]) == table.kind)


@kernel
def count_fitting(table, hand):
    """Return how many cards of a hand can be added to the lot that waits for a second card."""
    if table.kind == AuctionKind.DOUBLE:
        return hand.fitting[table.artist & ARTIST_MASK]
    n = 0
    for slot in range(hand.n_cards):
        n += fits(table, hand, slot)
    return n


@kernel(inline=True)
def is_legal_slot(hand, slot):
    """Return whether `slot` is one of the hand's cards."""
    return 0 <= slot < hand.n_cards


@kernel(inline=True)
def is_legal_addition(table, hand, slot):
    """Return whether `slot` is a legal answer to PAIR or JOIN."""
    return slot == DECLINE or (is_legal_slot(hand, slot) and fits(table, hand, slot))


@kernel(inline=True)
def is_legal_amount(table, amount):
    """Return whether `amount` is a legal answer to LIMIT, SEALED or PRICE."""
    return 0 <= amount <= budget(table, table.seat)


@kernel(inline=True)
def is_legal_tender(table, amount):
    """Return whether `amount` is a legal answer to TENDER; only the auctioneer may stay out."""
    return is_legal_amount(table, amount) or (amount == STAY_OUT and table.seat == table.auctioneer)


@kernel(inline=True)
def is_legal_bid(table, amount):
    """Return whether `amount` is a legal answer to BID or RAISE."""
    return amount == 0 or table.high_bid < amount <= table.money[table.seat & SEAT_MASK]


@kernel
def is_legal(table, hand, action):
    """Return whether `action` is a legal answer to the decision that the table asks for.

    Parameters
    ----------
    table : record of TABLE_DTYPE
    hand : record of HAND_DTYPE
        The hand of seat `table.seat`.
    action : int
    """
    phase = table.phase
    if phase == Phase.CARD:
        return is_legal_slot(hand, action)
    if phase == Phase.PAIR or phase == Phase.JOIN:
        return is_legal_addition(table, hand, action)
    if phase == Phase.LIMIT or phase == Phase.SEALED or phase == Phase.PRICE:
        return is_legal_amount(table, action)
    if phase == Phase.BID or phase == Phase.RAISE:
        return is_legal_bid(table, action)
    if phase == Phase.TENDER:
        return is_legal_tender(table, action)
    if phase == Phase.ACCEPT or phase == Phase.FLIP:
        return action == 0 or action == 1
    return False


def legal_answers(table) -> str:
    """Say which answers to the decision that the table asks for are legal."""
    seat = int(table.seat)
    most = int(budget(table, seat))
    amount = f"an amount from 0 to {most}"
    bid = f"0, or an amount from {int(table.high_bid) + 1} to {most}"
    words = {
        Phase.CARD: f"a slot from 0 to {int(table.hand_sizes[seat]) - 1}",
        Phase.PAIR: "the slot of a fitting card, or -1",
        Phase.JOIN: "the slot of a fitting card, or -1",
        Phase.BID: bid,
        Phase.RAISE: bid,
        Phase.ACCEPT: "0 or 1",
        Phase.FLIP: "0 or 1",
        Phase.TENDER: f"-1, or {amount}" if seat == table.auctioneer else amount,
    }
    return words.get(Phase(int(table.phase)), amount)
