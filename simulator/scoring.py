"""The end of a round, ranking of the artists and payouts; and of a game, the winners."""

from modernart.simulator.jit import kernel
from modernart.simulator.state import N_ARTISTS, UNRANKED

#: A win is counted in these units, which every number of tied winners divides (least common multiple of 1 to 8).
WIN_UNITS = 840


@kernel(inline=True)
def rank_artists(result, n_ranks):
    """Rank the artists by cards put up; ties go to the one further left on the board.

    Parameters
    ----------
    result : record of ROUND_DTYPE
        `counts` must be set: the cards that count, by artist. Written: `ranking`, the artists from first to last rank,
        -1 where no artist is left, and `ranks`, the rank of each artist; artists without a card do not rank.
    n_ranks : int
        How many ranks there are.

    Notes
    -----
    S1, "End of a round" and "Paying out".
    """
    # There are no branches, as processors cannot predict which artist is ahead.
    for artist in range(N_ARTISTS):
        count = result.counts[artist]
        n_ahead = 0
        for other in range(N_ARTISTS):
            n_ahead += (result.counts[other] > count) | ((result.counts[other] == count) & (other < artist))
        is_ranked = (count > 0) & (n_ahead < n_ranks)
        result.ranks[artist] = n_ahead if is_ranked else UNRANKED
        result.ranking[n_ahead] = artist if is_ranked else -1


@kernel
def pay_round(game, result):
    """Rank the artists, raise their values and pay every seat; writes the round's `result` record.

    Notes
    -----
    S1: a painting of a ranked artist pays that artist's gains of all rounds so far; of an unranked artist, nothing.
    S2: times its crowns. The holder of a black-framed card pays instead; without `debt`, money does not fall below 0.
    """
    table = game.table
    rules = table.rules
    for artist in range(N_ARTISTS):
        result.counts[artist] = table.cards_out[artist]
    if game.n_ending > 0 and not rules.ending_cards_rank:
        result.counts[game.ending_artist] -= game.n_ending
    rank_artists(result, rules.n_ranks)
    for artist in range(N_ARTISTS):
        rank = result.ranks[artist]
        is_ranked = rank != UNRANKED
        table.values[artist] += rules.rank_values[min(rank, N_ARTISTS - 1)] * is_ranked
        result.pays[artist] = table.values[artist] * is_ranked
    for seat in range(rules.n_seats):
        payout = 0
        for artist in range(N_ARTISTS):
            payout += table.stakes[seat, artist] * result.pays[artist]
        spared = 0 if rules.debt else max(-table.money[seat] - payout, 0)
        payout += spared
        result.spared[seat] = spared
        table.money[seat] += payout
        result.payout[seat] = payout
        result.money[seat] = table.money[seat]


@kernel(inline=True)
def richest(money, n_seats):
    """Return the most money that a seat has, and how many seats have it: at the end of a game, the winners."""
    best = money[0]
    for seat in range(1, n_seats):
        best = max(best, money[seat])
    n_richest = 0
    for seat in range(n_seats):
        n_richest += money[seat] == best
    return best, n_richest
