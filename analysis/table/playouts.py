"""Playouts: scenes played on to the end of the game with each answer. All compiled code of this module stands here."""

import numpy as np

from modernart.simulator.asking import consult
from modernart.simulator.copying import copy_game
from modernart.simulator.decisions import DECLINE, Phase
from modernart.simulator.game import apply, play
from modernart.simulator.jit import kernel
from modernart.simulator.state import MAX_SEATS
from modernart.strategies.search.leaf import money_to_come
from modernart.strategies.search.playouts import draw_factors, is_secret, note_money, play_round_on, policy_answer

#: The second part of an answer about a card: the policy decides, or no card is added; else the card added.
AS_POLICY, ALONE = -2, -1


@kernel
def slot_with(hand, card):
    """Return the slot of a card in a hand, or DECLINE."""
    for slot in range(hand.n_cards):
        if hand.cards[slot] == card:
            return slot
    return DECLINE


@kernel
def note_standing(game, this_round, standing):
    """Note every seat's money at the end of a round, and what its hand should bring in the rounds to come.

    Cards dealt meanwhile do not count: they are chance.
    """
    table = game.table
    rules = table.rules
    to_come = rules.n_rounds - 1 - this_round
    n_new = 0
    for r in range(this_round + 1, min(table.round_index + 1, rules.n_rounds)):
        n_new += rules.deal[r]
    for seat in range(rules.n_seats):
        standing[seat] = table.money[seat]
        if to_come > 0:
            hand = game.hands[seat]
            standing[seat] += money_to_come(table, hand, max(hand.n_cards - n_new, 0), to_come)


@kernel
def finish_lot(game, n_sold, this_round, factors):
    """Play on until the lot under way is sold or the round is over; False after an illegal answer."""
    table = game.table
    while table.phase != Phase.OVER and table.n_sold == n_sold and table.round_index == this_round:
        if not apply(game, policy_answer(game, factors)):
            return False
    return True


@kernel
def play_cards(scenes, n, work, answers, spread, money, standing, revenue, ends):
    """Answer a decision about cards, or yes and no, in each way, and play the game to its end.

    Parameters
    ----------
    scenes : recarray of GAME_DTYPE
        The first `n` are played on, and left as they are.
    work : recarray of GAME_DTYPE, shape (1,)
        Work space.
    answers : ndarray of int64, shape (n_answers, 2)
        For CARD, PAIR and JOIN a card code, or DECLINE, and what is added to a double put up; for FLIP 0 or 1.
    spread : float
        Rivals' secret bids in this round lie up to this share above or below what their policies say.
    money : ndarray of int32, shape (n, n_answers, MAX_SEATS)
        Written: final money.
    standing : ndarray of float32, shape (n, n_answers, MAX_SEATS)
        Written: what each seat has and should still earn when the round is over (`note_standing`).
    revenue : ndarray of int32, shape (n, n_answers)
        Written: what the seat takes in, or pays, for the lot.
    ends : ndarray of bool, shape (n, n_answers)
        Written: whether the round ended before the lot was sold.

    Returns
    -------
    bool
        False after an illegal answer.
    """
    factors = np.ones(MAX_SEATS)
    for k in range(n):
        own_seat = scenes[k].table.seat
        draw_factors(factors, scenes[k].table.rules.n_seats, own_seat, spread, scenes[k].hands[own_seat].rng)
        for option in range(answers.shape[0]):
            game = work[0]
            copy_game(game, scenes[k])
            table = game.table
            seat = table.seat
            n_sold = table.n_sold
            this_round = table.round_index
            action = answers[option, 0]
            # The policy is asked all the same: it may keep notes of what it sees.
            consult(game.acts[seat], table, game.hands[seat])
            if table.phase != Phase.FLIP:
                action = slot_with(game.hands[seat], action)
            if not apply(game, action):
                return False
            second = answers[option, 1]
            if second != AS_POLICY and table.phase == Phase.PAIR and table.seat == seat:
                consult(game.acts[seat], table, game.hands[seat])
                if not apply(game, DECLINE if second == ALONE else slot_with(game.hands[seat], second)):
                    return False
            if not finish_lot(game, n_sold, this_round, factors):
                return False
            ends[k, option] = table.n_sold == n_sold
            revenue[k, option] = 0 if table.n_sold == n_sold else sale_income(game, seat)
            if not play_round_on(game, factors, this_round):
                return False
            note_standing(game, this_round, standing[k, option])
            if not play(game):
                return False
            note_money(table, money[k, option])
    return True


