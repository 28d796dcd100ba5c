"""A folder of unfinished games, each in a file that is rewritten after every answer."""

import json
import re
import secrets
from pathlib import Path

import platformdirs

from modernart.analysis.play.session import Session, resume
from modernart.simulator.errors import UsageError
from modernart.simulator.files import parse_json, read_text, whole_file

_NAME = re.compile(r"[a-z0-9]{10}")


def default_folder() -> Path:
    """Return where a user's unfinished games are kept."""
    return Path(platformdirs.user_data_dir("modernart")) / "games"


class Saves:
    """Unfinished games by name.

    Parameters
    ----------
    folder : Path
        Made when the first game is saved.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def new_name(self) -> str:
        """Return a name that no game has."""
        return secrets.token_hex(5)

    def path(self, name: str) -> Path:
        """Return the file of a game.

        Raises
        ------
        UsageError
            If this is no name of a game: it could lead out of the folder.
        """
        if not _NAME.fullmatch(name):
            raise UsageError("there is no unfinished game of this name; `modernart play --resume last` takes the last")
        return self.folder / f"{name}.json"

    def save(self, name: str, session: Session) -> None:
        """Write a game to its file."""
        with whole_file(self.path(name)) as file:
            json.dump(session.saved(), file)

    def load(self, name: str) -> Session:
        """Return a game as it was saved.

        Raises
        ------
        UsageError
            If there is no such game, or its file is damaged.
        """
        path = self.path(name)
        try:
            return resume(parse_json(read_text(path, "unfinished game ")))
        except ValueError as error:
            raise UsageError(f"{path}: {error}") from None

    def remove(self, name: str) -> None:
        """Forget a game, which is over."""
        self.path(name).unlink(missing_ok=True)

    def names(self) -> list[str]:
        """Return all games, the one played last first."""
        paths = [path for path in self.folder.glob("*.json") if _NAME.fullmatch(path.stem)]
        return [path.stem for path in sorted(paths, key=lambda path: path.stat().st_mtime_ns, reverse=True)]

    def last(self) -> str:
        """Return the game played last.

        Raises
        ------
        UsageError
            If there is none.
        """
        names = self.names()
        if not names:
            raise UsageError(f"there is no unfinished game in {self.folder}; `modernart play` begins one")
        return names[0]
