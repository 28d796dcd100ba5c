"""What the compiler says of a strategy that does not compile, as one sentence with the line of the bot."""

import dis
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType

from modernart.simulator.code_cache import ROOT
from modernart.simulator.state import HAND, HAND_DTYPE, RULES_DTYPE, TABLE, TABLE_DTYPE
from modernart.simulator.wording import near_names, one_of
from modernart.strategies.identity import foreign_dispatchers

_RECORDS = {"table": (TABLE, TABLE_DTYPE), "hand": (HAND, HAND_DTYPE), "table.rules": (None, RULES_DTYPE)}
#: How the compiler writes types, and the plain words for them.
_WORDS = (
    (r"Literal\[int\]\(-?\d+\)|u?int(8|16|32|64)\b", "int"),
    (r"Literal\[str\]\([^()]*\)|unicode_type", "text"),
    (r"Literal\[bool\]\(\w+\)|\bboolean\b", "bool"),
    (r"float(32|64)\b", "float"),
    (r"OptionalType\((\w+)\)", r"\1 or nothing"),
    (r"\bnone\b", "nothing"),
    (r"Function\(<(?:built-in )?function (\w+)>\)", r"\1"),
    (r"type\(CPUDispatcher\(<function (\w+) at 0x\w+>\)\)", r"\1"),
    (r"<iv=None>", ""),
)
_OPERATORS = {
    "add": "+", "iadd": "+", "sub": "-", "isub": "-", "mul": "*", "imul": "*", "truediv": "/", "itruediv": "/",
    "floordiv": "//", "mod": "%", "pow": "**", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=",
}  # fmt: skip
_LONGEST = 300


def reason_of(error: Exception, function: Callable) -> str:
    """Return why a strategy does not compile.

    Parameters
    ----------
    error : Exception
        What the compiler raised.
    function : callable
        The plain function of the strategy.

    Returns
    -------
    str
        What is wrong, in the words of a bot's author, and the line of the bot's file where it can be told.
    """
    if isinstance(error, KeyError):
        return _without_field(str(error.args[0]), function)
    text = _plain_types(str(error))
    told = _bound_wrongly(text, function) or _returned_wrongly(text) or _called_wrongly(text) or _unified_wrongly(text)
    line = _line_in(text, function)
    if told is None:
        told = _first_sentence(text)
        missing = re.search(r"name '(\w+)' is not defined|has no attribute '(\w+)'", told)
        line = line or (missing and _line_of_name(missing[1] or missing[2], function))
    return told[:_LONGEST] + (f", {line}" if line else "")


def _plain_types(text: str) -> str:
    """Return a message with plain words in place of the compiler's types."""
    for name, (record, _) in _RECORDS.items():
        if record is not None:
            text = text.replace(str(record), name).replace(repr(record), name)
    for pattern, word in _WORDS:
        text = re.sub(pattern, word, text)
    return text


def _bound_wrongly(text: str, function: Callable) -> str | None:
    """Tell of a call with too few or too many arguments."""
    match = re.search(r"Cannot bind 'args=\((.*?)\) kws=\{.*\}' to signature '(\(.*?\))' due to \"\w+: (.*)\"", text)
    if match is None:
        return None
    given, signature, why = match.groups()
    callee = re.search(r"resolving callee type: (\w+)", text[match.end() :])
    name = callee[1] if callee else "a function"
    if name == function.__name__ and given == "table, hand":
        return f"a strategy takes (table, hand), but {name} takes {signature}"
    return f"{name} takes {signature}, but is called with ({given.rstrip(',')}): {why}"


def _returned_wrongly(text: str) -> str | None:
    """Tell of an answer that is no whole number: the guard could not turn it into one."""
    match = re.search(r">>> <unknown function>\((.*)\)", text)
    if match is None or "class(int)" not in text:
        return None
    return f"a strategy must return a whole number wherever it ends, but it returns {match[1]}"


def _called_wrongly(text: str) -> str | None:
    """Tell of a function that the compiler does not know for such arguments."""
    match = re.search(r"No implementation of function (\w+|\S+) found for signature:\s*>>> (\w+)\((.*)\)", text)
    if match is None:
        return None
    name, arguments = match[2], match[3]
    sign = _OPERATORS.get(name)
    left, comma, right = arguments.partition(", ")
    if sign and comma:
        return f"the compiler knows no {left} {sign} {right}"
    return f"the compiler knows no {name}({arguments})"


def _unified_wrongly(text: str) -> str | None:
    """Tell of a variable that is of two types."""
    match = re.search(r"Cannot unify (.+?) and (.+?) for '(\$?\w+)[.\d]*'", text)
    if match is None:
        return None
    name = "an expression" if match[3].startswith("$") else match[3]
    return f"{name} is {match[1]} in one place and {match[2]} in another; use one type"


def _first_sentence(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = next((line for line in lines if not line.startswith("Failed in")), "no reason given")
    return re.sub(r"\.*\s*Raised from .*", "", told)


def _without_field(name: str, function: Callable) -> str:
    """Tell of a field that a record does not have."""
    line = _line_of_name(name, function)
    holders = [record for record, (_, kind) in _RECORDS.items() if name in (kind.names or ())]
    if holders and line is None:
        return f"a helper is called with another record than the {one_of(holders)} whose {name} it reads"
    near = near_names(name, {field for _, kind in _RECORDS.values() for field in kind.names or ()}, 1)
    where = [record for record, (_, kind) in _RECORDS.items() if near and near[0] in (kind.names or ())]
    hint = f"; did you mean {where[0]}.{near[0]}?" if near else ""
    if holders:
        hint = f"; {one_of(holders)} has it"
    return f'there is no field "{name}" in that record{hint}' + (f", {line}" if line else "")


def _line_in(text: str, function: Callable) -> str | None:
    """Return the first line that a message names in a file of the user's own."""
    places = re.findall(r"(?:typing of [\w -]+ at|defined at|Raised from) (.+?) \((\d+)\)", text)
    own = {Path(code.co_filename).name: code.co_filename for code in _codes_of(function)}
    for file, number in places:
        # The compiler writes paths relative to where it runs, so only the name can be compared.
        if Path(file).name in own and not Path(file).is_relative_to(ROOT):
            return f"line {number} of {_shown_file(own[Path(file).name])}"
    return None


def _line_of_name(name: str, function: Callable) -> str | None:
    """Return the line in which the user's own code reads a name or a field."""
    for code in _codes_of(function):
        for step in dis.get_instructions(code):
            if step.argval == name and step.positions is not None and step.positions.lineno is not None:
                return f"line {step.positions.lineno} of {_shown_file(code.co_filename)}"
    return None


def _codes_of(function: Callable) -> Iterator[CodeType]:
    """Yield the code of a strategy and of the user's own functions that it reaches."""
    yield inspect.unwrap(function).__code__
    for compiled in foreign_dispatchers(function):
        yield compiled.py_func.__code__


def _shown_file(file: str) -> str:
    return Path(file).name if Path(file).is_file() else "its cell"
