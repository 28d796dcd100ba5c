"""The report of a run: one page that needs nothing else, its figures, its tables and a summary for programs."""

import base64
import io
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd
from matplotlib.axes import Axes

from modernart.analysis.measures import plots
from modernart.analysis.measures.tables import all_tables, ledger_table, write_tables
from modernart.analysis.runs import run_folder as runs
from modernart.simulator.files import whole_file
from modernart.simulator.simulate import Run
from modernart.simulator.tallies import MAX_HOLDING

SUMMARY_FILE = "summary.json"
FIGURES_FOLDER = "figures"
SUMMARY_FORMAT = "modern-art-summary"
#: Rises when a key of `summary.json` changes its meaning.
SUMMARY_VERSION = 1

#: With fewer blocks intervals rest on few deals, and batches stay empty.
FEW_BLOCKS = 320

_TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Finding:
    """A sentence of the summary, with its numbers for programs."""

    key: str
    text: str
    value: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Drawing:
    """A figure of the report."""

    name: str
    axes: Axes
    caption: str


@dataclass
class Section:
    """A part of the page."""

    title: str
    sentences: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    drawings: list[Drawing] = field(default_factory=list)
    figures: list[dict[str, str]] = field(default_factory=list)
    tables: list[dict[str, Any]] = field(default_factory=list)
    facts: list[tuple[str, str]] = field(default_factory=list)

    @property
    def anchor(self) -> str:
        """Name for links."""
        return self.title.lower().replace(" ", "-")


@dataclass(frozen=True)
class Report:
    """Files that were written."""

    page: Path
    summary: Path
    tables: tuple[Path, ...]
    figures: tuple[Path, ...]


def write_report(folder: Path, *, csv: bool = False, png: bool = True) -> Report:
    """Write the report of a run folder into it: page, summary, tables and figures.

    Parameters
    ----------
    folder : Path
        A run folder; the run may still be unfinished.
    csv : bool
        Write the tables as CSV too.
    png : bool
        Write every figure as a PNG file too.

    Raises
    ------
    UsageError
        If the folder holds no run.
    """
    folder = Path(folder)
    run, data = runs.load_run(folder)
    tables = all_tables(run) | study_tables(folder)
    findings = find(run, tables)
    sections = compose(run, data, tables, findings)
    note = f"{run.n_games:,} games of {data['edition']}, {run.rules.players} players, seed {run.seed}; {folder.name}"
    figures = []
    for section in sections:
        for drawing in section.drawings:
            plots.add_note(drawing.axes, note)
            section.figures.append(
                {"data": _inline(drawing.axes), "alt": f"{drawing.caption}", "caption": drawing.caption}
            )
            if png:
                figures.append(folder / FIGURES_FOLDER / f"{drawing.name}.png")
                with whole_file(figures[-1], "wb") as file, plots.style():
                    drawing.axes.figure.savefig(file, format="png", dpi=120)
    formats = ("parquet", "csv") if csv else ("parquet",)
    write_tables(folder / runs.TABLES_FOLDER, tables, formats)
    page = _render(run, data, sections)
    with whole_file(folder / runs.REPORT_FILE) as file:
        file.write(page)
    with whole_file(folder / SUMMARY_FILE) as file:
        json.dump(summarise(run, data, tables, findings), file, indent=1, ensure_ascii=False, allow_nan=False)
        file.write("\n")
    paths = tuple(folder / runs.TABLES_FOLDER / f"{name}.{ending}" for name in tables for ending in formats)
    return Report(folder / runs.REPORT_FILE, folder / SUMMARY_FILE, paths, tuple(figures))


#: Tables that studies add to a run folder, and where they are kept.
STUDY_TABLES = (
    "luck",
    "endings_causal",
    "endings_causal_seats",
    "auctions_causal",
    "auctions_causal_by_form",
    "auctions_causal_by_round",
    "auctions_causal_by_cards_out",
    "auctions_causal_by_seller",
)


def study_tables(folder: Path) -> dict[str, pd.DataFrame]:
    """Return the tables that studies have added to a run folder."""
    paths = {name: Path(folder) / runs.TABLES_FOLDER / f"{name}.parquet" for name in STUDY_TABLES}
    return {name: pd.read_parquet(path) for name, path in paths.items() if path.exists()}


