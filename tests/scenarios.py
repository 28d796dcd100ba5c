"""Odd cases of the rulebook as data: rules, deal, and what must happen, worked out by hand.

Each scenario is a full game record, written compactly. The record says both what every seat answers and what must come
of it, so whoever plays the rules can be held against it: answer from the events, compare everything.

A hand is card texts, hands are parted by `|`, the shill's pile comes last. An event is `SEAT WORD [CARD or AMOUNT]` or
one of

- `sealed 1 0 7`: amounts by seat, `-` for an auctioneer who stays out of a black-framed auction;
- `sale SELLER BUYER PRICE = MONEY...`: the cards are those put up since the last lot;
- `SEAT gets CARD`: short for a sealed card put up, nobody bids, the auctioneer takes it for nothing.

A round ends with `REASON SEAT | counts | ranking with values | payout | money`, `-` where no seat ended it.
"""

from dataclasses import dataclass

CLASSIC_DECK = {
    "LM": {"O": 3, "R": 3, "S": 2, "F": 2, "D": 2},
    "YO": {"O": 3, "R": 2, "S": 3, "F": 3, "D": 2},
    "CP": {"O": 3, "R": 3, "S": 3, "F": 3, "D": 2},
    "KG": {"O": 3, "R": 3, "S": 3, "F": 3, "D": 3},
    "KR": {"O": 4, "R": 3, "S": 3, "F": 3, "D": 3},
}
SOTHEBY_DECK = {
    "BK": {"O": "124", "R": "134", "S": "2", "F": "235", "D": "45", "B": "135"},
    "BL": {"O": "124", "R": "134", "S": "2", "F": "235", "D": "345", "B": "135"},
    "GR": {"O": "1245", "R": "134", "S": "2", "F": "234", "D": "345", "B": "135"},
    "YE": {"O": "123", "R": "1234", "S": "2", "F": "1245", "D": "345", "B": "135"},
    "RD": {"O": "1245", "R": "124", "S": "2", "F": "134", "D": "2345", "B": "135"},
}
"""Crowns of the cards, one card each."""


def classic_rules(players: int, deal: list[int], **changes) -> dict:
    """Rules of edition `classic` with another deal, and other changes."""
    deck = {f"{artist}-{kind}": n for artist, kinds in CLASSIC_DECK.items() for kind, n in kinds.items()}
    rules = {
        "edition": "classic",
        "players": players,
        "rounds": len(deal),
        "starting_money": 100,
        "deal": list(deal),
        "end_count": 5,
        "ending_cards_rank": True,
        "rank_values": [30, 20, 10],
        "no_bid_price": 0,
        "least_bid": 1,
        "house_fee": 0,
        "order_money": [0],
        "rivals_money": "open",
        "pairing": "doubles",
        "hand_limit": 48,
        "sealed_tie": "auctioneer_first",
        "double_revenue": "joiner",
        "decline_penalty": "none",
        "last_card": "void",
        "next_starter": "after_ender",
        "open_style": "limit",
        "shill": "none",
        "debt": False,
        "artists": list(CLASSIC_DECK),
        "deck": deck,
    }
    return rules | changes


def sotheby_rules(players: int, deal: list[int], **changes) -> dict:
    """Rules of edition `sotheby` with another deal, and other changes."""
    deck = {
        f"{artist}-{kind}*{crowns}": 1
        for artist, kinds in SOTHEBY_DECK.items()
        for kind, all_crowns in kinds.items()
        for crowns in all_crowns
    }
    sotheby = {
        "edition": "sotheby",
        "starting_money": 150,
        "end_count": 6,
        "ending_cards_rank": False,
        "sealed_tie": "auctioneer_last",
        "double_revenue": "split_odd_first",
        "decline_penalty": "skip_turn",
        "last_card": "auctioned",
        "next_starter": "after_first_seller",
        "debt": True,
        "artists": list(SOTHEBY_DECK),
        "deck": deck,
    }
    return classic_rules(players, deal) | sotheby | changes


@dataclass(frozen=True)
class Scenario:
    """One odd case.

    Attributes
    ----------
    name : str
        The behaviour.
    rules : dict
        The rules of the game record.
    dealt : list of rounds, each a list of hands, each a list of card texts
        New cards by round and seat, the shill's pile last where there is one.
    first_seat : int
        Seat that starts round one.
    record : dict
        The game record that must come out.
    broken_by : tuple of dict
        Changes of the rules, under each of which this record must be refused.
    """

    name: str
    rules: dict
    dealt: list
    first_seat: int
    record: dict
    broken_by: tuple = ()


SCENARIOS: dict[str, Scenario] = {}


def scenario(
    name, deals, rounds, results, first_seat=0, rules=classic_rules, broken_by=(), taken=None, **changes
) -> None:
    """Add a scenario; `deals`, `rounds` and `results` hold one text a round, and `taken` what a hand limit leaves."""
    dealt, taken = ([[hand.split() for hand in deal.split("|")] for deal in texts] for texts in (deals, taken or deals))
    piles = 1 if changes.get("shill", "none") != "none" else 0
    players = len(dealt[0]) - piles
    rule_set = rules(players, [len(hands[0]) for hands in dealt], **changes)
    money = [rule_set["starting_money"]] * players
    for place, amount in enumerate(rule_set["order_money"]):
        money[(first_seat + place) % players] += amount
    told = []
    for number, (hands, events, result) in enumerate(zip(taken, rounds, results, strict=True)):
        parsed = parse_events(events, players, money)
        ended = parse_result(number + 1, result, rule_set["artists"])
        money = ended["money"]
        told.append({"dealt": hands[:players], "events": parsed, "result": ended})
    record = {
        "format": "modern-art-record",
        "version": 1,
        "rules": rule_set,
        "first_seat": first_seat,
        "rounds": told,
        "money": list(money),
        "winners": [seat for seat in range(players) if money[seat] == max(money)],
    }
    assert name not in SCENARIOS
    SCENARIOS[name] = Scenario(name, rule_set, dealt, first_seat, record, broken_by)


def parse_events(text: str, players: int, money: list[int]) -> list[dict]:
    """Events of a round from their compact text."""
    events = []
    lot = []
    for line in text.replace("\n", ";").split(";"):
        words = line.split()
        if not words:
            continue
        if words[0] == "sealed":
            events.append({"e": "sealed", "amounts": [None if word == "-" else int(word) for word in words[1:]]})
        elif words[0] == "sale":
            seller, buyer, price = map(int, words[1:4])
            money = [int(word) for word in words[5:]]
            events.append(sale_event(seller, buyer, price, lot, money))
        elif words[1] == "gets":
            seat = int(words[0])
            events.append({"e": "play", "seat": seat, "card": words[2]})
            events.append({"e": "sealed", "amounts": [0] * players})
            events.append(sale_event(seat, seat, 0, [words[2]], money))
        else:
            event = {"e": words[1], "seat": int(words[0])}
            if words[1] in ("play", "pair", "join", "flip"):
                event["card"] = None if words[2] == "none" else words[2]
            elif len(words) == 3:
                event["amount"] = int(words[2])
            events.append(event)
            if words[1] == "play":
                lot = [words[2]]
            elif words[1] in ("pair", "join"):
                lot = [*lot, words[2]]
    return events


def sale_event(seller: int, buyer: int, price: int, lot: list[str], money: list[int]) -> dict:
    """The event of a sale."""
    return {"e": "sale", "seller": seller, "buyer": buyer, "price": price, "cards": lot, "money": list(money)}


