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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from modernart.analysis.measures import tallies_for
from modernart.analysis.plain import write_json
from modernart.analysis.provenance import code_digest, cost, provenance, rules_digest
from modernart.analysis.runs.run_json import FORMAT, RUN_FILE, VERSION, read_run_file
from modernart.analysis.runs.tallies_file import read_tallies, write_tallies
from modernart.simulator.arguments import parse_whole
from modernart.simulator.errors import ModernArtError, RunError, UsageError
from modernart.simulator.files import WriteError, is_draft, remove_drafts
from modernart.simulator.players import Player
from modernart.simulator.rules import Rules, load_edition
from modernart.simulator.scheduling import scheduler_for
from modernart.simulator.simulate import MAX_SEED, Run, n_blocks_for, new_run, simulate
from modernart.simulator.tallies import N_BATCHES

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
    part : tuple of int, optional
        Blocks to play of all that `games` makes, from the first to before the last; the rest is played elsewhere.
    target : dict, optional
        Where to stop instead of at a number of games (see `modernart.analysis.runs.target`).
    artist_names : sequence of str
        Full names of the artists, in board order.
    """

    players: Sequence[Player]
    rules: Rules
    games: int
    seed: int
    edition: str
    label: str
    overrides: Sequence[str] = field(default=())
    notes: Sequence[str] = field(default=())
    part: tuple[int, int] | None = None
    target: dict[str, Any] | None = None
    artist_names: Sequence[str] = ()

    @property
    def n_blocks(self) -> int:
        """Blocks to play."""
        first, last = self.part or (0, n_blocks_for(self.rules, self.games))
        return last - first

    @property
    def n_games(self) -> int:
        """Games to play."""
        return self.n_blocks * self.rules.players

    @property
    def part_entry(self) -> dict[str, int] | None:
        """What `run.json` says of the part."""
        if self.part is None:
            return None
        return {"first": self.part[0], "last": self.part[1], "of": n_blocks_for(self.rules, self.games)}

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
        extent = self.target and self.target["error"]
        text = json.dumps([self.identity, extent or self.part_entry or self.n_blocks], sort_keys=True)
        short_id = hashlib.sha256(text.encode()).hexdigest()[:8]
        return f"{self.rules.edition}-{self.rules.players}p-{short_id}"

    @property
    def command(self) -> str:
        """The command line that makes this run anew."""
        words = ["modernart", "tournament", *(spec_of(p.name) for p in self.players)]
        words += ["--edition", self.edition, "--players", str(self.rules.players)]
        words += ["--games", str(self.games), "--seed", str(self.seed)]
        if self.part is not None:
            words += ["--blocks", f"{self.part[0]}:{self.part[1]}"]
        for override in self.overrides:
            words += ["--rule", override]
        return shlex.join(words)


def spec_of(name: str) -> str:
    """Return the spec behind a player's name, which numbers those that come again."""
    return re.sub(r" #\d+$", "", name)


def parse_part(text: str) -> tuple[int, int]:
    """Return the blocks that FROM:TO stands for: from the first to before the last.

    Raises
    ------
    UsageError
        If the text is not of that form.
    """
    first, colon, last = text.partition(":")
    if not colon:
        raise UsageError(f"blocks must be given as FROM:TO, as 0:500, got {text[:40]}")
    return parse_whole("FROM of --blocks", first), parse_whole("TO of --blocks", last)


