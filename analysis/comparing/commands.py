"""Commands that compare, tune and test strategies: `duel`, `tune`, `exploit`, `sensitivity`, `metagame`.

Heavy imports wait until a command runs.
"""

import re
import shlex
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from modernart.analysis.plain import to_json
from modernart.simulator.arguments import (
    STUDIES,
    EditionOption,
    JsonOption,
    PlayersOption,
    RuleOption,
    SeedOption,
    ThreadsOption,
    rules_of,
)

#: Whom `tune` takes beside copies: tuned against copies alone, a strategy forgets how to play against others.
DEFAULT_RIVALS = ("half_value", "fair_share", "full_value")
#: Opponents that a search never meets unless told to, beside those of the default field: bidders of other make.
HELD_OUT = ("reactive", "standard", "me_vs_you")


def register(app: typer.Typer) -> None:
    """Add these commands to `app`."""
    app.command(rich_help_panel=STUDIES)(duel)
    app.command(rich_help_panel=STUDIES)(tune)
    app.command(rich_help_panel=STUDIES)(exploit)
    app.command(rich_help_panel=STUDIES)(sensitivity)
    app.command(rich_help_panel=STUDIES)(metagame)


def duel(
    a: Annotated[str, typer.Argument(metavar="A", help="Strategy to judge.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Strategy it is compared with.")],
    field: Annotated[
        str | None, typer.Option(metavar="X,Y,Z", help="Strategies in all other seats; default: copies of B.")
    ] = None,
    players: PlayersOption = 4,
    edition: EditionOption = "classic",
    rule: RuleOption = None,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
    fixed: Annotated[
        int | None, typer.Option(metavar="GAMES", help="Play so many games; default: until it is clear.", min=1)
    ] = None,
    most_games: Annotated[int, typer.Option(metavar="GAMES", help="Give up after so many games.", min=1)] = 400_000,
    margin: Annotated[
        float, typer.Option(help="Differences of win share below this count as none.", min=0, max=1)
    ] = 0.01,
    as_json: JsonOption = False,
) -> None:
    """Compare two strategies in the same chair, at the same tables, on the same deals and dice."""
    from modernart.analysis.comparing.duel import duel as play_duel
    from modernart.simulator.compiling import announce_compilation
    from modernart.strategies.specs import load_strategy, split_specs

    rules = rules_of(edition, players, rule=rule)
    one, other = (load_strategy(spec).player() for spec in (a, b))
    rivals = [load_strategy(spec).player() for spec in split_specs(field)]
    announce_compilation()
    with _progress() as progress:
        task = progress.add_task("playing", total=fixed or most_games)

        def show(games: int, interval: tuple[float, float]) -> None:
            words = f"difference {100 * interval[0]:+.1f} to {100 * interval[1]:+.1f} points"
            progress.update(task, completed=games, description=words)

        result = play_duel(
            one,
            other,
            rivals,
            rules,
            seed=seed,
            threads=threads,
            fixed=fixed,
            most_games=most_games,
            margin=margin,
            on_progress=show,
        )
    if as_json:
        print(to_json(result.to_json()))
        return
    words = {
        "better": f"{one.name} is better than {other.name}",
        "worse": f"{one.name} is worse than {other.name}",
        "equal": f"{one.name} and {other.name} are equal within {100 * margin:g} points of win share",
        "undecided": f"no difference shown between {one.name} and {other.name}",
    }
    print(f"{words[result.verdict]} (in a chair among {_names(rivals) or 'copies of ' + other.name})\n")
    other_share = _share(result.win_share_other)
    print(f"win share        {_share(result.win_share)} {_range(result.win_share_ci)}, against {other_share}")
    print(f"difference      {100 * result.difference:+6.2f} points {_range(result.difference_ci, '+')}")
    low, high = result.money_difference_ci
    print(f"money           {result.money_difference:+6.2f} a game [{low:+.2f}, {high:+.2f}]")
    kind = "number fixed beforehand" if fixed else "valid whenever one looks; estimates corrected for stopping"
    print(f"\n{result.games:,} games each on the same deals; 95% intervals ({kind})")


