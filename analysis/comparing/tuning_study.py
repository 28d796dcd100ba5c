"""A tuning study in a folder: the search, then held-out deals and opponents, deviations, and a test against before.

Files: `study.json` (what was asked for), `generations.json` (the search so far, enough to go on with it), `path.csv`,
`held_out.csv`, `deviations.csv`, `tuned.toml` (the result, usable as `strategy@FILE`), `summary.json` and figures.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from modernart.analysis.comparing.duel import duel
from modernart.analysis.runs.run_folder import code_digest, versions, write_json
from modernart.analysis.statistics.sequential import fixed_interval, student_interval
from modernart.simulator.errors import UsageError
from modernart.simulator.files import whole_file
from modernart.simulator.rules import Rules
from modernart.strategies.base import Strategy
from modernart.strategies.specs import load_strategy
from modernart.strategies.tuning.focal_seat import Chair
from modernart.strategies.tuning.search import Generation, Progress, Search, search
from modernart.strategies.tuning.tuned_file import write_tuned_file

# First deals of the stages: far apart, so that no stage sees the deals of another.
_HELD_OUT = 1 << 32
_DEVIATIONS = 2 << 32
_GATE = 3 << 32
#: Size of a deviation, as a share of the parameter's range.
STEP = 0.05


@dataclass(frozen=True)
class StudyPlan:
    """All that decides a study's numbers.

    Parameters
    ----------
    strategy : Strategy
        The untuned strategy.
    against : sequence of str
        Specs of the field it is tuned against.
    held_out : sequence of str
        Specs of opponents that the search never meets.
    names : sequence of str
        Parameters to tune.
    objective : str
    budget : int
        Games of the search.
    rules : Rules
    seed : int
    command : str
        Command line that makes the study.
    """

    strategy: Strategy
    against: Sequence[str]
    held_out: Sequence[str]
    names: Sequence[str]
    objective: str
    budget: int
    rules: Rules
    seed: int
    command: str

    @cached_property
    def search(self) -> Search:
        """The search of the study."""
        return Search(self.strategy, self.names, self.objective, self.budget, self.rules.players, self.seed)

    @property
    def identity(self) -> dict[str, Any]:
        """What two studies must share for one to go on with the other."""
        rivals = [load_strategy(spec) for spec in (*self.against, *self.held_out)]
        return {
            "strategy": self.strategy.spec,
            "start": self.strategy.vector,
            "against": list(self.against),
            "held_out": list(self.held_out),
            "rivals": [rival.vector for rival in rivals],
            "parameters": list(self.names),
            "objective": self.objective,
            "budget": self.budget,
            "seed": self.seed,
            "rules": self.rules.to_record(),
            "code": code_digest([strategy.player() for strategy in (self.strategy, *rivals)]),
        }

    @property
    def n_held_out(self) -> int:
        """Deals of each comparison on held-out deals."""
        return max(100, min(2_000, self.budget // (self.rules.players * 20)))

    @property
    def n_deviation(self) -> int:
        """Deals of each deviation: together at most about half of the budget."""
        return max(50, min(2_000, self.budget // (4 * len(self.names) * self.rules.players)))


@dataclass(frozen=True)
class StudyResult:
    """What a study came to.

    Parameters
    ----------
    tuned : Strategy
    summary : dict
        As in `summary.json`; its `result` has the keys of the command's JSON.
    folder : Path
    """

    tuned: Strategy
    summary: dict[str, Any]
    folder: Path

    @property
    def result(self) -> dict[str, Any]:
        """Return `parameters`, `win_share_before`, `win_share_after`, `optimism`, `verdict`, `games`."""
        return self.summary["result"]


def study_folder(name: str | None, default: str, plan: StudyPlan) -> Path:
    """Return a study's folder: as named, or the first of `default`, `default-2`, ... that holds no other study."""
    if name is not None:
        return Path(name) if "/" in name else Path("results") / name
    number = 1
    while True:
        folder = Path("results") / (default if number == 1 else f"{default}-{number}")
        if not folder.exists() or _difference(folder, plan) is None:
            return folder
        number += 1


