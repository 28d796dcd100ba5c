"""Self-play that labels decisions: at a decision the game is copied, every answer tried, and the round played out.

The copies know all hands. That is fair for learning: the networks see what the seat sees, and the mean over many games
is the mean over the hands that the others may hold.
"""

import numpy as np

from modernart.simulator.auctions import Step
from modernart.simulator.batch import seat_players
from modernart.simulator.cards import AuctionKind
from modernart.simulator.copying import copy_game
from modernart.simulator.decisions import DECLINE, Phase, artist_of, budget, fits, kind_of
from modernart.simulator.game import apply, follow, new_deal, new_game
from modernart.simulator.jit import kernel
from modernart.simulator.state import MAX_SEATS
from modernart.simulator.streams import mix, scaled, step
from modernart.strategies.bidders.learned import is_copy
from modernart.strategies.bidders.predictive import best_second, learn_prices
from modernart.strategies.forecast import PAYS, new_view
from modernart.strategies.learning.features import (
    AFTER_ROWS,
    N_AFTER,
    N_SCENE,
    lot_features,
    market_features,
    projected_wealth,
    put_up_features,
    set_scene,
)
from modernart.strategies.learning.hearing import hear
from modernart.strategies.learning.layout import N_LEAF
from modernart.strategies.learning.outcomes import (
    ask,
    hand_features,
    mind_rivals,
    new_weights,
    outcomes,
    play_round_out,
    relative,
)

#: Work space: the game that goes on, the branch that is played out, and the one that features are read from.
MAIN, BRANCH, SCENE = range(3)
N_GAMES = 3
#: Columns of the facts of a row, beside its features.
DEAL, GROUP, BASE, TARGET, WEIGHT = range(5)
N_FACTS = 5
#: Tables of rows.
LOTS, CARDS, ADDITIONS, MARKETS, ROUNDS = range(5)
#: Fixed price and once around, a bid is tried up to this share of the lot's expected value.
_HIGHEST = 1.6


@kernel
def prepare_view(scene, main, seat):
    """Copy the game, let a seat learn from the last price as it would when asked, and return its view."""
    copy_game(scene, main)
    hand = scene.hands[seat]
    hear(scene.table, hand)
    learn_prices(scene.table, hand)
    return new_view(scene.table, hand, True)


@kernel
def minds(game, seat, focus, weights):
    """Write how much each seat minds each other's money, as the seat that is asked sees the wealth of all."""
    table = game.table
    wealth = np.zeros(MAX_SEATS)
    view = new_view(table, game.hands[seat], True)
    for other in range(table.rules.n_seats):
        wealth[other] = projected_wealth(table, view, other)
    mind_rivals(wealth, table.rules.n_seats, focus[table.round_index], weights)


@kernel
def play_branch(games, leaf, weights, round_index, results, values):
    """Play the branch to the end of the round and write relative outcomes by seat; False after an illegal answer."""
    branch = games[BRANCH]
    if not play_round_out(branch, round_index):
        return False
    outcomes(branch, leaf, results)
    relative(results, weights, branch.table.rules.n_seats, values)
    return True


@kernel
def label_lot(games, learns, leaf, focus, deal, features, facts, n):
    """Give the lot on sale to each seat in turn, free, and write a row for every seat that learns; returns the rows."""
    main = games[MAIN]
    table = main.table
    n_seats = table.rules.n_seats
    round_index = table.round_index
    weights = new_weights()
    minds(main, table.auctioneer, focus, weights)
    results = np.zeros(MAX_SEATS)
    values = np.zeros((MAX_SEATS, MAX_SEATS))
    for owner in range(n_seats):
        copy_game(games[BRANCH], main)
        branch = games[BRANCH]
        branch.table.high_bidder = owner
        branch.table.high_bid = 0
        follow(branch, Step.SOLD)
        if not play_branch(games, leaf, weights, round_index, results, values[owner]):
            return -1
    for seat in range(n_seats):
        if not learns[main.who[seat]] or n >= features.shape[0]:
            continue
        view = prepare_view(games[SCENE], main, seat)
        hand = games[SCENE].hands[seat]
        scene = np.zeros(N_SCENE, np.float32)
        set_scene(games[SCENE].table, hand, view, scene)
        lot_features(games[SCENE].table, hand, view, scene, features[n])
        without = 0.0
        minded = 0.0
        # The rival that takes it instead, by how much their money is minded.
        for owner in range(n_seats):
            if owner != seat:
                without += values[owner, seat] / (n_seats - 1)
                minded += weights[seat, owner] / (n_seats - 1)
        facts[n, DEAL] = deal
        facts[n, GROUP] = n
        facts[n, BASE] = table.lot_crowns * view[PAYS, table.artist]
        facts[n, TARGET] = (values[seat, seat] - without) / (1.0 + minded)
        facts[n, WEIGHT] = 1.0
        n += 1
    return n


