"""The machine against its slow twin: same seed, same record, event by event, whatever the rules."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenarios import classic_rules, sotheby_rules

from modernart.simulator.interpreter import play_record
from modernart.simulator.lineups import BalancedSchedule
from modernart.simulator.options import OPTION_VALUES
from modernart.simulator.rules import Rules, load_edition
from modernart.strategies.specs import load_players
from naive import first_difference, play_random, referee

TABLES = [(edition, n, {}) for edition in ("classic", "online") for n in (3, 4, 5)]
TABLES += [(edition, n, {"open_style": "outcry"}) for edition in ("classic", "online") for n in (3, 4, 5)]
TABLES += [("shill", 3, {}), ("shill", 3, {"shill": "auctioneer"}), ("shill", 3, {"open_style": "outcry"})]
TABLES += [("sotheby", n, {}) for n in range(3, 9)] + [("sotheby", 5, {"open_style": "outcry"})]
#: Games of each table; three editions by two styles and three to five players make thousands in all.
GAMES = 200


@pytest.fixture(scope="module")
def random_players():
    return load_players(["random"])


def assert_same(rules: Rules, seed: int, game: int, players) -> None:
    record = play_record(rules, players, [0] * rules.players, seed, game)
    difference = first_difference(play_random(rules.to_record(), seed, game), record)
    assert difference is None, f"seed {seed}, game {game}: {difference}"


@pytest.mark.parametrize(("edition", "players", "changes"), TABLES)
def test_every_game_is_the_twins(edition, players, changes, random_players):
    rules = load_edition(edition, changes).rules(players)
    for game in range(GAMES):
        assert_same(rules, 11, game, random_players)


@pytest.mark.slow
@pytest.mark.parametrize(("edition", "players", "changes"), TABLES)
def test_thousands_of_games_are_the_twins(edition, players, changes, random_players):
    rules = load_edition(edition, changes).rules(players)
    for game in range(2000):
        assert_same(rules, 12, game, random_players)


def six_artist_rules(players: int, deal: list[int], **changes) -> dict:
    """Classic with a sixth artist."""
    rules = classic_rules(players, deal)
    deck = rules["deck"] | {f"ZZ-{kind}": 3 for kind in "ORSFD"}
    return rules | {"artists": [*rules["artists"], "ZZ"], "deck": deck} | changes


@st.composite
def rule_sets(draw):
    """Any rule set that the model accepts: options, deals, decks, money drawn at random."""
    base = draw(st.sampled_from([classic_rules, sotheby_rules, six_artist_rules]))
    players = draw(st.integers(2, 8))
    shill = draw(st.sampled_from(OPTION_VALUES["shill"]))
    changes = {option: draw(st.sampled_from(values)) for option, values in OPTION_VALUES.items()} | {"shill": shill}
    most = 70 // (players + (shill != "none"))
    deal = draw(st.lists(st.integers(0, 9), min_size=1, max_size=6).filter(lambda deal: 1 <= sum(deal) <= most))
    changes |= {
        "starting_money": draw(st.sampled_from([0, 1, 7, 100, 1000])),
        "end_count": draw(st.integers(2, 7)),
        "ending_cards_rank": draw(st.booleans()),
        "rank_values": draw(st.sampled_from([[30, 20, 10], [10], [50, 40, 30, 20, 10], [5, 5], [30, 0], [10, 20, 30]])),
        "no_bid_price": draw(st.sampled_from([0, 1, 3])),
        "least_bid": draw(st.sampled_from([1, 2, 10])),
        "house_fee": draw(st.sampled_from([0, 10, 35, 100])),
        "debt": draw(st.booleans()),
        "order_money": draw(st.sampled_from([[0], [5], [0, 5, 10, 15], [3, 0, 200, 0, 0, 0, 0, 7]])),
        "hand_limit": draw(st.sampled_from([1, 3, 6, 10, 48])),
    }
    return Rules.from_record(base(players, deal, **changes))


@settings(max_examples=400, deadline=None)
@given(rules=rule_sets(), seed=st.integers(0, 2**63 - 1), game=st.integers(0, 10**6))
def test_every_rule_set_is_the_twins(rules, seed, game):
    assert_same(rules, seed, game, load_players(["random"]))


@pytest.mark.parametrize("edition", ["classic", "online", "shill", "sotheby"])
def test_twin_agrees_with_games_of_thinking_bidders(edition):
    players = load_players(["half_value", "fair_share", "full_value", "never_buy"])
    rules = load_edition(edition).rules(3)
    schedule = BalancedSchedule(len(players), 3, 5)
    for game in range(60):
        members = schedule.line_ups(game // 3, 1)[0]
        record = play_record(rules, players, members, 5, game)
        assert first_difference(referee(record), record) is None
