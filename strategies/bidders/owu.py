"""The bidders of a student research project of Ohio Wesleyan University, rebuilt from a description of what they do."""

from modernart.simulator.cards import AuctionKind
from modernart.simulator.decisions import DECLINE, Phase, artist_of, budget, ends_round, kind_of
from modernart.simulator.jit import kernel
from modernart.simulator.state import N_ARTISTS
from modernart.strategies.base import PUBLISHED, strategy
from modernart.strategies.bidding import answer_up_to, first_fitting, simple_tender, whole_amount
from modernart.strategies.card_choice import copies_in_hand
from modernart.strategies.valuation import match_table_price, payout_now, rank_of

GROUP = PUBLISHED

SOURCES = ("welol5/Modern-Art-Board-Game (Ohio Wesleyan University student research, 2016-2019), by its behaviour",)

# The notebook: favourite artists of this round, in the order in which they are to rank.
ROUND, N_FAVOURITES, FAVOURITES = 0, 1, 2
#: A favourite that is to rank first, second, third must have this many copies left (version 3).
_NEEDS_LEFT = (5, 2, 1)


@kernel
def slot_of_artist(table, hand, artist):
    """Return a slot with a card of an artist, a double that can be paired if there is one; DECLINE without a card."""
    best = DECLINE
    for slot in range(hand.n_cards):
        if artist_of(hand.cards[slot]) == artist:
            if kind_of(hand.cards[slot]) == AuctionKind.DOUBLE and hand.fitting[artist] > 0:
                return slot
            if best == DECLINE or kind_of(hand.cards[best]) == AuctionKind.DOUBLE:
                best = slot
    return best


@kernel
def copies_left(table, artist):
    """Return how many cards of an artist were not put up yet in this game."""
    codes_each = table.seen.shape[0] // N_ARTISTS
    left = table.rules.artist_copies[artist]
    for code in range(artist * codes_each, (artist + 1) * codes_each):
        left -= table.seen[code]
    return left


@kernel
def leading_artist(table, hand):
    """Return the artist with most cards out among those in hand, or -1; ties go to the one further left."""
    best = -1
    for artist in range(N_ARTISTS):
        if copies_in_hand(hand, artist) > 0 and (best < 0 or table.cards_out[artist] > table.cards_out[best]):
            best = artist
    return best


@kernel
def common_slot(table, hand):
    """Return a slot of the artist most common in hand."""
    best = 0
    most = -1
    for artist in range(N_ARTISTS):
        n = copies_in_hand(hand, artist)
        if n > most:
            most = n
            best = artist
    return slot_of_artist(table, hand, best)


@kernel
def reactive_card(table, hand):
    """Return the slot of an artist whom the own hand could bring to the end of the round, else of the leading one."""
    for artist in range(N_ARTISTS):
        own = copies_in_hand(hand, artist)
        if own > 0 and ends_round(table, artist, own):
            return slot_of_artist(table, hand, artist)
    return slot_of_artist(table, hand, leading_artist(table, hand))


@kernel
def is_wanted(table, artist, rank, counts_copies):
    """Tell whether a favourite still has to be brought to its rank."""
    if rank_of(table, artist, 0) == rank:
        return False
    return not counts_copies or copies_left(table, artist) >= _NEEDS_LEFT[rank]


@kernel
def lock_favourite(table, hand):
    """Add one more favourite, of those bought most, to the notebook; a new round starts a new list."""
    notes = hand.notes
    if notes[ROUND] != table.round_index + 1.0:
        notes[ROUND] = table.round_index + 1.0
        notes[N_FAVOURITES] = 0.0
    n = int(notes[N_FAVOURITES])
    if n >= 3:
        return
    best = -1
    for artist in range(N_ARTISTS):
        is_new = table.gallery[hand.seat, artist] > 0
        for i in range(n):
            is_new = is_new and int(notes[FAVOURITES + i]) != artist
        if is_new and (best < 0 or table.gallery[hand.seat, artist] > table.gallery[hand.seat, best]):
            best = artist
    if best >= 0:
        notes[FAVOURITES + n] = best
        notes[N_FAVOURITES] = n + 1.0


@kernel
def favourite_card(table, hand, counts_copies):
    """Return the slot of the first favourite that is not yet where it should rank, else of the commonest in hand."""
    lock_favourite(table, hand)
    for rank in range(int(hand.notes[N_FAVOURITES])):
        artist = int(hand.notes[FAVOURITES + rank])
        if copies_in_hand(hand, artist) > 0 and is_wanted(table, artist, rank, counts_copies):
            return slot_of_artist(table, hand, artist)
    return common_slot(table, hand)