def _inline(axes: Axes) -> str:
    """Return a figure as a data URI, so that the page needs no other file."""
    buffer = io.BytesIO()
    figure = axes.figure
    with plots.style():
        # The layout is found once and kept: savefig would find it anew for every file, which takes as long as drawing.
        figure.get_layout_engine().execute(figure)
        figure.set_layout_engine("none")
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")


def _render(run: Run, data: dict[str, Any], sections: Sequence[Section]) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    best = sections[0].sentences[0] if sections[0].sentences else ""
    return environment.get_template("report.html.j2").render(
        title=f"Modern Art, {data['edition']}, {run.rules.players} players",
        facts=f"{run.n_games:,} games, {run.n_blocks:,} deals, {len(run.names)} strategies, seed {run.seed}. {best}",
        css=jinja2.utils.markupsafe.Markup((_TEMPLATES / "report.css").read_text(encoding="utf-8")),
        sections=sections,
    )


def _range(low: float, high: float, form: str) -> str:
    return f"95% interval {low:{form}} to {high:{form}}" if math.isfinite(low) else "too few deals for an interval"


def find(run: Run, tables: dict[str, pd.DataFrame]) -> list[Finding]:
    """Return what a player would want to know, in sentences with numbers."""
    seats = run.rules.players
    fair = 1 / seats
    findings = []
    ranking = tables["ranking"]
    best = ranking.iloc[0]
    if len(ranking) == 1:
        findings.append(
            Finding("winner", f"{best.strategy} played against itself, so it wins {fair:.1%} of its seats.", fair)
        )
    else:
        findings.append(
            Finding(
                "winner",
                f"{best.strategy} wins most: {best.win_share:.1%} of its seats "
                f"({_range(best.win_share_low, best.win_share_high, '.1%')}); equals would win {fair:.1%}.",
                *_numbers(best.win_share, best.win_share_low, best.win_share_high),
            )
        )
        gap = tables["differences"].iloc[0]
        sure = "clear" if gap.win_share_p_holm < 0.001 else "likely" if gap.win_share_p_holm < 0.05 else "open"
        findings.append(
            Finding(
                "margin",
                f"It is {100 * gap.win_share_difference:.1f} points of win share ahead of {gap.other} "
                f"({_range(100 * gap.win_share_difference_low, 100 * gap.win_share_difference_high, '.1f')}) and "
                f"{gap.money_difference:.0f} in money; that it is better is {sure} "
                f"(p {_p(gap.win_share_p_holm)}, corrected for {len(tables['differences'])} comparisons).",
                *_numbers(gap.win_share_difference, gap.win_share_difference_low, gap.win_share_difference_high),
            )
        )
        last = ranking.iloc[-1]
        findings.append(
            Finding(
                "last",
                f"{last.strategy} comes last with {last.win_share:.1%} and {last.money:.0f} in money, "
                f"against {best.money:.0f} of the best.",
                *_numbers(last.win_share, last.win_share_low, last.win_share_high),
            )
        )
    findings.append(_find_seat(tables["seat_effect"], seats))
    findings.append(_find_leader(tables["leaders"], fair))
    findings.append(_find_endings(tables["endings_by_holding"]))
    findings += _find_auctions(tables)
    return [finding for finding in findings if finding is not None]


def _p(value: float) -> str:
    if not math.isfinite(value):
        return "unknown"
    return "< 0.001" if value < 0.001 else f"= {value:.3f}"


def _numbers(value: float, low: float, high: float) -> tuple[float | None, ...]:
    return tuple(float(x) if math.isfinite(x) else None for x in (value, low, high))


def _find_seat(effect: pd.DataFrame, seats: int) -> Finding:
    first, last = effect.iloc[0], effect.iloc[-1]
    return Finding(
        "starter",
        f"Who starts the first round wins {first.win_share:.1%} "
        f"({_range(first.win_share_low, first.win_share_high, '.1%')}), the last of the {seats} seats "
        f"{last.win_share:.1%}; every strategy took every seat equally often.",
        *_numbers(first.win_share, first.win_share_low, first.win_share_high),
    )


