"""A tuning study in a folder: the search, then held-out deals and opponents, deviations, and a test against before.

Files: `study.json` (what was asked for), `generations.json` (the search so far, enough to go on with it), `path.csv`,
`held_out.csv`, `deviations.csv`, `tuned.toml` (the result, usable as `strategy@FILE`), `summary.json` and figures.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from modernart.analysis.comparing.duel import Duel, duel
from modernart.analysis.comparing.tuning_checks import GATE, HeldOut, best_candidate, deviations, held_out
from modernart.analysis.comparing.tuning_plan import SUMMARY_FILE, StudyPlan, open_study, write_generations
from modernart.analysis.notebook import html_of
from modernart.analysis.plain import write_json
from modernart.analysis.statistics.sequential import fixed_interval
from modernart.simulator.errors import UsageError
from modernart.simulator.files import parse_json, read_text, whole_file
from modernart.strategies.base import Strategy
from modernart.strategies.specs import load_strategy
from modernart.strategies.tuning.focal_seat import FocalSeat
from modernart.strategies.tuning.search import Progress, Search, search
from modernart.strategies.tuning.tuned_file import write_tuned_file


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
        """Return `parameters`, `win_share_before`, `win_share_after`, `gain`, `held_out`, `optimism` and so on."""
        return self.summary["result"]

    def _repr_html_(self) -> str:
        """Return the parameters before and after, for notebooks."""
        result = self.result
        title = (
            f"{self.tuned.name}: win share on held-out deals {result['win_share_before']:.1%} before, "
            f"{result['win_share_after']:.1%} after; against the untuned: {result['verdict']}"
        )
        return html_of(title, pd.DataFrame(result["parameters"].items(), columns=["parameter", "tuned"]))


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
    history = open_study(folder, plan)
    if (folder / SUMMARY_FILE).exists():
        return _finished(plan, folder)
    focal_seat = FocalSeat([load_strategy(spec).player() for spec in plan.against], plan.rules, plan.seed, threads)
    tell = on_progress or (lambda stage, progress: None)

    def after_generation(progress: Progress) -> None:
        write_generations(folder, progress.generations)
        tell("search", progress)

    progress = search(plan.search, focal_seat, history=history, on_generation=after_generation)
    tuned = plan.search.at(progress.means[-1])
    tell("held-out deals and opponents", None)
    checked = held_out(plan, focal_seat, tuned)
    best = best_candidate(plan, focal_seat, progress, checked.after)
    tell("deviations of one step", None)
    moves = deviations(plan, focal_seat, tuned)
    tell("test against the untuned", None)
    gate = duel(
        tuned.player("tuned"),
        plan.strategy.player("untuned"),
        focal_seat.rivals,
        plan.rules,
        seed=plan.seed,
        threads=threads,
        most_games=max(4_000, min(400_000, plan.budget)),
        first_block=GATE,
    )
    summary = _summary(plan, progress, checked, best, moves, gate)
    _write_results(plan, folder, tuned, summary, path_table(plan.search, progress), checked.table, moves)
    return _finished(plan, folder)


def _finished(plan: StudyPlan, folder: Path) -> StudyResult:
    """Read the result of a finished study."""
    path = folder / SUMMARY_FILE
    try:
        summary = parse_json(read_text(path))
        return StudyResult(plan.strategy.with_values(summary["result"]["parameters"]), summary, folder)
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} is damaged ({error}); delete it, and the same command makes it anew") from None


def _summary(
    plan: StudyPlan,
    progress: Progress,
    checked: HeldOut,
    best: dict[str, Any],
    moves: pd.DataFrame,
    gate: Duel,
) -> dict[str, Any]:
    """Return the content of `summary.json`."""
    n_scored = plan.n_held_out + (len(moves) + 1) * plan.n_deviation
    result = {
        "parameters": plan.search.values(progress.means[-1]),
        "win_share_before": float(checked.before.mean()),
        "win_share_after": float(checked.after.mean()),
        "optimism": best["bias"],
        "verdict": gate.verdict,
        "games": checked.games + n_scored * plan.rules.players + 2 * gate.games + plan.n_search_games,
        "gain": float((checked.after - checked.before).mean()),
        "gain_ci": list(checked.gain_ci),
        "held_out": checked.rows(),
    }
    return {
        "command": plan.command,
        "result": result,
        "before_ci": fixed_interval(checked.before, 0.0, 1.0),
        "after_ci": fixed_interval(checked.after, 0.0, 1.0),
        "gain_ci": checked.gain_ci,
        "best_candidate": best,
        "gate": gate.to_json(),
        "held_out_deals": plan.n_held_out,
        "deviation_deals": plan.n_deviation,
        "better_deviations": [f"{row.parameter}={row.value:g}" for row in moves.itertuples() if row.difference_low > 0],
    }


def teller(plan: StudyPlan, advance: Callable[..., None]) -> Callable[[str, Progress | None], None]:
    """Return what shows the stages of a study on a progress display."""

    def tell(stage: str, progress: Progress | None) -> None:
        if progress is None:
            advance(None, stage, is_stage=True)
            return
        score = float(progress.generations[-1].scores.mean())
        words = f"{plan.objective} {score:+.3g}, best so far {progress.best_score:+.3g}"
        advance(len(progress.generations) * plan.search.games_a_generation, words)

    return tell


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
        "against": ", ".join(plan.specs_against),
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
