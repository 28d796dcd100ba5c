"""The table of a game as text for a terminal of any width, as one seat sees it."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from modernart.analysis.play.board import Frame

#: Colours of the artists, in board order; the code on each card says the same.
_COLOURS = (
    "black on yellow3",
    "black on dark_sea_green2",
    "black on light_salmon1",
    "black on sky_blue1",
    "black on plum2",
    "black on grey84",
    "black on tan",
    "black on aquamarine1",
)
#: From this width on, market and seats stand side by side.
_WIDE = 92


class TableText:
    """Draws the table of one game.

    Parameters
    ----------
    game : dict
        See `modernart.analysis.play.replay_page.game_for_page`.
    console : Console
    """

    def __init__(self, game: dict[str, Any], console: Console) -> None:
        self.game = game
        self.console = console

    def show(self, frame: Frame, seat: int) -> None:
        """Print market, seats, lot and the hand of a seat."""
        market, seats = self._market(frame), self._seats(frame, seat)
        self.console.print()
        if self.console.width >= _WIDE:
            both = Table.grid(padding=(0, 4, 0, 0))
            both.add_row(market, seats)
            self.console.print(both)
        else:
            self.console.print(Group(market, seats))
        if frame["lot"]:
            lot = Text("On sale: ").append_text(self.cards(frame["lot"]))
            self.console.print(lot.append(f" by {self.game['names'][frame['seller']]}{self._bid(frame)}"))
        if self.game["has_pile"]:
            self.console.print(f"The shill's pile: {frame['pile']} cards")
        hand = frame["hands"][seat]
        self.console.print(Text("Your hand: ").append_text(self.cards(hand)) if hand else "Your hand is empty")

    def cards(self, cards: Sequence[str]) -> Text:
        """Return cards in their artists' colours."""
        artists = self.game["artists"]
        return Text(" ").join(Text(card, _COLOURS[artists.index(card.partition("-")[0])]) for card in cards)

    def _market(self, frame: Frame) -> Table:
        game = self.game
        table = Table(box=None, header_style="dim", padding=(0, 1, 0, 0))
        table.add_column(f"Round {frame['round']} of {game['rounds']}", no_wrap=True)
        table.add_column(f"out, {game['end_count']} end", no_wrap=True)
        table.add_column("gains", justify="right")
        for place, artist in enumerate(game["artists"]):
            out = frame["out"][place]
            label = Text.assemble((f" {artist} ", _COLOURS[place]), f" {game['artist_names'][place]}")
            table.add_row(label, "●" * out + "·" * max(game["end_count"] - out, 0), str(frame["values"][place]))
        return table

    def _seats(self, frame: Frame, seat: int) -> Table:
        table = Table(box=None, header_style="dim", padding=(0, 1, 0, 0))
        for heading in ("player", "money", "cards", "bought this round"):
            table.add_column(heading, justify="right" if heading in ("money", "cards") else "left")
        for place, name in enumerate(self.game["names"]):
            is_reader = place == seat
            label = Text(f"{name} (you)" if is_reader else name, "bold" if is_reader else "")
            bought = self.cards(frame["galleries"][place])
            money = frame["money"][place]
            table.add_row(label, "?" if money is None else str(money), str(frame["sizes"][place]), bought or Text("-"))
        return table

    def _bid(self, frame: Frame) -> str:
        """Return the standing bid, or the price that is asked."""
        if frame["bidder"] is None:
            return ""
        if frame["lot"][-1].partition("-")[2] == "F":
            return f", who asks {frame['bid']}"
        return f", high bid {frame['bid']} by {self.game['names'][frame['bidder']]}"
