"""What a reader must know first: findings, warnings, and `summary.json` for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modernart.analysis.measures import all_measures
from modernart.analysis.measures.measure import CAUSAL, OBSERVED, QUESTIONS, Finding, Tables
from modernart.simulator.files import whole_file
from modernart.simulator.simulate import Run

if TYPE_CHECKING:
    import pandas as pd

SUMMARY_FILE = "summary.json"
SUMMARY_FORMAT = "modern-art-summary"
#: Rises when a key of `summary.json` changes its meaning.
SUMMARY_VERSION = 1

#: With fewer blocks intervals rest on few deals, and batches stay empty.
FEW_BLOCKS = 320


def find(tables: Tables) -> list[Finding]:
    """Return what a reader would want to know, in sentences with numbers, by question; effects before observations."""
    found = [finding for measure in tables.measures if measure.find for finding in measure.find(tables)]

    def place(finding: Finding) -> tuple[int, int]:
        rests_on = 0 if finding.evidence == CAUSAL else 2 if finding.evidence == OBSERVED else 1
        return QUESTIONS.index(finding.question), rests_on

    return sorted(found, key=place)


def write_summary(folder: Path, run: Run, data: dict[str, Any], tables: Tables, findings: Sequence[Finding]) -> Path:
    """Write `summary.json` into a run folder, and return its path."""
    path = folder / SUMMARY_FILE
    with whole_file(path) as file:
        json.dump(summarise(run, data, tables, findings), file, indent=1, ensure_ascii=False, allow_nan=False)
        file.write("\n")
    return path


def summarise(run: Run, data: dict[str, Any], tables: Tables, findings: Sequence[Finding]) -> dict[str, Any]:
    """Return the content of `summary.json`: plain data, None where a number is not known."""
    in_summary = [table.name for measure in tables.measures for table in measure.tables if table.in_summary]
    keys = ("command", "edition", "players", "games", "complete", "seconds", "cpu_seconds", "versions")
    return {
        "format": SUMMARY_FORMAT,
        "version": SUMMARY_VERSION,
        "run": {key: data[key] for key in keys}
        | {"seed": run.seed, "games_played": run.n_games, "blocks": run.n_blocks},
        "warnings": warnings_of(run, data),
        "findings": [asdict(finding) for finding in findings],
        **{name: plain_rows(tables[name]) for name in in_summary if name in tables},
        "tables": sorted(tables),
    }


def plain_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a table as plain data."""
    return [{key: plain(value) for key, value in row.items()} for row in frame.to_dict("records")]


def plain(value: Any) -> Any:
    """Return a cell of a table as JSON takes it: None where a number is not known."""
    if isinstance(value, str):
        return value
    number = float(value)
    return None if not math.isfinite(number) else int(number) if number.is_integer() else number


def warnings_of(run: Run, data: dict[str, Any]) -> list[str]:
    """Return what a reader must know before trusting the numbers."""
    warnings = []
    if not data["complete"]:
        warnings.append(
            f"The run is unfinished: {run.n_games:,} of {data['games']:,} games. `{data['command']}` goes on."
        )
    if run.n_blocks < FEW_BLOCKS:
        warnings.append(
            f"Only {run.n_blocks} deals were played: intervals are wide, and those of rare cases not to be trusted. "
            f"Play at least {FEW_BLOCKS * run.rules.players:,} games."
        )
    missing = [m.name for m in all_measures() if m.applies(run.rules) and not m.is_counted(run)]
    if missing:
        warnings.append(
            f"This run was played by an older version that did not count {', '.join(missing)} as this one does. "
            f"To have all tables, delete the folder and play anew: `{data['command']}`"
        )
    warnings += data.get("notes", [])
    return warnings