def _find_leader(leaders: pd.DataFrame, fair: float) -> Finding:
    early = leaders.iloc[0]
    late = leaders.iloc[-1]
    return Finding(
        "leader",
        f"The leader after round {int(early['round'])} wins {early.win_share:.0%} of games, "
        f"after round {int(late['round'])} {late.win_share:.0%} (chance: {fair:.0%}).",
        *_numbers(early.win_share, early.win_share_low, early.win_share_high),
    )


def _find_endings(endings: pd.DataFrame) -> Finding | None:
    if endings.empty:
        return None
    total = endings["rounds"].sum()
    mean = (endings["holding"] * endings["rounds"]).sum() / total
    none = endings.loc[endings["holding"] == 0, "rounds"].sum() / total
    gain = (endings["gain"] * endings["rounds"]).sum() / total
    return Finding(
        "endings",
        f"Who ends a round holds {mean:.1f} paintings of the ending artist on average (none in {none:.0%} of rounds) "
        f"and is paid {gain:+.0f} against the mean of the others in that round.",
        float(gain),
    )


def _find_auctions(tables: dict[str, pd.DataFrame]) -> list[Finding]:
    singles = tables["auctions"]
    singles = singles[(singles["form"] == "single") & (singles["lots"] >= 30)].sort_values("price_to_value")
    findings = []
    if len(singles) > 1:
        low, high = singles.iloc[0], singles.iloc[-1]
        findings.append(
            Finding(
                "auctions",
                f"Of single cards, {high.kind} lots sell dearest against what they pay at the round's end "
                f"({high.price_to_value:.0%} of it, "
                f"{_range(high.price_to_value_low, high.price_to_value_high, '.0%')}), "
                f"{low.kind} lots cheapest ({low.price_to_value:.0%}).",
                *_numbers(high.price_to_value, high.price_to_value_low, high.price_to_value_high),
            )
        )
    return findings


def summarise(
    run: Run, data: dict[str, Any], tables: dict[str, pd.DataFrame], findings: Sequence[Finding]
) -> dict[str, Any]:
    """Return the content of `summary.json`: plain data, None where a number is not known."""
    keys = ("command", "edition", "players", "games", "complete", "seconds", "cpu_seconds", "versions")
    return {
        "format": SUMMARY_FORMAT,
        "version": SUMMARY_VERSION,
        "run": {key: data[key] for key in keys}
        | {"seed": run.seed, "games_played": run.n_games, "blocks": run.n_blocks},
        "warnings": warnings_of(run, data),
        "findings": [{"key": f.key, "text": f.text, "value": f.value, "low": f.low, "high": f.high} for f in findings],
        **{
            name: [{key: plain(value) for key, value in row.items()} for row in tables[name].to_dict("records")]
            for name in ("ranking", "ratings", "seat_effect", "leaders", "auctions", "endings_by_holding", "rounds")
        },
        "tables": sorted(tables),
    }


def plain(value: Any) -> Any:
    """Return a cell of a table as JSON takes it: None where a number is not known."""
    if isinstance(value, str):
        return value
    number = float(value)
    return None if not math.isfinite(number) else int(number) if number.is_integer() else number


def warnings_of(run: Run, data: dict[str, Any]) -> list[str]:
    """Return what a reader must know before trusting the numbers."""
    warnings = []
    if not data["complete"]:
        warnings.append(
            f"The run is unfinished: {run.n_games:,} of {data['games']:,} games. {data['command']} goes on."
        )
    if run.n_blocks < FEW_BLOCKS:
        warnings.append(
            f"Only {run.n_blocks} deals were played: intervals are wide, and those of rare cases not to be trusted. "
            f"Play at least {FEW_BLOCKS * run.rules.players:,} games."
        )
    warnings += data.get("notes", [])
    return warnings


def _column(title: str, is_text: bool = False) -> dict[str, Any]:
    return {"title": title, "is_text": is_text}


def _table(
    title: str,
    frame: pd.DataFrame,
    columns: Sequence[tuple[str, str, Callable[[Any], str] | None]],
    note: str = "",
) -> dict[str, Any]:
    """Return a table for the page; a column is (name in the frame, heading, format), text where there is no format."""
    rows = [
        [str(row[name]) if form is None else form(row, name) for name, _, form in columns]
        for row in frame.to_dict("records")
    ]
    return {
        "title": title,
        "note": note,
        "columns": [_column(heading, form is None) for _, heading, form in columns],
        "rows": rows,
    }


