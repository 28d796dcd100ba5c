"""The game as a PettingZoo environment, in which every seat is an agent and one acts at a time."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from modernart.rl.actions import N_ACTIONS, answer_for, mark_legal, name_of
from modernart.rl.observations import N_OBSERVED, VERSION, observe
from modernart.rl.spaces import action_space, observation_space
from modernart.rl.stepping import pay_rewards, start_game
from modernart.rl.tables import reward_number, rules_for
from modernart.simulator.decisions import Phase
from modernart.simulator.errors import UsageError
from modernart.simulator.game import apply
from modernart.simulator.setup import games_of


class ModernArtAEC(AECEnv):
    """One game; agents are `seat_0`, `seat_1`, ... clockwise.

    Parameters
    ----------
    edition : str
    players : int
    reward : {"money", "win"}
        Paid at the end of the game: money less the mean money of the others, / 100; or the share of the win.
    rule : mapping, optional
        Changes of the edition's rules.
    render_mode : {None, "ansi"}
        With "ansi", `render` returns the table as text.

    Raises
    ------
    UsageError
        If an argument is wrong.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "name": VERSION,
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        edition: str = "classic",
        players: int = 4,
        *,
        reward: str = "money",
        rule: Mapping[str, str] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise UsageError(f'render_mode must be "ansi" or None, got "{render_mode}"')
        self.render_mode = render_mode
        self.rules = rules_for(edition, players, rule)
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observation_space = observation_space()
        self._action_spaces = {agent: action_space() for agent in self.possible_agents}
        self._kind = reward_number(reward)
        self._game = games_of(self.rules, 1)[0]
        self._is_controlled = np.ones(players, np.bool_)
        self._np_random: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Space:
        """Return the space of what an agent observes: the same for all."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Space:
        """Return the space of an agent's actions."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a game.

        Parameters
        ----------
        seed : int, optional
            Decides the deal of this game and, where later resets have no seed, of those that follow.
        options : dict, optional
            Not used.
        """
        if seed is not None or self._np_random is None:
            self._np_random, _ = seeding.np_random(seed)
        start_game(self._game, self._is_controlled, np.uint64(self._np_random.integers(2**63)), 0)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, int]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._game.table.seat]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return what an agent observes; `action_mask` is all zeros unless it is asked."""
        seat = self._seats[agent]
        table, hand = self._game.table, self._game.hands[seat]
        observation = np.zeros(N_OBSERVED, np.float32)
        observe(table, hand, observation)
        mask = np.zeros(N_ACTIONS, np.int8)
        if table.phase != Phase.OVER and table.seat == seat:
            mark_legal(table, hand, mask)
        return {"observation": observation, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play the action of the agent that is asked.

        Raises
        ------
        UsageError
            If it is illegal; `env()` has a wrapper that ends the game instead.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        game = self._game
        is_action = action is not None and self.action_space(agent).contains(action)
        if not is_action or not self.observe(agent)["action_mask"][action]:
            raise UsageError(f"action {action} of {agent} is illegal; choose one that action_mask marks")
        apply(game, answer_for(game.table, game.hands[self._seats[agent]], np.int64(action)))  # type: ignore[arg-type]
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if game.table.phase == Phase.OVER:
            self._finish()
        else:
            self.agent_selection = self.possible_agents[game.table.seat]
        self._accumulate_rewards()

    def _finish(self) -> None:
        """Pay the rewards of a game that is over."""
        rewards = np.zeros(len(self.possible_agents), np.float32)
        pay_rewards(self._game, self._kind, rewards)
        self.rewards = {agent: float(reward) for agent, reward in zip(self.possible_agents, rewards, strict=True)}
        self.terminations = dict.fromkeys(self.agents, True)
        money = self._game.table.money
        self.infos = {agent: {"money": int(money[self._seats[agent]])} for agent in self.agents}

    def render(self) -> str | None:
        """Return what everybody sees, as text."""
        if self.render_mode is None:
            return None
        table = self._game.table
        phase = Phase(int(table.phase))
        lines = [f"round {int(table.round_index) + 1}, {phase.name} asked of seat_{int(table.seat)}"]
        if phase == Phase.OVER:
            lines = ["game over"]
        out = ", ".join(f"{artist} {int(n)}" for artist, n in zip(self.rules.artists, table.cards_out, strict=False))
        money = ", ".join(f"seat_{seat} {int(table.money[seat])}" for seat in range(len(self.possible_agents)))
        is_hidden = self.rules.rivals_money == "hidden" and phase != Phase.OVER
        return "\n".join([*lines, f"cards out: {out}", "money: hidden" if is_hidden else f"money: {money}"])

    def describe(self, action: int) -> str:
        """Say what an action is."""
        return name_of(action, list(self.rules.artists))

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


def wrapped(env: ModernArtAEC) -> AECEnv:
    """Return the environment with PettingZoo's checks: an illegal action ends the game and costs its agent 1."""
    checked = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))
