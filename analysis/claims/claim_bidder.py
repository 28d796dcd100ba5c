"""A plain bidder whose habits can be set one by one, so that a claim about a habit can be tried in one chair."""

from modernart.simulator.cards import AuctionKind
from modernart.simulator.decisions import DECLINE, Phase, artist_of, kind_of
from modernart.simulator.jit import kernel
from modernart.simulator.streams import below
from modernart.strategies.base import Param, strategy
from modernart.strategies.bidding import bid_by_value, simple_tender
from modernart.strategies.card_choice import choose_addition, choose_card, choose_flip
from modernart.strategies.forecast import expected_value

SHARE, FIRST_ROUND, OWN, ORDER, LONE, PAIRS = range(6)

#: Values of `order`.
BY_GAIN, ANY = 0, 1
#: Values of `lone`: offers a double without its second never, always, or only with three of the artist out.
NEVER_LONE, ALWAYS_LONE, LONE_AT_THREE = 0, 1, 2


@kernel
def any_card(hand):
    """Return any card's slot, each equally likely."""
    return below(hand, hand.n_cards)


@kernel
def offers_alone(table, habit):
    """Tell whether the habit is to leave one's own double without a second here; its own card counts as out."""
    last = table.rules.end_count - 1
    return habit == ALWAYS_LONE or (habit == LONE_AT_THREE and table.cards_out[table.artist] == last)


@kernel
def card_without_doubles(table, hand):
    """Return the slot that promises most among cards that are no doubles, the best double if there are no others."""
    best = choose_card(table, hand)
    if kind_of(hand.cards[best]) != AuctionKind.DOUBLE:
        return best
    for slot in range(hand.n_cards):
        card = hand.cards[slot]
        ends = table.cards_out[artist_of(card)] + 1 >= table.rules.end_count
        if kind_of(card) != AuctionKind.DOUBLE and not ends:
            return slot
    return best


@strategy(
    params={
        "share": Param(0.75, 0.0, 1.5, "share of the expected payout that it pays"),
        "first_round": Param(1.0, 0.0, 2.0, "factor on that share in the first round"),
        "own": Param(0.5, 0.0, 1.0, "share at which it buys its own lot, at most `share`"),
        "order": Param(0, 0, 1, "card put up: 0 what promises most, 1 any"),
        "lone": Param(0, 0, 2, "own double without a second: 0 never, 1 always, 2 with three of the artist out"),
        "doubles": Param(1, 0, 1, "1 uses doubles as the heuristic says, 0 keeps them to the last"),
    },
    sources=["original; a fair bidder to try habits on"],
)
def habits(table, hand):
    """Bids a share of what a lot is expected to pay; each habit that claims are made about can be set."""
    phase = table.phase
    if phase == Phase.CARD:
        if hand.params[ORDER] == ANY:
            return any_card(hand)
        return choose_card(table, hand) if hand.params[PAIRS] == 1 else card_without_doubles(table, hand)
    if phase == Phase.PAIR:
        return DECLINE if offers_alone(table, hand.params[LONE]) else choose_addition(table, hand)
    if phase == Phase.JOIN:
        return choose_addition(table, hand)
    if phase == Phase.FLIP:
        return choose_flip(table, hand)
    worth = expected_value(table, hand, True)
    if phase == Phase.TENDER:
        return simple_tender(table, hand, worth)
    share = hand.params[SHARE]
    if table.round_index == 0:
        share *= hand.params[FIRST_ROUND]
    if hand.seat == table.auctioneer and phase != Phase.PRICE:
        # The auctioneer's share is halved at most by `bid_by_value`: what he bids is what the habit says, up to half.
        return bid_by_value(table, hand, worth, min(share, hand.params[OWN]))
    return bid_by_value(table, hand, worth, share)
