"""The policies that a search plays by: its base, and models of rivals, as one array of numbers.

A search reaches its policies through its hand (`modernart.simulator.data`), so any strategy can be one of them without
compiling the search anew. The array holds how many there are, then for each the address of its code and its parameters.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

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
MAX_POLICIES = 8

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
    """

    base: str = ""
    models: Sequence[str] = ()

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
        return replace(self, name=f"{self.name.partition('@')[0]}@{base}", base=base)

    @property
    def spec(self) -> str:
        """The text that names this strategy; empty brackets tell the base's parameters from its own."""
        spec = super().spec
        return f"{spec}()" if spec == self.name and spec.endswith(")") else spec

    @cached_property
    def callees(self) -> Sequence[Player]:
        """The base and the models."""
        from modernart.strategies.specs import load_strategy

        specs = dict.fromkeys([self.base, *self.models])
        return [load_strategy(spec).player() for spec in specs]

    @cached_property
    def _policies(self) -> dict[str, np.ndarray]:
        """The arrays made so far, by rules: they must stay where they are."""
        return {}

    def policies(self, rules: Rules) -> np.ndarray:
        """Return the base and the models at a table of these rules, as an array reached through the hand."""
        key = rules.model_dump_json()
        if key not in self._policies:
            self._policies[key] = policy_data(self.callees, rules)
        return self._policies[key]

    def player(self, name: str | None = None) -> Player:
        """Return what the simulator needs to seat it."""
        return replace(super().player(name), data=self.policies, calls=self.callees)


def policy_data(players: Sequence[Player], rules: Rules) -> np.ndarray:
    """Return the array of a search's policies, float64, the base first."""
    rows = [[float(player.address), *params] for player, params in zip(players, params_of(players, rules), strict=True)]
    return np.array([float(len(rows)), *(number for row in rows for number in row)])


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
