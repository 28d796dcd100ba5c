"""Positions and advice as text for a terminal."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from modernart.analysis.table.advice import Advice, Option
from modernart.analysis.table.positions import Position
from modernart.simulator.cards import KIND_NAMES, AuctionKind
from modernart.simulator.decisions import ABOUT_A_SECOND, SECRET, YES_OR_NO, Phase, legal_answers
from modernart.strategies.valuation import payout_now

if TYPE_CHECKING:
    from rich.table import Table

#: What each decision asks.
QUESTIONS = {
    Phase.CARD: "which card to put up",
    Phase.PAIR: "whether to add a card to your double",
    Phase.JOIN: "whether to join the double",
    Phase.LIMIT: "how far to go in the open auction",
    Phase.BID: "what to bid once around",
    Phase.RAISE: "how far to go in the open auction",
    Phase.SEALED: "what to bid in the sealed auction",
    Phase.PRICE: "which fixed price to ask",
    Phase.ACCEPT: "whether to buy at the fixed price",
    Phase.FLIP: "whether to turn up a card of the shill",
    Phase.TENDER: "what to put in for the black-framed card",
}
#: Amounts that are shown of those that were tried.
_SHOWN = 9


def draw_position(position: Position, scene: Any) -> str:
    """Return a position as lines of text.

    Parameters
    ----------
    position : Position
    scene : recarray of GAME_DTYPE, shape (1,)
        A scene, for its table and the own hand.
    """
    game = scene[0]
    table = game.table
    rules = position.rules
    you = position.names[position.seat]
    lines = [f"Round {int(table.round_index) + 1} of {rules.rounds}, edition {rules.edition}; {you} decides", ""]
    width = max(6, *(len(artist) for artist in rules.artists))
    header = "".join(f"{artist:>{width}}" for artist in rules.artists)
    lines.append(f"{'':14}{header}")
    rows = {
        "gained before": [int(value) for value in table.values],
        "cards out": [int(n) for n in table.cards_out],
        "would pay now": [int(payout_now(table, place, 0)) for place in range(len(rules.artists))],
    }
    for title, numbers in rows.items():
        lines.append(f"{title:14}" + "".join(f"{n:>{width}}" for n in numbers[: len(rules.artists)]))
    lines.append("")
    for seat, name in enumerate(position.names):
        bought = "".join(f"{int(n) or '.':>{width}}" for n in table.gallery[seat][: len(rules.artists)])
        mark = "*" if seat == position.seat else " "
        lines.append(
            f"{mark}{name:13}{bought}   money {int(table.money[seat]):>4}, {int(table.hand_sizes[seat])} cards"
        )
    hand = game.hands[position.seat]
    if position.knows_hand:
        cards = sorted(position.card(code) for code in hand.cards[: hand.n_cards])
        lines += ["", f"Your hand: {' '.join(cards) or 'empty'}"]
    lines += ["", *_lot_lines(position, game), f"To decide: {_question(position, table)} ({_answers(position, table)})"]
    return "\n".join(lines)


def _question(position: Position, table: Any) -> str:
    """Say what is to be decided."""
    if position.phase == Phase.PAIR and table.kind != AuctionKind.DOUBLE:
        return "whether to add a card of the same kind"
    return QUESTIONS[position.phase]


def _answers(position: Position, table: Any) -> str:
    """Say which answers are possible."""
    if position.phase == Phase.CARD:
        return "one of your cards"
    if position.phase in ABOUT_A_SECOND:
        return "a fitting card, or none"
    if position.phase in YES_OR_NO:
        return "yes or no"
    return legal_answers(table)


def _lot_lines(position: Position, game: Any) -> Iterator[str]:
    table = game.table
    if position.phase in (Phase.CARD, Phase.FLIP):
        return
    cards = " and ".join(position.card(code) for code in table.lot[: int(table.n_lot)])
    seller = position.names[int(table.auctioneer)]
    kind = KIND_NAMES[AuctionKind(int(table.kind))]
    line = f"On sale: {cards}, {kind}, by {seller}"
    if position.phase == Phase.ACCEPT:
        line += f", for {int(table.high_bid)}"
    elif position.phase not in SECRET and int(table.high_bid) > 0:
        line += f", {position.names[int(table.high_bidder)]} bids {int(table.high_bid)}"
    yield line


def shown_options(advice: Advice) -> list[Option]:
    """Return the options to show, the best first; of amounts some over the whole range."""
    options = list(advice.options)
    best = advice.best_option
    if isinstance(best.way.answer, str):
        return sorted(options, key=lambda option: -_judged(advice, option))
    step = max(1, len(options) // _SHOWN)
    kept = {id(option) for option in [*options[::step], options[-1], best]}
    walk_away = advice.walk_away
    if walk_away is not None:
        kept.add(id(min(options, key=lambda option: abs(option.way.first - walk_away))))
    return [option for option in options if id(option) in kept]


def _judged(advice: Advice, option: Option) -> float:
    place = advice.options.index(option)
    return float(advice.values[:, place].mean())


def line_of_ties(advice: Advice) -> str:
    """Return a line on the answers that are as good as the best, as far as the playouts can tell; empty if none is."""
    options = advice.as_good()
    if not options:
        return ""
    if isinstance(advice.best_option.way.answer, str):
        names = ", ".join(str(option.way.answer) for option in options)
    else:
        names = _ranges([option.way.first for option in options], [option.way.first for option in advice.options])
    return f"As good as {advice.best_option.way.answer}, as far as the playouts tell: {names}."


def _ranges(amounts: list[int], tried: list[int]) -> str:
    """Say amounts as ranges of the amounts that were tried, which are in ascending order."""
    runs: list[list[int]] = []
    for place, amount in enumerate(tried):
        if amount in amounts:
            if runs and place > 0 and runs[-1][-1] == tried[place - 1]:
                runs[-1].append(amount)
            else:
                runs.append([amount])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


def draw_advice(advice: Advice) -> "Table":
    """Return the options of an advice as a table of Rich."""
    from rich.markup import escape
    from rich.table import Table

    is_lot = not math.isnan(advice.best_option.sold)
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("answer", no_wrap=True)
    for title in ("win chance", "against the others", "final money"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("another buys" if is_lot else "lot brings", justify="right", no_wrap=True)
    for option in shown_options(advice):
        is_best = option is advice.best_option
        last = f"{option.sold:.0%}" if is_lot else ("ends round" if option.ends > 0.5 else f"{option.income:+.0f}")
        cells = (
            escape(str(option.way.answer)) + (" <" if is_best else ""),
            f"{option.win:.1%} ±{1.96 * option.win_error:.1%}",
            f"{option.relative:+.1f} ±{1.96 * option.relative_error:.1f}",
            f"{option.money:.0f} ±{1.96 * option.money_error:.0f}",
            last,
        )
        table.add_row(*cells, style="bold" if is_best else "")
    return table
