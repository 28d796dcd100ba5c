"""The flat records of a game: the table everybody sees, each player's hand, and the game that holds both.

Words: a *line-up* lists the players of a block, and the *line-up position* of a player is called `home` in their hand.
The player who put up the first card of a joined double is its *first seller*, `owner` in the table.
"""

import numpy as np
from numba import from_dtype

from modernart.simulator.limits import MAX_CARDS, MAX_HAND, MAX_ROUNDS, MAX_SEATS, N_ARTISTS
from modernart.simulator.options import option_fields

#: Rank of an artist that did not reach one.
UNRANKED = N_ARTISTS
#: Numbers in `hand.params`: a strategy's own parameters, at most MAX_OWN_PARAMS; at DATA the address of its data; at
#: WITHOUT_NOTES a 1 if its code never reads its notes, so that they need not be cleared.
MAX_OWN_PARAMS = 24
DATA, WITHOUT_NOTES = MAX_OWN_PARAMS, MAX_OWN_PARAMS + 1
MAX_PARAMS = MAX_OWN_PARAMS + 2
MAX_NOTES = 144
#: Packed card codes run from 0 to N_CODES - 1 (see `modernart.simulator.cards`).
N_CODES = 64 * N_ARTISTS

# The mask does not change the value; it proves to the compiler that the index is non-negative, which avoids wrap-around
# code at every access (about 5 % of run time). Each mask is a power of two minus one, and no index is larger.
SEAT_MASK = MAX_SEATS - 1
ARTIST_MASK = 7
SALE_MASK = MAX_CARDS - 1
ROUND_MASK = MAX_ROUNDS - 1

#: The rule set of a game, known to all: the options as `simulator.options` declares them, and what follows from them.
RULES_DTYPE = np.dtype(
    [
        ("n_seats", np.int32),
        ("n_rounds", np.int32),
        *option_fields(),
        ("n_artists", np.int32),
        ("n_ranks", np.int32),
        ("carries_crowns", np.int32),
        ("deal", np.int32, MAX_ROUNDS),
        ("n_deck", np.int32),
        ("n_dealt", np.int32),  # cards dealt in all rounds together, the shill's included
        ("artist_copies", np.int32, N_ARTISTS),
        ("code_copies", np.int8, N_CODES),  # copies of each card code in the deck
        ("deck", np.int16, MAX_CARDS),  # the deck in the order of its file
    ],
    align=True,
)

#: What every player may know. Money is behind screens at a real table, but every payment is made in public.
TABLE_DTYPE = np.dtype(
    [
        ("phase", np.int32),  # which decision is asked for: `modernart.simulator.decisions.Phase`
        ("seat", np.int32),  # whose decision it is
        ("round_index", np.int32),
        ("starter", np.int32),  # who started this round
        ("auctioneer", np.int32),  # seller of the lot; after a joined double, the joiner
        ("owner", np.int32),  # first seller: who put up a joined double's first card; -1 otherwise
        ("form", np.int32),  # `modernart.simulator.decisions.Form`
        ("kind", np.int32),  # how the lot is sold: `modernart.simulator.cards.AuctionKind`
        ("artist", np.int32),
        ("n_lot", np.int32),
        ("lot", np.int16, 2),
        ("lot_crowns", np.int32),  # crowns of the lot's cards together
        ("high_bid", np.int32),  # standing bid; the price in a fixed-price auction
        ("high_bidder", np.int32),  # -1: nobody yet
        ("n_passed", np.int32),  # players who passed since the last bid of an outcry
        ("cards_in_hands", np.int32),
        ("pile_size", np.int32),  # face-down cards of the shill
        ("cards_out", np.int32, N_ARTISTS),  # cards put up this round
        ("cards_gone", np.int32, N_ARTISTS),  # cards put up or turned up so far, all rounds
        ("values", np.int32, N_ARTISTS),  # gains of all earlier rounds together
        ("money", np.int32, MAX_SEATS),
        ("hand_sizes", np.int32, MAX_SEATS),
        ("n_sold", np.int32),  # lots sold so far in the game
        ("last_buyer", np.int32),  # of the last lot sold; -1: none yet
        ("last_price", np.int32),  # what it went for
        # What each seat was heard to bid for the last lot sold, at most its price; 0: it passed; -1: it was not asked.
        ("heard", np.int32, MAX_SEATS),
        ("skips_turn", np.int32, MAX_SEATS),  # 1: loses the next turn (decline penalty)
        ("gallery", np.int32, (MAX_SEATS, N_ARTISTS)),  # paintings bought this round, black-framed ones not counted
        (
            "stakes",
            np.int32,
            (MAX_SEATS, N_ARTISTS),
        ),  # crowns bought this round; those of black-framed cards count minus
        ("seen", np.int8, N_CODES),  # copies of each card code put up or turned up so far, all rounds
        ("rules", RULES_DTYPE),  # last, so that what changes lies close together
    ],
    align=True,
)

