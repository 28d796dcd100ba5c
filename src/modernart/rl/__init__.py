"""Reinforcement learning: the game as environments, and trained policies as players.

`env` is a PettingZoo environment and `vector_env` a batch of games in Gymnasium's form; both need the extra `[rl]`.
`load_policy` and `save_policy` need nothing more than the package itself.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modernart.simulator.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    from pettingzoo import AECEnv

    from modernart.rl.aec import ModernArtAEC
    from modernart.rl.vector import ModernArtVectorEnv
    from modernart.strategies.base import Strategy

__all__ = ["env", "load_policy", "raw_env", "save_policy", "vector_env"]


def raw_env(**options: Any) -> "ModernArtAEC":
    """Return `modern_art_v0` without PettingZoo's wrappers; options as `modernart.rl.aec.ModernArtAEC`."""
    try:
        from modernart.rl.aec import ModernArtAEC
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    return ModernArtAEC(**options)


def env(**options: Any) -> "AECEnv":
    """Return `modern_art_v0`, a PettingZoo AEC environment; options as `modernart.rl.aec.ModernArtAEC`.

    An illegal action ends the game and costs its agent 1.
    """
    bare = raw_env(**options)
    from modernart.rl.aec import wrapped

    return wrapped(bare)


def vector_env(num_envs: int, **options: Any) -> "ModernArtVectorEnv":
    """Return a batch of games in Gymnasium's vector form; options as `modernart.rl.vector.ModernArtVectorEnv`."""
    try:
        from modernart.rl.vector import ModernArtVectorEnv
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    return ModernArtVectorEnv(num_envs, **options)


def load_policy(path: str | Path) -> "Strategy":
    """Return the strategy that plays by the weights in an `.npz` file (see `modernart.rl.policy`)."""
    from modernart.rl import policy

    return policy.load_policy(Path(path))


def save_policy(path: str | Path, layers: Sequence[tuple["np.ndarray", "np.ndarray"]]) -> Path:
    """Write a policy's weights and, beside them, the bot that plays by them; returns the bot's file.

    Parameters as `modernart.rl.policy.save_policy`.
    """
    from modernart.rl import policy

    return policy.save_policy(Path(path), layers)


def _missing(error: ModuleNotFoundError) -> Exception:
    """Return the error that tells which extra is missing, or the same one if the cause is another."""
    if error.name in ("gymnasium", "pettingzoo"):
        return UsageError(f"{error.name} is missing; install it with pip install 'modern-art-simulator[rl]'")
    return error
