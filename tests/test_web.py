"""Games in a browser: who is let in, what is sent, and that no message loses a game."""

import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from browser import CHROMIUM, browser
from typer.testing import CliRunner

from modernart.analysis.play.reviews import Reviews
from modernart.analysis.play.saves import Saves
from modernart.analysis.play.session import begin, resume
from modernart.analysis.play.web import Games, create_app
from modernart.command_line import app
from modernart.simulator.records import read_records, replay_record

HOST = "127.0.0.1:8000"
SEATS = "me,half_value,random"


class Client:
    """A browser as the server sees it: keeps cookies, follows redirects."""

    def __init__(self, app):
        transport = httpx.ASGITransport(app)
        self._client = httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}", follow_redirects=True)
        self.cookies = self._client.cookies

    def get(self, path, **options):
        return asyncio.run(self._client.get(path, **options))

    def post(self, path, **options):
        return asyncio.run(self._client.post(path, **options))


def new_games(folder):
    return Games(Saves(folder / "saves"), folder / "records")


def client_of(games, token="secret"):
    return Client(create_app(games, token, [HOST, "localhost:8000"]))


@pytest.fixture
def games(tmp_path):
    games = new_games(tmp_path)
    games.add(begin(SEATS, seed=3))
    return games


@pytest.fixture
def client(games):
    client = client_of(games)
    assert client.get("/?token=secret").status_code == 200
    return client


def answer_of(question, rng):
    answers = [one["answer"] for one in (*question["cards"], *question["other"])]
    if question["high"] >= question["low"]:
        answers += [rng.randint(question["low"], min(question["high"], question["low"] + 15))] * 2
    return rng.choice(answers)


def right_answer(view, rng=None):
    answer = answer_of(view["question"], rng or random.Random(1))
    return {"seat": view["seat"], "turn": view["turn"], "answer": answer, "since": view["n_seen"]}


def play_to_the_end(client, name, rng):
    view = client.get(f"/api/games/{name}").json()
    while not view["is_over"]:
        if view["question"] is None:
            view = client.get(f"/api/games/{name}?seat={view['asked']}").json()
            continue
        done = client.post(f"/api/games/{name}/answer", json=right_answer(view, rng))
        assert done.status_code == 200, done.text
        view = done.json()
    return view


def test_the_token_lets_one_browser_in_once(games):
    served = create_app(games, "secret", [HOST])
    first, second = Client(served), Client(served)
    for path in ("/", "/?token=", "/?token=wrong", "/api/games", f"/api/games/{games.last}", "/api/games?token=secret"):
        assert second.get(path).status_code == 403
    assert second.post("/?token=secret").status_code == 403
    done = first.get("/?token=secret", follow_redirects=False)
    assert (done.status_code, done.headers["location"]) == (303, "/")
    assert "HttpOnly; Path=/; SameSite=strict" in done.headers["set-cookie"]
    assert first.get("/").status_code == 200
    assert first.get(f"/api/games/{games.last}").json()["seat"] == 0
    assert second.get("/?token=secret").status_code == 403
    second.cookies.set("modernart_8000", "guessed")
    assert second.get("/").status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example:8000"},
        {"Host": "127.0.0.1:9"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9"},
        {"Origin": "http://localhost:8000"},
    ],
)
def test_no_other_origin_is_let_in(client, games, headers):
    assert client.get(f"/api/games/{games.last}", headers=headers).status_code == 403
    message = {"seat": 0, "turn": 0, "answer": 0, "since": 0}
    assert client.post(f"/api/games/{games.last}/answer", json=message, headers=headers).status_code == 403
    assert client.get(f"/api/games/{games.last}", headers={"Origin": f"http://{HOST}"}).status_code == 200


