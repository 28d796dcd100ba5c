"""Which of two strategies is better: both in the same focal seat, on the same deals and random streams."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from modernart.analysis.notebook import html_of
from modernart.analysis.statistics.sequential import (
    UNDECIDED,
    BoundedMean,
    Interval,
    corrected_for_stopping,
    fixed_interval,
    judge,
    look_sizes,
    student_interval,
    unbounded_interval,
)
from modernart.simulator.errors import UsageError
from modernart.simulator.players import Player
from modernart.simulator.rules import Rules
from modernart.simulator.simulate import n_blocks_for
from modernart.strategies.tuning.focal_seat import FocalSeat
from modernart.strategies.tuning.paired_seat import PairedSeat

#: Deals before the first look of a sequential duel.
_FIRST_LOOK = 256
#: Deals that a duel of fixed length plays at once.
_PIECE = 2048


@dataclass(frozen=True)
class Duel:
    """Outcome of a duel; shares and money are means a game of the focal seat.

    Parameters
    ----------
    win_share, win_share_other : float
        Of A and of B. Together with `difference` they are corrected for stopping.
    win_share_ci, difference_ci, money_difference_ci : Interval
        Of `confidence`; of a sequential duel valid whenever it stopped.
    difference, money_difference : float
        A less B.
    games : int
        Games of A; B played as many, on the same deals. A game that was played on several times counts once.
    verdict : str
        Of A against B: `better`, `worse`, `equal` (within the margin) or `undecided`.
    raw_difference : float
        Mean difference as played, not corrected.
    names : tuple of str
        A, B and the players of the other seats, if these are no copies of B.
    """

    win_share: float
    win_share_ci: Interval
    win_share_other: float
    difference: float
    difference_ci: Interval
    money_difference: float
    money_difference_ci: Interval
    games: int
    verdict: str
    raw_difference: float = field(repr=False)
    names: tuple[str, ...] = field(default=(), repr=False)

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as plain data."""
        data = asdict(self)
        del data["raw_difference"], data["names"]
        return {key: list(value) if isinstance(value, tuple) else value for key, value in data.items()}

    def _repr_html_(self) -> str:
        """Return verdict and differences, for notebooks."""
        one, other = self.names[:2]
        rows = [
            ("win share", self.win_share, self.win_share_other, self.difference, *self.difference_ci),
            ("money", None, None, self.money_difference, *self.money_difference_ci),
        ]
        frame = pd.DataFrame(rows, columns=["", one, other, "difference", "low", "high"])
        return html_of(f"{one} is {self.verdict} (against {other}), {self.games:,} games each", frame)


@dataclass
class PairedOutcomes:
    """What two players got in the same focal seat, deal by deal.

    Parameters
    ----------
    wins, money : list of ndarray of float, shape (n_deals, 2)
        Win share and money of A and B, mean over a deal's games.
    """

    wins: list[np.ndarray] = field(default_factory=list)
    money: list[np.ndarray] = field(default_factory=list)

    def play(self, seat: PairedSeat, first_deal: int, n_deals: int) -> np.ndarray:
        """Play further deals and return their differences of win share, shape (n_deals,)."""
        both = seat.score(first_deal, n_deals)
        self.wins.append(np.column_stack([scores.win_share for scores in both]))
        self.money.append(np.column_stack([scores.money for scores in both]))
        return self.wins[-1][:, 0] - self.wins[-1][:, 1]


