"""Studies of cause: the same moment of a game played on in several ways, with the same cards and dice."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pandas as pd

from modernart.analysis.statistics.estimates import Estimate, ratio_of
from modernart.simulator import streams
from modernart.simulator.batch import seat_players
from modernart.simulator.cards import AuctionKind
from modernart.simulator.decisions import DECLINE, Form, Phase, artist_of, can_be_second, kind_of
from modernart.simulator.errors import RunError
from modernart.simulator.game import apply, new_deal, new_game, play
from modernart.simulator.jit import call_act, kernel
from modernart.simulator.lineups import BalancedSchedule
from modernart.simulator.players import Player, acts_of, params_of
from modernart.simulator.rules import Rules
from modernart.simulator.setup import games_of
from modernart.simulator.simulate import available_threads
from modernart.simulator.state import LIVE_BYTES, MAX_SEATS, N_ARTISTS
from modernart.simulator.tallies import WIN_UNITS

#: Eight-byte words of a game that decide how it goes on.
_LIVE_WORDS = -(-LIVE_BYTES // 8)
#: Work space of one thread: the game that goes on, and the copies that are played both ways.
_MAIN, _SNAPSHOT, _BRANCH = range(3)
_N_GAMES = 3

#: Columns of a moment, before the outcomes.
_DEAL, _STRATEGY, _ROUND, _CASE, _HOLDING, _HAND, _CHOSEN, _OUT = range(8)
N_FACTS = 8
#: Auction kinds that a single card can have.
N_KINDS = 4
_MAX_MOMENTS = 512

_REPEAT_GAMMA = np.uint64(0xD1342543DE82EF95)


@kernel
def copy_game(words, target, source):
    """Copy what decides how a game goes on; `words` is the games' memory as int64 of shape (n_games, words)."""
    for k in range(_LIVE_WORDS):
        words[target, k] = words[source, k]


@kernel
def rekey(game, repeat):
    """Give a game other dice from here on, the cards to come staying the same; repeat 0 keeps the dice it has."""
    if repeat == 0:
        return
    shift = np.uint64(repeat) * _REPEAT_GAMMA
    game.key = streams.mix(game.key ^ shift)
    for seat in range(game.table.rules.n_seats):
        game.hands[seat].rng = streams.mix(game.hands[seat].rng ^ shift)


@kernel
def win_units(table, seat):
    """Return the win units of a seat at the end of a game, ties shared."""
    best = table.money[0]
    for other in range(1, table.rules.n_seats):
        best = max(best, table.money[other])
    if table.money[seat] < best:
        return 0
    n_winners = 0
    for other in range(table.rules.n_seats):
        n_winners += table.money[other] == best
    return WIN_UNITS // n_winners


@kernel
def ends_round(table, card):
    """Tell whether putting up a card ends the round at once (by `end_count`)."""
    return table.cards_out[artist_of(card)] + 1 >= table.rules.end_count


@kernel
def ask_among(game, ending):
    """Return the slot that a player prefers among the cards that end the round, or among those that do not.

    The strategy is shown a hand of those cards alone, and its answer is translated back; -1 if there are none or if
    the answer is none of them. The hand is left as it was but for its random stream and notes.
    """
    table = game.table
    seat = table.seat
    hand = game.hands[seat]
    n = hand.n_cards
    kept = np.empty(n, np.int64)
    cards = np.empty(n, np.int64)
    fitting = np.empty(N_ARTISTS, np.int64)
    for artist in range(N_ARTISTS):
        fitting[artist] = hand.fitting[artist]
        hand.fitting[artist] = 0
    n_kept = 0
    for slot in range(n):
        cards[slot] = hand.cards[slot]
    for slot in range(n):
        card = cards[slot]
        if ends_round(table, card) == ending:
            kept[n_kept] = slot
            hand.cards[n_kept] = card
            hand.fitting[artist_of(card)] += can_be_second(card)
            n_kept += 1
    answer = np.int64(-1)
    if n_kept > 0:
        hand.n_cards = n_kept
        table.hand_sizes[seat] = n_kept
        answer = call_act(game.acts[seat], table, hand)
    hand.n_cards = n
    table.hand_sizes[seat] = n
    for slot in range(n):
        hand.cards[slot] = cards[slot]
    for artist in range(N_ARTISTS):
        hand.fitting[artist] = fitting[artist]
    if answer < 0 or answer >= n_kept:
        return np.int64(-1)
    return kept[answer]


