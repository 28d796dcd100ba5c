"""Many games stepped at once: each waits at a decision of a controlled seat; the other seats play strategies."""

import numpy as np

from modernart.rl.actions import N_ACTIONS, answer_for, mark_legal
from modernart.rl.compiled import rl_kernel
from modernart.rl.observations import MONEY_UNIT, observe
from modernart.simulator import streams
from modernart.simulator.asking import consult
from modernart.simulator.decisions import Phase
from modernart.simulator.game import apply, new_deal, new_game
from modernart.simulator.scoring import richest

#: What a seat is rewarded for when a game is over: money against the mean of the others, or its share of the win.
MONEY, WIN = 0, 1

#: What `step_games` returns if all went well, and added to the number of a game where an action was refused.
FINE = -1


@rl_kernel
def ask_others(game, is_controlled):
    """Let strategies answer until a controlled seat is asked or the game is over; False after an illegal answer."""
    table = game.table
    while table.phase != Phase.OVER and not is_controlled[table.seat]:
        answer = consult(game.acts[table.seat], table, game.hands[table.seat])
        if not apply(game, answer):
            game.illegal = answer
            return False
    return True


@rl_kernel
def start_game(game, is_controlled, seed, deal):
    """Deal a game of a run and play it to the first decision of a controlled seat; False after an illegal answer."""
    new_deal(game, seed, deal)
    new_game(game, 0)
    return ask_others(game, is_controlled)


@rl_kernel
def pay_rewards(game, kind, rewards):
    """Write every seat's reward for a finished game.

    Parameters
    ----------
    game : record of GAME_DTYPE
    kind : int
        MONEY: money less the mean money of the others, / 100. WIN: the share of the win, 1 or less where seats tie.
    rewards : ndarray of float32, shape (n_seats,)
        Written.
    """
    table = game.table
    n_seats = table.rules.n_seats
    best, n_winners = richest(table.money, n_seats)
    total = 0
    for seat in range(n_seats):
        total += table.money[seat]
    for seat in range(n_seats):
        money = table.money[seat]
        if kind == WIN:
            rewards[seat] = 1.0 / n_winners if money == best else 0.0
        else:
            rewards[seat] = (money - (total - money) / (n_seats - 1)) / MONEY_UNIT


@rl_kernel(inline=True)
def show(game, observations, masks, seats, i):
    """Write what the seat that is asked observes and may do."""
    table = game.table
    hand = game.hands[table.seat]
    observe(table, hand, observations[i])
    mark_legal(table, hand, masks[i])
    seats[i] = table.seat


@rl_kernel
def start_games(games, first, last, is_controlled, seed, episodes, observations, masks, seats):
    """Start games `first` to `last` - 1 of a batch; arguments as `step_games`."""
    for i in range(first, last):
        episodes[i] = 0
        if not start_game(games[i], is_controlled, seed, i):
            return i
        show(games[i], observations, masks, seats, i)
    return FINE


@rl_kernel
def step_games(
    games,
    first,
    last,
    actions,
    is_controlled,
    seed,
    kind,
    episodes,
    observations,
    masks,
    seats,
    rewards,
    seat_rewards,
    is_over,
    money,
):
    """Play an action in games `first` to `last` - 1 of a batch, and start anew those that end.

    Parameters
    ----------
    games : recarray of GAME_DTYPE, shape (n,)
        Updated. Game `i` of the batch plays the deals i, i + n, i + 2 n, ... of the run.
    first, last : int
        The part that this call steps.
    actions : ndarray of int64, shape (n,)
        For the seats in `seats`.
    is_controlled : ndarray of bool, shape (n_seats,)
    seed : uint64
    kind : int
        Of reward, as `pay_rewards`.
    episodes : ndarray of int64, shape (n,)
        Updated: games finished so far.
    observations, masks, seats : ndarrays
        Updated: what the asked seat observes (float32) and may do (int8), and which it is (int64).
    rewards : ndarray of float32, shape (n,)
        Written: reward of the seat that acted, 0 unless the game ended.
    seat_rewards : ndarray of float32, shape (n, n_seats)
        Written: rewards of all seats.
    is_over : ndarray of bool, shape (n,)
        Written: whether a game ended.
    money : ndarray of int32, shape (n, n_seats)
        Written where a game ended: final money.

    Returns
    -------
    int
        FINE, or the number of the game where an action or a strategy's answer was illegal.
    """
    n = games.shape[0]
    n_seats = is_controlled.shape[0]
    for i in range(first, last):
        game = games[i]
        table = game.table
        seat = seats[i]
        action = actions[i]
        if action < 0 or action >= N_ACTIONS or masks[i, action] == 0:
            return i
        apply(game, answer_for(table, game.hands[seat], action))
        if not ask_others(game, is_controlled):
            return i
        rewards[i] = 0.0
        is_over[i] = table.phase == Phase.OVER
        for other in range(n_seats):
            seat_rewards[i, other] = 0.0
        if is_over[i]:
            pay_rewards(game, kind, seat_rewards[i])
            rewards[i] = seat_rewards[i, seat]
            for other in range(n_seats):
                money[i, other] = table.money[other]
            episodes[i] += 1
            if not start_game(game, is_controlled, seed, i + n * episodes[i]):
                return i
        show(game, observations, masks, seats, i)
    return FINE


@rl_kernel
def draw_actions(masks, states, actions):
    """Draw a legal action for each game, all alike likely, from a random stream for each.

    Parameters
    ----------
    masks : ndarray of int8, shape (n, N_ACTIONS)
    states : ndarray of uint64, shape (n,)
        Updated.
    actions : ndarray of int64, shape (n,)
        Written.
    """
    for i in range(masks.shape[0]):
        n_legal = 0
        for action in range(N_ACTIONS):
            n_legal += masks[i, action]
        states[i] = streams.step(states[i])
        left = streams.scaled(states[i], n_legal)
        for action in range(N_ACTIONS):
            if masks[i, action]:
                if left == 0:
                    actions[i] = np.int64(action)
                    break
                left -= 1
