"""What a Dask worker does: load the players, play blocks, and say so if a stranger's code stands still."""

import contextlib
import os
import pickle
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from modernart.analysis.cluster.travelling import Baggage, Parcel, Traveller, shrink, unpack
from modernart.analysis.provenance import code_digest
from modernart.simulator import worker
from modernart.simulator.errors import RunError
from modernart.simulator.files import whole_file
from modernart.simulator.players import Player
from modernart.simulator.scheduling import available_threads
from modernart.simulator.under_way import Watch

#: One piece at a time uses all threads of a worker; the folder that files are named from belongs to the process.
_turn = threading.Lock()


def hold(baggage: bytes) -> bytes:
    """Return the files that pieces refer to: they travel once to each worker."""
    return baggage


def play_piece(topic: str, baggage: bytes, parcel: bytes, first_block: int, n_blocks: int) -> tuple[bytes, float]:
    """Play blocks on a worker.

    Parameters
    ----------
    topic : str
        Under which the worker tells the command why it ends.
    baggage : bytes
        A pickled `Baggage`, or nothing where the players have no files of their own.
    parcel : bytes
        A pickled `Parcel`.
    first_block, n_blocks : int

    Returns
    -------
    bytes
        The outcome, as `shrink` makes it.
    float
        Seconds that playing took.

    Raises
    ------
    RunError
        If the worker's code is not that of the command.
    """
    with _turn:
        _watch_strangers().topic = topic
        task: Parcel = pickle.loads(parcel)
        players = _players(baggage, tuple(task.players))
        work = unpack(task, players)
        if code_digest(players, work.rules) != task.code:
            raise RunError(
                "a worker has other code: install the same version of the program, Python, NumPy and numba on every "
                "machine; files that a bot reads must lie beside it or below the current folder"
            )
        start = time.perf_counter()
        outcome = work.play(first_block, n_blocks, min(_threads_here(), available_threads()))
        seconds = time.perf_counter() - start
        return shrink(outcome), seconds


def _threads_here() -> int:
    from distributed import get_worker

    try:
        return get_worker().state.nthreads
    except ValueError:  # not on a worker, as in a test
        return 1


@lru_cache(maxsize=256)
def _players(baggage: bytes, travellers: tuple[Traveller, ...]) -> Sequence[Player]:
    """Return players, loaded once for all pieces."""
    from modernart.analysis.claims.laboratory import player_of

    with _unpacked(pickle.loads(baggage) if baggage else None):
        players = [player_of(traveller.spec) for traveller in travellers]
        return tuple(
            replace(player, name=traveller.name) for player, traveller in zip(players, travellers, strict=True)
        )


@contextlib.contextmanager
def _unpacked(baggage: Baggage | None) -> Iterator[None]:
    """Write files where this worker may, and stand in the folder that specs name them from."""
    if baggage is None:
        yield
        return
    root = _place() / f"modernart-{baggage.digest}"
    for name, content in baggage.files.items():
        path = _below(root, name)
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(path, "wb") as file:
                file.write(content)
    folder = _below(root, baggage.folder)
    folder.mkdir(parents=True, exist_ok=True)
    _forget_modules_of_others(root)
    sys.path += [place for place in (str(_below(root, one)) for one in baggage.search) if place not in sys.path]
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _place() -> Path:
    """Return a folder of this worker."""
    from distributed import get_worker

    try:
        return Path(get_worker().local_directory)
    except ValueError:  # not on a worker, as in a test
        return Path(gettempdir())


def _below(root: Path, absolute: str) -> Path:
    return root / Path(absolute).relative_to(Path(absolute).anchor)


def _forget_modules_of_others(root: Path) -> None:
    """Forget modules that came with other baggage: they may have the names of those that are loaded now."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) or ""
        if "modernart-" in file and Path(file).is_relative_to(root.parent) and not Path(file).is_relative_to(root):
            del sys.modules[name]
    sys.path[:] = [p for p in sys.path if "modernart-" not in p or Path(p).is_relative_to(root)]


class _Reporter:
    """Takes what the watch over games tells, in place of a command that watches this process."""

    def __init__(self) -> None:
        self.topic = ""
        self._patience = worker.patience()
        self._went_on_at = time.monotonic()
        self._stands_at = ""

    def send(self, message: Any) -> None:
        """Take a message; end the process if games stand still for too long."""
        kind, *rest = message
        if kind != "progress" or rest[0]:
            self._went_on_at, self._stands_at = time.monotonic(), ""
            return
        self._stands_at = rest[1] or self._stands_at
        if time.monotonic() - self._went_on_at < self._patience or not self._stands_at:
            return
        place, _, way = self._stands_at.partition("|")
        seconds = f"for {self._patience:g} s ({worker.PATIENCE_VARIABLE} sets how long to wait)"
        self._tell_command(f"{place} {seconds}; see it: {way}")
        # Compiled code cannot be broken off. A nanny starts the worker anew.
        os._exit(1)

    def _tell_command(self, sentence: str) -> None:
        from distributed.worker import Worker

        for one in list(Worker._instances):
            one.loop.add_callback(one.log_event, self.topic, sentence)
        time.sleep(1.0)  # until the message is on its way


@lru_cache(maxsize=1)
def _watch_strangers() -> _Reporter:
    """Begin to watch whether games go on, once in a process."""
    reporter = _Reporter()
    worker.report_to(reporter)
    Watch().start()
    return reporter
