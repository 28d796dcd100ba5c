"""A bot is what its code says now: no number that it read at import, and no helper, stays from an earlier run."""

import os
import subprocess
import sys

import numpy as np
import pytest

from modernart.analysis.provenance import code_digest
from modernart.simulator.rules import load_edition
from modernart.strategies.identity import identity_of
from modernart.strategies.specs import load_strategy

#: A bot that bids as large a part of its money as SHARE says.
BOT = '''
import os
from pathlib import Path

import numpy as np

from modernart.simulator.decisions import Phase
from modernart.strategies.base import strategy
{top}

@strategy()
def bot(table, hand):
    """Bids a part of its money."""
    if table.phase == Phase.PAIR or table.phase == Phase.JOIN:
        return -1
    if table.phase == Phase.LIMIT or table.phase == Phase.SEALED:
        return int({share} * table.money[hand.seat])
    return 0
'''

HELPER = "from modernart.simulator.jit import kernel\n\nSHARE = {}\n\n\n@kernel\ndef share():\n    return SHARE\n"


def write_all(folder, share):
    """Write what the bots below read."""
    np.save(folder / "share.npy", np.array([share]))
    (folder / "share.txt").write_text(str(share))
    (folder / "myconsts.py").write_text(f"SHARE = {share}\n")
    (folder / "myhelper.py").write_text(HELPER.format(share))


#: The lines of a bot's module, and how its function gets at the number.
WAYS = {
    "np.load": ('W = np.load(Path(__file__).with_name("share.npy"))', "W[0]"),
    "read_text": ('SHARE = float(Path(__file__).with_name("share.txt").read_text())', "SHARE"),
    "from_import": ("from myconsts import SHARE", "SHARE"),
    "attribute": ("import myconsts", "myconsts.SHARE"),
    "environ": ('SHARE = float(os.environ["BOT_SHARE"])', "SHARE"),
    "helper": ("from myhelper import share", "share()"),
    "helper_in_module": ("import myhelper", "myhelper.share()"),
    "tuple": ('SHARES = (0.5, (float(os.environ["BOT_SHARE"]),))', "SHARES[1][0]"),
}


def loaded(folder, way, share, monkeypatch):
    """Load a bot anew, as a new process does."""
    write_all(folder, share)
    monkeypatch.setenv("BOT_SHARE", str(share))
    for name in ("myconsts", "myhelper"):
        sys.modules.pop(name, None)
    sys.path_importer_cache.clear()
    top, text = WAYS[way]
    (folder / "bot.py").write_text(BOT.format(top=f"\n{top}\n", share=text))
    return load_strategy(f"{folder / 'bot.py'}:bot")


@pytest.mark.parametrize("way", WAYS)
def test_the_identity_holds_every_number_that_the_code_reads(way, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    found = [identity_of(loaded(tmp_path, way, share, monkeypatch).function) for share in (0.75, 0.02, 0.75)]
    assert all(identity.is_certain for identity in found)
    assert found[0] == found[2]
    assert found[0] != found[1]


def test_the_identity_is_that_of_code_not_of_its_place(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = identity_of(loaded(tmp_path, "read_text", 0.75, monkeypatch).function)
    path = tmp_path / "bot.py"
    path.write_text("# A comment.\n" + path.read_text())
    assert identity_of(load_strategy(f"{path}:bot").function) == before
    path.write_text(path.read_text().replace("    return 0\n", "    return 1\n"))
    assert identity_of(load_strategy(f"{path}:bot").function) != before


def test_what_cannot_be_told_is_never_the_same():
    thing = object()

    def act(table, hand):
        return 0 if thing else 1

    first, second = identity_of(act), identity_of(act)
    assert not first.is_certain
    assert first != second


def test_arrays_count_by_content_type_and_shape():
    def with_array(array):
        def act(table, hand):
            return int(array[0])

        return identity_of(act)

    base = with_array(np.array([1.0, 2.0]))
    assert with_array(np.array([1.0, 2.0])) == base
    others = [np.array([1.0, 3.0]), np.array([1.0, 2.0], np.float32), np.array([[1.0, 2.0]]), np.array([1.0, -0.0])]
    assert base not in [with_array(array) for array in others]
    assert not with_array(np.array([object()])).is_certain


def test_default_values_and_closures_count():
    def act_with(default, enclosed):
        def act(table, hand, extra=default):
            return extra + enclosed

        return identity_of(act)

    assert act_with(1, 2) == act_with(1, 2)
    assert len({act_with(1, 2).digest, act_with(1, 3).digest, act_with(2, 2).digest, act_with(1.0, 2).digest}) == 4


def test_the_digest_of_a_run_holds_the_bots_and_the_data_they_play_by(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    rules = load_edition("classic").rules(4)
    digests = [
        code_digest(
            [load_strategy("half_value").player(), loaded(tmp_path, "np.load", share, monkeypatch).player()], rules
        )
        for share in (0.75, 0.02, 0.75)
    ]
    assert digests[0] == digests[2]
    assert digests[0] != digests[1]


def modernart(folder, *arguments, **environment):
    """Run a command in a process of its own."""
    command = [sys.executable, "-m", "modernart", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=folder, env=os.environ | environment, check=False
    )


def test_an_edited_number_is_played_and_recorded_at_once_with_the_jit_and_without(tmp_path):
    (tmp_path / "bot.py").write_text(BOT.format(top="\nfrom myhelper import share\n", share="share()"))
    command = ("record", "bot.py:bot", "random", "--players", "3")
    outputs = []
    for share in (0.75, 0.02):
        write_all(tmp_path, share)
        outputs += [modernart(tmp_path, *command), modernart(tmp_path, *command, NUMBA_DISABLE_JIT="1")]
    assert [done.stderr for done in outputs if done.returncode] == []
    first, plain, second, plain_second = (done.stdout for done in outputs)
    assert first == plain
    assert second == plain_second
    assert first != second


def test_a_run_does_not_go_on_with_an_edited_helper(tmp_path):
    (tmp_path / "bot.py").write_text(BOT.format(top="\nfrom myhelper import share\n", share="share()"))
    write_all(tmp_path, 0.75)
    command = ("tournament", "bot.py:bot", "random", "--players", "3", "--output", "run", "--no-report", "--games")
    plain = {"NUMBA_DISABLE_JIT": "1"}
    assert modernart(tmp_path, *command, "6", **plain).returncode == 0
    assert modernart(tmp_path, *command, "9", **plain).returncode == 0
    write_all(tmp_path, 0.02)
    refused = modernart(tmp_path, *command, "12", **plain)
    assert refused.returncode == 2
    assert "holds another run (an older version of the program or of a strategy)" in refused.stderr
