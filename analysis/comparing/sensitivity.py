"""What each parameter of a strategy does: response curves of win share and money, all on the same deals."""

from collections.abc import Callable, Sequence

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from modernart.analysis.comparing.tuning_plots import BLUE, GREY, ORANGE, STYLE, grid_figure
from modernart.analysis.statistics.sequential import fixed_interval, student_interval
from modernart.simulator.errors import UsageError
from modernart.strategies.base import Strategy
from modernart.strategies.tuning.focal_seat import FocalScores, FocalSeat


def sensitivity(
    strategy: Strategy,
    names: Sequence[str],
    focal_seat: FocalSeat,
    *,
    n_deals: int = 500,
    n_values: int = 9,
    on_progress: Callable[[int], None] | None = None,
) -> pd.DataFrame:
    """Return how win share and money answer to each parameter, the others as they are.

    Parameters
    ----------
    strategy : Strategy
    names : sequence of str
        Parameters to vary, each over its whole range.
    focal_seat : FocalSeat
    n_deals : int
        The same deals for all values.
    n_values : int
        Values of each parameter, evenly spread; its present value is added.
    on_progress : callable, optional
        Called with the number of games played, now and then.

    Returns
    -------
    DataFrame
        By parameter and value: `win_share`, and with 95 % limits the differences from the present value in
        win share (`win_difference`) and in money relative to rivals (`money_difference`).

    Raises
    ------
    UsageError
        If a parameter is unknown, or there is none.
    """
    if not strategy.params:
        raise UsageError(f"{strategy.name} has no parameters")
    if n_values < 2 or n_deals < 2:
        raise UsageError("a curve needs at least 2 values and 2 deals")
    for name in names:
        if name not in strategy.params:
            raise UsageError(
                f'strategy {strategy.name} has no parameter "{name}"; it has: {", ".join(strategy.params)}'
            )
    n_games = 0

    def score(one: Strategy) -> FocalScores:
        nonlocal n_games
        tell = None if on_progress is None else lambda n: on_progress(n_games + n)
        scores = focal_seat.score(one.player(), 0, n_deals, on_done=tell)
        n_games += n_deals * focal_seat.rules.players
        return scores

    base = score(strategy)
    present = dict(zip(strategy.params, strategy.vector, strict=True))
    rows = []
    for name in names:
        param = strategy.params[name]
        for value in sorted({*np.linspace(param.low, param.high, n_values).tolist(), present[name]}):
            is_present = value == present[name]
            scores = base if is_present else score(strategy.with_values({name: value}))
            rows.append({"parameter": name, "value": value, "is_present": is_present} | _changes(scores, base))
    return pd.DataFrame(rows)


def _changes(scores: FocalScores, base: FocalScores) -> dict[str, float]:
    """Return win share, and its change and that of money against the present value, with limits."""
    wins = scores.win_share - base.win_share
    money = scores.relative_money - base.relative_money
    # The present value against itself is 0 by definition.
    limits = (0.0, 0.0) if scores is base else fixed_interval(wins, -1.0, 1.0)
    money_limits = (0.0, 0.0) if scores is base else student_interval(money)
    return {
        "win_share": scores.win_share.mean(),
        "win_difference": wins.mean(),
        "win_difference_low": limits[0],
        "win_difference_high": limits[1],
        "money_difference": money.mean(),
        "money_difference_low": money_limits[0],
        "money_difference_high": money_limits[1],
    }


def plot_sensitivity(table: pd.DataFrame, strategy: Strategy, n_deals: int) -> Figure:
    """Draw the response curves: win share on the left axis, money relative to rivals on the right."""
    names = list(dict.fromkeys(table["parameter"]))
    figure, axes = grid_figure(len(names), n_columns=min(4, max(2, len(names))))
    with mpl.rc_context(STYLE):
        for i, (ax, name) in enumerate(zip(axes, names, strict=True)):
            rows = table[table["parameter"] == name]
            right = ax.twinx()
            for where, kind, scale, colour, style in (
                (ax, "win", 100, BLUE, "-o"),
                (right, "money", 1, ORANGE, "--s"),
            ):
                where.fill_between(
                    rows["value"],
                    scale * rows[f"{kind}_difference_low"],
                    scale * rows[f"{kind}_difference_high"],
                    color=colour,
                    alpha=0.25,
                    linewidth=0,
                )
                where.plot(rows["value"], scale * rows[f"{kind}_difference"], style, color=colour, markersize=3)
                where.tick_params(axis="y", colors=colour)
            right.grid(False)
            ax.axvline(rows.loc[rows["is_present"], "value"].iloc[0], color=GREY, linestyle=":", linewidth=1)
            ax.axhline(0, color=GREY, linewidth=0.8)
            ax.set_title(name)
            if i == 0:
                ax.set_ylabel("win share, points", color=BLUE)
                right.set_ylabel("money", color=ORANGE)
    figure.suptitle(
        f"{strategy.spec}: change from the present value (dotted);\n"
        f"win share (solid) and money relative to rivals (dashed), 95% bands, {n_deals:,} deals",
        fontsize=9,
    )
    return figure
