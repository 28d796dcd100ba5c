"""What the networks of `learned` see: numbers from the table and the own hand, in a fixed order.

Numbers are not scaled; the first layer of each network takes that in. Artists other than the one in question follow in
the order of what they are expected to pay, so that a network need not learn the same for every artist. What does not
depend on the artist in question is worked out once a decision: the scene.
"""

from modernart.simulator.cards import KIND_LETTERS, AuctionKind
from modernart.simulator.decisions import DECLINE, Phase, artist_of, budget, crowns_of, kind_of
from modernart.simulator.jit import kernel
from modernart.strategies.bidders.predictive import (
    FIXED_PRICES,
    IF_IT_GAINS,
    OPEN_PRICES,
    SEALED_PRICES,
    alone_gain,
    card_cost,
    ending_gain,
    funds_of_rivals,
    lot_gain,
    speakers_behind,
)
from modernart.strategies.forecast import HELD, INTEREST, OUT, OWN, PAYS, RIVALS, expect, relative_collection
from modernart.strategies.learning.hearing import N_LEVELS, OPEN_LEVEL, add_levels

#: Artists that the networks know; decks with another number are refused (`weights_file.py`).
LEARNED_ARTISTS = 5
#: Auction kinds that the networks know, by letter, in their order there.
LEARNED_KINDS = "ORSFDB"
N_KINDS = len(LEARNED_KINDS)


def places_of(letters: str) -> tuple[int, ...]:
    """Return where kinds stand among those that the networks know; any other stands where a sealed auction does.

    So a new kind leaves trained weights as they are.
    """
    return tuple(LEARNED_KINDS.index(letter if letter in LEARNED_KINDS else "S") for letter in letters)


#: By number of `AuctionKind`.
PLACES = places_of(KIND_LETTERS)
_DOUBLE = PLACES[AuctionKind.DOUBLE]
#: Numbers of the game's situation, of the artist in question, and of each other artist (the first of the former).
N_SITUATION, N_OWN_ARTIST, N_OTHER = 14, 16, 9
# Places in the scene.
ARTISTS = N_SITUATION
ORDER = ARTISTS + LEARNED_ARTISTS * N_OWN_ARTIST
KINDS = ORDER + LEARNED_ARTISTS
ALL_KINDS = KINDS + LEARNED_ARTISTS * N_KINDS
LEVELS = ALL_KINDS + N_KINDS
N_SCENE = LEVELS + N_LEVELS
#: Numbers of `look_ahead`.
N_AFTER = 6
#: Rows of them: a card of each artist, and a pair.
AFTER_ROWS = LEARNED_ARTISTS + 1
#: Features that all networks but that of prices share.
N_COMMON = N_SITUATION + N_OWN_ARTIST + (LEARNED_ARTISTS - 1) * N_OTHER + 2 * N_KINDS
# Lengths of the feature vectors; these are even.
N_LOT = N_COMMON + 6 + N_LEVELS
N_CARD = N_KINDS + 16 + N_LEVELS
N_PUT_UP = N_COMMON + N_CARD
N_MARKET = N_SITUATION + N_OWN_ARTIST + N_KINDS + 16 + N_LEVELS


@kernel
def set_scene(table, hand, view, scene):
    """Write the scene, of which `copy_scene` takes features; `scene` holds zeros, and the view the present payouts."""
    add_situation(table, hand, view, scene)
    add_levels(table, hand, scene, LEVELS)
    for slot in range(hand.n_cards):
        card = hand.cards[slot]
        place = PLACES[kind_of(card)]
        scene[ALL_KINDS + place] += 1.0
        scene[KINDS + artist_of(card) * N_KINDS + place] += 1.0
    for artist in range(LEARNED_ARTISTS):
        add_artist(table, hand, view, artist, scene)
        place = artist
        while place > 0 and view[PAYS, int(scene[ORDER + place - 1])] < view[PAYS, artist]:
            scene[ORDER + place] = scene[ORDER + place - 1]
            place -= 1
        scene[ORDER + place] = artist


@kernel
def projected_wealth(table, view, seat):
    """Return a seat's money and what its paintings are expected to pay."""
    total = float(table.money[seat])
    for artist in range(LEARNED_ARTISTS):
        total += table.stakes[seat, artist] * view[PAYS, artist]
    return total


