"""The fit of the forecast and the measures of how good it is, on samples made by hand."""

import numpy as np
import pytest

from modernart.simulator.games import records_of_run
from modernart.simulator.rules import load_edition
from modernart.strategies.calibration import Sample, accuracy, collect, fit_weights
from modernart.strategies.forecast import ARTISTS_RIGHT, CARDS_OUT, N_FEATURES
from modernart.strategies.specs import load_players


def sample_of(features, ranking, **more) -> Sample:
    n = len(features)
    rest = {name: np.zeros((n, 5)) for name in ("chances", "expected", "now", "paid")}
    return Sample(**{"features": features, "ranking": ranking, "most_out": np.zeros(n, int)} | rest | more)


def test_fit_weights_finds_the_weights_that_made_the_rankings():
    """Rankings drawn by the Plackett-Luce model: its logarithmic strengths plus Gumbel noise, sorted."""
    rng = np.random.default_rng(3)
    truth = np.zeros(N_FEATURES)
    truth[[0, 3, 5]] = 1.0, -0.5, 0.25
    features = rng.normal(size=(20_000, 5, N_FEATURES))
    ranking = np.argsort(-(features @ truth + rng.gumbel(size=(20_000, 5))), axis=1)
    ranking[:, 3:] = -1
    # A weight's standard error is below .01 here.
    assert fit_weights(sample_of(features, ranking), ridge=0.0) == pytest.approx(truth, abs=0.04)


def test_fit_weights_counts_no_rank_that_nobody_reached():
    """One artist with a card in every round: only first ranks tell something, and a ridge keeps the weights finite."""
    rng = np.random.default_rng(4)
    features = rng.normal(size=(2000, 5, N_FEATURES))
    truth = np.zeros(N_FEATURES)
    truth[1] = 1.0
    first = np.argmax(features @ truth + rng.gumbel(size=(2000, 5)), axis=1)
    ranking = np.full((2000, 5), -1)
    ranking[:, 0] = first
    assert fit_weights(sample_of(features, ranking))[1] == pytest.approx(1.0, abs=0.12)


def test_accuracy_of_two_decisions_worked_out_by_hand():
    features = np.zeros((2, 5, N_FEATURES))
    features[:, :, CARDS_OUT] = [[1, 1, 0, 0, 0], [0, 3, 0, 0, 1]]
    features[:, :, ARTISTS_RIGHT] = [4, 3, 2, 1, 0]
    # First: YO (1), then YO. Today's leaders: LM, left of YO at equal cards; then YO.
    sample = sample_of(
        features,
        np.array([[1, 0, -1, -1, -1], [1, 4, -1, -1, -1]]),
        chances=np.array([[0.5, 0.5, 0, 0, 0], [0, 1.0, 0, 0, 0]]),
        expected=np.array([[25.0, 25, 0, 0, 0], [0, 30, 0, 0, 20]]),
        now=np.array([[30, 20, 0, 0, 0], [0, 30, 0, 0, 20]]),
        paid=np.array([[20, 30, 0, 0, 0], [0, 30, 0, 0, 10]]),
        most_out=np.array([1, 3]),
    )
    table = accuracy(sample)
    assert list(table.index) == [1, 3]
    assert table.loc[1].to_dict() == pytest.approx(
        {
            "decisions": 1,
            "brier": (0.25 + 0.25) / 5,
            "brier_now": 2 / 5,
            "error": 10 / 5,
            "error_now": 20 / 5,
            "square": 50 / 5,
            "square_now": 200 / 5,
            "bias": 0.0,
        }
    )
    assert table.loc[3].to_dict() == pytest.approx(
        {
            "decisions": 1,
            "brier": 0,
            "brier_now": 0,
            "error": 2,
            "error_now": 2,
            "square": 20,
            "square_now": 20,
            "bias": 2,
        }
    )


def test_collected_decisions_know_how_their_rounds_ended():
    """Every fifth decision of the games, each beside its round's ranking and payouts as the records tell them."""
    rules = load_edition("classic").rules(3)
    players = load_players(["half_value", "random"])
    sample = collect(players, rules, 2, 11)
    ends = []
    for record in records_of_run(players, rules, 11, 0, 2):
        for one in record["rounds"]:
            ranking = [rules.artists.index(artist) for artist in one["result"]["ranking"]]
            values = one["result"]["values"]
            ends.append(
                (tuple(ranking), tuple(values[a] if a in one["result"]["ranking"] else 0 for a in rules.artists))
            )
    seen = [
        (tuple(int(a) for a in ranking if a >= 0), tuple(int(p) for p in paid))
        for ranking, paid in zip(sample.ranking, sample.paid, strict=True)
    ]
    changes = [one for k, one in enumerate(seen) if k == 0 or one != seen[k - 1]]
    assert changes == [end for end in ends if end in changes]
    assert len(changes) >= 6
    assert sample.chances.sum(axis=1) == pytest.approx(np.ones(len(seen)))
    assert sample.most_out.max() == 4
