"""One game, from the deal to the last payout: a state machine that reads like the rulebook.

`new_game` deals; then, until `table.phase` is OVER, seat `table.seat` is asked and `apply` plays the answer.
"""

from modernart.simulator import streams
from modernart.simulator.asking import consult
from modernart.simulator.auctions import (
    UNHEARD,
    Step,
    answer_accept,
    answer_once_around,
    answer_outcry,
    answer_price,
    answer_secret,
    answer_tender,
    left_of,
    open_auction,
    outbid,
    sell_secret,
    settle_lot,
    settle_tender,
    tie_bonus_of,
)
from modernart.simulator.cards import AuctionKind
from modernart.simulator.decisions import (
    DECLINE,
    Form,
    Phase,
    Reason,
    artist_of,
    count_fitting,
    crowns_of,
    is_legal_addition,
    is_legal_amount,
    is_legal_bid,
    is_legal_slot,
    is_legal_tender,
    kind_of,
)
from modernart.simulator.deck import deal_round, shuffle_deck, take_card
from modernart.simulator.jit import call_act, kernel
from modernart.simulator.lineups import position_at
from modernart.simulator.options import AFTER_FIRST_SELLER, OPEN_MONEY, SAME_KIND, SHILL_BUYER, SKIP_TURN, VOID
from modernart.simulator.scoring import pay_round
from modernart.simulator.state import ARTIST_MASK, MAX_NOTES, MAX_SEATS, N_ARTISTS, N_CODES, SEAT_MASK, WITHOUT_NOTES


@kernel
def new_deal(game, seed, deal):
    """Shuffle the deck and draw the first starter of one deal; the table's rules must be set.

    Parameters
    ----------
    game : record of GAME_DTYPE
        Written.
    seed, deal : int
        Run seed and number of the deal.
    """
    game.key = streams.deal_key(seed, deal)
    shuffle_deck(game)


@kernel
def new_game(game, rotation):
    """Seat the players and deal the first round of the game's deal (see `new_deal`).

    Parameters
    ----------
    game : record of GAME_DTYPE
        Written; rules and players' parameters are kept.
    rotation : int
        Seat `s` is taken by line-up position `(s + rotation) % n_seats`; `acts[s]` must be that player's strategy.
    """
    table = game.table
    table.starter = game.first_seat
    game.deck_position = 0
    n_seats = table.rules.n_seats
    table.round_index = 0
    table.owner = -1
    table.cards_in_hands = 0
    table.pile_size = 0
    table.n_sold = 0
    table.last_buyer = -1
    table.last_price = 0
    for seat in range(MAX_SEATS):
        table.heard[seat] = UNHEARD
    for artist in range(N_ARTISTS):
        table.values[artist] = 0
        table.cards_gone[artist] = 0
    for code in range(N_CODES):
        table.seen[code] = 0
    for seat in range(n_seats):
        place = seat - game.first_seat
        place += n_seats if place < 0 else 0
        table.money[seat] = table.rules.starting_money + table.rules.order_money[place & SEAT_MASK]
        hand = game.hands[seat]
        hand.seat = seat
        hand.home = position_at(seat, rotation, n_seats)
        hand.n_cards = 0
        for artist in range(N_ARTISTS):
            hand.fitting[artist] = 0
        # Clearing takes about 0.07 us a game, 1.5 % of one of `random`.
        if hand.params[WITHOUT_NOTES] == 0.0:
            for note in range(MAX_NOTES):
                hand.notes[note] = 0.0
    game.n_decisions = 0
    game.n_sales = 0
    begin_round(game)


@kernel
def begin_round(game):
    """Deal the table's round and open its first turn; a round with no cards in any hand is closed immediately."""
    table = game.table
    while table.round_index < table.rules.n_rounds:
        fees = game.rounds[table.round_index].fees
        for artist in range(N_ARTISTS):
            table.cards_out[artist] = 0
        # Clear every seat, taken or not: a constant number of zeros in a row takes only a few stores.
        for seat in range(MAX_SEATS):
            table.skips_turn[seat] = 0
            fees[seat] = 0
            for artist in range(N_ARTISTS):
                table.gallery[seat, artist] = 0
                table.stakes[seat, artist] = 0
        deal_round(game)
        if table.cards_in_hands > 0:
            begin_turn(table, table.starter)
            return
        game.next_starter = table.starter
        close_round(game, Reason.HANDS_EMPTY, -1, -1, 0)
    table.phase = Phase.OVER