def parse_result(number: int, text: str, artists: list[str]) -> dict:
    """Result of a round from its compact text."""
    end, counts, values, payout, money = (part.split() for part in text.split("|"))
    zero = {artist: 0 for artist in artists}
    return {
        "round": number,
        "reason": end[0],
        "ended_by": None if end[1] == "-" else int(end[1]),
        "counts": zero | {word[:2]: int(word[2:]) for word in counts},
        "ranking": [word[:2] for word in values],
        "values": zero | {word[:2]: int(word[2:]) for word in values},
        "payout": [int(word) for word in payout],
        "money": [int(word) for word in money],
    }


# The end of a round.

scenario(
    "round_ends_with_fifth_card_of_an_artist_unsold_but_counted",
    ["KR-O KR-O | KR-O KR-O | KR-R LM-O"],
    [
        """0 play KR-O; 1 limit 10; 2 limit 4; 0 limit 0; sale 0 1 5 = 105 95 100
        1 play KR-O; 2 limit 0; 0 limit 0; 1 limit 0; sale 1 1 0 = 105 95 100
        2 play KR-R; 0 pass; 1 pass; 2 pass; sale 2 2 0 = 105 95 100
        0 play KR-O; 1 limit 0; 2 limit 0; 0 limit 0; sale 0 0 0 = 105 95 100
        1 play KR-O"""
    ],
    ["end_count 1 | KR5 | KR30 | 30 60 30 | 135 155 130"],
    broken_by=({"end_count": 6}, {"ending_cards_rank": False}),
)
scenario(
    "double_as_fifth_card_takes_no_second",
    ["KR-S KR-S | KR-S KR-D | KR-F KR-O"],
    [
        """0 play KR-S; sealed 0 5 0; sale 0 1 5 = 105 95 100
        1 gets KR-S
        2 play KR-F; 2 price 8; 0 accept; sale 2 0 8 = 97 95 108
        0 play KR-S; sealed 0 0 3; sale 0 2 3 = 100 95 105
        1 play KR-D"""
    ],
    ["end_count 1 | KR5 | KR30 | 30 60 30 | 130 155 135"],
)
scenario(
    "double_with_own_second_after_three_ends_the_round_and_all_tie",
    ["KR-S KR-D KR-O | KR-S LM-S YO-S | KR-S LM-O YO-O"],
    ["0 gets KR-S; 1 gets KR-S; 2 gets KR-S; 0 play KR-D; 0 pair KR-O"],
    ["end_count 0 | KR5 | KR30 | 30 30 30 | 130 130 130"],
)
scenario(
    "double_with_own_second_that_ends_the_round_counts_neither",
    ["KR-S KR-D KR-O | KR-S LM-S YO-S | KR-S LM-O YO-O"],
    ["0 gets KR-S; 1 gets KR-S; 2 gets KR-S; 0 play KR-D; 0 pair KR-O"],
    ["end_count 0 | KR3 | KR30 | 30 30 30 | 130 130 130"],
    ending_cards_rank=False,
    broken_by=({"ending_cards_rank": True},),
)
JOINED_ENDING = [
    "KR-S KR-D LM-S | KR-S LM-S YO-S | KR-S KR-O CP-S",
    "||",
]
scenario(
    "joined_double_after_three_ends_the_round_and_left_of_joiner_starts",
    JOINED_ENDING,
    [
        "0 gets KR-S; 1 gets KR-S; 2 gets KR-S; 0 play KR-D; 2 join KR-O",
        "0 gets LM-S; 1 gets LM-S; 2 gets CP-S; 1 play YO-S",
    ],
    [
        "end_count 2 | KR5 | KR30 | 30 30 30 | 130 130 130",
        "hands_empty 1 | LM2 YO1 CP1 | LM30 YO20 CP10 | 30 30 10 | 160 160 140",
    ],
    broken_by=({"next_starter": "after_first_seller"},),
)
scenario(
    "after_first_seller_left_of_the_doubles_owner_starts",
    JOINED_ENDING,
    [
        "0 gets KR-S; 1 gets KR-S; 2 gets KR-S; 0 play KR-D; 2 join KR-O",
        "1 gets LM-S; 2 gets CP-S; 0 gets LM-S; 1 play YO-S",
    ],
    [
        "end_count 2 | KR5 | KR30 | 30 30 30 | 130 130 130",
        "hands_empty 1 | LM2 YO1 CP1 | LM30 YO20 CP10 | 30 30 10 | 160 160 140",
    ],
    next_starter="after_first_seller",
    broken_by=({"next_starter": "after_ender"},),
)
scenario(
    "lone_double_after_three_is_kept_free_and_the_round_goes_on",
    ["KR-S KR-D | KR-S KR-R | KR-S LM-S"],
    [
        """0 gets KR-S; 1 gets KR-S; 2 gets KR-S
        0 play KR-D; 1 decline; sale 0 0 0 = 100 100 100
        1 play KR-R"""
    ],
    ["end_count 1 | KR5 | KR30 | 60 30 30 | 160 130 130"],
)
scenario(
    "sixth_card_ends_the_round_where_end_count_is_six",
    ["KR-S KR-O LM-O | KR-S KR-O LM-O | KR-S KR-O LM-O"],
    [
        """0 gets KR-S; 1 gets KR-S; 2 gets KR-S
        0 play KR-O; 1 limit 0; 2 limit 0; 0 limit 0; sale 0 0 0 = 100 100 100
        1 play KR-O; 2 limit 0; 0 limit 0; 1 limit 0; sale 1 1 0 = 100 100 100
        2 play KR-O"""
    ],
    ["end_count 2 | KR6 | KR30 | 60 60 30 | 160 160 130"],
    end_count=6,
    broken_by=({"end_count": 5},),
)
scenario(
    "uncounted_ending_card_loses_the_tie_for_first_rank",
    ["YO-S YO-F KR-S | YO-S KR-S KR-O | YO-S KR-S KR-O"],
    [
        """0 gets YO-S; 1 gets YO-S; 2 gets YO-S
        0 play YO-F; 0 price 0; 1 refuse; 2 refuse; sale 0 0 0 = 100 100 100
        1 gets KR-S; 2 gets KR-S; 0 gets KR-S
        1 play KR-O; 2 limit 0; 0 limit 0; 1 limit 0; sale 1 1 0 = 100 100 100
        2 play KR-O"""
    ],
    ["end_count 2 | YO4 KR4 | YO30 KR20 | 80 70 50 | 180 170 150"],
    ending_cards_rank=False,
    broken_by=({"ending_cards_rank": True},),
)
scenario(
    "artist_whose_only_card_is_an_uncounted_ending_card_does_not_rank",
    ["LM-S | YO-S | KR-S"],
    ["0 gets LM-S; 1 gets YO-S; 2 play KR-S"],
    ["hands_empty 2 | LM1 YO1 | LM30 YO20 | 30 20 0 | 130 120 100"],
    ending_cards_rank=False,
    broken_by=({"ending_cards_rank": True},),
)

# Out of cards, and who starts.