@kernel
def label_put_up(games, leaf, focus, deal, group, features, facts, n):
    """Try every card that can be put up, or added, and write a row for each; returns the rows, or -1."""
    main = games[MAIN]
    table = main.table
    seat = table.seat
    round_index = table.round_index
    adds = table.phase != Phase.CARD
    view = prepare_view(games[SCENE], main, seat)
    hand = games[SCENE].hands[seat]
    after = np.zeros((AFTER_ROWS, N_AFTER))
    scene = np.zeros(N_SCENE, np.float32)
    set_scene(games[SCENE].table, hand, view, scene)
    weights = new_weights()
    minds(main, seat, focus, weights)
    results = np.zeros(MAX_SEATS)
    values = np.zeros(MAX_SEATS)
    declined = 0.0
    if adds:
        copy_game(games[BRANCH], main)
        if not apply(games[BRANCH], DECLINE) or not play_branch(games, leaf, weights, round_index, results, values):
            return -1
        declined = values[seat]
    for slot in range(hand.n_cards):
        if n >= features.shape[0] or is_copy(hand, slot):
            continue
        second = DECLINE
        if adds:
            if not fits(table, hand, slot):
                continue
        elif kind_of(hand.cards[slot]) == AuctionKind.DOUBLE:
            second = best_second(games[SCENE].table, hand, artist_of(hand.cards[slot]), slot)
        copy_game(games[BRANCH], main)
        if not apply(games[BRANCH], slot) or not play_branch(games, leaf, weights, round_index, results, values):
            return -1
        facts[n, DEAL] = deal
        facts[n, GROUP] = group
        facts[n, BASE] = put_up_features(games[SCENE].table, hand, view, scene, slot, second, after, features[n])
        facts[n, TARGET] = values[seat] - declined
        facts[n, WEIGHT] = 1.0
        n += 1
    return n


@kernel
def label_price(games, deal, state, features, facts, n):
    """Try a price at random and write whether a rival's was higher; returns the rows, or -1."""
    main = games[MAIN]
    table = main.table
    seat = table.seat
    view = prepare_view(games[SCENE], main, seat)
    scene = games[SCENE]
    public = max(table.lot_crowns * view[PAYS, table.artist], 1.0)
    most = budget(table, seat)
    tried = np.int64(_HIGHEST * public * scaled(step(state), 1 << 20) / (1 << 20))
    if table.phase == Phase.BID:
        tried = max(tried, table.high_bid + 1)
    if tried > most or tried < 1:
        return n
    numbers = np.zeros(N_SCENE, np.float32)
    set_scene(scene.table, scene.hands[seat], view, numbers)
    market_features(scene.table, scene.hands[seat], numbers, public, features[n])
    copy_game(games[BRANCH], main)
    branch = games[BRANCH]
    n_sales = branch.n_sales
    if not apply(branch, tried):
        return -1
    while branch.n_sales == n_sales:
        if not apply(branch, ask(branch)):
            return -1
    bought = branch.sales[n_sales].buyer == seat
    facts[n, DEAL] = deal
    facts[n, GROUP] = n
    facts[n, BASE] = tried / public
    facts[n, TARGET] = 1.0 if bought else 0.0
    facts[n, WEIGHT] = 1.0
    return n + 1


@kernel
def asks_price(table):
    """Tell whether the seat that is asked must reckon with what the others would pay."""
    phase = table.phase
    if phase == Phase.SEALED or phase == Phase.PRICE:
        return True
    if phase == Phase.BID:
        return table.seat != table.auctioneer
    return phase == Phase.LIMIT and table.seat == table.auctioneer


@kernel
def is_first_question(table):
    """Tell whether nobody has answered yet in the auction of the lot on sale."""
    phase = table.phase
    if phase == Phase.PRICE:
        return True
    if phase == Phase.LIMIT or phase == Phase.SEALED or phase == Phase.BID or phase == Phase.RAISE:
        first = table.auctioneer + 1
        return table.seat == (0 if first == table.rules.n_seats else first) and table.high_bid == 0
    return False


