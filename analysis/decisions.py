"""Game records as one flat table of decisions, for people who learn from data: what a seat knew, did and got."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from modernart.analysis.measures.measure import CASE, DESIGNED, OBSERVED, Column
from modernart.analysis.measures.metadata import with_metadata
from modernart.simulator.cards import KIND_NAMES, AuctionKind, card_artist, card_kind
from modernart.simulator.decisions import ABOUT_A_SECOND, ABOUT_CARDS, AMOUNTS, Form, Phase
from modernart.simulator.errors import RunError
from modernart.simulator.files import whole_file
from modernart.simulator.interpreter import Interpreter
from modernart.simulator.limits import MAX_SEATS, N_ARTISTS
from modernart.simulator.records import Record, read_records, replay_record
from modernart.simulator.state import HAND_DTYPE, TABLE_DTYPE

#: Games that are turned into rows at a time.
GAMES_A_PIECE = 100
_OTHERS = range(1, MAX_SEATS)
_ARTISTS = range(N_ARTISTS)

#: The columns, in their order. `_1`, `_2` ... after money, hand sizes and galleries: seats clockwise from the mover.
COLUMNS: dict[str, Column] = {
    "game": Column("place of the game among the records, from 0", evidence=CASE),
    "edition": Column("rule set of the game", evidence=CASE),
    "players": Column("seats at the table", "seats", CASE),
    "strategy": Column("who decides, as the record names them", evidence=CASE),
    "seat": Column("seat that decides", evidence=CASE),
    "step": Column("decisions of the game before this one", "decisions", CASE),
    "round": Column("round, from 1", evidence=CASE),
    "phase": Column("what is asked, as `modernart.simulator.decisions.Phase`", evidence=CASE),
    "kind": Column("how the lot is sold; empty without a lot", evidence=CASE),
    "form": Column("single card or double; empty without a lot", evidence=CASE),
    "artist": Column("place of the lot's artist on the board, from 0; -1 without a lot", evidence=CASE),
    "crowns": Column("crowns of the lot: 1 a card, except in editions whose cards carry some", "crowns", CASE),
    "auctioneer": Column("seats from the mover clockwise to the auctioneer; -1 without a lot", "seats", CASE),
    "high_bid": Column("standing bid, or the fixed price; 0 without one", "money", CASE),
    "high_bidder": Column("seats from the mover clockwise to the high bidder; -1 without one", "seats", CASE),
    "cards_in_hands": Column("cards in all hands together", "cards", CASE),
    **{f"out_{k}": Column(f"cards of artist {k} put up this round", "cards", CASE) for k in _ARTISTS},
    **{f"value_{k}": Column(f"value of artist {k} on the board", "money", CASE) for k in _ARTISTS},
    **{f"hand_{k}": Column(f"the mover's cards of artist {k}", "cards", CASE) for k in _ARTISTS},
    **{f"fitting_{k}": Column(f"those that can join a double of artist {k}", "cards", CASE) for k in _ARTISTS},
    **{f"gallery_{k}": Column(f"the mover's paintings of artist {k} this round", "paintings", CASE) for k in _ARTISTS},
    "money": Column("the mover's money", "money", CASE),
    **{f"money_{j}": Column(f"money {j} seats clockwise; empty at smaller tables", "money", CASE) for j in _OTHERS},
    **{f"hand_size_{j}": Column(f"cards in hand {j} seats clockwise", "cards", CASE) for j in _OTHERS},
    **{
        f"gallery_{j}_{k}": Column(f"paintings of artist {k} this round, {j} seats clockwise", "paintings", CASE)
        for j in _OTHERS
        for k in _ARTISTS
    },
    "answer": Column("the answer, as a strategy returns it", "", OBSERVED),
    "card_artist": Column("artist of the card that was chosen; empty if none was", "", OBSERVED),
    "card_kind": Column("auction kind of that card; empty if none was chosen", "", OBSERVED),
    "amount": Column("money that was named: a bid, limit, price; empty where none was asked for", "money", OBSERVED),
    "final_money": Column("the mover's money at the end of the game", "money", DESIGNED),
    "relative_money": Column("their final money less the mean of all others'", "money", DESIGNED),
    "win_share": Column("1 for the winner, shared at ties, 0 for all others", "share", DESIGNED),
}


def decisions(records: Iterable[Record] | Path | str) -> pd.DataFrame:
    """Return one row for every decision of game records, in order.

    Parameters
    ----------
    records : iterable of dict, or path
        Records, or a file of them; each is checked against the rules.

    Returns
    -------
    DataFrame
        Columns as `modernart.describe("decisions")` explains them. A row holds what the deciding seat may know, its
        answer, and what it had in the end; nothing of other hands or the deck.

    Raises
    ------
    RunError
        If a record is malformed, or contradicts the rules.
    """
    pieces = list(_pieces(_each_record(records)))
    if not pieces:
        return pd.DataFrame({name: [] for name in COLUMNS})
    return pd.concat(pieces, ignore_index=True)


def write_decisions(records: Iterable[Record] | Path | str, path: Path | str) -> int:
    """Write the decisions of game records as a Parquet file, some games at a time; returns how many rows it has.

    The file appears only when it is whole. Units and meanings of the columns stand in its metadata.
    """
    n_rows = 0
    with whole_file(Path(path), "wb") as file:
        writer = None
        for piece in _pieces(_each_record(records)):
            table = with_metadata(pa.Table.from_pandas(piece, preserve_index=False), COLUMNS)
            writer = writer or pq.ParquetWriter(file, table.schema, compression="zstd")
            writer.write_table(table.cast(writer.schema))
            n_rows += len(piece)
        if writer is None:
            raise RunError("there is no record to take decisions from")
        writer.close()
    return n_rows


def _each_record(records: Iterable[Record] | Path | str) -> Iterator[Record]:
    if isinstance(records, str | Path):
        return (record for _, record in read_records(Path(records)))
    return iter([records] if isinstance(records, dict) else records)


class _Notes:
    """What some games showed: the records of each decision as bytes, and the facts of each game."""

    def __init__(self) -> None:
        self.tables: list[bytes] = []
        self.hands: list[bytes] = []
        self.answers: list[int] = []
        self.games: list[dict[str, Any]] = []

    def watch(self, number: int, record: Record) -> None:
        """Replay a game and note every decision before it is played."""
        start = len(self.answers)

        def note_answers(interpreter: Interpreter) -> None:
            step = interpreter.step

            def noting(action: int) -> list[dict[str, Any]]:
                table = interpreter.game.table
                state, hand = table.tobytes(), interpreter.game.hands[int(table.seat)].tobytes()
                events = step(action)  # raises if the answer is not legal
                self.tables.append(state)
                self.hands.append(hand)
                self.answers.append(action)
                return events

            interpreter.step = noting  # type: ignore[method-assign]  # of this one interpreter

        def on_step(interpreter: Interpreter, events: list[dict[str, Any]] | None) -> None:
            if len(self.answers) == start and events is None and "step" not in vars(interpreter):
                note_answers(interpreter)

        interpreter = replay_record(record, on_step)
        names = record.get("players") or [""] * interpreter.rules.players
        facts = {"n": len(self.answers) - start, "number": number, "edition": interpreter.rules.edition}
        self.games.append(facts | {"names": names, "money": np.array(record["money"], float)})

    def frame(self) -> pd.DataFrame:
        """Return the rows of all games noted."""
        table = np.frombuffer(b"".join(self.tables), TABLE_DTYPE)
        hand = np.frombuffer(b"".join(self.hands), HAND_DTYPE)
        answers = np.array(self.answers, np.int64)
        columns = self._of_games(table["seat"]) | _of_states(table, hand) | _of_answers(table, hand, answers)
        return pd.DataFrame({name: columns[name] for name in COLUMNS})

    def _of_games(self, seat: np.ndarray) -> dict[str, Any]:
        """Return the columns that name the game and tell how it ended."""
        n = [game["n"] for game in self.games]
        which = np.repeat(np.arange(len(n)), n)
        money = np.full((len(n), MAX_SEATS), np.nan)
        for row, game in zip(money, self.games, strict=True):
            row[: len(game["money"])] = game["money"]
        final = money[which, seat]
        players = (~np.isnan(money)).sum(axis=1)[which]
        won = money[which] == np.nanmax(money, axis=1)[which, None]
        return {
            "game": np.array([game["number"] for game in self.games])[which],
            "edition": pd.Categorical([game["edition"] for game in self.games])[which],
            "players": players.astype(np.int8),
            "strategy": pd.Categorical([self.games[k]["names"][s] for k, s in zip(which, seat, strict=True)]),
            "step": np.concatenate([np.arange(k) for k in n]).astype(np.int16),
            "final_money": final.astype(np.int32),
            "relative_money": final - (np.nansum(money, axis=1)[which] - final) / (players - 1),
            "win_share": won[np.arange(len(seat)), seat] / won.sum(axis=1),
        }


def _of_states(table: np.ndarray, hand: np.ndarray) -> dict[str, Any]:
    """Return the columns of what the mover knew."""
    rows = np.arange(len(table))
    seat, n_seats = table["seat"], table["rules"]["n_seats"]
    # Of an earlier lot, fields keep what they held.
    has_lot = (table["n_lot"] > 0) & (table["phase"] != Phase.CARD)
    is_bidding = has_lot & ~np.isin(table["phase"], (*ABOUT_A_SECOND, Phase.FLIP))
    has_bid = is_bidding & (table["high_bidder"] >= 0)
    # Without a bid, `high_bid` is one below the least that counts.
    is_priced = has_bid | (table["phase"] == Phase.ACCEPT)

    def seats_to(other: np.ndarray, is_there: np.ndarray) -> np.ndarray:
        return np.where(is_there, (other - seat) % n_seats, -1).astype(np.int8)

    def of_lot(codes: np.ndarray, words: Mapping[Any, str]) -> pd.Categorical:
        return pd.Categorical.from_codes(np.where(has_lot, codes, -1), list(words.values()))

    cards: Any = hand["cards"]  # plain arithmetic takes codes apart, of one card or of many
    own_artist = np.where(np.arange(cards.shape[1]) < hand["n_cards"][:, None], card_artist(cards), -1)
    columns: dict[str, Any] = {
        "seat": seat.astype(np.int8),
        "round": (table["round_index"] + 1).astype(np.int8),
        "phase": pd.Categorical.from_codes(table["phase"], [phase.name for phase in Phase]),
        "kind": of_lot(table["kind"], {kind: KIND_NAMES[kind] for kind in AuctionKind}),
        "form": of_lot(table["form"], {form: form.name.lower() for form in Form}),
        "artist": np.where(has_lot, table["artist"], -1).astype(np.int8),
        "crowns": np.where(has_lot, table["lot_crowns"], 0).astype(np.int8),
        "auctioneer": seats_to(table["auctioneer"], has_lot),
        "high_bid": np.where(is_priced, table["high_bid"], 0).astype(np.int32),
        "high_bidder": seats_to(table["high_bidder"], has_bid),
        "cards_in_hands": table["cards_in_hands"].astype(np.int16),
        "money": table["money"][rows, seat],
    }
    for k in _ARTISTS:
        columns[f"out_{k}"] = table["cards_out"][:, k].astype(np.int8)
        columns[f"value_{k}"] = table["values"][:, k].astype(np.int32)
        columns[f"hand_{k}"] = (own_artist == k).sum(axis=1).astype(np.int8)
        columns[f"fitting_{k}"] = hand["fitting"][:, k].astype(np.int8)
        columns[f"gallery_{k}"] = table["gallery"][rows, seat, k].astype(np.int8)
    for j in _OTHERS:
        other, is_there = (seat + j) % n_seats, j < n_seats
        columns[f"money_{j}"] = _masked(table["money"][rows, other], is_there, "Int32")
        columns[f"hand_size_{j}"] = _masked(table["hand_sizes"][rows, other], is_there, "Int8")
        for k in _ARTISTS:
            columns[f"gallery_{j}_{k}"] = _masked(table["gallery"][rows, other, k], is_there, "Int8")
    return columns


def _masked(values: np.ndarray, is_there: np.ndarray, kind: str) -> Any:
    """Return whole numbers, missing where there is nothing to tell."""
    found = pd.array(values, dtype=kind)
    found[~is_there] = pd.NA
    return found


def _of_answers(table: np.ndarray, hand: np.ndarray, answers: np.ndarray) -> dict[str, Any]:
    """Return the columns of what the mover did."""
    is_card = np.isin(table["phase"], ABOUT_CARDS) & (answers >= 0)
    card: Any = hand["cards"][np.arange(len(answers)), np.where(is_card, answers, 0)].astype(int)
    is_amount = np.isin(table["phase"], AMOUNTS) & (answers >= 0)
    kinds = np.where(is_card, card_kind(card), -1)
    return {
        "answer": answers.astype(np.int32),
        "card_artist": _masked(np.asarray(card_artist(card)), is_card, "Int8"),
        "card_kind": pd.Categorical.from_codes(kinds, [KIND_NAMES[kind] for kind in AuctionKind]),
        "amount": _masked(answers, is_amount, "Int32"),
    }


def _pieces(records: Iterator[Record]) -> Iterator[pd.DataFrame]:
    """Yield frames of some games each."""
    notes = _Notes()
    for number, record in enumerate(records):
        notes.watch(number, record)
        if len(notes.games) == GAMES_A_PIECE:
            yield notes.frame()
            notes = _Notes()
    if notes.games:
        yield notes.frame()
