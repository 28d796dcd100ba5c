"""The server of games in a browser: an address of this machine alone, and a token that opens it once."""

import secrets
import socket
from contextlib import suppress

import typer
import uvicorn

from modernart.analysis.play.web import Games, create_app
from modernart.simulator.errors import UsageError

#: No other machine reaches this address.
_LOOPBACK = "127.0.0.1"


def serve(games: Games, port: int | None = None) -> None:
    """Serve games, and those that the page begins, until Ctrl-C.

    Parameters
    ----------
    games : Games
    port : int, optional
        Without it, any free one.

    Raises
    ------
    UsageError
        If the port is taken.
    """
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((_LOOPBACK, port or 0))
    except OSError as error:
        raise UsageError(f"cannot listen on port {port}: {error.strerror}; choose another --port") from None
    found = listener.getsockname()[1]
    token = secrets.token_urlsafe(16)
    app = create_app(games, token, [f"{_LOOPBACK}:{found}", f"localhost:{found}"])
    typer.echo(f"Open http://{_LOOPBACK}:{found}/?token={token}")
    typer.echo("The address works once, in one browser. Ctrl-C ends the server; games are saved after every answer.")
    with suppress(KeyboardInterrupt):
        uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False)).run(sockets=[listener])
    typer.echo("Stopped. Go on with: modernart play --web --resume last")
