"""Counterfactual playouts: kernels that copy a game at a decision and play it on in several ways."""

import numpy as np

from modernart.simulator import streams
from modernart.simulator.asking import consult
from modernart.simulator.batch import seat_players
from modernart.simulator.cards import AuctionKind
from modernart.simulator.copying import copy_game
from modernart.simulator.decisions import DECLINE, Form, Phase, artist_of, can_be_second, ends_round, fits, kind_of
from modernart.simulator.game import apply, begin_turn, new_deal, new_game, play
from modernart.simulator.jit import kernel
from modernart.simulator.options import SAME_KIND
from modernart.simulator.scoring import WIN_UNITS, richest
from modernart.simulator.state import MAX_SEATS, N_ARTISTS, N_CODES

#: What is changed: the ending of a round, the kind of sale of a lot, who starts a round.
ENDINGS, SALES, STARTS = range(3)

#: Work space of one thread: the game that goes on, its state at the decision, and the copy that is played on.
MAIN, SNAPSHOT, BRANCH = range(3)
N_GAMES = 3

#: Columns of `facts`. CASE is how the round can be ended, or the form of the lot; HOLDING the mover's paintings of the
#: artist; KIND the card's own kind; KINDS a bit for each kind of that artist in the mover's hand.
DEAL, STRATEGY, ROUND, CASE, HOLDING, HAND, CHOSEN, OUT, KIND, KINDS = range(10)
N_FACTS = 10

#: Values of CASE in `ENDINGS`.
BY_CARD, BY_PAIR, BY_JOIN = 1, 2, 3

#: Auction kinds that a single card can have.
N_KINDS = int(AuctionKind.DOUBLE)
#: A seat's money and win units, for each seat from the mover's left; then whether the round ended with this lot.
ENDED = 2 * MAX_SEATS
#: What a sale brings: price, the seller's revenue, final money and win units, whether the seller bought the lot, and
#: the mean final money of the other seats times their number.
PRICE, REVENUE, MONEY, WINS, OWN, OTHERS = range(6)

#: Branches and outcomes of each study.
SHAPES = {ENDINGS: (2, ENDED + 1), SALES: (N_KINDS, OTHERS + 1), STARTS: (MAX_SEATS, ENDED)}

#: Lots of a study of sales: sold by all kinds, and left out because of what.
STUDIED, ENDING, LAST_CARD, JOINED, LONE, BLACK_FRAMED, NO_COPY = range(7)
N_COUNTS = 7

#: Results of the kernels below zero: an illegal answer, no room left.
ILLEGAL, NO_ROOM = -1, -2
#: No such action.
_NONE = -2

_REPEAT_GAMMA = np.uint64(0xD1342543DE82EF95)


@kernel(wraps=True)
def repeat_key(key, repeat):
    """Return a stream's key for a repeat; repeat 0 keeps the key."""
    return key if repeat == 0 else streams.mix(key ^ (np.uint64(repeat) * _REPEAT_GAMMA))


@kernel
def rekey(game, repeat):
    """Give every player a new random stream from here on; the cards to come stay. Repeat 0 changes nothing."""
    game.key = repeat_key(game.key, repeat)
    for seat in range(game.table.rules.n_seats):
        game.hands[seat].rng = repeat_key(game.hands[seat].rng, repeat)


@kernel
def start_branch(games, repeat):
    """Return a fresh copy of the snapshot, with the random streams of a repeat."""
    copy_game(games[BRANCH], games[SNAPSHOT])
    rekey(games[BRANCH], repeat)
    return games[BRANCH]


@kernel
def win_units(table, seat):
    """Return the win units of a seat at the end of a game, ties shared."""
    best, n_winners = richest(table.money, table.rules.n_seats)
    return WIN_UNITS // n_winners if table.money[seat] == best else 0


@kernel
def write_results(table, first, result):
    """Write every seat's money and win units to `result`, from seat `first` clockwise."""
    n_seats = table.rules.n_seats
    for k in range(n_seats):
        seat = (first + k) % n_seats
        result[2 * k] = table.money[seat]
        result[2 * k + 1] = win_units(table, seat)


@kernel
def card_ends_round(table, card):
    """Return whether putting up a card ends the round at once (by `end_count`)."""
    return ends_round(table, artist_of(card), 1)


