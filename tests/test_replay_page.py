"""The page that steps through a recorded game, and the table that it puts together from the events."""

import copy
import json
import re

import pytest
from browser import CHROMIUM, browser
from typer.testing import CliRunner

from modernart.analysis.play.board import Board, Story, as_known_to
from modernart.analysis.play.replay_page import display_names, replay_page
from modernart.analysis.play.telling import only_seat_that_knows, tell, tell_heard
from modernart.command_line import app
from modernart.simulator.games import records_of_run
from modernart.simulator.records import replay_record, write_records
from modernart.simulator.rules import Rules, load_edition
from modernart.strategies.specs import load_players

NAMES = ("Ann", "Bob", "Cy", "Dee")


def record_of(edition="classic", seats=4, game=1, specs=("half_value", "random", "fair_share"), **changes):
    rules = load_edition(edition, changes).rules(seats)
    return next(records_of_run(load_players(specs), rules, 3, game, 1))


@pytest.fixture(scope="module")
def record():
    return record_of()


@pytest.mark.parametrize(
    ("edition", "seats", "changes"),
    [
        ("classic", 4, {}),
        ("shill", 3, {}),
        ("sotheby", 5, {}),
        ("online", 3, {"open_style": "outcry"}),
        ("classic", 4, {"order_money": "[0, 5, 10]"}),
    ],
)
def test_the_table_put_together_from_events_is_that_of_the_game(edition, seats, changes):
    """The slow twin is the game itself: after every answer, hands, money, galleries and market must agree."""
    record = record_of(edition, seats, **changes)
    rules = Rules.from_record(record["rules"])
    board = Board(rules, record["first_seat"])
    n_checked = 0
    is_new_round = True

    def compare(interpreter, events):
        nonlocal n_checked, is_new_round
        if events is None:
            board.deal(interpreter.rounds[-1]["dealt"])
            is_new_round = False
        for event in events or ():
            board.happen(event)
        table = interpreter.game.table
        if "result" in interpreter.rounds[board.round - 1]:
            board.close(interpreter.rounds[board.round - 1]["result"])
            assert board.money == [int(m) for m in table.money[:seats]]
            assert board.values == [int(v) for v in table.values[: len(rules.artists)]]
            return
        for seat in range(seats):
            hand = interpreter.game.hands[seat]
            held = [interpreter.card(code) for code in hand.cards[: hand.n_cards]]
            assert sorted(board.hands[seat]) == sorted(held)
            assert board.sizes[seat] == int(table.hand_sizes[seat]) == len(held)
            for place, artist in enumerate(rules.artists):
                plain = [c for c in board.galleries[seat] if c.startswith(f"{artist}-") and "-B" not in c]
                assert len(plain) == table.gallery[seat, place]
        assert board.money == [int(m) for m in table.money[:seats]]
        assert board.out == [int(n) for n in table.cards_out[: len(rules.artists)]]
        assert board.values == [int(v) for v in table.values[: len(rules.artists)]]
        assert board.pile == int(table.pile_size)
        n_checked += 1

    replay_record(record, compare)
    assert n_checked > 60
    assert board.money == record["money"]


def test_secret_decisions_are_known_to_their_seat_alone():
    limit, decline = {"e": "limit", "seat": 2, "amount": 9}, {"e": "decline", "seat": 1}
    assert only_seat_that_knows(limit, has_penalty=True) == 2
    assert only_seat_that_knows(decline, has_penalty=False) == 1
    assert only_seat_that_knows(decline, has_penalty=True) is None
    assert only_seat_that_knows({"e": "bid", "seat": 1, "amount": 3}, has_penalty=False) is None


