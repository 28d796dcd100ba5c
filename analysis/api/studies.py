"""Studies from Python: duels, tuning, counterfactual playouts and rule sets side by side."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from modernart.analysis.api.asked import (
    Asked,
    Progress,
    asked_list,
    overrides_from,
    prepare,
    rule_words,
    shown_progress,
)
from modernart.analysis.comparing import editions as rule_sets
from modernart.analysis.comparing.duel import Duel, Interval
from modernart.analysis.comparing.duel import duel as play_duel
from modernart.analysis.comparing.editions import Comparison, parse_rule_set
from modernart.analysis.comparing.naming import DEFAULT_RIVALS, command_line, file_stem, held_out_of, percent_range
from modernart.analysis.comparing.tuning_plan import StudyPlan, study_folder
from modernart.analysis.comparing.tuning_study import StudyResult, run_study, teller
from modernart.analysis.counterfactual.study import Study, study_auctions, study_endings
from modernart.analysis.field import Field, field_of, with_fields
from modernart.simulator.files import check_output
from modernart.simulator.rules import load_edition
from modernart.simulator.simulate import n_blocks_for
from modernart.strategies.registry import DEFAULT_FIELD
from modernart.strategies.specs import load_players, load_strategy


def duel(
    a: Asked,
    b: Asked,
    *,
    field: Asked | Sequence[Asked] | None = None,
    edition: str = "classic",
    players: int = 4,
    seed: int = 1,
    threads: int | None = None,
    fixed: int | None = None,
    most_games: int = 400_000,
    margin: float = 0.01,
    progress: Progress = None,
    rules: Mapping[str, Any] | None = None,
) -> Duel:
    """Compare two strategies in the same focal seat, against the same rivals, on the same deals and random streams.

    Parameters
    ----------
    a, b : str or Strategy
    field : sequence of str or Strategy, optional
        Strategies in the other seats; default: copies of `b`.
    edition, players, seed, threads, progress, rules
        As for `tournament`.
    fixed : int, optional
        Play so many games; default: until the verdict is clear.
    most_games : int
        Give up after so many games.
    margin : float
        Differences of win share below this count as none.

    Returns
    -------
    Duel
        `verdict` ("better", "worse", "equal" or "undecided"), `win_share`, `win_share_other`, `difference` and
        `difference_ci` as shares, `money_difference` and its interval in money a game.

    Raises
    ------
    UsageError, RunError
        As `tournament`.
    """
    prepare(progress)
    table = load_edition(edition, overrides_from(rules)).rules(players)
    one, other = (load_strategy(spec).player() for spec in (a, b))
    rivals = [load_strategy(spec).player() for spec in with_fields(asked_list(field))]
    with shown_progress(progress, "games", fixed or most_games) as (_, advance):

        def tell(games: int, interval: Interval | None) -> None:
            advance(games, f"difference {percent_range(interval, '+')} points" if interval else "")

        return play_duel(
            one,
            other,
            rivals,
            table,
            seed=seed,
            threads=threads,
            fixed=fixed,
            most_games=most_games,
            margin=margin,
            on_progress=tell,
        )


def tune(
    strategy: Asked,
    *,
    against: Asked | Sequence[Asked] | None = None,
    parameters: Sequence[str] | None = None,
    objective: str = "money",
    budget: int = 200_000,
    study: str | None = None,
    edition: str = "classic",
    players: int = 4,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress = None,
    rules: Mapping[str, Any] | None = None,
) -> StudyResult:
    """Tune a strategy's parameters against a field; an interrupted study goes on when it is asked for again.

    Parameters
    ----------
    strategy : str or Strategy
        Its parameters are the start.
    against : sequence of str or Strategy, optional
        Default: the strategy itself and simple bidders.
    parameters : sequence of str, optional
        Those to tune; default: all.
    objective : {"money", "win"}
    budget : int
        Games of the search.
    study : str, optional
        Folder under `results/`, or a path; default: named after the strategy.
    edition, players, seed, threads, progress, rules
        As for `tournament`.

    Returns
    -------
    StudyResult
        `tuned` is the tuned strategy, ready to play; `result` and `summary` tell how good it is.

    Raises
    ------
    UsageError, RunError
        As `tournament`.
    """
    prepare(progress)
    table = load_edition(edition, overrides_from(rules)).rules(players)
    start = load_strategy(strategy)
    spec = strategy if isinstance(strategy, str) else start.spec
    field = asked_list(against) or [strategy, *(name for name in DEFAULT_RIVALS if name != spec)]
    told = [one if isinstance(one, str) else one.spec for one in field]
    names = list(parameters or start.params)
    options = {"against": ",".join(told), "parameters": ",".join(names), "objective": objective, "budget": budget}
    options |= {"players": players, "edition": edition, "seed": seed}
    command = command_line("tune", spec, options, rule_words(rules))
    plan = StudyPlan(start, field, held_out_of(told), names, objective, budget, table, seed, command)
    _ = plan.search  # faults of the call come before anything is written
    folder = study_folder(study, f"tune-{file_stem(start.name)}", plan)
    check_output(folder, is_folder=True)
    with shown_progress(progress, "games", plan.n_search_games) as (_, advance):
        return run_study(plan, folder, threads=threads, on_progress=teller(plan, advance))


def endings(
    strategies: Asked | Sequence[Asked] | None = None,
    *,
    run: Path | str | None = None,
    edition: str = "classic",
    players: int = 4,
    games: int = 4000,
    repeats: int = 4,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress = None,
    rules: Mapping[str, Any] | None = None,
) -> Study:
    """Measure the effect of ending a round versus playing on, at every decision where either is possible.

    Parameters
    ----------
    strategies, edition, players, seed, threads, progress, rules
        As for `tournament`.
    run : path, optional
        Take strategies, rules and seed from a run folder instead.
    games : int
        Games to look through for such decisions.
    repeats : int
        Playouts per decision point.

    Returns
    -------
    Study
        `tables` by name, of which the first is what the study is about, `facts`, `plot` and `write`.

    Raises
    ------
    UsageError
        As `tournament`.
    RunError
        If a strategy fails, or the games have no such decision.
    """
    prepare(progress)
    field = _field(strategies, run, edition, players, rules, seed)
    return _played_on(study_endings, field, games, repeats, threads, progress)


def auctions(
    strategies: Asked | Sequence[Asked] | None = None,
    *,
    run: Path | str | None = None,
    edition: str = "classic",
    players: int = 4,
    games: int = 2000,
    repeats: int = 2,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress = None,
    rules: Mapping[str, Any] | None = None,
) -> Study:
    """Measure what each kind of auction brings: the same lot in the same state is sold by every kind in the deck.

    Parameters
    ----------
    strategies, run, edition, players, games, repeats, seed, threads, progress, rules
        As for `endings`.

    Returns
    -------
    Study
        As of `endings`.

    Raises
    ------
    UsageError, RunError
        As `endings`.
    """
    prepare(progress)
    field = _field(strategies, run, edition, players, rules, seed)
    return _played_on(study_auctions, field, games, repeats, threads, progress)


def compare_editions(
    editions: Sequence[str],
    strategies: Asked | Sequence[Asked] | None = None,
    *,
    players: int = 4,
    games: int = 100_000,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress = None,
) -> Comparison:
    """Play the same strategies and deals under each rule set and return what changes.

    Parameters
    ----------
    editions : sequence of str
        Rule sets: a name, a TOML file, or `"classic(end_count=6)"`, with `players` as a key too; differences are from
        the first.
    strategies, players, seed, threads, progress
        As for `tournament`.
    games : int
        Games under each rule set.

    Returns
    -------
    Comparison
        `tables`: "metrics" and "win_shares", a row for each metric, or strategy, and rule set; `labels` names those.

    Raises
    ------
    UsageError, RunError
        As `tournament`.
    """
    parsed = [parse_rule_set(text) for text in editions]
    prepare(progress)
    bidders = load_players(with_fields(asked_list(strategies) or DEFAULT_FIELD))
    all_rules = [one.rules(players) for one in parsed]
    total = sum(n_blocks_for(rules, games) * rules.players for rules in all_rules)
    with shown_progress(progress, "games", total) as (start, advance):
        start(0)
        return rule_sets.compare_editions(
            parsed, bidders, players, games, seed=seed, threads=threads, on_progress=advance
        )


def _field(
    strategies: Asked | Sequence[Asked] | None,
    run: Path | str | None,
    edition: str,
    players: int,
    rules: Mapping[str, Any] | None,
    seed: int,
) -> Field:
    """Return who plays in a study and by which rules; arguments as of `endings`."""
    folder = None if run is None else Path(run)
    return field_of(asked_list(strategies), folder, edition, players, rule_words(rules), seed)


def _played_on(
    study: Callable[..., Study], field: Field, games: int, repeats: int, threads: int | None, progress: Progress
) -> Study:
    """Return a study of counterfactual playouts; arguments as of `endings`."""
    with shown_progress(progress, "games", games) as (_, advance):
        return study(field, games, repeats, threads, advance)
