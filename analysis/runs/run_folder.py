"""Run folders: what was asked for, what was counted so far, and going on after an interruption."""

import contextlib
import hashlib
import json
import re
import shlex
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from modernart.analysis.measures import tallies_for
from modernart.analysis.plain import write_json
from modernart.analysis.provenance import code_digest, cost, provenance
from modernart.simulator.errors import ModernArtError, RunError, UsageError
from modernart.simulator.files import whole_file
from modernart.simulator.players import Player
from modernart.simulator.rules import Rules, load_edition
from modernart.simulator.simulate import MAX_SEED, Run, n_blocks_for, new_run, simulate
from modernart.simulator.tallies import N_BATCHES, Layout, Sizes

FORMAT = "modern-art-run"
#: Rises when a file of a run folder changes its meaning.
VERSION = 1
RUN_FILE = "run.json"
TALLIES_FILE = "tallies.npz"
RECORDS_FILE = "records.jsonl"
REPORT_FILE = "report.html"
TABLES_FOLDER = "tables"

#: Seconds of playing between two checkpoints.
CHECKPOINT_SECONDS = 10.0


class Interrupted(RunError):
    """The run was told to stop; what was played is kept. Exit code 128 and the signal's number, as shells have it."""

    def __init__(self, message: str, signal_number: int) -> None:
        super().__init__(message)
        self.exit_code = 128 + signal_number


@dataclass(frozen=True)
class Plan:
    """All that decides a run's numbers.

    Parameters
    ----------
    players : sequence of Player
    rules : Rules
    games : int
        Games wanted; rounded up to whole blocks.
    seed : int
    edition : str
        The edition as given on the command line, a name or a file.
    label : str
        The edition as tables name it, with changed rules.
    overrides : sequence of str
        Changed rules, KEY=VALUE.
    notes : sequence of str
        What a reader of results must know, as that the deck is a placeholder.
    """

    players: Sequence[Player]
    rules: Rules
    games: int
    seed: int
    edition: str
    label: str
    overrides: Sequence[str] = field(default=())
    notes: Sequence[str] = field(default=())

    @property
    def n_blocks(self) -> int:
        """Blocks to play."""
        return n_blocks_for(self.rules, self.games)

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Everything that must match for a run to be resumed, except the number of games."""
        return {
            "seed": self.seed,
            "rules": self.rules.to_record(),
            "strategies": [{"name": p.name, "params": [float(x) for x in p.params]} for p in self.players],
            "code": code_digest(self.players, self.rules),
        }

    @property
    def folder_name(self) -> str:
        """Name of the folder where none is given: the same for the same command."""
        text = json.dumps([self.identity, self.n_blocks], sort_keys=True)
        short_id = hashlib.sha256(text.encode()).hexdigest()[:8]
        return f"{self.rules.edition}-{self.rules.players}p-{short_id}"

    @property
    def command(self) -> str:
        """The command line that makes this run anew."""
        words = ["modernart", "tournament", *(spec_of(p.name) for p in self.players)]
        words += ["--edition", self.edition, "--players", str(self.rules.players)]
        words += ["--games", str(self.games), "--seed", str(self.seed)]
        for override in self.overrides:
            words += ["--rule", override]
        return shlex.join(words)


def spec_of(name: str) -> str:
    """Return the spec behind a player's name, which numbers those that come again."""
    return re.sub(r" #\d+$", "", name)


def plan_run(
    players: Sequence[Player],
    *,
    edition: str = "classic",
    seats: int = 4,
    games: int,
    seed: int = 1,
    overrides: dict[str, str] | None = None,
) -> Plan:
    """Return a checked plan.

    Parameters
    ----------
    players : sequence of Player
    edition : str
        Name of a built-in edition, or a TOML file.
    seats : int
        Players at the table.
    games, seed : int
    overrides : dict of str to str, optional
        Changed rules.

    Raises
    ------
    UsageError
        If the edition, a rule or a number is wrong.
    """
    if games < 1:
        raise UsageError(f"games must be at least 1, got {games}")
    if not 0 <= seed <= MAX_SEED:
        raise UsageError(f"seed must be a whole number from 0 to 2^63 - 1, got {seed}")
    chosen = load_edition(edition, overrides)
    rules = chosen.rules(seats)
    changed = tuple(f"{key}={value}" for key, value in (overrides or {}).items())
    notes = (f"Deck: {chosen.deck_note}",) if chosen.deck_note else ()
    return Plan(tuple(players), rules, games, seed, edition, chosen.label, changed, notes)


