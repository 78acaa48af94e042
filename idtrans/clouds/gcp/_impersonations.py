"""Impersonation: who can become a service account, and through which permission.

https://cloud.google.com/iam/docs/service-account-permissions
https://cloud.google.com/iam/docs/best-practices-service-accounts#lateral-movement
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from idtrans.algebra import Truth, evaluate
from idtrans.clouds.gcp._compile import access
from idtrans.clouds.gcp._fields import CLOUD_NAME
from idtrans.clouds.gcp._index import Index, index_of
from idtrans.clouds.gcp._members import member
from idtrans.clouds.gcp._names import CONTAINER, account_of
from idtrans.clouds.gcp._roles import Permissions, permissions_of
from idtrans.model.decisions import Request
from idtrans.model.entities import RoleBinding
from idtrans.model.estate import Estate
from idtrans.ports import Impersonation

BECOMING: Final = (
    "iam.serviceAccountKeys.create",
    "iam.serviceAccounts.actAs",
    "iam.serviceAccounts.getAccessToken",
    "iam.serviceAccounts.implicitDelegation",
    "iam.serviceAccounts.setIamPolicy",
    "iam.serviceAccounts.signBlob",
    "iam.serviceAccounts.signJwt",
)
"""Permissions that let their holder act as a service account: with a token, a key, a signature, a workload that runs
as it, as a link of a delegation chain, or by granting itself any of these."""


def impersonations(estate: Estate) -> tuple[Impersonation, ...]:
    """Return one entry for each member, binding and permission. What is surely denied is left out."""
    index = index_of(estate)
    guarded = bool(index.rules or index.boundary_bindings)
    return tuple(each for each in _all(index) if not guarded or _possible(each, index))


def _all(index: Index) -> Iterator[Impersonation]:
    for binding in index.bindings:
        target = _target(binding)
        if target is None:
            continue
        held = permissions_of(binding.role, index)
        given = tuple((name, sure) for name in BECOMING if (sure := _holds(held, name)) is not None)
        for each in map(member, binding.members) if given else ():
            if each.valid and not each.deleted:
                yield from (_entry(binding, each.id, target, *pair) for pair in given)


def _target(binding: RoleBinding) -> str | None:
    """Return the service account, or the container of service accounts, that a binding is on."""
    if not isinstance(binding.scope, str):
        return None
    return binding.scope if CONTAINER.fullmatch(binding.scope) else account_of(binding.scope)


def _holds(held: Permissions, name: str) -> bool | None:
    """Tell whether a role holds a permission: surely, perhaps (False), or not at all (`None`)."""
    if held.sure.matches(name):
        return True
    return False if held.unsure.matches(name) else None


def _entry(binding: RoleBinding, party: str, target: str, permission: str, sure: bool) -> Impersonation:  # noqa: FBT001
    certain = sure and not binding.doubts
    return Impersonation(CLOUD_NAME, party, target, permission, binding.source, binding.condition, certain)


def _possible(each: Impersonation, index: Index) -> bool:
    """Tell whether deny policies and boundaries leave the permission, on the target itself, to its holder."""
    scope = each.target if CONTAINER.fullmatch(each.target) else index.scope(each.target)
    request = Request(each.party, each.permission, index.text(scope))
    return evaluate(access(each.party, index.estate), request).truth is not Truth.FALSE
