"""What a run has counted, as a file: whole or not at all, and refused if anything in it was altered."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from modernart.analysis.measures import tallies_for
from modernart.simulator.errors import UsageError
from modernart.simulator.files import whole_file
from modernart.simulator.rules import Rules
from modernart.simulator.simulate import Run, new_run
from modernart.simulator.tallies import N_BATCHES, Layout, Sizes

_DIGEST = "digest"


def _digest(arrays: Mapping[str, np.ndarray]) -> str:
    """Return a digest of all that a file holds but for the digest itself."""
    digest = hashlib.sha256()
    for name in sorted(arrays.keys() - {_DIGEST}):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape} ".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def write_tallies(path: Path, run: Run) -> None:
    """Write the tallies and how far the run came into one file, whole or not at all."""
    arrays: dict[str, Any] = {
        "first_block": np.array(run.first_block, np.int64),
        "n_blocks": np.array(run.n_blocks, np.int64),
        "n_decisions": np.array(run.n_decisions, np.int64),
        "seconds": np.array(run.seconds, np.float64),
        "cpu_seconds": np.array(run.cpu_seconds, np.float64),
    }
    arrays |= {f"layout_{tally.layout.name}": np.array(tally.layout.digest) for tally in run.tallies.declared}
    arrays |= run.tallies.arrays
    with whole_file(path, "wb") as file:
        np.savez_compressed(file, **arrays, digest=np.array(_digest(arrays)))


def _holds(stored: Mapping[str, np.ndarray], layout: Layout, sizes: Sizes) -> bool:
    """Return whether a file holds a tally as this version counts it."""
    array = stored.get(layout.name)
    if array is None or array.dtype != np.int64 or array.shape != (N_BATCHES, *layout.shape(sizes)):
        return False
    return str(stored.get(f"layout_{layout.name}")) == layout.digest


def read_tallies(path: Path, rules: Rules, names: Sequence[str], seed: int) -> Run:
    """Read what `write_tallies` wrote; tallies that an older version counted in another way are left out.

    Raises
    ------
    UsageError
        If the file is damaged or was altered.
    """
    sizes = Sizes(len(names), rules.rounds, rules.players)
    try:
        with np.load(path, allow_pickle=False) as data:
            stored = {name: data[name] for name in data.files}
        if str(stored.get(_DIGEST)) != _digest(stored):
            raise ValueError("its digest does not fit its content")
        read = [tally for tally in tallies_for(rules) if _holds(stored, tally.layout, sizes)]
        run = new_run(rules, names, seed, read)
        for tally in read:
            run.tallies.arrays[tally.layout.name][...] = stored[tally.layout.name]
        run.first_block, run.n_blocks = int(stored["first_block"]), int(stored["n_blocks"])
        run.n_decisions = int(stored["n_decisions"])
        run.seconds, run.cpu_seconds = float(stored["seconds"]), float(stored["cpu_seconds"])
        if run.first_block < 0 or run.n_blocks < 0 or run.n_decisions < 0:
            raise ValueError("it counts fewer than no games")
    except Exception as error:
        raise UsageError(f"{path} cannot be read ({error}); delete it to play its games anew") from None
    return run