scenario(
    "last_card_of_all_hands_is_void_also_a_double",
    ["LM-S | YO-S | KR-D"],
    ["0 gets LM-S; 1 gets YO-S; 2 play KR-D"],
    ["hands_empty 2 | LM1 YO1 KR1 | LM30 YO20 KR10 | 30 20 0 | 130 120 100"],
    broken_by=({"last_card": "auctioned"},),
)
scenario(
    "last_card_as_joined_second_voids_both_and_both_count",
    ["LM-S KR-S | LM-S YO-S | KR-D YO-S"],
    ["1 gets LM-S; 2 gets YO-S; 0 gets LM-S; 1 gets YO-S; 2 play KR-D; 0 join KR-S"],
    ["hands_empty 0 | LM2 YO2 KR2 | LM30 YO20 KR10 | 30 50 20 | 130 150 120"],
    first_seat=1,
    broken_by=({"last_card": "auctioned"},),
)
scenario(
    "last_card_auctioned_is_sold_and_left_of_its_auctioneer_starts",
    ["LM-S | YO-S | KR-S", "LM-S | YO-S | CP-S"],
    [
        "1 gets YO-S; 2 gets KR-S; 0 play LM-S; sealed 0 0 5; sale 0 2 5 = 105 100 95",
        "1 gets YO-S; 2 gets CP-S; 0 gets LM-S",
    ],
    [
        "hands_empty - | LM1 YO1 KR1 | LM30 YO20 KR10 | 0 20 40 | 105 120 135",
        "hands_empty - | LM1 YO1 CP1 | LM60 YO40 CP10 | 60 40 10 | 165 160 145",
    ],
    first_seat=1,
    last_card="auctioned",
    broken_by=({"last_card": "void"},),
)
scenario(
    "last_lot_sold_as_joined_double_passes_the_start_left_of_its_joiner",
    ["LM-S KR-S | LM-S YO-S | KR-D YO-S", "CP-S | CP-S | CP-S"],
    [
        """1 gets LM-S; 2 gets YO-S; 0 gets LM-S; 1 gets YO-S
        2 play KR-D; 0 join KR-S; sealed 0 0 0; sale 0 0 0 = 100 100 100""",
        "1 gets CP-S; 2 gets CP-S; 0 gets CP-S",
    ],
    [
        "hands_empty - | LM2 YO2 KR2 | LM30 YO20 KR10 | 50 50 20 | 150 150 120",
        "hands_empty - | CP3 | CP30 | 30 30 30 | 180 180 150",
    ],
    first_seat=1,
    last_card="auctioned",
    next_starter="after_first_seller",
)
scenario(
    "last_card_auctioned_keeps_a_lone_double_free",
    ["LM-S | YO-S | KR-D"],
    ["0 gets LM-S; 1 gets YO-S; 2 play KR-D; sale 2 2 0 = 100 100 100"],
    ["hands_empty - | LM1 YO1 KR1 | LM30 YO20 KR10 | 30 20 10 | 130 120 110"],
    last_card="auctioned",
    broken_by=({"last_card": "void"},),
)
scenario(
    "last_card_that_is_also_the_fifth_is_not_auctioned",
    ["KR-S | KR-S | KR-S | KR-O | KR-O"],
    [
        """0 gets KR-S; 1 gets KR-S; 2 gets KR-S
        3 play KR-O; 4 limit 0; 0 limit 0; 1 limit 0; 2 limit 0; 3 limit 0; sale 3 3 0 = 100 100 100 100 100
        4 play KR-O"""
    ],
    ["end_count 4 | KR5 | KR30 | 30 30 30 30 0 | 130 130 130 130 100"],
    last_card="auctioned",
)
scenario(
    "empty_round_pays_nothing_and_passes_its_starter_on",
    ["LM-S | YO-S | KR-S", "||", "LM-S | CP-S | KG-S"],
    [
        "1 gets YO-S; 2 gets KR-S; 0 play LM-S",
        "",
        "1 gets CP-S; 2 gets KG-S; 0 play LM-S",
    ],
    [
        "hands_empty 0 | LM1 YO1 KR1 | LM30 YO20 KR10 | 0 20 10 | 100 120 110",
        "hands_empty - | | | 0 0 0 | 100 120 110",
        "hands_empty 0 | LM1 CP1 KG1 | LM60 CP20 KG10 | 0 20 10 | 100 140 120",
    ],
    first_seat=1,
)
scenario(
    "first_round_without_cards_leaves_the_start_to_the_same_seat",
    ["||", "LM-S | YO-S | KR-S"],
    ["", "1 gets YO-S; 2 gets KR-S; 0 play LM-S"],
    [
        "hands_empty - | | | 0 0 0 | 100 100 100",
        "hands_empty 0 | YO1 KR1 | YO30 KR20 | 0 30 20 | 100 130 120",
    ],
    first_seat=1,
    ending_cards_rank=False,
    broken_by=({"ending_cards_rank": True},),
)
scenario(
    "round_begins_with_a_single_card_in_all_hands_and_ends_with_it",
    ["LM-S | LM-S | KR-S", "||"],
    ["0 gets LM-S; 1 play LM-S", "2 play KR-S"],
    [
        "end_count 1 | LM2 | LM30 | 30 0 0 | 130 100 100",
        "hands_empty 2 | KR1 | KR30 | 0 0 0 | 130 100 100",
    ],
    end_count=2,
    broken_by=({"end_count": 3},),
)
scenario(
    "round_after_one_of_empty_hands_ends_by_the_fifth_card",
    ["LM-S | YO-S | KR-S", "KR-O KR-O | KR-O KR-O | KR-S LM-S"],
    [
        "0 gets LM-S; 1 gets YO-S; 2 play KR-S",
        """0 play KR-O; 1 limit 0; 2 limit 0; 0 limit 0; sale 0 0 0 = 130 120 100
        1 play KR-O; 2 limit 0; 0 limit 0; 1 limit 0; sale 1 1 0 = 130 120 100
        2 gets KR-S; 0 play KR-O; 1 limit 0; 2 limit 0; 0 limit 0; sale 0 0 0 = 130 120 100
        1 play KR-O""",
    ],
    [
        "hands_empty 2 | LM1 YO1 KR1 | LM30 YO20 KR10 | 30 20 0 | 130 120 100",
        "end_count 1 | KR5 | KR40 | 80 40 40 | 210 160 140",
    ],
)
scenario(
    "starter_without_cards_is_passed_over_and_ties_share_the_win",
    ["KR-D KR-S | KR-S LM-S | KR-S LM-S | KR-O YO-S", "|||"],
    [
        """0 play KR-D; 0 pair KR-S; sealed 0 0 0 0; sale 0 0 0 = 100 100 100 100
        1 gets KR-S; 2 gets KR-S; 3 play KR-O""",
        "1 gets LM-S; 2 gets LM-S; 3 play YO-S",
    ],
    [
        "end_count 3 | KR5 | KR30 | 60 30 30 0 | 160 130 130 100",
        "hands_empty 3 | LM2 YO1 | LM30 YO20 | 0 30 30 0 | 160 160 160 100",
    ],
)

# Paying out.

scenario(
    "unranked_artist_pays_nothing_whatever_he_gained_before",
    ["KR-S | KR-S | KR-S", "KR-R LM-S YO-S | LM-S YO-S CP-S | YO-S CP-S CP-S"],
    [
        "0 gets KR-S; 1 gets KR-S; 2 play KR-S",
        """0 play KR-R; 1 pass; 2 bid 2; 0 pass; sale 0 2 2 = 132 130 98
        1 gets LM-S; 2 gets YO-S; 0 gets LM-S; 1 gets YO-S; 2 gets CP-S; 0 gets YO-S; 1 gets CP-S; 2 play CP-S""",
    ],
    [
        "hands_empty 2 | KR3 | KR30 | 30 30 0 | 130 130 100",
        "hands_empty 2 | LM2 YO3 CP3 KR1 | YO30 CP20 LM10 | 40 60 50 | 172 190 148",
    ],
)
scenario(
    "two_rank_values_pay_two_artists",
    ["LM-S | YO-S | KR-S"],
    ["0 gets LM-S; 1 gets YO-S; 2 gets KR-S"],
    ["hands_empty - | LM1 YO1 KR1 | LM40 YO20 | 40 20 0 | 140 120 100"],
    rank_values=[40, 20],
    last_card="auctioned",
    broken_by=({"rank_values": [30, 20]}, {"rank_values": [40, 20, 10]}),
)

