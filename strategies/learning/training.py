"""A whole training run in a folder: a foundation, iterations with a pool, tuning, a held-out table.

The foundation is self-play of `predictive`: what lots and cards are worth among sound bidders. What is learned among
copies of oneself drifts away from what holds against others, so the foundation stays part of every fit, and the tables
of the iterations hold bidders of several kinds.
"""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from modernart.simulator.errors import UsageError
from modernart.simulator.files import whole_file
from modernart.simulator.players import Player
from modernart.simulator.rules import Rules
from modernart.simulator.simulate import available_threads, score
from modernart.simulator.state import MAX_ROUNDS
from modernart.strategies.base import Strategy
from modernart.strategies.bidders.learned import TUNED, learned
from modernart.strategies.learning.beginner import first_learner
from modernart.strategies.learning.fitting import Network
from modernart.strategies.learning.iteration import (
    NETWORKS,
    Judgement,
    Rows,
    fit_all,
    fit_leaf,
    gather_rows,
    judgement_from,
    merge_rows,
    new_judgement,
)
from modernart.strategies.learning.weights_file import Weights, load_weights, write_weights
from modernart.strategies.specs import load_players
from modernart.strategies.tuning.focal_seat import FocalSeat
from modernart.strategies.tuning.search import Search, search

#: Who else sits at the tables of the iterations, and how often.
RIVALS = {
    "predictive": 0.36,
    "half_value": 0.12,
    "fair_share": 0.20,
    "full_value": 0.10,
    "standard": 0.05,
    "heuristic": 0.04,
    "tight": 0.10,
    "random": 0.03,
}
#: Chance of each other seat to be the learner's own, and the ancestors' part of the rest.
_OWN, _ANCESTORS, _N_ANCESTORS = 0.25, 0.1, 2
#: Chance that all rivals of a table are of one kind.
_ALIKE = 0.5
#: The rows of so many iterations are kept for fitting, beside the foundation.
_KEPT = 5
#: Games of the foundation, as a multiple of those of an iteration, alone and under weights to start from; and of the
#: first look at the money to come.
_FOUNDATION, _THIN_FOUNDATION, _FIRST_LOOK = 1.5, 0.5, 0.25
#: Epochs and first learning rate of the foundation's fit, and of each iteration's.
_FIRST_FIT, _NEXT_FIT = (8.0, 2e-3), (2.0, 1e-3)
#: Bidders of the held-out table.
JUDGES = ("predictive", "half_value", "fair_share", "full_value", "standard", "heuristic", "aggressive", "tight")
#: Rivals of the tuning, beside a copy of itself.
_TUNED_AMONG = ("predictive", "half_value", "fair_share", "full_value", "tight")
# Deals never used in training, and those of the tuning, start here.
_HELD_OUT_DEALS, _TUNING_DEALS = 1_000_000_000, 900_000_000
#: Deals of an iteration start at its number times this.
_DEALS_EACH = 1_000_000
#: Part of the time that is spent on tuning.
_TUNING_SHARE = 0.2
_NO_FOCUS = np.zeros(MAX_ROUNDS)


