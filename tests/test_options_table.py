"""The table of options in docs/rules.md is made from their declarations: `python tests/test_options_table.py`."""

import re
from pathlib import Path

from modernart.simulator.options import OPTIONS, Choice, Options, Switch, Values, Whole, WholeList, option_meanings

RULES = Path(__file__).parent.parent / "docs" / "rules.md"
HEAD = "| option | `classic` | other values | what it decides |\n|---|---|---|---|\n"
TABLE = re.compile(re.escape(HEAD) + r"(?:\|.*\n)*")


def in_words(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return f"`{value}`" if isinstance(value, str) else f"{value}"


def others(values: Values, value: object) -> str:
    match values:
        case Choice():
            return ", ".join(f"`{word}`" for word in values.words if word != value)
        case Switch():
            return in_words(not value)
        case Whole():
            return f"{values.low} to {values.high}"
        case WholeList():
            return f"1 to {values.most} numbers, each up to {values.high}"
    raise TypeError(f"say in tests/test_options_table.py how {values} are told")


def table() -> str:
    rows = []
    for name, meaning in option_meanings().items():
        value = Options.model_fields[name].default
        rows.append(f"| `{name}` | {in_words(value)} | {others(OPTIONS[name], value)} | {meaning} |\n")
    return HEAD + "".join(rows)


def test_rules_tell_every_option_as_it_is_declared():
    (told,) = TABLE.findall(RULES.read_text(encoding="utf-8"))
    assert told == table(), "remake the table with `python tests/test_options_table.py`"


def test_rows_of_the_table_in_literal_words():
    rows = table().splitlines()
    assert "| `end_count` | 5 | 2 to 30 | cards of one artist that end a round |" in rows
    assert "| `debt` | false | true | whether money may fall below zero by black-framed cards |" in rows
    meaning = "who may turn up a card of the face-down extra hand after a sale"
    assert f"| `shill` | `none` | `buyer`, `auctioneer` | {meaning} |" in rows


if __name__ == "__main__":
    told = RULES.read_text(encoding="utf-8")
    RULES.write_text(TABLE.sub(lambda found: table(), told), encoding="utf-8")
