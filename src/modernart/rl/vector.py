"""Thousands of games at once, in the form of Gymnasium's vector environments."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from modernart.rl.actions import N_ACTIONS
from modernart.rl.observations import N_OBSERVED, VERSION
from modernart.rl.spaces import action_space, observation_space
from modernart.rl.stepping import FINE, draw_actions, start_games, step_games
from modernart.rl.tables import opponents_at, reward_number, rules_for, seat_opponents
from modernart.simulator.decisions import Phase
from modernart.simulator.errors import RunError, UsageError
from modernart.simulator.setup import games_of
from modernart.strategies.base import Strategy


class ModernArtVectorEnv(VectorEnv):
    """A batch of games, each waiting at a decision of a controlled seat.

    `reset` and `step` return views of the environment's own arrays, which the next step overwrites: copy what you keep.
    A game that ends starts anew in the same step, on another deal. Games end by the rules alone and are never
    truncated, so there is no final observation to bootstrap from.

    Parameters
    ----------
    num_envs : int
        Games at once.
    edition : str
    players : int
        Seats at the table.
    seats : sequence of int
        The controlled ones.
    opponents : str, Strategy, or sequence of them
        Who plays the other seats: one for all, or one for each in order.
    reward : {"money", "win"}
        Paid at the end of a game: money less the mean money of the others, / 100; or the share of the win.
    rule : mapping, optional
        Changes of the edition's rules.
    threads : int
        How many threads step the games.

    Raises
    ------
    UsageError
        If an argument is wrong.
    """

    metadata: dict[str, Any] = {"name": VERSION, "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int,
        edition: str = "classic",
        players: int = 4,
        *,
        seats: Sequence[int] = (0,),
        opponents: str | Strategy | Sequence[str | Strategy] = "half_value",
        reward: str = "money",
        rule: Mapping[str, str] | None = None,
        threads: int = 1,
    ) -> None:
        if num_envs < 1 or threads < 1:
            raise UsageError(f"num_envs and threads must be at least 1, got {num_envs} and {threads}")
        self.num_envs = num_envs
        self.rules = rules_for(edition, players, rule)
        self.single_observation_space = observation_space()
        self.single_action_space = action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._kind = reward_number(reward)
        self._opponents = opponents_at(opponents, seats, players)
        self._games = games_of(self.rules, num_envs)
        seat_opponents(self._games, self.rules, self._opponents)
        self._is_controlled = np.isin(np.arange(players), seats)
        self._make_arrays(num_envs, players)
        bounds = np.linspace(0, num_envs, min(threads, num_envs) + 1).astype(int)
        self._parts = [(int(a), int(b)) for a, b in pairwise(bounds)]
        self._pool = ThreadPoolExecutor(len(self._parts)) if len(self._parts) > 1 else None
        self._seed: np.uint64 | None = None

    def _make_arrays(self, n: int, n_seats: int) -> None:
        """Make the arrays that steps write to, and the dictionaries that show them."""
        self._observations = np.zeros((n, N_OBSERVED), np.float32)
        self._masks = np.zeros((n, N_ACTIONS), np.int8)
        self._seats = np.zeros(n, np.int64)
        self._episodes = np.zeros(n, np.int64)
        self._rewards = np.zeros(n, np.float32)
        self._seat_rewards = np.zeros((n, n_seats), np.float32)
        self._is_over = np.zeros(n, np.bool_)
        self._never = np.zeros(n, np.bool_)
        self._money = np.zeros((n, n_seats), np.int32)
        self._shown: dict[str, np.ndarray] = {"observation": self._observations, "action_mask": self._masks}

    @property
    def games(self) -> np.recarray:
        """The games as records of GAME_DTYPE, hidden cards and all: for tests and for looking, not for agents."""
        return self._games

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Start all games.

        Parameters
        ----------
        seed : int, optional
            Run seed: the deals and the opponents' random numbers follow from it. Without it, a new one is drawn.
        options : dict, optional
            Not used.

        Returns
        -------
        observations : dict of str to ndarray
            `observation`, float32 of shape (num_envs, N_OBSERVED), and `action_mask`, int8 of shape
            (num_envs, N_ACTIONS).
        infos : dict of str to ndarray
            `seat`: whose decision each game waits for.
        """
        if isinstance(seed, list):
            raise UsageError("give one seed for all games: each game has deals of its own anyway")
        if seed is not None or self._seed is None:
            super().reset(seed=seed)
            self._seed = np.uint64(seed if seed is not None else self.np_random.integers(2**63))
            self._draws = self.np_random.integers(2**64, size=self.num_envs, dtype=np.uint64)
        else:
            self._seed = np.uint64(self.np_random.integers(2**63))
        self._run(
            start_games, self._is_controlled, self._seed, self._episodes, self._observations, self._masks, self._seats
        )
        return self._shown, {"seat": self._seats}

    def step(
        self, actions: np.ndarray
    ) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play an action in every game.

        Parameters
        ----------
        actions : ndarray of int, shape (num_envs,)
            Each must be legal by the last `action_mask`.

        Returns
        -------
        observations : dict of str to ndarray
            As `reset` returns them.
        rewards : ndarray of float32, shape (num_envs,)
            Of the seat that acted; 0 but in the step that ends a game.
        terminations, truncations : ndarray of bool, shape (num_envs,)
            Whether a game ended; truncations are always False.
        infos : dict of str to ndarray
            `seat` as in `reset`. `seat_rewards`, shape (num_envs, players): rewards of all seats, for several
            controlled ones. `money`, same shape: final money where `_money` (the games that ended) is True.

        Raises
        ------
        UsageError
            If an action is illegal.
        RunError
            If a strategy gives an illegal answer.
        """
        if self._seed is None:
            raise UsageError("call reset before the first step")
        chosen = np.ascontiguousarray(actions, np.int64)
        if chosen.shape != (self.num_envs,):
            raise UsageError(f"give one action for each of the {self.num_envs} games, got shape {chosen.shape}")
        self._run(
            step_games,
            chosen,
            self._is_controlled,
            self._seed,
            self._kind,
            self._episodes,
            self._observations,
            self._masks,
            self._seats,
            self._rewards,
            self._seat_rewards,
            self._is_over,
            self._money,
        )
        infos: dict[str, Any] = {
            "seat": self._seats,
            "seat_rewards": self._seat_rewards,
            "money": self._money,
            "_money": self._is_over,
        }
        return self._shown, self._rewards, self._is_over, self._never, infos

    def random_actions(self) -> np.ndarray:
        """Return a random legal action for each game, int64 of shape (num_envs,)."""
        if self._seed is None:
            raise UsageError("call reset before drawing actions")
        actions = np.empty(self.num_envs, np.int64)
        draw_actions(self._masks, self._draws, actions)
        return actions

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def _run(self, kernel: Any, *arguments: Any) -> None:
        """Call a kernel on all games, shared out among the threads."""

        def part(bounds: tuple[int, int]) -> int:
            return int(kernel(self._games, *bounds, *arguments))

        done = list(self._pool.map(part, self._parts)) if self._pool else [part(bounds) for bounds in self._parts]
        failed = [game for game in done if game != FINE]
        if failed:
            self._seed = None  # Half of the games have moved: only a reset makes sense now.
            self._tell_failure(failed[0])

    def _tell_failure(self, i: int) -> None:
        """Raise the error for a game that an illegal action or answer stopped."""
        game = self._games[i]
        phase = Phase(int(game.table.phase)).name
        seat = int(game.table.seat)
        if seat in self._opponents:
            raise RunError(
                f"{self._opponents[seat].name} gave the illegal answer {int(game.illegal)} to {phase} in game {i}"
            )
        raise UsageError(
            f"the action for game {i} (seat {seat}, {phase}) is illegal; choose one that action_mask marks"
        )
