"""Verdicts as text, Markdown and JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

from modernart.analysis.plain import to_json as plain_json

#: Factor and word of each unit.
UNITS = {"money": (1.0, ""), "share": (100.0, " points"), "lots": (1.0, " lots"), "deviations": (1.0, " sd")}


def in_words(test: Mapping[str, Any]) -> str:
    """Write a test's number with its interval: money, points of a share, lots or standard deviations."""
    scale, unit = UNITS[test["unit"]]
    digits = 2 if test["unit"] in ("deviations", "lots") else 1
    low, high = test["ci"]
    text = f"{scale * test['estimate']:+.{digits}f}{unit}"
    return text if low is None else f"{text} ({scale * low:+.{digits}f} to {scale * high:+.{digits}f})"


def lines(story: Mapping[str, Any]) -> list[str]:
    """Write a claim for the terminal: what it says, its verdict, and every test."""
    verdict = story["verdict"]
    found = [f"{story['says']} {verdict.upper() if len(verdict) < 6 else verdict}"]
    reading = None
    for test in story["tests"]:
        if test["reading"] != reading:
            reading = test["reading"]
            found.append(f"    {reading}: {test['hypothesis']}")
        found.append(f"        {test['field']}: {in_words(test)}, {test['verdict']}")
    found.append(f"    Source: {story['source']}")
    return found


def markdown(stories: Sequence[Mapping[str, Any]]) -> str:
    """Write the verdicts as a table in Markdown, a row for each reading."""
    fields = list(dict.fromkeys(test["field"] for story in stories for test in story["tests"]))
    head = ["claim", "reading", "what was measured", *fields]
    table = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for story in stories:
        claim = f"{story['says']} *{story['verdict']}* ({story['source']})"
        for reading in dict.fromkeys(test["reading"] for test in story["tests"]):
            tests = {test["field"]: test for test in story["tests"] if test["reading"] == reading}
            hypothesis = next(iter(tests.values()))["hypothesis"]
            numbers = [f"{in_words(tests[field])}, *{tests[field]['verdict']}*" for field in fields]
            table.append("| " + " | ".join([claim, reading, hypothesis, *numbers]) + " |")
            claim = ""
    return "\n".join(table) + "\n"


def to_json(stories: Sequence[Mapping[str, Any]], **facts: Any) -> str:
    """Write the verdicts as one JSON object."""
    return plain_json({"format": "modern-art-claims", "version": 1, **facts, "claims": list(stories)})
