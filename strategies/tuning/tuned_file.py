"""Parameters that tuning found, kept in TOML files: `predictive@results/tune-x/tuned.toml`."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from modernart.simulator.errors import UsageError
from modernart.simulator.files import is_file, read_toml, whole_file
from modernart.simulator.wording import near_names, shown
from modernart.strategies.base import Strategy

#: Tuned parameters that come with the program; each file names the command that made it.
_SHIPPED = Path(__file__).parent / "tuned"


def shipped_names() -> list[str]:
    """Return what may stand behind the `@` for the parameters that come with the program."""
    return sorted(path.stem for path in _SHIPPED.glob("*.toml"))


def with_tuned_parameters(strategy: Strategy, source: str) -> Strategy:
    """Return a strategy whose defaults are the parameters of a file.

    Parameters
    ----------
    strategy : Strategy
        The strategy before the `@` of a spec.
    source : str
        What stands behind it: a TOML file, or a name of `shipped_names`.

    Returns
    -------
    Strategy
        Named `strategy@source`; parameters that the file leaves out keep their defaults.

    Raises
    ------
    UsageError
        If there is no such file, or it is not for this strategy, or a parameter is unknown or out of bounds.
    """
    path = _SHIPPED / f"{source}.toml" if source in shipped_names() else Path(source)
    if not is_file(path):
        near = near_names(source, shipped_names(), 1)
        hint = f"did you mean {strategy.name}@{near[0]}?" if near else "`modernart tune` makes such files"
        raise UsageError(f'there is no file "{source}" with parameters of {strategy.name}; {hint}')
    data = read_toml(path)
    owner, values = data.get("strategy"), data.get("parameters")
    if not isinstance(owner, str) or not isinstance(values, dict):
        raise UsageError(f'{path} must hold strategy = "NAME" and a table [parameters]')
    if _own_name(owner) != _own_name(strategy.name):
        raise UsageError(f"{path} holds parameters of {owner}, not of {strategy.name}; write {owner}@{source}")
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise UsageError(f"{path}: {name} must be a number, got {shown(value)}")
    tuned = strategy.with_values(values).values
    params = {name: replace(p, default=float(tuned.get(name, p.default))) for name, p in strategy.params.items()}
    return replace(strategy, name=f"{strategy.name}@{source}", params=params, values={})


def write_tuned_file(
    path: Path, strategy: str, values: Mapping[str, float], command: str, study: Mapping[str, Any]
) -> None:
    """Write parameters as a file for specs.

    Parameters
    ----------
    path : Path
        Written whole or not at all.
    strategy : str
        Name of the strategy, without an `@`.
    values : mapping of str to float
        All parameters; written so that they come back to the last bit.
    command : str
        Command line that made them.
    study : mapping of str to str, int, float or bool
        What else to tell about their origin.
    """
    lines = [
        f"# Parameters of {strategy}, made by the command below. Play them with {strategy}@THIS_FILE.",
        f"strategy = {_toml(strategy)}",
        f"command = {_toml(command)}",
        "",
        "[parameters]",
        *(f"{_toml(name) if not name.isidentifier() else name} = {float(value)!r}" for name, value in values.items()),
        "",
        "[study]",
        *(f"{name} = {_toml(value)}" for name, value in study.items()),
    ]
    with whole_file(path) as file:
        file.write("\n".join(lines) + "\n")


def _own_name(name: str) -> str:
    """Name of a strategy without folders and without the origin of its parameters: `bots.py:shy`."""
    return name.split("@")[0].rpartition("/")[2]


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
