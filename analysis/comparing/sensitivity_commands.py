"""The command `sensitivity`. Heavy imports wait until it runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from modernart.analysis.cluster.option import SchedulerOption
from modernart.analysis.comparing.arguments import OpponentsOption, ParametersOption, StudyOption
from modernart.analysis.comparing.naming import file_stem, result_folder
from modernart.analysis.plain import to_json
from modernart.simulator.arguments import (
    MOST_GAMES_KEPT,
    STUDIES,
    EditionOption,
    JsonOption,
    PlayersOption,
    RuleOption,
    SeedOption,
    ThreadsOption,
    rules_of,
    whole,
)

if TYPE_CHECKING:
    import pandas as pd


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command(rich_help_panel=STUDIES)(sensitivity)


def sensitivity(
    strategy: Annotated[str, typer.Argument(metavar="STRATEGY", help="Strategy whose parameters are varied.")],
    parameters: ParametersOption = None,
    field: OpponentsOption = None,
    games: Annotated[int, whole("Games for each value of a parameter.", 8, MOST_GAMES_KEPT)] = 4_000,
    values: Annotated[int, whole("Values of each parameter.", 2, 1000)] = 9,
    study: StudyOption = None,
    players: PlayersOption = 4,
    edition: EditionOption = "classic",
    rule: RuleOption = None,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
    scheduler: SchedulerOption = "threads",
    as_json: JsonOption = False,
) -> None:
    """Show how win share and money respond to each parameter, on the same deals and random streams."""
    from modernart.analysis.comparing.sensitivity import plot_sensitivity
    from modernart.analysis.comparing.sensitivity import sensitivity as measure
    from modernart.analysis.comparing.tuning_plots import save
    from modernart.analysis.field import with_fields
    from modernart.analysis.progress import progress_bar
    from modernart.simulator.compiling import announce_compilation
    from modernart.simulator.files import check_output, whole_file
    from modernart.simulator.simulate import n_blocks_for
    from modernart.strategies.specs import load_strategy, split_specs
    from modernart.strategies.tuning.focal_seat import FocalSeat

    rules = rules_of(edition, players, rule=rule)
    announce_compilation()
    base = load_strategy(strategy)
    names = split_specs(parameters) or list(base.params)
    rivals = [load_strategy(spec).player() for spec in with_fields(split_specs(field)) or [strategy]]
    folder = result_folder(study, f"sensitivity-{file_stem(base.name)}")
    check_output(folder, is_folder=True)
    n_deals = n_blocks_for(rules, games)
    with progress_bar("games", (len(names) * values + 1) * n_deals * rules.players) as (_, advance):
        table = measure(
            base,
            names,
            FocalSeat(rivals, rules, seed, threads),
            n_deals=n_deals,
            n_values=values,
            on_progress=advance,
        )
    with whole_file(folder / "sensitivity.csv") as file:
        table.to_csv(file, index=False)
    save(plot_sensitivity(table, base, n_deals), folder / "sensitivity.png")
    if as_json:
        print(to_json({"strategy": base.spec, "deals": n_deals, "curves": table.to_dict("records")}))
    else:
        _show(table, names, n_deals, folder)


def _show(table: "pd.DataFrame", names: list[str], n_deals: int, folder: Path) -> None:
    """Print the best value tried of each parameter."""
    width = max(map(len, names))
    print(f"{'parameter':{width}}   present   best value tried, and its gain (not corrected for choosing it)")
    for name in names:
        rows = table[table["parameter"] == name]
        best = rows.loc[rows["money_difference"].idxmax()]
        present = rows.loc[rows["is_present"], "value"].iloc[0]
        money = (
            f"{best.money_difference:+.1f} money [{best.money_difference_low:+.1f}, {best.money_difference_high:+.1f}]"
        )
        wins = f"{100 * best.win_difference:+.1f} points"
        print(f"{name:{width}}  {present:8.4g}   {best.value:.4g}: {money}, {wins}")
    print(f"\n{n_deals:,} deals a value, the same for all; 95% intervals. Files: {folder}/ (sensitivity.png)")
