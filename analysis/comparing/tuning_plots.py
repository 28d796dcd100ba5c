"""Figures of tuning studies and sensitivity: frames in, figures out."""

from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from modernart.simulator.files import whole_file
from modernart.strategies.tuning.search import Search

#: Shared style of the figures.
STYLE = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
}
# Of the colour-blind safe petroff10 cycle.
BLUE, ORANGE, GREY = "#3f90da", "#ffa90e", "#94a4a2"
OBJECTIVE_WORDS = {"money": "money relative to rivals", "win": "win share"}


def save(figure: Figure, path: Path) -> None:
    """Write a figure as PNG, whole or not at all."""
    with whole_file(path, "wb") as file:
        figure.savefig(file, format="png", dpi=150)


def grid_figure(n_panels: int, n_columns: int = 4) -> tuple[Figure, list]:
    """Return a figure of small panels, and its axes."""
    n_columns = min(n_columns, n_panels)
    n_rows = -(-n_panels // n_columns)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(max(3.0 * n_columns + 0.4, 6.4), 2.2 * n_rows + 0.6), layout="constrained")
        axes = figure.subplots(n_rows, n_columns, squeeze=False).ravel()
    for unused in axes[n_panels:]:
        unused.remove()
    return figure, list(axes[:n_panels])


def plot_path(path: pd.DataFrame, plan: Search, summary: dict[str, Any]) -> Figure:
    """Draw the path of a search: the objective, and every parameter with the spread of its candidates.

    Parameters
    ----------
    path : DataFrame
        From `modernart.analysis.comparing.tuning_study.path_table`.
    plan : Search
    summary : dict
        Of the study.
    """
    figure, axes = grid_figure(len(plan.names) + 1)
    games = path["games"] / 1000
    with mpl.rc_context(STYLE):
        first = axes[0]
        first.plot(games, path["best"], color=ORANGE, linewidth=0.8, label="best candidate (lucky)")
        first.plot(games, path["score"], color=BLUE, label="mean of candidates")
        first.set_title(OBJECTIVE_WORDS[plan.objective])
        first.legend(frameon=False, fontsize=7)
        for ax, name in zip(axes[1:], plan.names, strict=True):
            param = plan.strategy.params[name]
            ax.fill_between(
                games,
                np.maximum(path[name] - path[f"{name}_sd"], param.low),
                np.minimum(path[name] + path[f"{name}_sd"], param.high),
                color=BLUE,
                alpha=0.25,
                linewidth=0,
            )
            ax.plot(games, path[name], color=BLUE)
            ax.axhline(path[name].iloc[0], color=GREY, linestyle="--", linewidth=1)
            ax.set_ylim(param.low, param.high)
            ax.set_title(f"{name}: {path[name].iloc[0]:.3g} to {path[name].iloc[-1]:.3g}")
        for ax in axes:
            ax.set_xlabel("games of the search, thousands")
    before, after = summary["result"]["win_share_before"], summary["result"]["win_share_after"]
    figure.suptitle(
        f"{plan.strategy.spec}: win share {before:.1%} before, {after:.1%} after\n"
        f"({summary['held_out_deals']:,} held-out deals; band: ±1 sd of the candidates, dashed: untuned)",
        fontsize=9,
    )
    return figure


def plot_deviations(deviations: pd.DataFrame, objective: str, n_deals: int) -> Figure:
    """Draw what moving one parameter alone by a step changes, with simultaneous 95 % intervals."""
    names = list(dict.fromkeys(deviations["parameter"]))
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(6.4, 1.2 + 0.42 * len(names)), layout="constrained")
        ax = figure.subplots()
        for sign, colour, marker, word in ((-1, BLUE, "o", "a step down"), (1, ORANGE, "s", "a step up")):
            rows = deviations[np.sign(deviations["step"]) == sign]
            where = np.array([names.index(name) for name in rows["parameter"]]) + 0.14 * sign
            errors = [rows["difference"] - rows["difference_low"], rows["difference_high"] - rows["difference"]]
            ax.errorbar(
                rows["difference"], where, xerr=errors, fmt=marker, color=colour, label=word, capsize=2, markersize=4
            )
        ax.axvline(0, color="black", linewidth=1)
        ax.set_yticks(range(len(names)), names)
        ax.set_ylim(len(names) - 0.5, -0.5)
        ax.set_xlabel(f"change of {OBJECTIVE_WORDS[objective]} ({n_deals:,} deals; simultaneous 95% intervals)")
        ax.set_title("One parameter moved by 5% of its range: right of 0 would be better")
        ax.legend(frameon=False, loc="best")
    return figure
