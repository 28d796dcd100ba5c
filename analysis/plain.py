"""Results as plain JSON: what is not a number, or has no bound, is null."""

import json
import math
from typing import Any


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
