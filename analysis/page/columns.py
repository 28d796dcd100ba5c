"""The order of figures on a page of two columns, such that the columns end at nearly the same height."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from markupsafe import Markup

#: Columns may differ by this share of the longer one before figures change places.
_FAIR = 0.15
#: Of more figures not every order is tried.
_MOST = 14
#: Height of a line of a caption, its letters, and the room between figures, each in widths of a column.
_LINE, _LETTERS, _GAP = 0.034, 75, 0.05


def in_columns(figures: Sequence[tuple[Markup, str]]) -> list[tuple[Markup, str]]:
    """Return figures, each an SVG and its caption, in an order that leaves no large hole below either column.

    A browser fills the first column, then the second, and makes both as short as that order allows. Wide figures take
    both columns and stay where they are; those between two of them keep their order if that leaves no large hole.
    """
    ordered: list[tuple[Markup, str]] = []
    for is_wide, group in itertools.groupby(figures, key=lambda figure: 'class="figure wide"' in figure[0]):
        neighbours = list(group)
        ordered += neighbours if is_wide else _balanced(neighbours)
    return ordered


def _balanced(figures: list[tuple[Markup, str]]) -> list[tuple[Markup, str]]:
    heights = [_height(svg, caption) for svg, caption in figures]
    n, total = len(figures), sum(heights)

    def longer(first: Sequence[int]) -> float:
        column = sum(heights[i] for i in first)
        return max(column, total - column)

    best = min((range(k) for k in range(1, n + 1)), key=longer, default=range(0))
    if not figures or n > _MOST or 2 * longer(best) - total <= _FAIR * longer(best):
        return figures
    # The first figure stays on top.
    choices = ((0, *others) for k in range(n) for others in itertools.combinations(range(1, n), k))
    first = min(choices, key=lambda choice: (round(longer(choice), 2), choice))
    return [figures[i] for i in (*first, *(i for i in range(n) if i not in first))]


def _height(svg: str, caption: str) -> float:
    """Return about how high a figure with its caption is, in widths of a column."""
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert box is not None
    return float(box[2]) / float(box[1]) + _LINE * -(-len(caption) // _LETTERS) + _GAP
