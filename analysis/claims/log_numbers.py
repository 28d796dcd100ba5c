"""Numbers of single games, from their logs: each is above 0 where its claim holds."""

from collections.abc import Callable

import numpy as np

from modernart.simulator.cards import AuctionKind
from modernart.simulator.decisions import Form
from modernart.simulator.game_logs import GameLogs
from modernart.simulator.rules import Rules
from modernart.simulator.state import UNRANKED


def lots(logs: GameLogs) -> tuple[np.ndarray, np.ndarray]:
    """Return the sales of all games in one row, and the game of each."""
    is_lot = np.arange(logs.sales.shape[1]) < logs.n_sales[:, None]
    return logs.sales[is_lot], np.nonzero(is_lot)[0]


def per_game(logs: GameLogs, values: np.ndarray, game: np.ndarray) -> np.ndarray:
    """Return the sum of values of lots in each game."""
    return np.bincount(game, values, minlength=len(logs.money))


def payouts_of_lots(logs: GameLogs) -> np.ndarray:
    """Return what each lot paid at the end of its round."""
    sales, game = lots(logs)
    return logs.rounds["pays"][game, sales["round_index"], sales["artist"]] * sales["crowns"]


def starter(logs: GameLogs, rules: Rules) -> np.ndarray:
    """Return the win share of the first round's starter, less an equal share."""
    return logs.win_share[np.arange(len(logs.money)), logs.first_seat] - 1 / rules.players


def gross_selling(logs: GameLogs, rules: Rules) -> np.ndarray:
    """Return, a seat, revenue of selling less all that bought paintings pay."""
    sales, game = lots(logs)
    revenue = per_game(logs, sales["price"] - sales["to_bank"], game)
    return (revenue - logs.rounds["payout"].sum(axis=(1, 2))) / rules.players


def net_selling(logs: GameLogs, rules: Rules) -> np.ndarray:
    """Return, a seat, revenue of selling less the profit of buying: what paintings pay less what they cost."""
    sales, game = lots(logs)
    return gross_selling(logs, rules) + per_game(logs, sales["price"], game) / rules.players


def left_artist(logs: GameLogs, rules: Rules) -> np.ndarray:
    """Return how much more often, a round, the leftmost artist ranks first than the rightmost."""
    ranks = logs.rounds["ranks"]
    return ((ranks[..., 0] == 0).astype(float) - (ranks[..., len(rules.artists) - 1] == 0)).mean(axis=1)


def earlier_values(logs: GameLogs, rules: Rules) -> np.ndarray:
    """Return each artist's value at the start of each round, shape (n_games, n_rounds, n_artists)."""
    gains = np.zeros(UNRANKED + 1)
    gains[: len(rules.rank_values)] = rules.rank_values
    gained = gains[np.minimum(logs.rounds["ranks"], UNRANKED)]
    return np.cumsum(gained, axis=1) - gained


def floor(logs: GameLogs, rules: Rules) -> np.ndarray:
    """Return the share of paintings that pay at least their artist's earlier value, less 19 in 20."""
    sales, game = lots(logs)
    before = earlier_values(logs, rules)[game, sales["round_index"], sales["artist"]]
    pays = logs.rounds["pays"][game, sales["round_index"], sales["artist"]]
    n = np.where(before > 0, sales["n_cards"], 0)
    with np.errstate(invalid="ignore"):
        return per_game(logs, n * (pays >= before), game) / per_game(logs, n, game) - 0.95


def tight(logs: GameLogs, rules: Rules) -> np.ndarray:
    """Return the last player's money over the winner's, less two thirds."""
    return logs.money.min(axis=1) / logs.money.max(axis=1) - 2 / 3


def winners_lots(logs: GameLogs, rules: Rules) -> np.ndarray:
    """Return how many lots more the winner buys than a player on average."""
    sales, game = lots(logs)
    bought = np.zeros(logs.money.shape)
    np.add.at(bought, (game, sales["buyer"]), 1)
    return (logs.win_share * bought).sum(axis=1) - bought.mean(axis=1)


def leader_wins(logs: GameLogs, rules: Rules) -> np.ndarray:
    """Return the win share of the leader before the last round, less one half; ties share the lead."""
    money = logs.rounds["money"][:, -2, : rules.players]
    leads = money == money.max(axis=1, keepdims=True)
    return (leads * logs.win_share).sum(axis=1) / leads.sum(axis=1) - 0.5


def snowball(logs: GameLogs, rules: Rules) -> np.ndarray:
    """Return how often the artist who ranked first ranks again in the next round, less three in five."""
    ranks = logs.rounds["ranks"]
    first = ranks[:, :-1] == 0
    again = (first & (ranks[:, 1:] < len(rules.rank_values))).sum(axis=(1, 2))
    with np.errstate(invalid="ignore"):
        return again / first.sum(axis=(1, 2)) - 0.6


def late_payouts(logs: GameLogs, rules: Rules) -> np.ndarray:
    """Return, a seat, what paintings pay in the last round less what they pay in the first two together."""
    paid = logs.rounds["payout"].sum(axis=2)
    return (paid[:, -1] - paid[:, 0] - paid[:, 1]) / rules.players


def _crowns(values: Callable[[GameLogs], np.ndarray]) -> Callable[[GameLogs, Rules], np.ndarray]:
    """Return a number of single cards: the mean of four or five crowns less that of one or two."""

    def number(logs: GameLogs, rules: Rules) -> np.ndarray:
        sales, game = lots(logs)
        found = values(logs)
        single = (sales["form"] == Form.SINGLE) & (sales["kind"] != AuctionKind.BLACK_FRAMED)
        means = []
        for chosen in (single & (sales["crowns"] >= 4), single & (sales["crowns"] <= 2)):
            n = per_game(logs, chosen, game)
            with np.errstate(invalid="ignore"):
                means.append(per_game(logs, np.where(chosen, found, 0.0), game) / n)
        return means[0] - means[1]

    return number


def _price_a_crown(logs: GameLogs) -> np.ndarray:
    sales, _ = lots(logs)
    return sales["price"] / np.maximum(sales["crowns"], 1)


def _lack_of_profit(logs: GameLogs) -> np.ndarray:
    sales, _ = lots(logs)
    return sales["price"] - payouts_of_lots(logs)


def _loss_if_unranked(logs: GameLogs) -> np.ndarray:
    sales, _ = lots(logs)
    return np.where(payouts_of_lots(logs) == 0, sales["price"], 0)


#: By the name that the catalogue calls them.
NUMBERS: dict[str, Callable[[GameLogs, Rules], np.ndarray]] = {
    "starter": starter,
    "gross_selling": gross_selling,
    "net_selling": net_selling,
    "left_artist": left_artist,
    "floor": floor,
    "tight": tight,
    "winners_lots": winners_lots,
    "leader_wins": leader_wins,
    "snowball": snowball,
    "late_payouts": late_payouts,
    "crowns_price": _crowns(_price_a_crown),
    "crowns_loss_of_profit": _crowns(_lack_of_profit),
    "crowns_loss": _crowns(_loss_if_unranked),
}
#: Numbers in shares, and in lots; the others are money.
SHARES = ("starter", "left_artist", "floor", "tight", "leader_wins", "snowball")
LOTS = ("winners_lots",)
