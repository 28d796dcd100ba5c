"""What every strategy must keep to: the contract, checked for all that are registered, in every edition."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from modernart.simulator.decisions import Phase, is_legal
from modernart.simulator.game import apply
from modernart.simulator.players import params_of
from modernart.simulator.rules import load_edition
from modernart.simulator.setup import games_of
from modernart.simulator.simulate import score
from modernart.simulator.state import GAME_DTYPE, HAND_DTYPE, TABLE_DTYPE
from modernart.strategies.base import Param, strategy
from modernart.strategies.checking import Checker, all_rules, ask, bytes_of_cards, seat_table
from modernart.strategies.registry import BY_NAME, DEFAULT_FIELD, STRATEGIES
from modernart.strategies.specs import load_players, load_strategy

#: Search is cut short here: the contract does not depend on how long it takes.
SPECS = {"planner": "planner(rollouts=1)", "pimc_greedy": "pimc_greedy(samples=5)"}
NAMES = [one.name for one in STRATEGIES]
RULE_SETS = dict(all_rules())


def player_of(name: str):
    return load_strategy(SPECS.get(name, name)).player()


@pytest.fixture(scope="module")
def company():
    return load_players(["half_value", "random"])


@pytest.mark.parametrize("name", NAMES)
def test_every_edition_is_played_legally_repeatably_and_without_a_look_at_hidden_cards(name, company):
    player = player_of(name)
    for number, (options, rules) in enumerate(RULE_SETS.items()):
        checker = Checker(player, company, rules, options)
        finding = checker.play(5, number)
        assert finding is None, finding
        assert checker.n_decisions > 0


#: Rules that change what bidders are asked, or see.
HOUSE_RULES = {"pairing": "same_kind", "hand_limit": "8", "rivals_money": "hidden", "order_money": "[0, 5, 10]"}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("edition", "players"), [("classic", 4), ("sotheby", 5), ("shill", 3)])
def test_house_rules_are_played_by_the_same_contract(name, edition, players, company):
    rules = load_edition(edition, HOUSE_RULES).rules(players)
    checker = Checker(player_of(name), company, rules, "")
    for number in range(2):
        finding = checker.play(5, number)
        assert finding is None, finding
    assert checker.n_decisions > 0


def odd_game(options: str, number: int, n_steps: int, draw) -> object:
    """A game some random steps after its start whose table was then changed to what play would hardly bring."""
    rules = RULE_SETS[options]
    game = games_of(rules, 1)[0]
    randoms = load_players(["random"])
    seat_table(game, randoms, rules, 7, number)
    for _ in range(n_steps):
        apply(game, int(ask(game)))
        if game.table.phase == Phase.OVER:
            seat_table(game, randoms, rules, 7, number)
    table = game.table
    n = rules.players
    lowest = -50 if rules.debt else 0
    table.money[:n] = draw(st.lists(st.integers(lowest, 900), min_size=n, max_size=n))
    table.values[:5] = draw(st.lists(st.integers(0, 9).map(lambda k: 10 * k), min_size=5, max_size=5))
    for seat in range(n):
        owned = draw(st.lists(st.integers(0, 3), min_size=5, max_size=5))
        table.gallery[seat, :5] = owned
        table.stakes[seat, :5] = owned
    if table.phase in (Phase.BID, Phase.RAISE):
        table.money[table.seat] = max(int(table.money[table.seat]), int(table.high_bid) + 1)
    if table.phase == Phase.ACCEPT:
        table.money[table.seat] = max(int(table.money[table.seat]), int(table.high_bid))
    return game


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    options=st.sampled_from(sorted(RULE_SETS)), number=st.integers(0, 9), n_steps=st.integers(0, 150), data=st.data()
)
def test_odd_tables_are_answered_legally(name, options, number, n_steps, data):
    game = odd_game(options, number, n_steps, data.draw)
    player = player_of(name)
    seat = int(game.table.seat)
    hand = game.hands[seat]
    game.acts[seat] = player.address
    hand.params[:] = params_of([player], RULE_SETS[options])[0]
    hand.notes[:] = 0
    table_before, cards_before = game.table.tobytes(), bytes_of_cards(hand)
    answer = int(ask(game))
    assert is_legal(game.table, hand, answer), (Phase(int(game.table.phase)), answer)
    assert game.table.tobytes() == table_before
    assert bytes_of_cards(hand) == cards_before


@pytest.mark.parametrize("one", STRATEGIES, ids=NAMES)
def test_each_strategy_tells_what_it_does_and_whence_it_comes(one):
    assert BY_NAME[one.name] is one
    assert one.summary.endswith((".", ":"))
    assert len(one.summary) <= 120
    assert one.sources
    assert all(source.strip() for source in one.sources)
    assert all(param.doc for param in one.params.values())
    assert load_strategy(one.name) is one


@pytest.mark.parametrize("one", STRATEGIES, ids=NAMES)
def test_parameters_at_their_bounds_play_legally(one, company):
    if one.name in ("planner", "pimc_greedy"):
        pytest.skip("its bounds are for budgets of minutes")
    rules = load_edition("classic").rules(4)
    for side in ("low", "high"):
        values = {name: getattr(param, side) for name, param in one.params.items()}
        players = [one.with_values(values).player(), *company]
        scores = score(players, rules, [0, 1, 2, 1], 0, 3, seed=2, threads=1)
        assert scores.money.shape == (3, 4)


def test_the_default_field_is_registered():
    assert set(DEFAULT_FIELD) <= set(BY_NAME)


@strategy()
def writes_to_table(table, hand):
    """Gives itself money."""
    table.money[hand.seat] += 1
    return 0


@strategy()
def sorts_its_hand(table, hand):
    """Moves its cards about."""
    first = hand.cards[0]
    hand.cards[0] = hand.cards[hand.n_cards - 1]
    hand.cards[hand.n_cards - 1] = first
    return 0 if table.phase == Phase.CARD else -1 if table.phase in (Phase.PAIR, Phase.JOIN) else 0


@strategy()
def answers_too_much(table, hand):
    """Bids more than all money."""
    if table.phase == Phase.LIMIT:
        return 100_000
    return 0 if table.phase != Phase.PAIR and table.phase != Phase.JOIN else -1


@strategy()
def divides_by_nothing(table, hand):
    """Fails where nothing is in its gallery."""
    if table.phase == Phase.CARD or table.phase == Phase.PAIR or table.phase == Phase.JOIN:
        return 0 if table.phase == Phase.CARD else -1
    return 0 // table.gallery[hand.seat, 0]


#: Place of the next seat's first card, counted from the own first card.
NEXT_HAND = HAND_DTYPE.itemsize // 2


@strategy()
def looks_beyond_its_hand(table, hand):
    """Reads a card of the next seat, past the end of its own record."""
    if table.phase == Phase.LIMIT:
        return min(hand.cards[NEXT_HAND], max(table.money[hand.seat], 0))
    if table.phase == Phase.PAIR or table.phase == Phase.JOIN:
        return -1
    return 0


def bid_read_at(field: str):
    """A bot that bids what stands at a field of the game, past the end of the table's record."""
    place = (GAME_DTYPE.fields[field][1] - TABLE_DTYPE.fields["money"][1]) // 4

    @strategy()
    def bids_what_it_read(table, hand):
        """Bids a number from beyond the table."""
        if table.phase == Phase.LIMIT:
            return min(max(table.money[place], 0), max(table.money[hand.seat], 0))
        if table.phase == Phase.PAIR or table.phase == Phase.JOIN:
            return -1
        return 0

    return bids_what_it_read


