"""How often each artist takes each rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from modernart.analysis.measures.drawing import COLOURS, percent, put_words, small_multiples, styled
from modernart.analysis.measures.measure import CASE, Column, Drawing, Measure, Table, Tables
from modernart.analysis.measures.tables import cases, shares, total
from modernart.simulator.jit import kernel
from modernart.simulator.state import N_ARTISTS
from modernart.simulator.tallies import Layout, Size, Tally, sizes_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Ranks count from 0; the last place is for artists without a rank.
MARKET = Layout("market", {"round": Size.ROUNDS, "artist": N_ARTISTS, "rank": N_ARTISTS + 1}, ("rounds",))
add_rank = MARKET.adder()


@kernel
def count_ranks(game, cells):
    """Count every artist's rank at the end of every round."""
    sizes = sizes_of(game)
    for r in range(sizes[1]):
        for artist in range(N_ARTISTS):
            add_rank(cells, sizes, (r, artist, game.rounds[r].ranks[artist]), (1,))


def make_market(tables: Tables) -> pd.DataFrame:
    """Return one row a round, artist and rank (0 = unranked)."""
    rules = tables.run.rules
    n_ranks = len(rules.rank_values)
    rounds = tables.run.tallies.sums("market").at(artist=slice(0, len(rules.artists)))["rounds"]
    rounds = np.concatenate([rounds[..., -1:], rounds[..., :n_ranks]], axis=-1)
    of_all = np.broadcast_to(rounds.sum(axis=-1, keepdims=True), rounds.shape)
    axes = {"round": range(1, rules.rounds + 1), "artist": rules.artists, "rank": range(n_ranks + 1)}
    return pd.DataFrame(
        {**cases(axes), "rounds": total(rounds), **shares("share", rounds, of_all, per_block=rules.players)}
    )


@styled
def plot_market(market: pd.DataFrame) -> Axes:
    """Draw how often each artist takes each rank, a panel a round; returns the first panel."""
    rounds = sorted(market["round"].unique())
    figure, axes = small_multiples(len(rounds), "Who takes which rank", 1.9)
    artists = list(dict.fromkeys(market["artist"]))
    ranks = [rank for rank in sorted(market["rank"].unique()) if rank > 0]
    for ax, round_number in zip(axes, rounds, strict=False):
        bottom = np.zeros(len(artists))
        for i, rank in enumerate(ranks):
            own = market[(market["round"] == round_number) & (market["rank"] == rank)].set_index("artist")["share"]
            heights = np.nan_to_num(own.reindex(artists).to_numpy(float))
            ax.bar(
                range(len(artists)),
                heights,
                bottom=bottom,
                color=COLOURS[i],
                width=0.75,
                label=f"rank {rank}",
                edgecolor="white",
                linewidth=0.6,
            )
            for place, (artist, height) in enumerate(zip(artists, heights, strict=True)):
                words = f"round {round_number}, {artist}: rank {rank} in {height:.1%} of rounds"
                put_words(ax, place, bottom[place] + height / 2, words, 0.75, height)
            bottom += heights
        ax.set_xticks(range(len(artists)), artists)
        ax.set_title(f"round {round_number}")
        ax.set_ylim(0, 1)
        ax.grid(visible=False, axis="x")
        percent(ax)
    figure.supylabel("share of rounds", fontsize=9)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower left", ncols=5)
    return axes[0]


MEASURE = Measure(
    name="market",
    section="Market",
    order=0,
    tallies=(Tally(MARKET, count_ranks),),
    tables=(
        Table(
            "market",
            "a round, an artist and a rank",
            {
                "round": Column("number of the round, from 1", evidence=CASE),
                "artist": Column("the artist", evidence=CASE),
                "rank": Column("rank at the round's end; 0 for unranked", evidence=CASE),
                "rounds": Column("rounds in which the artist took it", "rounds"),
                "share": Column("their share of all such rounds", "share", interval=True),
            },
            make_market,
        ),
    ),
    drawings=(
        Drawing("market", "market", lambda tables: plot_market(tables["market"]), "Observed: ranks, in board order."),
    ),
)
