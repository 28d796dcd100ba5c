"""Editions and rule sets: what is read, what is refused, and the sentence that says why."""

import re

import pytest

from modernart.simulator.cards import (
    KIND_LETTERS,
    AuctionKind,
    card_artist,
    card_code,
    card_crowns,
    card_kind,
    format_card,
    parse_card,
)
from modernart.simulator.errors import UsageError
from modernart.simulator.options import ADDED_SINCE_VERSION_1, OPTION_VALUES
from modernart.simulator.rules import Rules, builtin_editions, load_edition, option_meanings, parse_overrides

ARTISTS = ("LM", "YO", "CP", "KG", "KR")


#: The options of the first release, in the order of a record; later ones come behind.
OPTION_NAMES = (
    "starting_money", "end_count", "ending_cards_rank", "rank_values", "no_bid_price", "sealed_tie", "double_revenue",
    "decline_penalty", "last_card", "next_starter", "open_style", "shill", "debt", *ADDED_SINCE_VERSION_1,
)  # fmt: skip


def record(**changes):
    """The rules of classic for four players as a record carries them, with changes."""
    return load_edition("classic").rules(4).to_record() | changes


def refused(message):
    """Expect a UsageError that is exactly this sentence."""
    return pytest.raises(UsageError, match=f"^{re.escape(message)}$")


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a file into an empty working folder and return its name."""
    monkeypatch.chdir(tmp_path)

    def write_file(name, text):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return name

    return write_file


# Cards


def test_card_code_holds_artist_kind_and_crowns():
    code = card_code(4, AuctionKind.SEALED, 3)
    assert code == 4 * 64 + 2 * 8 + 3
    assert (card_artist(code), card_kind(code), card_crowns(code)) == (4, 2, 3)


def test_every_card_comes_back_from_its_text():
    codes = {card_code(a, k, c) for a in range(5) for k in AuctionKind for c in range(1, 8)}
    assert len(codes) == 5 * len(AuctionKind) * 7
    assert {parse_card(format_card(code, ARTISTS, crowns=True), ARTISTS) for code in codes} == codes


def test_card_without_crowns_counts_one():
    assert parse_card("KR-S", ARTISTS) == card_code(4, AuctionKind.SEALED, 1)
    assert format_card(card_code(4, AuctionKind.SEALED, 1), ARTISTS) == "KR-S"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("KRS", 'card "KRS" must be written ARTIST-KIND or ARTIST-KIND*CROWNS, such as KR-S or RD-S*3'),
        ("KR-S*", 'card "KR-S*" must be written ARTIST-KIND or ARTIST-KIND*CROWNS, such as KR-S or RD-S*3'),
        ("XX-S", 'card "XX-S" names artist XX, but the artists are LM, YO, CP, KG, KR'),
        ("KR-Q", f'card "KR-Q" must have a kind of {", ".join(KIND_LETTERS)}, got Q'),
        ("KR-S*0", 'card "KR-S*0" must carry 1 to 7 crowns, got 0'),
        ("KR-S*8", 'card "KR-S*8" must carry 1 to 7 crowns, got 8'),
    ],
)
def test_wrong_card_is_refused(text, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        parse_card(text, ARTISTS)


# The built-in editions, against literal values of docs/rules.md


def test_classic_record_has_the_fields_of_the_format_in_order():
    data = record()
    deck = data.pop("deck")
    expected = [
        ("edition", "classic"), ("players", 4), ("rounds", 4), ("starting_money", 100), ("deal", [9, 4, 4, 0]),
        ("end_count", 5), ("ending_cards_rank", True), ("rank_values", [30, 20, 10]), ("no_bid_price", 0),
        ("sealed_tie", "auctioneer_first"), ("double_revenue", "joiner"), ("decline_penalty", "none"),
        ("last_card", "void"), ("next_starter", "after_ender"), ("open_style", "limit"), ("shill", "none"),
        ("debt", False), ("artists", ["LM", "YO", "CP", "KG", "KR"]),
    ]  # fmt: skip
    assert [item for item in data.items() if item[0] not in ADDED_SINCE_VERSION_1] == expected
    assert list(deck)[:6] == ["LM-O", "LM-R", "LM-S", "LM-F", "LM-D", "YO-O"]
    assert [sum(n for card, n in deck.items() if card.startswith(a)) for a in ARTISTS] == [12, 13, 14, 15, 16]


def test_online_differs_from_classic_in_four_points():
    assert load_edition("online").changes(load_edition("classic")) == {
        "no_bid_price": 1,
        "sealed_tie": "auctioneer_last",
        "double_revenue": "split_odd_joiner",
        "deal": {3: (11, 6, 6, 0)},
    }


def test_shill_is_for_three_and_deals_a_fourth_hand():
    edition = load_edition("shill")
    assert edition.player_counts == (3,)
    assert edition.rules(3).n_dealt == 4 * (9 + 4 + 4)
    assert edition.changes(load_edition("classic")) == {"players": (3, 3), "shill": "buyer", "deal": {3: (9, 4, 4, 0)}}


def test_sotheby_has_crowns_black_framed_cards_and_its_own_options():
    edition = load_edition("sotheby")
    assert {n: edition.rules(n).deal for n in range(3, 9)} == {
        3: (11, 8, 8, 0), 4: (10, 5, 5, 0), 5: (10, 3, 3, 0), 6: (8, 3, 3, 0), 7: (8, 2, 2, 0), 8: (6, 2, 2, 0),
    }  # fmt: skip
    changes = edition.changes(load_edition("classic"))
    assert {name: changes[name] for name in option_meanings() if name in changes} == {
        "starting_money": 150, "end_count": 6, "ending_cards_rank": False, "sealed_tie": "auctioneer_last",
        "double_revenue": "split_odd_first", "decline_penalty": "skip_turn", "last_card": "auctioned",
        "next_starter": "after_first_seller", "debt": True,
    }  # fmt: skip
    codes = edition.card_codes()
    assert [sum(card_artist(code) == artist for code in codes) for artist in range(5)] == [15, 16, 17, 18, 18]
    assert sum(card_kind(code) == AuctionKind.BLACK_FRAMED for code in codes) == 15
    assert {card_crowns(code) for code in codes} == {1, 2, 3, 4, 5}
    assert "placeholder" in edition.deck_note


@pytest.mark.parametrize(
    ("edition", "players", "deal"),
    [
        ("classic", 2, (17, 9, 9, 0)),
        ("classic", 6, (7, 2, 2, 0)),
        ("classic", 7, (6, 2, 2, 0)),
        ("classic", 8, (6, 1, 1, 0)),
        ("shill", 2, (13, 5, 5, 0)),
        ("sotheby", 2, (18, 12, 12, 0)),
    ],
)
def test_deal_of_other_numbers_of_players_is_scaled_from_the_nearest(edition, players, deal):
    chosen = load_edition(edition)
    assert chosen.rules(players).deal == deal
    assert f"no deal for {players} players" in chosen.deal_note(players)
    assert chosen.deal_note(3) == ""


def test_ranks_may_pay_more_the_lower_they_are():
    assert Rules.from_record(record(rank_values=[10, 20])).rank_values == (10, 20)


def test_deck_codes_follow_the_file_with_copies_in_a_row():
    codes = load_edition("classic").card_codes()
    assert len(codes) == 70
    assert [format_card(code, ARTISTS) for code in codes[:4]] == ["LM-O", "LM-O", "LM-O", "LM-R"]
    assert format_card(codes[-1], ARTISTS) == "KR-D"


@pytest.mark.parametrize("name", builtin_editions())
def test_rules_of_a_record_come_back_the_same(name):
    edition = load_edition(name)
    for players in edition.player_counts:
        rules = edition.rules(players)
        assert Rules.from_record(rules.to_record()) == rules


def test_every_option_has_a_meaning():
    meanings = option_meanings()
    assert all(meanings.values())
    assert set(OPTION_VALUES) < set(meanings)


# Rule sets that are refused


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"players": 1}, "players must be a whole number from 2 to 8, got 1"),
        ({"players": 9}, "players must be a whole number from 2 to 8, got 9"),
        ({"players": True}, "players must be a whole number from 2 to 8, got true"),
        ({"rounds": 3}, "rounds is 3, but deal has 4 rounds"),
        ({"starting_money": 1_000_001}, "starting_money must be a whole number from 0 to 1000000, got 1000001"),
        ({"starting_money": 1.5}, "starting_money must be a whole number from 0 to 1000000, got 1.5"),
        ({"end_count": 1}, "end_count must be a whole number from 2 to 30, got 1"),
        ({"ending_cards_rank": 1}, "ending_cards_rank must be true or false, got 1"),
        (
            {"rank_values": [30, -1]},
            "rank_values must be a list of 1 to 8 whole numbers from 0 to 100000, got [30, -1]",
        ),
        ({"rank_values": []}, "rank_values must be a list of 1 to 8 whole numbers from 0 to 100000, got []"),
        (
            {"artists": ["LM", "YO"], "deck": {"LM-O": 70}},
            "rank_values gives 3 ranks, but the deck has only 2 artists",
        ),
        ({"sealed_tie": "first"}, 'sealed_tie must be auctioneer_first or auctioneer_last, got "first"'),
        ({"shill": "seller"}, 'shill must be none, buyer or auctioneer, got "seller"'),
        ({"artists": ["LM", "lm"]}, 'artists must be codes of 1 to 4 capital letters or digits, got "lm"'),
        ({"artists": ["LM", "LM"]}, 'artists must be 1 to 8 different codes, got ["LM", "LM"]'),
        ({"deck": {"LM-O": -1}}, "deck, LM-O, must be a whole number from 0 to 127, got -1"),
        ({"deck": {"LM-O": 0}}, "the deck must hold 1 to 128 cards, got 0"),
        ({"deck": {"LM-O": 100, "LM-R": 29}}, "the deck must hold 1 to 128 cards, got 129"),
        (
            {"deck": {"LM-O": 35, "LM-R*1": 35}},
            "either every card of the deck or none must be written with crowns",
        ),
        ({"deck": {"ZZ-O": 70}}, 'card "ZZ-O" names artist ZZ, but the artists are LM, YO, CP, KG, KR'),
        ({"deal": [0, 0, 0, 0]}, "deal must give each player 1 to 48 cards in all, got 0"),
        ({"deal": [40, 9, 0, 0]}, "deal must give each player 1 to 48 cards in all, got 49"),
        ({"deal": [49, 0, 0, 0]}, "deal must be a list of 1 to 8 whole numbers from 0 to 48, got [49, 0, 0, 0]"),
        ({"deal": [1] * 9}, f"deal must be a list of 1 to 8 whole numbers from 0 to 48, got {[1] * 9}"),
        ({"deal": [9, 5, 4, 0]}, "deal [9, 5, 4, 0] takes 72 cards for 4 players, but the deck has only 70"),
        ({"shill": "buyer"}, "deal [9, 4, 4, 0] takes 85 cards for 4 players and the shill, but the deck has only 70"),
        ({"no_bid_prize": 1}, 'there is no option "no_bid_prize"; did you mean no_bid_price?'),
    ],
)
def test_wrong_or_contradictory_rules_are_refused_with_the_reason(changes, message):
    with refused(message):
        Rules.from_record(record(**changes))


def test_rules_of_a_record_must_be_complete():
    data = record()
    del data["debt"]
    with refused("debt is missing"):
        Rules.from_record(data)
    with refused("rules must be an object, got []"):
        Rules.from_record([])


@pytest.mark.parametrize(
    ("name", "players", "message"),
    [
        ("classic", 1, "players must be from 2 to 8, got 1"),
        ("classic", 9, "players must be from 2 to 8, got 9"),
    ],
)
def test_edition_is_refused_for_other_numbers_of_players(name, players, message):
    with refused(message):
        load_edition(name).rules(players)


# A user's own editions


def test_file_changes_what_it_extends_and_keeps_the_rest(write):
    edition = load_edition(write("mine.toml", 'extends = "online"\nend_count = 6\n[deal]\n4 = [8, 4, 4, 0]\n'))
    assert edition.name == "mine"
    assert edition.changes(load_edition("online")) == {"end_count": 6, "deal": {4: (8, 4, 4, 0)}}


def test_file_may_extend_a_file(write):
    write("one.toml", 'extends = "classic"\nend_count = 6\nnotes = ["one"]\n')
    edition = load_edition(write("two.toml", 'extends = "one.toml"\ndebt = true\nnotes = ["two"]\n'))
    assert (edition.end_count, edition.debt, edition.notes) == (6, True, ("one", "two"))


def test_fewer_players_leave_out_the_deals_of_others(write):
    edition = load_edition(write("duo.toml", 'extends = "classic"\nplayers = [2, 3]\ndeal.2 = [12, 6, 6, 0]\n'))
    assert edition.deal == {2: (12, 6, 6, 0), 3: (10, 6, 6, 0)}


def test_file_that_stands_alone_borrows_only_options_from_classic(write):
    text = (
        'players = 2\nend_count = 3\nrank_values = [5]\nartists = ["A", "B"]\ndeal = [2]\ndeck = {A-O = 2, B-S = 2}\n'
    )
    rules = load_edition(write("tiny.toml", text)).rules(2)
    assert (rules.end_count, rules.starting_money, rules.rounds, rules.n_cards) == (3, 100, 1, 4)


def test_deck_file_beside_the_edition_replaces_the_deck_and_its_note(write):
    write("cards.csv", "artist,kind,crowns,copies\nBK,O,2,40\nRD,B,1,44\n")
    edition = load_edition(write("mine.toml", 'extends = "sotheby"\ndeck = "cards.csv"\n'))
    assert edition.deck == {"BK-O*2": 40, "RD-B*1": 44}
    assert edition.deck_note == ""


def test_copied_edition_file_still_finds_the_built_in_deck(write):
    edition = load_edition(write("copy.toml", 'extends = "classic"\ndeck = "classic_deck.csv"\n'))
    assert edition.changes(load_edition("classic")) == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("end_count = \n", "mine.toml is not valid TOML: Invalid value (at line 1, column 13)"),
        ('extends = "clasic"', 'mine.toml: extends: there is no edition "clasic"; did you mean classic?'),
        ('extends = "other.toml"', "edition file other.toml does not exist"),
        ('extends = "mine.toml"', "mine.toml: extends leads back to mine.toml; one of the files must stand alone"),
        ("extends = 3", "mine.toml: extends must be the name of an edition or a file, got 3"),
        ('extends = "classic"\nend_cuont = 6', 'mine.toml: there is no option "end_cuont"; did you mean end_count?'),
        ('name = "best"', "mine.toml: name cannot be set; an edition is named after its file"),
        ("rounds = 3", "mine.toml: rounds cannot be set; it follows from the length of deal"),
        ('extends = "classic"\ndebt = "yes"', 'mine.toml: debt must be true or false, got "yes"'),
        (
            'extends = "classic"\nplayers = [1, 4]',
            "mine.toml: players must be a number from 2 to 8, or a list of the fewest and the most, got [1, 4]",
        ),
        (
            'extends = "classic"\nplayers = [3, 6]',
            "mine.toml: deal is missing for 6 players; add it to the deals or narrow players",
        ),
        (
            'extends = "classic"\ndeal.6 = [9]',
            "mine.toml: deal is given for 6 players, but players are 3, 4 or 5",
        ),
        (
            'extends = "classic"\ndeal.4 = [9, "x"]',
            'mine.toml: deal for 4 players must be a list of 1 to 8 whole numbers from 0 to 48, got [9, "x"]',
        ),
        (
            'extends = "classic"\ndeal = 9',
            "mine.toml: deal must be a list of cards by round, or a table of such lists by number of players, got 9",
        ),
        ('extends = "classic"\ndeck = "no.csv"', "mine.toml: deck file no.csv does not exist"),
        (
            'extends = "classic"\nartist_names = ["Lite Metal"]',
            "mine.toml: artist_names gives 1 names for 5 artists",
        ),
        ('title = "alone"', "mine.toml: artists is missing"),
    ],
)
def test_wrong_file_is_refused_with_one_sentence(write, text, message):
    with refused(message):
        load_edition(write("mine.toml", text))


def test_longer_circle_of_files_is_refused(write):
    write("two.toml", 'extends = "one.toml"\n')
    with refused("one.toml: extends leads back to one.toml; one of the files must stand alone"):
        load_edition(write("one.toml", 'extends = "two.toml"\n'))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n", "cards.csv: the columns must be artist, kind, copies and perhaps crowns, got a,b"),
        ("artist,kind,copies\nLM,O\n", "cards.csv: line 2: must have 3 columns"),
        ("artist,kind,copies\nLM,O,two\n", 'cards.csv: line 2: copies must be a whole number, got "two"'),
        ("artist,kind,copies\nLM,O,2\nLM,O,3\n", "cards.csv: line 3: card LM-O is listed twice; give it one line"),
        (
            "artist,kind,copies\nLM,Q,2\n",
            f'mine.toml: card "LM-Q" must have a kind of {", ".join(KIND_LETTERS)}, got Q',
        ),
    ],
)
def test_wrong_deck_file_is_refused_with_its_line(write, text, message):
    write("cards.csv", text)
    with refused(message):
        load_edition(write("mine.toml", 'extends = "classic"\ndeck = "cards.csv"\n'))


def test_file_that_is_no_text_is_refused(write, tmp_path):
    (tmp_path / "mine.toml").write_bytes(b"\xff\xfe\x00")
    with refused("edition file mine.toml must be text in UTF-8"):
        load_edition("mine.toml")


def test_folder_is_refused_as_a_file(write, tmp_path):
    (tmp_path / "mine.toml").mkdir()
    with refused("edition file mine.toml cannot be read: Is a directory"):
        load_edition("mine.toml")


def test_unknown_edition_names_all_or_the_file_that_may_be_meant(write):
    write("mine.toml", 'extends = "classic"\n')
    with refused('there is no edition "zzz"; use classic, online, shill or sotheby'):
        load_edition("zzz")
    with refused('there is no edition "mine"; to read the file, write mine.toml'):
        load_edition("mine")


# Options changed by hand


def test_overrides_are_read_as_toml_with_quotes_left_out():
    overrides = {"open_style": "outcry", "no_bid_price": "1", "deal": "[11,6,6,0]", "debt": "true"}
    edition = load_edition("classic", overrides)
    rules = edition.rules(3)
    assert (rules.open_style, rules.no_bid_price, rules.deal, rules.debt) == ("outcry", 1, (11, 6, 6, 0), True)
    assert edition.name == "classic"
    assert edition.label == "classic with open_style=outcry, no_bid_price=1, deal=[11,6,6,0], debt=true"
    with refused("edition classic: deal [11, 6, 6, 0] takes 92 cards for 4 players, but the deck has only 70"):
        edition.rules(4)


WRITE = "write a number, a word, true, false or a list such as [9,4,4,0]"


def test_override_may_change_the_deal_of_one_number_of_players_and_who_plays():
    edition = load_edition("classic", {"players": "[2,3]", "deal": "{2 = [12,6,6,0]}"})
    assert edition.deal == {2: (12, 6, 6, 0), 3: (10, 6, 6, 0)}


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"open_stile": "outcry"}, 'there is no rule "open_stile"; did you mean open_style?'),
        (
            {"title": "x"},
            f'there is no rule "title"; use players, deal, {", ".join(OPTION_NAMES)}, artists, artist_names or deck',
        ),
        ({"rounds": "3"}, "rounds cannot be set; it follows from the length of deal"),
        ({"open_style": "shouting"}, 'open_style must be limit or outcry, got "shouting"'),
        ({"debt": "yes"}, 'debt must be true or false, got "yes"'),
        (
            {"end_count": "[5"},
            'rule end_count: "[5" is not a value; ' + WRITE,
        ),
        (
            {"end_count": "5\ndebt = true"},
            'rule end_count: "5\ndebt = true" is not a value; ' + WRITE,
        ),
        (
            {"end_count": ""},
            'rule end_count: "" is not a value; ' + WRITE,
        ),
    ],
)
def test_wrong_override_is_refused(overrides, message):
    with refused(message):
        load_edition("classic", overrides)


def test_overrides_are_split_at_the_first_equals_sign():
    assert parse_overrides(["end_count=6", "deal={2 = [9]}"]) == {"end_count": "6", "deal": "{2 = [9]}"}
    with refused('a rule must be written KEY=VALUE, as end_count=6, got "=6"'):
        parse_overrides(["=6"])
    with refused("rule debt is given twice; keep one"):
        parse_overrides(["debt=true", "debt=false"])
