"""The borders between the packages, read from the sources."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PARTS = ("simulator", "strategies", "analysis")
OURS = {*PARTS, "command line", "naive", "tests", "benchmarks"}

#: What the modules of a package may import of the project.
MAY_IMPORT = {
    "simulator": {"simulator"},
    "strategies": {"simulator", "strategies"},
    "analysis": {"simulator", "strategies", "analysis"},
}
HEAVY = {"numpy", "numba", "pandas", "pyarrow", "scipy", "matplotlib", "pydantic", "jinja2", "cmaes", "choix"}


def part_of(module: str) -> str:
    """The part of the project that a module belongs to, else its top-level name."""
    top, *rest = module.split(".")
    if top != "modernart":
        return top
    return rest[0] if rest and rest[0] in PARTS else "command line"


def imported(nodes: list[ast.stmt]) -> Iterator[str]:
    """Parts of the project, or top-level names, of all modules that these statements import, however deep."""
    for node in (inner for outer in nodes for inner in ast.walk(outer)):
        if isinstance(node, ast.Import):
            yield from (part_of(alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level <= 1, "an import from further up would hide a border"
            if node.level == 0:
                yield from (part_of(f"{node.module}.{alias.name}") for alias in node.names)


def files_of(folder: str) -> list[Path]:
    """Sources of a folder, which must not be empty: a check of no file would always pass."""
    paths = sorted((ROOT / folder).rglob("*.py"))
    assert paths
    return paths


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_run_one_way_from_analysis_over_strategies_to_simulator(package):
    for path in files_of(package):
        wrong = set(imported(ast.parse(path.read_text()).body)) & OURS - MAY_IMPORT[package]
        assert not wrong, f"{path.relative_to(ROOT)} must not import {wrong}"


def test_learning_stands_on_the_strategies_and_nothing_imports_it():
    for path in files_of("src/modernart/rl"):
        modules = re.findall(r"^\s*(?:from|import) (modernart\S*)", path.read_text(), re.MULTILINE)
        wrong = {name for name in modules if not re.match(r"modernart\.(rl|simulator|strategies)\b", name)}
        assert not wrong, f"{path.name} must not import {wrong}"
    for path in (path for part in PARTS for path in files_of(part)):
        assert "modernart.rl" not in path.read_text(), f"{path.relative_to(ROOT)} must not import modernart.rl"


def test_naive_twin_shares_no_code_with_the_project():
    for path in files_of("tests/naive"):
        wrong = set(imported(ast.parse(path.read_text()).body)) & OURS - {"naive"}
        assert not wrong, f"{path.relative_to(ROOT)} must not import {wrong}"


def test_commands_are_found_in_every_file_named_after_them():
    from modernart.command_line import app

    modules = {command.callback.__module__ for command in app.registered_commands}
    files = {path for part in PARTS for path in (ROOT / part).rglob("*commands.py")}
    # `editions compare` is a command of the group `editions`, which stands in the simulator.
    files.discard(ROOT / "analysis" / "comparing" / "edition_commands.py")
    assert {path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".") for path in files} == {
        module.removeprefix("modernart.") for module in modules
    }


@pytest.mark.parametrize("path", [path for part in PARTS for path in files_of(part) if path.stem.endswith("commands")])
def test_commands_import_nothing_heavy_before_they_run(path):
    body = ast.parse(path.read_text()).body
    at_import = [
        node
        for node in body
        if not isinstance(node, ast.FunctionDef) and "TYPE_CHECKING" not in ast.unparse(node).partition("\n")[0]
    ]
    assert not set(imported(at_import)) & HEAVY


def test_help_loads_no_heavy_library():
    unwanted = HEAVY - {"pydantic"} | {"modernart.simulator.rules"}  # Typer reads options with pydantic
    code = (
        "import sys, modernart.command_line\n"
        "try:\n    modernart.command_line.app(['editions', 'show', '--help'])\n"
        "except SystemExit as stop:\n    assert stop.code == 0\n"
        f"print('loaded:', *sorted({unwanted!r} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.splitlines()[-1] == "loaded:"


def test_every_file_that_the_map_names_exists():
    text = (ROOT / "ARCHITECTURE.md").read_text()
    sections = re.split(
        r"^## (simulator|strategies|analysis|src/modernart/rl)/", text.partition("## Words")[0], flags=re.MULTILINE
    )[1:]
    for part, section in zip(sections[::2], sections[1::2], strict=True):
        rows = [line for line in section.splitlines() if line.startswith("| `")]
        names = {name for row in rows for name in re.findall(r"`([a-z_/]+(?:\.py|\.toml|/))`", row)}
        assert len(names) > 5
        missing = {name for name in names if not list((ROOT / part).rglob(name.rstrip("/")))}
        assert not missing, f"{part}/: {missing}"
