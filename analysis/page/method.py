"""How a run was made, told on the page: what counts as one observation, parameters by name, rules, origin and cost."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from modernart.simulator.errors import UsageError
from modernart.simulator.rules import builtin_editions, load_edition, option_meanings
from modernart.simulator.simulate import Run
from modernart.strategies.registry import BY_NAME


@dataclass(frozen=True)
class PlainTable:
    """A table of words."""

    title: str
    note: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]


def sentences_of() -> list[str]:
    """Return how numbers and intervals come about."""
    return [
        "The unit is the deal. A block is one deal played with every rotation of a line-up over the seats, so that "
        "every player gets every hand; games of one deal are not independent, and intervals come from blocks.",
        "Strategies: t intervals of block means (as a ratio where a strategy sits in some blocks more often). All "
        "other numbers: the same over 32 independent batches of deals. Confidence 95%; intervals are not "
        "corrected for their number, p values of differences are (Holm).",
        "Ratings: Plackett-Luce strengths fitted to who won at which tables.",
        "Tallies are whole numbers and do not depend on threads or chunks: the command below makes the same ones.",
    ]


def facts_of(run: Run, data: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what makes the run anew, where it comes from and what it cost."""
    return [
        ("command", f"`{data['command']}`"),
        ("seed", str(run.seed)),
        ("games", f"{run.n_games:,} ({run.n_blocks:,} blocks of {run.rules.players})"),
        ("line-ups", "balanced: every strategy meets every other equally often and takes every seat"),
        (
            "cost",
            f"{data['cpu_seconds']:.1f} CPU seconds, {timedelta(seconds=round(data['seconds']))} on the clock, "
            f"{data['threads']} {'thread' if data['threads'] == 1 else 'threads'}; {run.n_decisions:,} decisions",
        ),
        ("date", str(data.get("date", "not known")).replace("T", " ").replace("+00:00", " UTC")),
        ("commit", _commit_in_words(data.get("commit"))),
        ("system", str(data.get("system", "not known"))),
        ("versions", ", ".join(f"{name} {number}" for name, number in data["versions"].items())),
    ]


def _commit_in_words(commit: str | None) -> str:
    if not commit:
        return "not known: not run from a repository"
    return f"{commit[:12]}, with changes that are in no commit" if commit.endswith("+") else commit[:12]


def method_tables(run: Run, data: Mapping[str, Any]) -> list[PlainTable]:
    """Return the parameters that strategies played by, and the rules beside those of the edition."""
    tables = [_rules_table(run)]
    parameters = [row for one in data["identity"]["strategies"] for row in _parameters(one["name"], one["params"])]
    if parameters:
        note = "What the strategies played by; a strategy that is not listed has no parameters."
        headings = ("strategy", "parameter", "value", "meaning")
        tables.append(PlainTable("Parameters of the strategies", note, headings, parameters))
    return tables


def _parameters(name: str, values: Sequence[float]) -> list[tuple[str, str, str, str]]:
    known = BY_NAME.get(re.split(r"[(@]", name)[0].strip())
    params = list(known.params.items()) if known is not None and len(known.params) == len(values) else []
    rows = []
    for i, value in enumerate(values):
        key, doc = (params[i][0], params[i][1].doc) if params else (f"number {i + 1}", "")
        rows.append((name, key, f"{value:g}", doc))
    return rows


def _rules_table(run: Run) -> PlainTable:
    """Return every option of the rules beside its value in the edition; of an edition in a file, beside `classic`."""
    rules = run.rules
    base_name = rules.edition if rules.edition in builtin_editions() else "classic"
    base = load_edition(base_name)
    try:
        deal: Any = base.rules(rules.players).deal
    except UsageError:
        deal = None
    rows = []
    for name, meaning in [("deal", "new cards of each player in each round"), *option_meanings().items()]:
        here, there = getattr(rules, name), deal if name == "deal" else getattr(base, name)
        rows.append((name, _shown(here), "the same" if here == there else _shown(there), meaning))
    deck = "the same" if dict(rules.deck) == dict(base.deck) and rules.artists == base.artists else _cards(base)
    rows.append(("deck", _cards(rules), deck, "cards and artists"))
    note = f"Options of edition `{rules.edition}` as played, for {rules.players} players."
    return PlainTable("Rules", note, ("option", "in this run", f"in {base_name}", "meaning"), rows)


def _cards(rules: Any) -> str:
    return f"{rules.n_cards} cards of {', '.join(rules.artists)}"


def _shown(value: Any) -> str:
    if value is None:
        return "none for so many players"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
