"""Stopping at a wanted precision: how many games it takes, told from a first part of the run.

Looking at an interval again and again and stopping when it is small enough favours runs whose spread happens to look
smaller than it is. Stein's procedure does not look again: a first part of fixed size estimates the spread, this alone
fixes the number of games, and the error at their end keeps its probability.

Sources: C. Stein, "A two-sample test for a linear hypothesis whose power is independent of the variance", Annals of
Mathematical Statistics 16 (1945).
"""

import math
import re
from dataclasses import dataclass
from typing import Any

import pandas as pd

from modernart.simulator.errors import UsageError

#: Games of the first part: enough that the mean of each batch of deals is nearly normal.
FIRST_GAMES = 20_000
#: Columns of the ranking table whose interval counts.
_COLUMNS = {"win": "win_share", "money": "money"}


@dataclass(frozen=True)
class Target:
    """Half the width of the 95% interval that every strategy's mean is to reach.

    Parameters
    ----------
    of : str
        "win" or "money".
    error : float
        A share, or an amount of money.
    text : str
        As it was given.
    """

    of: str
    error: float
    text: str

    def games_for(self, ranking: pd.DataFrame, n_games: int) -> int:
        """Return how many games the target takes.

        Parameters
        ----------
        ranking : DataFrame
            Of the first part: `win_share_low`, `win_share_high` and so on, from Student's distribution.
        n_games : int
            Games of the first part.

        Raises
        ------
        UsageError
            If the first part is too short for an interval.
        """
        column = _COLUMNS[self.of]
        half = float(((ranking[f"{column}_high"] - ranking[f"{column}_low"]) / 2).max())
        if not math.isfinite(half):
            raise UsageError(f"{n_games:,} games give no interval to go by; allow more --games")
        return max(n_games, math.ceil(n_games * (half / self.error) ** 2))

    def entry(self, games: int | None) -> dict[str, Any]:
        """Return what `run.json` says of it; `games` once they are fixed."""
        return {"error": self.text, "first_games": FIRST_GAMES, "games": games}


def parse_target(text: str) -> Target:
    """Return the target that `0.2%`, `win=0.002` or `money=1` stands for.

    Raises
    ------
    UsageError
        If the text is not of that form, or the number is no error that could be reached.
    """
    match = re.fullmatch(r"(?:(win|money)=)?([0-9]{1,9}(?:\.[0-9]{1,9})?)(%?)", text.strip())
    of, number, percent = match.groups() if match else (None, "0", "")
    error = float(number) / (100 if percent else 1)
    is_share = of != "money"
    if error <= 0 or (is_share and error >= 1) or (percent and not is_share):
        raise UsageError(f"--target-error takes a win share, as 0.2%, or money, as money=1, got {text[:40]}")
    return Target(of or "win", error, text.strip())
