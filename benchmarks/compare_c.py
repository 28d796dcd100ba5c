"""Compare the speed of `modernart bench` with hand-written C doing the same job.

    python benchmarks/compare_c.py [--games N] [--seed S] [--threads T] [--json]

Compiles `c_twin.c` into a temporary folder, then times in turn the C program, the simulator on one thread and the
simulator on several. Ratios are taken within a repetition, since the speed of a shared machine drifts, and their
median is reported. Both sides play the same games, so their number of decisions must agree: exit code 1 if not.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

SOURCE = Path(__file__).with_name("c_twin.c")
SEATS = 4


class ComparisonError(Exception):
    """The comparison cannot be made; the message says what to change."""


def compile_twin(folder: Path, compiler: str, flags: Sequence[str]) -> Path:
    """Compile the C twin.

    Parameters
    ----------
    folder : Path
        Where the program is written.
    compiler : str
        Name or path of a C compiler.
    flags : sequence of str
        Compiler flags.

    Returns
    -------
    Path
        The program.

    Raises
    ------
    ComparisonError
        If there is no such compiler, or it refuses the source.
    """
    if shutil.which(compiler) is None:
        raise ComparisonError(f"no C compiler {compiler!r} found: install gcc, or name another with --compiler")
    program = folder / "c_twin"
    command = [compiler, *flags, "-o", str(program), str(SOURCE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        reason = next((line for line in lines if "error" in line), lines[0] if lines else "no reason given")
        raise ComparisonError(f"{shlex.join(command)} failed, see --compiler and --flags: {reason}")
    return program


def run_twin(program: Path, games: int, seed: int) -> dict:
    """Return what the C twin prints: games, seconds, games_per_s, decisions, checksum."""
    done = subprocess.run([str(program), str(games), str(seed)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ComparisonError(f"the C twin failed with exit code {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def spread(values: Sequence[float]) -> dict[str, float]:
    """Return median, least and greatest of some measurements."""
    return {"median": median(values), "min": min(values), "max": max(values)}


def compare(
    twin: Callable[[], dict], bench: Callable[..., dict], games: int, seed: int, threads: int, repetitions: int
) -> dict:
    """Time both programs in turn.

    Parameters
    ----------
    twin : callable
        Plays the games in C; returns at least `games`, `games_per_s` and `decisions`.
    bench : callable
        `bench(players, threads, games, seed)`; returns at least `games`, `games_per_s` and `decisions_per_game`.
    games, seed : int
        The games to play: 0 to `games` - 1 of the run `seed`.
    threads : int
        Threads of the simulator's second timing.
    repetitions : int
        Number of paired timings.

    Returns
    -------
    dict
        `ratio` (simulator on one thread / C) and `speedup` (`threads` threads / one), each with median, min and max
        over the repetitions; games/s of the three; `decisions_per_game` of C and of the simulator; every run.
    """

    def simulator(n_threads: int) -> dict:
        return bench(players=SEATS, threads=n_threads, games=games, seed=seed)

    # The first calls compile, start threads and touch memory.
    twin()
    for n_threads in (1, threads):
        bench(players=SEATS, threads=n_threads, games=min(games, 4000), seed=seed)

    runs = []
    for repetition in range(repetitions):
        timings = [("c", twin), ("one", lambda: simulator(1)), ("several", lambda: simulator(threads))]
        # Every second repetition runs backwards, so that a drift favours neither side.
        results = {name: time() for name, time in (timings if repetition % 2 == 0 else reversed(timings))}
        runs.append(results)

    speeds = {name: [run[name]["games_per_s"] for run in runs] for name in ("c", "one", "several")}
    c, one = runs[0]["c"], runs[0]["one"]
    played = {
        (run[name]["games"], round(run[name]["decisions_per_game"] * run[name]["games"]))
        for run in runs
        for name in ("one", "several")
    }
    return {
        "games": games,
        "seed": seed,
        "threads": threads,
        "repetitions": repetitions,
        "ratio": spread([py / c for py, c in zip(speeds["one"], speeds["c"], strict=True)]),
        "speedup": spread([many / py for many, py in zip(speeds["several"], speeds["one"], strict=True)]),
        "games_per_s": {name: spread(values) for name, values in speeds.items()},
        "decisions_per_game": {"c": c["decisions"] / c["games"], "simulator": one["decisions_per_game"]},
        "same_games": played == {(c["games"], c["decisions"])},
        "runs": runs,
    }


def show(report: dict) -> str:
    """Return a report as a short table."""
    rows = [
        ("C, one core", report["games_per_s"]["c"], "{:,.0f} games/s"),
        ("simulator, 1 thread", report["games_per_s"]["one"], "{:,.0f} games/s"),
        (f"simulator, {report['threads']} threads", report["games_per_s"]["several"], "{:,.0f} games/s"),
        ("simulator / C, 1 thread", report["ratio"], "{:.3f}"),
        (f"speedup by {report['threads']} threads", report["speedup"], "{:.3f}"),
    ]
    lines = [
        f"{report['repetitions']} x {report['games']:,} games, seed {report['seed']}; {report['compiler']}",
        f"{'':26}{'median':>20}{'min':>20}{'max':>20}",
    ]
    for name, values, form in rows:
        lines.append(f"{name:26}" + "".join(f"{form.format(values[key]):>20}" for key in ("median", "min", "max")))
    decisions = report["decisions_per_game"]
    lines.append(f"decisions per game: C {decisions['c']:.4f}, simulator {decisions['simulator']:.4f}")
    return "\n".join(lines)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read and check the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=400_000, help="games a run, a multiple of 4 (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the run (default %(default)s)")
    parser.add_argument("--threads", type=int, default=2, help="threads of the second timing (default %(default)s)")
    parser.add_argument("--repetitions", type=int, default=7, help="paired timings (default %(default)s)")
    parser.add_argument("--compiler", default=os.environ.get("CC", "gcc"), help="C compiler (default %(default)s)")
    parser.add_argument("--flags", default="-O3 -march=native", help="as --flags='-O2' (default %(default)s)")
    parser.add_argument("--json", action="store_true", help="print one JSON object to stdout and nothing else there")
    args = parser.parse_args(arguments)
    if args.games < SEATS or args.games % SEATS:
        parser.error(f"--games must be a positive multiple of {SEATS}, got {args.games}")
    if not 0 <= args.seed < 2**63:
        parser.error(f"--seed must be from 0 to 2^63 - 1, got {args.seed}")
    for name in ("threads", "repetitions"):
        if getattr(args, name) < 1:
            parser.error(f"--{name} must be at least 1, got {getattr(args, name)}")
    return args


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; return the exit code."""
    args = parse(arguments)
    from modernart.analysis.runs.bench import bench

    try:
        with tempfile.TemporaryDirectory() as folder:
            program = compile_twin(Path(folder), args.compiler, shlex.split(args.flags))
            report = compare(
                lambda: run_twin(program, args.games, args.seed),
                bench,
                games=args.games,
                seed=args.seed,
                threads=args.threads,
                repetitions=args.repetitions,
            )
    except ComparisonError as error:
        print(f"compare_c: {error}", file=sys.stderr)
        return 2
    report["compiler"] = f"{args.compiler} {args.flags}"
    print(json.dumps(report) if args.json else show(report))
    if not report["same_games"]:
        print("compare_c: the two did not ask the same number of questions: they play different games", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
