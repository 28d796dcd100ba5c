"""Where numbers come from: versions, commit, system, date and cost of a run or a study."""

import hashlib
import json
import platform
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from modernart.simulator.errors import UsageError
from modernart.simulator.players import Player, with_callees
from modernart.simulator.rules import Rules
from modernart.strategies.identity import identity_of

#: Packages whose version can change a number or a figure.
_PACKAGES = ("numpy", "numba", "pandas", "scipy")
_ROOT = Path(__file__).resolve().parents[1]


def versions() -> dict[str, str]:
    """Return the versions of this program, of Python and of the packages that took part."""
    try:
        own = version("modern-art-simulator")
    except PackageNotFoundError:
        own = "not installed"
    names = {"modern-art-simulator": own, "python": platform.python_version()}
    return names | {name: version(name) for name in _PACKAGES}


@cache
def commit() -> str | None:
    """Return the commit of the sources, with "+" if they were changed since; None outside a repository."""
    # Installed beside other packages, the sources may lie inside a repository of somebody else.
    if not (_ROOT / ".git").exists():
        return None
    try:
        head, status = (
            subprocess.run(
                ["git", "--no-optional-locks", "-C", str(_ROOT), *words],
                capture_output=True,
                text=True,
                check=True,
                timeout=10,
            )
            for words in (["rev-parse", "HEAD"], ["status", "--porcelain", "--untracked-files=no"])
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return head.stdout.strip() + ("+" if status.stdout.strip() else "")


def release() -> str:
    """Return name and version as an archive of releases lists them: with the commit where the sources lie in one."""
    own = versions()["modern-art-simulator"]
    at = commit()
    local = f"+g{at[:10]}{'.changed' if at.endswith('+') else ''}" if at else ""
    return f"modern-art-simulator {own}{local}"


def rules_digest(rules: Rules) -> str:
    """Return a digest of a rule set: equal for equal rules, whatever their edition is called."""
    text = json.dumps(rules.to_record(), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def citation(command: str, rules: Rules, seed: int, games: int, label: str) -> str:
    """Return what a paper that uses the numbers of a run should print: a sentence, and a BibTeX entry.

    Parameters
    ----------
    command : str
        Command line that makes the run again.
    rules : Rules
    seed, games : int
    label : str
        The edition as tables name it.
    """
    year = datetime.now(UTC).year
    digest = rules_digest(rules)
    return (
        f"{release()}, edition {label} for {rules.players} players (digest {digest}), seed {seed}, {games:,} games; "
        f"made by: {command}\n\n"
        "@software{modern_art_simulator,\n"
        "  author = {{the modern-art-simulator authors}},\n"
        "  title = {modern-art-simulator: a laboratory for the auction game Modern Art},\n"
        f"  version = {{{release().partition(' ')[2]}}},\n"
        f"  year = {{{year}}},\n"
        f"  note = {{edition digest {digest}, seed {seed}}},\n"
        "}"
    )


def provenance() -> dict[str, Any]:
    """Return `release`, `versions`, `commit`, `system` and `date` (UTC, to the second)."""
    return {
        "release": release(),
        "versions": versions(),
        "commit": commit(),
        "system": f"{platform.system()} {platform.machine()}",
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def cost(seconds: float, cpu_seconds: float, threads: int) -> dict[str, float | int]:
    """Return what the playing of games cost: wall clock, processor time and threads."""
    return {"seconds": round(seconds, 3), "cpu_seconds": round(cpu_seconds, 3), "threads": threads}


def code_digest(players: Sequence[Player], rules: Rules) -> str:
    """Return a digest of what decides how games go: the sources of simulator and strategies, and who the players are.

    It is another each time for a player of whom it cannot be told what its code depends on.
    """
    parts = {_source_digest()}
    for player in with_callees(players):
        parts.add(identity_of(player.act).digest.encode())
        # Of one that searches the data are addresses of those whose code it calls.
        if player.data is not None and not player.calls:
            parts.add(_digest_of_data(player, rules))
    return hashlib.sha256(b"".join(sorted(parts))).hexdigest()[:16]


def _digest_of_data(player: Player, rules: Rules) -> bytes:
    try:
        numbers = player.data(rules) if callable(player.data) else player.data
    except UsageError as error:
        # Weights made for other rules: who searches with them falls back on another strategy.
        return str(error).encode()
    return hashlib.sha256(np.ascontiguousarray(numbers).tobytes()).digest()


@cache
def _source_digest() -> bytes:
    paths = {*(_ROOT / "simulator").rglob("*.py"), *(_ROOT / "strategies").rglob("*.py")}
    contents = sorted(hashlib.sha256(path.read_bytes()).digest() for path in paths if path.is_file())
    return hashlib.sha256(b"".join(contents)).digest()