def plan_run(
    players: Sequence[Player],
    *,
    edition: str = "classic",
    seats: int = 4,
    games: int,
    seed: int = 1,
    overrides: dict[str, str] | None = None,
    part: tuple[int, int] | None = None,
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
    part : tuple of int, optional
        Blocks to play, from the first to before the last, of those that `games` makes.

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
    deal_note = chosen.deal_note(seats)
    notes = (
        *((f"Deck: {chosen.deck_note}",) if chosen.deck_note else ()),
        *((deal_note,) if deal_note else ()),
    )
    n_blocks = n_blocks_for(rules, games)
    if part is not None and not 0 <= part[0] < part[1] <= n_blocks:
        raise UsageError(
            f"blocks must lie within 0:{n_blocks}, the blocks of {games:,} games, got {part[0]}:{part[1]}; "
            "the first is played, the last is not"
        )
    return Plan(
        tuple(players),
        rules,
        games,
        seed,
        edition,
        chosen.label,
        changed,
        notes,
        part,
        artist_names=chosen.artist_names,
    )


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
    run = new_run(plan.rules, [p.name for p in plan.players], plan.seed, tallies_for(plan.rules))
    run.first_block = plan.part[0] if plan.part else 0
    return run


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
        # A process killed while it wrote its first file leaves a draft; see `play`.
        if folder.is_dir() and not all(is_draft(path) for path in folder.iterdir()):
            raise UsageError(f"{folder} holds other files than a run; choose another --output")
        return _blank_run(plan)
    told = read_run_file(folder)
    there = told["identity"]
    if told.get("part") != plan.part_entry:
        raise UsageError(f"{folder} holds other blocks of a run; choose another --output or delete the folder")
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
    if run.first_block != (plan.part[0] if plan.part else 0):
        raise UsageError(f"{folder / TALLIES_FILE} holds other blocks than {RUN_FILE} says; delete the folder")
    if run.n_blocks > plan.n_blocks:
        raise UsageError(
            f"{folder} holds {run.n_games:,} games of this run, more than --games {plan.games}; choose another --output"
        )
    return run


def finished_run(folder: Path, plan: Plan) -> Run | None:
    """Return the run of a plan that its folder holds to the end; None if there is anything left to play.

    Raises
    ------
    UsageError
        If the folder holds another run or other files.
    """
    run = open_folder(folder, plan)
    return run if run.n_blocks >= plan.n_blocks > 0 and read_run_file(folder)["complete"] else None


def run_file(plan: Plan, run: Run, threads: int) -> dict[str, Any]:
    """Return the content of `run.json`: enough to make the run anew, and what it cost."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "command": plan.command,
        "edition": plan.label,
        "players": plan.rules.players,
        "games": plan.n_games,
        "games_played": run.n_games,
        "complete": run.n_blocks >= plan.n_blocks,
        "blocks": run.n_blocks,
        "part": plan.part_entry,
        "target": plan.target,
        "decisions": run.n_decisions,
        **cost(run.seconds, run.cpu_seconds, threads),
        "schedule": "balanced",
        "batches": N_BATCHES,
        "notes": list(plan.notes),
        "artist_names": list(plan.artist_names),
        **provenance(),
        "edition_digest": rules_digest(plan.rules),
        "identity": plan.identity,
    }


def save(plan: Plan, run: Run, folder: Path) -> None:
    """Write a run that was played in memory as a run folder.

    Raises
    ------
    UsageError
        If the folder holds another run, or more games of this one.
    """
    open_folder(folder, plan)
    write_tallies(folder / TALLIES_FILE, run)
    write_json(folder / RUN_FILE, run_file(plan, run, scheduler_for(None).n_threads))


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
    threads: int | None = None,
    chunk: int | None = None,
    on_start: Callable[[Run], None] | None = None,
    on_progress: Callable[[Run], None] | None = None,
) -> Run:
    """Play a plan into a folder, going on where it stands; every few seconds what was counted is saved.

    Parameters
    ----------
    plan : Plan
    folder : Path
    threads, chunk : int, optional
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
        If a strategy gave an illegal answer; a folder that this call began, and that holds no games yet, is removed.
    WriteError
        If the disk is full; the folder keeps what was saved before.
    """
    folder = Path(folder)
    run = open_folder(folder, plan)
    is_new = not folder.exists()
    if not is_new:
        remove_drafts(folder)
    scheduler = scheduler_for(threads)
    write_json(folder / RUN_FILE, run_file(plan, run, scheduler.n_threads))
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
                plan.n_games,
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
                f"interrupted after {run.n_games:,} of {plan.n_games:,} games; give the same command again to go on",
                noted[-1] if noted else signal.SIGINT,
            ) from None
        except WriteError:
            raise  # the checkpoint is all that is left of the work
        except ModernArtError:
            if is_new and n_saved == 0:
                shutil.rmtree(folder, ignore_errors=True)
            raise
    write_json(folder / RUN_FILE, run_file(plan, run, scheduler.n_threads))
    return run
