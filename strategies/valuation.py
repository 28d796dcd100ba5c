"""What paintings are worth: jitted helpers that strategies share."""

from modernart.simulator.jit import kernel


@kernel
def rank_of(table, artist, n_more):
    """Return the rank, from 0, that an artist would have now with `n_more` more cards out; -1 if it would not rank.

    Notes
    -----
    S1: by cards put up, ties to the one further left; an artist without a card does not rank.
    """
    count = table.cards_out[artist] + n_more
    if count <= 0:
        return -1
    rank = 0
    for other in range(table.rules.n_artists):
        n = table.cards_out[other]
        rank += other != artist and (n > count or (n == count and other < artist))
    return rank if rank < table.rules.n_ranks else -1


@kernel
def payout_now(table, artist, n_more):
    """Return what one crown of an artist would pay if the round ended now with `n_more` more of its cards out."""
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
    for other in range(table.rules.n_artists):
        if table.stakes[seat, other] != 0:
            total += table.stakes[seat, other] * payout_now(table, other, 0)
    counts[artist] -= n_more
    return total


@kernel(inline=True)
def ending_counts(table, n_ending):
    """Return how many of the cards that end a round count for rank (S2, Duel at Sotheby's: none)."""
    return n_ending if table.rules.ending_cards_rank else 0


@kernel
def table_payouts(table, seat, artist, n_ending):
    """Return what a seat gains on its rivals' mean if `n_ending` cards of an artist end the round now, in money.

    Parameters
    ----------
    table : record
        Left as it was.
    seat : int
    artist, n_ending : int
        The ending cards that are still to be put up.
    """
    n_counted = ending_counts(table, n_ending)
    own = collection_now(table, seat, artist, n_counted)
    rivals = 0
    for other in range(table.rules.n_seats):
        if other != seat:
            rivals += collection_now(table, other, artist, n_counted)
    return own - rivals / (table.rules.n_seats - 1)


@kernel(inline=True)
def match_seller_price(worth):
    """Return the price at which buyer and seller gain alike: v / 2."""
    return worth / 2.0


@kernel(inline=True)
def match_table_price(worth, n_seats):
    """Return the price up to which a buyer gains on the rivals' mean, if else nobody had the lot: v (n - 1) / n.

    The buyer gains v - p; the seller's p is p / (n - 1) to the mean of the n - 1 rivals.
    """
    return worth * (n_seats - 1.0) / n_seats


@kernel(inline=True)
def denial_price(worth):
    """Return the price up to which buying beats letting another rival buy at that price: v."""
    return worth


@kernel(inline=True)
def keep_price(worth, n_seats):
    """Return the price up to which an auctioneer gains more by buying their lot than by selling it: v n / (2 n - 1).

    Buying gains v - p, selling p less the buyer's profit v - p spread over the n - 1 rivals.
    """
    return worth * n_seats / (2.0 * n_seats - 1.0)


@kernel
def wealth_now(table, seat):
    """Return a seat's money and what its paintings would pay if the round ended now."""
    return table.money[seat] + collection_now(table, seat, 0, 0)


@kernel
def is_leading(table, seat):
    """Return whether no seat is richer, valuing paintings at their current payout."""
    own = wealth_now(table, seat)
    for other in range(table.rules.n_seats):
        if wealth_now(table, other) > own:
            return False
    return True


@kernel
def is_trailing(table, seat):
    """Tell whether nobody is poorer than a seat, paintings counted at what they would pay now."""
    own = wealth_now(table, seat)
    for other in range(table.rules.n_seats):
        if wealth_now(table, other) < own:
            return False
    return True
