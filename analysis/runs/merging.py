"""Blocks of one run played in several places, put together: the outcome is that of the whole run to the last bit."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from modernart.analysis.plain import write_json
from modernart.analysis.provenance import cost, provenance
from modernart.analysis.runs.run_folder import TALLIES_FILE, load_run
from modernart.analysis.runs.run_json import RUN_FILE
from modernart.analysis.runs.tallies_file import write_tallies
from modernart.simulator.errors import UsageError
from modernart.simulator.files import check_output
from modernart.simulator.simulate import Run


def merge_runs(folders: Sequence[Path], output: Path) -> Run:
    """Merge run folders of neighbouring blocks into a new one.

    Parameters
    ----------
    folders : sequence of Path
        At least two, in any order; those that are not finished count with what they have.
    output : Path
        New run folder. If the blocks are all of the run, a tournament with its arguments finds it complete.

    Raises
    ------
    UsageError
        If the runs differ in more than their blocks, if blocks come twice or are missing between them, or if there is
        something at `output`.
    """
    if len(folders) < 2:
        raise UsageError("name at least two run folders to merge")
    check_output(output, is_folder=True)
    if output.exists() and any(output.iterdir()):
        raise UsageError(f"{output} is not empty; choose another --output")
    loaded = sorted(((folder, *load_run(folder)) for folder in folders), key=lambda item: item[1].first_block)
    (first_folder, merged, told), *others = loaded
    for folder, run, data in others:
        _check_same(first_folder, told, folder, data)
        _check_neighbours(merged, folder, run)
        if len(run.tallies.declared) < len(merged.tallies.declared):
            raise UsageError(f"{folder} was counted by an older version of the program; play it anew")
        merged.tallies += run.tallies
        merged.n_blocks += run.n_blocks
        merged.n_decisions += run.n_decisions
        merged.seconds += run.seconds
        merged.cpu_seconds += run.cpu_seconds
    write_tallies(output / TALLIES_FILE, merged)
    threads = max(data.get("threads", 1) for _, _, data in loaded)
    write_json(output / RUN_FILE, _run_file(told, merged, threads))
    return merged


def _blocks_of_all(data: dict[str, Any]) -> int:
    """Return the blocks of the whole run that a folder's blocks belong to."""
    return data["part"]["of"] if data.get("part") else data["games"] // data["players"]


def _check_same(first_folder: Path, first: dict[str, Any], folder: Path, data: dict[str, Any]) -> None:
    """Refuse two runs that differ in more than their blocks."""
    for key in first["identity"]:
        if data["identity"].get(key) != first["identity"][key]:
            what = "another version of the program or of a strategy" if key == "code" else f"other {key}"
            raise UsageError(f"{folder} is another run than {first_folder} ({what}); merge blocks of one run")
    if _blocks_of_all(data) != _blocks_of_all(first):
        raise UsageError(f"{folder} is part of a run of another number of games than {first_folder}; give one --games")


def _check_neighbours(merged: Run, folder: Path, run: Run) -> None:
    """Refuse blocks that do not begin where those before them end."""
    if run.first_block < merged.next_block:
        raise UsageError(f"{folder} plays block {run.first_block} again; merge runs of different blocks")
    if run.first_block > merged.next_block:
        raise UsageError(
            f"blocks {merged.next_block}:{run.first_block} are missing before {folder}; play them with --blocks"
        )


def _run_file(told: dict[str, Any], merged: Run, threads: int) -> dict[str, Any]:
    """Return the `run.json` of a merged run, from that of its first part."""
    n_all = _blocks_of_all(told)
    is_all = merged.first_block == 0 and merged.n_blocks == n_all
    part = None if is_all else {"first": merged.first_block, "last": merged.next_block, "of": n_all}
    blocks = "" if is_all else f" --blocks {merged.first_block}:{merged.next_block}"
    return told | {
        "command": re.sub(r" --blocks \d+:\d+", blocks, told["command"]),
        "games": merged.n_games,
        "games_played": merged.n_games,
        "complete": True,
        "blocks": merged.n_blocks,
        "part": part,
        "decisions": merged.n_decisions,
        **cost(merged.seconds, merged.cpu_seconds, threads),
        **provenance(),
    }
