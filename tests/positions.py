"""Positions in a few words, to ask strategies about: `position("LIMIT", lot="YO-O", out=(0, 2, 1, 0, 0))`."""

from collections.abc import Mapping, Sequence

import numpy as np

from modernart.simulator.cards import parse_card
from modernart.simulator.decisions import Form, Phase, artist_of, can_be_second, crowns_of, kind_of
from modernart.simulator.players import params_of
from modernart.simulator.rules import Rules, load_edition
from modernart.simulator.setup import games_of
from modernart.strategies.specs import load_strategy

#: Every artist with a card out pays its board value + 30, so what a lot will pay is sure whatever comes.
FLAT = load_edition("classic", {"rank_values": [30] * 5}).rules(4)
CLASSIC = load_edition("classic").rules(4)
#: A seat's stream from this state on is the published test vector of SplitMix64 with seed 0: see `DRAWS`.
STREAM = 0
#: Its first numbers as shares of 2**32: E220A839, 6E789E6A, 06C45D18, F88BB8A8.
DRAWS = (0.8833, 0.4315, 0.0264, 0.9709)


def position(
    phase: str,
    *,
    rules: Rules = CLASSIC,
    seat: int = 1,
    auctioneer: int = 0,
    lot: str = "",
    out: Sequence[int] = (0, 2, 1, 0, 1),
    board: Sequence[int] = (0, 0, 0, 0, 0),
    hand: str = "",
    rivals_hold: int = 5,
    money: int | Sequence[int] = 100,
    bought: Mapping[int, Sequence[int]] | None = None,
    high: int = 0,
    high_bidder: int = -1,
    round_index: int = 0,
    gone: Mapping[str, int] | None = None,
    notes: Mapping[int, float] | None = None,
    stream: int = STREAM,
):
    """Return a game (record of GAME_DTYPE) in which a seat is asked.

    Parameters
    ----------
    phase : str
        What is asked: a name of `Phase`.
    seat, auctioneer : int
        Who is asked, and whose lot it is.
    lot : str
        Cards on sale, by blanks; they are among the cards out.
    out, board : sequence of int
        By artist: cards out, the lot's included, and gains of earlier rounds.
    hand : str
        Cards of the seat that is asked, by slot.
    rivals_hold : int
        Cards in every other hand.
    money : int or sequence of int
        Of all seats, or by seat.
    bought : mapping of int to sequence of int, optional
        Paintings of this round, by seat and artist.
    high, high_bidder : int
        The standing bid or price.
    gone : mapping of str to int, optional
        Cards put up so far, by card; default: the cards out, as open ones.
    notes : mapping of int to float, optional
        The notebook of the seat that is asked.
    stream : int
        State of its random stream.
    """
    game = games_of(rules, 1)[0]
    table = game.table
    table.phase = Phase[phase]
    table.seat, table.auctioneer, table.owner = seat, auctioneer, -1
    table.round_index = round_index
    table.cards_out[: len(out)] = out
    table.values[: len(board)] = board
    table.money[: rules.players] = money
    table.high_bid, table.high_bidder = high, high_bidder
    for owner, paintings in (bought or {}).items():
        table.gallery[owner, : len(paintings)] = paintings
        table.stakes[owner, : len(paintings)] = paintings
    shown = gone if gone is not None else {f"{name}-O": n for name, n in zip(rules.artists, out, strict=True)}
    for card, n in shown.items():
        code = parse_card(card, rules.artists)
        table.seen[code] = n
        table.cards_gone[artist_of(code)] += n
    put_lot(table, [parse_card(card, rules.artists) for card in lot.split()])
    own = game.hands[seat]
    cards = [parse_card(card, rules.artists) for card in hand.split()]
    own.seat = own.home = seat
    own.n_cards = len(cards)
    own.cards[: len(cards)] = cards
    for card in cards:
        own.fitting[artist_of(card)] += can_be_second(card)
    own.rng = np.uint64(stream)
    for place, note in (notes or {}).items():
        own.notes[place] = note
    table.hand_sizes[: rules.players] = rivals_hold
    table.hand_sizes[seat] = len(cards)
    table.cards_in_hands = len(cards) + rivals_hold * (rules.players - 1)
    return game


def put_lot(table, cards: Sequence[int]) -> None:
    """Write the lot's cards; it is sold in the way of the last."""
    table.n_lot = len(cards)
    if not cards:
        return
    table.lot[: len(cards)] = cards
    table.lot_crowns = sum(crowns_of(card) for card in cards)
    table.artist, table.kind = artist_of(cards[-1]), kind_of(cards[-1])
    table.form = Form.PAIRED if len(cards) == 2 else Form.SINGLE


def answer_of(spec: str, game) -> int:
    """Return what the strategy that a spec names answers for the seat that is asked."""
    player = load_strategy(spec).player()
    hand = game.hands[game.table.seat]
    hand.params[:] = params_of([player], CLASSIC)[0]
    return int(player.act(game.table, hand))
