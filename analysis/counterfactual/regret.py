"""What their mistakes cost: money a game that strategies lose by ending, or selling, the wrong way.

The better way is chosen from what the player could see, and never on the playouts that judge it: the best of several
noisy estimates is too good on the playouts that chose it (the winner's curse), and a player does not know the hidden
cards that the playouts share with the game. So the deals are split in two halves. On one half, each situation (what the
table showed) learns which way brings more; on the other half, the difference between that way and the strategy's own
counts. Then the halves change places. What comes out is what a player gains who corrects the strategy by a table of
situations: at most as much as the best correction, and possibly below 0 where the strategy makes no mistake that such
a table can see.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from modernart.analysis.counterfactual.auctions import KIND_LABELS, sale_outcomes
from modernart.analysis.counterfactual.endings import mover_effects
from modernart.analysis.counterfactual.points import DecisionPoints, by_deal, in_columns
from modernart.analysis.measures.costs import ANY_KIND, BOTH
from modernart.analysis.statistics.estimates import ratio_of

#: A situation's mean is drawn to that of its wider situation as if the latter had this many decision points more.
_PRIOR_POINTS = 20.0
#: Most own paintings and cards in hand that are told apart.
_HOLDING_CLASSES, _HAND_CLASSES, _HAND_STEP = 3, 3, 3


def shrunk_means(values: np.ndarray, wide: np.ndarray, narrow: np.ndarray, used: np.ndarray) -> np.ndarray:
    """Return for each point the mean of its narrow situation, drawn to that of its wide one, from the used points.

    Parameters
    ----------
    values : ndarray of float, shape (n,)
    wide, narrow : ndarray of int, shape (n,)
        Number of the wide and of the narrow situation.
    used : ndarray of bool, shape (n,)
        Points that the means are taken from.
    """
    total = float(values[used].sum()) / max(int(used.sum()), 1)
    outer = _pulled(values, wide, used, np.full(len(values), total))
    return _pulled(values, narrow, used, outer)


def _pulled(values: np.ndarray, cells: np.ndarray, used: np.ndarray, towards: np.ndarray) -> np.ndarray:
    size = int(cells.max()) + 1 if len(cells) else 0
    n = np.bincount(cells[used], minlength=size)
    sums = np.bincount(cells[used], values[used], minlength=size)
    return (sums[cells] + _PRIOR_POINTS * towards) / (n[cells] + _PRIOR_POINTS)


def gains_of_switching(
    points: DecisionPoints, apart: np.ndarray, wide: np.ndarray, narrow: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return what each decision point gains when situations take the way that the other half of the deals favours.

    Parameters
    ----------
    apart : ndarray of float, shape (n, n_ways)
        Outcome of each way less that of the strategy's own; NaN where a way was not open.
    wide, narrow : ndarray of int, shape (n,)
        Situations.

    Returns
    -------
    gains : ndarray of float, shape (n,)
    switches : ndarray of bool, shape (n,)
        Where the favoured way is not the strategy's own.
    """
    half = points.forks.facts[:, 0] % 2
    rows = np.arange(len(apart))
    gains = np.zeros(len(apart))
    switches = np.zeros(len(apart), bool)
    for judged in (0, 1):
        promised = np.zeros(apart.shape)
        for way in range(apart.shape[1]):
            open_here = ~np.isnan(apart[:, way])
            values = np.where(open_here, apart[:, way], 0.0)
            promised[:, way] = shrunk_means(values, wide, narrow, open_here & (half != judged))
            promised[~open_here, way] = -np.inf
        best = np.argmax(promised, axis=1)
        here = (half == judged) & (promised[rows, best] > 0)
        switches |= here
        gains[here] = apart[rows[here], best[here]]
    return gains, switches


def _numbered(frame: pd.DataFrame) -> np.ndarray:
    return frame.groupby(list(frame.columns), sort=True).ngroup().to_numpy()


