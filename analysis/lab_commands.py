"""Commands that compare, tune and test strategies: `duel`, `tune`, `exploit`, `sensitivity`, `metagame`.

Heavy imports wait until a command runs.
"""

import json
import re
from typing import Annotated

import typer

# Options that several commands share.
EDITION = Annotated[str, typer.Option(help="Edition, or a TOML file.")]
RULE = Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help="Change a rule; can be repeated.")]
PLAYERS = Annotated[int, typer.Option(help="Seats at the table.")]
SEED = Annotated[int, typer.Option(help="Run seed.", min=0)]
THREADS = Annotated[int | None, typer.Option(help="Threads; default: all cores.", min=1)]
JSON = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def register(app: typer.Typer) -> None:
    """Add these commands to `app`."""
    app.command()(duel)


def split_specs(text: str | None) -> list[str]:
    """Split specs at the commas that stand outside brackets."""
    return [part.strip() for part in re.split(r",(?![^(]*\))", text or "") if part.strip()]


def duel(
    a: Annotated[str, typer.Argument(metavar="A", help="Strategy to judge.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Strategy it is compared with.")],
    field: Annotated[
        str | None, typer.Option(metavar="X,Y,Z", help="Strategies in all other seats; default: copies of B.")
    ] = None,
    players: PLAYERS = 4,
    edition: EDITION = "classic",
    rule: RULE = None,
    seed: SEED = 1,
    threads: THREADS = None,
    fixed: Annotated[
        int | None, typer.Option(metavar="GAMES", help="Play so many games; default: until it is clear.", min=1)
    ] = None,
    most_games: Annotated[int, typer.Option(metavar="GAMES", help="Give up after so many games.", min=1)] = 400_000,
    margin: Annotated[float, typer.Option(help="Differences of win share below this count as none.", min=0)] = 0.01,
    as_json: JSON = False,
) -> None:
    """Compare two strategies in the same chair, at the same tables, on the same deals and dice."""
    from analysis.duel import duel as play_duel
    from simulator.jit import announce_compilation
    from simulator.rules import load_edition, parse_overrides
    from strategies.specs import load_strategy

    rules = load_edition(edition, parse_overrides(rule or [])).rules(players)
    one, other = (load_strategy(spec).player() for spec in (a, b))
    rivals = [load_strategy(spec).player() for spec in split_specs(field)]
    announce_compilation()
    with _progress() as progress:
        task = progress.add_task("playing", total=fixed or most_games)

        def show(games: int, interval: tuple[float, float]) -> None:
            words = f"difference {100 * interval[0]:+.1f} to {100 * interval[1]:+.1f} points"
            progress.update(task, completed=games, description=words)

        result = play_duel(
            one,
            other,
            rivals,
            rules,
            seed=seed,
            threads=threads,
            fixed=fixed,
            most_games=most_games,
            margin=margin,
            on_progress=show,
        )
    if as_json:
        print(json.dumps(result.to_json()))
        return
    words = {
        "better": f"{one.name} is better than {other.name}",
        "worse": f"{one.name} is worse than {other.name}",
        "equal": f"{one.name} and {other.name} are equal within {100 * margin:g} points of win share",
        "undecided": f"no difference shown between {one.name} and {other.name}",
    }
    print(f"{words[result.verdict]} (in a chair among {_names(rivals) or 'copies of ' + other.name})\n")
    other_share = _share(result.win_share_other)
    print(f"win share        {_share(result.win_share)} {_range(result.win_share_ci)}, against {other_share}")
    print(f"difference      {100 * result.difference:+6.2f} points {_range(result.difference_ci, '+')}")
    low, high = result.money_difference_ci
    print(f"money           {result.money_difference:+6.2f} a game [{low:+.2f}, {high:+.2f}]")
    kind = "number fixed beforehand" if fixed else "valid whenever one looks; estimates corrected for stopping"
    print(f"\n{result.games:,} games each on the same deals; 95% intervals ({kind})")


def _names(players: list) -> str:
    return ", ".join(player.name for player in players)


def _share(share: float) -> str:
    return f"{100 * share:.2f}%"


def _range(interval: tuple[float, float], sign: str = "") -> str:
    return f"[{100 * interval[0]:{sign}.2f}, {100 * interval[1]:{sign}.2f}]"


def _progress():
    """Return a progress display on stderr that is gone when the work is done."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,} games"),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