# Doubles.

scenario(
    "double_nobody_can_join_asks_nobody_and_a_double_is_no_second",
    ["KR-D LM-S | YO-S CP-S | KR-D KG-S"],
    [
        """0 play KR-D; sale 0 0 0 = 100 100 100
        1 gets YO-S
        2 play KR-D; sale 2 2 0 = 100 100 100
        0 gets LM-S; 1 gets CP-S; 2 play KG-S"""
    ],
    ["hands_empty 2 | LM1 YO1 CP1 KG1 KR2 | KR30 LM20 YO10 | 50 10 30 | 150 110 130"],
)
scenario(
    "own_double_is_sold_in_the_way_of_its_second_and_who_has_no_card_still_bids",
    ["KR-D KR-F | LM-S YO-S | LM-S YO-S"],
    [
        """0 play KR-D; 0 pair KR-F; 0 price 20; 1 refuse; 2 accept; sale 0 2 20 = 120 100 80
        1 play LM-S; sealed 3 0 0; sale 1 0 3 = 117 103 80
        2 gets LM-S; 1 gets YO-S; 2 play YO-S"""
    ],
    ["hands_empty 2 | LM2 YO2 KR2 | LM30 YO20 KR10 | 30 20 50 | 147 123 130"],
)
scenario(
    "joiner_sells_both_takes_all_and_those_between_lose_their_turn",
    ["KR-D LM-S | KR-S YO-S | KR-O CP-S"],
    [
        """0 play KR-D; 1 decline; 2 join KR-O; 0 limit 30; 1 limit 20; 2 limit 0; sale 2 0 21 = 79 100 121
        0 gets LM-S; 1 gets KR-S; 2 gets CP-S; 1 play YO-S"""
    ],
    ["hands_empty 1 | LM1 YO1 CP1 KR3 | KR30 LM20 YO10 | 80 30 0 | 159 130 121"],
    broken_by=({"double_revenue": "split_odd_joiner"}, {"decline_penalty": "skip_turn"}),
)
scenario(
    "owner_who_declines_lets_the_first_from_his_left_join_and_no_one_else_is_asked",
    ["KR-D KR-R | KR-S LM-S | KR-O LM-S"],
    [
        """0 play KR-D; 0 decline; 1 join KR-S; sealed 10 0 12; sale 1 2 12 = 100 112 88
        2 gets LM-S
        0 play KR-R; 1 pass; 2 pass; 0 bid 1; sale 0 0 1 = 99 112 88
        1 gets LM-S; 2 play KR-O"""
    ],
    ["hands_empty 2 | LM2 KR4 | KR30 LM20 | 30 20 80 | 129 132 168"],
)

REVENUES = ("joiner", "split_odd_joiner", "split_odd_first")
for buyer, sealed_bids, money_by_revenue in [
    ("another_player", "0 0 21", ("100 121 79", "110 111 79", "111 110 79")),
    ("the_joiner", "0 21 0", ("100 79 100", "110 79 100", "111 79 100")),
    ("the_owner", "21 0 0", ("79 121 100", "79 111 100", "79 110 100")),
]:
    seat = sealed_bids.split().index("21")
    for revenue, after in zip(REVENUES, money_by_revenue, strict=True):
        payout = [30, 30, 20]
        payout[seat] += 20
        final = [int(word) + paid for word, paid in zip(after.split(), payout, strict=True)]
        scenario(
            f"joined_double_for_21_with_revenue_{revenue}_bought_by_{buyer}",
            ["KR-D LM-S | KR-S LM-S | YO-S YO-S"],
            [
                f"""0 play KR-D; 1 join KR-S; sealed {sealed_bids}; sale 1 {seat} 21 = {after}
                2 gets YO-S; 0 gets LM-S; 1 gets LM-S; 2 play YO-S"""
            ],
            [
                f"hands_empty 2 | LM2 YO2 KR2 | LM30 YO20 KR10 | {payout[0]} {payout[1]} {payout[2]}"
                f"| {final[0]} {final[1]} {final[2]}"
            ],
            double_revenue=revenue,
            broken_by=tuple({"double_revenue": other} for other in REVENUES if other != revenue),
        )
scenario(
    "joiner_whom_all_refuse_pays_the_owner_his_share_of_the_fixed_price",
    ["KR-D LM-S | KR-F LM-S | YO-S YO-S"],
    [
        """0 play KR-D; 1 join KR-F; 1 price 9; 2 refuse; 0 refuse; sale 1 1 9 = 104 91 100
        2 gets YO-S; 0 gets LM-S; 1 gets LM-S; 2 play YO-S"""
    ],
    ["hands_empty 2 | LM2 YO2 KR2 | LM30 YO20 KR10 | 30 50 20 | 134 141 120"],
    double_revenue="split_odd_joiner",
)
scenario(
    "joiner_without_bids_pays_the_no_bid_price_to_the_bank_also_with_split_revenue",
    ["KR-D LM-S | KR-S YO-S | LM-S YO-S"],
    [
        """0 play KR-D; 1 join KR-S; sealed 0 0 0; sale 1 1 1 = 100 99 100
        2 play LM-S; sealed 0 0 0; sale 2 2 1 = 100 99 99
        0 play LM-S; sealed 0 0 0; sale 0 0 1 = 99 99 99
        1 play YO-S; sealed 0 0 0; sale 1 1 1 = 99 98 99
        2 play YO-S"""
    ],
    ["hands_empty 2 | LM2 YO2 KR2 | LM30 YO20 KR10 | 30 40 30 | 129 138 129"],
    double_revenue="split_odd_first",
    no_bid_price=1,
)
scenario(
    "asked_player_who_declines_skips_his_next_turn_and_still_bids",
    ["KR-D LM-S | KR-S YO-S | CP-S CP-S"],
    [
        """0 play KR-D; 1 decline; sale 0 0 0 = 100 100 100
        2 play CP-S; sealed 0 4 1; sale 2 1 4 = 100 96 104
        0 gets LM-S; 1 gets KR-S; 2 gets CP-S; 1 play YO-S"""
    ],
    ["hands_empty 1 | LM1 YO1 CP2 KR2 | CP30 KR20 LM10 | 30 50 30 | 130 146 134"],
    decline_penalty="skip_turn",
    broken_by=({"decline_penalty": "none"},),
)
scenario(
    "lost_turn_is_used_up_by_a_player_with_a_single_card",
    ["KR-D LM-S | KR-S YO-S | CP-S CP-S"],
    [
        """1 gets YO-S; 2 gets CP-S; 0 play KR-D; 1 decline; sale 0 0 0 = 100 100 100
        2 gets CP-S; 0 gets LM-S; 1 play KR-S"""
    ],
    ["hands_empty 1 | LM1 YO1 CP2 KR2 | CP30 KR20 LM10 | 30 0 60 | 130 100 160"],
    first_seat=1,
    decline_penalty="skip_turn",
    broken_by=({"decline_penalty": "none"},),
)
scenario(
    "owner_who_declines_his_own_double_is_not_punished",
    ["KR-D KR-S | KR-O YO-S | KR-R CP-S"],
    [
        """0 play KR-D; 0 decline; 1 decline; 2 join KR-R; 0 pass; 1 pass; 2 pass; sale 2 2 0 = 100 100 100
        0 gets KR-S; 2 gets CP-S
        1 play KR-O; 2 limit 0; 0 limit 0; 1 limit 0; sale 1 1 0 = 100 100 100
        1 play YO-S"""
    ],
    ["hands_empty 1 | YO1 CP1 KR4 | KR30 YO20 CP10 | 30 30 70 | 130 130 170"],
    decline_penalty="skip_turn",
    broken_by=({"decline_penalty": "none"},),
)
scenario(
    "declining_twice_before_his_turn_costs_one_turn",
    ["KR-D YO-S | LM-D YO-S | KR-S LM-S"],
    [
        """0 play KR-D; 2 decline; sale 0 0 0 = 100 100 100
        1 play LM-D; 2 decline; sale 1 1 0 = 100 100 100
        0 gets YO-S; 1 gets YO-S; 2 gets KR-S; 2 play LM-S"""
    ],
    ["hands_empty 2 | LM2 YO2 KR2 | LM30 YO20 KR10 | 30 50 10 | 130 150 110"],
    decline_penalty="skip_turn",
    broken_by=({"decline_penalty": "none"},),
)
scenario(
    "skipped_turn_is_forgotten_at_the_end_of_the_round",
    ["KR-S KR-D LM-S | KR-S KR-D LM-S | KR-S KR-R YO-S", "||"],
    [
        """0 gets KR-S; 1 gets KR-S; 2 gets KR-S
        0 play KR-D; 2 decline; sale 0 0 0 = 100 100 100
        1 play KR-D""",
        "2 gets YO-S; 0 gets LM-S; 1 gets LM-S; 2 play KR-R",
    ],
    [
        "end_count 1 | KR5 | KR30 | 60 30 30 | 160 130 130",
        "hands_empty 2 | LM2 YO1 KR1 | LM30 YO20 KR40 | 30 30 20 | 190 160 150",
    ],
    decline_penalty="skip_turn",
)

