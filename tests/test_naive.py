"""The naive twin against the rulebook: odd cases with literal numbers, streams, conservation, refereeing."""

import copy
import csv
import json
from collections import Counter
from pathlib import Path

import pytest
from scenarios import SCENARIOS, classic_rules, sotheby_rules

from modernart.simulator.options import ADDED_SINCE_VERSION_1
from naive import IllegalAnswer, RecordedDeciders, RecordMismatch, first_difference, play, play_random, referee
from naive.deck import artist_of, card_text, deal, deck_list, kind_of, parse_card
from naive.random_bidder import RandomBidder
from naive.stream import DEAL, DECISIONS, Stream, deal_key, mix

EDITIONS = Path(__file__).parents[1] / "simulator" / "editions"

CLASSIC_DEALS = {3: [10, 6, 6, 0], 4: [9, 4, 4, 0], 5: [8, 3, 3, 0]}
SOTHEBY_DEALS = {
    3: [11, 8, 8, 0],
    4: [10, 5, 5, 0],
    5: [10, 3, 3, 0],
    6: [8, 3, 3, 0],
    7: [8, 2, 2, 0],
    8: [6, 2, 2, 0],
}
RULE_SETS = {f"classic_{n}": classic_rules(n, deal) for n, deal in CLASSIC_DEALS.items()}
RULE_SETS |= {f"classic_{n}_outcry": classic_rules(n, deal, open_style="outcry") for n, deal in CLASSIC_DEALS.items()}
RULE_SETS |= {
    f"online_{n}": classic_rules(
        n,
        [11, 6, 6, 0] if n == 3 else deal,
        no_bid_price=1,
        sealed_tie="auctioneer_last",
        double_revenue="split_odd_joiner",
    )
    for n, deal in CLASSIC_DEALS.items()
}
RULE_SETS |= {f"shill_{decides}": classic_rules(3, [9, 4, 4, 0], shill=decides) for decides in ("buyer", "auctioneer")}
RULE_SETS |= {f"sotheby_{n}": sotheby_rules(n, deal) for n, deal in SOTHEBY_DEALS.items()}
RULE_SETS["sotheby_3_outcry_shill"] = sotheby_rules(3, [9, 5, 5, 0], open_style="outcry", shill="buyer", debt=False)


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name):
    case = SCENARIOS[name]
    deciders = [RecordedDeciders(case.record)] * case.rules["players"]
    record = play(case.rules, case.dealt, case.first_seat, deciders)
    assert first_difference(record, case.record) is None
    assert record == case.record


BREAKS = [(name, changes) for name, case in SCENARIOS.items() for changes in case.broken_by]


@pytest.mark.parametrize(("name", "changes"), BREAKS, ids=[f"{name}-{changes}" for name, changes in BREAKS])
def test_scenario_is_refused_under_another_rule(name, changes):
    other = copy.deepcopy(SCENARIOS[name].record)
    other["rules"] |= changes
    try:
        replayed = referee(other)
    except ValueError:  # RecordMismatch, IllegalAnswer, or a deal that cannot be
        return
    assert first_difference(replayed, other) is not None


def test_every_rule_option_has_a_scenario_that_its_change_breaks():
    changed = {option for case in SCENARIOS.values() for changes in case.broken_by for option in changes}
    # The others are the deck and deal themselves, or change with the shape of the record.
    options = set(classic_rules(3, [1])) - {"edition", "players", "rounds", "deal", "artists", "deck"}
    # What players see of money changes what they may know, not what they may do: no record tells it.
    assert changed == (options | set(ADDED_SINCE_VERSION_1)) - {"rivals_money"}


@pytest.mark.parametrize("edition", ["classic", "sotheby"])
def test_scenario_decks_are_those_of_the_editions(edition):
    deck = {}
    with (EDITIONS / f"{edition}_deck.csv").open(newline="") as file:
        for line in csv.DictReader(file):
            deck[card_text(line["artist"], line["kind"], line.get("crowns"))] = int(line["copies"])
    rules = classic_rules(3, [1]) if edition == "classic" else sotheby_rules(3, [1])
    assert list(deck.items()) == list(rules["deck"].items())


# Streams and the deal.