@pytest.mark.parametrize(
    ("event", "reader", "text"),
    [
        ({"e": "play", "seat": 1, "card": "KR-S"}, None, "Bob puts up KR-S (sealed)"),
        ({"e": "play", "seat": 1, "card": "KR-S"}, 1, "You put up KR-S (sealed)"),
        ({"e": "pass", "seat": 0}, 0, "You pass"),
        ({"e": "limit", "seat": 0, "amount": 12}, 0, "You would go to 12"),
        ({"e": "sealed", "amounts": [3, None, 0, 9]}, 3, "Amounts: Ann 3, Bob stays out, Cy 0, you 9"),
        ({"e": "flip", "seat": 2, "card": None}, 2, "You leave the pile"),
        (
            {"e": "sale", "seller": 1, "buyer": 1, "price": 4, "cards": ["LM-O"], "money": []},
            1,
            "You buy LM-O, your own lot, for 4",
        ),
        (
            {"e": "sale", "seller": 0, "buyer": 3, "price": 41, "cards": ["LM-D", "LM-R"], "money": []},
            0,
            "Dee buys LM-D LM-R from you for 41",
        ),
    ],
)
def test_events_are_told_to_their_reader(event, reader, text):
    assert tell(event, NAMES, reader) == text


def test_of_an_open_auction_one_hears_no_more_than_the_price():
    sale = {"e": "sale", "seller": 0, "buyer": 1, "price": 15, "cards": ["LM-O"]}
    assert tell_heard({0: 0, 1: 40, 2: 14, 3: 22}, sale, NAMES) == "Others went: Cy to 14, Dee to 15"
    assert tell_heard({0: 0, 1: 40}, sale, NAMES) == "Nobody else bid"
    assert tell_heard({}, sale, NAMES) == ""


def story_of(record):
    return Story(Rules.from_record(record["rules"]), record["first_seat"]).follow(record["rounds"])


def frames_of(record):
    return [point.frame(NAMES) for point in story_of(record).points]


def test_frames_follow_the_record_event_by_event(record):
    frames = frames_of(record)
    assert len(frames) == sum(len(told["events"]) + 2 for told in record["rounds"])
    assert frames[0]["place"] == "1:0"
    order = [f"{artist}-{kind}" for artist in ("LM", "YO", "CP", "KG", "KR") for kind in "ORSFD"]
    assert frames[0]["hands"][0] == sorted(record["rounds"][0]["dealt"][0], key=order.index)
    assert frames[-1]["money"] == record["money"]
    first = record["rounds"][0]["events"][0]
    assert frames[1]["lot"] == [first["card"]]
    assert frames[1]["text"].startswith(f"{NAMES[first['seat']]} puts up {first['card']}")


def test_a_story_told_bit_by_bit_is_the_whole_one(record):
    rules = Rules.from_record(record["rules"])
    story, rounds = Story(rules, record["first_seat"]), []
    for told in record["rounds"]:
        rounds.append({"dealt": told["dealt"], "events": []})
        for event in told["events"]:
            rounds[-1]["events"].append(event)
            story.follow(rounds)
        rounds[-1]["result"] = told["result"]
    assert story.follow(rounds).points == story_of(record).points


def data_of(page):
    return json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)[1])


def test_a_page_for_one_seat_carries_no_other_hand_and_no_secret(record):
    data = data_of(replay_page(record, seat=2))
    assert data["frames"]
    for frame in data["frames"]:
        assert [hand is None for hand in frame["hands"]] == [True, True, False, True]
        assert frame["only"] in (None, 2)
    others = [e for told in record["rounds"] for e in told["events"] if e["e"] == "limit" and e["seat"] != 2]
    assert others
    assert len(data_of(replay_page(record))["frames"]) - len(data["frames"]) >= len(others)


def test_marks_are_kept_for_the_seat_that_the_page_is_for(record):
    marks = {"1:1": [{"seat": 0, "text": "cost 12"}, {"seat": 2, "text": "cost 3"}]}
    frames = data_of(replay_page(record, 2, marks))["frames"]
    assert [frame["marks"] for frame in frames[:3]] == [[], [{"seat": 2, "text": "cost 3"}], []]
    assert len(data_of(replay_page(record, None, marks))["frames"][1]["marks"]) == 2