@kernel
def add_situation(table, hand, view, scene):
    """Write where the game stands for the own seat."""
    rules = table.rules
    n_seats = rules.n_seats
    seat = hand.seat
    own = projected_wealth(table, view, seat)
    total = 0.0
    best = -1e9
    richest = 0
    for other in range(n_seats):
        if other != seat:
            wealth = projected_wealth(table, view, other)
            total += wealth
            best = max(best, wealth)
            richest = max(richest, table.money[other])
    rivals = n_seats - 1.0
    to_come = rules.n_rounds - 1 - table.round_index
    n_new = 0
    for later in range(table.round_index + 1, rules.n_rounds):
        n_new += rules.deal[later]
    scene[0] = to_come
    scene[1] = 1.0 if to_come == 0 else 0.0
    scene[2] = 1.0 if to_come == 1 else 0.0
    scene[3] = n_new
    scene[4] = hand.n_cards
    scene[5] = (table.cards_in_hands - hand.n_cards) / rivals
    scene[6] = table.hand_sizes[seat + 1 if seat + 1 < n_seats else 0]
    scene[7] = 0.01 * table.money[seat]
    scene[8] = 0.01 * richest
    scene[9] = 0.01 * (own - total / rivals)
    scene[10] = 0.01 * (own - best)
    scene[11] = 1.0 if own >= best else 0.0
    scene[12] = table.pile_size
    scene[13] = 0.1 * relative_collection(view)


@kernel
def add_artist(table, hand, view, artist, scene):
    """Write how one artist stands."""
    seat = hand.seat
    n_seats = table.rules.n_seats
    n_ahead = 0
    n_level = 0
    for other in range(LEARNED_ARTISTS):
        n_ahead += table.cards_out[other] > table.cards_out[artist]
        n_level += table.cards_out[other] == table.cards_out[artist] and other < artist
    total = 0
    most = 0
    for other in range(n_seats):
        total += table.stakes[other, artist]
        if other != seat:
            most = max(most, table.stakes[other, artist])
    n = ARTISTS + artist * N_OWN_ARTIST
    scene[n] = 0.1 * view[PAYS, artist]
    scene[n + 1] = view[OUT, artist]
    scene[n + 2] = view[OWN, artist]
    scene[n + 3] = view[RIVALS, artist]
    scene[n + 4] = view[INTEREST, artist]
    scene[n + 5] = 0.1 * table.values[artist]
    scene[n + 6] = table.stakes[seat, artist]
    scene[n + 7] = total
    rank = n_ahead + n_level
    is_ranked = table.cards_out[artist] > 0 and rank < table.rules.n_ranks
    scene[n + 8] = 0.1 * (table.values[artist] + table.rules.rank_values[rank]) if is_ranked else 0.0
    scene[n + 9] = most
    scene[n + 10] = n_ahead
    scene[n + 11] = n_level
    scene[n + 12] = scene[KINDS + artist * N_KINDS + _DOUBLE]
    scene[n + 13] = table.rules.end_count - table.cards_out[artist]
    scene[n + 14] = view[HELD, artist]
    scene[n + 15] = table.stakes[seat + 1 if seat + 1 < n_seats else 0, artist]


@kernel
def copy_scene(scene, artist, x):
    """Write the features that an artist in question has in common with all others; returns N_COMMON."""
    for k in range(N_SITUATION):
        x[k] = scene[k]
    n = N_SITUATION
    start = ARTISTS + artist * N_OWN_ARTIST
    for k in range(N_OWN_ARTIST):
        x[n + k] = scene[start + k]
    n += N_OWN_ARTIST
    for place in range(LEARNED_ARTISTS):
        other = int(scene[ORDER + place])
        if other != artist:
            start = ARTISTS + other * N_OWN_ARTIST
            for k in range(N_OTHER):
                x[n + k] = scene[start + k]
            n += N_OTHER
    start = KINDS + artist * N_KINDS
    for kind in range(N_KINDS):
        x[n + kind] = scene[start + kind]
        x[n + N_KINDS + kind] = scene[ALL_KINDS + kind]
    return n + 2 * N_KINDS


@kernel
def copy_levels(scene, x, n):
    """Write how far the rivals go."""
    for k in range(N_LEVELS):
        x[n + k] = scene[LEVELS + k]


