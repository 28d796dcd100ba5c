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
RANDOM = ("random",)
#: Edition, players, changed rules, number of the game, and strategies, one for all seats or one each.
GAMES = {
    "classic_4": ("classic", 4, {}, 3, RANDOM),
    "classic_3_outcry": ("classic", 3, {"open_style": "outcry"}, 1, RANDOM),
    "online_5": ("online", 5, {}, 2, RANDOM),
    "shill_3": ("shill", 3, {}, 0, RANDOM),
    "sotheby_6": ("sotheby", 6, {}, 4, RANDOM),
    "shares": ("classic", 4, {}, 1, ("fair_share", "full_value", "never_buy", "half_value")),
    "endings": ("classic", 4, {}, 2, ("predictive", "staller", "rusher", "end_with_three")),
    "predictive": (
        "classic",
        4,
        {},
        3,
        ("predictive", "predictive(learn=0.5, keep=-0.3)", "predictive(sealed=0, lone=2)", "forgetful_predictive"),
    ),
    "predictive_outcry": ("shill", 3, {"open_style": "outcry"}, 4, ("predictive", "staller", "fair_share")),
    "predictive_sotheby": ("sotheby", 4, {}, 2, ("predictive", "fair_share", "leader_blocker", "half_value")),
    "owu": ("classic", 4, {}, 5, ("reactive", "predictive_v2", "predictive_v3", "high_roller")),
    "master": ("classic", 4, {}, 6, ("standard", "heuristic", "aggressive", "tight")),
    "choosers": ("classic", 4, {}, 7, ("scarce_first", "common_first", "collector", "leader_blocker")),
    "garthg": ("classic", 4, {}, 8, ("fixed_profit", "ratio", "me_vs_you", "merchant")),
    "online": ("online", 5, {}, 9, ("predictive", "master_random", "forgetful_fair_share", "reader", "collector")),
}


def told(name: str) -> str:
    edition, players, changes, game, specs = GAMES[name]
    rules = load_edition(edition, changes).rules(players)
    homes = [0] * players if len(specs) == 1 else list(range(players))
    record = play_record(rules, load_players(specs), homes, 1, game)
    return "\n".join(tell_record(record)) + "\n"


@pytest.mark.parametrize("name", GAMES)
def test_golden_game_is_unchanged(name):
    assert told(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    for name in GAMES:
        (FOLDER / f"{name}.txt").write_text(told(name), encoding="utf-8")
