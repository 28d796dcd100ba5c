"""Commands of studies of cause: `endings`, `auctions`, `claims`. Heavy imports wait until a command runs."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from modernart.analysis.plain import to_json
from modernart.simulator.arguments import (
    STUDIES,
    EditionOption,
    JsonOption,
    PlayersOption,
    RuleOption,
    SeedOption,
    Specs,
    ThreadsOption,
)

if TYPE_CHECKING:
    import pandas as pd

    from modernart.analysis.field import Field

RUN = Annotated[
    Path | None,
    typer.Option(
        "--run",
        metavar="RUN",
        help="Take players, rules and seed from a run folder, and add the outcome to its report.",
    ),
]
GAMES = Annotated[int, typer.Option(help="Games to look through for such moments.", min=1)]
REPEATS = Annotated[int, typer.Option(help="How often each moment is played on, every time with other dice.", min=1)]
OUTPUT = Annotated[Path | None, typer.Option(help="Folder for the tables; default: they are only shown.")]


def register(app: typer.Typer) -> None:
    """Add these commands to `app`."""
    app.command(rich_help_panel=STUDIES)(endings)
    app.command(rich_help_panel=STUDIES)(auctions)
    app.command(rich_help_panel=STUDIES)(claims)


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
    output: OUTPUT = None,
    as_json: JsonOption = False,
) -> None:
    """Measure what it brings to end a round, against playing on, at every moment where a player could do both.

    The game is copied and played on both ways with the same cards and dice; each player chooses his own ending card and
    his own other card. The deal is the unit of the intervals.
    """
    from modernart.analysis.counterfactual.studies import ending_moments, endings_effect, seats_effect
    from modernart.analysis.field import field_of
    from modernart.analysis.progress import progress_bar

    field = field_of(specs, run, edition, players, rule, seed)
    with progress_bar("games", games) as (_, advance):
        moments = ending_moments(
            field.players, field.rules, games, seed=field.seed, repeats=repeats, threads=threads, on_progress=advance
        )
    tables = {"endings_causal": endings_effect(moments), "endings_causal_seats": seats_effect(moments)}
    head = (
        f"{len(moments.facts):,} moments in {moments.n_games:,} games of {field.label}, seed {field.seed}: "
        "ending less playing on, for who decides"
    )
    shown = tables["endings_causal"]
    columns = [
        ("by", "", ""),
        ("case", "", ""),
        ("moments", "", ",d"),
        ("money", "money", "+.1f"),
        ("win_share", "win share", "+.1%"),
        ("next_money", "next player", "+.1f"),
        ("others_money", "others", "+.1f"),
    ]
    facts = {"study": "endings", "games": moments.n_games, "repeats": repeats, "moments": len(moments.facts)}
    _finish(tables, facts, field, run, output, as_json, head, shown, columns)


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
    output: OUTPUT = None,
    as_json: JsonOption = False,
) -> None:
    """Measure what each kind of auction brings: the same lot in the same state is sold by all four kinds.

    Every single card and every own double of the games is sold open, once around, sealed and at a fixed price, and the
    game is played on to its end each time with the same cards and dice. The deal is the unit of the intervals.
    """
    from modernart.analysis.counterfactual.studies import auction_moments, auctions_effect
    from modernart.analysis.field import field_of
    from modernart.analysis.progress import progress_bar

    field = field_of(specs, run, edition, players, rule, seed)
    with progress_bar("games", games) as (_, advance):
        moments = auction_moments(
            field.players, field.rules, games, seed=field.seed, repeats=repeats, threads=threads, on_progress=advance
        )
    tables = {
        "auctions_causal": auctions_effect(moments),
        "auctions_causal_by_form": auctions_effect(moments, ["form"]),
        "auctions_causal_by_round": auctions_effect(moments, ["round"]),
        "auctions_causal_by_cards_out": auctions_effect(moments, ["cards_out"]),
        "auctions_causal_by_seller": auctions_effect(moments, ["strategy"]),
    }
    head = f"{len(moments.facts):,} lots in {moments.n_games:,} games of {field.label}, seed {field.seed}"
    columns = [
        ("kind", "", ""),
        ("price", "price", ".1f"),
        ("revenue", "seller's revenue", ".1f"),
        ("revenue_difference", "against open", "+.1f"),
        ("money_difference", "final money against open", "+.1f"),
        ("win_share_difference", "win share against open", "+.1%"),
    ]
    facts = {"study": "auctions", "games": moments.n_games, "repeats": repeats, "moments": len(moments.facts)}
    _finish(tables, facts, field, run, output, as_json, head, tables["auctions_causal"], columns)


def _finish(
    tables: "dict[str, pd.DataFrame]",
    facts: dict[str, object],
    field: "Field",
    run: Path | None,
    output: Path | None,
    as_json: bool,
    head: str,
    shown: "pd.DataFrame",
    columns: list[tuple[str, str, str]],
) -> None:
    """Write a study's tables where they are wanted, and show the first of them."""
    from modernart.analysis.measures.tables import write_tables
    from modernart.analysis.page.report import plain, write_report
    from modernart.analysis.runs.run_folder import TABLES_FOLDER, write_json

    facts = facts | {"edition": field.label, "players": field.rules.players, "seed": field.seed}
    facts["strategies"] = [player.name for player in field.players]
    results = {
        name: [{key: plain(value) for key, value in row.items()} for row in frame.to_dict("records")]
        for name, frame in tables.items()
    }
    if output is not None:
        write_tables(output / TABLES_FOLDER, tables, ("parquet", "csv"))
        write_json(output / f"{facts['study']}.json", facts | results)
    if run is not None:
        write_tables(run / TABLES_FOLDER, tables)
        write_report(run, png=False)
    if as_json:
        typer.echo(to_json(facts | results))
        return
    _show(head, shown, columns)
    if run is not None:
        typer.echo(f"Added to {run / 'report.html'}")
    if output is not None:
        typer.echo(f"Files: {output}")
    else:
        typer.echo("Next: --output DIR keeps all tables, --run RUN adds them to a run's report")