@kernel
def lot_features(table, hand, view, scene, x):
    """Write what the network of a lot's worth sees. The seat of the hand need not be the one that is asked."""
    artist = table.artist
    seat = hand.seat
    seller = table.auctioneer
    n = copy_scene(scene, artist, x)
    distance = seat - seller
    if distance < 0:
        distance += table.rules.n_seats
    x[n] = 0.1 * table.lot_crowns * view[PAYS, artist]
    x[n + 1] = table.lot_crowns
    x[n + 2] = 1.0 if seat == seller else 0.0
    x[n + 3] = 1.0 if distance == 1 else 0.0
    x[n + 4] = table.stakes[seller, artist]
    x[n + 5] = table.n_lot
    copy_levels(scene, x, n + 6)


@kernel
def decline_base(table, hand, view):
    """Return what `predictive` thinks that adding no card to the lot on the table gains."""
    alone = table.lot_crowns * view[PAYS, table.artist]
    if table.phase == Phase.PAIR:
        return alone_gain(table, hand, view, alone)
    return -alone / (table.rules.n_seats - 1)


@kernel
def put_up_features(table, hand, view, scene, slot, second, after, x):
    """Write what the networks of cards see: a card of the hand put up, with a second or DECLINE; returns the base.

    Parameters
    ----------
    table, hand, view : records, and what the seat knows
        The view must hold the present payouts, and is left as it was.
    scene : ndarray of float32, shape (N_SCENE,)
    slot, second : int
        For PAIR and JOIN `slot` is the card to be added, and the lot on the table counts with it.
    after : ndarray of float64, shape (AFTER_ROWS, N_AFTER)
        What `look_ahead` found for a card of each artist, kept for the next card; zeros at first.
    x : ndarray of float32, shape (N_PUT_UP,)
        Written.

    Returns
    -------
    float
        What the present forecast says that it gains.
    """
    copy_scene(scene, artist_of(hand.cards[slot]), x)
    return card_features(table, hand, view, scene, slot, second, funds_of_rivals(table, hand), after, x)


@kernel
def card_features(table, hand, view, scene, slot, second, funds, after, x):
    """Write the last N_CARD of what the networks of cards see, those that tell cards of one artist apart.

    Parameters and result as `put_up_features`; `funds` is the most money that a rival has.
    """
    phase = table.phase
    adds = phase == Phase.PAIR or phase == Phase.JOIN
    card = hand.cards[slot]
    artist = artist_of(card)
    kind = kind_of(card)
    crowns = crowns_of(card)
    n_more = 1
    if adds:
        crowns += table.lot_crowns
    elif second != DECLINE:
        n_more = 2
        kind = kind_of(hand.cards[second])
        crowns += crowns_of(hand.cards[second])
    left = table.rules.end_count - table.cards_out[artist]
    n = N_COMMON
    for k in range(n, N_PUT_UP):
        x[k] = 0.0
    x[n + PLACES[kind]] = 1.0
    if kind_of(card) == AuctionKind.DOUBLE:
        x[n + _DOUBLE] = 1.0
    n += N_KINDS
    x[n] = crowns
    x[n + 1] = 1.0 if left <= n_more else 0.0
    x[n + 2] = 1.0 if left == n_more + 1 else 0.0
    x[n + 3] = n_more
    x[n + 4] = 1.0 if phase == Phase.JOIN else 0.0
    if left <= n_more:
        n_up = min(n_more, left)
        base = ending_gain(table, hand, view, artist, n_up, IF_IT_GAINS) - n_up * card_cost(table, hand, artist)
        base -= relative_collection(view)
        x[n + 5] = 0.1 * base
    else:
        base = put_up_base(table, hand, view, artist, kind, crowns, n_more, funds, after, x, n + 6)
    x[n + 12] = 0.01 * funds
    x[n + 13] = hand.notes[OPEN_PRICES]
    x[n + 14] = hand.notes[SEALED_PRICES]
    if adds:
        declined = decline_base(table, hand, view)
        x[n + 15] = 0.1 * declined
        base -= declined
    copy_levels(scene, x, n + 16)
    return base


