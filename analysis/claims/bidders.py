"""Bidders that claims are tried on: a plain one whose habits can be set one by one, and two that forget one thing."""

import math

from modernart.simulator.cards import AuctionKind
from modernart.simulator.decisions import DECLINE, Phase, artist_of, budget, ends_round, kind_of
from modernart.simulator.jit import kernel
from modernart.simulator.shown_hands import FIRST_SHOWN
from modernart.simulator.state import N_ARTISTS
from modernart.simulator.streams import below
from modernart.strategies.base import Param, strategy
from modernart.strategies.bidders.predictive import IF_IT_GAINS, PARAMS, forget_prices, play_predictive
from modernart.strategies.bidding import bid_by_value, simple_tender
from modernart.strategies.card_choice import choose_addition, choose_card, choose_flip, sale_gain_of_slot
from modernart.strategies.forecast import PAYS, RIVALS, expect, new_view
from modernart.strategies.valuation import table_payouts

(SHARE, FIRST_ROUND, OWN, ORDER, LONE, AVOID, ONCE, MOST, HOLD_1, HOLD_2, HOLD_3, COUNTS, SEES, BLACK) = range(14)

#: Values of `order`.
BY_GAIN, ANY = 0, 1
#: Values of `lone`: offers a double without its second never, always, or only with three of the artist out.
NEVER_LONE, ALWAYS_LONE, LONE_AT_THREE = 0, 1, 2
#: Values of `black`: black-framed cards as other cards, before all others, after all others.
BLACK_ANY, BLACK_FIRST, BLACK_LAST = 0, 1, 2

# The notebook: the round it was last asked in (from 1), and its money at the start of that round.
NOTED_ROUND, ROUND_MONEY = 0, 1


@kernel
def offers_alone(table, habit):
    """Return whether the habit is to leave one's own double without a second here; its own card counts as out."""
    last = table.rules.end_count - 1
    return habit == ALWAYS_LONE or (habit == LONE_AT_THREE and table.cards_out[table.artist] == last)


@kernel
def best_card_without(table, hand, kind):
    """Return the slot of the card that promises most among cards of other kinds; the best of all if there is none."""
    best = -1
    best_gain = -1e9
    for slot in range(hand.n_cards):
        card = hand.cards[slot]
        if kind_of(card) == kind:
            continue
        if ends_round(table, artist_of(card), 1):
            gain = table_payouts(table, hand.seat, artist_of(card), 1)
        else:
            gain = sale_gain_of_slot(table, hand, slot)
        if gain > best_gain:
            best = slot
            best_gain = gain
    return best if best >= 0 else choose_card(table, hand)


@kernel
def first_of_kind(hand, kind):
    """Return the first slot with a card of a kind, or -1."""
    for slot in range(hand.n_cards):
        if kind_of(hand.cards[slot]) == kind:
            return slot
    return -1


@kernel
def habitual_card(table, hand):
    """Return the slot of the card to put up, as the habits say."""
    if hand.params[ORDER] == ANY:
        return below(hand, hand.n_cards)
    if hand.params[BLACK] == BLACK_FIRST:
        black = first_of_kind(hand, AuctionKind.BLACK_FRAMED)
        if black >= 0:
            return black
    if hand.params[BLACK] == BLACK_LAST:
        return best_card_without(table, hand, AuctionKind.BLACK_FRAMED)
    if hand.params[AVOID] > 0:
        return best_card_without(table, hand, whole(hand.params[AVOID]) - 1)
    return choose_card(table, hand)


@kernel
def whole(number):
    """Return a whole parameter as an integer."""
    return math.floor(number)


@kernel
def note_round(table, hand):
    """Write down the money at the start of each round: a round's first question comes before its first payment."""
    if hand.notes[NOTED_ROUND] != table.round_index + 1:
        hand.notes[NOTED_ROUND] = table.round_index + 1
        hand.notes[ROUND_MONEY] = table.money[hand.seat]


@kernel
def may_spend(table, hand):
    """Return what the habits allow to be spent on this lot: money not held back, nothing with enough paintings."""
    paintings = 0
    for artist in range(N_ARTISTS):
        paintings += table.gallery[hand.seat, artist]
    if paintings + table.n_lot > hand.params[MOST]:
        return 0
    held_back = 0.0
    if table.round_index < 3:
        held_back = hand.params[HOLD_1 + table.round_index] * hand.notes[ROUND_MONEY]
    return max(budget(table, hand.seat) - math.ceil(held_back), 0)


@kernel
def worth_with_shown_hand(table, hand):
    """Return what the lot is expected to pay to a player who sees one rival's hand.

    The rivals' cards are the shown ones and, of all cards unseen, the share that the other rivals hold.
    """
    view = new_view(table, hand, True)
    others = table.cards_in_hands - hand.n_cards
    unseen = 0.0
    shown = 0.0
    for artist in range(N_ARTISTS):
        unseen += view[RIVALS, artist]
        shown += hand.notes[FIRST_SHOWN + artist]
    if unseen <= 0.0 or shown <= 0.0:
        return table.lot_crowns * view[PAYS, table.artist]
    # `view` holds unseen copies times the share of them in rivals' hands, which adds up to the rivals' cards.
    n_unseen = 0.0
    for artist in range(N_ARTISTS):
        n_unseen += unseen_copies(table, hand, artist)
    share = max(others - shown, 0.0) / max(n_unseen - shown, 1.0)
    for artist in range(N_ARTISTS):
        known = hand.notes[FIRST_SHOWN + artist]
        view[RIVALS, artist] = known + share * max(unseen_copies(table, hand, artist) - known, 0.0)
    expect(table, view)
    return table.lot_crowns * view[PAYS, table.artist]


