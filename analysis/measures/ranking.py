"""Who wins: win share and money of each strategy, and how sure the differences are. Counted by block, a deal's unit."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from modernart.analysis.measures.drawing import (
    INK,
    from_zero,
    height_for,
    new_axes,
    percent,
    strategies_as_rows,
    styled,
    values_at_right,
)
from modernart.analysis.measures.measure import (
    CASE,
    DESIGNED,
    HOW_SURE,
    WHO_WINS,
    Cell,
    Column,
    Drawing,
    Finding,
    Measure,
    Table,
    Tables,
    View,
    in_words,
    interval,
    numbers,
    p_value,
    points,
    range_in_words,
    value,
)
from modernart.analysis.measures.tables import with_interval
from modernart.analysis.statistics.estimates import BlockSums, block_differences, block_means, holm, seat_limits
from modernart.simulator.jit import kernel
from modernart.simulator.scoring import WIN_UNITS
from modernart.simulator.simulate import Run
from modernart.simulator.tallies import Layout, Per, Size, Tally, sizes_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SCORES = Layout("scores", {"strategy": Size.STRATEGIES}, ("seats", "win_units", "money", "money_squared"))
#: Sums over blocks of products of two strategies' seats played, win units and money.
CROSS = Layout(
    "cross",
    {"strategy": Size.STRATEGIES, "other": Size.STRATEGIES},
    ("seats_seats", "seats_win_units", "win_units_win_units", "seats_money", "money_money", "blocks"),
)
add_score = SCORES.adder()
add_cross = CROSS.adder()


@kernel
def count_scores(game, cells):
    """Count what each position of a block's line-up reached."""
    sizes = sizes_of(game)
    n_seats = sizes[2]
    for i in range(n_seats):
        sums = (n_seats, game.block_wins[i], game.block_money[i], game.block_squares[i])
        add_score(cells, sizes, (game.line_up[i],), sums)


@kernel
def count_cross(game, cells):
    """Count the products of a block's sums; a strategy in several positions counts once, with all its seats."""
    sizes = sizes_of(game)
    n_seats = sizes[2]
    for i in range(n_seats):
        n_a, wins_a, money_a, is_first = sums_of_strategy(game, n_seats, i)
        if not is_first:
            continue
        for j in range(n_seats):
            n_b, wins_b, money_b, is_first = sums_of_strategy(game, n_seats, j)
            if is_first:
                products = (n_a * n_b, n_a * wins_b, wins_a * wins_b, n_a * money_b, money_a * money_b, 1)
                add_cross(cells, sizes, (game.line_up[i], game.line_up[j]), products)


@kernel(inline=True)
def sums_of_strategy(game, n_seats, i):
    """Return seats, win units and money in a block of the strategy at position `i`, and whether `i` is its first."""
    n = 0
    wins = 0
    money = 0
    is_first = True
    for j in range(n_seats):
        if game.line_up[j] == game.line_up[i]:
            n += n_seats
            wins += game.block_wins[j]
            money += game.block_money[j]
            is_first = is_first and j >= i
    return n, wins, money, is_first


def block_sums(run: Run, measure: str) -> BlockSums:
    """Return the sums over blocks that means, intervals and differences come from.

    Parameters
    ----------
    run : Run
    measure : {"win_share", "money"}
    """
    cross = run.tallies.sums("cross")
    scores = run.tallies.sums("scores")
    x, unit = ("win_units", WIN_UNITS) if measure == "win_share" else ("money", 1)
    limits = {}
    over_batches = {name: cross[name].sum(axis=0).astype(float) for name in cross.quantities}
    n = scores["seats"].sum(axis=0).astype(float)
    if measure == "win_share":
        limits["floor"], limits["ceiling"] = seat_limits(n, np.diag(over_batches["blocks"]), run.rules.players)
    return BlockSums(
        n_blocks=over_batches["blocks"],
        nn=over_batches["seats_seats"],
        nx=over_batches[f"seats_{x}"] / unit,
        xx=over_batches[f"{x}_{x}"] / unit**2,
        n=n,
        x=scores[x].sum(axis=0) / unit,
        **limits,
    )