#: What only the player who holds it knows.
HAND_DTYPE = np.dtype(
    [
        ("rng", np.uint64),  # state of the player's own random stream
        ("params", np.float64, MAX_PARAMS),  # behind its own: DATA (see `modernart.simulator.data`) and WITHOUT_NOTES
        ("notes", np.float64, MAX_NOTES),  # a notebook that lasts for the game, zeros at its start
        ("seat", np.int32),
        ("home", np.int32),  # line-up position; keys the player's stream
        ("n_cards", np.int32),
        ("fitting", np.int32, N_ARTISTS),  # cards that can be the second of a double, by artist
        ("cards", np.int16, MAX_HAND),
    ],
    align=True,
)

#: One lot as it was sold.
SALE_DTYPE = np.dtype(
    [
        ("round_index", np.int16),
        ("kind", np.int16),
        ("form", np.int16),
        ("artist", np.int16),
        ("cards_out", np.int16),  # of the artist, the lot included
        ("crowns", np.int16),
        ("n_cards", np.int16),
        ("cards", np.int16, 2),
        ("auctioneer", np.int16),
        ("owner", np.int16),
        ("buyer", np.int16),
        ("price", np.int32),
        ("to_bank", np.int32),  # part of the price that went to the bank
        ("to_owner", np.int32),  # part of the price that went to the first seller of a joined double
        ("fees", np.int32),  # black-framed: what the others paid the bank
    ],
    align=True,
)

#: One round as it ended.
ROUND_DTYPE = np.dtype(
    [
        ("reason", np.int32),  # `modernart.simulator.decisions.Reason`
        ("ender", np.int32),  # -1: nobody
        ("artist", np.int32),  # of the ending card; -1: none
        ("form", np.int32),
        ("starter", np.int32),
        ("n_up", np.int32),  # cards put up in the round
        ("counts", np.int32, N_ARTISTS),  # cards that count for rank
        ("ranking", np.int32, N_ARTISTS),  # artists by rank, -1 beyond the last one ranked
        ("ranks", np.int32, N_ARTISTS),  # rank of each artist from 0, or UNRANKED
        ("pays", np.int32, N_ARTISTS),  # what one crown of the artist pays now
        ("holding", np.int32, MAX_SEATS),  # paintings of the ending card's artist
        ("hand_sizes", np.int32, MAX_SEATS),
        ("payout", np.int32, MAX_SEATS),
        ("spared", np.int32, MAX_SEATS),  # without `debt`: fines that the seat had no money for
        ("fees", np.int32, MAX_SEATS),  # what the seat paid the bank for black-framed cards that others took
        ("money", np.int32, MAX_SEATS),
    ],
    align=True,
)

GAME_DTYPE = np.dtype(
    [
        ("table", TABLE_DTYPE),
        ("hands", HAND_DTYPE, MAX_SEATS),
        ("acts", np.int64, MAX_SEATS),  # the players' strategies: `modernart.simulator.jit.address_of`
        ("key", np.uint64),  # of all random streams of this deal
        ("n_decisions", np.int64),
        ("first_seat", np.int32),
        ("deck_position", np.int32),
        ("deck", np.int16, MAX_CARDS),
        ("pile", np.int16, MAX_HAND),
        ("amounts", np.int32, MAX_SEATS),  # what each seat bid in the auction that is going on; -1: not asked yet
        ("top_bid", np.int32),  # highest secret answer so far
        ("top_bidder", np.int32),  # seat that gave it
        ("second_bid", np.int32),  # second highest secret answer
        ("reason", np.int32),
        ("ending_artist", np.int32),
        ("n_ending", np.int32),
        ("next_starter", np.int32),
        ("n_sales", np.int32),
        ("illegal", np.int64),  # the answer that stopped the game
        # The log of the game comes last: look-ahead copies only what stands before it.
        ("rounds", ROUND_DTYPE, MAX_ROUNDS),
        ("sales", SALE_DTYPE, MAX_CARDS),
        # What a batch keeps for the game it is playing.
        ("n_strategies", np.int64),
        ("who", np.int32, MAX_SEATS),  # strategy at each seat
        ("win_units", np.int64, MAX_SEATS),  # each seat's share of the win, set when the game is over
        ("line_up", np.int32, MAX_SEATS),  # strategy at each line-up position
        ("block_wins", np.int64, MAX_SEATS),  # sums over the block's games, by line-up position: win units
        ("block_money", np.int64, MAX_SEATS),
        ("block_squares", np.int64, MAX_SEATS),  # of money
    ],
    align=True,
)

#: Bytes of a game that determine how it goes on.
LIVE_BYTES: int = GAME_DTYPE.fields["rounds"][1]  # type: ignore[index]  # a structured dtype has fields

TABLE = from_dtype(TABLE_DTYPE)
HAND = from_dtype(HAND_DTYPE)
GAME = from_dtype(GAME_DTYPE)


def new_games(n: int) -> np.recarray:
    """Return `n` blank games; fields can be read as attributes with the JIT on and off."""
    return np.zeros(n, GAME_DTYPE).view(np.recarray)
