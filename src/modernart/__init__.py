"""A laboratory for the auction game Modern Art: simulate, compare, tune and explain strategies.

`import modernart as ma` offers the functions of the commands; docs/python.md shows them. Each is loaded when it is
first used, so the import itself takes no time. The parts stand at the top of the repository, where a reader finds them:
`simulator/`, `strategies/`, `analysis/`. Links in this folder give them the import name `modernart`.
"""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from modernart.analysis.api.games import Game as Game
    from modernart.analysis.api.games import play_game as play_game
    from modernart.analysis.api.games import replay as replay
    from modernart.analysis.api.studies import auctions as auctions
    from modernart.analysis.api.studies import compare_editions as compare_editions
    from modernart.analysis.api.studies import duel as duel
    from modernart.analysis.api.studies import endings as endings
    from modernart.analysis.api.studies import tune as tune
    from modernart.analysis.api.table import advise as advise
    from modernart.analysis.api.tournaments import tournament as tournament
    from modernart.analysis.decisions import decisions as decisions
    from modernart.analysis.measures.dictionary import describe as describe
    from modernart.simulator.errors import BotError as BotError
    from modernart.simulator.errors import ModernArtError as ModernArtError
    from modernart.simulator.errors import RunError as RunError
    from modernart.simulator.errors import UsageError as UsageError
    from modernart.strategies.base import Param as Param
    from modernart.strategies.base import strategy as strategy

_HERE = Path(__file__).parent
if not (_HERE / "simulator").is_dir():
    # A checkout on a system without links: the parts are imported from where they are.
    __path__.append(str(_HERE.parents[1]))

#: Where each name of the API is defined.
_NAMES = {
    "tournament": "analysis.api.tournaments",
    "duel": "analysis.api.studies",
    "tune": "analysis.api.studies",
    "endings": "analysis.api.studies",
    "auctions": "analysis.api.studies",
    "compare_editions": "analysis.api.studies",
    "Game": "analysis.api.games",
    "play_game": "analysis.api.games",
    "replay": "analysis.api.games",
    "decisions": "analysis.decisions",
    "advise": "analysis.api.table",
    "describe": "analysis.measures.dictionary",
    "strategy": "strategies.base",
    "Param": "strategies.base",
    "ModernArtError": "simulator.errors",
    "UsageError": "simulator.errors",
    "RunError": "simulator.errors",
    "BotError": "simulator.errors",
}
__all__ = sorted(_NAMES)


def __getattr__(name: str) -> Any:
    """Load a name of the API, or a package such as `rl`, when it is first used."""
    if name not in _NAMES:
        if not name.startswith("_") and find_spec(f"{__name__}.{name}") is not None:
            return import_module(f"{__name__}.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_NAMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the names of the API, for completion."""
    return [*globals(), *_NAMES]