def run_study(
    plan: StudyPlan,
    folder: Path,
    *,
    threads: int | None = None,
    on_progress: Callable[[str, Progress | None], None] | None = None,
) -> StudyResult:
    """Run a study, or go on with what its folder holds; the result is the same to the last bit.

    Parameters
    ----------
    plan : StudyPlan
    folder : Path
    threads : int, optional
    on_progress : callable, optional
        Called with the name of the stage, and in the search with where it stands.

    Returns
    -------
    StudyResult

    Raises
    ------
    UsageError
        If the folder holds another study.
    """
    difference = _difference(folder, plan) if folder.exists() else None
    if difference is not None:
        raise UsageError(f"{folder} holds {difference}; choose another --study or delete the folder")
    chair = Chair([load_strategy(spec).player() for spec in plan.against], plan.rules, plan.seed, threads)
    summary_file = folder / "summary.json"
    if summary_file.exists():
        summary = json.loads(summary_file.read_text(encoding="utf-8"))
        return StudyResult(plan.strategy.with_values(summary["result"]["parameters"]), summary, folder)
    study = {"command": plan.command, "versions": versions(), "identity": plan.identity}
    write_json(folder / "study.json", study)
    tell = on_progress or (lambda stage, progress: None)

    def after_generation(progress: Progress) -> None:
        write_json(folder / "generations.json", [_generation_to_json(g) for g in progress.generations])
        tell("search", progress)

    history = _read_generations(folder)
    progress = search(plan.search, chair, history=history, on_generation=after_generation)
    tuned = plan.search.at(progress.means[-1])
    path = path_table(plan.search, progress)
    tell("held-out deals and opponents", None)
    held_out, before, after, training, games = _held_out(plan, chair, tuned)
    tell("deviations of one step", None)
    deviations = _deviations(plan, chair, tuned)
    games += (len(deviations) + 1) * plan.n_deviation * plan.rules.players
    tell("test against the untuned", None)
    gate = duel(
        tuned.player("tuned"),
        plan.strategy.player("untuned"),
        chair.rivals,
        plan.rules,
        seed=plan.seed,
        threads=threads,
        most_games=max(4_000, min(400_000, plan.budget)),
        first_block=_GATE,
    )
    games += 2 * gate.games + len(progress.generations) * plan.search.games_a_generation
    result = {
        "parameters": plan.search.values(progress.means[-1]),
        "win_share_before": float(before.mean()),
        "win_share_after": float(after.mean()),
        "optimism": float(training.mean() - after.mean()),
        "verdict": gate.verdict,
        "games": games,
    }
    summary = {
        "command": plan.command,
        "result": result,
        "before_ci": fixed_interval(before, 0.0, 1.0),
        "after_ci": fixed_interval(after, 0.0, 1.0),
        "gain_ci": fixed_interval(after - before, -1.0, 1.0),
        "optimism_se": float(np.sqrt(training.var(ddof=1) / len(training) + after.var(ddof=1) / len(after))),
        "win_share_training": float(training.mean()),
        "best_candidate": max(float(g.win_shares.max()) for g in progress.generations),
        "gate": gate.to_json(),
        "held_out_deals": plan.n_held_out,
        "deviation_deals": plan.n_deviation,
        "better_deviations": [
            f"{row.parameter}={row.value:g}" for row in deviations.itertuples() if row.difference_low > 0
        ],
    }
    _write_results(plan, folder, tuned, summary, path, held_out, deviations)
    return StudyResult(tuned, json.loads(summary_file.read_text(encoding="utf-8")), folder)


def path_table(plan: Search, progress: Progress) -> pd.DataFrame:
    """Return the path of a search: one row a generation.

    Returns
    -------
    DataFrame
        `generation` (0: the start), `games`, `score` and `best` (of the generation's candidates, NaN at the start), and
        for each parameter its mean and `NAME_sd`, in its own units.
    """
    low, high = plan.bounds.T
    rows = []
    for number, (mean, sigma) in enumerate(zip(progress.means, progress.sigmas, strict=True)):
        generation = progress.generations[number - 1] if number else None
        row = {
            "generation": number,
            "games": number * plan.games_a_generation,
            "score": generation.scores.mean() if generation else np.nan,
            "best": generation.scores.max() if generation else np.nan,
        }
        row |= plan.values(mean)
        row |= {f"{n}_sd": s for n, s in zip(plan.names, sigma * (high - low), strict=True)}
        rows.append(row)
    return pd.DataFrame(rows)


def _held_out(plan: StudyPlan, chair: Chair, tuned: Strategy):
    """Compare before and after on held-out deals, in the field of the search and among held-out opponents.

    Returns
    -------
    table : DataFrame
    before, after, training : ndarray of float, shape (n_held_out,)
        Win shares by deal; `training` is that of the tuned on the last deals of the search.
    games : int
    """
    n = plan.n_held_out
    players = {"before": plan.strategy.player("untuned"), "after": tuned.player("tuned")}
    rows, of_field, games = [], {}, 0
    for rivals in (list(plan.against), *([spec] for spec in plan.held_out)):
        is_field = rivals == list(plan.against) and not rows
        here = chair if is_field else Chair([load_strategy(rivals[0]).player()], plan.rules, plan.seed, chair.threads)
        scores = {when: here.score(player, _HELD_OUT, n) for when, player in players.items()}
        if is_field:
            of_field = scores
        gain = scores["after"].win_share - scores["before"].win_share
        money = scores["after"].relative_money - scores["before"].relative_money
        low, high = fixed_interval(gain, -1.0, 1.0)
        money_low, money_high = student_interval(money)
        rows.append(
            {
                "rivals": ", ".join(rivals),
                "met_in_search": is_field,
                "win_share_before": scores["before"].win_share.mean(),
                "win_share_after": scores["after"].win_share.mean(),
                "gain": gain.mean(),
                "gain_low": low,
                "gain_high": high,
                "relative_money_gain": money.mean(),
                "relative_money_gain_low": money_low,
                "relative_money_gain_high": money_high,
                "deals": n,
            }
        )
        games += 2 * n * plan.rules.players
    n_searched = plan.search.n_generations * plan.search.n_deals
    n_training = min(n, n_searched)
    training = chair.score(players["after"], n_searched - n_training, n_training).win_share
    games += n_training * plan.rules.players
    return pd.DataFrame(rows), of_field["before"].win_share, of_field["after"].win_share, training, games


