"""The bidder that looks ahead with numbers: expected payouts, prices learned at the table, gains against rivals."""

import math

from modernart.simulator.cards import AuctionKind
from modernart.simulator.decisions import (
    DECLINE,
    STAY_OUT,
    Form,
    Phase,
    artist_of,
    budget,
    can_be_second,
    crowns_of,
    ends_round,
    fits,
    fits_double,
    kind_of,
)
from modernart.simulator.jit import kernel, stack_zeros
from modernart.simulator.options import JOINER, OPEN_MONEY, SAME_KIND
from modernart.simulator.state import N_ARTISTS
from modernart.strategies.base import Param, strategy
from modernart.strategies.bidding import whole_amount
from modernart.strategies.forecast import (
    INTEREST,
    N_ROWS,
    OUT,
    OWN,
    PAYS,
    RIVALS,
    compare_stakes,
    count_cards,
    expect,
    expect_with,
    expected_payout,
    relative_collection,
)
from modernart.strategies.valuation import ending_counts, keep_price, payout_now

PARAMS = {
    "open": Param(0.95, 0.3, 1.3, "most it pays in an open auction, as a share of the expected value"),
    "sealed": Param(0.5, 0.0, 3.0, "shading in a sealed auction: pays at most 1 - this / n of the expected value"),
    "once": Param(1.0, 0.3, 1.3, "most it pays in a once-around auction, as a share"),
    "accept": Param(1.0, 0.3, 1.3, "most it pays at a fixed price, as a share"),
    "reserve": Param(0.87, 0.0, 1.3, "as auctioneer, how far it bids, as a share of what rivals are thought to pay"),
    "ask": Param(1.0, 0.3, 1.3, "fixed price it asks, as a share of what rivals are thought to pay"),
    "margin": Param(-0.07, -0.2, 0.5, "in first-price auctions, how far it goes beyond what rivals are thought to pay"),
    "learn": Param(0.12, 0.0, 1.0, "weight of the latest price in what it thinks rivals pay"),
    "level": Param(0.9, 0.2, 1.2, "what it thinks rivals pay at first, as a share of the expected value"),
    "sealed_level": Param(1.0, 0.1, 1.2, "the same in sealed auctions"),
    "lift": Param(1.0, 0.0, 3.0, "weight of what a card does to its collection, beside the sale price"),
    "end": Param(14.0, -30.0, 30.0, "money that ending a round must gain"),
    "end_hand": Param(0.18, -5.0, 15.0, "money that ending costs for each card held beyond the rivals' mean"),
    "keep": Param(0.39, -0.5, 1.0, "worth of a card kept for later, as a share of its artist's board value"),
    "lone": Param(0.83, 0.0, 2.0, "how much it trusts that nobody joins its lone double"),
    "last_word": Param(
        0.5, 0.0, 1.2, "once around, left with the auctioneer alone: what the auctioneer is thought to pay"
    ),
}
(
    OPEN,
    SEALED,
    ONCE,
    ACCEPT,
    RESERVE,
    ASK,
    MARGIN,
    LEARN,
    LEVEL,
    SEALED_LEVEL,
    LIFT,
    END,
    END_HAND,
    KEEP,
    LONE,
    LAST_WORD,
) = range(16)

# When it is ready to end a round: whenever that gains; as soon as it can; never if it can help it; with three or more
# paintings of the ending artist.
IF_IT_GAINS, AT_ONCE, NEVER, WITH_THREE = range(4)
#: Outweighs all gains.
_DECISIVE = 1e6

# The notebook: the last lot it was asked about, and what prices it has learned.
LOT_SELLER, LOT_MONEY, LOT_WORTH, LOT_KIND, LOT_UP, LOT_ROUND, KNOWS, OPEN_PRICES, SEALED_PRICES, FIXED_PRICES = range(
    10
)

#: When accepted fixed prices exceed 1.2 x worth, assume generous buyers and ask 1.5 x as much.
_HIGH_SPIRITS, _PROBE = 1.2, 1.5
#: Where its own price was refused, it thinks so much less of what is accepted.
_REFUSED = 0.6


@kernel
def cards_up(table):
    """Return how many cards were put up this round."""
    total = 0
    for artist in range(N_ARTISTS):
        total += table.cards_out[artist]
    return total