def _classes(frame: pd.DataFrame) -> pd.DataFrame:
    """Return what the player could see, in few classes."""
    return pd.DataFrame(
        {
            "case": frame["case"],
            "chosen": frame["chosen"],
            "holding": frame["holding"].clip(upper=_HOLDING_CLASSES),
            "round": frame["round"],
            "hand": (frame["hand_size"] // _HAND_STEP).clip(upper=_HAND_CLASSES),
            "out": frame["cards_out"],
        }
    )


def _a_game(points: DecisionPoints, name: str, gains: np.ndarray, here: np.ndarray) -> dict[str, float]:
    """Return the gains of some decision points of a strategy, money a game and seat, with an interval from deals."""
    sums = np.bincount(points.forks.facts[here, 0], gains[here], minlength=points.n_deals)
    return in_columns("money", ratio_of(sums, points.seat_games(name).astype(float)))


def ending_regret(points: DecisionPoints) -> pd.DataFrame:
    """Return what each strategy loses a game by ending rounds wrongly, and by wrongly not ending them.

    Returns
    -------
    DataFrame
        `strategy`; `mistake`: "ends", "plays on" or "both"; `moments`; `switched`, the share of them where the other
        way promises more; `money` a game and seat with its interval.
    """
    frame = points.frame
    effect = mover_effects(points)["money"]
    apart = np.where(frame["chosen"] == 1, -effect, effect)[:, None]
    rows = []
    for name in dict.fromkeys(points.names):
        mine = (frame["strategy"] == name).to_numpy()
        if not mine.any():
            continue
        part = _only(points, mine)
        seen = _classes(part.frame)
        gains, switches = gains_of_switching(part, apart[mine], _numbered(seen[["chosen", "holding"]]), _numbered(seen))
        for mistake, chosen in (("ends", (1,)), ("plays on", (0,)), (BOTH, (0, 1))):
            here = part.frame["chosen"].isin(chosen).to_numpy()
            row: dict[str, object] = {"strategy": name, "mistake": mistake, "moments": int(here.sum())}
            row["switched"] = float(switches[here].mean()) if here.any() else 0.0
            rows.append(row | _a_game(part, name, gains, here))
    return pd.DataFrame(rows)


def kind_regret(points: DecisionPoints) -> pd.DataFrame:
    """Return what each strategy loses a game by the kind of auction, where it held another kind of the same artist.

    Returns
    -------
    DataFrame
        `strategy`; `mistake`: the kind that was chosen, or "any kind"; `moments`; `switched`; `money` a game and seat.
    """
    frame = points.frame
    money = sale_outcomes(points)["money"]
    own = frame["kind"].to_numpy()
    apart = money - money[np.arange(len(money)), own][:, None]
    held = (frame["kinds_held"].to_numpy()[:, None] >> np.arange(money.shape[1])) & 1
    apart = np.where((held == 1) & (np.arange(money.shape[1]) != own[:, None]), apart, np.nan)
    has_choice = ~np.isnan(apart).all(axis=1)
    rows = []
    for name in dict.fromkeys(points.names):
        mine = (frame["strategy"] == name).to_numpy() & has_choice
        if not mine.any():
            continue
        part = _only(points, mine)
        seen = _classes(part.frame).assign(chosen=part.frame["kind"])
        wide, narrow = _numbered(seen[["chosen", "case"]]), _numbered(seen[["chosen", "case", "round", "out"]])
        gains, switches = gains_of_switching(part, apart[mine], wide, narrow)
        for mistake, kinds in (*((label, (kind,)) for kind, label in KIND_LABELS.items()), (ANY_KIND, KIND_LABELS)):
            here = part.frame["kind"].isin(list(kinds)).to_numpy()
            row: dict[str, object] = {"strategy": name, "mistake": mistake, "moments": int(here.sum())}
            row["switched"] = float(switches[here].mean()) if here.any() else 0.0
            rows.append(row | _a_game(part, name, gains, here))
    return pd.DataFrame(rows)


def _only(points: DecisionPoints, here: np.ndarray) -> DecisionPoints:
    """Return the chosen decision points as a study of their own."""
    found = points.forks
    kept = type(found)(found.facts[here], found.outcomes[here], found.counts, found.line_ups)
    return DecisionPoints(points.names, kept)


def chosen_and_judged_together(points: DecisionPoints) -> float:
    """Return the ending regret, money a decision point, when the same playouts choose and judge: biased upwards."""
    effect = mover_effects(points)["money"]
    apart = np.where(points.frame["chosen"] == 1, -effect, effect)
    return float(by_deal(points.frame["deal"].to_numpy(), np.maximum(apart, 0)).mean)


def cost_table(endings: DecisionPoints | None, auctions: DecisionPoints | None) -> pd.DataFrame:
    """Return one table of what mistakes cost, from either study or both."""
    parts: Sequence[pd.DataFrame] = [
        frame.assign(decision=decision)
        for decision, frame in (
            ("ending", ending_regret(endings) if endings is not None else None),
            ("kind of auction", kind_regret(auctions) if auctions is not None else None),
        )
        if frame is not None and len(frame)
    ]
    if not parts:
        return pd.DataFrame(columns=["decision", "strategy", "mistake", "moments", "switched", "money"])
    table = pd.concat(parts, ignore_index=True)
    return table[["decision", *[column for column in table.columns if column != "decision"]]]
