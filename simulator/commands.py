"""Commands that show the rules and check records. Heavy imports wait until a command runs."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from modernart.simulator.arguments import OWN, PLAYING, whole

if TYPE_CHECKING:
    from rich.table import Table

    from modernart.simulator.rules import Edition

editions_app = typer.Typer(help="List the editions, or show one with all its options.", invoke_without_command=True)


def register(app: typer.Typer) -> None:
    """Add the commands of this package to `app`."""
    app.add_typer(editions_app, name="editions", rich_help_panel=OWN)
    app.command(rich_help_panel=PLAYING)(check)


@editions_app.callback()
def list_editions(
    ctx: typer.Context,
    edition: Annotated[
        list[str] | None, typer.Option("--edition", metavar="FILE", help="Add an edition of your own to the list.")
    ] = None,
) -> None:
    """List the editions, or show one with all its options."""
    if ctx.invoked_subcommand is not None:
        return
    from rich.console import Console
    from rich.table import Table

    from modernart.simulator.rules import builtin_editions, load_edition

    classic = load_edition("classic")
    table = Table(box=None, header_style="bold", padding=(0, 2, 1, 0))
    table.add_column("edition", no_wrap=True)
    table.add_column("players", no_wrap=True)
    table.add_column("what it is", ratio=2)
    table.add_column("how it differs from classic", ratio=3)
    for name in (*builtin_editions(), *(edition or ())):
        one = load_edition(name)
        changes = _changes_in_words(one, classic)
        table.add_row(
            one.name, _players(one), one.title, ", ".join(changes) or ("" if name == "classic" else "nothing")
        )
    Console().print(table)
    typer.echo("Next: modernart editions show NAME, or --edition FILE.toml in any command for your own.")


@editions_app.command("show")
def show_edition(
    name: Annotated[
        str | None, typer.Argument(help="A built-in edition or a TOML file.", show_default="classic")
    ] = None,
    edition: Annotated[str | None, typer.Option("--edition", metavar="NAME|FILE", help="The same as NAME.")] = None,
    rule: Annotated[
        list[str] | None, typer.Option("--rule", metavar="KEY=VALUE", help="Change an option; may be repeated.")
    ] = None,
    players: Annotated[
        int | None, whole("With --json, print the rules for this number of players.", name="--players")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Show every option of an edition, its deals and its deck."""
    from modernart.simulator.errors import UsageError
    from modernart.simulator.rules import load_edition, parse_overrides

    if name is not None and edition is not None:
        raise UsageError(f"give the edition once, as {name} or as --edition {edition}")
    if players is not None and not as_json:
        raise UsageError("--players goes with --json; without it the deals of all numbers of players are shown")
    one = load_edition(name or edition or "classic", parse_overrides(rule or ()))
    if not as_json:
        _print_edition(one)
    elif players is None:
        typer.echo(json.dumps(one.to_dict(), indent=2, ensure_ascii=False))
    else:
        typer.echo(json.dumps(one.rules(players).to_record(), indent=2, ensure_ascii=False))


def _print_edition(edition: "Edition") -> None:
    """Print an edition: title, options, deals, deck, notes."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from modernart.simulator.errors import UsageError
    from modernart.simulator.options import OPTION_VALUES
    from modernart.simulator.rules import load_edition, option_meanings

    classic = load_edition("classic")
    changes = edition.changes(classic)
    console = Console(highlight=False)
    console.print(f"[bold]{escape(edition.label)}[/]: {escape(edition.title)}")
    console.print(f"{_players(edition)} players. Source: {escape(edition.source) or 'not given'}.\n")

    options = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    options.add_column("option", no_wrap=True)
    options.add_column("value", no_wrap=True)
    options.add_column("meaning")
    for option, meaning in option_meanings().items():
        mark = " *" if option in changes else ""
        value = getattr(edition, option)
        others = [other for other in OPTION_VALUES.get(option, ()) if other != value]
        also = f" (or {', '.join(others)})" if others else ""
        options.add_row(option, _in_words(value) + mark, meaning + also)
    console.print(options)
    if changes:
        console.print("* differs from classic")

    deals = Table(box=None, header_style="bold", padding=(0, 2, 0, 0), title="\nDeals", title_justify="left")
    deals.add_column("players", justify="right")
    deals.add_column("new cards each, by round")
    deals.add_column(f"dealt of {edition.n_cards}")
    for count in edition.player_counts:
        try:
            dealt = str(edition.rules(count).n_dealt)
        except UsageError as error:
            dealt = f"impossible: {error}"
        deals.add_row(str(count), _in_words(edition.deal[count]), escape(dealt))
    console.print(deals)
    if edition.shill != "none":
        console.print("The shill's face-down hand is dealt as many cards as each player.")

    console.print(_deck_table(edition))
    for note in (edition.deck_note, *edition.notes):
        if note:
            console.print(f"\nNote: {escape(note)}")


def _deck_table(edition: "Edition") -> "Table":
    """Copies by artist and auction kind, or the crowns of each copy if cards carry crowns."""
    from rich.table import Table

    from modernart.simulator.cards import KIND_LETTERS, KIND_NAMES, AuctionKind, card_artist, card_crowns, card_kind

    codes = edition.card_codes()
    kinds = [kind for kind in AuctionKind if any(card_kind(code) == kind for code in codes)]
    title = "\nDeck: the crowns of each card" if edition.carries_crowns else "\nDeck: copies"
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0), title=title, title_justify="left")
    table.add_column("artist", no_wrap=True)
    for kind in kinds:
        table.add_column(f"{KIND_NAMES[kind]} {KIND_LETTERS[kind]}")
    table.add_column("cards", justify="right")
    for artist, (short, full) in enumerate(zip(edition.artists, edition.artist_names, strict=True)):
        own = [code for code in codes if card_artist(code) == artist]
        cells = []
        for kind in kinds:
            crowns = sorted(card_crowns(code) for code in own if card_kind(code) == kind)
            cells.append(" ".join(map(str, crowns)) or "-" if edition.carries_crowns else str(len(crowns)))
        table.add_row(short if full == short else f"{short} {full}", *cells, str(len(own)))
    table.add_row("cards", *(str(sum(card_kind(code) == kind for code in codes)) for kind in kinds), str(len(codes)))
    return table


def _changes_in_words(edition: "Edition", other: "Edition") -> list[str]:
    """Options in which one edition differs from another, each as `option value`."""
    words = []
    for option, value in edition.changes(other).items():
        if option == "players":
            continue
        if option == "deck":
            words.append(f"its own deck of {edition.n_cards} cards")
        elif option == "deal":
            words.append(f"deal for {', '.join(map(str, value))} players")
        else:
            words.append(f"{option} {_in_words(value)}")
    return words


def _players(edition: "Edition") -> str:
    low, high = edition.players
    return str(low) if low == high else f"{low}-{high}"


def _in_words(value: object) -> str:
    """Value of an option as the rules write it: yes, no, 30/20/10."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "/".join(map(str, value)) if isinstance(value, tuple) else str(value)


def check(
    file: Annotated[Path, typer.Argument(help="File of records, one a line.")],
) -> None:
    """Check records against the rules by replaying them; stops at the first contradiction."""
    from modernart.simulator.records import RecordError, read_records, replay_record

    n = 0
    for number, record in read_records(file):
        try:
            replay_record(record)
        except RecordError as error:
            raise RecordError(f"{file}, line {number}: {error}") from None
        n += 1
    if n == 0:
        raise RecordError(f"{file} holds no records")
    typer.echo(f"{n} game{'s' if n > 1 else ''} checked: every event and result follows from the rules")
