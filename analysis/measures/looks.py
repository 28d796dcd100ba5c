"""The colour and marker of a strategy: the same in every figure and table of a run, and from run to run."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

#: A cycle that people with colour-blindness can tell apart (Petroff 2021, ten colours).
COLOURS = (
    "#3f90da",
    "#ffa90e",
    "#bd1f01",
    "#94a4a2",
    "#832db6",
    "#a96b59",
    "#e76300",
    "#b9ac70",
    "#717581",
    "#92dadd",
)
MARKERS = "osD^vPX*<>"
#: Lines and text, and the edge of strategies' markers: some colours are faint on a light ground, others on a dark one.
INK = "#222222"

#: Built-in strategies in the order of their looks, those met most often first: the first ten have the colours that
#: are easiest to tell apart. Append only, so that a strategy keeps its colour over versions.
KNOWN = (
    "predictive",
    "fair_share",
    "half_value",
    "random",
    "full_value",
    "never_buy",
    "learned",
    "reader",
    "ratio",
    "collector",
    "planner",
    "leader_blocker",
    "end_with_three",
    "staller",
    "forgetful_predictive",
    "forgetful_fair_share",
    "rusher",
    "pimc_greedy",
    "me_vs_you",
    "scarce_first",
    "common_first",
    "fixed_profit",
    "predictive_v2",
    "high_roller",
    "predictive_v3",
    "merchant",
    "heuristic",
    "standard",
    "reactive",
    "tight",
    "master_random",
    "aggressive",
)
#: The colours come in so many shades: as they are, darker, lighter, and a little darker; all show on black and white.
_SHADES = (0.0, -0.38, 0.42, -0.2)
#: Colours of less brightness (of 255) hardly show on a dark page.
_DIM = 80
_N_LOOKS = len(_SHADES) * len(COLOURS)


def looks_of(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return colour and marker of each strategy of a run, as keywords of a plot.

    A built-in strategy has a look of its own. Any other has one that its name decides; where another strategy of the
    same run has it already, the next that is free.
    """
    chosen = {name: KNOWN.index(name) for name in names if name in KNOWN}
    taken = set(chosen.values())
    for name in sorted(set(names) - set(chosen)):
        slot = zlib.crc32(name.encode()) % _N_LOOKS
        while slot in taken and len(taken) < _N_LOOKS:
            slot = (slot + 1) % _N_LOOKS
        chosen[name] = slot
        taken.add(slot)
    return {name: _look(chosen[name]) for name in names}


def _look(slot: int) -> dict[str, Any]:
    shade, hue = divmod(slot, len(COLOURS))
    return {
        "color": _shaded(COLOURS[hue], _SHADES[shade]),
        "marker": MARKERS[(slot + shade) % len(MARKERS)],
        "markeredgecolor": INK,
        "markeredgewidth": 0.5,
    }


def on_dark() -> dict[str, str]:
    """Return the colours that hardly show on a dark ground, each with the lighter one that stands for it there."""
    own = (_shaded(colour, shade) for shade in _SHADES for colour in COLOURS)
    return {colour: _shaded(colour, 0.35) for colour in own if _brightness(colour) < _DIM}


def _brightness(colour: str) -> float:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _shaded(colour: str, by: float) -> str:
    """Return a colour mixed with white (`by` above 0) or black."""
    parts = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    mixed = (part + (255 - part) * by if by > 0 else part * (1 + by) for part in parts)
    return "#" + "".join(f"{round(part):02x}" for part in mixed)
