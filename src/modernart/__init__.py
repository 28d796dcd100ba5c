"""A laboratory for the auction game Modern Art: simulate, compare, tune and explain strategies.

The parts stand at the top of the repository, where a reader finds them: `simulator/`, `strategies/`, `analysis/`.
Links in this folder give them the import name `modernart`.
"""

from pathlib import Path

_HERE = Path(__file__).parent
if not (_HERE / "simulator").is_dir():
    # A checkout on a system without links: the parts are imported from where they are.
    __path__.append(str(_HERE.parents[1]))
