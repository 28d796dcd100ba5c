"""Play a tournament with each hostile bot of the tests and print what came of it, as a table."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from hostile_bots import HOSTILE  # noqa: E402


def played(name: str, folder: Path, patience: float) -> tuple[subprocess.CompletedProcess, float]:
    """Play a tournament with a hostile bot; returns how it ended, and after how many seconds."""
    (folder / "bot.py").write_text(HOSTILE[name].text())
    command = [sys.executable, "-m", "modernart", "tournament", "bot.py:bot", "random", "half_value", "--players", "3"]
    command += ["--games", "20000", "--output", "run", "--no-report"]
    env = os.environ | {"MODERNART_PATIENCE": str(patience)}
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=env, check=False)
    return done, time.monotonic() - start


def main() -> None:
    """Print a row for each bot; exit code 1 if one was not told as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(HOSTILE))
    parser.add_argument("--patience", type=float, default=10.0)
    arguments = parser.parse_args()
    print("| bot | exit code | seconds | what the command says |\n|---|---|---|---|")
    n_wrong = 0
    for name in arguments.names:
        with tempfile.TemporaryDirectory() as folder:
            done, seconds = played(name, Path(folder), arguments.patience)
        told = (done.stderr.strip().splitlines() or [""])[-1]
        is_right = done.returncode == 1 and HOSTILE[name].words in told and "bot.py" in told and not done.stdout
        n_wrong += not is_right
        text = told.removeprefix("error: ").partition("; see it: ")[0].replace("|", "\\|")
        mark = "" if is_right else " **(wrong)**"
        print(f"| {name} | {done.returncode} | {seconds:.1f} | {text}{mark} |", flush=True)
    print(f"\n{len(arguments.names)} bots, {n_wrong} not told as they should be")
    sys.exit(n_wrong > 0)


if __name__ == "__main__":
    main()
