"""The command that trains `learned`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from modernart.simulator.arguments import (
    MOST_GAMES_KEPT,
    OWN,
    EditionOption,
    JsonOption,
    OpenStyleOption,
    PlayersOption,
    RuleOption,
    SeedOption,
    ThreadsOption,
    rules_of,
    whole,
)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(rich_help_panel=OWN)(learn)


def learn(
    players: PlayersOption = 4,
    edition: EditionOption = "classic",
    minutes: Annotated[
        float, typer.Option(help="Time to spend, that of earlier runs of the study included.", min=0.0)
    ] = 50.0,
    study: Annotated[
        str | None, typer.Option(help="Name of the folder in results/; default: learn-EDITION-PLAYERS.")
    ] = None,
    games: Annotated[int, whole("Games of one iteration.", 20, MOST_GAMES_KEPT)] = 6000,
    start: Annotated[
        str | None,
        typer.Option(metavar="WEIGHTS", help="Weights to go on from: classic-4, or a file; default: none."),
    ] = None,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
    open_style: OpenStyleOption = None,
    rule: RuleOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train the bidder `learned` for a rule set by self-play; a training that was stopped goes on where it was."""
    import json

    from modernart.simulator.compiling import announce_compilation
    from modernart.simulator.files import check_output
    from modernart.simulator.simulate import available_threads, check_seed
    from modernart.strategies.learning.training import Plan, train

    check_seed(seed)
    rules = rules_of(edition, players, open_style, rule)
    name = study or f"learn-{rules.edition}-{players}"
    folder = Path("results") / name
    check_output(folder, is_folder=True)
    options = [f"--players {players}", f"--edition {edition}", f"--minutes {minutes:g}", f"--games {games}"]
    options += [f"--seed {seed}"]
    options += [f"--start {start}"] if start else []
    options += [f"--open-style {open_style}"] if open_style else []
    options += [f"--rule {item}" for item in rule or []]
    command = " ".join(["modernart learn", *options, f"--study {name}"])
    plan = Plan(rules, command, minutes, games, seed, threads or available_threads(), start=start or "")
    _ = plan.identity  # faults of the weights come before anything is played
    announce_compilation()
    print(f"training in {folder}; stop it at any time, the same command goes on", file=sys.stderr, flush=True)

    def say(what: str, seconds: float) -> None:
        print(f"{seconds / 60:5.1f} min  {what}", file=sys.stderr, flush=True)

    state, table = train(plan, folder, say)
    spec = f"learned@{folder / 'learned.npz'}"
    if as_json:
        print(json.dumps({"player": spec, "steps": state.n_steps, "held_out": table}))
        return
    print(f"{'alone among':14}{'wins':>8}{'':>8}{'money':>8}   on deals that training never used")
    for row in table:
        wins = f"{row['win_share']:.1f} %"
        print(f"{row['rivals']:14}{wins:>8} +-{row['half_width']:4.1f} {row['money']:+8.1f}")
    print(f"weights in {folder / 'learned.npz'}; next: modernart duel {spec} predictive")
