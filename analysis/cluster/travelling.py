"""What travels to a worker: blocks to be played, with the specs of the players and the files that these name."""

import hashlib
import os
import pickle
import sys
import sysconfig
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import source_from_cache
from pathlib import Path
from typing import Any

from modernart.analysis.measures import tallies_for
from modernart.analysis.provenance import code_digest
from modernart.simulator.code_cache import ROOT
from modernart.simulator.errors import RunError, UsageError
from modernart.simulator.players import Player, with_callees
from modernart.simulator.scheduling import Work
from modernart.simulator.tallies import Tallies
from modernart.simulator.works import CountedBlocks
from modernart.strategies.identity import identity_of
from modernart.strategies.loading import FILES_READ

_LIBRARIES = tuple(Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib"))
#: Most bytes of files that travel with the strategies of a command.
_MOST_BYTES = 200_000_000


@dataclass(frozen=True)
class Baggage:
    """Files that strategies were loaded from.

    Parameters
    ----------
    folder : str
        The folder from which specs name them.
    files : dict of str to bytes
        Content by absolute path.
    search : tuple of str
        Folders of these in which modules are looked for.
    """

    folder: str
    files: dict[str, bytes]
    search: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """A digest of folder, names and contents."""
        digest = hashlib.sha256("\0".join((self.folder, *self.search)).encode())
        for name, content in sorted(self.files.items()):
            digest.update(f"\0{name}\0{len(content)}\0".encode() + content)
        return digest.hexdigest()[:24]


def baggage() -> Baggage:
    """Return the files that the strategies of this process were loaded from, as they are now.

    A file that was edited since gives another strategy, which a worker refuses.

    Raises
    ------
    UsageError
        If they are too large to travel.
    """
    paths = {_source_of(path).resolve() for path in FILES_READ.paths}
    folders = {path.parent for path in paths if path.suffix == ".py" and not _comes_along(path)}
    # A module that a bot imports may have been read before, or from its compiled form.
    modules = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    paths |= {path for path in (Path(file).resolve() for file in modules if file) if folders & {*path.parents}}
    files = {str(path): path.read_bytes() for path in sorted(paths) if path.is_file() and not _comes_along(path)}
    n_bytes = sum(map(len, files.values()))
    if n_bytes > _MOST_BYTES:
        raise UsageError(f"the files of these strategies hold {n_bytes / 1e6:,.0f} MB, too much to send to workers")
    search = [
        folder for folder in map(os.path.abspath, sys.path) if any(name.startswith(folder + os.sep) for name in files)
    ]
    return Baggage(os.getcwd(), files, tuple(dict.fromkeys(search)))


def _source_of(path: Path) -> Path:
    """Return the source of a compiled module, and any other file itself."""
    return Path(source_from_cache(str(path))) if path.parent.name == "__pycache__" and path.suffix == ".pyc" else path


def _comes_along(path: Path) -> bool:
    """Tell whether a file is part of the program or of a library, which a worker has of its own."""
    return any(path.is_relative_to(folder) for folder in (ROOT, *_LIBRARIES))


@dataclass(frozen=True)
class Traveller:
    """A player as it travels.

    Parameters
    ----------
    spec : str
        The text that brings it back; files are named from the folder of the baggage.
    name : str
    """

    spec: str
    name: str


@dataclass(frozen=True)
class Parcel:
    """Blocks to be played elsewhere.

    Parameters
    ----------
    work : Work
        Without its players and without the compiled functions of its tallies.
    tallies : sequence of str
        Names of what is counted.
    players : sequence of Traveller
    code : str
        Digest of what decides how the games go; a worker of which it is another does not play.
    """

    work: Work
    tallies: Sequence[str]
    players: Sequence[Traveller]
    code: str


def pack(work: Work, code: str) -> bytes:
    """Return a work as bytes that a worker understands."""
    tallies: list[str] = []
    bare: Any = replace(work, players=())  # type: ignore[type-var]
    if isinstance(work, CountedBlocks):
        tallies = [tally.layout.name for tally in work.tallies.declared]
        bare = replace(bare, tallies=work.tallies.sizes)
    travellers = [Traveller(_spec_from_here(player), player.name) for player in work.players]
    return pickle.dumps(Parcel(bare, tallies, travellers, code), protocol=5)


def unpack(parcel: Parcel, players: Sequence[Player]) -> Work:
    """Return the work of a parcel with its players."""
    work: Any = parcel.work
    if isinstance(work, CountedBlocks):
        declared = [tally for tally in tallies_for(work.rules) if tally.layout.name in parcel.tallies]
        work = replace(work, tallies=Tallies(declared, work.tallies))  # type: ignore[arg-type]
    return replace(work, players=tuple(players))


def code_of(work: Work) -> str:
    """Return the digest that a worker's code must have.

    Raises
    ------
    RunError
        If a player cannot be made again from its spec, or it cannot be told what its code depends on.
    """
    for player in with_callees(work.players):
        if player.spec is None:
            raise RunError(f'strategy "{player.name}" cannot travel to workers: only those that a spec names can')
        if not identity_of(player.act).is_certain:
            raise RunError(
                f'strategy "{player.name}" cannot travel to workers: it cannot be told what its code depends on; '
                "keep to numbers, arrays and functions in its module, or play it with --scheduler threads"
            )
    return code_digest(work.players, work.rules)


def _spec_from_here(player: Player) -> str:
    """Return a player's spec with files named from the current folder, for a worker that keeps them elsewhere."""
    spec = player.spec or player.name
    for path in sorted(map(str, FILES_READ.paths), key=len, reverse=True):
        spec = spec.replace(path, os.path.relpath(path))
    return spec


def shrink(outcome: Any) -> bytes:
    """Return what came of some blocks, as bytes: most counts of a short piece are 0."""
    return zlib.compress(pickle.dumps(outcome, protocol=5), 1)


def grow(content: bytes) -> Any:
    """Return what `shrink` was given."""
    return pickle.loads(zlib.decompress(content))
