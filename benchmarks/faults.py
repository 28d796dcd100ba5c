"""Break runs from outside and count what is lost: `python benchmarks/faults.py --times 50`.

Commands are killed with SIGKILL at random moments and given again until they end, as are the workers of a Dask cluster
under a command, and its scheduler; the outcome is compared with one that was left alone. Disks without room for bytes
or for files (two tiny file systems, where the system lets us mount them), files that may not grow, places that cannot
be written, closed and full streams, and damaged compiled code are tried once each. Prints a table.
"""

import argparse
import contextlib
import hashlib
import json
import multiprocessing
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from multiprocessing.process import BaseProcess
from pathlib import Path

from modernart import command_line
from modernart.analysis.runs import run_folder

ROOT = Path(__file__).parents[1]
FIELD = ("half_value", "random", "fair_share", "full_value")
#: How long a run took, when, and at which commit, which may change meanwhile: the code itself is in `identity`.
_UNTOLD = ("seconds", "cpu_seconds", "date", "threads", "commit", "release")


class Command:
    """A command in a process of its own, forked from this one, which has loaded the libraries already."""

    def __init__(self, words: list[str], folder: Path, limit: Callable[[], None] | None = None) -> None:
        self.errors_file = folder / f"stderr-{time.monotonic_ns()}.txt"
        context = multiprocessing.get_context("fork")
        self.process = context.Process(target=self._run, args=(words, folder, limit))
        self.process.start()

    def _run(self, words: list[str], folder: Path, limit: Callable[[], None] | None) -> None:
        os.setsid()  # what it starts dies with it
        os.chdir(folder)
        errors = os.open(self.errors_file, os.O_WRONLY | os.O_CREAT)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(errors, 2)
        sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)
        if limit is not None:
            limit()
        code = command_line.run(words)
        with contextlib.suppress(OSError):
            sys.stderr.flush()
        os._exit(code)

    def wait(self, seconds: float | None = None) -> int | None:
        """Return the exit code; None if it still runs after so many seconds."""
        self.process.join(seconds)
        return self.process.exitcode

    def kill(self) -> None:
        """Kill it, and all that it started, at once."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.join()

    @property
    def errors(self) -> str:
        """What it said on stderr."""
        return self.errors_file.read_text(errors="replace")


def digest(folder: Path, names: list[str]) -> str:
    """Return a digest of what files say, without how long it took and when."""
    found = hashlib.sha256()
    for name in names:
        path = folder / name
        if path.suffix == ".json":
            data = json.loads(path.read_text(encoding="utf-8"))
            if isinstance(data, dict):
                data = {key: value for key, value in data.items() if key not in _UNTOLD}
            found.update(json.dumps(data, sort_keys=True).encode())
        else:
            found.update(path.read_bytes())
    return found.hexdigest()


class Study:
    """A command, its outcome, and what came of breaking it.

    Parameters
    ----------
    words : list of str
        The command; it writes to `results/here`.
    outcome : list of str
        Files there that must be the same in the end.
    saved : str
        The file there that holds what an unfinished run has saved.
    base : Path
        A folder for all runs.
    minutes : float
        No more is killed after them.
    """

    def __init__(self, words: list[str], outcome: list[str], saved: str, base: Path, minutes: float) -> None:
        self.words, self.outcome, self.saved, self.base = words, outcome, saved, base
        self._until = time.monotonic() + 60 * minutes
        self.told = {"killed": 0, "runs": 0, "went on from what was saved": 0}
        self.told |= {"other outcome": 0, "refused to go on": 0, "drafts left": 0}
        whole = self.base / "whole"
        whole.mkdir()
        began = time.monotonic()
        command = Command(words, whole)
        if command.wait() != 0:
            raise SystemExit(f"{words} does not run at all: {command.errors}")
        self.seconds = time.monotonic() - began
        self.right = digest(whole / "results" / "here", outcome)

    def wants_more(self, times: int) -> bool:
        """Return whether more is to be killed."""
        return self.told["killed"] < times and time.monotonic() < self._until

    @contextlib.contextmanager
    def run(self) -> Iterator[Path]:
        """Give a new folder to a run, and judge what is there in the end."""
        folder = self.base / f"run{self.told['runs']}"
        folder.mkdir()
        self.told["runs"] += 1
        yield folder
        here = folder / "results" / "here"
        if (here / self.outcome[0]).exists():
            self.told["other outcome"] += digest(here, self.outcome) != self.right
        self.told["drafts left"] += len(list(here.rglob(".*.draft")))
        shutil.rmtree(folder)

    def start(self, words: list[str], folder: Path) -> Command:
        """Give the command in the folder of a run, which may hold what was saved before it was killed."""
        self.told["went on from what was saved"] += (folder / "results" / "here" / self.saved).exists()
        return Command(words, folder)

    def judge(self, command: Command) -> None:
        """Count a command that did not end well."""
        if command.wait() != 0:
            self.told["refused to go on"] += 1
            print(command.errors, file=sys.stderr)


def kill_commands(study: Study, times: int, generator: random.Random) -> None:
    """Kill a command at random moments until it was hit `times` times; each run is given again until it ends."""
    while study.wants_more(times):
        with study.run() as folder:
            while study.wants_more(times):
                command = study.start(study.words, folder)
                if command.wait(generator.uniform(0.2, study.seconds)) is not None:
                    break
                command.kill()
                study.told["killed"] += 1
            else:
                command = study.start(study.words, folder)
            study.judge(command)


def kill_workers(study: Study, times: int, generator: random.Random) -> None:
    """Kill one of two workers of a cluster at random moments, and start another."""
    while study.wants_more(times):
        with study.run() as folder, contextlib.closing(Cluster(folder, n_workers=2)) as cluster:
            command = Command([*study.words, "--scheduler", cluster.address], folder)
            while command.wait(generator.uniform(0.2, study.seconds / 2)) is None:
                if study.wants_more(times):
                    cluster.replace(generator.randrange(2))
                    study.told["killed"] += 1
            study.judge(command)


def kill_schedulers(study: Study, times: int, generator: random.Random) -> None:
    """Kill the scheduler of a cluster that a command uses; the command must end with code 1 and a sentence."""
    # A worker loads for longer than all games take, so moments within a run without a cluster would be too early.
    with study.run() as folder, contextlib.closing(Cluster(folder, n_workers=1)) as cluster:
        begun = time.monotonic()
        study.judge(study.start([*study.words, "--scheduler", cluster.address], folder))
        seconds = time.monotonic() - begun
    while study.wants_more(times):
        with study.run() as folder:
            done = False
            while not done:
                with contextlib.closing(Cluster(folder, n_workers=1)) as cluster:
                    command = study.start([*study.words, "--scheduler", cluster.address], folder)
                    code = command.wait(generator.uniform(0.2, seconds))
                    if code is None and study.wants_more(times):
                        cluster.scheduler.kill()
                        study.told["killed"] += 1
                        done = command.wait(60) == 0
                        is_told = command.wait(0) == 1 and "error:" in command.errors.splitlines()[-1]
                        if not (done or is_told):
                            study.told["refused to go on"] += 1
                            print(command.wait(0), command.errors, file=sys.stderr)
                            command.kill()
                    else:
                        done = True
                        study.judge(command)


class Cluster:
    """A Dask cluster: `dask scheduler` and `dask worker`, forked from this process, which has loaded what they need."""

    def __init__(self, folder: Path, n_workers: int) -> None:
        self.folder = folder
        self.file = folder / f"scheduler-{time.monotonic_ns()}.json"
        place = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
        self.scheduler = self._start("dask_scheduler", [*place, "--scheduler-file", str(self.file)])
        while not self.file.exists():
            time.sleep(0.05)
        time.sleep(0.2)
        self.address = json.loads(self.file.read_text())["address"]
        self.workers = [self._start_worker() for _ in range(n_workers)]

    def _start_worker(self) -> BaseProcess:
        return self._start("dask_worker", [self.address, "--nthreads", "1", "--no-dashboard", "--no-nanny"])

    def _start(self, command: str, words: list[str]) -> BaseProcess:
        process = multiprocessing.get_context("fork").Process(target=self._run, args=(command, words))
        process.start()
        return process

    def _run(self, command: str, words: list[str]) -> None:
        os.chdir(self.folder)
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        import_module(f"distributed.cli.{command}").main(words)

    def replace(self, number: int) -> None:
        """Kill a worker and start another."""
        self.workers[number].kill()
        self.workers[number].join()
        self.workers[number] = self._start_worker()

    def close(self) -> None:
        """End what still runs."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.join()


