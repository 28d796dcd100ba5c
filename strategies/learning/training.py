"""A whole training run in a folder: iterations with a pool, tuning of the bidding numbers, a held-out table."""

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
from modernart.strategies.learning.fitting import Network
from modernart.strategies.learning.iteration import (
    NETWORKS,
    Judgement,
    fit_all,
    fit_leaf,
    gather_rows,
    new_judgement,
)
from modernart.strategies.learning.weights_file import write_weights
from modernart.strategies.specs import load_players
from modernart.strategies.tuning.focal_seat import Chair
from modernart.strategies.tuning.search import Search, search

#: Who else sits at the tables of training, and how often: several kinds, so that no one is taken for all.
RIVALS = {
    "predictive": 0.42,
    "half_value": 0.14,
    "fair_share": 0.14,
    "full_value": 0.12,
    "standard": 0.08,
    "heuristic": 0.06,
    "random": 0.04,
}
#: Chance of each other seat to be the learner's own, and the ancestors' part of the rest.
_OWN, _ANCESTORS, _N_ANCESTORS = 0.5, 0.15, 3
#: Chance that all rivals of a table are of one kind.
_ALIKE = 0.5
#: Bidders of the held-out table.
JUDGES = (
    "predictive",
    "half_value",
    "fair_share",
    "full_value",
    "standard",
    "heuristic",
    "aggressive",
    "tight",
    "random",
)
#: Rivals of the tuning, beside a copy of itself.
_TUNED_AMONG = ("predictive", "half_value", "fair_share", "full_value")
#: Deals never used in training start here.
_HELD_OUT_DEALS = 1_000_000_000
_TUNING_DEALS = 900_000_000
#: Part of the time that is spent on tuning.
_TUNING_SHARE = 0.15


@dataclass(frozen=True)
class Plan:
    """What to train.

    Parameters
    ----------
    rules : Rules
    command : str
        Command line that asked for it.
    minutes : float
        Time to spend, all sessions of a resumed run together.
    games : int
        Games of one iteration.
    seed : int
    threads : int
    """

    rules: Rules
    command: str
    minutes: float = 50.0
    games: int = 6000
    seed: int = 1
    threads: int = field(default_factory=available_threads)

    @property
    def identity(self) -> dict[str, Any]:
        """What two runs must share for one to go on with the other."""
        return {"rules": self.rules.to_record(), "games": self.games, "seed": self.seed}


@dataclass
class State:
    """How far a run has come.

    Parameters
    ----------
    judgement : Judgement
    n_iterations : int
    seconds : float
        Spent so far.
    ancestors : list of ndarray
        Blocks of the last iterations.
    history : list of dict
        What each iteration came to.
    is_tuned : bool
    """

    judgement: Judgement
    n_iterations: int = 0
    seconds: float = 0.0
    ancestors: list[np.ndarray] = field(default_factory=list)
    history: list[dict[str, float]] = field(default_factory=list)
    is_tuned: bool = False


def learned_player(block: np.ndarray, name: str = "learned") -> Player:
    """Return a player of `learned` with a block of numbers."""
    return Player(name, learned.act, learned.vector, block)


def draw_line_ups(rng: np.random.Generator, n: int, n_seats: int, n_ancestors: int) -> np.ndarray:
    """Return tables for training, int64 of shape (n, n_seats): 0 the learner, then RIVALS, then ancestors.

    The learner sits at every table, at many with copies of itself; its rivals are of one kind or of several.
    """
    chances = np.array(list(RIVALS.values()))
    if n_ancestors:
        chances = np.r_[chances * (1.0 - _ANCESTORS), np.full(n_ancestors, _ANCESTORS / n_ancestors)]
    line_ups = np.zeros((n, n_seats), np.int64)
    for row in line_ups:
        n_rivals = n_seats - 1 - rng.binomial(n_seats - 1, _OWN)
        kinds = rng.choice(len(chances), 1 if rng.random() < _ALIKE else n_rivals, p=chances) + 1
        row[:n_rivals] = kinds
        rng.shuffle(row)
    return line_ups


def iterate(plan: Plan, state: State) -> dict[str, float]:
    """Play and fit once; returns how well the networks do on deals kept apart."""
    start = time.perf_counter()
    number = state.n_iterations
    is_first = number == 0
    rivals = load_players(list(RIVALS))
    own = rivals[0] if is_first else learned_player(state.judgement.block())
    players = [own, *rivals, *(learned_player(block) for block in state.ancestors)]
    learns = np.zeros(len(players), bool)
    # The first to be learned from is `predictive` itself.
    learns[: 2 if is_first else 1] = True
    rng = np.random.default_rng((plan.seed, number))
    line_ups = draw_line_ups(rng, plan.games, plan.rules.players, len(state.ancestors))
    first = number * plan.games
    focus = np.zeros(MAX_ROUNDS)

    def rows() -> dict:
        return gather_rows(
            players, learns, plan.rules, line_ups, first, plan.seed, state.judgement.leaf, focus, threads=plan.threads
        )

    found = rows()
    leaf, leaf_shares = fit_leaf(found["rounds"], plan.rules.rounds)
    if is_first:
        # The rounds were played out without a worth of what comes after: play them out again with one.
        state.judgement.leaf = leaf
        found = rows()
    else:
        state.judgement.leaf = 0.7 * state.judgement.leaf + 0.3 * leaf
        state.ancestors = [*state.ancestors, state.judgement.block()][-_N_ANCESTORS:]
    epochs, rate = (10.0, 2e-3) if is_first else (4.0, 1e-3)
    shares = fit_all(state.judgement, found, epochs, rate, number, plan.threads)
    state.n_iterations += 1
    state.seconds += time.perf_counter() - start
    figures = {f"rows_{name}": len(found[name][0]) for name in NETWORKS}
    figures |= {f"fit_{name}": float(share) for name, share in shares.items()}
    figures |= {f"leaf_{k + 2}": float(share) for k, share in enumerate(leaf_shares)}
    state.history.append(figures)
    return figures


