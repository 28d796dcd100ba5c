"""`modernart editions new`: a commented edition file to start from, with a deck of its own if that is to differ."""

from pathlib import Path

from modernart.simulator.cards import KIND_LETTERS, KIND_NAMES, AuctionKind
from modernart.simulator.errors import UsageError
from modernart.simulator.files import whole_file
from modernart.simulator.limits import MAX_CARDS, N_ARTISTS
from modernart.simulator.options import OPTION_VALUES, option_meanings
from modernart.simulator.rules import Edition, load_edition

#: Cards of each artist in a deck made here: as many as an artist of `classic` has on average.
_CARDS_EACH = 14


def write_edition(path: Path, artists: int | None = None, kinds: str | None = None) -> list[Path]:
    """Write an edition file that plays as `classic` until its lines are changed, and a deck if one is asked for.

    Parameters
    ----------
    path : Path
        A `.toml` file that does not exist.
    artists : int, optional
        Number of artists; default: those of `classic`.
    kinds : str, optional
        Letters of the kinds of auction in the deck; default: all of `classic`.

    Returns
    -------
    list of Path
        The files written.

    Raises
    ------
    UsageError
        If a file exists, or there cannot be such a deck.
    """
    if path.suffix != ".toml":
        raise UsageError(f"an edition file must end in .toml, got {path}")
    deck_path = path.with_suffix(".csv")
    has_deck = artists is not None or kinds is not None
    for wanted in (path, *([deck_path] if has_deck else [])):
        if wanted.exists():
            raise UsageError(f"{wanted} exists; choose another name")
    classic = load_edition("classic")
    codes = _artist_codes(classic, artists or len(classic.artists))
    if has_deck:
        deck = _deck_lines(codes, kinds if kinds is not None else "ORSFD")
        with whole_file(deck_path) as file:
            file.write("\n".join(deck) + "\n")
    with whole_file(path) as file:
        file.write(_template(classic, codes, deck_path.name if has_deck else None))
    return [path, deck_path] if has_deck else [path]


def _artist_codes(classic: Edition, artists: int) -> list[str]:
    if not 1 <= artists <= N_ARTISTS:
        raise UsageError(f"artists must be from 1 to {N_ARTISTS}, got {artists}")
    return [*classic.artists, *(f"A{n}" for n in range(len(classic.artists) + 1, artists + 1))][:artists]


def _deck_lines(codes: list[str], kinds: str) -> list[str]:
    """Return the lines of a deck file: each artist's cards spread evenly over the kinds, the first kinds fuller."""
    sold = KIND_LETTERS[: AuctionKind.BLACK_FRAMED]
    if not kinds or len(set(kinds)) < len(kinds) or not set(kinds) <= set(sold):
        raise UsageError(f'kinds must be different letters of {sold}, as "ORSF" for no doubles, got "{kinds}"')
    if set(kinds) == {"D"}:
        raise UsageError("doubles alone cannot be sold; add another kind, as OD")
    each = min(_CARDS_EACH, MAX_CARDS // len(codes))
    copies = {kind: each // len(kinds) + (i < each % len(kinds)) for i, kind in enumerate(kinds)}
    return ["artist,kind,copies", *(f"{code},{kind},{n}" for code in codes for kind, n in copies.items() if n)]


def _template(classic: Edition, codes: list[str], deck: str | None) -> str:
    lines = [
        "# An edition of your own: it gives only what differs from the edition that it extends.",
        "# Remove the # before a line to change an option; the values shown are those of classic.",
        "# Look at it with `modernart editions show FILE`, play it with `modernart tournament --edition FILE`.",
        'extends = "classic"',
        'title = "Classic with house rules"',
        "",
    ]
    if deck is not None:
        lines += [
            "# The deck stands in a file beside this one: artist, kind (" + _kinds_in_words() + "), copies.",
            f"deck = {_toml(deck)}",
            "# In board order: ties for rank go to the one further left.",
            f"artists = {_toml(list(codes))}",
            "",
        ]
    for name, meaning in option_meanings().items():
        words = OPTION_VALUES.get(name)
        lines.append(f"# {meaning}" + (f": {', '.join(words)}" if words else ""))
        active = "" if name == "rank_values" and len(codes) < len(classic.rank_values) else "# "
        value = getattr(classic, name)
        lines.append(f"{active}{name} = {_toml(list(value[: len(codes)]) if isinstance(value, tuple) else value)}")
    lines += [
        "",
        "# New cards of each player in each round, by number of players; other numbers are scaled from the nearest.",
        "# [deal]",
        *(f"# {n} = {_toml(list(deal))}" for n, deal in classic.deal.items()),
    ]
    return "\n".join(lines) + "\n"


def _kinds_in_words() -> str:
    return ", ".join(f"{letter} {name}" for letter, name in zip(KIND_LETTERS, KIND_NAMES.values(), strict=True))


def _toml(value: object) -> str:
    """Write a value as TOML does."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return str(value) if isinstance(value, int) else f'"{value}"'
