"""Money to come: what a hand left over at the end of a round is worth in the rounds that follow.

A search stops at the end of the round. Without this value it would play its best cards at once, as cards in hand would
count nothing. One linear fit for each number of players and of rounds to come, to games between `predictive`;
`python -m modernart.strategies.search.leaf` makes the fits anew and prints how much they explain.
"""

import numpy as np

from modernart.simulator.asking import consult
from modernart.simulator.cards import AuctionKind
from modernart.simulator.decisions import Phase, artist_of, can_be_second, kind_of
from modernart.simulator.game import apply, new_deal, new_game
from modernart.simulator.jit import kernel
from modernart.simulator.state import N_ARTISTS

N_FEATURES = 8
#: Rounds to come and numbers of players that were fitted; others take the nearest.
MOST_TO_COME = 3
FEWEST_SEATS, MOST_SEATS = 3, 5

#: By players and rounds to come, in the order of `leaf_features`.
WEIGHTS = np.array(
    (
        (  # 3 players; explained: 0.38, 0.19, 0.10
            (1.40, 6.28, -13.66, 31.21, -4.31, -3.56, 15.66, -4.89),
            (11.02, 5.90, -0.55, 13.31, -3.73, -4.18, 11.19, -2.53),
            (19.22, 6.14, -0.41, 6.73, -3.34, -3.71, 4.56, -1.22),
        ),
        (  # 4 players; explained: 0.32, 0.17, 0.09
            (1.28, 5.45, -12.60, 34.27, -2.06, -2.10, 16.91, -3.96),
            (9.83, 5.18, 0.02, 16.33, -1.05, -1.93, 13.21, -3.58),
            (15.38, 5.56, 2.26, 7.87, -0.09, -0.79, 7.53, -1.47),
        ),
        (  # 5 players; explained: 0.29, 0.16, 0.10
            (3.05, 4.74, -12.87, 38.27, -1.08, -1.47, 17.10, -4.12),
            (10.45, 4.87, -2.52, 19.43, -0.60, -1.37, 11.27, -4.62),
            (15.86, 5.56, 0.33, 9.22, -0.17, -1.25, 8.05, -4.76),
        ),
    )
)


@kernel
def leaf_features(table, hand, n_held, found):
    """Fill in what the weights multiply, for the first `n_held` cards of a hand at the end of a round."""
    copies = np.zeros(N_ARTISTS, np.int64)
    partners = np.zeros(N_ARTISTS, np.int64)
    for k in range(N_FEATURES):
        found[k] = 0.0
    found[0] = n_held
    most = 0
    for slot in range(n_held):
        card = hand.cards[slot]
        artist = artist_of(card)
        copies[artist] += 1
        partners[artist] += can_be_second(card)
        most = max(most, copies[artist])
        kind = kind_of(card)
        found[1] += 0.1 * table.values[artist]
        found[2] += kind == AuctionKind.DOUBLE
        found[4] += kind == AuctionKind.ONCE_AROUND
        found[5] += kind == AuctionKind.SEALED
    for slot in range(n_held):
        card = hand.cards[slot]
        found[3] += kind_of(card) == AuctionKind.DOUBLE and partners[artist_of(card)] > 0
    found[6] = hand.seat == table.starter
    found[7] = most


@kernel
def money_to_come(table, hand, n_held, to_come):
    """Return what a seat may expect to earn in the rounds to come, but for what every seat may."""
    found = np.zeros(N_FEATURES)
    leaf_features(table, hand, n_held, found)
    n_seats = min(max(table.rules.n_seats, FEWEST_SEATS), MOST_SEATS)
    weights = WEIGHTS[n_seats - FEWEST_SEATS, min(to_come, MOST_TO_COME) - 1]
    total = 0.0
    for k in range(N_FEATURES):
        total += weights[k] * found[k]
    return total


@kernel
def gather_round_ends(game, seed, first_deal, n_deals, features, money, final):
    """Play games to their end and note every hand at the end of each round but the last.

    Parameters
    ----------
    game : record of GAME_DTYPE
        Its players are seated.
    seed, first_deal, n_deals : int
    features : ndarray of float64, shape (n_deals, n_rounds, n_seats, N_FEATURES)
    money, final : ndarray of float64, shape (n_deals, n_rounds, n_seats)
        Written: money after the payout of the round, and at the end of the game.
    """
    table = game.table
    n_seats = table.rules.n_seats
    n_rounds = table.rules.n_rounds
    for d in range(n_deals):
        new_deal(game, seed, first_deal + d)
        new_game(game, d % n_seats)
        last = 0
        while table.phase != Phase.OVER:
            seat = table.seat
            apply(game, consult(game.acts[seat], table, game.hands[seat]))
            if table.round_index > last and table.phase != Phase.OVER:
                n_new = table.rules.deal[table.round_index]
                for other in range(n_seats):
                    hand = game.hands[other]
                    leaf_features(table, hand, hand.n_cards - n_new, features[d, last, other])
                    money[d, last, other] = table.money[other]
                last = table.round_index
        for other in range(n_seats):
            for r in range(n_rounds):
                final[d, r, other] = table.money[other]


def fit_leaf(n_seats: int, games: int, seed: int) -> tuple[np.ndarray, list[float]]:
    """Fit the weights for a number of players of `classic`.

    Parameters
    ----------
    n_seats, games, seed : int

    Returns
    -------
    weights : ndarray, shape (MOST_TO_COME, N_FEATURES)
    explained : list of float
        Share of the variance of the money to come, relative to the rivals' mean, that each fit explains.
    """
    from modernart.simulator.players import acts_of, params_of
    from modernart.simulator.rules import load_edition
    from modernart.simulator.setup import games_of
    from modernart.strategies.specs import load_players

    rules = load_edition("classic").rules(n_seats)
    game = games_of(rules, 1)[0]
    players = load_players(["predictive"])
    for seat in range(n_seats):
        game.acts[seat] = acts_of(players)[0]
        game.hands[seat].params[:] = params_of(players, rules)[0]
    shape = (games, rules.rounds, n_seats)
    features, money, final = np.zeros((*shape, N_FEATURES)), np.zeros(shape), np.zeros(shape)
    gather_round_ends(game, np.uint64(seed), 0, games, features, money, final)

    def relative(x: np.ndarray) -> np.ndarray:
        return x - (x.sum(axis=2, keepdims=True) - x) / (n_seats - 1)

    weights, explained = np.zeros((MOST_TO_COME, N_FEATURES)), []
    for to_come in range(1, MOST_TO_COME + 1):
        r = rules.rounds - 1 - to_come
        x = relative(features)[:, r].reshape(-1, N_FEATURES)
        y = relative(final - money)[:, r].reshape(-1)
        weights[to_come - 1], *_ = np.linalg.lstsq(x, y, rcond=None)
        explained.append(float(1 - ((y - x @ weights[to_come - 1]) ** 2).mean() / (y**2).mean()))
    return weights, explained


def main() -> None:
    """Fit and print the weights for all numbers of players."""
    for n_seats in range(FEWEST_SEATS, MOST_SEATS + 1):
        weights, explained = fit_leaf(n_seats, 20_000, seed=n_seats)
        print(f"        (  # {n_seats} players; explained: {', '.join(f'{share:.2f}' for share in explained)}")
        for row in weights:
            print(f"            ({', '.join(f'{w:.2f}' for w in row)}),")
        print("        ),")


if __name__ == "__main__":
    main()
