"""What `learned` notes of each rival: how far it was heard to bid, as a share of what lots should pay."""

from modernart.simulator.cards import AuctionKind
from modernart.simulator.jit import kernel
from modernart.simulator.state import MAX_SEATS

# Places in the notebook, behind those of `predictive`.
LOT_PAYS, LOT_NUMBER, LOT_SOLD_AS = 12, 13, 14
# By seat: the level in open auctions, how often heard, the same in sealed ones, and the spread of the former.
OPEN_LEVEL, OPEN_HEARD, SEALED_LEVEL, SEALED_HEARD, SPREAD = (16 + k * MAX_SEATS for k in range(5))

#: What is thought of a rival that was not heard yet, as if it had been heard so often.
FIRST_LEVEL, FIRST_WEIGHT = 0.85, 1.0
#: Weight of the latest bid at least.
_LEAST_WEIGHT = 0.1
_MOST = 2.0
#: Features of `add_levels`.
N_LEVELS = 6


@kernel
def note_sale(table, hand, pays):
    """Write down the lot on sale: what it should pay, and which lot of the game it is."""
    hand.notes[LOT_PAYS] = pays
    hand.notes[LOT_NUMBER] = table.n_sold
    hand.notes[LOT_SOLD_AS] = table.kind


@kernel
def hear(table, hand):
    """Take in how far every rival was heard to bid for the last lot, if it is the one written down.

    Open: a loser's own limit is public when it drops out; the buyer's lies somewhere above the price. Sealed: all
    amounts are shown.
    """
    notes = hand.notes
    pays = notes[LOT_PAYS]
    if pays < 1.0 or table.n_sold == notes[LOT_NUMBER]:
        return
    notes[LOT_PAYS] = 0.0
    kind = int(notes[LOT_SOLD_AS])
    if table.n_sold != notes[LOT_NUMBER] + 1 or (kind != AuctionKind.OPEN and kind != AuctionKind.SEALED):
        return
    for seat in range(table.rules.n_seats):
        if seat == hand.seat or table.heard[seat] < 0:
            continue
        share = min(table.heard[seat] / pays, _MOST)
        if kind == AuctionKind.SEALED:
            level = notes[SEALED_LEVEL + seat] + FIRST_LEVEL
            weight = max(1.0 / (notes[SEALED_HEARD + seat] + 1.0 + FIRST_WEIGHT), _LEAST_WEIGHT)
            notes[SEALED_LEVEL + seat] += weight * (share - level)
            notes[SEALED_HEARD + seat] += 1.0
            continue
        level = notes[OPEN_LEVEL + seat] + FIRST_LEVEL
        if seat == table.last_buyer and share < level:
            continue
        weight = max(1.0 / (notes[OPEN_HEARD + seat] + 1.0 + FIRST_WEIGHT), _LEAST_WEIGHT)
        notes[OPEN_LEVEL + seat] += weight * (share - level)
        notes[SPREAD + seat] += weight * (abs(share - level) - notes[SPREAD + seat])
        notes[OPEN_HEARD + seat] += 1.0


@kernel
def add_levels(table, hand, x, n):
    """Write how far the rivals go: mean and most of their levels, spread, how often heard."""
    notes = hand.notes
    n_rivals = table.rules.n_seats - 1.0
    open_level = sealed_level = spread = heard = 0.0
    most_open = -2.0
    most_sealed = -2.0
    for seat in range(table.rules.n_seats):
        if seat == hand.seat:
            continue
        open_level += notes[OPEN_LEVEL + seat]
        sealed_level += notes[SEALED_LEVEL + seat]
        spread += notes[SPREAD + seat]
        heard += min(notes[OPEN_HEARD + seat] + notes[SEALED_HEARD + seat], 12.0)
        most_open = max(most_open, notes[OPEN_LEVEL + seat])
        most_sealed = max(most_sealed, notes[SEALED_LEVEL + seat])
    x[n] = open_level / n_rivals
    x[n + 1] = sealed_level / n_rivals
    x[n + 2] = spread / n_rivals
    x[n + 3] = heard / n_rivals
    x[n + 4] = most_open
    x[n + 5] = most_sealed
