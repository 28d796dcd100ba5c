"""A game in a browser, served on this machine alone: every request is a question about one seat, or an answer.

Bots answer within the request that they follow on, and the page shows their steps one after the other; so plain
requests do, and nothing is lost when a page is closed. What is sent holds what one seat knows and no more.
"""

import hmac
import json
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from modernart.analysis.play.hints import hint_lines
from modernart.analysis.play.pages import build_page
from modernart.analysis.play.replay_page import game_for_page, replay_page
from modernart.analysis.play.reviews import Reviews
from modernart.analysis.play.saves import Saves
from modernart.analysis.play.session import NotYourTurn, Session, begin, parse_seats
from modernart.simulator.arguments import parse_whole
from modernart.simulator.errors import ModernArtError, UsageError
from modernart.simulator.files import parse_json
from modernart.simulator.records import write_records
from modernart.simulator.rules import builtin_editions
from modernart.strategies.registry import BY_NAME

#: Bytes of the longest message that is read.
_LONGEST = 10_000
#: Games kept in memory.
_MOST_GAMES = 200


@dataclass
class _Game:
    """A game in memory."""

    session: Session
    lock: threading.Lock = field(default_factory=threading.Lock)


class Games:
    """All games of a server.

    Parameters
    ----------
    saves : Saves
        Every game is written there after each answer.
    records : Path
        Folder of the records of finished games.
    """

    def __init__(self, saves: Saves, records: Path) -> None:
        self.saves = saves
        self.records = records
        self.last = ""
        self._games: dict[str, _Game] = {}
        self._lock = threading.Lock()

    def add(self, session: Session, name: str | None = None) -> str:
        """Take up a game, let its bots begin, and return its name.

        Raises
        ------
        UsageError
            If there are too many games already.
        """
        name = name or self.saves.new_name()
        session.advance()
        with self._lock:
            self._make_room()
            self._games[name] = _Game(session)
            self._keep(name, session)
            self.last = name
        return name

    def use(self, name: str, work: Callable[[Session], Any], changes: bool = False) -> Any:
        """Return what `work` makes of a game, which nobody else uses meanwhile.

        Parameters
        ----------
        name : str
        work : callable
        changes : bool
            Whether the game is to be saved afterwards.

        Raises
        ------
        UsageError
            If there is no such game.
        """
        with self._lock:
            if name not in self._games:
                self._make_room()
                session = self.saves.load(name)
                session.advance()
                self._games[name] = _Game(session)
            game = self._games[name]
        with game.lock:
            try:
                return work(game.session)
            finally:
                if changes:
                    self._keep(name, game.session)

    def _make_room(self) -> None:
        """Forget finished games when there are many; their records are written."""
        if len(self._games) < _MOST_GAMES:
            return
        self._games = {name: game for name, game in self._games.items() if not game.session.is_over}
        if len(self._games) >= _MOST_GAMES:
            raise UsageError(f"{_MOST_GAMES} games are going on here; finish one, or restart the server")

    def record_path(self, name: str) -> Path:
        """Return the file of a finished game's record."""
        return self.records / f"game-{name}.jsonl"

    def _keep(self, name: str, session: Session) -> None:
        if session.is_over:
            write_records(self.record_path(name), [session.record()])
            self.saves.remove(name)
        else:
            self.saves.save(name, session)


def view(session: Session, seat: int, since: int) -> dict[str, Any]:
    """Return what the page shows to one person.

    Parameters
    ----------
    session : Session
    seat : int
        A person's.
    since : int
        Points of the game that the page has shown already.

    Raises
    ------
    UsageError
        If no person sits there.
    """
    if seat not in session.people:
        raise UsageError("no person plays in this seat")
    frames = session.frames(seat)
    is_asked = session.asked == seat
    data: dict[str, Any] = {
        "game": game_for_page(session.rules, session.names, session.artist_names),
        "seat": seat,
        "people": session.people,
        "asked": session.asked,
        "turn": session.turn(seat),
        "question": session.question.as_data() if is_asked else None,
        "frames": frames[max(since, 0) :],
        "n_seen": len(frames),
        "table": session.table(seat),
        "is_over": session.is_over,
    }
    if session.is_over:
        record = session.record()
        data |= {"money": record["money"], "winners": record["winners"]}
    return data


