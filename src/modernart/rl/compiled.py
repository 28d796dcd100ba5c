"""How this package compiles: as the simulator does, with the code kept in a folder named by the package's sources."""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

from modernart.simulator.jit import kernel


@cache
def place() -> str:
    """Return the name of the folder that keeps this package's compiled code."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        source = path.read_bytes()
        # All constants and helpers that are compiled stand in the files that compile something.
        if rl_kernel.__name__.encode() in source:
            digest.update(path.name.encode() + source)
    return f"rl-{digest.hexdigest()[:16]}"


def rl_kernel(function: Callable | None = None, *, inline: bool = False) -> Callable:
    """Compile a function of this package.

    numba compares only the file of a cached function, so an edit of a helper in another file would go unnoticed: the
    folder of the code is named by a digest of this package's files. Those of the simulator and of the strategies
    are in the name of the folder above.

    Parameters
    ----------
    function : callable
        What to compile; updated, as its attribute `code_place` names the folder.
    inline : bool
        Ask for it to be inlined into its callers.
    """

    def decorate(plain: Callable) -> Callable:
        plain.code_place = place()  # type: ignore[attr-defined]  # functions take attributes
        return kernel(plain, inline=inline)

    return decorate if function is None else decorate(function)
