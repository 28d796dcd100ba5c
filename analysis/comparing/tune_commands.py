"""The command `tune`. Heavy imports wait until it runs."""

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from modernart.analysis.cluster.option import SchedulerOption
from modernart.analysis.comparing.arguments import BudgetOption, ObjectiveOption, ParametersOption, StudyOption
from modernart.analysis.comparing.naming import (
    percent,
    percent_range,
)
from modernart.analysis.plain import to_json
from modernart.simulator.arguments import (
    STUDIES,
    EditionOption,
    JsonOption,
    PlayersOption,
    RuleOption,
    SeedOption,
    ThreadsOption,
)

if TYPE_CHECKING:
    from modernart.analysis.comparing.tuning_study import StudyResult
    from modernart.strategies.base import Strategy


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command(rich_help_panel=STUDIES)(tune)


def tune(
    strategy: Annotated[
        str, typer.Argument(metavar="STRATEGY", help="Strategy to tune; its parameters are the start.")
    ],
    against: Annotated[
        str | None,
        typer.Option(metavar="SPECS", help="Field, separated by commas; default: STRATEGY and simple bidders."),
    ] = None,
    parameters: ParametersOption = None,
    objective: ObjectiveOption = "money",
    budget: BudgetOption = 200_000,
    study: StudyOption = None,
    players: PlayersOption = 4,
    edition: EditionOption = "classic",
    rule: RuleOption = None,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
    scheduler: SchedulerOption = "threads",
    as_json: JsonOption = False,
) -> None:
    """Tune a strategy's parameters against a field; an interrupted study goes on when the command is given again."""
    from modernart.analysis.api.studies import tune as search
    from modernart.simulator.rules import parse_overrides
    from modernart.strategies.specs import load_strategy, split_specs

    outcome = search(
        strategy,
        against=split_specs(against),
        parameters=split_specs(parameters),
        objective=objective,
        budget=budget,
        study=study,
        edition=edition,
        players=players,
        seed=seed,
        threads=threads,
        progress=True,
        rules=parse_overrides(rule or []),
    )
    if as_json:
        print(to_json(outcome.result))
    else:
        _show_study(outcome, load_strategy(strategy))


def _show_study(outcome: "StudyResult", start: "Strategy") -> None:
    """Print what a study came to."""
    result, summary = outcome.result, outcome.summary
    width = max(len(name) for name in result["parameters"])
    before = dict(zip(start.params, start.vector, strict=True))
    for name, value in result["parameters"].items():
        print(f"{name:{width}}  {before[name]:8.4g} -> {value:.4g}")
    print(f"\nwin share on held-out deals  {percent(result['win_share_before'])} before, ", end="")
    print(f"{percent(result['win_share_after'])} after; gain {percent_range(summary['gain_ci'], '+')} points")
    for row in result["held_out"]:
        if not row["met_in_search"]:
            gain = f"{100 * row['gain']:+.2f} points {percent_range(row['gain_ci'], '+')}"
            print(f"gain among {row['rivals']:17} {gain}")
    best = summary["best_candidate"]
    print(f"best candidate of the search {percent(best['win_share_search'])} there, ", end="")
    print(f"{percent(best['win_share_held_out'])} on held-out deals: luck chose it, so the mean is taken")
    words = {
        "better": "the tuned is better than the untuned",
        "worse": "the tuned is worse than the untuned: keep the untuned",
        "equal": "no difference that matters",
        "undecided": "no difference shown: keep the untuned",
    }
    print(f"test against the untuned     {result['verdict']}: {words[result['verdict']]}")
    if summary["better_deviations"]:
        print(f"not at its optimum           {', '.join(summary['better_deviations'])} would be better")
    print(f"\n{result['games']:,} games. Files: {outcome.folder}/ (path.png, deviations.png, held_out.csv)")
    print(f"Next: modernart duel '{start.name.split('@')[0]}@{outcome.folder}/tuned.toml' {shlex.quote(start.spec)}")
