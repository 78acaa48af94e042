"""Condition blocks of AWS policies, compiled to conditions of the algebra.

Values of one key are alternatives, keys and operators must all hold, and a negated operator holds when no value
matches. What cannot be read becomes `Opaque`: never a match, never skipped.
https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-logic-multiple-context-keys-or-values.html
"""

from __future__ import annotations

import base64
import binascii
from functools import lru_cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Final, TypeVar

from idtrans.algebra import (
    ALWAYS,
    Choice,
    Condition,
    Has,
    IpSet,
    Language,
    NumberSet,
    Opaque,
    Quantifier,
    Template,
    Test,
    TimeSet,
    Truth,
    all_of,
    any_of,
    exact,
    negate,
    one_of,
    union,
)
from idtrans.clouds.aws._operators import Applied, Case, Comparison, Family, Sense, read_operator
from idtrans.clouds.aws._patterns import Style, pattern
from idtrans.model.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from idtrans.model.entities import ConditionTest

_S = TypeVar("_S", NumberSet, TimeSet)
_BOOLEANS: Final = ("true", "false")


def compile_conditions(tests: Iterable[ConditionTest], version: str) -> Condition:
    """Return the conjunction of all tests of a statement, in a policy of the given version."""
    return all_of(*(compile_test(test.operator, test.key, test.values, version) for test in tests))


@lru_cache(maxsize=65536)
def compile_test(operator: str, key: str, values: tuple[str, ...], version: str) -> Condition:
    """Return one operator applied to one key. Keys are compared in lower case and shown as written."""
    applied = read_operator(operator)
    if applied is None:
        return _opaque(operator, key, values, f"`{operator}` is no condition operator of AWS")
    if not values:
        return _opaque(operator, key, values, f"`{operator}` of `{key}` lists no value")
    compiled = _compile(applied, key, values, version)
    return compiled if compiled is not None else _opaque(operator, key, values, f"a value is not one for `{operator}`")


def words(tests: Iterable[ConditionTest]) -> str | None:
    """Return conditions as text for people, close to how they are written; `None` for no condition."""
    return " and ".join(_written(test.operator, test.key, test.values) for test in tests) or None


def _written(operator: str, key: str, values: tuple[str, ...]) -> str:
    return f"{operator} {key} {' | '.join(values)}"


def _opaque(operator: str, key: str, values: tuple[str, ...], reason: str) -> Condition:
    return Opaque(_written(operator, key.lower(), values), reason)


def _compile(applied: Applied, key: str, values: tuple[str, ...], version: str) -> Condition | None:
    match applied.operator.family:
        case Family.NULL:
            return _null(key, values)
        case Family.STRING | Family.ARN:
            return _texts(applied, key, values, version)
        case family:
            found = _SETS[family](applied, values)
            if found is None:
                return None
            return _of_kind(applied, key, found)


def _of_kind(applied: Applied, key: str, found: NumberSet | TimeSet | IpSet | Language) -> Condition:
    """Compare values that must be numbers, dates, addresses and the like.

    A value that is none does not match. Whether it therefore meets a negated operator, no page of the vendor says.
    """
    negated = applied.operator.sense is Sense.NEGATED
    alien = Truth.UNKNOWN if negated else Truth.FALSE
    return Test(key.lower(), applied.quantifier, ~found if negated else found, applied.missing, key, alien)


def _null(key: str, values: tuple[str, ...]) -> Condition | None:
    """Read `Null`: `true` asks for an absent key.

    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html#Conditions_Null
    """
    wanted = {value.lower() for value in values}
    if not wanted <= set(_BOOLEANS):
        return None
    if len(wanted) > 1:
        return ALWAYS
    present = Has(key.lower(), key)
    return negate(present) if wanted == {"true"} else present


