"""Replay somebody else's record: its decisions, the twin's rules."""

from .deck import check_deal
from .game import play

QUESTION_EVENTS = {
    "card": ("play",),
    "pair": ("pair", "decline"),
    "join": ("join", "decline"),
    "limit": ("limit",),
    "once_around": ("bid", "pass"),
    "outcry": ("bid", "pass"),
    "sealed": ("sealed",),
    "black_framed": ("sealed",),
    "price": ("price",),
    "accept": ("accept", "refuse"),
    "flip": ("flip",),
}
"""The events in which a record may answer a question."""


class RecordMismatch(ValueError):
    """A record tells something else than the rules do."""


class RecordedDeciders:
    """Answers from the events of a record.

    Parameters
    ----------
    record : dict
        A game record.

    Raises
    ------
    RecordMismatch
        From an answer: at the first event that differs from what was played, or that does not answer the question.
    """

    def __init__(self, record: dict) -> None:
        self.record = record

    def __call__(self, view: dict, question: str) -> int | bool | None:
        """Answer one question of `game.play`."""
        recorded = self.record["rounds"][view["round"]]["events"]
        check_events(view["round"], view["events"], recorded)
        place = f"round {view['round'] + 1}, event {len(view['events']) + 1}"
        wanted = f"{place}: seat {view['seat']} must answer {question}"
        if len(recorded) == len(view["events"]):
            raise RecordMismatch(f"{wanted}, but the record has no more events in this round")
        event = recorded[len(view["events"])]
        if event["e"] not in QUESTION_EVENTS[question] or event.get("seat", view["seat"]) != view["seat"]:
            raise RecordMismatch(f"{wanted}, the record has {event}")
        return self.answer(view, question, event, wanted)

    def answer(self, view: dict, question: str, event: dict, wanted: str) -> int | bool | None:
        """What an event says to a question."""
        if event["e"] in ("decline", "pass"):
            return None
        if event["e"] == "sealed":
            if len(event["amounts"]) != len(view["all_money"]):
                raise RecordMismatch(f"{wanted}, the record has {len(event['amounts'])} amounts")
            return event["amounts"][view["seat"]]
        if question in ("card", "pair", "join"):
            if event["card"] not in view["hand"]:
                raise RecordMismatch(f"{wanted}, and does not hold {event['card']}")
            return view["hand"].index(event["card"])
        if question == "accept":
            return event["e"] == "accept"
        if question == "flip":
            return event["card"] is not None
        return event["amount"]


def check_events(round_number: int, played: list[dict], recorded: list[dict]) -> None:
    """Refuse a record whose events differ from those played so far."""
    for number, event in enumerate(played):
        if number == len(recorded):
            raise RecordMismatch(f"round {round_number + 1}, event {number + 1}: missing, the rules give {event}")
        if event != recorded[number]:
            place = f"round {round_number + 1}, event {number + 1}"
            raise RecordMismatch(f"{place}: the rules give {event}, the record has {recorded[number]}")


def dealt_with_pile(record: dict) -> list[list[list[str | None]]]:
    """The deal of a record; the shill's pile is known from the cards turned up, the others are None."""
    rules = record["rules"]
    dealt = [[list(hand) for hand in one["dealt"]] for one in record["rounds"]]
    if rules["shill"] == "none":
        return dealt
    face_down = []
    for number, one in enumerate(record["rounds"]):
        new_cards = [None] * rules["deal"][number]
        dealt[number].append(new_cards)
        face_down += [(new_cards, place) for place in range(len(new_cards))]
        for event in one["events"]:
            if event["e"] == "flip" and event["card"] is not None:
                if not face_down:
                    raise RecordMismatch(f"round {number + 1}: more cards are turned up than the shill has")
                cards, place = face_down.pop()
                cards[place] = event["card"]
    return dealt


def referee(record: dict) -> dict:
    """The twin's own record of the game that a record tells, for comparison with `first_difference`.

    Raises
    ------
    RecordMismatch, IllegalAnswer, ValueError
        At the first event that does not fit the rules, or for a deal that the deck cannot give.
    """
    dealt = dealt_with_pile(record)
    check_deal(record["rules"], dealt)
    deciders = [RecordedDeciders(record)] * record["rules"]["players"]
    return play(record["rules"], dealt, record["first_seat"], deciders)


def first_difference(twin: object, other: object, path: str = "record") -> str | None:
    """Where another record first differs from the twin's, or None; extra keys at the top are origin, not play."""
    if isinstance(twin, dict) and isinstance(other, dict):
        if path != "record" and twin.keys() != other.keys():
            return f"{path}: keys {sorted(twin)} and {sorted(other)}"
        pairs = [(f"{path}.{key}", twin[key], other.get(key)) for key in twin]
    elif isinstance(twin, list) and isinstance(other, list):
        pairs = [(f"{path}[{i}]", a, b) for i, (a, b) in enumerate(zip(twin, other, strict=False))]
        if len(twin) != len(other):
            pairs.append((f"length of {path}", len(twin), len(other)))
    else:
        same = twin == other and type(twin) is type(other)
        return None if same else f"{path}: the twin has {twin!r}, the other {other!r}"
    for where, a, b in pairs:
        difference = first_difference(a, b, where)
        if difference is not None:
            return difference
    return None
