"""Advice for a decision at the table: what each answer brings, how far to go, and why."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from modernart.analysis.table.belief import (
    FIELDS,
    FULL,
    POWER,
    Belief,
    Effort,
    draw_belief,
    mean_and_error,
    rival_specs,
)
from modernart.analysis.table.positions import Position
from modernart.analysis.table.reasons import why
from modernart.analysis.table.walk_away import walk_away_price
from modernart.analysis.table.ways import Played, Way, play_ways, scene_of, ways_of
from modernart.simulator.decisions import ABOUT_A_LOT, AMOUNTS, ASCENDING, Phase

#: Playouts of a decision by default, over all its answers: an answer within 5 seconds on two cores.
ROLLOUTS = 8000
#: Fewest scenes that are played on, however many answers there are.
FEWEST_SCENES = 64
#: Playouts that a lot takes in each scene, about: one for each buyer that some amount leads to.
_PER_LOT = 2.5
#: Half the width of an interval, in standard errors: 95 %.
Z = 1.96
#: Relative money that a win in the last round is weighed against, to part equal win chances.
_TIE = 1e-4


@dataclass(frozen=True)
class Option:
    """What one answer brings; errors are standard errors.

    Parameters
    ----------
    way : Way
    money, relative, win : float
        Final money; money less the mean of the others', when the round is over and with what the hands should still
        bring; win chance (ties shared).
    money_error, relative_error, win_error : float
    n : int
        Playouts.
    income : float
        What the seat takes in for the lot, less what it pays.
    ends : float
        How often the answer ends the round.
    sold : float
        How often another seat buys; NaN if the answer is not about a lot.
    """

    way: Way
    money: float
    money_error: float
    relative: float
    relative_error: float
    win: float
    win_error: float
    n: int
    income: float
    ends: float
    sold: float

    def to_record(self) -> dict[str, Any]:
        """Return the option as `--json` shows it."""
        chances = interval(self.win, self.win_error)
        return {
            "answer": self.way.answer,
            "money": self.money,
            "money_ci": interval(self.money, self.money_error),
            "relative": self.relative,
            "relative_ci": interval(self.relative, self.relative_error),
            "win": self.win,
            "win_ci": [max(chances[0], 0.0), min(chances[1], 1.0)],
            "n": self.n,
        }


@dataclass(frozen=True, eq=False)
class Advice:
    """Advice for a decision.

    Parameters
    ----------
    position : Position
    scene : recarray of GAME_DTYPE, shape (1,)
        A scene; its table is what everybody sees.
    options : tuple of Option
    best : int
        Place of the best option.
    walk_away : int or None
        The highest price at which the lot is worth having; None where no lot is bid for.
    walk_away_error : float
        Its standard error; NaN in the last round, where win chances are compared.
    rivals : str
        As asked for.
    specs : tuple of str
        Strategies that the rivals play by.
    why : str
        One sentence.
    values : ndarray of float64, shape (n, n_options)
        By scene, what options are judged by: relative money, in the last round the win chance.
    played : Played
    depends : dict
        With `mixed`: the best answer and the walk-away price by kind of rivals.
    """

    position: Position
    scene: np.recarray
    options: tuple[Option, ...]
    best: int
    walk_away: int | None
    walk_away_error: float
    rivals: str
    specs: tuple[str, ...]
    why: str
    values: np.ndarray
    played: Played
    depends: dict[str, dict[str, Any]]

    @property
    def best_option(self) -> Option:
        """The best option."""
        return self.options[self.best]

    def as_good(self) -> list[Option]:
        """Return the other options that the playouts cannot tell from the best: within two standard errors of it.

        All options are played on in the same scenes, so they are compared scene by scene; their own intervals say less.
        """
        behind, error = mean_and_error(self.values[:, [self.best]] - self.values, self.played.units)
        return [
            option
            for place, option in enumerate(self.options)
            if place != self.best and behind[place] <= Z * error[place]
        ]

    def to_record(self) -> dict[str, Any]:
        """Return the advice as `--json` shows it."""
        return {
            "seat": self.position.seat,
            "decision": self.position.phase.name.lower(),
            "options": [option.to_record() for option in self.options],
            "best": self.best_option.way.answer,
            "walk_away": self.walk_away,
            "rivals": {"kind": self.rivals, "strategies": list(self.specs), "depends": self.depends},
            "why": self.why,
        }


def interval(mean: float, error: float) -> list[float]:
    """Return a 95 % interval."""
    return [mean - Z * error, mean + Z * error]


def advise(
    position: Position,
    rivals: str = "strong",
    *,
    rollouts: int = ROLLOUTS,
    seed: int = 1,
    power: float = POWER,
    effort: Effort = FULL,
    threads: int | None = None,
) -> Advice:
    """Return what each answer to a decision brings, and which is best.

    Hidden cards are drawn by how well they explain what was played and bid (`modernart.analysis.table.scenes`). Each is
    played on to the end of the game with each answer, the same cards and random numbers for all answers.

    Parameters
    ----------
    position : Position
    rivals : str
        `strong`, `weak`, strategies with commas between them, or `mixed`: both kinds at one table, and how far the
        advice depends on which it is.
    rollouts : int
        Games played to their end, about, over all answers.
    seed : int
    power : float
        How far plays and bids count for what the rivals hold; 0 ignores them.
    effort : Effort
        How many deals of the hidden cards are looked for.
    threads : int, optional

    Raises
    ------
    UsageError
        If no hidden cards agree with the position, or the seat's own hand is needed and not known.
    """

    def against(kind: str, specs: tuple[str, ...], share: int) -> Advice:
        belief = draw_belief(position, specs, seed=seed, power=power, effort=effort, threads=threads)
        return judge_ways(belief, None, specs, kind, rollouts // share, threads)

    if rivals != "mixed":
        return against(rivals, rival_specs(rivals), 1)
    each = {kind: against(kind, rival_specs(kind), 3) for kind in FIELDS}
    both = against(rivals, tuple(spec for one in each.values() for spec in one.specs), 3)
    depends = {kind: {"best": one.best_option.way.answer, "walk_away": one.walk_away} for kind, one in each.items()}
    return replace(both, depends=depends, why=f"{both.why} {_says_how_far(depends)}")


def _says_how_far(depends: dict[str, dict[str, Any]]) -> str:
    """Return a sentence on how far the advice depends on the rivals."""
    bests = {str(one["best"]) for one in depends.values()}
    if len(bests) == 1:
        return f"Strong and weak rivals call for the same answer, {bests.pop()}."
    return (
        "It depends on the rivals: "
        + ", ".join(f"{one['best']} against {kind} ones" for kind, one in depends.items())
        + "."
    )


def judge_ways(
    belief: Belief,
    ways: Sequence[Way] | None,
    specs: tuple[str, ...],
    rivals: str,
    rollouts: int,
    threads: int | None,
) -> Advice:
    """Return advice from a belief; `ways` are the answers to try, by default all that are worth it."""
    position = belief.position
    scene = scene_of(belief)
    ways = ways_of(position, scene) if ways is None else ways
    is_lot = position.phase in ABOUT_A_LOT
    n = max(int(rollouts / (_PER_LOT if is_lot else len(ways))), FEWEST_SCENES)
    played = play_ways(belief, ways, n, threads)
    relative, _ = relative_and_wins(played.standing, position.seat)
    _, wins = relative_and_wins(played.money, position.seat)
    values = wins + _TIE * relative if is_last_round(position, scene[0]) else relative
    options = _options(position, ways, played, relative, wins)
    walk_away, error = walk_away_price(position, scene[0], ways, played, is_last_round(position, scene[0]))
    best = _best(position, scene[0], ways, values, walk_away)
    sentence = why(position, scene[0], options, best, walk_away, played)
    return Advice(
        position, scene, tuple(options), best, walk_away, error, rivals, specs, sentence, values, played, depends={}
    )


def relative_and_wins(money: np.ndarray, seat: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a seat's money less the mean of the others', and its share of the win; seats are the last axis."""
    n_seats = money.shape[-1]
    own = money[..., seat]
    relative = (own * n_seats - money.sum(axis=-1)) / (n_seats - 1)
    top = money.max(axis=-1)
    wins = np.where(own == top, 1.0 / (money == top[..., None]).sum(axis=-1), 0.0)
    return relative, wins


