"""Every decision has its words in all places that tell people of decisions."""

from modernart.analysis import decisions
from modernart.analysis.play import questions
from modernart.analysis.table import drawing, review
from modernart.simulator import events
from modernart.simulator.decisions import Phase

ASKED = set(Phase) - {Phase.OVER}


def test_every_decision_has_words_for_players_advice_and_reviews():
    for words in (questions._TEXTS, questions._EXPLANATIONS, drawing.QUESTIONS, review.KINDS):
        assert set(words) == ASKED


def test_every_decision_is_told_by_an_event_of_records():
    assert {phase for word in events.WORDS.values() for phase in word.phases} == ASKED


def test_every_answer_has_a_column_in_the_table_of_decisions():
    yes_or_no = {Phase.ACCEPT, Phase.FLIP}
    assert {*decisions._CARD_PHASES, *decisions._MONEY_PHASES} == ASKED - yes_or_no
