"""Dask as a scheduler: pieces of blocks are its tasks, and the command adds up what comes back, in any order."""

import contextlib
import itertools
import logging
import os
import pickle
import queue
import secrets
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from typing import Any

from modernart.simulator.cores import usable_cores
from modernart.simulator.errors import ModernArtError, RunError, UsageError
from modernart.simulator.scheduling import Order, Piece, Work, playing_elsewhere
from modernart.strategies.loading import FILES_READ

#: Seconds that a piece should take: at least so many, and so many for each worker. The command needs some
#: hundredths of a second to send a piece out and to add up what came of it.
LEAST_SECONDS, SECONDS_A_WORKER = 1.0, 0.08
#: Blocks of a first piece, whose pace is not known yet; by what factor pieces may grow.
_FIRST_BLOCKS, _GROWTH = 32, 8
#: Pieces for each worker that are out at once: one is played, one waits for its turn.
_PIECES_A_WORKER = 2
#: Seconds to wait for a scheduler to answer at first and later, for a first worker, and between two looks at the clock.
_ANSWER_SECONDS, _SILENCE_SECONDS, _WORKER_SECONDS, _TICK = 10.0, 30.0, 60.0, 0.2
#: How often workers are started until they all live.
_STARTS = 3
#: How many workers may die over one piece before it is given up.
_MOST_DEATHS = 4


@contextlib.contextmanager
def cluster(address: str | None, n_workers: int | None = None) -> Iterator[None]:
    """Let a Dask cluster play all that is asked for in the meantime.

    Parameters
    ----------
    address : str, optional
        Of a scheduler that runs already, `tcp://HOST:PORT`; default: workers on this machine, one thread each.
    n_workers : int, optional
        Of these; default: one for each core.

    Raises
    ------
    UsageError
        If Dask is not installed.
    """
    if find_spec("distributed") is None:
        raise UsageError("this scheduler needs Dask: pip install 'modern-art-simulator[cluster]'")
    FILES_READ.watch()
    scheduler = DaskScheduler(address, n_workers)
    try:
        with playing_elsewhere(scheduler):
            yield
    finally:
        scheduler.close()


@dataclass(frozen=True)
class _Sent:
    """A piece that is being played."""

    future: Any
    order: int
    first_block: int
    n_blocks: int
    kind: tuple
    parcel: bytes