def tune(
    strategy: Annotated[
        str, typer.Argument(metavar="STRATEGY", help="Strategy to tune; its parameters are the start.")
    ],
    against: Annotated[
        str | None,
        typer.Option(metavar="SPECS", help="Field, separated by commas; default: STRATEGY and simple bidders."),
    ] = None,
    parameters: Annotated[
        str | None, typer.Option(metavar="A,B", help="Parameters to tune; default: all it has.")
    ] = None,
    objective: Annotated[
        str, typer.Option(metavar="money|win", help="Money relative to rivals (less noisy), or win share.")
    ] = "money",
    budget: Annotated[int, typer.Option(metavar="GAMES", help="Games of the search; checks come on top.")] = 200_000,
    study: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Folder under results/, or a path; default: named after STRATEGY."),
    ] = None,
    players: PlayersOption = 4,
    edition: EditionOption = "classic",
    rule: RuleOption = None,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tune a strategy's parameters against a field; an interrupted study goes on when the command is given again."""
    from modernart.analysis.comparing.tuning_study import StudyPlan, run_study, study_folder
    from modernart.simulator.compiling import announce_compilation
    from modernart.strategies.specs import load_strategy, split_specs

    rules = rules_of(edition, players, rule=rule)
    start = load_strategy(strategy)
    field = split_specs(against) or [strategy, *(name for name in DEFAULT_RIVALS if name != strategy)]
    names = split_specs(parameters) or list(start.params)
    options = {"against": ",".join(field), "parameters": ",".join(names), "objective": objective, "budget": budget}
    options |= {"players": players, "edition": edition, "seed": seed}
    plan = StudyPlan(
        start,
        field,
        held_out_of(field),
        names,
        objective,
        budget,
        rules,
        seed,
        _command("tune", strategy, options, rule),
    )
    _ = plan.search  # faults of the call come before anything is written
    folder = study_folder(study, f"tune-{file_stem(start.name)}", plan)
    announce_compilation()
    with _study_progress(plan) as tell:
        outcome = run_study(plan, folder, threads=threads, on_progress=tell)
    if as_json:
        print(to_json(outcome.result))
        return
    _show_study(outcome, start)


def _show_study(outcome, start) -> None:
    """Print what a study came to."""
    result, summary = outcome.result, outcome.summary
    width = max(len(name) for name in result["parameters"])
    before = dict(zip(start.params, start.vector, strict=True))
    for name, value in result["parameters"].items():
        print(f"{name:{width}}  {before[name]:8.4g} -> {value:.4g}")
    print(f"\nwin share on held-out deals  {_share(result['win_share_before'])} before, ", end="")
    print(f"{_share(result['win_share_after'])} after; gain {_range(summary['gain_ci'], '+')} points")
    print(f"optimism                     {100 * result['optimism']:+.2f} points (training deals less held-out deals)")
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