@kernel
def play_out(words, games, action, repeat, sums, sign):
    """Play the snapshot on with an action and add everybody's outcome, by seat from the mover's left, to `sums`.

    Returns False if an answer was illegal.
    """
    copy_game(words, _BRANCH, _SNAPSHOT)
    game = games[_BRANCH]
    rekey(game, repeat)
    mover = game.table.seat
    if not apply(game, action) or not play(game):
        return False
    n_seats = game.table.rules.n_seats
    for step in range(n_seats):
        seat = mover + step
        seat = seat - n_seats if seat >= n_seats else seat
        sums[2 * step] += sign * game.table.money[seat]
        sums[2 * step + 1] += sign * win_units(game.table, seat)
    return True


@kernel
def ending_moment(game):
    """Tell how the mover can end the round or not: 0 he has no choice, 1 by a card, 2 by pairing, 3 by joining."""
    table = game.table
    hand = game.hands[table.seat]
    if table.phase == Phase.PAIR or table.phase == Phase.JOIN:
        if table.cards_out[table.artist] + 1 >= table.rules.end_count:
            return 2 if table.phase == Phase.PAIR else 3
        return 0
    if table.phase != Phase.CARD or table.cards_in_hands == 1:
        return 0
    n_ending = 0
    for slot in range(hand.n_cards):
        n_ending += ends_round(table, hand.cards[slot])
    return 1 if 0 < n_ending < hand.n_cards else 0


@kernel
def ending_actions(games, case):
    """Return the mover's preferred action that ends the round and the preferred one that does not; -2 if none."""
    game = games[_BRANCH]
    table = game.table
    hand = game.hands[table.seat]
    if case == 1:
        end = ask_among(game, True)
        on = ask_among(game, False)
        return (end if end >= 0 else np.int64(-2)), (on if on >= 0 else np.int64(-2))
    answer = call_act(game.acts[table.seat], table, hand)
    if answer != DECLINE:
        return answer, np.int64(DECLINE)
    for slot in range(hand.n_cards):
        if artist_of(hand.cards[slot]) == table.artist and can_be_second(hand.cards[slot]):
            return np.int64(slot), np.int64(DECLINE)
    return np.int64(-2), np.int64(DECLINE)


@kernel
def study_endings(games, words, acts, params, line_ups, first_block, seed, repeats, facts, outcomes):
    """Play blocks, and at every moment where the mover can end the round and can also not, play on both ways.

    Parameters
    ----------
    games : recarray of GAME_DTYPE, shape (3,)
    words : ndarray of int64
        The same memory by words.
    acts, params, line_ups, first_block, seed
        As for `modernart.simulator.batch.play_blocks`.
    repeats : int
        How often to play on, each time with other dice.
    facts : ndarray of int64, shape (n, N_FACTS)
        Written: deal, strategy, round, how it can be ended, own paintings of the artist, hand size, whether the
        strategy itself ends here, cards out of the artist.
    outcomes : ndarray of float64, shape (n, 2 * MAX_SEATS)
        Written: money and win units, ending less playing on, of the mover, the seat to his left, and so on.

    Returns
    -------
    int
        Moments written; -1 after an illegal answer, -2 if there was no room.
    """
    game = games[_MAIN]
    n_blocks, n_seats = line_ups.shape
    n = 0
    for block in range(n_blocks):
        new_deal(game, seed, first_block + block)
        for rotation in range(n_seats):
            seat_players(game, acts, params, line_ups[block], rotation)
            game.key = streams.deal_key(seed, first_block + block)
            new_game(game, rotation)
            while game.table.phase != Phase.OVER:
                table = game.table
                seat = table.seat
                case = ending_moment(game)
                action = call_act(game.acts[seat], table, game.hands[seat])
                if case > 0:
                    # After the answer, so that its draws are behind both branches as they are behind the game itself.
                    copy_game(words, _SNAPSHOT, _MAIN)
                    copy_game(words, _BRANCH, _SNAPSHOT)
                    end, on = ending_actions(games, case)
                    if end != -2 and on != -2:
                        if n >= facts.shape[0]:
                            return -2
                        artist = artist_of(game.hands[seat].cards[end])
                        if case == 1:
                            chosen = 0 <= action < game.hands[seat].n_cards and ends_round(
                                table, game.hands[seat].cards[action]
                            )
                        else:
                            chosen = action != DECLINE
                        facts[n, _DEAL] = first_block + block
                        facts[n, _STRATEGY] = game.who[seat]
                        facts[n, _ROUND] = table.round_index + 1
                        facts[n, _CASE] = case
                        facts[n, _HOLDING] = table.gallery[seat, artist]
                        facts[n, _HAND] = game.hands[seat].n_cards
                        facts[n, _CHOSEN] = chosen
                        facts[n, _OUT] = table.cards_out[artist]
                        for k in range(2 * n_seats):
                            outcomes[n, k] = 0.0
                        for repeat in range(repeats):
                            if not play_out(words, games, end, repeat, outcomes[n], 1.0):
                                return -1
                            if not play_out(words, games, on, repeat, outcomes[n], -1.0):
                                return -1
                        n += 1
                if not apply(game, action):
                    return -1
    return n


