"""The policies that a search plays by: its base, and models of rivals, as one array of numbers.

A search reaches its policies through its hand (`modernart.simulator.data`), so any strategy can be one of them without
compiling the search anew. The array holds how many there are, then for each the address of its code and its parameters.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from modernart.simulator.data import number_at
from modernart.simulator.errors import UsageError
from modernart.simulator.jit import call_act, kernel
from modernart.simulator.players import Player, params_of
from modernart.simulator.rules import Rules
from modernart.simulator.state import MAX_PARAMS
from modernart.strategies.base import Strategy

#: The policy that the search improves on; it also plays the own seat in playouts.
BASE = 0
#: Notes of a hand that belong to the base; the search keeps its own behind them.
BASE_NOTES = 56
#: Most policies of a search.
MAX_POLICIES = 9

_STRIDE = 1 + MAX_PARAMS


@dataclass(frozen=True)
class Searcher(Strategy):
    """A strategy that searches by playing on with other strategies.

    Parameters
    ----------
    base : str
        Spec of the strategy that it improves on.
    models : sequence of str
        Specs of the strategies by which rivals may play, beside the base.
    fallback : str, optional
        Spec of the base at tables whose rules the base was not made for.
    """

    base: str = ""
    models: Sequence[str] = ()
    fallback: str = ""

    def based_on(self, base: str) -> "Searcher":
        """Return the strategy with another base, which its name tells.

        Raises
        ------
        UsageError
            If there is no such strategy, or it searches too.
        """
        from modernart.strategies.specs import load_strategy

        if isinstance(load_strategy(base), Searcher):
            raise UsageError(f"{self.name} cannot search on top of {base}, which searches itself; name a fast strategy")
        return replace(self, name=f"{self.name.partition('@')[0]}@{base}", base=base, fallback="")

    @property
    def spec(self) -> str:
        """The text that names this strategy; empty brackets tell the base's parameters from its own."""
        spec = super().spec
        return f"{spec}()" if spec == self.name and spec.endswith(")") else spec

    def player(self, name: str | None = None) -> Player:
        """Return what the simulator needs to seat it."""
        from modernart.strategies.specs import load_strategy

        specs = dict.fromkeys(filter(None, (self.base, self.fallback, *self.models)))
        calls = [load_strategy(spec).player() for spec in specs]
        return replace(super().player(name), data=self._policies, calls=calls)

    def _policies(self, rules: Rules) -> np.ndarray:
        try:
            return policies_for((self.base, *self.models), rules)
        except UsageError:
            if not self.fallback:
                raise
            return policies_for((self.fallback, *self.models), rules)


#: Policies by specs and rules, with their players, whose own data must live as long.
_KEPT: dict[tuple[tuple[str, ...], str], tuple[np.ndarray, list[Player]]] = {}


def policies_for(specs: tuple[str, ...], rules: Rules) -> np.ndarray:
    """Return the array of a search's policies at a table of these rules, float64, the base first."""
    from modernart.strategies.specs import load_strategy

    specs = tuple(dict.fromkeys(specs))
    key = specs, json.dumps(rules.to_record())
    if key not in _KEPT:
        players = [load_strategy(spec).player() for spec in specs]
        rows = [[float(p.address), *params] for p, params in zip(players, params_of(players, rules), strict=True)]
        _KEPT[key] = np.array([float(len(rows)), *(number for row in rows for number in row)]), players
    return _KEPT[key][0]


@kernel(inline=True)
def n_policies(data):
    """Return how many policies there are at an address."""
    return int(number_at(data, 0))


@kernel
def seat_policy(game, seat, data, policy):
    """Let a policy play a seat of a game."""
    start = 1 + policy * _STRIDE
    game.acts[seat] = np.int64(number_at(data, start))
    params = game.hands[seat].params
    for k in range(MAX_PARAMS):
        params[k] = number_at(data, start + 1 + k)


@kernel
def base_answer(table, hand, data):
    """Return what the base would answer with the own hand and notes; the own parameters are put back."""
    kept = hand.params.copy()
    start = 1 + BASE * _STRIDE
    for k in range(MAX_PARAMS):
        hand.params[k] = number_at(data, start + 1 + k)
    answer = call_act(np.int64(number_at(data, start)), table, hand)
    for k in range(MAX_PARAMS):
        hand.params[k] = kept[k]
    return answer
