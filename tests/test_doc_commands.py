"""The commands in README.md and docs/ run as they stand.

A command in a code block is run literally unless it holds a placeholder, as `modernart report RUN` or `$bot` in a loop.
Those, and commands within sentences, are only held against the options of the command line. The commands of a document
run in one folder, one after the other; documents whose commands take minutes are marked slow.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from modernart.command_line import app

ROOT = Path(__file__).parent.parent
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "results" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
#: What the first columns of a command look like; other lines of code blocks are Python, TOML or output.
RUNNABLE = re.compile(r"(modernart |python benchmarks/\S+|[A-Z_]+=\S)")
#: Documents whose commands together take a minute at most.
QUICK = {"README.md", "CONTRIBUTING.md", "records.md", "rules.md", "read-the-report.md", "write-a-strategy.md"}


def code_lines(text):
    """Lines of the fenced and indented code blocks of a document."""
    fenced = False
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    "):
            yield line.strip()


def block_commands(text):
    """Commands in code blocks, as (command, whether it is run as it stands)."""
    for line in code_lines(text):
        # Behind two blanks or more stands a remark.
        command = re.split(r"\s{2,}", line)[0]
        if RUNNABLE.match(command):
            is_assignment = re.match(r"[A-Z_]+=", command)
            yield command, bool(is_assignment) or not re.search(r"(?<![\w$=])[A-Z]{2,}\b|\$[a-z]", command)


def table_commands(text):
    """Commands in the table of README.md, each to be pasted as it stands."""
    rows = [line for line in text.splitlines() if line.startswith("|")]
    return [command for row in rows for command in re.findall(r"`(modernart [^`]*)`", row)]


def check_options(command):
    """Fail unless the command line knows the command and every option that is given to it."""
    words = shlex.split(re.sub(r"\$\([^)]*\)|\$[A-Z]+", "", command))[1:]
    found = typer.main.get_command(app)
    while words and words[0] in getattr(found, "commands", {}):
        found = found.commands[words.pop(0)]
    assert not hasattr(found, "commands") or not words or found.params, f"there is no such command: {command}"
    known = {name for param in found.params for name in (*param.opts, *param.secondary_opts)} | {"--help", "-h"}
    given = {word.partition("=")[0] for word in words if re.match(r"-\D", word)}
    assert given <= known, f"{command}: there is no option {given - known}"


def run_all(commands, folder):
    """Run commands one after the other in a folder; variables set by a line hold for the lines below."""
    for name in ("results", "docs/house-rules"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for file in (ROOT / "docs" / "house-rules").iterdir():
        shutil.copy(file, folder)
    shutil.copytree(ROOT / "docs" / "games", folder / "docs" / "games")
    (folder / "benchmarks").symlink_to(ROOT / "benchmarks")
    (folder / "modernart").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m modernart "$@"\n')
    (folder / "modernart").chmod(0o755)
    env = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "src"),
        "XDG_DATA_HOME": str(folder / "data"),  # games that are left stay out of the user's own
        "PATH": f"{folder}:{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    variables = ""
    for command in commands:
        if re.match(r"[A-Z_]+=", command):
            variables += command + "\n"
            continue
        script = f"set -euo pipefail\n{variables}{command}\n"
        done = subprocess.run(["bash", "-c", script], cwd=folder, env=env, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}\n{done.stderr[-2000:]}"


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[] if path.name in QUICK else pytest.mark.slow) for path in DOCUMENTS],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_commands_of_the_document_run_as_they_stand(path, tmp_path):
    text = path.read_text(encoding="utf-8")
    commands = [command for command, is_run in block_commands(text) if is_run]
    if path.name == "README.md" and path.parent == ROOT:
        commands += table_commands(text)
        assert len(commands) > 10
    run_all(commands, tmp_path)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_options_in_the_document_exist(path):
    text = path.read_text(encoding="utf-8")
    inline = [" ".join(command.split()) for command in re.findall(r"`(modernart [a-z][^`]*)`", text)]
    for command in [*inline, *(command for command, _ in block_commands(text) if command.startswith("modernart"))]:
        check_options(command)
        assert "..." not in command, f"{command} fails for a reader who pastes it"


def test_line_that_installs_and_tests_is_the_one_that_the_readme_gives():
    install = "python3 -m venv .venv && .venv/bin/pip install -q -e '.[test]'"
    assert install in (ROOT / "README.md").read_text(encoding="utf-8")
    assert install in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_checks_of_this_file_notice_what_they_should():
    lines = [
        "modernart replay games.jsonl --line 2",
        "modernart check-bot mybot.py   is it fit?",
        "modernart report RUN",
    ]
    assert list(block_commands("\n".join(["```", *lines, "```"]))) == [
        ("modernart replay games.jsonl --line 2", True),
        ("modernart check-bot mybot.py", True),
        ("modernart report RUN", False),
    ]
    with pytest.raises(AssertionError, match=r"there is no option .*--nonsense"):
        check_options("modernart duel a b --nonsense 3")