@kernel
def unseen_copies(table, hand, artist):
    """Return how many cards of an artist a seat has neither seen put up nor holds."""
    copies = table.rules.artist_copies[artist]
    for code in range(artist * 64, artist * 64 + 64):
        copies -= table.seen[code]
    for slot in range(hand.n_cards):
        copies -= artist_of(hand.cards[slot]) == artist
    return max(copies, 0)


@kernel
def worth_of_lot(table, hand):
    """Return what the lot is expected to pay, from what the habits let the player know."""
    if hand.params[SEES] == 1:
        return worth_with_shown_hand(table, hand)
    return table.lot_crowns * new_view(table, hand, hand.params[COUNTS] == 1)[PAYS, table.artist]


@kernel
def habitual_share(table, hand):
    """Return the share of a lot's worth that the habits let the player bid."""
    share = hand.params[SHARE]
    if table.round_index == 0:
        share *= hand.params[FIRST_ROUND]
    if hand.seat == table.auctioneer and table.phase != Phase.PRICE:
        # `bid_by_value` halves the auctioneer's share at most: the bid is what the habit says, up to half.
        share = min(share, hand.params[OWN])
    return share


@kernel
def habitual_bid(table, hand):
    """Answer a question about buying or pricing the lot, as the habits say."""
    worth = worth_of_lot(table, hand)
    allowed = may_spend(table, hand)
    if table.phase == Phase.BID and hand.seat == table.auctioneer and hand.params[ONCE] > 0:
        keeps = math.floor(worth * hand.params[ONCE]) > table.high_bid and table.high_bid < allowed
        return table.high_bid + 1 if keeps else 0
    answer = bid_by_value(table, hand, worth, habitual_share(table, hand))
    if table.phase == Phase.PRICE:
        return answer
    if table.phase == Phase.ACCEPT:
        return answer if table.high_bid <= allowed else 0
    answer = min(answer, allowed)
    if table.phase == Phase.BID or table.phase == Phase.RAISE:
        return answer if answer > table.high_bid else 0
    return answer


@strategy(
    params={
        "share": Param(0.75, 0.0, 1.5, "share of the expected payout that it pays"),
        "first_round": Param(1.0, 0.0, 2.0, "factor on that share in the first round"),
        "own": Param(0.5, 0.0, 1.0, "share at which it buys its own lot, at most `share`"),
        "order": Param(0, 0, 1, "card put up: 0 what promises most, 1 any"),
        "lone": Param(0, 0, 2, "own double without a second: 0 never, 1 always, 2 with three of the artist out"),
        "avoid": Param(0, 0, 5, "cards put up last: 0 none, 1 open, 2 once around, 3 sealed, 4 fixed price, 5 doubles"),
        "once": Param(0, 0.0, 1.0, "share at which it outbids the last bid for its own once-around lot; 0: as `own`"),
        "most": Param(99, 0, 99, "paintings that it buys in a round at most"),
        "hold_1": Param(0, 0.0, 1.0, "share of the money at the start of round 1 that it does not spend"),
        "hold_2": Param(0, 0.0, 1.0, "the same for round 2"),
        "hold_3": Param(0, 0.0, 1.0, "the same for round 3"),
        "counts": Param(1, 0, 1, "1 counts the cards of earlier rounds"),
        "sees": Param(0, 0, 1, "1 uses what it is shown of a rival's hand"),
        "black": Param(0, 0, 2, "black-framed cards: 0 as other cards, 1 first, 2 last"),
    },
    sources=["original; a fair bidder to try habits on"],
)
def habits(table, hand):
    """Bids a share of what a lot is expected to pay; each habit that claims are made about can be set."""
    note_round(table, hand)
    phase = table.phase
    if phase == Phase.CARD:
        return habitual_card(table, hand)
    if phase == Phase.PAIR:
        return DECLINE if offers_alone(table, hand.params[LONE]) else choose_addition(table, hand)
    if phase == Phase.JOIN:
        return choose_addition(table, hand)
    if phase == Phase.FLIP:
        return choose_flip(table, hand)
    if phase == Phase.TENDER:
        return simple_tender(table, hand, worth_of_lot(table, hand))
    return habitual_bid(table, hand)


@strategy(params=PARAMS, sources=["original: what is it worth to count cards alone?"])
def card_blind(table, hand):
    """As `predictive`, but forgets the cards of earlier rounds; the prices that it learned stay."""
    return play_predictive(table, hand, IF_IT_GAINS, False)


@strategy(params=PARAMS, sources=["original: what is it worth to learn prices alone?"])
def price_blind(table, hand):
    """As `predictive`, but forgets the prices of earlier lots; it still counts cards."""
    forget_prices(hand)
    return play_predictive(table, hand, IF_IT_GAINS, True)


#: Known to claims alone, by name.
BIDDERS = {bidder.name: bidder for bidder in (habits, card_blind, price_blind)}