@kernel
def sell_as(words, games, slot, kind, repeat, result, k):
    """Sell the snapshot's lot by another kind, play on, and add price, seller's revenue, money, win units, own buys."""
    copy_game(words, _BRANCH, _SNAPSHOT)
    game = games[_BRANCH]
    rekey(game, repeat)
    table = game.table
    seller = table.seat
    hand = game.hands[seller]
    card = hand.cards[slot]
    hand.cards[slot] = card - 8 * kind_of(card) + 8 * kind
    n_sales = game.n_sales
    action = np.int64(slot)
    while game.n_sales == n_sales:
        if not apply(game, action):
            return False
        if game.n_sales == n_sales:
            action = call_act(game.acts[table.seat], table, game.hands[table.seat])
    sale = game.sales[n_sales]
    result[k, 0] += sale.price
    result[k, 1] += sale.price - sale.to_bank
    result[k, 4] += sale.buyer == seller
    if table.phase != Phase.OVER and not play(game):
        return False
    result[k, 2] += table.money[seller]
    result[k, 3] += win_units(table, seller)
    return True


@kernel
def study_auctions(games, words, acts, params, line_ups, first_block, seed, repeats, facts, outcomes):
    """Play blocks, and sell every single card and every own double by each of the four kinds, playing on to the end.

    Parameters as `study_endings`, but `facts` hold the form of the lot for the case and the card's own kind for the
    holding, and `outcomes` has shape (n, N_KINDS, 5): price, revenue of the seller, his final money, his win units,
    whether he bought himself, each summed over the repeats.
    """
    game = games[_MAIN]
    n_blocks, n_seats = line_ups.shape
    n = 0
    for block in range(n_blocks):
        new_deal(game, seed, first_block + block)
        for rotation in range(n_seats):
            seat_players(game, acts, params, line_ups[block], rotation)
            game.key = streams.deal_key(seed, first_block + block)
            new_game(game, rotation)
            while game.table.phase != Phase.OVER:
                table = game.table
                seat = table.seat
                asks = table.phase == Phase.CARD or table.phase == Phase.PAIR
                action = call_act(game.acts[seat], table, game.hands[seat])
                if asks and 0 <= action < game.hands[seat].n_cards:
                    card = game.hands[seat].cards[action]
                    if can_be_second(card) and not ends_round(table, card) and table.cards_in_hands > 1:
                        if n >= facts.shape[0]:
                            return -2
                        copy_game(words, _SNAPSHOT, _MAIN)
                        facts[n, _DEAL] = first_block + block
                        facts[n, _STRATEGY] = game.who[seat]
                        facts[n, _ROUND] = table.round_index + 1
                        facts[n, _CASE] = Form.PAIRED if table.phase == Phase.PAIR else Form.SINGLE
                        facts[n, _HOLDING] = kind_of(card)
                        facts[n, _HAND] = game.hands[seat].n_cards
                        facts[n, _OUT] = table.cards_out[artist_of(card)] + 1
                        outcomes[n] = 0.0
                        for repeat in range(repeats):
                            for kind in range(N_KINDS):
                                if not sell_as(words, games, action, kind, repeat, outcomes[n], kind):
                                    return -1
                        n += 1
                if not apply(game, action):
                    return -1
    return n


