"""The events of a game record: which answers they stand for, and how a replay says them."""

from collections.abc import Callable
from typing import Any, NamedTuple

from modernart.simulator.cards import KIND_LETTERS, KIND_NAMES, AuctionKind
from modernart.simulator.decisions import DECLINE, Phase

Event = dict[str, Any]

# What an event carries besides the seat, if it does not stand for one fixed answer.
CARD = "card"  # a card of the hand; the answer is its slot
AMOUNT = "amount"  # the answer itself
PILE = "pile"  # the card turned up from the shill's pile (answer 1), or null (0)
SECRET = "secret"  # the amounts of all seats, told once the last one has answered


class Word(NamedTuple):
    """An event that answers a decision."""

    phases: tuple[Phase, ...]  #: The decisions that it answers.
    carries: int | str  #: The answer that it stands for, or one of CARD, AMOUNT, PILE, SECRET.
    says: str  #: How a replay says it.


#: The events that answer decisions, by their word in a record (docs/records.md).
WORDS: dict[str, Word] = {
    "play": Word((Phase.CARD,), CARD, "{seat} puts up {card} ({kind})"),
    "pair": Word((Phase.PAIR,), CARD, "{seat} adds {card} ({kind})"),
    "join": Word((Phase.JOIN,), CARD, "{seat} joins with {card} ({kind})"),
    "decline": Word((Phase.PAIR, Phase.JOIN), DECLINE, "  {seat} adds no card"),
    "limit": Word((Phase.LIMIT,), AMOUNT, "  {seat} would go to {amount}"),
    "bid": Word((Phase.BID, Phase.RAISE), AMOUNT, "  {seat} bids {amount}"),
    "pass": Word((Phase.BID, Phase.RAISE), 0, "  {seat} passes"),
    "sealed": Word((Phase.SEALED, Phase.TENDER), SECRET, "  amounts {amounts}"),
    "price": Word((Phase.PRICE,), AMOUNT, "  {seat} asks {amount}"),
    "accept": Word((Phase.ACCEPT,), 1, "  {seat} accepts"),
    "refuse": Word((Phase.ACCEPT,), 0, "  {seat} refuses"),
    "flip": Word((Phase.FLIP,), PILE, "  {seat} turns up {card}"),
}


def words_for(phase: Phase) -> tuple[str, ...]:
    """Return the words of the events that may answer a decision."""
    return tuple(word for word, entry in WORDS.items() if phase in entry.phases)


def tell_answer(game, action: int, card_text: Callable[[int], str]) -> Event | None:
    """Return the event of an answer that everybody sees, from the state before it is played.

    Parameters
    ----------
    game : record of GAME_DTYPE
    action : int
    card_text : callable
        Returns the text of a card code.

    Returns
    -------
    dict or None
        None if the answer is secret, or is no card of the hand.
    """
    seat = int(game.table.seat)
    words = words_for(Phase(int(game.table.phase)))
    word = next((word for word in words if WORDS[word].carries == action), words[0])
    match WORDS[word].carries:
        case "card":
            hand = game.hands[seat]
            is_held = 0 <= action < hand.n_cards
            return {"e": word, "seat": seat, "card": card_text(hand.cards[action])} if is_held else None
        case "amount":
            return {"e": word, "seat": seat, "amount": action}
        case "pile":
            card = card_text(game.pile[game.table.pile_size - 1]) if action == 1 else None
            return {"e": word, "seat": seat, "card": card}
        case "secret":
            return None
    return {"e": word, "seat": seat}


def say(event: Event) -> str:
    """Return a line of a replay that says what happened."""
    if event["e"] == "sale":
        cards = " ".join(event["cards"])
        source = ", their own lot," if event["seller"] == event["buyer"] else f" from {event['seller']}"
        return f"  {event['buyer']} buys {cards}{source} for {event['price']}"
    if event["e"] == "flip" and event["card"] is None:
        return f"  {event['seat']} leaves the pile"
    parts = dict(event)
    if event.get("card"):
        parts["kind"] = KIND_NAMES[AuctionKind(KIND_LETTERS.index(event["card"].partition("-")[2][0]))]
    if "amounts" in event:
        parts["amounts"] = ", ".join("out" if amount is None else str(amount) for amount in event["amounts"])
    return WORDS[event["e"]].says.format(**parts)
