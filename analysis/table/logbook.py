"""The file of a game that is written down as it is played: one line each, with the players and the edition on top."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from modernart.analysis.table.position_file import decision_of
from modernart.analysis.table.positions import Position, position_from_rounds
from modernart.analysis.table.sitting import Sitting
from modernart.simulator.arguments import parse_whole
from modernart.simulator.errors import UsageError
from modernart.simulator.files import read_text, whole_file
from modernart.simulator.limits import MAX_SEATS
from modernart.simulator.rules import load_edition
from modernart.simulator.wording import cut

_HEADS = ("edition", "players", "artists", "rule")


class Logbook:
    """A game in short lines.

    Parameters
    ----------
    path : Path, optional
        Written after every line that is taken.

    Attributes
    ----------
    heads : list of str
        The lines before the game: edition, players, artists, rules.
    sitting : Sitting or None
        The game, once the players are known.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.heads: list[str] = []
        self.sitting: Sitting | None = None

    @classmethod
    def read(cls, path: Path) -> "Logbook":
        """Return the game that a file tells.

        Raises
        ------
        UsageError
            If it cannot be read, or a line is wrong; the message names the line.
        """
        book = cls()
        book.take_all(read_text(path).splitlines(), str(path))
        book.path = path
        return book

    def take_all(self, lines: Iterable[str], place: str) -> None:
        """Take lines; blank ones and remarks after # are skipped."""
        for number, line in enumerate(lines, start=1):
            try:
                self.take(line)
            except UsageError as error:
                raise UsageError(f"{place}, line {number}: {error}") from None

    def take(self, line: str) -> None:
        """Take a line, and save the file.

        Raises
        ------
        UsageError
            If the line is wrong; nothing is changed then.
        """
        text = line.partition("#")[0].strip()
        if not text:
            return
        word = text.split()[0].lower()
        if self.sitting is None or not self.sitting.lines:
            if word in _HEADS:
                self._take_head(word, text)
                self._save()
                return
        elif word in _HEADS and word != "rule":
            raise UsageError(f"{word} stands at the top, before the game")
        if self.sitting is None:
            raise UsageError("begin with `players 4`, or with their names: `players Ann Ben Cem`")
        if word in ("undo", "correct"):
            self.undo(text.partition(" ")[2])
        else:
            self.sitting.take(text)
        self._save()

    def undo(self, instead: str = "") -> str:
        """Take the last line back, put another in its place if there is one, and return the old line."""
        if self.sitting is None:
            raise UsageError("there is no line to take back")
        old = self.sitting.undo()
        if instead.strip():
            try:
                self.sitting.take(instead)
            except UsageError:
                self.sitting.take(old)
                raise
        self._save()
        return old

    def _take_head(self, word: str, text: str) -> None:
        heads = [*(head for head in self.heads if word == "rule" or head.split()[0].lower() != word), text]
        sitting = _sitting_of(heads)
        self.heads = heads
        self.sitting = sitting

    def _save(self) -> None:
        if self.path is not None:
            with whole_file(self.path) as file:
                file.write("".join(line + "\n" for line in self.lines))

    @property
    def lines(self) -> list[str]:
        """All lines."""
        return self.heads + (self.sitting.lines if self.sitting is not None else [])

    def position(self, seat: int | None = None) -> Position:
        """Return the decision that comes next.

        Parameters
        ----------
        seat : int, optional
            Who decides; by default the seat that is asked, in a secret auction the first whose hand is known.

        Raises
        ------
        UsageError
            If that seat is not asked.
        """
        sitting = self.sitting
        if sitting is None or not sitting.has_begun:
            raise UsageError("the game has not begun; tell who puts up the first card, as `first B`")
        seat = _asked(sitting) if seat is None else seat
        phase, more = decision_of(sitting, seat)
        rounds = list(sitting.interpreter.rounds)
        rounds[-1] = {"dealt": rounds[-1]["dealt"], "events": [*rounds[-1]["events"], *more]}
        first = sitting.first_seat or 0
        return position_from_rounds(
            sitting.rules, first, rounds, seat, phase, names=sitting.names, place=str(self.path)
        )

    def record(self) -> dict[str, Any]:
        """Return the record of the finished game."""
        if self.sitting is None:
            raise UsageError("the file holds no game")
        return self.sitting.record()


def _asked(sitting: Sitting) -> int:
    """Return the seat that is asked; one whose hand is known where several are asked at once."""
    from modernart.simulator.decisions import SECRET

    table = sitting.game.table
    known = sorted(sitting.known)
    if sitting.pending is not None and not sitting.pending.is_double:
        if sitting.pending.seat in known:
            return sitting.pending.seat
        sitting.sell_alone()
    if sitting.pending is not None or int(table.phase) in SECRET:
        return known[0] if known else int(table.seat)
    return int(table.seat)


def _sitting_of(heads: list[str]) -> Sitting | None:
    """Return a game with the players, edition and rules of the lines on top; None without players."""
    told: dict[str, list[str]] = {}
    for head in heads:
        word, _, rest = head.partition(" ")
        told.setdefault(word.lower(), []).append(rest.strip())
    if "players" not in told:
        return None
    words = [word for word in re.split(r"[\s,]+", told["players"][-1]) if word]
    names = words if len(words) > 1 else []
    n = len(names) or parse_whole("players", words[0] if words else "", 2, MAX_SEATS)
    if len(names) > MAX_SEATS:
        raise UsageError(f"players: {cut(told['players'][-1], 40)} are more than {MAX_SEATS}")
    changes = dict(_option(rule) for rule in told.get("rule", []))
    rules = load_edition(told.get("edition", ["classic"])[-1] or "classic", changes).rules(n)
    artists = [part.strip() for part in told.get("artists", [""])[-1].split(",") if part.strip()]
    return Sitting(rules, names, artists)


def _option(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f'a rule must be written KEY=VALUE, as open_style=outcry, got "{cut(text, 40)}"')
    return key.strip(), value.strip()
