"""Lowering conditions to the algebra.

An expression has three outcomes: true, false, or an error, such as a claim that the token lacks. An error anywhere
that decides means no, so every expression becomes a pair of conditions: when it is true and when it is false. What is
not understood becomes two free symbols, one for each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Protocol

from idtrans.algebra import (
    ALWAYS,
    NEVER,
    STAR,
    Condition,
    Has,
    Opaque,
    Quantifier,
    Test,
    all_of,
    any_of,
    exact,
    leaves,
    negate,
)
from idtrans.clouds.gcp._cel import Call, CelError, Expression, ListOf, Literal, Operation, Path, parse_cel
from idtrans.clouds.gcp._clock import CLOCK_PREFIX, COMPARISONS
from idtrans.clouds.gcp._index import Index, remembered
from idtrans.clouds.gcp._regex import Pattern, patterns_of
from idtrans.clouds.gcp._request_terms import RequestVocabulary
from idtrans.clouds.gcp._terms import (
    Cased,
    Choice,
    Claim,
    Concatenation,
    Constant,
    Missing,
    Pair,
    Term,
    chosen,
    fits,
)

# Claims that RFC 7519 makes numbers; every other claim is taken for a text.
NUMERIC_CLAIMS: Final = frozenset({"exp", "iat", "nbf", "auth_time"})
_YES: Final = Pair(ALWAYS, NEVER)
_NO: Final = Pair(NEVER, ALWAYS)


class Vocabulary(Protocol):
    """The names and functions that a kind of condition can use."""

    def term(self, node: Expression) -> Term | None:
        """Return the text value that a path or a call stands for, `None` when it is not understood."""
        ...

    def test(self, node: Expression) -> Pair | None:
        """Return when a call or comparison of the vocabulary's own holds, `None` for all others."""
        ...


@dataclass(frozen=True, slots=True)
class TokenVocabulary:
    """Names of provider conditions: claims of the token, and what the provider maps from them."""

    mapping: Mapping[str, str] = field(default_factory=dict)
    """Attribute mapping, target to expression; empty while the mapping itself is read."""

    def term(self, node: Expression) -> Term | None:
        """Return a claim, or the expression that is mapped to an attribute."""
        if not isinstance(node, Path) or len(node.names) < 2:  # noqa: PLR2004 - variable and field
            return None
        root, name = node.names[0], ".".join(node.names[1:])
        if root == "assertion":
            return Claim(name)
        if root not in ("attribute", "google") or len(node.names) > 2:  # noqa: PLR2004 - same
            return None
        return mapped(f"{root}.{name}", self.mapping)

    def test(self, node: Expression) -> Pair | None:  # noqa: ARG002 - the protocol's signature
        """Return `None`: tokens are judged without a clock and functions of their own."""
        return None


def mapped(target: str, mapping: Mapping[str, str]) -> Term | None:
    """Return the value of a mapped attribute: missing when nothing is mapped, `None` when it is not understood."""
    text = mapping.get(target)
    if text is None:
        return Missing()
    try:
        return _Lowering(TokenVocabulary()).term(parse_cel(text))
    except CelError:
        return None


def pair_of(text: str, vocabulary: Vocabulary) -> Pair:
    """Return when a condition is true and when it is false. Text that cannot be read is a free symbol for each."""
    try:
        expression = parse_cel(text)
    except CelError as error:
        return Pair(Opaque(text, error.message), Opaque(f"!({text})", error.message))
    return _Lowering(vocabulary).pair(expression)


def condition_of(text: str, vocabulary: Vocabulary) -> Condition:
    """Return when a condition holds. Text that cannot be read is one free symbol."""
    return pair_of(text, vocabulary).true


@lru_cache(maxsize=16384)
def request_pair(text: str) -> Pair:
    """Return when a condition on requests is true and when it is false; each distinct text is lowered once."""
    return pair_of(text, RequestVocabulary())


def clock_keys(index: Index) -> tuple[str, ...]:
    """Return the context keys of parts of the time that the conditions of an estate ask for, sorted."""
    return remembered(index.estate, "clock-keys", lambda: tuple(sorted(_clock_keys(index))))


def _clock_keys(index: Index) -> set[str]:
    written = (*(each.condition for each in index.bindings), *(each.condition for each in index.rules))
    texts = {text for text in written if text is not None}
    found: set[str] = set()
    for text in texts:
        if CLOCK_PREFIX.removeprefix("request.time.") in text:
            pair = request_pair(text)
            keys = (leaf.key for side in (pair.true, pair.false) for leaf in leaves(side) if isinstance(leaf, Test))
            found.update(key for key in keys if key.startswith(CLOCK_PREFIX))
    return found


def request_condition(text: str | None) -> Condition:
    """Return when the condition of a binding holds; a binding without one always does."""
    return request_pair(text).true if text is not None else ALWAYS


def _opaque(text: str, reason: str = "this part of the condition is not understood") -> Pair:
    return Pair(Opaque(text, reason), Opaque(f"!({text})", reason))


def _and(*parts: Pair) -> Pair:
    return Pair(all_of(*(part.true for part in parts)), any_of(*(part.false for part in parts)))


def _or(*parts: Pair) -> Pair:
    return Pair(any_of(*(part.true for part in parts)), all_of(*(part.false for part in parts)))


def _not(part: Pair) -> Pair:
    return Pair(part.false, part.true)


_CONNECTIVES: Final[Mapping[str, Callable[..., Pair]]] = {"&&": _and, "||": _or, "!": _not, "?:": chosen}