def test_what_is_sent_holds_no_other_hand_and_stays_out_of_caches_and_frames(client, games):
    done = client.get(f"/api/games/{games.last}")
    view = done.json()
    for frame in (*view["frames"], view["table"]):
        assert [hand is None for hand in frame["hands"]] == [False, True, True]
        assert not {"only", "place", "limits"} & frame.keys()
    assert done.headers["cache-control"] == "no-store"
    assert done.headers["x-frame-options"] == "DENY"
    for seat in (1, 2, 3, -1):
        assert client.get(f"/api/games/{games.last}?seat={seat}").status_code == 400
    for what in ("record", "replay"):
        assert client.get(f"/api/games/{games.last}/{what}").status_code == 400


def test_a_whole_game_is_played_and_its_record_downloaded(client, games, tmp_path):
    name = games.last
    view = play_to_the_end(client, name, random.Random(1))
    record = client.get(f"/api/games/{name}/record").json()
    replay_record(record)
    assert view["money"] == record["money"]
    assert [told for _, told in read_records(tmp_path / "records" / f"game-{name}.jsonl")] == [record]
    assert "A game of Modern Art, won by" in client.get(f"/api/games/{name}/replay").text
    assert games.saves.names() == []


def test_a_finished_game_is_looked_back_at(tmp_path):
    games = new_games(tmp_path)
    name = games.add(begin(SEATS, "classic", {"deal": "[2, 1, 0, 0]"}, 3))
    client = Client(create_app(games, "secret", [HOST], Reviews(rollouts=64)))
    client.get("/?token=secret")
    path = f"/api/games/{name}/review"
    assert (
        client.post(path).status_code == client.get(path).status_code == client.get(f"{path}/page").status_code == 400
    )
    play_to_the_end(client, name, random.Random(1))
    state = client.post(path).json()
    assert state["total"] > 3
    while not (state["is_ready"] or state["error"]):
        time.sleep(0.05)
        state = client.get(path).json()
    assert state == {"done": state["total"], "total": state["total"], "is_ready": True, "error": ""}
    assert client.post(path).json() == state
    assert "looked back at" in client.get(f"{path}/page").text
    assert "A game of Modern Art" in client.get(f"{path}/replay").text


def test_an_answer_counts_once(client, games):
    name = games.last
    view = client.get(f"/api/games/{name}").json()
    message = right_answer(view)
    assert client.post(f"/api/games/{name}/answer", json=message).status_code == 200
    done = client.post(f"/api/games/{name}/answer", json=message)
    assert (done.status_code, done.json()["error"][:27]) == (409, "this question is answered a")
    assert client.get(f"/api/games/{name}").json()["turn"] == 1


def test_a_game_goes_on_after_a_restart_of_the_server(client, games, tmp_path):
    name = games.last
    view = client.get(f"/api/games/{name}").json()
    message = right_answer(view)
    before = client.post(f"/api/games/{name}/answer", json=message).json()
    again = client_of(new_games(tmp_path), "other")
    assert again.get("/?token=other").status_code == 200
    after = again.get(f"/api/games/{name}").json()
    assert (after["table"], after["question"], after["turn"]) == (before["table"], before["question"], 1)
    play_to_the_end(again, name, random.Random(2))


def test_people_at_one_machine_each_get_their_own_view(client, games):
    name = client.post("/api/games", json={"seats": "me:Ann,random,me:Bob", "edition": "online"}).json()["name"]
    assert client.get(f"/api/games/{name}?seat=2").json()["table"]["hands"][0] is None
    play_to_the_end(client, name, random.Random(3))


