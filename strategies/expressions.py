"""Bidders written as expressions in a TOML file, for people who do not program: `mybot.toml`.

The expressions are read as syntax trees, checked name by name, and put into the source of one `act(table, hand)`.
"""

import ast
import hashlib
import keyword
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError, model_validator

from modernart.simulator.decisions import DECLINE, Phase, artist_of, ends_round
from modernart.simulator.errors import UsageError
from modernart.simulator.files import is_file, read_toml
from modernart.simulator.jit import kernel
from modernart.simulator.state import MAX_OWN_PARAMS
from modernart.simulator.wording import cut, near_names
from modernart.strategies.base import EXPRESSIONS, Param, Strategy
from modernart.strategies.bidding import answer_up_to, simple_tender
from modernart.strategies.card_choice import choose_flip, finest_addition, sale_gain_of_slot
from modernart.strategies.forecast import HELD, OWN, PAYS, new_view
from modernart.strategies.valuation import is_leading, payout_now, table_payouts

EVERYWHERE = ("n", "round", "money", "cards", "board", "out", "held", "own", "now", "expected")
IN_VALUE = (*EVERYWHERE, "crowns")
IN_BIDS = (*IN_VALUE, "value", "high", "mine", "leader")
IN_ENDING = (*EVERYWHERE, "gain")
_FUNCTIONS = {"min": 2, "max": 2, "abs": 1}
_NODES = (
    ast.Expression, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.UnaryOp, ast.USub, ast.UAdd, ast.Not,
    ast.BoolOp, ast.And, ast.Or, ast.Compare, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.IfExp,
    ast.Call, ast.Name, ast.Load, ast.Constant,
)  # fmt: skip
_LONGEST = 500
#: Levels of an expression; Python's own functions on syntax trees recurse some times a level.
_DEEPEST = 60
_TOO_DEEP = f"the expression is nested more than {_DEEPEST} levels deep; write it with fewer signs and parentheses"

