"""One step of policy iteration: play with forks, fit the networks to what came out, return the new weights."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from threadpoolctl import threadpool_limits

from modernart.simulator.errors import RunError
from modernart.simulator.players import Player, acts_of, params_of
from modernart.simulator.rules import Rules
from modernart.simulator.setup import games_of
from modernart.simulator.state import MAX_ROUNDS
from modernart.strategies.learning import layout
from modernart.strategies.learning.features import N_LOT, N_MARKET, N_PUT_UP
from modernart.strategies.learning.fitting import (
    Network,
    centred,
    chance_of_winning,
    explained,
    fit,
    squared,
    squared_in_groups,
)
from modernart.strategies.learning.gather import BASE, DEAL, GROUP, N_FACTS, N_GAMES, TARGET, WEIGHT, gather
from modernart.strategies.learning.network import network_size

#: The networks: inputs, first answers, and where their numbers lie in the block.
NETWORKS = {
    "lots": (N_LOT, (0.0,), layout.LOT),
    "cards": (N_PUT_UP, (0.0,), layout.CARD),
    "additions": (N_PUT_UP, (0.0,), layout.ADDITION),
    "market": (N_MARKET, (0.85, np.log(0.15)), layout.MARKET),
}
#: In 1024: decisions of each kind that are labelled.
RATES = {"lots": 600, "cards": 400, "additions": 1024, "market": 1024}
#: Rows a game may bring, which bounds the room that is taken.
_ROWS_A_GAME = {"lots": 160, "cards": 160, "additions": 120, "market": 160}
#: Games of one task of a thread.
_TASK = 250
#: One deal in this many is kept from fitting, to judge the fit.
_HELD_OUT = 20


@dataclass
class Judgement:
    """All that is learned, as it is fitted.

    Parameters
    ----------
    networks : dict of str to Network
    leaf : ndarray of float64, shape (MAX_ROUNDS, N_LEAF)
    knobs : ndarray of float64, shape (N_KNOBS,)
    """

    networks: dict[str, Network] = field(default_factory=dict)
    leaf: np.ndarray = field(default_factory=lambda: np.zeros((MAX_ROUNDS, layout.N_LEAF)))
    knobs: np.ndarray = field(default_factory=lambda: np.array(layout.FIRST_KNOBS))

    def block(self) -> np.ndarray:
        """Return the numbers as a player reads them."""
        block = layout.block_of(np.zeros(layout.N_NUMBERS))
        block[layout.KNOBS : layout.LEAF] = self.knobs
        block[layout.LEAF : layout.LOT] = self.leaf.ravel()
        for name, (_, _, offset) in NETWORKS.items():
            numbers = self.networks[name].numbers()
            block[offset : offset + len(numbers)] = numbers
        return block


#: Features and facts of labelled decisions, by network; and of the starts of `rounds`.
Rows = dict[str, tuple[np.ndarray, np.ndarray]]


def _task(players, acts, params, rules, line_ups, learns, first, seed, leaf, focus, rates) -> dict:
    """Gather from the games of some blocks."""
    n = len(line_ups)
    room = {name: int(n * _ROWS_A_GAME[name]) for name in NETWORKS} | {"rounds": n * rules.players * rules.rounds}
    widths = {name: NETWORKS[name][0] for name in NETWORKS}
    tables = {
        name: (
            np.zeros((room[name], widths[name]), np.float32)
            if name != "rounds"
            else np.zeros((room[name], layout.N_LEAF)),
            np.zeros((room[name], N_FACTS)),
        )
        for name in room
    }
    counts = np.zeros(5, np.int64)
    rate = np.array([rates[name] for name in NETWORKS], np.int64)
    games = games_of(rules, N_GAMES)
    fine = gather(
        games, acts, params, line_ups, first, np.uint64(seed), learns, leaf, focus, rate, *tables.values(), counts
    )
    if not fine:
        raise RunError(f"a strategy of the pool gave an illegal answer in the games from deal {first} of seed {seed}")
    return {
        name: (x[:k].copy(), facts[:k].copy()) for (name, (x, facts)), k in zip(tables.items(), counts, strict=True)
    }


def gather_rows(
    players: Sequence[Player],
    learns: np.ndarray,
    rules: Rules,
    line_ups: np.ndarray,
    first: int,
    seed: int,
    leaf: np.ndarray,
    focus: np.ndarray,
    *,
    rates: dict[str, int] = RATES,
    threads: int = 2,
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Play one game of every line-up and return the labelled decisions of the seats that learn.

    Parameters
    ----------
    players : sequence of Player
    learns : ndarray of bool, shape (n_players,)
    rules : Rules
    line_ups : ndarray of int64, shape (n_games, n_seats)
    first, seed : int
        Number of the first deal, and the run seed.
    leaf, focus : ndarray
        As for `modernart.strategies.learning.gather.gather`.

    Returns
    -------
    dict of str to (features, facts)
        Of the networks, and `rounds`.
    """
    acts, params = acts_of(players), params_of(players, rules)
    tasks = range(0, len(line_ups), _TASK)

    def one(k):
        part = line_ups[k : k + _TASK]
        return _task(players, acts, params, rules, part, learns, first + k, seed, leaf, focus, rates)

    with ThreadPoolExecutor(threads) as pool:
        parts = list(pool.map(one, tasks))
    return merge_rows(parts)