@kernel
def ask_among(game, ending):
    """Return the slot that the mover prefers among the cards that end the round, or among those that do not.

    The strategy is shown a hand of those cards alone, and its answer is translated back; -2 if there are none or if
    the answer is none of them. The hand is left as it was but for its random stream and notes.
    """
    table = game.table
    seat = table.seat
    hand = game.hands[seat]
    n = hand.n_cards
    kept = np.empty(n, np.int64)
    cards = np.empty(n, np.int64)
    fitting = np.empty(N_ARTISTS, np.int64)
    for artist in range(N_ARTISTS):
        fitting[artist] = hand.fitting[artist]
        hand.fitting[artist] = 0
    n_kept = 0
    for slot in range(n):
        cards[slot] = hand.cards[slot]
    for slot in range(n):
        card = cards[slot]
        if card_ends_round(table, card) == ending:
            kept[n_kept] = slot
            hand.cards[n_kept] = card
            hand.fitting[artist_of(card)] += can_be_second(card)
            n_kept += 1
    answer = np.int64(-1)
    if n_kept > 0:
        hand.n_cards = n_kept
        table.hand_sizes[seat] = n_kept
        answer = consult(game.acts[seat], table, hand)
    hand.n_cards = n
    table.hand_sizes[seat] = n
    for slot in range(n):
        hand.cards[slot] = cards[slot]
    for artist in range(N_ARTISTS):
        hand.fitting[artist] = fitting[artist]
    if answer < 0 or answer >= n_kept:
        return np.int64(_NONE)
    return kept[answer]


@kernel
def ending_case(game):
    """Return how the mover can either end the round or not: 0 no choice, BY_CARD, BY_PAIR or BY_JOIN."""
    table = game.table
    hand = game.hands[table.seat]
    if table.phase == Phase.PAIR or table.phase == Phase.JOIN:
        if ends_round(table, table.artist, 1):
            return BY_PAIR if table.phase == Phase.PAIR else BY_JOIN
        return 0
    if table.phase != Phase.CARD or table.cards_in_hands == 1:
        return 0
    n_ending = 0
    for slot in range(hand.n_cards):
        n_ending += card_ends_round(table, hand.cards[slot])
    return BY_CARD if 0 < n_ending < hand.n_cards else 0


@kernel
def ending_actions(game, case):
    """Return the mover's preferred action that ends the round and the preferred one that does not; -2 if none."""
    table = game.table
    hand = game.hands[table.seat]
    if case == BY_CARD:
        return ask_among(game, True), ask_among(game, False)
    answer = consult(game.acts[table.seat], table, hand)
    if answer != DECLINE:
        return answer, np.int64(DECLINE)
    for slot in range(hand.n_cards):
        if fits(table, hand, slot):
            return np.int64(slot), np.int64(DECLINE)
    return np.int64(_NONE), np.int64(DECLINE)


@kernel
def finish_lot(game):
    """Play on until the next turn, round or the end; returns False after an illegal answer."""
    table = game.table
    while table.phase != Phase.CARD and table.phase != Phase.OVER:
        if not apply(game, consult(game.acts[table.seat], table, game.hands[table.seat])):
            return False
    return True


@kernel
def play_out(games, action, repeat, result):
    """Play the snapshot on with an action and write the results; returns False after an illegal answer.

    Parameters
    ----------
    result : ndarray of int64, shape (ENDED + 1,)
        Written: results from the mover's seat clockwise, and whether the round ended before anyone's next turn.
    """
    game = start_branch(games, repeat)
    table = game.table
    mover = table.seat
    round_index = table.round_index
    if not apply(game, action) or not finish_lot(game):
        return False
    result[ENDED] = table.round_index != round_index
    if not play(game):
        return False
    write_results(table, mover, result)
    return True


@kernel
def fork_ending(games, action, facts, outcomes):
    """Play on both ways where the mover can end the round and can also not; `outcomes` has shape (repeats, 2, ...).

    Returns 1 if this is such a decision, 0 if not, ILLEGAL after an illegal answer.
    """
    game = games[MAIN]
    case = ending_case(game)
    if case == 0:
        return 0
    # The snapshot is taken after the answer: its draws are behind both branches as they are behind the game itself.
    copy_game(games[SNAPSHOT], games[MAIN])
    copy_game(games[BRANCH], games[SNAPSHOT])
    end, on = ending_actions(games[BRANCH], case)
    if end == _NONE or on == _NONE:
        return 0
    table = game.table
    hand = game.hands[table.seat]
    artist = artist_of(hand.cards[end])
    chosen = action != DECLINE
    if case == BY_CARD:
        chosen = 0 <= action < hand.n_cards and card_ends_round(table, hand.cards[action])
    facts[CASE] = case
    facts[HOLDING] = table.gallery[table.seat, artist]
    facts[CHOSEN] = chosen
    facts[OUT] = table.cards_out[artist]
    for repeat in range(outcomes.shape[0]):
        if not play_out(games, end, repeat, outcomes[repeat, 0]):
            return ILLEGAL
        if not play_out(games, on, repeat, outcomes[repeat, 1]):
            return ILLEGAL
    return 1