# Auctions.

scenario(
    "open_limit_sells_one_above_the_second_limit_ties_to_the_first_from_the_left",
    ["KR-O KR-O | KR-O KR-S | KR-O LM-S"],
    [
        """0 play KR-O; 1 limit 10; 2 limit 10; 0 limit 5; sale 0 1 10 = 110 90 100
        1 play KR-O; 2 limit 0; 0 limit 7; 1 limit 0; sale 1 0 1 = 109 91 100
        2 play KR-O; 0 limit 3; 1 limit 8; 2 limit 20; sale 2 2 9 = 109 91 91
        0 play KR-O; 1 limit 0; 2 limit 6; 0 limit 6; sale 0 2 6 = 115 91 85
        1 play KR-S"""
    ],
    ["end_count 1 | KR5 | KR30 | 30 30 60 | 145 121 145"],
    broken_by=({"open_style": "outcry"}, {"starting_money": 101}),
)
scenario(
    "outcry_takes_jump_bids_after_a_pass_and_skips_who_cannot_outbid",
    ["KR-O | KR-O | LM-S"],
    [
        """0 play KR-O; 1 bid 3; 2 pass; 0 bid 5; 1 pass; 2 bid 12; 0 pass; 1 bid 20; sale 0 1 20 = 40 0 20
        1 play KR-O; 2 pass; 0 pass; sale 1 1 0 = 40 0 20
        2 play LM-S"""
    ],
    ["hands_empty 2 | LM1 KR2 | KR30 LM20 | 0 60 0 | 40 60 20"],
    starting_money=20,
    open_style="outcry",
    broken_by=({"open_style": "limit"}, {"starting_money": 21}),
)
scenario(
    "outcry_ends_when_all_but_the_high_bidder_pass_and_the_auctioneer_pays_the_bank",
    ["KR-O | LM-S | LM-S"],
    [
        """0 play KR-O; 1 pass; 2 pass; 0 bid 1; 1 pass; 2 pass; sale 0 0 1 = 99 100 100
        1 gets LM-S; 2 play LM-S"""
    ],
    ["hands_empty 2 | LM2 KR1 | LM30 KR20 | 20 30 0 | 119 130 100"],
    open_style="outcry",
)
scenario(
    "once_around_gives_one_chance_each_and_skips_who_cannot_outbid",
    ["KR-R LM-S | KR-R YO-S | KR-R CP-S"],
    [
        """0 play KR-R; 1 bid 3; 2 bid 4; 0 pass; sale 0 2 4 = 104 100 96
        1 play KR-R; 2 pass; 0 bid 104; sale 1 0 104 = 0 204 96
        2 play KR-R; 1 pass; 2 bid 1; sale 2 2 1 = 0 204 95
        0 gets LM-S; 1 gets YO-S; 2 play CP-S"""
    ],
    ["hands_empty 2 | LM1 YO1 CP1 KR3 | KR30 LM20 YO10 | 50 10 60 | 50 214 155"],
)
scenario(
    "sealed_tie_goes_to_the_auctioneer_first",
    ["LM-S | LM-S | YO-S"],
    [
        """0 play LM-S; sealed 7 7 3; sale 0 0 7 = 93 100 100
        1 play LM-S; sealed 4 1 4; sale 1 2 4 = 93 104 96
        2 play YO-S"""
    ],
    ["hands_empty 2 | LM2 YO1 | LM30 YO20 | 30 0 30 | 123 104 126"],
    broken_by=({"sealed_tie": "auctioneer_last"},),
)
scenario(
    "sealed_tie_at_the_least_bid_goes_to_the_auctioneer_too",
    ["LM-S | LM-S | YO-S"],
    [
        """0 play LM-S; sealed 5 5 0; sale 0 0 5 = 95 100 100
        1 play LM-S; sealed 4 4 0; sale 1 1 0 = 95 100 100
        2 play YO-S"""
    ],
    ["hands_empty 2 | LM2 YO1 | LM30 YO20 | 30 30 0 | 125 130 100"],
    least_bid=5,
    broken_by=({"sealed_tie": "auctioneer_last"}, {"least_bid": 4}),
)
scenario(
    "sealed_tie_goes_to_the_auctioneer_last",
    ["LM-S | LM-S | YO-S"],
    [
        """0 play LM-S; sealed 7 7 3; sale 0 1 7 = 107 93 100
        1 play LM-S; sealed 4 4 1; sale 1 0 4 = 103 97 100
        2 play YO-S"""
    ],
    ["hands_empty 2 | LM2 YO1 | LM30 YO20 | 30 30 0 | 133 127 100"],
    sealed_tie="auctioneer_last",
    broken_by=({"sealed_tie": "auctioneer_first"},),
)
scenario(
    "fixed_price_refused_by_all_is_paid_to_the_bank_and_who_cannot_pay_is_not_asked",
    ["LM-F CP-F | YO-F CP-S | CP-F KG-S"],
    [
        """0 play LM-F; 0 price 10; 1 refuse; 2 refuse; sale 0 0 10 = 0 10 10
        1 play YO-F; 1 price 4; 2 refuse; sale 1 1 4 = 0 6 10
        2 play CP-F; 2 price 0; 0 accept; sale 2 0 0 = 0 6 10
        0 play CP-F; 0 price 0; 1 refuse; 2 accept; sale 0 2 0 = 0 6 10
        1 play CP-S; sealed 0 6 1; sale 1 1 6 = 0 0 10
        2 play KG-S"""
    ],
    ["hands_empty 2 | LM1 YO1 CP3 KG1 | CP30 LM20 YO10 | 50 40 30 | 50 40 40"],
    starting_money=10,
)
scenario(
    "no_bid_price_goes_to_the_bank_and_is_nothing_where_he_has_less",
    ["LM-O LM-S | LM-R YO-S | LM-S YO-S"],
    [
        """0 play LM-O; 1 limit 0; 2 limit 0; 0 limit 0; sale 0 0 1 = 0 1 1
        1 play LM-R; 2 pass; 1 pass; sale 1 1 1 = 0 0 1
        2 play LM-S; sealed 0 0 0; sale 2 2 1 = 0 0 0
        0 play LM-S; sealed 0 0 0; sale 0 0 0 = 0 0 0
        1 play YO-S; sealed 0 0 0; sale 1 1 0 = 0 0 0
        2 play YO-S"""
    ],
    ["hands_empty 2 | LM4 YO2 | LM30 YO20 | 60 50 30 | 60 50 30"],
    starting_money=1,
    no_bid_price=1,
    broken_by=({"no_bid_price": 0}, {"no_bid_price": 2}),
)
scenario(
    "bids_below_the_reserve_do_not_count_and_a_lone_bidder_pays_the_reserve",
    ["LM-O LM-S | LM-R YO-S | LM-S YO-S"],
    [
        """0 play LM-O; 1 limit 9; 2 limit 3; 0 limit 0; sale 0 1 5 = 105 95 100
        1 play LM-R; 2 bid 5; 0 pass; 1 pass; sale 1 2 5 = 105 100 95
        2 play LM-S; sealed 4 6 0; sale 2 1 6 = 105 94 101
        0 play LM-S; sealed 4 0 4; sale 0 0 0 = 105 94 101
        1 play YO-S; sealed 0 0 5; sale 1 2 5 = 105 99 96
        2 play YO-S"""
    ],
    ["hands_empty 2 | LM4 YO2 | LM30 YO20 | 30 60 50 | 135 159 146"],
    least_bid=5,
    broken_by=({"least_bid": 1}, {"least_bid": 4}, {"least_bid": 6}),
)
scenario(
    "house_takes_its_fee_of_the_whole_price_from_the_auctioneer_alone",
    ["KR-D LM-S | KR-F LM-S | YO-S YO-S"],
    [
        """0 play KR-D; 1 join KR-F; 1 price 9; 2 accept; sale 1 2 9 = 104 101 91
        2 play YO-S; sealed 0 5 0; sale 2 1 5 = 104 96 94
        0 gets LM-S; 1 gets LM-S; 2 play YO-S"""
    ],
    ["hands_empty 2 | LM2 YO2 KR2 | LM30 YO20 KR10 | 30 50 20 | 134 146 114"],
    double_revenue="split_odd_joiner",
    house_fee=50,
    broken_by=({"house_fee": 0}, {"house_fee": 40}, {"house_fee": 60}),
)
scenario(
    "joiner_who_keeps_the_lot_pays_no_fee_beside_the_price",
    ["KR-D LM-S | KR-F LM-S | YO-S YO-S"],
    [
        """0 play KR-D; 1 join KR-F; 1 price 9; 2 refuse; 0 refuse; sale 1 1 9 = 104 91 100
        2 gets YO-S; 0 gets LM-S; 1 gets LM-S; 2 play YO-S"""
    ],
    ["hands_empty 2 | LM2 YO2 KR2 | LM30 YO20 KR10 | 30 50 20 | 134 141 120"],
    double_revenue="split_odd_joiner",
    house_fee=50,
    broken_by=({"double_revenue": "joiner"}, {"double_revenue": "split_odd_first"}),
)