@kernel
def learn_prices(table, hand):
    """Compare the price of the last lot with the worth it was thought to have, and move the price levels.

    The price is what its auctioneer gained since. It is used when no other lot came between.
    """
    notes = hand.notes
    if notes[KNOWS] == 0.0:
        notes[KNOWS] = 1.0
        notes[OPEN_PRICES] = hand.params[LEVEL]
        notes[SEALED_PRICES] = hand.params[SEALED_LEVEL]
        notes[FIXED_PRICES] = hand.params[LEVEL]
        notes[LOT_WORTH] = 0.0
    if notes[LOT_WORTH] <= 0.0:
        return
    n_before = cards_up(table) - (0 if table.phase == Phase.CARD or table.phase == Phase.FLIP else table.n_lot)
    if notes[LOT_ROUND] == table.round_index and n_before == notes[LOT_UP]:
        price = gain_of_seller(table, notes)
        if int(notes[LOT_KIND]) == AuctionKind.FIXED_PRICE:
            learn_fixed_price(hand, price)
        elif price > 0.0:
            place = SEALED_PRICES if int(notes[LOT_KIND]) == AuctionKind.SEALED else OPEN_PRICES
            ratio = min(price / notes[LOT_WORTH], 1.5)
            notes[place] += hand.params[LEARN] * (ratio - notes[place])
    elif notes[LOT_ROUND] == table.round_index and n_before < notes[LOT_UP]:
        # Still the same lot.
        return
    notes[LOT_WORTH] = 0.0


@kernel
def gain_of_seller(table, notes):
    """Return what the auctioneer of the last lot gained by it; where money is hidden, the price that all heard."""
    seller = int(notes[LOT_SELLER])
    if table.rules.rivals_money == OPEN_MONEY:
        return table.money[seller] - notes[LOT_MONEY]
    return float(-table.last_price if table.last_buyer == seller else table.last_price)


@kernel
def learn_fixed_price(hand, price):
    """Move the level of fixed prices that somebody paid; one's own price that nobody paid brings it down."""
    notes = hand.notes
    if price > 0.0:
        ratio = min(price / notes[LOT_WORTH], 6.0)
        # Such lots are rare: a price above the worth counts for much.
        weight = 0.5 if ratio > 1.0 else hand.params[LEARN]
        notes[FIXED_PRICES] += weight * (ratio - notes[FIXED_PRICES])
        notes[OPEN_PRICES] += hand.params[LEARN] * (min(ratio, 1.5) - notes[OPEN_PRICES])
    elif int(notes[LOT_SELLER]) == hand.seat:
        notes[FIXED_PRICES] *= _REFUSED


@kernel
def forget_prices(hand):
    """Go back to the price levels that it starts with."""
    hand.notes[KNOWS] = 0.0


@kernel
def note_lot(table, hand, worth):
    """Write down the lot on sale, to learn from its price."""
    notes = hand.notes
    if table.form == Form.JOINED and table.rules.double_revenue != JOINER:
        return
    notes[LOT_SELLER] = table.auctioneer
    notes[LOT_MONEY] = table.money[table.auctioneer]
    notes[LOT_WORTH] = worth
    notes[LOT_KIND] = table.kind
    notes[LOT_UP] = cards_up(table)
    notes[LOT_ROUND] = table.round_index


@kernel
def price_share(hand, kind):
    """Return what a lot of a kind is thought to fetch, as a share of its expected value."""
    notes = hand.notes
    if kind == AuctionKind.SEALED:
        return notes[SEALED_PRICES]
    if kind == AuctionKind.FIXED_PRICE:
        return notes[OPEN_PRICES] * hand.params[ASK]
    return notes[OPEN_PRICES]


@kernel
def funds_of_rivals(table, hand):
    """Return the most money that any other seat has, which bounds every price."""
    seat = hand.seat
    most = 0
    for other in range(table.rules.n_seats):
        if other != seat:
            most = max(most, budget(table, other))
    return most


@kernel
def expected_sale_gain(table, hand, kind, worth, funds):
    """Return what selling a lot gains against the rivals' mean: the price, less the buyer's profit spread over them.

    No rival can pay more than `funds`.
    """
    price = min(worth * price_share(hand, kind), funds)
    return price - (worth - price) / (table.rules.n_seats - 1)


