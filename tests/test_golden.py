"""Golden games: a few games as text, to be read in review when they change. The twin, not they, says what is right.

Remake them with `python tests/test_golden.py`.
"""

from pathlib import Path

import pytest

from modernart.simulator.interpreter import play_record
from modernart.simulator.replay import tell_record
from modernart.simulator.rules import load_edition
from modernart.strategies.specs import load_players

FOLDER = Path(__file__).parent / "golden"
GAMES = {
    "classic_4": ("classic", 4, {}, 3),
    "classic_3_outcry": ("classic", 3, {"open_style": "outcry"}, 1),
    "online_5": ("online", 5, {}, 2),
    "shill_3": ("shill", 3, {}, 0),
    "sotheby_6": ("sotheby", 6, {}, 4),
}


def told(name: str) -> str:
    edition, players, changes, game = GAMES[name]
    rules = load_edition(edition, changes).rules(players)
    record = play_record(rules, load_players(["random"]), [0] * players, 1, game)
    return "\n".join(tell_record(record)) + "\n"


@pytest.mark.parametrize("name", GAMES)
def test_golden_game_is_unchanged(name):
    assert told(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    for name in GAMES:
        (FOLDER / f"{name}.txt").write_text(told(name), encoding="utf-8")