scenario(
    "first_seller_who_buys_pays_the_own_share_to_the_bank_even_if_it_is_one",
    ["KR-D LM-S | KR-F LM-S | YO-S YO-S"],
    [
        """0 play KR-D; 1 join KR-F; 1 price 2; 2 refuse; 0 accept; sale 1 0 2 = 98 101 100
        2 gets YO-S; 0 gets LM-S; 1 gets LM-S; 2 play YO-S"""
    ],
    ["hands_empty 2 | LM2 YO2 KR2 | LM30 YO20 KR10 | 50 30 20 | 148 131 120"],
    double_revenue="split_odd_joiner",
    broken_by=({"double_revenue": "joiner"},),
)
scenario(
    "first_seller_gets_the_own_share_even_if_it_is_one",
    ["KR-D LM-S | KR-F LM-S | YO-S YO-S"],
    [
        """0 play KR-D; 1 join KR-F; 1 price 3; 2 accept; sale 1 2 3 = 101 102 97
        2 gets YO-S; 0 gets LM-S; 1 gets LM-S; 2 play YO-S"""
    ],
    ["hands_empty 2 | LM2 YO2 KR2 | LM30 YO20 KR10 | 30 30 40 | 131 132 137"],
    double_revenue="split_odd_joiner",
    broken_by=({"double_revenue": "joiner"}, {"double_revenue": "split_odd_first"}),
)
scenario(
    "house_fee_of_one_in_a_hundred_is_rounded_down",
    ["KR-F LM-S | LM-S YO-S | YO-S CP-S"],
    [
        """0 play KR-F; 0 price 100; 1 accept; sale 0 1 100 = 199 0 100
        1 gets LM-S; 2 gets YO-S; 0 gets LM-S; 1 gets YO-S; 2 play CP-S"""
    ],
    ["hands_empty 2 | LM2 YO2 CP1 KR1 | LM30 YO20 CP10 | 30 50 20 | 229 50 120"],
    house_fee=1,
    broken_by=({"house_fee": 0}, {"house_fee": 2}),
)
scenario(
    "money_by_order_of_play_counts_from_the_starter_and_the_rest_get_nothing_more",
    ["LM-S | YO-S | KR-S"],
    ["1 play YO-S; sealed 110 0 0; sale 1 0 110 = 0 210 105; 2 gets KR-S; 0 play LM-S"],
    ["hands_empty 0 | LM1 YO1 KR1 | LM30 YO20 KR10 | 20 0 10 | 20 210 115"],
    first_seat=1,
    order_money=[0, 5, 10],
    broken_by=({"order_money": [0]}, {"order_money": [0, 5]}, {"order_money": [10, 0, 5]}),
)

# Pairs of one kind.

