"""The quiz: a position, an answer, and what the answer costs against the best."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import platformdirs
from rich.console import Console
from rich.markup import escape
from rich.text import Text

from modernart.analysis.play.table_text import TableText
from modernart.simulator.errors import UsageError
from modernart.simulator.files import parse_json, read_text, whole_file

_POSITIONS = Path(__file__).parent / "quiz_positions.json"
#: Sentences of the round that are shown.
_STORY = 12

Position = dict[str, Any]


def load_positions(path: Path = _POSITIONS) -> list[Position]:
    """Return the positions of a file that `modernart quiz --make` wrote."""
    try:
        data = parse_json(read_text(path, "quiz file "))
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None
    if not isinstance(data, dict) or data.get("format") != "modern-art-quiz" or not data.get("positions"):
        raise UsageError(f"{path} is no quiz; `modernart quiz --make FILE` writes one")
    return list(data["positions"])


def default_score() -> Path:
    """Return where a user's score is kept."""
    return Path(platformdirs.user_data_dir("modernart")) / "quiz.json"


class Score:
    """How a player has done so far, in a file.

    Parameters
    ----------
    path : Path
        Written after every answer.

    Attributes
    ----------
    asked : list of str
        Positions answered, by name.
    right : int
        Answers as good as the best.
    money : float
        What all answers cost, in money compared with the others.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.asked: list[str] = []
        self.right = 0
        self.money = 0.0
        if path.exists():
            self._read()

    def _read(self) -> None:
        try:
            data = parse_json(read_text(self.path, "score "))
            self.asked = [str(name) for name in data["asked"]]
            self.right, self.money = int(data["right"]), float(data["money"])
        except (ValueError, TypeError, KeyError):
            raise UsageError(f"the score in {self.path} is damaged; delete the file to begin again") from None

    def note(self, name: str, is_right: bool, money: float) -> None:
        """Count an answer."""
        self.asked.append(name)
        self.right += is_right
        self.money += money
        with whole_file(self.path) as file:
            json.dump({"asked": self.asked, "right": self.right, "money": round(self.money, 2)}, file)

    @property
    def text(self) -> str:
        """The score in a sentence."""
        n = len(self.asked)
        if n == 0:
            return "No question answered so far."
        return f"{self.right} of {n} right; answers cost {self.money / n:.1f} money each."


def choose(positions: list[Position], score: Score, n: int, seed: int | None = None) -> list[int]:
    """Return `n` positions to ask, those asked least often first."""
    rng = random.Random(seed)
    order = sorted(range(len(positions)), key=lambda place: (score.asked.count(str(place)), rng.random()))
    return order[:n]


def read_answer(position: Position, typed: str) -> int | None:
    """Return the option that a typed text stands for: a number of the list, or an amount; None if it is none."""
    options = position["options"]
    if not typed.isascii() or not typed.isdigit() or len(typed) > 6:
        return None
    if not is_amount(position):
        return int(typed) - 1 if 1 <= int(typed) <= len(options) else None
    low, high = bounds_of(position)
    if not (low <= int(typed) <= high or int(typed) == 0):
        return None
    return min(range(len(options)), key=lambda place: abs(options[place]["answer"] - int(typed)))


def bounds_of(position: Position) -> tuple[int, int]:
    """Return the lowest and highest amount that may be named; 0 is always allowed."""
    table = position["table"]
    return table["bid"] + 1 if position["decision"] == "BID" else 0, table["money"][position["seat"]]


def is_amount(position: Position) -> bool:
    """Return whether an amount is asked for."""
    return all(isinstance(option["answer"], int) for option in position["options"])


def cost_of(position: Position, option: int) -> tuple[bool, float, float]:
    """Return whether an option is as good as the best, and what it costs in money and in win chance."""
    best, taken = position["options"][position["best"]], position["options"][option]
    if taken["is_as_good"]:
        return True, 0.0, 0.0
    return False, max(best["money"] - taken["money"], 0.0), max(best["win"] - taken["win"], 0.0)


def ask_one(position: Position, console: Console, read: Callable[[str], str]) -> int | None:
    """Show a position and return the option that is chosen; None if the player leaves."""
    table = TableText(position["game"], console)
    console.print()
    for line in position["story"][-_STORY:]:
        console.print(Text(f"  {line}"))
    table.show(position["table"], position["seat"])
    console.print(Text(position["question"], "bold"))
    low, high = bounds_of(position)
    amounts = f"{low}-{high}" if low == 0 else f"0 or {low}-{high}"
    bounds = amounts if is_amount(position) else f"1-{len(position['options'])}"
    if not is_amount(position):
        for number, option in enumerate(position["options"], start=1):
            console.print(f"  {number:>2} {escape(str(option['answer']))}")
    while True:
        typed = read(f"Your answer [{bounds}, q = stop] ").strip()
        if typed == "q":
            return None
        option = read_answer(position, typed)
        if option is not None:
            return option
        console.print(f"That is no answer here; type {bounds}.", style="red")


def tell_result(position: Position, option: int, console: Console) -> None:
    """Print what an answer costs, the best one, why, and what rules of thumb would have done."""
    is_right, money, win = cost_of(position, option)
    best = position["options"][position["best"]]
    verdict = "Right" if is_right else f"That costs {money:.1f} money compared with the others, {win:.1%} of win chance"
    console.print(Text(f"{verdict}. Best: {best['answer']}, win chance {best['win']:.0%}.", "bold"))
    console.print(Text(position["why"]))
    for rule in position["folk"]:
        right, money, _ = cost_of(position, rule["option"])
        answer = position["options"][rule["option"]]["answer"]
        console.print(Text(f"  {answer}{'' if right else f' (costs {money:.1f})'}: {rule['rule']}", "dim"))


def hold_quiz(
    positions: list[Position],
    score: Score,
    n: int,
    console: Console,
    read: Callable[[str], str],
    seed: int | None = None,
) -> None:
    """Ask `n` questions, or until the player leaves; arguments as for `choose` and `ask_one`."""
    console.print(f"{score.text} Costs rest on playouts against strong bidders; q stops.", style="dim")
    try:
        for place in choose(positions, score, n, seed):
            option = ask_one(positions[place], console, read)
            if option is None:
                break
            tell_result(positions[place], option, console)
            is_right, money, _ = cost_of(positions[place], option)
            score.note(str(place), is_right, money)
    except (EOFError, KeyboardInterrupt):
        pass
    console.print(f"\n{score.text}")