def write_tallies(path: Path, run: Run) -> None:
    """Write the tallies and how far the run came into one file, whole or not at all."""
    stored: dict[str, Any] = {
        "n_blocks": np.int64(run.n_blocks),
        "n_decisions": np.int64(run.n_decisions),
        "seconds": np.float64(run.seconds),
        "cpu_seconds": np.float64(run.cpu_seconds),
    }
    stored |= {f"layout_{tally.layout.name}": np.array(tally.layout.digest) for tally in run.tallies.declared}
    stored |= run.tallies.arrays
    with whole_file(path, "wb") as file:
        np.savez_compressed(file, **stored)


def _holds(stored: Mapping[str, np.ndarray], layout: Layout, sizes: Sizes) -> bool:
    """Return whether a file holds a tally as this version counts it; files of older versions do not tell its layout."""
    array = stored.get(layout.name)
    if array is None or array.dtype != np.int64 or array.shape != (N_BATCHES, *layout.shape(sizes)):
        return False
    return str(stored.get(f"layout_{layout.name}", layout.digest)) == layout.digest


def read_tallies(path: Path, rules: Rules, names: Sequence[str], seed: int) -> Run:
    """Read what `write_tallies` wrote; tallies that an older version counted in another way are left out.

    Raises
    ------
    UsageError
        If the file is damaged.
    """
    sizes = Sizes(len(names), rules.rounds, rules.players)
    try:
        with np.load(path) as data:
            stored = {name: data[name] for name in data.files}
            read = [tally for tally in tallies_for(rules) if _holds(stored, tally.layout, sizes)]
            run = new_run(rules, names, seed, read)
            for tally in read:
                run.tallies.arrays[tally.layout.name][...] = stored[tally.layout.name]
            run.n_blocks = int(stored["n_blocks"])
            run.n_decisions = int(stored["n_decisions"])
            run.seconds = float(stored["seconds"])
            run.cpu_seconds = float(stored["cpu_seconds"])
    except Exception as error:
        raise UsageError(f"{path} cannot be read ({error}); delete it to play its games anew") from None
    return run


def read_run_file(folder: Path) -> dict[str, Any]:
    """Return the content of a folder's `run.json`.

    Raises
    ------
    UsageError
        If the folder holds no run, or one that this version does not read.
    """
    path = Path(folder) / RUN_FILE
    if not path.parent.is_dir():
        raise UsageError(f"there is no run folder {folder}; make one with `modernart tournament --output {folder}`")
    if not path.is_file():
        raise UsageError(f"{folder} is no run folder: it has no {RUN_FILE}")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT or data["version"] != VERSION:
            raise ValueError(f"format {data['format']} {data['version']}, not {FORMAT} {VERSION}")
        data["identity"]["rules"], data["games"], data["command"]
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} is not readable: {error}; choose another folder or delete it") from None
    return data


def load_run(folder: Path) -> tuple[Run, dict[str, Any]]:
    """Return a run, finished or not, with the content of its `run.json`.

    Raises
    ------
    UsageError
        If there is no run, or it is damaged.
    """
    data = read_run_file(folder)
    identity = data["identity"]
    names = [strategy["name"] for strategy in identity["strategies"]]
    rules = Rules.from_record(identity["rules"])
    path = Path(folder) / TALLIES_FILE
    if not path.exists():
        raise UsageError(f"{folder} holds no games yet; go on with: {data['command']}")
    return read_tallies(path, rules, names, identity["seed"]), data


def _blank_run(plan: Plan) -> Run:
    """Return a plan's run of no games yet."""
    return new_run(plan.rules, [p.name for p in plan.players], plan.seed, tallies_for(plan.rules))