scenario(
    "seller_of_a_single_card_may_add_one_of_its_kind_and_nobody_else_is_asked",
    ["KR-S KR-S LM-S | KR-S YO-S YO-S | KR-O CP-S CP-S"],
    [
        """0 play KR-S; 0 pair KR-S; sealed 0 7 0; sale 0 1 7 = 107 93 100
        1 play YO-S; 1 decline; sealed 0 0 4; sale 1 2 4 = 107 97 96
        2 play CP-S; 2 pair CP-S; sealed 3 0 0; sale 2 0 3 = 104 97 99
        0 gets LM-S; 1 gets YO-S
        2 play KR-O; 0 limit 0; 1 limit 0; 2 limit 0; sale 2 2 0 = 104 97 99
        1 play KR-S"""
    ],
    ["hands_empty 1 | LM1 YO2 CP2 KR4 | KR30 YO20 CP10 | 20 80 50 | 124 177 149"],
    pairing="same_kind",
    broken_by=({"pairing": "doubles"},),
)
PAIR_ENDING = "KR-S KR-O KR-O | KR-S LM-S YO-S | KR-S LM-O YO-O"
scenario(
    "second_card_of_a_pair_of_one_kind_ends_the_round_and_both_count",
    [PAIR_ENDING],
    ["0 gets KR-S; 1 gets KR-S; 2 gets KR-S; 0 play KR-O; 0 pair KR-O"],
    ["end_count 0 | KR5 | KR30 | 30 30 30 | 130 130 130"],
    pairing="same_kind",
    broken_by=({"pairing": "doubles"}, {"ending_cards_rank": False}),
)
scenario(
    "second_card_of_a_pair_of_one_kind_that_ends_the_round_counts_neither",
    [PAIR_ENDING],
    ["0 gets KR-S; 1 gets KR-S; 2 gets KR-S; 0 play KR-O; 0 pair KR-O"],
    ["end_count 0 | KR3 | KR30 | 30 30 30 | 130 130 130"],
    pairing="same_kind",
    ending_cards_rank=False,
    broken_by=({"ending_cards_rank": True},),
)
scenario(
    "card_that_ends_the_round_takes_no_second_of_its_kind",
    ["KR-S KR-R LM-S | KR-S KR-O KR-O | KR-S YO-S CP-S"],
    [
        """0 gets KR-S; 1 gets KR-S; 2 gets KR-S
        0 play KR-R; 1 pass; 2 pass; 0 pass; sale 0 0 0 = 100 100 100
        1 play KR-O"""
    ],
    ["end_count 1 | KR5 | KR30 | 60 30 30 | 160 130 130"],
    pairing="same_kind",
    broken_by=({"end_count": 6},),
)
scenario(
    "last_two_cards_of_all_hands_put_up_as_a_pair_are_void_and_both_count",
    ["LM-S LM-S | YO-S YO-S | KR-S KR-S"],
    [
        """0 play LM-S; 0 pair LM-S; sealed 0 0 0; sale 0 0 0 = 100 100 100
        1 play YO-S; 1 pair YO-S; sealed 0 0 0; sale 1 1 0 = 100 100 100
        2 play KR-S; 2 pair KR-S"""
    ],
    ["hands_empty 2 | LM2 YO2 KR2 | LM30 YO20 KR10 | 60 40 0 | 160 140 100"],
    pairing="same_kind",
    broken_by=({"pairing": "doubles"}, {"last_card": "auctioned"}, {"ending_cards_rank": False}),
)
scenario(
    "pairs_of_one_kind_may_differ_in_crowns_and_black_framed_cards_pair_with_nothing",
    ["BK-B*1 BK-B*3 | BL-S*2 BL-O*1 | GR-O*1 GR-O*2"],
    [
        """0 play BK-B*1; sealed - 4 2; sale 0 2 0 = 150 146 150
        1 gets BL-S*2
        2 play GR-O*1; 2 pair GR-O*2; 0 limit 0; 1 limit 3; 2 limit 0; sale 2 1 1 = 150 145 151
        0 play BK-B*3; sealed - 0 5; sale 0 1 0 = 150 145 146
        1 play BL-O*1; 2 limit 0; 0 limit 0; 1 limit 0; sale 1 1 0 = 150 145 146"""
    ],
    ["hands_empty - | BK2 BL2 GR2 | BK30 BL20 GR10 | 0 0 -30 | 150 145 116"],
    rules=sotheby_rules,
    pairing="same_kind",
    broken_by=({"pairing": "doubles"},),
)

# A hand limit.

scenario(
    "who_would_hold_more_than_the_limit_takes_the_first_cards_of_their_share_and_the_rest_is_gone",
    ["KR-S LM-S YO-S | KR-S LM-O YO-O | LM-R YO-R CP-R", "CP-S KG-S | CP-O KG-O | CP-F KG-F"],
    [
        "0 gets KR-S; 1 play KR-S",
        "2 play CP-F; 2 price 0; 0 refuse; 1 accept; sale 2 1 0 = 130 100 100; 0 play CP-S",
    ],
    ["end_count 1 | KR2 | KR30 | 30 0 0 | 130 100 100", "end_count 0 | CP2 | CP30 | 0 30 0 | 130 130 100"],
    taken=["KR-S LM-S YO-S | KR-S LM-O YO-O | LM-R YO-R CP-R", "CP-S KG-S | CP-O KG-O | CP-F"],
    end_count=2,
    hand_limit=4,
    broken_by=({"hand_limit": 48}, {"hand_limit": 3}, {"hand_limit": 5}),
)

# The shill.

scenario(
    "buyer_turns_up_the_shills_last_dealt_card_until_the_pile_is_empty",
    ["LM-S CP-S | LM-S CP-S | YO-S CP-S | KR-D YO-O"],
    [
        """0 play LM-S; sealed 0 3 0; sale 0 1 3 = 103 97 100; 1 flip YO-O
        1 gets LM-S; 1 flip none
        2 gets YO-S; 2 flip KR-D
        0 gets CP-S; 1 gets CP-S; 2 play CP-S"""
    ],
    ["hands_empty 2 | LM2 YO2 CP3 KR1 | CP30 LM20 YO10 | 30 70 10 | 133 167 110"],
    shill="buyer",
    broken_by=({"shill": "auctioneer"},),
)
scenario(
    "auctioneer_turns_up_the_shills_card_after_a_joined_double_the_joiner",
    ["KR-D LM-S | KR-S YO-S | YO-S LM-S | CP-O CP-O"],
    [
        """0 play KR-D; 1 join KR-S; sealed 0 0 5; sale 1 2 5 = 100 105 95; 1 flip CP-O
        2 gets YO-S; 2 flip none
        0 gets LM-S; 0 flip CP-O
        1 gets YO-S; 2 play LM-S"""
    ],
    ["hands_empty 2 | LM2 YO2 CP2 KR2 | LM30 YO20 CP10 | 30 20 20 | 130 125 115"],
    shill="auctioneer",
    broken_by=({"shill": "buyer"},),
)
scenario(
    "shills_fifth_card_ends_the_round_and_unturned_cards_stay",
    ["KR-S KR-O YO-S | KR-S KR-O YO-S | KR-S LM-S YO-S | LM-O CP-O KR-R", "|||"],
    [
        """0 gets KR-S; 0 flip none; 1 gets KR-S; 1 flip none; 2 gets KR-S; 2 flip none
        0 play KR-O; 1 limit 0; 2 limit 9; 0 limit 0; sale 0 2 1 = 101 100 99; 2 flip KR-R""",
        """1 play KR-O; 2 limit 0; 0 limit 0; 1 limit 0; sale 1 1 0 = 131 130 159; 1 flip CP-O
        2 gets LM-S; 2 flip none
        0 gets YO-S; 0 flip LM-O
        1 gets YO-S; 2 play YO-S""",
    ],
    [
        "shill 2 | KR5 | KR30 | 30 30 60 | 131 130 159",
        "hands_empty 2 | LM2 YO3 CP1 KR1 | YO30 LM20 CP10 | 30 30 20 | 161 160 179",
    ],
    shill="buyer",
)
scenario(
    "shills_ending_card_does_not_count_where_ending_cards_do_not",
    ["KR-S KR-O | KR-S LM-S | KR-S YO-S | LM-O KR-R"],
    [
        """0 gets KR-S; 0 flip none; 1 gets KR-S; 1 flip none; 2 gets KR-S; 2 flip none
        0 play KR-O; 1 limit 0; 2 limit 9; 0 limit 0; sale 0 2 1 = 101 100 99; 2 flip KR-R"""
    ],
    ["shill 2 | KR4 | KR30 | 30 30 60 | 131 130 159"],
    shill="buyer",
    ending_cards_rank=False,
    broken_by=({"ending_cards_rank": True},),
)
scenario(
    "lone_double_kept_free_gives_no_right_to_the_shills_card",
    ["KR-D | YO-S | LM-S | CP-O"],
    ["0 play KR-D; sale 0 0 0 = 100 100 100; 1 gets YO-S; 1 flip CP-O; 2 play LM-S"],
    ["hands_empty 2 | LM1 YO1 CP1 KR1 | LM30 YO20 CP10 | 0 20 0 | 100 120 100"],
    shill="buyer",
)
scenario(
    "shills_card_may_be_turned_up_after_the_last_lot",
    ["LM-S | YO-S | KR-S | CP-O"],
    ["0 gets LM-S; 0 flip none; 1 gets YO-S; 1 flip none; 2 gets KR-S; 2 flip CP-O"],
    ["hands_empty - | LM1 YO1 CP1 KR1 | LM30 YO20 CP10 | 30 20 0 | 130 120 100"],
    shill="buyer",
    last_card="auctioned",
)
scenario(
    "shills_fifth_card_after_the_last_lot_ends_the_round_by_the_shill",
    ["KR-S LM-S | KR-S YO-S | KR-S KR-O | CP-O KR-R"],
    [
        """0 gets KR-S; 0 flip none; 1 gets KR-S; 1 flip none; 2 gets KR-S; 2 flip none
        0 gets LM-S; 0 flip none; 1 gets YO-S; 1 flip none
        2 play KR-O; 0 limit 0; 1 limit 0; 2 limit 0; sale 2 2 0 = 100 100 100; 2 flip KR-R"""
    ],
    ["shill 2 | LM1 YO1 KR5 | KR30 LM20 YO10 | 50 40 60 | 150 140 160"],
    shill="buyer",
    last_card="auctioned",
)

