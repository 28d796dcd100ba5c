"""A review as one self-contained page, and as text for a terminal."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
import numpy as np

from modernart.analysis.table.advice import Z
from modernart.analysis.table.review import KINDS, Review, say
from modernart.simulator.files import whole_file

if TYPE_CHECKING:
    from rich.table import Table

_TEMPLATES = Path(__file__).parent / "templates"
#: The drawing of the win chances, in its own units.
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 720, 280, 40, 660, 10, 265

#: Headings of the table of seats.
HEADINGS = (
    "seat",
    "result",
    "expected",
    "given away",
    "mistakes",
    "luck",
    "of it the deals",
    "without the deals' luck",
)


def seat_rows(review: Review) -> list[list[str]]:
    """Return a row for each seat, in the order of HEADINGS; money relative to the mean of the others."""
    rows = []
    for seat, name in enumerate(review.names):
        deal, before = float(review.deal[seat]), float(review.before[seat])
        rows.append(
            [
                name,
                f"{review.final[seat]:+.0f}",
                _number(before),
                f"{review.given_away(seat):.0f} ±{Z * review.error_of(seat):.0f}",
                str(len(review.mistakes(seat))),
                f"{review.luck(seat):+.0f}",
                _number(deal),
                _number(float(review.final[seat]) - deal),
            ]
        )
    return rows


def _number(value: float) -> str:
    return f"{value:+.0f}" if np.isfinite(value) else "not known"


def kinds_of(review: Review) -> list[str]:
    """Return the kinds of decisions of a game."""
    found = {one.kind for one in review.decisions}
    return [kind for kind in dict.fromkeys(KINDS.values()) if kind in found]


def kind_rows(review: Review) -> list[list[str]]:
    """Return a row for each seat: what it gave away by kind of decision."""
    return [
        [name, *(f"{review.given_away(seat, kind):.0f}" for kind in kinds_of(review))]
        for seat, name in enumerate(review.names)
    ]


def mistake_lines(review: Review) -> list[str]:
    """Return the mistakes of all seats as sentences, the dearest first."""
    mistakes = [one for seat in range(len(review.names)) for one in review.mistakes(seat)]
    return [
        f"{one.round_index + 1}:{one.event + 1} {say(one, review.names)}"
        for one in sorted(mistakes, key=lambda one: -one.money)
    ]


def review_page(review: Review, title: str, facts: str) -> str:
    """Return a review as a page that needs nothing else."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES), autoescape=True, undefined=jinja2.StrictUndefined
    )
    return environment.get_template("review.html.j2").render(
        title=title,
        facts=facts,
        seats=seat_rows(review),
        kinds=kinds_of(review),
        by_kind=kind_rows(review),
        mistakes=mistake_lines(review),
        width=_WIDTH,
        height=_HEIGHT,
        left=_LEFT,
        right=_RIGHT,
        top=_TOP,
        bottom=_BOTTOM,
        ticks=[{"y": _y(share), "label": f"{share:.0%}"} for share in (0.0, 0.25, 0.5, 0.75, 1.0)],
        rounds=list(_round_marks(review)),
        lines=list(_lines(review)),
    )


def _y(share: float) -> float:
    return round(_BOTTOM - share * (_BOTTOM - _TOP), 1)


def _xs(review: Review) -> np.ndarray:
    return np.linspace(_LEFT, _RIGHT, len(review.curve.places))


def _round_marks(review: Review) -> Iterator[dict[str, Any]]:
    last = -1
    for x, (round_index, event) in zip(_xs(review), review.curve.places, strict=True):
        if round_index != last and event >= 0:
            last = round_index
            yield {"x": round(float(x), 1), "label": f"round {round_index + 1}"}


def _lines(review: Review) -> Iterator[dict[str, Any]]:
    xs = _xs(review)
    ends = review.curve.chances[-1]
    n_lost = 0
    for seat, name in enumerate(review.names):
        points = " ".join(
            f"{x:.1f},{_y(float(share))}" for x, share in zip(xs, review.curve.chances[:, seat], strict=True)
        )
        # The names of those who end at nothing stand one above the other.
        y = _y(float(ends[seat])) + 4 - (12 * n_lost if ends[seat] == 0 else 0)
        n_lost += int(ends[seat] == 0)
        yield {"seat": seat, "name": name, "points": points, "y": round(y, 1)}


def write_review_page(path: Path, review: Review, title: str, facts: str) -> None:
    """Write a review as a page."""
    with whole_file(path) as file:
        file.write(review_page(review, title, facts))


def draw_table(headings: tuple[str, ...] | list[str], rows: list[list[str]]) -> "Table":
    """Return rows as a table of Rich, numbers to the right."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for k, heading in enumerate(headings):
        table.add_column(heading, justify="right" if k else "left")
    for row in rows:
        table.add_row(*map(escape, row))
    return table