def once(words: list[str], folder: Path, redirect: str = "", **environment: str) -> tuple[int, str]:
    """Run the program once, as a user does, and return its exit code and what it said on stderr."""
    line = [sys.executable, "-m", "modernart", *words]
    if redirect:
        line = ["sh", "-c", f'exec "$@" {redirect}', "sh", *line]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **environment}
    done = subprocess.run(line, cwd=folder, env=environment, text=True, capture_output=True, check=False)
    return done.returncode, done.stderr


def small_files() -> None:
    """Let files grow to 4 kB and no further, as on a disk that is full."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


@contextlib.contextmanager
def small_disk(folder: Path, options: str) -> Iterator[Path | None]:
    """Mount a tiny file system; None where the system does not let us."""
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True)
    try:
        yield folder if mounted.returncode == 0 else None
    finally:
        if mounted.returncode == 0:
            subprocess.run(["umount", str(folder)], check=True)


def faults_of_disks(tournament: list[str], base: Path) -> Iterator[tuple[str, int, str]]:
    """Yield exit code and words of the program for each fault of a disk."""
    command = Command(tournament, base, small_files)
    yield "a file may not grow beyond 4 kB", command.wait() or 0, command.errors
    yield "given again with room", *once(tournament, base)
    # Room for run.json and not for the tallies; then room for two files, run.json and a draft.
    for what, options in (("disk of 64 kB full", "size=64k"), ("disk without room for a file", "size=8m,nr_inodes=3")):
        with small_disk(base / what.replace(" ", "-"), options) as disk:
            if disk is None:
                print(f"{what}: this system does not let us mount one", file=sys.stderr)
                continue
            words = [*tournament[:-1], str(disk / "here")]
            yield what, *once(words, base)
            left = sorted(path.name for path in (disk / "here").iterdir()) if (disk / "here").is_dir() else []
            print(f"{what}: left there: {', '.join(left) or 'nothing'}", file=sys.stderr)
            subprocess.run(["mount", "-o", "remount,size=16m,nr_inodes=100", str(disk)], check=True)
            yield "given again with room", *once(words, base)
            subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
            yield "read-only disk", *once([*tournament[:-1], str(disk / "other")], base)
    yield "place that takes no files", *once([*tournament[:-1], "/proc/here"], base)


def other_faults(tournament: list[str], base: Path) -> Iterator[tuple[str, int, str]]:
    """Yield exit code and words of the program for faults of streams and of the cache."""
    yield "stdout closed", *once(tournament, base, ">&-")
    yield "stderr closed", *once(tournament, base, "2>&-")
    yield "stdout full", *once(tournament, base, ">/dev/full")
    yield "reader of stdout gone", *once(["strategies"], base, "| true")
    cache = base / "cache"
    short = ["tournament", "random", "--games", "40", "--no-report", "--output", "results/cached"]
    once(short, base, NUMBA_CACHE_DIR=str(cache))
    files = sorted(path for path in cache.rglob("*") if path.suffix in (".nbi", ".nbc"))
    for path in files:
        path.write_bytes(path.read_bytes()[:100])
    again = [*short[:-1], "results/again"]
    yield f"all {len(files)} files of compiled code cut to 100 bytes", *once(again, base, NUMBA_CACHE_DIR=str(cache))


def main() -> None:
    """Read the arguments and break things."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50, help="kills of each kind; 0 for the other faults alone")
    parser.add_argument("--minutes", type=float, default=60.0, help="kill no more of a kind after them")
    parser.add_argument("--games", type=int, default=200_000, help="games of the tournament that is killed")
    parser.add_argument("--budget", type=int, default=10_000, help="games of the study that is killed")
    parser.add_argument(
        "--only", choices=("tournament", "tune", "worker", "scheduler"), help="kills of this kind alone"
    )
    parser.add_argument("--save-every", type=float, default=1.0, help="seconds between checkpoints; 10 in real runs")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    generator = random.Random(arguments.seed)
    run_folder.CHECKPOINT_SECONDS = arguments.save_every  # commands are forked from this process
    tournament = ["tournament", *FIELD, "--games", str(arguments.games), "--no-report", "--output", "results/here"]
    tune = ["tune", "half_value", "--against", "random", "--budget", str(arguments.budget), "--study", "here"]
    tables = ["tables/ranking.parquet", "tables/differences.parquet", "run.json"]
    print("| fault | times | what came of it |\n|---|---|---|", flush=True)
    if arguments.only is None:
        with tempfile.TemporaryDirectory() as scratch:
            for faults in (faults_of_disks, other_faults):
                for fault, exit_code, words in faults(tournament, Path(scratch)):
                    last = words.strip().splitlines()[-1] if words.strip() else "nothing said"
                    print(f"| {fault} | 1 | exit {exit_code}: {last} |", flush=True)
    kinds = {
        "tournament": (kill_commands, tournament, tables, "tallies.npz"),
        "tune": (kill_commands, tune, ["tuned.toml", "generations.json"], "generations.json"),
        "worker": (kill_workers, tournament, tables, "tallies.npz"),
        "scheduler": (kill_schedulers, tournament, tables, "tallies.npz"),
    }
    for name, (kill, words, outcome, saved) in kinds.items():
        if arguments.times < 1 or arguments.only not in (None, name):
            continue
        with tempfile.TemporaryDirectory() as scratch:
            study = Study(words, outcome, saved, Path(scratch), arguments.minutes)
            kill(study, arguments.times, generator)
        counts = ", ".join(f"{n} {what}" for what, n in study.told.items() if what != "killed")
        print(f"| SIGKILL, {name} | {study.told['killed']} | {counts} |", flush=True)


if __name__ == "__main__":
    # Loaded once, before any process is forked.

    import modernart.analysis.cluster.dask_scheduler
    import modernart.analysis.cluster.on_worker
    import modernart.analysis.comparing.tuning_study
    import modernart.analysis.runs.tournament
    import modernart.strategies.specs  # noqa: F401

    main()
