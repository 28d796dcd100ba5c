"""Break runs from outside and count what is lost: `python benchmarks/faults.py --times 50`.

Tournaments and tuning studies are killed with SIGKILL at random moments and given again until they end; the outcome is
compared with one that was left alone. Files that may not grow, a disk without room (`--disk DIR`, a small file system
mounted for this), closed and full streams, and a place that takes no files are tried once each. Prints a table.
"""

import argparse
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
FIELD = ("half_value", "random", "fair_share", "full_value")


def command(*words: str) -> list[str]:
    """Return the command line that runs the program from these sources."""
    return [sys.executable, "-m", "modernart", *words]


def start(words: list[str], folder: Path, limit: Callable[[], None] | None = None, **streams) -> subprocess.Popen:
    """Start the program in a folder."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    return subprocess.Popen(words, cwd=folder, env=environment, text=True, preexec_fn=limit, **streams)


def digest(folder: Path, names: list[str]) -> str:
    """Return a digest of what files say, without how long it took and when."""
    found = hashlib.sha256()
    for name in names:
        path = folder / name
        if path.suffix == ".json":
            data = json.loads(path.read_text(encoding="utf-8"))
            for key in ("seconds", "cpu_seconds", "date", "threads"):
                data.pop(key, None)
            found.update(json.dumps(data, sort_keys=True).encode())
        else:
            found.update(path.read_bytes())
    return found.hexdigest()


def kill_study(words: list[str], outcome: list[str], times: int, generator: random.Random) -> dict[str, int]:
    """Kill a command at random moments until it was hit `times` times; each run is given again until it ends."""
    told = {"killed": 0, "runs": 0, "other outcome": 0, "refused to go on": 0, "drafts left": 0}
    with tempfile.TemporaryDirectory() as scratch:
        base = Path(scratch)
        whole = base / "whole"
        whole.mkdir()
        began = time.monotonic()
        if start(command(*words), whole, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).wait() != 0:
            raise SystemExit(f"{words} does not run at all")
        seconds = time.monotonic() - began
        right = digest(whole / "results" / "here", outcome)
        while told["killed"] < times:
            folder = base / f"run{told['runs']}"
            folder.mkdir()
            told["runs"] += 1
            n_killed, exit_code, errors = until_done(words, folder, times - told["killed"], seconds, generator)
            told["killed"] += n_killed
            here = folder / "results" / "here"
            if exit_code != 0:
                told["refused to go on"] += 1
                print(errors, file=sys.stderr)
            else:
                told["other outcome"] += digest(here, outcome) != right
            told["drafts left"] += len(list(here.rglob(".*.draft")))
            shutil.rmtree(folder)
    return told


def until_done(
    words: list[str], folder: Path, most: int, seconds: float, generator: random.Random
) -> tuple[int, int, str]:
    """Give a command until it ends, killed at random moments; return kills, the last exit code and stderr."""
    n_killed = 0
    while True:
        process = start(command(*words), folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        wait = generator.uniform(0.2, seconds) if n_killed < most else None
        try:
            _, errors = process.communicate(timeout=wait)
            return n_killed, process.returncode, errors
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            n_killed += 1


def once(
    words: list[str], folder: Path, limit: Callable[[], None] | None = None, redirect: str = ""
) -> tuple[int, str]:
    """Run the program once and return its exit code and what it said on stderr."""
    line = ["sh", "-c", f'exec "$@" {redirect}', "sh", *command(*words)] if redirect else command(*words)
    process = start(line, folder, limit, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    _, errors = process.communicate()
    return process.returncode, errors


def small_files() -> None:
    """Let files grow to 4 kB and no further, as on a disk that is full."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def other_faults(disk: Path | None, games: int) -> list[tuple[str, int, str]]:
    """Return exit code and last word of the program for each fault."""
    tournament = ["tournament", *FIELD, "--games", str(games), "--no-report", "--output", "results/here"]
    found = []
    with tempfile.TemporaryDirectory() as scratch:
        base = Path(scratch)
        once([*tournament[:-1], "results/before"], base)
        found.append(("a file may not grow beyond 4 kB", *once(tournament, base, small_files)))
        found.append(("given again with room", *once(tournament, base)))
        found.append(("stdout closed", *once(tournament, base, redirect=">&-")))
        found.append(("stderr closed", *once(tournament, base, redirect="2>&-")))
        found.append(("stdout full", *once(tournament, base, redirect=">/dev/full")))
        found.append(("reader of stdout gone", *once(["strategies"], base, redirect="| true")))
        found.append(("place that takes no files", *once([*tournament[:-1], "/proc/here"], base)))
    if disk is not None:
        found.append(("small disk", *once([*tournament[:-1], str(disk / "here")], Path.cwd())))
    return found


def main() -> None:
    """Read the arguments and break things."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50, help="kills of each command; 0 for the other faults alone")
    parser.add_argument("--games", type=int, default=400_000, help="games of the tournament that is killed")
    parser.add_argument("--budget", type=int, default=40_000, help="games of the study that is killed")
    parser.add_argument("--disk", type=Path, help="a folder on a small file system")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    generator = random.Random(arguments.seed)
    tournament = ["tournament", *FIELD, "--games", str(arguments.games), "--no-report", "--output", "results/here"]
    tune = ["tune", "half_value", "--against", "random", "--budget", str(arguments.budget), "--study", "here"]
    print("| fault | times | what came of it |\n|---|---|---|", flush=True)
    for fault, exit_code, words in other_faults(arguments.disk, arguments.games):
        last = words.strip().splitlines()[-1] if words.strip() else "nothing said"
        print(f"| {fault} | 1 | exit {exit_code}: {last} |", flush=True)
    for name, words, outcome in (
        ("tournament", tournament, ["tables/ranking.parquet", "tables/differences.parquet", "run.json"]),
        ("tune", tune, ["tuned.toml", "generations.json"]),
    ):
        if arguments.times < 1:
            continue
        told = kill_study(words, outcome, arguments.times, generator)
        counts = ", ".join(f"{n} {what}" for what, n in told.items() if what != "killed")
        print(f"| SIGKILL, {name} | {told['killed']} | {counts} |", flush=True)


if __name__ == "__main__":
    main()
