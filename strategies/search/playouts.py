"""Playing on: from a dealt-out scene to the end of the round, and what that comes to."""

import math

import numpy as np

from modernart.simulator.asking import consult
from modernart.simulator.copying import copy_game, copy_hand, copy_table
from modernart.simulator.decisions import ABOUT_A_LOT, SECRET, Phase, budget
from modernart.simulator.game import apply
from modernart.simulator.jit import kernel
from modernart.simulator.scoring import richest
from modernart.simulator.state import MAX_SEATS
from modernart.simulator.streams import scaled, step
from modernart.strategies.search.leaf import money_to_come
from modernart.strategies.search.policies import BASE, BASE_NOTES, seat_policy

#: What an answer comes to that could not be played on.
IMPOSSIBLE = -1e6


@kernel
def is_secret(phase):
    """Tell whether a decision is one of those that all take at once, in secret."""
    return phase in SECRET


@kernel
def is_about_a_lot(phase):
    """Tell whether one answer of a seat settles what it does about a lot; in an outcry it is asked again."""
    return phase in ABOUT_A_LOT and phase != Phase.RAISE


@kernel
def set_scene(scene, table, hand, data):
    """Copy what the seat knows into a scene that ends with the round; the base plays the own seat.

    A secret auction starts anew, as the others' amounts are not known.
    """
    copy_table(scene.table, table)
    copy_hand(scene.hands[hand.seat], hand)
    seat_policy(scene, hand.seat, data, BASE)
    scene.n_sales = 0
    # No cards are dealt for the rounds to come: what is left in the hands is what `money_to_come` values.
    for later in range(table.round_index + 1, table.rules.n_rounds):
        scene.table.rules.deal[later] = 0
    if is_secret(table.phase):
        first = table.auctioneer + 1
        scene.table.seat = 0 if first == table.rules.n_seats else first
        scene.top_bid = table.rules.least_bid - 1
        scene.top_bidder = -1
        scene.second_bid = scene.top_bid


@kernel
def seat_rival(scene, seat, own_hand, data, policy, state):
    """Let a policy play a rival's seat, with a random stream of its own and, if it is the base, the base's notes."""
    seat_policy(scene, seat, data, policy)
    rival = scene.hands[seat]
    rival.seat = seat
    rival.rng = state
    for k in range(BASE_NOTES):
        rival.notes[k] = own_hand.notes[k] if policy == BASE else 0.0


@kernel
def draw_factors(factors, n_seats, own_seat, spread, state):
    """Draw how much more or less than its policy says each rival bids in secret; returns the stream's state."""
    for seat in range(n_seats):
        state = step(state)
        factors[seat] = 1.0 if seat == own_seat else 1.0 + spread * (scaled(state, 2001) - 1000) / 1000.0
    return state


@kernel
def policy_answer(game, factors):
    """Return the answer of the seat that is asked."""
    table = game.table
    seat = table.seat
    answer = consult(game.acts[seat], table, game.hands[seat])
    if (table.phase == Phase.LIMIT or table.phase == Phase.SEALED) and factors[seat] != 1.0:
        return min(np.int64(math.floor(answer * factors[seat] + 0.5)), budget(table, seat))
    return answer


@kernel
def play_round_on(game, factors, this_round):
    """Play a game on to the end of the round; returns False if an answer was illegal.

    A scene of an impossible table may bring an illegal answer.
    """
    table = game.table
    while table.phase != Phase.OVER and table.round_index == this_round:
        if not apply(game, policy_answer(game, factors)):
            return False
    return True


@kernel
def play_lot_on(game, n_sold, factors):
    """Play a game on until more than `n_sold` lots are sold; returns False if an answer was illegal."""
    table = game.table
    while table.phase != Phase.OVER and table.n_sold == n_sold:
        if not apply(game, policy_answer(game, factors)):
            return False
    return True


@kernel
def hear_secrets(scene, own_seat, factors):
    """Ask all rivals for their secret answers; they stand in `scene.amounts`."""
    table = scene.table
    first = table.seat
    for seat in range(table.rules.n_seats):
        if seat != own_seat:
            table.seat = seat
            scene.amounts[seat] = policy_answer(scene, factors)
    table.seat = first


@kernel
def sell_secretly(trial, scene, own_seat, answer):
    """Sell a lot by the secret answers of a scene and the own one; `trial` must be a copy of its table at least."""
    trial.top_bid = trial.table.rules.least_bid - 1
    trial.top_bidder = -1
    trial.second_bid = trial.top_bid
    n_sold = trial.table.n_sold
    while trial.table.phase != Phase.OVER and trial.table.n_sold == n_sold:
        seat = trial.table.seat
        if not apply(trial, np.int64(answer if seat == own_seat else scene.amounts[seat])):
            return False
    return True


