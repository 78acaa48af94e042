"""Remarks on the statements of a trust policy, each with a stable code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from idtrans.algebra import Quantifier
from idtrans.clouds.aws._operators import Absence, Applied, Comparison, Family, Sense, read_operator
from idtrans.ports import Note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.model.entities import ConditionTest

_MULTIVALUED: Final = frozenset({"amr"})
_SUBJECT_SHAPES: Final = re.compile(
    r"(?:system:serviceaccount|repo|organization|project_path|repository_owner|repository_owner_id|org|pipeline):.+"
)
GUESTLESS: Final = "cognito-identity.amazonaws.com"
"""The issuer whose tokens are told apart by audience and authentication method, not by subject."""


def claim_notes(test: ConditionTest, claim: str) -> Iterator[Note]:
    """Yield what is remarkable about a test of a claim in an allow statement."""
    applied = read_operator(test.operator)
    if applied is None:
        return
    yield from _operator_notes(applied, test, claim)
    if claim == "aud" and any(_SUBJECT_SHAPES.fullmatch(value) for value in test.values):
        values = ", ".join(f"`{value}`" for value in test.values)
        yield Note("SUBJECT_UNDER_AUD", f"{values} looks like a subject but is compared with the audience")


def _operator_notes(applied: Applied, test: ConditionTest, claim: str) -> Iterator[Note]:
    operator = applied.operator
    literal = [value for value in test.values if "*" in value]
    if operator.family is Family.STRING and operator.comparison is Comparison.EQUAL and literal:
        yield Note("LITERAL_WILDCARD", f"`{test.operator}` takes the wildcard of `{literal[0]}` literally")
    if applied.quantifier is not Quantifier.ONE and claim not in _MULTIVALUED:
        yield Note("SET_OPERATOR", f"`{test.operator}` is a set operator, but `{claim}` has one value")
    if applied.if_exists is Absence.HOLDS:
        yield Note("IF_EXISTS", f"`{test.operator}` also holds for tokens without `{claim}`")
    if operator.sense is Sense.NEGATED:
        yield Note("NEGATION", f"`{test.operator}` lets in every `{claim}` but those it lists")


def wrong_action(needed: str) -> Note:
    """Return the remark on a statement that does not allow the call that its principal would make."""
    return Note("WRONG_ACTION", f"the statement does not allow `{needed}`, the only call its principal can make")


def wide_action() -> Note:
    """Return the remark on a statement that allows every call to the token service."""
    return Note("ACTION_TOO_WIDE", "the statement allows `sts:*` instead of the one call that is needed")


def never_present(key: str) -> Note:
    """Return the remark on a key that requests for this trust never have."""
    return Note("KEY_NEVER_PRESENT", f"`{key}` is never present in such a request")


def always_holds(key: str) -> Note:
    """Return the remark on a test that is met because its key is never there."""
    return Note("ABSENT_CLAIM", f"the test of `{key}` always holds, for the key is never present")


def unread(text: str) -> Note:
    """Return the remark on a condition that a token does not decide."""
    return Note("UNREAD_CONDITION", f"`{text}` is not decided by the token")
