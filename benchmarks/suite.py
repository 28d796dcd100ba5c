"""Measure all that a user waits for, and compare it with another version of this project.

    python benchmarks/suite.py [--against CHECKOUT_OR_COMMIT] [--parts games,threads,starts,c] [--json FILE]

Parts: `games` (processor time of a game and of a decision, all that a run counts included, by strategy and seats, one
thread), `threads` (games/s of `random` on more threads), `starts` (cold and warm tournament, report, --help; wall
clock, processor time, memory), `c` (against `c_twin.c`). With --against every measurement is made in both versions in
turn, in changing order, and the ratio is taken within a repetition, as the speed of a shared machine drifts: medians,
with the least and the greatest.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import compare_c

HERE = Path(__file__).parents[1]
PARTS = ("games", "threads", "starts", "c")
#: Strategies by the games of one measurement at four seats, about a quarter of a second each.
STRATEGIES = {
    "random": 60_000,
    "half_value": 16_000,
    "fair_share": 10_000,
    "merchant": 8_000,
    "me_vs_you": 8_000,
    "pimc_greedy": 60,
    "predictive": 4_000,
    "planner(rollouts=16)": 4,
}
SEATS = (3, 4, 5)


class SuiteError(Exception):
    """Something cannot be measured; the message says what to change."""


class Version:
    """One checkout of the project, with a process that plays games in it on request.

    Parameters
    ----------
    name : str
        How tables call it.
    folder : Path
        The checkout.
    """

    def __init__(self, name: str, folder: Path) -> None:
        if not (folder / "src" / "modernart").is_dir():
            raise SuiteError(f"{folder} holds no src/modernart; give a checkout or a commit that does")
        self.name, self.folder = name, folder
        self.environment = {**os.environ, "PYTHONPATH": str(folder / "src")}
        command = [sys.executable, str(Path(__file__)), "--worker"]
        self._process = subprocess.Popen(
            command, env=self.environment, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def play(self, spec: str, seats: int, games: int, threads: int = 1) -> dict[str, float]:
        """Play copies of a strategy; returns games, decisions, wall clock and processor seconds."""
        assert self._process.stdin
        assert self._process.stdout
        print(json.dumps([spec, seats, games, threads]), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            raise SuiteError(f"{self.name}: {spec} with {seats} seats failed; its message stands above")
        return json.loads(answer)

    def run(self, arguments: Sequence[str], cache: Path) -> dict[str, float]:
        """Run a command of the command line; returns wall clock and processor seconds, and its most memory in MB."""
        environment = {**self.environment, "NUMBA_CACHE_DIR": str(cache)}
        start = time.perf_counter()
        with tempfile.TemporaryFile() as errors:
            command = [sys.executable, "-m", "modernart", *arguments]
            process = subprocess.Popen(
                command, env=environment, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=errors
            )
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode != 0:
                errors.seek(0)
                raise SuiteError(f"{self.name}: {shlex.join(command)} failed: {errors.read().decode()[-500:]}")
        # Linux counts in kB, macOS in bytes.
        unit = 1e6 if sys.platform == "darwin" else 1e3
        return {
            "seconds": time.perf_counter() - start,
            "cpu_seconds": usage.ru_utime + usage.ru_stime,
            "megabytes": usage.ru_maxrss / unit,
        }

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()


def work() -> None:
    """Play games as lines of stdin ask, in the version that PYTHONPATH names."""
    from modernart.simulator.rules import load_edition
    from modernart.simulator.simulate import simulate
    from modernart.strategies.specs import load_players

    try:
        from modernart.analysis.measures import tallies_for
    except ImportError:  # earlier versions count everything unasked
        tallies_for = None

    warm = set()
    for line in sys.stdin:
        spec, seats, games, threads = json.loads(line)
        players, rules = load_players([spec]), load_edition("classic").rules(seats)
        counted = {"tallies": tallies_for(rules)} if tallies_for else {}
        if (spec, seats, threads) not in warm:
            simulate(players, rules, max(games // 50, 2), threads=threads, **counted)
            warm.add((spec, seats, threads))
        wall, cpu = time.perf_counter(), time.process_time()
        run = simulate(players, rules, games, seed=1, threads=threads, **counted)
        answer = {
            "games": run.n_games,
            "decisions": run.n_decisions,
            "seconds": time.perf_counter() - wall,
            "cpu_seconds": time.process_time() - cpu,
        }
        print(json.dumps(answer), flush=True)


@contextlib.contextmanager
def other_version(place: str | None) -> Iterator[list[Version]]:
    """Yield the version to compare with, if any; a commit is checked out in a temporary folder."""
    if place is None:
        yield []
        return
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(place)
        if not folder.is_dir():
            folder = Path(parent) / "checkout"
            command = ["git", "-C", str(HERE), "worktree", "add", "--detach", str(folder), place]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise SuiteError(f"--against must name a folder or a commit, got {place}: {done.stderr.strip()}")
        try:
            version = Version(place, folder.resolve())
            yield [version]
            version.close()
        finally:
            if folder.parent == Path(parent):
                subprocess.run(["git", "-C", str(HERE), "worktree", "remove", "--force", str(folder)], check=False)


def in_turn(versions: Sequence[Version], repetitions: int, measure) -> list[list[Any]]:
    """Return measurements of every version by repetition; every second one runs backwards, so drift favours nobody."""
    rows = []
    for repetition in range(repetitions):
        order = versions if repetition % 2 == 0 else versions[::-1]
        found = {version.name: measure(version) for version in order}
        rows.append([found[version.name] for version in versions])
    return rows


def row_of(what: str, unit: str, rows: list[list[float]]) -> dict[str, Any]:
    """Return one line of the table: the median of each version, and the paired ratio of the other to this one."""
    row: dict[str, Any] = {"what": what, "unit": unit, "this": median(row[0] for row in rows)}
    if len(rows[0]) > 1:
        ratios = [other / this for this, other in rows]
        row |= {"other": median(row[1] for row in rows), "ratio": compare_c.spread(ratios)}
    return row


def measure_games(versions: Sequence[Version], repetitions: int, scale: float) -> list[dict[str, Any]]:
    """Return processor time of games and decisions, by strategy and seats, on one thread."""
    table = []
    for spec, at_four in STRATEGIES.items():
        for seats in SEATS:
            games = max(int(scale * at_four), 4)

            def measure(version: Version, spec: str = spec, seats: int = seats, games: int = games) -> dict:
                return version.play(spec, seats, games)

            found = in_turn(versions, repetitions, measure)
            for what, unit, of in (("", "us a game", "games"), (", a decision", "ns", "decisions")):
                factor = 1e6 if of == "games" else 1e9
                rows = [[factor * one["cpu_seconds"] / one[of] for one in row] for row in found]
                table.append(row_of(f"{spec}, {seats} seats{what}", unit, rows))
    return table


def measure_threads(versions: Sequence[Version], repetitions: int, scale: float) -> list[dict[str, Any]]:
    """Return wall clock time of games of `random` on 1, 2, 4 and 8 threads, as far as there are so many."""
    table = []
    for threads in (n for n in (1, 2, 4, 8) if n <= (os.cpu_count() or 1)):
        games = int(scale * 200_000)

        def measure(version: Version, threads: int = threads, games: int = games) -> float:
            found = version.play("random", 4, games, threads)
            return 1e6 * found["seconds"] / found["games"]

        table.append(row_of(f"random, {threads} threads", "us a game", in_turn(versions, repetitions, measure)))
    return table


def measure_starts(versions: Sequence[Version], repetitions: int, scale: float) -> list[dict[str, Any]]:
    """Return wall clock seconds and memory of commands: the first tournament of all, one more, its report, --help."""
    table = []
    with tempfile.TemporaryDirectory() as parent:

        def folder(version: Version) -> Path:
            return Path(parent) / str(versions.index(version))

        def tournament(version: Version) -> dict[str, float]:
            run = tempfile.mkdtemp(dir=parent)
            return version.run(["tournament", "--games", "2000", "--output", f"{run}/run"], folder(version) / "code")

        for version in versions:
            play = ["tournament", "--games", str(int(scale * 100_000)), "--output", str(folder(version) / "run")]
            folder(version).mkdir()
            (folder(version) / "code").mkdir()
            table.append((version.name, tournament(version)))
            version.run(play, folder(version) / "code")
        cold = [[found for _, found in table]]
        commands = {
            "tournament of 2,000 games, cold": cold,
            "tournament of 2,000 games, warm": in_turn(versions, repetitions, tournament),
            f"report of {int(scale * 100_000):,} games": in_turn(
                versions, repetitions, lambda v: v.run(["report", str(folder(v) / "run")], folder(v) / "code")
            ),
            "--help": in_turn(versions, repetitions, lambda v: v.run(["--help"], folder(v) / "code")),
        }
    return [
        row_of(f"{what}{suffix}", unit, [[one[key] for one in row] for row in found])
        for what, found in commands.items()
        for key, unit, suffix in (
            ("seconds", "s", ""),
            # With all processes that it started: on a busy machine the better measure.
            ("cpu_seconds", "s", ", processor"),
            ("megabytes", "MB", ", memory"),
        )
    ]


def measure_c(versions: Sequence[Version], repetitions: int, scale: float) -> list[dict[str, Any]]:
    """Return the speed of this version as a share of hand-written C, by `compare_c`."""
    # Enough that starting the C program does not count.
    games = 4 * int(max(scale, 1.0) * 50_000)
    flags = "-O3 -march=native"
    with tempfile.TemporaryDirectory() as folder:
        program = compare_c.compile_twin(Path(folder), os.environ.get("CC", "gcc"), shlex.split(flags))
        rows = []
        for _ in range(repetitions):
            # Processor time of both: on a busy machine the clock on the wall would favour whoever has it alone.
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            twin = compare_c.run_twin(program, games, 1)
            in_c = (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before) / twin["games"]
            ours = versions[0].play("random", 4, games)
            rows.append(in_c * ours["games"] / ours["cpu_seconds"])
    return [{"what": f"random / C {flags}", "unit": "share", "this": median(rows)}]


def show(table: Sequence[dict[str, Any]], with_head: bool = True) -> str:
    """Return the table as text; a ratio above 1 means that this version is faster, or needs less."""
    lines = [f"{'':44}{'unit':>11}{'this':>12}{'other':>12}{'other / this':>22}"] if with_head else []
    for row in table:
        line = f"{row['what']:44}{row['unit']:>11}{row['this']:>12,.2f}"
        if "ratio" in row:
            ratio = row["ratio"]
            spread = f"{ratio['median']:.2f} ({ratio['min']:.2f}-{ratio['max']:.2f})"
            line += f"{row['other']:>12,.2f}{spread:>22}"
        lines.append(line)
    return "\n".join(lines)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read and check the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--against", metavar="PLACE", help="another checkout or commit, measured in turn")
    parser.add_argument("--parts", default=",".join(PARTS), help="what to measure (default %(default)s)")
    parser.add_argument("--repetitions", type=int, default=7, help="measurements of each kind (default %(default)s)")
    parser.add_argument("--scale", type=float, default=1.0, help="times as many games (default %(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the table as JSON too")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    unknown = set(args.parts.split(",")) - set(PARTS)
    if unknown:
        parser.error(f"--parts must be of {', '.join(PARTS)}, got {', '.join(sorted(unknown))}")
    if args.repetitions < 1 or args.scale <= 0:
        parser.error("--repetitions must be at least 1 and --scale above 0")
    return args


def measure_parts(args: argparse.Namespace, versions: Sequence[Version]) -> int:
    """Measure each part and show it at once; a part that fails costs the others nothing. Returns the exit code."""
    measures = {"games": measure_games, "threads": measure_threads, "starts": measure_starts, "c": measure_c}
    table: list[dict[str, Any]] = []
    code = 0
    for part in args.parts.split(","):
        print(f"measuring {part} ...", file=sys.stderr, flush=True)
        try:
            rows = measures[part](versions, args.repetitions, args.scale)
        except (SuiteError, compare_c.ComparisonError) as error:
            print(f"suite: {error}", file=sys.stderr)
            code = 2
            continue
        print(show(rows, with_head=not table), flush=True)
        table += rows
        if args.json:
            Path(args.json).write_text(json.dumps(table, indent=1))
    return code


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suite; return the exit code."""
    args = parse(arguments)
    if args.worker:
        work()
        return 0
    try:
        with other_version(args.against) as others:
            this = Version("this", HERE)
            code = measure_parts(args, [this, *others])
            this.close()
    except SuiteError as error:
        print(f"suite: {error}", file=sys.stderr)
        return 2
    return code


if __name__ == "__main__":
    sys.exit(main())
