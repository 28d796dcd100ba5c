"""What paintings are worth: jitted helpers that strategies share."""

from simulator.jit import kernel
from simulator.state import N_ARTISTS


@kernel
def rank_of(table, artist, n_more):
    """Return the rank, from 0, that an artist would have now with `n_more` more cards out; -1 if he would not rank.

    Notes
    -----
    S1: by cards put up, ties to the one further left; an artist without a card does not rank.
    """
    count = table.cards_out[artist] + n_more
    if count <= 0:
        return -1
    rank = 0
    for other in range(N_ARTISTS):
        n = table.cards_out[other]
        rank += other != artist and (n > count or (n == count and other < artist))
    return rank if rank < table.rules.n_ranks else -1


@kernel
def payout_now(table, artist, n_more):
    """Return what one crown of an artist would pay if the round ended now with `n_more` more of his cards out."""
    rank = rank_of(table, artist, n_more)
    return table.values[artist] + table.rules.rank_values[rank] if rank >= 0 else 0


@kernel
def value_now(table):
    """Return what the lot on sale would pay if the round ended now, in money."""
    return table.lot_crowns * payout_now(table, table.artist, 0)


@kernel
def collection_now(table, seat, artist, n_more):
    """Return what a seat's paintings would pay if the round ended now with `n_more` more cards of an artist out."""
    total = 0
    counts = table.cards_out
    counts[artist] += n_more
    for other in range(N_ARTISTS):
        if table.stakes[seat, other] != 0:
            total += table.stakes[seat, other] * payout_now(table, other, 0)
    counts[artist] -= n_more
    return total
