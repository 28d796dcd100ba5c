"""A tournament: strategies against each other at balanced tables, in memory or into a run folder."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from modernart.analysis.measures import tables_of, tallies_for
from modernart.analysis.measures.figures import draw
from modernart.analysis.measures.measure import Tables
from modernart.analysis.measures.tables import write_tables
from modernart.analysis.notebook import html_of, interval_text, show_in_notebook
from modernart.analysis.provenance import citation
from modernart.analysis.runs import run_folder as runs
from modernart.analysis.runs.run_folder import Plan
from modernart.analysis.runs.run_json import RUN_FILE, read_run_file
from modernart.analysis.runs.target import FIRST_GAMES, Target
from modernart.simulator.errors import UsageError
from modernart.simulator.files import check_output
from modernart.simulator.games import records_of_run
from modernart.simulator.scheduling import scheduler_for
from modernart.simulator.simulate import Run, simulate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from modernart.analysis.page.report import Report

#: Deals that the study of luck and skill needs, and is content with.
_LEAST_DEALS = 60
_MOST_DEALS = 400

#: What a strategy's final money is made of.
ACCOUNT = ("starting_money", "buying_profit", "selling_revenue", "other_money")

#: Where runs go that are given no folder.
RESULTS = Path("results")


@dataclass(frozen=True)
class Tournament:
    """A finished tournament.

    Parameters
    ----------
    plan : Plan
        What was asked for.
    run : Run
    tables : Tables
        All tables of the run, each made when it is first asked for.
    folder : Path, optional
        The run folder; None as long as the tournament is kept in memory alone.
    was_finished : bool
        Whether the folder held the whole run before.
    """

    plan: Plan
    run: Run
    tables: Tables
    folder: Path | None = None
    was_finished: bool = False

    @property
    def label(self) -> str:
        """The edition, with changed rules."""
        return self.plan.label

    @property
    def ranking(self) -> pd.DataFrame:
        """The ranking: one row a strategy, best first; `ci` is the 95 % interval of `win_share`."""
        frame = self.tables["ranking"]
        low, high = frame["win_share_low"].to_numpy(), frame["win_share_high"].to_numpy()
        interval = pd.arrays.IntervalArray.from_arrays(low, high, closed="both")
        frame = frame.copy()
        frame.insert(list(frame).index("win_share") + 1, "ci", interval)
        return frame

    def plot(self, name: str = "win_share") -> Axes:
        """Draw a figure of the report; in a notebook it is shown too.

        Parameters
        ----------
        name : str
            As the files of `modernart report` are called, such as `win_shares`, `auctions`, `luck`; a plural's "s" may
            be left out.

        Raises
        ------
        UsageError
            If there is no such figure; it lists those there are.
        """
        return show_in_notebook(draw(self.tables, name))

    def report(
        self,
        folder: Path | str | None = None,
        *,
        csv: bool = False,
        on_stage: Callable[[int, int, str], None] | None = None,
    ) -> Report:
        """Write the run folder with tables and report, as `modernart tournament --output FOLDER` does.

        Parameters
        ----------
        folder : path, optional
            Default: where the run lies already, or a name under `results/` that the plan decides.
        csv : bool
            Write the tables as CSV too.
        on_stage : callable, optional
            Called with how many steps are done, how many there are, and what comes next.

        Returns
        -------
        Report
            Files that were written; `page` is the report.

        Raises
        ------
        UsageError
            If the folder holds another run or cannot be written.
        """
        if on_stage is not None:
            on_stage(0, 1, "luck against skill")
        from modernart.analysis.page.report import write_report

        place = Path(folder) if folder is not None else self.folder or RESULTS / self.plan.folder_name
        if place != self.folder:
            check_output(place, is_folder=True)
            runs.save(self.plan, self.run, place)
        luck = _luck(self.plan, self.run)
        if luck is not None:
            write_tables(place / runs.TABLES_FOLDER, {"luck": luck})
        return write_report(place, csv=csv, png=False, tables=self.tables, on_stage=on_stage)

    def cite(self) -> str:
        """Return what a paper that uses the numbers should print."""
        return citation(self.plan.command, self.plan.rules, self.plan.seed, self.run.n_games, self.label)

    def __repr__(self) -> str:
        """Return what was played, and the ranking."""
        frame = self.ranking.drop(columns=["win_share_low", "win_share_high"])
        text = frame.to_string(index=False, float_format="{:.4g}".format, formatters={"ci": interval_text})
        return f"{self._title}\n{text}"

    def _repr_html_(self) -> str:
        """Return the ranking, for notebooks."""
        columns = ["strategy", "win_share", "ci", "money", "money_sd"]
        return html_of(self._title, self.ranking[columns], {"win_share": "share", "ci": "share"})

    @property
    def _title(self) -> str:
        n_seats = self.run.rules.players
        return (
            f"{self.run.n_games:,} games of {self.label} for {n_seats} players, seed {self.run.seed}; "
            f"equals would win {1 / n_seats:.1%}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the outcome as plain data; ends of intervals that too few blocks leave open are None.

        Of each strategy, `starting_money`, `buying_profit`, `selling_revenue` and `other_money` add up to `money_mean`.
        """
        accounts = self.tables["buyers"].set_index("strategy")
        return {
            "games": self.run.n_games,
            "seconds": round(self.run.seconds, 3),
            "seed": self.run.seed,
            "edition": self.label,
            "players": self.run.rules.players,
            "output": str(self.folder),
            "strategies": [
                {
                    "strategy": row["strategy"],
                    "games": int(row["games"]),
                    "win_share": _number(row["win_share"]),
                    "win_share_ci": [_number(row["win_share_low"]), _number(row["win_share_high"])],
                    "money_mean": _number(row["money"]),
                    "money_sd": _number(row["money_sd"]),
                    **{name: _number(accounts.loc[row["strategy"], name]) for name in ACCOUNT},
                }
                for row in self.tables["ranking"].to_dict("records")
            ],
        }


