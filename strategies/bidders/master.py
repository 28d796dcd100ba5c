"""The rule-based bidders of the project modern_art_master, rebuilt from a description of what they do."""

from modernart.simulator.cards import AuctionKind
from modernart.simulator.decisions import DECLINE, Phase, artist_of, crowns_of, kind_of
from modernart.simulator.jit import kernel
from modernart.strategies.base import strategy
from modernart.strategies.bidding import answer_up_to, first_fitting, simple_tender
from modernart.strategies.valuation import rank_of

SOURCES = ("thedefisentinel/modern_art_master, by its behaviour",)

#: What is taken off the score of a card that ends the round.
_ENDING_COSTS = 15.0
#: A second is added to a double from this worth on.
_SECOND_FROM = 12.0

# How the bidders value a painting of an artist.
STANDARD, HEURISTIC, AGGRESSIVE, TIGHT = range(4)


@kernel
def painting_value(table, artist, n_more, style):
    """Return what a painting is thought to be worth with `n_more` more cards of the artist out."""
    board = table.values[artist]
    if style == AGGRESSIVE:
        return board + 30.0
    if style == HEURISTIC:
        out = table.cards_out[artist] + n_more
        if out >= 4:
            return board + 30.0
        return board + (20.0 if out >= 2 else 10.0 if out == 1 else 0.0)
    rank = rank_of(table, artist, n_more)
    if rank >= 0:
        return board + float(table.rules.rank_values[rank])
    return 5.0 if style == STANDARD else 0.0


@kernel
def valued_card(table, hand, style):
    """Return the slot of the card worth most once it is out; a card that ends the round counts less."""
    best = 0
    most = -1e9
    for slot in range(hand.n_cards):
        artist = artist_of(hand.cards[slot])
        score = crowns_of(hand.cards[slot]) * painting_value(table, artist, 1, style)
        if kind_of(hand.cards[slot]) == AuctionKind.BLACK_FRAMED:
            score = 0.0
        if table.cards_out[artist] + 1 >= table.rules.end_count:
            score -= _ENDING_COSTS
        if score > most:
            most = score
            best = slot
    return best


@kernel
def lot_value(table, style):
    """Return what the lot on sale is thought to be worth."""
    return table.lot_crowns * painting_value(table, table.artist, 0, style)


@kernel
def answer_common(table, hand, worth, style):
    """Answer what all of the family answer alike: cards, seconds, the shill, black frames."""
    phase = table.phase
    if phase == Phase.CARD:
        return valued_card(table, hand, style)
    if phase == Phase.PAIR or phase == Phase.JOIN:
        return first_fitting(table, hand) if worth >= _SECOND_FROM else DECLINE
    if phase == Phase.TENDER:
        return simple_tender(table, hand, worth)
    return 0


@kernel
def is_common(phase):
    """Tell whether a question is not about bidding for or pricing a lot."""
    return (
        phase == Phase.CARD
        or phase == Phase.PAIR
        or phase == Phase.JOIN
        or phase == Phase.FLIP
        or phase == Phase.TENDER
    )


@strategy(sources=SOURCES)
def standard(table, hand):
    """Raises by the least up to all that the lot would pay now, as auctioneer too; sealed .75 of it, asks .8.

    An artist outside the top three counts 5. It puts up the most valuable card, ending cards 15 lower, and adds a
    second to a double worth 12 or more.
    """
    if is_common(table.phase):
        return answer_common(table, hand, lot_value(table, STANDARD), STANDARD)
    worth = lot_value(table, STANDARD)
    once = min(worth, table.high_bid + 1.0)
    return answer_up_to(table, hand, worth, once, 0.75 * worth, 0.8 * worth, worth)


@strategy(sources=SOURCES)
def heuristic(table, hand):
    """Values a painting by the cards out alone: 30 from four, 20 from two, 10 from one, and its board value.

    It raises by the least up to that, not on its own lots; sealed .6 of it, asks .6.
    """
    if is_common(table.phase):
        return answer_common(table, hand, lot_value(table, HEURISTIC), HEURISTIC)
    worth = lot_value(table, HEURISTIC)
    cap = 0.0 if hand.seat == table.auctioneer else worth
    once = min(cap, table.high_bid + 1.0)
    return answer_up_to(table, hand, cap, once, 0.6 * worth, 0.6 * worth, worth)


@strategy(sources=SOURCES)
def aggressive(table, hand):
    """Takes every artist for the first of the round, jumps up to .85 of that, and buys at any fixed price."""
    if is_common(table.phase):
        return answer_common(table, hand, lot_value(table, AGGRESSIVE), AGGRESSIVE)
    cap = 0.85 * lot_value(table, AGGRESSIVE)
    return answer_up_to(table, hand, cap, cap, cap, cap, 1e9)


@strategy(sources=SOURCES)
def tight(table, hand):
    """Raises by the least while at or below half of what the lot would pay now; bids nothing in sealed auctions."""
    if is_common(table.phase):
        return answer_common(table, hand, lot_value(table, TIGHT), TIGHT)
    half = lot_value(table, TIGHT) / 2.0
    once = min(half, table.high_bid + 1.0)
    return answer_up_to(table, hand, half, once, 0.0, half, half)
