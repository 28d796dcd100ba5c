"""Asking a strategy: the only way in which the machine calls one, with the table as the rules let its player see it."""

from modernart.simulator.jit import call_act, kernel
from modernart.simulator.options import OPEN_MONEY
from modernart.simulator.state import MAX_SEATS, SEAT_MASK


@kernel(inline=True)
def consult(act, table, hand):
    """Return a strategy's answer to the decision that the table asks for.

    Parameters
    ----------
    act : int
        Address of the strategy.
    table, hand : records
        The table, and the hand of the player who answers.
    """
    if table.rules.rivals_money == OPEN_MONEY:
        return call_act(act, table, hand)
    return consult_blindly(act, table, hand)


@kernel
def consult_blindly(act, table, hand):
    """Return a strategy's answer to a table on which every rival has as much money as the player who is asked."""
    kept = table.money.copy()
    own = kept[hand.seat & SEAT_MASK]
    for seat in range(MAX_SEATS):
        table.money[seat] = own
    answer = call_act(act, table, hand)
    for seat in range(MAX_SEATS):
        table.money[seat] = kept[seat]
    return answer