def _value(form: str) -> Callable[[Any, str], str]:
    return lambda row, name: f"{row[name]:{form}}" if math.isfinite(row[name]) else "-"


def _with_interval(form: str) -> Callable[[Any, str], str]:
    def write(row: Any, name: str) -> str:
        value, low, high = row[name], row[f"{name}_low"], row[f"{name}_high"]
        if not math.isfinite(value):
            return "-"
        return f"{value:{form}} ({low:{form}} to {high:{form}})" if math.isfinite(low) else f"{value:{form}}"

    return write


def compose(
    run: Run, data: dict[str, Any], tables: dict[str, pd.DataFrame], findings: Sequence[Finding]
) -> list[Section]:
    """Return the sections of the page."""
    return [
        Section("Summary", [f.text for f in findings], warnings_of(run, data)),
        _win_rates(run, tables),
        _ending_cards(tables),
        _auctions(run, tables),
        _market(tables),
        _method(run, data),
    ]


def _win_rates(run: Run, tables: dict[str, pd.DataFrame]) -> Section:
    fair = 1 / run.rules.players
    section = Section("Win rates")
    add = section.drawings.append
    add(Drawing("win_shares", plots.plot_win_shares(tables["ranking"], fair), "Win share of a seat, ties shared."))
    if len(run.names) > 1:
        add(
            Drawing(
                "ratings",
                plots.plot_ratings(tables["ratings"]),
                "Strength fitted to who won at which tables; bars: jackknife over batches of deals.",
            )
        )
    add(Drawing("money", plots.plot_money(tables["money_quantiles"]), "Spread of final money."))
    add(
        Drawing(
            "leaders",
            plots.plot_leaders(tables["leaders"], fair),
            "How often who has most money after a round, payouts included, wins the game.",
        )
    )
    add(
        Drawing(
            "seat_effect",
            plots.plot_seat_effect(tables["seat_effect"], fair),
            "The seat alone, over all strategies: every strategy took every seat of every deal.",
        )
    )
    if len(run.names) > 1:
        add(Drawing("seats", plots.plot_seats(tables["seats"], fair), "Win share by strategy and seat."))
        add(
            Drawing(
                "mates",
                plots.plot_heatmap(
                    tables["mates"],
                    "strategy",
                    "mate",
                    "win_share",
                    "Win share by table mate, %",
                    "win share of",
                    "when this one is at the table",
                ),
                "Who gains from whose company.",
            )
        )
        for side in ("left", "right"):
            frame = tables["neighbours"][tables["neighbours"]["side"] == side]
            add(
                Drawing(
                    f"neighbours_{side}",
                    plots.plot_heatmap(
                        frame, "strategy", "neighbour", "win_share", f"Win share by {side} neighbour, %",
                        "win share of", f"with this one on the {side}",
                    ),
                    f"The player on the {side} " + ("acts next." if side == "left" else "acted before."),
                )
            )  # fmt: skip
    if "luck" in tables:
        add(
            Drawing(
                "luck",
                plots.plot_luck(tables["luck"]),
                "Where the differences in final money between seats come from.",
            )
        )
    section.tables.append(
        _table(
            "Ranking",
            tables["ranking"].merge(tables["ratings"], on="strategy").merge(tables["money_quantiles"], on="strategy"),
            [
                ("strategy", "strategy", None),
                ("games", "seats played", _value(",")),
                ("win_share", "win share", _with_interval(".1%")),
                ("rating", "rating", _with_interval(".0f")),
                ("money", "mean money", _with_interval(".1f")),
                ("money_sd", "sd", _value(".0f")),
                ("q5%", "5%", _value(".0f")),
                ("q50%", "median", _value(".0f")),
                ("q95%", "95%", _value(".0f")),
            ],
        )
    )
    if len(run.names) > 1:
        section.tables.append(
            _table(
                "Differences between strategies",
                tables["differences"],
                [
                    ("strategy", "strategy", None),
                    ("other", "ahead of", None),
                    ("win_share_difference", "win share", _with_interval(".1%")),
                    ("win_share_p_holm", "p, corrected", lambda row, name: _p(row[name])),
                    ("money_difference", "money", _with_interval(".1f")),
                    ("money_p_holm", "p, corrected", lambda row, name: _p(row[name])),
                    ("money_saved", "games saved", lambda row, name: f"{row[name]:.2f}"),
                ],
                "On the same deals. p values are corrected for their number (Holm). Games saved: how many times fewer "
                "games the shared deals needed; below 1 where the two took from each other.",
            )
        )
    section.tables.append(
        _table(
            "Where the money comes from",
            tables["buyers"].sort_values("selling_revenue", ascending=False),
            [
                ("strategy", "strategy", None),
                ("lots_bought", "lots bought a game", _value(".1f")),
                ("spent", "spent", _value(".0f")),
                ("buying_profit", "profit of buying", _with_interval(".1f")),
                ("selling_revenue", "revenue of selling", _with_interval(".1f")),
                ("sales_share", "selling's part of income", _with_interval(".0%")),
            ],
            "Money a game. Income: revenue as auctioneer plus payouts of what was bought.",
        )
    )
    return section


