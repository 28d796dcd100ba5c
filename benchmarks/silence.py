"""How long is every command silent? Each is run in a terminal, and the longest time without a sign of life is told.

    python benchmarks/silence.py [NAME ...] [--cold]

A sign of life is anything written to the terminal: a line, or a step of a bar. Silence also counts before the first and
after the last one. `busy` is the most processor time of the command between two signs of life, all its processes and
threads together: on a machine that others share it tells more than the clock. `--cold` gives every command an empty
folder for compiled code; without it, run this twice: what is not yet compiled is compiled the first time. NAME is
`tournament`, `editions compare` or the like; default: all.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

HERE = Path(__file__).parents[1]
#: What must lie in the folder before the commands are tried.
PREPARED = (
    "tournament half_value predictive fair_share --games 2000 --records 2 --output run",
    "tournament half_value predictive fair_share --games 2000 --blocks 0:250 --output first",
    "tournament half_value predictive fair_share --games 2000 --blocks 250:500 --output second",
    "record half_value predictive fair_share --output games.jsonl",
    "position new position.toml",
    "new-bot mybot.py",
)
#: Every command as a user would give it, sized to take some seconds once compiled.
COMMANDS = {
    "tournament": "tournament half_value predictive fair_share full_value --games 200000 --output big",
    "tournament, given again": "tournament half_value predictive fair_share --games 2000 --records 2 --output run",
    "tournament planner": "tournament planner predictive --games 8 --output slow",
    "report": "report run",
    "runs": "runs .",
    "merge": "merge first second --output {fresh}",
    "bench": "bench",
    "replay": "replay games.jsonl",
    "replay --html": "replay games.jsonl --html game.html",
    "record": "record half_value predictive --count 20 --output {fresh}.jsonl",
    "check": "check games.jsonl",
    "decisions": "decisions games.jsonl --output {fresh}.parquet",
    "review": "review games.jsonl --rollouts 100",
    "log": "log game.txt",
    "play": "play",
    "quiz": "quiz",
    "advise": "advise position.toml --rollouts 1000",
    "position show": "position show position.toml",
    "position new": "position new {fresh}.toml",
    "duel": "duel predictive half_value --fixed 4000",
    "duel planner": "duel planner predictive --fixed 16",
    "tune": "tune half_value --budget 10000 --study {fresh}",
    "exploit": "exploit half_value --budget 10000",
    "sensitivity": "sensitivity half_value --parameters shade --games 400",
    "metagame": "metagame predictive fair_share half_value --games 8000",
    "endings": "endings --games 400",
    "auctions": "auctions --games 200",
    "claims": "claims half start doubles --games 400 --field weak",
    "editions": "editions",
    "editions show": "editions show sotheby",
    "editions new": "editions new {fresh}.toml --artists 6",
    "editions compare": "editions compare classic online classic(end_count=6) --games 4000",
    "strategies": "strategies",
    "strategies show": "strategies show predictive",
    "learn": "learn --games 100 --minutes 0.3 --study {fresh}",
    "new-bot": "new-bot {fresh}.py",
    "check-bot": "check-bot mybot.py:my_bot",
    "--help": "--help",
    "tournament --help": "tournament --help",
}
#: Commands that talk with a person: when they have said something and then wait, they are told that this was all.
_TALKING = ("play", "quiz", "log")
_END = b"\x04"
#: Seconds until a command that talks is taken to wait, and until any command is ended.
_WAITS, _LONGEST = 3.0, 600.0


def main() -> None:
    """Run the commands and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="commands to try; default: all")
    parser.add_argument("--cold", action="store_true", help="nothing is compiled yet")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(COMMANDS)
    if unknown:
        parser.error(f"no such command here: {', '.join(sorted(unknown))}; there are: {', '.join(COMMANDS)}")
    with tempfile.TemporaryDirectory() as folder:
        for words in PREPARED:
            subprocess.run(
                _command(words), cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
        print(f"{'command':<26}{'silent':>8}{'busy':>8}{'whole':>8}{'exit':>6}  after", flush=True)
        for name in arguments.names or COMMANDS:
            words = COMMANDS[name].format(fresh=f"fresh-{name.replace(' ', '-')}")
            cache = tempfile.TemporaryDirectory() if arguments.cold else None
            silence, busy, whole, code, after = listen(words, folder, cache and cache.name)
            if cache:
                cache.cleanup()
            print(f"{name:<26}{silence:>7.1f}s{busy:>7.1f}s{whole:>7.1f}s{code:>6}  {after}", flush=True)
    print(f"load of the machine at the end: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def _command(words: str) -> list[str]:
    return [sys.executable, "-m", "modernart", *words.split()]


def listen(
    words: str, folder: str, cache: str | None = None, columns: int = 100
) -> tuple[float, float, float, int, str]:
    """Run a command in a terminal and listen to it.

    Returns
    -------
    silence, busy, whole : float
        The longest time without a sign of life, the most processor time between two, and the time from start to end, in
        seconds.
    code : int
        Its exit code.
    after : str
        What was said before that silence.
    """
    began = time.monotonic()
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        environment = {**os.environ, "TERM": "xterm-256color", **({"NUMBA_CACHE_DIR": cache} if cache else {})}
        os.execve(sys.executable, _command(words), environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    last, silence, after, tail = began, 0.0, "the start", b""
    worked, busy = 0.0, 0.0
    while True:
        talks = words.split()[0] in _TALKING and bool(tail)
        left = _WAITS if talks else max(0.0, began + _LONGEST - time.monotonic())
        is_heard = bool(select.select([terminal], [], [], left)[0])
        if talks and not is_heard and time.monotonic() < began + _LONGEST:
            os.write(terminal, _END)
            last = time.monotonic()
            continue
        try:
            said = os.read(terminal, 65536) if is_heard else b""
        except OSError:  # how Linux tells that the other end is closed
            said = b""
        now = time.monotonic()
        if now - last > silence:
            silence, after = now - last, _last_words(tail) or "the start"
        busy, worked = max(busy, (work := _work_of(process)) - worked), work
        if not said:
            break
        last, tail = now, (tail + said)[-2000:]
    if now - began > _LONGEST:
        os.kill(process, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    ended = time.monotonic()
    if ended - last > silence:
        silence, after = ended - last, _last_words(tail)
    os.close(terminal)
    return silence, busy, ended - began, code, after


def _work_of(session: int) -> float:
    """Return the processor time so far of a session's processes that live, in seconds."""
    ticks = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if int(fields[3]) == session:
            ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _last_words(said: bytes) -> str:
    import re

    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", said.decode(errors="replace"))
    words = [line.strip() for line in re.split(r"[\r\n]+", text) if line.strip()]
    return words[-1][:60] if words else ""


if __name__ == "__main__":
    main()