def make_ranking(tables: Tables) -> pd.DataFrame:
    """Return one row a strategy, best first."""
    run = tables.run
    scores = run.tallies.sums("scores")
    seats, money, squares = (scores[name].sum(axis=0) for name in ("seats", "money", "money_squared"))
    n = seats.astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = (squares - n * (money / n) ** 2) / (n - 1)
    frame = pd.DataFrame(
        {
            "strategy": list(run.names),
            "games": seats,
            **with_interval("win_share", block_means(block_sums(run, "win_share")), is_share=True),
            **with_interval("money", block_means(block_sums(run, "money"))),
            "money_sd": np.sqrt(np.maximum(variance, 0)),
        }
    )
    return frame.sort_values(["win_share", "money"], ascending=False, kind="stable", ignore_index=True)


def make_differences(tables: Tables) -> pd.DataFrame:
    """Return one row a pair of strategies, the better first, with corrected p values."""
    names = tables.run.names
    order = {name: i for i, name in enumerate(tables["ranking"]["strategy"])}
    ranked = sorted(range(len(names)), key=lambda i: order[names[i]])
    pairs = np.array(list(itertools.combinations(ranked, 2)), int).reshape(-1, 2)
    a, c = pairs.T
    data: dict[str, object] = {"strategy": [names[i] for i in a], "other": [names[i] for i in c]}
    for measure in ("win_share", "money"):
        difference, saved = block_differences(block_sums(tables.run, measure))
        here = difference.at(a, c)
        data |= with_interval(f"{measure}_difference", here)
        data[f"{measure}_p_holm"] = holm(here.p_value)
        data[f"{measure}_saved"] = saved[a, c]
    return pd.DataFrame(data)


@styled
def plot_win_shares(ranking: pd.DataFrame, fair: float, ax: Axes | None = None) -> Axes:
    """Draw win share and interval of each strategy, best on top, with the line of equals."""
    ax = ax or new_axes(height_for(len(ranking)))
    ax.axvline(fair, color=INK, linewidth=1, linestyle="--", label="_")
    heights = strategies_as_rows(ax, ranking, "win_share")
    values_at_right(ax, [f"{share:.1%}" for share in ranking["win_share"]], heights)
    from_zero(ax, "x")
    percent(ax, "x")
    ax.set_xlabel(f"win share of a seat (dashed: equals, {fair:.1%})")
    ax.set_title("Who wins")
    return ax


def find(tables: Tables) -> list[Finding]:
    """Say who wins, by how much and how surely, and who comes last."""
    ranking = tables["ranking"]
    best, last = ranking.iloc[0], ranking.iloc[-1]
    if len(ranking) == 1:
        text = f"{best.strategy} played against itself, so it wins {tables.fair:.1%} of its seats."
        return [Finding("winner", text, tables.fair, question=WHO_WINS)]
    gap = tables["differences"].iloc[0]
    p = gap.win_share_p_holm
    sure = "clear" if p < 0.001 else "likely" if p < 0.05 else "open"
    ahead = [100 * gap[f"win_share_difference{end}"] for end in ("", "_low", "_high")]
    return [
        Finding(
            "winner",
            f"{best.strategy} wins most: {best.win_share:.1%} of its seats "
            f"({range_in_words(best.win_share_low, best.win_share_high, '.1%')}); equals would win {tables.fair:.1%}.",
            *numbers(best.win_share, best.win_share_low, best.win_share_high),
            question=WHO_WINS,
        ),
        Finding(
            "margin",
            f"It is {ahead[0]:.1f} points of win share ahead of {gap.other} "
            f"({range_in_words(ahead[1], ahead[2], '.1f')}) and {gap.money_difference:.0f} in money; that it is "
            f"better is {sure} (p {in_words(p)}, corrected for {len(tables['differences'])} comparisons).",
            *numbers(gap.win_share_difference, gap.win_share_difference_low, gap.win_share_difference_high),
            question=WHO_WINS,
        ),
        Finding(
            "last",
            f"{last.strategy} comes last with {last.win_share:.1%} and {last.money:.0f} in money, "
            f"against {best.money:.0f} of the best.",
            *numbers(last.win_share, last.win_share_low, last.win_share_high),
            question=WHO_WINS,
        ),
        _sureness(tables),
    ]


