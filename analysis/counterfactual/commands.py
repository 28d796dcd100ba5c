"""Commands of counterfactual playouts: `endings` and `auctions`. Heavy imports wait until a command runs."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from modernart.analysis.cluster.option import SchedulerOption
from modernart.analysis.plain import to_json
from modernart.analysis.runs.arguments import LATEST, run_folder_of
from modernart.simulator.arguments import (
    MOST_GAMES_KEPT,
    STUDIES,
    EditionOption,
    JsonOption,
    PlayersOption,
    RuleOption,
    SeedOption,
    Specs,
    ThreadsOption,
    whole,
)

if TYPE_CHECKING:
    import pandas as pd

    from modernart.analysis.counterfactual.study import Study

RUN = Annotated[
    Path | None,
    typer.Option(
        "--run",
        metavar="RUN",
        help=f"Take players, rules and seed from a run folder (or `{LATEST}`), and add the outcome to its report.",
        parser=run_folder_of,
    ),
]
GAMES = Annotated[int, whole("Games to look through for such decisions.", 1, MOST_GAMES_KEPT)]
REPEATS = Annotated[int, whole("Playouts per decision point, each with new random numbers.", 1, 10_000)]
#: In place of a format: a difference between shares, in points.
POINTS = "points"
#: Over the table of what mistakes cost.
COST_HEADING = (
    "What it costs them: money a game lost where the other way promises more, by what the player could see. "
    "One half of the deals chooses, the other half judges; each mistake is taken alone."
)
COST_COLUMNS = [
    ("decision", "", ""),
    ("strategy", "", ""),
    ("mistake", "", ""),
    ("moments", "decisions", ",d"),
    ("switched", "should change", ".0%"),
    ("money", "money a game", "+.1f"),
]
OUTPUT = Annotated[Path | None, typer.Option(help="Folder for the tables; default: they are only shown.")]


def register(app: typer.Typer) -> None:
    """Add these commands to `app`."""
    app.command(rich_help_panel=STUDIES)(endings)
    app.command(rich_help_panel=STUDIES)(auctions)


def endings(
    specs: Specs = None,
    run: RUN = None,
    edition: EditionOption = "classic",
    players: PlayersOption = 4,
    rule: RuleOption = None,
    games: GAMES = 4000,
    repeats: REPEATS = 4,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
    scheduler: SchedulerOption = "threads",
    output: OUTPUT = None,
    as_json: JsonOption = False,
) -> None:
    """Measure the effect of ending a round versus playing on, at every decision where either is possible.

    The game is copied and played on both ways with the same cards and random numbers; the player chooses their own
    ending card and their own other card. The deal is the unit of the intervals. In place of strategies, `weak`,
    `strong` or `expert` names a field of the claims.
    """
    rules = {"edition": edition, "players": players, "rules": _rules(rule)}
    found = _study("endings", specs, run, output, **rules, games=games, repeats=repeats, seed=seed, threads=threads)
    shown = [
        ("by", "", ""),
        ("case", "", ""),
        ("moments", "decisions", ",d"),
        ("ended_anyway", "ended anyway", ".0%"),
        ("money", "money", "+.1f"),
        ("relative", "against others", "+.1f"),
        ("win_share", "win share, points", POINTS),
        ("next_money", "next player", "+.1f"),
    ]
    parts = [(found.heading, "endings_causal", shown), (COST_HEADING, "endings_cost", COST_COLUMNS)]
    _finish(found, run, output, as_json, parts)


def auctions(
    specs: Specs = None,
    run: RUN = None,
    edition: EditionOption = "classic",
    players: PlayersOption = 4,
    rule: RuleOption = None,
    games: GAMES = 2000,
    repeats: REPEATS = 2,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
    scheduler: SchedulerOption = "threads",
    output: OUTPUT = None,
    as_json: JsonOption = False,
) -> None:
    """Measure what each kind of auction brings: the same lot in the same state is sold by every kind in the deck.

    Single cards and own doubles are sold open, once around, sealed and at a fixed price, and the game is played on to
    its end each time with the same random numbers. The card is exchanged for an unseen one of the other kind. The deal
    is the unit of the intervals. In place of strategies, `weak`, `strong` or `expert` names a field of the claims.
    """
    rules = {"edition": edition, "players": players, "rules": _rules(rule)}
    found = _study("auctions", specs, run, output, **rules, games=games, repeats=repeats, seed=seed, threads=threads)
    shown = [
        ("kind", "", ""),
        ("price", "price", ".1f"),
        ("revenue", "seller's revenue", ".1f"),
        ("revenue_difference", "against open", "+.1f"),
        ("money_difference", "final money against open", "+.1f"),
        ("win_share_difference", "win share against open, points", POINTS),
    ]
    parts = [(found.heading, "auctions_causal", shown), (COST_HEADING, "auctions_cost", COST_COLUMNS)]
    _finish(found, run, output, as_json, parts)


def _study(name: str, specs: list[str] | None, run: Path | None, output: Path | None, **options: Any) -> "Study":
    """Return what a function of the API finds; folders that cannot be written are refused before anything is played."""
    from modernart.analysis.progress import stages
    from modernart.simulator.files import check_output

    with stages("starting"):
        from modernart.analysis.api import studies

    for folder in (run, output):
        if folder is not None:
            check_output(folder, is_folder=True)
    return getattr(studies, name)(specs, run=run, progress=True, **options)


def _rules(rule: list[str] | None) -> dict[str, str]:
    from modernart.simulator.rules import parse_overrides

    return parse_overrides(rule or [])


def _finish(
    found: "Study",
    run: Path | None,
    output: Path | None,
    as_json: bool,
    parts: list[tuple[str, str, list[tuple[str, str, str]]]],
) -> None:
    """Write a study's tables where they are wanted, and show some of them."""
    if output is not None:
        found.write(output)
    if run is not None:
        from modernart.analysis.measures.tables import write_tables
        from modernart.analysis.page.report import write_report
        from modernart.analysis.progress import stages
        from modernart.analysis.runs.run_folder import TABLES_FOLDER

        write_tables(run / TABLES_FOLDER, found.tables)
        with stages("writing the report") as tell:
            write_report(run, png=False, on_stage=tell)
    if as_json:
        typer.echo(to_json(found.to_dict()))
        return
    for heading, name, columns in parts:
        _show(heading, found.tables[name], columns)
    if run is not None:
        typer.echo(f"Added to {run / 'report.html'}")
    if output is not None:
        typer.echo(f"Files: {output}")
    else:
        typer.echo("Next: --output DIR keeps all tables, --run RUN adds them to a run's report")


def _show(heading: str, frame: "pd.DataFrame", columns: list[tuple[str, str, str]]) -> None:
    """Print a table; a column is (name, heading, format), with ± half its 95 % interval where the frame has one."""
    from modernart.simulator.terminal_tables import Column, print_table

    # Names stay; of the numbers the last are left out first.
    shown = [
        Column(title or name.replace("_", " "), bool(form), i if form and i > 2 else 0, not form)
        for i, (name, title, form) in enumerate(columns)
    ]
    rows = []
    for row in frame.to_dict("records"):
        cells = []
        for name, _, form in columns:
            scale, form = (100, "+.1f") if form == POINTS else (1, form)
            text = str(row[name]) if not form else f"{scale * row[name]:{form}}"
            half = scale * (row.get(f"{name}_high", math.nan) - row.get(f"{name}_low", math.nan)) / 2
            if math.isfinite(half):
                text += f" ±{half:{form.lstrip('+')}}"
            cells.append(text)
        rows.append(cells)
    typer.echo(heading)
    print_table(shown, rows)