def _ending_cards(tables: dict[str, pd.DataFrame]) -> Section:
    section = Section("Ending cards")
    how = tables["endings_by_how"].copy()
    if how.empty:
        section.sentences.append("No round was ended by a card.")
        return section
    how["share"] = how["rounds"] / how.groupby("round")["rounds"].transform("sum")
    often = how[how["share"] >= 0.005]
    section.sentences.append(
        "Observed: who ends a round chose to, so these numbers do not say what ending costs. "
        "`modernart endings` plays the same moments on both ways and measures that."
    )
    section.drawings += [
        Drawing(
            "endings_how",
            plots.plot_stacked(often, "round", "how", "share", "What ends rounds", "round", "share of rounds"),
            "The form of the lot that ended the round; what ends less than one round in 200 is left out.",
        ),
        Drawing(
            "endings_holding",
            plots.plot_lines(
                tables["endings_by_holding"],
                "holding",
                {"payout_ender": "ender", "payout_next": "next player", "payout_others": "other players"},
                "Who is paid when a round ends",
                f"ender's own paintings of the ending artist ({MAX_HOLDING} = or more)",
                "payout in that round, money",
            ),
            "Mean payout of the round, by what the ender holds.",
        ),
        Drawing(
            "endings_wins",
            plots.plot_lines(
                tables["endings_by_holding"],
                "holding",
                {"win_share_ender": "ender", "win_share_next": "next player"},
                "Who wins the game in the end",
                f"ender's own paintings of the ending artist ({MAX_HOLDING} = or more)",
                "win share",
            ),
            "Win share of who ended a round, and of the player to his left, who starts the next.",
        ),
    ]
    if "endings_causal" in tables:
        _add_causal_endings(section, tables["endings_causal"])
    section.tables += [
        _table(
            "Who ends rounds",
            tables["endings_by_strategy"].sort_values("rounds", ascending=False),
            [
                ("strategy", "ender", None),
                ("rounds", "rounds", _value(",")),
                ("payout_ender", "payout", _with_interval(".1f")),
                ("payout_next", "next player", _with_interval(".1f")),
                ("payout_others", "others", _with_interval(".1f")),
                ("gain", "against the mean", _with_interval("+.1f")),
                ("win_share_ender", "wins", _with_interval(".1%")),
            ],
        ),
        _table(
            "How rounds end",
            how,
            [
                ("round", "round", _value("d")),
                ("how", "how", None),
                ("rounds", "rounds", _value(",")),
                ("share", "share", _value(".1%")),
                ("payout_ender", "ender", _with_interval(".1f")),
                ("payout_next", "next player", _with_interval(".1f")),
                ("payout_others", "others", _with_interval(".1f")),
            ],
        ),
    ]
    return section