def _number(request: Request, key: str, default: int) -> int:
    """Return a whole number of the address."""
    return parse_whole(key, request.query_params.get(key, default), high=2**31)


def _message(data: Any, kinds: Mapping[str, type]) -> list[Any]:
    """Return the values of a message, which must hold these keys, each of its type, and no others.

    Raises
    ------
    UsageError
        If it does not.
    """
    if not isinstance(data, dict) or data.keys() != kinds.keys():
        raise UsageError(f"a message must be an object with {', '.join(kinds)}")
    for key, kind in kinds.items():
        if (
            type(data[key]) is not kind
            or (kind is int and not -1 <= data[key] < 2**31)
            or (kind is str and len(data[key]) > 999)
        ):
            raise UsageError(f"{key} must be {'a whole number' if kind is int else 'a text'}")
    return [data[key] for key in kinds]


def _refusal(error: ModernArtError) -> Response:
    code = 409 if isinstance(error, NotYourTurn) else 400
    return JSONResponse({"error": str(error)}, code)


class _Handlers:
    """What the server answers."""

    def __init__(self, games: Games, reviews: Reviews) -> None:
        self.games = games
        self.reviews = reviews

    async def page(self, request: Request) -> Response:
        data = {"editions": builtin_editions(), "last": self.games.last}
        return HTMLResponse(build_page("play", title="Modern Art", data=data))

    async def list_games(self, request: Request) -> Response:
        return JSONResponse({"last": self.games.last, "unfinished": self.games.saves.names()[:20]})

    async def new_game(self, request: Request) -> Response:
        seats, edition = _message(await _read(request), {"seats": str, "edition": str})
        specs = [seat.spec for seat in parse_seats(seats) if seat.spec is not None]
        names = {spec.partition("(")[0].strip() for spec in specs}
        # What runs code or reads files is for the command line alone.
        if not names <= BY_NAME.keys() or edition not in builtin_editions():
            raise UsageError("here seats take built-in strategies, and the edition is one of the built-in ones")

        def make() -> str:
            return self.games.add(begin(seats, edition))

        return JSONResponse({"name": await run_in_threadpool(make)})

    async def look(self, request: Request) -> Response:
        since = _number(request, "since", 0)

        def work(session: Session) -> dict[str, Any]:
            asked = session.asked
            first = asked if asked is not None and session.is_persons_turn else session.people[0]
            return view(session, _number(request, "seat", first), since)

        return JSONResponse(await self._use(request, work))

    async def answer(self, request: Request) -> Response:
        kinds = {"seat": int, "turn": int, "answer": int, "since": int}
        seat, turn, answer, since = _message(await _read(request), kinds)

        def work(session: Session) -> dict[str, Any]:
            session.answer(seat, answer, turn)
            session.advance()
            return view(session, seat, since)

        return JSONResponse(await self._use(request, work, changes=True))

    async def hint(self, request: Request) -> Response:
        seat = _number(request, "seat", 0)

        def work(session: Session) -> dict[str, Any]:
            if session.is_over or seat != session.asked:
                raise NotYourTurn("hints are for the player who is asked")
            return {"lines": hint_lines(session)}

        return JSONResponse(await self._use(request, work))

    async def record(self, request: Request) -> Response:
        record = await self._use(request, lambda session: session.record())
        name = self.games.record_path(request.path_params["name"]).name
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(json.dumps(record) + "\n", media_type="application/json", headers=headers)

    async def replay(self, request: Request) -> Response:
        return HTMLResponse(await self._use(request, lambda session: replay_page(session.record())))

    async def start_review(self, request: Request) -> Response:
        record = await self._use(request, lambda session: session.record())
        return JSONResponse(self.reviews.start(request.path_params["name"], record))

    async def review(self, request: Request) -> Response:
        return JSONResponse(self.reviews.progress(request.path_params["name"]))

    async def review_page(self, request: Request) -> Response:
        return HTMLResponse(self.reviews.page(request.path_params["name"], 0))

    async def marked_replay(self, request: Request) -> Response:
        return HTMLResponse(self.reviews.page(request.path_params["name"], 1))

    async def _use(self, request: Request, work: Callable[[Session], Any], changes: bool = False) -> Any:
        return await run_in_threadpool(self.games.use, request.path_params["name"], work, changes)


