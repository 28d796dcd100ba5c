"""Results as plain JSON: NaN and infinity become null."""

import json
import math
from pathlib import Path
from typing import Any

from modernart.simulator.files import whole_file


def plain(value: Any) -> Any:
    """Return a value of dicts, lists and numbers with every NaN and infinity replaced by None."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if hasattr(value, "item"):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def to_json(value: Any) -> str:
    """Return a value as one line of valid JSON."""
    return json.dumps(plain(value), allow_nan=False)


def write_json(path: Path, data: Any) -> None:
    """Write data as JSON, whole or not at all."""
    with whole_file(path) as file:
        file.write(json.dumps(plain(data), indent=1, ensure_ascii=False, allow_nan=False) + "\n")