def merge_rows(parts: Sequence[Rows]) -> Rows:
    """Return the rows of several parts together; groups, which each part numbers anew, stay apart."""
    merged = {}
    for name in parts[0]:
        shift = 0.0
        all_facts = []
        for part in parts:
            facts = part[name][1].copy()
            if name != "rounds" and len(facts):
                facts[:, GROUP] += shift
                shift = facts[-1, GROUP] + 1
            all_facts.append(facts)
        merged[name] = (np.concatenate([part[name][0] for part in parts]), np.concatenate(all_facts))
    return merged


def fit_leaf(rounds: tuple[np.ndarray, np.ndarray], n_rounds: int) -> tuple[np.ndarray, list[float]]:
    """Return the weights of the money to come by round, and the share of variance that they explain."""
    x, facts = rounds
    leaf = np.zeros((MAX_ROUNDS, layout.N_LEAF))
    shares = []
    for round_index in range(1, n_rounds):
        here = (facts[:, GROUP] == round_index) & (facts[:, WEIGHT] > 0)
        gain = facts[here, TARGET] - facts[here, BASE]
        rows = x[here]
        penalty = 1e-3 * len(rows) * np.eye(layout.N_LEAF)
        leaf[round_index] = np.linalg.solve(rows.T @ rows + penalty, rows.T @ gain)
        shares.append(explained(gain, rows @ leaf[round_index]))
    return leaf, shares


def fit_network(name: str, network: Network, rows: tuple[np.ndarray, np.ndarray], epochs, rate, seed) -> float:
    """Fit one network to its rows and return how well it does on deals that it did not see.

    Returns
    -------
    float
        Share of the variance explained beyond the base; of `market` the mean log loss; 0 if no deal was kept.
    """
    x, facts = rows
    unseen = facts[:, DEAL] % _HELD_OUT == 0
    if name == "cards":
        alone = np.bincount(facts[:, GROUP].astype(np.int64))[facts[:, GROUP].astype(np.int64)] < 2
        x, facts, unseen = x[~alone], facts[~alone], unseen[~alone]
    seen_x, seen = x[~unseen], facts[~unseen]
    if not network.scale.any() or (network.scale == 1.0).all():
        network.learn_scale(seen_x)
    target = (facts[:, TARGET] - facts[:, BASE]).astype(np.float32)
    if name == "cards":
        loss = squared_in_groups(target[~unseen], seen[:, GROUP])
    elif name == "market":
        loss = chance_of_winning(seen[:, BASE].astype(np.float32), seen[:, TARGET].astype(np.float32))
    else:
        loss = squared(target[~unseen])
    groups = seen[:, GROUP] if name == "cards" else np.arange(len(seen)) // 8
    starts = np.r_[np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]]), len(seen)]
    fit(network, seen_x, starts, loss, epochs, rate, seed)
    if not unseen.any():
        return 0.0
    outputs = network.predict(x[unseen])
    if name == "market":
        test = chance_of_winning(facts[unseen, BASE], facts[unseen, TARGET])
        return test(outputs.astype(np.float64), slice(None))[0]
    if name == "cards":
        groups = facts[unseen, GROUP]
        return explained(centred(target[unseen], groups), centred(outputs[:, 0], groups))
    return explained(target[unseen], outputs[:, 0])


def fit_all(
    judgement: Judgement, rows: dict, epochs: float, rate: float, seed: int, threads: int = 2
) -> dict[str, float]:
    """Fit every network to its rows, in place, each in a thread of its own; returns how well each does."""
    with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(threads) as pool:
        jobs = {
            name: pool.submit(fit_network, name, judgement.networks[name], rows[name], epochs, rate, seed)
            for name in sorted(NETWORKS, key=lambda name: -rows[name][0].size)
        }
        return {name: job.result() for name, job in jobs.items()}


def judgement_from(block: np.ndarray, rows: Rows) -> Judgement:
    """Return what a block of numbers says, ready to be fitted on; inputs are standardised by the rows."""
    networks = {}
    for name, (n_inputs, start, offset) in NETWORKS.items():
        numbers = block[offset : offset + network_size(n_inputs, len(start))]
        networks[name] = Network.from_numbers(numbers, n_inputs, len(start), rows[name][0])
    leaf = block[layout.LEAF : layout.LOT].reshape(MAX_ROUNDS, layout.N_LEAF).astype(np.float64)
    return Judgement(networks, leaf, block[layout.KNOBS : layout.LEAF].astype(np.float64))


def new_judgement(seed: int) -> Judgement:
    """Return networks that have learned nothing yet."""
    rng = np.random.default_rng(seed)
    return Judgement({name: Network.blank(n, start, rng) for name, (n, start, _) in NETWORKS.items()})
