"""Commands that play games or show strategies: `bench`, `record`, `strategies`."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the commands of this package to the program."""
    app.command()(bench)
    app.command()(record)


def bench(
    players: Annotated[int, typer.Option(help="Seats at the table.")] = 4,
    threads: Annotated[int | None, typer.Option(help="Threads; default: all cores.", min=1)] = None,
    games: Annotated[int, typer.Option(help="Games to play, after a warm-up.", min=1)] = 200_000,
    seed: Annotated[int, typer.Option(help="Run seed.", min=0)] = 1,
    edition: Annotated[str, typer.Option(help="Edition, or a TOML file.")] = "classic",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure how many games a second the kernel plays, with `random` in every seat."""
    from simulator.jit import announce_compilation
    from strategies.bench import bench as measure

    announce_compilation()
    result = measure(players, threads, games, seed, edition)
    if as_json:
        print(json.dumps(result))
        return
    print(
        f"{result['games_per_s']:,.0f} games/s on {result['threads']} thread(s): {result['games']:,} games in "
        f"{result['seconds']:.2f} s, {result['decisions_per_game']:.1f} decisions a game"
    )


def record(
    specs: Annotated[
        list[str] | None, typer.Argument(metavar="[SPEC]...", help="Strategies; default: the field.")
    ] = None,
    edition: Annotated[str, typer.Option(help="Edition, or a TOML file.")] = "classic",
    players: Annotated[int, typer.Option(help="Seats at the table.")] = 4,
    seed: Annotated[int, typer.Option(help="Run seed.", min=0)] = 1,
    game: Annotated[int, typer.Option(help="Number of the first game.", min=0)] = 0,
    count: Annotated[int, typer.Option(help="How many games, from there on.", min=1)] = 1,
    output: Annotated[
        Path | None, typer.Option(help="File to write, one record a line; default: the terminal.")
    ] = None,
    open_style: Annotated[str | None, typer.Option(help="`limit` or `outcry`.")] = None,
    rule: Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help="Change a rule; can be repeated.")] = None,
) -> None:
    """Write games of a run as records, exactly as a tournament with these arguments plays them."""
    from simulator.games import records_of_run
    from simulator.jit import announce_compilation
    from simulator.records import write_records
    from simulator.rules import load_edition, parse_overrides
    from strategies.registry import DEFAULT_FIELD
    from strategies.specs import load_players

    overrides = parse_overrides(rule or [])
    if open_style is not None:
        overrides["open_style"] = open_style
    rules = load_edition(edition, overrides).rules(players)
    bidders = load_players(specs or DEFAULT_FIELD)
    announce_compilation("apply")
    records = records_of_run(bidders, rules, seed, game, count)
    if output is None:
        for item in records:
            sys.stdout.write(json.dumps(item) + "\n")
        return
    write_records(output, records)
    print(f"{count} game(s) written to {output}; see one with: modernart replay {output}", file=sys.stderr)
