"""Run folders on the command line: as a path, or `latest` for the newest run under results/."""

from pathlib import Path
from typing import Any

import typer

#: Stands for the newest run, in every command that takes one.
LATEST = "latest"
RUN_HELP = f"A run folder, as `modernart tournament` makes it, or `{LATEST}` for the newest under results/."


def run_folder_of(value: Any) -> Path:
    """Return the run folder that a word of the command line means.

    Raises
    ------
    typer.BadParameter
        If `latest` is asked for and there is no run.
    """
    if str(value) != LATEST:
        return Path(value)
    from modernart.analysis.runs.listing import list_runs
    from modernart.analysis.runs.tournament import RESULTS

    runs = list_runs(RESULTS) if RESULTS.is_dir() else []
    newest = next((run.folder for run in runs if not run.fault), None)
    if newest is None:
        raise typer.BadParameter(f"there is no run under {RESULTS}/ yet; make one with `modernart tournament`")
    return newest
