"""Games told in short lines: what lines mean, what stays unknown, and what is refused."""

import json
import random

import pytest
from notes import notes_of

from modernart.analysis.table.logbook import Logbook
from modernart.analysis.table.names import _kind_words, artist_words, read_card
from modernart.analysis.table.sitting import Sitting
from modernart.simulator.cards import KIND_NAMES, AuctionKind, card_kind, format_card
from modernart.simulator.errors import UsageError
from modernart.simulator.games import records_of_run
from modernart.simulator.records import RecordError, replay_record
from modernart.simulator.replay import tell_record
from modernart.simulator.rules import load_edition
from modernart.strategies.specs import load_players

CLASSIC = load_edition("classic").rules(4)
ARTISTS = CLASSIC.artists


def told(*lines, rules=CLASSIC, **kinds):
    sitting = Sitting(rules, **kinds)
    for line in lines:
        sitting.take(line)
    return sitting


def money(sitting):
    return [int(m) for m in sitting.game.table.money[: sitting.rules.players]]


def last_events(sitting, n):
    return sitting.interpreter.rounds[-1]["events"][-n:]


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("KR-S", "KR-S"),
        ("kr-s", "KR-S"),
        ("Krypto sealed", "KR-S"),
        ("Lite Metal once around", "LM-R"),
        ("Christin P. fixed price", "CP-F"),
        ("Rafael Silveira double", "KR-D"),
        ("silveira S", "KR-S"),
        ("Manuel Carvalho open", "LM-O"),
        ("Sigrid Thaler - sealed", "YO-S"),
        ("daniel melim F", "CP-F"),
        ("Ramon Martins (once around)", "KG-R"),
        ("krypto once", "KR-R"),
        ("krypto round", "KR-R"),
        ("Lite open auction", "LM-O"),
        ("yoko fixed", "YO-F"),
        ("yoko hidden", "YO-S"),
        ("yoko blind", "YO-S"),
        ("gitter black framed", "KG-B"),
        ("gitter black", "KG-B"),
    ],
)
def test_artists_go_by_the_names_of_every_printing(text, card):
    assert format_card(read_card(text, ARTISTS, artist_words(ARTISTS)), ARTISTS) == card


def test_every_kind_goes_by_its_name():
    for kind, name in KIND_NAMES.items():
        assert card_kind(read_card(f"krypto {name}", ARTISTS, artist_words(ARTISTS))) == kind


def test_first_word_that_two_kinds_share_means_neither_unless_it_is_a_name():
    words = _kind_words({AuctionKind.OPEN: "sealed", AuctionKind.SEALED: "sealed twice", AuctionKind.DOUBLE: "all pay"})
    assert words["sealed"] == AuctionKind.OPEN
    assert words["sealed twice"] == AuctionKind.SEALED
    assert words["all"] == words["all pay"] == AuctionKind.DOUBLE
    assert "twice" not in _kind_words({AuctionKind.OPEN: "twice up", AuctionKind.DOUBLE: "twice down"})


def test_own_names_of_artists_are_understood():
    words = artist_words(ARTISTS, ["Ada Blue", "Bo", "Cy", "Di", "Krypto"])
    assert format_card(read_card("ada blue sealed", ARTISTS, words), ARTISTS) == "LM-S"
    with pytest.raises(UsageError, match="artists must be 5 names in board order, got 2"):
        artist_words(ARTISTS, ["Ada", "Bo"])


def test_sealed_bids_are_sold_to_the_highest():
    sitting = told("B plays KR-S", "A 12, B 9, C 0, D 14")
    assert money(sitting) == [100, 114, 100, 86]
    assert last_events(sitting, 2) == [
        {"e": "sealed", "amounts": [12, 9, 0, 14]},
        {"e": "sale", "seller": 1, "buyer": 3, "price": 14, "cards": ["KR-S"], "money": [100, 114, 100, 86]},
    ]


def test_joiner_sells_the_double_and_only_the_sale_of_an_open_auction_is_needed():
    sitting = told("B plays KR-D", "C joins KR-O, sold D 31")
    assert money(sitting) == [100, 100, 131, 69]
    assert sitting.status() == "D puts up a card"


def test_bids_of_an_open_auction_may_be_noted_beside_its_price():
    sitting = told("B plays KR-O", "A 12, C 20, sold D 31")
    assert money(sitting) == [100, 131, 100, 69]
    limits = {event["seat"]: event["amount"] for event in last_events(sitting, 5)[:-1]}
    assert limits == {2: 30, 3: 31, 0: 12, 1: 0}


def test_bids_once_around_come_in_turn_and_the_next_card_ends_them():
    sitting = told("B plays KR-R", "C 5, D pass, A 7", "C plays LM-O")
    assert money(sitting) == [93, 107, 100, 100]