@kernel
def exchange(game, slot, wanted):
    """Exchange the card in a slot of the mover's hand for a copy of `wanted` that nobody has seen.

    Looked for in the mover's hand, among the cards never dealt, those dealt later, the shill's pile, the other hands:
    the first of these changes the rest of the game least. So every card is still in one place, and the cards seen
    stay possible. Returns False if all copies have been put up.
    """
    table = game.table
    hand = game.hands[table.seat]
    card = hand.cards[slot]
    if card == wanted:
        return True
    hand.cards[slot] = wanted
    for other in range(hand.n_cards):
        if other != slot and hand.cards[other] == wanted:
            hand.cards[other] = card
            return True
    for place in range(table.rules.n_deck - 1, game.deck_position - 1, -1):
        if game.deck[place] == wanted:
            game.deck[place] = card
            return True
    for place in range(table.pile_size):
        if game.pile[place] == wanted:
            game.pile[place] = card
            return True
    for seat in range(table.rules.n_seats):
        other_hand = game.hands[seat]
        for place in range(other_hand.n_cards):
            if seat != table.seat and other_hand.cards[place] == wanted:
                other_hand.cards[place] = card
                return True
    hand.cards[slot] = card
    return False


@kernel
def of_kind(card, kind):
    """Return the code of a card like this one but of another auction kind."""
    return card + 8 * (kind - kind_of(card))


@kernel
def is_in_deck(table, kind):
    """Return whether the deck has cards of a kind."""
    for code in range(N_CODES):
        if kind_of(code) == kind and table.rules.code_copies[code] > 0:
            return True
    return False


@kernel
def can_be_any_kind(games, slot):
    """Return whether the card in a slot can be exchanged for an unseen one of each kind in the deck."""
    table = games[MAIN].table
    card = games[MAIN].hands[table.seat].cards[slot]
    for kind in range(N_KINDS):
        copy_game(games[BRANCH], games[SNAPSHOT])
        if is_in_deck(table, kind) and not exchange(games[BRANCH], slot, of_kind(card, kind)):
            return False
    return True


@kernel
def sell_as(games, slot, kind, repeat, result):
    """Sell the snapshot's lot by another kind, play on and write what that brings; False after an illegal answer."""
    game = start_branch(games, repeat)
    table = game.table
    seller = table.seat
    exchange(game, slot, of_kind(game.hands[seller].cards[slot], kind))
    n_sales = game.n_sales
    action = np.int64(slot)
    while game.n_sales == n_sales:
        if not apply(game, action):
            return False
        if game.n_sales == n_sales:
            action = consult(game.acts[table.seat], table, game.hands[table.seat])
    sale = game.sales[n_sales]
    result[PRICE] = sale.price
    result[REVENUE] = sale.price - sale.to_bank
    result[OWN] = sale.buyer == seller
    if not play(game):
        return False
    result[MONEY] = table.money[seller]
    result[WINS] = win_units(table, seller)
    result[OTHERS] = 0
    for seat in range(table.rules.n_seats):
        result[OTHERS] += table.money[seat] if seat != seller else 0
    return True


@kernel
def kinds_held(hand, artist):
    """Return a bit for each kind of the artist's cards in a hand."""
    kinds = np.int64(0)
    for slot in range(hand.n_cards):
        card = hand.cards[slot]
        if artist_of(card) == artist and can_be_second(card):
            kinds |= np.int64(1) << np.int64(kind_of(card))
    return kinds


@kernel
def lot_class(games, action):
    """Return STUDIED or why the card that is put up is left out; -1 if no lot is decided here."""
    game = games[MAIN]
    table = game.table
    hand = game.hands[table.seat]
    is_card = table.phase == Phase.CARD or table.phase == Phase.PAIR or table.phase == Phase.JOIN
    if not is_card or not 0 <= action < hand.n_cards:
        return -1
    if table.phase == Phase.PAIR and table.kind != AuctionKind.DOUBLE:
        return -1  # a pair of one kind: counted when its first card was put up
    card = hand.cards[action]
    if card_ends_round(table, card):
        return ENDING
    if table.cards_in_hands == 1:
        return LAST_CARD
    if table.phase == Phase.JOIN:
        return JOINED
    if table.rules.pairing == SAME_KIND:
        if table.phase == Phase.CARD and can_be_second(card) and hand.fitting[artist_of(card)] > 1:
            # A second card might end the round, and then there is no sale to compare.
            if ends_round(table, artist_of(card), 2):
                return ENDING
            if table.cards_in_hands == 2:
                return LAST_CARD
    if kind_of(card) == AuctionKind.BLACK_FRAMED:
        return BLACK_FRAMED
    if not can_be_second(card):
        return -1
    copy_game(games[SNAPSHOT], games[MAIN])
    return STUDIED if can_be_any_kind(games, action) else NO_COPY


