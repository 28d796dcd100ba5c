"""Bots that do what no bot may do, by name: their files, and what a command must say of them."""

from dataclasses import dataclass

_FILE = '''"""A bot that misbehaves."""

import ctypes
import os
import signal
import sys
import threading
import time

import numpy as np

from modernart.simulator.decisions import Phase
from modernart.strategies.base import strategy
{top}

@strategy()
def bot(table, hand):
    """Bids nothing, apart from what it does wrong."""
    if table.phase == Phase.PAIR or table.phase == Phase.JOIN:
        return -1
{body}
    return 0
'''


@dataclass(frozen=True)
class Hostile:
    """A bot and what must be said of it.

    Parameters
    ----------
    words : str
        Part of the sentence on stderr.
    body : str
        Lines of its function.
    top : str
        Lines of its module.
    """

    words: str
    body: str = ""
    top: str = ""

    def text(self) -> str:
        """Return the bot's file."""
        body = "".join(f"    {line}\n" for line in self.body.splitlines())
        return _FILE.format(top=f"\n{self.top}\n" if self.top else "", body=body)


TABLE, HAND = "it writes to the table", "it writes to its hand"
INDEX, SIZE, NONE = "IndexError", "bot.py:bot", "no progress"

HOSTILE = {
    # It never answers.
    "loops": Hostile("does not answer", "while table.phase >= 0:\n    hand.notes[0] += 1.0"),
    "loops_late": Hostile("does not answer", "while table.round_index == 2:\n    hand.notes[1] += 1.0"),
    "loops_writing": Hostile("does not answer", "while table.phase >= 0:\n    table.money[hand.seat] += 1"),
    "loops_at_import": Hostile("does not load: it made no progress", top="while True:\n    pass"),
    "sleeps_at_import": Hostile("does not load: it made no progress", top="time.sleep(3600)"),
    "stops_itself": Hostile("does not load: it made no progress", top="os.kill(os.getpid(), signal.SIGSTOP)"),
    # It writes where it may not.
    "pays_itself": Hostile(TABLE, "table.money[hand.seat] += 100"),
    "robs": Hostile(TABLE, "table.money[(hand.seat + 1) % table.rules.n_seats] -= 1"),
    "robs_late": Hostile(TABLE, "if table.round_index == 2:\n    table.money[0] -= 1"),
    "robs_seldom": Hostile(TABLE, "if table.n_sold == 17 and table.cards_in_hands % 3 == 0:\n    table.money[0] -= 1"),
    "ends_the_game": Hostile(TABLE, "table.phase = 99"),
    "moves_the_turn": Hostile(TABLE, "table.seat = 100"),
    "changes_the_rules": Hostile(TABLE, "table.rules.rank_values[0] = 1000"),
    "changes_values": Hostile(TABLE, "table.values[2] += 30"),
    "swaps_its_card": Hostile(HAND, "hand.cards[0] = 0"),
    "draws_cards": Hostile(HAND, "hand.n_cards += 1"),
    "takes_another_seat": Hostile(HAND, "hand.seat = 0\nhand.home = 0"),
    "tunes_itself": Hostile(HAND, "hand.params[0] += 0.5"),
    # It reads or writes far outside.
    "reads_far_outside": Hostile(INDEX, "return hand.cards[2_000_000_000 + table.n_sold]"),
    "writes_far_outside": Hostile(INDEX, "hand.notes[1_000_000_000 + table.n_sold] = 1.0"),
    "writes_before_its_notes": Hostile(INDEX, "hand.notes[-5000 - table.n_sold] = 1.0"),
    "crashes_late": Hostile(
        "crashed with SIG",
        "if table.round_index == 3 and hand.rng % np.uint64(5000) == 0:\n    hand.notes[10**12] = 1.0",
    ),
    # It raises or leaves.
    "raises": Hostile("ValueError: no", 'raise ValueError("no")'),
    "raises_late": Hostile("ValueError: no", 'if table.round_index == 3:\n    raise ValueError("no")'),
    "divides_by_nothing": Hostile("ZeroDivisionError", "return 1 // (table.phase - table.phase)"),
    "raises_at_import": Hostile("does not load: RuntimeError: no", top='raise RuntimeError("no")'),
    "exits_at_import": Hostile("does not load: it calls sys.exit(0)", top="sys.exit(0)"),
    "leaves_at_import": Hostile("does not load: it ended the process with code 0", top="os._exit(0)"),
    "crashes_at_import": Hostile("does not load: it crashed with SIGSEGV", top="ctypes.string_at(0)"),
    "kills_itself": Hostile("does not load: it crashed with SIGKILL", top="os.kill(os.getpid(), signal.SIGKILL)"),
    "does_not_compile": Hostile("does not compile", 'hand.notes[0] = {}["x"]'),
    # It answers what the rules forbid.
    "bids_too_much": Hostile("answered 1000000 to", "return 1_000_000"),
    "answers_no_number": Hostile("does not compile", 'if table.phase == 0:\n    return "a card"'),
}
