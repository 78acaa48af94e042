"""The subset of the Common Expression Language that conditions and mappings use, parsed to immutable trees.

https://github.com/google/cel-spec/blob/master/doc/langdef.md
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from idtrans.model.errors import IdtransError

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

MAX_LENGTH: Final = 16_384
"""Longest expression that is read. The services refuse conditions far shorter than this."""
MAX_DEPTH: Final = 60
"""Deepest tree that is read; a pair of brackets is one or two levels of it."""

# A `!` or a member chain is a flat list, so that only brackets, calls and `?:` nest.
_GRAMMAR: Final = r"""
start: expr
?expr: either
     | either "?" either ":" expr                 -> ternary
?either: both ("||" both)*
?both: relation ("&&" relation)*
?relation: sum
     | sum RELATION sum                           -> relation
?sum: product
     | product (SUM product)+                     -> calculation
?product: unary
     | unary (PRODUCT unary)+                     -> calculation
?unary: member
     | NOT+ member                                -> negation
     | "-" member                                 -> minus
?member: primary
     | primary step+                              -> chain
step: "." NAME                                    -> select
    | "." NAME "(" [expr ("," expr)* [","]] ")"   -> method
    | "[" expr "]"                                -> index
?primary: NAME                                    -> name
     | NAME "(" [expr ("," expr)*] ")"            -> call
     | "(" expr ")"                               -> group
     | "[" [expr ("," expr)* [","]] "]"           -> list
     | STRING                                     -> string
     | NUMBER                                     -> number
     | "true"                                     -> true
     | "false"                                    -> false
     | "null"                                     -> null
RELATION: "==" | "!=" | "<=" | ">=" | "<" | ">" | "in"
SUM: "+" | "-"
PRODUCT: "*" | "/" | "%"
NOT: "!"
NAME: /[A-Za-z_][A-Za-z0-9_]*/
NUMBER: /0[xX][0-9A-Fa-f]+[uU]?|[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?[uU]?/
STRING: /[rR]?("([^"\\\n]|\\.)*"|'([^'\\\n]|\\.)*')/
%ignore /[ \t\r\n]+/
%ignore /\/\/[^\n]*/
"""


class CelError(IdtransError):
    """Text that is not an expression of the subset."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant."""

    value: str | bool | int | float | None
    text: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of expressions."""

    items: tuple[Expression, ...]
    text: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Path:
    """A variable with its fields: `assertion.sub` and `assertion['sub']` are the same path."""

    names: tuple[str, ...]
    text: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A function or method call."""

    function: str
    target: Expression | None
    arguments: tuple[Expression, ...]
    text: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator with its operands: `!`, `&&`, `||`, `?:`, a comparison, `in`, or arithmetic."""

    operator: str
    operands: tuple[Expression, ...]
    text: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Other:
    """Something valid that is not looked into, such as a field of a call's result."""

    text: str


Expression = Literal | ListOf | Path | Call | Operation | Other
"""Any parsed expression; `text` is its source."""


@lru_cache(maxsize=4096)
def parse_cel(text: str) -> Expression:
    """Return the tree of an expression.

    Raises:
        CelError: the text is too long, nested too deeply, or not in the subset.
    """
    from lark.exceptions import UnexpectedInput

    if len(text) > MAX_LENGTH:
        raise CelError(f"the expression has {len(text)} characters, more than {MAX_LENGTH}")
    try:
        tree = _parser().parse(text)
    except UnexpectedInput as error:
        raise CelError(f"the expression cannot be read from character {error.pos_in_stream} on") from error
    if _depth(tree) > MAX_DEPTH:
        raise CelError(f"the expression is nested more than {MAX_DEPTH} deep")
    return _Builder(text).build(tree.children[0])


@cache
def _parser() -> Lark:
    from lark import Lark

    return Lark(_GRAMMAR, parser="lalr", propagate_positions=True, maybe_placeholders=False)


def _depth(tree: Tree[Token]) -> int:
    """Return how deep a tree is. The parser needs no recursion to build it, all that comes after does."""
    deepest = 0
    level: list[Tree[Token]] = [tree]
    while level:
        deepest += 1
        level = [child for node in level for child in node.children if not isinstance(child, str)]
    return deepest