def tune(plan: Plan, state: State, seconds: float) -> None:
    """Tune the bidding numbers among copies and rivals for about so many seconds, and put them into the judgement."""
    start = time.perf_counter()
    block = state.judgement.block()
    strategy = Strategy("learned", learned.function, learned.params, data=block)
    rivals = [
        learned_player(block),
        *load_players(_TUNED_AMONG),
    ]
    seat = Chair(rivals, plan.rules, seed=plan.seed + _TUNING_DEALS, threads=plan.threads)
    trial = seat.score(strategy.player(), 0, 32)
    del trial
    begun = time.perf_counter()
    seat.score(strategy.player(), 0, 256)
    games_a_second = 256 * plan.rules.players / (time.perf_counter() - begun)
    budget = max(1, int(0.9 * seconds * games_a_second))
    found = search(Search(strategy, TUNED, "win", budget, plan.rules.players, plan.seed), seat)
    plan_at_end = Search(strategy, TUNED, "win", 1, plan.rules.players).at(found.means[-1])
    for k, name in enumerate(learned.params):
        if name in TUNED:
            state.judgement.knobs[k] += plan_at_end.values[name]
    state.is_tuned = True
    state.seconds += time.perf_counter() - start


def held_out_table(player: Player, rules: Rules, judges: Sequence[str], games: int, seed: int) -> list[dict[str, Any]]:
    """Return what a player wins alone among bidders of one kind, on deals that training never used.

    Returns
    -------
    list of dict
        `rivals`, `win_share` and its interval's half width in per cent, `money` relative to the rivals' mean.
    """
    n_deals = -(-games // rules.players)
    rows = []
    for judge in judges:
        scores = score(
            [player, *load_players([judge])],
            rules,
            [0] + [1] * (rules.players - 1),
            _HELD_OUT_DEALS,
            n_deals,
            seed=seed,
        )
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
        Made if need be; holds `state.npz` after every iteration.
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
    while state.n_iterations == 0 or (not state.is_tuned and state.seconds < (1.0 - _TUNING_SHARE) * seconds):
        figures = iterate(plan, state)
        write_state(folder, plan, state)
        fits = ", ".join(f"{name} {figures[f'fit_{name}']:.3f}" for name in NETWORKS)
        on_step(f"iteration {state.n_iterations}: {fits}", state.seconds)
    if not state.is_tuned:
        tune(plan, state, max(seconds - state.seconds, 0.0))
        write_state(folder, plan, state)
        on_step("bidding numbers tuned", state.seconds)
    block = state.judgement.block()
    table = held_out_table(learned_player(block), plan.rules, judges, 4000, plan.seed)
    facts = {
        "command": plan.command,
        "rules": plan.rules.to_record(),
        "seed": plan.seed,
        "iterations": state.n_iterations,
        "games": state.n_iterations * plan.games,
        "minutes": round(state.seconds / 60.0, 1),
        "history": state.history,
        "held_out": table,
    }
    write_weights(folder / "learned.npz", block, facts)
    return state, table


def write_state(folder: Path, plan: Plan, state: State) -> None:
    """Write how far a run has come, whole or not at all."""
    facts = {
        "identity": plan.identity,
        "n_iterations": state.n_iterations,
        "seconds": state.seconds,
        "history": state.history,
        "is_tuned": state.is_tuned,
    }
    arrays = {"facts": np.frombuffer(json.dumps(facts).encode(), np.uint8)}
    arrays |= {"leaf": state.judgement.leaf, "knobs": state.judgement.knobs, "ancestors": np.array(state.ancestors)}
    for name, network in state.judgement.networks.items():
        arrays |= {f"{name}_mean": network.mean, f"{name}_scale": network.scale}
        arrays |= {f"{name}_{k}": layer for k, layer in enumerate(network.layers)}
    with whole_file(folder / "state.npz", "wb") as file:
        np.savez(file, **arrays)


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
        numbers = int(facts["n_iterations"]), float(facts["seconds"])
        identity, history, is_tuned = facts["identity"], facts["history"], facts["is_tuned"]
    except (OSError, ValueError, KeyError, TypeError, EOFError):
        raise UsageError(f"{path} is damaged; delete it to start the training anew") from None
    if identity != json.loads(json.dumps(plan.identity)):
        changed = [key for key in plan.identity if identity.get(key) != json.loads(json.dumps(plan.identity[key]))]
        raise UsageError(f"{folder} holds another training (other {', '.join(changed)}); name another --study")
    return State(judgement, *numbers, ancestors, history, is_tuned)
