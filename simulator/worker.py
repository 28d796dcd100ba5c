"""The worker process in which a command runs that loads code of strangers, and the command's watch over it.

Code that hangs, crashes or ends its process can then do no harm: the command says in a sentence which strategy it was.
Nothing heavy is imported here: the process that watches only waits.
"""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

from modernart.simulator.wording import cut, printable

#: Seconds without progress after which a strategy is taken to hang; the environment may set another number.
PATIENCE = 60.0
PATIENCE_VARIABLE = "MODERNART_PATIENCE"
#: Seconds in which a command answers an interrupt by itself, and its worker's few moments more.
ANSWER_SECONDS = 2.0
_GRACE = 2.5
#: Seconds that a worker may take to end after its work is done.
_ENDING_SECONDS = 20.0

#: Exit code of a command that failed in its run.
_FAILED = 1


class WorkerNeeded(BaseException):
    """Code of strangers is about to be loaded, and the command line offers a worker process for that."""


class Listener(Protocol):
    """Takes what is told of the games under way: the command's end of a connection, for one."""

    def send(self, message: Any, /) -> None:
        """Take a message: its kind, then what `tell_play` and the other functions here tell."""
        ...


@dataclass
class _Process:
    """What this process is, as the command line has set it."""

    offers_worker: bool = False
    connection: Listener | None = None


_this = _Process()
_sending = threading.Lock()


def offer(is_offered: bool) -> None:
    """Let code of strangers be loaded in a worker process only, or in this one."""
    _this.offers_worker = is_offered


def report_to(listener: Listener) -> None:
    """Tell a listener of the games under way in this process."""
    _this.connection = listener


def patience() -> float:
    """Return how many seconds a strategy may take for one decision, in a command that watches it."""
    try:
        return max(float(os.environ.get(PATIENCE_VARIABLE, "")), 1.0)
    except ValueError:
        return PATIENCE


def _tell(*message: Any) -> None:
    if _this.connection is not None:
        with _sending:
            _this.connection.send(message)


def tell_play(names: str, games: str) -> None:
    """Tell the command that watches which games begin."""
    _tell("play", f"strategy {names}", f"in {games}")


def tell_progress(goes_on: bool, text: str) -> None:
    """Tell the command that watches whether work goes on.

    Parameters
    ----------
    goes_on : bool
        Whether anything changed since the last time, or no game is played.
    text : str
        Where games stand still, and after a `|` how to see that; "" if unknown.
    """
    _tell("progress", goes_on, text)


@contextlib.contextmanager
def loading(path: str) -> Iterator[None]:
    """Load code of strangers.

    Raises
    ------
    WorkerNeeded
        If that is to be done in a worker process.
    """
    if _this.offers_worker:
        raise WorkerNeeded
    _tell("load", path)
    try:
        yield
    finally:
        _tell("loaded")


