"""Two players in one focal seat, played as one game until what they answer leads apart: the kernels of forked duels."""

from modernart.simulator import streams
from modernart.simulator.asking import consult
from modernart.simulator.batch import seat_players
from modernart.simulator.copying import copy_cards, copy_game, copy_hand, stands_alike
from modernart.simulator.decisions import Phase
from modernart.simulator.forks import finish_lot, win_units
from modernart.simulator.game import apply, new_deal, new_game, play
from modernart.simulator.jit import kernel
from modernart.simulator.state import MAX_NOTES, MAX_PARAMS, WITHOUT_NOTES

#: Work space: the game, in which A sits in the focal seat; its copy with B there; a copy of either that is played on;
#: and one that lends B a hand as long as both play one game.
MAIN, OTHER, BRANCH, SHADOW = range(4)
N_GAMES = 4

#: Columns of `counts`: games that were forked; decisions of the part that both share, of B's copy where it came to the
#: same, and of the branches.
FORKED, SHARED, TRIED, BRANCHED = range(4)
N_COUNTS = 4


@kernel
def deal_anew(game, start, repeat):
    """Shuffle the deck from card `start` on, by a stream of the deal and the repeat.

    The rotations of a block share it, so that every player still gets every hand where they fork in the same round.
    """
    rules = game.table.rules
    state = streams.stream_start(game.key, 0, repeat, streams.DEALT_ANEW)
    streams.shuffle(game.deck[start:], rules.n_deck - start, rules.n_dealt - start, state)


@kernel
def add_result(game, share, sums):
    """Add a finished game's win units and money to `sums`, by line-up position."""
    table = game.table
    for seat in range(table.rules.n_seats):
        position = game.hands[seat].home
        sums[0, position] += share * win_units(table, seat)
        sums[1, position] += share * table.money[seat]


@kernel
def note_first(game, focal, firsts):
    """Add what the focal seat got to `firsts`."""
    firsts[0] += win_units(game.table, focal)
    firsts[1] += game.table.money[focal]


@kernel
def play_on(games, k, start, n_repeats, focal, sums, firsts, counts):
    """Play a branch to its end several times, first with the cards as they lie; returns False after an illegal answer.

    Nothing that happened so far depends on the order of the cards to come, so every order is as likely as that of the
    deck: the mean is unbiased with the deck itself among the repeats, and that costs no more.
    """
    game = games[BRANCH]
    for repeat in range(n_repeats):
        copy_game(game, games[MAIN + k])
        if repeat > 0:
            deal_anew(game, start, repeat)
        n_before = game.n_decisions
        if not play(game):
            return False
        counts[BRANCHED] += game.n_decisions - n_before
        add_result(game, 1.0 / n_repeats, sums[k])
        if repeat == 0:
            note_first(game, focal, firsts[k])
    return True


@kernel
def play_pair(games, act, focal, repeats, hears, sums, firsts, counts):
    """Play a game of A and one of B, as one as long as they stand alike; returns False after an illegal answer.

    Parameters
    ----------
    games : recarray of GAME_DTYPE, shape (N_GAMES,)
        The game of A has begun; B's hand in SHADOW holds its parameters and clear notes.
    act : int
        Address of B.
    focal : int
        The focal seat.
    repeats : int
        How often each branch is played on.
    hears : bool
        As for `stands_alike`.
    sums, firsts, counts : ndarray
        Those of the block (see `pair_blocks`).
    """
    game = games[MAIN]
    other = games[OTHER]
    table = game.table
    shadow = games[SHADOW].hands[focal]
    round_index = -1
    n_asked = 0
    while table.phase != Phase.OVER:
        seat = table.seat
        hand = game.hands[seat]
        if seat != focal:
            if not apply(game, consult(game.acts[seat], table, hand)):
                return False
            continue
        copy_cards(shadow, hand)
        if table.round_index != round_index:
            # As `deal_round` does for all hands of a game, of which the shadow is none.
            round_index = table.round_index
            shadow.rng = streams.stream_start(game.key, round_index, hand.home, streams.DECISIONS)
        action = consult(game.acts[seat], table, hand)
        answer = consult(act, table, shadow)
        n_asked += 1
        if answer == action:
            if not apply(game, action):
                return False
            continue
        copy_game(other, game)
        other.acts[focal] = act
        copy_hand(other.hands[focal], shadow)
        n_before = game.n_decisions
        if not apply(game, action) or not apply(other, answer) or not finish_lot(game) or not finish_lot(other):
            return False
        if stands_alike(game, other, focal, hears):
            counts[TRIED] += other.n_decisions - n_before - 1
            copy_hand(shadow, other.hands[focal])
            round_index = table.round_index
            continue
        counts[FORKED] += 1
        counts[SHARED] += n_before + n_asked
        counts[BRANCHED] += game.n_decisions + other.n_decisions - 2 * n_before - 1
        # One branch may have begun the next round, and what it dealt then is the past: only later cards are dealt anew.
        start = max(game.deck_position, other.deck_position)
        n_repeats = repeats if start < table.rules.n_dealt else 1
        return play_on(games, 0, start, n_repeats, focal, sums, firsts, counts) and play_on(
            games, 1, start, n_repeats, focal, sums, firsts, counts
        )
    counts[SHARED] += game.n_decisions + n_asked
    for k in range(2):
        add_result(game, 1.0, sums[k])
        note_first(game, focal, firsts[k])
    return True


@kernel
def pair_blocks(games, acts, params, line_ups, first_block, seed, repeats, hears, sums, firsts, counts):
    """Play blocks with strategy 0 (A) and strategy 1 (B) in turn at line-up position 0, on the same deals and streams.

    Parameters
    ----------
    games : recarray of GAME_DTYPE, shape (N_GAMES,)
        Work space; the rules must be set.
    acts, params, first_block, seed
        As for `modernart.simulator.batch.play_blocks`.
    line_ups : ndarray of int64, shape (n_blocks, n_seats)
        Of A.
    repeats, hears
        As for `play_pair`.
    sums : ndarray of float64, shape (n_blocks, 2, 2, n_seats)
        Added to: win units and money with A and with B, by line-up position; means over the repeats, summed over the
        block's games.
    firsts : ndarray of float64, shape (n_blocks, 2, 2)
        Added to: the same of position 0 in the first repeats, which are the games of the deal.
    counts : ndarray of int64, shape (n_blocks, N_COUNTS)
        Added to.

    Returns
    -------
    bool
        False after an illegal answer.
    """
    n_blocks, n_seats = line_ups.shape
    game = games[MAIN]
    for block in range(n_blocks):
        new_deal(game, seed, first_block + block)
        for rotation in range(n_seats):
            seat_players(game, acts, params, line_ups[block], rotation)
            new_game(game, rotation)
            focal = (n_seats - rotation) % n_seats
            shadow = games[SHADOW].hands[focal]
            for k in range(MAX_PARAMS):
                shadow.params[k] = params[1, k]
            if shadow.params[WITHOUT_NOTES] == 0.0:
                for note in range(MAX_NOTES):
                    shadow.notes[note] = 0.0
            if not play_pair(games, acts[1], focal, repeats, hears, sums[block], firsts[block], counts[block]):
                return False
    return True
