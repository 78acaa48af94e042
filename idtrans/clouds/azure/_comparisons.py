"""Comparisons of a role assignment condition: attributes with literals, either way round, and with each other.

https://learn.microsoft.com/azure/role-based-access-control/conditions-format
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.algebra import (
    ALWAYS,
    NEVER,
    STAR,
    Condition,
    Has,
    Opaque,
    Quantifier,
    Template,
    Test,
    Truth,
    Variable,
    all_of,
    any_of,
    negate,
    one_of,
)
from idtrans.clouds.azure._condition_operators import Operator, join, key_of, literal, operator_of
from idtrans.clouds.azure._condition_tokens import Kind, Token
from idtrans.model.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Callable

Side = tuple[Token, ...]
"""What stands at one side of an operator: one attribute, or literals."""


def comparison(left: Side, operator: str, right: Side, *, written: str) -> Condition:
    """Return one comparison: a test on the attribute at its left, or what two literals yield.

    What an operator that negates yields for an absent attribute is not documented: UNKNOWN.
    """
    found = operator_of(operator)
    if found is None:
        return Opaque(written, "this comparison is not understood")
    if found.cross is None and (len(left) > 1 or len(right) > 1):
        return Opaque(written, "this operator compares with one value")
    read = _FORMS[left[0].kind is Kind.ATTRIBUTE, right[0].kind is Kind.ATTRIBUTE]
    try:
        return read(left, found, right, written)
    except DataError as error:
        return Opaque(written, error.message)


def _attribute_first(left: Side, operator: Operator, right: Side, written: str) -> Condition:  # noqa: ARG001 - forms are called alike
    """Compare an attribute with literals."""
    joined = join(operator.sets(token.text for token in right), operator.over)
    missing = Truth.UNKNOWN if operator.negated or operator.quantifier is Quantifier.ALL else Truth.FALSE
    return Test(key_of(left[0].text), operator.quantifier, joined, missing, left[0].text)


def _two_literals(left: Side, operator: Operator, right: Side, written: str) -> Condition:
    """Decide a comparison that no request can change."""
    joined = join(operator.sets(token.text for token in right), operator.over)
    values = [literal(token.text) for token in left]
    if not all(joined.matches(value) or (~joined).matches(value) for value in values):
        return Opaque(written, "a value at the left is not of the kind that is compared")
    count = all if operator.quantifier is Quantifier.ALL else any
    return ALWAYS if count(map(joined.matches, values)) else NEVER


def _literals_first(left: Side, operator: Operator, right: Side, written: str) -> Condition:
    """Turn a comparison round whose attribute is at the right: `'a' StringEquals @Resource[k]`."""
    if operator.base in _TURNED:
        turned = Operator(_TURNED[operator.base], operator.negated, operator.cross)
        sets = turned.sets(token.text for token in left)
    elif operator.base in _STARTS:
        fold = operator.base.endswith("ignorecase")
        starts = [literal(token.text) for token in left]
        sets = [one_of((text[:size] for size in range(len(text) + 1)), fold=fold) for text in starts]
        sets = [~values for values in sets] if operator.negated else sets
    else:
        return Opaque(written, "an attribute at the right of this operator is not understood")
    every = operator.over == "all"
    quantifier = Quantifier.ALL if every else Quantifier.ANY
    if operator.cross is None:
        quantifier = Quantifier.ONE
    missing = Truth.UNKNOWN if operator.negated or every else Truth.FALSE
    label = right[0].text
    tests = [Test(key_of(label), quantifier, values, missing, label) for values in sets]
    return all_of(*tests) if operator.quantifier is Quantifier.ALL else any_of(*tests)


def _two_attributes(left: Side, operator: Operator, right: Side, written: str) -> Condition:
    """Compare two attributes, which is read for the equality and the start of texts."""
    if operator.base not in {"stringequals", "stringequalsignorecase", *_STARTS}:
        return Opaque(written, "a comparison of two attributes by this operator is not understood")
    fold, other = operator.base.endswith("ignorecase"), key_of(right[0].text)
    parts = (Variable(other), STAR) if operator.base in _STARTS else (Variable(other),)
    template = Template(parts, negated=operator.negated, fold=fold)
    unsure = operator.negated or operator.quantifier is Quantifier.ALL
    missing = Truth.UNKNOWN if unsure else Truth.FALSE
    found = Test(key_of(left[0].text), operator.quantifier, template, missing, written)
    if not operator.negated and operator.over == "any":
        return found
    # A template with an open variable matches nothing, and its negation all: what Azure does is not documented.
    absent = Opaque(written, f"it is not documented what this yields without `{right[0].text}`")
    there = Has(other, right[0].text)
    return any_of(all_of(there, found), all_of(negate(there), absent))


_FORMS: dict[tuple[bool, bool], Callable[[Side, Operator, Side, str], Condition]] = {
    (True, False): _attribute_first,
    (False, True): _literals_first,
    (True, True): _two_attributes,
    (False, False): _two_literals,
}
"""How to read a comparison, by whether an attribute stands at its left and at its right."""

_STARTS = frozenset({"stringstartswith", "stringstartswithignorecase"})
_TURNED = {
    **{name: name for name in ("stringequals", "stringequalsignorecase", "guidequals", "boolequals")},
    **{
        f"{kind}{name}": f"{kind}{other}"
        for kind in ("numeric", "datetime")
        for name, other in (
            ("equals", "equals"),
            ("lessthan", "greaterthan"),
            ("lessthanequals", "greaterthanequals"),
            ("greaterthan", "lessthan"),
            ("greaterthanequals", "lessthanequals"),
        )
    },
}
"""Operators by what they are with their sides exchanged."""
