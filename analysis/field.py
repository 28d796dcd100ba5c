"""Who plays by which rules in a study: from the command line, or from a run folder."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from modernart.analysis.claims.catalogue import field_strategies
from modernart.analysis.runs.run_folder import read_run_file, spec_of
from modernart.simulator.errors import UsageError
from modernart.simulator.players import Player
from modernart.simulator.rules import Rules, load_edition, parse_overrides
from modernart.strategies.base import Strategy
from modernart.strategies.registry import DEFAULT_FIELD
from modernart.strategies.specs import load_players


@dataclass(frozen=True)
class Field:
    """Players, rules and seed of a study; `label` names the edition with its changes."""

    players: list[Player]
    rules: Rules
    seed: int
    label: str


def with_fields(specs: Sequence[str | Strategy]) -> list[str | Strategy]:
    """Return what is asked for, with its strategies for the name of a field of the claims (`weak`, `strong`, ...)."""
    fields = field_strategies()
    return [one for spec in specs for one in (fields.get(spec, (spec,)) if isinstance(spec, str) else (spec,))]


def field_of(
    specs: Sequence[str | Strategy] | None,
    run: Path | None,
    edition: str,
    players: int,
    rule: Sequence[str] | None,
    seed: int,
) -> Field:
    """Return the field that a command line asks for; a run folder stands for all the rest.

    Raises
    ------
    UsageError
        If something is wrong or unknown, or a run's strategies are no longer what they were.
    """
    if run is None:
        chosen = load_edition(edition, parse_overrides(rule or []))
        return Field(load_players(with_fields(specs or DEFAULT_FIELD)), chosen.rules(players), seed, chosen.label)
    if specs:
        raise UsageError("give strategies or --run, not both")
    data = read_run_file(run)
    identity = data["identity"]
    loaded = load_players([spec_of(strategy["name"]) for strategy in identity["strategies"]])
    for player, strategy in zip(loaded, identity["strategies"], strict=True):
        if [float(x) for x in player.params] != strategy["params"]:
            raise UsageError(f"{player.name} has other parameters now than in {run}; play the run anew")
    return Field(loaded, Rules.from_record(identity["rules"]), identity["seed"], data["edition"])