def exploit(
    strategy: Annotated[
        str, typer.Argument(metavar="STRATEGY", help="Strategy to be beaten, copied in all other seats.")
    ],
    responders: Annotated[
        str | None,
        typer.Option(metavar="SPECS", help="Who is tried as a response; default: STRATEGY, the field and predictive."),
    ] = None,
    objective: Annotated[
        str, typer.Option(metavar="money|win", help="Money relative to rivals (less noisy), or win share.")
    ] = "money",
    budget: Annotated[int, typer.Option(metavar="GAMES", help="Games of the search; checks come on top.")] = 200_000,
    study: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Folder under results/, or a path; default: named after STRATEGY."),
    ] = None,
    players: PlayersOption = 4,
    edition: EditionOption = "classic",
    rule: RuleOption = None,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
    rounds: Annotated[
        int | None,
        typer.Option("--iterate", metavar="ROUNDS", help="Tune against the response, search again, and so on.", min=1),
    ] = None,
    goal: Annotated[float, typer.Option(help="Gain below which --iterate stops.", min=0)] = 0.03,
    as_json: JsonOption = False,
) -> None:
    """Search the best response to a table of copies of a strategy: a lower bound on how exploitable it is."""
    from modernart.analysis.comparing.exploit import default_responders, iterate, plan_exploit, run_exploit
    from modernart.analysis.comparing.tuning_study import study_folder
    from modernart.simulator.compiling import announce_compilation
    from modernart.strategies.specs import split_specs

    rules = rules_of(edition, players, rule=rule)
    announce_compilation()
    tried = split_specs(responders) or default_responders(strategy)
    options = {"objective": objective, "budget": budget, "players": players, "edition": edition, "seed": seed}
    if responders:
        options["responders"] = responders
    command = _command("exploit", strategy, options | ({"iterate": rounds, "goal": goal} if rounds else {}), rule)
    if rounds:
        table = iterate(
            strategy,
            DEFAULT_RIVALS,
            rules,
            result_folder(study, f"iterate-{file_stem(strategy)}"),
            rounds=rounds,
            goal=goal,
            objective=objective,
            budget=budget,
            seed=seed,
            threads=threads,
            command=command,
            on_round=_show_round,
        )
        _show_iteration(table, goal, as_json)
        return
    plan = plan_exploit(strategy, tried, rules, objective, budget, seed, command, threads)
    folder = study_folder(study, f"exploit-{file_stem(strategy)}", plan.study)
    with _study_progress(plan.study) as tell:
        result = run_exploit(plan, folder, threads=threads, on_progress=tell)
    if as_json:
        print(to_json(result.to_json()))
        return
    print(f"response: {result.response}")
    print(f"win share against copies of {strategy}: {_share(result.win_share)} {_range(result.win_share_ci)}")
    print(f"above the fair share: {100 * result.gain:+.2f} points {_range(result.gain_ci, '+')}, {result.bound}")
    low, high = result.money_ci
    print(f"money relative to the copies: {result.money:+.1f} a game [{low:+.1f}, {high:+.1f}]")
    print(f"\n{result.games:,} games, {result.deals:,} held-out deals for the numbers above. Files: {folder}/")


def _show_round(row: dict) -> None:
    """Say on stderr how a round of the loop came out."""
    gain = f"{100 * row['gain']:+.1f} points {_range((row['gain_low'], row['gain_high']), '+')}"
    print(f"round {row['round']}: {row['response']} against {row['version']}: {gain}", file=sys.stderr, flush=True)


def _show_iteration(table, goal: float, as_json: bool) -> None:
    """Print where the loop ended."""
    last = table.iloc[-1]
    best = table.loc[table["gain"].idxmin()]
    if as_json:
        print(to_json({"rounds": table.to_dict("records"), "best": best["version"], "is_done": bool(last.gain < goal)}))
        return
    if last.gain < goal:
        print(f"done: the best response found to {last.version} gains {100 * last.gain:.2f} points,")
        print(f"less than the goal of {100 * goal:g}")
    else:
        print(f"stuck: after {len(table)} round(s) the least gain of a response is {100 * best.gain:.2f} points,")
        print(f"to {best.version}; the goal was {100 * goal:g}")
    print("The gain is a lower bound on exploitability: a better response may exist that the search did not find.")


