"""docs/write-a-strategy.md: its bots play, and its helpers are called as it says."""

import inspect
import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import modernart as ma
from modernart.strategies.specs import load_strategy

GUIDE = (Path(__file__).parent.parent / "docs" / "write-a-strategy.md").read_text(encoding="utf-8")
BOTS = [block for block in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL) if "import" in block]
SECTION = GUIDE.partition("## Helpers")[2].partition("\n## ")[0]
HELPERS = [
    (module, call)
    for module, rows in re.findall(r"\| `(modernart[\w.]+)` \| returns.*\n\|[-|]+\n((?:\|.*\n)+)", SECTION)
    for row in rows.splitlines()
    for call in re.findall(r"`([^`]*)`", row.split(" | ")[0])
]


def names_of(bot: str) -> list[str]:
    return re.findall(r"^def (\w+)\(table, hand\)", bot, re.MULTILINE)


@pytest.mark.parametrize("bot", BOTS, ids=[names_of(bot)[0] for bot in BOTS])
@pytest.mark.parametrize("edition", ["sotheby", "shill"])
def test_a_bot_of_the_guide_plays_in_every_edition(bot, edition, tmp_path):
    (tmp_path / "bot.py").write_text(bot)
    np.savez(tmp_path / "weights.npz", shares=[0.6, 0.7, 0.75, 0.8])
    spec = f"{tmp_path / 'bot.py'}:{names_of(bot)[0]}"
    result = ma.tournament([spec, "random"], edition=edition, players=3, games=60)
    assert set(result.ranking["strategy"]) == {spec, "random"}


def test_weights_decide_what_a_bot_pays_and_belong_to_its_identity(tmp_path):
    (bot,) = [bot for bot in BOTS if "weights.npz" in bot]
    (tmp_path / "bot.py").write_text(bot)
    spec = f"{tmp_path / 'bot.py'}:by_weights"
    money = []
    for share in (0.0, 0.75):
        np.savez(tmp_path / "weights.npz", shares=[share] * 4)
        found = ma.tournament([spec, "half_value"], players=3, games=120)
        money.append((found.ranking.set_index("strategy").loc[spec, "win_share"], found.plan.identity["code"]))
    assert money[0][0] < 0.1 < money[1][0]
    assert money[0][1] != money[1][1]


@pytest.mark.parametrize(("module", "call"), HELPERS, ids=[call for _, call in HELPERS])
def test_a_helper_takes_the_arguments_that_the_guide_says(module, call):
    name, arguments = re.fullmatch(r"(\w+)\((.*)\)", call).groups()
    function = getattr(import_module(module), name)
    assert list(inspect.signature(getattr(function, "py_func", function)).parameters) == arguments.split(", ")


def test_the_guide_shows_every_helper_with_an_example():
    assert len(HELPERS) == 30
    for name in (call.partition("(")[0] for _, call in HELPERS):
        assert len(re.findall(rf"\b{name}\b", SECTION)) >= 2, f"{name} has no example"


def test_the_card_of_the_guide_reads_as_it_says():
    from modernart.simulator.cards import format_card
    from modernart.simulator.rules import load_edition

    assert format_card(217, load_edition("classic").rules(4).artists) == "KG-F"


def test_the_toml_of_the_guide_is_a_bot(tmp_path):
    (block,) = [block for block in re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL) if "[bids]" in block]
    (tmp_path / "bot.toml").write_text(block)
    assert load_strategy(f"{tmp_path / 'bot.toml'}(share=0.8)").vector == [0.8]
