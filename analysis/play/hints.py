"""Hints for a player: the best answer, what it and others bring, and why, from what their seat knows."""

import numpy as np

from modernart.analysis.play.session import Session
from modernart.analysis.table.advice import Advice, Option, advise
from modernart.analysis.table.belief import HINT
from modernart.analysis.table.drawing import line_of_ties
from modernart.analysis.table.positions import position_of_game

#: Playouts of a hint, fewer than of `modernart advise`: an answer within two seconds or so.
_ROLLOUTS = 4000
#: Options shown besides the best.
_OTHERS = 3


def hint_lines(session: Session, rollouts: int = _ROLLOUTS) -> list[str]:
    """Return a hint for the question that is open, one sentence a line.

    Parameters
    ----------
    session : Session
    rollouts : int
        Games played to their end, about.

    Raises
    ------
    ModernArtError
        If no hint can be had; the message says why.
    """
    position = position_of_game(session.interpreter, names=session.names)
    return lines_of(advise(position, rollouts=rollouts, effort=HINT))


def lines_of(advice: Advice) -> list[str]:
    """Return advice in sentences: the best answer, how far to go, why, which answers are as good, and the next best."""
    best = advice.best_option
    lines = [f"Best: {_in_words(best)}.", advice.why]
    if advice.walk_away is not None:
        lines.insert(1, f"The lot is worth having up to {advice.walk_away}.")
    if ties := line_of_ties(advice):
        lines.append(ties)
    others: list[Option] = []
    for place in np.argsort(-advice.values.mean(axis=0)):
        option = advice.options[place]
        if not any(_are_close(option, shown) for shown in [best, *others]):
            others.append(option)
    return lines + [f"Or {_in_words(option)}." for option in others[:_OTHERS]]


def _are_close(one: Option, other: Option) -> bool:
    """Return whether two options are the same, or amounts so close that one says as much as both."""
    a, b = one.way.answer, other.way.answer
    return a == b or (isinstance(a, int) and isinstance(b, int) and a * b != 0 and abs(a - b) <= max(3, 0.15 * b))


def _in_words(option: Option) -> str:
    ahead = f"{abs(option.relative):.0f} {'ahead of' if option.relative >= 0 else 'behind'} the others' mean"
    return (
        f"{option.way.answer}: final money {option.money:.0f} (± {1.96 * option.money_error:.0f}), {ahead}, "
        f"win chance {option.win:.0%} (± {1.96 * option.win_error:.0%})"
    )
