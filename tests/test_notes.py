"""The note below a figure: nothing of the figure lies on it."""

import io

import matplotlib.image
import numpy as np

from modernart.analysis.measures import drawing


def test_a_legend_below_the_axes_stays_above_the_note():
    ax = drawing.new_axes(3.0)
    ax.plot([0, 1], [0, 1], color="#ff0000", label="A" * 40)
    drawing.legend_below(ax)
    figure = drawing.figure_of(ax)
    layout = figure.get_layout_engine()
    assert layout
    layout.execute(figure)
    figure.set_layout_engine("none")
    box = drawing.add_note(ax, "N" * 60)
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=100, bbox_inches=box)
    picture.seek(0)
    pixels = matplotlib.image.imread(picture)[..., :3]
    # The line of the legend is red, the note all in grey; the lowest tenth of the height holds nothing else in grey.
    red = np.flatnonzero((np.abs(pixels - [1, 0, 0]).max(axis=2) < 0.1).any(axis=1))
    grey = np.flatnonzero((np.abs(pixels - 0x55 / 255).max(axis=2) < 0.05).sum(axis=1) > 5)
    note_top = grey[grey > 0.9 * len(pixels)].min()
    assert red.max() < note_top - 3
