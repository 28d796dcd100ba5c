"""Copies of games, tables and hands, for looking ahead: as many bytes as the rest of a game depends on."""

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from modernart.simulator.jit import JIT_DISABLED, kernel
from modernart.simulator.state import GAME_DTYPE, HAND_DTYPE, LIVE_BYTES, MAX_SEATS, new_games

_TABLE_BYTES = GAME_DTYPE.fields["table"][0].itemsize  # type: ignore[index]
_HAND_BYTES = HAND_DTYPE.itemsize
_HANDS_START = GAME_DTYPE.fields["hands"][1]  # type: ignore[index]
_HANDS_END = _HANDS_START + MAX_SEATS * _HAND_BYTES

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