@kernel
def put_up_base(table, hand, view, artist, kind, crowns, n_more, funds, after, x, n):
    """Return what `predictive` thinks that putting up cards gains, the sale and the lift, and write the parts of it."""
    if n_more > 1 or after[artist, 0] == 0.0:
        look_ahead(table, hand, view, artist, n_more, after[artist if n_more == 1 else LEARNED_ARTISTS])
    seen = after[artist if n_more == 1 else LEARNED_ARTISTS]
    lift = seen[1]
    worth = crowns * seen[2]
    base = lift - n_more * card_cost(table, hand, artist) + lot_gain(table, hand, view, artist, kind, worth, funds)
    x[n] = 0.1 * base
    x[n + 1] = 0.1 * lift
    x[n + 2] = 0.1 * worth
    for k in range(3):
        x[n + 3 + k] = seen[3 + k]
    return base


@kernel
def look_ahead(table, hand, view, artist, n_more, seen):
    """Write what is expected once so many more cards of an artist are out: lift, payout, collections."""
    before = relative_collection(view)
    a, b, c, d, e = view[PAYS, 0], view[PAYS, 1], view[PAYS, 2], view[PAYS, 3], view[PAYS, 4]
    view[OUT, artist] += n_more
    view[OWN, artist] -= n_more
    expect(table, view)
    seen[0] = 1.0
    seen[1] = relative_collection(view) - before
    seen[2] = view[PAYS, artist]
    add_collections(table, hand, view, seen, 3)
    view[OUT, artist] -= n_more
    view[OWN, artist] += n_more
    view[PAYS, 0], view[PAYS, 1], view[PAYS, 2], view[PAYS, 3], view[PAYS, 4] = a, b, c, d, e


@kernel
def add_collections(table, hand, view, x, n):
    """Write what the collections of the next player, of the one that holds most, and the own are expected to pay."""
    most = 0.0
    for step in range(table.rules.n_seats):
        seat = hand.seat + step
        if seat >= table.rules.n_seats:
            seat -= table.rules.n_seats
        pays = 0.0
        for artist in range(LEARNED_ARTISTS):
            pays += table.stakes[seat, artist] * view[PAYS, artist]
        if step == 0:
            x[n + 2] = 0.1 * pays
        else:
            most = max(most, pays)
        if step == 1:
            x[n] = 0.1 * pays
    x[n + 1] = 0.1 * most


@kernel
def market_features(table, hand, scene, worth, x):
    """Write what the network of rivals' prices sees; `worth` is what the lot is expected to pay, at least 1."""
    seat = hand.seat
    seller = table.auctioneer
    artist = table.artist
    n_seats = table.rules.n_seats
    for k in range(N_SITUATION):
        x[k] = scene[k]
    n = N_SITUATION
    for k in range(N_OWN_ARTIST):
        x[n + k] = scene[ARTISTS + artist * N_OWN_ARTIST + k]
    n += N_OWN_ARTIST
    own_place = PLACES[table.kind]
    for place in range(N_KINDS):
        x[n + place] = 1.0 if place == own_place else 0.0
    n += N_KINDS
    richest = 0
    second = 0
    for other in range(n_seats):
        if other != seat and other != seller:
            money = budget(table, other)
            second = max(second, min(money, richest))
            richest = max(richest, money)
    behind = speakers_behind(table) if table.phase == Phase.BID else n_seats - 1
    next_seat = seat + 1 if seat + 1 < n_seats else 0
    x[n] = hand.notes[OPEN_PRICES]
    x[n + 1] = hand.notes[SEALED_PRICES]
    x[n + 2] = hand.notes[FIXED_PRICES]
    x[n + 3] = min(richest / worth, 3.0)
    x[n + 4] = min(second / worth, 3.0)
    x[n + 5] = min(budget(table, seller) / worth, 3.0)
    x[n + 6] = table.high_bid / worth if table.phase == Phase.BID else 0.0
    x[n + 7] = behind
    x[n + 8] = 1.0 if behind <= 1 else 0.0
    x[n + 9] = 1.0 if seat == seller else 0.0
    x[n + 10] = 0.1 * worth
    x[n + 11] = 1.0 / worth
    x[n + 12] = table.stakes[seller, artist]
    x[n + 13] = table.n_lot
    x[n + 14] = hand.notes[OPEN_LEVEL + next_seat]
    x[n + 15] = hand.notes[OPEN_LEVEL + seller] if seat != seller else 0.0
    copy_levels(scene, x, n + 16)
