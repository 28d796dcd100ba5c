"""Cards as text, the deck of a rule set, and the deal.

A card is written `ARTIST-KIND`, or `ARTIST-KIND*CROWNS` where the cards of the deck carry crowns.
"""

from collections import Counter

from .stream import DEAL, Stream

#: Kinds of auctions by their letter, in the order in which tallies count them, with the names that tables give them.
KINDS = {
    "O": "open",
    "R": "once around",
    "S": "sealed",
    "F": "fixed price",
    "D": "double",
    "B": "black framed",
}
OPEN, ONCE_AROUND, SEALED, FIXED_PRICE, DOUBLE, BLACK_FRAMED = KINDS


def parse_card(card: str) -> tuple[str, str, int]:
    """Artist, kind and crowns of a card; 1 crown where the card carries none.

    Raises
    ------
    ValueError
        If the text is no card.
    """
    name, star, crowns = card.partition("*")
    artist, dash, kind = name.partition("-")
    if not artist or not dash or kind not in KINDS or (star and not crowns.isdigit()):
        raise ValueError(f"a card is written ARTIST-KIND or ARTIST-KIND*CROWNS, got {card!r}")
    return artist, kind, int(crowns) if star else 1


def card_text(artist: str, kind: str, crowns: int | None = None) -> str:
    """Text of a card; `crowns` is None in a deck whose cards carry none."""
    return f"{artist}-{kind}" if crowns is None else f"{artist}-{kind}*{crowns}"


def artist_of(card: str) -> str:
    """Artist of a card."""
    return parse_card(card)[0]


def kind_of(card: str) -> str:
    """Kind of auction of a card, one letter."""
    return parse_card(card)[1]


def crowns_of(card: str) -> int:
    """Crowns of a card; 1 where the card carries none."""
    return parse_card(card)[2]


def deck_list(rules: dict) -> list[str]:
    """All cards of the deck in the order of the rules, the copies of a card in a row."""
    cards = []
    for card, copies in rules["deck"].items():
        cards += [card] * copies
    return cards


def n_hands(rules: dict) -> int:
    """Number of hands dealt: one a seat, and one for the shill where it plays."""
    return rules["players"] + (rules["shill"] != "none")


def deal(rules: dict, key: int) -> tuple[int, list[list[list[str]]]]:
    """First seat and the cards of every round, by seat, the shill's pile last.

    Parameters
    ----------
    rules : dict
        The rules of the game record.
    key : int
        Key of the deal.
    """
    stream = Stream(key, 0, 0, DEAL)
    first_seat = stream.below(rules["players"])
    cards = deck_list(rules)
    for i in range(sum(rules["deal"]) * n_hands(rules)):
        j = i + stream.below(len(cards) - i)
        cards[i], cards[j] = cards[j], cards[i]
    rounds = []
    for share in rules["deal"]:
        hands = []
        for _ in range(n_hands(rules)):
            hands.append(cards[:share])
            cards = cards[share:]
        rounds.append(hands)
    return first_seat, rounds


def check_deal(rules: dict, dealt: list[list[list[str]]]) -> None:
    """Refuse a deal that the rules and the deck cannot give; None stands for an unknown card.

    Raises
    ------
    ValueError
        If a round or a hand has the wrong size, or there are more copies of a card than the deck has.
    """
    if len(dealt) != rules["rounds"] or len(rules["deal"]) != rules["rounds"]:
        raise ValueError(f"the rules have {rules['rounds']} rounds, the deal has {len(dealt)}")
    used = Counter()
    for number, hands in enumerate(dealt):
        if len(hands) != n_hands(rules):
            raise ValueError(f"round {number + 1} deals {len(hands)} hands instead of {n_hands(rules)}")
        for seat, hand in enumerate(hands):
            # With a hand limit a record tells only the cards that were taken up.
            is_short = len(hand) < rules["deal"][number] and rules["hand_limit"] < sum(rules["deal"])
            if len(hand) != rules["deal"][number] and not is_short:
                raise ValueError(f"round {number + 1} deals {len(hand)} cards to hand {seat}")
            used.update(card for card in hand if card is not None)
    for card, copies in used.items():
        if copies > rules["deck"].get(card, 0):
            raise ValueError(f"{copies} copies of {card} are dealt, the deck has {rules['deck'].get(card, 0)}")