def test_a_hand_that_nobody_wrote_down_is_shown_by_its_size(record):
    noted = copy.deepcopy(record)
    for told in noted["rounds"]:
        told["dealt"][1] = None
    frames = data_of(replay_page(noted))["frames"]
    whole = data_of(replay_page(record))["frames"]
    assert {json.dumps(frame["hands"][1]) for frame in frames} == {"null"}
    for name in ("sizes", "money", "out", "galleries"):
        assert [frame[name] for frame in frames] == [frame[name] for frame in whole]


def test_names_cannot_break_out_of_the_page(record):
    bad = copy.deepcopy(record)
    bad["players"][1] = "</script><script>alert(1)</script>"
    page = replay_page(bad)
    assert "alert(1)</script>" not in page
    assert data_of(page)["game"]["names"][1] == bad["players"][1]


def test_the_page_asks_for_nothing_else(record):
    page = replay_page(record)
    assert "default-src 'none'" in page
    assert all(target.startswith(("data:", "#")) for target in re.findall(r'(?:src|href)="([^"]*)"', page))


def test_equal_names_are_told_apart():
    assert display_names(["a", "b", "a", "x\x1b"]) == ["a #1", "b", "a #2", "x\\x1b"]


def test_frames_seen_from_a_seat_leave_the_frame_alone(record):
    frame = frames_of(record)[0]
    seen = as_known_to(frame, 1)
    assert seen["hands"][0] is None
    assert frame["hands"][0]


def run(*arguments, code=0):
    done = CliRunner().invoke(app, list(map(str, arguments)))
    assert done.exit_code == code, done.output
    return done


def test_replay_writes_the_page(record, tmp_path):
    write_records(tmp_path / "games.jsonl", [record])
    assert "Page:" in run("replay", tmp_path / "games.jsonl", "--html", tmp_path / "out.html").stdout
    assert data_of((tmp_path / "out.html").read_text())["seat"] is None
    seat = ("--seat", 7)
    assert (
        "seat must be from 0 to 3, got 7"
        in run("replay", tmp_path / "games.jsonl", "--html", tmp_path / "x.html", *seat, code=2).stderr
    )
    assert not (tmp_path / "x.html").exists()
    assert "--seat goes with --html" in run("replay", tmp_path / "games.jsonl", *seat, code=2).stderr


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_browser_steps_to_the_end_and_hides_hidden_hands(record, tmp_path):
    marks = {"1:1": [{"seat": record["rounds"][0]["events"][0]["seat"], "text": "This card cost 7 money."}]}
    path = tmp_path / "page.html"
    path.write_text(replay_page(record, marks=marks), encoding="utf-8")
    with browser(tmp_path) as tab:
        tab.open(path.as_uri())
        shown = "document.querySelectorAll('.seat .hand .card').length"
        assert tab.run(shown) == 4 * 9
        tab.press("ArrowRight")
        assert tab.run("document.getElementById('marks').textContent") == "This card cost 7 money."
        tab.run("reader = 1; draw()")
        hands = "[...document.querySelectorAll('.seat .hand')].map((hand) => hand.querySelectorAll('.card').length)"
        n_steps = 0
        while not tab.run("document.getElementById('next').disabled"):
            counts = tab.run(hands)
            assert [n for seat, n in enumerate(counts) if seat != 1] == [0, 0, 0]
            assert "would go to" not in tab.run(
                "isSeen(frames[now]) ? '' : document.getElementById('told').textContent"
            )
            tab.press("ArrowRight")
            n_steps += 1
        assert n_steps > 50
        money = tab.run("[...document.querySelectorAll('.seat .money')].map((one) => one.textContent)")
        assert money == [f"money {amount}" for amount in record["money"]]
        tab.press("Home")
        assert tab.run("document.getElementById('place').textContent").startswith("Round 1 of 4, step 1 of")
        tab.ask("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True)
        assert tab.run("document.documentElement.scrollWidth") <= 390
        assert tab.errors == []
        assert [one for one in tab.requests if not one.startswith(("file:", "data:"))] == []
