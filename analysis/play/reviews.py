"""Reviews of finished games: each runs in a thread of its own while the page asks how far it is."""

import threading
from dataclasses import dataclass
from typing import Any

from modernart.analysis.play.replay_page import replay_page
from modernart.analysis.table.review import marks_of, n_decisions, review_record
from modernart.analysis.table.review_page import review_page
from modernart.simulator.errors import UsageError
from modernart.simulator.records import Record


@dataclass
class _Job:
    """A review under way.

    Parameters
    ----------
    total : int
        Decisions of the game.
    done : int
        Decisions judged so far.
    pages : tuple of str
        The review, and the game with its mistakes marked; empty until the review is done.
    error : str
        Why there is no review.
    """

    total: int
    done: int = 0
    pages: tuple[str, ...] = ()
    error: str = ""


class Reviews:
    """The reviews of a server, one at a time.

    Parameters
    ----------
    rollouts : int
        Playouts of each decision.
    """

    def __init__(self, rollouts: int = 1000) -> None:
        self._rollouts = rollouts
        self._jobs: dict[str, _Job] = {}
        self._lock = threading.Lock()
        self._turn = threading.Lock()

    def start(self, name: str, record: Record) -> dict[str, Any]:
        """Begin the review of a game, unless it has begun; returns how far it is."""
        with self._lock:
            if name not in self._jobs:
                self._jobs[name] = _Job(n_decisions(record))
                threading.Thread(target=self._run, args=(self._jobs[name], record), daemon=True).start()
        return self.progress(name)

    def progress(self, name: str) -> dict[str, Any]:
        """Return how far a review is, as plain data."""
        job = self._job(name)
        return {"done": job.done, "total": job.total, "is_ready": bool(job.pages), "error": job.error}

    def page(self, name: str, number: int) -> str:
        """Return the review (0), or the game with its mistakes marked (1).

        Raises
        ------
        UsageError
            If it is not done yet.
        """
        pages = self._job(name).pages
        if not pages:
            raise UsageError("the review is not done yet")
        return pages[number]

    def _job(self, name: str) -> _Job:
        with self._lock:
            if name not in self._jobs:
                raise UsageError("this game has no review yet")
            return self._jobs[name]

    def _run(self, job: _Job, record: Record) -> None:
        def note(done: int) -> None:
            job.done = done

        try:
            with self._turn:
                found = review_record(record, rollouts=self._rollouts, on_progress=note)
            facts = f"Edition {record['rules']['edition']}; rivals are thought to be strong."
            page = review_page(found, "The game, looked back at", facts)
            job.pages = (page, replay_page(record, marks=marks_of(found)))
        except Exception as error:
            # The thread has nobody to raise it to: the page shows it.
            job.error = str(error) or type(error).__name__