def _add_causal_endings(section: Section, frame: pd.DataFrame) -> None:
    overall = frame.iloc[0]
    section.sentences.append(
        f"Measured: ending the round where one could also play on brings {overall.money:+.1f} in money "
        f"({_range(overall.money_low, overall.money_high, '+.1f')}) and {overall.win_share:+.1%} of win share, "
        f"over {overall.moments:,} moments."
    )
    labels = [row.case if row.by == "all" else f"{row.by}: {row.case}" for row in frame.itertuples()]
    section.drawings.append(
        Drawing(
            "endings_causal",
            plots.plot_effects(
                frame, labels, "money", "Ending, against playing on", "final money of who decides; bars: 95% interval"
            ),
            "What ending brings where one could also play on, by what may matter.",
        )
    )
    section.tables.append(
        _table(
            "What ending a round brings its player, against playing on",
            frame,
            [
                ("by", "by", None),
                ("case", "case", None),
                ("moments", "moments", _value(",")),
                ("money", "money", _with_interval("+.1f")),
                ("win_share", "win share", _with_interval("+.1%")),
            ],
            "Causal: the same moment is played on both ways with the same cards and dice, several times.",
        )
    )


def _auctions(run: Run, tables: dict[str, pd.DataFrame]) -> Section:
    section = Section("Auctions")
    ledger = tables["auctions"]
    least = _least_lots(tables)
    section.drawings += [
        Drawing("auctions", plots.plot_ledger(ledger), "Mean price of a lot and what its paintings paid."),
        Drawing("auctions_ratio", plots.plot_price_ratio(ledger), "Price against value; a ratio of sums."),
        Drawing(
            "price_curve",
            plots.plot_curve(tables["price_curve"], least),
            f"What lots sold at a price were worth in the end, by kind of sale; at least {least} lots a point.",
        ),
        Drawing(
            "auctions_cards_out",
            plots.plot_lines(
                tables["auctions_by_cards_out"],
                "cards_out",
                {"price": "price", "value": "realised value", "revenue": "sellers' revenue"},
                "Lots by cards out",
                "cards of the artist out, the lot's included",
                "money a lot",
            ),
            "The more of an artist are out, the surer his rank.",
        ),
    ]
    columns = [
        ("kind", "kind", None),
        ("form", "form", None),
        ("lots", "lots", _value(",")),
        ("price", "price", _with_interval(".1f")),
        ("value", "realised value", _with_interval(".1f")),
        ("price_to_value", "price / value", _with_interval(".2f")),
        ("revenue", "sellers' revenue", _with_interval(".1f")),
        ("profit", "buyer's profit", _with_interval(".1f")),
        ("to_bank", "to bank", _value(".1f")),
        ("own_share", "bought by auctioneer", _value(".0%")),
    ]
    note = (
        "Money a lot. The bank's part is what auctioneers paid for their own lots"
        + (" and the fees of black-framed cards, whose value is what the taker must pay" if _has_black(run) else "")
        + ". A lone double is one that nobody joined: its owner keeps it free."
    )
    if "auctions_causal" in tables:
        section.tables.append(
            _table(
                "The same lot in the same state, sold by each kind",
                tables["auctions_causal"],
                [
                    ("kind", "kind", None),
                    ("moments", "moments", _value(",")),
                    ("price", "price", _with_interval(".1f")),
                    ("revenue_difference", "seller's revenue against open", _with_interval("+.1f")),
                    ("money_difference", "seller's final money against open", _with_interval("+.1f")),
                    ("win_share_difference", "win share against open", _with_interval("+.1%")),
                ],
                "Causal: paired on the same moments with the same dice; the deal is the unit.",
            )
        )
    section.tables.append(_table("Ledger", ledger, columns, note))
    singles = ledger_table(run, ["kind", "round"])
    section.tables.append(
        _table("Ledger by round", singles, [columns[0], ("round", "round", _value("d")), *columns[2:]])
    )
    if len(run.names) > 1:
        section.tables.append(
            _table(
                "Who sells to whom",
                tables["trades"],
                [
                    ("auctioneer", "auctioneer", None),
                    ("buyer", "buyer", None),
                    ("lots", "lots", _value(",")),
                    ("price", "price", _with_interval(".1f")),
                    ("profit", "buyer's profit", _with_interval(".1f")),
                ],
            )
        )
    return section