async def _read(request: Request) -> Any:
    """Return the JSON of a message."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _LONGEST:
            raise UsageError("the message is too long")
    try:
        return parse_json(body.decode("utf-8"))
    except ValueError as error:
        raise UsageError(f"the message is {error}") from None


class Guard:
    """Lets in the browser that opened the address with the token, and nobody else.

    Parameters
    ----------
    app : ASGI application
        Set by Starlette.
    token : str
        Opens the page once; the browser then holds a cookie instead.
    hosts : sequence of str
        What a request may name as its host: a page of another site that points its own name here is refused.
    """

    def __init__(self, app: ASGIApp, token: str, hosts: Sequence[str]) -> None:
        self.app = app
        self._token: str | None = token
        self._hosts = tuple(hosts)
        self._key = secrets.token_urlsafe(32)
        # Cookies do not tell ports apart.
        self._cookie = f"modernart_{self._hosts[0].rpartition(':')[2]}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        request = Request(scope)
        response = self._refusal(request)
        if response is None:
            await self.app(scope, receive, _with_headers(send))
        else:
            await response(scope, receive, _with_headers(send))

    def _refusal(self, request: Request) -> Response | None:
        """Return what a request gets instead of an answer; None if it may pass."""
        host = request.headers.get("host", "")
        origin = request.headers.get("origin")
        if host not in self._hosts or (origin is not None and origin != f"http://{host}"):
            return _no("this server answers its own page alone")
        if _is_same(request.cookies.get(self._cookie, ""), self._key):
            return None
        token = request.query_params.get("token", "")
        if request.url.path != "/" or request.method != "GET" or not self._token or not _is_same(token, self._token):
            return _no("open the address that `modernart play --web` prints; it works once, in one browser")
        self._token = None
        response = RedirectResponse("/", 303)
        response.set_cookie(self._cookie, self._key, httponly=True, samesite="strict")
        return response


def _is_same(given: str, secret: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())


def _no(reason: str) -> Response:
    return Response(reason + "\n", 403, media_type="text/plain")


def _with_headers(send: Send) -> Send:
    """Add what keeps answers out of caches, frames and other sites."""
    headers = {
        b"cache-control": b"no-store",
        b"x-content-type-options": b"nosniff",
        b"x-frame-options": b"DENY",
        b"referrer-policy": b"no-referrer",
        b"cross-origin-resource-policy": b"same-origin",
    }

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *headers.items()]}
        await send(message)

    return sending


def create_app(games: Games, token: str, hosts: Sequence[str], reviews: Reviews | None = None) -> Starlette:
    """Return the application.

    Parameters
    ----------
    games : Games
    token : str
        Lets the first browser in that brings it.
    hosts : sequence of str
        Names of this server, as 127.0.0.1:8000.
    reviews : Reviews, optional
    """
    handlers = _Handlers(games, reviews or Reviews())
    one = "/api/games/{name}"
    routes = [
        Route("/", handlers.page),
        Route("/api/games", handlers.list_games),
        Route("/api/games", handlers.new_game, methods=["POST"]),
        Route(one, handlers.look),
        Route(f"{one}/answer", handlers.answer, methods=["POST"]),
        Route(f"{one}/hint", handlers.hint),
        Route(f"{one}/record", handlers.record),
        Route(f"{one}/replay", handlers.replay),
        Route(f"{one}/review", handlers.start_review, methods=["POST"]),
        Route(f"{one}/review", handlers.review),
        Route(f"{one}/review/page", handlers.review_page),
        Route(f"{one}/review/replay", handlers.marked_replay),
    ]

    async def on_error(request: Request, error: Exception) -> Response:
        return _refusal(error) if isinstance(error, ModernArtError) else Response(status_code=400)

    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, token=token, hosts=hosts)],
        exception_handlers={ModernArtError: on_error, ClientDisconnect: on_error},
    )