@kernel
def note_money(table, money):
    """Copy every seat's money."""
    for seat in range(table.rules.n_seats):
        money[seat] = table.money[seat]


@kernel
def note_future(game, to_come, future):
    """Fill in every seat's money to come, at the end of the round."""
    for seat in range(game.table.rules.n_seats):
        hand = game.hands[seat]
        future[seat] = money_to_come(game.table, hand, hand.n_cards, to_come) if to_come > 0 else 0.0


@kernel
def outcome(n_seats, own_seat, money, future, win_weight, is_final):
    """Return the own money, with what is to come, less the rivals' mean; at the game's end `win_weight` for a win."""
    total = 0.0
    for seat in range(n_seats):
        total += money[seat] + future[seat]
    own = money[own_seat] + future[own_seat]
    value = own - (total - own) / (n_seats - 1.0)
    if is_final:
        best, n_winners = richest(money, n_seats)
        if money[own_seat] == best:
            value += win_weight / n_winners
    return value


@kernel
def try_answer(trial, scene, own_seat, answer, factors, win_weight, money, future):
    """Give an answer in a copy of a scene, play the round on; return what it comes to, or IMPOSSIBLE."""
    this_round = scene.table.round_index
    to_come = scene.table.rules.n_rounds - 1 - this_round
    copy_game(trial, scene)
    if not apply(trial, np.int64(answer)) or not play_round_on(trial, factors, this_round):
        return IMPOSSIBLE
    note_money(trial.table, money)
    note_future(trial, to_come, future)
    return outcome(scene.table.rules.n_seats, own_seat, money, future, win_weight, to_come == 0)


#: Rows of the endings that are kept for each buyer of a lot: money once it was sold, at the end, and to come.
AT_SALE, AT_END, TO_COME = range(3)


@kernel
def try_bids(trial, scene, own_seat, answers, n_answers, factors, win_weight, kept, values):
    """Give each answer about a lot in a copy of a scene; `values` receives what each comes to.

    Once the lot is sold, only who bought it and at what price matters. So the round is played on once for each buyer,
    and another price moves money alone: this weighs a dozen amounts for two playouts.

    Parameters
    ----------
    kept : ndarray of float64, shape (3, MAX_SEATS, MAX_SEATS)
        Work space: the endings, by buyer and seat.
    values : ndarray of float64
        Written; IMPOSSIBLE where an answer was not legal or could not be played on.

    Returns
    -------
    int
        How often the round was played on.
    """
    table = scene.table
    n_seats = table.rules.n_seats
    this_round = table.round_index
    to_come = table.rules.n_rounds - 1 - this_round
    secret = is_secret(table.phase)
    is_known = np.zeros(MAX_SEATS, np.bool_)
    money = np.zeros(MAX_SEATS)
    n_played = 0
    if secret:
        hear_secrets(scene, own_seat, factors)
    for k in range(n_answers):
        values[k] = IMPOSSIBLE
        if not sell_lot(trial, scene, own_seat, answers[k], factors, secret):
            continue
        buyer = trial.table.last_buyer
        if not is_known[buyer]:
            if secret:
                copy_game(trial, scene)
                sell_secretly(trial, scene, own_seat, answers[k])
            note_money(trial.table, kept[AT_SALE, buyer])
            if not play_round_on(trial, factors, this_round):
                continue
            is_known[buyer] = True
            n_played += 1
            note_money(trial.table, kept[AT_END, buyer])
            note_future(trial, to_come, kept[TO_COME, buyer])
            note_money(trial.table, money)
        else:
            for seat in range(n_seats):
                money[seat] = kept[AT_END, buyer, seat] + trial.table.money[seat] - kept[AT_SALE, buyer, seat]
        values[k] = outcome(n_seats, own_seat, money, kept[TO_COME, buyer], win_weight, to_come == 0)
    return n_played


@kernel
def sell_lot(trial, scene, own_seat, answer, factors, secret):
    """Give an answer about a lot in a copy of a scene, and play on until it is sold; returns False if it cannot be."""
    if secret:
        # The hands do not matter until somebody is asked again.
        copy_table(trial.table, scene.table)
        return sell_secretly(trial, scene, own_seat, answer)
    copy_game(trial, scene)
    return apply(trial, np.int64(answer)) and play_lot_on(trial, scene.table.n_sold, factors)