def duel(
    a: Player,
    b: Player,
    field: Sequence[Player] | None,
    rules: Rules,
    *,
    seed: int = 1,
    threads: int | None = None,
    fixed: int | None = None,
    most_games: int = 400_000,
    margin: float = 0.01,
    confidence: float = 0.95,
    first_block: int = 0,
    on_progress: Callable[[int, Interval | None], None] | None = None,
) -> Duel:
    """Compare A with B in the same focal seat.

    Parameters
    ----------
    a, b : Player
    field : sequence of Player, optional
        Players of the other seats (see `modernart.strategies.tuning.focal_seat.FocalSeat`); default: copies of B.
    rules : Rules
    seed, threads : int
    fixed : int, optional
        Play so many games of each and then judge; default: play until the verdict is clear.
    most_games : int
        A sequential duel gives up after so many games of each.
    margin : float
        Differences of win share below this count as none: a sequential duel also stops when it is sure of that.
    confidence : float
        Of the intervals; 1 - `confidence` bounds the risk of a wrong verdict.
    first_block : int
        Number of the first deal.
    on_progress : callable, optional
        Called with the games played and, at each look of a sequential duel, the interval of the difference.

    Returns
    -------
    Duel

    Raises
    ------
    UsageError
        If a number is out of range.
    """
    seat = PairedSeat(FocalSeat(list(field or [b]), rules, seed, threads), a, b)
    _check(confidence, margin, fixed, most_games)
    names = tuple(player.name for player in (a, b, *(field or ())))
    outcomes = PairedOutcomes()
    if fixed is not None:
        # In pieces, so that it can be interrupted.
        n_blocks = n_blocks_for(rules, fixed)
        for start in range(0, n_blocks, _PIECE):
            n = min(_PIECE, n_blocks - start)
            outcomes.play(seat, first_block + start, n)
            if on_progress is not None:
                on_progress((start + n) * rules.players, None)
        return replace(_judge_fixed(outcomes, rules, margin, confidence), names=names)
    looks = look_sizes(_FIRST_LOOK, n_blocks_for(rules, most_games))
    evidence = BoundedMean(-1.0, 1.0)
    for look in looks:
        evidence.add(outcomes.play(seat, first_block + evidence.n, look - evidence.n))
        interval = evidence.interval(confidence)
        verdict = judge(interval, margin)
        if on_progress is not None:
            on_progress(look * rules.players, interval)
        if verdict != UNDECIDED:
            break
    corrected = corrected_for_stopping(evidence.mean, evidence.variance, looks, margin, confidence)
    outcome = _sequential_outcome(outcomes, evidence, corrected, interval, verdict, rules, confidence)
    return replace(outcome, names=names)


def _check(confidence: float, margin: float, fixed: int | None, most_games: int) -> None:
    if not 0 < confidence < 1:
        raise UsageError(f"confidence must lie between 0 and 1, got {confidence}")
    if margin < 0:
        raise UsageError(f"margin must be 0 or more, got {margin}")
    for name, games in (("fixed", fixed), ("most games", most_games)):
        if games is not None and games < 1:
            raise UsageError(f"{name} must be at least 1, got {games}")


def _judge_fixed(outcomes: PairedOutcomes, rules: Rules, margin: float, confidence: float) -> Duel:
    """Return the outcome of a duel whose length was fixed beforehand."""
    wins, money = np.concatenate(outcomes.wins), np.concatenate(outcomes.money)
    differences = wins[:, 0] - wins[:, 1]
    interval = fixed_interval(differences, -1.0, 1.0, confidence)
    money_differences = money[:, 0] - money[:, 1]
    share, other = (float(mean) for mean in wins.mean(axis=0))
    return Duel(
        win_share=share,
        win_share_ci=fixed_interval(wins[:, 0], 0.0, 1.0, confidence),
        win_share_other=other,
        difference=share - other,
        difference_ci=interval,
        money_difference=float(money_differences.mean()),
        money_difference_ci=student_interval(money_differences, confidence),
        games=len(wins) * rules.players,
        verdict=judge(interval, margin),
        raw_difference=share - other,
    )


def _sequential_outcome(
    outcomes: PairedOutcomes,
    evidence: BoundedMean,
    corrected: float,
    interval: Interval,
    verdict: str,
    rules: Rules,
    confidence: float,
) -> Duel:
    """Return the outcome of a sequential duel, every estimate corrected for stopping.

    The stop depends on the difference of win shares; what goes along with it is biased in proportion, by the slope of
    its regression on the difference (Whitehead 1986, Biometrika 73, 573-581, for secondary endpoints).
    """
    wins, money = np.concatenate(outcomes.wins), np.concatenate(outcomes.money)
    differences = wins[:, 0] - wins[:, 1]
    money_differences = money[:, 0] - money[:, 1]
    excess = evidence.mean - corrected

    def unbiased(values: np.ndarray) -> float:
        if evidence.variance == 0:
            return float(values.mean())
        deviations = differences - differences.mean()
        return float(values.mean() - excess * (deviations @ values) / (deviations @ deviations))

    shares = BoundedMean(0.0, 1.0)
    shares.add(wins[:, 0])
    return Duel(
        win_share=min(max(unbiased(wins[:, 0]), 0.0), 1.0),
        win_share_ci=shares.interval(confidence),
        win_share_other=min(max(unbiased(wins[:, 1]), 0.0), 1.0),
        difference=corrected,
        difference_ci=interval,
        money_difference=unbiased(money_differences),
        money_difference_ci=unbounded_interval(
            len(wins), float(money_differences.mean()), float(money_differences.var()), confidence
        ),
        games=len(wins) * rules.players,
        verdict=verdict,
        raw_difference=evidence.mean,
    )