class DaskScheduler:
    """Plays blocks on the workers of a Dask cluster, which starts or is called when the first are asked for.

    Parameters
    ----------
    address : str, optional
    n_workers : int, optional
        As for `cluster`.
    """

    def __init__(self, address: str | None = None, n_workers: int | None = None) -> None:
        self._address = address
        self._n_wanted = n_workers or usable_cores()
        self._client: Any = None
        self._local: Any = None
        self._said: list[str] = []
        self._baggage: Any = b""
        self._digest = ""
        self._paces: dict[tuple, float] = {}
        self._topic = f"modernart-{secrets.token_hex(4)}"
        self._numbers = itertools.count()
        self._counted_at = -1.0
        self._n_workers = 0

    @property
    def n_threads(self) -> int:
        """How many threads play."""
        if self._client is None:
            return self._n_wanted
        with self._naming_a_loss():
            return sum(self._ask(self._client.scheduler.ncores).values()) or self._n_wanted

    def pieces(self, orders: Sequence[Order]) -> Iterator[Piece | None]:
        """Yield pieces as workers finish them.

        Raises
        ------
        RunError
            If the cluster is lost, or a piece cannot be played. Errors of strategies are raised as they are here.
        """
        with self._naming_a_loss():
            self._connect()
            self._send_baggage()
        waiting = _Waiting(orders)
        out: dict[str, _Sent] = {}
        done: queue.SimpleQueue[str] = queue.SimpleQueue()
        try:
            while waiting or out:
                with self._naming_a_loss():
                    self._send(waiting, out, done)
                piece = None
                with contextlib.suppress(queue.Empty):
                    sent = out.pop(done.get(timeout=_TICK))
                    if sent.future.status in ("cancelled", "lost"):
                        self._check_connection()
                        self._submit(replace(sent, future=None), out, done)
                    else:
                        piece = self._received(sent, orders[sent.order].work)
                if self._said:
                    raise RunError(self._said[0])
                yield piece
        finally:
            for sent in out.values():
                with contextlib.suppress(Exception):
                    sent.future.cancel()

    def _send(self, waiting: "_Waiting", out: dict[str, _Sent], done: "queue.SimpleQueue[str]") -> None:
        """Send out as many pieces as the workers can do with."""
        from modernart.analysis.cluster.travelling import code_of, pack

        most = _PIECES_A_WORKER * self._workers()
        while waiting and len(out) < most:
            kind = _kind_of(waiting.order.work)
            if self._local is not None and kind not in self._paces and any(sent.kind == kind for sent in out.values()):
                return  # One worker compiles; the others then find the code on disk.
            code = waiting.once(code_of)
            number, work, first, n = waiting.take(self._size(kind, waiting))
            parcel = pack(work.part(first, n), code)
            self._submit(_Sent(None, number, first, n, kind, parcel), out, done)

    def _submit(self, sent: _Sent, out: dict[str, _Sent], done: "queue.SimpleQueue[str]") -> None:
        """Send out a piece."""
        from modernart.analysis.cluster.on_worker import play_piece

        key = f"{self._topic}-{next(self._numbers)}"
        what = (self._topic, self._baggage, sent.parcel, sent.first_block, sent.n_blocks)
        future = self._client.submit(play_piece, *what, key=key, pure=False)
        out[key] = replace(sent, future=future)
        future.add_done_callback(lambda finished: done.put(finished.key))

    def _check_connection(self) -> None:
        """Ask the scheduler whether it is there: it forgets pieces where a connection breaks for a moment."""
        with self._naming_a_loss():
            self._ask(self._client.scheduler.identity)
            if self._baggage:
                self._digest = ""
                self._send_baggage()

    def _size(self, kind: tuple, waiting: "_Waiting") -> int:
        """Return how many blocks the next piece should have."""
        pace = self._paces.get(kind)
        if pace is None:
            return _FIRST_BLOCKS
        n_workers = max(self._workers(), 1)
        seconds = max(LEAST_SECONDS, SECONDS_A_WORKER * n_workers)
        # Towards the end pieces get smaller, so that all workers are done at about the same time.
        shared = -(-waiting.n_left // (_PIECES_A_WORKER * n_workers))
        return max(1, min(int(seconds / pace), max(shared, int(0.05 / pace))))

    def _received(self, sent: _Sent, work: Work) -> Piece:
        """Return the piece that a future holds."""
        from modernart.analysis.cluster.travelling import grow

        if sent.future.status == "error":
            raise self._fault(sent, work)
        with self._naming_a_loss():
            content, seconds = sent.future.result(timeout=_WORKER_SECONDS)
        pace = seconds / sent.n_blocks
        before = self._paces.get(sent.kind)
        # The first piece may include the compilation: the pace may then grow by a factor at most.
        self._paces[sent.kind] = pace if before is None else max(pace, before / _GROWTH)
        return Piece(sent.order, sent.first_block, sent.n_blocks, grow(content))

    def _fault(self, sent: _Sent, work: Work) -> Exception:
        """Return what to raise for a piece that could not be played."""
        from distributed.scheduler import KilledWorker

        error = sent.future.exception()
        if isinstance(error, ModernArtError):
            return error
        seats = work.rules.players
        games = f"games {sent.first_block * seats} to {(sent.first_block + sent.n_blocks) * seats - 1}"
        if isinstance(error, KilledWorker):
            if self._said:
                return RunError(self._said[0])
            strangers = [player.name for player in work.players if player.trial is not None]
            if strangers:
                names = " or ".join(f'"{name}"' for name in dict.fromkeys(strangers))
                return RunError(f"strategy {names} ended {_MOST_DEATHS} workers, one after another, in {games}")
            return RunError(f"{_MOST_DEATHS} workers died, one after another, over {games}; have they memory enough?")
        return RunError(f"a worker cannot play {games}: {type(error).__name__}: {error}")

    def _workers(self) -> int:
        """Return how many workers there are; asked for now and then."""
        if time.monotonic() - self._counted_at > 1.0:
            self._n_workers = len(self._ask(self._client.scheduler.ncores))
            self._counted_at = time.monotonic()
        return self._n_workers

    def _ask(self, question: Callable[..., Any]) -> Any:
        """Return the scheduler's answer; one that has gone does not let us wait for ever."""
        return self._client.sync(question, callback_timeout=_SILENCE_SECONDS)

    def _connect(self) -> None:
        """Start the workers, or call the cluster."""
        if self._client is not None:
            return
        _quieten()
        from distributed import Client, Security

        if self._address and self._address.startswith("tls") and not Security().tls_client_cert:
            raise UsageError(
                "tls:// needs your certificate: set DASK_DISTRIBUTED__COMM__TLS__CA_FILE, "
                "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT and DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY"
            )
        if self._address is None:
            self._local = _workers_here(self._n_wanted)
        try:
            self._client = Client(self._local or self._address, timeout=_ANSWER_SECONDS, set_as_default=False)
        except OSError as error:
            raise RunError(f"no Dask scheduler answers at {self._name}: {error}") from None
        self._client.subscribe_topic(self._topic, lambda event: self._said.append(event[1]))
        until = time.monotonic() + _WORKER_SECONDS
        # Asked again and again: Dask's own way to wait does not notice that the scheduler has gone.
        while not self._workers():
            if time.monotonic() > until:
                raise RunError(f"the Dask cluster at {self._name} has no workers")
            time.sleep(_TICK)

    @property
    def _name(self) -> str:
        return self._address or "this machine"

    def _send_baggage(self) -> None:
        """Send the files of the strategies, if there are any and they are not there yet."""
        from modernart.analysis.cluster.on_worker import hold
        from modernart.analysis.cluster.travelling import baggage

        files = baggage()
        if files.files and files.digest != self._digest:
            self._digest = files.digest
            content = pickle.dumps(files, protocol=5)
            # A task and no scattered data: Dask makes it again where the worker that held it has died.
            key = f"{self._topic}-files-{next(self._numbers)}"
            self._baggage = self._client.submit(hold, content, key=key)

    @contextlib.contextmanager
    def _naming_a_loss(self) -> Iterator[None]:
        from concurrent.futures import CancelledError

        try:
            yield
        except ModernArtError:
            raise
        except (OSError, TimeoutError, CancelledError, RuntimeError) as error:
            raise self._loss() from error

    def _loss(self) -> RunError:
        return RunError(
            f"the Dask scheduler at {self._name} was lost; what was saved is kept: give the same command again to go on"
        )

    def close(self) -> None:
        """Let go of the cluster; workers on this machine end at once, as they hold nothing that is still wanted."""
        for nanny in list(self._local.workers.values()) if self._local is not None else ():
            nanny.auto_restart = False
            with contextlib.suppress(OSError, TypeError):
                os.kill(nanny.pid, signal.SIGKILL)
        for one in (self._client, self._local):
            if one is not None:
                with contextlib.suppress(Exception):
                    one.close(timeout=1)
        self._client = self._local = None


def _workers_here(n_workers: int) -> Any:
    """Start workers on this machine; once more if one of them dies while they start."""
    from distributed import LocalCluster

    start = partial(
        LocalCluster,
        n_workers=n_workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
    )
    for _ in range(_STARTS - 1):
        with contextlib.suppress(RuntimeError, OSError):
            return start()
    return start()


def _kind_of(work: Work) -> tuple:
    """Return what works have in common that take about equally long."""
    names = (player.name.partition("(")[0].partition(" #")[0] for player in work.players)
    return (type(work).__name__, getattr(work, "study", ""), getattr(work, "repeats", 1), *sorted(set(names)))


class _Waiting:
    """Blocks that are still to be sent out, order by order."""

    def __init__(self, orders: Sequence[Order]) -> None:
        self._orders = [order for order in enumerate(orders) if order[1].first_block < order[1].last_block]
        self._orders.reverse()
        self._next: int | None = None
        self.n_left = sum(order.last_block - order.first_block for _, order in self._orders)
        self._kept = (-1, "")

    def __bool__(self) -> bool:
        return bool(self._orders)

    @property
    def order(self) -> Order:
        """The order that comes next."""
        return self._orders[-1][1]

    def once(self, make: Callable[[Work], str]) -> str:
        """Return what a function makes of the work of the next order; called once for each order."""
        if self._kept[0] != self._orders[-1][0]:
            self._kept = self._orders[-1][0], make(self.order.work)
        return self._kept[1]

    def take(self, n: int) -> tuple[int, Work, int, int]:
        """Take up to `n` blocks out; returns the number of their order, its work, the first of them, and how many."""
        number, order = self._orders[-1]
        first = order.first_block if self._next is None else self._next
        n = min(n, order.last_block - first)
        self._next = first + n
        self.n_left -= n
        if self._next == order.last_block:
            self._orders.pop()
            self._next = None
        return number, order.work, first, n


def _quieten() -> None:
    """Keep what Dask logs of lost workers off the terminal: what matters is told in a sentence."""
    import dask
    import distributed  # reads its own settings first

    dask.config.set({"distributed.scheduler.allowed-failures": _MOST_DEATHS - 1})
    dask.config.set({"distributed.comm.timeouts.connect": _ANSWER_SECONDS})
    dask.config.set({"logging": dict.fromkeys(("distributed", "distributed.client"), "critical")})
    for name in [distributed.__name__, "tornado.application", *logging.root.manager.loggerDict]:
        if name.startswith((distributed.__name__, "tornado")):
            logging.getLogger(name).setLevel(logging.CRITICAL)
