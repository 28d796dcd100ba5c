"""Measure advice and reviews: `python benchmarks/advice.py WHAT`, quoted in docs/advise.md and docs/review.md.

calibration   win chances against who won, and the Brier score beside a forecast from money now
walk-away     standard errors of walk-away prices; with --times 20, also against 20 times the playouts and hands
time          seconds for one advice by kind of decision
belief        how well the hidden hands are known, with and without what was played and bid
luck          whether the luck of the deals is 0 on average, and how much of the spread it explains

Games are played by the strong rivals of `advise`; one position is taken from each game, four for `calibration`. With
`--rows FILE` the rows of `calibration`, `walk-away` and `luck` are kept in a file, and the same command goes on where
it was stopped.
"""

import argparse
import json
import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from modernart.analysis.table.advice import ROLLOUTS, advise
from modernart.analysis.table.belief import FULL, OWN, POWER, Effort, draw_belief, rival_specs
from modernart.analysis.table.luck import deal_differences, final_money, relative_money
from modernart.analysis.table.positions import Position
from modernart.analysis.table.review import decisions_of
from modernart.analysis.table.sources import position_at
from modernart.simulator.cards import card_artist, parse_card
from modernart.simulator.decisions import Phase
from modernart.simulator.games import records_of_run
from modernart.simulator.limits import N_ARTISTS
from modernart.simulator.rules import load_edition
from modernart.simulator.setup import games_of
from modernart.simulator.simulate import available_threads
from modernart.strategies.specs import load_players

SPECS = rival_specs("strong")
RULES = load_edition("classic").rules(4)
#: Positions of each game that forecasts are compared with.
PER_GAME = 4
#: Hidden hands for a forecast of one number, in two halves.
LIGHT = Effort(walks=12, kept=2, first=16, every=4)
#: Decisions in which a price can be walked away from.
BIDS = (Phase.LIMIT, Phase.BID, Phase.SEALED, Phase.ACCEPT)


def positions_of(
    game: int, seed: int, most: int, phases: tuple[Phase, ...] = (), of: str = ""
) -> tuple[dict[str, Any], list[tuple[Position, int]]]:
    """Return the record of a game, and at most so many positions drawn from its decisions, each with its round.

    `of` names a strategy whose decisions alone are drawn.
    """
    record = next(iter(records_of_run(load_players(SPECS), RULES, seed, game, 1)))
    draw = np.random.default_rng((seed, game))
    places = [place for place in decisions_of(record) if of in ("", record["players"][place[2]])]
    found: list[tuple[Position, int]] = []
    for k in draw.permutation(len(places)):
        if len(found) == most:
            break
        r, i, seat = places[k]
        position = position_at(record, r, i, seat=seat)
        if not phases or position.phase in phases:
            found.append((position, r))
    return record, found


def positions(n: int, seed: int, phases: tuple[Phase, ...] = ()) -> Iterator[tuple[dict[str, Any], Position, int]]:
    """Yield for each of `n` games its record, a position, and the round."""
    for game in range(n):
        record, found = positions_of(game, seed, 1, phases)
        for position, r in found:
            yield record, position, r


def rows_of(n: int, row: Callable[[int], Any], path: Path | None, workers: int | None = None) -> list[Any]:
    """Return the rows of games 0 to `n` - 1, those in the file first; new ones are added to it."""
    rows = [json.loads(line) for line in path.read_text().splitlines()] if path is not None and path.exists() else []
    with ThreadPoolExecutor(workers or available_threads()) as pool:
        for one in pool.map(row, range(len(rows), n)):
            rows.append(one)
            if path is not None:
                with path.open("a") as file:
                    file.write(json.dumps(one, default=float) + "\n")
    return rows[:n]


def shares_of_win(money: np.ndarray) -> np.ndarray:
    """Return each seat's share of the win, seats on the last axis."""
    wins = money == money.max(axis=-1, keepdims=True)
    return wins / wins.sum(axis=-1, keepdims=True)


