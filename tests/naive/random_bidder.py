"""The `random` bidder, draw by draw, and a seeded game of such bidders."""

from .deck import deal
from .game import play
from .stream import DECISIONS, Stream, deal_key


class RandomBidder:
    """Answers every question at random from one stream a round.

    Parameters
    ----------
    key : int
        Key of the deal.
    position : int
        Line-up position of the player: their random stream goes with them around the table.
    """

    def __init__(self, key: int, position: int) -> None:
        self.key = key
        self.position = position
        self.round = None

    def __call__(self, view: dict, question: str) -> int | bool | None:
        """Answer one question of `game.play`."""
        if view["round"] != self.round:
            self.round = view["round"]
            self.stream = Stream(self.key, self.round, self.position, DECISIONS)
        return getattr(self, question)(view)

    def heads(self) -> bool:
        """One of two equal chances."""
        return self.stream.below(2) == 1

    def amount(self, view: dict) -> int:
        """A whole number from 0 to their money, at most 40."""
        return self.stream.below(min(max(view["money"], 0), 40) + 1)

    def raised(self, view: dict) -> int | None:
        """A pass, or one to ten above the high bid."""
        if not self.heads():
            return None
        high = view["high"]
        return high + 1 + self.stream.below(min(view["money"], high + 10) - high)

    def second(self, view: dict) -> int | None:
        """No second, or any fitting card."""
        if not self.heads():
            return None
        return view["fitting"][self.stream.below(len(view["fitting"]))]

    def card(self, view: dict) -> int:
        """Any card."""
        return self.stream.below(len(view["hand"]))

    def black_framed(self, view: dict) -> int | None:
        """An amount; the auctioneer stays out half the time."""
        if view["may_stay_out"] and not self.heads():
            return None
        return self.amount(view)

    def accept(self, view: dict) -> bool:
        """Buys half the time."""
        return self.heads()

    def flip(self, view: dict) -> bool:
        """Turns the shill's card up half the time."""
        return self.heads()

    pair = join = second
    limit = sealed = price = amount
    once_around = outcry = raised


def play_random(rules: dict, seed: int, game: int) -> dict:
    """Record of game number `game` of a run in which all seats are `random` bidders.

    Parameters
    ----------
    rules : dict
        The rules of the game record.
    seed : int
        Seed of the run.
    game : int
        Number of the game, from 0: rotation `game % players` of deal `game // players`.
    """
    players = rules["players"]
    block, rotation = divmod(game, players)
    key = deal_key(seed, block)
    first_seat, dealt = deal(rules, key)
    bidders = [RandomBidder(key, (seat + rotation) % players) for seat in range(players)]
    record = play(rules, dealt, first_seat, bidders)
    return {
        "format": record["format"],
        "version": record["version"],
        "rules": rules,
        "seed": seed,
        "game": game,
        "players": ["random"] * players,
        **{key: record[key] for key in ("first_seat", "rounds", "money", "winners")},
    }