def _luck(plan: Plan, run: Run) -> pd.DataFrame | None:
    """Return the shares of luck and skill, from a fifth as many games as the run at most; None for a short run."""
    n_mates, n_repeats = 2, 2
    n_deals = min(_MOST_DEALS, run.n_games // (5 * len(run.names) * run.rules.players * n_mates * n_repeats))
    if n_deals < _LEAST_DEALS:
        return None
    from modernart.analysis.counterfactual.luck import luck_table

    return luck_table(plan.players, plan.rules, n_deals=n_deals, n_mates=n_mates, n_repeats=n_repeats, seed=plan.seed)


def _sized(
    plan: Plan,
    target: Target,
    folder: Path,
    play: Callable[[Plan], Run],
    on_target: Callable[[int, Run], None] | None,
) -> Plan:
    """Return the plan with the games that a target takes: as a run folder has it, or told from a first part."""
    told = read_run_file(folder).get("target") if (folder / RUN_FILE).exists() else None
    games = told.get("games") if told and told.get("error") == target.text else None
    if not isinstance(games, int):
        run = play(replace(plan, games=min(FIRST_GAMES, plan.games)))
        games = target.games_for(tables_of(run)["ranking"], run.n_games)
        if on_target is not None:
            on_target(games, run)
    return replace(plan, games=min(games, plan.games), target=target.entry(games))


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def hold_in_memory(
    plan: Plan, *, threads: int | None = None, on_progress: Callable[[Run], None] | None = None
) -> Tournament:
    """Play a plan and write nothing.

    Parameters
    ----------
    plan : Plan
    threads : int, optional
    on_progress : callable, optional
        Called with the run after each chunk.
    """
    run = simulate(
        plan.players,
        plan.rules,
        plan.games,
        tallies=tallies_for(plan.rules),
        seed=plan.seed,
        threads=threads,
        on_progress=on_progress,
    )
    return Tournament(plan, run, tables_of(run))


def hold_tournament(
    plan: Plan,
    folder: Path | None = None,
    *,
    threads: int | None = None,
    n_records: int = 0,
    with_report: bool = True,
    target: Target | None = None,
    on_start: Callable[[Run], None] | None = None,
    on_progress: Callable[[Run], None] | None = None,
    on_target: Callable[[int, Run], None] | None = None,
    on_ranking: Callable[[Tournament], None] | None = None,
    on_stage: Callable[[int, int, str], None] | None = None,
) -> Tournament:
    """Play a plan, or go on with it, and write its run folder.

    Parameters
    ----------
    plan : Plan
    folder : Path, optional
        Default: a name under `results/` that the plan decides.
    threads : int, optional
        Default: all that the machine has.
    n_records : int
        How many of the first games to write as records too.
    with_report : bool
        Whether to write the report too, which takes some seconds; without it the ranking's tables alone.
    target : Target, optional
        Where to stop; the plan's games are then the most to be played.
    on_start, on_progress : callable, optional
        As for `modernart.analysis.runs.run_folder.play`.
    on_target : callable, optional
        Called with the number of games that the target takes, and with the run so far.
    on_ranking : callable, optional
        Called with the outcome once all games are played, before the report is written.
    on_stage : callable, optional
        Called while the report is made, with how many steps are done, how many there are, and what comes next.

    Raises
    ------
    UsageError
        If the folder holds another run or cannot be written, or more records than games are asked for.
    """
    if target is not None:
        plan = replace(plan, target=target.entry(None))
    folder = RESULTS / plan.folder_name if folder is None else Path(folder)
    if not 0 <= n_records <= plan.n_games:
        raise UsageError(f"records must be from 0 to the number of games, {plan.n_games}, got {n_records}")
    scheduler_for(threads)  # faults of the call come before anything is written
    check_output(folder, is_folder=True)

    def play(part: Plan) -> Run:
        return runs.play(part, folder, threads=threads, on_start=on_start, on_progress=on_progress)

    if target is not None:
        plan = _sized(plan, target, folder, play, on_target)
    done = runs.finished_run(folder, plan)
    run = play(plan) if done is None else done
    if n_records:
        from modernart.simulator.records import write_records

        first = run.first_block * plan.rules.players
        write_records(folder / runs.RECORDS_FILE, records_of_run(plan.players, plan.rules, plan.seed, first, n_records))
    tables = tables_of(run)
    result = Tournament(plan, run, tables, folder, was_finished=done is not None)
    if on_ranking is not None:
        on_ranking(result)
    if with_report and not (result.was_finished and _has_report(folder)):
        result.report(on_stage=on_stage)
    elif not with_report:
        write_tables(folder / runs.TABLES_FOLDER, {name: tables[name] for name in ("ranking", "differences")})
    return result


def _has_report(folder: Path) -> bool:
    """Return whether the report of a finished run was written after its games."""
    report = folder / runs.REPORT_FILE
    return report.exists() and report.stat().st_mtime >= (folder / RUN_FILE).stat().st_mtime
