"""The installed package: one import name, whatever lies beside the user's script or in site-packages."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PARTS = ("simulator", "strategies", "analysis")

USER_SCRIPT = """
import analysis, simulator, strategies
assert [analysis.MINE, simulator.MINE, strategies.MINE] == ["analysis", "simulator", "strategies"]

import modernart.analysis.plain, modernart.simulator.rules, modernart.strategies.bidders
from modernart.simulator.errors import UsageError
from modernart.simulator.records import RecordError, replay_record
print(modernart.simulator.rules.load_edition("classic").rules(4).players)
"""


def python(*args, cwd, **env):
    """Run Python in a folder as a user would, with `modernart` found as it is in this run of the tests."""
    paths = str(ROOT / "src")
    done = subprocess.run(
        [sys.executable, *args], cwd=cwd, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": paths, **env}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_script_beside_packages_of_the_same_names_keeps_its_own(tmp_path):
    for name in PARTS:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f'MINE = "{name}"\n')
    (tmp_path / "script.py").write_text(USER_SCRIPT)
    assert python("script.py", cwd=tmp_path) == "4\n"


def test_modernart_runs_as_a_module_from_any_folder(tmp_path):
    (tmp_path / "analysis").mkdir()
    (tmp_path / "analysis" / "__init__.py").write_text('raise ImportError("the analysis of the user")\n')
    assert python("-m", "modernart", "--version", cwd=tmp_path).startswith("modern-art-simulator ")


def source_tree(folder, links):
    """Copy what a checkout holds, with `src/modernart/` as links or, where a system makes none, text files."""
    package = folder / "src" / "modernart"
    package.mkdir(parents=True)
    keep = ("pyproject.toml", "setup.py", "README.md", "LICENSE", *PARTS)
    for name in keep:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy(source, folder / name)
    for path in (ROOT / "src" / "modernart").iterdir():
        if path.is_file():
            shutil.copy(path, package / path.name)
        elif not path.is_symlink() and path.name != "__pycache__":
            shutil.copytree(path, package / path.name, ignore=shutil.ignore_patterns("__pycache__"))
    for part in PARTS:
        if links:
            (package / part).symlink_to(f"../../{part}")
        else:
            (package / part).write_text(f"../../{part}")
    return folder


@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
def test_wheel_holds_nothing_but_modernart_at_top_level(tmp_path, links):
    pytest.importorskip("wheel", reason="setuptools builds wheels with the package `wheel`")
    tree = source_tree(tmp_path / "tree", links)
    options = ("--no-build-isolation", "--no-deps", "--no-index", "--quiet", "--wheel-dir", str(tmp_path))
    python("-m", "pip", "wheel", *options, ".", cwd=tree)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path / "site")
    version = wheel.name.split("-")[1]
    assert {name.split("/")[0] for name in names} == {"modernart", f"modern_art_simulator-{version}.dist-info"}
    # Every source and data file of the repository is there, and `py.typed` for type checkers.
    here = {str(path.relative_to(ROOT)) for part in PARTS for path in (ROOT / part).rglob("*") if path.is_file()}
    wanted = {name for name in here if "__pycache__" not in name} | {"py.typed", "__main__.py", "command_line.py"}
    wanted |= {f"rl/{path.name}" for path in (ROOT / "src" / "modernart" / "rl").glob("*.py")}
    assert {f"modernart/{name}" for name in wanted} <= names
    shown = python("-m", "modernart", "editions", "show", "--json", cwd=tmp_path, PYTHONPATH=str(tmp_path / "site"))
    assert '"name": "classic"' in shown


def test_checkout_without_links_imports_its_parts_from_the_top_of_the_repository(tmp_path):
    tree = source_tree(tmp_path / "tree", links=False)
    code = "import modernart.simulator.rules as rules; print(rules.__file__)"
    shown = python("-c", code, cwd=tmp_path, PYTHONPATH=str(tree / "src"))
    assert Path(shown.strip()).resolve() == (tree / "simulator" / "rules.py").resolve()


def test_type_checker_sees_the_types_of_an_editable_install(tmp_path):
    pytest.importorskip("mypy", reason="mypy comes with the extra `test`")
    script = tmp_path / "script.py"
    script.write_text(
        "from modernart.simulator.rules import load_edition\nreveal_type(load_edition('classic').rules(4))\n"
    )
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), str(script)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
    )
    assert 'Revealed type is "modernart.simulator.rules.Rules"' in found.stdout, found.stdout
