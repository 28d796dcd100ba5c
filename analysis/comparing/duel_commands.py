"""The command `duel`. Heavy imports wait until it runs."""

from typing import TYPE_CHECKING, Annotated

import typer

from modernart.analysis.cluster.option import SchedulerOption
from modernart.analysis.comparing.arguments import OpponentsOption
from modernart.analysis.comparing.naming import percent, percent_range
from modernart.analysis.plain import to_json
from modernart.simulator.arguments import (
    MOST_GAMES_KEPT,
    STUDIES,
    EditionOption,
    JsonOption,
    PlayersOption,
    RuleOption,
    SeedOption,
    ThreadsOption,
    whole,
)

if TYPE_CHECKING:
    from modernart.analysis.comparing.duel import Duel


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command(rich_help_panel=STUDIES)(duel)


def duel(
    a: Annotated[str, typer.Argument(metavar="A", help="Strategy to judge.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Strategy it is compared with.")],
    field: OpponentsOption = None,
    players: PlayersOption = 4,
    edition: EditionOption = "classic",
    rule: RuleOption = None,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
    scheduler: SchedulerOption = "threads",
    fixed: Annotated[
        int | None, whole("Play so many games; default: until it is clear.", 1, MOST_GAMES_KEPT, "GAMES")
    ] = None,
    most_games: Annotated[int, whole("Give up after so many games.", 1, MOST_GAMES_KEPT, "GAMES")] = 400_000,
    margin: Annotated[
        float, typer.Option(help="Differences of win share below this count as none.", min=0, max=1)
    ] = 0.01,
    as_json: JsonOption = False,
) -> None:
    """Compare two strategies in the same focal seat, against the same rivals, on the same deals and random streams."""
    from modernart.analysis.api.studies import duel as compare
    from modernart.simulator.rules import parse_overrides
    from modernart.strategies.specs import split_specs

    rivals = split_specs(field)
    result = compare(
        a,
        b,
        field=rivals,
        edition=edition,
        players=players,
        seed=seed,
        threads=threads,
        fixed=fixed,
        most_games=most_games,
        margin=margin,
        progress=True,
        rules=parse_overrides(rule or []),
    )
    if as_json:
        print(to_json(result.to_json()))
    else:
        one, other, *_ = result.names
        among = ", ".join(result.names[2:]) or f"copies of {other}"
        _show(result, one, other, among, margin, is_fixed=fixed is not None)


def _show(result: "Duel", one: str, other: str, among: str, margin: float, is_fixed: bool) -> None:
    """Print what a duel came to."""
    words = {
        "better": f"{one} is better than {other}",
        "worse": f"{one} is worse than {other}",
        "equal": f"{one} and {other} are equal within {100 * margin:g} points of win share",
        "undecided": f"no difference shown between {one} and {other}",
    }
    print(f"{words[result.verdict]} (in one focal seat among {among})\n")
    other_share = percent(result.win_share_other)
    print(f"win share        {percent(result.win_share)} {percent_range(result.win_share_ci)}, against {other_share}")
    print(f"difference      {100 * result.difference:+6.2f} points {percent_range(result.difference_ci, '+')}")
    low, high = result.money_difference_ci
    print(f"money           {result.money_difference:+6.2f} a game [{low:+.2f}, {high:+.2f}]")
    kind = "number fixed beforehand" if is_fixed else "valid whenever one looks; estimates corrected for stopping"
    print(f"\n{result.games:,} games each on the same deals; 95% intervals ({kind})")
