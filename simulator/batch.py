"""Many games: the only parallel kernel."""

import numba
import numpy as np

from modernart.simulator.counting import call_counter, cells_from, cells_of
from modernart.simulator.game import new_deal, new_game, play
from modernart.simulator.jit import kernel
from modernart.simulator.lineups import position_at
from modernart.simulator.scoring import WIN_UNITS, richest
from modernart.simulator.state import MAX_PARAMS, SEAT_MASK

#: Fields of a batch's report.
FAILED_GAME, FAILED_SEAT, FAILED_ANSWER, N_DECISIONS = range(4)


@kernel(parallel=True)
def play_blocks(games, acts, params, line_ups, first_block, seed, cells, of_game, of_block, reports):
    """Play consecutive blocks of a run: every rotation of a line-up over one deal each.

    Parameters
    ----------
    games : recarray of GAME_DTYPE, shape (n_lanes,)
        Work space; the rules must be set. A game that an illegal answer stopped stays as it stood. Lanes are what
        threads share out: block `b` is played in lane ``b % n_lanes``.
    acts : ndarray of int64, shape (n_strategies,)
        Addresses of the strategies.
    params : ndarray of float64, shape (n_strategies, MAX_PARAMS)
    line_ups : ndarray of int64, shape (n_blocks, n_seats)
        Strategies of each block.
    first_block : int
        Number of the first block in the run, which is the number of its deal.
    seed : int
        Run seed.
    cells : ndarray of int64, shape (n_lanes, n_cells)
        Tallies of each lane, updated.
    of_game, of_block : tuple of two ndarrays of int64
        Counting functions called after every game, and after every block: addresses, and where each one's cells start.
    reports : ndarray of int64, shape (n_lanes, 4)
        By lane: game number where an illegal answer stopped it (-1: none), its seat, the answer, decisions played.
    """
    # The body stands in a function of its own: inside `prange` numba would rearrange it as array code.
    for lane in numba.prange(games.shape[0]):
        play_lane(np.int64(lane), games, acts, params, line_ups, first_block, seed, cells, of_game, of_block, reports)


@kernel
def play_lane(lane, games, acts, params, line_ups, first_block, seed, cells, of_game, of_block, reports):
    """Play the blocks of one lane; parameters as `play_blocks`."""
    game = games[lane]
    n_lanes = games.shape[0]
    n_blocks, n_seats = line_ups.shape
    start = cells_of(cells[lane])
    # The first block of this chunk that belongs to the lane.
    block = (lane - first_block) % n_lanes
    while block < n_blocks and reports[lane, FAILED_GAME] < 0:
        members = line_ups[block]
        begin_block(game, members, acts.shape[0])
        new_deal(game, seed, first_block + block)
        for rotation in range(n_seats):
            if not play_rotation(game, lane, acts, params, members, rotation, first_block + block, reports):
                return
            note_outcome(game)
            count(of_game, game, start)
        count(of_block, game, start)
        block += n_lanes


@kernel(inline=True)
def count(counters, game, start):
    """Call counting functions, each with the place of its cells."""
    addresses, offsets = counters
    for i in range(addresses.shape[0]):
        call_counter(addresses[i], game, cells_from(start, offsets[i]))


@kernel(inline=True)
def begin_block(game, members, n_strategies):
    """Note who plays a block and clear its sums."""
    game.n_strategies = n_strategies
    for i in range(members.shape[0]):
        game.line_up[i] = members[i]
        game.block_wins[i] = 0
        game.block_money[i] = 0
        game.block_squares[i] = 0


@kernel(inline=True)
def note_outcome(game):
    """Note who won a finished game, and add its outcome to the sums of its block."""
    table = game.table
    n_seats = table.rules.n_seats
    best, n_winners = richest(table.money, n_seats)
    share = WIN_UNITS // n_winners
    for seat in range(n_seats):
        money = np.int64(table.money[seat])
        win = share if money == best else 0
        game.win_units[seat] = win
        position = game.hands[seat].home & SEAT_MASK
        game.block_wins[position] += win
        game.block_money[position] += money
        game.block_squares[position] += money * money


@kernel(inline=True)
def play_rotation(game, lane, acts, params, members, rotation, block, reports):
    """Play one game of a block and report it; returns False if an illegal answer stopped it."""
    seat_players(game, acts, params, members, rotation)
    new_game(game, rotation)
    if not play(game):
        reports[lane, FAILED_GAME] = block * members.shape[0] + rotation
        reports[lane, FAILED_SEAT] = game.table.seat
        reports[lane, FAILED_ANSWER] = game.illegal
        return False
    reports[lane, N_DECISIONS] += game.n_decisions
    return True


@kernel(inline=True)
def seat_players(game, acts, params, members, rotation):
    """Put the members of a line-up on their seats."""
    n_seats = members.shape[0]
    for seat in range(n_seats):
        s = members[position_at(seat, rotation, n_seats)]
        game.who[seat] = s
        game.acts[seat] = acts[s]
        for k in range(MAX_PARAMS):
            game.hands[seat].params[k] = params[s, k]


@kernel(parallel=True)
def score_blocks(games, acts, params, line_ups, first_block, seed, wins, money, reports):
    """Play consecutive blocks as `play_blocks` does, but keep each block's outcome instead of tallies.

    Parameters
    ----------
    wins, money : ndarray of int64, shape (n_blocks, n_seats)
        Written: win units and money of each line-up position, summed over the block's games.
    """
    for lane in numba.prange(games.shape[0]):
        score_lane(np.int64(lane), games, acts, params, line_ups, first_block, seed, wins, money, reports)


@kernel
def score_lane(lane, games, acts, params, line_ups, first_block, seed, wins, money, reports):
    """Play and score the blocks of one lane; parameters as `score_blocks`."""
    game = games[lane]
    n_blocks, n_seats = line_ups.shape
    for block in range(lane, n_blocks, games.shape[0]):
        members = line_ups[block]
        begin_block(game, members, acts.shape[0])
        new_deal(game, seed, first_block + block)
        for rotation in range(n_seats):
            if not play_rotation(game, lane, acts, params, members, rotation, first_block + block, reports):
                return
            note_outcome(game)
        for position in range(n_seats):
            wins[block, position] = game.block_wins[position]
            money[block, position] = game.block_money[position]
