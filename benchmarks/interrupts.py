"""Measure how soon commands answer Ctrl-C: `python benchmarks/interrupts.py`.

Each command is started in a folder of its own and gets SIGINT after it has used so many seconds of processor time, all
its processes together: once while it loads, once in the midst of its work. Prints a table; the exit code is 1 if a
command took more than three seconds, ended with another code than 130, said nothing, or left a process behind.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[1]
MOST_SECONDS, CODE = 3.0, 130
#: Processor time before the signal: while it loads; at work, where one process plays; and where workers load first.
LOADING, AT_WORK, WITH_WORKERS = 0.5, 9.0, 25.0
HANGING_BOT = '''"""A bot that never answers."""

from modernart.strategies.base import strategy


@strategy()
def bot(table, hand):
    """Waits for ever."""
    while table.phase >= 0:
        hand.notes[0] += 1.0
    return 0
'''

#: None of them ends by itself within the seconds above.
COMMANDS = (
    "tournament planner --games 100000 --output run --no-report",
    "tournament half_value random --games 100000000 --output run --no-report",
    "tournament hangs.py:bot random --games 400 --output run --no-report",
    "duel planner half_value --fixed 100000",
    "duel half_value random --fixed 100000000",
    "tune planner --budget 100000 --study study",
    "tune half_value --against random --budget 100000000 --study study",
    "metagame --games 100000000 --study study",
    "sensitivity planner --games 100000 --study study",
    "exploit half_value --games 10000000",
    "endings planner --games 100000",
    "auctions planner --games 100000",
    "claims --games 1000000",
    "editions compare classic online --games 100000000",
    "learn --output learned",
    "record planner --games 100000 --output games.jsonl",
    "bench --games 1000000000",
    "check-bot planner",
    "tournament half_value random --games 100000000 --output run --no-report --scheduler dask:2",
    "duel planner half_value --fixed 100000 --scheduler dask:2",
    "tune half_value --against random --budget 100000000 --study study --scheduler dask:2",
)


def below(process: psutil.Process) -> Iterator[psutil.Process]:
    """Yield a process and all that it started."""
    try:
        yield from (process, *process.children(recursive=True))
    except psutil.NoSuchProcess:
        return


def seconds_used(process: psutil.Process) -> float:
    """Return the processor time of a process and of all that it started."""
    total = 0.0
    for one in below(process):
        try:
            times = one.cpu_times()
            total += times.user + times.system
        except psutil.NoSuchProcess:
            pass
    return total


def interrupt(command: str, after: float, folder: Path) -> tuple[int | None, float, str, int]:
    """Start a command and interrupt it.

    Returns
    -------
    tuple
        Its exit code, None if it ended before; the seconds until it ended; its last words; how many processes it left.
    """
    (folder / "hangs.py").write_text(HANGING_BOT)
    env = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    with open(folder / "stderr.txt", "w+") as errors:
        started = subprocess.Popen(
            [sys.executable, "-m", "modernart", *command.split()],
            cwd=folder,
            env=env,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )
        process = psutil.Process(started.pid)
        while seconds_used(process) < after:
            time.sleep(0.02)
            if started.poll() is not None:
                return None, 0.0, _last_line(folder), 0
        family = list(below(process))
        start = time.monotonic()
        started.send_signal(signal.SIGINT)
        started.wait(60)
        seconds = time.monotonic() - start
    _, alive = psutil.wait_procs(family, timeout=3)
    for one in alive:
        one.kill()
    return started.returncode, seconds, _last_line(folder), len(alive)


def _last_line(folder: Path) -> str:
    lines = (folder / "stderr.txt").read_text(errors="replace").strip().splitlines()
    return lines[-1].replace("|", "\\|") if lines else ""


def main() -> None:
    """Read the arguments and interrupt."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commands", nargs="*", default=COMMANDS)
    parser.add_argument("--loading", type=float, default=LOADING, help="processor time at which a command loads; or 0")
    parser.add_argument("--at-work", type=float, default=AT_WORK, help="processor time at which a command plays")
    parser.add_argument("--with-workers", type=float, default=WITH_WORKERS, help="the same, of one with Dask workers")
    arguments = parser.parse_args()
    print("| command | after | seconds | exit code | last words |\n|---|---|---|---|---|", flush=True)
    n_wrong = 0
    for command in arguments.commands:
        at_work = arguments.with_workers if "dask" in command else arguments.at_work
        for after in filter(None, (arguments.loading, at_work)):
            with tempfile.TemporaryDirectory() as folder:
                code, seconds, words, n_left = interrupt(command, after, Path(folder))
            is_right = code == CODE and seconds <= MOST_SECONDS and "interrupted" in words and not n_left
            n_wrong += not is_right
            mark = "" if is_right else f" **(wrong; {n_left} processes left)**"
            print(f"| `{command}` | {after:g} s | {seconds:.1f} | {code} | {words}{mark} |", flush=True)
    sys.exit(n_wrong > 0)


if __name__ == "__main__":
    main()