def run_in_worker(run: Callable[[Sequence[str]], int], arguments: Sequence[str]) -> int:
    """Run a command in a worker process, watch it, and return its exit code.

    Parameters
    ----------
    run : callable
        Runs the command and returns its exit code; a function of a module that the worker can import.
    arguments : sequence of str
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(run, list(arguments), theirs), name="worker")
    return _Watched(process, ours).exit_code(theirs)


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Start a process in which Ctrl-C waits until `_work` lets it through: loading would break off with a traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it would let signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(run: Callable[[Sequence[str]], int], arguments: Sequence[str], connection: Connection) -> None:
    """Run a command; the body of the worker process."""
    # Interrupts reach it through the command alone: twice would mean to break off at once.
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)
    report_to(connection)
    offer(False)
    from modernart.simulator.under_way import Watch

    Watch().start()
    _tell("ready")
    try:
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        code = run(arguments)
    except KeyboardInterrupt:  # before the command could take care of it
        print("interrupted", file=sys.stderr)
        code = 128 + signal.SIGINT
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    _tell("end", code)
    sys.exit(code)


class _Watched:
    """A worker process, as the command sees it."""

    def __init__(self, process: Any, connection: Connection) -> None:
        self.process = process
        self.connection = connection
        self.patience = patience()
        self.went_on_at = time.monotonic()
        self.playing = ""
        self.games = ""
        self.stands_at = ""
        self.is_ready = self.is_loading = False
        self.end_code: int | None = None
        self.kill_at: float | None = None
        self.signal_number = 0

    def exit_code(self, theirs: Connection) -> int:
        """Start the process, wait for it, end it if it hangs, and return the command's exit code."""
        before = {one: signal.signal(one, self._pass_on) for one in (signal.SIGINT, signal.SIGTERM)}
        with _interrupts_held():
            self.process.start()
        theirs.close()
        try:
            while self.process.is_alive():
                wait([self.connection, self.process.sentinel], timeout=0.1)
                self._read()
                now = time.monotonic()
                if self.kill_at is not None and now > self.kill_at:
                    return self._after_interrupt()
                if self.end_code is None and now - self.went_on_at > self.patience:
                    return self._give_up()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            if self.process.is_alive():
                self.process.kill()
            self.process.join()
        self._read()
        return self._code_of_the_dead()

    def _pass_on(self, number: int, frame: Any) -> None:
        """Pass a signal on to the process, which then has a little time to save what it has, if it has anything."""
        is_last = self.signal_number != 0 or not self.is_ready
        self.signal_number = number
        self.kill_at = time.monotonic() + (0.0 if is_last else _GRACE)
        if self.is_ready:
            with contextlib.suppress(OSError):
                os.kill(self.process.pid, number)

    def _read(self) -> None:
        """Take in what the process told."""
        with contextlib.suppress(EOFError, OSError):
            while self.connection.poll():
                self._take_in(*self.connection.recv())

    def _take_in(self, kind: str, *rest: Any) -> None:
        goes_on = True
        if kind == "ready":
            self.is_ready = True
        elif kind == "play":
            self.playing, self.games = rest
            self.stands_at = ""
        elif kind == "progress":
            goes_on, text = rest
            goes_on = goes_on and not self.is_loading
            self.stands_at = "" if goes_on else text or self.stands_at
        elif kind == "load":
            self.playing, self.games, self.is_loading = rest[0], "", True
        elif kind == "loaded":
            self.playing, self.is_loading = "", False
        elif kind == "end":
            self.end_code = rest[0]
            self.kill_at = self.kill_at or time.monotonic() + _ENDING_SECONDS
        if goes_on:
            self.went_on_at = time.monotonic()

    def _after_interrupt(self) -> int:
        if self.signal_number == 0:
            return self.end_code or 0
        print("interrupted", file=sys.stderr)
        return 128 + self.signal_number

    def _give_up(self) -> int:
        """Say which strategy hangs, where, and how to see it."""
        seconds = f"for {self.patience:g} s ({PATIENCE_VARIABLE} sets how long to wait)"
        if self.is_loading:
            return _fail(f"{self.playing} does not load: it made no progress {seconds}")
        place, _, way = self.stands_at.partition("|")
        if place:
            return _fail(f"{place} {seconds}; see it: {way}")
        return _fail(f"{self.playing or 'the worker'} made no progress {self.games} {seconds}".replace("  ", " "))

    def _code_of_the_dead(self) -> int:
        """Return the exit code of a process that ended, and say so if it did not end by itself."""
        code = self.process.exitcode
        if self.end_code is not None:
            return self.end_code
        if self.signal_number:
            if code != 128 + self.signal_number:  # else it said so itself
                print("interrupted", file=sys.stderr)
            return 128 + self.signal_number
        if code < 0:
            how = f"crashed with {signal.Signals(-code).name}"
        else:
            how = f"ended the process with code {code}"
        if self.is_loading:
            return _fail(f"{self.playing} does not load: it {how}")
        if self.games:
            see = "; the same command after `modernart --check-bounds` looks for an index outside an array"
            return _fail(f"{self.playing} {how} {self.games}{see}")
        return _fail(f"the worker that played strategies of {self.playing or 'another file'} {how}")


def _fail(sentence: str) -> int:
    print(f"error: {printable(cut(sentence))}", file=sys.stderr)
    return _FAILED