@kernel
def note_round(game, learns, deal, leaf_rows, leaf_facts, n):
    """Write a row for every seat at the start of a round: the hand, and its money; returns the rows."""
    table = game.table
    n_seats = table.rules.n_seats
    mean = np.zeros(N_LEAF)
    x = np.zeros(N_LEAF)
    money = 0.0
    for seat in range(n_seats):
        hand_features(table, game.hands[seat], x)
        for k in range(N_LEAF):
            mean[k] += x[k]
        money += table.money[seat]
    for seat in range(n_seats):
        if n >= leaf_rows.shape[0]:
            return n
        hand_features(table, game.hands[seat], x)
        for k in range(N_LEAF):
            leaf_rows[n, k] = x[k] - (mean[k] - x[k]) / (n_seats - 1)
        leaf_facts[n, DEAL] = deal
        leaf_facts[n, GROUP] = table.round_index
        leaf_facts[n, BASE] = table.money[seat] - (money - table.money[seat]) / (n_seats - 1)
        leaf_facts[n, TARGET] = seat
        leaf_facts[n, WEIGHT] = learns[game.who[seat]]
        n += 1
    return n


@kernel
def note_end(game, leaf_facts, first, n):
    """Write what became of the seats of the rows from `first` on: their relative money at the end."""
    table = game.table
    n_seats = table.rules.n_seats
    money = 0.0
    for seat in range(n_seats):
        money += table.money[seat]
    for row in range(first, n):
        own = table.money[np.int64(leaf_facts[row, TARGET])]
        leaf_facts[row, TARGET] = own - (money - own) / (n_seats - 1)


@kernel
def gather(
    games,
    acts,
    params,
    line_ups,
    first_block,
    seed,
    learns,
    leaf,
    focus,
    rates,
    lots,
    cards,
    additions,
    markets,
    rounds,
    counts,
):
    """Play one game of every block and label decisions of the seats that learn.

    Parameters
    ----------
    games : recarray of GAME_DTYPE, shape (N_GAMES,)
    acts, params, line_ups, first_block, seed
        As for `modernart.simulator.batch.play_blocks`.
    learns : ndarray of bool, shape (n_strategies,)
        Whose decisions are labelled.
    leaf : ndarray of float64, shape (MAX_ROUNDS, N_LEAF)
    focus : ndarray of float64, shape (MAX_ROUNDS,)
    rates : ndarray of int64, shape (4,)
        Of LOTS, CARDS, ADDITIONS, MARKETS: in 1024, how many are labelled.
    lots, cards, additions, markets, rounds : tuples of ndarray
        Features and facts, written.
    counts : ndarray of int64, shape (5,)
        Rows written.

    Returns
    -------
    bool
        False after an illegal answer.
    """
    main = games[MAIN]
    table = main.table
    group = 0
    for row in range(line_ups.shape[0]):
        deal = first_block + row
        new_deal(main, seed, deal)
        seat_players(main, acts, params, line_ups[row], 0)
        new_game(main, 0)
        state = mix(main.key)
        round_index = -1
        first = counts[ROUNDS]
        while table.phase != Phase.OVER:
            if table.round_index != round_index:
                round_index = table.round_index
                counts[ROUNDS] = note_round(main, learns, deal, rounds[0], rounds[1], counts[ROUNDS])
            state = step(state)
            draw = scaled(state, 1024)
            if is_first_question(table) and draw < rates[LOTS]:
                n = label_lot(games, learns, leaf, focus, deal, lots[0], lots[1], counts[LOTS])
                if n < 0:
                    return False
                counts[LOTS] = n
            if learns[main.who[table.seat]]:
                state = step(state)
                draw = scaled(state, 1024)
                phase = table.phase
                n = np.int64(0)
                if phase == Phase.CARD and draw < rates[CARDS]:
                    n = label_put_up(games, leaf, focus, deal, group, cards[0], cards[1], counts[CARDS])
                    counts[CARDS] = n
                    group += 1
                elif (phase == Phase.PAIR or phase == Phase.JOIN) and draw < rates[ADDITIONS]:
                    n = label_put_up(games, leaf, focus, deal, group, additions[0], additions[1], counts[ADDITIONS])
                    counts[ADDITIONS] = n
                elif asks_price(table) and draw < rates[MARKETS] and counts[MARKETS] < markets[0].shape[0]:
                    n = label_price(games, deal, mix(state), markets[0], markets[1], counts[MARKETS])
                    counts[MARKETS] = n
                if n < 0:
                    return False
            if not apply(main, ask(main)):
                return False
        note_end(main, rounds[1], first, counts[ROUNDS])
    return True
