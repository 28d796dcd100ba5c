"""Hints for a player: what a strong bidder would do in their place, from what their seat knows."""

from modernart.analysis.play.session import Session
from modernart.strategies.specs import load_players

#: Who is asked what it would do.
_ADVISER = "planner"


def hint_lines(session: Session) -> list[str]:
    """Return a hint for the question that is open, one sentence a line.

    Raises
    ------
    ModernArtError
        If no hint can be had; the message says why.
    """
    answer = session.answer_of(load_players([_ADVISER])[0])
    return [f"{_ADVISER} would answer: {session.question.say(answer)}"]