def is_last_round(position: Position, game) -> bool:
    """Return whether the game ends with this round."""
    return int(game.table.round_index) == position.rules.rounds - 1


def _options(
    position: Position, ways: Sequence[Way], played: Played, relative: np.ndarray, wins: np.ndarray
) -> list[Option]:
    n = len(relative)
    own = played.money[:, :, position.seat]
    money, lead, chance = (mean_and_error(x, played.units) for x in (own, relative, wins))
    others = (played.buyers >= 0) & (played.buyers != position.seat)
    is_lot = position.phase in ABOUT_A_LOT
    return [
        Option(
            way,
            float(money[0][k]),
            float(money[1][k]),
            float(lead[0][k]),
            float(lead[1][k]),
            float(chance[0][k]),
            float(chance[1][k]),
            n,
            float(played.income[:, k].mean()) if not is_lot else math.nan,
            float(played.ends[:, k].mean()),
            float(others[:, k].mean()) if is_lot else math.nan,
        )
        for k, way in enumerate(ways)
    ]


def _best(position: Position, game, ways: Sequence[Way], values: np.ndarray, walk_away: int | None) -> int:
    """Return the place of the best way.

    Where the price is what others would pay, nothing beats going as far as the walk-away price. Other amounts are
    judged with their neighbours, since the values of neighbouring amounts differ by less than their error.
    """
    mean = values.mean(axis=0)
    amounts = np.array([way.first for way in ways], float)
    is_ascending = position.phase in ASCENDING
    if is_ascending and walk_away is not None and position.seat != int(game.table.auctioneer):
        return int(np.argmin(np.abs(amounts - walk_away)))
    if position.phase in AMOUNTS and position.phase != Phase.TENDER:
        mean = smoothed(amounts, mean)
    return int(np.argmax(mean))


def smoothed(amounts: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Return values of amounts as means over neighbours; 0 has none, as it means to stay out."""
    result = mean.copy()
    bids = amounts > 0
    width = np.maximum(1.0, 0.04 * amounts[bids])
    weights = np.exp(-0.5 * ((amounts[bids][:, None] - amounts[bids][None, :]) / width[:, None]) ** 2)
    result[bids] = (weights @ mean[bids]) / weights.sum(axis=1)
    return result