@kernel
def board_card(table, hand):
    """Return the slot of the card with the highest board value, doubles that can be paired first."""
    best = 0
    most = -1
    for slot in range(hand.n_cards):
        card = hand.cards[slot]
        artist = artist_of(card)
        can_pair = kind_of(card) == AuctionKind.DOUBLE and hand.fitting[artist] > 0
        rank = table.values[artist] + (100_000 if can_pair else 0)
        if rank > most:
            most = rank
            best = slot
    return best


@kernel
def share_cap(table):
    """Return v (n - 1) / n of what the lot would pay now."""
    worth = table.lot_crowns * payout_now(table, table.artist, 0)
    return match_table_price(worth, table.rules.n_seats)


@kernel
def jump_below(table, hand, cap):
    """Outcry: bid above the high bid, a whole number of times n below the cap; 0 if that is past the cap."""
    high = table.high_bid
    top = whole_amount(table, hand, cap)
    if top <= high:
        return 0
    n = table.rules.n_seats
    return top - n * ((top - high - 1) // n)


@kernel
def answer_share(table, hand, cap):
    """Answer everything but a card from one cap."""
    phase = table.phase
    if phase == Phase.PAIR or phase == Phase.JOIN:
        return first_fitting(table, hand)
    if phase == Phase.FLIP:
        return 0
    if phase == Phase.TENDER:
        return simple_tender(table, hand, cap)
    if phase == Phase.RAISE:
        return jump_below(table, hand, cap)
    return answer_up_to(table, hand, cap, cap, cap, cap, cap)


@strategy(sources=SOURCES)
def reactive(table, hand):
    """Pays up to half of what one card would pay now, for doubles too, and hurries the artist it can bring to an end.

    Sealed and once around it bids all of that half, fixed prices it asks half and buys below half. It puts up the
    artist that cards out and its own hand could bring to the end of the round, else the leading one.
    """
    if table.phase == Phase.CARD:
        return reactive_card(table, hand)
    cap = payout_now(table, table.artist, 0) * (table.lot_crowns / max(table.n_lot, 1)) / 2.0
    if table.phase == Phase.RAISE:
        return answer_up_to(table, hand, cap, cap, cap, cap, cap)
    if table.phase == Phase.ACCEPT:
        return 1 if table.high_bid < cap else 0
    return answer_share(table, hand, cap)


@strategy(sources=SOURCES)
def predictive_v2(table, hand):
    """Pays up to (n-1)/n of what a lot would pay now, and plays up to three artists that it bought to the top.

    Favourites are locked in the order of its purchases, one more each own turn, and are to rank first, second, third;
    without one it puts up the artist commonest in its hand.
    """
    if table.phase == Phase.CARD:
        return favourite_card(table, hand, False)
    return answer_share(table, hand, share_cap(table))


@strategy(sources=SOURCES)
def predictive_v3(table, hand):
    """As predictive_v2, but gives up a favourite that has too few copies left: 5 to be first, 2 second, 1 third."""
    if table.phase == Phase.CARD:
        return favourite_card(table, hand, True)
    return answer_share(table, hand, share_cap(table))


@strategy(sources=SOURCES)
def high_roller(table, hand):
    """As predictive_v2, but whoever opens the bidding as it does bids as much as all its money.

    It opens where it is asked first: left of the auctioneer, or in an outcry before any bid. Its fixed price is one
    below (n-1)/n of the value now.
    """
    phase = table.phase
    if phase == Phase.CARD:
        return favourite_card(table, hand, False)
    cap = share_cap(table)
    if phase == Phase.PRICE:
        return whole_amount(table, hand, cap - 1)
    first = (table.auctioneer + 1) % table.rules.n_seats
    if phase == Phase.LIMIT and hand.seat == first:
        return budget(table, hand.seat)
    if phase == Phase.RAISE and table.high_bidder < 0:
        return budget(table, hand.seat)
    return answer_share(table, hand, cap)


@strategy(sources=SOURCES)
def merchant(table, hand):
    """Never buys: puts up what has the highest board value, doubles that it can pair first, and asks (n-1)/n."""
    phase = table.phase
    if phase == Phase.CARD:
        return board_card(table, hand)
    if phase == Phase.PRICE:
        return whole_amount(table, hand, share_cap(table))
    if phase == Phase.PAIR or phase == Phase.JOIN or phase == Phase.FLIP or phase == Phase.TENDER:
        return answer_share(table, hand, share_cap(table))
    return 0
