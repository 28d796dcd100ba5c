"""Records: written whole, read back, and refused with a clear place and reason when they disagree with the rules."""

import copy
import json

import pytest

from modernart.simulator.decisions import Phase
from modernart.simulator.errors import UsageError
from modernart.simulator.events import say, words_for
from modernart.simulator.games import records_of_run
from modernart.simulator.records import RecordError, read_records, replay_record, write_records
from modernart.simulator.replay import tell_record
from modernart.simulator.rules import load_edition
from modernart.strategies.specs import load_players


@pytest.fixture(scope="module")
def record():
    field = load_players(["random", "half_value", "fair_share", "full_value"])
    return next(records_of_run(field, load_edition("classic").rules(4), 1, 0, 1))


def test_record_comes_back_from_its_file(record, tmp_path):
    write_records(tmp_path / "games.jsonl", [record, record])
    assert [number for number, _ in read_records(tmp_path / "games.jsonl")] == [1, 2]
    assert all(read == record for _, read in read_records(tmp_path / "games.jsonl"))


def test_failing_to_write_leaves_no_file(record, tmp_path):
    def broken():
        yield record
        raise RuntimeError("stop")

    (tmp_path / "games.jsonl").write_text("old\n")
    with pytest.raises(RuntimeError):
        write_records(tmp_path / "games.jsonl", broken())
    assert [path.name for path in tmp_path.iterdir()] == ["games.jsonl"]
    assert (tmp_path / "games.jsonl").read_text() == "old\n"


def test_record_holds_no_more_than_the_format_says(record):
    keys = ["format", "version", "rules", "seed", "game", "players", "first_seat", "rounds", "money", "winners"]
    assert list(record) == keys
    assert json.loads(json.dumps(record)) == record


def test_hand_limit_is_held_to_the_cards_that_were_taken_up():
    rules = load_edition("classic", {"hand_limit": "9"}).rules(4)
    record = next(records_of_run(load_players(["random"]), rules, 1, 0, 1))
    assert [len(cards) for cards in record["rounds"][0]["dealt"]] == [9, 9, 9, 9]
    dealt = record["rounds"][1]["dealt"]
    assert any(len(cards) < 4 for cards in dealt)
    assert replay_record(record).record()["rounds"] == record["rounds"]
    seat = next(seat for seat, cards in enumerate(dealt) if 0 < len(cards) < 4)
    spoiled = copy.deepcopy(record)
    spoiled["rounds"][1]["dealt"][seat].pop()
    n = len(dealt[seat])
    message = rf"^round 2, dealt: by the hand limit seat {seat} takes {n} new cards, the record has {n - 1}$"
    with pytest.raises(RecordError, match=message):
        replay_record(spoiled)


def first_event(record, word):
    return next(
        (r, i, e) for r, one in enumerate(record["rounds"]) for i, e in enumerate(one["events"]) if e["e"] == word
    )


def spoil(record, word, **changes):
    """Return a copy with the first event of a kind changed, and its place in words."""
    other = copy.deepcopy(record)
    r, i, event = first_event(other, word)
    event.update(changes)
    return other, f"round {r + 1}, event {i + 1}"


def test_first_disagreement_is_named_by_round_and_event(record):
    other, place = spoil(record, "sale", price=999)
    with pytest.raises(RecordError, match=f"{place}: the record has .*999.*, the rules give "):
        replay_record(other)


@pytest.mark.parametrize(
    ("word", "changes", "message"),
    [
        ("play", {"card": "KR"}, 'card "KR" must be written'),
        ("play", {"card": "XX-O"}, "names artist XX"),
        ("play", {"card": 7}, "round 1, event 1"),
        ("play", {"seat": 9}, "must answer with play"),
        ("limit", {"amount": 10**9}, "is not a legal answer to LIMIT"),
        ("limit", {"amount": -1}, "is not a legal answer to LIMIT"),
        ("limit", {"amount": "12"}, "must be a whole number, got '12'"),
        ("limit", {"e": "bid"}, "must answer with limit"),
        ("limit", {"amount": 2**70}, "must be a whole number"),
        ("sealed", {"amounts": [1, 2]}, "amounts must give one for each of 4 seats"),
        ("sealed", {"amounts": [None] * 4}, "is not a legal answer to SEALED"),
        ("sealed", {"amounts": [-1] * 4}, "must be a whole number from 0"),
    ],
)
def test_wrong_event_is_refused_with_the_reason(record, word, changes, message):
    other, _ = spoil(record, word, **changes)
    with pytest.raises(RecordError, match=message):
        replay_record(other)