def sensitivity(
    strategy: Annotated[str, typer.Argument(metavar="STRATEGY", help="Strategy whose parameters are varied.")],
    parameters: Annotated[
        str | None, typer.Option(metavar="A,B", help="Parameters to vary; default: all it has.")
    ] = None,
    field: Annotated[
        str | None, typer.Option(metavar="X,Y,Z", help="Strategies in all other seats; default: copies of STRATEGY.")
    ] = None,
    games: Annotated[int, typer.Option(help="Games for each value of a parameter.", min=8)] = 4_000,
    values: Annotated[int, typer.Option(help="Values of each parameter.", min=2)] = 9,
    study: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Folder under results/, or a path; default: named after STRATEGY."),
    ] = None,
    players: PlayersOption = 4,
    edition: EditionOption = "classic",
    rule: RuleOption = None,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show how win share and money answer to each parameter, on the same deals and dice."""
    from modernart.analysis.comparing.sensitivity import plot_sensitivity
    from modernart.analysis.comparing.sensitivity import sensitivity as measure
    from modernart.analysis.comparing.tuning_plots import save
    from modernart.simulator.compiling import announce_compilation
    from modernart.simulator.files import whole_file
    from modernart.simulator.simulate import n_blocks_for
    from modernart.strategies.specs import load_strategy, split_specs
    from modernart.strategies.tuning.focal_seat import Chair

    rules = rules_of(edition, players, rule=rule)
    base = load_strategy(strategy)
    names = split_specs(parameters) or list(base.params)
    rivals = [load_strategy(spec).player() for spec in split_specs(field) or [strategy]]
    folder = result_folder(study, f"sensitivity-{file_stem(base.name)}")
    announce_compilation()
    n_deals = n_blocks_for(rules, games)
    with _progress() as progress:
        a_value = n_deals * rules.players
        task = progress.add_task("playing", total=len(names) * (values + 1) * a_value)
        table = measure(
            base,
            names,
            Chair(rivals, rules, seed, threads),
            n_deals=n_deals,
            n_values=values,
            on_progress=lambda done: progress.update(task, completed=done * a_value),
        )
    with whole_file(folder / "sensitivity.csv") as file:
        table.to_csv(file, index=False)
    save(plot_sensitivity(table, base, n_deals), folder / "sensitivity.png")
    if as_json:
        print(to_json({"strategy": base.spec, "deals": n_deals, "curves": table.to_dict("records")}))
        return
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


def metagame(
    specs: Annotated[
        list[str] | None, typer.Argument(metavar="[SPEC]...", help="Strategies; default: the field.")
    ] = None,
    games: Annotated[int, typer.Option(help="Games in all, spread evenly over the tables.", min=1)] = 200_000,
    bootstrap: Annotated[int, typer.Option(help="Bootstrap samples of deals.", min=2)] = 200,
    study: Annotated[
        str | None, typer.Option(metavar="NAME", help="Folder under results/, or a path; default: metagame.")
    ] = None,
    players: PlayersOption = 4,
    edition: EditionOption = "classic",
    rule: RuleOption = None,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find out which strategies a population of players would end up with: payoffs of all tables, and dynamics."""
    from modernart.analysis.comparing.metagame import analyse, play_tables
    from modernart.analysis.comparing.metagame_plots import plot_metagame
    from modernart.analysis.comparing.tuning_plots import save
    from modernart.analysis.runs.run_folder import write_json
    from modernart.simulator.compiling import announce_compilation
    from modernart.simulator.files import whole_file
    from modernart.strategies.registry import DEFAULT_FIELD
    from modernart.strategies.specs import load_players

    rules = rules_of(edition, players, rule=rule)
    # A population holds each strategy once, however often it is named.
    bidders = load_players(list(dict.fromkeys(specs or DEFAULT_FIELD)))
    folder = result_folder(study, "metagame")
    announce_compilation()
    with _progress() as progress:
        task = progress.add_task("playing", total=games)
        payoffs = play_tables(
            bidders,
            rules,
            games,
            seed=seed,
            threads=threads,
            on_progress=lambda done: progress.update(task, completed=done),
        )
    outcome = analyse(payoffs, bootstrap, seed)
    with whole_file(folder / "payoffs.csv") as file:
        payoffs.table().to_csv(file, index=False)
    write_json(folder / "summary.json", outcome)
    save(plot_metagame(payoffs.game(), outcome), folder / "dynamics.png")
    if as_json:
        print(to_json(outcome))
        return
    width = max(12, *(len(player.name) for player in bidders))
    print(f"{'strategy':{width}}  time in a finite population   regret if all play it   least regret")
    for name, time_share in outcome["stationary"].items():
        regret = outcome["regret"][f"all {name}"]
        time_words = f"{_share(time_share['share']):>7} {_range(time_share['ci'])}"
        regret_words = f"{100 * regret['regret']:5.2f} {_range(regret['ci'])}"
        print(f"{name:{width}}  {time_words:28}  {regret_words:22}  {_share(outcome['nash']['mix'][name]):>7}")
    rest = "come to rest" if outcome["replicator"]["is_at_rest"] else "do not come to rest"
    end = max(outcome["replicator"]["end"], key=outcome["replicator"]["end"].get)
    print(f"\nReplicator dynamics from equal shares {rest}; most there is {end}.")
    for cycle in outcome["cycles"][:5]:
        names = cycle["strategies"]
        print(f"Cycle: {' < '.join([*names, names[0]])} (in {cycle['bootstrap_share']:.0%} of bootstrap samples)")
    if not outcome["cycles"]:
        print("No cycle of strategies each of which replaces the one before.")
    print(f"\n{outcome['games']:,} games: {outcome['tables']} tables of {outcome['deals']:,} deals. Files: {folder}/")


