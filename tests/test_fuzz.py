"""Hostile specs, files and records, some thousands in each run: always a result or one sentence, never a traceback."""

import pytest
from fuzzing import KINDS, altered, holds, run_file_of, try_record, try_run_file
from hypothesis import HealthCheck, given, settings

from modernart.simulator.games import records_of_run
from modernart.simulator.rules import load_edition
from modernart.strategies.specs import load_players

# Drawn anew in each run would be another test each time; `benchmarks/fuzz.py` looks further.
SETTINGS = settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None)


@pytest.fixture(scope="module")
def record():
    return next(records_of_run(load_players(["random"]), load_edition("classic").rules(4), 1, 0, 1))


@pytest.mark.parametrize("kind", KINDS)
def test_text_input_is_accepted_or_refused_in_a_sentence(kind):
    drawn, attempt = KINDS[kind]

    @settings(SETTINGS, max_examples=300)
    @given(drawn)
    def run(text):
        holds(attempt, text)

    run()


def test_altered_record_is_refused_in_a_sentence(record):
    @settings(SETTINGS, max_examples=300)
    @given(altered(record))
    def run(other):
        # What a record says of its origin may be any whole number, and its players any names.
        told = {"seed", "game", "players"}
        is_same = {**other, **dict.fromkeys(told)} == {**record, **dict.fromkeys(told)}
        assert not holds(try_record, other) or is_same

    holds(try_record, record)
    run()


def test_altered_run_file_is_refused_in_a_sentence(record):
    @settings(SETTINGS, max_examples=300)
    @given(altered(run_file_of(record["rules"])))
    def run(data):
        holds(try_run_file, data)

    assert holds(try_run_file, run_file_of(record["rules"]))
    run()


def test_a_reader_that_lets_errors_through_is_caught():
    with pytest.raises(ZeroDivisionError):
        holds(lambda text: 1 // len(text), "")
