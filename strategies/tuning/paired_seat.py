"""Two players in one focal seat, each deal played in the way that brings most precision for its cost."""

from collections.abc import Sequence

import numpy as np

from modernart.simulator.paired_games import BRANCHED, FORKED, SHARED, TRIED
from modernart.simulator.paired_runs import PairedScores, score_pair
from modernart.simulator.players import Player
from modernart.strategies.tuning.focal_seat import FocalScores, FocalSeat

#: Deals of the pilot, and how often it plays forks on.
PILOT, _PILOT_REPEATS = 64, 2
#: What is chosen from: powers of two, of which means are exact.
REPEATS = (1, 2, 4, 8, 16)
#: With fewer forked games than this, variances cannot be told; then forks are so rare that repeats cost little.
_LEAST_FORKED, _WHERE_RARE = 10, 8
#: Only after so many forked games are repeats given up, as a single one tells nothing more.
_SETTLED = 100


def best_repeats(scores: Sequence[PairedScores]) -> int:
    """Return how often forks are best played on: where the variance of the difference times its cost is least.

    The variance of a deal's difference of win shares is that between forks plus that within, divided by the repeats.
    Its cost, in decisions, is that of the shared part plus that of the branches, times the repeats. The least product
    is the optimum of two-stage sampling (Cochran, *Sampling Techniques*, ch. 10), here taken among `REPEATS`.

    Parameters
    ----------
    scores : sequence of PairedScores
        With two repeats or more each.
    """
    counts = np.concatenate([one.counts for one in scores])
    n_forked = counts[:, FORKED].sum()
    if n_forked < _LEAST_FORKED:
        return _WHERE_RARE
    first = np.concatenate([one.first_shares @ (1, -1) for one in scores])
    off = [one.first_shares @ (1, -1) - one.both[0].win_share[:, 0] + one.both[1].win_share[:, 0] for one in scores]
    # The first repeat differs from the mean of K by a variance of (1 - 1 / K) times that within.
    squares = [one.repeats / (one.repeats - 1) * d**2 for one, d in zip(scores, off, strict=True)]
    within = float(np.concatenate(squares).mean())
    between = max(float(first.var()) - within, 0.0)
    shared = counts[:, SHARED].mean() + counts[:, TRIED].mean()
    branch = np.concatenate([one.counts[:, BRANCHED] / one.repeats for one in scores]).mean()
    products = [(between + within / k) * (shared + branch * k) for k in REPEATS]
    best = REPEATS[int(np.argmin(products))]
    return max(best, 2) if n_forked < _SETTLED else best


class PairedSeat:
    """A focal seat for two players, A and B, on the same deals and random streams.

    Games of both are played as one as long as nothing tells them apart, and forks several times with other cards to
    come. How often is chosen from the deals before, so every deal's expectation stays what it is. With the code of
    strangers, each player's games are played by themselves.

    Parameters
    ----------
    focal_seat : FocalSeat
    a, b : Player
    repeats : int, optional
        How often forks are played on; default: as a pilot finds best.
    """

    def __init__(self, focal_seat: FocalSeat, a: Player, b: Player, repeats: int | None = None) -> None:
        self.focal_seat = focal_seat
        self.players = (a, b)
        self.forks = all(player.trial is None for player in (a, b, *focal_seat.rivals))
        self._given = repeats
        #: What was played with forks so far.
        self.played: list[PairedScores] = []

    @property
    def repeats(self) -> int:
        """How often the next forks are played on."""
        if self._given is not None:
            return self._given
        telling = [one for one in self.played if one.repeats > 1]
        return best_repeats(telling) if telling else _PILOT_REPEATS

    def score(self, first_deal: int, n_deals: int) -> list[FocalScores]:
        """Return what A and B score over deals `first_deal` to `first_deal + n_deals - 1`."""
        if not self.forks:
            return self.focal_seat.score_all(self.players, first_deal, n_deals)
        n_pilot = min(PILOT, n_deals) if self._given is None and not self.played else n_deals
        parts = [self._score_forked(first_deal, n_pilot)]
        if n_pilot < n_deals:
            parts.append(self._score_forked(first_deal + n_pilot, n_deals - n_pilot))
        return [FocalScores.joined([part[k] for part in parts]) for k in range(2)]

    def _score_forked(self, first_deal: int, n_deals: int) -> list[FocalScores]:
        seat = self.focal_seat
        scores = score_pair(
            [*self.players, *seat.rivals],
            seat.rules,
            seat.line_ups(first_deal, n_deals, n_before=2),
            first_deal,
            n_deals,
            seed=seat.seed,
            threads=seat.threads,
            repeats=self.repeats,
        )
        self.played.append(scores)
        return [FocalScores.of(one) for one in scores.both]