#: Fields of a game that no seat sees.
SECRETS = ("top_bid", "top_bidder", "second_bid", "amounts", "key")

#: Place of the first quarter of the next seat's random stream, counted from the own first card.
NEXT_DICE = (HAND_DTYPE.itemsize + HAND_DTYPE.fields["rng"][1] - HAND_DTYPE.fields["cards"][1]) // 2


@strategy()
def looks_at_the_next_dice(table, hand):
    """Bids by the state of the next seat's stream."""
    if table.phase == Phase.LIMIT:
        return min(max(hand.cards[NEXT_DICE], 0), max(table.money[hand.seat], 0))
    if table.phase == Phase.PAIR or table.phase == Phase.JOIN:
        return -1
    return 0


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        (writes_to_table, "writes to the table"),
        (sorts_its_hand, "writes to its hand"),
        (answers_too_much, "legal is an amount from 0 to 100"),
        (divides_by_nothing, "ZeroDivisionError"),
        (looks_beyond_its_hand, "what it cannot see"),
        (looks_at_the_next_dice, "what it cannot see"),
        *((bid_read_at(field), "what it cannot see") for field in SECRETS),
    ],
)
def test_faulty_bots_are_found_out_with_the_game_that_shows_it(bot, words, company):
    options = "--edition classic --players 4"
    # Bounds checks, which it has on trial, would stop it before it can see anything.
    checker = Checker(replace(bot.player(), trial=None), company, RULE_SETS[options], options)
    finding = next(filter(None, (checker.play(1, number) for number in range(8))))
    assert words in finding.what
    assert "--seed 1 --game" in finding.command


def test_predictive_beats_its_rules_of_thumb_clearly():
    players = load_players(["predictive", "half_value", "fair_share", "full_value"])
    shares = score(players, load_edition("classic").rules(4), range(4), 0, 200, threads=1).win_share.mean(axis=0)
    assert shares[0] > 0.6


def test_parameters_are_held_to_their_number_and_bounds():
    with pytest.raises(ValueError, match="within its bounds"):
        Param(2.0, low=0.0, high=1.0)
    with pytest.raises(ValueError, match="at most 24 parameters"):
        strategy(params={f"p{k}": Param(0.5) for k in range(25)})
