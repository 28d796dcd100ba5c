"""What ending a round brings, against playing on, where a player could do both."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from modernart.analysis.counterfactual.points import DecisionPoints, by_deal, in_columns
from modernart.analysis.statistics.estimates import Estimate
from modernart.simulator.fork_runs import play_forks
from modernart.simulator.forks import BY_CARD, BY_JOIN, BY_PAIR, ENDED
from modernart.simulator.players import Player
from modernart.simulator.rules import Rules
from modernart.simulator.scoring import WIN_UNITS

#: How a round can be ended, in words.
CASE_NAMES = {BY_CARD: "a card", BY_PAIR: "pairing a double", BY_JOIN: "joining a double"}
#: Which decision points an effect is taken over: the value of `chosen`, None for all.
POINTS = {"all": None, "own_choice": 1, "played_on": 0}
#: What an effect is measured in.
OUTCOMES = ("money", "relative", "win")
_MOST = 99


def ending_points(
    players: Sequence[Player],
    rules: Rules,
    games: int,
    *,
    seed: int = 1,
    repeats: int = 4,
    threads: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> DecisionPoints:
    """Return every decision of a run's games where the mover could end the round and could also not, played both ways.

    Parameters
    ----------
    players : sequence of Player
    rules : Rules
    games : int
        Games to look through; those of `simulate` with the same arguments.
    seed : int
    repeats : int
        Playouts per decision point and branch; the first has the game's own random streams.
    threads : int, optional
    on_progress : callable, optional
        Called with the number of games done.
    """
    forks = play_forks(
        "endings", players, rules, games, seed=seed, repeats=repeats, threads=threads, on_progress=on_progress
    )
    return DecisionPoints(tuple(p.name for p in players), forks)


def differences(points: DecisionPoints) -> np.ndarray:
    """Return money and win share, ending less playing on, shape (n, n_seats, 2), from the mover's seat clockwise."""
    apart = points.means[:, 0, :ENDED] - points.means[:, 1, :ENDED]
    return apart.reshape(-1, ENDED // 2, 2)[:, : points.n_seats] / [1.0, WIN_UNITS]


def ended_anyway(points: DecisionPoints) -> np.ndarray:
    """Return in which share of the repeats the round ended with the same lot though the mover did not end it."""
    return points.means[:, 1, ENDED]


def mover_effects(points: DecisionPoints) -> dict[str, np.ndarray]:
    """Return what ending brings the mover at each decision point, by `OUTCOMES`."""
    apart = differences(points)
    money = apart[:, 0, 0]
    return {"money": money, "relative": money - apart[:, 1:, 0].mean(axis=1), "win": apart[:, 0, 1]}


def effects(points: DecisionPoints) -> list[dict[str, Any]]:
    """Return the effect of ending for all strategies together (None) and each one, by which points are counted.

    Returns
    -------
    list of dict
        `strategy`, `points` (a key of `POINTS`), `n`, `ended_anyway` (share of playing on that ended with the same
        lot all the same), and each of `OUTCOMES` with its interval as `<outcome>_ci`, None where nothing is known.
    """
    found = mover_effects(points)
    anyway = ended_anyway(points)
    frame = points.frame
    entries = []
    for strategy in (None, *dict.fromkeys(points.names)):
        of_strategy = np.ones(len(frame), bool) if strategy is None else (frame["strategy"] == strategy).to_numpy()
        for name, chosen in POINTS.items():
            here = of_strategy if chosen is None else of_strategy & (frame["chosen"] == chosen).to_numpy()
            entry: dict[str, Any] = {"strategy": strategy, "points": name, "n": int(here.sum())}
            entry["ended_anyway"] = float(anyway[here].mean()) if here.any() else None
            for outcome in OUTCOMES:
                estimate = points.mean_of(found[outcome], here) if here.any() else None
                entry[outcome] = None if estimate is None else float(estimate.mean)
                entry[f"{outcome}_ci"] = None if estimate is None else [float(estimate.low), float(estimate.high)]
            entries.append(entry)
    return entries


def groups(points: DecisionPoints) -> list[tuple[str, str, np.ndarray]]:
    """Return what is told apart in the table: its name, the case and which decision points belong to it."""
    facts = points.frame
    anyway = ended_anyway(points)
    found = [("all", "all decision points", np.ones(len(facts), bool))]
    found += [
        ("own choice", "ends" if value else "plays on", (facts["chosen"] == value).to_numpy()) for value in (1, 0)
    ]
    found += [
        ("playing on", "the round goes on", anyway == 0),
        ("playing on", "the same lot ends it anyway", anyway > 0),
    ]
    for holding in range(4):
        is_last = holding == 3
        here = facts["holding"] >= holding if is_last else facts["holding"] == holding
        found.append(("own paintings", f"{holding}{' or more' if is_last else ''}", here.to_numpy()))
    found += [("round", str(number), (facts["round"] == number).to_numpy()) for number in sorted(set(facts["round"]))]
    for low, high in ((1, 3), (4, 6), (7, 9), (10, _MOST)):
        case = f"{low} to {high}" if high < _MOST else f"{low} or more"
        found.append(("cards in hand", case, facts["hand_size"].between(low, high).to_numpy()))
    found += [("ended by", name, (facts["case"] == case).to_numpy()) for case, name in CASE_NAMES.items()]
    found += [("strategy", name, (facts["strategy"] == name).to_numpy()) for name in dict.fromkeys(points.names)]
    return found


def endings_effect(points: DecisionPoints) -> pd.DataFrame:
    """Return what ending a round brings its player, against playing on: overall and by what may matter.

    Returns
    -------
    DataFrame
        `by` and `case` name the decision points, `moments` counts them; `ended_anyway` is the share of playing on in
        which the same lot ended the round all the same. With intervals: `money`, `relative` (money less the others'
        mean) and `win_share` of the mover, `next_money` and `next_win_share` of the player to their left,
        `others_money` the mean of the rest. Overlapping: each value of `by` but "all" splits the decision points.
    """
    apart = differences(points)
    mover = mover_effects(points)
    anyway = ended_anyway(points)
    rest = apart[:, 2:, 0].mean(axis=1) if points.n_seats > 2 else np.full(len(apart), np.nan)
    columns = {
        "money": mover["money"],
        "relative": mover["relative"],
        "win_share": mover["win"],
        "next_money": apart[:, 1, 0],
        "next_win_share": apart[:, 1, 1],
        "others_money": rest,
    }
    rows = []
    for by, case, here in groups(points):
        if not here.any():
            continue
        row: dict[str, object] = {"by": by, "case": case, "moments": int(here.sum())}
        row["ended_anyway"] = float(anyway[here].mean())
        for name, values in columns.items():
            row |= in_columns(name, points.mean_of(values, here))
        rows.append(row)
    return pd.DataFrame(rows)


def seats_effect(points: DecisionPoints) -> pd.DataFrame:
    """Return what ending a round brings each seat, counted from the ender (0), the left neighbour (1) and so on."""
    estimate: Estimate = by_deal(points.frame["deal"].to_numpy(), differences(points))
    return pd.DataFrame(
        [
            {"seat_from_ender": seat}
            | in_columns("money", estimate, (seat, 0))
            | in_columns("win_share", estimate, (seat, 1))
            for seat in range(points.n_seats)
        ]
    )
