"""Where learning starts: `predictive`, with the notebook that `learned` keeps."""

from modernart.simulator.decisions import Phase
from modernart.strategies.base import strategy
from modernart.strategies.bidders.predictive import IF_IT_GAINS, LOT_WORTH, PARAMS, play_predictive
from modernart.strategies.learning.hearing import hear, note_sale


@strategy(params=PARAMS, name="first_learner")
def first_learner(table, hand):
    """Plays as `predictive`, but keeps the notebook of `learned`: where learning starts."""
    hear(table, hand)
    answer = play_predictive(table, hand, IF_IT_GAINS, True)
    phase = table.phase
    if phase != Phase.CARD and phase != Phase.PAIR and phase != Phase.JOIN and phase != Phase.FLIP:
        note_sale(table, hand, hand.notes[LOT_WORTH])
    return answer
