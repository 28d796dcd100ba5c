"""Commands that play games, show strategies and help to write one."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from modernart.simulator.arguments import (
    OWN,
    PLAYING,
    EditionOption,
    OpenStyleOption,
    PlayersOption,
    RuleOption,
    SeedOption,
    Specs,
    rules_of,
    whole,
)

if TYPE_CHECKING:
    from modernart.simulator.players import Player

strategies_app = typer.Typer(help="List the strategies, or show one with all it plays by.", invoke_without_command=True)


def register(app: typer.Typer) -> None:
    """Add the commands of this package to the program."""
    app.add_typer(strategies_app, name="strategies", rich_help_panel=OWN)
    app.command("new-bot", rich_help_panel=OWN)(new_bot)
    app.command("check-bot", rich_help_panel=OWN)(check_bot)
    app.command(rich_help_panel=PLAYING)(record)


def record(
    specs: Specs = None,
    edition: EditionOption = "classic",
    players: PlayersOption = 4,
    seed: SeedOption = 1,
    game: Annotated[int, whole("Number of the first game.", 0)] = 0,
    count: Annotated[int, whole("How many games, from there on.")] = 1,
    output: Annotated[
        Path | None, typer.Option(help="File to write, one record a line; default: the terminal.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    open_style: OpenStyleOption = None,
    rule: RuleOption = None,
) -> None:
    """Write games of a run as records, exactly as a tournament with these arguments plays them."""
    from modernart.simulator.compiling import announce_compilation
    from modernart.simulator.errors import UsageError
    from modernart.simulator.files import check_output
    from modernart.simulator.games import records_of_run
    from modernart.simulator.records import write_records
    from modernart.strategies.registry import DEFAULT_FIELD
    from modernart.strategies.specs import load_players

    rules = rules_of(edition, players, open_style, rule)
    if output is not None:
        check_output(output)
        if output.exists() and not force:
            raise UsageError(f"{output} exists; name another --output, or replace it with --force")
    announce_compilation()
    bidders = load_players(specs or DEFAULT_FIELD)
    records = records_of_run(bidders, rules, seed, game, count)
    if output is None:
        for item in records:
            sys.stdout.write(json.dumps(item) + "\n")
        return
    write_records(output, records)
    print(f"{count} game(s) written to {output}; see one with: modernart replay {output}", file=sys.stderr)


@strategies_app.callback()
def list_strategies(
    ctx: typer.Context,
    names: Annotated[bool, typer.Option("--names", help="Print the names alone, one a line.")] = False,
) -> None:
    """List the strategies, or show one with all it plays by."""
    if ctx.invoked_subcommand is not None:
        return
    if names:
        from modernart.strategies.registry import BY_NAME

        typer.echo("\n".join(BY_NAME))
        return
    from modernart.simulator.terminal_tables import Column, print_table
    from modernart.strategies.registry import STRATEGIES, offered

    rows = [(strategy.name, strategy.summary) for strategy in STRATEGIES]
    rows += [(point.name, f"of another package: {point.value}") for point in offered().values()]
    print_table((Column("strategy"), Column("how it plays", is_sentence=True)), rows)
    typer.echo("Next: modernart strategies show NAME, or modernart new-bot mybot.py for one of your own.")


@strategies_app.command("show")
def show_strategy(
    spec: Annotated[
        str, typer.Argument(metavar="NAME", help="A strategy, with parameters if wanted, or FILE.py:NAME.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Tell how a strategy plays, where it comes from, and its parameters."""
    from rich.console import Console
    from rich.markup import escape

    from modernart.simulator.terminal_tables import Column, print_table
    from modernart.strategies.specs import load_strategy

    strategy = load_strategy(spec)
    values = dict(zip(strategy.params, strategy.vector, strict=True))
    if as_json:
        params = {
            name: {"value": values[name], "default": p.default, "low": p.low, "high": p.high, "doc": p.doc}
            for name, p in strategy.params.items()
        }
        shown = {"name": strategy.spec, "doc": strategy.doc, "sources": list(strategy.sources), "params": params}
        typer.echo(json.dumps(shown, indent=2, ensure_ascii=False))
        return
    console = Console(highlight=False)
    console.print(f"[bold]{escape(strategy.spec)}[/]\n\n{escape(_flowing(strategy.doc))}\n")
    console.print(f"Sources: {escape('; '.join(strategy.sources))}")
    if not strategy.params:
        console.print("It has no parameters.")
        return
    columns = (
        Column("parameter"),
        Column("value", is_number=True),
        Column("from", is_number=True, rank=2),
        Column("to", is_number=True, rank=2),
        Column("what it does", rank=1, is_sentence=True),
    )
    rows = [
        (name, f"{values[name]:g}", f"{param.low:g}", f"{param.high:g}", param.doc)
        for name, param in strategy.params.items()
    ]
    print_table(columns, rows)
    first = next(iter(strategy.params))
    typer.echo(f'Change one: "{strategy.name}({first}={values[first]:g})"')


