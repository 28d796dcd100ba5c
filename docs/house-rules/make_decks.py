"""Write decks for designers' questions about `sotheby`: fewer or more black-framed cards, crowns even or rare.

Each deck keeps the built-in one's number of cards of each colour, so that only the thing in question changes:

    python docs/house-rules/make_decks.py

writes NAME.csv and NAME.toml beside this file; use them as `--edition docs/house-rules/black_05.toml`.
"""

import csv
from itertools import cycle
from pathlib import Path

FOLDER = Path(__file__).parent
BUILT_IN = FOLDER.parents[1] / "simulator" / "editions" / "sotheby_deck.csv"

Card = tuple[str, str, int]


def built_in() -> list[Card]:
    """Return the cards of the built-in deck as (artist, kind, crowns)."""
    with open(BUILT_IN, encoding="utf-8") as file:
        return [
            (row["artist"], row["kind"], int(row["crowns"]))
            for row in csv.DictReader(file)
            for _ in range(int(row["copies"]))
        ]


#: Crowns of a colour's black-framed cards, by how many it has; three crowns on average, as in the built-in deck.
BLACK_CROWNS = {1: [[3], [1], [5], [1], [5]], 2: [[1, 5]], 3: [[1, 3, 5]], 4: [[1, 2, 4, 5]]}


def with_black(cards: list[Card], n_each: int) -> list[Card]:
    """Return the deck with `n_each` black-framed cards of each colour; other kinds and sealed cards change places."""
    result = []
    artists = list(dict.fromkeys(card[0] for card in cards))
    for artist, wanted in zip(artists, cycle(BLACK_CROWNS[n_each]), strict=False):
        own = [(a, "S" if kind == "B" else kind, crowns) for a, kind, crowns in cards if a == artist]
        for crowns in wanted:
            # A sealed card if there is one with these crowns, else an open or a fixed-price one.
            swapped = min((card for card in own if card[2] == crowns), key=lambda card: "SOFRD".find(card[1]))
            own[own.index(swapped)] = (artist, "B", crowns)
        result += own
    return result


def with_crowns(cards: list[Card], pattern: list[int]) -> list[Card]:
    """Return the deck with crowns dealt out in a repeating pattern within each colour."""
    result = []
    for artist in dict.fromkeys(card[0] for card in cards):
        own = [card for card in cards if card[0] == artist]
        result += [(artist, kind, crowns) for (_, kind, _), crowns in zip(own, cycle(pattern), strict=False)]
    return result


def write(name: str, title: str, cards: list[Card]) -> None:
    """Write a deck and the edition that uses it."""
    counts = {card: cards.count(card) for card in sorted(set(cards), key=cards.index)}
    with open(FOLDER / f"{name}.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["artist", "kind", "crowns", "copies"])
        writer.writerows([*card, copies] for card, copies in counts.items())
    text = f'extends = "sotheby"\ntitle = "{title}"\ndeck = "{name}.csv"\n'
    (FOLDER / f"{name}.toml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    deck = built_in()
    for n_each in (1, 2, 3, 4):
        write(f"black_{5 * n_each:02}", f"Sotheby with {5 * n_each} black-framed cards", with_black(deck, n_each))
    write("crowns_even", "Sotheby with as many cards of each number of crowns", with_crowns(deck, [1, 2, 3, 4, 5]))
    write("crowns_rare", "Sotheby with few crowns", with_crowns(deck, [1, 1, 2, 1, 1, 3, 1, 1, 2, 5]))