@dataclass(frozen=True, slots=True)
class _Builder:
    """Turns the parser's tree into expressions."""

    source: str

    def build(self, node: Any) -> Expression:  # noqa: ANN401 - lark's trees and tokens carry no useful types
        text = self.source[node.meta.start_pos : node.meta.end_pos]
        build = _BUILDERS.get(str(node.data))
        return build(self, node, text) if build is not None else Other(text)

    def operation(self, node: Any, text: str) -> Expression:  # noqa: ANN401 - as above
        return Operation(_OPERATORS[str(node.data)], tuple(map(self.build, node.children)), text)

    def relation(self, node: Any, text: str) -> Expression:  # noqa: ANN401 - as above
        left, operator, right = node.children
        return Operation(str(operator), (self.build(left), self.build(right)), text)

    def calculation(self, node: Any, text: str) -> Expression:  # noqa: ANN401 - as above
        operators = [str(operator) for operator in node.children[1::2]]
        operands = tuple(map(self.build, node.children[::2]))
        if set(operators) == {"+"}:
            return Operation("+", operands, text)
        if not set(operators) <= {"+", "-"}:
            return Other(text)
        found = operands[0]
        for operator, operand in zip(operators, operands[1:], strict=True):
            found = Operation(operator, (found, operand), text)
        return found

    def minus(self, node: Any, text: str) -> Expression:  # noqa: ANN401 - as above
        inner = self.build(node.children[0])
        if isinstance(inner, Literal) and isinstance(inner.value, int | float) and not isinstance(inner.value, bool):
            return Literal(-inner.value, text)
        return Other(text)

    def negation(self, node: Any, text: str) -> Expression:  # noqa: ANN401 - as above
        inner = self.build(node.children[-1])
        return Operation("!", (inner,), text) if len(node.children) % 2 == 0 else inner

    def chain(self, node: Any, text: str) -> Expression:  # noqa: ANN401, ARG002 - as above
        found = self.build(node.children[0])
        start = node.children[0].meta.start_pos
        for step in node.children[1:]:
            found = self.step(found, step, self.source[start : step.meta.end_pos])
        return found

    def step(self, found: Expression, step: Any, text: str) -> Expression:  # noqa: ANN401 - as above
        if step.data == "method":
            return Call(str(step.children[0]), found, tuple(map(self.build, step.children[1:])), text)
        field_ = str(step.children[0]) if step.data == "select" else self.build(step.children[0])
        if isinstance(field_, Literal):
            field_ = field_.value if isinstance(field_.value, str) else Other(text)
        return (
            Path((*found.names, field_), text) if isinstance(found, Path) and isinstance(field_, str) else Other(text)
        )

    def call(self, node: Any, text: str) -> Expression:  # noqa: ANN401 - as above
        return Call(str(node.children[0]), None, tuple(map(self.build, node.children[1:])), text)

    def list_of(self, node: Any, text: str) -> Expression:  # noqa: ANN401 - as above
        return ListOf(tuple(map(self.build, node.children)), text)

    def group(self, node: Any, _: str) -> Expression:  # noqa: ANN401 - as above; brackets mean nothing
        return self.build(node.children[0])

    def name(self, node: Any, text: str) -> Expression:  # noqa: ANN401 - as above
        return Path((str(node.children[0]),), text)

    def string(self, node: Any, text: str) -> Expression:  # noqa: ANN401 - as above
        return Literal(_unquote(str(node.children[0])), text)

    def number(self, node: Any, text: str) -> Expression:  # noqa: ANN401 - as above
        digits = str(node.children[0]).rstrip("uU")
        # A number of more digits than any integer of CEL has is not converted: that would cost quadratic time.
        if len(digits) > _LONGEST_NUMBER:
            return Other(text)
        if digits[:2].lower() == "0x":
            return Literal(int(digits, 16), text)
        return Literal(int(digits) if digits.isdigit() else float(digits), text)


_LONGEST_NUMBER: Final = 40
_OPERATORS: Final = {"either": "||", "both": "&&", "ternary": "?:"}
_BUILDERS: Final[dict[str, Any]] = {
    **dict.fromkeys(_OPERATORS, _Builder.operation),
    "relation": _Builder.relation,
    "calculation": _Builder.calculation,
    "negation": _Builder.negation,
    "minus": _Builder.minus,
    "chain": _Builder.chain,
    "call": _Builder.call,
    "list": _Builder.list_of,
    "group": _Builder.group,
    "name": _Builder.name,
    "string": _Builder.string,
    "number": _Builder.number,
    "true": lambda _, __, text: Literal(value=True, text=text),
    "false": lambda _, __, text: Literal(value=False, text=text),
    "null": lambda _, __, text: Literal(None, text),
}

_ESCAPE: Final = re.compile(
    r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([0-3][0-7]{2})|(.))", re.DOTALL
)
_LETTERS: Final = {"n": "\n", "r": "\r", "t": "\t", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_LAST_CHARACTER: Final = 0x10FFFF


def _unquote(token: str) -> str:
    if token[0] in "rR":
        return token[2:-1]
    return _ESCAPE.sub(_unescape, token[1:-1])


def _unescape(found: re.Match[str]) -> str:
    digits = found[1] or found[2] or found[3]
    if digits or found[4]:
        code = int(digits, 16) if digits else int(found[4], 8)
        return chr(code) if code <= _LAST_CHARACTER else "\ufffd"
    return _LETTERS.get(found[5], found[5])


def quote(text: str) -> str:
    """Return a text as a string literal of the language."""
    escaped = "".join(_QUOTED.get(char, char) for char in text)
    return f"'{escaped}'"


_QUOTED: Final = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
