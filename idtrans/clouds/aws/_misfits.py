"""Condition tests that no request can meet: their operator and values do not fit the key.

https://docs.aws.amazon.com/IAM/latest/UserGuide/access-analyzer-reference-policy-checks.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.catalog import KeyType, aws_condition_key
from idtrans.clouds.aws._operators import Applied, Comparison, Family, Sense, read_operator

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.model.entities import ConditionTest

_MEETS: Final = {
    Family.IP: {KeyType.IP_ADDRESS},
    Family.DATE: {KeyType.DATE, KeyType.NUMERIC},
    Family.NUMERIC: {KeyType.NUMERIC, KeyType.DATE, KeyType.STRING},
    Family.BOOL: {KeyType.BOOL, KeyType.STRING},
    Family.ARN: {KeyType.ARN, KeyType.STRING},
}
"""Which types of keys have values that an operator can match; a tag may spell a number, and a time is a number too."""


def misfits(tests: Iterable[ConditionTest]) -> tuple[str, ...]:
    """Return in words which tests of a statement never match a value, each with what follows from that."""
    return tuple(text for test in tests if (text := _misfit(test)) is not None)


def _misfit(test: ConditionTest) -> str | None:
    applied, known = read_operator(test.operator), aws_condition_key(test.key)
    if applied is None or known is None or not test.values:
        return None
    why = _why(applied, known.type, test.values)
    if why is None:
        return None
    always = applied.operator.sense is Sense.NEGATED
    return f"`{test.operator}` on `{test.key}` {'refuses nothing' if always else 'never matches'}: {why}"


def _why(applied: Applied, kind: KeyType, values: tuple[str, ...]) -> str | None:
    operator = applied.operator
    meets = _MEETS.get(operator.family)
    if meets is not None and kind not in meets:
        return f"the key has values of the type {kind.value}"
    if operator.family is Family.ARN and not any(value.startswith(("arn:", "*", "?", "${")) for value in values):
        return "no value is a pattern of ARNs"
    if (operator.family, operator.comparison) == (Family.STRING, Comparison.EQUAL):
        if kind is KeyType.ARN and all(_is_wild(value) for value in values):
            return "`*` and `?` are plain characters here"
        if kind is KeyType.IP_ADDRESS and all("/" in value for value in values):
            return "a range of addresses is plain text here"
    return None


def _is_wild(value: str) -> bool:
    plain = value.replace("${*}", "").replace("${?}", "")
    return "*" in plain or "?" in plain