def drop(record, *path):
    other = copy.deepcopy(record)
    place = other
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    return other


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (("format",), 'must have "format"'),
        (("rules",), "rules must be an object"),
        (("rules", "end_count"), "end_count"),
        (("first_seat",), "first_seat must be from 0 to 3, got None"),
        (("rounds", 3), "has 4 rounds"),
        (("rounds", 0, "dealt"), "round 1 must have dealt, events and result"),
        (("rounds", 0, "dealt", 0, 0), "round 1: dealt must give each of 4 seats 9 cards"),
        (("rounds", 0, "events", -1), "no more events in this round"),
        (("rounds", 1, "result", "payout"), "round 2, result: the record has payout None"),
        (("money",), "money: the record has None"),
        (("winners",), "winners: the record has None"),
    ],
)
def test_missing_piece_is_refused_with_the_reason(record, path, message):
    with pytest.raises(RecordError, match=message):
        replay_record(drop(record, *path))


def test_card_dealt_too_often_is_refused(record):
    other = copy.deepcopy(record)
    other["rounds"][0]["dealt"][0] = ["KR-D"] * 9
    with pytest.raises(RecordError, match="round 1, dealt: card KR-D comes up more often than the deck holds it"):
        replay_record(other)


def test_events_after_the_end_of_a_round_are_refused(record):
    other = copy.deepcopy(record)
    other["rounds"][0]["events"].append({"e": "pass", "seat": 0})
    with pytest.raises(RecordError, match="the round is over, but the record goes on"):
        replay_record(other)


@pytest.mark.parametrize(
    ("text", "message"),
    [("{nonsense\n", "line 1: not JSON"), ("\n[1]\n", "line 2: a record must be a JSON object")],
)
def test_line_that_is_no_record_is_named(tmp_path, text, message):
    (tmp_path / "bad.jsonl").write_text(text)
    with pytest.raises(RecordError, match=message):
        list(read_records(tmp_path / "bad.jsonl"))


def test_unreadable_files_are_named(tmp_path):
    with pytest.raises(UsageError, match=r"cannot read .*nothere\.jsonl: No such file"):
        list(read_records(tmp_path / "nothere.jsonl"))
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RecordError, match="is not a text file"):
        list(read_records(tmp_path / "binary.jsonl"))


def test_told_game_names_every_card_and_the_final_money(record):
    text = "\n".join(tell_record(record))
    plays = [e["card"] for one in record["rounds"] for e in one["events"] if e["e"] == "play"]
    assert all(f"puts up {card}" in text for card in plays)
    assert f"Final money {', '.join(map(str, record['money']))}" in text
    assert text.count("is over:") == 4


def test_every_decision_has_words_and_every_word_is_said():
    """The table of events drives telling, reading and replaying: a decision left out would break all three."""
    assert {phase.name: words_for(phase) for phase in Phase if phase != Phase.OVER} == {
        "CARD": ("play",),
        "PAIR": ("pair", "decline"),
        "JOIN": ("join", "decline"),
        "LIMIT": ("limit",),
        "BID": ("bid", "pass"),
        "RAISE": ("bid", "pass"),
        "SEALED": ("sealed",),
        "PRICE": ("price",),
        "ACCEPT": ("accept", "refuse"),
        "FLIP": ("flip",),
        "TENDER": ("sealed",),
    }
    assert say({"e": "join", "seat": 2, "card": "KR-S"}) == "2 joins with KR-S (sealed)"
    assert say({"e": "flip", "seat": 1, "card": None}) == "  1 leaves the pile"
    assert say({"e": "sealed", "amounts": [3, None, 0]}) == "  amounts 3, out, 0"
    sale = {"e": "sale", "seller": 1, "buyer": 1, "price": 7, "cards": ["LM-D", "LM-O"]}
    assert say(sale) == "  1 buys LM-D LM-O, their own lot, for 7"
