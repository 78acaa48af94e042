"""Values to try for request variables: those at which the patterns of a question meet.

No list of values is complete; a search that finds nothing with them is no proof. Whether there is nothing is decided
elsewhere, with variables that stand for any text.
"""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING

from idtrans.algebra._condition import (
    ALWAYS,
    FIXED_KEYS,
    NEVER,
    PRINCIPAL,
    Both,
    Condition,
    Either,
    Has,
    Negation,
    Quantifier,
    Test,
    all_of,
    any_of,
    negate,
)
from idtrans.algebra._condition_reduce import compare
from idtrans.algebra._condition_template import Template, Variable
from idtrans.algebra._condition_words import leaves
from idtrans.algebra._search_values import ANYTHING
from idtrans.algebra._text import ONE_CHAR, Language, exact, one_of
from idtrans.algebra._truth import Truth
from idtrans.model.errors import BudgetExceededError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from idtrans.algebra._search_domain import Domain
    from idtrans.model.decisions import Request

_VALUES_TRIED = 8
"""Values of one key."""
_BINDINGS_TRIED = 64
"""Combinations of values."""
_MEETINGS_TRIED = 256
"""Pairs of a pattern and another set on the same key."""

Binding = dict[str, str | None]
"""Value by key; `None` for an absent key."""


def bindings(question: Condition, start: Request, domain: Domain) -> Iterator[Binding]:
    """Yield values for all keys that patterns of the question read, with the principal where they follow from it.

    `start` is a request that would be an answer if each variable stood for any text.
    """
    tests = tuple(dict.fromkeys(part for part in leaves(question) if isinstance(part, Test)))
    read = {key for test in tests if isinstance(test.values, Template) for key in test.values.keys}
    values: dict[str, dict[str | None, None]] = {key: {} for key in sorted(read)}
    for key, value in _captures(tests, start):
        values[key][value] = None
    for key, tried in values.items():
        tried.update(dict.fromkeys(_members(tests, key)))
        if key not in FIXED_KEYS:
            tried.update(dict.fromkeys((ANYTHING, None)))
    derived = read & domain.derived
    if not derived and PRINCIPAL not in read:
        yield from islice(_combinations(values), _BINDINGS_TRIED)
        return
    free = {key: tried for key, tried in values.items() if key not in derived and key != PRINCIPAL}
    pairs = product(_principals(tests, values, start, domain), _combinations(free))
    for principal, binding in islice(pairs, _BINDINGS_TRIED):
        given = domain.derive(principal) if domain.derive is not None else {}
        follows = {key: (given.get(key) or (None,))[0] for key in derived}
        yield {**binding, **follows, PRINCIPAL: principal}


def bind(condition: Condition, binding: Mapping[str, str | None]) -> Condition:
    """Return a condition with the values of a binding put in, in patterns and for the keys themselves."""
    match condition:
        case Test():
            return _bind_test(condition, binding)
        case Has(key) if key in binding:
            return NEVER if binding[key] is None else ALWAYS
        case Both(parts):
            return all_of(*(bind(part, binding) for part in parts))
        case Either(parts):
            return any_of(*(bind(part, binding) for part in parts))
        case Negation(part):
            return negate(bind(part, binding))
        case _:
            return condition


def capture(template: Template, text: str) -> Binding:
    """Return what the variables of a pattern stand for in a text that it matches, each as short as can be."""
    found: Binding = {}
    place = 0
    pending: str | None = None
    haystack = text.lower() if template.fold else text
    for part in template.parts:
        if not isinstance(part, str):
            if part is ONE_CHAR:
                place += 1
            pending = part.key if isinstance(part, Variable) else pending
            continue
        needle = part.lower() if template.fold else part
        end = len(text) - len(part) if part is template.parts[-1] else haystack.find(needle, place)
        if pending is not None:
            found[pending], pending = text[place : max(place, end)], None
        place = max(place, end) + len(part)
    if pending is not None:
        found[pending] = text[place:]
    return found


def _bind_test(test: Test, binding: Mapping[str, str | None]) -> Condition:
    accepted = test.values.bind(binding) if isinstance(test.values, Template) else test.values
    if test.key in binding and not isinstance(accepted, Template):
        value = binding[test.key]
        truth = compare(test, () if value is None else (value,), accepted)
        if truth is not Truth.UNKNOWN:
            return ALWAYS if truth is Truth.TRUE else NEVER
    return Test(test.key, test.quantifier, accepted, test.missing, test.label)


def _captures(tests: Sequence[Test], start: Request) -> Iterator[tuple[str, str | None]]:
    """Yield values at which a pattern with variables meets another set on the same key."""
    patterns = [(test, test.values) for test in tests if isinstance(test.values, Template)]
    for test, template in patterns:
        for text in _seen(start, test.key):
            if template.widest().matches(text):
                yield from capture(template, text).items()
    pairs = (
        (template, other)
        for (test, template), other in product(patterns, tests)
        if test.key == other.key and test is not other
    )
    for template, other in islice(pairs, _MEETINGS_TRIED):
        for text in _meetings(template.widest(), other):
            yield from capture(template, text).items()


def _meetings(widest: Language, other: Test) -> list[str]:
    if isinstance(other.values, Template):
        return _witnesses([widest & other.values.widest()])
    if not isinstance(other.values, Language):
        return []
    accepted = other.values & widest
    return _witnesses([accepted, widest - accepted])


def _members(tests: Iterable[Test], key: str) -> list[str]:
    """Return values of a key on either side of what it is itself compared with, two of each where there are."""
    plain = [test.values for test in tests if test.key == key and isinstance(test.values, Language)]
    sides = [side for values in plain for side in (values, ~values)]
    return _witnesses([*sides, *(side - one_of(_witnesses([side])) for side in sides)])


def _principals(
    tests: Iterable[Test], values: Mapping[str, Iterable[str | None]], start: Request, domain: Domain
) -> list[str]:
    """Return principals to try: those found already, and those from which wanted values of other keys follow."""
    found = [start.principal, *(value for value in values.get(PRINCIPAL, ()) if value is not None)]
    found += _members(tests, PRINCIPAL)
    if domain.inverse is not None:
        for key in domain.derived.intersection(values):
            wanted = [Test(key, Quantifier.ONE, exact(value)) for value in values[key] if value is not None]
            sources = [principals for test in wanted if (principals := domain.inverse(test)) is not None]
            own = [test.values for test in tests if test.key == PRINCIPAL and isinstance(test.values, Language)]
            found += _witnesses([source & side for source in sources for side in own] + sources)
    return list(dict.fromkeys(found))[:_BINDINGS_TRIED]


def _combinations(values: Mapping[str, Iterable[str | None]]) -> Iterator[Binding]:
    """Yield choices of one value for each key; empty texts, which requests seldom carry, come last."""
    tried = [sorted(islice(candidates, _VALUES_TRIED), key=lambda value: value == "") for candidates in values.values()]
    for chosen in product(*tried):
        yield dict(zip(values, chosen, strict=True))


def _seen(start: Request, key: str) -> list[str]:
    fixed = {PRINCIPAL: start.principal, "action": start.action, "resource": start.resource}
    return [fixed[key]] if key in fixed else list(start.context.get(key, ()))


def _witnesses(sets: Iterable[Language]) -> list[str]:
    """Return a member of each set that has one and is not too large to tell."""
    found = []
    for accepted in sets:
        try:
            member = accepted.witness()
        except BudgetExceededError:
            continue
        if member is not None:
            found.append(member)
    return found
