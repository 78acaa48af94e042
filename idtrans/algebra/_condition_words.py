"""Conditions for people and for programs: words, and trees of plain dictionaries."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeGuard

from idtrans.algebra._condition import (
    Always,
    Both,
    Condition,
    Either,
    Has,
    Negation,
    Never,
    Opaque,
    Quantifier,
    Test,
    negate,
)
from idtrans.algebra._condition_template import Template
from idtrans.algebra._sets import Kind
from idtrans.algebra._truth import Truth

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.algebra._sets import ValueSet
    from idtrans.model.documents import Json

_SUBJECTS = {Quantifier.ONE: "", Quantifier.ANY: "some value of ", Quantifier.ALL: "every value of "}


def describe(condition: Condition) -> str:
    """Return a condition in words, such as "aws:SourceIp in 10.0.0.0/8 and aws:username is present"."""
    return _words(_pushed(condition))


def _words(condition: Condition) -> str:
    match condition:
        case Both(parts):
            return " and ".join(map(_bracketed, parts))
        case Either(parts):
            return " or ".join(map(_bracketed, parts))
        case Negation(Has() as part):
            return f"{name_of(part)} is absent"
        case Negation(part):
            return f"not ({_words(part)})"
        case _:
            return _leaf_words(condition)


def _pushed(condition: Condition) -> Condition:
    """Return an equal condition whose negations stand at the leaves, and are gone where a set can be turned round."""
    match condition:
        case Both(parts) | Either(parts):
            return type(condition)(tuple(map(_pushed, parts)))
        case Negation(Both(parts)):
            return Either(tuple(_pushed(negate(part)) for part in parts))
        case Negation(Either(parts)):
            return Both(tuple(_pushed(negate(part)) for part in parts))
        case Negation(Test(quantifier=Quantifier.ONE, values=values) as part) if _turns(values):
            return replace(part, values=~values, missing=~part.missing)
        case _:
            return condition


def _turns(values: ValueSet | Template) -> TypeGuard[ValueSet]:
    """Tell whether what a set leaves out is all that it does not match: true of texts, not of other kinds."""
    return not isinstance(values, Template) and values.kind is Kind.TEXT


def to_ast(condition: Condition) -> Json:
    """Return a condition as nested dictionaries with the member `op`; the values of a test are words."""
    match condition:
        case Both(parts):
            return {"op": "and", "parts": [to_ast(part) for part in parts]}
        case Either(parts):
            return {"op": "or", "parts": [to_ast(part) for part in parts]}
        case Negation(part):
            return {"op": "not", "part": to_ast(part)}
        case _:
            return _leaf_ast(condition)


def values_words(test: Test) -> str:
    """Return the set that a test compares with, in words."""
    values = test.values
    return str(values) if isinstance(values, Template) else values.describe()


def opaques(condition: Condition) -> tuple[Opaque, ...]:
    """Return what was not understood in a condition, each text once."""
    return tuple(dict.fromkeys(part for part in leaves(condition) if isinstance(part, Opaque)))


def leaves(condition: Condition) -> Iterable[Condition]:
    """Yield the parts of a condition that are no connectives, in order."""
    match condition:
        case Both(parts) | Either(parts):
            for part in parts:
                yield from leaves(part)
        case Negation(part):
            yield from leaves(part)
        case _:
            yield condition


def name_of(part: Test | Has) -> str:
    """Return how people spell the key of a test."""
    return part.label or part.key


def _leaf_words(leaf: Always | Never | Test | Has | Opaque) -> str:
    match leaf:
        case Always():
            return "always"
        case Never():
            return "never"
        case Has():
            return f"{name_of(leaf)} is present"
        case Opaque(text):
            return f"`{text}` (not understood)"
        case Test():
            return _test_words(leaf)


def _leaf_ast(leaf: Always | Never | Test | Has | Opaque) -> Json:
    match leaf:
        case Always() | Never():
            return {"op": "always" if isinstance(leaf, Always) else "never"}
        case Has():
            return {"op": "has", "key": name_of(leaf)}
        case Opaque(text, reason):
            return {"op": "opaque", "text": text, "reason": reason}
        case Test():
            return {
                "op": "test",
                "key": name_of(leaf),
                "quantifier": leaf.quantifier.value,
                "values": values_words(leaf),
                "missing": leaf.missing.name.lower(),
            }


def _bracketed(part: Condition) -> str:
    words = _words(part)
    return f"({words})" if isinstance(part, Both | Either) else words


def _test_words(test: Test) -> str:
    values = values_words(test)
    among = not isinstance(test.values, Template) and test.values.kind is Kind.IP and values.endswith("`")
    words = f"{_SUBJECTS[test.quantifier]}{name_of(test)} {'' if among else 'is '}{values}"
    if test.quantifier is Quantifier.ALL:
        return words if test.missing is Truth.TRUE else f"{words} and there is one"
    return f"({words} or it is absent)" if test.missing is Truth.TRUE else words