def result_folder(name: str | None, default: str) -> Path:
    """Return a folder for results: as named under results/, or a path."""
    return Path(name) if name and "/" in name else Path("results") / (name or default)


def held_out_of(field: list[str]) -> list[str]:
    """Return the opponents that a search against a field never meets."""
    from modernart.strategies.registry import DEFAULT_FIELD

    return [name for name in (*DEFAULT_FIELD, *HELD_OUT) if name not in field]


def file_stem(name: str) -> str:
    """Return a strategy's name as part of a file's name."""
    return re.sub(r"\W+", "-", name.split("@")[0].rpartition("/")[2]).strip("-")


def _command(name: str, spec: str, options: dict, rule: list[str] | None) -> str:
    """Return the command line that does the same again."""
    words = ["modernart", name, spec]
    for option, value in options.items():
        words += [f"--{option.replace('_', '-')}", str(value)]
    for change in rule or []:
        words += ["--rule", change]
    return shlex.join(words)


#: Seconds between two lines of progress where stderr is no terminal.
_LOG_SECONDS = 15.0


class _study_progress:
    """Show how a study comes on: a bar on a terminal, a line now and then in a log."""

    def __init__(self, plan) -> None:
        self.plan = plan
        self.bar = _progress()
        self.logged = time.monotonic()

    def __enter__(self):
        self.bar.__enter__()
        self.task = self.bar.add_task(
            "searching", total=self.plan.search.n_generations * self.plan.search.games_a_generation
        )
        return self.tell

    def __exit__(self, *error) -> None:
        self.bar.__exit__(*error)

    def tell(self, stage, progress) -> None:
        """Take in where the study stands."""
        words = stage
        games = None
        if progress is not None:
            games = len(progress.generations) * self.plan.search.games_a_generation
            last = progress.generations[-1].scores
            words = f"{self.plan.objective} {last.mean():+.3g}, best so far {progress.best_score:+.3g}"
        self.bar.update(self.task, completed=games, description=words)
        if self.bar.disable and (progress is None or time.monotonic() - self.logged > _LOG_SECONDS):
            self.logged = time.monotonic()
            share = f"{games:,} games: " if games else ""
            print(f"{share}{words}", file=sys.stderr, flush=True)


def _names(players: list) -> str:
    return ", ".join(player.name for player in players)


def _share(share: float) -> str:
    return f"{100 * share:.2f}%"


def _range(interval: tuple[float, float], sign: str = "") -> str:
    return f"[{100 * interval[0]:{sign}.2f}, {100 * interval[1]:{sign}.2f}]"


def _progress():
    """Return a progress display on stderr that is gone when the work is done."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,} games"),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
