"""From a run's tallies to tidy tables with intervals: one row a case, one column a measure."""

import itertools
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from modernart.analysis.statistics.estimates import (
    BlockSums,
    Estimate,
    block_differences,
    block_means,
    holm,
    ratio_of,
    seat_limits,
    share_bounds,
)
from modernart.analysis.statistics.ratings import ratings_table
from modernart.simulator.cards import AuctionKind
from modernart.simulator.decisions import Form
from modernart.simulator.files import whole_file
from modernart.simulator.simulate import Run
from modernart.simulator.tallies import MAX_HOLDING, MAX_OUT, MONEY_STEP, N_MONEY, N_PRICES, PRICE_STEP, WIN_UNITS, End

#: Places of the measures in `Tallies.scores` and `Tallies.cross`.
_SEATS, _WINS, _MONEY, _SQUARES = range(4)
_NN, _NW, _WW, _NM, _MM, _BLOCKS = range(6)


def block_sums(run: Run, measure: str) -> BlockSums:
    """Return the sums over blocks that means, intervals and differences come from.

    Parameters
    ----------
    run : Run
    measure : {"win_share", "money"}
    """
    cross = run.tallies.cross.sum(axis=0).astype(float)
    scores = run.tallies.scores.sum(axis=0).astype(float)
    if measure == "win_share":
        unit, nx, xx, x = WIN_UNITS, _NW, _WW, _WINS
    else:
        unit, nx, xx, x = 1, _NM, _MM, _MONEY
    limits = {}
    if measure == "win_share":
        sits = np.diag(cross[..., _BLOCKS])
        limits["floor"], limits["ceiling"] = seat_limits(scores[:, _SEATS], sits, run.rules.players)
    return BlockSums(
        n_blocks=cross[..., _BLOCKS],
        nn=cross[..., _NN],
        nx=cross[..., nx] / unit,
        xx=cross[..., xx] / unit**2,
        n=scores[:, _SEATS],
        x=scores[:, x] / unit,
        **limits,
    )


def with_interval(name: str, estimate: Estimate, is_share: bool = False) -> dict[str, np.ndarray]:
    """Return columns `name`, `name_low` and `name_high` of an estimate and its 95 % interval."""
    low, high = share_bounds(estimate) if is_share else (estimate.low, estimate.high)
    return {name: estimate.mean.ravel(), f"{name}_low": low.ravel(), f"{name}_high": high.ravel()}


def ranking_table(run: Run) -> pd.DataFrame:
    """Return one row a strategy, best first: seats played, win share and money with intervals, spread of money.

    Win shares are per seat played, ties shared: equals win one in `rules.players`. Intervals come from blocks.
    """
    scores = run.tallies.scores.sum(axis=0)
    n = scores[:, _SEATS].astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = scores[:, _MONEY] / n
        variance = (scores[:, _SQUARES] - n * mean**2) / (n - 1)
    frame = pd.DataFrame(
        {
            "strategy": list(run.names),
            "games": scores[:, _SEATS],
            **with_interval("win_share", block_means(block_sums(run, "win_share")), is_share=True),
            **with_interval("money", block_means(block_sums(run, "money"))),
            "money_sd": np.sqrt(np.maximum(variance, 0)),
        }
    )
    return frame.sort_values(["win_share", "money"], ascending=False, kind="stable", ignore_index=True)


def differences_table(run: Run) -> pd.DataFrame:
    """Return one row a pair of strategies, the better first: differences with intervals and corrected p values.

    `saved` is how many times fewer games the shared deals needed (see `estimates.block_differences`).
    """
    columns = {}
    for measure in ("win_share", "money"):
        difference, saved = block_differences(block_sums(run, measure))
        columns[measure] = (difference, saved)
    order = {name: i for i, name in enumerate(ranking_table(run)["strategy"])}
    ranked = sorted(range(len(run.names)), key=lambda i: order[run.names[i]])
    pairs = list(itertools.combinations(ranked, 2))
    a = np.array([pair[0] for pair in pairs], int)
    c = np.array([pair[1] for pair in pairs], int)
    data: dict[str, object] = {
        "strategy": [run.names[i] for i in a],
        "other": [run.names[i] for i in c],
    }
    for measure, (difference, saved) in columns.items():
        here = difference.at(a, c)
        data |= with_interval(f"{measure}_difference", here)
        data[f"{measure}_p_holm"] = holm(here.p_value)
        data[f"{measure}_saved"] = saved[a, c]
    return pd.DataFrame(data)


