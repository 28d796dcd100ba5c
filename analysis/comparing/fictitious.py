"""Fictitious play over learned responses: each answers a table of the strategy and of all responses before it.

Were the strategies of such a population mixed as play in equilibrium would, no response could win more than the fair
share among them. How far a response still gets is a lower bound: a better one may exist that training did not find.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from modernart.analysis.comparing.responders import judge, train_response
from modernart.simulator.errors import UsageError
from modernart.simulator.files import whole_file
from modernart.simulator.rules import Rules

#: First deals of the judgements, those of a round this many after the round before.
_FIRST_DEAL, _DEALS_A_ROUND = 7 << 32, 1 << 28


def learned_play(
    spec: str,
    rules: Rules,
    folder: Path,
    *,
    rounds: int,
    goal: float,
    minutes: float,
    games: int,
    seed: int = 1,
    threads: int | None = None,
    command: str = "",
    on_round: Callable[[dict[str, Any]], None] | None = None,
) -> pd.DataFrame:
    """Train a response to a population, add it to the population, and so on, until none gains much.

    Parameters
    ----------
    spec : str
        The first of the population.
    rules : Rules
    folder : Path
        Holds a training for each round; a loop that was interrupted goes on.
    rounds : int
    goal : float
        Gain of win share over the fair share below which it stops.
    minutes : float
        To train each response.
    games : int
        Of each judgement.
    seed, threads : int
    command : str
        Command line of the loop.
    on_round : callable, optional
        Called with each row of the result.

    Returns
    -------
    DataFrame
        By round: `rivals`, how many strategies took turns in the other seats; `response`; its `win_share`, `gain`,
        `gain_low` and `gain_high` among them; `first_share`, among copies of the first alone; `games` of each. Also
        written to `rounds.csv` after every round.

    Raises
    ------
    UsageError
        If `rounds` is below 1, or the folder holds another training.
    """
    if rounds < 1:
        raise UsageError(f"iterate needs at least 1 round, got {rounds}")
    fair = 1.0 / rules.players
    population, rows = [spec], []
    for number in range(rounds):
        response = train_response(
            population, rules, minutes, seed + number, threads, folder / f"round-{number}", command
        )
        first_deal = _FIRST_DEAL + number * _DEALS_A_ROUND
        found = judge("learned", response, population, rules, games, seed, threads, first_deal)
        alone = judge("learned", response, [spec], rules, games, seed, threads, first_deal)
        row: dict[str, Any] = {"round": number, "rivals": len(population), "response": found.spec}
        row |= {"win_share": found.win_share, "first_share": alone.win_share, "games": found.games}
        row |= {"gain": found.win_share - fair, "gain_low": found.ci[0] - fair, "gain_high": found.ci[1] - fair}
        rows.append(row)
        with whole_file(folder / "rounds.csv") as file:
            pd.DataFrame(rows).to_csv(file, index=False)
        if on_round is not None:
            on_round(row)
        if row["gain"] < goal:
            break
        population.append(found.spec)
    return pd.DataFrame(rows)
