"""Cards as packed integers, and as the text that files and records use.

A packed card holds three numbers::

    code = artist * 64 + kind * 8 + crowns
           |             |          `- 1..7; 1 where cards carry no crowns
           |             `- AuctionKind, 0..7
           `- place of the artist on the board, from 0 at the left

The functions on codes are plain arithmetic on integers, so they can also be compiled.
"""

import re
from collections.abc import Sequence
from enum import IntEnum

#: Most crowns that a packed card can hold.
MAX_CROWNS = 7

#: A card of a hand that nobody wrote down. It fits no double, and it is replaced when the card is put up.
UNKNOWN_CARD = 7 << 3
UNKNOWN_TEXT = "?"

_CARD_TEXT = re.compile(r"(?P<artist>[A-Z][A-Z0-9]{0,3})-(?P<kind>[A-Z])(?:\*(?P<crowns>[0-9]))?")


class AuctionKind(IntEnum):
    """How a card is sold (S1, "auction kinds"; black-framed: S2, Duel at Sotheby's).

    Kinds before `DOUBLE` sell a single card to a bidder, and such a card can be the second of a double.
    """

    OPEN = 0
    ONCE_AROUND = 1
    SEALED = 2
    FIXED_PRICE = 3
    DOUBLE = 4
    BLACK_FRAMED = 5


#: Letters of the auction kinds in card texts, in the order of `AuctionKind`.
KIND_LETTERS = "ORSFDB"

#: Names of the auction kinds, as tables and replays write them.
KIND_NAMES = {kind: kind.name.lower().replace("_", " ") for kind in AuctionKind}


def card_code(artist: int, kind: int, crowns: int = 1) -> int:
    """Packed code of a card, from its artist's place, its `AuctionKind` and its crowns."""
    return artist * 64 + kind * 8 + crowns


def card_artist(code: int) -> int:
    """Place of the card's artist on the board, from 0."""
    return code >> 6


def card_kind(code: int) -> int:
    """`AuctionKind` of the card."""
    return (code >> 3) & 7


def card_crowns(code: int) -> int:
    """Crowns of the card, 1 to 7; 1 where cards carry none."""
    return code & 7


def parse_card(text: str, artists: Sequence[str]) -> int:
    """Packed code of a card written as ``KR-S`` (Krypto, sealed) or, with crowns, ``RD-S*3``.

    Parameters
    ----------
    text : str
        The card.
    artists : sequence of str
        Codes of the artists, in board order.

    Returns
    -------
    int
        The packed code; a card without crowns gets 1.

    Raises
    ------
    ValueError
        If the text is not a card, or names an artist that is not among `artists`.
    """
    match = _CARD_TEXT.fullmatch(text)
    if match is None:
        raise ValueError(f'card "{text}" must be written ARTIST-KIND or ARTIST-KIND*CROWNS, such as KR-S or RD-S*3')
    if match["artist"] not in artists:
        raise ValueError(f'card "{text}" names artist {match["artist"]}, but the artists are {", ".join(artists)}')
    kind = KIND_LETTERS.find(match["kind"])
    if kind < 0:
        raise ValueError(f'card "{text}" must have a kind of {", ".join(KIND_LETTERS)}, got {match["kind"]}')
    crowns = int(match["crowns"] or 1)
    if not 1 <= crowns <= MAX_CROWNS:
        raise ValueError(f'card "{text}" must carry 1 to {MAX_CROWNS} crowns, got {crowns}')
    return card_code(artists.index(match["artist"]), kind, crowns)


def format_card(code: int, artists: Sequence[str], crowns: bool = False) -> str:
    """Write a packed card as text, the inverse of `parse_card`.

    Parameters
    ----------
    code : int
        The packed card.
    artists : sequence of str
        Codes of the artists, in board order.
    crowns : bool
        Whether the cards of this deck carry crowns.

    Returns
    -------
    str
        ``KR-S``, or ``RD-S*3`` with crowns; ``?`` for a card that is not known.
    """
    if code == UNKNOWN_CARD:
        return UNKNOWN_TEXT
    text = f"{artists[card_artist(code)]}-{KIND_LETTERS[card_kind(code)]}"
    return f"{text}*{card_crowns(code)}" if crowns else text
