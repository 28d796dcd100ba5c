"""The files from which own bidders start: a Python bot, and one of expressions for those who do not program."""

from pathlib import Path

from modernart.simulator.errors import UsageError
from modernart.simulator.files import whole_file

PYTHON_TEMPLATE = '''"""A bidder for Modern Art. Play it with: modernart tournament {file}:my_bot half_value random"""

from modernart.simulator.decisions import Phase
from modernart.strategies.base import Param, strategy
from modernart.strategies.bidding import bid_by_value, simple_tender
from modernart.strategies.card_choice import choose_addition, choose_card, choose_flip
from modernart.strategies.forecast import expected_value

# Numbers that it plays by; {file}:my_bot(share=0.8) changes one. This is the place of `share` in hand.params.
SHARE = 0


@strategy(params={{"share": Param(0.75, low=0.0, high=1.0, doc="share of a lot's worth that it pays")}})
def my_bot(table, hand):
    """Pays three quarters of what a lot is expected to pay."""
    # `table` is what everybody sees: table.money[seat], table.cards_out[artist], table.values[artist], table.high_bid,
    # table.gallery[seat, artist], table.rules.n_seats ... `hand` is its own: hand.seat, hand.cards, hand.notes (a
    # notebook of 144 numbers that lasts for the game). simulator/state.py lists all. Change neither table nor cards.
    phase = table.phase
    if phase == Phase.CARD:
        return choose_card(table, hand)  # the slot of a card to put up
    if phase == Phase.PAIR or phase == Phase.JOIN:
        return choose_addition(table, hand)  # the slot of a second for the double on the table, or -1
    if phase == Phase.FLIP:
        return choose_flip(table, hand)  # 1: turn up a card of the shill
    # What the lot on sale should pay when the round ends.
    worth = expected_value(table, hand, True)
    if phase == Phase.TENDER:
        return simple_tender(table, hand, worth)  # a black-framed card
    # Every kind of auction; its own lots it takes for at most half.
    return bid_by_value(table, hand, worth, hand.params[SHARE])
'''

TOML_TEMPLATE = """# A bidder for Modern Art in expressions. Play it with: modernart tournament {file} half_value random
#
# Numbers it may use everywhere:
#   n (players), round (from 1), money (its own), cards (in its hand), board (value of the artist so far),
#   out (the artist's cards out), held (its paintings of the artist this round), own (such cards in its hand),
#   now (what one crown of the artist pays if the round ended now), expected (what it is expected to pay);
#   + - * /, comparisons, and / or / not, A if C else B, min(a, b), max(a, b), abs(a).
# A division by zero ends the game with an error: write `a / b if b else 0` where b may be 0.
about = "Pays three quarters of what a lot is expected to pay"

# What the lot on sale is worth; `crowns` is 1 for a card, 2 for a pair (in the Sotheby's edition: its crowns).
value = "crowns * expected"

# Numbers of its own; "{file}(share=0.8)" changes one, and `modernart tune {file}` finds good ones.
[parameters]
share = {{default = 0.75, low = 0.0, high = 1.0, doc = "share of the value that it pays"}}

# These also know: value, high (the standing bid), mine (1 if the lot is its own), leader (1 if the richest sells).
[bids]
open = "share * value if not mine else min(share, 0.5) * value"
once_around = "share * value if not mine else min(share, 0.5) * value"
sealed = "share * value"
ask = "share * value"        # its fixed price
accept = "share * value"     # highest fixed price at which it buys

# This also knows: gain, what ending the round now pays it more than the mean of its rivals.
[ending]
end_round = "gain > 5"
"""


def write_template(path: Path) -> str:
    """Write a bot to start from, and return the spec that plays it.

    Parameters
    ----------
    path : Path
        `.py` or `.toml`; must not exist yet.

    Raises
    ------
    UsageError
        If the file exists, or has another ending.
    """
    if path.suffix not in (".py", ".toml"):
        raise UsageError(f'"{path}" must end with .py, or with .toml for a bot of expressions')
    if path.exists():
        raise UsageError(f"{path} exists already; choose another name")
    if not path.parent.is_dir():
        raise UsageError(f'there is no folder "{path.parent}"')
    template = PYTHON_TEMPLATE if path.suffix == ".py" else TOML_TEMPLATE
    with whole_file(path) as file:
        file.write(template.format(file=path))
    return f"{path}:my_bot" if path.suffix == ".py" else str(path)