@kernel
def study_luck(games, acts, params, focal, n_mates, n_repeats, first_deal, seed, money, seats):
    """Play a focal strategy on deals, in every seat, among several sets of mates, with several sets of dice.

    Parameters
    ----------
    games : recarray of GAME_DTYPE, shape (1,) or more
    focal : int
        The strategy.
    money : ndarray of float64, shape (n_deals, n_seats, n_mates, n_repeats)
        Written: the focal seat's final money.
    seats : ndarray of int64, shape (n_deals, n_seats)
        Written: its place from the starter.

    Returns
    -------
    bool
        False after an illegal answer.
    """
    game = games[0]
    n_deals, n_seats = seats.shape
    n_strategies = acts.shape[0]
    members = np.zeros(n_seats, np.int64)
    for deal in range(n_deals):
        new_deal(game, seed, first_deal + deal)
        key = game.key
        for rotation in range(n_seats):
            # The focal player is member 0, and sits where `new_game` puts him.
            seat = n_seats - rotation if rotation > 0 else 0
            seats[deal, rotation] = (seat - game.first_seat) % n_seats
            state = streams.stream_start(key, rotation, focal, streams.TABLES)
            for mates in range(n_mates):
                members[0] = focal
                for i in range(1, n_seats):
                    state = streams.step(state)
                    members[i] = streams.scaled(state, n_strategies)
                for repeat in range(n_repeats):
                    seat_players(game, acts, params, members, rotation)
                    game.key = key if repeat == 0 else streams.mix(key ^ (np.uint64(repeat) * _REPEAT_GAMMA))
                    new_game(game, rotation)
                    if not play(game):
                        return False
                    money[deal, rotation, mates, repeat] = game.table.money[seat]
    return True


@dataclass(frozen=True)
class Moments:
    """Moments of a study.

    Parameters
    ----------
    names : tuple of str
        Strategies.
    facts : ndarray of int64, shape (n_moments, N_FACTS)
    outcomes : ndarray of float64
        By moment; means over the repeats, win shares between 0 and 1.
    n_deals, n_games : int
        Deals and games that the moments come from.
    """

    names: tuple[str, ...]
    facts: np.ndarray
    outcomes: np.ndarray
    n_deals: int
    n_games: int

    @property
    def frame(self) -> pd.DataFrame:
        """The facts, as columns."""
        names = ("deal", "strategy", "round", "case", "holding", "hand_size", "chosen", "cards_out")
        frame = pd.DataFrame(self.facts, columns=list(names))
        frame["strategy"] = np.array(self.names, object)[frame["strategy"]] if len(frame) else []
        return frame


