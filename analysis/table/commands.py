"""Commands for the table: `position`, `advise`, `review`, `log`. Heavy imports wait until a command runs."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from modernart.simulator.arguments import OWN, PLAYING, JsonOption, SeedOption, ThreadsOption, whole

if TYPE_CHECKING:
    from modernart.analysis.table.logbook import Logbook
    from modernart.analysis.table.review import Review

#: Mistakes that a review lists in a terminal.
_MOST_MISTAKES = 12

position_app = typer.Typer(help="Write a position to fill in, or show one.", no_args_is_help=True)

SeatOption = Annotated[
    str | None,
    typer.Option("--seat", metavar="NAME", help="Who decides, by name, letter or number, where several are asked."),
]
RivalsOption = Annotated[
    str,
    typer.Option(metavar="strong|weak|mixed|SPEC,...", help="How the others play; mixed compares strong and weak."),
]
EventOption = Annotated[
    str | None,
    typer.Option(metavar="ROUND:EVENT", help="Of a record: the decision that this event answers, counted from 1."),
]
LineOption = Annotated[int, whole("Which line of a file of records, from 1.")]


def register(app: typer.Typer) -> None:
    """Add these commands to `app`."""
    app.add_typer(position_app, name="position", rich_help_panel=OWN)
    app.command(rich_help_panel=PLAYING)(advise)
    app.command(rich_help_panel=PLAYING)(review)
    app.command(rich_help_panel=PLAYING)(log)


@position_app.command("new")
def new_position(
    file: Annotated[Path, typer.Argument(help="TOML file to write; it must not exist yet.")],
) -> None:
    """Write a commented position to fill in; `modernart advise FILE` answers it as it stands."""
    from modernart.analysis.table.position_file import TEMPLATE
    from modernart.simulator.errors import UsageError
    from modernart.simulator.files import whole_file

    if file.exists():
        raise UsageError(f"{file} exists; name another file, or delete it first")
    with whole_file(file) as out:
        out.write(TEMPLATE)
    typer.echo(f"Wrote {file}. Next: fill it in, then modernart advise {file}")


@position_app.command("show")
def show_position(
    file: Annotated[Path, typer.Argument(help="A position in TOML, records, or a game in short lines.")],
    record_event: EventOption = None,
    line: LineOption = 1,
    seat: SeatOption = None,
) -> None:
    """Check a position and draw it."""
    from modernart.analysis.table.belief import draw_belief
    from modernart.analysis.table.drawing import draw_position
    from modernart.analysis.table.sources import load_position
    from modernart.analysis.table.ways import scene_of

    position = load_position(file, event=record_event, line=line, seat=seat)
    scene = scene_of(draw_belief(position, ("half_value",), power=0.0, threads=1))
    typer.echo(draw_position(position, scene))


def advise(
    file: Annotated[Path, typer.Argument(help="A position in TOML, records, or a game in short lines.")],
    record_event: EventOption = None,
    line: LineOption = 1,
    seat: SeatOption = None,
    rivals: RivalsOption = "strong",
    rollouts: Annotated[int, whole("Games played to their end, over all answers.", 64, 10**7)] = 8000,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer a decision at the table: what each answer brings, how far to go in an auction, and why.

    Hidden hands are drawn by how well they explain what was played and bid; each answer is played on to the end of the
    game.
    """
    from math import isnan

    from rich.console import Console

    from modernart.analysis.plain import to_json
    from modernart.analysis.progress import stages
    from modernart.analysis.table import advice
    from modernart.analysis.table.drawing import draw_advice, draw_position, line_of_ties
    from modernart.analysis.table.sources import load_position
    from modernart.simulator.compiling import announce_compilation

    announce_compilation()
    position = load_position(file, event=record_event, line=line, seat=seat)
    with stages("hands that explain what was seen, then playouts"):
        found = advice.advise(position, rivals, rollouts=rollouts, seed=seed, threads=threads)
    if as_json:
        typer.echo(to_json(found.to_record()))
        return
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    typer.echo(draw_position(position, found.scene) + "\n")
    console.print(draw_advice(found))
    if found.walk_away is not None:
        error = found.walk_away_error
        typer.echo(f"\nWalk away above {found.walk_away}" + ("." if isnan(error) else f" ±{1.96 * error:.0f}."))
    typer.echo(f"\n{found.why}")
    if ties := line_of_ties(found):
        typer.echo(ties)
    typer.echo(f"Rivals: {rivals} ({', '.join(found.specs)}); {found.best_option.n} playouts of each answer.")


