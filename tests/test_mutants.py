"""A few faults put in on purpose must be noticed: the fixed set of `benchmarks/mutants.py`, and what a mutant is."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))
import mutants  # noqa: E402 - it lies beside the project


@pytest.mark.skipif(not hasattr(os, "fork"), reason="mutants run in forked processes")
def test_every_fault_of_the_fixed_set_is_noticed():
    command = [sys.executable, str(ROOT / "benchmarks" / "mutants.py"), "--fixed"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == "all 12 mutants were noticed\n"


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("x = a < b", {"x = a <= b"}),
        ("x = a + 1", {"x = a - 1", "x = a + 2"}),
        ("x = 0.5 * a", {"x = 0.5 + a", "x = 0.375 * a"}),
        ("if not a: x = 1", {"if a:\n    x = 1", "if not a:\n    x = 2"}),
        ("if a: b.c = d", {"if not a:\n    b.c = d", "if a:\n    pass"}),
        ("x = a and b", {"x = a or b"}),
        ("x += a", {"x -= a"}),
        ("x = True", {"x = False"}),
        ("'text'", set()),
        ("@kernel(inline=True)\ndef f(a: 1) -> 2: return a", set()),
    ],
)
def test_what_a_line_is_changed_to(line, changed, tmp_path):
    (tmp_path / "code.py").write_text(line + "\n")
    found = list(mutants.mutants_of(tmp_path, "code.py"))
    assert {one.source_in(tmp_path) for one in found} == {ast.unparse(ast.parse(text)) for text in changed}
    assert all(one.text in line for one in found)


def test_a_key_with_a_number_means_one_of_the_mutations_of_a_line_that_read_the_same(tmp_path):
    (tmp_path / "code.py").write_text("x = f(0, 0)\n")
    found = list(mutants.mutants_of(tmp_path, "code.py"))
    assert [one.source_in(tmp_path) for one in found if one.is_named("code.py", "x = f", "0 to 1 #2")] == [
        "x = f(0, 1)"
    ]
    assert [one.is_named("code.py", "x = f", "0 to 1") for one in found] == [True, True]


def test_every_mutant_named_as_equivalent_exists():
    files = {file for file, _, _ in mutants.EQUIVALENT}
    found = [one for file in files for one in mutants.mutants_of(ROOT, file)]
    stale = [
        (file, start, what)
        for file, start, what in mutants.EQUIVALENT
        if not any(one.is_named(file, start, what) for one in found)
    ]
    assert stale == []