def _deviations(plan: StudyPlan, chair: Chair, tuned: Strategy) -> pd.DataFrame:
    """Move each parameter alone one step down and up, on the same held-out deals.

    Returns
    -------
    DataFrame
        `parameter`, `value`, `difference` of the objective from the tuned with simultaneous 95 % limits
        (Bonferroni), and of the win share.
    """
    base = chair.score(tuned.player("tuned"), _DEVIATIONS, plan.n_deviation)
    moves = []
    for name in plan.names:
        param = tuned.params[name]
        step = STEP * (param.high - param.low)
        here = tuned.values[name]
        for value in (max(here - step, param.low), min(here + step, param.high)):
            # Nearer to a bound than half a step there is nothing to see on that side.
            if abs(value - here) >= step / 2:
                moves.append((name, value))
    rows = []
    for name, value in moves:
        moved = chair.score(tuned.with_values({name: value}).player("moved"), _DEVIATIONS, plan.n_deviation)
        difference = moved.objective(plan.objective) - base.objective(plan.objective)
        low, high = student_interval(difference, 1 - 0.05 / len(moves))
        rows.append(
            {
                "parameter": name,
                "value": value,
                "step": value - tuned.values[name],
                "difference": difference.mean(),
                "difference_low": low,
                "difference_high": high,
                "win_share_difference": (moved.win_share - base.win_share).mean(),
            }
        )
    return pd.DataFrame(rows)


def _write_results(
    plan: StudyPlan,
    folder: Path,
    tuned: Strategy,
    summary: dict[str, Any],
    path: pd.DataFrame,
    held_out: pd.DataFrame,
    deviations: pd.DataFrame,
) -> None:
    """Write tables, figures, the spec file, and last of all the summary, which marks the study as done."""
    from modernart.analysis.comparing.tuning_plots import plot_deviations, plot_path, save

    for name, frame in (("path", path), ("held_out", held_out), ("deviations", deviations)):
        with whole_file(folder / f"{name}.csv") as file:
            frame.to_csv(file, index=False)
    save(plot_path(path, plan.search, summary), folder / "path.png")
    save(plot_deviations(deviations, plan.objective, plan.n_deviation), folder / "deviations.png")
    result = summary["result"]
    facts = {
        "edition": plan.rules.edition,
        "players": plan.rules.players,
        "against": ", ".join(plan.against),
        "objective": plan.objective,
        "seed": plan.seed,
        "games": result["games"],
        "win_share_before": result["win_share_before"],
        "win_share_after": result["win_share_after"],
        "optimism": result["optimism"],
        "verdict": result["verdict"],
    }
    values = dict(zip(tuned.params, tuned.vector, strict=True))
    write_tuned_file(folder / "tuned.toml", plan.strategy.name.split("@")[0], values, plan.command, facts)
    write_json(folder / "summary.json", summary)


def _difference(folder: Path, plan: StudyPlan) -> str | None:
    """Say in what way a folder's study is another than the plan's; None if it is the same."""
    path = folder / "study.json"
    if not path.is_file():
        return None if not any(folder.iterdir()) else "other files than a study"
    try:
        there = json.loads(path.read_text(encoding="utf-8"))["identity"]
    except (ValueError, KeyError, TypeError, OSError):
        return "a damaged study.json"
    mine = json.loads(json.dumps(plan.identity))
    changed = [key for key in mine if there.get(key) != mine[key]]
    if not changed:
        return None
    if changed == ["code"]:
        return "a study made by another version of the program or of a strategy"
    return f"another study (other {', '.join(key for key in changed if key != 'code')})"


def _read_generations(folder: Path) -> list[Generation]:
    path = folder / "generations.json"
    if not path.exists():
        return []
    try:
        return [
            Generation(*(np.array(item[key], float) for key in ("candidates", "scores", "win_shares")))
            for item in json.loads(path.read_text(encoding="utf-8"))
        ]
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} is damaged ({error}); delete it to start the study anew") from None


def _generation_to_json(generation: Generation) -> dict[str, Any]:
    return {
        "candidates": generation.candidates.tolist(),
        "scores": generation.scores.tolist(),
        "win_shares": generation.win_shares.tolist(),
    }