def _show(head: str, frame: "pd.DataFrame", columns: list[tuple[str, str, str]]) -> None:
    """Print a table; a column is (name, heading, format), with ± half its 95 % interval where the frame has one."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for name, heading, form in columns:
        table.add_column(heading or name.replace("_", " "), justify="right" if form else "left", no_wrap=bool(form))
    for row in frame.to_dict("records"):
        cells = []
        for name, _, form in columns:
            text = escape(str(row[name])) if not form else f"{row[name]:{form}}"
            if f"{name}_low" in row:
                text += f" ±{(row[f'{name}_high'] - row[f'{name}_low']) / 2:{form.lstrip('+')}}"
            cells.append(text)
        table.add_row(*cells)
    # A file or a pipe has no width of its own: what goes there is not cut.
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    console.print(escape(head))
    console.print(table)


def claims(
    keys: Annotated[
        list[str] | None, typer.Argument(metavar="[CLAIM]...", help="Claims to test; default: all.")
    ] = None,
    field: Annotated[list[str] | None, typer.Option(help="Field to test in; may be repeated; default: all.")] = None,
    games: Annotated[int, typer.Option(help="Games of each comparison.", min=160)] = 20_000,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
    catalogue: Annotated[
        Path | None, typer.Option(help="A catalogue of your own (TOML); default: the built-in.")
    ] = None,
    output: Annotated[Path | None, typer.Option(help="Folder for claims.json, claims.md and the table.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Put what people say about the game to the test: holds, fails, or depends on the field.

    Each claim is a hypothesis about a number that is above 0 where it holds. Verdicts hold for the fields they were
    tested in; p values are corrected for the number of tests.
    """
    from modernart.analysis.claims.claims import (
        CATALOGUE,
        in_words,
        markdown,
        put_to_the_test,
        read_catalogue,
        to_json,
        told,
    )
    from modernart.analysis.measures.tables import write_tables
    from modernart.analysis.progress import progress_bar
    from modernart.simulator.compiling import announce_compilation
    from modernart.simulator.files import whole_file
    from modernart.simulator.simulate import available_threads

    book = read_catalogue(catalogue or CATALOGUE)
    announce_compilation()
    total = len(keys or book.claims) * len(field or book.fields)
    with progress_bar("tests", total) as (_, advance):
        frame = put_to_the_test(
            book,
            keys or (),
            field or (),
            games=games,
            seed=seed,
            threads=threads or available_threads(),
            on_progress=advance,
        )
    stories = told(book, frame)
    facts = {
        "games": games,
        "seed": seed,
        "fields": {name: list(book.fields[name]) for name in dict.fromkeys(frame["field"])},
    }
    if output is not None:
        write_tables(output, {"claims": frame}, ("parquet", "csv"))
        with whole_file(output / "claims.json") as file:
            file.write(to_json(stories, **facts) + "\n")
        with whole_file(output / "claims.md") as file:
            file.write(markdown(stories))
    if as_json:
        typer.echo(to_json(stories, **facts))
        return
    for story in stories:
        typer.echo(f"{story['says']} {story['verdict'].upper() if len(story['verdict']) < 6 else story['verdict']}")
        typer.echo(f"    {story['hypothesis']}")
        for row in story["fields"]:
            typer.echo(f"    {row['field']}: {in_words(row)}, {row['verdict']}")
    if output is not None:
        typer.echo(f"Files: {output}")
    else:
        typer.echo("Next: --output DIR keeps the verdicts; name claims to test them alone with more --games")
