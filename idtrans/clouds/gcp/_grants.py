"""Grants: who holds which role where, and how much that is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from idtrans.catalog import false_reader
from idtrans.clouds.gcp._fields import CLOUD_NAME
from idtrans.clouds.gcp._impersonations import BECOMING
from idtrans.clouds.gcp._index import Index, index_of
from idtrans.clouds.gcp._members import is_agent, member
from idtrans.clouds.gcp._names import CONTAINER, bucket_of, level_of
from idtrans.clouds.gcp._roles import permissions_of, profile_of
from idtrans.model.entities import RoleBinding
from idtrans.model.estate import Estate
from idtrans.model.facts import GrantFact
from idtrans.model.values import UNKNOWN, Unknown

_SETTERS: Final = {
    "project": ("resourcemanager.projects.setIamPolicy",),
    "folder": ("resourcemanager.folders.setIamPolicy",),
    "organization": ("resourcemanager.organizations.setIamPolicy",),
}
"""Permission that lets its holder hand out every role on a container."""
_OWNER: Final = "roles/owner"


def grants(estate: Estate) -> tuple[GrantFact, ...]:
    """Return one fact for each member of each binding. What deleted or invalid members hold is nothing."""
    index = index_of(estate)
    return tuple(_facts(index))


def _facts(index: Index) -> Iterator[GrantFact]:
    for binding in index.bindings:
        owner_like = _owner_like(binding, index)
        takes_over = _takes_over(binding, index, owner_like=owner_like)
        profile = profile_of(binding.role, index)
        scope = binding.scope if isinstance(binding.scope, str) else "unknown"
        for each in map(member, binding.members):
            if not each.valid or each.deleted:
                continue
            yield GrantFact(
                cloud=CLOUD_NAME,
                subject=each.id,
                source=binding.source,
                principal_kind=each.kind,
                role=binding.role,
                scope=scope,
                scope_level=level_of(scope),
                plane=profile.plane,
                owner_like=owner_like,
                conditional=binding.condition is not None,
                read_only=profile.read_only,
                false_reader=false_reader(CLOUD_NAME, binding.role, permissions_of(binding.role, index).names),
                takes_over=False if is_agent(each.name) else takes_over,
            )


def _owner_like(binding: RoleBinding, index: Index) -> bool | Unknown:
    """Tell whether the holder has everything on the scope, or can give itself everything there."""
    if binding.role == _OWNER:
        return True
    held = permissions_of(binding.role, index)
    setters = _setters(binding)
    if any(held.sure.matches(name) for name in setters):
        return True
    if not held.known and any(held.unsure.matches(name) for name in setters):
        return UNKNOWN
    return False


def _takes_over(binding: RoleBinding, index: Index, *, owner_like: bool | Unknown) -> bool | Unknown:
    """Tell whether the holder can act as the service accounts of a container, or give itself everything there.

    Agents that a service made for itself need such roles, and are left out of it.
    """
    if not (isinstance(binding.scope, str) and CONTAINER.fullmatch(binding.scope)):
        return False
    held = permissions_of(binding.role, index)
    if owner_like is True or any(map(held.sure.matches, BECOMING)):
        return UNKNOWN if binding.doubts else True
    return UNKNOWN if owner_like is UNKNOWN or any(map(held.unsure.matches, BECOMING)) else False


def _setters(binding: RoleBinding) -> tuple[str, ...]:
    scope = binding.scope
    if not isinstance(scope, str):
        return tuple(name for names in _SETTERS.values() for name in names)
    level = level_of(scope)
    if level in _SETTERS:
        return _SETTERS[level]
    if bucket_of(scope) is not None:
        return ("storage.buckets.setIamPolicy",)
    return ("iam.serviceAccounts.setIamPolicy",) if "/serviceAccounts/" in scope else ()
