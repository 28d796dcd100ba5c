"""Copies of games, tables and hands, as many bytes as the rest of a game depends on; whether two games stand alike."""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from modernart.simulator.jit import JIT_DISABLED, kernel
from modernart.simulator.state import GAME_DTYPE, HAND_DTYPE, LIVE_BYTES, MAX_SEATS, TABLE_DTYPE, new_games

_TABLE_BYTES = GAME_DTYPE.fields["table"][0].itemsize  # type: ignore[index]
_HAND_BYTES = HAND_DTYPE.itemsize
_HANDS_START = GAME_DTYPE.fields["hands"][1]  # type: ignore[index]
_HANDS_END = _HANDS_START + MAX_SEATS * _HAND_BYTES
# What `stands_alike` compares. Behind the random stream, parameters and notes of a hand stand its cards; behind what
# changes on a table, the rules; behind the cards to come, what matters only while a lot is on sale.
_CARDS = HAND_DTYPE.fields["seat"][1]  # type: ignore[index]
_HEARD = TABLE_DTYPE.fields["heard"][1]  # type: ignore[index]
_BEHIND_HEARD = _HEARD + TABLE_DTYPE.fields["heard"][0].itemsize  # type: ignore[index]
_RULES = TABLE_DTYPE.fields["rules"][1]  # type: ignore[index]
_DECK = GAME_DTYPE.fields["deck_position"][1]  # type: ignore[index]
_BEHIND_PILE = GAME_DTYPE.fields["amounts"][1]  # type: ignore[index]
_OWN = ("rng", "params", "notes")

if JIT_DISABLED:

    def scratch_games(n):
        """Return blank games."""
        return new_games(n)

    def _copy_fields(target, source, skipped):
        for name in source.dtype.names:
            if name not in skipped:
                target[name] = source[name]

    def copy_table(target, source):
        """Copy a table."""
        _copy_fields(target, source, ())

    def copy_hand(target, source):
        """Copy a hand."""
        _copy_fields(target, source, ())

    def copy_game(target, source):
        """Copy a game without its log."""
        _copy_fields(target, source, ("rounds", "sales"))

    def copy_cards(target, source):
        """Copy the cards of a hand; random stream, parameters and notes stay."""
        _copy_fields(target, source, _OWN)

    def _same_fields(one, other, skipped):
        return all(np.array_equal(one[name], other[name]) for name in one.dtype.names if name not in skipped)

    def _same_table(one, other, hears):
        return _same_fields(one, other, ("rules",) if hears else ("rules", "heard"))

    def _same_hand(one, other, whole):
        return _same_fields(one, other, () if whole else _OWN)

    def _same_cards_to_come(one, other):
        return all(np.array_equal(one[name], other[name]) for name in ("deck_position", "deck", "pile"))

else:

    @intrinsic
    def _copy_bytes(typingctx, target, source, start, end):
        """Copy the bytes from `start` to `end` of a record to another; numba itself copies records field by field."""

        def codegen(context, builder, signature, arguments):
            to, origin, first, behind = arguments
            to = cgutils.pointer_add(builder, to, first, to.type)
            origin = cgutils.pointer_add(builder, origin, first, origin.type)
            cgutils.raw_memcpy(builder, to, origin, builder.sub(behind, first), 1)
            return behind

        return types.int64(target, source, types.int64, types.int64), codegen

    @kernel
    def scratch_games(n):
        """Return blank games."""
        return np.zeros(n, GAME_DTYPE)

    @kernel
    def copy_table(target, source):
        """Copy a table."""
        _copy_bytes(target, source, 0, _TABLE_BYTES)

    @kernel
    def copy_hand(target, source):
        """Copy a hand."""
        _copy_bytes(target, source, 0, _HAND_BYTES)

    @kernel
    def copy_game(target, source):
        """Copy a game without its log and without the hands of seats that nobody takes."""
        _copy_bytes(target, source, 0, _HANDS_START + source.table.rules.n_seats * _HAND_BYTES)
        _copy_bytes(target, source, _HANDS_END, LIVE_BYTES)

    @kernel
    def copy_cards(target, source):
        """Copy the cards of a hand; random stream, parameters and notes stay."""
        _copy_bytes(target, source, _CARDS, _HAND_BYTES)

    @intrinsic
    def _same_bytes(typingctx, one, other, start, end):
        """Tell whether the bytes from `start` to `end` of two records are the same."""

        def codegen(context, builder, signature, arguments):
            left, right, first, behind = arguments
            pointer = ir.IntType(8).as_pointer()
            left = cgutils.pointer_add(builder, left, first, pointer)
            right = cgutils.pointer_add(builder, right, first, pointer)
            size = builder.sub(behind, first)
            form = ir.FunctionType(ir.IntType(32), [pointer, pointer, size.type])
            memcmp = cgutils.get_or_insert_function(builder.module, form, "memcmp")
            return builder.icmp_signed("==", builder.call(memcmp, [left, right, size]), ir.IntType(32)(0))

        return types.boolean(one, other, types.int64, types.int64), codegen

    @kernel
    def _same_table(one, other, hears):
        if hears and not _same_bytes(one, other, _HEARD, _BEHIND_HEARD):
            return False
        return _same_bytes(one, other, 0, _HEARD) and _same_bytes(one, other, _BEHIND_HEARD, _RULES)

    @kernel
    def _same_hand(one, other, whole):
        return _same_bytes(one, other, 0 if whole else _CARDS, _HAND_BYTES)

    @kernel
    def _same_cards_to_come(one, other):
        return _same_bytes(one, other, _DECK, _BEHIND_PILE)


@kernel
def stands_alike(one, other, focal, hears):
    """Tell whether two games of one deal, between lots, go on alike if the focal seat answers alike.

    Parameters
    ----------
    one, other : record of GAME_DTYPE
    focal : int
        A seat whose random stream, parameters and notes may differ.
    hears : bool
        Whether it counts as a difference what each seat was heard to bid for the last lot.
    """
    if not _same_table(one.table, other.table, hears):
        return False
    for seat in range(one.table.rules.n_seats):
        if not _same_hand(one.hands[seat], other.hands[seat], seat != focal):
            return False
    return _same_cards_to_come(one, other)
