"""The dictionary of all columns of all tables: `python -m modernart.analysis.measures.dictionary > docs/columns.md`."""

from modernart.analysis.measures import all_measures

_HEAD = """# Columns of the tables

`modernart report RUN` writes these tables into the folder `tables/` of a run, as Parquet files and with `--csv` as CSV
files too. `*` marks columns with a 95 % interval beside them, in `NAME_low` and `NAME_high`.

What a number rests on:

- *case*: names what the row is about;
- *designed*: the balanced design, in which strategies play the same deals from every seat: a difference between
  strategies or seats is an effect;
- *observed*: what players chose to do: a difference between rows is not the effect of a choice;
- *causal*: the same position played on in several ways.
"""


def markdown() -> str:
    """Return the dictionary, made from the measures themselves."""
    parts = [_HEAD]
    for measure in all_measures():
        for table in measure.tables:
            source = "" if table.make is not None else " A study adds it."
            parts.append(f"## {table.name}\n\nOne row: {table.rows}.{source}\n\n")
            parts[-1] += "| column | unit | rests on | meaning |\n|---|---|---|---|\n"
            for name, column in table.columns.items():
                star = "*" if column.interval else ""
                parts[-1] += f"| `{name}`{star} | {column.unit} | {column.evidence} | {column.meaning} |\n"
    return "\n".join(parts)


if __name__ == "__main__":
    print(markdown(), end="")
