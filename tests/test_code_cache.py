"""Where compiled code is kept, and what a run does with damaged files, old folders and machines without a place."""

import importlib.util
import os
import re
import subprocess
import sys
import time

import pytest

from modernart.simulator import code_cache, compiling
from modernart.simulator.jit import JIT_DISABLED, kernel

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")

SOURCE = "def triple(x):\n    return 3 * x\n"


@pytest.fixture
def cache_at(monkeypatch):
    """Keep compiled code in another folder during a test."""

    def use(folder):
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
        code_cache._folder_of.cache_clear()
        return folder

    yield use
    monkeypatch.undo()
    code_cache._folder_of.cache_clear()


@pytest.fixture
def triple(tmp_path):
    """A function in a file of its own."""
    path = tmp_path / "tripling.py"
    path.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("tripling", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.triple.code_place = "tripling"
    return module.triple


def played(function):
    """Call a freshly decorated kernel; returns its answer, and whether its code came from the cache."""
    compiled = kernel(function)
    return compiled(14), sum(compiled.stats.cache_hits.values()) == 1


def test_code_is_kept_from_one_run_to_the_next(cache_at, tmp_path, triple):
    cache_at(tmp_path / "code")
    assert played(triple) == (42, False)
    assert played(triple) == (42, True)
    folders = list((tmp_path / "code").iterdir())
    assert folders == [code_cache.strategy_folder()]
    assert folders[0].name.startswith("strategies-")


def test_code_of_which_cannot_be_told_what_it_depends_on_is_not_kept(cache_at, tmp_path, triple):
    cache_at(tmp_path / "code")
    del triple.code_place
    assert played(triple) == (42, False)
    assert played(triple) == (42, False)
    assert not (tmp_path / "code").exists()


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("n_left", [0, 1, 20])
def test_a_damaged_file_is_compiled_anew(cache_at, tmp_path, triple, ending, n_left):
    cache_at(tmp_path / "code")
    played(triple)
    (path,) = (tmp_path / "code").rglob(f"*.{ending}")
    path.write_bytes(path.read_bytes()[:n_left])
    assert played(triple) == (42, False)
    assert played(triple) == (42, True)


def test_a_damaged_index_counts_as_no_code(cache_at, tmp_path, triple):
    cache_at(tmp_path / "code")
    compiled = kernel(triple)
    compiled(14)
    assert code_cache.has_code(compiled)
    (path,) = (tmp_path / "code").rglob("*.nbi")
    path.write_bytes(path.read_bytes()[:20])
    assert not code_cache.has_code(compiled)


def test_without_a_place_for_code_each_run_compiles_and_says_so_once(cache_at, tmp_path, triple, monkeypatch, capsys):
    (tmp_path / "file").write_text("")
    cache_at(tmp_path / "file" / "code")
    assert played(triple) == (42, False)
    assert played(triple) == (42, False)
    assert not list(tmp_path.rglob("*.nb?"))
    monkeypatch.setattr(compiling, "_is_watching", False)
    monkeypatch.setattr(compiling.event, "register", lambda kind, listener: None)
    compiling.announce_compilation()
    compiling.announce_compilation()
    told = capsys.readouterr().err
    assert told == f"{compiling._HINT}\n"
    assert "set NUMBA_CACHE_DIR to a folder that can be written" in told


def test_without_a_home_nothing_is_kept(monkeypatch, cache_at):
    cache_at("")
    monkeypatch.setattr(code_cache.platformdirs, "user_cache_dir", lambda name: f"~/.cache/{name}")
    assert code_cache.strategy_folder() is None
    assert not code_cache.can_keep()


def test_an_empty_folder_name_means_the_users_cache(monkeypatch, cache_at, tmp_path):
    cache_at("")
    monkeypatch.setattr(code_cache.platformdirs, "user_cache_dir", lambda name: str(tmp_path / name))
    assert code_cache.simulator_folder().parent == tmp_path / "modernart"


def test_an_import_writes_and_deletes_nothing(tmp_path):
    old = tmp_path / "strategies-0123456789abcdef"
    old.mkdir()
    os.utime(old, (0, 0))
    code = "import modernart.strategies.registry, modernart.simulator.batch"
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}, check=True)
    assert list(tmp_path.iterdir()) == [old]


def test_a_run_deletes_code_unused_for_two_weeks_and_nothing_else(cache_at, tmp_path):
    cache_at(tmp_path)
    day = 24 * 3600
    ages = {"strategies-0123456789abcdef": 15, "simulator-0123456789abcdef": 13, "other-0123456789abcdef": 99}
    for name, days in ages.items():
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (0, time.time() - days * day))
    in_use = code_cache.strategy_folder()
    in_use.mkdir()
    os.utime(in_use, (0, 0))
    code_cache.delete_unused()
    assert {path.name for path in tmp_path.iterdir()} == {*list(ages)[1:], in_use.name}


def test_compiling_that_takes_its_time_is_told(monkeypatch, capsys):
    monkeypatch.setattr(compiling, "_PATIENCE", 0.5)
    watcher = compiling._Watcher()
    watcher.on_start(None)
    watcher.on_start(None)
    watcher.on_end(None)
    time.sleep(1.5)
    watcher.on_end(None)
    assert re.fullmatch(r"compiling for this machine, once: \d s, 1 functions\n", capsys.readouterr().err)
    # Short ones add up, and say no more than a line in a while.
    watcher.on_start(None)
    watcher.on_end(None)
    assert capsys.readouterr().err == ""


def test_compiling_that_is_quick_is_not_told(capsys):
    watcher = compiling._Watcher()
    watcher.on_start(None)
    watcher.on_end(None)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("body", "answer", "needs_more"),
    [("3.0 * x.sum()", "9.0", False), ("np.dot(x, x)", "5.0", True)],
    ids=["plain", "calls-a-library-of-numba"],
)
def test_saved_code_is_loaded_without_what_only_compiling_needs_if_it_can_do_without(
    tmp_path, body, answer, needs_more
):
    (tmp_path / "using.py").write_text(
        "import sys\n"
        "import numpy as np\n"
        "from modernart.simulator.jit import kernel\n"
        f"def use(x):\n    return {body}\n"
        "use.code_place = 'using'\n"
        "compiled = kernel(use)\n"
        "answer = compiled(np.array([1.0, 2.0]))\n"
        "print(answer, sum(compiled.stats.cache_hits.values()), 'numba.typed.dictimpl' in sys.modules)\n"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "code")}

    def run():
        command = [sys.executable, tmp_path / "using.py"]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()

    assert run() == [answer, "0", "True"]
    assert run() == [answer, "1", str(needs_more)]


def test_an_inlined_helper_is_compiled_once_however_many_numbers_call_it():
    @kernel(inline=True, cache=False)
    def times(x, n):
        return x * n

    @kernel(cache=False)
    def total(x):
        return times(x, 2) + times(x, 3) + times(x, x)

    assert total(5) == 50
    assert [str(signature) for signature in times.signatures] == ["(int64, int64)"]
