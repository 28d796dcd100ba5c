"""Cards as people write them: artists by the names of every printing, kinds of auctions by their words."""

import re
from collections.abc import Mapping, Sequence

from modernart.simulator.cards import KIND_LETTERS, KIND_NAMES, AuctionKind, card_code, parse_card
from modernart.simulator.errors import UsageError
from modernart.simulator.wording import cut, one_of

#: Artists of the printings, in board order: from the fewest cards to the most.
PRINTINGS: tuple[tuple[str, ...], ...] = (
    ("Lite Metal", "Yoko", "Christin P", "Karl Gitter", "Krypto"),
    ("Manuel Carvalho", "Sigrid Thaler", "Daniel Melim", "Ramon Martins", "Rafael Silveira"),
)
#: Words of other printings, and of people at the table, besides the names of the kinds.
_OTHER_WORDS: dict[str, AuctionKind] = {
    "open auction": AuctionKind.OPEN,
    "round": AuctionKind.ONCE_AROUND,
    "hidden": AuctionKind.SEALED,
    "blind": AuctionKind.SEALED,
}


def _kind_words(names: Mapping[AuctionKind, str]) -> dict[str, AuctionKind]:
    """Return the words that stand for each kind: its name, and the first word of it, where no other kind has it."""
    firsts = [name.split()[0] for name in names.values()]
    short = {first: kind for first, kind in zip(firsts, names, strict=True) if firsts.count(first) == 1}
    return short | {name: kind for kind, name in names.items()} | _OTHER_WORDS


_KINDS = _kind_words(KIND_NAMES)


def artist_words(artists: Sequence[str], own_names: Sequence[str] = ()) -> dict[str, int]:
    """Return the words that stand for each artist, in small letters, with its place on the board.

    Parameters
    ----------
    artists : sequence of str
        Codes of the edition. Those of the usual deck also go by the names of all printings, in full or in part.
    own_names : sequence of str
        The user's own names, in board order; they come before all others.

    Raises
    ------
    UsageError
        If the own names are not one for each artist, or one of them stands for two.
    """
    words = {code.lower(): place for place, code in enumerate(artists)}
    if tuple(artists) == ("LM", "YO", "CP", "KG", "KR"):
        for printing in PRINTINGS:
            _add_names(words, printing)
    if own_names:
        if len(own_names) != len(artists):
            raise UsageError(f"artists must be {len(artists)} names in board order, got {len(own_names)}")
        if len({name.lower() for name in own_names}) != len(own_names):
            raise UsageError("two artists have the same name; give each one of its own")
        for place, name in enumerate(own_names):
            words[" ".join(name.lower().split())] = place
    return words


def _add_names(words: dict[str, int], names: Sequence[str]) -> None:
    for place, name in enumerate(names):
        words[name.lower()] = place
        for part in name.lower().split():
            if len(part) > 1:
                words.setdefault(part, place)


def read_card(text: str, artists: Sequence[str], words: Mapping[str, int]) -> int:
    """Return the code of a card written as ``KR-S``, ``krypto sealed`` or ``Silveira S``.

    Raises
    ------
    UsageError
        If it is no card.
    """
    plain = text.strip().rstrip(".")
    try:
        return parse_card(plain.upper(), artists)
    except ValueError:
        pass
    for artist, kind, crowns in _splits(plain.lower()):
        place = words.get(" ".join(artist.replace(".", "").split()))
        known = _KINDS.get(kind)
        if known is None and len(kind) == 1 and kind.upper() in KIND_LETTERS:
            known = AuctionKind(KIND_LETTERS.index(kind.upper()))
        if place is not None and known is not None:
            return card_code(place, known, int(crowns or 1))
    names = ", ".join(artists)
    raise UsageError(
        f'"{cut(plain, 40)}" is no card; write ARTIST-KIND, as {artists[-1]}-S, with artists {names} or their names, '
        f"and kinds {one_of(KIND_LETTERS)}"
    )


def _splits(text: str) -> list[tuple[str, str, str]]:
    """Return the ways to part a text into artist, kind and crowns; either may have several words."""
    body, _, crowns = text.partition("*")
    if crowns and crowns not in "1234567":
        return []
    parts = [part for part in re.split(r"[\s\-:()]+", body) if part]
    return [(" ".join(parts[:k]), " ".join(parts[k:]), crowns) for k in range(1, len(parts))]