@kernel
def ending_gain(table, hand, view, artist, n_more, readiness):
    """Return what ending the round now with `n_more` cards of an artist gains against the rivals' mean.

    Taken off: what ending must gain, and what it costs a player who still has more cards to sell than the others.
    """
    wants = 0.0
    if readiness == AT_ONCE:
        wants = _DECISIVE
    elif readiness == NEVER or (readiness == WITH_THREE and table.gallery[hand.seat, artist] < 3):
        wants = -_DECISIVE
    n_counted = ending_counts(table, n_more)
    gain = 0.0
    for other in range(N_ARTISTS):
        if view[INTEREST, other] != 0.0:
            gain += view[INTEREST, other] * _payout_with(table, other, artist, n_counted)
    n_seats = table.rules.n_seats
    rivals_hand = (table.cards_in_hands - hand.n_cards) / (n_seats - 1)
    to_come = table.rules.n_rounds - 1 - table.round_index
    ahead = hand.n_cards - n_more - rivals_hand
    return wants + gain - hand.params[END] - hand.params[END_HAND] * ahead / (1.0 + to_come)


@kernel
def _payout_with(table, other, artist, n_more):
    """Return what one crown of `other` would pay if the round ended with `n_more` more cards of `artist` out."""
    counts = table.cards_out
    counts[artist] += n_more
    pays = payout_now(table, other, 0)
    counts[artist] -= n_more
    return pays


@kernel
def card_cost(table, hand, artist):
    """Return what is given up by not keeping a card for a later round."""
    if table.round_index + 1 >= table.rules.n_rounds:
        return 0.0
    return hand.params[KEEP] * (table.values[artist] + 10.0)


@kernel
def gain_before_sale(table, hand, view, artist, n_more, readiness):
    """Return what putting up cards of an artist gains against the rivals' mean, before anybody pays for them.

    Counts what it does to the expected payouts of collections, which the view then holds, and the cards used up; or
    what ending the round gains, if they do: then nobody will pay.
    """
    cost = n_more * card_cost(table, hand, artist)
    n_out = table.cards_out[artist] + n_more
    if ends_round(table, artist, n_more):
        return ending_gain(table, hand, view, artist, n_more, readiness) - cost
    expect_with(table, view, artist, n_more, n_more)
    gain = hand.params[LIFT] * relative_collection(view) - cost
    return gain + 100.0 * n_out if readiness == AT_ONCE else gain


@kernel
def lot_gain(table, hand, view, artist, kind, worth, funds):
    """Return what a lot on sale gains its seller against the rivals' mean."""
    if kind == AuctionKind.BLACK_FRAMED:
        # Somebody else pays the fine, or more to escape it.
        return worth / (table.rules.n_seats - 1)
    if kind == AuctionKind.DOUBLE:
        return lone_gain(table, hand, view, artist, worth)
    return expected_sale_gain(table, hand, kind, worth, funds)


@kernel
def pair_gain(table, hand, view, slot, second, funds, readiness):
    """Return what putting up a card with a second one gains against the rivals' mean."""
    card, other = hand.cards[slot], hand.cards[second]
    artist = artist_of(card)
    gain = gain_before_sale(table, hand, view, artist, 2, readiness)
    if ends_round(table, artist, 2):
        return gain
    worth = (crowns_of(card) + crowns_of(other)) * view[PAYS, artist]
    return gain + lot_gain(table, hand, view, artist, kind_of(other), worth, funds)


@kernel
def lone_gain(table, hand, view, artist, worth):
    """Return what offering a double around gains: it is kept free if nobody joins; a joiner sells both cards."""
    nobody = math.exp(-hand.params[LONE] * view[RIVALS, artist])
    if ends_round(table, artist, 1):
        nobody = 1.0
    return nobody * worth - (1.0 - nobody) * worth / (table.rules.n_seats - 1)


@kernel
def alone_gain(table, hand, view, worth):
    """Return what adding no card to one's own card on the table gains: a double goes around, another card is sold."""
    if table.kind == AuctionKind.DOUBLE:
        return lone_gain(table, hand, view, table.artist, worth)
    return expected_sale_gain(table, hand, table.kind, worth, funds_of_rivals(table, hand))


@kernel
def twin_of(hand, slot):
    """Return the slot of another card of the same artist and kind as the one in a slot, or DECLINE."""
    card = hand.cards[slot]
    for other in range(hand.n_cards):
        is_alike = artist_of(hand.cards[other]) == artist_of(card) and kind_of(hand.cards[other]) == kind_of(card)
        if other != slot and is_alike:
            return other
    return DECLINE


