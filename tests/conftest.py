"""What all tests share."""

import subprocess
import sys

import pytest


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernels once before parallel workers start, as these must not build one cache together."""
    config = session.config
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        return
    # A failure is left to the tests, which tell more about it.
    subprocess.run(
        [sys.executable, "-m", "modernart", "bench", "--games", "8", "--json"], capture_output=True, check=False
    )