def _sureness(tables: Tables) -> Finding:
    """Say how well win shares and the order of the strategies are known."""
    ranking, differences = tables["ranking"], tables["differences"]
    arms = (ranking["win_share_high"] - ranking["win_share_low"]) / 2
    neighbours = differences.merge(
        pd.DataFrame({"strategy": tables.order[:-1], "other": tables.order[1:]}), on=["strategy", "other"]
    )
    n_clear = int((neighbours["win_share_p_holm"] < 0.05).sum())
    widest = 100 * arms.max()
    known = (
        f"Win shares are known to within {widest:.1f} points or better"
        if widest == widest
        else ("Too few deals were played to say how well win shares are known")
    )
    text = (
        f"{known}; of the {len(neighbours)} pairs that stand one above the other in the ranking, the order of "
        f"{n_clear} is clear (p < 0.05, corrected for all {len(differences)} pairs)."
    )
    return Finding("sureness", text, float(n_clear), question=HOW_SURE)


def with_ratings_and_quantiles(tables: Tables) -> pd.DataFrame:
    """Return the ranking with what other measures say of each strategy, where they were counted."""
    frame = tables["ranking"]
    for other in ("ratings", "money_quantiles"):
        if other in tables:
            frame = frame.merge(tables[other], on="strategy")
    return frame


WIN_SHARE = Column("share of the games that a seat of it wins; a tie is shared", "share", DESIGNED, interval=True)

MEASURE = Measure(
    name="ranking",
    section="Win rates",
    order=0,
    tallies=(Tally(SCORES, count_scores, Per.BLOCK), Tally(CROSS, count_cross, Per.BLOCK)),
    tables=(
        Table(
            "ranking",
            "a strategy, best first",
            {
                "strategy": Column("its name", evidence=CASE),
                "games": Column("seats that it played", "seats", DESIGNED),
                "win_share": WIN_SHARE,
                "money": Column("mean final money", "money a game", DESIGNED, interval=True),
                "money_sd": Column("standard deviation of its final money over games", "money", DESIGNED),
            },
            make_ranking,
            in_summary=True,
        ),
        Table(
            "differences",
            "a pair of strategies, the better first",
            {
                "strategy": Column("the one with the larger win share", evidence=CASE),
                "other": Column("the one it is compared with", evidence=CASE),
                "win_share_difference": Column("win share less the other's", "share", DESIGNED, interval=True),
                "win_share_p_holm": Column(
                    "p value of no difference in win share, corrected for all pairs (Holm)", "", DESIGNED
                ),
                "win_share_saved": Column(
                    "how many times fewer games the shared deals needed; below 1 where the two took from each other",
                    "ratio",
                    DESIGNED,
                ),
                "money_difference": Column("mean final money less the other's", "money", DESIGNED, interval=True),
                "money_p_holm": Column("p value of no difference in money, corrected (Holm)", "", DESIGNED),
                "money_saved": Column("as win_share_saved, for money", "ratio", DESIGNED),
            },
            make_differences,
        ),
    ),
    drawings=(
        Drawing(
            "win_shares",
            "ranking",
            lambda tables: plot_win_shares(tables["ranking"], tables.fair),
            "Win share of a seat, ties shared. Bars are 95% intervals.",
        ),
    ),
    views=(
        View(
            "Ranking",
            "ranking",
            (
                Cell("strategy", "strategy"),
                Cell("games", "seats played", value(",")),
                Cell("win_share", "win share", interval(".1%")),
                Cell("rating", "rating", interval(".0f")),
                Cell("money", "mean money", interval(".1f")),
                Cell("money_sd", "sd", value(".0f")),
                Cell("q5%", "5%", value(".0f")),
                Cell("q50%", "median", value(".0f")),
                Cell("q95%", "95%", value(".0f")),
            ),
            "Every strategy plays the same deals from every seat. The last three columns are quantiles of final money.",
            with_ratings_and_quantiles,
        ),
        View(
            "Differences between strategies",
            "differences",
            (
                Cell("strategy", "strategy"),
                Cell("other", "ahead of"),
                Cell("win_share_difference", "win share, points", points),
                Cell("win_share_p_holm", "p, corrected", p_value),
                Cell("money_difference", "money", interval(".1f")),
                Cell("money_p_holm", "p, corrected", p_value),
                Cell("money_saved", "games saved", value(".2f")),
            ),
            "On the same deals. p values are corrected for their number (Holm). Games saved: how many times fewer "
            "games the shared deals needed; below 1 where the two took from each other.",
            of_several=True,
        ),
    ),
    find=find,
)
