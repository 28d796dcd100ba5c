"""Tournaments from Python."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from modernart.analysis.api.asked import Asked, Progress, asked_list, overrides_from, prepare, shown_progress
from modernart.analysis.field import with_fields
from modernart.analysis.runs.run_folder import Plan, plan_run
from modernart.analysis.runs.tournament import Tournament, hold_in_memory
from modernart.simulator.ahead import compile_ahead
from modernart.simulator.errors import UsageError
from modernart.strategies.base import Strategy
from modernart.strategies.registry import DEFAULT_FIELD
from modernart.strategies.specs import load_players

#: Games of a tournament that is given no number: about ten seconds of two cores.
DEFAULT_GAMES = 200_000


def tournament(
    strategies: Asked | Sequence[Asked] | None = None,
    *,
    edition: str = "classic",
    players: int = 4,
    games: int = DEFAULT_GAMES,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress = None,
    rules: Mapping[str, Any] | None = None,
) -> Tournament:
    """Play strategies against each other at balanced tables and rank them; nothing is written.

    Parameters
    ----------
    strategies : sequence of str or Strategy, optional
        Specs as `modernart tournament` takes them (a name, `"half_value(shade=0.6)"`, `"mybots.py:shy"`, a field of
        the claims such as `"strong"`), or functions under `@modernart.strategy`. Default: the built-in field.
    edition : str
        A built-in edition or a TOML file.
    players : int
        Seats at the table.
    games : int
        Rounded up to whole blocks: one deal, every rotation of the line-up.
    seed : int
        The same seed gives the same games.
    threads : int, optional
        Default: all that the machine has; results do not depend on it.
    progress : bool or callable, optional
        True shows a bar, False none; default: a bar in notebooks. A function is called with games done and wanted.
    rules : mapping, optional
        Changed rules, such as `{"end_count": 6}`.

    Returns
    -------
    Tournament
        With `ranking`, `tables`, `plot`, `report` and `cite`.

    Raises
    ------
    UsageError
        If something is wrong or unknown; the sentence says what to change.
    RunError
        If a strategy fails.
    """
    prepare(progress)
    compile_ahead()
    plan = plan_tournament(asked_list(strategies), edition, players, games, seed, overrides_from(rules))
    with shown_progress(progress, "games", plan.n_games) as (_, advance):
        return hold_in_memory(plan, threads=threads, on_progress=lambda run: advance(run.n_games))


def plan_tournament(
    strategies: Sequence[Asked],
    edition: str,
    players: int,
    games: int,
    seed: int,
    overrides: dict[str, str],
    part: tuple[int, int] | None = None,
) -> Plan:
    """Return the checked plan of a tournament; arguments as of `tournament`, and of `plan_run`.

    Strategies that were defined in Python leave a note in `run.json`: a command line does not bring them back.
    """
    for name, number in (("players", players), ("games", games), ("seed", seed)):
        if isinstance(number, bool) or not isinstance(number, int):
            raise UsageError(f"{name} must be a whole number, got {number!r}")
    chosen = with_fields(strategies or DEFAULT_FIELD)
    plan = plan_run(
        load_players(chosen), edition=edition, seats=players, games=games, seed=seed, overrides=overrides, part=part
    )
    inline = [one.spec for one in chosen if isinstance(one, Strategy) and one.is_foreign and ".py:" not in one.name]
    if not inline:
        return plan
    note = f"Defined in Python, not in a file: {', '.join(inline)}; the command alone does not bring them back"
    return replace(plan, notes=(*plan.notes, note))
