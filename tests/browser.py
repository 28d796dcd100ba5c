"""A headless Chromium, steered over its DevTools protocol: what tests need to click through a page."""

import json
import re
import shutil
import subprocess
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from websockets.sync.client import ClientConnection, connect

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Tab:
    """A page in the browser.

    Attributes
    ----------
    errors : list of str
        What the page complained of: exceptions and errors on its console.
    requests : list of str
        The addresses that it asked for.
    """

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._number = 0
        self.errors: list[str] = []
        self.requests: list[str] = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **params) -> dict:
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": params}))
        while True:
            told = json.loads(self._socket.recv(timeout=60))
            self._note(told)
            if told.get("id") == self._number:
                assert "error" not in told, told
                return told["result"]

    def _note(self, told: dict) -> None:
        params = told.get("params", {})
        match told.get("method"):
            case "Runtime.exceptionThrown":
                self.errors.append(json.dumps(params["exceptionDetails"])[:500])
            case "Log.entryAdded" if params["entry"]["level"] == "error":
                self.errors.append(params["entry"]["text"])
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])

    def open(self, address: str) -> None:
        self.ask("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")

    def run(self, script: str):
        """Return the value of a JavaScript expression."""
        done = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def wait(self, condition: str, seconds: float = 30) -> None:
        end = time.monotonic() + seconds
        while not self.run(condition):
            assert time.monotonic() < end, f"never came true: {condition}"
            time.sleep(0.02)

    def press(self, key: str) -> None:
        for kind in ("keyDown", "keyUp"):
            text = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            code = {"Enter": 13}.get(key, 0)
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **text)

    def picture(self, path: Path, width: int, height: int, dark: bool = False) -> None:
        """Write a picture of the whole page at a width."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.ask("Emulation.setEmulatedMedia", features=scheme)
        path.write_bytes(b64decode(self.ask("Page.captureScreenshot", captureBeyondViewport=True)["data"]))


@contextmanager
def browser(folder: Path) -> Iterator[Tab]:
    """Start a browser with a profile of its own in `folder`, and yield its tab."""
    profile = folder / "profile"
    process = subprocess.Popen(
        [
            CHROMIUM,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--remote-debugging-port=0",
            f"--user-data-dir={profile}",
            "about:blank",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        port_file = profile / "DevToolsActivePort"
        end = time.monotonic() + 60
        while not (port_file.exists() and re.match(r"\d+\n", port_file.read_text())):
            assert time.monotonic() < end, "the browser does not start"
            time.sleep(0.05)
        port = port_file.read_text().split("\n")[0]
        with urlopen(f"http://127.0.0.1:{port}/json") as answer:
            pages = [page for page in json.load(answer) if page["type"] == "page"]
        with connect(pages[0]["webSocketDebuggerUrl"], max_size=2**26) as socket:
            yield Tab(socket)
    finally:
        process.terminate()
        process.wait(30)
