"""Can these literals on one key hold together, and with which values?

The values of a key are assumed to be of the kind that its tests compare with: a key that is compared as an address
holds addresses. A key without values is absent.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Final

from idtrans.algebra._condition import FIXED_KEYS, Has, Quantifier, Test
from idtrans.algebra._condition_template import Template
from idtrans.algebra._truth import Truth
from idtrans.model.errors import BudgetExceededError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from idtrans.algebra._search_domain import Domain
    from idtrans.algebra._sets import ValueSet

Wish = tuple[Test | Has, bool]
"""A test and the answer that is wanted of it."""

ANYTHING: Final = "x"
"""A value for a key on which nothing is asked."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What may be assumed about keys."""

    required: frozenset[str]
    """Keys that every request has."""
    plural: frozenset[str]
    """Keys that may have many values."""
    loose: bool
    """Whether to admit what is only possible: an unclear answer for an absent key, any value of a variable."""

    @classmethod
    def of(cls, domain: Domain, tests: Sequence[Test], *, loose: bool) -> Rules:
        """Return the rules of a domain for a question with these tests."""
        compared = frozenset(test.key for test in tests if test.quantifier is not Quantifier.ONE)
        plural = compared if domain.multivalued is None else domain.multivalued
        return cls(domain.required.union(FIXED_KEYS), plural.difference(FIXED_KEYS), loose)


@dataclass(frozen=True, slots=True)
class _Need:
    """What one wish asks of the values of a present key."""

    accepted: ValueSet | None
    """`None` accepts all values."""
    of_each: bool
    """Whether every value must be accepted, and not just one."""
    alone: bool
    """Whether the key must have exactly one value."""


def satisfies(wish: Wish, values: tuple[str, ...], rules: Rules) -> bool:
    """Tell whether the values of a key, none for an absent one, fulfil a wish."""
    test, wanted = wish
    if isinstance(test, Has):
        return bool(values) is wanted
    if not values:
        return _may_miss(wish, rules)
    need = _need(test, wanted=wanted)
    if need.alone and len(values) > 1:
        return False
    if need.accepted is None:
        return True
    return (all if need.of_each else any)(map(need.accepted.matches, values))


def values_for(key: str, wishes: Sequence[Wish], rules: Rules) -> tuple[str, ...] | None:
    """Return values that fulfil all wishes on a key: none if it can be absent, else as few as can be.

    `None` says that there are no such values. Raises `BudgetExceededError` when that cannot be told.
    """
    if key not in rules.required and all(_may_miss(wish, rules) for wish in wishes):
        return ()
    if any(isinstance(test, Has) and not wanted for test, wanted in wishes):
        return None
    needs = [_need(test, wanted=wanted) for test, wanted in wishes if isinstance(test, Test)]
    each = [need.accepted for need in needs if need.of_each and need.accepted is not None]
    some = [need.accepted for need in needs if not need.of_each and need.accepted is not None]
    if key not in rules.plural or any(need.alone for need in needs):
        groups = [each + some]
    else:
        groups = [[*each, accepted] for accepted in some] or [each]
    values: dict[str, None] = {}
    for group in groups:
        value = common_member(key, group)
        if value is None:
            return None
        values[value] = None
    return tuple(values)


def common_member(key: str, sets: Sequence[ValueSet]) -> str | None:
    """Return a value in all sets, `None` when there is none.

    Raises `BudgetExceededError` when that cannot be told: too large, or sets of different kinds.
    """
    kinds: dict[str, list[ValueSet]] = {}
    for accepted in sets:
        kinds.setdefault(accepted.kind, []).append(accepted)
    if not kinds:
        return ANYTHING
    members = [reduce(and_, group).witness() for group in kinds.values()]
    if len(kinds) == 1:
        return members[0]
    for member in members:
        if member is not None and all(accepted.matches(member) for accepted in sets):
            return member
    raise BudgetExceededError(f"`{key}` is compared as {' and as '.join(kinds)}")


def accepted_by(test: Test, *, wanted: bool) -> ValueSet | None:
    """Return the single values for which a test gives the wanted answer at most; `None` for all."""
    values = test.values
    if isinstance(values, Template):
        return values.widest() if wanted else None
    return values if wanted else ~values


def _may_miss(wish: Wish, rules: Rules) -> bool:
    test, wanted = wish
    if isinstance(test, Has):
        return not wanted
    if test.missing is Truth.UNKNOWN:
        return rules.loose
    return test.missing is Truth.of(wanted)


def _need(test: Test, *, wanted: bool) -> _Need:
    alone = test.quantifier is Quantifier.ONE
    of_each = alone or (test.quantifier is Quantifier.ALL) is wanted
    return _Need(accepted_by(test, wanted=wanted), of_each, alone)
