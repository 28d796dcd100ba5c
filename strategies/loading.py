"""Running the files of strangers: in a worker process, and with one sentence for whatever they do."""

from collections.abc import Iterator
from contextlib import contextmanager

from modernart.simulator import worker
from modernart.simulator.errors import BotError
from modernart.simulator.jit import JIT_DISABLED


@contextmanager
def foreign_code(name: str) -> Iterator[None]:
    """Load code of strangers.

    Parameters
    ----------
    name : str
        What is loaded, as a message names it.

    Raises
    ------
    BotError
        If the code raises anything, or asks to exit.
    WorkerNeeded
        If it is to be loaded in a worker process. With the JIT off there is none, for the debugger's sake.
    """
    if JIT_DISABLED:
        worker.offer(False)
    with worker.loading(name):
        try:
            yield
        except SystemExit as stop:
            raise BotError(
                f"{name} does not load: it calls sys.exit({stop.code if stop.code is not None else ''})"
            ) from None
        except (KeyboardInterrupt, worker.WorkerNeeded):
            raise
        except BaseException as error:
            raise BotError(f"{name} does not load: {type(error).__name__}: {error}") from error
