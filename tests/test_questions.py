"""`docs/questions/make.py`: questions name claims that exist, and the page shows what the claims found."""

import importlib.util
import json
import sys
import tomllib
from pathlib import Path

from modernart.analysis.claims.catalogue import CATALOGUE

FOLDER = Path(__file__).parent.parent / "docs" / "questions"


def questions():
    return tomllib.loads((FOLDER / "questions.toml").read_text(encoding="utf-8"))["question"]


def test_twenty_questions_name_claims_of_the_catalogue():
    claims = {claim["key"] for claim in tomllib.loads(Path(CATALOGUE).read_text(encoding="utf-8"))["claim"]}
    assert len(questions()) == 20
    assert {key for question in questions() for key in question["claims"]} <= claims


def test_page_and_pictures_follow_the_claims_file(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("make_questions", FOLDER / "make.py")
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    folder = tmp_path / "questions"
    folder.mkdir()
    (folder / "questions.toml").write_text('[[question]]\nask = "Half?"\nclaims = ["half"]\n')
    test = {
        "reading": "",
        "field": "weak",
        "estimate": 3.14,
        "ci": [1.0, 5.25],
        "unit": "money",
        "verdict": "holds",
        "hypothesis": "half gains more",
    }
    told = {"games": 160, "claims": [{"key": "half", "says": "Bid half.", "source": "S2", "tests": [test]}]}
    (tmp_path / "claims.json").write_text(json.dumps(told))
    monkeypatch.setattr(make, "HERE", folder)
    monkeypatch.setattr(sys, "argv", ["make.py", "--claims", str(tmp_path / "claims.json")])
    make.main()
    page = (tmp_path / "questions.md").read_text(encoding="utf-8")
    assert "## 1. Half?\n\n    modernart claims half --games 160\n\n![Half?](questions/01.svg)" in page
    assert "| *half gains more* | **holds** +3.1 (+1.0 to +5.2) |" in page
    assert "<svg" in (folder / "01.svg").read_text(encoding="utf-8")
