"""Tallies by themselves: shapes, sums over axes, parts, names; what is counted in them is held against records."""

import numpy as np
import pytest

from modernart.simulator import lots
from modernart.simulator.tallies import Layout, Per, Size, Sizes, Sums, Tallies, Tally

SIZES = Sizes(n_strategies=5, n_rounds=4, n_seats=3)
BY_SEAT = Layout("by_seat", {"strategy": Size.STRATEGIES, "seat": Size.SEATS}, ("games", "money"))
BY_ROUND = Layout("by_round", {"round": Size.ROUNDS, "kind": 2}, ("lots",))
#: Two batches of one axis of two places and one of three: 0 to 23, the quantities side by side.
SUMS = Sums(np.arange(24).reshape(2, 2, 3, 2), ("own", "kind"), ("lots", "price"))


def count_nothing(*_):
    """Stand for a counting function."""


def test_axes_take_their_sizes_from_the_run_or_the_declaration():
    assert BY_SEAT.shape(SIZES) == (5, 3, 2)
    assert BY_ROUND.shape(SIZES) == (4, 2, 1)
    assert Layout("empty", {"nowhere": 0}, ("lots",)).shape(SIZES) == (0, 1)


def test_digest_has_eight_characters_and_tells_declarations_apart():
    others = [
        Layout("by_lot", BY_ROUND.axes, BY_ROUND.quantities),
        Layout("by_round", {"round": Size.ROUNDS, "kind": 3}, ("lots",)),
        Layout("by_round", {"kind": 2, "round": Size.ROUNDS}, ("lots",)),
        Layout("by_round", BY_ROUND.axes, ("price",)),
    ]
    assert len({layout.digest for layout in (BY_ROUND, *others)}) == 5
    assert {len(layout.digest) for layout in (BY_ROUND, *others)} == {8}


def test_tallies_hold_thirty_two_batches_side_by_side():
    tallies = Tallies([Tally(BY_SEAT, count_nothing), Tally(BY_ROUND, count_nothing, Per.LOT)], SIZES)
    # Tallies of lots come first.
    assert [tally.layout.name for tally in tallies.declared] == ["by_round", "by_seat"]
    assert tallies.offsets.tolist() == [0, 8]
    assert tallies.cells.shape == (32, 8 + 30)
    tallies.by_round[31, 3, 1, 0] = 7
    tallies.by_seat[0, 0, 0, 1] = 9
    assert (tallies.cells[31, 7], tallies.cells[0, 9], tallies.cells.sum()) == (7, 9, 16)
    assert tallies.sums("by_seat")["money"][0, 0, 0] == 9
    assert tallies.sums("by_round").axes == ("round", "kind")
    assert "by_seat" in tallies
    assert "by_kind" not in tallies


def test_parts_of_a_run_are_added_up():
    whole = Tallies([Tally(BY_ROUND, count_nothing)], SIZES)
    part = whole.blank()
    part.cells[:] = 3
    whole += part
    whole += part
    assert (whole.cells == 6).all()
    assert (part.cells == 3).all()


def test_sums_by_some_axes_and_of_a_part():
    assert SUMS["price"][1].tolist() == [[13, 15, 17], [19, 21, 23]]
    assert SUMS.by("own")["lots"].tolist() == [[6, 24], [42, 60]]
    assert SUMS.by("kind")["lots"].tolist() == [[6, 10, 14], [30, 34, 38]]
    assert SUMS.by()["lots"].tolist() == [30, 102]
    assert (SUMS.by("own").axes, SUMS.at(own=1).axes, SUMS.at(kind=slice(0, 2)).axes) == (
        ("own",),
        ("kind",),
        ("own", "kind"),
    )
    assert SUMS.at(own=1)["lots"].tolist() == [[6, 8, 10], [18, 20, 22]]
    assert SUMS.at(kind=slice(0, 2)).by("own")["lots"].tolist() == [[2, 14], [26, 38]]


def test_unknown_names_are_told_with_those_there_are():
    with pytest.raises(KeyError, match="no axis seat, strategy; there are own, kind"):
        SUMS.by("strategy", "kind", "seat")
    with pytest.raises(ValueError, match="two tallies have one name"):
        Tallies([Tally(BY_ROUND, count_nothing), Tally(BY_ROUND, count_nothing)], SIZES)
    with pytest.raises(AttributeError, match=r"does not count 'by_seat'; it counts by_round$"):
        _ = Tallies([Tally(BY_ROUND, count_nothing)], SIZES).by_seat
    with pytest.raises(AttributeError, match=r"does not count 'by_seat'; it counts nothing$"):
        _ = Tallies([], SIZES).by_seat


def test_a_walk_is_known_by_the_code_and_the_layout_of_its_tallies(monkeypatch):
    """Its compiled code is found in the cache by that number, which must fit in a signed one of 64 bits."""
    made: list[int] = []
    monkeypatch.setattr(lots, "_walk", lambda key: made.append(key) or count_nothing)
    monkeypatch.setattr(lots, "_walks", {})
    monkeypatch.setattr(lots, "_in_a_row", lambda *_: count_nothing)
    for name in ("_count_each", "_sizes_of"):
        monkeypatch.setattr(lots, name, None, raising=False)

    def other(*_):
        """Count in another way."""

    def walk(layout, count):
        return lots.walk_for([Tally(layout, count, Per.LOT)])

    # `_walks` knows a walk by its counting functions; the layouts of one function never change within a process.
    for layout, count in ((BY_ROUND, count_nothing), (BY_ROUND, other)):
        assert walk(layout, count) is count_nothing
        assert walk(layout, count) is count_nothing
    monkeypatch.setattr(lots, "_walks", {})
    walk(BY_SEAT, count_nothing)
    assert len(made) == len(set(made)) == 3
    assert all(0 < key < 16**15 for key in made)
