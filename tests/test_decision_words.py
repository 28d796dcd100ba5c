"""Every decision has its words in all places that tell people of decisions."""

from modernart.analysis.play import questions
from modernart.analysis.table import drawing, review
from modernart.simulator import decisions, events
from modernart.simulator.decisions import Phase

ASKED = set(Phase) - {Phase.OVER}


def test_every_decision_has_words_for_players_advice_and_reviews():
    for words in (questions._TEXTS, questions._EXPLANATIONS, drawing.QUESTIONS, review.KINDS):
        assert set(words) == ASKED


def test_every_decision_is_told_by_an_event_of_records():
    assert {phase for word in events.WORDS.values() for phase in word.phases} == ASKED


def test_every_answer_is_a_card_an_amount_or_yes_or_no():
    groups = (decisions.ABOUT_CARDS, decisions.AMOUNTS, decisions.YES_OR_NO)
    assert sorted(phase for group in groups for phase in group) == sorted(ASKED)


def test_every_question_but_of_cards_and_the_shill_is_about_a_lot():
    assert {*decisions.ABOUT_A_LOT} == ASKED - {*decisions.ABOUT_CARDS, Phase.FLIP}
    assert {*decisions.SECRET, *decisions.IN_TURN, *decisions.ASCENDING, *decisions.BUYING} <= {*decisions.ABOUT_A_LOT}


def test_groups_of_questions_in_literal_names():
    names = {group: [phase.name for phase in getattr(decisions, group)] for group in ("SECRET", "IN_TURN", "ASCENDING")}
    assert names == {
        "SECRET": ["LIMIT", "SEALED", "TENDER"],
        "IN_TURN": ["BID", "RAISE"],
        "ASCENDING": ["LIMIT", "RAISE"],
    }
