"""Exposures: storage accounts that allow anonymous access, and grants to guests of another tenant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.clouds.azure._grants import grants
from idtrans.clouds.azure._index import index_of
from idtrans.clouds.azure._names import NAME
from idtrans.clouds.azure._parse_roles import EVERYONE
from idtrans.model.entities import Resource
from idtrans.model.facts import ExposureFact, GrantFact
from idtrans.model.values import UNKNOWN, Plane, Reach, Unknown, Use

if TYPE_CHECKING:
    from idtrans.model.estate import Estate


def exposures(estate: Estate) -> tuple[ExposureFact, ...]:
    """Return every storage account whose settings let anybody in, and every scope that a guest holds a role at."""
    found = [fact for resource in estate.of(Resource, NAME) if (fact := _anonymous(resource)) is not None]
    index = index_of(estate)
    for grant in grants(estate):
        if grant.subject == EVERYONE:
            found.append(_granted(grant, Reach.TENANT))
        elif index.attribute(grant.subject, "userType") == "Guest":
            found.append(_granted(grant, Reach.WORKLOAD))
    return tuple(found)


def _anonymous(resource: Resource) -> ExposureFact | None:
    """Return the exposure of a storage account; its reach is UNKNOWN when the settings do not tell.

    A container must be made public besides, hence `conditional`. `null` means allowed for accounts made by older API
    versions; a document that does not have the setting says nothing.
    https://learn.microsoft.com/azure/storage/blobs/anonymous-read-access-configure
    """
    if resource.kind != "storage-account":
        return None
    opened = {_allowed(resource), _reachable(resource)}
    if False in opened:
        return None
    return ExposureFact(
        cloud=NAME,
        subject=resource.id,
        source=resource.source,
        resource_kind=resource.kind,
        reach=Reach.ANYONE if opened == {True} else Reach.UNKNOWN,
        principal="anonymous",
        through="setting",
        grants="allowBlobPublicAccess",
        plane=Plane.DATA,
        use=Use.READ,
        conditional=True,
    )


def _allowed(resource: Resource) -> bool | Unknown:
    value = resource.settings.get("allowBlobPublicAccess", UNKNOWN)
    if value is None:
        return True
    return value if isinstance(value, bool) else UNKNOWN


def _reachable(resource: Resource) -> bool | Unknown:
    """Tell whether the public endpoint answers everybody. What is not stated has its default: it does."""
    network = resource.settings.get("publicNetworkAccess")
    action = resource.settings.get("defaultAction")
    if isinstance(network, str) and network.lower() == "disabled":
        return False
    if isinstance(action, str) and action.lower() == "deny":
        return False
    known = network is None or (isinstance(network, str) and network.lower() == "enabled")
    return True if known and (action is None or isinstance(action, str)) else UNKNOWN


def _granted(grant: GrantFact, reach: Reach) -> ExposureFact:
    if grant.read_only is UNKNOWN:
        use: Use | Unknown = UNKNOWN
    else:
        use = Use.READ if grant.read_only else Use.WRITE
    return ExposureFact(
        cloud=NAME,
        subject=grant.scope or "unknown scope",
        source=grant.source,
        resource_kind=grant.scope_level,
        reach=reach,
        principal=grant.subject,
        through="binding",
        grants=grant.role,
        plane=grant.plane,
        use=use,
        conditional=grant.conditional,
    )
