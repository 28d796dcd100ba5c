"""Figure of a metagame: where the dynamics go, who replaces whom, and where a finite population spends its time."""

from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure

from modernart.analysis.comparing.population import POPULATION, SELECTION, Game
from modernart.analysis.comparing.tuning_plots import BLUE, GREY, STYLE

#: Line styles that tell strategies apart besides their colours.
_LINES = ("-", "--", "-.", ":")
_HEIGHT = np.sqrt(3) / 2


def plot_metagame(game: Game, outcome: dict[str, Any]) -> Figure:
    """Draw the dynamics of a metagame.

    Parameters
    ----------
    game : Game
    outcome : dict
        From `modernart.analysis.comparing.metagame.analyse`.
    """
    names = outcome["strategies"]
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(14, 4.4), layout="constrained")
        left, middle, right = figure.subplots(1, 3, width_ratios=(1.15, 1, 0.9))
        if len(names) == 3:
            _simplex(left, game, names, outcome["nash"]["mix"])
        else:
            _paths(left, game, names)
        _invasions(middle, game, names)
        _stationary(right, outcome)
        figure.suptitle(
            f"{outcome['seats']} seats, {outcome['tables']} tables of {outcome['deals']:,} deals; payoff: win share",
            fontsize=9,
        )
    return figure


def _wrapped(name: str) -> str:
    """Break a long spec before its parameters."""
    return name.replace("(", "\n(", 1).replace("@", "\n@", 1)


def _paths(ax: Axes, game: Game, names: list[str]) -> None:
    """Shares over time from the uniform mix."""
    n = len(names)
    colours = mpl.color_sequences["petroff10"]
    times, mixes = game.follow(np.full(n, 1 / n))
    # Show the time until the shares stay as they are.
    moving = np.flatnonzero(np.abs(mixes - mixes[-1]).max(axis=1) > 0.005)
    last = min(len(times) - 1, max(10, int(1.15 * (moving[-1] + 1)) if len(moving) else 10))
    if last < 100:
        times, mixes = game.follow(np.full(n, 1 / n), horizon=times[last])
        last = len(times) - 1
    for i, name in enumerate(names):
        ax.plot(
            times[: last + 1],
            mixes[: last + 1, i],
            _LINES[(i // len(colours) + i) % len(_LINES)],
            color=colours[i % len(colours)],
            label=name,
        )
    ax.set_xlim(0, times[last])
    ax.set_ylim(-0.02, 1.02)
    ax.set_xlabel("time")
    ax.set_ylabel("share of the population")
    ax.set_title("Replicator dynamics from equal shares")
    ax.legend(frameon=False, fontsize=8, loc="center right")


def _simplex(ax: Axes, game: Game, names: list[str], nash: dict[str, float]) -> None:
    """All mixes of three strategies as a triangle, with the flow and some paths."""
    corners = np.array([[0, 0], [1, 0], [0.5, _HEIGHT]])
    n_rows = 14
    grid = np.array([[i, j, n_rows - i - j] for i in range(n_rows + 1) for j in range(n_rows + 1 - i)]) / n_rows
    flow = np.array([game.velocity(mix) for mix in grid]) @ corners
    speed = np.linalg.norm(flow, axis=1)
    is_moving = speed > 1e-9
    where = (grid @ corners)[is_moving]
    arrows = flow[is_moving] / speed[is_moving, None]
    image = ax.quiver(
        *where.T, *arrows.T, speed[is_moving], cmap="viridis", angles="xy", pivot="mid", scale=28, width=0.004
    )
    ax.figure.colorbar(image, ax=ax, shrink=0.6, label="speed")
    for start in ([0.34, 0.33, 0.33], [0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]):
        path = game.follow(np.array(start), horizon=60, n_points=1200)[1] @ corners
        ax.plot(*path.T, color=BLUE, linewidth=1.2)
        ax.plot(*path[0], "o", color=BLUE, markersize=4)
    ax.plot(*np.vstack([corners, corners[:1]]).T, color=GREY, linewidth=1)
    point = np.array([nash[name] for name in names]) @ corners
    ax.plot(*point, "*", color="#bd1f01", markersize=13, label="mix of least regret", clip_on=False, zorder=5)
    for (x, y), name in zip(corners, names, strict=True):
        ax.text(x, y + (0.04 if y else -0.04), _wrapped(name), ha="center", va="bottom" if y else "top", fontsize=8)
    ax.set_xlim(-0.2, 1.2)
    ax.set_ylim(-0.22, _HEIGHT + 0.15)
    ax.set_aspect("equal")
    ax.set_axis_off()
    ax.set_title("Replicator dynamics: each corner is one strategy alone")
    ax.legend(frameon=False, loc="lower center", fontsize=8)


def _invasions(ax: Axes, game: Game, names: list[str]) -> None:
    """Chance of a mutant to take over, as multiples of that without selection."""
    multiples = game.fixations * POPULATION
    shown = np.log10(np.maximum(multiples, 1e-3))
    np.fill_diagonal(shown, np.nan)
    image = ax.imshow(shown, cmap="RdBu_r", norm=TwoSlopeNorm(0, -2, 2))
    for i in range(len(names)):
        for j in range(len(names)):
            if i != j:
                value = multiples[i, j]
                text = f"{value:.2g}" if value >= 0.01 else "0"
                ax.text(
                    j, i, text, ha="center", va="center", fontsize=7, color="white" if abs(shown[i, j]) > 1.2 else "k"
                )
    ax.set_xticks(range(len(names)), map(_wrapped, names), rotation=40, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(names)), map(_wrapped, names))
    ax.grid(False)
    ax.set_xlabel("mutant")
    ax.set_ylabel("residents")
    ax.set_title("Chance to take over, 1 = by chance")
    ax.figure.colorbar(image, ax=ax, shrink=0.7, ticks=[-2, -1, 0, 1, 2], format=lambda x, _: f"{10.0**x:g}")


def _stationary(ax: Axes, outcome: dict[str, Any]) -> None:
    """Share of time with each strategy, with intervals."""
    names = outcome["strategies"]
    labels = [_wrapped(name) for name in names]
    shares = [outcome["stationary"][name]["share"] for name in names]
    limits = np.array([outcome["stationary"][name]["ci"] for name in names])
    errors = np.abs(limits.T - shares)
    ax.barh(labels, shares, color=BLUE, height=0.6)
    ax.errorbar(shares, labels, xerr=errors, fmt="none", color="black", capsize=3)
    ax.invert_yaxis()
    ax.set_xlim(0, 1)
    ax.set_xlabel("share of time (95% bootstrap intervals over deals)")
    ax.set_title(f"Population of {POPULATION}, rare mutants, selection {SELECTION:g}")
