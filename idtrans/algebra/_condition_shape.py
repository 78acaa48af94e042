"""Conditions in plain shapes: without negations around tests, and as alternatives of tests that must all hold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra._condition import (
    ALWAYS,
    NEVER,
    Both,
    Condition,
    Either,
    Negation,
    Quantifier,
    Test,
    all_of,
    any_of,
    negate,
)
from idtrans.algebra._condition_template import Template
from idtrans.model.errors import BudgetExceededError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from idtrans.algebra._truth import Truth

MOST_CLAUSES: Final = 64
"""Alternatives of one condition; more is not written out."""

_DUAL: Final = {Quantifier.ONE: Quantifier.ONE, Quantifier.ANY: Quantifier.ALL, Quantifier.ALL: Quantifier.ANY}

Clause = tuple[Condition, ...]
"""Leaves that must all hold."""


def positive(condition: Condition) -> Condition:
    """Return a condition in which only `Has` and free symbols are negated; equal for every request.

    Alternatives that test the same key are one test.
    """
    match condition:
        case Both(parts):
            return all_of(*map(positive, parts))
        case Either(parts):
            return _together(any_of(*map(positive, parts)))
        case Negation(Both(parts)):
            return _together(any_of(*(positive(negate(part)) for part in parts)))
        case Negation(Either(parts)):
            return all_of(*(positive(negate(part)) for part in parts))
        case Negation(Test() as test) if not isinstance(test.values, Template):
            values = ~test.values
            dual = _DUAL[test.quantifier]
            return replace(test, quantifier=dual, values=values, missing=~test.missing, alien=~test.alien)
        case _:
            return condition


def _together(condition: Condition) -> Condition:
    """Put tests of the same key that are alternatives together."""
    if not isinstance(condition, Either):
        return condition
    kept: list[Condition] = []
    for part in condition.parts:
        place = next((number for number, other in enumerate(kept) if _same_key(other, part)), None)
        if place is None:
            kept.append(part)
        else:
            kept[place] = _either(kept[place], part)
    return any_of(*kept)


def _either(one: Condition, other: Condition) -> Condition:
    """Return one test for two of the same key."""
    if not (isinstance(one, Test) and isinstance(other, Test)):
        return any_of(one, other)
    return replace(one, values=one.values | other.values)  # type: ignore[operator]


def rewrite(condition: Condition, change: Callable[[Condition], Condition]) -> Condition:
    """Return a condition with every leaf replaced, and every negated one as a whole."""
    match condition:
        case Both(parts):
            return all_of(*(rewrite(part, change) for part in parts))
        case Either(parts):
            return any_of(*(rewrite(part, change) for part in parts))
        case _:
            return change(condition)


def clauses(condition: Condition) -> tuple[Clause, ...]:
    """Return a condition as alternatives; tests of the same key in one of them are put together.

    Raises:
        BudgetExceededError: there are too many alternatives.
    """
    found: list[Clause] = [()] if condition != NEVER else []
    for part in condition.parts if isinstance(condition, Both) else (condition,):
        options = part.parts if isinstance(part, Either) else (part,)
        spread = [clause for option in options for clause in (clauses(option) if _is_joined(option) else [(option,)])]
        found = [(*clause, *more) for clause in found for more in spread]
        if len(found) > MOST_CLAUSES:
            message = f"a condition has more than {MOST_CLAUSES} alternatives"
            raise BudgetExceededError(message)
    merged = (_merged(clause) for clause in found)
    return tuple(dict.fromkeys(clause for clause in merged if clause is not None))


def _is_joined(condition: Condition) -> bool:
    return isinstance(condition, Both | Either)


def _merged(clause: Clause) -> Clause | None:
    tests: dict[object, Test] = {}
    rest: dict[Condition, None] = {}
    for leaf in clause:
        if not isinstance(leaf, Test) or isinstance(leaf.values, Template) or leaf.quantifier is Quantifier.ANY:
            rest |= {} if leaf == ALWAYS else {leaf: None}
            continue
        key = _frame(leaf)
        known = tests.get(key)
        tests[key] = replace(leaf, values=known.values & leaf.values) if known is not None else leaf  # type: ignore[operator]
    return (*tests.values(), *rest) if NEVER not in rest else None


def same(one: Condition, other: Condition) -> bool:
    """Tell whether two conditions surely hold for the same requests, as far as their alternatives pair up.

    Raises:
        BudgetExceededError: there are too many alternatives.
    """
    ours, theirs = _united(clauses(positive(one))), _united(clauses(positive(other)))
    return all(any(_equal(each, found) for found in theirs) for each in ours) and all(
        any(_equal(each, found) for found in ours) for each in theirs
    )


def _united(found: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Put together alternatives that differ in the values of one test alone."""
    kept = list(found)
    while (pair := next(_differing(kept), None)) is not None:
        one, other, leaf, rival = pair
        values = leaf.values | rival.values  # type: ignore[operator]
        kept = [each for each in kept if each not in (one, other)]
        kept.append(tuple(replace(leaf, values=values) if each == leaf else each for each in one))
    return tuple(kept)


def _differing(found: list[Clause]) -> Iterator[tuple[Clause, Clause, Test, Test]]:
    for place, one in enumerate(found):
        for other in found[place + 1 :]:
            ours = [leaf for leaf in one if leaf not in other]
            theirs = [leaf for leaf in other if leaf not in one]
            if len(ours) == len(theirs) == 1 and _same_key(ours[0], theirs[0]):
                yield one, other, ours[0], theirs[0]  # type: ignore[misc]


def _same_key(one: Condition, other: Condition) -> bool:
    """Tell whether two leaves are tests of one value of the same key, so that either holds for either's values."""
    if not (isinstance(one, Test) and isinstance(other, Test)) or one.quantifier is not Quantifier.ONE:
        return False
    if isinstance(one.values, Template) or isinstance(other.values, Template) or one.values.kind != other.values.kind:
        return False
    return _frame(one) == _frame(other)


def _frame(test: Test) -> tuple[str, Quantifier, Truth, Truth]:
    """Return all of a test but its values."""
    return test.key, test.quantifier, test.missing, test.alien


def _equal(one: Clause, other: Clause) -> bool:
    return len(one) == len(other) and all(any(_same_leaf(leaf, found) for found in other) for leaf in one)


def _same_leaf(one: Condition, other: Condition) -> bool:
    if not (isinstance(one, Test) and isinstance(other, Test)):
        return one == other
    if _frame(one) != _frame(other):
        return False
    if one.values == other.values:
        return True
    if isinstance(one.values, Template) or isinstance(other.values, Template) or one.values.kind != other.values.kind:
        return False
    return (one.values - other.values).is_empty() and (other.values - one.values).is_empty()
