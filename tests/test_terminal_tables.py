"""Tables of the terminal at several widths, as text: what matters stays, the rest is left out, no word is broken."""

import pytest

from modernart.analysis.runs.commands import _RANKING
from modernart.simulator.errors import UsageError
from modernart.simulator.terminal_tables import Column, table_text

ROWS = [
    ("1", "forgetful_predictive", "61.6%", "59.1% to 64.0%", "552.5", "547.1 to 557.9", "100"),
    ("2", "half_value(shade=0.6)", "5.3%", "4.2% to 6.6%", "333.1", "326.9 to 339.3", "96"),
]

SNAPSHOTS = {
    40: """\
rank  strategy               win share
   1  forgetful_predictive       61.6%
   2  half_value(shade=0.6)       5.3%
Left out for want of width: 95%
interval, money, of money, sd""",
    60: """\
rank  strategy               win share    95% interval
   1  forgetful_predictive       61.6%  59.1% to 64.0%
   2  half_value(shade=0.6)       5.3%    4.2% to 6.6%
Left out for want of width: money, of money, sd""",
    80: """\
rank  strategy               win share    95% interval  money        of money
   1  forgetful_predictive       61.6%  59.1% to 64.0%  552.5  547.1 to 557.9
   2  half_value(shade=0.6)       5.3%    4.2% to 6.6%  333.1  326.9 to 339.3
Left out for want of width: sd""",
    120: """\
rank  strategy               win share    95% interval  money        of money   sd
   1  forgetful_predictive       61.6%  59.1% to 64.0%  552.5  547.1 to 557.9  100
   2  half_value(shade=0.6)       5.3%    4.2% to 6.6%  333.1  326.9 to 339.3   96""",
}

STRATEGIES = (Column("strategy"), Column("how it plays", is_sentence=True))
SENTENCES = [
    ("forgetful_predictive", "As `predictive`, but forgets the cards of earlier rounds, others' money and prices."),
    ("ratio", "Pays .66 of what a lot would pay now."),
]

SENTENCE_SNAPSHOTS = {
    40: """\
strategy              how it plays
forgetful_predictive  As `predictive`,
                      but forgets the
                      cards of earlier
                      rounds, others'
                      money and prices.
ratio                 Pays .66 of what a
                      lot would pay now.""",
    60: """\
strategy              how it plays
forgetful_predictive  As `predictive`, but forgets the cards
                      of earlier rounds, others' money and
                      prices.
ratio                 Pays .66 of what a lot would pay now.""",
    80: """\
strategy              how it plays
forgetful_predictive  As `predictive`, but forgets the cards of earlier rounds,
                      others' money and prices.
ratio                 Pays .66 of what a lot would pay now.""",
    120: """\
strategy              how it plays
forgetful_predictive  As `predictive`, but forgets the cards of earlier rounds, others' money and prices.
ratio                 Pays .66 of what a lot would pay now.""",
}


@pytest.mark.parametrize("width", SNAPSHOTS)
def test_ranking_at_every_width(width):
    assert table_text(_RANKING, ROWS, width) == SNAPSHOTS[width]


@pytest.mark.parametrize("width", SENTENCE_SNAPSHOTS)
def test_sentences_at_every_width(width):
    assert table_text(STRATEGIES, SENTENCES, width) == SENTENCE_SNAPSHOTS[width]


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width):
    texts = (table_text(_RANKING, ROWS, width), table_text(STRATEGIES, SENTENCES, width))
    assert max(len(line) for text in texts for line in text.split("\n")) <= width


def test_a_pipe_gets_everything():
    assert table_text(_RANKING, ROWS) == SNAPSHOTS[120]


def test_chosen_columns_are_shown_whatever_the_width():
    assert table_text(_RANKING, ROWS, 20, chosen="strategy, sd") == (
        "strategy                sd\nforgetful_predictive   100\nhalf_value(shade=0.6)   96"
    )


def test_a_wrong_column_is_told():
    with pytest.raises(UsageError, match='there is no column "win_share"; did you mean win share'):
        table_text(_RANKING, ROWS, chosen="win_share")


def test_chinese_characters_take_two_places():
    rows = [("蘇富比", "1"), ("abcdef", "2")]
    assert table_text((Column("name"), Column("n", is_number=True)), rows).split("\n")[1:] == ["蘇富比  1", "abcdef  2"]


def test_cells_of_several_lines_stay_in_their_rows():
    columns = (Column("metric", is_sentence=True), Column("A", is_number=True), Column("B", is_number=True))
    assert table_text(columns, [("price, money", "37.1", "38.4\n+1.3 ±0.0")]) == (
        "metric           A          B\nprice, money  37.1       38.4\n                    +1.3 ±0.0"
    )
