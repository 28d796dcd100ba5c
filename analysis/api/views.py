"""What games in Python show: tables and hands as their strategies see them, and text that stands as it is."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np


class Text(str):
    """Text that notebooks and prompts show as it stands."""

    def __repr__(self) -> str:
        """Return the text itself."""
        return str(self)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self)}</pre>"


class View:
    """A copy of a table or a hand, as strategies see it: every field of its record, as plain numbers and arrays.

    Parameters
    ----------
    record : record
    sizes : mapping of str to int
        How many seats, artists and rounds there are and, of a hand, cards; fields of records have room for more.
    title : str
        What `repr` begins with.
    shown : sequence of str
        Fields in `repr`.
    words : mapping of str to str
        Fields that `repr` shows in words.
    """

    def __init__(
        self, record: Any, sizes: Mapping[str, int], title: str, shown: Sequence[str], words: Mapping[str, str]
    ) -> None:
        self._title, self._shown, self._words = title, tuple(shown), dict(words)
        self._fields = {name: _plain_field(name, record[name], sizes) for name in record.dtype.names}

    def __getattr__(self, name: str) -> Any:
        """Return a field."""
        if name.startswith("_") or name not in self._fields:
            raise AttributeError(f"{self._title} has no field {name}; it has: {', '.join(self.__dict__['_fields'])}")
        return self._fields[name]

    def __dir__(self) -> list[str]:
        """Return the fields, for completion."""
        return list(self._fields)

    def __repr__(self) -> str:
        """Return the fields that matter most."""
        parts = [f"{name} {self._words.get(name, self._fields.get(name))}" for name in self._shown]
        return f"{self._title}: {', '.join(parts)}"


#: What the places of a field stand for, where the rules may use fewer than there are.
_AXES = {
    **dict.fromkeys(("money", "hand_sizes", "heard", "skips_turn"), ("seats",)),
    **dict.fromkeys(("cards_out", "cards_gone", "values", "artist_copies", "rank_values", "fitting"), ("artists",)),
    **dict.fromkeys(("gallery", "stakes"), ("seats", "artists")),
    "deal": ("rounds",),
    "cards": ("cards",),
}


def _plain_field(name: str, value: Any, sizes: Mapping[str, int]) -> Any:
    if isinstance(value, np.void):
        return View(value, sizes, "rules", value.dtype.names or (), {})
    if isinstance(value, np.ndarray):
        used = tuple(slice(sizes[axis]) for axis in _AXES.get(name, ()))
        return np.array(value[used])
    return value.item()
