"""What each kind of auction brings: the same lot in the same state, sold by every kind in the deck."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from modernart.analysis.counterfactual.points import DecisionPoints, by_deal, in_columns
from modernart.simulator import forks
from modernart.simulator.cards import KIND_NAMES, AuctionKind
from modernart.simulator.decisions import Form
from modernart.simulator.errors import RunError
from modernart.simulator.fork_runs import play_forks
from modernart.simulator.players import Player
from modernart.simulator.rules import Rules
from modernart.simulator.scoring import WIN_UNITS

#: The kinds of sale of a single card.
KIND_LABELS = {kind: KIND_NAMES[kind] for kind in AuctionKind if kind < forks.N_KINDS}
#: Why a lot is not in the study, in words.
LEFT_OUT = {
    forks.ENDING: "ending card",
    forks.LAST_CARD: "last card of all hands",
    forks.JOINED: "joined double",
    forks.LONE: "double that nobody joined",
    forks.BLACK_FRAMED: "black-framed card",
    forks.NO_COPY: "no unseen copy of another kind",
}


def auction_points(
    players: Sequence[Player],
    rules: Rules,
    games: int,
    *,
    seed: int = 1,
    repeats: int = 2,
    threads: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> DecisionPoints:
    """Return the lots of a run's games that were one card or an own double, sold by each kind in the deck.

    The card is exchanged for an unseen one of the other kind, so every card stays in one place. Parameters as
    `modernart.analysis.counterfactual.endings.ending_points`.

    Raises
    ------
    RunError
        If the deck has no open auction, with which the others are compared, or a strategy fails.
    """
    if not any("-O" in card for card in rules.deck):
        raise RunError(
            "the kinds of auction are compared with an open one, which this deck lacks: choose another edition"
        )
    found = play_forks(
        "auctions", players, rules, games, seed=seed, repeats=repeats, threads=threads, on_progress=on_progress
    )
    return DecisionPoints(tuple(p.name for p in players), found)


def sale_outcomes(points: DecisionPoints) -> dict[str, np.ndarray]:
    """Return what each kind of sale brings, by lot; arrays of shape (n, N_KINDS), 0 for a kind that the deck lacks.

    `price`, the seller's `revenue`, final `money`, `relative` money (less the others' mean) and `win_share`, and
    `own_share`: whether the seller bought the lot.
    """
    means = points.means
    return {
        "price": means[..., forks.PRICE],
        "revenue": means[..., forks.REVENUE],
        "money": means[..., forks.MONEY],
        "relative": means[..., forks.MONEY] - means[..., forks.OTHERS] / (points.n_seats - 1),
        "win_share": means[..., forks.WINS] / WIN_UNITS,
        "own_share": means[..., forks.OWN],
    }


def _nothing(name: str) -> dict[str, float]:
    return {name: 0.0, f"{name}_low": 0.0, f"{name}_high": 0.0}


def left_out_table(points: DecisionPoints) -> pd.DataFrame:
    """Return how many lots and ending cards the games had, and how many of them the study leaves out and why."""
    counts = points.forks.counts
    rows = [{"lot": "in the study", "lots": int(counts[forks.STUDIED])}]
    rows += [{"lot": f"left out: {why}", "lots": int(counts[code])} for code, why in LEFT_OUT.items()]
    frame = pd.DataFrame(rows)
    return frame.assign(share=frame["lots"] / max(frame["lots"].sum(), 1))


def left_out_note(points: DecisionPoints) -> str:
    """Return a sentence that says which lots the study leaves out."""
    frame = left_out_table(points)
    out = frame[frame["lots"] > 0].iloc[1:]
    parts = [f"{row.lot.removeprefix('left out: ')} {row.share:.0%}" for row in out.itertuples()]
    return f"Left out: {', '.join(parts)}." if parts else "No lot is left out."


def auctions_effect(points: DecisionPoints, by: Sequence[str] = ()) -> pd.DataFrame:
    """Return what the same lot brings its seller by each kind of sale, and the differences from an open auction.

    Parameters
    ----------
    points : DecisionPoints
    by : sequence of {"form", "round", "cards_out", "strategy"}
        What to tell apart.
    """
    outcomes = sale_outcomes(points)
    facts = points.frame.rename(columns={"case": "form"})
    facts["form"] = facts["form"].map({Form.SINGLE: "single", Form.PAIRED: "own double"})
    groups = facts.groupby(list(by), sort=True) if by else [((), facts)]
    # Somebody always has money at the end.
    is_sold = np.asarray(points.means[..., [forks.MONEY, forks.OTHERS]].any(axis=(0, 2)))
    rows = []
    for key, group in groups:
        here = group.index.to_numpy()
        deals = group["deal"].to_numpy()
        level = {name: by_deal(deals, values[here]) for name, values in outcomes.items()}
        # Paired with the same lot sold in an open auction.
        apart = {name: by_deal(deals, values[here] - values[here][:, :1]) for name, values in outcomes.items()}
        for kind, label in ((kind, label) for kind, label in KIND_LABELS.items() if is_sold[kind]):
            row: dict[str, object] = {**dict(zip(by, key, strict=True)), "kind": label, "moments": len(here)}
            for name in ("price", "revenue", "own_share"):
                row |= in_columns(name, level[name], (kind,))
            for name in ("price", "revenue", "money", "relative", "win_share"):
                column = f"{name}_difference"
                # The open auction differs from itself by nothing, and no sample is needed to know that.
                is_same = kind == AuctionKind.OPEN
                row |= _nothing(column) if is_same else in_columns(column, apart[name], (kind,))
            rows.append(row)
    return pd.DataFrame(rows)