@kernel(inline=True)
def begin_turn(table, seat):
    """Make the first player, from `seat` on, who has cards and does not skip the turn the auctioneer."""
    seat &= SEAT_MASK
    while table.hand_sizes[seat] == 0 or table.skips_turn[seat]:
        # Only a player with cards uses up a lost turn.
        if table.hand_sizes[seat] > 0:
            table.skips_turn[seat] = 0
        seat = left_of(table, seat)
    table.auctioneer = seat
    table.seat = seat
    table.phase = Phase.CARD


@kernel
def put_up(game, slot, place):
    """Put a card of the player asked up as the first (`place` 0) or second card (1) of the lot.

    Returns
    -------
    bool
        Whether this ends the round.

    Notes
    -----
    S1: the fifth card of an artist ends the round, and so does the last card of all hands.
    """
    table = game.table
    card = take_card(game, table.seat & SEAT_MASK, slot)
    artist = artist_of(card)
    table.lot[place] = card
    table.n_lot = place + 1
    table.lot_crowns = crowns_of(card) + (table.lot_crowns if place > 0 else 0)
    table.artist = artist
    table.kind = kind_of(card)
    table.seen[card] += 1
    n_out = table.cards_out[artist] + 1
    table.cards_out[artist] = n_out
    table.cards_gone[artist] += 1
    if n_out >= table.rules.end_count:
        game.reason = Reason.END_COUNT
        return True
    if table.cards_in_hands == 0 and table.rules.last_card == VOID:
        game.reason = Reason.HANDS_EMPTY
        return True
    return False


@kernel(inline=True)
def answer_card(game, slot):
    """Put a card up and open its auction, or ask for a second card."""
    table = game.table
    table.form = Form.SINGLE
    table.owner = -1
    if put_up(game, slot, 0):
        return Step.ENDED
    if table.kind != AuctionKind.DOUBLE:
        if table.rules.pairing == SAME_KIND and count_fitting(table, game.hands[table.seat & SEAT_MASK]) > 0:
            table.phase = Phase.PAIR
            return Step.ASK
        return open_auction(game)
    if game.hands[table.seat & SEAT_MASK].fitting[table.artist & ARTIST_MASK] > 0:
        table.phase = Phase.PAIR
        return Step.ASK
    return ask_next_joiner(game, table.auctioneer)


@kernel(inline=True)
def ask_next_joiner(game, seat):
    """Ask the next player left of `seat` who can join the double; if nobody does, its seller keeps it (S1 E)."""
    table = game.table
    table.phase = Phase.JOIN
    artist = table.artist & ARTIST_MASK
    while True:
        seat = left_of(table, seat)
        if seat == table.auctioneer:
            table.form = Form.LONE
            table.high_bidder = -1
            return Step.SOLD
        if game.hands[seat].fitting[artist] > 0:
            table.seat = seat
            return Step.ASK


@kernel(inline=True)
def answer_addition(game, slot):
    """Pair one's own card or join a double, or decline to."""
    table = game.table
    seat = table.seat
    if slot == DECLINE:
        if table.kind != AuctionKind.DOUBLE:
            return open_auction(game)
        if table.phase == Phase.JOIN and table.rules.decline_penalty == SKIP_TURN:
            table.skips_turn[seat] = 1
        return ask_next_joiner(game, seat)
    if table.phase == Phase.PAIR:
        table.form = Form.PAIRED
    else:
        table.form = Form.JOINED
        table.owner = table.auctioneer
        table.auctioneer = seat
    if put_up(game, slot, 1):
        return Step.ENDED
    return open_auction(game)


