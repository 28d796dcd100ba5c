"""`run.json`: what a run folder says of its run, checked when it is read."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from modernart.simulator.errors import UsageError
from modernart.simulator.files import parse_json, read_text
from modernart.simulator.limits import MAX_WHOLE
from modernart.simulator.rules import Rules

FORMAT = "modern-art-run"
#: Rises when a file of a run folder changes its meaning.
VERSION = 1
RUN_FILE = "run.json"

_Count = Annotated[int, Field(ge=0, le=MAX_WHOLE)]
_Name = Annotated[str, Field(min_length=1, max_length=10_000)]


class _Entry(BaseModel):
    model_config = ConfigDict(strict=True)


class _StrategyEntry(_Entry):
    name: _Name
    params: list[float]


class _Identity(_Entry):
    model_config = ConfigDict(strict=True, extra="allow")

    seed: _Count
    rules: dict[str, Any]
    strategies: Annotated[list[_StrategyEntry], Field(min_length=1)]
    code: str


class Part(_Entry):
    """The blocks that a run plays of a larger one: `first` to `last - 1` of `of`."""

    first: _Count
    last: _Count
    of: _Count


class _RunFile(_Entry):
    """What every version has written; the rest tells of costs and origin."""

    model_config = ConfigDict(strict=True, extra="allow")

    format: Literal["modern-art-run"]
    version: Literal[1]
    command: str
    edition: str
    players: _Count
    games: _Count
    games_played: _Count
    blocks: _Count
    complete: bool
    identity: _Identity
    part: Part | None = None
    target: dict[str, Any] | None = None


def read_run_file(folder: Path) -> dict[str, Any]:
    """Return the content of a folder's `run.json`.

    Raises
    ------
    UsageError
        If the folder holds no run, or one that this version does not read.
    """
    path = Path(folder) / RUN_FILE
    if not path.parent.is_dir():
        raise UsageError(f"there is no run folder {folder}; make one with `modernart tournament --output {folder}`")
    if not path.is_file():
        raise UsageError(f"{folder} is no run folder: it has no {RUN_FILE}")
    text = read_text(path)
    try:
        data = parse_json(text)
        checked = _RunFile.model_validate(data)
        rules = Rules.from_record(data["identity"]["rules"])
        if rules.players != checked.players:
            raise ValueError(f"players is {checked.players}, but its rules are for {rules.players}")
        told = (checked.command, checked.edition, *(strategy.name for strategy in checked.identity.strategies))
        if not all(one.isprintable() for one in told):
            raise ValueError("a name in it holds what is not printable")
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        reason = f"{'.'.join(map(str, first['loc'])) or 'the whole'}: {first['msg']}"
        raise _unreadable(path, reason) from None
    except (ValueError, UsageError) as error:
        raise _unreadable(path, str(error)) from None
    return data


def _unreadable(path: Path, reason: str) -> UsageError:
    return UsageError(f"{path} is not readable: {reason}; choose another folder or delete it")
