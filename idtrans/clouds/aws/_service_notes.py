"""Remarks on trusts in services and accounts that their reach does not say, each with a stable code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.clouds.aws._operators import Absence, Family, Sense, read_operator
from idtrans.ports import Note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from idtrans.model.entities import ConditionTest

_ROLES_ANYWHERE: Final = "service:rolesanywhere.amazonaws.com"
_POD_IDENTITY: Final = "service:pods.eks.amazonaws.com"
_ANCHOR: Final = ("aws:sourcearn",)
_CERTIFICATE: Final = ("aws:principaltag/x509subject/", "aws:principaltag/x509issuer/", "aws:principaltag/x509san/")
_POD: Final = ("aws:requesttag/kubernetes-", "aws:requesttag/eks-cluster-", "aws:sourcearn")
"""Beginnings of keys by which a role can tell pods apart; `aws:SourceArn` is the cluster.

https://docs.aws.amazon.com/eks/latest/userguide/pod-id-abac.html
"""
_MFA: Final = "aws:multifactorauthpresent"

Tests = tuple["ConditionTest", ...]


def service_notes(service: str, statements: Sequence[Tests]) -> Iterator[Note]:
    """Yield what the conditions of statements for a service leave out that only this service makes possible.

    https://docs.aws.amazon.com/rolesanywhere/latest/userguide/trust-model.html
    """
    if service == _ROLES_ANYWHERE:
        if not all(_requires(tests, _ANCHOR) for tests in statements):
            yield Note("ANY_TRUST_ANCHOR", "certificates of every trust anchor of the account get in")
        if not all(_requires(tests, _CERTIFICATE) for tests in statements):
            yield Note("ANY_CERTIFICATE", "every certificate under a trust anchor gets in")
    if service == _POD_IDENTITY and not all(_requires(tests, _POD) for tests in statements):
        yield Note(
            "ANY_POD", "whoever may make a pod identity association in the account can hand the role to its pods"
        )


def account_notes(statements: Sequence[Tests]) -> Iterator[Note]:
    """Yield the remark on statements that only people can meet, since they ask for a second factor."""
    if statements and all(any(_asks_mfa(test) for test in tests) for tests in statements):
        yield Note("MFA_REQUIRED", "callers must have signed in with a second factor")


def _requires(tests: Tests, keys: tuple[str, ...]) -> bool:
    """Tell whether a test on a key with one of these beginnings must hold, and refuses something."""
    return any(test.key.lower().startswith(keys) and _limits(test) for test in tests)


def _limits(test: ConditionTest) -> bool:
    applied = read_operator(test.operator)
    if applied is None or applied.absence is Absence.HOLDS or applied.operator.family is Family.NULL:
        return False
    return applied.operator.sense is Sense.POSITIVE and not any(set(value) <= {"*"} for value in test.values)


def _asks_mfa(test: ConditionTest) -> bool:
    applied = read_operator(test.operator)
    if test.key.lower() != _MFA or applied is None or applied.absence is Absence.HOLDS:
        return False
    return applied.operator.family is Family.BOOL and {value.lower() for value in test.values} == {"true"}