@kernel
def sale_income(game, seat):
    """Return what a seat took in from the last sale, less what it paid."""
    sale = game.sales[game.n_sales - 1]
    income = 0
    if seat == sale.auctioneer:
        income += sale.price - sale.to_bank - sale.to_owner
    if seat == sale.owner:
        income += sale.to_owner
    if seat == sale.buyer:
        income -= sale.price
    return income


@kernel
def hear_policies(game, own_seat, factors, heard):
    """Ask the own policy, which may keep notes, and in a secret auction all others, for their answers."""
    table = game.table
    first = table.seat
    for seat in range(table.rules.n_seats):
        if seat == own_seat or is_secret(table.phase):
            table.seat = seat
            heard[seat] = policy_answer(game, factors)
    table.seat = first


@kernel
def own_answer(table, amount):
    """Return the answer to the decision asked that goes as far as an amount."""
    if table.phase == Phase.RAISE:
        return table.high_bid + 1 if amount > table.high_bid else 0
    return amount


@kernel
def sell_lot(game, own_seat, amount, factors, heard):
    """Answer with an amount and play on until the lot is sold; False after an illegal answer."""
    table = game.table
    n_sold = table.n_sold
    secret = is_secret(table.phase)
    was_asked = False
    while table.phase != Phase.OVER and table.n_sold == n_sold:
        seat = table.seat
        if seat == own_seat and (not was_asked or table.phase == Phase.RAISE):
            action = own_answer(table, amount)
            was_asked = True
        elif secret:
            action = heard[seat]
        else:
            action = policy_answer(game, factors)
        if not apply(game, action):
            return False
    return True


@kernel
def play_amounts(scenes, n, work, own_seat, amounts, spread, money, standing, buyers, prices, sold, final, held):
    """Answer with each amount; play the game to its end once for each buyer, as another price moves money alone.

    Parameters
    ----------
    scenes : recarray of GAME_DTYPE
        The first `n` are played on, and left as they are.
    work : recarray of GAME_DTYPE, shape (2,)
        Work space.
    own_seat : int
    amounts : ndarray of int64, shape (n_amounts,)
    spread : float
        Rivals' secret bids in this round lie up to this share above or below what their policies say.
    money : ndarray of int32, shape (n, n_amounts, MAX_SEATS)
        Written: final money.
    standing : ndarray of float32, shape (n, n_amounts, MAX_SEATS)
        Written: what each seat has and should still earn when the round is over (`note_standing`).
    buyers, prices : ndarray of int32, shape (n, n_amounts)
        Written.
    sold : ndarray of int32, shape (n, MAX_SEATS)
        Written: the price at which the game was played on, by buyer; -1 where a seat never bought.
    final : ndarray of int32, shape (n, MAX_SEATS, MAX_SEATS)
        Written: final money, by buyer and seat, at that price.
    held : ndarray of float32, shape (n, MAX_SEATS, MAX_SEATS)
        Written: the same as `standing`, by buyer and seat, at that price.

    Returns
    -------
    bool
        False after an illegal answer.
    """
    factors = np.ones(MAX_SEATS)
    heard = np.zeros(MAX_SEATS, np.int64)
    after = np.zeros((MAX_SEATS, MAX_SEATS), np.int64)
    for k in range(n):
        n_seats = scenes[k].table.rules.n_seats
        this_round = scenes[k].table.round_index
        draw_factors(factors, n_seats, own_seat, spread, scenes[k].hands[own_seat].rng)
        for seat in range(MAX_SEATS):
            sold[k, seat] = -1
        copy_game(work[1], scenes[k])
        hear_policies(work[1], own_seat, factors, heard)
        for option in range(amounts.shape[0]):
            game = work[0]
            copy_game(game, work[1])
            if not sell_lot(game, own_seat, amounts[option], factors, heard):
                return False
            buyer = game.table.last_buyer
            buyers[k, option] = buyer
            prices[k, option] = game.table.last_price
            note_money(game.table, money[k, option])
            if sold[k, buyer] < 0:
                sold[k, buyer] = game.table.last_price
                note_money(game.table, after[buyer])
                if not play_round_on(game, factors, this_round):
                    return False
                note_standing(game, this_round, held[k, buyer])
                if not play(game):
                    return False
                note_money(game.table, final[k, buyer])
            for seat in range(n_seats):
                moved = money[k, option, seat] - after[buyer, seat]
                money[k, option, seat] = final[k, buyer, seat] + moved
                standing[k, option, seat] = held[k, buyer, seat] + moved
    return True


@kernel
def play_to_end(scenes, n, work, money):
    """Play scenes to their end by the policies; `money` of shape (n, MAX_SEATS) is written. False if one is illegal."""
    for k in range(n):
        copy_game(work[0], scenes[k])
        if not play(work[0]):
            return False
        note_money(work[0].table, money[k])
    return True
