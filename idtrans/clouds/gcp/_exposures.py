"""Exposures: what everybody, or everybody with a Google account, can reach."""

from __future__ import annotations

from typing import Final

from idtrans.clouds.gcp._bindings import prevents_public
from idtrans.clouds.gcp._fields import CLOUD_NAME
from idtrans.clouds.gcp._index import Index, index_of
from idtrans.clouds.gcp._members import ALL_AUTHENTICATED, ALL_USERS
from idtrans.clouds.gcp._names import bucket_of, level_of
from idtrans.clouds.gcp._roles import permissions_of, profile_of
from idtrans.model.entities import RoleBinding
from idtrans.model.estate import Estate
from idtrans.model.facts import ExposureFact
from idtrans.model.values import Reach

_REACHES: Final = {ALL_USERS: Reach.ANYONE, ALL_AUTHENTICATED: Reach.PLATFORM}


def exposures(estate: Estate) -> tuple[ExposureFact, ...]:
    """Return one fact for each binding and public member.

    Members of other domains are no exposure: which domains belong to the owner is not known.
    """
    index = index_of(estate)
    return tuple(
        _exposure(binding, public, reach, index)
        for binding in index.bindings
        for public, reach in _REACHES.items()
        if public in binding.members and _open(binding, index)
    )


def _open(binding: RoleBinding, index: Index) -> bool:
    """Tell whether a binding lets public members do anything."""
    held = permissions_of(binding.role, index)
    if held.known and not held.names:
        return False
    return not (isinstance(binding.scope, str) and prevents_public(binding.scope, index))


def _exposure(binding: RoleBinding, public: str, reach: Reach, index: Index) -> ExposureFact:
    profile = profile_of(binding.role, index)
    scope = binding.scope if isinstance(binding.scope, str) else "unknown"
    return ExposureFact(
        cloud=CLOUD_NAME,
        subject=scope,
        source=binding.source,
        resource_kind=_kind(scope, index),
        reach=reach,
        principal=public,
        through="binding",
        grants=binding.role,
        plane=profile.plane,
        use=profile.use,
        conditional=binding.condition is not None,
    )


def _kind(scope: str, index: Index) -> str:
    resource = index.resources.get(scope)
    if resource is not None:
        return resource.kind
    return "bucket" if bucket_of(scope) is not None else level_of(scope)
