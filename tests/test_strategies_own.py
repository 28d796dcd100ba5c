"""Own bidders: templates, files of expressions, other packages' strategies, and the commands around them."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from typer.testing import CliRunner

import modernart.command_line
import modernart.strategies.registry
from modernart.simulator.errors import BotError, RunError, UsageError
from modernart.simulator.rules import load_edition
from modernart.simulator.simulate import score, simulate
from modernart.strategies.base import Param
from modernart.strategies.expressions import (
    IN_BIDS,
    BotFile,
    bounded,
    compile_expression,
    load_expressions,
    strategy_of,
)
from modernart.strategies.new_bot import write_template
from modernart.strategies.specs import load_players, load_strategy


def run(*arguments: str):
    return CliRunner().invoke(modernart.command_line.app, list(arguments))


def shares_of(specs: list[str], blocks: int = 30):
    players = load_players(specs)
    rules = load_edition("classic").rules(len(players))
    return score(players, rules, range(len(players)), 0, blocks, threads=1).win_share.mean(axis=0)


@pytest.mark.parametrize("file", ["mybot.py", "mybot.toml"])
def test_a_template_runs_at_once_and_beats_random_bidders(file, tmp_path):
    spec = write_template(tmp_path / file)
    assert shares_of([spec, "random", "random"])[0] > 0.6


def test_a_template_never_replaces_a_file(tmp_path):
    (tmp_path / "mybot.py").write_text("precious")
    with pytest.raises(UsageError, match="exists already"):
        write_template(tmp_path / "mybot.py")
    with pytest.raises(UsageError, match=r"must end with \.py"):
        write_template(tmp_path / "mybot.txt")
    assert (tmp_path / "mybot.py").read_text() == "precious"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("__import__('os')", "may call min"),
        ("value.real", "may hold only numbers"),
        ("[1, 2][0]", "may hold only numbers"),
        ("lambda: 1", "may hold only numbers"),
        ("value ** 9", "may hold only numbers"),
        ("valu * 2", "did you mean value"),
        ("min", 'there is no number "min"'),
        ("min(1)", "may call min"),
        ("'text'", "only numbers up to 1e9"),
        ("1e400", "only numbers up to 1e9"),
        ("3 +", "is no expression"),
        ("", "is no expression"),
        ("-" * 480 + "n", "more than 60 levels"),
        ("(" * 220 + "n" + ")" * 220, "is no expression"),
        ("+".join("n" * 100), "more than 60 levels"),
    ],
)
def test_expressions_hold_nothing_but_arithmetic_of_known_names(text, words):
    with pytest.raises(UsageError, match=words):
        compile_expression(text, IN_BIDS, "mybot.toml, bids.open")


def test_a_division_by_zero_names_the_expression_and_the_game(tmp_path):
    path = tmp_path / "bot.toml"
    path.write_text('value = "10 / (n - n)"\n')
    with pytest.raises(RunError, match=r'bot.toml" failed at seat \d .* value divides by zero'):
        shares_of([str(path), "random", "random"], 4)


def test_only_the_expression_that_is_asked_for_divides():
    """The auctioneer is asked in most kinds of auction, but never whether to accept the price."""
    bot = strategy_of(BotFile.model_validate({"bids": {"accept": "value / (1 - mine)"}}), "careful")
    players = [bot.player(), *load_players(["random", "half_value"])]
    assert score(players, load_edition("classic").rules(3), [0, 1, 2], 0, 10, threads=1).n_games == 30


def test_parameters_of_a_file_of_expressions_are_numbers_of_specs(tmp_path):
    path = tmp_path / "bot.toml"
    path.write_text('[parameters]\nshare = 0.5\nmost = {default = 40, low = 10, high = 99, doc = "never more"}\n')
    with path.open("a") as file:
        file.write('[bids]\nopen = "min(share * value, most)"\n')
    bot = load_strategy(f"{path}(share=0.25)")
    assert bot.vector == [0.25, 40.0]
    assert bot.params["most"] == Param(40.0, 10.0, 99.0, "never more")
    with pytest.raises(UsageError, match="most must be from 10 to 99, got 100"):
        load_strategy(f"{path}(most=100)")
    source = compile_expression("min(share * value, most)", IN_BIDS, "bot", tuple(bot.params))
    assert source == "min(hand.params[0] * value, hand.params[1])"


def test_a_parameter_decides_what_a_file_of_expressions_pays(tmp_path):
    spec = write_template(tmp_path / "bot.toml")
    nothing, half = (shares_of([f"{spec}(share={share})", "half_value", "half_value"])[0] for share in (0, 0.75))
    assert nothing < 0.2 < half


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("money = 1", '"money" is a number that every bot has'),
        ("min = 1", '"min" is a number that every bot has'),
        ('"a b" = 1', '"a b" is no name'),
        ("share = {default = 2}", "default 2 must lie from low 0 to high 1"),
        ("share = {default = inf}", "finite number"),
        ('share = "half"', "valid dictionary"),
    ],
)
def test_a_wrong_parameter_of_expressions_is_told_what_to_change(line, words, tmp_path):
    path = tmp_path / "bot.toml"
    path.write_text(f"[parameters]\n{line}\n")
    with pytest.raises(UsageError, match=words):
        load_expressions(path)


def test_what_is_no_number_bids_nothing():
    huge = " * ".join(["1e9"] * 40)
    assert bounded(float("nan")) == 0.0
    assert bounded(float("-inf")) == -1e9
    bot = strategy_of(BotFile.model_validate({"value": f"({huge}) * (n - n)"}), "lost")
    players = [bot.player(), *load_players(["half_value"])]
    assert score(players, load_edition("classic").rules(3), [0, 1, 1], 0, 4, threads=1).n_games == 12


def test_whole_numbers_do_not_wrap():
    assert compile_expression("1000000000 * 3", IN_BIDS, "bot") == "1000000000.0 * 3.0"


def test_a_file_of_expressions_plays_like_the_built_in_it_spells_out(tmp_path):
    """Value now, all of it, own lots at half: `full_value`, apart from once-around bids of its own lots."""
    rules = {kind: "value if not mine else 0.5 * value" for kind in ("open", "once_around", "sealed")}
    rules |= {"ask": "value", "accept": "value"}
    bot = strategy_of(BotFile.model_validate({"value": "crowns * now", "bids": rules}), "spelled")
    line_up = [0, 1, 1]
    classic = load_edition("classic", {"open_style": "limit"}).rules(3)
    others = load_players(["half_value"])
    built_in = load_players(["full_value"])
    ours = score([bot.player(), *others], classic, line_up, 0, 100, threads=1).money.mean(axis=0)
    theirs = score([*built_in, *others], classic, line_up, 0, 100, threads=1).money.mean(axis=0)
    assert ours[0] == pytest.approx(theirs[0], rel=0.1)


def test_an_ending_rule_decides_who_ends(tmp_path):
    always = strategy_of(BotFile.model_validate({"ending": {"end_round": "1"}}), "always")
    never = strategy_of(BotFile.model_validate({"ending": {"end_round": "0"}}), "never")
    rules = load_edition("classic").rules(3)
    cards = []
    for bot in (always, never):
        run_ = simulate([bot.player()], rules, 150, threads=1)
        cards.append(run_.n_decisions / run_.n_games)
    assert cards[0] < cards[1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("value = 3", "valid string"),
        ('colour = "red"', "is no entry"),
        ("value = ", "is not valid TOML"),
        ('[bids]\nopen = "own_money"', "there is no number"),
    ],
)
def test_a_wrong_file_of_expressions_is_told_what_to_change(text, words, tmp_path):
    path = tmp_path / "bot.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=words):
        load_expressions(path)


def test_a_bot_that_does_not_compile_is_told_in_a_sentence(tmp_path):
    path = tmp_path / "bad.py"
    path.write_text(
        "from modernart.strategies.base import strategy\n\n\n@strategy()\ndef bad(table, hand):\n"
        '    """Reads a field that there is not."""\n    return table.nothing_of_the_kind\n'
    )
    with pytest.raises(UsageError, match=r"does not compile.*nothing_of_the_kind"):
        load_strategy(f"{path}:bad").player()


WRONG_BOTS = {
    "bid_by_value(table, hand, 10.0)": r"bid_by_value takes \(table, hand, worth, share\), but is called with "
    r"\(table, hand, float\): missing a required argument: 'share', line 8 of bad.py",
    "table + 1": r"the compiler knows no table \+ int, line 8 of bad.py",
    "table.purse": r'there is no field "purse" in that record.*, line 8 of bad.py',
    "wurth(table)": r"name 'wurth' is not defined, line 8 of bad.py",
    "'a card'": "must return a whole number wherever it ends, but it returns text",
    "None if table.seat else 1": "must return a whole number wherever it ends, but it returns int or nothing",
    "1 if table.seat else 'x'": "an expression is int in one place and text in another; use one type, line 8 of bad.py",
    "np.nosuch(1)": r"has no attribute 'nosuch', line 8 of bad.py",
    "helper(table)": r"there is no field \"purses\" in that record.*, line 12 of bad.py",
}


@pytest.mark.parametrize("answer", WRONG_BOTS)
def test_the_compilers_message_is_a_sentence_with_the_line_of_the_bot(answer, tmp_path):
    (tmp_path / "bad.py").write_text(
        "import numpy as np\nfrom modernart.strategies.base import strategy\n"
        "from modernart.simulator.jit import kernel\nfrom modernart.strategies.bidding import bid_by_value\n\n"
        "@strategy\ndef bad(table, hand):\n"
        f"    return {answer}\n\n@kernel\ndef helper(table):\n    return table.purses\n"
    )
    with pytest.raises(BotError, match=WRONG_BOTS[answer]) as caught:
        load_strategy(f"{tmp_path / 'bad.py'}:bad").player()
    assert "Record(" not in str(caught.value)
    assert len(str(caught.value)) < 500


def test_a_strategy_that_takes_other_arguments_is_told_those_it_gets(tmp_path):
    (tmp_path / "bad.py").write_text(
        "from modernart.strategies.base import strategy\n\n@strategy\ndef bad(table):\n    return 0\n"
    )
    with pytest.raises(BotError, match=r"a strategy takes \(table, hand\), but bad takes \(table\)"):
        load_strategy(f"{tmp_path / 'bad.py'}:bad").player()


BOT_WITH_HELPER = """
from modernart.strategies.base import strategy
from shared_helper import ANSWER

