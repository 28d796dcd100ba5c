"""From the catalogue to verdicts: every reading of every claim is tested in every field."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from modernart.analysis.claims.catalogue import Catalogue
from modernart.analysis.claims.laboratory import Laboratory
from modernart.analysis.claims.measures import MEASURES, unit_of
from modernart.analysis.plain import plain
from modernart.analysis.statistics.estimates import holm
from modernart.simulator.errors import UsageError

#: Corrected p below which a number counts as above or below 0.
LEVEL = 0.05


def _chosen(wanted: Iterable[str], known: Sequence[str], what: str, several: str) -> list[str]:
    """Return the wanted names in the order of the catalogue, all of them if none is wanted."""
    names = [name for entry in wanted for name in entry.split(",") if name]
    for name in names:
        if name not in known:
            raise UsageError(f'there is no {what} "{name}"; the {several} are: {", ".join(known)}')
    return [name for name in known if not names or name in names]


def put_to_the_test(
    catalogue: Catalogue,
    keys: Iterable[str] = (),
    fields: Iterable[str] = (),
    *,
    games: int = 20_000,
    seed: int = 1,
    threads: int = 1,
    on_progress: Callable[..., None] | None = None,
) -> pd.DataFrame:
    """Return one row a claim, reading and field: the number measured, its interval, and what it says of the claim.

    Parameters
    ----------
    catalogue : Catalogue
    keys, fields : iterable of str
        Claims and fields to test, each entry one name or several with commas; default: all.
    games : int
        Games of each comparison.
    seed, threads : int
    on_progress : callable, optional
        Called with the number of tests done, words for what comes next, and whether that is a new field.

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
    wanted = _chosen(keys, [claim.key for claim in catalogue.claims], "claim", "claims")
    rows = []
    for name in _chosen(fields, list(catalogue.fields), "field", "fields"):
        lab = Laboratory(catalogue.fields[name], games, seed, threads)
        if on_progress is not None:
            on_progress(len(rows), f"games of the field {name}", True)
        for claim in catalogue.claims:
            for test in claim.tests if claim.key in wanted else ():
                if on_progress is not None:
                    on_progress(len(rows), f"{claim.key} in the field {name}", False)
                rows.append(
                    {"claim": claim.key, "reading": test["reading"], "field": name} | _row(lab, claim.key, test)
                )
    if on_progress is not None:
        on_progress(len(rows), "", False)
    frame = pd.DataFrame(rows)
    frame["p_holm"] = holm(frame["p"].to_numpy())
    frame["verdict"] = [
        "open" if not row.p_holm < LEVEL else "holds" if row.number > 0 else "fails" for row in frame.itertuples()
    ]
    pairs = [(claim.key, test["reading"]) for claim in catalogue.claims for test in claim.tests]
    place = {pair: i for i, pair in enumerate(pairs)}
    ranks = [place[pair] for pair in zip(frame["claim"], frame["reading"], strict=True)]
    return frame.iloc[np.argsort(ranks, kind="stable")].reset_index(drop=True)


def _row(lab: Laboratory, key: str, test: Mapping[str, Any]) -> dict[str, Any]:
    """Return the number of one test with its interval."""
    try:
        estimate = MEASURES[test["measure"]](lab, test)
    except (KeyError, pd.errors.UndefinedVariableError) as error:
        raise UsageError(f"claim {key}: {test['measure']} lacks, or does not know, {error}") from None
    numbers = {"number": estimate.mean, "low": estimate.low, "high": estimate.high, "p": estimate.p_value}
    return {name: float(value) for name, value in numbers.items()} | {"unit": unit_of(test)}


def overall(verdicts: Mapping[str, str], what: str = "field") -> str:
    """Return one verdict from those of the fields or, with `what` = "reading", of the readings."""
    if len(set(verdicts.values())) == 1:
        return next(iter(verdicts.values()))
    return f"depends on the {what} (" + "; ".join(f"{name}: {verdict}" for name, verdict in verdicts.items()) + ")"


def _of_readings(rows: pd.DataFrame) -> str:
    """Return one verdict from all readings of a claim, each from all fields."""
    readings = {
        reading: overall(dict(zip(part["field"], part["verdict"], strict=True)))
        for reading, part in rows.groupby("reading", sort=False)
    }
    return overall(readings, "reading")


def told(catalogue: Catalogue, frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the claims with their verdicts and numbers, as plain data.

    Each has the keys of its first reading (`hypothesis`, `measure`, `fields`), and `tests`: every reading in every
    field with `estimate`, `ci` and `p` (not corrected; `p_holm` is).
    """
    claims = {claim.key: claim for claim in catalogue.claims}
    stories = []
    for key, rows in frame.groupby("claim", sort=False):
        claim = claims[key]
        first = rows[rows["reading"] == claim.tests[0]["reading"]]
        hypotheses = {test["reading"]: test["hypothesis"] for test in claim.tests}
        stories.append(
            {
                "key": key,
                "says": claim.says,
                "source": claim.source,
                "hypothesis": claim.tests[0]["hypothesis"],
                "measure": claim.tests[0]["measure"],
                "verdict": _of_readings(rows),
                "fields": [plain(row) for row in first.drop(columns=["claim", "reading"]).to_dict("records")],
                "tests": [
                    plain(
                        {
                            "reading": row["reading"],
                            "field": row["field"],
                            "estimate": row["number"],
                            "ci": [row["low"], row["high"]],
                            "p": row["p"],
                            "p_holm": row["p_holm"],
                            "unit": row["unit"],
                            "verdict": row["verdict"],
                            "hypothesis": hypotheses[row["reading"]],
                        }
                    )
                    for row in rows.to_dict("records")
                ],
            }
        )
    return stories