Expression = Annotated[str, Field(min_length=1, max_length=_LONGEST)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Parameter(_Strict):
    """A number of the file's own that expressions may use, and that specs and tuning may change."""

    default: FiniteFloat
    low: FiniteFloat = 0.0
    high: FiniteFloat = 1.0
    doc: str = ""

    @model_validator(mode="before")
    @classmethod
    def _of_a_number(cls, given: Any) -> Any:
        """Let a number alone stand for a default, with bounds from 0 to twice as much, at least 1."""
        if isinstance(given, int | float) and not isinstance(given, bool):
            bound = max(1.0, 2.0 * abs(given))
            return {"default": given, "low": 0.0 if given >= 0 else -bound, "high": bound}
        return given

    @model_validator(mode="after")
    def _within_bounds(self) -> "Parameter":
        if not self.low <= self.default <= self.high:
            raise ValueError(f"default {self.default:g} must lie from low {self.low:g} to high {self.high:g}")
        return self


class Bids(_Strict):
    """Amounts by kind of auction."""

    open: Expression = "0.75 * value if not mine else 0.5 * value"
    once_around: Expression = "0.75 * value if not mine else 0.5 * value"
    sealed: Expression = "0.7 * value"
    ask: Expression = "0.75 * value"
    accept: Expression = "0.75 * value"


class Ending(_Strict):
    """When to end a round."""

    end_round: Expression = "gain > 0"


class BotFile(_Strict):
    """What a bot's TOML file may hold."""

    about: str = "Bids by expressions of its own file"
    parameters: dict[str, Parameter] = {}
    value: Expression = "crowns * expected"
    bids: Bids = Bids()
    ending: Ending = Ending()


@kernel
def gain_of_ending(table, hand, artist):
    """Return what ending the round with a card of an artist pays more than to the rivals' mean."""
    return table_payouts(table, hand.seat, artist, 1)


class _Safe(ast.NodeTransformer):
    """Turns whole numbers into floats, which do not wrap, `/` into a named division, parameters into their places."""

    def __init__(self, division: str, parameters: Sequence[str]) -> None:
        self._division = division
        self._parameters = parameters

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        """Replace a number."""
        return ast.Constant(float(node.value))  # type: ignore[arg-type]  # only numbers pass the check

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Replace a division."""
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            return ast.Call(ast.Name(self._division, ast.Load()), [node.left, node.right], [])
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace a parameter."""
        if node.id not in self._parameters:
            return node
        return ast.parse(f"hand.params[{self._parameters.index(node.id)}]", mode="eval").body


def _depth(tree: ast.AST) -> int:
    """Return the levels of a syntax tree."""
    level = [tree]
    depth = 0
    while level:
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        depth += 1
    return depth


def compile_expression(
    text: str, names: Sequence[str], where: str, parameters: Sequence[str] = (), division: str = "divide"
) -> str:
    """Return an expression as Python source, after checking that it holds nothing but arithmetic of known names.

    Parameters
    ----------
    text : str
    names : sequence of str
        Names that it may use, besides parameters.
    where : str
        Where it stands, for messages.
    parameters : sequence of str
        In the order of `hand.params`.
    division : str
        Name of the function that divides in it.

    Raises
    ------
    UsageError
        If it is no such expression.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", SyntaxWarning)  # as for `1if 2else 3`, which Python will refuse some day
            tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError):
        raise UsageError(f'{where}: "{text}" is no expression; write for example 0.75 * value') from None
    except (RecursionError, MemoryError):
        raise UsageError(f"{where}: {_TOO_DEEP}") from None
    if _depth(tree) > _DEEPEST:
        raise UsageError(f"{where}: {_TOO_DEEP}")
    names = (*names, *parameters)
    callees = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if not isinstance(node, _NODES):
            raise UsageError(
                f'{where}: "{text}" may hold only numbers, names, + - * /, comparisons, and, or, not, if-else, '
                f"{', '.join(_FUNCTIONS)}"
            )
        if isinstance(node, ast.Constant) and (
            isinstance(node.value, bool) or not isinstance(node.value, int | float) or abs(node.value) > 1e9
        ):
            raise UsageError(f'{where}: "{text}" may hold only numbers up to 1e9, got {node.value!r}')
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else "?"
            if name not in _FUNCTIONS or len(node.args) != _FUNCTIONS[name] or node.keywords:
                raise UsageError(f'{where}: "{text}" may call min(a, b), max(a, b) and abs(a) only')
        if isinstance(node, ast.Name) and id(node) not in callees and node.id not in names:
            near = near_names(node.id, names, 1)
            hint = f"did you mean {near[0]}?" if near else f"it may use: {', '.join(names)}"
            raise UsageError(f'{where}: there is no number "{node.id}"; {hint}')
    safe = ast.fix_missing_locations(_Safe(division, parameters).visit(tree))
    return ast.unparse(safe)


_SOURCE = '''
def bot(table, hand):
    """{about}"""
    phase = table.phase
    if phase == Phase.FLIP:
        return choose_flip(table, hand)
    view = new_view(table, hand, True)
    if phase == Phase.CARD:
        best = 0
        most = -1e18
        for slot in range(hand.n_cards):
            artist = artist_of(hand.cards[slot])
            score = sale_gain_of_slot(table, hand, slot)
            if ends_round(table, artist, 1):
                score = -1e9
                if ends(table, hand, view, artist):
                    score = 1e9
            if score > most:
                most = score
                best = slot
        return best
    artist = table.artist
    if phase == Phase.PAIR or phase == Phase.JOIN:
        if ends_round(table, artist, 1) and not ends(table, hand, view, artist):
            return DECLINE
        return finest_addition(table, hand)
    n, round, money, cards, board, out, held, own, now, expected = numbers(table, hand, view, artist)
    crowns = 1.0 * table.lot_crowns
    value = 1.0 * ({value})
    high = 1.0 * table.high_bid
    mine = 1.0 if table.auctioneer == hand.seat else 0.0
    leader = 1.0 if is_leading(table, table.auctioneer) else 0.0
    if phase == Phase.TENDER:
        return simple_tender(table, hand, bounded(value))
    # Only the expression that is asked for: another might divide by what is 0 in this kind of auction.
    amount = 0.0
    if phase == Phase.LIMIT or phase == Phase.RAISE:
        amount = 1.0 * ({open})
    elif phase == Phase.BID:
        amount = 1.0 * ({once_around})
    elif phase == Phase.SEALED:
        amount = 1.0 * ({sealed})
    elif phase == Phase.PRICE:
        amount = 1.0 * ({ask})
    else:
        amount = 1.0 * ({accept})
    amount = bounded(amount)
    return answer_up_to(table, hand, amount, amount, amount, amount, amount)
'''

_DIVISION_SOURCE = '''
def {name}(above, below):
    """Return a quotient."""
    if below == 0.0:
        raise ZeroDivisionError("{place} divides by zero")
    return above / below
'''

_ENDS_SOURCE = '''
def ends(table, hand, view, artist):
    """Tell whether to end the round with a card of an artist."""
    n, round, money, cards, board, out, held, own, now, expected = numbers(table, hand, view, artist)
    gain = 1.0 * gain_of_ending(table, hand, artist)
    return bool({end_round})
'''


@kernel
def numbers(table, hand, view, artist):
    """Return what expressions may use everywhere, in the order of EVERYWHERE."""
    return (
        1.0 * table.rules.n_seats,
        1.0 + table.round_index,
        1.0 * table.money[hand.seat],
        1.0 * hand.n_cards,
        1.0 * table.values[artist],
        1.0 * table.cards_out[artist],
        view[HELD, artist],
        view[OWN, artist],
        1.0 * payout_now(table, artist, 0),
        view[PAYS, artist],
    )


@kernel
def bounded(amount):
    """Return an amount within what money can be; 0 for what is no number, as inf * 0."""
    if amount != amount:
        return 0.0
    return min(max(amount, -1e9), 1e9)


def load_expressions(path: Path) -> Strategy:
    """Return the strategy of a TOML file of expressions.

    Raises
    ------
    UsageError
        If the file cannot be read, or an entry or an expression is not allowed.
    """
    if not is_file(path):
        raise UsageError(f'there is no file "{path}" to load a strategy from; `modernart new-bot {path}` writes one')
    try:
        bot = BotFile.model_validate(read_toml(path))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        reason = "is no entry of a bot's file" if first["type"] == "extra_forbidden" else first["msg"]
        raise UsageError(f"{path}: {place}: {reason}") from None
    return strategy_of(bot, str(path))


def strategy_of(bot: BotFile, name: str) -> Strategy:
    """Return the strategy of checked entries.

    Parameters
    ----------
    bot : BotFile
    name : str
        Its name in tables, also used in messages.
    """
    parameters = tuple(bot.parameters)
    _check_parameters(parameters, name)
    texts: dict[str, tuple[str, Sequence[str], str]] = {"value": (bot.value, IN_VALUE, "value")}
    texts |= {kind: (text, IN_BIDS, f"bids.{kind}") for kind, text in bot.bids.model_dump().items()}
    texts["end_round"] = (bot.ending.end_round, IN_ENDING, "ending.end_round")
    parts = {}
    sources = {}
    for key, (text, names, place) in texts.items():
        division = f"divide_in_{key}"
        parts[key] = compile_expression(text, names, f"{name}, {place}", parameters, division)
        if f"{division}(" in parts[key]:
            sources[division] = _DIVISION_SOURCE.format(name=division, place=place)
    about = "".join(c for c in bot.about if c.isprintable() or c == "\n").replace("\\", "").replace('"', "'")
    sources["ends"] = _ENDS_SOURCE.format(**parts)
    main = _SOURCE.format(about=about, **parts)
    # Named by what it says: a run folder must not go on with another bot.
    origin = f"{EXPRESSIONS}{hashlib.sha256(''.join((*sources.values(), main)).encode()).hexdigest()}>"
    scope = dict(_SCOPE)
    for key, source in sources.items():
        scope[key] = kernel(_function(source, key, scope, origin), cache=False)
    function = _function(main, "bot", scope, origin)
    params = {key: Param(one.default, one.low, one.high, one.doc) for key, one in bot.parameters.items()}
    return Strategy(name, function, params, ("a file of expressions",))


def _check_parameters(parameters: Sequence[str], where: str) -> None:
    """Refuse parameters that expressions could not name."""
    if len(parameters) > MAX_OWN_PARAMS:
        raise UsageError(f"{where}: a bot may have at most {MAX_OWN_PARAMS} parameters, got {len(parameters)}")
    taken = {*IN_BIDS, *IN_ENDING, *_FUNCTIONS}
    for name in parameters:
        if not name.isidentifier() or keyword.iskeyword(name) or name in taken:
            reason = "is a number that every bot has" if name in taken else "is no name"
            raise UsageError(f'{where}: parameter "{cut(name, 60)}" {reason}; choose another name, as share_of_own')


def _function(source: str, name: str, scope: dict[str, Any], origin: str) -> Callable:
    exec(compile(source, origin, "exec"), scope)
    return scope[name]


_SCOPE = {
    "DECLINE": DECLINE,
    "Phase": Phase,
    "answer_up_to": answer_up_to,
    "artist_of": artist_of,
    "bounded": bounded,
    "choose_flip": choose_flip,
    "ends_round": ends_round,
    "finest_addition": finest_addition,
    "gain_of_ending": gain_of_ending,
    "is_leading": is_leading,
    "new_view": new_view,
    "numbers": numbers,
    "sale_gain_of_slot": sale_gain_of_slot,
    "simple_tender": simple_tender,
}
