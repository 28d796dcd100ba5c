"""From the text that names a strategy to the strategy: `half_value`, `half_value(shade=0.6)`, `mybots.py:shy`."""

import ast
import importlib.util
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from modernart.simulator.errors import UsageError
from modernart.simulator.files import is_file
from modernart.simulator.players import Player
from modernart.simulator.wording import cut, near_names, one_of
from modernart.strategies.base import Strategy
from modernart.strategies.expressions import load_expressions
from modernart.strategies.learning.weights_file import weights_from
from modernart.strategies.loading import FILES_READ, foreign_code
from modernart.strategies.registry import BY_NAME, load_offered, offered
from modernart.strategies.search.policies import Searcher
from modernart.strategies.tuning.tuned_file import with_tuned_parameters

#: Parameters at the end of a spec: `(shade=0.6, raise=2)`. What ends otherwise has none, whatever a path holds.
_VALUES = re.compile(r"(?P<rest>.*\S)\s*\((?P<values>[^()]*)\)", re.DOTALL)
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
#: A file of a bot, with the name of the bot for one in Python.
_FILE = re.compile(r"(?P<file>.+\.py):\w+|(?P<other>.+\.(?:toml|py))", re.DOTALL)
_LONGEST = 4096


def load_strategy(spec: str | Strategy) -> Strategy:
    """Return the strategy that a spec names.

    Parameters
    ----------
    spec : str or Strategy
        A strategy itself, which is returned; or a built-in name, that of another package's strategy, `FILE.py:NAME`,
        or `FILE.toml` (a bot of expressions); then, if wanted, `@FILE.toml` with tuned parameters or, for `learned`,
        `@FILE.npz` with weights, and parameters in brackets.

    Raises
    ------
    UsageError
        If there is no such strategy, file or parameter, or the file does not load.
    """
    if isinstance(spec, Strategy):
        return spec
    if not isinstance(spec, str):
        hint = "put @strategy above the function" if callable(spec) else "write its name as text"
        raise UsageError(f"{cut(repr(spec), 80)} is no strategy; {hint}")
    spec = spec.strip()
    if not spec or len(spec) > _LONGEST or not spec.isprintable():
        raise UsageError(f'"{cut(spec, 80)}" names no strategy; write NAME, NAME(parameter=number) or FILE.py:NAME')
    match = _VALUES.fullmatch(spec)
    with FILES_READ.loading():
        found = _without_values(match["rest"] if match else spec)
    return found.with_values(_values(spec, match["values"])) if match and match["values"].strip() else found


def _without_values(text: str) -> Strategy:
    """Load the strategy of a spec without parameters."""
    base, source = _split_source(text)
    if base.endswith(".toml"):
        found = load_expressions(Path(base))
    elif ".py:" in base or base.endswith(".py"):
        found = _from_file(base)
    else:
        found = _by_name(base)
    if source and isinstance(found, Searcher):
        found = found.based_on(source)
    elif source and callable(found.data) and not source.endswith(".toml"):
        found = replace(found, name=f"{found.name}@{source}", data=weights_from(source))
    elif source:
        found = with_tuned_parameters(found, source)
    return found


def _split_source(text: str) -> tuple[str, str]:
    """Split a spec without parameters at the `@` before its source; a path may hold an `@` of its own."""
    places = [i for i, sign in enumerate(text) if sign == "@"]
    for end in (len(text), *reversed(places)):
        match = _FILE.fullmatch(text[:end])
        if match and is_file(match["file"] or match["other"]):
            return text[:end], text[end + 1 :]
    base, _, source = text.partition("@")
    return base.rstrip(), source.strip()


def split_specs(text: str | None) -> list[str]:
    """Split a list of specs at the commas that stand outside brackets."""
    return [part.strip() for part in re.split(r",(?![^(]*\))", text or "") if part.strip()]


def load_players(specs: Sequence[str | Strategy]) -> list[Player]:
    """Return players for specs or strategies; a spec that comes again is told apart by a number."""
    players = []
    seen: dict[str, int] = {}
    for spec in specs:
        strategy = load_strategy(spec)
        name = strategy.spec
        seen[name] = seen.get(name, 0) + 1
        players.append(strategy.player(f"{name} #{seen[name]}" if seen[name] > 1 else name))
    return players


def _by_name(name: str) -> Strategy:
    if name in BY_NAME:
        return BY_NAME[name]
    known = offered()
    if name in known:
        return load_offered(known[name])
    near = near_names(name, [*BY_NAME, *known])
    hint = f"did you mean {one_of(near)}?" if near else "`modernart strategies` lists them"
    raise UsageError(f'there is no strategy "{cut(name, 80)}"; {hint}')


