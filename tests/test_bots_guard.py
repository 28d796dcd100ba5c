"""The guard around strangers' strategies: what they may not write is found at once, whatever it is, and named."""

import sys

import numpy as np
import pytest
from hostile_bots import HOSTILE, INDEX

from modernart.simulator.errors import BotError, RecordsChanged, RunError
from modernart.simulator.games import records_of_run
from modernart.simulator.jit import JIT_DISABLED
from modernart.simulator.players import Player, end_trials
from modernart.simulator.rules import load_edition
from modernart.simulator.simulate import score, simulate
from modernart.simulator.state import HAND_DTYPE, TABLE_DTYPE, new_games
from modernart.strategies.base import strategy
from modernart.strategies.guard import guarded_act
from modernart.strategies.specs import load_players, load_strategy

RULES = load_edition("classic").rules(3)


def hostile(folder, name):
    """Write a hostile bot's file and load it."""
    path = folder / "bot.py"
    path.write_text(HOSTILE[name].text())
    return load_strategy(f"{path}:bot")


def writer(record: str, field: str):
    """A function that writes to one number of its table or hand, in any field of the record or of the rules in it."""
    target = {"table": "table", "rules": "table.rules", "hand": "hand"}[record]
    kind = {"table": TABLE_DTYPE, "rules": TABLE_DTYPE["rules"], "hand": HAND_DTYPE}[record][field]
    place = f"{target}.{field}" + "[0]" * (kind.ndim and 1)
    if kind.ndim == 2:
        place = f"{target}.{field}[0, 0]"
    scope: dict = {"__name__": "a_bot"}
    exec(f"def act(table, hand):\n    {place} += 1\n    return 0", scope)
    return scope["act"]


FIELDS = [(record, field) for record, kind in (("table", TABLE_DTYPE), ("hand", HAND_DTYPE)) for field in kind.names]
FIELDS = [item for item in FIELDS if item != ("table", "rules")]
FIELDS += [("rules", field) for field in TABLE_DTYPE["rules"].names]
if not JIT_DISABLED:
    # Each is compiled; all of them are tried with the JIT off.
    FIELDS = FIELDS[::12]


@pytest.mark.parametrize(("record", "field"), FIELDS)
def test_the_guard_sees_a_write_to_every_field_but_notes_and_stream(record, field):
    act = guarded_act(writer(record, field))
    game = new_games(1)[0]
    if (record, field) in (("hand", "notes"), ("hand", "rng")):
        assert act(game.table, game.hands[0]) == 0
        return
    with pytest.raises(RecordsChanged, match="to its hand" if record == "hand" else "to the table"):
        act(game.table, game.hands[0])


@pytest.mark.parametrize("name", ["robs_late", "swaps_its_card", "raises_late"])
def test_a_run_names_the_bot_and_the_first_game(name, tmp_path):
    players = [hostile(tmp_path, name).player("bad"), *load_players(["half_value", "random"])]
    with pytest.raises(RunError) as caught:
        simulate(players, RULES, 30, seed=5, threads=1)
    told = str(caught.value)
    assert told.startswith('strategy "bad" failed at seat ')
    assert HOSTILE[name].words in told
    game = int(told.partition(" of game ")[2].partition(" ")[0])
    assert told.endswith(f"--edition classic --players 3 --seed 5 --game {game}")
    # The command leads to the same failure.
    with pytest.raises(RunError, match=f"of game {game} of seed 5: {HOSTILE[name].words}"):
        list(records_of_run(players, RULES, 5, game, 1))


@pytest.mark.parametrize("name", ["reads_far_outside", "writes_far_outside", "writes_before_its_notes"])
def test_the_first_games_of_new_code_check_every_index(name, tmp_path):
    player = hostile(tmp_path, name).player("bad")
    assert player.is_on_trial
    with pytest.raises(RunError, match=f'strategy "bad" failed at seat .*{INDEX}'):
        score([player, *load_players(["random"])], RULES, [0, 1, 1], 0, 2, threads=1)
    assert player.is_on_trial


def test_a_trial_ends_with_the_first_games_that_go_well():
    @strategy()
    def meek(table, hand):
        """Bids nothing."""
        return -1 if table.phase == 2 or table.phase == 3 else 0

    player = meek.player()
    assert player.trial is meek.player().trial
    end_trials([player])
    assert not meek.player().is_on_trial
    assert load_players(["random"])[0].trial is None


@pytest.mark.parametrize("name", ["exits_at_import", "raises_at_import"])
def test_a_bot_that_does_not_load_is_told_in_a_sentence(name, tmp_path):
    with pytest.raises(BotError, match="does not load") as caught:
        hostile(tmp_path, name)
    assert HOSTILE[name].words in f"{caught.value}"
    assert caught.value.exit_code == 1
    assert "modernart_user_bot" not in sys.modules


def test_the_guard_changes_no_answer():
    plain = load_players(["random", "half_value"])
    guarded = [Player("guarded", guarded_act(load_strategy("random").function)), plain[1]]
    own, other = (score(players, RULES, [0, 1, 1], 0, 4, threads=1) for players in (plain, guarded))
    assert np.array_equal(own.money, other.money)
