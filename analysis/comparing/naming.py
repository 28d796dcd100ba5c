"""How studies of this wing are named and written: opponents by default, folders, command lines, numbers as text."""

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

#: Default opponents besides copies: tuning against copies alone overfits to them.
DEFAULT_RIVALS = ("half_value", "fair_share", "full_value")
#: Opponents that a search never meets unless told to, besides those of the default field: bidders built differently.
HELD_OUT = ("reactive", "standard", "me_vs_you")


def result_folder(name: str | None, default: str) -> Path:
    """Return a folder for results: as named under results/, or a path."""
    return Path(name) if name and "/" in name else Path("results") / (name or default)


def held_out_of(field: Sequence[str]) -> list[str]:
    """Return the opponents that a search against a field never meets."""
    from modernart.strategies.registry import DEFAULT_FIELD

    return [name for name in (*DEFAULT_FIELD, *HELD_OUT) if name not in field]


def file_stem(name: str) -> str:
    """Return a strategy's name as part of a file's name."""
    return re.sub(r"\W+", "-", name.split("@")[0].rpartition("/")[2]).strip("-")


def command_line(name: str, spec: str, options: Mapping[str, Any], rule: Sequence[str] | None) -> str:
    """Return the command line that makes a study again."""
    words = ["modernart", name, spec]
    for option, value in options.items():
        words += [f"--{option.replace('_', '-')}", str(value)]
    for change in rule or []:
        words += ["--rule", change]
    return shlex.join(words)


def percent(share: float) -> str:
    """Return a share as text."""
    return f"{100 * share:.2f}%"


def percent_range(interval: Sequence[float], sign: str = "") -> str:
    """Return the interval of a share, or of a difference of shares (sign "+"), in points."""
    return f"[{100 * interval[0]:{sign}.2f}, {100 * interval[1]:{sign}.2f}]"
