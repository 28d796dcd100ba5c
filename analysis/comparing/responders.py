"""Responses to a table of copies of a strategy, other than a tuned family: search at the table, and learning.

Each is one way to look for a best response. Every win share is a lower bound on what the best one wins.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from modernart.analysis.statistics.sequential import fixed_interval
from modernart.simulator.arguments import parse_whole
from modernart.simulator.errors import UsageError
from modernart.simulator.rules import Rules
from modernart.simulator.simulate import available_threads
from modernart.strategies.base import Strategy
from modernart.strategies.bidders.planner import planner
from modernart.strategies.learning.training import Plan, train
from modernart.strategies.learning.weights_file import nearest_shipped
from modernart.strategies.specs import load_players, load_strategy
from modernart.strategies.tuning.focal_seat import FocalSeat

#: Ways to look for a response.
KINDS = ("family", "learned", "search")
#: Playouts for each answer at which a searching response is tried, and games of each.
ROLLOUTS, GAMES = (4, 16, 64), 400
#: Games of an iteration of a learned response by the time it has, so that it has several; at least so many, and at most
#: those of `learn`.
_GAMES_A_MINUTE, _FEWEST_GAMES = 300, 20
#: First deal that searching responses meet.
_FIRST_DEAL = 6 << 32


@dataclass(frozen=True)
class Response:
    """A response and what it wins against copies of the strategy.

    Parameters
    ----------
    kind : str
        One of KINDS.
    spec : str
        Names it.
    win_share : float
    ci : tuple of float
        95 % interval from deals, whose number was fixed beforehand.
    games : int
    rollouts : int, optional
        Of a response that searches.
    """

    kind: str
    spec: str
    win_share: float
    ci: tuple[float, float]
    games: int
    rollouts: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the response as plain data."""
        return {**vars(self), "ci": list(self.ci)}


def kinds_of(text: str) -> list[str]:
    """Return the kinds that a comma-separated text names, in their usual order.

    Raises
    ------
    UsageError
        If it names another.
    """
    named = [part.strip() for part in text.split(",") if part.strip()]
    for kind in named:
        if kind not in KINDS:
            raise UsageError(f'--responder takes {", ".join(KINDS)}, or several with commas, got "{kind}"')
    return [kind for kind in KINDS if kind in named]


def split_counts(text: str) -> list[int]:
    """Return the whole numbers, from 1 on, of a comma-separated text.

    Raises
    ------
    UsageError
        If it holds anything else.
    """
    parts = [part for part in text.split(",") if part.strip()]
    if not parts:
        raise UsageError("--rollouts takes whole numbers from 1 on, as 4,16,64; give at least one")
    return [parse_whole("each number of --rollouts", part, 1, 1_000_000) for part in parts]


def searching_response(spec: str, rollouts: int) -> Strategy:
    """Return the search on top of a strategy that takes every rival for a copy of it.

    Raises
    ------
    UsageError
        If the strategy searches itself: to search through its searches would take thousands of times as long.
    """
    return planner.based_on(spec).with_values({"rollouts": rollouts, "read": 0.0})


def judge(
    kind: str,
    response: Strategy,
    rivals: Sequence[str],
    rules: Rules,
    games: int,
    seed: int,
    threads: int | None,
    first_deal: int,
) -> Response:
    """Return what a response wins against strategies that take turns in the other seats; one fills them all."""
    focal_seat = FocalSeat(load_players(rivals), rules, seed, threads)
    n_deals = -(-games // rules.players)
    shares = focal_seat.score(response.player(), first_deal, n_deals).win_share
    interval = fixed_interval(shares, 0.0, 1.0)
    return Response(kind, response.spec, float(shares.mean()), interval, n_deals * rules.players)


def search_curve(
    spec: str,
    rules: Rules,
    rollouts: Sequence[int] = ROLLOUTS,
    games: int = GAMES,
    seed: int = 1,
    threads: int | None = None,
    on_response: Callable[[Response], None] | None = None,
) -> list[Response]:
    """Return what searching wins against copies of a strategy, by playouts for each answer, on the same deals.

    Parameters
    ----------
    spec : str
        The strategy to be beaten: base of the search, and its model of every rival.
    rules : Rules
    rollouts : sequence of int
    games, seed : int
    threads : int, optional
    on_response : callable, optional
        Called with each response.
    """
    found = []
    for n in rollouts:
        judged = judge("search", searching_response(spec, n), [spec], rules, games, seed, threads, _FIRST_DEAL)
        found.append(Response(judged.kind, judged.spec, judged.win_share, judged.ci, judged.games, n))
        if on_response is not None:
            on_response(found[-1])
    return found


def train_response(
    rivals: Sequence[str], rules: Rules, minutes: float, seed: int, threads: int | None, folder: Path, command: str
) -> Strategy:
    """Train `learned`, from the nearest shipped weights on, among strategies that take turns in the other seats.

    Parameters
    ----------
    rivals : sequence of str
    rules : Rules
    minutes : float
        Time to train; what is left in the folder of an earlier call counts.
    seed : int
    threads : int, optional
    folder : Path
        Of the training, which can go on.
    command : str
        Command line that asked for it.
    """
    try:
        start = nearest_shipped(rules)
    except UsageError:
        # None were made for so many artists: it learns from nothing.
        start = ""
    games = min(Plan.games, max(_FEWEST_GAMES, int(_GAMES_A_MINUTE * minutes)))
    n_threads = threads or available_threads()
    plan = Plan(rules, command, minutes, games, seed, n_threads, against=tuple(rivals), start=start)
    train(plan, folder, lambda what, seconds: None, judges=())
    return load_strategy(f"learned@{folder / 'learned.npz'}")


def other_responses(
    kinds: Sequence[str],
    spec: str,
    rules: Rules,
    rollouts: Sequence[int],
    games: int,
    seed: int,
    threads: int | None,
    on_response: Callable[[Response], None],
    *,
    minutes: float,
    folder: Path,
    command: str,
) -> list[Response]:
    """Return what the kinds of response beside the tuned family win against copies of a strategy."""
    found = []
    if "learned" in kinds:
        response = train_response([spec], rules, minutes, seed, threads, folder, command)
        found.append(judge("learned", response, [spec], rules, games, seed, threads, _FIRST_DEAL))
        on_response(found[-1])
    if "search" in kinds:
        found += search_curve(spec, rules, rollouts, games, seed, threads, on_response)
    return found