def _values(spec: str, text: str) -> dict[str, float]:
    """Read `shade=0.6, raise=2` as numbers by name."""
    values: dict[str, float] = {}
    for item in text.removesuffix(",").split(","):
        name, _, number = (part.strip() for part in item.partition("="))
        if not name.isidentifier() or not _NUMBER.fullmatch(number):
            raise UsageError(f'"{cut(spec, 80)}": write parameters as NAME(parameter=number, ...)')
        if name in values:
            raise UsageError(f'"{cut(spec, 80)}": {name} is given twice; keep one')
        values[name] = float(number)
    return values


def _from_file(base: str) -> Strategy:
    file, _, name = base.rpartition(":") if not base.endswith(".py") else (base, "", "")
    path = Path(file)
    if not is_file(path):
        raise UsageError(f'there is no file "{cut(file, 200)}" to load a strategy from')
    module = _load_module(path)
    strategies = {key: value for key, value in vars(module).items() if isinstance(value, Strategy)}
    own = ", ".join(strategies) or "none; put @strategy() above its function"
    if not name:
        raise UsageError(f"name the strategy in {file}, as {file}:NAME; it has: {own}")
    if name not in strategies:
        raise UsageError(f'there is no strategy "{name}" in {file}; it has: {own}')
    found = strategies[name]
    # Its name in tables is the spec that brings it back.
    return Strategy(f"{file}:{name}", found.function, found.params, found.sources, found.values, found.data)


#: The parts of the project, which bots written before it had a name of its own import without that name.
_PARTS = ("simulator", "strategies", "analysis")
_ROOT = Path(__file__).resolve().parents[1]


def _refuse_old_names(path: Path) -> None:
    """Refuse a file that imports the project's parts without `modernart`, unless the user has modules of that name.

    Raises
    ------
    UsageError
        It names the line and what to write instead.
    """
    try:
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    except (OSError, SyntaxError, ValueError):
        return  # Loading the file tells what is wrong with it.
    for node in nodes:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [str(node.module)]
        else:
            continue
        for name in names:
            if name.partition(".")[0] in _PARTS and not _stands_beside(path, name.partition(".")[0]):
                raise UsageError(f"{path}, line {node.lineno}: write `{_new_import(node, name)}`")


def _stands_beside(path: Path, top: str) -> bool:
    """Tell whether a user's own module or package of this name lies in the folder of their bot."""
    folder = path.resolve().parent / top
    return folder.with_suffix(".py").is_file() or (folder.is_dir() and folder.resolve() != _ROOT / top)


def _new_import(node: ast.Import | ast.ImportFrom, name: str) -> str:
    """Return the import statement under today's names; a module that moved into a folder is looked up by its file."""
    top, _, rest = name.partition(".")
    found = sorted((_ROOT / top).rglob(f"{rest.rpartition('.')[2]}.py")) if rest else []
    new = ".".join(found[0].relative_to(_ROOT).with_suffix("").parts) if len(found) == 1 else name
    if isinstance(node, ast.Import):
        alias = next(alias for alias in node.names if alias.name == name)
        head, _, tail = f"modernart.{new}".rpartition(".")
        return f"from {head} import {tail}" + (f" as {alias.asname}" if alias.asname else "")
    names = ", ".join(alias.name + (f" as {alias.asname}" if alias.asname else "") for alias in node.names)
    return f"from modernart.{new} import {names}"


def _load_module(path: Path) -> ModuleType:
    _refuse_old_names(path)
    module_name = f"modernart_user_{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, path.resolve())
    if spec is None or spec.loader is None:
        raise UsageError(f"{path} cannot be loaded as a Python module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        with _neighbours_of(str(path.resolve().parent)), foreign_code(str(path)):
            spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(module_name, None)
        raise
    return module


#: The folder of the last bot where it was put on Python's path, and the modules in it that the bot imported.
_folders: list[str] = []
_neighbours: list[str] = []


@contextmanager
def _neighbours_of(folder: str) -> Iterator[None]:
    """Let a bot import the modules beside it, as a script may: as they are now, and no others of the same name."""
    for name in _neighbours:
        # Of another bot's folder, or edited since: functions that use it keep it.
        sys.modules.pop(name, None)
    # Behind all else, so that none takes the place of a library.
    sys.path[:] = [entry for entry in sys.path if entry not in _folders]
    _folders.clear()
    if folder not in sys.path:
        _folders.append(folder)
        sys.path.append(folder)
    before = set(sys.modules)
    try:
        yield
    finally:
        _neighbours[:] = [name for name in sys.modules if name not in before and _lies_in(name, folder)]


def _lies_in(name: str, folder: str) -> bool:
    """Tell whether a loaded module's file lies in a folder."""
    file = getattr(sys.modules[name], "__file__", None)
    return file is not None and not name.startswith("modernart") and Path(file).is_relative_to(folder)
