"""Luck: what the deals gave each seat, and the win chances of all seats at every turn of a game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from modernart.analysis.table.advice import relative_and_wins
from modernart.analysis.table.belief import BRIEF, CHUNK, Belief, chunks_of, draw_belief, in_threads, policies_of
from modernart.analysis.table.playouts import play_to_end
from modernart.analysis.table.positions import Position, position_from_rounds
from modernart.analysis.table.sources import position_at
from modernart.simulator.decisions import Phase
from modernart.simulator.errors import RunError
from modernart.simulator.limits import MAX_CARDS, MAX_SEATS
from modernart.simulator.rules import Rules
from modernart.simulator.streams import deal_key

#: Playouts of a deal as it was, and of as many other deals; and of each turn.
DEALS, TURNS = 400, 96
#: Variance of what the deal of each round gives, as a share of the variance of playouts from there; rounds after the
#: last one count as it does. Fitted by `benchmarks/advice.py luck` on the classic edition with four players.
EXPLAINED = (0.025, 0.14, 0.36)


@dataclass(frozen=True)
class Curve:
    """Win chances over a game, by somebody who sees all hands that are known.

    Parameters
    ----------
    places : list of (int, int)
        Round and event of each turn, from 0; the last is the end.
    chances : ndarray of float64, shape (n, n_seats)
    """

    places: list[tuple[int, int]]
    chances: np.ndarray


def final_money(belief: Belief, n: int, threads: int | None) -> np.ndarray:
    """Return final money of `n` playouts of a belief's scenes, shape (n, n_seats).

    Raises
    ------
    RunError
        If a strategy gave an illegal answer.
    """
    scenes, repeats, _ = belief.spread(n)
    money = np.zeros((n, MAX_SEATS), np.int32)

    def part(chunk: np.ndarray, work: np.recarray) -> None:
        games, one = work[:CHUNK].view(np.recarray), work[CHUNK:]
        belief.make(games, scenes[chunk], repeats[chunk])
        if not play_to_end(games, len(chunk), one, money[chunk[0] : chunk[-1] + 1]):
            raise RunError("a strategy gave an illegal answer in a playout; choose other --rivals")

    in_threads(belief.position.rules, chunks_of(n), part, CHUNK + 1, threads)
    return money[:, : belief.position.rules.players].astype(float)


def relative_money(money: np.ndarray) -> np.ndarray:
    """Return each seat's money less the mean of the others', seats on the last axis."""
    n_seats = money.shape[-1]
    return (money * n_seats - money.sum(axis=-1, keepdims=True)) / (n_seats - 1)


def deal_luck(
    record: Mapping[str, Any], specs: Sequence[str], *, n: int = DEALS, seed: int = 1, threads: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return what the deals of a game gave each seat, and what each could expect before the first one.

    Returns
    -------
    luck, before : ndarray of float64, shape (n_seats,)
        Relative money; NaN where hands are not known.

    Notes
    -----
    The measured difference of a deal (`deal_differences`) is its luck and the noise of `n` playouts. Its best linear
    estimate is smaller than the difference, by the factor `reliability`. Luck keeps its mean of 0.
    """
    differences, before = deal_differences(record, specs, n=n, seed=seed, threads=threads)
    weights = np.array([reliability(n, r) for r in range(len(differences))])
    return weights @ differences, before


def reliability(n: int, round_index: int) -> float:
    """Return by what a deal's measured difference is multiplied: the share of its variance that is no noise."""
    explained = EXPLAINED[min(round_index, len(EXPLAINED) - 1)]
    return n * explained / (n * explained + 2)


