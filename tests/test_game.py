"""The machine against the rulebook: the odd cases, worked out by hand with literal numbers (tests/scenarios.py)."""

import copy

import pytest
from scenarios import SCENARIOS

from modernart.simulator.records import RecordError, replay_record
from modernart.simulator.rules import Rules


@pytest.mark.parametrize("name", SCENARIOS)
def test_game_follows_the_scenario(name):
    case = SCENARIOS[name]
    # A scenario may leave out options that came later; a record of today holds them all.
    rules = Rules.from_record(case.record["rules"]).to_record()
    assert replay_record(case.record).record() == case.record | {"rules": rules}


BREAKS = [(name, changes) for name, case in SCENARIOS.items() for changes in case.broken_by]


@pytest.mark.parametrize(("name", "changes"), BREAKS, ids=[f"{name}-{changes}" for name, changes in BREAKS])
def test_option_decides_the_scenario(name, changes):
    other = copy.deepcopy(SCENARIOS[name].record)
    other["rules"] |= changes
    with pytest.raises(RecordError, match=r"round|money|winners|first_seat"):
        replay_record(other)