def write_tables(folder: Path, tables: Mapping[str, pd.DataFrame], formats: tuple[str, ...] = ("parquet",)) -> None:
    """Write tables as files `NAME.parquet` or `NAME.csv`, each whole or not at all.

    Parameters
    ----------
    folder : Path
        Made if needed.
    tables : mapping of str to DataFrame
    formats : tuple of {"parquet", "csv"}
    """
    for name, frame in tables.items():
        for ending in formats:
            with whole_file(folder / f"{name}.{ending}", "wb") as file:
                if ending == "csv":
                    frame.to_csv(file, index=False)
                else:
                    frame.to_parquet(file, index=False)


def _cases(axes: Mapping[str, Sequence[object]]) -> dict[str, list[object]]:
    """Return columns that name every combination of cases, the last axis running fastest."""
    rows = list(itertools.product(*axes.values()))
    return {name: [row[i] for row in rows] for i, name in enumerate(axes)}


def _shares(
    name: str,
    wins: np.ndarray,
    games: np.ndarray,
    unit: float = WIN_UNITS,
    per_block: float | None = None,
    mix: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """Return columns of a share with its interval, from sums by batch (see `ratio_of`)."""
    return with_interval(name, ratio_of(wins / unit, games, per_block, mix), is_share=True)


def most_places(run: Run) -> int:
    """Return the most places that one strategy takes in a line-up of the balanced schedule."""
    return -(-run.rules.players // len(run.names))


def _seen(frame: pd.DataFrame, count: str) -> pd.DataFrame:
    """Return the rows of cases that occurred."""
    return frame[frame[count] > 0].reset_index(drop=True)


def seats_table(run: Run) -> pd.DataFrame:
    """Return one row a strategy and seat, seat 1 starting the first round: win share and money with intervals."""
    t = run.tallies.seats[:, :, : run.rules.players]
    return _seen(
        pd.DataFrame(
            {
                **_cases({"strategy": run.names, "seat": range(1, run.rules.players + 1)}),
                "games": t[..., 0].sum(axis=0).ravel(),
                **_shares("win_share", t[..., 1], t[..., 0], per_block=most_places(run)),
                **with_interval("money", ratio_of(t[..., 2], t[..., 0])),
            }
        ),
        "games",
    )


def seat_effect_table(run: Run) -> pd.DataFrame:
    """Return one row a seat: win share and money over all strategies, which all take every seat equally often."""
    t = run.tallies.seats[:, :, : run.rules.players].sum(axis=1)
    return pd.DataFrame(
        {
            "seat": range(1, run.rules.players + 1),
            "games": t[..., 0].sum(axis=0),
            **_shares("win_share", t[..., 1], t[..., 0], per_block=run.rules.players),
            **with_interval("money", ratio_of(t[..., 2], t[..., 0])),
        }
    )


def meetings_table(run: Run) -> pd.DataFrame:
    """Return one row a strategy and table mate: win share of the strategy in seats that have such a mate."""
    t = run.tallies.meetings
    return _seen(
        pd.DataFrame(
            {
                **_cases({"strategy": run.names, "mate": run.names}),
                "pairs": t[..., 0].sum(axis=0).ravel(),
                **_shares("win_share", t[..., 1], t[..., 0], per_block=run.rules.players * most_places(run) ** 2),
            }
        ),
        "pairs",
    )


def neighbours_table(run: Run) -> pd.DataFrame:
    """Return one row a side, strategy and neighbour there: win share of the strategy beside such a neighbour."""
    t = run.tallies.neighbours
    return _seen(
        pd.DataFrame(
            {
                **_cases({"side": ("left", "right"), "strategy": run.names, "neighbour": run.names}),
                "games": t[..., 0].sum(axis=0).ravel(),
                **_shares("win_share", t[..., 1], t[..., 0], per_block=run.rules.players * most_places(run)),
            }
        ),
        "games",
    )


def money_table(run: Run) -> pd.DataFrame:
    """Return one row a strategy and class of final money: seats, and their share of the strategy's."""
    t = run.tallies.money[..., 0].sum(axis=0)
    lows = np.arange(N_MONEY) * MONEY_STEP
    frame = pd.DataFrame(
        {
            **_cases({"strategy": run.names, "money_from": lows}),
            "seats": t.ravel(),
            "share": (t / np.maximum(t.sum(axis=1, keepdims=True), 1)).ravel(),
        }
    )
    return _seen(frame, "seats")


def money_quantiles_table(run: Run, quantiles: Sequence[float] = (0.05, 0.25, 0.5, 0.75, 0.95)) -> pd.DataFrame:
    """Return one row a strategy: quantiles of final money, straight lines within a class of MONEY_STEP."""
    t = run.tallies.money[..., 0].sum(axis=0)
    edges = np.arange(N_MONEY + 1) * MONEY_STEP
    rows = []
    for name, counts in zip(run.names, t, strict=True):
        below = np.concatenate([[0], np.cumsum(counts)]) / max(counts.sum(), 1)
        rows.append({"strategy": name, **{f"q{q:.0%}": float(np.interp(q, below, edges)) for q in quantiles}})
    return pd.DataFrame(rows)


def leaders_table(run: Run) -> pd.DataFrame:
    """Return one row a round but the last: how often who had most money after it, payouts included, wins."""
    t = run.tallies.leaders[:, : max(run.rules.rounds - 1, 1)]
    return pd.DataFrame(
        {
            "round": range(1, t.shape[1] + 1),
            "games": t[..., 0].sum(axis=0),
            **_shares("win_share", t[..., 1], t[..., 0], unit=WIN_UNITS * WIN_UNITS, per_block=run.rules.players),
        }
    )


#: Words for how rounds end and lots come to be.
END_NAMES = {
    End.SINGLE: "single card",
    End.PAIRED: "own double",
    End.JOINED: "joined double",
    End.SHILL: "shill's card",
    End.HANDS_EMPTY: "hands empty",
}
FORM_NAMES = {Form.SINGLE: "single", Form.PAIRED: "own double", Form.JOINED: "joined double", Form.LONE: "lone double"}
KIND_NAMES = {kind: kind.name.lower().replace("_", " ") for kind in AuctionKind}


def endings_table(run: Run, by: Sequence[str] = ()) -> pd.DataFrame:
    """Return what the ends of rounds paid, observed: who ended is no accident, so this shows no cause.

    Parameters
    ----------
    run : Run
    by : sequence of {"strategy", "round", "how", "holding"}
        What to tell apart; `holding` is the ender's own paintings of the ending artist, the last class open.

    Returns
    -------
    DataFrame
        `rounds`; payouts of the ender, the next player and the mean of the others (money, this round's payout);
        win shares of the ender and the next player; `gain` is the ender's payout less the mean of all others'.
    """
    names = ("strategy", "round", "how", "holding")
    values = (run.names, range(1, run.rules.rounds + 1), list(END_NAMES.values()), range(MAX_HOLDING + 1))
    dropped = tuple(i + 1 for i, name in enumerate(names) if name not in by)
    t = run.tallies.ends.sum(axis=dropped)
    n, ender, following, others, ender_wins, next_wins = np.moveaxis(t, -1, 0)
    rest = run.rules.players - 2
    frame = pd.DataFrame(
        {
            **_cases({name: value for name, value in zip(names, values, strict=True) if name in by}),
            "rounds": n.sum(axis=0).ravel(),
            **with_interval("payout_ender", ratio_of(ender, n)),
            **with_interval("payout_next", ratio_of(following, n)),
            **with_interval("payout_others", ratio_of(others, n * rest)),
            **with_interval("gain", ratio_of(ender - (following + others) / (rest + 1), n)),
            **_shares("win_share_ender", ender_wins, n, per_block=run.rules.players),
            **_shares("win_share_next", next_wins, n, per_block=run.rules.players),
        }
    )
    return _seen(frame, "rounds")


def ledger_table(run: Run, by: Sequence[str] = ("kind", "form")) -> pd.DataFrame:
    """Return what auctions earned, for sellers, buyers and the bank.

    Parameters
    ----------
    run : Run
    by : sequence of {"kind", "form", "round", "cards_out"}
        What to tell apart; `cards_out` counts the lot's own cards.

    Returns
    -------
    DataFrame
        `lots`; by lot, in money: `price`, `value` (what the buyer's paintings paid at the round's end), `revenue` (what
        the sellers got: price less the bank's part), `profit` (value less price), `to_bank`; `price_to_value` as a
        ratio of sums; `own_share` of lots that the auctioneer bought himself, a lone double kept free included.
        Lots of black-framed cards carry their value as a debt of the taker, and the others' fees in `to_bank`.
    """
    names = ("kind", "form", "round", "cards_out")
    values = (list(KIND_NAMES.values()), list(FORM_NAMES.values()), range(1, run.rules.rounds + 1), range(MAX_OUT + 1))
    ratio = partial(ratio_of, mix=run.tallies.scores[..., _SEATS])
    t = run.tallies.lots
    dropped = tuple(i + 1 for i, name in enumerate(names) if name not in by)
    own = t[:, :, :, :, :, 1, 0].sum(axis=dropped)
    lots, price, value, to_bank = np.moveaxis(t.sum(axis=(*dropped, 5)), -1, 0)
    frame = pd.DataFrame(
        {
            **_cases({name: value for name, value in zip(names, values, strict=True) if name in by}),
            "lots": lots.sum(axis=0).ravel(),
            **with_interval("price", ratio(price, lots)),
            **with_interval("value", ratio(value, lots)),
            **with_interval("revenue", ratio(price - to_bank, lots)),
            **with_interval("profit", ratio(value - price, lots)),
            **with_interval("to_bank", ratio(to_bank, lots)),
            **with_interval("price_to_value", ratio(price, value)),
            **_shares("own_share", own, lots, unit=1.0, mix=run.tallies.scores[..., _SEATS]),
        }
    )
    return _seen(frame, "lots")


def trades_table(run: Run) -> pd.DataFrame:
    """Return one row a pair of auctioneer's and buyer's strategy: lots, mean price, mean profit of the buyer."""
    t = run.tallies.trades.sum(axis=(1, 2))
    lots, price, value = t[..., 0], t[..., 1], t[..., 2]
    frame = pd.DataFrame(
        {
            **_cases({"auctioneer": run.names, "buyer": run.names}),
            "lots": lots.sum(axis=0).ravel(),
            **with_interval("price", ratio_of(price, lots)),
            **with_interval("profit", ratio_of(value - price, lots)),
        }
    )
    return _seen(frame, "lots")


def buyers_table(run: Run) -> pd.DataFrame:
    """Return one row a strategy: lots bought, profit a lot, and the part of its income that came from selling.

    `sales_share` is revenue as auctioneer over that revenue plus the payouts of what it bought.
    """
    ratio = partial(ratio_of, mix=run.tallies.scores[..., _SEATS])
    t = run.tallies.trades.sum(axis=(1, 2))
    seats = run.tallies.scores[..., 0]
    bought = t.sum(axis=1)
    sold = t.sum(axis=2)
    revenue = sold[..., 1] - sold[..., 3] - sold[..., 4]
    return pd.DataFrame(
        {
            "strategy": list(run.names),
            **with_interval("lots_bought", ratio(bought[..., 0], seats)),
            **with_interval("spent", ratio(bought[..., 1], seats)),
            **with_interval("buying_profit", ratio(bought[..., 2] - bought[..., 1], seats)),
            **with_interval("selling_revenue", ratio(revenue, seats)),
            **_shares("sales_share", revenue, revenue + bought[..., 2], unit=1.0, mix=run.tallies.scores[..., _SEATS]),
        }
    )


def curve_table(run: Run) -> pd.DataFrame:
    """Return one row a kind and class of prices: mean price and realised value. Value below price is a loss."""
    t = run.tallies.curve
    frame = pd.DataFrame(
        {
            **_cases({"kind": list(KIND_NAMES.values()), "price_from": np.arange(N_PRICES) * PRICE_STEP}),
            "lots": t[..., 0].sum(axis=0).ravel(),
            **with_interval("price", ratio_of(t[..., 1], t[..., 0])),
            **with_interval("value", ratio_of(t[..., 2], t[..., 0])),
        }
    )
    return _seen(frame, "lots")


def prices_table(run: Run) -> pd.DataFrame:
    """Return one row a round, artist and cards out (the lot's included): price and realised value of a painting."""
    t = run.tallies.prices[:, :, : len(run.rules.artists)]
    frame = pd.DataFrame(
        {
            **_cases(
                {
                    "round": range(1, run.rules.rounds + 1),
                    "artist": run.rules.artists,
                    "cards_out": range(MAX_OUT + 1),
                }
            ),
            "lots": t[..., 0].sum(axis=0).ravel(),
            **with_interval("price", ratio_of(t[..., 2], t[..., 1])),
            **with_interval("value", ratio_of(t[..., 3], t[..., 1])),
        }
    )
    return _seen(frame, "lots")


def market_table(run: Run) -> pd.DataFrame:
    """Return one row a round, artist and rank (0 = unranked): how often, as a share of rounds."""
    n_artists = len(run.rules.artists)
    n_ranks = len(run.rules.rank_values)
    t = run.tallies.market[:, :, :n_artists, :, 0]
    t = np.concatenate([t[..., -1:], t[..., :n_ranks]], axis=-1)
    total = np.broadcast_to(t.sum(axis=-1, keepdims=True), t.shape)
    return pd.DataFrame(
        {
            **_cases(
                {"round": range(1, run.rules.rounds + 1), "artist": run.rules.artists, "rank": range(n_ranks + 1)}
            ),
            "rounds": t.sum(axis=0).ravel(),
            **_shares("share", t, total, unit=1.0, per_block=run.rules.players),
        }
    )


def rounds_table(run: Run) -> pd.DataFrame:
    """Return one row a round: cards put up, cards left in all hands, payout of all, money of a seat, share in debt."""
    t = run.tallies.rounds
    n = t[..., 0]
    ups = run.tallies.lengths[..., 0]
    return pd.DataFrame(
        {
            "round": range(1, run.rules.rounds + 1),
            "rounds": n.sum(axis=0),
            **with_interval("cards_up", ratio_of((ups * np.arange(ups.shape[-1])).sum(axis=-1), n)),
            **with_interval("cards_left", ratio_of(t[..., 1], n)),
            **with_interval("payout", ratio_of(t[..., 2], n)),
            **with_interval("money", ratio_of(t[..., 3], n * run.rules.players)),
            **_shares("in_debt", t[..., 4], n * run.rules.players, unit=1.0, per_block=run.rules.players**2),
        }
    )


def crowns_table(run: Run) -> pd.DataFrame:
    """Return one row a kind and number of crowns of the lot: price and realised value; empty without crowns."""
    t = run.tallies.crowns
    frame = pd.DataFrame(
        {
            **_cases({"kind": list(KIND_NAMES.values()), "crowns": range(t.shape[2])}),
            "lots": t[..., 0].sum(axis=0).ravel(),
            **with_interval("price", ratio_of(t[..., 1], t[..., 0])),
            **with_interval("value", ratio_of(t[..., 2], t[..., 0])),
        }
    )
    return _seen(frame, "lots")


def lengths_table(run: Run) -> pd.DataFrame:
    """Return one row a round and number of cards put up in it: how often, as a share of rounds."""
    t = run.tallies.lengths[..., 0]
    total = np.broadcast_to(t.sum(axis=-1, keepdims=True), t.shape)
    frame = pd.DataFrame(
        {
            **_cases({"round": range(1, run.rules.rounds + 1), "cards_up": range(t.shape[-1])}),
            "rounds": t.sum(axis=0).ravel(),
            **_shares("share", t, total, unit=1.0, per_block=run.rules.players),
        }
    )
    return _seen(frame, "rounds")


def all_tables(run: Run) -> dict[str, pd.DataFrame]:
    """Return every table of a run, by the name of its file."""
    return {
        "ranking": ranking_table(run),
        "differences": differences_table(run),
        "ratings": ratings_table(run),
        "seats": seats_table(run),
        "seat_effect": seat_effect_table(run),
        "mates": meetings_table(run),
        "neighbours": neighbours_table(run),
        "money": money_table(run),
        "money_quantiles": money_quantiles_table(run),
        "leaders": leaders_table(run),
        "endings_by_strategy": endings_table(run, ["strategy"]),
        "endings_by_how": endings_table(run, ["round", "how"]),
        "endings_by_holding": endings_table(run, ["holding"]),
        "endings": endings_table(run, ["strategy", "round", "how", "holding"]),
        "auctions": ledger_table(run),
        "auctions_by_round": ledger_table(run, ["kind", "form", "round"]),
        "auctions_by_cards_out": ledger_table(run, ["cards_out"]),
        "auctions_full": ledger_table(run, ["kind", "form", "round", "cards_out"]),
        "trades": trades_table(run),
        "buyers": buyers_table(run),
        "price_curve": curve_table(run),
        "prices": prices_table(run),
        "market": market_table(run),
        "rounds": rounds_table(run),
        "crowns": crowns_table(run),
        "lengths": lengths_table(run),
    }
