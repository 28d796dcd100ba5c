"""The actions of the environment: cards by artist and kind, yes and no, and amounts as shares of what a lot can pay.

The list belongs to the version `modern_art_v0`: another list would be another version.
"""

from modernart.rl.compiled import rl_kernel
from modernart.rl.observations import ARTISTS_SEEN, N_KINDS, most_it_pays
from modernart.simulator.cards import KIND_LETTERS
from modernart.simulator.decisions import DECLINE, STAY_OUT, Phase, artist_of, budget, crowns_of, fits, kind_of

#: Actions 0 to N_CARDS - 1 put up, or add, a card: artist times N_KINDS plus kind.
N_CARDS = ARTISTS_SEEN * N_KINDS
#: No card, no bid, no to a price or to turning up a card; a fixed price of 0; the auctioneer of a tender stays out.
PASS = N_CARDS
#: Yes to a fixed price or to turning up a card.
YES = PASS + 1
#: One more than the standing bid.
ONE_MORE = YES + 1
#: Action ONE_MORE + k is k / N_LEVELS of the most that the lot can pay this round, for k from 1 to N_LEVELS.
N_LEVELS = 30
N_ACTIONS = ONE_MORE + 1 + N_LEVELS


@rl_kernel(inline=True)
def amount_of(most, level):
    """Return the amount of a level, a whole number of money units, for a lot that can pay `most`."""
    return most * level // N_LEVELS


@rl_kernel(inline=True)
def slot_of(hand, kind_of_card):
    """Return the slot of the card that an action names: of several, the one with most crowns."""
    best = DECLINE
    most = 0
    for slot in range(hand.n_cards):
        card = hand.cards[slot]
        if N_KINDS * artist_of(card) + kind_of(card) == kind_of_card and crowns_of(card) > most:
            best = slot
            most = crowns_of(card)
    return best


@rl_kernel
def mark_legal(table, hand, mask):
    """Mark the actions that answer the decision of seat `table.seat`; of actions for one amount, only the first.

    Parameters
    ----------
    table : record
    hand : record
        Of the seat that is asked.
    mask : ndarray of int8, shape (N_ACTIONS,)
        Written: 1 if legal, else 0.
    """
    for action in range(N_ACTIONS):
        mask[action] = 0
    phase = table.phase
    if phase == Phase.CARD:
        for slot in range(hand.n_cards):
            mask[N_KINDS * artist_of(hand.cards[slot]) + kind_of(hand.cards[slot])] = 1
        return
    mask[PASS] = 1
    if phase == Phase.PAIR or phase == Phase.JOIN:
        for slot in range(hand.n_cards):
            if fits(table, hand, slot):
                mask[N_KINDS * artist_of(hand.cards[slot]) + kind_of(hand.cards[slot])] = 1
    elif phase == Phase.ACCEPT or phase == Phase.FLIP:
        mask[YES] = 1
    elif phase == Phase.BID or phase == Phase.RAISE:
        mask[ONE_MORE] = table.high_bid < budget(table, table.seat)
        # The level for one more than the bid gives way to ONE_MORE.
        _mark_levels(table, table.high_bid + 2, mask)
    else:
        _mark_levels(table, 1, mask)


@rl_kernel(inline=True)
def _mark_levels(table, least, mask):
    """Mark the levels whose amounts are new, affordable and at least `least`."""
    funds = budget(table, table.seat)
    most = most_it_pays(table)
    last = 0
    for level in range(1, N_LEVELS + 1):
        amount = amount_of(most, level)
        if amount > last and least <= amount <= funds:
            mask[ONE_MORE + level] = 1
        last = amount


@rl_kernel
def answer_for(table, hand, action):
    """Return the answer, as a strategy would give it, that a legal action stands for."""
    phase = table.phase
    if action < N_CARDS:
        return slot_of(hand, action)
    if phase == Phase.PAIR or phase == Phase.JOIN:
        return DECLINE
    if phase == Phase.TENDER and action == PASS and hand.seat == table.auctioneer:
        return STAY_OUT
    if action == PASS:
        return 0
    if action == YES:
        return 1
    if action == ONE_MORE:
        return table.high_bid + 1
    return amount_of(most_it_pays(table), action - ONE_MORE)


def name_of(action: int, artists: list[str] | tuple[str, ...]) -> str:
    """Say what an action is, for people.

    Parameters
    ----------
    action : int
        0 to N_ACTIONS - 1.
    artists : sequence of str
        Codes of the artists, in board order.
    """
    if action < N_CARDS:
        artist, kind = divmod(action, N_KINDS)
        return f"card {artists[artist] if artist < len(artists) else '?'}-{KIND_LETTERS[kind]}"
    if action > ONE_MORE:
        return f"{action - ONE_MORE}/{N_LEVELS} of the most that the lot can pay"
    return {PASS: "pass", YES: "yes", ONE_MORE: "one more than the bid"}[action]
