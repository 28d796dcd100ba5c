"""The ways to answer a decision, and their playouts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from modernart.analysis.table.belief import CHUNK, Belief, chunks_of, in_threads
from modernart.analysis.table.playouts import ALONE, AS_POLICY, play_amounts, play_cards
from modernart.analysis.table.positions import Position
from modernart.simulator.cards import AuctionKind, card_artist, card_kind
from modernart.simulator.decisions import (
    ABOUT_A_LOT,
    ABOUT_A_SECOND,
    ABOUT_CARDS,
    DECLINE,
    IN_TURN,
    STAY_OUT,
    Phase,
    budget,
    can_be_second,
)
from modernart.simulator.errors import RunError, UsageError
from modernart.simulator.limits import MAX_SEATS
from modernart.simulator.setup import games_of
from modernart.strategies.forecast import expected_value

#: Games that a thread needs: a chunk of scenes, and two to work in.
N_WORK = CHUNK + 2
#: Amounts tried near what the lot should pay, and further apart over all amounts.
_FINE, _COARSE = 32, 12
#: How far rivals' bids scatter about what their policies say.
SPREAD = 0.1
#: Amounts tried for a black-framed card.
_MOST_TENDER = 20


@dataclass(frozen=True)
class Way:
    """One way to answer.

    Parameters
    ----------
    answer : str or int
        As it is told: a card, perhaps with what is added to it, an amount or a word.
    first, second : int
        As `play_cards` takes it; of an amount only the first counts.
    """

    answer: str | int
    first: int
    second: int = AS_POLICY


@dataclass(frozen=True, eq=False)
class Played:
    """What came of each way in each scene.

    Parameters
    ----------
    money : ndarray of float64, shape (n, n_ways, n_seats)
        Final money.
    units : ndarray of int64, shape (n,)
        The walk that a scene comes from.
    income : ndarray of float64, shape (n, n_ways)
        What the seat takes in, less what it pays, for the lot.
    ends : ndarray of bool, shape (n, n_ways)
        Whether the round ended before the lot was sold.
    buyers : ndarray of int64, shape (n, n_ways)
        Who bought the lot; -1 where that was not asked.
    sold : ndarray of float64, shape (n, n_seats)
        For lots: the price at which the game was played on when a seat bought; -1 where it never did.
    final : ndarray of float64, shape (n, n_seats, n_seats)
        For lots: final money then, by buyer and seat.
    standing : ndarray of float64, shape (n, n_ways, n_seats)
        What each seat has when the round is over, and should still earn with the cards it holds then.
    held : ndarray of float64, shape (n, n_seats, n_seats)
        For lots: the same at the price of `sold`, by buyer and seat.
    """

    money: np.ndarray
    units: np.ndarray
    income: np.ndarray
    ends: np.ndarray
    buyers: np.ndarray
    sold: np.ndarray
    final: np.ndarray
    standing: np.ndarray
    held: np.ndarray


def scene_of(belief: Belief) -> np.recarray:
    """Return one scene, shape (1,): its table, and the hand of the seat that decides, are those of the position."""
    games = games_of(belief.position.rules, 1)
    belief.make(games, np.zeros(1, np.int64), np.ones(1, np.int64))
    games[0].table.seat = belief.position.seat
    return games


def ways_of(position: Position, scene: np.recarray) -> list[Way]:
    """Return the ways to answer a decision.

    Raises
    ------
    UsageError
        If they depend on a hand that is not known.
    """
    game = scene[0]
    phase = position.phase
    if phase in ABOUT_CARDS and not position.knows_hand:
        name = position.names[position.seat]
        raise UsageError(f"the hand of {name} is not known; give it, or ask about a decision of another seat")
    if phase == Phase.CARD:
        return _ways_to_sell(position, game)
    if phase in ABOUT_A_SECOND:
        none = Way("alone" if phase == Phase.PAIR else "decline", DECLINE)
        return [
            none,
            *(
                Way(position.card(code), code)
                for code in _seconds(game, position.seat, game.table.artist, int(game.table.kind))
            ),
        ]
    if phase == Phase.FLIP:
        return [Way("turn up", 1), Way("leave", 0)]
    if phase == Phase.ACCEPT:
        return [Way("accept", 1), Way("refuse", 0)]
    return [Way(amount, amount) for amount in _amounts(position, game)]


def _ways_to_sell(position: Position, game) -> list[Way]:
    """Return the cards to put up; one that takes a second comes alone and with each card that could be added."""
    table = game.table
    hand = game.hands[position.seat]
    ways = []
    for code in sorted({int(code) for code in hand.cards[: hand.n_cards]}):
        artist = card_artist(code)
        text = position.card(code)
        seconds = _seconds_in_hand(position, game, code)
        if not seconds or table.cards_out[artist] + 1 >= table.rules.end_count or table.cards_in_hands == 1:
            ways.append(Way(text, code))
            continue
        ways.append(Way(f"{text} alone", code, ALONE))
        ways += [Way(f"{text} with {position.card(second)}", code, second) for second in seconds]
    return ways


def _seconds(game, seat: int, artist: int, kind: int) -> list[int]:
    """Return the different cards of a hand that can be added to a double, or to a single card of a kind."""
    hand = game.hands[seat]
    codes = {int(code) for code in hand.cards[: hand.n_cards]}
    return sorted(
        code
        for code in codes
        if card_artist(code) == artist and can_be_second(code) and kind in (AuctionKind.DOUBLE, card_kind(code))
    )


def _seconds_in_hand(position: Position, game, code: int) -> list[int]:
    """Return the different cards that could be added to a card of the hand if it were put up."""
    kind = card_kind(code)
    if kind == AuctionKind.DOUBLE:
        return _seconds(game, position.seat, card_artist(code), kind)
    if position.rules.pairing != "same_kind" or not can_be_second(code):
        return []
    hand = game.hands[position.seat]
    held = [int(card) for card in hand.cards[: hand.n_cards]]
    found = _seconds(game, position.seat, card_artist(code), kind)
    return [second for second in found if second != code or held.count(code) > 1]


def expected_pay(position: Position, game) -> float:
    """Return what the lot on sale should pay, by the forecast of the built-in bidders, in money."""
    return float(expected_value(game.table, game.hands[position.seat], True))


def _amounts(position: Position, game) -> list[int]:
    """Return the amounts to try, ascending: close together near what the lot should pay, further apart elsewhere."""
    table = game.table
    phase = position.phase
    most = int(budget(table, position.seat))
    if phase == Phase.TENDER:
        stay_out = [STAY_OUT] if position.seat == table.auctioneer else []
        return stay_out + list(range(min(most, _MOST_TENDER) + 1))
    pays = expected_pay(position, game)
    best_rank = int(max(position.rules.rank_values))
    top = min(most, int(table.lot_crowns) * (int(table.values[table.artist]) + best_rank))
    fine = np.arange(int(0.45 * pays), int(1.25 * pays) + 2)
    step = -(-len(fine) // _FINE)
    found = {*fine[::step].tolist(), *np.linspace(0, top, _COARSE).astype(int).tolist()}
    low = int(table.high_bid) + 1 if phase in IN_TURN else 1
    return [0, *sorted(amount for amount in found if low <= amount <= most)]


def play_ways(
    belief: Belief, ways: Sequence[Way], n: int, threads: int | None = None, *, spread: float = SPREAD
) -> Played:
    """Play `n` scenes on with each way to answer.

    Parameters
    ----------
    belief : Belief
    ways : sequence of Way
    n : int
    threads : int, optional
    spread : float
        See `modernart.analysis.table.playouts`. People's bids scatter, and without it a small change of the hidden
        hands would turn all that follows.

    Raises
    ------
    RunError
        If a strategy gave an illegal answer.
    """
    position = belief.position
    is_lot = position.phase in ABOUT_A_LOT
    scenes, repeats, units = belief.spread(n)
    money = np.zeros((n, len(ways), MAX_SEATS), np.int32)
    income = np.zeros((n, len(ways)), np.int32)
    ends = np.zeros((n, len(ways)), np.bool_)
    buyers = np.full((n, len(ways)), -1, np.int32)
    sold = np.full((n, MAX_SEATS), -1, np.int32)
    final = np.zeros((n, MAX_SEATS, MAX_SEATS) if is_lot else (0, MAX_SEATS, MAX_SEATS), np.int32)
    standing = np.zeros((n, len(ways), MAX_SEATS), np.float32)
    held = np.zeros(final.shape, np.float32)
    answers = np.array([(way.first, way.second) for way in ways], np.int64)

    def part(chunk: np.ndarray, work: np.recarray) -> None:
        games, one = work[:CHUNK].view(np.recarray), work[CHUNK:]
        belief.make(games, scenes[chunk], repeats[chunk])
        rows = slice(chunk[0], chunk[-1] + 1)
        if is_lot:
            amounts = np.ascontiguousarray(answers[:, 0])
            is_legal = play_amounts(
                games,
                len(chunk),
                one,
                position.seat,
                amounts,
                spread,
                money[rows],
                standing[rows],
                buyers[rows],
                income[rows],
                sold[rows],
                final[rows],
                held[rows],
            )
        else:
            is_legal = play_cards(
                games, len(chunk), one, answers, spread, money[rows], standing[rows], income[rows], ends[rows]
            )
        if not is_legal:
            raise RunError("a strategy gave an illegal answer in a playout; choose other --rivals")

    in_threads(position.rules, chunks_of(n), part, N_WORK, threads)
    n_seats = position.rules.players
    return Played(
        money[:, :, :n_seats].astype(float),
        units,
        income.astype(float),
        ends,
        buyers.astype(int),
        sold[:, :n_seats].astype(float),
        final[:, :n_seats, :n_seats].astype(float),
        standing[:, :, :n_seats].astype(float),
        held[:, :n_seats, :n_seats].astype(float),
    )
