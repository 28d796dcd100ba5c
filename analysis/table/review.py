"""A recorded game, looked back at: what each decision cost against the best found, and what luck gave."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from modernart.analysis.table.advice import Advice, Z, judge_ways, relative_and_wins
from modernart.analysis.table.belief import BRIEF, Belief, draw_belief, mean_and_error, rival_specs
from modernart.analysis.table.luck import Curve, deal_luck, win_curve
from modernart.analysis.table.positions import Position
from modernart.analysis.table.sources import names_of, position_at
from modernart.analysis.table.ways import Way, scene_of, ways_of
from modernart.simulator.cards import parse_card
from modernart.simulator.decisions import ABOUT_CARDS, DECLINE, STAY_OUT, Phase
from modernart.simulator.errors import UsageError
from modernart.simulator.events import WORDS
from modernart.simulator.simulate import available_threads

#: Playouts of a decision, over all its answers.
ROLLOUTS = 1000
#: Standard errors by which a cost must exceed 0 to be called a mistake: a decision of a hundred does by chance.
_CLEAR = 2.5
#: What a decision is about.
KINDS = {
    Phase.CARD: "card",
    Phase.PAIR: "second card",
    Phase.JOIN: "second card",
    Phase.LIMIT: "open",
    Phase.RAISE: "open",
    Phase.BID: "once around",
    Phase.SEALED: "sealed",
    Phase.PRICE: "price asked",
    Phase.ACCEPT: "fixed price",
    Phase.FLIP: "shill",
    Phase.TENDER: "black-framed",
}


@dataclass(frozen=True)
class Judged:
    """A decision of the game.

    Parameters
    ----------
    round_index, event : int
        Where it stands in the record, from 0.
    seat : int
    kind : str
        What it was about, a value of KINDS.
    answer, best : str or int
        What was done, and what should have been.
    money, money_error : float
        What the best would have brought more in relative money, and the standard error. Scenes that choose the best do
        not judge it, so this may come out below 0 where the best is not clear.
    win, win_error : float
        The same of the win chance.
    chance : float
        Win chance of the seat with its own answer, from what it saw.
    is_mistake : bool
        Whether the cost is clear of its error.
    """

    round_index: int
    event: int
    seat: int
    kind: str
    answer: str | int
    best: str | int
    money: float
    money_error: float
    win: float
    win_error: float
    chance: float
    is_mistake: bool

    def to_record(self) -> dict[str, Any]:
        """Return the decision as `--json` shows it; rounds and events count from 1."""
        return {
            "round": self.round_index + 1,
            "event": self.event + 1,
            "seat": self.seat,
            "decision": self.kind,
            "answer": self.answer,
            "best": self.best,
            "money": self.money,
            "money_ci": [self.money - Z * self.money_error, self.money + Z * self.money_error],
            "win": self.win,
            "win_ci": [self.win - Z * self.win_error, self.win + Z * self.win_error],
            "win_chance": self.chance,
            "mistake": self.is_mistake,
        }


@dataclass(frozen=True)
class Review:
    """A game looked back at.

    Parameters
    ----------
    names : tuple of str
    final : ndarray of float64, shape (n_seats,)
        Relative money at the end: a seat's less the mean of the others'.
    decisions : tuple of Judged
    deal : ndarray of float64, shape (n_seats,)
        What the deals gave each seat, relative money; NaN if hands are not known.
    before : ndarray of float64, shape (n_seats,)
        Relative money to be expected before the first deal.
    curve : Curve
        Win chances at each turn.
    """

    names: tuple[str, ...]
    final: np.ndarray
    decisions: tuple[Judged, ...]
    deal: np.ndarray
    before: np.ndarray
    curve: Curve

    def given_away(self, seat: int, kind: str | None = None, what: str = "money") -> float:
        """Return what a seat's decisions cost, of one kind or of all, in relative money or win chance."""
        here = [one for one in self.decisions if one.seat == seat and kind in (None, one.kind)]
        return float(sum(getattr(one, what) for one in here))

    def error_of(self, seat: int) -> float:
        """Return the standard error of what a seat gave away in money."""
        return float(np.sqrt(sum(one.money_error**2 for one in self.decisions if one.seat == seat)))

    def luck(self, seat: int) -> float:
        """Return what the deals and the others' play gave a seat: its result, but for what its own decisions cost."""
        before = self.before[seat] if np.isfinite(self.before[seat]) else 0.0
        return float(self.final[seat] - before + self.given_away(seat))

    def mistakes(self, seat: int) -> list[Judged]:
        """Return a seat's mistakes, the dearest first."""
        here = [one for one in self.decisions if one.seat == seat and one.is_mistake]
        return sorted(here, key=lambda one: -one.money)

    def to_record(self) -> dict[str, Any]:
        """Return the review as `--json` shows it."""
        return {
            "seats": [
                {
                    "seat": seat,
                    "error_money": self.given_away(seat),
                    "error_win": self.given_away(seat, what="win"),
                    "luck": self.luck(seat),
                    "mistakes": len(self.mistakes(seat)),
                }
                for seat in range(len(self.names))
            ],
            "decisions": [one.to_record() for one in self.decisions],
        }