def _flowing(text: str) -> str:
    """Join the lines of each paragraph, for the terminal to break anew."""
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def new_bot(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="mybot.py, or mybot.toml for a bot of expressions.")],
) -> None:
    """Write a small commented bidder to start from; it runs at once."""
    from modernart.strategies.new_bot import write_template

    spec = write_template(file)
    typer.echo(f"{file} written. Play it: modernart tournament {spec} half_value random")
    typer.echo(f"Check it: modernart check-bot {spec}")


def check_bot(
    spec: Annotated[str, typer.Argument(metavar="FILE.py:NAME", help="The bidder; also a built-in or FILE.toml.")],
    games: Annotated[int, whole("Games for each edition and number of players.")] = 8,
    seed: SeedOption = 1,
    trace: Annotated[
        bool, typer.Option("--trace", help="Show one game instead: what the bidder saw and answered, event by event.")
    ] = False,
    game: Annotated[int, whole("With --trace: number of the game.", 0)] = 0,
    edition: Annotated[str, typer.Option(help="With --trace: the edition.")] = "classic",
    players: Annotated[int, whole("With --trace: seats at the table.")] = 4,
) -> None:
    """Check that a bidder is fit to play: legal in all editions and seats, repeatable, fair, and how fast it is."""
    from modernart.simulator.compiling import announce_compilation
    from modernart.simulator.rules import load_edition
    from modernart.strategies.checking import COMPANY, trace_game
    from modernart.strategies.specs import load_players, load_strategy

    announce_compilation()
    player = load_strategy(spec).player()
    company = load_players(COMPANY)
    if not trace:
        _check(player, company, games, seed)
        return
    rules = load_edition(edition).rules(players)
    options = f"--edition {edition} --players {players}"
    for line in trace_game(player.careful(), company, rules, options, seed, game):
        typer.echo(line)


def _check(player: "Player", company: "list[Player]", games: int, seed: int) -> None:
    """Check a bidder and print what was found."""
    from modernart.simulator.rules import load_edition
    from modernart.strategies.checking import check_player, cost_per_decision, smoke_match
    from modernart.strategies.specs import load_players

    findings, decisions = check_player(player, company, games, seed)
    typer.echo(f"{sum(decisions.values()):,} decisions of {player.name} in {len(decisions)} rule sets")
    for finding in findings:
        typer.echo(f"FAULT: {finding.what}")
        typer.echo(f"  the game: {finding.command}")
        if finding.n_rule_sets > 1:
            typer.echo(f"  the same in {finding.n_rule_sets - 1} more of the rule sets")
    if findings:
        typer.echo(f"{len(findings)} fault(s) found; put them right and check again.")
        raise typer.Exit(1)
    typer.echo("legal in all of them, repeatable, leaves the table alone, sees only what it may")
    rules = load_edition("classic").rules(4)
    measured = (player, *load_players(["half_value", "predictive"]))
    costs = [(one.name, cost_per_decision(one, rules, company)) for one in measured]
    typer.echo("cost per decision: " + ", ".join(f"{name} {cost:.2f} us" for name, cost in costs))
    shares = smoke_match(player, company, seed=seed)
    typer.echo("win share, 400 games: " + ", ".join(f"{name} {100 * share:.1f} %" for name, share in shares.items()))
