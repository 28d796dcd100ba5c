"""What mistakes cost each strategy: the table that both counterfactual studies add to a run, and how it is shown."""

from collections.abc import Mapping

from modernart.analysis.measures.measure import (
    CASE,
    CAUSAL,
    MISTAKES,
    Cell,
    Column,
    Finding,
    Table,
    Tables,
    View,
    interval,
    numbers,
    range_in_words,
    value,
)

#: Mistakes of a strategy taken together, as the last row of each in a table of costs has it.
BOTH, ANY_KIND = SUMS = ("both", "any kind")


def cost_table(name: str) -> Table:
    """Return the declaration of a table of costs."""
    return Table(
        name,
        "a strategy and a mistake",
        {
            "decision": Column("ending, or kind of auction", evidence=CASE),
            "strategy": Column("who decides", evidence=CASE),
            "mistake": Column("what the strategy chose", evidence=CASE),
            "moments": Column("decision points at which it chose so", "decision points", CAUSAL),
            "switched": Column("share of them where another way promises more", "share", CAUSAL),
            "money": Column("what it loses by that, each mistake alone", "money a game", CAUSAL, interval=True),
        },
    )


def cost_findings(tables: Tables, name: str, what: str, words: Mapping[str, str]) -> list[Finding]:
    """Say of each strategy which mistake of a kind costs it most, where one surely does.

    Parameters
    ----------
    tables : Tables
    name : str
        A table of costs.
    what : str
        The decision, as it stands behind "by".
    words : mapping of str to str
        Each mistake, as it stands behind "by".
    """
    if name not in tables:
        return []
    # A strategy's last row is the sum of its others.
    frame = tables[name][~tables[name]["mistake"].isin(SUMS)]
    sure = frame[frame["money_low"] > 0].sort_values("money", ascending=False).drop_duplicates("strategy")
    if sure.empty:
        text = f"Measured effect: no strategy surely loses money by {what}, as far as these decision points tell."
        return [Finding(name, text, evidence=CAUSAL, question=MISTAKES)]
    losses = [
        f"{row.strategy} loses {row.money:.1f} by {words.get(row.mistake, row.mistake)} "
        f"({range_in_words(row.money_low, row.money_high, '.1f')})"
        for row in sure.itertuples()
    ]
    others = frame["strategy"].nunique() - len(sure)
    rest = f"; of {others} other strateg{'y' if others == 1 else 'ies'} no loss is sure" if others else ""
    worst = sure.iloc[0]
    text = f"Measured effect, in money a game: {'; '.join(losses)}{rest}."
    return [Finding(name, text, *numbers(worst.money, worst.money_low, worst.money_high), CAUSAL, MISTAKES)]


def cost_view(title: str, table: str) -> View:
    """Return a table of costs on the page."""
    return View(
        title,
        table,
        (
            Cell("strategy", "strategy"),
            Cell("mistake", "chose"),
            Cell("moments", "decision points", value(",")),
            Cell("switched", "better otherwise", value(".0%")),
            Cell("money", "money lost a game", interval(".1f")),
        ),
        "Causal: money a game lost where another way promises more by what the player could see. One half of the deals "
        "chooses, the other half judges.",
        lambda tables: tables.ranked(tables[table], "strategy"),
    )