def test_hints_are_given_to_the_seat_that_is_asked(client, games):
    name = client.post("/api/games", json={"seats": "me,me:Bob,half_value", "edition": "classic"}).json()["name"]
    asked = client.get(f"/api/games/{name}").json()["asked"]
    assert client.get(f"/api/games/{name}/hint?seat={asked}").json()["lines"][0].startswith("Best: ")
    assert client.get(f"/api/games/{name}/hint?seat={1 - asked}").status_code == 409


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"seats": "me,mybots.py:shy,random"}, "built-in strategies"),
        ({"seats": "me,learned@/etc/passwd,random"}, "built-in strategies"),
        ({"seats": "me,a.toml,random"}, "built-in strategies"),
        ({"seats": SEATS, "edition": "../x.toml"}, "built-in ones"),
        ({"seats": "random,random,random"}, "nobody plays"),
        ({"seats": "me"}, "players must be"),
        ({"seats": 3}, "seats must be a text"),
        ({"seats": SEATS, "seed": 3}, "an object with seats, edition"),
        ({"seats": SEATS, "edition": None}, "edition must be a text"),
    ],
)
def test_wrong_new_games_are_refused(client, games, message, reason):
    done = client.post("/api/games", json={"edition": "classic", **message})
    assert done.status_code == 400
    assert reason in done.json()["error"]


def malformed(rng, view):
    """A message that no page sends; some differ from a right one in a single place."""
    right = {"seat": view["seat"], "turn": view["turn"], "answer": 0, "since": 0}
    junk = (None, True, -5, 10**30, 1.5, "x", "1" * 50, [], {}, [[1]], "\ud800", float("nan"))
    match rng.randrange(6):
        case 0:
            return bytes(rng.randrange(256) for _ in range(rng.randrange(40)))
        case 1:
            return json.dumps({**right, rng.choice(list(right)): rng.choice(junk)}).encode()
        case 2:
            return json.dumps({key: value for key, value in right.items() if key != rng.choice(list(right)[:3])})[:-2]
        case 3:
            return b"[" * rng.randrange(1, 9000)
        case 4:
            return json.dumps({**right, "answer": rng.choice((-2, 10**6, 2**31, -(2**31)))}).encode()
    return json.dumps(rng.choice(junk)).encode() * rng.randrange(1, 3000)


async def _bombard(app, names, cookie, n_bad):
    """Play all games at once, with malformed messages in between; returns the status codes of these."""
    rng = random.Random(5)
    codes, left = [], iter(range(1, n_bad + 1))
    transport = httpx.ASGITransport(app)

    async def play(name):
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}", cookies=cookie) as client:
            view = (await client.get(f"/api/games/{name}")).json()
            while not view["is_over"]:
                for _ in range(n_bad // (len(names) * 8) + 1):
                    if next(left, None):
                        path = rng.choice(
                            (f"/api/games/{name}/answer", "/api/games", f"/api/games/{name[::-1]}/answer")
                        )
                        bad = malformed(rng, view)
                        codes.append((await client.post(path, content=bad)).status_code)
                done = await client.post(f"/api/games/{name}/answer", json=right_answer(view, rng))
                assert done.status_code == 200, done.text
                view = done.json()

    await asyncio.gather(*map(play, names))
    return codes


def bombard(tmp_path, n_games, n_bad):
    games = new_games(tmp_path)
    rules = {"deal": "[4, 3, 2, 0]"}
    names = [games.add(begin(SEATS, "classic", rules, seed)) for seed in range(n_games)]
    served = create_app(games, "secret", [HOST])
    client = Client(served)
    client.get("/?token=secret")
    codes = asyncio.run(_bombard(served, names, dict(client.cookies), n_bad))
    for name in names:
        ((_, record),) = read_records(games.record_path(name))
        replay_record(record)
    return codes


def test_sessions_at_once_and_malformed_messages_lose_no_game(tmp_path):
    codes = bombard(tmp_path, 10, 400)
    assert len(codes) == 400
    assert set(codes) <= {400, 409}


@pytest.mark.slow
def test_fifty_sessions_and_ten_thousand_malformed_messages_lose_no_game(tmp_path):
    codes = bombard(tmp_path, 50, 10_000)
    assert len(codes) == 10_000
    assert set(codes) <= {400, 409}


def test_saves_are_whole_after_every_answer(client, games):
    name = games.last
    view = client.get(f"/api/games/{name}").json()
    for _ in range(3):
        message = right_answer(view)
        view = client.post(f"/api/games/{name}/answer", json=message).json()
        saved = resume(json.loads(games.saves.path(name).read_text()))
        assert saved.turn(0) == view["turn"]


def test_without_the_extra_the_command_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "modernart.analysis.play.server", raising=False)
    arguments = ["play", "--web", "--seats", SEATS, "--saves", str(tmp_path)]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2
    assert "--web needs uvicorn: pip install 'modern-art-simulator[web]'" in done.stderr


