"""What people say about the game, put to the test: a catalogue of claims, measured in several fields."""

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from modernart.analysis.claims.claim_bidder import habits
from modernart.analysis.counterfactual.studies import (
    GROUPS,
    KIND_LABELS,
    Moments,
    auction_moments,
    by_deal,
    ending_moments,
    luck_table,
)
from modernart.analysis.measures import tallies_for
from modernart.analysis.plain import plain
from modernart.analysis.statistics.estimates import Estimate, holm, mean_of, ratio_of, t_quantile
from modernart.simulator.errors import UsageError
from modernart.simulator.games import records_of_run
from modernart.simulator.players import Player
from modernart.simulator.rules import load_edition
from modernart.simulator.scoring import WIN_UNITS
from modernart.simulator.simulate import Run, simulate
from modernart.strategies.specs import load_strategy
from modernart.strategies.tuning.focal_seat import Chair

CATALOGUE = Path(__file__).parent / "claims.toml"
#: Corrected p below which a number counts as above or below 0.
LEVEL = 0.05

Claim = Mapping[str, Any]


@dataclass(frozen=True)
class Catalogue:
    """Claims, and the fields they are tested in."""

    fields: Mapping[str, Sequence[str]]
    claims: Sequence[Claim]


def read_catalogue(path: Path = CATALOGUE) -> Catalogue:
    """Read a catalogue of claims.

    Raises
    ------
    UsageError
        If the file is no catalogue.
    """
    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        fields = {name: tuple(field["strategies"]) for name, field in data["fields"].items()}
        claims = tuple(data["claim"])
        for claim in claims:
            for key in ("key", "says", "source", "hypothesis", "measure"):
                if not isinstance(claim[key], str):
                    raise ValueError(f"{key} must be a text")
            if claim["measure"] not in MEASURES:
                raise ValueError(f"there is no measure {claim['measure']}")
        if not claims or not fields:
            raise ValueError("it needs at least one claim and one field")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} is no catalogue of claims: {error}") from None
    return Catalogue(fields, claims)


def player_of(spec: str) -> Player:
    """Return the player of a spec; `habits`, the bidder that claims are tried on, is known here alone."""
    name, _, values = spec.partition("(")
    if name != habits.name:
        return load_strategy(spec).player()
    pairs = (item.split("=") for item in values.rstrip(")").split(",") if item.strip())
    try:
        chosen = {key.strip(): float(value) for key, value in pairs}
    except ValueError:
        raise UsageError(f'"{spec}": write parameters as NAME(parameter=number, ...)') from None
    return habits.with_values(chosen).player()


