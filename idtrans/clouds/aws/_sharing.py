"""Snapshots and images that outsiders can copy.

https://docs.aws.amazon.com/ebs/latest/userguide/ebs-modifying-snapshot-permissions.html
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from idtrans.clouds.aws._arns import is_account, read_arn
from idtrans.clouds.aws._organizations import organizations_of
from idtrans.clouds.aws._parse_sharing import EVERYBODY, SHARED_BY, SHARED_WITH
from idtrans.model.entities import Resource
from idtrans.model.facts import ExposureFact
from idtrans.model.values import Plane, Reach, Use

if TYPE_CHECKING:
    from idtrans.model.estate import Estate


def shared(estate: Estate, own: frozenset[str]) -> Iterator[ExposureFact]:
    """Yield what is shared with outsiders, one fact for each of them; `own` are the accounts that are none."""
    for resource in estate.of(Resource, "aws"):
        for name in str(resource.settings.get(SHARED_WITH) or "").split():
            reach = _reach(name, resource, own, estate)
            if reach is not None:
                yield _fact(resource, name, reach)


def _reach(name: str, resource: Resource, own: frozenset[str], estate: Estate) -> Reach | None:
    """Return how far outside one name reaches, `None` for not at all."""
    if name == EVERYBODY:
        return Reach.ANYONE
    known = own | ({resource.container} if resource.container is not None else frozenset())
    if is_account(name):
        if name in known:
            return None
        return Reach.TENANT if known else Reach.UNKNOWN
    arn = read_arn(name)
    organization = arn.second if arn is not None else ""
    organizations = organizations_of(estate)
    if any(organizations.organization(account) == organization for account in known):
        return None
    return Reach.PLATFORM if any(organizations.organization(account) for account in known) else Reach.UNKNOWN


def _fact(resource: Resource, name: str, reach: Reach) -> ExposureFact:
    attribute = str(resource.settings.get(SHARED_BY))
    principal = "*" if name == EVERYBODY else name
    return ExposureFact(
        "aws",
        resource.id,
        resource.source,
        resource.kind,
        reach,
        principal,
        "setting",
        attribute,
        Plane.DATA,
        Use.READ,
        conditional=False,
        names_outsider=name != EVERYBODY,
    )
