"""Conditions in as few words as possible, for people: tests of one key become one test."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Final

from idtrans.algebra._condition import NEVER, Both, Either, Has, Quantifier, Test, all_of, any_of, negate
from idtrans.algebra._condition_shape import positive
from idtrans.algebra._condition_template import Template
from idtrans.algebra._truth import Truth
from idtrans.model.errors import BudgetExceededError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from idtrans.algebra._condition import Condition

_BOTH: Final = frozenset({Quantifier.ONE, Quantifier.ALL})
"""Quantifiers of which two tests that must both hold are one test of what is in both sets."""
_EITHER: Final = frozenset({Quantifier.ONE, Quantifier.ANY})
"""Quantifiers of which two tests that are alternatives are one test of what is in either set."""


def tidy(condition: Condition) -> Condition:
    """Return a condition that is equal for every request, with the tests of a key put together where that can be."""
    return _tidied(positive(condition))


def _tidied(condition: Condition) -> Condition:
    match condition:
        case Both(parts):
            return all_of(*_joined(map(_tidied, parts), _BOTH, and_))
        case Either(parts):
            return any_of(*_joined(map(_tidied, parts), _EITHER, or_))
        case Test():
            return _settled(condition)
        case _:
            return condition


def _joined(
    parts: Iterable[Condition], quantifiers: frozenset[Quantifier], join: Callable[[Any, Any], Any]
) -> list[Condition]:
    """Return parts with the tests of one key as one test, at the place of the first."""
    groups: dict[object, list[Condition]] = {}
    for part in parts:
        groups.setdefault(_group(part, quantifiers), []).append(part)
    return [_settled(reduce(lambda one, other: _one(one, other, join), group)) for group in groups.values()]


def _group(part: Condition, quantifiers: frozenset[Quantifier]) -> object:
    if not isinstance(part, Test) or isinstance(part.values, Template) or part.quantifier not in quantifiers:
        return part
    return part.key, part.quantifier, part.values.kind


def _one(one: Condition, other: Condition, join: Callable[[Any, Any], Any]) -> Condition:
    if not (isinstance(one, Test) and isinstance(other, Test)) or one == other:
        return one
    return replace(
        one,
        values=join(one.values, other.values),
        missing=join(one.missing, other.missing),
        alien=join(one.alien, other.alien),
    )


def _settled(part: Condition) -> Condition:
    """Return a test that no value can meet as what it says about the absent key."""
    if not isinstance(part, Test) or isinstance(part.values, Template) or part.alien is not Truth.FALSE:
        return part
    if part.quantifier is Quantifier.ALL or part.missing is Truth.UNKNOWN or not _is_empty(part):
        return part
    return NEVER if part.missing is Truth.FALSE else negate(Has(part.key, part.label))


def _is_empty(test: Test) -> bool:
    try:
        return not isinstance(test.values, Template) and test.values.is_empty()
    except BudgetExceededError:
        return False
