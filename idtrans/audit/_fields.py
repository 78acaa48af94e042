"""The typed fields of facts, read from their declaration: which conditions a rule may put on them."""

from __future__ import annotations

import typing
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache

from idtrans.model.facts import FACT_KINDS, Fact
from idtrans.model.values import UNKNOWN, Confidence, Plane, Reach, Severity, Unknown

FieldValue = str | int | bool | tuple[str, ...] | Unknown
"""What a field of a fact may hold. Members of enumerations are texts."""

ORDERED: frozenset[type[StrEnum]] = frozenset({Confidence, Plane, Reach, Severity})
"""Enumerations whose members stand in an order that has a meaning."""

_PLACE = "source"
"""The field that says where a fact comes from; no rule can look at it."""


@dataclass(frozen=True, slots=True)
class FactField:
    """One field of a fact, as rules see it."""

    name: str
    type: type
    """`bool`, `int`, `str`, `tuple` or an enumeration."""

    @property
    def words(self) -> tuple[str, ...] | None:
        """The words that the field may hold and a rule may ask for; `None` when it is no enumeration."""
        if not issubclass(self.type, StrEnum):
            return None
        return tuple(member.value for member in self.type if is_known(member))

    @property
    def ordered(self) -> bool:
        """Whether its words stand in an order that has a meaning."""
        return self.type in ORDERED


@cache
def fields_of(kind: str) -> dict[str, FactField]:
    """Return the fields of a fact kind by name, in the order of their declaration."""
    fact = FACT_KINDS[kind]
    hints = typing.get_type_hints(fact)
    return {
        field.name: FactField(field.name, _plain(hints[field.name])) for field in fields(fact) if field.name != _PLACE
    }


def value_of(fact: Fact, name: str) -> FieldValue:
    """Return what a fact says in a field that its kind declares."""
    value: FieldValue = getattr(fact, name)
    return value


def is_known(value: FieldValue) -> bool:
    """Tell whether a value says anything: neither `UNKNOWN` nor the word `unknown` of an enumeration or a text."""
    return value is not UNKNOWN and value != UNKNOWN.value


def shown(value: FieldValue) -> str:
    """Return a value as text for people."""
    if value is UNKNOWN:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(value)
    return str(value)


def plain(value: FieldValue) -> object:
    """Return a value as JSON has it."""
    if value is UNKNOWN:
        return UNKNOWN.value
    if isinstance(value, StrEnum):
        return value.value
    return list(value) if isinstance(value, tuple) else value


def _plain(hint: object) -> type:
    """Return the class in an annotation, without the `Unknown` beside it."""
    parts = [part for part in typing.get_args(hint) or (hint,) if isinstance(part, type)]
    origin = typing.get_origin(hint)
    return origin if isinstance(origin, type) and issubclass(origin, tuple) else parts[0]
