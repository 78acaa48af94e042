"""The operators of role assignment conditions, as sets of accepted values.

https://learn.microsoft.com/azure/role-based-access-control/conditions-format#operators
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from idtrans.algebra import (
    ONE_CHAR,
    STAR,
    Condition,
    Language,
    NumberSet,
    Opaque,
    Quantifier,
    Template,
    Test,
    TimeSet,
    Truth,
    ValueSet,
    Variable,
    Wildcard,
    exact,
    one_of,
    pieces,
)
from idtrans.clouds.azure._condition_tokens import Kind, Token
from idtrans.clouds.azure._names import guid
from idtrans.model.errors import DataError

_CASE_MARK: Final = "<$key_case_sensitive$>"
_ESCAPE = re.compile(r"\\(.)")
_PATTERN = re.compile(r"\\.|[*?]|[^\\*?]+|\\", re.DOTALL)
_WILDCARDS = {"*": STAR, "?": ONE_CHAR}
_CROSSES: Final = {
    "foranyofanyvalues": (Quantifier.ANY, "any"),
    "forallofanyvalues": (Quantifier.ALL, "any"),
    "foranyofallvalues": (Quantifier.ANY, "all"),
    "forallofallvalues": (Quantifier.ALL, "all"),
}
"""Over the values of the attribute, and over the listed values: at least one, or every one."""


def key_of(attribute: str) -> str:
    """Return the context key of an attribute such as `@Request[...]`: lower case, but for case-sensitive tag names."""
    if _CASE_MARK in attribute:
        head, _, tail = attribute.partition(_CASE_MARK)
        path, _, tag = head.rpartition(":")
        return f"{path.lower()}:{tag}{_CASE_MARK}{tail}"
    return attribute.lower()


def comparison(left: tuple[Token, ...], operator: str, right: tuple[Token, ...], *, written: str) -> Condition:
    """Return one comparison as a test on the attribute at its left.

    What an operator that negates yields for an absent attribute is not documented: UNKNOWN.
    """
    cross, _, plain = operator.rpartition(":")
    base, negated = (plain.replace("not", "", 1), True) if plain in _NEGATED else (plain, False)
    build = _SETS.get(base)
    attribute = len(left) == 1 and left[0].kind is Kind.ATTRIBUTE
    if build is None or (cross and cross not in _CROSSES) or not attribute:
        return Opaque(written, "this comparison is not understood")
    key, label = key_of(left[0].text), left[0].text
    missing = Truth.UNKNOWN if negated else Truth.FALSE
    if any(token.kind is Kind.ATTRIBUTE for token in right):
        return _with_attribute(key, base, right, written=written, negated=negated)
    if not cross and len(right) > 1:
        return Opaque(written, "this operator compares with one value")
    try:
        sets = [build(token.text) for token in right]
    except DataError as error:
        return Opaque(written, error.message)
    quantifier, over = _CROSSES.get(cross, (Quantifier.ONE, "any"))
    wanted = [~values for values in sets] if negated else sets
    joined = wanted[0]
    for values in wanted[1:]:
        joined = joined | values if over == "any" else joined & values
    if quantifier is Quantifier.ALL:
        missing = Truth.UNKNOWN
    return Test(key, quantifier, joined, missing, label)


def _with_attribute(key: str, base: str, right: tuple[Token, ...], *, written: str, negated: bool) -> Condition:
    """Compare two attributes, which is read for equality of texts alone."""
    if base not in {"stringequals", "stringequalsignorecase"} or len(right) != 1:
        return Opaque(written, "a comparison of two attributes by this operator is not understood")
    template = Template((Variable(key_of(right[0].text)),), negated=negated, fold=base.endswith("ignorecase"))
    return Test(key, Quantifier.ONE, template, Truth.UNKNOWN if negated else Truth.FALSE, written)


def _literal(text: str) -> str:
    return _ESCAPE.sub(r"\1", text)


def _exact(text: str) -> Language:
    return exact(_literal(text))


def _exact_folded(text: str) -> Language:
    return exact(_literal(text), fold=True)


def _start(text: str) -> Language:
    return pieces((_literal(text), STAR))


def _start_folded(text: str) -> Language:
    return pieces((_literal(text), STAR), fold=True)


def _like_parts(text: str) -> list[str | Wildcard]:
    return [_WILDCARDS.get(part) or _literal(part) for part in _PATTERN.findall(text)]


def _like(text: str) -> Language:
    return pieces(_like_parts(text))


def _like_folded(text: str) -> Language:
    return pieces(_like_parts(text), fold=True)


def _guid(text: str) -> Language:
    spelled = guid(text)
    if spelled is None:
        raise DataError(f"`{text:.60}` is not a GUID")
    return one_of((spelled, spelled.replace("-", "")), fold=True)


def _bool(text: str) -> Language:
    if text.lower() not in {"true", "false"}:
        raise DataError(f"`{text:.60}` is neither true nor false")
    return exact(text.lower(), fold=True)


_SETS: dict[str, Callable[[str], ValueSet]] = {
    "stringequals": _exact,
    "stringequalsignorecase": _exact_folded,
    "stringstartswith": _start,
    "stringstartswithignorecase": _start_folded,
    "stringlike": _like,
    "stringlikeignorecase": _like_folded,
    "guidequals": _guid,
    "boolequals": _bool,
    "numericequals": NumberSet.equal,
    "numericlessthan": NumberSet.below,
    "numericlessthanequals": NumberSet.at_most,
    "numericgreaterthan": NumberSet.above,
    "numericgreaterthanequals": NumberSet.at_least,
    "datetimeequals": TimeSet.equal,
    "datetimelessthan": TimeSet.below,
    "datetimelessthanequals": TimeSet.at_most,
    "datetimegreaterthan": TimeSet.above,
    "datetimegreaterthanequals": TimeSet.at_least,
}
"""What each operator accepts, by its name in lower case."""

_NEGATED = frozenset(
    f"{name[:split]}not{name[split:]}"
    for name, split in (
        ("stringequals", 6),
        ("stringequalsignorecase", 6),
        ("stringstartswith", 6),
        ("stringstartswithignorecase", 6),
        ("stringlike", 6),
        ("stringlikeignorecase", 6),
        ("guidequals", 4),
        ("boolequals", 4),
        ("numericequals", 7),
        ("datetimeequals", 8),
    )
)
"""Operators that negate another, such as `StringNotEquals`."""