def test_fixed_price_goes_to_who_takes_it_and_else_to_the_bank():
    assert money(told("B plays KR-F, asks 20, D buys")) == [100, 120, 100, 80]
    assert money(told("B plays KR-F, asks 20", "nobody")) == [100, 80, 100, 100]


def test_lone_double_is_free_and_the_next_card_says_so():
    assert money(told("B plays KR-D", "C plays LM-S")) == [100, 100, 100, 100]
    assert last_events(told("B plays KR-D", "alone"), 1)[0]["price"] == 0


def test_sale_that_contradicts_the_bids_is_refused_and_changes_nothing():
    sitting = told("B plays KR-S")
    with pytest.raises(UsageError, match="by the bids told D buys for 14, not A 12"):
        sitting.take("A 12, B 9, C 0, D 14, sold A 12")
    assert sitting.status() == "the bids, or `sold NAME PRICE`"
    assert money(sitting) == [100, 100, 100, 100]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("A plays KR-S", "it is the turn of C, not of A"),
        ("C plays KR-S, sold A 101", "A cannot answer 101 here, with 97 of money"),
        ("C joins KR-O", "there is no double to which a card can be added"),
        ("X plays KR-S", '"X" is no player; the players are A, B, C, D'),
        ("C plays KR-B", "the deck has no KR-B"),
        ("hello there", '"hello there" cannot be understood'),
    ],
)
def test_lines_that_cannot_be_are_refused_in_a_sentence(line, message):
    sitting = told("B plays LM-S, sold A 3")
    with pytest.raises(UsageError, match=message):
        sitting.take(line)
    assert sitting.lines == ["B plays LM-S, sold A 3"]


def test_hand_that_was_told_is_held_to():
    hand = "hand B KR-S KR-O LM-D LM-O YO-F YO-S KG-R CP-O CP-S"
    with pytest.raises(UsageError, match="B does not hold KR-F"):
        told(hand, "B plays KR-F")
    with pytest.raises(UsageError, match="KR-S comes up more often than the deck holds it, 3"):
        told(hand.replace("KR-O LM-D", "KR-S KR-S"), "first B", "B plays KR-S, sold A 2", "C plays KR-S")


def test_undo_takes_the_last_line_back_and_correct_puts_another_in_its_place():
    book = Logbook()
    for line in ("players Ann Ben Cem Dee", "Ben plays KR-S", "Ann 12, Dee 14"):
        book.take(line)
    book.take("correct Ann 15, Dee 14")
    assert money(book.sitting) == [85, 115, 100, 100]
    book.take("undo")
    assert book.lines == ["players Ann Ben Cem Dee", "Ben plays KR-S"]


def test_file_is_saved_after_each_line_and_read_again(tmp_path):
    path = tmp_path / "game.txt"
    book = Logbook(path)
    for line in ("edition shill", "players 3", "B plays KR-S", "A 12", "A turns up LM-O"):
        book.take(line)
    assert path.read_text() == "edition shill\nplayers 3\nB plays KR-S\nA 12\nA turns up LM-O\n"
    assert money(Logbook.read(path).sitting) == [88, 112, 100]
    path.write_text("players 3\nB plays XX\n")
    with pytest.raises(UsageError, match=r'game.txt, line 2: "XX" is no card'):
        Logbook.read(path)


def whole_game(rules, seed):
    """Lines of a whole game in which everybody plays any card that the deck has left, and bids at random."""
    draw = random.Random(seed)
    deck = [format_card(code, rules.artists) for code in rules.card_codes()]
    draw.shuffle(deck)
    sitting = Sitting(rules)
    sitting.take("first A")
    while not sitting.is_over:
        name = sitting.names[int(sitting.game.table.seat)]
        sitting.take(f"{name} plays {deck.pop()}")
        if sitting.is_over or sitting.status().endswith("puts up a card"):
            continue
        if sitting.pending is not None:
            sitting.take("alone")
        elif "asks" in sitting.status():
            sitting.take("asks 0, nobody")
        else:
            sitting.take(f"sold {draw.choice(sitting.names)} {draw.randint(1, 12)}")
    return sitting


def test_game_with_unknown_hands_becomes_a_record_that_checks():
    record = json.loads(json.dumps(whole_game(CLASSIC, 3).record()))
    assert record["version"] == 1
    assert record["rounds"][0]["dealt"] == [None, None, None, None]
    replay_record(record)
    assert any("holds ? ? ?" in line for line in tell_record(record))
    event = next(e for e in record["rounds"][0]["events"] if e["e"] == "play")
    event["card"] = "LM-X"
    with pytest.raises(RecordError, match="kind of O, R, S, F, D, B"):
        replay_record(record)


