"""The benchmark that listens to commands: it times what a terminal shows, and knows every command."""

import importlib.util
import sys
from pathlib import Path

import pytest
import typer

from modernart.command_line import app

_SPEC = importlib.util.spec_from_file_location("silence", Path(__file__).parents[1] / "benchmarks" / "silence.py")
silence = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(silence)


def listen_to(code, monkeypatch, tmp_path):
    monkeypatch.setattr(silence, "_command", lambda words: [sys.executable, "-c", code])
    return silence.listen("runs", str(tmp_path))


def test_longest_silence_is_found_with_the_words_before_it(monkeypatch, tmp_path):
    code = "import sys, time; print('one'); time.sleep(0.2); print('two'); time.sleep(1.5); print('three'); sys.exit(3)"
    quiet, busy, whole, exit_code, after = listen_to(code, monkeypatch, tmp_path)
    assert 1.4 < quiet < whole
    assert (exit_code, after) == (3, "two")
    assert busy < 1.0


def test_work_in_silence_is_counted(monkeypatch, tmp_path):
    code = "import time; print('one'); [0 for _ in iter(lambda: time.process_time() < 0.7, False)]; print('two')"
    assert listen_to(code, monkeypatch, tmp_path)[1] == pytest.approx(0.7, abs=0.2)


def test_every_command_is_listened_to():
    def names(command, before=""):
        for name, part in getattr(command, "commands", {}).items():
            yield from names(part, f"{before}{name} ") if hasattr(part, "commands") else [f"{before}{name}"]

    known = set(names(typer.main.get_command(app)))
    lines = [f"{words} " for words in silence.COMMANDS.values()]
    assert {"tournament", "editions compare"} < known
    assert known == {name for name in known if any(line.startswith(f"{name} ") for line in lines)}
