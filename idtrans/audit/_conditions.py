"""The conditions of a rule: one typed operator on one field of a fact, answered in three values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from idtrans.algebra import Truth
from idtrans.audit._fields import FactField, FieldValue, is_known, value_of
from idtrans.model.facts import Fact
from idtrans.model.values import rank

Operand = str | int | bool | tuple[str | int, ...]
"""What a condition compares with, checked against the field's type."""


@dataclass(frozen=True, slots=True)
class FieldTest:
    """One condition of a rule."""

    field: str
    operator: str
    operand: Operand

    def holds(self, fact: Fact) -> Truth:
        """Compare a fact's field. A value that is not known leaves the answer open."""
        value = value_of(fact, self.field)
        if not is_known(value):
            return Truth.UNKNOWN
        return Truth.of(_OPERATORS[self.operator].holds(value, self.operand))


@dataclass(frozen=True, slots=True)
class _Operator:
    types: tuple[type, ...]
    """Classes of fields that it fits."""
    holds: Callable[[FieldValue, Operand], bool]
    listed: bool = False
    """Whether it compares with a list."""
    ordered: bool = False
    """Whether it fits only words that stand in an order."""


def _equals(value: FieldValue, operand: Operand) -> bool:
    return value == operand


def _is_in(value: FieldValue, operand: Operand) -> bool:
    choices = operand if isinstance(operand, tuple) else (operand,)
    return any(entry in choices for entry in value) if isinstance(value, tuple) else value in choices


def _is_not_in(value: FieldValue, operand: Operand) -> bool:
    return not _is_in(value, operand)


def _at_least_number(value: FieldValue, operand: Operand) -> bool:
    return isinstance(value, int) and isinstance(operand, int) and value >= operand


def _at_most_number(value: FieldValue, operand: Operand) -> bool:
    return isinstance(value, int) and isinstance(operand, int) and value <= operand


def _at_least_word(value: FieldValue, operand: Operand) -> bool:
    return isinstance(value, StrEnum) and rank(value) >= rank(type(value)(str(operand)))


_OPERATORS: Final[Mapping[str, _Operator]] = {
    "eq": _Operator((bool, int, str), _equals),
    "in": _Operator((int, str, tuple), _is_in, listed=True),
    "not_in": _Operator((int, str, tuple), _is_not_in, listed=True),
    "gte": _Operator((int,), _at_least_number),
    "lte": _Operator((int,), _at_most_number),
    "at_least": _Operator((StrEnum,), _at_least_word, ordered=True),
}

OPERATORS: Final = tuple(_OPERATORS)
"""Names of all operators."""


def read_test(field: FactField, operator: str, operand: object) -> FieldTest:
    """Return a condition, after checking that operator and operand fit the field.

    Raises:
        ValueError: they do not; the text says why and is fit for people.
    """
    known = _OPERATORS[operator]
    if not _fits(field, known):
        fitting = ", ".join(f"`{name}`" for name, other in _OPERATORS.items() if _fits(field, other))
        raise ValueError(f"`{operator}` does not fit the field `{field.name}`, which takes {fitting}")
    if not known.listed:
        return FieldTest(field.name, operator, _operand(field, operand))
    if not isinstance(operand, list) or not operand:
        raise ValueError(f"`{operator}` takes a list of values that is not empty")
    entries = tuple(_operand(field, entry) for entry in operand)
    return FieldTest(field.name, operator, tuple(entry for entry in entries if not isinstance(entry, tuple)))


def _fits(field: FactField, operator: _Operator) -> bool:
    # `bool` is a subclass of `int`, and yes or no has no greater and less.
    fits = field.type in operator.types if field.type in {bool, int} else issubclass(field.type, operator.types)
    return fits and (field.ordered or not operator.ordered)


def _operand(field: FactField, value: object) -> Operand:
    wanted = field.type if field.type in {bool, int} else str
    if type(value) is not wanted or not isinstance(value, str | int):
        raise ValueError(f"the field `{field.name}` is compared with {_NAMES[wanted]}")
    if field.words is not None and value not in field.words:
        words = ", ".join(f"`{word}`" for word in field.words)
        raise ValueError(f"the field `{field.name}` never is what it is compared with; it is one of {words}")
    return value


_NAMES: Final = {bool: "true or false", int: "a whole number", str: "a text"}