def test_record_with_unknown_hands_is_held_to_the_deck():
    record = whole_game(CLASSIC, 3).record()
    plays = [e for told in record["rounds"] for e in told["events"] if e["e"] == "play"]
    first = [e for e in plays if e["card"] == plays[0]["card"]]
    copies = CLASSIC.to_record()["deck"][plays[0]["card"]]
    for event in [e for e in plays if e not in first][: copies - len(first) + 1]:
        event["card"] = plays[0]["card"]
    with pytest.raises(RecordError):
        replay_record(record)


@pytest.mark.parametrize(
    ("edition", "players", "overrides"),
    [
        ("classic", 3, {}),
        ("classic", 5, {"open_style": "outcry"}),
        ("online", 4, {}),
        ("shill", 3, {}),
        ("sotheby", 5, {}),
        ("classic", 4, {"pairing": "same_kind", "order_money": "[0, 5, 10]"}),
    ],
)
def test_notes_of_a_game_tell_the_same_game(edition, players, overrides):
    rules = load_edition(edition, overrides).rules(players)
    field = load_players(["random", "half_value", "fair_share"])
    for record in records_of_run(field, rules, 11, 0, 2):
        sitting = Sitting(rules)
        for line in notes_of(record, range(players)):
            sitting.take(line)
        again = sitting.record()
        for key in ("first_seat", "rounds", "money", "winners"):
            assert again[key] == record[key], key
        # Told without the hands, everything but the cards dealt and who declined to add one comes out the same.
        blind = Sitting(rules)
        for line in notes_of(record):
            blind.take(line)
        assert blind.record()["money"] == record["money"]
        replay_record(json.loads(json.dumps(blind.record())))


SAME_KIND = load_edition("classic", {"pairing": "same_kind"}).rules(4)


def test_seller_of_a_single_card_adds_one_of_its_kind_or_sells_it_alone():
    sitting = told("A plays KR-S", "A adds KR-S", "A 0, B 7, C 0, D 0", "B plays YO-S", rules=SAME_KIND)
    assert [event["e"] for event in last_events(sitting, 4)] == ["play", "pair", "sealed", "sale"]
    sitting.take("A 0, B 0, C 3, D 0")
    assert last_events(sitting, 1)[0]["cards"] == ["YO-S"]
    assert money(sitting) == [107, 96, 97, 100]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("B adds KR-S", "only A may add a card to KR-S"),
        ("A adds KR-O", "KR-O cannot be added to KR-S"),
    ],
)
def test_nothing_else_is_added_to_a_single_card(line, message):
    with pytest.raises(UsageError, match=message):
        told("A plays KR-S", line, rules=SAME_KIND)


def test_rules_with_a_hand_limit_are_refused_in_a_sentence():
    with pytest.raises(UsageError, match="with hand_limit = 7 cards leave the game unseen, which advice, reviews"):
        Sitting(load_edition("classic", {"hand_limit": "7"}).rules(4))


CARDS = ["KR-S", "KR-D", "LM-O", "YO-R", "CP-F", "KG-S"]
WORDS = [
    *CARDS,
    *"A B C D E plays joins adds with sold for asks buys pass 12 0 99 999999999 - , ; ? undo".split(),
    "alone",
    "nobody",
    "leaves",
    "turns up",
    "hand",
    "first",
    "players",
    "correct",
    "Krypto sealed",
    "\x00",
    "é",
]


@pytest.mark.parametrize("n", [400, pytest.param(10_000, marks=pytest.mark.slow)])
def test_lines_of_nonsense_are_refused_in_a_sentence_and_change_nothing(n):
    draw = random.Random(5)
    book = Logbook()
    n_taken = 0
    refusals = set()
    for _ in range(n):
        if book.sitting is None or book.sitting.is_over or len(book.sitting.lines) > 60:
            book = Logbook()
            book.take(draw.choice(["players 4", "players 3"]))
        before = list(book.lines)
        state = book.sitting.game.table.copy()
        if draw.random() < 0.5:
            line = " ".join(draw.choices(WORDS, k=draw.randint(1, 6)))
        else:
            name = draw.choice("ABCD")
            line = draw.choice(
                [f"{name} plays {draw.choice(CARDS)}", f"sold {name} {draw.randint(0, 40)}", f"{name} 5"]
            )
        try:
            book.take(line)
            n_taken += book.lines != before
        except UsageError as error:
            refusals.add(str(error))
            assert book.lines == before
            assert book.sitting.game.table.copy() == state
    assert n_taken > n / 100
    assert all(10 < len(refusal) < 200 for refusal in refusals)