@strategy
def bot(table, hand):
    return ANSWER
"""


def test_bots_of_two_folders_import_each_their_own_neighbour_as_it_is_now(tmp_path):
    answers = []
    for folder, answer in (("a", 1), ("b", 2), ("a", 3)):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "bots.py").write_text(BOT_WITH_HELPER)
        (tmp_path / folder / "shared_helper.py").write_text(f"ANSWER = {answer}\n# {'x' * answer}\n")
        answers.append(load_strategy(f"{tmp_path / folder / 'bots.py'}:bot").function(None, None))
    assert answers == [1, 2, 3]
    sys.modules.pop("shared_helper", None)


def test_a_strategy_called_with_numbers_has_other_parameters():
    half_value = modernart.strategies.registry.BY_NAME["half_value"]
    assert half_value(shade=0.6).spec == "half_value(shade=0.6)"
    assert load_strategy(half_value) is half_value
    with pytest.raises(UsageError, match=r'has no parameter "shad"'):
        half_value(shad=0.6)
    with pytest.raises(UsageError, match="put @strategy above the function"):
        load_strategy(print)


def test_other_packages_offer_strategies(monkeypatch):
    points = [
        EntryPoint("shy", "modernart.strategies.bidders.shares:half_value", modernart.strategies.registry.ENTRY_POINTS),
        EntryPoint(
            "random", "modernart.strategies.bidders.shares:half_value", modernart.strategies.registry.ENTRY_POINTS
        ),
        EntryPoint("broken", "modernart.strategies.no_such_module:x", modernart.strategies.registry.ENTRY_POINTS),
        EntryPoint("other", "modernart.strategies.bidders.shares:SHADE", modernart.strategies.registry.ENTRY_POINTS),
    ]
    monkeypatch.setattr(modernart.strategies.registry, "entry_points", lambda group: points)
    assert load_strategy("shy(shade=0.4)").spec == "shy(shade=0.4)"
    assert load_strategy("random").function.__module__ == "modernart.strategies.bidders.random"
    with pytest.raises(UsageError, match="does not load"):
        load_strategy("broken")
    with pytest.raises(UsageError, match="is no strategy"):
        load_strategy("other")
    listed = run("strategies")
    assert "shy" in listed.output


def test_strategies_lists_and_shows():
    listed = run("strategies")
    assert listed.exit_code == 0
    for one in modernart.strategies.registry.STRATEGIES:
        assert one.name in listed.output
    shown = run("strategies", "show", "half_value(shade=0.6)")
    assert "0.6" in shown.output
    assert "shade" in shown.output


def test_new_bot_and_check_bot_work_together(tmp_path):
    file = Path(tmp_path) / "mybot.py"
    assert run("new-bot", str(file)).exit_code == 0
    checked = run("check-bot", f"{file}:my_bot", "--games", "1")
    assert checked.exit_code == 0, checked.output
    assert "cost per decision" in checked.output


def test_check_bot_reports_a_fault_and_the_game(tmp_path):
    file = Path(tmp_path) / "greedy.py"
    file.write_text(
        "from modernart.simulator.decisions import Phase\n"
        "from modernart.strategies.base import strategy\n\n\n@strategy()\n"
        'def greedy(table, hand):\n    """Bids what it has not."""\n'
        "    if table.phase == Phase.PAIR or table.phase == Phase.JOIN:\n        return -1\n"
        "    return 0 if table.phase == Phase.CARD else table.money[hand.seat] + 1\n"
    )
    checked = run("check-bot", f"{file}:greedy", "--games", "1")
    assert checked.exit_code == 1
    assert "modernart record" in checked.output
    faults = [line for line in checked.output.splitlines() if line.startswith("FAULT")]
    asked = [line.partition(" to ")[2].partition(" ")[0] for line in faults]
    assert len(set(asked)) == len(asked) >= 3  # each kind of fault once, not once a rule set
    assert "more of the rule sets" in checked.output


def test_check_bot_traces_a_game(tmp_path):
    traced = run("check-bot", "half_value", "--trace", "--game", "3", "--players", "3")
    assert traced.exit_code == 0, traced.output
    lines = traced.output.splitlines()
    assert lines[0] == "seats: 0 half_value, 1 half_value, 2 fair_share"
    own = [line for line in lines if line.startswith("> ")]
    assert own[0].startswith("> SEALED at seat 0: money 100; lot LM-S of seat 2; hand CP-S KG-O")
    assert sum("is over; money" in line for line in lines) == 4


OLD_IMPORTS = {
    "from simulator.decisions import Phase, budget": "from modernart.simulator.decisions import Phase, budget",
    "from strategies.predictive import PARAMS as P": "from modernart.strategies.bidders.predictive import PARAMS as P",
    "import strategies.bidding as b": "from modernart.strategies import bidding as b",
    "from analysis.duel import duel": "from modernart.analysis.comparing.duel import duel",
}


@pytest.mark.parametrize("old", OLD_IMPORTS)
def test_a_bot_with_old_import_names_is_told_the_line_to_write(old, tmp_path):
    path = tmp_path / "old.py"
    path.write_text(f'"""A bot of last year."""\n\n{old}\n\nprint("must not run")\n')
    with pytest.raises(UsageError) as caught:
        load_strategy(f"{path}:bot")
    assert str(caught.value) == f"{path}, line 3: write `{OLD_IMPORTS[old]}`"


@pytest.mark.parametrize("place", ["strategies.py", "strategies/__init__.py"])
def test_a_users_own_module_called_strategies_is_left_to_them(place, tmp_path, monkeypatch):
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_text("SHARE = 0.5\n")
    (tmp_path / "bot.py").write_text(
        "from strategies import SHARE\n\nfrom modernart.strategies.base import strategy\n\n\n@strategy()\n"
        'def half(table, hand):\n    """Bids nothing."""\n    return int(SHARE)\n'
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "strategies", raising=False)
    assert load_strategy(f"{tmp_path / 'bot.py'}:half").summary == "Bids nothing."
    monkeypatch.delitem(sys.modules, "strategies", raising=False)


def test_a_new_file_of_bidders_is_found_without_a_list(tmp_path, monkeypatch):
    (tmp_path / "extra_bidders").mkdir()
    (tmp_path / "extra_bidders" / "__init__.py").write_text("")
    head = (
        "from modernart.strategies.base import CLAIMS, strategy\n"
        "from modernart.strategies.bidders.random import random\n"
    )
    bot = '\n\n@strategy()\ndef {}(table, hand):\n    """Bids nothing."""\n    return 0\n'
    (tmp_path / "extra_bidders" / "a.py").write_text(head + bot.format("late") + bot.format("early"))
    (tmp_path / "extra_bidders" / "b.py").write_text(head + "\nGROUP = CLAIMS\n" + bot.format("claim"))
    monkeypatch.syspath_prepend(str(tmp_path))
    import extra_bidders

    # The group before the file, the file's order within it; what a file only imports is not its own.
    found = modernart.strategies.registry._found_in(extra_bidders)
    assert [one.name for one in found] == ["claim", "late", "early"]


def test_the_registry_lists_rules_of_thumb_first_and_own_ideas_last():
    names = [one.name for one in modernart.strategies.registry.STRATEGIES]
    assert len(names) == len(set(names))
    assert names[0] == "random"
    assert names.index("never_buy") < names.index("standard") < names.index("rusher") < names.index("predictive")
