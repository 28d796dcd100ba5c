"""The command `claims`. Heavy imports wait until it runs."""

import tomllib
from pathlib import Path
from typing import Annotated

import typer

from modernart.analysis.cluster.option import SchedulerOption
from modernart.simulator.arguments import MOST_GAMES_KEPT, STUDIES, JsonOption, SeedOption, ThreadsOption, whole


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command(rich_help_panel=STUDIES)(claims)


def _keys() -> list[str]:
    """Return the keys of the built-in claims, for the help."""
    text = (Path(__file__).parent / "claims.toml").read_text(encoding="utf-8")
    return [claim["key"] for claim in tomllib.loads(text)["claim"]]


def claims(
    keys: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CLAIM]...", help=f"Claims to test; default: all. There are: {', '.join(_keys())}."),
    ] = None,
    field: Annotated[
        list[str] | None, typer.Option(help="Field to test in, or several with commas; may be repeated; default: all.")
    ] = None,
    games: Annotated[int, whole("Games of each comparison.", 160, MOST_GAMES_KEPT)] = 20_000,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
    scheduler: SchedulerOption = "threads",
    catalogue: Annotated[
        Path | None, typer.Option(help="A catalogue of your own (TOML); default: the built-in.")
    ] = None,
    output: Annotated[Path | None, typer.Option(help="Folder for claims.json, claims.md and the table.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Put what people say about the game to the test: holds, fails, or depends on the field or on the reading.

    Each reading of a claim is a hypothesis about a number that is above 0 where it holds. Verdicts hold for the fields
    they were tested in; p values are corrected for the number of tests.
    """
    from modernart.analysis.claims import writing
    from modernart.analysis.claims.catalogue import CATALOGUE, read_catalogue
    from modernart.analysis.claims.measures import MEASURES
    from modernart.analysis.claims.verdicts import put_to_the_test, told
    from modernart.analysis.measures.tables import write_tables
    from modernart.analysis.progress import progress_bar
    from modernart.simulator.compiling import announce_compilation
    from modernart.simulator.files import check_output, whole_file
    from modernart.simulator.simulate import available_threads

    book = read_catalogue(catalogue or CATALOGUE, list(MEASURES))
    if output is not None:
        check_output(output, is_folder=True)
    announce_compilation()
    total = sum(len(claim.tests) for claim in book.claims if not keys or claim.key in keys)
    with progress_bar("tests", total * len(field or book.fields)) as (_, advance):
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
    fields = {name: list(book.fields[name].strategies) for name in dict.fromkeys(frame["field"])}
    text = writing.to_json(stories, games=games, seed=seed, fields=fields)
    if output is not None:
        write_tables(output, {"claims": frame}, ("parquet", "csv"))
        with whole_file(output / "claims.json") as file:
            file.write(text + "\n")
        with whole_file(output / "claims.md") as file:
            file.write(writing.markdown(stories))
    if as_json:
        typer.echo(text)
        return
    for story in stories:
        typer.echo("\n".join(writing.lines(story)))
    if output is not None:
        typer.echo(f"Files: {output}")
    else:
        typer.echo("Next: --output DIR keeps the verdicts; name claims to test them alone with more --games")
