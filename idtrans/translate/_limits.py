"""Limits: conditions in the words that all clouds have in common, and what a target can say of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import (
    ALWAYS,
    NEVER,
    STAR,
    Both,
    Condition,
    Either,
    Language,
    Opaque,
    Quantifier,
    Test,
    Truth,
    all_of,
    any_of,
    describe,
    glob,
    opaques,
    pieces,
    positive,
    rewrite,
)
from idtrans.ports import ALWAYS_THERE, OBJECT, STORE
from idtrans.translate._levels import BUCKETS, OBJECT_PART, PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.model.intents import Scope
    from idtrans.ports import Cloud


@dataclass(frozen=True, slots=True)
class Fitted:
    """What a target can say of a limit."""

    condition: Condition = ALWAYS
    narrowed: tuple[str, ...] = ()
    """Alternatives that are left out, each with the reason."""
    widened: tuple[str, ...] = ()
    """What must hold and is not said, each with the reason."""


NO_LIMIT: Final = Fitted()
"""What is said of no limit at all."""


def named(scope: Scope) -> Condition:
    """Return the names of objects and of buckets that a scope is limited to."""
    tests = []
    if BUCKETS in scope.parts:
        tests.append(Test(STORE, Quantifier.ONE, pieces((scope.parts[BUCKETS], STAR))))
    if PREFIX in scope.parts:
        tests.append(Test(OBJECT, Quantifier.ONE, pieces((scope.parts[PREFIX], STAR))))
    if OBJECT_PART in scope.parts:
        tests.append(Test(OBJECT, Quantifier.ONE, glob(scope.parts[OBJECT_PART])))
    return all_of(*tests)


def fitted(limit: Condition, permissions: Iterable[str], cloud: Cloud, variant: str | None = None) -> Fitted:
    """Return a limit as the grants of some permissions can carry it.

    An alternative that cannot be said is left out, which makes less of the grant. What must hold and cannot be said is
    left out as well, which makes more of it.
    """
    names = tuple(permissions)

    def change(leaf: Condition) -> Condition:
        return all_of(*(cloud.fit(leaf, name, variant) for name in names))

    asked = rewrite(positive(limit), change)
    parts = asked.parts if isinstance(asked, Both) else (asked,)
    kept: list[Condition] = []
    narrowed: list[str] = []
    widened: list[str] = []
    for part in parts:
        options = part.parts if isinstance(part, Either) else (part,)
        sayable = [option for option in options if not opaques(option)]
        unsaid = [_words(symbol) for option in options for symbol in opaques(option)]
        if sayable or part == NEVER:
            kept.append(any_of(*sayable))
            narrowed += unsaid
        else:
            widened += unsaid
    return Fitted(all_of(*kept), tuple(dict.fromkeys(narrowed)), tuple(dict.fromkeys(widened)))


def _words(symbol: Opaque) -> str:
    return f"{symbol.text}: {symbol.reason}" if symbol.reason else symbol.text


def lost_names(scope: Scope) -> Condition:
    """Return the names that a scope is limited to and that no place says, so that they have to be a limit."""
    return named(scope) if OBJECT_PART in scope.parts or BUCKETS in scope.parts else ALWAYS


def plain(leaf: Condition) -> Condition:
    """Return a test as one that was never negated: without answers for values and requests that do not exist."""
    if not isinstance(leaf, Test):
        return leaf
    missing = Truth.FALSE if leaf.key in ALWAYS_THERE else leaf.missing
    alien = Truth.FALSE if isinstance(leaf.values, Language) or leaf.key in ALWAYS_THERE else leaf.alien
    return replace(leaf, missing=missing, alien=alien)


def words(limit: Condition) -> str | None:
    """Return a limit for people, `None` for no limit."""
    return None if limit == ALWAYS else describe(limit)
