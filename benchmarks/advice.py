"""Measure advice and reviews: `python benchmarks/advice.py WHAT`, quoted in docs/advise.md and docs/review.md.

calibration   win chances against who won, and the Brier score beside a forecast from money now
walk-away     standard errors of walk-away prices; with --times 20, also against 20 times the playouts and hands
time          seconds for one advice by kind of decision
belief        how well the hidden hands are known, with and without what was played and bid
luck          whether the luck of the deals is 0 on average, and how much of the spread it explains

Games are played by the strong rivals of `advise`; one position is taken from each game.
"""

import argparse
import json
import math
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from modernart.analysis.table.advice import ROLLOUTS, advise
from modernart.analysis.table.belief import BRIEF, FULL, OWN, POWER, draw_belief, rival_specs
from modernart.analysis.table.luck import deal_luck, final_money, relative_money
from modernart.analysis.table.positions import Position
from modernart.analysis.table.review import decisions_of
from modernart.analysis.table.sources import position_at
from modernart.simulator.cards import card_artist, parse_card
from modernart.simulator.decisions import Phase
from modernart.simulator.games import records_of_run
from modernart.simulator.limits import N_ARTISTS
from modernart.simulator.rules import load_edition
from modernart.simulator.setup import games_of
from modernart.strategies.specs import load_players

SPECS = rival_specs("strong")
RULES = load_edition("classic").rules(4)
#: Decisions in which a price can be walked away from.
BIDS = (Phase.LIMIT, Phase.BID, Phase.SEALED, Phase.ACCEPT)


def positions(
    n: int, seed: int, phases: tuple[Phase, ...] = (), of: str = ""
) -> Iterator[tuple[dict[str, Any], Position, int]]:
    """Yield a record, a position drawn from its decisions, and the round, for each of `n` games.

    `of` names a strategy whose decisions alone are drawn; a game in which it does not play is passed over.
    """
    draw = np.random.default_rng(seed)
    for record in records_of_run(load_players(SPECS), RULES, seed, 0, n):
        places = [place for place in decisions_of(record) if of in ("", record["players"][place[2]])]
        while places:
            r, i, seat = places[draw.integers(len(places))]
            position = position_at(record, r, i, seat=seat)
            if not phases or position.phase in phases:
                break
        if places:
            yield record, position, r


def shares_of_win(money: np.ndarray) -> np.ndarray:
    """Return each seat's share of the win, seats on the last axis."""
    wins = money == money.max(axis=-1, keepdims=True)
    return wins / wins.sum(axis=-1, keepdims=True)


def calibration(n: int, seed: int, playouts: int = 200) -> dict[str, Any]:
    """Compare forecast win chances with who won; the best scale by round makes the forecast from money now.

    The seats that are asked about play by the strategy that the playouts go on with.
    """
    rows = []
    for record, position, r in positions(n, seed, of=OWN):
        belief = draw_belief(position, SPECS, seed=seed, effort=BRIEF)
        chance = float(shares_of_win(final_money(belief, playouts, None)).mean(axis=0)[position.seat])
        games = games_of(RULES, 1)
        belief.make(games, np.zeros(1, np.int64), np.ones(1, np.int64))
        now = np.array(games[0].table.money[: RULES.players], float)
        won = float(shares_of_win(np.array(record["money"], float))[position.seat])
        rows.append((r, chance, won, *np.roll(now, -position.seat)))
    data = np.array(rows)
    chances, won = data[:, 1], data[:, 2]
    by_money = np.zeros(len(data))
    for r in range(RULES.rounds):
        here = data[:, 0] == r
        if here.any():
            by_money[here] = _from_money(data[here, 3:], won[here])
    curve = []
    edges = np.quantile(chances, np.linspace(0, 1, 11))
    for low, high in pairwise(edges):
        here = (chances >= low) & (chances <= high)
        error = won[here].std() / np.sqrt(max(here.sum(), 1))
        curve.append([round(float(x), 3) for x in (chances[here].mean(), won[here].mean(), error)])
    gain = (by_money - won) ** 2 - (chances - won) ** 2
    return {
        "positions": len(won),
        "playouts": playouts,
        "reliability (forecast, won, standard error)": curve,
        "brier": float(((chances - won) ** 2).mean()),
        "brier of money now": float(((by_money - won) ** 2).mean()),
        "gain, and its standard error": [float(gain.mean()), float(gain.std() / np.sqrt(len(won)))],
        "mean forecast, mean won": [float(chances.mean()), float(won.mean())],
    }


def _from_money(money: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Return the win chances that fit best as a function of money now: exp(money / scale), shared out."""

    def forecast(log_scale: float) -> np.ndarray:
        power = (money - money.max(axis=1, keepdims=True)) / np.exp(log_scale)
        return np.exp(power[:, 0]) / np.exp(power).sum(axis=1)

    best = minimize_scalar(lambda x: float(((forecast(x) - won) ** 2).mean()), bounds=(1, 9), method="bounded")
    return forecast(best.x)


def walk_away(n: int, seed: int, times: int = 0) -> dict[str, Any]:
    """Return standard errors of walk-away prices; with `times`, compare with that many times the playouts and hands.

    From a standard error follows the chance that a price lies within 1 of the one without error.
    """
    more = replace(FULL, walks=FULL.walks * times)
    rows = []
    for _, position, r in positions(n, seed, BIDS):
        found = advise(position, seed=seed)
        row = {
            "decision": position.phase.name,
            "round": r + 1,
            "price": found.walk_away,
            "error": found.walk_away_error,
        }
        if times:
            row["slow"] = advise(position, seed=seed + 1, rollouts=ROLLOUTS * times, effort=more).walk_away
        rows.append(row)
        print(row, flush=True)
    errors = np.array([row["error"] for row in rows if np.isfinite(row["error"])])
    within = [math.erf(1.5 / error / math.sqrt(2)) for error in errors]
    return {
        "positions": n,
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


def luck(n: int, seed: int, playouts: int = 64) -> dict[str, Any]:
    """Return whether the luck of the deals is 0 on average, by seat and by strategy, and how much it explains."""
    results, lucky, names = [], [], []
    for k, record in enumerate(records_of_run(load_players(SPECS), RULES, seed, 0, n)):
        results.append(relative_money(np.array(record["money"], float)))
        lucky.append(deal_luck(record, SPECS, n=playouts, seed=seed + 2 * k)[0])
        names.append(record["players"])
    result, part = np.array(results), np.array(lucky)
    z_seats = part.mean(axis=0) / (part.std(axis=0) / np.sqrt(n))
    z_names = {}
    for name in SPECS:
        here = np.array(names) == name
        by_game = np.where(here, part, 0.0).sum(axis=1)
        z_names[name] = float(by_game.mean() / (by_game.std() / np.sqrt(n)))
    return {
        "games": n,
        "playouts": playouts,
        "z by seat": z_seats.tolist(),
        "z by strategy": z_names,
        "spread of results": float(result.std()),
        "spread of luck": float(part.std()),
        "variance of the adjusted result, as a share": float((result - part).var() / result.var()),
        "correlation of luck and result": float(np.corrcoef(part.ravel(), result.ravel())[0, 1]),
    }


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
    given = parser.parse_args()
    more = {"times": given.times} if given.what == "walk-away" else {}
    print(json.dumps(measures[given.what](given.positions, given.seed, **more), indent=1, default=float))


if __name__ == "__main__":
    main()
