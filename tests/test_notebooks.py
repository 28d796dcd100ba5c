"""The notebooks of docs/notebooks run as plain scripts, beside a user's own folder `analysis/`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.py"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_a_notebook_runs_as_a_script(path, tmp_path):
    (tmp_path / "analysis").mkdir()
    (tmp_path / "analysis" / "__init__.py").write_text("MINE = True\n")
    script = tmp_path / path.name
    script.write_text(path.read_text() + "\nimport analysis\nassert analysis.MINE\n")
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "MPLBACKEND": "agg"}
    done = subprocess.run(
        [sys.executable, "-W", "error::FutureWarning", script.name],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert not done.stderr, done.stderr[-2000:]


def test_there_are_notebooks_for_a_tournament_a_bot_and_a_claim():
    assert [path.stem for path in NOTEBOOKS] == ["bot_step_by_step", "data_behind_a_claim", "first_tournament"]
    for path in NOTEBOOKS:
        assert path.read_text().startswith("# %% [markdown]\n# # ")
