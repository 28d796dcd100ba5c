"""What mistakes cost each strategy: the table that both counterfactual studies add to a run, and how it is shown."""

from modernart.analysis.measures.measure import CASE, CAUSAL, Cell, Column, Table, View, interval, value


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
    )