def _collect(
    study: Callable,
    shape: tuple[int, ...],
    players: Sequence[Player],
    rules: Rules,
    games: int,
    seed: int,
    repeats: int,
    threads: int,
    on_progress: Callable[[int], None] | None,
) -> Moments:
    """Run a study's kernel over blocks, some at a time, in threads; the outcome does not depend on their number."""
    n_seats = rules.players
    n_blocks = -(-games // n_seats)
    schedule = BalancedSchedule(len(players), n_seats, seed)
    acts, params = acts_of(players), params_of(players, rules)
    size = 16

    def part(first: int) -> tuple[np.ndarray, np.ndarray]:
        work = games_of(rules, _N_GAMES)
        words = work.view(np.int64).reshape(_N_GAMES, -1)
        line_ups = schedule.line_ups(first, min(size, n_blocks - first))
        room = _MAX_MOMENTS * len(line_ups)
        facts = np.zeros((room, N_FACTS), np.int64)
        outcomes = np.zeros((room, *shape))
        n = study(work, words, acts, params, line_ups, first, np.uint64(seed), repeats, facts, outcomes)
        if n < 0:
            what = "a strategy gave an illegal answer" if n == -1 else "too many moments in a block"
            raise RunError(f"the study stopped at deals {first} to {first + len(line_ups) - 1}, seed {seed}: {what}")
        return facts[:n].copy(), outcomes[:n] / repeats

    parts = []
    with ThreadPoolExecutor(max(1, threads)) as pool:
        for done in pool.map(part, range(0, n_blocks, size)):
            parts.append(done)
            if on_progress is not None:
                on_progress(min(len(parts) * size, n_blocks) * n_seats)
    facts = np.concatenate([facts for facts, _ in parts])
    outcomes = np.concatenate([outcomes for _, outcomes in parts])
    return Moments(tuple(p.name for p in players), facts, outcomes, n_blocks, n_blocks * n_seats)


def ending_moments(
    players: Sequence[Player],
    rules: Rules,
    games: int,
    *,
    seed: int = 1,
    repeats: int = 4,
    threads: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Moments:
    """Return every moment of a run's games where the mover could end the round and could also not, played both ways.

    Parameters
    ----------
    players : sequence of Player
    rules : Rules
    games : int
        Games to look through; those of `simulate` with the same arguments.
    seed : int
    repeats : int
        How often each moment is played on; the first time with the game's own dice.
    threads : int, optional
    on_progress : callable, optional
        Called with the number of games done.

    Returns
    -------
    Moments
        `outcomes` has shape (n, n_seats, 2): money and win share, ending less playing on, of the mover, his left
        neighbour, and so on.

    Raises
    ------
    RunError
        After an illegal answer.
    """
    shape = (2 * MAX_SEATS,)
    threads = threads or available_threads()
    found = _collect(study_endings, shape, players, rules, games, seed, repeats, threads, on_progress)
    outcomes = found.outcomes.reshape(-1, MAX_SEATS, 2)[:, : rules.players]
    return Moments(found.names, found.facts, outcomes / [1.0, WIN_UNITS], found.n_deals, found.n_games)


def auction_moments(
    players: Sequence[Player],
    rules: Rules,
    games: int,
    *,
    seed: int = 1,
    repeats: int = 2,
    threads: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Moments:
    """Return every lot of a run's games that was one card or an own double, sold by each of the four kinds.

    Parameters and errors as `ending_moments`.

    Returns
    -------
    Moments
        `outcomes` has shape (n, N_KINDS, 5): price, seller's revenue, his final money, his win share, whether he bought
        his own lot. In `facts` the holding is the kind that the card really had.
    """
    threads = threads or available_threads()
    found = _collect(study_auctions, (N_KINDS, 5), players, rules, games, seed, repeats, threads, on_progress)
    outcomes = found.outcomes / [1.0, 1.0, 1.0, WIN_UNITS, 1.0]
    return Moments(found.names, found.facts, outcomes, found.n_deals, found.n_games)


def by_deal(deals: np.ndarray, values: np.ndarray) -> Estimate:
    """Return the mean of values of moments, with an interval whose unit is the deal.

    Parameters
    ----------
    deals : ndarray of int, shape (n,)
    values : ndarray of float, shape (n,) or (n, ...)
    """
    unit, index = np.unique(deals, return_inverse=True)
    sums = np.zeros((len(unit), *values.shape[1:]))
    counts = np.zeros((len(unit),) + (1,) * (values.ndim - 1))
    np.add.at(sums, index, values)
    np.add.at(counts, index, 1.0)
    return ratio_of(sums, counts)


#: How a round can be ended, in words.
CASE_NAMES = {1: "a card", 2: "pairing a double", 3: "joining a double"}


def endings_effect(moments: Moments) -> pd.DataFrame:
    """Return what ending a round brings its player, against playing on: overall and by what may matter.

    Returns
    -------
    DataFrame
        `by` and `case` name the moments; `money` and `win_share` with intervals for the mover, `next_money` for the
        player to his left, `others_money` for the mean of the rest. Overlapping: each block of `by` splits all moments.
    """
    facts = moments.frame
    seats = moments.outcomes.shape[1]
    rows = []

    def add(by: str, case: str, chosen: np.ndarray) -> None:
        if not chosen.any():
            return
        deals = facts["deal"].to_numpy()[chosen]
        values = moments.outcomes[chosen]
        others = values[:, 2:, 0].mean(axis=1) if seats > 2 else np.full(len(values), np.nan)
        row: dict[str, object] = {"by": by, "case": case, "moments": int(chosen.sum())}
        for name, numbers in (
            ("money", values[:, 0, 0]),
            ("win_share", values[:, 0, 1]),
            ("next_money", values[:, 1, 0]),
            ("next_win_share", values[:, 1, 1]),
            ("others_money", others),
        ):
            estimate = by_deal(deals, numbers)
            row |= {
                name: float(estimate.mean),
                f"{name}_low": float(estimate.low),
                f"{name}_high": float(estimate.high),
            }
        rows.append(row)

    everything = np.ones(len(facts), bool)
    add("all", "all moments", everything)
    for value in (1, 0):
        add("own choice", "ends" if value else "plays on", (facts["chosen"] == value).to_numpy())
    for holding in range(4):
        is_last = holding == 3
        here = facts["holding"] >= holding if is_last else facts["holding"] == holding
        add("own paintings", f"{holding}{' or more' if is_last else ''}", here.to_numpy())
    for round_number in sorted(facts["round"].unique()):
        add("round", str(round_number), (facts["round"] == round_number).to_numpy())
    for low, high in ((1, 3), (4, 6), (7, 9), (10, 99)):
        add(
            "cards in hand",
            f"{low} to {high}" if high < 99 else f"{low} or more",
            facts["hand_size"].between(low, high).to_numpy(),
        )
    for case, name in CASE_NAMES.items():
        add("ended by", name, (facts["case"] == case).to_numpy())
    for name in moments.names:
        add("strategy", name, (facts["strategy"] == name).to_numpy())
    return pd.DataFrame(rows)


def seats_effect(moments: Moments) -> pd.DataFrame:
    """Return what ending a round brings each seat, counted from the one that ends: 0 himself, 1 his left neighbour."""
    deals = moments.frame["deal"].to_numpy()
    estimate = by_deal(deals, moments.outcomes)
    return pd.DataFrame(
        {
            "seat_from_ender": range(moments.outcomes.shape[1]),
            **_columns("money", estimate, 0),
            **_columns("win_share", estimate, 1),
        }
    )


def _columns(name: str, estimate: Estimate, k: int) -> dict[str, np.ndarray]:
    return {name: estimate.mean[..., k], f"{name}_low": estimate.low[..., k], f"{name}_high": estimate.high[..., k]}


KIND_LABELS = {
    AuctionKind.OPEN: "open",
    AuctionKind.ONCE_AROUND: "once around",
    AuctionKind.SEALED: "sealed",
    AuctionKind.FIXED_PRICE: "fixed price",
}


def auctions_effect(moments: Moments, by: Sequence[str] = ()) -> pd.DataFrame:
    """Return what the same lot brings its seller by each kind of sale, and the differences from an open auction.

    Parameters
    ----------
    moments : Moments
    by : sequence of {"form", "round", "cards_out", "strategy"}
        What to tell apart.
    """
    facts = moments.frame.rename(columns={"case": "form"})
    facts["form"] = facts["form"].map({Form.SINGLE: "single", Form.PAIRED: "own double"})
    rows = []
    groups = facts.groupby(list(by), sort=True) if by else [((), facts)]
    for key, group in groups:
        chosen = group.index.to_numpy()
        deals = group["deal"].to_numpy()
        level = by_deal(deals, moments.outcomes[chosen])
        # Paired with the same lot sold in an open auction.
        apart = by_deal(deals, moments.outcomes[chosen] - moments.outcomes[chosen][:, :1])
        for kind, label in KIND_LABELS.items():
            row: dict[str, object] = {**dict(zip(by, key, strict=True)), "kind": label, "moments": len(chosen)}
            for name, estimate, k in (
                ("price", level, 0),
                ("revenue", level, 1),
                ("own_share", level, 4),
                ("price_difference", apart, 0),
                ("revenue_difference", apart, 1),
                ("money_difference", apart, 2),
                ("win_share_difference", apart, 3),
            ):
                for suffix, numbers in (("", estimate.mean), ("_low", estimate.low), ("_high", estimate.high)):
                    row[name + suffix] = float(numbers[kind, k])
            rows.append(row)
    return pd.DataFrame(rows)


#: Sources of the variance of money, from the most like skill to the most like luck.
LUCK_SOURCES = ("strategy", "table mates", "seat", "hand", "deal", "dice")
GROUPS = 20


def luck_table(
    players: Sequence[Player], rules: Rules, *, n_deals: int = 400, n_mates: int = 2, n_repeats: int = 2, seed: int = 1
) -> pd.DataFrame:
    """Return the shares of the variance of a seat's final money that its sources have.

    A nested design: each strategy plays the same deals, in every seat, each time among `n_mates` sets of mates drawn
    from all strategies, and each of these tables `n_repeats` times with other dice. Components are estimated from the
    inside out, each level's variance of means less what the inner levels put into it (Searle, Casella, McCulloch,
    *Variance Components*, 1992). Intervals by jackknife over groups of deals; a component may come out below 0.

    Returns
    -------
    DataFrame
        `source`, `share` with interval, `sd` (money; 0 for a negative component).
    """
    work = games_of(rules, 1)
    n_seats = rules.players
    acts, params = acts_of(players), params_of(players, rules)
    money = np.zeros((len(players), n_deals, n_seats, n_mates, n_repeats))
    seats = np.zeros((len(players), n_deals, n_seats), np.int64)
    for focal in range(len(players)):
        if not study_luck(
            work, acts, params, focal, n_mates, n_repeats, 0, np.uint64(seed), money[focal], seats[focal]
        ):
            raise RunError(f"the study of luck stopped: a strategy gave an illegal answer (seed {seed})")
    full = variance_components(money, seats[0])
    groups = np.arange(n_deals) % GROUPS
    parts = np.array(
        [_shares(variance_components(money[:, groups != g], seats[0][groups != g])) for g in range(GROUPS)]
    )
    shares = _shares(full)
    error = np.sqrt((GROUPS - 1) / GROUPS * np.sum((parts - parts.mean(axis=0)) ** 2, axis=0))
    estimate = Estimate(shares, error, np.full(len(shares), GROUPS - 1.0))
    return pd.DataFrame(
        {
            "source": list(LUCK_SOURCES),
            "share": estimate.mean,
            "share_low": estimate.low,
            "share_high": estimate.high,
            "sd": np.sqrt(np.maximum(full, 0)),
        }
    )


def _shares(components: np.ndarray) -> np.ndarray:
    return components / components.sum()


def variance_components(money: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Return the variances of LUCK_SOURCES.

    Parameters
    ----------
    money : ndarray, shape (n_strategies, n_deals, n_seats, n_mates, n_repeats)
    seats : ndarray of int, shape (n_deals, n_seats)
        Place from the starter, by deal and rotation; every deal has every place once.
    """
    n_strategies, n_deals, n_seats, n_mates, n_repeats = money.shape
    dice = money.var(axis=4, ddof=1).mean()
    tables = money.mean(axis=4)
    mates = tables.var(axis=3, ddof=1).mean() - dice / n_repeats
    hands = tables.mean(axis=3)
    noise = (mates + dice / n_repeats) / n_mates
    # Order each deal's hands by place, and take each strategy's mean of the place out.
    order = np.argsort(seats, axis=1)
    placed = np.take_along_axis(hands, np.broadcast_to(order, hands.shape), axis=2)
    place_means = placed.mean(axis=1, keepdims=True)
    overall = placed.mean(axis=(1, 2), keepdims=True)
    left = placed - placed.mean(axis=2, keepdims=True) - place_means + overall
    degrees = (n_deals - 1) * (n_seats - 1)
    within = (left**2).sum(axis=(1, 2)).mean() / degrees
    hand = within - noise
    seat = np.mean((place_means - overall) ** 2) * n_seats / (n_seats - 1) - within / n_deals
    deals = hands.mean(axis=2)
    deal = deals.var(axis=1, ddof=1).mean() - within / n_seats
    strategy = 0.0
    if n_strategies > 1:
        # All strategies play the same deals, so what the deal gives to all is no noise of their differences.
        apart = deals - deals.mean(axis=0, keepdims=True)
        error = apart.var(axis=1, ddof=1).mean() * n_strategies / (n_strategies - 1) / n_deals
        strategy = deals.mean(axis=1).var(ddof=1) - error
    return np.array([strategy, mates, seat, hand, deal, dice])
