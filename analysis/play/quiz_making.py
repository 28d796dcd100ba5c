"""Finding positions for the quiz: games of strong bidders in which most rules of thumb go clearly wrong."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from modernart.analysis.play.replay_page import game_for_page
from modernart.analysis.play.session import Seat, Session
from modernart.analysis.table.advice import Advice, advise
from modernart.analysis.table.belief import mean_and_error
from modernart.analysis.table.positions import position_of_game
from modernart.simulator.decisions import ABOUT_CARDS, Phase
from modernart.simulator.errors import UsageError
from modernart.simulator.interpreter import Interpreter, ask
from modernart.simulator.players import Player, params_of
from modernart.simulator.rules import load_edition
from modernart.strategies.registry import BY_NAME
from modernart.strategies.specs import load_players

#: Rules of thumb that players go by, as the built-in bidders that follow them.
FOLK = ("half_value", "full_value", "never_buy", "heuristic", "tight", "rusher", "staller", "collector", "merchant")
#: Who plays the games that positions come from.
_STRONG = ("predictive", "reader", "learned", "planner")
#: Positions of one kind of decision among all: no more than one in this many.
_MOST_OF_A_KIND = 3
#: Share of the rules of thumb that must go wrong, and share of all answers.
_MOST, _MANY = 0.55, 0.25
#: Rounds before this one are played, but not asked about: nothing has gained yet, and answers differ by little.
_FIRST_ROUND = 2
#: An answer is wrong if it costs this many standard errors, and this much money compared with the others.
_CLEAR, _COSTLY = 2.5, 3.0
#: Standard errors that the first playouts, which are few, must show.
_LIKELY = 1.0
_PHASES = {
    Phase.CARD: "Which card do you put up?",
    Phase.PAIR: "Which card do you add to your double?",
    Phase.JOIN: "Do you add a card to the double, and become the auctioneer of both?",
    Phase.LIMIT: "How far do you go in this open auction?",
    Phase.BID: "What do you bid, once around? 0 passes.",
    Phase.SEALED: "What do you write down?",
    Phase.PRICE: "What price do you ask?",
    Phase.ACCEPT: "Do you buy at this price?",
}


def find_positions(n: int, seed: int, rollouts: int, most_games: int = 10_000) -> Iterator[dict[str, Any]]:
    """Yield positions for the quiz, at most one a game.

    Parameters
    ----------
    n : int
    seed : int
        The games are the deals of the seeds `seed`, `seed + 1` and so on.
    rollouts : int
        Playouts that the costs shown rest on; an eighth of them decides what is worth that effort.
    most_games : int
        Games that are played before the search gives up.
    """
    rng = random.Random(seed)
    rules = load_edition("classic").rules(4)
    folk = load_players(FOLK)
    found: dict[Phase, int] = {}
    for deal in range(seed, seed + most_games):
        specs = rng.sample(_STRONG, k=4)
        session = Session(rules, [Seat(spec, spec) for spec in specs], deal)
        # Which strategy sits where, a player at a table would not know.
        session.names = [f"seat {place}" for place in range(rules.players)]
        full = [phase for phase, count in found.items() if count >= -(-n // _MOST_OF_A_KIND)]
        position = _first_of_game(session, folk, rollouts, full)
        if position is not None:
            phase = Phase[position["decision"]]
            found[phase] = found.get(phase, 0) + 1
            yield position
            if sum(found.values()) == n:
                return


def _first_of_game(
    session: Session, folk: Sequence[Player], rollouts: int, full: Sequence[Phase]
) -> dict[str, Any] | None:
    """Play a game of bots until a decision is fit for the quiz, and return that; None if none is.

    Decisions of the kinds in `full` are passed over.
    """
    while not session.is_over:
        phase = session.question.phase
        is_late = session.interpreter.game.table.round_index + 1 >= _FIRST_ROUND
        if is_late and phase in _PHASES and phase not in full:
            position = _judge(session, folk, rollouts)
            if position is not None:
                return position
        session.step()
    return None


def _judge(session: Session, folk: Sequence[Player], rollouts: int) -> dict[str, Any] | None:
    """Return the open decision as a position of the quiz; None if it is not fit for it."""
    position = position_of_game(session.interpreter, names=session.names)
    answers = [answer_of(session.interpreter, player) for player in folk]
    strong = answer_of(session.interpreter)
    if sum(_are_apart(session, answer, strong) for answer in answers) < _MOST * len(answers):
        return None  # a strong bidder answers as they do: not worth playouts
    try:
        if _costs_of_folk(advise(position, rollouts=max(rollouts // 8, 64)), session, answers, _LIKELY) is None:
            return None
        advice = advise(position, rollouts=rollouts, seed=2)
    except UsageError:
        return None  # no hidden hands were found that agree with the bids
    costs = _costs_of_folk(advice, session, answers, _CLEAR)
    return None if costs is None else _position(session, advice, answers, costs)


def _are_apart(session: Session, one: int, other: int) -> bool:
    """Return whether two answers are different cards or words, or amounts far from each other."""
    if session.question.high < session.question.low:
        return one != other
    return abs(one - other) > max(5, 0.25 * other)


def answer_of(interpreter: Interpreter, player: Player | None = None) -> int:
    """Return what a bidder would answer in the place of the seat that is asked, as `Way.first` tells it.

    The game is left alone. The bidder sees the table and the hand of this seat; its notes on the game are empty.
    Without a player it is the bot of the seat, with its notes.
    """
    games = interpreter.games.copy()
    game = games[0]
    seat = int(game.table.seat)
    if player is not None:
        game.acts[seat] = player.address
        game.hands[seat].params[:] = params_of([player], interpreter.rules)[0]
        game.hands[seat].notes[:] = 0
    answer = int(ask(game))
    is_card = game.table.phase in ABOUT_CARDS
    return int(game.hands[seat].cards[answer]) if is_card and answer >= 0 else answer


def costs_of(advice: Advice) -> tuple[np.ndarray, np.ndarray]:
    """Return what each option costs against the best, in what options are judged by, with standard errors."""
    values = advice.values
    return mean_and_error(values[:, [advice.best]] - values, advice.played.units)


def option_for(advice: Advice, answer: int) -> int:
    """Return the option that an answer comes nearest to; of several with one card, the cheapest."""
    firsts = np.array([option.way.first for option in advice.options])
    costs = costs_of(advice)[0]
    distance = np.abs(firsts - answer)
    near = np.flatnonzero(distance == distance.min())
    return int(near[np.argmin(costs[near])])


def _costs_of_folk(advice: Advice, session: Session, answers: Sequence[int], clear: float) -> list[int] | None:
    """Return the option that each rule of thumb takes; None if not enough of them go wrong, or the best is unclear."""
    cost, error = costs_of(advice)
    is_win = session.rules.rounds == session.interpreter.game.table.round_index + 1
    least = 0.03 if is_win else _COSTLY
    is_wrong = (cost > clear * error) & (cost > least)
    taken = [option_for(advice, answer) for answer in answers]
    n_wrong = sum(bool(is_wrong[option]) for option in taken)
    if n_wrong < _MOST * len(taken) or is_wrong.mean() < _MANY:
        return None
    return taken


def _position(session: Session, advice: Advice, answers: Sequence[int], taken: Sequence[int]) -> dict[str, Any]:
    """Return a position of the quiz as plain data; it holds what the seat knows, and no more."""
    seat = int(session.interpreter.game.table.seat)
    frames = session.frames(seat)
    cost, error = costs_of(advice)
    round_number = frames[-1]["round"]
    story = [
        frame["text"] + (f". {frame['heard']}" if frame["heard"] else "")
        for frame in frames
        if frame["round"] == round_number
    ]
    return {
        "game": game_for_page(session.rules, session.names),
        "seat": seat,
        "story": story,
        "table": frames[-1],
        "decision": session.question.phase.name,
        "question": _PHASES[session.question.phase],
        "options": [
            {
                "answer": option.way.answer,
                "money": round(option.relative, 2),
                "win": round(option.win, 4),
                "is_as_good": bool(cost[place] <= 2 * error[place]) or place == advice.best,
            }
            for place, option in enumerate(advice.options)
        ],
        "best": advice.best,
        "why": advice.why,
        "folk": [{"rule": BY_NAME[name].summary, "option": option} for name, option in zip(FOLK, taken, strict=True)],
        "n": int(advice.options[0].n),
    }
