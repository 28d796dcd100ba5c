"""The spaces of the environments."""

import numpy as np
from gymnasium import spaces

from modernart.rl.actions import N_ACTIONS
from modernart.rl.observations import N_OBSERVED


def observation_space() -> spaces.Dict:
    """Return the space of what one seat observes: `observation`, and `action_mask` with 1 for legal actions."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-np.inf, np.inf, (N_OBSERVED,), np.float32),
            "action_mask": spaces.Box(0, 1, (N_ACTIONS,), np.int8),
        }
    )


def action_space() -> spaces.Discrete:
    """Return the space of actions; `action_mask` tells which are legal."""
    return spaces.Discrete(N_ACTIONS)