def marks_of(review: Review) -> dict[str, list[dict[str, Any]]]:
    """Return what a replay's page says of the mistakes, by `ROUND:EVENT` from 1."""
    marks: dict[str, list[dict[str, Any]]] = {}
    for one in review.decisions:
        if one.is_mistake:
            place = f"{one.round_index + 1}:{one.event + 1}"
            marks.setdefault(place, []).append({"seat": one.seat, "text": say(one, review.names)})
    return marks


def say(one: Judged, names: Sequence[str]) -> str:
    """Say in a sentence what was wrong with a decision."""
    return (
        f"{names[one.seat]}: {one.answer} ({one.kind}) costs {one.money:.0f} ±{Z * one.money_error:.0f} of money and "
        f"{one.win:.0%} ±{Z * one.win_error:.0%} of win chance; {one.best} is better."
    )


def review_record(
    record: Mapping[str, Any],
    *,
    rivals: str = "strong",
    rollouts: int = ROLLOUTS,
    seed: int = 1,
    threads: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Review:
    """Look back at a game.

    Parameters
    ----------
    record : dict
        Checked against the rules.
    rivals : str
        As for `modernart.analysis.table.advice.advise`, but `mixed`.
    rollouts : int
        Playouts of each decision.
    seed : int
    threads : int, optional
    on_progress : callable, optional
        Called with the number of decisions done.
    """
    specs = rival_specs(rivals)
    places = decisions_of(record)
    if not places:
        raise UsageError("the game has no decision with a choice")

    def one(place: tuple[int, int, int]) -> Judged | None:
        return judge(record, place, specs, rollouts, seed)

    done: list[Judged | None] = []
    with ThreadPoolExecutor(max(1, threads or available_threads())) as pool:
        for judged in pool.map(one, places):
            done.append(judged)
            if on_progress is not None:
                on_progress(len(done))
    money = np.array([[record["money"]]], float)
    n_seats = len(record["money"])
    final = np.array([relative_and_wins(money, seat)[0][0, 0] for seat in range(n_seats)])
    deal, before = deal_luck(record, specs, seed=seed, threads=threads)
    return Review(
        names_of(record),
        final,
        tuple(judged for judged in done if judged is not None),
        deal,
        before,
        win_curve(record, specs, seed=seed, threads=threads),
    )


def n_decisions(record: Mapping[str, Any]) -> int:
    """Return how many decisions `review_record` looks at."""
    return len(decisions_of(record))


def decisions_of(record: Mapping[str, Any]) -> list[tuple[int, int, int]]:
    """Return round, event and seat of every decision, each amount of a sealed auction apart."""
    places = []
    for r, told in enumerate(record["rounds"]):
        for i, event in enumerate(told["events"]):
            if event["e"] == "sealed":
                places += [(r, i, seat) for seat in range(len(event["amounts"]))]
            elif event["e"] != "sale":
                places.append((r, i, event["seat"]))
    return places


def judge(
    record: Mapping[str, Any], place: tuple[int, int, int], specs: tuple[str, ...], rollouts: int, seed: int
) -> Judged | None:
    """Return what a decision cost; None where there was no choice, or it is not known between what."""
    round_index, event, seat = place
    told = record["rounds"][round_index]["events"][event]
    position = position_at(record, round_index, event, seat=seat)
    if position.phase in ABOUT_CARDS and not position.knows_hand:
        return None
    if position.phase == Phase.LIMIT and _is_filled_in(record, place):
        return None
    belief = draw_belief(position, specs, seed=seed, effort=BRIEF, threads=1)
    made = _made(position, told)
    ways = _with_made(belief, made)
    if len(ways) < 2:
        return None
    advice = judge_ways(belief, ways, specs, "", rollouts, 1)
    return cost_of(advice, _place_of(ways, made), KINDS[position.phase], round_index, event)


def _is_filled_in(record: Mapping[str, Any], place: tuple[int, int, int]) -> bool:
    """Return whether a limit only makes the sale come out: a game typed from a real table tells just the sale."""
    if all(cards is not None for told in record["rounds"] for cards in told["dealt"]):
        return False
    round_index, event, seat = place
    later = record["rounds"][round_index]["events"][event:]
    return next(one for one in later if one["e"] == "sale")["buyer"] != seat


def _made(position: Position, event: Mapping[str, Any]) -> Way:
    """Return the answer that was given."""
    word = event["e"]
    if word == "sealed":
        amount = event["amounts"][position.seat]
        return Way("out", STAY_OUT) if amount is None else Way(amount, amount)
    if word in ("play", "pair", "join"):
        return Way(event["card"], parse_card(event["card"], position.rules.artists))
    if word == "decline":
        return Way("alone" if position.phase == Phase.PAIR else "decline", DECLINE)
    if word == "flip":
        return Way("leave" if event["card"] is None else "turn up", int(event["card"] is not None))
    if word in ("accept", "refuse", "pass"):
        answer = int(WORDS[word].carries)
        return Way(0 if word == "pass" else word, answer)
    return Way(event["amount"], event["amount"])


def _with_made(belief: Belief, made: Way) -> list[Way]:
    """Return the ways to answer, the one that was taken among them; in an outcry a raise means to go that far."""
    ways = ways_of(belief.position, scene_of(belief))
    if isinstance(made.answer, int) and all(way.first != made.first for way in ways):
        ways = sorted([*ways, made], key=lambda way: way.first)
    return ways


def _place_of(ways: Sequence[Way], made: Way) -> int:
    """Return where the answer that was given stands; of a double put up, the way that is best afterwards counts."""
    return next(k for k, way in enumerate(ways) if way.first == made.first)


def chosen_apart(values: np.ndarray, units: np.ndarray, among: Sequence[int]) -> np.ndarray:
    """Return for each scene the option that is best in the other half of the walks.

    The best of several noisy means is too good on the scenes that chose it.

    Parameters
    ----------
    values : ndarray of float64, shape (n, n_options)
    units : ndarray of int64, shape (n,)
    among : sequence of int
        Options to choose from.
    """
    half = units % 2
    columns = np.array(list(among))
    best = np.full(len(units), columns[0])
    for judged in (0, 1):
        others = half != judged if (half != judged).any() else half == judged
        best[half == judged] = columns[int(np.argmax(values[others][:, columns].mean(axis=0)))]
    return best


def cost_of(advice: Advice, made: int, kind: str, round_index: int, event: int) -> Judged:
    """Return what an answer cost; one half of the scenes chooses the best, the other half judges it, and in turn."""
    position, played = advice.position, advice.played
    relative, _ = relative_and_wins(played.standing, position.seat)
    _, wins = relative_and_wins(played.money, position.seat)
    same = [k for k, option in enumerate(advice.options) if option.way.first == advice.options[made].way.first]
    rows = np.arange(len(played.units))
    best = chosen_apart(advice.values, played.units, range(len(advice.options)))
    own = chosen_apart(advice.values, played.units, same)
    money, money_error = mean_and_error(relative[rows, best] - relative[rows, own], played.units)
    win, win_error = mean_and_error(wins[rows, best] - wins[rows, own], played.units)
    found = advice.options[advice.best]
    is_last = advice.values is not None and position.rules.rounds - 1 == round_index
    cost, error = (win, win_error) if is_last else (money, money_error)
    option = advice.options[made]
    return Judged(
        round_index,
        event,
        position.seat,
        kind,
        option.way.answer if len(same) == 1 else position.card(option.way.first),
        found.way.answer,
        float(money),
        float(money_error),
        float(win),
        float(win_error),
        float(wins[:, made].mean()),
        bool(cost > _CLEAR * error and cost > 0 and found.way.first != option.way.first),
    )