def calibration(n: int, seed: int, path: Path | None, playouts: int = 48) -> dict[str, Any]:
    """Compare forecast win chances with who won; the best scale by round makes the forecast from money now.

    The seats that are asked about play by the strategy that playouts seat there, and the forecast is that of the
    answer which that strategy gives. Each forecast is made twice, with few playouts. One is sorted by the other, so
    their noise does not blur the curve: a group's mean forecast is that of endless playouts. For the same reason the
    Brier score multiplies the errors of the two instead of squaring one.
    """

    def row(game: int) -> list[tuple[float, ...]]:
        record, found = positions_of(game, seed, PER_GAME, of=OWN)
        return [(game, *forecast(record, position, r)) for position, r in found]

    def forecast(record: dict[str, Any], position: Position, r: int) -> tuple[float, ...]:
        belief = draw_belief(position, SPECS, seed=seed, effort=LIGHT, threads=1)
        wins = shares_of_win(final_money(belief, playouts, 1))[:, position.seat]
        half = belief.spread(playouts)[2] % 2
        both = [float(wins[half == k].mean()) if (half == k).any() else float(wins.mean()) for k in (0, 1)]
        games = games_of(RULES, 1)
        belief.make(games, np.zeros(1, np.int64), np.ones(1, np.int64))
        now = np.array(games[0].table.money[: RULES.players], float)
        won = float(shares_of_win(np.array(record["money"], float))[position.seat])
        return (r, *both, won, *np.roll(now, -position.seat))

    data = np.array([one for rows in rows_of(n // PER_GAME, row, path) for one in rows])
    game, rounds, one, other, won = data[:, :5].T
    by_money = np.zeros(len(data))
    for r in range(RULES.rounds):
        here = rounds == r
        if here.any():
            by_money[here] = _from_money(data[here, 5:], won[here])
    brier = (one - won) * (other - won)
    gain = (by_money - won) ** 2 - brier
    # Each position twice: sorted by one forecast, it counts with the other.
    sorted_by, forecasts = np.r_[one, other], np.r_[other, one]
    twice = np.tile(np.arange(len(won)), 2)

    def reliability(rows: np.ndarray) -> list[float]:
        here = twice[rows]
        error = _error_by(game[here], won[here] - forecasts[rows])
        return [round(float(x), 3) for x in (forecasts[rows].mean(), won[here].mean(), error)]

    groups = np.array_split(np.argsort(sorted_by, kind="stable"), 10)
    centred = one - one.mean(), other - other.mean(), won - won.mean()
    shared = (centred[0] * centred[1]).mean()
    return {
        "positions, games": [len(won), len(set(game))],
        "playouts": playouts,
        "reliability (forecast, won, standard error)": [reliability(group) for group in groups],
        "by round (forecast, won, standard error)": [
            reliability(np.flatnonzero(np.tile(rounds == r, 2))) for r in range(RULES.rounds)
        ],
        "all (forecast, won, standard error)": reliability(np.arange(2 * len(won))),
        "slope of won on forecast": float(((centred[0] + centred[1]) * centred[2]).mean() / 2 / shared),
        "brier, and its standard error": [float(brier.mean()), _error_by(game, brier)],
        "brier of money now": float(((by_money - won) ** 2).mean()),
        "gain, and its standard error": [float(gain.mean()), _error_by(game, gain)],
    }


def _error_by(game: np.ndarray, values: np.ndarray) -> float:
    """Return the standard error of a mean; positions of one game, which share its end, count as one."""
    sums = np.bincount(game.astype(int), values - values.mean())
    return float(np.sqrt((sums**2).sum()) / len(values))


def _from_money(money: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Return the win chances that fit best as a function of money now: exp(money / scale), shared out."""

    def forecast(log_scale: float) -> np.ndarray:
        power = (money - money.max(axis=1, keepdims=True)) / np.exp(log_scale)
        return np.exp(power[:, 0]) / np.exp(power).sum(axis=1)

    best = minimize_scalar(lambda x: float(((forecast(x) - won) ** 2).mean()), bounds=(1, 9), method="bounded")
    return forecast(best.x)


def walk_away(n: int, seed: int, path: Path | None, times: int = 0) -> dict[str, Any]:
    """Return standard errors of walk-away prices; with `times`, compare with that many times the playouts and hands.

    From a standard error follows the chance that a price lies within 1 of the one without error.
    """
    more = replace(FULL, walks=FULL.walks * times, replayed=FULL.replayed * times)

    def row(game: int) -> dict[str, Any]:
        _, [(position, r)] = positions_of(game, seed, 1, BIDS)
        quick = advise(position, seed=seed)
        told = {
            "decision": position.phase.name,
            "round": r + 1,
            "price": quick.walk_away,
            "error": quick.walk_away_error,
        }
        if times:
            told["slow"] = advise(position, seed=seed + 1, rollouts=ROLLOUTS * times, effort=more).walk_away
        return told

    rows = [row for row in rows_of(n, row, path, 1) if row["price"] is not None]
    errors = np.array([row["error"] for row in rows if np.isfinite(row["error"])])
    within = [math.erf(1.5 / error / math.sqrt(2)) for error in errors]
    return {
        "positions": len(rows),
        "before the last round": len(errors),
        "standard error, median and most": [float(np.median(errors)), float(errors.max())],
        "within 1, mean chance": float(np.mean(within)),
        "within 1 of the slow": float(np.mean([abs(row["price"] - row["slow"]) <= 1 for row in rows]))
        if times
        else None,
    }


def seconds(n: int, seed: int) -> dict[str, Any]:
    """Return wall and processor seconds of an advice at the default settings."""
    rows = []
    for k, (_, position, r) in enumerate(positions(n + 1, seed)):
        wall, cpu = time.perf_counter(), time.process_time()
        advise(position, seed=seed)
        if k > 0:  # the first one compiles
            rows.append((position.phase.name, r + 1, time.perf_counter() - wall, time.process_time() - cpu))
    wall, cpu = np.array([row[2:] for row in rows]).T
    return {"decisions": rows, "wall, most": float(wall.max()), "processor, mean and most": [cpu.mean(), cpu.max()]}


def belief_error(n: int, seed: int) -> dict[str, Any]:
    """Return the mean squared error of the cards of each artist that each rival is believed to hold."""
    errors: dict[float, list[float]] = {0.0: [], POWER: []}
    for record, position, r in positions(n, seed):
        truth = _held(record, position, r)
        rivals = [seat for seat in range(RULES.players) if seat != position.seat]
        for power, found in errors.items():
            belief = draw_belief(position, SPECS, seed=seed, power=power, effort=FULL)
            scenes, repeats, _ = belief.spread(len(belief.keys))
            games = games_of(RULES, len(scenes))
            belief.make(games, scenes, repeats)
            mean = np.mean(
                [[_counts(game.hands[s].cards[: game.hands[s].n_cards]) for s in rivals] for game in games], 0
            )
            found.append(float(((mean - truth[rivals]) ** 2).mean()))
    without, with_all = np.array(errors[0.0]), np.array(errors[POWER])
    gain = without - with_all
    return {
        "positions": n,
        "every deal alike": float(without.mean()),
        "by what was played and bid": float(with_all.mean()),
        "gain, and its standard error": [float(gain.mean()), float(gain.std() / np.sqrt(n))],
    }


def _counts(codes: Any) -> np.ndarray:
    return np.bincount([card_artist(int(code)) for code in codes], minlength=N_ARTISTS)


def _held(record: dict[str, Any], position: Position, r: int) -> np.ndarray:
    """Return the cards of each artist in each hand at a position, shape (n_seats, N_ARTISTS)."""
    held = np.zeros((RULES.players, N_ARTISTS), int)
    for told in record["rounds"][: r + 1]:
        for seat, cards in enumerate(told["dealt"]):
            held[seat] += _counts([parse_card(card, RULES.artists) for card in cards])
    gone = position.steps[np.isin(position.steps[:, 0], (0, 1))]
    for _, seat, code, *_ in gone:
        held[seat, card_artist(int(code))] -= 1
    return held


def luck(n: int, seed: int, path: Path | None, playouts: int = 24) -> dict[str, Any]:
    """Return whether the luck of the deals is 0 on average, by seat and by strategy, and how much it explains.

    The weights of the rounds' deals are those that make the adjusted result vary least, each half of the games judged
    with the weights of the other half. They give `EXPLAINED` of `modernart.analysis.table.luck`.
    """

    def row(game: int) -> dict[str, Any]:
        record = next(iter(records_of_run(load_players(SPECS), RULES, seed, game, 1)))
        differences, _ = deal_differences(record, SPECS, n=playouts, seed=seed + game, threads=1)
        result = relative_money(np.array(record["money"], float))
        return {"result": result.tolist(), "differences": differences.tolist(), "players": record["players"]}

    rows = rows_of(n, row, path)
    result = np.array([one["result"] for one in rows])
    differences = np.array([one["differences"] for one in rows])
    names = np.array([one["players"] for one in rows])
    half = np.arange(len(rows)) % 2
    fitted = np.array([_slopes(differences[half != k], result[half != k]) for k in (0, 1)])
    weights = _slopes(differences, result)
    part = np.einsum("gr,grs->gs", fitted[half], differences)
    raw = differences.sum(axis=1)
    return {
        "games": len(rows),
        "playouts": playouts,
        "weights of the rounds": weights.tolist(),
        "EXPLAINED": [float(2 * w / (playouts * max(1 - w, 1e-9))) for w in weights],
        "z by seat": _z(part).tolist(),
        "z by strategy": {
            name: float(_z(np.where(names == name, part, 0.0).sum(axis=1)[:, None])[0]) for name in SPECS
        },
        "spread of results": float(result.std()),
        "spread of luck": float(part.std()),
        "spread of the raw differences": float(raw.std()),
        "variance of the adjusted result, as a share, and its standard error": _ratio(result - part, result),
        "the same with the raw differences": _ratio(result - raw, result),
        "correlation of luck and result": float(np.corrcoef(part.ravel(), result.ravel())[0, 1]),
    }


def _slopes(differences: np.ndarray, result: np.ndarray) -> np.ndarray:
    """Return the regression of results on what each round's deal changed, shape (n_rounds,); 0 without a deal."""
    covered = np.einsum("grs,gs->r", differences, result)
    own = np.einsum("grs,grs->r", differences, differences)
    return np.divide(covered, own, out=np.zeros_like(own), where=own > 0)


def _z(part: np.ndarray) -> np.ndarray:
    return part.mean(axis=0) / (part.std(axis=0) / np.sqrt(len(part)))


def _ratio(adjusted: np.ndarray, result: np.ndarray) -> list[float]:
    """Return the ratio of variances, and its standard error from games."""
    above, below = (adjusted**2).sum(axis=1), (result**2).sum(axis=1)
    ratio = above.sum() / below.sum()
    return [float(ratio), float((above - ratio * below).std() / np.sqrt(len(below)) / below.mean())]


def main() -> None:
    """Measure what the command line asks for, and print it as JSON."""
    measures: dict[str, Any] = {
        "calibration": calibration,
        "walk-away": walk_away,
        "time": seconds,
        "belief": belief_error,
        "luck": luck,
    }
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=measures)
    parser.add_argument("--positions", "--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--times", type=int, default=0)
    parser.add_argument("--rows", type=Path)
    given = parser.parse_args()
    more: dict[str, Any] = {"path": given.rows} if given.what in ("calibration", "walk-away", "luck") else {}
    if given.what == "walk-away":
        more["times"] = given.times
    print(json.dumps(measures[given.what](given.positions, given.seed, **more), indent=1, default=float))


if __name__ == "__main__":
    main()