@kernel(inline=True)
def answer(game, phase, action):
    """Check an answer and play it; returns a Step. An illegal answer changes nothing."""
    table = game.table
    if phase == Phase.LIMIT or phase == Phase.SEALED:
        return answer_secret(game, action) if is_legal_amount(table, action) else Step.ILLEGAL
    if phase == Phase.BID:
        return answer_once_around(game, action) if is_legal_bid(table, action) else Step.ILLEGAL
    if phase == Phase.ACCEPT:
        return answer_accept(game, action) if action == 0 or action == 1 else Step.ILLEGAL
    if phase == Phase.CARD:
        return answer_card(game, action) if is_legal_slot(game.hands[table.seat & SEAT_MASK], action) else Step.ILLEGAL
    if phase == Phase.PRICE:
        return answer_price(game, action) if is_legal_amount(table, action) else Step.ILLEGAL
    if phase == Phase.PAIR or phase == Phase.JOIN:
        is_fine = is_legal_addition(table, game.hands[table.seat & SEAT_MASK], action)
        return answer_addition(game, action) if is_fine else Step.ILLEGAL
    if phase == Phase.FLIP:
        return answer_flip(game, action) if action == 0 or action == 1 else Step.ILLEGAL
    if phase == Phase.TENDER:
        return answer_tender(game, action) if is_legal_tender(table, action) else Step.ILLEGAL
    if phase == Phase.RAISE:
        return answer_outcry(game, action) if is_legal_bid(table, action) else Step.ILLEGAL
    return Step.ILLEGAL


@kernel
def apply(game, action):
    """Play the answer of seat `table.seat` and go on to the next decision.

    Parameters
    ----------
    game : record of GAME_DTYPE
        Updated.
    action : int

    Returns
    -------
    bool
        False if the answer is illegal; the game is then unchanged.
    """
    step = answer(game, game.table.phase, action)
    if step == Step.ILLEGAL:
        return False
    game.n_decisions += 1
    if step != Step.ASK:
        follow(game, step)
    return True


@kernel
def play(game):
    """Play a game to its end: what `apply` does, in a loop without a call for every answer.

    Parameters
    ----------
    game : record of GAME_DTYPE
        Updated; `game.acts` holds the players' strategies by seat.

    Returns
    -------
    bool
        False if seat `table.seat` gave an illegal answer, `game.illegal`; the game stands where it was asked.
    """
    table = game.table
    if table.rules.rivals_money != OPEN_MONEY:
        return play_unseen(game)
    n_decisions = 0
    while table.phase != Phase.OVER:
        phase = table.phase
        # The most frequent decisions get dedicated loops; adding more slowed everything else by more than it saved.
        if phase == Phase.LIMIT or phase == Phase.SEALED:
            step = collect_secrets(game)
        elif phase == Phase.BID:
            step = collect_bids(game)
        else:
            seat = table.seat & SEAT_MASK
            action = call_act(game.acts[seat], table, game.hands[seat])
            step = answer(game, phase, action)
            n_decisions += 1
            if step == Step.ILLEGAL:
                game.illegal = action
        if step == Step.ILLEGAL:
            return False
        if step != Step.ASK:
            follow(game, step)
    game.n_decisions += n_decisions
    return True


@kernel
def play_unseen(game):
    """Play a game in which rivals' money is hidden to its end, as `play` does.

    A loop of its own keeps the question out of the loops of all other games.
    """
    table = game.table
    while table.phase != Phase.OVER:
        seat = table.seat & SEAT_MASK
        action = consult(game.acts[seat], table, game.hands[seat])
        if not apply(game, action):
            game.illegal = action
            return False
    return True


@kernel(inline=True)
def collect_bids(game):
    """Ask all seats that still have to answer BID: `answer_once_around` in a loop."""
    table = game.table
    n_answers = 0
    step = Step.ASK
    while step == Step.ASK:
        seat = table.seat & SEAT_MASK
        amount = call_act(game.acts[seat], table, game.hands[seat])
        if not is_legal_bid(table, amount):
            game.illegal = amount
            step = Step.ILLEGAL
        else:
            n_answers += 1
            step = answer_once_around(game, amount)
    game.n_decisions += n_answers
    return step


