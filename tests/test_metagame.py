"""Metagames: payoffs of all tables, and dynamics on games whose answer is known."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from modernart.analysis.comparing.metagame import analyse
from modernart.analysis.comparing.metagame_plots import plot_metagame
from modernart.analysis.comparing.payoffs import Payoffs, play_tables
from modernart.analysis.comparing.population import Game, all_tables
from modernart.command_line import app
from modernart.simulator.errors import UsageError
from modernart.simulator.rules import load_edition
from modernart.strategies.specs import load_players

CLASSIC = load_edition("classic").rules(4)


def two_player_game(matrix):
    """The game in which row i gets matrix[i][j] against column j."""
    matrix = np.array(matrix, float)
    tables = all_tables(len(matrix), 2)
    payoffs = np.full((len(tables), len(matrix)), np.nan)
    for row, (i, j) in enumerate(tables):
        payoffs[row, i] = matrix[i, j]
        payoffs[row, j] = matrix[j, i]
    return Game(tables, payoffs)


ROCK_PAPER_SCISSORS = two_player_game([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]])
HAWK_DOVE = two_player_game([[-0.5, 1], [0, 0.5]])
DOMINATED = two_player_game([[0.5, 0.2], [0.8, 0.5]])


def test_tables_are_all_multisets():
    assert len(all_tables(5, 4)) == math.comb(8, 4)
    assert all_tables(2, 3).tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]]


def test_fitness_is_the_mean_over_opponents_drawn_from_the_mix():
    np.testing.assert_allclose(HAWK_DOVE.fitness([0.25, 0.75]), [-0.5 * 0.25 + 0.75, 0.5 * 0.75])


def test_fitness_at_three_seats_counts_orders():
    tables = all_tables(2, 3)
    game = Game(tables, np.array([[1, np.nan], [2, 5], [3, 6], [np.nan, 7]], float))
    # Against two of the first, one of each (two orders), two of the second.
    np.testing.assert_allclose(game.fitness([0.5, 0.5]), [(1 + 2 * 2 + 3) / 4, (5 + 2 * 6 + 7) / 4])


def test_replicator_comes_to_rest_at_the_mixed_equilibrium_of_hawk_and_dove():
    _, path = HAWK_DOVE.follow(np.array([0.9, 0.1]))
    np.testing.assert_allclose(path[-1], [0.5, 0.5], atol=1e-6)
    assert HAWK_DOVE.is_at_rest(path[-1])
    assert not HAWK_DOVE.is_at_rest(np.array([0.9, 0.1]))


def test_replicator_circles_in_rock_paper_scissors():
    start = np.array([0.6, 0.2, 0.2])
    _, path = ROCK_PAPER_SCISSORS.follow(start, horizon=60)
    # The product of the shares is constant on the closed orbits of this game.
    np.testing.assert_allclose(path.prod(axis=1), start.prod(), rtol=1e-4)
    assert not ROCK_PAPER_SCISSORS.is_at_rest(path[-1])


@pytest.mark.parametrize(
    ("game", "mix"), [(ROCK_PAPER_SCISSORS, [1 / 3] * 3), (HAWK_DOVE, [0.5, 0.5]), (DOMINATED, [0, 1])]
)
def test_mix_of_least_regret_is_the_equilibrium(game, mix):
    np.testing.assert_allclose(game.nash_mix(), mix, atol=1e-4)
    assert game.regret(np.array(mix)) == pytest.approx(0, abs=1e-9)


def test_regret_is_what_the_best_reply_gains():
    assert ROCK_PAPER_SCISSORS.regret(np.array([1.0, 0, 0])) == pytest.approx(0.5)
    assert DOMINATED.regret(np.array([1.0, 0])) == pytest.approx(0.3)


def test_mutant_like_the_residents_takes_over_by_chance():
    neutral = two_player_game(np.full((2, 2), 0.5))
    assert neutral.fixation(0, 1) == pytest.approx(1 / 100)
    assert not neutral.invasions().any()


def test_fixation_agrees_with_a_simulated_population():
    game, population = two_player_game([[0.5, 0.8], [0.2, 0.5]]), 6
    rng = np.random.default_rng(3)
    wins = 0
    for _ in range(4_000):
        k = 1
        while 0 < k < population:
            pay_mutant = ((k - 1) * 0.5 + (population - k) * 0.8) / (population - 1)
            pay_resident = (k * 0.2 + (population - k - 1) * 0.5) / (population - 1)
            # Only steps that change the number matter; payoffs in fair shares, so times 2.
            up = 1 / (1 + np.exp(-2 * (pay_mutant - pay_resident)))
            k += 1 if rng.random() < up else -1
        wins += k == population
    assert game.fixation(0, 1, population=population) == pytest.approx(wins / 4_000, abs=0.025)


def test_stationary_is_even_in_rock_paper_scissors_and_at_the_dominant_strategy():
    np.testing.assert_allclose(ROCK_PAPER_SCISSORS.stationary(), [1 / 3] * 3)
    assert DOMINATED.stationary()[1] > 0.999


def test_cycle_of_rock_paper_scissors_is_found_in_its_direction():
    # Paper replaces rock, scissors replace paper.
    assert ROCK_PAPER_SCISSORS.cycles() == [(0, 1, 2)]
    assert DOMINATED.cycles() == []


def synthetic(n_deals, noise):
    rng = np.random.default_rng(5)
    payoffs = DOMINATED.payoffs[:, None, :] + noise * rng.standard_normal((3, n_deals, 2))
    return Payoffs(["weak", "strong"], DOMINATED.tables, payoffs, payoffs)


def test_intervals_narrow_with_the_number_of_deals_and_hold_the_regret():
    narrow, wide = (analyse(synthetic(n, 0.3), n_bootstrap=100)["regret"]["all weak"] for n in (2_000, 50))
    assert narrow["ci"][0] < 0.3 < narrow["ci"][1]
    assert narrow["ci"][1] - narrow["ci"][0] < 0.4 * (wide["ci"][1] - wide["ci"][0])


def test_played_tables_share_out_every_win():
    payoffs = play_tables(load_players(["half_value", "fair_share", "random"]), CLASSIC, 3_000, threads=1)
    counts = np.array([np.bincount(members, minlength=3) for members in payoffs.tables])
    total = np.nansum(payoffs.win_share.mean(axis=1) * counts, axis=1)
    np.testing.assert_allclose(total, 1)
    assert np.isnan(payoffs.win_share[0, :, 1:]).all()
    np.testing.assert_allclose(payoffs.win_share[0, :, 0], 0.25)


def test_play_needs_two_strategies_and_not_too_many_tables():
    with pytest.raises(UsageError, match="at least 2 strategies"):
        play_tables(load_players(["random"]), CLASSIC, 100)
    with pytest.raises(UsageError, match="name fewer strategies"):
        play_tables(load_players(["random"] * 30), CLASSIC, 100)


def test_figure_shows_three_strategies_as_a_triangle_and_others_as_paths():
    for game, names in ((ROCK_PAPER_SCISSORS, ["rock", "paper", "scissors"]), (DOMINATED, ["weak", "strong"])):
        wins = np.repeat(game.payoffs[:, None, :], 3, axis=1)
        payoffs = Payoffs(names, game.tables, wins, wins)
        figure = plot_metagame(game, analyse(payoffs, n_bootstrap=5))
        texts = [text.get_text() for text in figure.axes[0].texts]
        assert texts == (names if len(names) == 3 else [])


def test_metagame_command_writes_payoffs_and_names_the_winner(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    args = [
        "metagame",
        "half_value",
        "fair_share",
        "never_buy",
        "--games",
        "3000",
        "--bootstrap",
        "20",
        "--threads",
        "1",
    ]
    done = CliRunner().invoke(app, [*args, "--json"])
    assert done.exit_code == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["stationary"]["fair_share"]["share"] > 0.9
    assert data["regret"]["all never_buy"]["regret"] == pytest.approx(0.75, abs=0.05)
    rows = pd.read_csv(tmp_path / "results/metagame/payoffs.csv")
    assert len(rows) == sum(len(set(members)) for members in all_tables(3, 4).tolist())
    assert (tmp_path / "results/metagame/dynamics.png").stat().st_size > 10_000
    assert "fair_share" in CliRunner().invoke(app, args).stdout
