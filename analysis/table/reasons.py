"""One sentence that says why an answer is the best."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from modernart.analysis.table.positions import Position
from modernart.analysis.table.ways import Played, expected_pay
from modernart.simulator.decisions import ABOUT_A_LOT, ASCENDING, Phase

if TYPE_CHECKING:
    from modernart.analysis.table.advice import Option


def why(position: Position, game, options: "Sequence[Option]", best: int, walk_away: int | None, played: Played) -> str:
    """Return a sentence on the best option: what the lot should pay, what it gives the seller, what it does to rivals.

    Parameters
    ----------
    position : Position
    game : record of GAME_DTYPE
        A scene.
    options : sequence of Option
    best : int
        Place of the best one.
    walk_away : int or None
    played : Played
    """
    if position.phase in ABOUT_A_LOT and position.phase != Phase.TENDER:
        return _why_amount(position, game, options, best, walk_away, played)
    return _why_card(position, options, best)


def _why_amount(
    position: Position, game, options: "Sequence[Option]", best: int, walk_away: int | None, played: Played
) -> str:
    table = game.table
    pays = expected_pay(position, game)
    seller = int(table.auctioneer)
    if position.phase == Phase.PRICE:
        chance = options[best].sold
        return (
            f"The lot should pay about {pays:.0f}; at {options[best].way.answer} somebody accepts with a chance of "
            f"{chance:.0%}, and if nobody does you pay that price to the bank."
        )
    out = min(range(len(options)), key=lambda k: abs(options[k].way.first))
    instead = _otherwise(position, played, out, seller)
    to = "the bank" if seller == position.seat else f"{position.names[seller]}, the seller,"
    if walk_away is None:
        return f"The lot should pay about {pays:.0f}, and a rival goes further than you can: {instead}."
    reason = (
        f"The lot should pay about {pays:.0f}; above {walk_away} your money does more for {to} than the lot does for "
        f"you, and {instead}."
    )
    if seller == position.seat and position.phase in ASCENDING and options[best].way.first > walk_away:
        reason += f" Going on to {options[best].way.first} is meant to make them pay more."
    return reason


def _otherwise(position: Position, played: Played, out: int, seller: int) -> str:
    """Say who gets the lot if the seat stays out."""
    n_seats = position.rules.players
    counts = np.bincount(played.buyers[:, out], minlength=n_seats)
    buyer = int(np.argmax(counts))
    share = counts[buyer] / counts.sum()
    prices = played.sold[played.buyers[:, out] == buyer, buyer]
    name = "you" if buyer == position.seat else position.names[buyer]
    keeps = buyer == seller
    verb = "keep" if buyer == position.seat else "keeps"
    if keeps:
        return f"if you stay out, {name} {verb} it with a chance of {share:.0%}"
    return f"if you stay out, {name} buys it with a chance of {share:.0%}, for about {np.median(prices):.0f}"


def _why_card(position: Position, options: "Sequence[Option]", best: int) -> str:
    one = options[best]
    others = [option for k, option in enumerate(options) if k != best]
    if not others:
        return f"{one.way.answer} is the only answer."
    next_best = max(others, key=lambda option: option.relative)
    lead = one.relative - next_best.relative
    if one.ends > 0.5:
        effect = "ends the round"
    elif one.income >= 0:
        effect = f"brings you about {one.income:.0f} for the lot"
    else:
        effect = f"costs you about {-one.income:.0f} for the lot"
    return (
        f"{one.way.answer} {effect} and leaves you {lead:+.1f} against the others' mean compared with "
        f"{next_best.way.answer}, the next best (win chance {one.win:.0%} against {next_best.win:.0%})."
    )
