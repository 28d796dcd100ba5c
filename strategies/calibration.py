"""Fitting the forecast of payouts to games, and measuring how good it is.

`python -m modernart.strategies.calibration` prints weights fitted to games of the present `predictive`; those of
`strategies/forecast.py` were fitted to games of an earlier one and differ. Then it prints how good the forecast is
with the weights in use, by number of players: for four, the table of `docs/strategies.md`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.optimize import minimize
from scipy.special import logsumexp

from modernart.simulator.asking import consult
from modernart.simulator.decisions import Phase
from modernart.simulator.game import apply
from modernart.simulator.jit import kernel
from modernart.simulator.lineups import BalancedSchedule
from modernart.simulator.players import Player
from modernart.simulator.rules import Rules
from modernart.simulator.setup import games_of, seat_game
from modernart.strategies.forecast import (
    ARTISTS_RIGHT,
    CARDS_OUT,
    N_FEATURES,
    PAYS,
    STRENGTH,
    WEIGHTS,
    features,
    new_view,
)
from modernart.strategies.valuation import payout_now

#: Keep every fifth decision; neighbouring ones are nearly identical.
_KEEP_ONE_IN = 5


@dataclass
class Sample:
    """Decisions of games, and how their rounds came out.

    Parameters
    ----------
    features : ndarray of float, shape (n, n_artists, N_FEATURES)
    ranking : ndarray of int, shape (n, n_artists)
        Artists by rank as the round ended, -1 beyond the last ranked.
    chances : ndarray of float, shape (n, n_artists)
        Forecast chance of each artist to come first.
    expected, now, paid : ndarray of float, shape (n, n_artists)
        What one crown pays, in money: forecast, if the round had ended then, and in truth.
    most_out : ndarray of int, shape (n,)
        Cards out of the commonest artist.
    """

    features: np.ndarray
    ranking: np.ndarray
    chances: np.ndarray
    expected: np.ndarray
    now: np.ndarray
    paid: np.ndarray
    most_out: np.ndarray


@kernel
def _ask(game):
    seat = game.table.seat
    return consult(game.acts[seat], game.table, game.hands[seat])


@kernel
def _look(game):
    """Return features, and the view of the seat that is asked."""
    view = new_view(game.table, game.hands[game.table.seat], True)
    return features(game.table, view), view


def collect(players: Sequence[Player], rules: Rules, games: int, seed: int) -> Sample:
    """Play games and keep a part of their decisions, each with the end of its round.

    Parameters
    ----------
    players : sequence of Player
    rules : Rules
    games, seed : int
    """
    game = games_of(rules, 1)[0]
    schedule = BalancedSchedule(len(players), rules.players, seed)
    artists = range(len(rules.artists))
    rows = []
    n_asked = 0
    for number in range(games):
        seat_game(game, rules, players, schedule.line_ups(number // rules.players, 1)[0], seed, number)
        own_rows = []
        table = game.table
        while table.phase != Phase.OVER:
            n_asked += 1
            if n_asked % _KEEP_ONE_IN == 0:
                found, view = _look(game)
                view, found = view[:, : len(artists)], found[: len(artists)]
                chances = view[STRENGTH] / view[STRENGTH].sum()
                most = int(table.cards_out.max())
                now = [int(payout_now(table, artist, 0)) for artist in artists]
                own_rows.append((int(table.round_index), found, chances, view[PAYS], now, most))
            if not apply(game, _ask(game)):
                raise ValueError(f"an illegal answer in game {number}")
        for round_index, *row in own_rows:
            result = game.rounds[round_index]
            rows.append((*row, result.ranking[: len(artists)].copy(), result.pays[: len(artists)].copy()))
    columns = ("features", "chances", "expected", "now", "most_out", "ranking", "paid")
    return Sample(**{name: np.array(column) for name, column in zip(columns, zip(*rows, strict=True), strict=True)})


def fit_weights(sample: Sample, n_ranks: int = 3, ridge: float = 1e-4) -> np.ndarray:
    """Return the weights of greatest likelihood, shape (N_FEATURES,), for a Plackett-Luce ranking of the artists.

    Parameters
    ----------
    sample : Sample
    n_ranks : int
        How many ranks count.
    ridge : float
        Weight of the squared weights, to hold those down that the sample tells little of.
    """
    x, ranking = sample.features, sample.ranking
    n = len(x)
    rows = np.arange(n)

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        score = x @ w
        open_ = np.ones(x.shape[:2], bool)
        total = 0.0
        gradient = np.zeros(N_FEATURES)
        for rank in range(n_ranks):
            chosen = ranking[:, rank]
            there = chosen >= 0
            masked = np.where(open_, score, -np.inf)
            norm = logsumexp(masked, axis=1)
            p = np.exp(masked - norm[:, None])
            total += (norm - score[rows, chosen])[there].sum()
            gradient += (np.einsum("na,naf->nf", p, x) - x[rows, chosen])[there].sum(axis=0)
            open_[rows[there], chosen[there]] = False
        return total / n + ridge * (w @ w), gradient / n + 2 * ridge * w

    return minimize(loss, np.array(WEIGHTS), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x


def accuracy(sample: Sample) -> pd.DataFrame:
    """Return how good the forecast is, by cards out of the commonest artist.

    Returns
    -------
    DataFrame
        `decisions`; `brier`: mean over artists of the squared error of the chance to come first, and `brier_now` of
        the naive forecast that today's leader stays; `error`: mean absolute error of the payout of one crown, in money,
        and `error_now` of what it would pay if the round ended now; `square` and `square_now`: the mean squared errors
        of the same; `bias`: mean of forecast less truth.
    """
    artists = np.arange(sample.features.shape[1])
    first = artists == sample.ranking[:, :1]
    leader_now = sample.features[:, :, CARDS_OUT] + 1e-3 * sample.features[:, :, ARTISTS_RIGHT]
    naive = artists == leader_now.argmax(axis=1)[:, None]
    frame = pd.DataFrame(
        {
            "most_out": sample.most_out,
            "brier": ((sample.chances - first) ** 2).mean(axis=1),
            "brier_now": ((naive.astype(float) - first) ** 2).mean(axis=1),
            "error": np.abs(sample.expected - sample.paid).mean(axis=1),
            "error_now": np.abs(sample.now - sample.paid).mean(axis=1),
            "square": ((sample.expected - sample.paid) ** 2).mean(axis=1),
            "square_now": ((sample.now - sample.paid) ** 2).mean(axis=1),
            "bias": (sample.expected - sample.paid).mean(axis=1),
        }
    )
    table = frame.groupby("most_out").mean()
    table.insert(0, "decisions", frame.groupby("most_out").size())
    return table


def main() -> None:
    """Fit on one set of games, measure on another, print both."""
    from modernart.simulator.rules import load_edition
    from modernart.strategies.specs import load_players

    field = load_players(["predictive", "predictive(open=0.7)", "fair_share", "half_value"])
    samples = [collect(field, load_edition("classic").rules(n), 1500, seed=n) for n in (3, 4, 5)]
    joined = Sample(*(np.concatenate(parts) for parts in zip(*(vars(s).values() for s in samples), strict=True)))
    print("WEIGHTS =", tuple(round(float(w), 3) for w in fit_weights(joined)))
    for n in (3, 4, 5):
        fresh = collect(field, load_edition("classic").rules(n), 500, seed=100 + n)
        print(f"{n} players")
        print(accuracy(fresh).round(3).to_string())


if __name__ == "__main__":
    main()
