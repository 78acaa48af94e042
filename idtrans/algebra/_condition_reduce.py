"""Partial evaluation of conditions: what a request decides becomes a constant, the rest remains."""

from __future__ import annotations

import functools
from dataclasses import replace
from operator import and_, or_
from typing import TYPE_CHECKING

from idtrans.algebra._condition import (
    ALWAYS,
    FIXED_KEYS,
    NEVER,
    PRINCIPAL,
    RESOURCE,
    Both,
    Choice,
    Condition,
    Either,
    Has,
    Negation,
    Opaque,
    Quantifier,
    Test,
    all_of,
    any_of,
    negate,
)
from idtrans.algebra._condition_template import Template
from idtrans.algebra._condition_words import describe
from idtrans.algebra._text import Language, union
from idtrans.algebra._truth import Truth
from idtrans.model.decisions import Knowledge

if TYPE_CHECKING:
    from idtrans.algebra._sets import ValueSet
    from idtrans.model.decisions import Request


def reduce(condition: Condition, request: Request) -> Condition:
    """Return what remains of a condition for one request: ALWAYS, NEVER, or a condition on what is not known.

    Under every completion of the request the result agrees with the condition.
    """
    match condition:
        case Test():
            return _reduce_test(condition, request)
        case Has(key):
            values = known_values(request, key)
            return condition if values is None else _constant(Truth.of(values), condition)
        case Both(parts):
            return _reduce_parts(parts, request, settled=NEVER)
        case Either(parts):
            return _reduce_parts(parts, request, settled=ALWAYS)
        case Negation(part):
            return negate(reduce(part, request))
        case _:
            return _reduce_choice(condition, request) if isinstance(condition, Choice) else condition


def _reduce_parts(parts: tuple[Condition, ...], request: Request, *, settled: Condition) -> Condition:
    """Reduce parts that are joined up to the one that settles them all, as NEVER settles a conjunction."""
    found = []
    for part in parts:
        reduced = reduce(part, request)
        if reduced is settled:
            return settled
        found.append(reduced)
    return all_of(*found) if settled is NEVER else any_of(*found)


def known_values(request: Request, key: str) -> tuple[str, ...] | None:
    """Return the values of a key in a request, none for an absent key, `None` for one that is not known."""
    if key == RESOURCE:
        return (request.resource,)
    if key in FIXED_KEYS:
        return (request.principal if key == PRINCIPAL else request.action,)
    values = request.context.get(key)
    return () if values is None and request.knowledge is Knowledge.CLOSED else values


def truth_of(condition: Condition) -> Truth:
    """Return TRUE for ALWAYS, FALSE for NEVER, UNKNOWN for all else."""
    if condition is ALWAYS or condition == ALWAYS:
        return Truth.TRUE
    return Truth.FALSE if condition is NEVER or condition == NEVER else Truth.UNKNOWN


def compare(test: Test, values: tuple[str, ...], accepted: ValueSet) -> Truth:
    """Return what a test yields for a key with these values, where `accepted` is the set it compares with."""
    if not values:
        return test.missing
    if test.quantifier is Quantifier.ONE and len(values) > 1:
        return Truth.UNKNOWN
    if test.alien is not Truth.FALSE:
        found = [_compare_one(test, value, accepted) for value in values]
        return functools.reduce(or_ if test.quantifier is Quantifier.ANY else and_, found)
    if len(values) == 1:
        return Truth.TRUE if accepted.matches(values[0]) else Truth.FALSE
    if test.quantifier is Quantifier.ANY:
        return Truth.of(any(map(accepted.matches, values)))
    return Truth.of(all(map(accepted.matches, values)))


def _compare_one(test: Test, value: str, accepted: ValueSet) -> Truth:
    """Return what a test yields for a value that may not be of the kind of its set."""
    if accepted.matches(value):
        return Truth.TRUE
    return Truth.FALSE if (~accepted).matches(value) else test.alien


def _reduce_test(test: Test, request: Request) -> Condition:
    values = known_values(request, test.key)
    accepted = test.values
    if values is not None and not values:
        # Whatever the pattern stands for, there is nothing to compare it with.
        return _constant(test.missing, test)
    if isinstance(accepted, Template):
        plural = [key for key in accepted.keys if len(known_values(request, key) or ()) > 1]
        if plural:
            reason = f"`{min(plural)}` has several values and stands in a pattern"
            return Opaque(describe(test), reason)
        accepted = accepted.bind(_bindings(accepted, request))
    if values is None:
        return replace(test, values=accepted)
    if isinstance(accepted, Template):
        return _reduce_open(replace(test, values=accepted), accepted, values)
    return _constant(compare(test, values, accepted), test)


def _reduce_choice(choice: Choice, request: Request) -> Condition:
    """Decide a test against many patterns where nothing in them is open."""
    values = known_values(request, choice.key)
    if values is None:
        return choice
    bound = [_bound(pattern, request) for pattern in choice.patterns] if values else []
    plain = [pattern for pattern in bound if isinstance(pattern, Language)]
    if len(plain) < len(bound):
        return choice
    accepted = ~union(plain) if choice.negated else union(plain)
    test = Test(choice.key, choice.quantifier, accepted, choice.missing)
    return _constant(compare(test, values, accepted), test)


def _bound(pattern: Language | Template, request: Request) -> Language | Template:
    """Put the values of variables into a pattern; one of several values stays open."""
    if isinstance(pattern, Language):
        return pattern
    given = {key: values for key, values in _known(pattern, request).items() if len(values) <= 1}
    return pattern.bind({key: next(iter(values), None) for key, values in given.items()})


def _reduce_open(test: Test, template: Template, values: tuple[str, ...]) -> Condition:
    """Decide a test whose pattern still has open variables where they cannot matter."""
    if len(values) == 1 and not template.widest().matches(values[0]):
        return _constant(Truth.of(template.negated), test)
    return test


def _bindings(template: Template, request: Request) -> dict[str, str | None]:
    return {key: values[0] if values else None for key, values in _known(template, request).items()}


def _known(template: Template, request: Request) -> dict[str, tuple[str, ...]]:
    """Return the values of the keys of a template that are known."""
    found = {key: known_values(request, key) for key in template.keys}
    return {key: values for key, values in found.items() if values is not None}


def _constant(truth: Truth, part: Test | Has) -> Condition:
    if truth is Truth.UNKNOWN:
        return Opaque(describe(part), f"the vendor does not say what `{part.label or part.key}` yields here")
    return ALWAYS if truth is Truth.TRUE else NEVER
