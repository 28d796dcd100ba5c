"""What a tuning study is asked for, and the folder in which it goes on."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np

from modernart.analysis.plain import write_json
from modernart.analysis.provenance import code_digest, provenance
from modernart.simulator.errors import UsageError
from modernart.simulator.files import is_draft, parse_json, read_text, remove_drafts
from modernart.simulator.rules import Rules
from modernart.strategies.base import Strategy
from modernart.strategies.specs import load_strategy
from modernart.strategies.tuning.search import Generation, Objective, Search

SUMMARY_FILE = "summary.json"
_STUDY_FILE = "study.json"
_GENERATIONS_FILE = "generations.json"


@dataclass(frozen=True)
class StudyPlan:
    """All that decides a study's numbers.

    Parameters
    ----------
    strategy : Strategy
        The untuned strategy.
    against : sequence of str or Strategy
        The field it is tuned against.
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
    against: Sequence[str | Strategy]
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
        objective = cast(Objective, self.objective)  # `Search` refuses any other
        return Search(self.strategy, self.names, objective, self.budget, self.rules.players, self.seed)

    @property
    def specs_against(self) -> list[str]:
        """The field as text."""
        return [one if isinstance(one, str) else one.spec for one in self.against]

    @property
    def n_search_games(self) -> int:
        """Games of the search."""
        return self.search.n_generations * self.search.games_a_generation

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that must match for a study to be resumed."""
        rivals = [load_strategy(spec) for spec in (*self.against, *self.held_out)]
        return {
            "strategy": self.strategy.spec,
            "start": self.strategy.vector,
            "against": self.specs_against,
            "held_out": list(self.held_out),
            "rivals": [rival.vector for rival in rivals],
            "parameters": list(self.names),
            "objective": self.objective,
            "budget": self.budget,
            "seed": self.seed,
            "rules": self.rules.to_record(),
            "code": code_digest([strategy.player() for strategy in (self.strategy, *rivals)], self.rules),
        }

    @property
    def n_held_out(self) -> int:
        """Deals of each comparison on held-out deals."""
        return max(100, min(2_000, self.budget // (self.rules.players * 20)))

    @property
    def n_deviation(self) -> int:
        """Deals of each deviation: together at most about half of the budget."""
        return max(50, min(2_000, self.budget // (4 * len(self.names) * self.rules.players)))


def study_folder(name: str | None, default: str, plan: StudyPlan) -> Path:
    """Return a study's folder: as named, or the first of `default`, `default-2`, ... that holds no other study."""
    if name is not None:
        return Path(name) if "/" in name else Path("results") / name
    number = 1
    while True:
        folder = Path("results") / (default if number == 1 else f"{default}-{number}")
        if not folder.exists() or difference_from(folder, plan) is None:
            return folder
        number += 1


def open_study(folder: Path, plan: StudyPlan) -> list[Generation]:
    """Begin a study in a folder, or return the generations that the folder holds of it.

    Raises
    ------
    UsageError
        If the folder holds something else.
    """
    difference = difference_from(folder, plan) if folder.exists() else None
    if difference is not None:
        raise UsageError(f"{folder} holds {difference}; choose another --study or delete the folder")
    if folder.exists():
        remove_drafts(folder)
    if not (folder / _STUDY_FILE).exists():
        study = {"command": plan.command, **provenance(), "identity": plan.identity}
        write_json(folder / _STUDY_FILE, study)
    return _read_generations(folder)


def write_generations(folder: Path, generations: Sequence[Generation]) -> None:
    """Save the search so far."""
    write_json(folder / _GENERATIONS_FILE, [_generation_to_json(g) for g in generations])


def difference_from(folder: Path, plan: StudyPlan) -> str | None:
    """Say in what way a folder's study is another than the plan's; None if it is the same."""
    path = folder / _STUDY_FILE
    if not path.is_file():
        # A process killed while it wrote its first file leaves a draft.
        return None if all(is_draft(file) for file in folder.iterdir()) else "other files than a study"
    try:
        there = dict(parse_json(read_text(path))["identity"])
    except (ValueError, KeyError, TypeError, UsageError):
        return "a damaged study.json"
    mine = json.loads(json.dumps(plan.identity))
    changed = [key for key in mine if there.get(key) != mine[key]]
    if not changed:
        return None
    if changed == ["code"]:
        return "a study made by another version of the program or of a strategy"
    return f"another study (other {', '.join(key for key in changed if key != 'code')})"


def _read_generations(folder: Path) -> list[Generation]:
    path = folder / _GENERATIONS_FILE
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
