"""Lists of run folders: what each holds, and which ones a later run of the same command has replaced."""

import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from modernart.analysis.runs.run_json import RUN_FILE, read_run_file
from modernart.simulator.errors import RunError, UsageError
from modernart.simulator.files import is_draft

#: Names that `Plan.folder_name` gives; a folder named by the user is never deleted.
_GIVEN_NAME = re.compile(r".+-\d+p-[0-9a-f]{8}")
#: All that the program puts into a run folder.
_OWN = {RUN_FILE, "tallies.npz", "records.jsonl", "report.html", "summary.json", "tables", "figures"}


@dataclass(frozen=True)
class ListedRun:
    """A run folder.

    Parameters
    ----------
    folder : Path
    command, date : str
    games, games_played : int
        Wanted, and played so far.
    size : int
        Bytes of all its files.
    is_replaced : bool
        Whether a later run of the same command, with another version of the program or of a bot, lies beside it.
    fault : str
        Why it cannot be read; empty for most.
    """

    folder: Path
    command: str
    date: str
    games: int
    games_played: int
    size: int
    is_replaced: bool
    fault: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "folder": str(self.folder),
            "command": self.command,
            "date": self.date,
            "games": self.games,
            "games_played": self.games_played,
            "complete": self.games_played >= self.games > 0,
            "bytes": self.size,
            "replaced": self.is_replaced,
            "fault": self.fault,
        }


def list_runs(root: Path) -> list[ListedRun]:
    """Return the run folders at and below a folder, the latest first.

    Raises
    ------
    UsageError
        If there is no such folder.
    """
    if not root.is_dir():
        raise UsageError(f"there is no folder {root}; runs go to results/ unless --output says otherwise")
    found = sorted((_read(path.parent) for path in root.rglob(RUN_FILE)), key=lambda run: run.date, reverse=True)
    return list(_mark_replaced(found))


def _read(folder: Path) -> ListedRun:
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    try:
        data = read_run_file(folder)
    except UsageError as error:
        return ListedRun(folder, "", "", 0, 0, size, False, str(error))
    date = str(data.get("date", ""))
    return ListedRun(folder, data["command"], date, data["games"], data["games_played"], size, False)


def _mark_replaced(latest_first: Sequence[ListedRun]) -> Iterator[ListedRun]:
    seen: set[tuple[Path, str]] = set()
    for run in latest_first:
        key = (run.folder.parent, run.command)
        is_replaced = not run.fault and key in seen and _GIVEN_NAME.fullmatch(run.folder.name) is not None
        seen.add(key)
        yield ListedRun(**(vars(run) | {"is_replaced": is_replaced}))


def replaced_runs(folder: Path) -> list[ListedRun]:
    """Return the runs beside a run folder that later runs of the same command have replaced."""
    return [run for run in list_runs(folder.parent) if run.is_replaced and run.folder.parent == folder.parent]


def prune(runs: Sequence[ListedRun]) -> list[ListedRun]:
    """Delete the folders of replaced runs, and return those deleted; a folder that holds other files too is kept.

    Raises
    ------
    RunError
        If a folder cannot be deleted.
    """
    deleted = []
    for run in runs:
        if run.is_replaced and all(path.name in _OWN or is_draft(path) for path in run.folder.iterdir()):
            try:
                shutil.rmtree(run.folder)
            except OSError as error:
                raise RunError(f"cannot delete {run.folder}: {error.strerror}") from None
            deleted.append(run)
    return deleted