@contextmanager
def server(folder, *arguments):
    """Start `modernart play --web` and yield the address that it prints."""
    root = Path(__file__).parent.parent
    command = [sys.executable, "-m", "modernart", "play", "--web", "--saves", str(folder / "saves"), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        yield re.search(r"http://\S+", process.stdout.readline())[0]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)
        process.stdout.close()


CHOOSE = """(() => {
  if (isShowing || !view || view.is_over) return view && view.is_over ? 'over' : 'wait';
  if (!byId('pass').classList.contains('hidden')) { byId('pass-done').click(); return 'passed'; }
  if (!view.question) return 'wait';
  const others = [...document.querySelectorAll('#controls button[data-answer], #hand button[data-answer]')];
  if (others.length) { others[0].click(); return 'chosen'; }
  byId('send').click(); return 'sent';
})()"""


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_browser_plays_a_whole_game_also_after_reload_and_restart(tmp_path):
    seats = ("--seats", SEATS, "--seed", "5", "--rule", "deal=[4,3,2,0]")
    with browser(tmp_path) as tab:
        with server(tmp_path, *seats) as address:
            tab.open(address)
            tab.wait("typeof view !== 'undefined' && view !== null && view.question !== null && !isShowing")
            assert "token" not in tab.run("location.href")
            assert tab.run("document.querySelectorAll('#hand .card').length") == 4
            assert tab.run("document.querySelectorAll('.seat .hand .card').length") == 0
            tab.run("byId('pace').value = '0'")
            step(tab, 3)
            before = tab.run("JSON.stringify([view.table, view.question])")
            tab.open(tab.run("location.href"))
            tab.wait("typeof view !== 'undefined' && view !== null && !isShowing")
            assert tab.run("JSON.stringify([view.table, view.question])") == before
            assert httpx.get(address).status_code == 403
        with server(tmp_path, "--resume", "last") as address:
            tab.open(address)
            tab.wait("typeof view !== 'undefined' && view !== null && !isShowing")
            assert tab.run("JSON.stringify([view.table, view.question])") == before
            tab.press("h")
            tab.wait("byId('hints').textContent.startsWith('Best: ')", 120)
            tab.run("byId('pace').value = '0'")
            step(tab, 500)
            assert "wins" in tab.run("byId('end').textContent")
            money = tab.run("view.money")
            tab.run("byId('who').value = 'me:Ann,half_value,me:Bob'; byId('begin').requestSubmit()")
            tab.wait("view.people.length === 2 && !byId('pass').classList.contains('hidden')")
            assert tab.run("document.querySelectorAll('#hand .card').length") == 0
            assert tab.run("byId('board').checkVisibility()") is False
            tab.run("byId('pass-done').click()")
            tab.wait("document.querySelectorAll('#hand .card').length > 0")
            assert tab.run("view.seat === view.asked")
        assert tab.errors == []
    ((_, record),) = read_records(next((tmp_path / "results").glob("game-*.jsonl")))
    replay_record(record)
    assert record["money"] == money


def step(tab, n):
    """Answer `n` questions, or until the game is over, by clicking."""
    while n > 0:
        done = tab.run(CHOOSE)
        if done == "over":
            return
        n -= done in ("chosen", "sent")
        tab.wait("!isShowing && (view.is_over || view.question !== null)")
