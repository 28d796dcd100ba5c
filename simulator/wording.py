"""Pieces of the sentences that tell a user what to change."""

import difflib
import json
from collections.abc import Iterable
from typing import Any


def one_of(values: Iterable[Any]) -> str:
    """Write ``a, b or c``."""
    *most, last = (str(value) for value in values)
    return f"{', '.join(most)} or {last}" if most else last


def shown(value: Any, length: int = 60) -> str:
    """Write a value much as TOML and JSON do, cut if it is longer than `length`."""
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= length else f"{text[: length - 3]}..."


def printable(text: str) -> str:
    """Return one line for a terminal: what could steer it, or is no character at all, is written as an escape."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def cut(text: str, length: int = 1500) -> str:
    """Return a text with its middle left out if it is longer than `length`."""
    half = length // 2
    return text if len(text) <= length else f"{text[:half]} ... {text[-half:]}"


def near_names(name: str, names: Iterable[str], most: int = 3) -> list[str]:
    """Return the names that a misspelt one may stand for, the most similar first."""
    return difflib.get_close_matches(name, list(names), n=most, cutoff=0.6)


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Say that there is no such name, and which are near, or else which there are."""
    names = list(known)
    near = near_names(name, names)
    return f'there is no {what} "{name}"; ' + (f"did you mean {one_of(near)}?" if near else f"use {one_of(names)}")