@kernel(inline=True)
def collect_secrets(game):
    """Ask all seats that still have to answer LIMIT or SEALED: `answer_secret` in a loop, its state in registers."""
    table = game.table
    top = game.top_bid
    second = game.second_bid
    bidder = game.top_bidder
    n_answers = 0
    while True:
        seat = table.seat & SEAT_MASK
        amount = call_act(game.acts[seat], table, game.hands[seat])
        is_legal = is_legal_amount(table, amount)
        if is_legal:
            n_answers += 1
            game.amounts[seat] = amount
            top, second, bidder = outbid(top, second, bidder, seat, amount, tie_bonus_of(table, amount))
        if not is_legal or seat == table.auctioneer:
            break
        table.seat = left_of(table, seat)
    game.top_bid = top
    game.second_bid = second
    game.top_bidder = bidder
    game.n_decisions += n_answers
    if not is_legal:
        game.illegal = amount
        return Step.ILLEGAL
    return sell_secret(game)


@kernel(inline=True)
def follow(game, step):
    """Do what the last answer led to, settle the lot or close the round, and go on to the next decision."""
    if step == Step.SOLD:
        if game.table.kind == AuctionKind.BLACK_FRAMED:
            settle_tender(game)
        else:
            settle_lot(game)
        step = offer_flip(game)
    if step == Step.TURN:
        step = next_turn(game)
    if step == Step.ENDED:
        end_round(game)


@kernel(inline=True)
def offer_flip(game):
    """After a sale, ask whether to turn up a card of the shill's pile (S1, variant for three)."""
    table = game.table
    if table.pile_size == 0 or table.form == Form.LONE:
        return Step.TURN
    table.phase = Phase.FLIP
    table.seat = table.high_bidder if table.rules.shill == SHILL_BUYER else table.auctioneer
    return Step.ASK


@kernel
def answer_flip(game, action):
    """Turn up a card of the shill's pile, or leave it.

    Notes
    -----
    S1: the card is not sold and nobody owns it, but it counts for rank and for the end of the round. A double takes no
    second card.
    """
    table = game.table
    if action == 0:
        return Step.TURN
    table.pile_size -= 1
    card = game.pile[table.pile_size]
    artist = artist_of(card)
    table.seen[card] += 1
    table.cards_out[artist] += 1
    table.cards_gone[artist] += 1
    if table.cards_out[artist] < table.rules.end_count:
        return Step.TURN
    game.reason = Reason.SHILL
    table.artist = artist
    return Step.ENDED


@kernel(inline=True)
def next_turn(game):
    """Go on to the next auctioneer; if the last card has been auctioned, the round ends here."""
    table = game.table
    if table.cards_in_hands == 0:
        game.reason = Reason.HANDS_EMPTY
        table.n_lot = 0
        return Step.ENDED
    begin_turn(table, left_of(table, table.auctioneer))
    return Step.ASK


@kernel
def end_round(game):
    """Close the round, pay out, and begin the next one.

    Notes
    -----
    S1: the next round starts left of the player who put up the ending card, or left of the lot's auctioneer if it was
    the shill's. With `next_starter` = `after_first_seller`, it starts left of the first seller of a joined double.
    """
    table = game.table
    start_after = table.auctioneer
    ender = table.auctioneer
    n_ending = table.n_lot
    if game.reason == Reason.SHILL:
        ender = table.seat
        n_ending = 1
    elif n_ending == 0:
        ender = -1
    elif table.form == Form.JOINED and table.rules.next_starter == AFTER_FIRST_SELLER:
        start_after = table.owner
    game.next_starter = left_of(table, start_after)
    close_round(game, game.reason, ender, table.artist if ender >= 0 else -1, n_ending)
    begin_round(game)


@kernel
def close_round(game, reason, ender, ending_artist, n_ending):
    """Log how the round ended, pay out, and count on to the next round."""
    table = game.table
    game.ending_artist = ending_artist
    game.n_ending = n_ending
    result = game.rounds[table.round_index]
    result.reason = reason
    result.ender = ender
    result.artist = ending_artist
    result.form = table.form
    result.starter = table.starter
    result.n_up = 0
    for artist in range(N_ARTISTS):
        result.n_up += table.cards_out[artist]
    for seat in range(table.rules.n_seats):
        result.hand_sizes[seat] = table.hand_sizes[seat]
        result.holding[seat] = table.gallery[seat, ending_artist] if ending_artist >= 0 else 0
    pay_round(game, result)
    table.starter = game.next_starter
    table.round_index += 1
