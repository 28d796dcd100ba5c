"""A counterfactual study from field to tables: what the commands `endings` and `auctions` write and show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from modernart.analysis.counterfactual import auctions, endings
from modernart.analysis.counterfactual.points import DecisionPoints, repeats_note
from modernart.analysis.counterfactual.regret import cost_table
from modernart.analysis.field import Field
from modernart.analysis.measures.figures import drawings_of
from modernart.analysis.measures.tables import write_tables
from modernart.analysis.notebook import html_of, show_in_notebook
from modernart.analysis.plain import plain, write_json
from modernart.simulator.errors import RunError, UsageError
from modernart.simulator.wording import unknown

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Study:
    """A finished study.

    Parameters
    ----------
    tables : dict of str to DataFrame
        The first is what the study is about.
    facts : dict
        How it was made, as the command's JSON tells it.
    heading : str
        What the first table shows.
    points : DecisionPoints
        The decision points themselves.
    """

    tables: Mapping[str, pd.DataFrame]
    facts: Mapping[str, Any]
    heading: str
    points: DecisionPoints

    def to_dict(self) -> dict[str, Any]:
        """Return facts and tables as plain data."""
        return dict(self.facts) | {name: plain(frame.to_dict("records")) for name, frame in self.tables.items()}

    def plot(self, name: str | None = None) -> Axes:
        """Draw a figure of the study; default: its first.

        Raises
        ------
        UsageError
            If there is no such figure.
        """
        drawings = drawings_of(self.tables)
        chosen = drawings.get(name) if name is not None else next(iter(drawings.values()), None)
        if chosen is None:
            raise UsageError(unknown("figure", str(name), drawings))
        return show_in_notebook(chosen.draw(self.tables))  # type: ignore[arg-type]  # it reads its own table alone

    def write(self, folder: Path | str) -> None:
        """Write all tables as Parquet and CSV, and the whole as JSON, into a folder."""
        folder = Path(folder)
        write_tables(folder / "tables", self.tables, ("parquet", "csv"))
        write_json(folder / f"{self.facts['study']}.json", self.to_dict())

    def __repr__(self) -> str:
        """Return the heading and the first table."""
        return f"{self.heading}\n{next(iter(self.tables.values()))}"

    def _repr_html_(self) -> str:
        return html_of(self.heading, next(iter(self.tables.values())), {"win_share": "share"})


def study_endings(
    field: Field, games: int, repeats: int, threads: int | None, on_progress: Callable[[int], None] | None = None
) -> Study:
    """Measure what ending a round brings, against playing on.

    Parameters
    ----------
    field : Field
    games, repeats, threads, on_progress
        As for `modernart.analysis.counterfactual.endings.ending_points`.

    Raises
    ------
    RunError
        If the games have no such decision.
    """
    points = endings.ending_points(
        field.players, field.rules, games, seed=field.seed, repeats=repeats, threads=threads, on_progress=on_progress
    )
    _require_points(points, "where a player could end the round and could also play on")
    tables = {
        "endings_causal": endings.endings_effect(points),
        "endings_causal_seats": endings.seats_effect(points),
        "endings_cost": cost_table(points, None),
    }
    heading = (
        f"{len(points.frame):,} decision points in {points.n_games:,} games of {field.label}, seed {field.seed}: "
        f"ending minus playing on, for the player who decides. {repeats_note(points)}"
    )
    facts = _facts("endings", field, points, repeats) | {"effects": endings.effects(points)}
    return Study(tables, facts, heading, points)


def study_auctions(
    field: Field, games: int, repeats: int, threads: int | None, on_progress: Callable[[int], None] | None = None
) -> Study:
    """Measure what each kind of auction brings for the same lot; parameters as of `study_endings`."""
    points = auctions.auction_points(
        field.players, field.rules, games, seed=field.seed, repeats=repeats, threads=threads, on_progress=on_progress
    )
    _require_points(points, "with an unseen card of every other kind to exchange it for")
    tables = {
        "auctions_causal": auctions.auctions_effect(points),
        "auctions_causal_by_form": auctions.auctions_effect(points, ["form"]),
        "auctions_causal_by_round": auctions.auctions_effect(points, ["round"]),
        "auctions_causal_by_cards_out": auctions.auctions_effect(points, ["cards_out"]),
        "auctions_causal_by_seller": auctions.auctions_effect(points, ["strategy"]),
        "auctions_left_out": auctions.left_out_table(points),
        "auctions_cost": cost_table(None, points),
    }
    heading = (
        f"{len(points.frame):,} lots in {points.n_games:,} games of {field.label}, seed {field.seed}. "
        f"{auctions.left_out_note(points)} {repeats_note(points)}"
    )
    return Study(tables, _facts("auctions", field, points, repeats), heading, points)


def _facts(name: str, field: Field, points: DecisionPoints, repeats: int) -> dict[str, Any]:
    """Return how a study was made."""
    return {
        "study": name,
        "games": points.n_games,
        "repeats": repeats,
        "moments": len(points.frame),
        "repeats_change": points.share_moved_by_repeats,
        "edition": field.label,
        "players": field.rules.players,
        "seed": field.seed,
        "strategies": [player.name for player in field.players],
    }


def _require_points(points: DecisionPoints, what: str) -> None:
    """Stop with one sentence where a study found nothing to play on from."""
    if len(points.frame) == 0:
        raise RunError(f"these games have no decision {what}: look through more --games, or choose another edition")
