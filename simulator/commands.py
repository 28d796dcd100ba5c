"""Commands that show the rules and check records. Heavy imports wait until a command runs."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from modernart.simulator.arguments import OWN, PLAYING, whole
from modernart.simulator.limits import N_ARTISTS

if TYPE_CHECKING:
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
    from modernart.simulator.rules import builtin_editions, load_edition
    from modernart.simulator.terminal_tables import Column, print_table

    classic = load_edition("classic")
    rows = []
    for name in (*builtin_editions(), *(edition or ())):
        one = load_edition(name)
        changes = ", ".join(_changes_in_words(one, classic)) or ("" if name == "classic" else "nothing")
        rows.append((one.name, _players(one), one.title, changes))
    columns = (
        Column("edition"),
        Column("players", rank=1),
        Column("what it is", rank=2, is_sentence=True),
        Column("how it differs from classic", is_sentence=True),
    )
    print_table(columns, rows, gap_below=1)
    typer.echo("Next: modernart editions show NAME, or --edition FILE.toml in any command for your own.")


@editions_app.command("new")
def new_edition(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The edition file to write.")],
    artists: Annotated[int | None, whole("Number of artists, with a deck of 14 cards each.", 1, N_ARTISTS)] = None,
    kinds: Annotated[
        str | None, typer.Option(metavar="ORSFD", help="Kinds of auction in the deck, by letter; ORSF has no doubles.")
    ] = None,
) -> None:
    """Write a commented edition file to start from; it plays at once."""
    from modernart.simulator.new_edition import write_edition

    written = write_edition(file, artists, kinds)
    typer.echo(f"Files: {', '.join(map(str, written))}")
    typer.echo(f"Next: modernart editions show {file}; modernart editions compare classic {file}")


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
    from modernart.simulator.limits import MAX_SEATS, MIN_SEATS
    from modernart.simulator.options import OPTION_VALUES
    from modernart.simulator.rules import load_edition, option_meanings
    from modernart.simulator.terminal_tables import Column, print_table

    classic = load_edition("classic")
    changes = edition.changes(classic)
    typer.echo(f"{edition.label}: {edition.title}")
    typer.echo(f"{_players(edition)} players. Source: {edition.source or 'not given'}.\n")

    options = []
    for option, meaning in option_meanings().items():
        mark = " *" if option in changes else ""
        value = getattr(edition, option)
        others = [other for other in OPTION_VALUES.get(option, ()) if other != value]
        also = f" (or {', '.join(others)})" if others else ""
        options.append((option, _in_words(value) + mark, meaning + also))
    print_table((Column("option"), Column("value"), Column("meaning", rank=1, is_sentence=True)), options)
    if changes:
        typer.echo("* differs from classic")

    deals = [_deal_row(edition, count) for count in range(MIN_SEATS, MAX_SEATS + 1)]
    columns = (
        Column("players", is_number=True),
        Column("new cards each, by round"),
        Column(f"dealt of {edition.n_cards}", rank=2, is_sentence=True),
        Column("comes from", rank=1, is_sentence=True),
    )
    print_table(columns, deals, title="\nDeals")
    if edition.shill != "none":
        typer.echo("The shill's face-down hand is dealt as many cards as each player.")

    _print_deck(edition)
    for note in (edition.deck_note, *edition.notes):
        if note:
            typer.echo(f"\nNote: {note}")


def _deal_row(edition: "Edition", players: int) -> tuple[str, str, str, str]:
    """Return the deal for a number of players, and whether it is the edition's own."""
    from modernart.simulator.errors import UsageError

    try:
        dealt = str(edition.rules(players).n_dealt)
    except UsageError as error:
        dealt = f"impossible: {error}"
    origin = "the edition" if players in edition.deal else "scaled from the nearest"
    return str(players), _in_words(edition.deal_for(players)), dealt, origin


def _print_deck(edition: "Edition") -> None:
    """Print copies by artist and auction kind, or the crowns of each copy if cards carry crowns."""
    from modernart.simulator.cards import KIND_LETTERS, KIND_NAMES, AuctionKind, card_artist, card_crowns, card_kind
    from modernart.simulator.terminal_tables import Column, print_table

    codes = edition.card_codes()
    kinds = [kind for kind in AuctionKind if any(card_kind(code) == kind for code in codes)]
    title = "\nDeck: the crowns of each card" if edition.carries_crowns else "\nDeck: copies"
    heads = [Column(f"{KIND_NAMES[kind]} {KIND_LETTERS[kind]}", rank=1) for kind in kinds]
    columns = (Column("artist"), *heads, Column("cards", is_number=True))
    rows = []
    for artist, (short, full) in enumerate(zip(edition.artists, edition.artist_names, strict=True)):
        own = [code for code in codes if card_artist(code) == artist]
        cells = []
        for kind in kinds:
            crowns = sorted(card_crowns(code) for code in own if card_kind(code) == kind)
            cells.append(" ".join(map(str, crowns)) or "-" if edition.carries_crowns else str(len(crowns)))
        rows.append((short if full == short else f"{short} {full}", *cells, str(len(own))))
    rows.append(("cards", *(str(sum(card_kind(code) == kind for code in codes)) for kind in kinds), str(len(codes))))
    print_table(columns, rows, title=title)


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