@dataclass(frozen=True)
class Plan:
    """What to train.

    Parameters
    ----------
    rules : Rules
    command : str
        Command line that asked for it.
    minutes : float
        Time to spend, all parts of a resumed training together.
    games : int
        Games of one iteration.
    seed : int
    threads : int
    against : tuple of str, optional
        Specs of bidders to respond to: they take all other seats, of the iterations and of the tuning, each seat
        drawn anew.
    start : str, optional
        Weights to start from, named as behind the `@` of `learned`, instead of networks that have learned nothing.
    """

    rules: Rules
    command: str
    minutes: float = 50.0
    games: int = 6000
    seed: int = 1
    threads: int = field(default_factory=available_threads)
    against: tuple[str, ...] = ()
    start: str = ""

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that must match for a training to be resumed."""
        own = {"rules": self.rules.to_record(), "games": self.games, "seed": self.seed}
        own |= {"against": list(self.against)} if self.against else {}
        return own | ({"start": self.start, "digest": self.first_weights().facts["digest"]} if self.start else {})

    def first_weights(self) -> Weights:
        """Return the weights to start from.

        Raises
        ------
        UsageError
            If they do not load, or were trained for another number of artists.
        """
        weights = load_weights(self.start)
        weights.check_fit(self.rules)
        return weights


@dataclass
class State:
    """How far a run has come.

    Parameters
    ----------
    judgement : Judgement
    seconds, last_seconds : float
        Spent so far, and on the last step.
    ancestors : list of ndarray
        Blocks of the last iterations.
    history : list of dict
        What the foundation and each iteration came to.
    is_tuned : bool
    foundation : Rows
    kept : list of Rows
        Of the last iterations.
    """

    judgement: Judgement
    seconds: float = 0.0
    last_seconds: float = 0.0
    ancestors: list[np.ndarray] = field(default_factory=list)
    history: list[dict[str, float]] = field(default_factory=list)
    is_tuned: bool = False
    foundation: Rows = field(default_factory=dict)
    kept: list[Rows] = field(default_factory=list)

    @property
    def n_steps(self) -> int:
        """Return how many steps are done: the foundation, and each iteration."""
        return len(self.history)


def learned_player(block: np.ndarray, name: str = "learned") -> Player:
    """Return a player of `learned` with a block of numbers."""
    return Player(name, learned.act, learned.vector, block)


def draw_line_ups(rng: np.random.Generator, n: int, n_seats: int, n_ancestors: int) -> np.ndarray:
    """Return tables for training, int64 of shape (n, n_seats): 0 the learner, then RIVALS, then ancestors.

    The learner sits at every table, at some with copies of itself; its rivals are of one kind or of several.
    """
    chances = np.array(list(RIVALS.values()))
    if n_ancestors:
        chances = np.r_[chances * (1.0 - _ANCESTORS), np.full(n_ancestors, _ANCESTORS / n_ancestors)]
    line_ups = np.zeros((n, n_seats), np.int64)
    for row in line_ups:
        n_rivals = n_seats - 1 - rng.binomial(n_seats - 1, _OWN)
        row[:n_rivals] = rng.choice(len(chances), 1 if rng.random() < _ALIKE else n_rivals, p=chances) + 1
        rng.shuffle(row)
    return line_ups


def lay_foundation(plan: Plan, state: State) -> None:
    """Learn from self-play of `predictive`: first the money to come, then everything, with it at the rounds' ends."""
    start = time.perf_counter()
    player = first_learner.player()

    def rows(first: int, games: float, **options) -> Rows:
        line_ups = np.zeros((max(1, int(games)), plan.rules.players), np.int64)
        learns = np.array([True])
        leaf = state.judgement.leaf
        return gather_rows(
            [player], learns, plan.rules, line_ups, first, plan.seed, leaf, _NO_FOCUS, threads=plan.threads, **options
        )

    unlabelled = dict.fromkeys(NETWORKS, 0)
    rounds = rows(0, _FIRST_LOOK * plan.games, rates=unlabelled)["rounds"]
    state.judgement.leaf, leaf_shares = fit_leaf(rounds, plan.rules.rounds)
    state.foundation = rows(_DEALS_EACH // 2, (_THIN_FOUNDATION if plan.start else _FOUNDATION) * plan.games)
    state.foundation.pop("rounds")
    if plan.start:
        # The leaf stays that of these rules: it depends on how many cards each round deals.
        leaf = state.judgement.leaf
        state.judgement = judgement_from(plan.first_weights().numbers, state.foundation)
        state.judgement.leaf = leaf
        shares = dict.fromkeys(NETWORKS, 0.0)
    else:
        shares = fit_all(state.judgement, state.foundation, *_FIRST_FIT, plan.seed, plan.threads)
    _finish_step(state, state.foundation, shares, start)
    state.history[-1] |= {f"leaf_{k + 2}": float(share) for k, share in enumerate(leaf_shares)}


def iterate(plan: Plan, state: State) -> None:
    """Play with the pool, and fit to what came out, to the iterations before and to the foundation."""
    start = time.perf_counter()
    number = state.n_steps
    block = state.judgement.block()
    rivals = list(plan.against or RIVALS)
    players = [learned_player(block), *load_players(rivals), *map(learned_player, state.ancestors)]
    learns = np.zeros(len(players), bool)
    learns[0] = True
    rng = np.random.default_rng((plan.seed, number))
    if plan.against:
        line_ups = rng.integers(1, 1 + len(rivals), (plan.games, plan.rules.players))
        line_ups[:, 0] = 0
        line_ups = rng.permuted(line_ups, axis=1)
    else:
        line_ups = draw_line_ups(rng, plan.games, plan.rules.players, len(state.ancestors))
    first, leaf = number * _DEALS_EACH, state.judgement.leaf
    found = gather_rows(players, learns, plan.rules, line_ups, first, plan.seed, leaf, _NO_FOCUS, threads=plan.threads)
    found.pop("rounds")
    state.ancestors = [*state.ancestors, block][-_N_ANCESTORS:]
    state.kept = [*state.kept, found][-_KEPT:]
    recent = merge_rows(state.kept)
    together = merge_rows([state.foundation, *state.kept])
    # What rivals pay is learned from the pool alone: the foundation knows but one kind of rival.
    together["market"] = recent["market"]
    shares = fit_all(state.judgement, together, *_NEXT_FIT, number, plan.threads)
    _finish_step(state, found, shares, start)


def _finish_step(state: State, rows: Rows, shares: dict[str, float], start: float) -> None:
    """Note what a step came to."""
    figures = {f"rows_{name}": float(len(rows[name][0])) for name in NETWORKS}
    state.history.append(figures | {f"fit_{name}": float(share) for name, share in shares.items()})
    state.last_seconds = time.perf_counter() - start
    state.seconds += state.last_seconds


def tune(plan: Plan, state: State, seconds: float) -> None:
    """Tune the bidding numbers among a copy and rivals for about so many seconds, and add them to the judgement's."""
    start = time.perf_counter()
    block = state.judgement.block()
    strategy = Strategy("learned", learned.function, learned.params, data=block)
    rivals = load_players(plan.against) if plan.against else [learned_player(block), *load_players(_TUNED_AMONG)]
    seat = FocalSeat(rivals, plan.rules, seed=plan.seed + _TUNING_DEALS, threads=plan.threads)
    seat.score(strategy.player(), 0, 32)
    begun = time.perf_counter()
    seat.score(strategy.player(), 0, 256)
    games_a_second = 256 * plan.rules.players / (time.perf_counter() - begun)
    budget = max(1, int(0.9 * seconds * games_a_second))
    plan_of_search = Search(strategy, TUNED, "win", budget, plan.rules.players, plan.seed, sigma=0.04)
    found = plan_of_search.values(search(plan_of_search, seat).means[-1])
    for k, name in enumerate(learned.params):
        if name in TUNED:
            state.judgement.knobs[k] += found[name]
    state.is_tuned = True
    state.seconds += time.perf_counter() - start


def held_out_table(player: Player, rules: Rules, judges: Sequence[str], games: int, seed: int) -> list[dict[str, Any]]:
    """Return what a player wins alone among bidders of one kind, on deals that training never used.

    Returns
    -------
    list of dict
        `rivals`, `win_share` and its interval's half width in per cent, `money` relative to the rivals' mean, `games`.
    """
    n_deals = -(-games // rules.players)
    line_up = [0] + [1] * (rules.players - 1)
    rows = []
    for judge in judges:
        scores = score([player, *load_players([judge])], rules, line_up, _HELD_OUT_DEALS, n_deals, seed=seed)
        share = 100 * scores.win_share[:, 0]
        money = scores.money[:, 0] - scores.money[:, 1:].mean(axis=1)
        rows.append(
            {
                "rivals": judge,
                "win_share": float(share.mean()),
                "half_width": float(1.96 * share.std(ddof=1) / np.sqrt(n_deals)),
                "money": float(money.mean()),
                "games": scores.n_games,
            }
        )
    return rows


def train(
    plan: Plan, folder: Path, on_step: Callable[[str, float], None], judges: Sequence[str] = JUDGES
) -> tuple[State, list[dict[str, Any]]]:
    """Train in a folder, or go on with what is there, and write `learned.npz`.

    Parameters
    ----------
    plan : Plan
    folder : Path
        Made if need be; holds `state.npz` after every step, and until the end the rows that are fitted to.
    on_step : callable
        Called with a sentence and the seconds spent so far, after every step.
    judges : sequence of str
        Rivals of the held-out table.

    Returns
    -------
    state : State
    table : list of dict
        See `held_out_table`.
    """
    state = read_state(folder, plan) or State(new_judgement(plan.seed))
    seconds = 60.0 * plan.minutes
    before_tuning = (1.0 - _TUNING_SHARE) * seconds
    while state.n_steps == 0 or (not state.is_tuned and state.seconds + state.last_seconds < before_tuning):
        if state.n_steps == 0:
            lay_foundation(plan, state)
        else:
            iterate(plan, state)
        write_state(folder, plan, state)
        fits = ", ".join(f"{name} {state.history[-1][f'fit_{name}']:.3f}" for name in NETWORKS)
        on_step(f"step {state.n_steps}: {fits}", state.seconds)
    if not state.is_tuned:
        tune(plan, state, max(seconds - state.seconds, 0.0))
        write_state(folder, plan, state)
        on_step("bidding numbers tuned", state.seconds)
    for path in folder.glob("rows-*.npz"):
        path.unlink()
    table = held_out_table(learned_player(state.judgement.block()), plan.rules, judges, 4000, plan.seed)
    facts = {
        "command": plan.command,
        "rules": plan.rules.to_record(),
        "seed": plan.seed,
        "steps": state.n_steps,
        "games": plan.games,
        "minutes": round(state.seconds / 60.0, 1),
        "history": state.history,
        "held_out": table,
    }
    write_weights(folder / "learned.npz", state.judgement.block(), facts)
    return state, table


def write_state(folder: Path, plan: Plan, state: State) -> None:
    """Write how far a run has come, whole or not at all; rows first, so that those that the state names are there."""
    # The foundation is step 0; the kept iterations are the last steps.
    numbers = [] if state.is_tuned else [0][: len(state.foundation)]
    numbers += [] if state.is_tuned else range(state.n_steps - len(state.kept), state.n_steps)
    for number in numbers:
        path = folder / f"rows-{number}.npz"
        if not path.is_file():
            rows = state.kept[number - state.n_steps] if number else state.foundation
            parts: dict[str, Any] = {f"{n}_{k}": part for n, pair in rows.items() for k, part in enumerate(pair)}
            with whole_file(path, "wb") as file:
                np.savez(file, **parts)
    facts = {
        "identity": plan.identity,
        "seconds": state.seconds,
        "last_seconds": state.last_seconds,
        "history": state.history,
        "is_tuned": state.is_tuned,
        "rows": numbers,
    }
    arrays: dict[str, Any] = {"facts": np.frombuffer(json.dumps(facts).encode(), np.uint8)}
    arrays |= {"leaf": state.judgement.leaf, "knobs": state.judgement.knobs, "ancestors": np.array(state.ancestors)}
    for name, network in state.judgement.networks.items():
        arrays |= {f"{name}_mean": network.mean, f"{name}_scale": network.scale}
        arrays |= {f"{name}_{k}": layer for k, layer in enumerate(network.layers)}
    with whole_file(folder / "state.npz", "wb") as file:
        np.savez(file, **arrays)
    for path in folder.glob("rows-*.npz"):
        if int(path.stem.partition("-")[2]) not in numbers:
            path.unlink()


def read_state(folder: Path, plan: Plan) -> State | None:
    """Return how far the run in a folder has come; None if it has not begun.

    Raises
    ------
    UsageError
        If the folder holds another run, or its state is damaged.
    """
    path = folder / "state.npz"
    if not path.is_file():
        return None
    try:
        with np.load(path, allow_pickle=False) as data:
            facts = json.loads(data["facts"].tobytes().decode())
            networks = {
                name: Network(data[f"{name}_mean"], data[f"{name}_scale"], [data[f"{name}_{k}"] for k in range(6)])
                for name in NETWORKS
            }
            judgement = Judgement(networks, data["leaf"], data["knobs"])
            ancestors = list(data["ancestors"])
        identity, numbers = facts["identity"], facts["rows"]
        rows = [_read_rows(folder / f"rows-{number}.npz") for number in numbers]
        seconds, last_seconds = float(facts["seconds"]), float(facts["last_seconds"])
        state = State(judgement, seconds, last_seconds, ancestors, facts["history"], facts["is_tuned"])
    except (OSError, ValueError, KeyError, TypeError, EOFError):
        raise UsageError(f"{path} is damaged; delete it to start the training anew") from None
    mine = json.loads(json.dumps(plan.identity))
    if identity != mine:
        changed = ", ".join(key for key in mine if identity.get(key) != mine[key])
        raise UsageError(f"{folder} holds another training (other {changed}); name another --study")
    if rows:
        state.foundation, *state.kept = rows
    return state


def _read_rows(path: Path) -> Rows:
    with np.load(path, allow_pickle=False) as data:
        return {name: (data[f"{name}_0"], data[f"{name}_1"]) for name in NETWORKS}