@dataclass(frozen=True, slots=True)
class _Lowering:
    vocabulary: Vocabulary

    def pair(self, expression: Expression) -> Pair:
        found: Pair | None = None
        if isinstance(expression, Literal) and isinstance(expression.value, bool):
            found = _YES if expression.value else _NO
        elif isinstance(expression, Operation):
            found = self.vocabulary.test(expression) or self._operation(expression)
        elif isinstance(expression, Call):
            found = self.vocabulary.test(expression) or self._call(expression)
        return found if found is not None else _opaque(expression.text)

    def _operation(self, node: Operation) -> Pair | None:
        if node.operator == "in":
            return self._member(*node.operands)
        if node.operator in COMPARISONS:
            return self._comparison(node)
        connect = _CONNECTIVES.get(node.operator)
        return connect(*map(self.pair, node.operands)) if connect is not None else None

    def _comparison(self, node: Operation) -> Pair | None:
        left, right = node.operands
        if node.operator not in ("==", "!="):
            return None
        equal = self._equal(left, right)
        if equal is None or node.operator == "==":
            return equal
        return _not(equal)

    def _equal(self, left: Expression, right: Expression) -> Pair | None:
        if isinstance(left, Literal):
            if isinstance(right, Literal):
                return _YES if (type(left.value), left.value) == (type(right.value), right.value) else _NO
            left, right = right, left
        term = self.term(left)
        if not isinstance(right, Literal):
            # A value is itself, where there is one.
            same = isinstance(term, Claim | Cased | Missing) and term == self.term(right)
            return Pair(term.present(), NEVER) if same and term is not None else None
        if term is None:
            return None
        if isinstance(right.value, str):
            return term.within(((right.value,),))
        if isinstance(right.value, int) and not isinstance(right.value, bool) and _is_text(term):
            # A text is never equal to a number; whether the comparison is false or an error, the pages do not say.
            return Pair(NEVER, _opaque(f"{left.text} == {right.text}", "a text is compared with a number").false)
        return None

    def _member(self, left: Expression, right: Expression) -> Pair | None:
        if isinstance(right, ListOf):
            texts = [item.value for item in right.items if isinstance(item, Literal) and isinstance(item.value, str)]
            term = self.term(left)
            numbers = len(right.items) - len(texts)
            if term is None or (numbers and not all(isinstance(item, Literal) for item in right.items)):
                return None
            return term.within(tuple((text,) for text in texts))
        if not (isinstance(left, Literal) and isinstance(left.value, str) and isinstance(right, Path)):
            return None
        if right.names == ("assertion",):
            return Pair(Has(left.value), negate(Has(left.value)))
        term = self.term(right)
        if not isinstance(term, Claim):
            return None
        # Whether the list is empty or absent cannot be told apart, so "not in" is left open.
        found = Test(term.key, Quantifier.ANY, exact(left.value))
        return Pair(found, _opaque(f"{left.text} in {right.text}", "the claim may be an empty list").false)

    def _call(self, node: Call) -> Pair | None:
        if node.function == "has" and node.target is None and len(node.arguments) == 1:
            term = self.term(node.arguments[0])
            return Pair(term.present(), negate(term.present())) if isinstance(term, Claim | Missing) else None
        if node.target is None or len(node.arguments) != 1:
            return None
        argument = node.arguments[0]
        if not (isinstance(argument, Literal) and isinstance(argument.value, str)):
            return None
        term, patterns = self.term(node.target), _patterns(node.function, argument.value)
        return term.within(patterns) if term is not None and patterns is not None else None

    def term(self, expression: Expression) -> Term | None:
        """Return the text value of an expression, `None` when it is not understood."""
        match expression:
            case Literal(value=str(text)):
                return Constant(text)
            case Call(function="string", target=None, arguments=(argument,)):
                return self.term(argument)
            case Operation():
                return self._sum(expression) if expression.operator == "+" else self._chosen(expression)
            case Call(function="lowerAscii" | "upperAscii" as name, target=Path() as path, arguments=()):
                term = self.vocabulary.term(path)
                return Cased(term.key, upper=name == "upperAscii") if isinstance(term, Claim) else None
            case Path() | Call():
                return self.vocabulary.term(expression)
            case _:
                return None

    def _chosen(self, node: Operation) -> Term | None:
        if node.operator != "?:":
            return None
        test, yes, no = node.operands
        terms = (self.term(yes), self.term(no))
        return Choice(self.pair(test), terms[0], terms[1]) if terms[0] is not None and terms[1] is not None else None

    def _sum(self, node: Operation) -> Term | None:
        parts: list[Constant | Claim] = []
        for operand in node.operands:
            term = self.term(operand)
            if isinstance(term, Missing):
                return term
            if isinstance(term, Concatenation):
                parts.extend(term.parts)
            elif isinstance(term, Constant | Claim):
                parts.append(term)
            else:
                return None
        return Concatenation(tuple(parts))


def _is_text(term: Term) -> bool:
    return not isinstance(term, Claim) or term.key not in NUMERIC_CLAIMS


def _patterns(function: str, text: str) -> tuple[Pattern, ...] | None:
    match function:
        case "startsWith":
            return ((text, STAR),)
        case "endsWith":
            return ((STAR, text),)
        case "contains":
            return ((STAR, text, STAR),)
        case "matches":
            return patterns_of(text)
        case _:
            return None


__all__ = [
    "NUMERIC_CLAIMS",
    "Claim",
    "Missing",
    "TokenVocabulary",
    "clock_keys",
    "condition_of",
    "fits",
    "mapped",
    "pair_of",
    "request_condition",
    "request_pair",
]
