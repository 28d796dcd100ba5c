"""The command `metagame`. Heavy imports wait until it runs."""

from pathlib import Path
from typing import Annotated, Any

import typer

from modernart.analysis.cluster.option import SchedulerOption
from modernart.analysis.comparing.arguments import StudyOption
from modernart.analysis.comparing.naming import percent, percent_range, result_folder
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


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command(rich_help_panel=STUDIES)(metagame)


def metagame(
    specs: Annotated[
        list[str] | None, typer.Argument(metavar="[SPEC]...", help="Strategies; default: the field.")
    ] = None,
    games: Annotated[int, whole("Games in all, spread evenly over the tables.", 1, MOST_GAMES_KEPT)] = 200_000,
    bootstrap: Annotated[int, whole("Bootstrap samples of deals.", 2, 100_000)] = 200,
    study: StudyOption = None,
    players: PlayersOption = 4,
    edition: EditionOption = "classic",
    rule: RuleOption = None,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
    scheduler: SchedulerOption = "threads",
    as_json: JsonOption = False,
) -> None:
    """Find out which strategies a population of players would end up with: payoffs of all tables, and dynamics."""
    from modernart.analysis.progress import progress_bar, stages

    with stages("starting"):
        from modernart.analysis.comparing.metagame import analyse
        from modernart.analysis.comparing.metagame_plots import plot_metagame
        from modernart.analysis.comparing.payoffs import play_tables
        from modernart.analysis.comparing.tuning_plots import save
        from modernart.analysis.plain import write_json
        from modernart.simulator.compiling import announce_compilation
        from modernart.simulator.files import check_output, whole_file
        from modernart.strategies.registry import DEFAULT_FIELD
        from modernart.strategies.specs import load_players

    rules = rules_of(edition, players, rule=rule)
    # A population holds each strategy once, however often it is named.
    announce_compilation()
    bidders = load_players(list(dict.fromkeys(specs or DEFAULT_FIELD)))
    folder = result_folder(study, "metagame")
    check_output(folder, is_folder=True)
    with progress_bar("games", games) as (_, advance):
        payoffs = play_tables(bidders, rules, games, seed=seed, threads=threads, on_progress=advance)
    with stages("population dynamics"):
        outcome = analyse(payoffs, bootstrap, seed)
        with whole_file(folder / "payoffs.csv") as file:
            payoffs.table().to_csv(file, index=False)
        write_json(folder / "summary.json", outcome)
        save(plot_metagame(payoffs.game(), outcome), folder / "dynamics.png")
    if as_json:
        print(to_json(outcome))
    else:
        _show(outcome, folder)


def _show(outcome: dict[str, Any], folder: Path) -> None:
    """Print where a population goes."""
    width = max(12, *map(len, outcome["strategies"]))
    print(f"{'strategy':{width}}  time in a finite population   regret if all play it   least regret")
    for name, time_share in outcome["stationary"].items():
        regret = outcome["regret"][f"all {name}"]
        time_words = f"{percent(time_share['share']):>7} {percent_range(time_share['ci'])}"
        regret_words = f"{100 * regret['regret']:5.2f} {percent_range(regret['ci'])}"
        print(f"{name:{width}}  {time_words:28}  {regret_words:22}  {percent(outcome['nash']['mix'][name]):>7}")
    rest = "come to rest" if outcome["replicator"]["is_at_rest"] else "do not come to rest"
    end = max(outcome["replicator"]["end"], key=outcome["replicator"]["end"].get)
    print(f"\nReplicator dynamics from equal shares {rest}; most there is {end}.")
    for cycle in outcome["cycles"][:5]:
        names = cycle["strategies"]
        print(f"Cycle: {' < '.join([*names, names[0]])} (in {cycle['bootstrap_share']:.0%} of bootstrap samples)")
    if not outcome["cycles"]:
        print("No cycle of strategies each of which replaces the one before.")
    print(f"\n{outcome['games']:,} games: {outcome['tables']} tables of {outcome['deals']:,} deals. Files: {folder}/")
