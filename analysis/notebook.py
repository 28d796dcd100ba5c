"""Results in notebooks: tables as HTML, figures and a progress bar, without state of their own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: How numbers of a unit are written.
_FORMS = {"share": "{:.1%}", "points": "{:+.2f}"}


def in_notebook() -> bool:
    """Return whether this code runs in a notebook or another front end of a Jupyter kernel."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and hasattr(shell, "kernel")


def html_of(title: str, frame: pd.DataFrame, units: dict[str, str] | None = None) -> str:
    """Return a heading and a table as HTML.

    Parameters
    ----------
    title : str
    frame : DataFrame
    units : dict of str to str, optional
        Units of columns; shares are written in per cent.
    """

    def writer(name: str) -> Callable[[object], str]:
        form = _FORMS.get((units or {}).get(name, ""), "{:,.6g}")

        def write(value: object) -> str:
            if isinstance(value, int | float):
                return form.format(value)
            if hasattr(value, "left"):
                return interval_text(value, form)
            return escape(str(value))

        return write

    # Cells and headings are escaped here: strategies may be called anything.
    writers = [writer(str(name)) for name in frame]
    headed = frame.set_axis([escape(str(name)) for name in frame], axis=1)
    table = headed.to_html(index=False, border=0, escape=False, na_rep="-", formatters=writers)
    return f"<p>{escape(title)}</p>\n{table}"


def show_in_notebook(axes: Axes) -> Axes:
    """Show the figure of axes if this is a notebook, which shows only what pyplot made; return the axes."""
    if in_notebook():
        import matplotlib.pyplot  # noqa: F401  # tells the notebook how to show figures
        from IPython.display import display

        display(axes.get_figure(root=True))
    return axes


def interval_text(interval: Any, form: str = "{:.4g}") -> str:
    """Write a pandas interval."""
    return f"{form.format(interval.left)} to {form.format(interval.right)}"


@contextmanager
def notebook_bar(what: str, total: int) -> Iterator[Callable[..., None]]:
    """Show a progress bar below the cell; it disappears at the end.

    Yields
    ------
    callable
        `advance(done, words="")`; `done` may be None, for as far as before.
    """
    from IPython.display import HTML, display

    handle = display(HTML(""), display_id=True)
    last = 0

    def advance(done: int | None, words: str = "", is_stage: bool = False) -> None:
        nonlocal last
        last = last if done is None else done
        text = f"{last:,} of {total:,} {what}{': ' if words else ''}{words}"
        handle.update(HTML(f'<progress value="{last}" max="{total}"></progress> {escape(text)}'))

    try:
        yield advance
    finally:
        handle.update(HTML(""))
