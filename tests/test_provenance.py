"""Where numbers come from, progress on stderr, and results as plain JSON."""

import json
import platform
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

from modernart.analysis import progress
from modernart.analysis.plain import plain, to_json, write_json
from modernart.analysis.provenance import commit, cost, provenance, versions

ROOT = Path(__file__).parent.parent


def test_versions_name_what_took_part():
    found = versions()
    assert list(found) == ["modern-art-simulator", "python", "numpy", "numba", "pandas", "scipy"]
    assert found["numpy"] == version("numpy")
    assert found["python"] == platform.python_version()


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a repository")
def test_commit_is_that_of_the_sources():
    head = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    assert commit().rstrip("+") == head.stdout.strip()


def test_provenance_tells_versions_commit_system_and_date():
    found = provenance()
    assert list(found) == ["release", "versions", "commit", "system", "date"]
    assert found["system"] == f"{platform.system()} {platform.machine()}"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", found["date"])


def test_cost_is_rounded_to_milliseconds():
    assert cost(1.23456, 2.0, 2) == {"seconds": 1.235, "cpu_seconds": 2.0, "threads": 2}


def test_what_is_not_a_number_becomes_null(tmp_path):
    value = {"a": np.float64("nan"), 1: [np.int64(3), float("inf")], "b": (np.bool_(True), "x")}
    assert plain(value) == {"a": None, "1": [3, None], "b": [True, "x"]}
    assert to_json({"a": float("-inf")}) == '{"a": null}'
    write_json(tmp_path / "x.json", value)
    assert json.loads((tmp_path / "x.json").read_text()) == {"a": None, "1": [3, None], "b": [True, "x"]}


def test_log_tells_every_stage_and_else_only_now_and_then(monkeypatch, capsys):
    now = 0.0
    monkeypatch.setattr(progress.time, "monotonic", lambda: now)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    with progress.progress_bar("games", 100) as (start, advance):
        start(0)
        now = 1.0
        advance(10, "money +1")
        now = 16.0
        advance(20, "money +2")  # 10 games took 15 seconds, and 80 are left
        advance(None, "held-out deals", is_stage=True)
        advance(100)
    assert capsys.readouterr().err == "20 games: money +2\n20 of 100 games: about 2 minutes to go\nheld-out deals\n"


def test_end_is_foretold_once_work_is_under_way_in_earnest(monkeypatch, capsys):
    now = 0.0
    monkeypatch.setattr(progress.time, "monotonic", lambda: now)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    with progress.progress_bar("games", 10_000) as (start, advance):
        start(100)
        # Nothing while workers begin, then faster and faster, then 10 games a second.
        for moment, n in ((5.0, 100), (9.0, 101), (11.0, 103), (13.0, 110), (15.0, 130), (16.0, 140), (17.0, 150)):
            now = moment
            advance(n)
            assert (n == 150) == ("to go" in capsys.readouterr().err)