# Black-framed cards, crowns and debt.

scenario(
    "black_framed_goes_to_the_lowest_all_others_pay_and_its_owner_is_fined_by_crowns",
    ["BK-B*3 BK-S*2 | BL-B*1 BL-S*2 | GR-B*5 GR-S*2"],
    [
        """0 play BK-B*3; sealed - 4 2; sale 0 2 0 = 150 146 150
        1 play BL-B*1; sealed 5 3 3; sale 1 2 0 = 145 143 150
        2 play GR-B*5; sealed 6 6 1; sale 2 2 0 = 139 137 150
        0 play BK-S*2; sealed 0 0 9; sale 0 2 9 = 148 137 141
        1 gets BL-S*2
        2 play GR-S*2; sealed 0 7 0; sale 2 1 7 = 148 130 148"""
    ],
    ["hands_empty - | BK2 BL2 GR2 | BK30 BL20 GR10 | 0 60 -100 | 148 190 48"],
    rules=sotheby_rules,
    broken_by=({"starting_money": 100}, {"last_card": "void"}),
)
DEBT_DEAL = "BK-B*5 | BK-S*2 | BK-O*1"
DEBT_EVENTS = """0 play BK-B*5; sealed - 1 0; sale 0 2 0 = 20 19 20
        1 gets BK-S*2
        2 play BK-O*1; 0 limit 2; 1 limit 0; 2 limit 0; sale 2 0 1 = 19 19 21"""
scenario(
    "fine_takes_a_player_into_debt_where_he_can_only_bid_nothing",
    [DEBT_DEAL, "BL-F*2 BL-R*1 | GR-S*2 GR-O*1 | YE-B*1 YE-F*1"],
    [
        DEBT_EVENTS,
        """0 play BL-F*2; 0 price 0; 1 refuse; 2 accept; sale 0 2 0 = 49 79 -129
        1 play GR-S*2; sealed 3 0 0; sale 1 0 3 = 46 82 -129
        2 play YE-B*1; sealed 2 1 -; sale 2 1 0 = 44 82 -129
        0 play BL-R*1; 1 pass; 0 pass; sale 0 0 0 = 44 82 -129
        1 play GR-O*1; 2 limit 0; 0 limit 0; 1 limit 0; sale 1 1 0 = 44 82 -129
        2 play YE-F*1; 2 price 0; 0 refuse; 1 accept; sale 2 1 0 = 44 82 -129""",
    ],
    [
        "hands_empty - | BK3 | BK30 | 30 60 -150 | 49 79 -129",
        "hands_empty - | BL2 GR2 YE2 | BL30 GR20 YE10 | 70 20 60 | 114 102 -69",
    ],
    rules=sotheby_rules,
    starting_money=20,
    broken_by=({"debt": False},),
)
scenario(
    "without_debt_a_fine_stops_at_no_money",
    [DEBT_DEAL],
    [DEBT_EVENTS],
    ["hands_empty - | BK3 | BK30 | 30 60 -21 | 49 79 0"],
    rules=sotheby_rules,
    starting_money=20,
    debt=False,
    broken_by=({"debt": True},),
)
scenario(
    "black_framed_is_no_second_and_its_tie_goes_to_the_first_from_the_left",
    ["BK-D*4 | BK-B*1 | BK-D*5"],
    [
        """0 play BK-D*4; sale 0 0 0 = 150 150 150
        1 play BK-B*1; sealed 0 - 0; sale 1 2 0 = 150 150 150
        2 play BK-D*5; sale 2 2 0 = 150 150 150"""
    ],
    ["hands_empty - | BK3 | BK30 | 120 0 120 | 270 150 270"],
    rules=sotheby_rules,
)
scenario(
    "black_framed_counts_for_its_colour_and_as_sixth_card_is_not_sold",
    ["BK-S*2 BK-B*1 | BK-O*1 BK-O*2 | BK-B*3 BK-B*5"],
    [
        """0 gets BK-S*2
        1 play BK-O*1; 2 limit 0; 0 limit 0; 1 limit 0; sale 1 1 0 = 150 150 150
        2 play BK-B*3; sealed 0 0 -; sale 2 0 0 = 150 150 150
        0 play BK-B*1; sealed - 0 0; sale 0 1 0 = 150 150 150
        1 play BK-O*2; 2 limit 0; 0 limit 0; 1 limit 0; sale 1 1 0 = 150 150 150
        2 play BK-B*5"""
    ],
    ["end_count 2 | BK5 | BK30 | -30 60 0 | 120 210 150"],
    rules=sotheby_rules,
    broken_by=({"end_count": 5}, {"ending_cards_rank": True}),
)
scenario(
    "black_framed_of_an_unranked_colour_costs_nothing",
    ["RD-B*5 | BK-S*2 | BL-S*2 | GR-S*2"],
    ["0 play RD-B*5; sealed - 0 0 0; sale 0 1 0 = 150 150 150 150; 1 gets BK-S*2; 2 gets BL-S*2; 3 gets GR-S*2"],
    ["hands_empty - | BK1 BL1 GR1 RD1 | BK30 BL20 GR10 | 0 60 40 20 | 150 210 190 170"],
    rules=sotheby_rules,
)
