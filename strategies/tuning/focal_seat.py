"""One seat among the rivals of a field: what a player scores there, deal by deal."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from modernart.simulator.errors import UsageError
from modernart.simulator.lineups import BalancedSchedule
from modernart.simulator.players import Player
from modernart.simulator.rules import Rules
from modernart.simulator.simulate import Scores, score_all, scored_blocks


@dataclass(frozen=True)
class FocalScores:
    """What a player scored in the focal seat: the mean over each deal's games.

    Parameters
    ----------
    win_share, money, relative_money : ndarray of float, shape (n_deals,)
        `relative_money` is the player's money less the rivals' mean.
    """

    win_share: np.ndarray
    money: np.ndarray
    relative_money: np.ndarray

    @classmethod
    def of(cls, scores: Scores) -> "FocalScores":
        """Return what line-up position 0 scored."""
        return cls(scores.win_share[:, 0], scores.money[:, 0], scores.money[:, 0] - scores.money[:, 1:].mean(axis=1))

    @classmethod
    def joined(cls, parts: Sequence["FocalScores"]) -> "FocalScores":
        """Return the scores of consecutive deals as one."""
        names = ("win_share", "money", "relative_money")
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def objective(self, name: str) -> np.ndarray:
        """Return what tuning maximises, `money` (relative to rivals) or `win`, by deal."""
        return self.relative_money if name == "money" else self.win_share


@dataclass(frozen=True)
class FocalSeat:
    """A seat whose rivals, deals and random streams stay the same for every player in it.

    Parameters
    ----------
    rivals : sequence of Player
        Opponents: a single one fills every seat; exactly n - 1 all play; of more, every subset is used equally often.
        Their line-up positions are drawn for each deal.
    rules : Rules
    seed : int
    threads : int, optional
    """

    rivals: Sequence[Player]
    rules: Rules
    seed: int = 1
    threads: int | None = None
    _schedule: BalancedSchedule = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Check the rivals and draw their schedule."""
        if not self.rivals:
            raise UsageError("the field must name at least one strategy")
        schedule = BalancedSchedule(len(self.rivals), self.rules.players - 1, self.seed)
        object.__setattr__(self, "_schedule", schedule)

    def score(
        self, player: Player, first_deal: int, n_deals: int, *, on_done: Callable[[int], None] | None = None
    ) -> FocalScores:
        """Return what a player scores over deals `first_deal` to `first_deal + n_deals - 1`.

        `on_done` is called with the number of games played, now and then.
        """
        return self.score_all([player], first_deal, n_deals, on_done=on_done)[0]

    def score_all(
        self, players: Sequence[Player], first_deal: int, n_deals: int, *, on_done: Callable[[int], None] | None = None
    ) -> list[FocalScores]:
        """Return what each of several players scores over the same deals; a scheduler plays them side by side."""
        line_ups = self.line_ups(first_deal, n_deals)
        works = [
            scored_blocks([player, *self.rivals], self.rules, line_ups, first_deal, n_deals, seed=self.seed)
            for player in players
        ]
        return [FocalScores.of(scores) for scores in score_all(works, threads=self.threads, on_done=on_done)]

    def line_ups(self, first_deal: int, n_deals: int, *, n_before: int = 1) -> np.ndarray:
        """Return the line-ups of deals, int64 of shape (n_deals, n_seats).

        0 is the player in the focal seat; rivals are numbered from `n_before` on.
        """
        rivals = self._schedule.line_ups(first_deal, n_deals)
        return np.column_stack([np.zeros(n_deals, np.int64), rivals + n_before])
