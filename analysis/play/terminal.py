"""A game in a terminal, or over a pipe: the table as text, questions with their bounds, answers typed."""

import sys
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from modernart.analysis.play.hints import hint_lines
from modernart.analysis.play.questions import EntryError, Question, card_in_words
from modernart.analysis.play.replay_page import game_for_page
from modernart.analysis.play.saves import Saves
from modernart.analysis.play.session import Session
from modernart.analysis.play.table_text import TableText
from modernart.simulator.decisions import Phase
from modernart.simulator.errors import ModernArtError

_COMMANDS = "? explains, h gives a hint, t shows the table, u takes an entry back, q saves and leaves"


class Left(Exception):
    """The player leaves; the game is saved."""


class Terminal:
    """The front of one game.

    Parameters
    ----------
    session : Session
    saves : Saves
    name : str
        The game's name among the saves.
    console : Console
    read : callable
        Shows a prompt and returns the line that is typed; raises EOFError or KeyboardInterrupt at its end.
    confirms : bool
        Whether an entry counts only after another Enter.
    """

    def __init__(
        self, session: Session, saves: Saves, name: str, console: Console, read: Callable[[str], str], confirms: bool
    ) -> None:
        self.session = session
        self.saves = saves
        self.name = name
        self.console = console
        self.confirms = confirms
        self._read = read
        self._reader: int | None = None
        self._n_seen = [0] * session.rules.players
        self._shown: Any = None
        self._table = TableText(game_for_page(session.rules, session.names, session.artist_names), console)

    def play(self) -> bool:
        """Play on until the game is over, or the player leaves; returns whether it is over."""
        self.console.print(f"{_COMMANDS}.", style="dim")
        try:
            while True:
                self.session.advance()
                self.saves.save(self.name, self.session)
                seat = self.session.asked
                if seat is None:
                    break
                self._hand_over(seat)
                self._tell_news(seat)
                self._show_once(seat)
                self.session.answer(seat, self._ask(seat))
                self.saves.save(self.name, self.session)
        except (Left, EOFError, KeyboardInterrupt):
            self.saves.save(self.name, self.session)
            return False
        for seat in self.session.people[:1]:
            self._tell_news(seat)
        self._show_end()
        return True

    def _line(self, prompt: str) -> str:
        """Return what is typed, without blanks around it."""
        return self._read(prompt).strip()

    def _hand_over(self, seat: int) -> None:
        """Let another person come to the keyboard before their hand is shown."""
        if len(self.session.people) > 1 and seat != self._reader:
            if self.console.is_terminal:
                self.console.clear()
            if self._line(f"{self.session.names[seat]}, it is your turn. Press Enter when nobody else looks. ") == "q":
                raise Left
            self._shown = None
        self._reader = seat

    def _tell_news(self, seat: int) -> None:
        """Print what has happened since the seat looked last."""
        frames = self.session.frames(seat, self._n_seen[seat])
        self._n_seen[seat] += len(frames)
        for frame in frames:
            heard = f". {frame['heard']}" if frame["heard"] else ""
            self.console.print(Text(f"  {frame['text']}{heard}"))

    def _show_once(self, seat: int) -> None:
        """Print the table when a new card is to be put up, or a new lot is on sale."""
        frame = self.session.table(seat)
        about = (frame["round"], sum(frame["sizes"]), self.session.question.phase == Phase.CARD)
        if about != self._shown:
            self._shown = about
            self._show(seat)

    def _show(self, seat: int) -> None:
        self._table.show(self.session.table(seat), seat)

    def _ask(self, seat: int) -> int:
        """Return the answer of a person, asked until there is one."""
        question = self.session.question
        if question.cards:
            for number, (card, _) in enumerate(question.cards, start=1):
                words = card_in_words(card, self._table.game["artists"], self._table.game["artist_names"])
                self.console.print(Text(f"  {number:>2} ").append_text(self._table.cards([card])).append(f" {words}"))
        while True:
            typed = self._line(f"{question.text} [{question.bounds}] ")
            if not typed or self._is_command(typed, seat, question):
                continue
            try:
                answer = question.read(typed)
            except EntryError as error:
                self.console.print(escape(str(error)).capitalize() + ". ? explains.", style="red")
                continue
            if self._is_meant(question, answer):
                return answer

    def _is_command(self, typed: str, seat: int, question: Question) -> bool:
        """Carry out a command; returns whether it was one."""
        match typed:
            case "q":
                raise Left
            case "?":
                self.console.print(Text(f"{question.explanation} Type {question.bounds}. {_COMMANDS}."))
            case "t":
                self._show(seat)
            case "u":
                self.console.print("There is no entry to take back: what was confirmed counts.")
            case "h":
                self._show_hint()
            case _:
                return False
        return True

    def _show_hint(self) -> None:
        try:
            for line in hint_lines(self.session):
                self.console.print(Text(line))
        except ModernArtError as error:
            self.console.print(f"No hint: {escape(str(error))}.")

    def _is_meant(self, question: Question, answer: int) -> bool:
        """Ask whether an entry is meant, before it counts."""
        if not self.confirms:
            return True
        typed = self._line(f"{question.say(answer)}: Enter to confirm, u to take it back ")
        if typed == "q":
            raise Left
        return typed.lower() in ("", "y", "yes")

    def _show_end(self) -> None:
        session = self.session
        money = session.record()["money"]
        table = Table(box=None, header_style="dim", padding=(0, 1, 0, 0))
        table.add_column("The game is over")
        table.add_column("money", justify="right")
        for seat in sorted(range(len(money)), key=lambda seat: -money[seat]):
            is_best = money[seat] == max(money)
            table.add_row(
                Text(session.names[seat] + (" wins" if is_best else ""), "bold" if is_best else ""), str(money[seat])
            )
        self.console.print()
        self.console.print(table)


def open_console() -> tuple[Console, Callable[[str], str], bool]:
    """Return the console, what reads a line there, and whether that is a terminal.

    A terminal gives editing and history; over a pipe lines are read plainly.
    """
    console = Console(highlight=False)
    if sys.stdin.isatty() and sys.stdout.isatty():
        from prompt_toolkit import PromptSession

        prompt_session: Any = PromptSession()
        return console, lambda prompt: str(prompt_session.prompt(prompt)), True

    def read(prompt: str) -> str:
        console.file.write(prompt)
        console.file.flush()
        line = input()
        console.file.write(f"{line}\n")
        return line

    return console, read, False
