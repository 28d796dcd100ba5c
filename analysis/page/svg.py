"""Figures of matplotlib as SVG inside a page: small, with text that can be selected, colours that follow the page."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

import matplotlib
import numpy as np
from markupsafe import Markup

from modernart.analysis.measures import drawing
from modernart.analysis.measures.looks import on_dark

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: A point under the pointer is felt from this far away, in units of the figure (points).
_REACH = 7.0
#: Inches from which on a figure is wide: it takes the whole page, and is moved sideways on a phone.
_WIDE = 6.0
#: Colours that hardly show on a dark page, and what stands for them there.
_ON_DARK = on_dark()
#: Neutral colours of the figures, and what the page calls them.
_NEUTRAL = {
    drawing.INK: "--ink",
    "#555555": "--pale",
    drawing.PALE: "--line-strong",
    "#e4e4e4": "--line",
    "#000000": "--ink",
}


def inline_svg(axes: Axes, name: str, caption: str) -> Markup:
    """Return a figure as an `<svg>` element for a page.

    Parameters
    ----------
    axes : Axes
        Any of the figure.
    name : str
        Keeps what the figure refers to apart from that of other figures of the page.
    caption : str
        Says what there is to see, for those who do not.
    """
    figure = drawing.figure_of(axes)
    buffer = io.StringIO()
    with drawing.style():
        _lay_out(figure)
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None, "Type": None})
    text = buffer.getvalue()
    text = _trimmed(text[text.index("<svg") :], name)
    width, height = (72 * inches for inches in figure.get_size_inches())
    is_wide = figure.get_size_inches()[0] > _WIDE
    head = (
        f'<svg class="figure{" wide" if is_wide else ""}" role="img" aria-label="{escape(caption)}" '
        f'viewBox="0 0 {width:g} {height:g}" style="--width:{width:.0f}px" xmlns:xlink="http://www.w3.org/1999/xlink">'
    )
    body = text[text.index(">") + 1 : text.rindex("</svg>")]
    return Markup(head + body + "".join(_marks(figure, height)) + "</svg>")


def _lay_out(figure: Figure) -> None:
    """Find the layout once and keep it: savefig would find it anew for every file, which takes as long as drawing."""
    layout = figure.get_layout_engine()
    if layout is not None:
        layout.execute(figure)
        # "none" would leave a placeholder, for which savefig draws everything twice.
        with matplotlib.rc_context({"figure.constrained_layout.use": False, "figure.autolayout": False}):
            figure.set_layout_engine(None)


def _trimmed(text: str, name: str) -> str:
    """Return the SVG without what a page does not need, its neutral colours as those of the page."""
    text = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->|<\?xml.*?\?>", "", text, flags=re.DOTALL)
    # Only definitions are referred to; groups are numbered anew in every figure, and would clash.
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    text = re.sub(r'(id="|url\(#|xlink:href="#)', rf"\g<1>{name}-", text)
    text = re.sub(r"font: ((?:\w+ )*)([\d.]+)px [^;\"]*", _font, text)
    for colour, variable in _NEUTRAL.items():
        text = re.sub(rf"(stroke|fill): {colour}\b", rf"\g<1>: var({variable})", text)
    text = text.replace("stroke: #ffffff", "stroke: var(--paper)")
    text = re.sub(r"(stroke|fill): (#[0-9a-f]{6})", lambda match: f"{match[1]}: {themed(match[2])}", text)
    text = re.sub(r"(\d\.\d\d)\d+", r"\1", text)
    return re.sub(r"\s*\n\s*", " ", text).replace("> <", "><")


def themed(colour: str) -> str:
    """Return a colour in CSS: where the page is dark, one that hardly shows gives way to a lighter one."""
    return f"var(--on-dark-{colour[1:]}, {colour})" if colour in _ON_DARK else colour


def dark_colours() -> str:
    """Return the declarations that a dark page needs for `themed`."""
    return " ".join(f"--on-dark-{colour[1:]}: {lighter};" for colour, lighter in _ON_DARK.items())


def _font(match: re.Match[str]) -> str:
    weight = ";font-weight:bold" if "bold" in match[1] or "700" in match[1] else ""
    return f"font-size:{float(match[2]):g}px{weight}"


def _marks(figure: Figure, height: float) -> Iterator[str]:
    """Yield invisible marks above all points, each with its words."""
    scale = 72 / figure.dpi
    for ax in figure.axes:
        for x, y, width, high, words in (*drawing.words_at(ax), *_words_of_points(ax)):
            left, low = ax.transData.transform((x - width / 2, y - high / 2)) * scale
            right, top = ax.transData.transform((x + width / 2, y + high / 2)) * scale
            if not np.isfinite([left, low, right, top]).all():
                continue
            title = f"<title>{escape(words, quote=False)}</title>"
            if width:
                top, low = max(top, low), min(top, low)
                place = f'x="{left:.1f}" y="{height - top:.1f}" width="{right - left:.1f}" height="{top - low:.1f}"'
                yield f'<rect class="mark" {place}>{title}</rect>'
            else:
                yield f'<circle class="mark" cx="{left:.1f}" cy="{height - low:.1f}" r="{_REACH:g}">{title}</circle>'


def _words_of_points(ax: Axes) -> Iterator[tuple[float, float, float, float, str]]:
    """Yield every point with an interval: its place, no width, no height, and what it says."""
    from matplotlib.container import ErrorbarContainer

    for container in ax.containers:
        if not isinstance(container, ErrorbarContainer) or container.lines[0] is None:
            continue
        label = str(container.get_label())
        label = "" if label.startswith("_") else label
        along_x = bool(container.has_xerr)
        segments = container.lines[2][0].get_segments() if container.lines[2] else []
        for i, (x, y) in enumerate(zip(*map(np.asarray, container.lines[0].get_data()), strict=True)):
            if not (np.isfinite(x) and np.isfinite(y)):
                continue
            # A bar without ends, as with too few deals for an interval, is an empty list.
            segment = np.asarray(segments[i] if i < len(segments) else ()).reshape(-1, 2)
            ends = segment[:, 0 if along_x else 1]
            yield float(x), float(y), 0.0, 0.0, _words(ax, label, float(x), float(y), ends, along_x)


def _words(ax: Axes, label: str, x: float, y: float, ends: np.ndarray, along_x: bool) -> str:
    """Say what a point is: series, case, value and interval."""
    case_axis, value_axis, case, value = ("y", "x", y, x) if along_x else ("x", "y", x, y)
    form = getattr(ax, f"format_{value_axis}data")
    form = form if getattr(ax, f"fmt_{value_axis}data") else "{:,.1f}".format
    told = form(value)
    if len(ends) == 2 and ends[0] < ends[1]:
        told += f" ({form(ends[0])} to {form(ends[1])})"
    named = _tick_label(ax, case_axis, case) or _place(ax, case_axis, case)
    return ": ".join(part for part in (label, named, told) if part)


def _place(ax: Axes, axis: str, value: float) -> str:
    """Return a place of an axis of numbers in words; points drawn a little aside stand for a whole number."""
    is_whole = abs(value - round(value)) < 0.3
    return f"{_title(ax, axis)} {round(value):d}" if is_whole else f"{_title(ax, axis)} {value:.1f}"


def _title(ax: Axes, axis: str) -> str:
    """Return what an axis shows, without the explanations of its label."""
    return getattr(ax, f"get_{axis}label")().partition(";")[0].partition("(")[0].strip()


def _tick_label(ax: Axes, axis: str, value: float) -> str | None:
    """Return the label that stands at a place of an axis of names."""
    from matplotlib.ticker import FixedLocator

    if not isinstance(getattr(ax, f"{axis}axis").get_major_locator(), FixedLocator):
        return None
    places = getattr(ax, f"get_{axis}ticks")()
    here = np.flatnonzero(np.isclose(places, value))
    if not len(here):
        return None
    label = getattr(ax, f"get_{axis}ticklabels")()[here[0]].get_text()
    title = _title(ax, axis)
    return f"{title} {label}" if axis == "x" and title else str(label)