def review(
    file: Annotated[Path, typer.Argument(help="File of records, one a line, or a finished game in short lines.")],
    line: LineOption = 1,
    rivals: Annotated[
        str, typer.Option(metavar="strong|weak|SPEC,...", help="How the others are thought to play.")
    ] = "strong",
    rollouts: Annotated[int, whole("Games played to their end for each decision, over all answers.", 64, 10**6)] = 1000,
    html: Annotated[Path | None, typer.Option(metavar="OUT.html", help="Write the review as a page.")] = None,
    replay_page: Annotated[
        Path | None,
        typer.Option(
            "--replay", metavar="OUT.html", help="Write the game as a page to step through, with the mistakes."
        ),
    ] = None,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Look back at a game: what each decision cost against the best found, the dearest mistakes, and luck by seat.

    A decision is judged by what its player could see. Two answers closer than their error are no mistake.
    """
    from modernart.analysis.plain import to_json
    from modernart.analysis.play.replay_page import write_replay_page
    from modernart.analysis.progress import progress_bar
    from modernart.analysis.table.review import marks_of, n_decisions, review_record
    from modernart.analysis.table.review_page import write_review_page
    from modernart.analysis.table.sources import load_record
    from modernart.simulator.compiling import announce_compilation
    from modernart.simulator.files import check_output

    for place in (html, replay_page):
        if place is not None:
            check_output(place)
    record = load_record(file, line)
    announce_compilation()
    total = n_decisions(record)
    with progress_bar("decisions", total) as (_, advance):
        found = review_record(
            record,
            rivals=rivals,
            rollouts=rollouts,
            seed=seed,
            threads=threads,
            # Luck comes last, and takes a while too: words keep the bar from stopping at the last decision.
            on_progress=lambda n: advance(n, "luck of the deals" if n >= total else ""),
        )
    edition = record["rules"]["edition"]
    facts = f"Edition {edition}, {len(found.names)} players; rivals play {rivals}, {rollouts} playouts a decision."
    if html is not None:
        write_review_page(html, found, f"Review of {file.name}, line {line}", facts)
    if replay_page is not None:
        write_replay_page(replay_page, record, marks=marks_of(found))
    if as_json:
        typer.echo(to_json(found.to_record()))
        return
    _show_review(found, facts)
    for place in (html, replay_page):
        if place is not None:
            typer.echo(f"Page: {place}")


def _show_review(found: "Review", facts: str) -> None:
    """Print a review."""
    from rich.console import Console

    from modernart.analysis.table.review_page import (
        HEADINGS,
        draw_table,
        kind_rows,
        kinds_of,
        mistake_lines,
        seat_rows,
    )

    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    typer.echo(facts + "\n")
    console.print(draw_table(HEADINGS, seat_rows(found)))
    typer.echo(
        "Money relative to the mean of the others: result = expected + luck - given away.\n\nGiven away by kind:"
    )
    console.print(draw_table(["seat", *kinds_of(found)], kind_rows(found)))
    lines = mistake_lines(found)
    typer.echo(f"\n{len(lines)} mistakes, the dearest first:" if lines else "\nNo mistake that is clear of its error.")
    for text in lines[:_MOST_MISTAKES]:
        typer.echo(f"  {text}")
    if len(lines) > _MOST_MISTAKES:
        typer.echo(f"  and {len(lines) - _MOST_MISTAKES} more: --json or --html shows them all")


def log(
    file: Annotated[
        Path, typer.Argument(help="Text file of the game; saved after every line, continued if it exists.")
    ],
    record: Annotated[
        Path | None, typer.Option(metavar="OUT.jsonl", help="Write the finished game as a record, and ask nothing.")
    ] = None,
) -> None:
    """Write a game down as it is played, by short lines; hands that nobody saw stay unknown.

    `?` explains the lines, `undo` takes the last one back, `correct LINE` puts another in its place, `advise` answers
    the next decision, `q` leaves. Lines may also come through a pipe.
    """
    from modernart.analysis.table.logbook import Logbook
    from modernart.simulator.records import write_records

    book = Logbook.read(file) if file.exists() else Logbook(file)
    if record is None:
        _converse(book)
        return
    write_records(record, [book.record()])
    typer.echo(f"Record: {record}. Next: modernart review {record}")


def _converse(book: "Logbook") -> None:
    """Take lines from stdin until it ends."""
    from modernart.analysis.table.lines import GRAMMAR
    from modernart.simulator.errors import UsageError

    is_person = sys.stdin.isatty()
    if is_person:
        typer.echo("Lines as `B plays KR-S`, `A 12, B 9`, `sold B 12`; ? explains, q leaves.")
    while book.sitting is None or not book.sitting.is_over:
        if is_person:
            typer.echo(f"[{_next_of(book)}] ", nl=False)
        line = sys.stdin.readline()
        text = line.strip()
        if not line or text.lower() in ("q", "quit", "exit"):
            return
        if text == "?":
            for form, meaning in GRAMMAR:
                typer.echo(f"  {form:<26} {meaning}")
            continue
        try:
            if text.lower() == "advise":
                _advise_on(book)
            else:
                book.take(line)
        except UsageError as error:
            typer.echo(f"not taken: {error}", err=True)
    money = ", ".join(map("{} {}".format, book.sitting.names, book.record()["money"]))
    typer.echo(f"The game is over: {money}. Next: modernart review {book.path}")


def _next_of(book: "Logbook") -> str:
    return book.sitting.status() if book.sitting is not None else "players 4, or players NAME NAME NAME"


def _advise_on(book: "Logbook") -> None:
    """Answer the next decision."""
    from modernart.analysis.table.advice import advise as answer

    found = answer(book.position())
    typer.echo(f"{found.best_option.way.answer}: {found.why}")