def test_splitmix64_gives_its_published_first_words():
    stream = Stream(0, 0, 0, DEAL)
    stream.state = 1234567
    assert [stream.next() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_stream_starts_from_key_round_position_and_purpose():
    key = deal_key(7, 3)
    assert key == mix(mix(7 + 0x9E3779B97F4A7C15) + 4 * 0x9E3779B97F4A7C15)
    word = key ^ mix(131072 + 512 + 5)
    assert Stream(key, 2, 4, DECISIONS).state == (mix(word) + word) % 2**64


def test_below_reaches_every_number_and_no_other():
    stream = Stream(deal_key(1, 0), 0, 0, DEAL)
    assert {stream.below(5) for _ in range(200)} == {0, 1, 2, 3, 4}
    assert stream.below(1) == 0


def test_card_text_and_parts():
    assert parse_card("KR-S") == ("KR", "S", 1)
    assert parse_card("RD-B*3") == ("RD", "B", 3)
    assert (card_text("KR", "S"), card_text("RD", "B", 3)) == ("KR-S", "RD-B*3")
    with pytest.raises(ValueError, match="'KRS'"):
        parse_card("KRS")


def test_deck_list_keeps_the_order_of_the_rules():
    cards = deck_list(classic_rules(3, [1]))
    assert len(cards) == 70
    assert cards[:7] == ["LM-O", "LM-O", "LM-O", "LM-R", "LM-R", "LM-R", "LM-S"]
    assert Counter(map(artist_of, cards)) == {"LM": 12, "YO": 13, "CP": 14, "KG": 15, "KR": 16}
    colours = Counter(map(artist_of, deck_list(sotheby_rules(3, [1]))))
    assert colours == {"BK": 15, "BL": 16, "GR": 17, "YE": 18, "RD": 18}


def test_deal_moves_cards_from_the_front_and_shares_them_seat_by_seat():
    rules = classic_rules(3, [2, 1], shill="buyer")
    stream = Stream(deal_key(5, 0), 0, 0, DEAL)
    first = stream.below(3)
    deck, front = deck_list(rules), []
    for i in range(12):
        j = stream.below(70 - i)
        front.append(deck[i + j])
        deck[i + j] = deck[i]
    first_seat, dealt = deal(rules, deal_key(5, 0))
    assert first_seat == first
    assert dealt == [[front[0:2], front[2:4], front[4:6], front[6:8]], [[card] for card in front[8:12]]]


def test_rotation_moves_players_and_keeps_the_deal():
    rules = classic_rules(4, [9, 4, 4, 0])
    records = [play_random(rules, 7, game) for game in range(8)]
    assert len({json.dumps([record["rounds"][0]["dealt"], record["first_seat"]]) for record in records}) == 2
    assert len({json.dumps(record["rounds"][0]["events"]) for record in records}) == 8
    assert (records[5]["seed"], records[5]["game"], records[5]["players"]) == (7, 5, ["random"] * 4)


def test_players_take_their_dice_with_them_around_the_table():
    for game in range(8):
        record = play_random(classic_rules(4, [9, 4, 4, 0]), 7, game)
        starter = record["first_seat"]
        member = (starter + game % 4) % 4
        slot = Stream(deal_key(7, game // 4), 0, member, DECISIONS).below(9)
        assert record["rounds"][0]["events"][0]["card"] == record["rounds"][0]["dealt"][starter][slot]


def test_last_card_of_the_hand_takes_the_slot_of_the_card_put_up():
    case = SCENARIOS["uncounted_ending_card_loses_the_tie_for_first_rank"]
    hands = []
    recorded = RecordedDeciders(case.record)

    def decider(view, asked):
        if asked == "card" and view["seat"] == 0:
            hands.append(view["hand"])
        return recorded(view, asked)

    play(case.rules, case.dealt, case.first_seat, [decider] * case.rules["players"])
    assert hands == [["YO-S", "YO-F", "KR-S"], ["KR-S", "YO-F"], ["KR-S"]]


# The random bidder.


def random_answers(question, view, n=2000):
    """Answers of the random bidder in so many rounds, and of a stream that draws the same."""
    bidder = RandomBidder(deal_key(1, 0), 2)
    return [bidder({"round": number, **view}, question) for number in range(n)]


def draws(*sizes, n=2000):
    """First draws of each of those rounds' streams."""
    streams = [Stream(deal_key(1, 0), number, 2, DECISIONS) for number in range(n)]
    return [[stream.below(size) for size in sizes] for stream in streams]


def test_random_puts_up_any_slot():
    assert random_answers("card", {"hand": ["KR-S"] * 5}) == [slot for (slot,) in draws(5)]


def test_random_declines_half_the_time_or_adds_any_fitting_card():
    answers = random_answers("join", {"fitting": [1, 3, 4]})
    assert answers == [None if declines == 0 else [1, 3, 4][k] for declines, k in draws(2, 3)]


@pytest.mark.parametrize("question", ["limit", "sealed", "price"])
@pytest.mark.parametrize(("money", "size"), [(100, 41), (12, 13), (0, 1), (-30, 1)])
def test_random_amounts_are_at_most_forty(question, money, size):
    assert random_answers(question, {"money": money}) == [amount for (amount,) in draws(size)]


@pytest.mark.parametrize("question", ["once_around", "outcry"])
@pytest.mark.parametrize(("money", "size"), [(100, 10), (17, 2)])
def test_random_raises_by_at_most_ten(question, money, size):
    answers = random_answers(question, {"money": money, "high": 15})
    assert answers == [None if passes == 0 else 16 + k for passes, k in draws(2, size)]


@pytest.mark.parametrize("question", ["accept", "flip"])
def test_random_says_yes_on_a_one(question):
    assert random_answers(question, {}) == [heads == 1 for (heads,) in draws(2)]


def test_random_auctioneer_stays_out_of_half_the_black_framed_auctions():
    asked = random_answers("black_framed", {"money": 9, "may_stay_out": False})
    assert asked == [amount for (amount,) in draws(10)]
    auctioneer = random_answers("black_framed", {"money": 9, "may_stay_out": True})
    assert auctioneer == [None if out == 0 else amount for out, amount in draws(2, 10)]


def test_random_answers_anew_in_every_round():
    bidder = RandomBidder(deal_key(1, 0), 0)
    view = {"money": 100, "round": 0}
    first = [bidder(view, "sealed") for _ in range(5)]
    assert first != [bidder(view | {"round": 1}, "sealed") for _ in range(5)]


# Illegal answers.


def answer_once(case_name, question, answer, seat):
    """Play a scenario, but one seat answers one question otherwise."""
    case = SCENARIOS[case_name]
    recorded = RecordedDeciders(case.record)

    def decider(view, asked):
        return answer if (asked, view["seat"]) == (question, seat) else recorded(view, asked)

    return play(case.rules, case.dealt, case.first_seat, [decider] * case.rules["players"])


OPEN_CASE = "open_limit_sells_one_above_the_second_limit_ties_to_the_first_from_the_left"
ONCE_CASE = "once_around_gives_one_chance_each_and_skips_who_cannot_outbid"
FIXED_CASE = "fixed_price_refused_by_all_is_paid_to_the_bank_and_who_cannot_pay_is_not_asked"
JOIN_CASE = "joiner_sells_both_takes_all_and_those_between_lose_their_turn"
BLACK_CASE = "black_framed_goes_to_the_lowest_all_others_pay_and_its_owner_is_fined_by_crowns"
DEBT_CASE = "fine_takes_a_player_into_debt_where_he_can_only_bid_nothing"


@pytest.mark.parametrize(
    ("case_name", "question", "seat", "answer", "message"),
    [
        (OPEN_CASE, "card", 0, 2, "round 1, event 1: seat 0 answers 2 to card; must be a slot of the hand"),
        (OPEN_CASE, "limit", 1, 101, "seat 1 answers 101 to limit; must be a whole number 0..100"),
        (OPEN_CASE, "limit", 1, -1, "answers -1 to limit"),
        (OPEN_CASE, "limit", 1, 2.0, "answers 2.0 to limit"),
        (ONCE_CASE, "once_around", 2, 3, "seat 2 answers 3 to once_around; must be a bid 4..100, or None"),
        (ONCE_CASE, "once_around", 2, 101, "must be a bid 4..100, or None"),
        (FIXED_CASE, "price", 0, 11, "must be a whole number 0..10"),
        (JOIN_CASE, "join", 2, 1, "seat 2 answers 1 to join; must be a fitting slot of [0], or None"),
        (BLACK_CASE, "black_framed", 1, None, "seat 1 answers None to black_framed"),
        (DEBT_CASE, "sealed", 2, -1, "answers -1 to sealed; must be a whole number 0"),
    ],
)
def test_illegal_answer_is_refused(case_name, question, seat, answer, message):
    with pytest.raises(IllegalAnswer) as error:
        answer_once(case_name, question, answer, seat)
    assert message in str(error.value)


# Conservation, over random games.


def money_after_auction(rules, money, lot, events, sale):
    """Money by seat after a sale, worked out from the events before it alone."""
    money = list(money)
    buyer, price = sale["buyer"], sale["price"]
    sealed = [event["amounts"] for event in events if event["e"] == "sealed"]
    if kind_of(sale["cards"][-1]) == "B":
        (amounts,) = sealed
        assert price == 0
        assert amounts[buyer] == min(amount for amount in amounts if amount is not None)
        for seat, amount in enumerate(amounts):
            money[seat] -= 0 if seat == buyer else amount or 0
        return money
    bids = [event["amount"] for event in events if event["e"] in ("bid", "limit", "price")]
    bids += [amount for amounts in sealed for amount in amounts]
    if not any(bids) and buyer == sale["seller"] and not any(event["e"] == "price" for event in events):
        money[buyer] -= price
        assert price in (0, rules["no_bid_price"])
        return money
    assert price <= max(bids)
    halves = {"joiner": (price, 0), "split_odd_joiner": (price - price // 2, price // 2)}
    seller_share, owner_share = halves.get(rules["double_revenue"], (price // 2, price - price // 2))
    if lot["owner"] == sale["seller"]:
        seller_share, owner_share = price, 0
    money[buyer] -= price
    money[sale["seller"]] += seller_share
    money[lot["owner"]] += owner_share
    if buyer == sale["seller"]:
        money[buyer] -= seller_share
    elif buyer == lot["owner"]:
        money[buyer] -= owner_share
    return money


def check_conservation(record):
    """Every card in one place, every change of money told by an event, no bid above what is held."""
    rules = record["rules"]
    money = [rules["starting_money"]] * rules["players"]
    for place, amount in enumerate(rules["order_money"][: rules["players"]]):
        money[(record["first_seat"] + place) % rules["players"]] += amount
    hands = [Counter() for _ in money]
    seen = Counter()
    value = Counter()
    for one in record["rounds"]:
        for hand, new in zip(hands, one["dealt"], strict=True):
            hand.update(new)
            seen.update(new)
        put_up, paintings = Counter(), [Counter() for _ in money]
        lot, since = None, []
        for event in one["events"]:
            if event["e"] in ("play", "pair", "join"):
                assert hands[event["seat"]][event["card"]] > 0
                hands[event["seat"]][event["card"]] -= 1
                put_up[event["card"]] += 1
                if event["e"] == "play":
                    lot, since = {"owner": event["seat"], "cards": []}, []
                lot["cards"].append(event["card"])
            elif event["e"] == "flip" and event["card"] is not None:
                put_up[event["card"]] += 1
                seen[event["card"]] += 1
            elif event["e"] == "sale":
                assert event["cards"] == lot["cards"]
                money = money_after_auction(rules, money, lot, since, event)
                assert event["money"] == money
                paintings[event["buyer"]].update(event["cards"])
            elif event["e"] in ("limit", "bid", "price"):
                assert 0 <= event["amount"] <= max(money[event["seat"]], 0)
            elif event["e"] == "sealed":
                assert all(
                    0 <= (amount or 0) <= max(held, 0) for amount, held in zip(event["amounts"], money, strict=True)
                )
            since.append(event)
        assert sum(paintings, Counter()) <= put_up
        result = one["result"]
        counts = Counter(artist_of(card) for card in put_up.elements())
        assert max(counts.values(), default=0) <= rules["end_count"]
        if rules["ending_cards_rank"]:
            assert {artist: n for artist, n in result["counts"].items() if n} == counts
        for artist, gain in zip(result["ranking"], rules["rank_values"], strict=False):
            value[artist] += gain
        for seat, bought in enumerate(paintings):
            payout = 0
            for card in bought.elements():
                artist, kind, crowns = parse_card(card)
                worth = value[artist] * crowns if artist in result["ranking"] else 0
                payout += -worth if kind == "B" else worth
            before, money[seat] = money[seat], money[seat] + payout
            if not rules["debt"]:
                money[seat] = max(money[seat], 0)
            assert result["payout"][seat] == money[seat] - before
        assert result["money"] == money
    assert record["money"] == money
    assert seen <= Counter(rules["deck"])


@pytest.mark.parametrize("name", RULE_SETS)
def test_random_games_conserve_money_and_cards_and_replay(name):
    rules = RULE_SETS[name]
    for game in range(25):
        record = play_random(rules, 11, game)
        check_conservation(record)
        again = json.loads(json.dumps(record))
        assert first_difference(referee(again), again) is None


def test_random_games_reach_every_event_and_every_ending():
    events, endings = set(), set()
    for name in ("shill_buyer", "sotheby_4", "classic_5_outcry"):
        for game in range(40):
            for one in play_random(RULE_SETS[name], 3, game)["rounds"]:
                events |= {event["e"] for event in one["events"]}
                endings.add(one["result"]["reason"])
    assert events == {
        "play", "pair", "join", "decline", "limit", "bid", "pass", "sealed",
        "price", "accept", "refuse", "sale", "flip",
    }  # fmt: skip
    assert endings == {"end_count", "hands_empty", "shill"}


# Refereeing somebody else's record.


def first_event(record, kind):
    """First event of a kind in round one."""
    return next(event for event in record["rounds"][0]["events"] if event["e"] == kind)


def test_referee_names_the_first_event_that_does_not_fit():
    record = play_random(classic_rules(4, [9, 4, 4, 0]), 7, 0)
    sale = first_event(record, "sale")
    place = record["rounds"][0]["events"].index(sale)
    sale["price"] += 1
    with pytest.raises(RecordMismatch, match=f"round 1, event {place + 1}: the rules give .* the record has"):
        referee(record)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda one: one["events"].pop(), "event 21: seat 1 must answer card, but the record has no more events"),
        (lambda one: one["events"].pop(0), "round 1, event 1: seat 0 must answer card, the record has"),
        (lambda one: one["events"][0].update(seat=3), "event 1: seat 0 must answer card, the record has"),
        (lambda one: one["events"][0].update(card="LM-O"), "event 1: seat 0 must answer card, and does not hold LM-O"),
        (lambda one: one["events"][1].update(amount=101), "event 2: seat 1 answers 101 to limit"),
        (lambda one: one["dealt"].pop(), "round 1 deals 2 hands instead of 3"),
        (lambda one: one["dealt"][0].pop(), "round 1 deals 1 cards to hand 0"),
        (lambda one: one["dealt"][2].__setitem__(1, "KR-O"), "5 copies of KR-O are dealt, the deck has 4"),
    ],
)
def test_referee_refuses_a_spoiled_record(spoil, message):
    record = copy.deepcopy(SCENARIOS["round_ends_with_fifth_card_of_an_artist_unsold_but_counted"].record)
    spoil(record["rounds"][0])
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the message is compared whole below
        referee(record)
    assert message in str(error.value)


def test_referee_refuses_more_cards_than_the_shill_has():
    record = copy.deepcopy(SCENARIOS["lone_double_kept_free_gives_no_right_to_the_shills_card"].record)
    record["rounds"][0]["events"].append({"e": "flip", "seat": 2, "card": "CP-O"})
    with pytest.raises(RecordMismatch, match="round 1: more cards are turned up than the shill has"):
        referee(record)


def test_first_difference_sees_results_and_types():
    record = play_random(classic_rules(3, [3]), 7, 0)
    other = json.loads(json.dumps(record))
    assert first_difference(record, other) is None
    other["rounds"][0]["result"]["payout"][2] += 1
    assert "record.rounds[0].result.payout[2]" in first_difference(record, other)
    other = json.loads(json.dumps(record))
    other["rounds"][0]["events"].append({"e": "pass", "seat": 0})
    assert "length of record.rounds[0].events" in first_difference(record, other)