@kernel
def best_second(table, hand, artist, skip):
    """Return the slot of the card to add: the one that fetches most; DECLINE if none fits.

    `skip` is the slot of a double that might be put up, or below 0 for the lot on the table.
    """
    best = DECLINE
    most = -1.0
    for slot in range(hand.n_cards):
        is_fine = fits(table, hand, slot) if skip < 0 else slot != skip and fits_double(hand, slot, artist)
        if is_fine:
            card = hand.cards[slot]
            promise = crowns_of(card) * price_share(hand, kind_of(card)) + crowns_of(card) * 0.01
            if promise > most:
                most = promise
                best = slot
    return best


@kernel
def card_by_gain(table, hand, view, readiness):
    """Return the slot of the card that gains most, the first of equals."""
    compare_stakes(table, hand, view)
    funds = funds_of_rivals(table, hand)
    # One forecast serves all cards of an artist.
    before = stack_zeros(1, N_ARTISTS)
    pays = stack_zeros(1, N_ARTISTS)
    for artist in range(N_ARTISTS):
        if view[OWN, artist] > 0.0:
            before[0, artist] = gain_before_sale(table, hand, view, artist, 1, readiness)
            pays[0, artist] = view[PAYS, artist]
    best = 0
    most = -1e18
    for slot in range(hand.n_cards):
        artist = artist_of(hand.cards[slot])
        gain = card_gain(table, hand, view, slot, before[0, artist], pays[0, artist], funds, readiness)
        if gain > most:
            most = gain
            best = slot
    return best


@kernel
def card_gain(table, hand, view, slot, before, pays, funds, readiness):
    """Return what putting up a card gains, alone or with a second where that can be, whichever is more.

    Parameters
    ----------
    table, hand : records
    view : ndarray
        Its payouts are overwritten.
    slot : int
    before : float
        What it gains before anybody pays for it.
    pays : float
        What one crown of its artist is expected to pay once it is out.
    funds : float
        Most money that a rival has.
    readiness : int
    """
    card = hand.cards[slot]
    artist = artist_of(card)
    if ends_round(table, artist, 1):
        return before
    gain = before + lot_gain(table, hand, view, artist, kind_of(card), crowns_of(card) * pays, funds)
    is_double = kind_of(card) == AuctionKind.DOUBLE
    if is_double or (table.rules.pairing == SAME_KIND and can_be_second(card)):
        second = best_second(table, hand, artist, slot) if is_double else twin_of(hand, slot)
        if second != DECLINE:
            gain = max(gain, pair_gain(table, hand, view, slot, second, funds, readiness))
    return gain


@kernel
def addition_by_gain(table, hand, view, readiness):
    """Answer PAIR or JOIN: add the best card to the lot on the table, or decline."""
    artist = table.artist
    second = best_second(table, hand, artist, -1)
    if second == DECLINE:
        return DECLINE
    compare_stakes(table, hand, view)
    expect(table, view)
    kind = kind_of(hand.cards[second])
    alone = table.lot_crowns * view[PAYS, artist]
    n_rivals = table.rules.n_seats - 1
    as_is = hand.params[LIFT] * relative_collection(view)
    if table.phase == Phase.PAIR:
        declined = as_is + alone_gain(table, hand, view, alone)
    else:
        declined = as_is - alone / n_rivals
    cost = card_cost(table, hand, artist)
    if ends_round(table, artist, 1):
        added = ending_gain(table, hand, view, artist, 1, readiness) - cost
    else:
        expect_with(table, view, artist, 1, 1)
        worth = (table.lot_crowns + crowns_of(hand.cards[second])) * view[PAYS, artist]
        added = hand.params[LIFT] * relative_collection(view) - cost
        if table.phase == Phase.JOIN and table.rules.double_revenue != JOINER:
            price = worth * price_share(hand, kind)
            added += 0.5 * price - 0.5 * price / n_rivals - (worth - price) / n_rivals
        else:
            added += expected_sale_gain(table, hand, kind, worth, funds_of_rivals(table, hand))
    return second if added > declined else DECLINE


@kernel
def flip_by_gain(table, hand, view, readiness):
    """Answer FLIP: turn a card up if, over the cards it may be, that helps the own collection against the rivals'."""
    compare_stakes(table, hand, view)
    expect(table, view)
    now = relative_collection(view)
    gain = 0.0
    total = 0.0
    for artist in range(N_ARTISTS):
        chance = view[RIVALS, artist]
        total += chance
        if chance > 0.0:
            if view[OUT, artist] + 1 >= table.rules.end_count:
                gain += chance * (ending_gain(table, hand, view, artist, 1, readiness) - now)
            else:
                expect_with(table, view, artist, 1, 0)
                gain += chance * (relative_collection(view) - now)
    return 1 if total > 0.0 and gain > 0.0 else 0


