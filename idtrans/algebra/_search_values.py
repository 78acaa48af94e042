"""Can these literals on one key hold together, and with which values?

The values of a key are assumed to be of the kind that its tests compare with: a key that is compared as an address
holds addresses. A key without values is absent.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import product
from operator import and_
from typing import TYPE_CHECKING, Final, NamedTuple

from idtrans.algebra._condition import FIXED_KEYS, Has, Quantifier, Test
from idtrans.algebra._condition_template import Template
from idtrans.algebra._text import Language, intersection
from idtrans.algebra._truth import Truth
from idtrans.model.errors import BudgetExceededError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from idtrans.algebra._search_domain import Domain
    from idtrans.algebra._sets import ValueSet

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
    def of(cls, domain: Domain, tests: Iterable[Test], *, loose: bool) -> Rules:
        """Return the rules of a domain for a question with these tests."""
        compared = frozenset(test.key for test in tests if test.quantifier is not Quantifier.ONE)
        plural = compared if domain.multivalued is None else domain.multivalued
        if domain.single is not None:
            plural = frozenset(key for key in plural if not domain.single(key))
        return cls(domain.required.union(FIXED_KEYS), plural.difference(FIXED_KEYS), loose)


class Pattern(NamedTuple):
    """What is wanted of a pattern with variables."""

    quantifier: Quantifier
    template: Template
    wanted: bool


@dataclass(frozen=True, slots=True, eq=False)
class Wish:
    """One test with the answer that is wanted of it."""

    key: str
    absent: Truth
    """Whether an absent key gives the wanted answer."""
    present: bool
    """Whether a key with values can give it."""
    accepted: ValueSet | None = None
    """The values that give it at most; `None` for all."""
    of_each: bool = True
    """Whether every value must be accepted, and not just one."""
    alone: bool = False
    """Whether the key must have exactly one value."""
    pattern: Pattern | None = None
    """For a test of a pattern with variables."""

    @classmethod
    def of(cls, test: Test | Has, *, wanted: bool) -> Wish:
        """Return what a test asks of the values of its key."""
        if isinstance(test, Has):
            return cls(test.key, Truth.of(not wanted), present=wanted)
        absent = test.missing if wanted else ~test.missing
        alone = test.quantifier is Quantifier.ONE
        of_each = alone or (test.quantifier is Quantifier.ALL) is wanted
        return cls(
            test.key,
            absent,
            present=True,
            accepted=_accepted(test, wanted=wanted),
            of_each=of_each,
            alone=alone,
            pattern=Pattern(test.quantifier, test.values, wanted) if isinstance(test.values, Template) else None,
        )

    def may_miss(self, rules: Rules) -> bool:
        """Tell whether the key may be absent."""
        return self.absent is Truth.TRUE or (rules.loose and self.absent is Truth.UNKNOWN)

    def is_fulfilled(self, values: tuple[str, ...], rules: Rules) -> bool:
        """Tell whether the values of the key, none for an absent one, give the wanted answer."""
        if not values:
            return self.may_miss(rules)
        if not self.present or (self.alone and len(values) > 1):
            return False
        if self.accepted is None:
            return True
        return (all if self.of_each else any)(map(self.accepted.matches, values))


def values_for(key: str, wishes: Sequence[Wish], rules: Rules) -> tuple[str, ...] | None:
    """Return values that fulfil all wishes on a key: none if it can be absent, else as few as can be.

    `None` says that there are no such values. Raises `BudgetExceededError` when that cannot be told.
    """
    if key not in rules.required and all(wish.may_miss(rules) for wish in wishes):
        return ()
    if _contradicted(wishes) or not all(wish.present for wish in wishes):
        return None
    each = [wish.accepted for wish in wishes if wish.of_each and wish.accepted is not None]
    some = [wish.accepted for wish in wishes if not wish.of_each and wish.accepted is not None]
    if key not in rules.plural or any(wish.alone for wish in wishes):
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
    if all(accepted.matches(ANYTHING) for accepted in sets):
        return ANYTHING
    kinds: dict[str, list[ValueSet]] = {}
    for accepted in sets:
        kinds.setdefault(accepted.kind, []).append(accepted)
    members = [_meet(group).witness() for group in kinds.values()]
    if len(kinds) == 1:
        return members[0]
    for member in members:
        if member is not None and all(accepted.matches(member) for accepted in sets):
            return member
    raise BudgetExceededError(f"`{key}` is compared as {' and as '.join(kinds)}")


def _contradicted(wishes: Sequence[Wish]) -> bool:
    """Tell whether a pattern is to match where another one, which surely matches the same, is not."""
    patterns = [wish.pattern for wish in wishes if wish.pattern is not None]
    wanted = [pattern for pattern in patterns if pattern.wanted]
    banned = [pattern for pattern in patterns if not pattern.wanted]
    return any(
        one.quantifier is two.quantifier and one.template.is_within(two.template)
        for one, two in product(wanted, banned)
    )


def _meet(sets: Sequence[ValueSet]) -> ValueSet:
    """Return the values in all sets, which are of one kind."""
    languages = [accepted for accepted in sets if isinstance(accepted, Language)]
    return intersection(languages) if languages else reduce(and_, sets)


def _accepted(test: Test, *, wanted: bool) -> ValueSet | None:
    """Return the single values for which a test gives the wanted answer at most; `None` for all."""
    values = test.values
    if isinstance(values, Template):
        return values.widest() if wanted else None
    return values if wanted else ~values