def open_folder(folder: Path, plan: Plan) -> Run:
    """Return the run to go on with: what the folder holds of this plan, or no games yet. Writes nothing.

    Raises
    ------
    UsageError
        If the folder holds another run or other files.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; give a folder as --output")
    if not (folder / RUN_FILE).exists():
        if folder.is_dir() and any(folder.iterdir()):
            raise UsageError(f"{folder} holds other files than a run; choose another --output")
        return _blank_run(plan)
    there = read_run_file(folder)["identity"]
    for key, mine in plan.identity.items():
        if there.get(key) != mine:
            what = "an older version of the program or of a strategy" if key == "code" else f"other {key}"
            raise UsageError(f"{folder} holds another run ({what}); choose another --output or delete the folder")
    if not (folder / TALLIES_FILE).exists():
        return _blank_run(plan)
    run = read_tallies(folder / TALLIES_FILE, plan.rules, [p.name for p in plan.players], plan.seed)
    if len(run.tallies.declared) < len(tallies_for(plan.rules)):
        raise UsageError(
            f"{folder} was counted by an older version of the program; choose another --output or delete the folder"
        )
    if run.n_blocks > plan.n_blocks:
        raise UsageError(
            f"{folder} holds {run.n_games:,} games of this run, more than --games {plan.games}; choose another --output"
        )
    return run


def run_file(plan: Plan, run: Run, threads: int) -> dict[str, Any]:
    """Return the content of `run.json`: enough to make the run anew, and what it cost."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "command": plan.command,
        "edition": plan.label,
        "players": plan.rules.players,
        "games": plan.n_blocks * plan.rules.players,
        "games_played": run.n_games,
        "complete": run.n_blocks >= plan.n_blocks,
        "blocks": run.n_blocks,
        "decisions": run.n_decisions,
        **cost(run.seconds, run.cpu_seconds, threads),
        "schedule": "balanced",
        "batches": N_BATCHES,
        "notes": list(plan.notes),
        **provenance(),
        "identity": plan.identity,
    }


@contextlib.contextmanager
def _noting_signals() -> Iterator[list[int]]:
    """Note interrupts instead of breaking off in the middle of adding up; a second one breaks off at once."""
    noted: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield noted
        return

    def note(number, _frame):
        noted.append(number)
        if len(noted) > 1:
            raise KeyboardInterrupt

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield noted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def play(
    plan: Plan,
    folder: Path,
    *,
    threads: int,
    chunk: int | None = None,
    on_start: Callable[[Run], None] | None = None,
    on_progress: Callable[[Run], None] | None = None,
) -> Run:
    """Play a plan into a folder, going on where it stands; every few seconds what was counted is saved.

    Parameters
    ----------
    plan : Plan
    folder : Path
    threads : int
    chunk : int, optional
        As for `simulate`.
    on_start : callable, optional
        Called with the run as found, before playing.
    on_progress : callable, optional
        Called with the run after each chunk.

    Raises
    ------
    UsageError
        If the folder holds another run or cannot be written.
    Interrupted
        If SIGINT or SIGTERM came; the folder holds what was played.
    IllegalAnswer
        If a strategy gave an illegal answer; a folder that this call began is removed.
    """
    folder = Path(folder)
    run = open_folder(folder, plan)
    is_new = not folder.exists()
    write_json(folder / RUN_FILE, run_file(plan, run, threads))
    saved_at = time.monotonic()
    n_saved = run.n_blocks

    def save() -> None:
        nonlocal saved_at, n_saved
        if run.n_blocks > n_saved:
            write_tallies(folder / TALLIES_FILE, run)
        saved_at = time.monotonic()
        n_saved = run.n_blocks

    with _noting_signals() as noted:

        def after_chunk(_: Run) -> None:
            if on_progress is not None:
                on_progress(run)
            if noted:
                raise KeyboardInterrupt
            if time.monotonic() - saved_at >= CHECKPOINT_SECONDS:
                save()

        try:
            if on_start is not None:
                on_start(run)
            simulate(
                plan.players,
                plan.rules,
                plan.games,
                seed=plan.seed,
                threads=threads,
                chunk=chunk,
                run=run,
                on_progress=after_chunk,
            )
            save()
        except KeyboardInterrupt:
            if len(noted) < 2:
                save()
            raise Interrupted(
                f"interrupted after {run.n_games:,} of {plan.n_blocks * plan.rules.players:,} games; "
                "give the same command again to go on",
                noted[-1] if noted else signal.SIGINT,
            ) from None
        except ModernArtError:
            if is_new:
                shutil.rmtree(folder, ignore_errors=True)
            raise
    write_json(folder / RUN_FILE, run_file(plan, run, threads))
    return run