@kernel
def choose_tender(table, hand, worth):
    """Answer TENDER: one unit escapes a card that others take for nothing; the likely fine bounds what it puts in.

    Only the player who would lose the tie at 0 has to put anything in; a second bidder who does so raises the stake.
    """
    if hand.seat == table.auctioneer:
        return STAY_OUT
    n_rivals = table.rules.n_seats - 1
    return min(int(max(worth, 0.0) / n_rivals), budget(table, hand.seat))


@kernel
def speakers_behind(table):
    """Once around: return how many players, the auctioneer not counted, speak after the one who is asked."""
    behind = table.auctioneer - table.seat
    if behind <= 0:
        behind += table.rules.n_seats
    return behind - 1


@kernel
def choose_bid(table, hand, worth):
    """Answer every question of an auction from what the lot is worth."""
    params = hand.params
    phase = table.phase
    is_seller = hand.seat == table.auctioneer
    n_seats = table.rules.n_seats
    going = hand.notes[OPEN_PRICES] * worth
    keeping = keep_price(worth, n_seats)
    if phase == Phase.PRICE:
        asked = going * params[ASK]
        if hand.notes[FIXED_PRICES] > _HIGH_SPIRITS:
            asked = max(asked, hand.notes[FIXED_PRICES] * _PROBE * worth)
        asked = min(asked, funds_of_rivals(table, hand))
        return whole_amount(table, hand, max(asked, 0.0))
    if phase == Phase.ACCEPT:
        return 1 if table.high_bid <= worth * params[ACCEPT] else 0
    if phase == Phase.LIMIT:
        if is_seller:
            return whole_amount(table, hand, max(keeping, going * params[RESERVE]))
        return whole_amount(table, hand, worth * params[OPEN])
    if phase == Phase.SEALED:
        if is_seller:
            # The seller's own bid could only take the lot from somebody who would pay for it.
            return 0
        rival = hand.notes[SEALED_PRICES] * worth
        most = worth * (1.0 - params[SEALED] / n_seats)
        return whole_amount(table, hand, min(rival + params[MARGIN] * worth + 1.0, most))
    high = table.high_bid
    if phase == Phase.RAISE:
        most = max(keeping, going * params[RESERVE]) if is_seller else worth * params[OPEN]
        return high + 1 if whole_amount(table, hand, most) > high else 0
    # Once around.
    if is_seller:
        return high + 1 if whole_amount(table, hand, keeping) > high else 0
    most = whole_amount(table, hand, worth * params[ONCE])
    if most <= high:
        return 0
    if speakers_behind(table) == 0:
        wanted = worth * params[LAST_WORD]
    else:
        wanted = going + params[MARGIN] * worth
    return min(max(math.floor(wanted), high + 1), most)


@kernel
def play_predictive(table, hand, readiness, remembers):
    """Answer any question.

    Parameters
    ----------
    table, hand : records
    readiness : int
        When it is ready to end a round.
    remembers : bool
        Whether it reckons with cards of earlier rounds.
    """
    learn_prices(table, hand)
    phase = table.phase
    view = stack_zeros(N_ROWS, N_ARTISTS)
    count_cards(table, hand, remembers, view)
    if phase == Phase.CARD:
        return card_by_gain(table, hand, view, readiness)
    if phase == Phase.PAIR or phase == Phase.JOIN:
        return addition_by_gain(table, hand, view, readiness)
    if phase == Phase.FLIP:
        return flip_by_gain(table, hand, view, readiness)
    worth = table.lot_crowns * expected_payout(table, view, table.artist)
    if phase == Phase.TENDER:
        return choose_tender(table, hand, worth)
    note_lot(table, hand, worth)
    return choose_bid(table, hand, worth)


@strategy(params=PARAMS)
def predictive(table, hand):
    """Bids on what a lot should come to pay by the end of the round, and ends rounds that pay it more than others.

    It reckons each artist's chance to come first, second or third from the cards out, its own hand and the cards that
    are left, learns at the table what others pay, and puts up the card that does most for its money against the
    rivals' mean: sale price, the lift to its own paintings, and, for an ending card, what ending now pays everyone.
    """
    return play_predictive(table, hand, IF_IT_GAINS, True)