def deal_differences(
    record: Mapping[str, Any], specs: Sequence[str], *, n: int = DEALS, seed: int = 1, threads: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return what each deal of a game changed for each seat, and what each could expect before the first one.

    At the start of each round the game is played on `n` times from the deal as it was, and as often from other deals
    of the cards that were left, all as likely, by the same line-ups. Over many games the mean of the difference is 0,
    whoever plays the playouts.

    Returns
    -------
    differences : ndarray of float64, shape (n_rounds, n_seats)
        Relative money; 0 in rounds without a deal, NaN where hands are not known.
    before : ndarray of float64, shape (n_seats,)
    """
    rules = Rules.from_record(record["rules"])
    n_seats = rules.players
    differences = np.zeros((rules.rounds, n_seats))
    before = np.zeros(n_seats)
    if any(cards is None for told in record["rounds"] for cards in told["dealt"]):
        return np.full_like(differences, np.nan), np.full_like(before, np.nan)
    for r in range(rules.rounds):
        if rules.deal[r] == 0 or not record["rounds"][r]["events"]:
            continue
        actual = relative_money(_played_from(record, rules, r, True, specs, n, seed, threads)).mean(axis=0)
        others = relative_money(_played_from(record, rules, r, False, specs, n, seed, threads)).mean(axis=0)
        differences[r] = actual - others
        if r == 0:
            before = others
    return differences, before


def _played_from(
    record: Mapping[str, Any],
    rules: Rules,
    round_index: int,
    as_dealt: bool,
    specs: Sequence[str],
    n: int,
    seed: int,
    threads: int | None,
) -> np.ndarray:
    """Return final money of playouts from the start of a round, with its deal as it was or drawn anew."""
    first = record["rounds"][round_index]["events"][0]
    seat = first["seat"]
    rounds = [{"dealt": told["dealt"], "events": told["events"]} for told in record["rounds"][: round_index + 1]]
    rounds[-1] = rounds[-1] | {"events": []}
    if as_dealt or round_index > 0:
        told = rounds if as_dealt else rounds[:-1]
        position = position_from_rounds(rules, record["first_seat"], told, seat, Phase.CARD, sees_all=True)
    else:
        blank = [{"dealt": [None] * rules.players, "events": []}]
        position = position_from_rounds(rules, record["first_seat"], blank, seat, Phase.CARD)
    return final_money(_random_belief(position, specs, n, seed), n, threads)


def _random_belief(position: Position, specs: Sequence[str], n: int, seed: int) -> Belief:
    """Return `n` scenes with all cards that nobody knows in random order; policies are drawn at random.

    Line-ups and random streams depend on the seed alone, so two positions are compared with the same players.
    """
    policies, shares = policies_of(position.rules, specs)
    # Many line-ups: strategies leave little to chance, and one line-up would play a deal on in one way only.
    players = np.random.default_rng((seed, 0)).choice(len(shares), size=(n, MAX_SEATS), p=shares)
    draw = np.random.default_rng((seed, 1, len(position.steps), position.n_pool))
    pools = np.zeros((n, MAX_CARDS), np.int16)
    for pool in pools:
        pool[: position.n_pool] = draw.permutation(position.pool[: position.n_pool])
    keys = np.array([deal_key(np.uint64(seed), k) for k in range(n)], np.uint64)
    return _Unshuffled(position, policies, pools, players, keys, np.zeros(n), np.arange(n))


class _Unshuffled(Belief):
    """Scenes that are played once each, with the cards to come in the order of the pool."""

    def spread(self, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return each scene once."""
        return np.arange(n), np.zeros(n, np.int64), np.arange(n)


def win_curve(
    record: Mapping[str, Any], specs: Sequence[str], *, n: int = TURNS, seed: int = 1, threads: int | None = None
) -> Curve:
    """Return the win chances of all seats at every turn, and who won at the end."""
    rules = Rules.from_record(record["rules"])
    places = [
        (r, i)
        for r, told in enumerate(record["rounds"])
        for i, event in enumerate(told["events"])
        if event["e"] == "play"
    ]
    chances = []
    for r, i in places:
        position = position_at(record, r, i, sees_all=True)
        if position.hidden.any():
            belief = draw_belief(position, specs, seed=seed, effort=BRIEF, threads=threads)
        else:
            belief = _random_belief(position, specs, n, seed)
        chances.append(_wins(final_money(belief, n, threads)))
    chances.append(_wins(np.array([record["money"]], float)))
    return Curve([*places, (rules.rounds - 1, -1)], np.array(chances))


def _wins(money: np.ndarray) -> np.ndarray:
    return np.array([relative_and_wins(money, seat)[1].mean() for seat in range(money.shape[1])])