class Laboratory:
    """What the measures share in one field: its players, and what has been played already.

    Parameters
    ----------
    strategies : sequence of str
        The field.
    games : int
        Games of a duel and of the tournament; studies of moments look through fewer.
    seed, threads : int
    """

    def __init__(self, strategies: Sequence[str], games: int, seed: int, threads: int) -> None:
        self.players = [player_of(spec) for spec in strategies]
        self.games = games
        self.seed = seed
        self.threads = threads
        self.rules = load_edition("classic").rules(4)
        self._moments: dict[str, Moments] = {}

    @property
    def n_deals(self) -> int:
        """Deals of a duel."""
        return max(self.games // self.rules.players, 40)

    @cached_property
    def chair(self) -> Chair:
        """One chair among this field."""
        return Chair(self.players, self.rules, self.seed, self.threads)

    def in_chair(self, spec: str, outcome: str, n_deals: int, first: int = 0) -> np.ndarray:
        """Return a player's outcome in the chair by deal: money, win_share, or the money of the others."""
        scores = self.chair.score(player_of(spec), first, n_deals)
        return scores.money - scores.relative_money if outcome == "mates" else getattr(scores, outcome)

    @cached_property
    def run(self) -> Run:
        """A tournament of the field."""
        tallies = tallies_for(self.rules)
        return simulate(self.players, self.rules, self.games, tallies=tallies, seed=self.seed, threads=self.threads)

    @cached_property
    def records(self) -> list[dict[str, Any]]:
        """Some of its games, as records."""
        count = max(min(self.games // 50, 400), 20)
        return list(records_of_run(self.players, self.rules, self.seed, 0, count))

    def endings(self, edition: str = "classic", players: int = 4) -> Moments:
        """Return the moments where a round could be ended or not, with `players` at the table."""
        key = f"{edition} {players}"
        if key not in self._moments:
            rules = load_edition(edition).rules(players)
            self._moments[key] = ending_moments(
                self.players, rules, max(self.games // 20, 40), seed=self.seed, repeats=4, threads=self.threads
            )
        return self._moments[key]

    @cached_property
    def auctions(self) -> Moments:
        """Lots of the field's games, sold by every kind."""
        return auction_moments(
            self.players, self.rules, max(self.games // 40, 40), seed=self.seed, repeats=2, threads=self.threads
        )

    def luck(self, edition: str, players: int) -> pd.DataFrame:
        """Return the shares of luck and skill with `players` at the table."""
        rules = load_edition(edition).rules(players)
        return luck_table(self.players, rules, n_deals=max(min(self.games // 50, 800), 40), seed=self.seed)


def _duel(lab: Laboratory, claim: Claim, a: str, b: Sequence[str]) -> Estimate:
    """Return a less the best of b, paired by deal; the best is chosen on other deals than it is measured on."""
    outcome = claim["outcome"]
    n = max(claim["games"] // lab.rules.players, 20) if "games" in claim else lab.n_deals
    best = b[0]
    first = 0
    if len(b) > 1:
        first = n
        best = max(b, key=lambda spec: float(lab.in_chair(spec, outcome, n).mean()))
    return mean_of(lab.in_chair(a, outcome, n, first) - lab.in_chair(best, outcome, n, first))


def measure_duel(lab: Laboratory, claim: Claim) -> Estimate:
    """Return what `a` gains on the best of `b` in the same chair."""
    return _duel(lab, claim, claim["a"], claim["b"])


def measure_duel_of_duels(lab: Laboratory, claim: Claim) -> Estimate:
    """Return how much more `a` gains on `b` than `c` on `d`, paired by deal."""
    outcome, n = claim["outcome"], lab.n_deals
    one, other, third, fourth = (
        lab.in_chair(spec, outcome, n) for spec in (claim["a"], claim["b"][0], claim["c"], claim["d"])
    )
    return mean_of(one - other - (third - fourth))


def measure_level(lab: Laboratory, claim: Claim) -> Estimate:
    """Return the win share of `a` in its chair less an equal's."""
    return mean_of(lab.in_chair(claim["a"], "win_share", lab.n_deals) - 1 / lab.rules.players)


def measure_mates(lab: Laboratory, claim: Claim) -> Estimate:
    """Return the money of the other seats with `a` in the chair less that with `b`."""
    n = lab.n_deals
    return mean_of(lab.in_chair(claim["a"], "mates", n) - lab.in_chair(claim["b"][0], "mates", n))


def measure_endings(lab: Laboratory, claim: Claim) -> Estimate:
    """Return what ending a round brings a seat, counted from the ender; for others, less the mean of all others."""
    moments = lab.endings()
    frame = moments.frame
    chosen = frame.eval(claim["where"]).to_numpy() if "where" in claim else np.ones(len(frame), bool)
    money = moments.outcomes[chosen][:, :, 0]
    seat = claim["seat"]
    values = money[:, seat]
    if seat > 0:
        values = values - np.delete(money[:, 1:], seat - 1, axis=1).mean(axis=1)
    return by_deal(frame["deal"].to_numpy()[chosen], claim.get("sign", 1) * values)


def measure_auctions(lab: Laboratory, claim: Claim) -> Estimate:
    """Return the seller's outcome by one kind of sale less that by another, of the same lots."""
    kinds = {label: int(kind) for kind, label in KIND_LABELS.items()}
    outcome = {"price": 0, "revenue": 1, "money": 2, "win_share": 3}[claim["outcome"]]
    frame = lab.auctions.frame
    chosen = frame.eval(claim["where"]).to_numpy() if "where" in claim else np.ones(len(frame), bool)
    values = lab.auctions.outcomes[chosen][:, :, outcome]
    difference = values[:, kinds[claim["kind"]]] - values[:, kinds[claim["other"]]]
    return by_deal(frame["deal"].to_numpy()[chosen], difference)


def measure_tally(lab: Laboratory, claim: Claim) -> Estimate:
    """Return a number of a tournament of the field, above 0 where the claim holds."""
    t = lab.run.tallies
    if claim["number"] == "starter":
        start = t.seats[:, :, 0].sum(axis=1)
        return ratio_of(start[:, 1] / WIN_UNITS - start[:, 0] / lab.rules.players, start[:, 0])
    if claim["number"] == "selling_less_buying":
        trades = t.trades.sum(axis=(1, 2, 3, 4))
        revenue = trades[:, 1] - trades[:, 3]
        return ratio_of(revenue - (trades[:, 2] - trades[:, 1]), t.scores[..., 0].sum(axis=1))
    first = t.market[..., 0, 0].sum(axis=1)
    left, right = first[:, 0], first[:, len(lab.rules.artists) - 1]
    return ratio_of(left - right, t.rounds[..., 0].sum(axis=1))


def measure_records(lab: Laboratory, claim: Claim) -> Estimate:
    """Return a number of single games, above 0 where the claim holds; the deal is the unit."""
    number = {"floor": _floor, "tight": _tightness}[claim["number"]]
    values = np.array([number(record) for record in lab.records], float)
    n_seats = lab.rules.players
    deals = values[: len(values) // n_seats * n_seats].reshape(-1, n_seats)
    return mean_of(np.nanmean(deals, axis=1))


def _floor(record: Mapping[str, Any]) -> float:
    """Return the share of paintings that paid at least their artist's earlier value, less 19 in 20."""
    value = dict.fromkeys(record["rules"]["artists"], 0)
    kept = sold = 0
    for part in record["rounds"]:
        pays = part["result"]["values"]
        for event in part["events"]:
            for card in event.get("cards", ()):
                artist = card.partition("-")[0]
                if value[artist] > 0:
                    sold += 1
                    kept += pays[artist] >= value[artist]
        value |= {artist: pay for artist, pay in pays.items() if pay > 0}
    return kept / sold - 0.95 if sold else float("nan")


def _tightness(record: Mapping[str, Any]) -> float:
    """Return the last player's money over the winner's, less two thirds."""
    return min(record["money"]) / max(record["money"]) - 2 / 3


def measure_luck(lab: Laboratory, claim: Claim) -> Estimate:
    """Return skill's share of the variance of money in one setting less that in another, treated as independent."""
    parts = [lab.luck(**claim[key]).set_index("source").loc["strategy"] for key in ("first", "second")]
    errors = [(part["share_high"] - part["share_low"]) / 2 / t_quantile(np.float64(GROUPS - 1)) for part in parts]
    mean = parts[0]["share"] - parts[1]["share"]
    return Estimate(np.array(mean), np.array(np.hypot(*errors)), np.array(GROUPS - 1.0))


def measure_influence(lab: Laboratory, claim: Claim) -> Estimate:
    """Return how much a seat's ending changes another seat's money in one setting less that in another."""
    means = []
    for key in ("first", "second"):
        moments = lab.endings(**claim[key])
        change = np.abs(moments.outcomes[:, 1:, 0]).mean(axis=1)
        means.append(by_deal(moments.frame["deal"].to_numpy(), change))
    one, other = means
    return Estimate(one.mean - other.mean, np.hypot(one.error, other.error), np.minimum(one.df, other.df))


MEASURES: dict[str, Callable[[Laboratory, Claim], Estimate]] = {
    "duel": measure_duel,
    "duel_of_duels": measure_duel_of_duels,
    "level": measure_level,
    "mates": measure_mates,
    "endings": measure_endings,
    "auctions": measure_auctions,
    "tally": measure_tally,
    "records": measure_records,
    "luck": measure_luck,
    "influence": measure_influence,
}

#: Measures whose numbers are shares, shown in per cent points; the others are money.
_SHARES = ("level", "luck", "records")


def is_share(claim: Claim) -> bool:
    """Tell whether a claim's number is a share; else it is money."""
    return (
        claim["measure"] in _SHARES
        or claim.get("outcome") == "win_share"
        or claim.get("number") in ("starter", "left_less_right")
    )


def put_to_the_test(
    catalogue: Catalogue,
    keys: Iterable[str] = (),
    fields: Iterable[str] = (),
    *,
    games: int = 20_000,
    seed: int = 1,
    threads: int = 1,
    on_progress: Callable[[int], None] | None = None,
) -> pd.DataFrame:
    """Return one row a claim and field: the number measured, its interval, and what it says of the claim.

    Parameters
    ----------
    catalogue : Catalogue
    keys, fields : iterable of str
        Claims and fields to test; default: all.
    games : int
        Games of each duel.
    seed, threads : int
    on_progress : callable, optional
        Called with the number of tests done.

    Returns
    -------
    DataFrame
        `verdict` is *holds* or *fails* where the number differs from 0 at 5 %, corrected for all tests of the table
        (Holm), else *open*.

    Raises
    ------
    UsageError
        If a claim or field is unknown.
    """
    known = [claim["key"] for claim in catalogue.claims]
    wanted, places = list(dict.fromkeys(keys)) or known, list(dict.fromkeys(fields)) or list(catalogue.fields)
    for key in wanted:
        if key not in known:
            raise UsageError(f'there is no claim "{key}"; the claims are: {", ".join(known)}')
    for name in places:
        if name not in catalogue.fields:
            raise UsageError(f'there is no field "{name}"; the fields are: {", ".join(catalogue.fields)}')
    rows = []
    for name in places:
        lab = Laboratory(catalogue.fields[name], games, seed, threads)
        for claim in catalogue.claims:
            if claim["key"] not in wanted:
                continue
            try:
                estimate = MEASURES[claim["measure"]](lab, claim)
            except (KeyError, pd.errors.UndefinedVariableError) as error:
                raise UsageError(f"claim {claim['key']}: {claim['measure']} lacks, or does not know, {error}") from None
            rows.append(
                {
                    "claim": claim["key"],
                    "field": name,
                    "number": float(estimate.mean),
                    "low": float(estimate.low),
                    "high": float(estimate.high),
                    "p": float(estimate.p_value),
                    "unit": "share" if is_share(claim) else "money",
                }
            )
            if on_progress is not None:
                on_progress(len(rows))
    frame = pd.DataFrame(rows)
    frame["p_holm"] = holm(frame["p"].to_numpy())
    frame["verdict"] = [
        "open" if not row.p_holm < LEVEL else "holds" if row.number > 0 else "fails" for row in frame.itertuples()
    ]
    order = {key: i for i, key in enumerate(known)}
    return frame.sort_values("claim", key=lambda column: column.map(order), kind="stable", ignore_index=True)


def overall(verdicts: Mapping[str, str]) -> str:
    """Return one verdict from those of the fields."""
    if len(set(verdicts.values())) == 1:
        return next(iter(verdicts.values()))
    return "depends on the field (" + ", ".join(f"{field}: {verdict}" for field, verdict in verdicts.items()) + ")"


def told(catalogue: Catalogue, frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the claims with their verdicts and numbers, as plain data."""
    claims = {claim["key"]: claim for claim in catalogue.claims}
    stories = []
    for key, rows in frame.groupby("claim", sort=False):
        claim = claims[key]
        verdicts = dict(zip(rows["field"], rows["verdict"], strict=True))
        stories.append(
            {
                "key": key,
                "says": claim["says"],
                "source": claim["source"],
                "hypothesis": claim["hypothesis"],
                "measure": claim["measure"],
                "verdict": overall(verdicts),
                "fields": [
                    {name: plain(value) for name, value in row.items() if name != "claim"}
                    for row in rows.to_dict("records")
                ],
            }
        )
    return stories


def in_words(field: Mapping[str, Any]) -> str:
    """Write a number with its interval: money, or points of a share."""
    scale, unit = (100.0, " points") if field["unit"] == "share" else (1.0, "")
    low, high = field["low"], field["high"]
    text = f"{scale * field['number']:+.1f}{unit}"
    return f"{text} ({scale * low:+.1f} to {scale * high:+.1f})" if low is not None else text


def markdown(stories: Sequence[Mapping[str, Any]]) -> str:
    """Write the verdicts as a table in Markdown."""
    fields = [field["field"] for field in stories[0]["fields"]]
    lines = [
        "| claim | verdict | what was measured | " + " | ".join(fields) + " |",
        "|---" * (3 + len(fields)) + "|",
    ]
    for story in stories:
        numbers = " | ".join(in_words(field) for field in story["fields"])
        lines.append(
            f"| {story['says']} ({story['source']}) | *{story['verdict']}* | {story['hypothesis']} | {numbers} |"
        )
    return "\n".join(lines) + "\n"


def to_json(stories: Sequence[Mapping[str, Any]], **facts: Any) -> str:
    """Write the verdicts as one JSON object."""
    return json.dumps(plain({"format": "modern-art-claims", "version": 1, **facts, "claims": list(stories)}))
