"""One game as text, event by event, with everybody's money and the cards out after each."""

from collections.abc import Iterator
from typing import Any

from modernart.simulator.events import say
from modernart.simulator.interpreter import Interpreter
from modernart.simulator.records import Record, replay_record
from modernart.simulator.wording import printable

_REASONS = {
    "end_count": "enough cards of one artist are out",
    "hands_empty": "all hands are empty",
    "shill": "the shill's card was turned up",
}


def tell_record(record: Record) -> list[str]:
    """Return a record as lines of text; the record is checked on the way.

    Parameters
    ----------
    record : dict

    Raises
    ------
    RecordError
        If the record contradicts the rules.
    """
    lines: list[str] = []
    n_closed = 0
    money: list[int] = []

    def close_rounds(interpreter: Interpreter) -> None:
        nonlocal n_closed
        for told in interpreter.rounds[n_closed:]:
            if "result" in told:
                lines.extend(_tell_result(told["result"]))
                n_closed += 1

    def on_step(interpreter: Interpreter, events: list[dict[str, Any]] | None) -> None:
        nonlocal money
        if events is None:
            close_rounds(interpreter)
            lines.extend(_tell_round_start(interpreter))
            money = [int(m) for m in interpreter.game.table.money[: interpreter.rules.players]]
            return
        for event in events:
            # Only a sale moves money; the events before it show the money as it was.
            money = event.get("money", money)
            lines.append(_row(say(event), money, interpreter.cards_out))

    close_rounds(replay_record(record, on_step))
    lines[:0] = _tell_head(record)
    winners = " and ".join(_seat(seat, record) for seat in record["winners"])
    lines += ["", f"Final money {', '.join(map(str, record['money']))}. Won by {winners}."]
    # Names come from the file, and may hold what steers a terminal.
    return [printable(line) for line in lines]


def _tell_head(record: Record) -> Iterator[str]:
    rules = record.get("rules") or {}
    origin = f", game {record['game']} of seed {record['seed']}" if "game" in record and "seed" in record else ""
    yield f"Edition {rules.get('edition', '?')}, {rules.get('players', '?')} players{origin}"
    for seat, name in enumerate(record.get("players") or []):
        yield f"  seat {seat}: {name}"


def _seat(seat: int, record: Record) -> str:
    names = record.get("players") or []
    return f"seat {seat} ({names[seat]})" if seat < len(names) else f"seat {seat}"


def _row(text: str, money: list[int], out: list[int]) -> str:
    """Lay an event, the money by seat and the cards out by artist in columns."""
    return f"  {text:<50} {' '.join(f'{m:>4}' for m in money)}  | {' '.join(f'{n:>2}' for n in out)}"


def _tell_round_start(interpreter: Interpreter) -> Iterator[str]:
    table = interpreter.game.table
    rules = interpreter.rules
    artists = rules.artists
    index = int(table.round_index)
    yield ""
    values = ", ".join(f"{a} {int(v)}" for a, v in zip(artists, table.values, strict=False) if v)
    yield f"Round {index + 1}, started by seat {int(table.starter)}" + (f"; values so far: {values}" if values else "")
    for seat in range(rules.players):
        hand = interpreter.game.hands[seat]
        cards = sorted(interpreter.card(code) for code in hand.cards[: hand.n_cards])
        yield f"  seat {seat} holds {' '.join(cards) or 'nothing'}"
    seats = " ".join(f"{'s' + str(seat):>4}" for seat in range(rules.players))
    yield f"  {'':<50} {seats}  | {' '.join(artists)}"


def _tell_result(result: dict[str, Any]) -> Iterator[str]:
    by = "" if result["ended_by"] is None else f", by seat {result['ended_by']}"
    ranking = ", ".join(f"{artist} pays {result['values'][artist]}" for artist in result["ranking"]) or "nothing pays"
    yield f"  Round {result['round']} is over: {_REASONS[result['reason']]}{by}; {ranking}"
    yield f"  payout {', '.join(map(str, result['payout']))}; money {', '.join(map(str, result['money']))}"