def _least_lots(tables: dict[str, pd.DataFrame]) -> int:
    """Return how many lots a point of a figure needs: fewer in short runs, so that there is something to see."""
    return int(min(100, max(2, tables["auctions"]["lots"].sum() // 1000)))


def _has_black(run: Run) -> bool:
    return any("-B" in card for card in run.rules.deck)


def _market(tables: dict[str, pd.DataFrame]) -> Section:
    section = Section("Market")
    least = _least_lots(tables)
    section.drawings += [
        Drawing("market", plots.plot_market(tables["market"]), "Rank of the artists, in board order."),
        Drawing(
            "prices",
            plots.plot_prices(tables["prices"], least),
            f"Price of one painting by cards of its artist that are out; at least {least} lots a point.",
        ),
        Drawing("lengths", plots.plot_lengths(tables["lengths"]), "Cards put up until the round ended."),
        Drawing(
            "cards_left",
            plots.plot_lines(
                tables["rounds"],
                "round",
                {"cards_up": "put up in the round", "cards_left": "left in all hands after it"},
                "Cards by round",
                "round",
                "cards",
            ),
            "How many cards the round used and left.",
        ),
    ]
    section.tables += [
        _table(
            "Rounds",
            tables["rounds"],
            [
                ("round", "round", _value("d")),
                ("cards_up", "cards put up", _with_interval(".2f")),
                ("cards_left", "cards left", _with_interval(".2f")),
                ("payout", "payout of all", _with_interval(".0f")),
                ("money", "money of a seat", _with_interval(".1f")),
                ("in_debt", "seats in debt", _value(".1%")),
            ],
        ),
        _table(
            "What a painting costs and pays",
            tables["prices"][tables["prices"]["lots"] >= least],
            [
                ("round", "round", _value("d")),
                ("artist", "artist", None),
                ("cards_out", "cards out", _value("d")),
                ("lots", "lots", _value(",")),
                ("price", "price", _with_interval(".1f")),
                ("value", "realised value", _with_interval(".1f")),
            ],
            f"One painting; cards out count the lot's own. Cases of fewer than {least} lots are in the table's file.",
        ),
    ]
    if len(tables["crowns"]):
        section.tables.append(
            _table(
                "Lots by their crowns",
                tables["crowns"],
                [
                    ("kind", "kind", None),
                    ("crowns", "crowns", _value("d")),
                    ("lots", "lots", _value(",")),
                    ("price", "price", _with_interval(".1f")),
                    ("value", "realised value", _with_interval(".1f")),
                ],
            )
        )
    return section


def _method(run: Run, data: dict[str, Any]) -> Section:
    versions = ", ".join(f"{name} {number}" for name, number in data["versions"].items())
    players = ", ".join(
        s["name"] + (f" [{', '.join(f'{x:g}' for x in s['params'])}]" if s["params"] else "")
        for s in data["identity"]["strategies"]
    )
    return Section(
        "Method",
        sentences=[
            "The unit is the deal. A block is one deal played with every rotation of a line-up over the seats, so that "
            "every player gets every hand; games of one deal are not independent, and intervals come from blocks.",
            "Strategies: t intervals of block means (as a ratio where a strategy sits in some blocks more often). All "
            "other numbers: the same over 32 independent batches of deals. Confidence 95 %; intervals are not "
            "corrected for their number, p values of differences are (Holm).",
            "Ratings: Plackett-Luce strengths fitted to who won at which tables.",
            "Tallies are whole numbers and do not depend on threads or chunks: the command below makes the same ones.",
        ],
        facts=[
            ("command", data["command"]),
            ("seed", str(run.seed)),
            ("games", f"{run.n_games:,} ({run.n_blocks:,} blocks of {run.rules.players})"),
            ("line-ups", "balanced: every strategy meets every other equally often and takes every seat"),
            ("strategies", players),
            (
                "cost",
                f"{data['cpu_seconds']:.1f} CPU seconds, {timedelta(seconds=round(data['seconds']))} on the clock, "
                f"{data['threads']} thread(s); {run.n_decisions:,} decisions",
            ),
            ("rules", json.dumps({k: v for k, v in data["identity"]["rules"].items() if k != "deck"})),
            ("versions", versions),
        ],
    )
