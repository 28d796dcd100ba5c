"""Write `docs/questions.md`: what people ask, with the command, a picture and today's answer in every field.

    python docs/questions/make.py

tests all claims with 2,000 games a comparison; `--claims results/claims/claims.json` takes the outcome of
`modernart claims --games 2000 --output results/claims`, which is the same.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from modernart.analysis.claims.writing import UNITS, in_words
from modernart.analysis.measures import drawing
from modernart.analysis.measures.looks import COLOURS, MARKERS
from modernart.simulator.files import whole_file

HERE = Path(__file__).parent
_HEAD = """# Questions people ask

`python docs/questions/make.py --games {games}` made this page: it tests [the claims](claims.md) and shows those behind
each question. The command below a question tests them alone. An answer holds for the bidders that it was tested among,
and no further: *weak*, *strong* and *expert* are the fields of the claims. Numbers are above 0 where the sentence in
italics holds; they are money unless they say points (of win share), lots or sd. Brackets are 95% intervals from deals.
**holds** and **fails** need p < 0.05, corrected for all tests of all claims; the rest is **open**. For rule options, as
10 or 11 cards, see [questions of designers](designers.md).
"""


def main() -> None:
    """Ask the claims and write the page and its pictures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=2000, help="games of each comparison")
    parser.add_argument("--claims", type=Path, help="a claims.json to take the answers from")
    arguments = parser.parse_args()
    questions = tomllib.loads((HERE / "questions.toml").read_text(encoding="utf-8"))["question"]
    told = json.loads((arguments.claims or ask(arguments.games)).read_text(encoding="utf-8"))
    stories = {story["key"]: story for story in told["claims"]}
    parts = [_HEAD.format(games=told["games"])]
    for number, question in enumerate(questions, 1):
        own = [stories[key] for key in question["claims"]]
        picture = HERE / f"{number:02}.svg"
        draw(own, picture)
        parts.append(section(number, question, own, picture.name, told["games"]))
    with whole_file(HERE.parent / "questions.md") as file:
        file.write("\n".join(parts))


def ask(games: int) -> Path:
    """Test all claims, and return the file with their outcome."""
    folder = Path(tempfile.mkdtemp())
    command = [sys.executable, "-m", "modernart", "claims", "--games", str(games), "--output", str(folder)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return folder / "claims.json"


def section(number: int, question: dict[str, Any], stories: list[dict[str, Any]], picture: str, games: int) -> str:
    """Return a question with its command, picture and answers, in Markdown."""
    lines = [f"## {number}. {question['ask']}", ""]
    lines += [f"    modernart claims {' '.join(question['claims'])} --games {games}", ""]
    lines += [f"![{question['ask']}](questions/{picture})", ""]
    for story in stories:
        fields = list(dict.fromkeys(test["field"] for test in story["tests"]))
        lines += [f"{story['says']} ({story['source']})", ""]
        lines += ["| what was measured | " + " | ".join(fields) + " |", "|---" * (len(fields) + 1) + "|"]
        for reading in dict.fromkeys(test["reading"] for test in story["tests"]):
            tests = {test["field"]: test for test in story["tests"] if test["reading"] == reading}
            cells = [f"**{tests[name]['verdict']}** {in_words(tests[name])}" for name in fields]
            lines.append(f"| *{next(iter(tests.values()))['hypothesis']}* | " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines)


def draw(stories: list[dict[str, Any]], path: Path) -> None:
    """Draw the numbers of some claims, a row for each reading and field, a panel for each unit."""
    # Of several claims each row names its own.
    tests = [
        test | {"row": f"{story['key']}, {test['reading']}" if len(stories) > 1 else test["reading"]}
        for story in stories
        for test in story["tests"]
    ]
    units = list(dict.fromkeys(test["unit"] for test in tests))
    fields = list(dict.fromkeys(test["field"] for test in tests))
    with drawing.style():
        from matplotlib.figure import Figure

        counts = [sum(test["unit"] == unit for test in tests) for unit in units]
        figure = Figure(figsize=(7.2, 0.7 * len(units) + 0.25 * sum(counts)), layout="constrained")
        panels = figure.subplots(len(units), 1, squeeze=False, height_ratios=counts).ravel()
        for ax, unit in zip(panels, units, strict=True):
            draw_unit(ax, [test for test in tests if test["unit"] == unit], unit, fields)
        with whole_file(path, "wb") as file:
            figure.savefig(file, format="svg", metadata={"Date": None})


def draw_unit(ax: Any, tests: list[dict[str, Any]], unit: str, fields: list[str]) -> None:
    """Draw tests of one unit, each against 0."""
    scale, word = UNITS[unit]
    heights = np.arange(len(tests))[::-1]
    ax.axvline(0.0, color=drawing.INK, linewidth=1, linestyle="--")
    for height, test in zip(heights, tests, strict=True):
        look = fields.index(test["field"])
        if test["ci"][0] is not None:
            ax.hlines(height, scale * test["ci"][0], scale * test["ci"][1], color=COLOURS[look], linewidth=2)
        ax.plot(scale * test["estimate"], height, MARKERS[look], color=COLOURS[look], markersize=5)
    names = [f"{test['row']}, {test['field']}" if test["row"] else test["field"] for test in tests]
    drawing.name_rows(ax, heights, names)
    ax.set_xlabel(word.strip() or "money")


if __name__ == "__main__":
    main()
