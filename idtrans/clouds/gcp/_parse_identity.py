"""Identity providers, service accounts and their keys, and custom roles."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from idtrans.clouds.gcp._fields import CLOUD_NAME, Item, problem, shown
from idtrans.clouds.gcp._names import IAM_HOST, account_of, account_resource
from idtrans.clouds.gcp._parse_hmac import HMAC, parse_hmac
from idtrans.clouds.gcp._parse_policies import Found, resource_kind
from idtrans.model.entities import (
    Credential,
    CredentialKind,
    CredentialStatus,
    IdentityProvider,
    PermissionBlock,
    Principal,
    PrincipalKind,
    Resource,
    RoleDefinition,
)
from idtrans.model.values import UNKNOWN, Unknown

_PROVIDER_KINDS: Final = ("oidc", "aws", "saml", "x509")
_KEY_KINDS: Final = {
    "USER_MANAGED": CredentialKind.GCP_USER_MANAGED_KEY,
    "SYSTEM_MANAGED": CredentialKind.GCP_SYSTEM_MANAGED_KEY,
}
_STATUS: Final = {None: CredentialStatus.ACTIVE, False: CredentialStatus.ACTIVE, True: CredentialStatus.INACTIVE}
_POOL: Final = "iam.googleapis.com/WorkloadIdentityPool"
_NEVER: Final = 9999
"""Year of expiry that stands for "never"."""


def parse_provider(item: Item) -> Found:
    """Read one workload identity pool provider, or the pool itself, which a list of pools holds.

    https://cloud.google.com/iam/docs/reference/rest/v1/projects.locations.workloadIdentityPools.providers
    https://cloud.google.com/iam/docs/reference/rest/v1/projects.locations.workloadIdentityPools
    """
    name = (item.text("name") or "").removeprefix(IAM_HOST)
    pool, slash, _ = name.rpartition("/providers/")
    if not slash and "/workloadIdentityPools/" in name:
        yield _pool(item, name)
        return
    kinds = [kind for kind in _PROVIDER_KINDS if item.get(kind) is not None]
    if not slash or len(kinds) != 1:
        yield problem(f"the identity provider {shown(name)} has no known kind", item.source, name or None)
        if not slash:
            return
    settings = item.item(kinds[0]) if kinds else None
    disabled = item.flag("disabled")
    yield IdentityProvider(
        cloud=CLOUD_NAME,
        id=name,
        issuer=_issuer(settings, kinds),
        kind=kinds[0] if kinds else "unknown",
        source=item.source,
        audiences=settings.texts("allowedAudiences") if settings is not None and kinds == ["oidc"] else (),
        mapping=item.mapping("attributeMapping"),
        condition=item.text("attributeCondition") or (_unread(item) if item.get("attributeCondition") else None),
        disabled=disabled is True or item.text("state") == "DELETED",
        pool=pool,
    )


def _pool(item: Item, name: str) -> Resource:
    settings = {"disabled": item.flag("disabled") is True or item.text("state") == "DELETED"}
    return Resource(CLOUD_NAME, IAM_HOST + name, resource_kind(_POOL), item.source, settings=settings)


def _unread(item: Item) -> str:
    """Return text that no CEL parser accepts, so that a condition of the wrong type stays an unread condition."""
    return f"!!! {shown(item.get('attributeCondition'))}"


def _issuer(settings: Item | None, kinds: list[str]) -> str | None:
    if settings is None:
        return None
    if kinds == ["aws"]:
        account = settings.text("accountId")
        return f"arn:aws:iam::{account}:root" if account else None
    return settings.text("issuerUri") if kinds == ["oidc"] else None


def parse_account(item: Item, container: str | None = None) -> Found:
    """Read one service account, as a principal and as a resource."""
    address = item.text("email")
    if not address:
        yield problem(f"a service account without an address: {shown(item.get('name'))}", item.source)
        return
    unique = item.text("uniqueId") or item.text("oauth2ClientId")
    project = item.text("projectId")
    container = container or (f"projects/{project}" if project else None)
    yield Principal(
        CLOUD_NAME,
        f"serviceAccount:{address.lower()}",
        PrincipalKind.SERVICE_IDENTITY,
        item.source,
        container=container,
        name=item.text("displayName"),
        aliases=(f"serviceAccount:{unique}",) if unique else (),
        attributes={"disabled": "true"} if item.flag("disabled") is True else {},
    )
    yield Resource(
        CLOUD_NAME, account_resource(address, project or "-"), "service-account", item.source, container=container
    )


def parse_key(item: Item, accounts: Mapping[str, str], name: str | None = None) -> Found:
    """Read one key of a service account, of either kind.

    `accounts` gives the principal of a unique id where the document states it.

    https://cloud.google.com/iam/docs/reference/rest/v1/projects.serviceAccounts.keys
    """
    if item.get("kind") == HMAC:
        yield from parse_hmac(item)
        return
    name = (name or item.text("name") or "").removeprefix(IAM_HOST)
    account, slash, _ = name.rpartition("/keys/")
    owner = account_of(account)
    stated = item.text("keyType")
    kind = _KEY_KINDS.get(stated or "")
    if not slash or owner is None or kind is None:
        yield problem(f"the key {shown(name)} of type {shown(stated)} is not known", item.source, owner)
        return
    disabled = item.flag("disabled")
    yield Credential(
        cloud=CLOUD_NAME,
        id=name,
        kind=kind,
        owner=accounts.get(owner, owner),
        status=UNKNOWN if disabled is UNKNOWN else _STATUS[disabled],
        source=item.source,
        created=item.time("validAfterTime"),
        expires=_expiry(item.time("validBeforeTime")),
        last_used=UNKNOWN,
        name=name.rpartition("/")[2],
    )


def _expiry(moment: datetime | Unknown | None) -> datetime | Unknown | None:
    if moment is None:
        return UNKNOWN
    return None if isinstance(moment, datetime) and moment.year == _NEVER else moment


def parse_role(item: Item, name: str | None = None) -> Found:
    """Read one role; a listing without permissions is a role that is known by name only.

    A role that is deleted or disabled gives nothing to anybody.
    https://cloud.google.com/iam/docs/reference/rest/v1/organizations.roles#rolelaunchstage
    """
    name = (name or item.text("name") or "").removeprefix(IAM_HOST)
    listed = item.get("includedPermissions")
    permissions = item.texts("includedPermissions")
    known = isinstance(listed, list) and len(permissions) == len(listed)
    if listed is None:
        # `roles describe` leaves the member out for a role that has no permissions, and a listing leaves it out always.
        yield problem(f"the role `{name}` was listed without its permissions", item.source, name)
    idle = item.flag("deleted") is True or item.text("stage") == "DISABLED"
    yield RoleDefinition(
        cloud=CLOUD_NAME,
        id=name,
        name=item.text("title") or name,
        blocks=(PermissionBlock(actions=() if idle else permissions),),
        source=item.source,
        custom=not name.startswith("roles/"),
        complete=known or idle,
        scopes=(name.partition("/roles/")[0],) if not name.startswith("roles/") else (),
    )
