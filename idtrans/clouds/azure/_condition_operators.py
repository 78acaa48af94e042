"""The operators of role assignment conditions, as sets of accepted values.

https://learn.microsoft.com/azure/role-based-access-control/conditions-format#operators
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from idtrans.algebra import (
    ONE_CHAR,
    STAR,
    Language,
    NumberSet,
    Quantifier,
    TimeSet,
    ValueSet,
    Wildcard,
    exact,
    one_of,
    pieces,
)
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


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator of the language, taken apart."""

    base: str
    """Name in lower case without quantifiers and negation, such as `stringequals`."""
    negated: bool
    cross: str | None
    """Quantifiers over both sides, such as `foranyofanyvalues`; `None` where one value meets one value."""

    @property
    def quantifier(self) -> Quantifier:
        """How the values at the left count."""
        return _CROSSES[self.cross][0] if self.cross is not None else Quantifier.ONE

    @property
    def over(self) -> str:
        """How the values at the right count: `any` or `all`."""
        return _CROSSES[self.cross][1] if self.cross is not None else "any"

    def sets(self, texts: Iterable[str]) -> list[ValueSet]:
        """Return what the operator accepts at its left for each literal at its right.

        Raises:
            DataError: a literal is not of the kind that the operator compares.
        """
        found = [_SETS[self.base](text) for text in texts]
        return [~values for values in found] if self.negated else found


def operator_of(written: str) -> Operator | None:
    """Return an operator by its name in lower case, `None` when there is no such operator."""
    cross, colon, plain = written.rpartition(":")
    base, negated = (plain.replace("not", "", 1), True) if plain in _NEGATED else (plain, False)
    if base not in _SETS or (colon and cross not in _CROSSES):
        return None
    return Operator(base, negated, cross or None)


def join(sets: list[ValueSet], over: str) -> ValueSet:
    """Return what at least one (`any`) or every one (`all`) of some sets holds."""
    joined = sets[0]
    for values in sets[1:]:
        joined = joined | values if over == "any" else joined & values
    return joined


def literal(text: str) -> str:
    """Return a literal as it is compared where it is no pattern.

    Raises:
        DataError: it holds a backslash, but one that keeps a quote from ending it: documented in patterns alone.
    """
    plain = text.replace("\\'", "'")
    if "\\" in plain:
        raise DataError(f"what the backslash in `{text:.60}` means outside of a pattern is not documented")
    return plain


def _exact(text: str) -> Language:
    return exact(literal(text))


def _exact_folded(text: str) -> Language:
    return exact(literal(text), fold=True)


def _start(text: str) -> Language:
    return pieces((literal(text), STAR))


def _start_folded(text: str) -> Language:
    return pieces((literal(text), STAR), fold=True)


def _like_parts(text: str) -> list[str | Wildcard]:
    return [_WILDCARDS.get(part) or _ESCAPE.sub(r"\1", part) for part in _PATTERN.findall(text)]


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