@kernel
def fork_sale(games, action, facts, outcomes, counts):
    """Sell a single card or an own double by each kind in the deck; `outcomes` has shape (repeats, N_KINDS, ...).

    Returns 1 if this is such a decision, 0 if not, ILLEGAL after an illegal answer.
    """
    what = lot_class(games, action)
    if what >= 0:
        counts[what] += 1
    if what != STUDIED:
        return 0
    table = games[MAIN].table
    hand = games[MAIN].hands[table.seat]
    card = hand.cards[action]
    artist = artist_of(card)
    facts[CASE] = Form.PAIRED if table.phase == Phase.PAIR else Form.SINGLE
    facts[HOLDING] = table.gallery[table.seat, artist]
    facts[KIND] = kind_of(card)
    facts[KINDS] = kinds_held(hand, artist)
    facts[OUT] = table.cards_out[artist] + 1
    for repeat in range(outcomes.shape[0]):
        for kind in range(N_KINDS):
            if is_in_deck(table, kind) and not sell_as(games, action, kind, repeat, outcomes[repeat, kind]):
                return ILLEGAL
    return 1


@kernel
def is_round_start(table):
    """Return whether the first card of a round is asked for, and every seat could put one up."""
    if table.phase != Phase.CARD:
        return False
    for artist in range(N_ARTISTS):
        if table.cards_out[artist] > 0:
            return False
    for seat in range(table.rules.n_seats):
        if table.hand_sizes[seat] == 0:
            return False
    return True


@kernel
def fork_start(games, outcomes):
    """Play a round that begins here on with each seat as its starter; `outcomes` has shape (repeats, MAX_SEATS, ...).

    Returns 1 at the start of a round, 0 elsewhere, ILLEGAL after an illegal answer.
    """
    if not is_round_start(games[MAIN].table):
        return 0
    copy_game(games[SNAPSHOT], games[MAIN])
    for repeat in range(outcomes.shape[0]):
        for seat in range(games[MAIN].table.rules.n_seats):
            game = start_branch(games, repeat)
            game.table.starter = seat
            begin_turn(game.table, seat)
            if not play(game):
                return ILLEGAL
            write_results(game.table, 0, outcomes[repeat, seat])
    return 1


@kernel
def write_facts(game, deal, facts):
    """Write what the table shows at any decision."""
    table = game.table
    facts[DEAL] = deal
    facts[STRATEGY] = game.who[table.seat]
    facts[ROUND] = table.round_index + 1
    facts[HAND] = game.hands[table.seat].n_cards


@kernel
def fork_game(study, games, deal, n, facts, outcomes, counts):
    """Play a game to its end and fork it at every decision that a study asks about.

    Returns the number of decision points written so far, or a value below zero (`fork_blocks`).
    """
    game = games[MAIN]
    table = game.table
    while table.phase != Phase.OVER:
        if n >= facts.shape[0]:
            return NO_ROOM
        found = fork_start(games, outcomes[n]) if study == STARTS else 0
        action = consult(game.acts[table.seat], table, game.hands[table.seat])
        if study == ENDINGS:
            found = fork_ending(games, action, facts[n], outcomes[n])
        elif study == SALES:
            found = fork_sale(games, action, facts[n], outcomes[n], counts)
        if found < 0:
            return found
        if found > 0:
            write_facts(game, deal, facts[n])
            n += 1
        if not apply(game, action):
            return ILLEGAL
    for i in range(game.n_sales):
        counts[LONE] += game.sales[i].form == Form.LONE
    return n


@kernel
def fork_blocks(study, games, acts, params, line_ups, first_block, seed, facts, outcomes, counts):
    """Play blocks, and at every decision that a study asks about play on in each way.

    Parameters
    ----------
    study : int
        ENDINGS, SALES or STARTS.
    games : recarray of GAME_DTYPE, shape (N_GAMES,)
        Work space; the rules must be set.
    acts, params, line_ups, first_block, seed
        As for `modernart.simulator.batch.play_blocks`.
    facts : ndarray of int64, shape (n, N_FACTS)
        Written: what the table showed at each decision point.
    outcomes : ndarray of int64, shape (n, repeats, branches, outcomes)
        Written; `SHAPES` has the last two.
    counts : ndarray of int64, shape (N_COUNTS,)
        Updated by SALES: lots by what became of them in the study.

    Returns
    -------
    int
        Decision points written; ILLEGAL after an illegal answer, NO_ROOM if there was no room.
    """
    n_blocks, n_seats = line_ups.shape
    game = games[MAIN]
    n = 0
    for block in range(n_blocks):
        new_deal(game, seed, first_block + block)
        key = game.key
        for rotation in range(n_seats):
            seat_players(game, acts, params, line_ups[block], rotation)
            game.key = key
            new_game(game, rotation)
            n = fork_game(study, games, first_block + block, n, facts, outcomes, counts)
            if n < 0:
                return n
    return n