def _texts(applied: Applied, key: str, values: tuple[str, ...], version: str) -> Condition | None:
    operator = applied.operator
    style = _style(operator.family, operator.comparison)
    plain: list[Language] = []
    open_: list[Template] = []
    for value in values:
        found = pattern(value, version, style, operator.case is Case.FOLD)
        if found is None:
            return None
        (open_ if isinstance(found, Template) else plain).append(found)  # type: ignore[arg-type]
    if not open_:
        together = union(plain)
        accepted = ~together if operator.sense is Sense.NEGATED else together
        return Test(key.lower(), applied.quantifier, accepted, applied.missing, key)
    return _open_texts(applied, key, plain, open_)


def _style(family: Family, comparison: Comparison) -> Style:
    if family is Family.ARN:
        return Style.ARN
    return Style.LIKE if comparison is Comparison.LIKE else Style.EXACT


def _open_texts(applied: Applied, key: str, plain: list[Language], open_: list[Template]) -> Condition:
    """Combine values of which some have variables: one test for each, since a union of them is no plain set."""
    negated = applied.operator.sense is Sense.NEGATED
    sets: list[Language | Template] = [union(plain)] if plain else []
    sets += open_
    if len(sets) > 1 and applied.quantifier is (Quantifier.ANY if negated else Quantifier.ALL):
        # One value in all sets, or each value in some set: neither splits into tests of the sets one by one.
        return _choice(applied, key, tuple(sets))
    tests = [
        Test(key.lower(), applied.quantifier, _complement(each) if negated else each, applied.missing, key)
        for each in sets
    ]
    return all_of(*tests) if negated else any_of(*tests)


def _choice(applied: Applied, key: str, sets: tuple[Language | Template, ...]) -> Condition:
    text = f"{applied.text} {key.lower()} {' | '.join(sorted(map(str, sets)))}"
    reason = "it compares many values with patterns that wait for the values of their variables"
    negated = applied.operator.sense is Sense.NEGATED
    return Choice(text, reason, key.lower(), applied.quantifier, sets, negated, applied.missing)


def _complement(values: Language | Template) -> Language | Template:
    if isinstance(values, Template):
        return Template(values.parts, negated=True, fold=values.fold, segmented=values.segmented)
    return ~values


def _numbers(applied: Applied, values: tuple[str, ...]) -> NumberSet | None:
    return _ordered(NumberSet, applied.operator.comparison, values)


def _times(applied: Applied, values: tuple[str, ...]) -> TimeSet | None:
    return _ordered(TimeSet, applied.operator.comparison, values)


def _ordered(kind: type[_S], comparison: Comparison, values: tuple[str, ...]) -> _S | None:
    build: dict[Comparison, Callable[[str], _S]] = {
        Comparison.EQUAL: kind.equal,
        Comparison.LESS: kind.below,
        Comparison.LESS_EQUAL: kind.at_most,
        Comparison.GREATER: kind.above,
        Comparison.GREATER_EQUAL: kind.at_least,
    }
    try:
        return reduce(or_, map(build[comparison], values))
    except DataError:
        return None


def _addresses(_: Applied, values: tuple[str, ...]) -> IpSet | None:
    try:
        return IpSet.of(values)
    except DataError:
        return None


def _booleans(_: Applied, values: tuple[str, ...]) -> Language | None:
    lowered = {value.lower() for value in values}
    if not lowered <= set(_BOOLEANS):
        return None
    # These keys hold `true` or `false`: what is not the one is the other, and a witness of "not false" is `true`.
    sets = {"true": exact("true", fold=True), "false": ~exact("true", fold=True)}
    return union(sets[value] for value in lowered)


def _bytes(_: Applied, values: tuple[str, ...]) -> Language | None:
    try:
        for value in values:
            base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return None
    return one_of(values)


_SETS: Final[dict[Family, Callable[[Applied, tuple[str, ...]], NumberSet | TimeSet | IpSet | Language | None]]] = {
    Family.NUMERIC: _numbers,
    Family.DATE: _times,
    Family.IP: _addresses,
    Family.BOOL: _booleans,
    Family.BINARY: _bytes,
}
