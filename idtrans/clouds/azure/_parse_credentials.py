"""Applications, service principals, their secrets, certificates and federated credentials, and managed identities."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Final

from idtrans.clouds.azure._names import NAME, entra, identity_owner, scope_id
from idtrans.clouds.azure._parse_entra import owners
from idtrans.clouds.azure._records import Record, record_of
from idtrans.clouds.azure._times import moment
from idtrans.model.entities import (
    Credential,
    CredentialKind,
    CredentialStatus,
    FederatedCredential,
    Principal,
    PrincipalKind,
)
from idtrans.model.values import UNKNOWN, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.model.documents import Hints, Json, Unsupported
    from idtrans.model.entities import Entity

_CONTEXT = re.compile(r"#applications\('([^']{1,64})'\)/federatedidentitycredentials", re.IGNORECASE)
_SECRET_SIGNS: Final = ("hint", "secrettext")


def federated(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:
    """Yield a federated identity credential of a managed identity or an application, classic or flexible.

    The owner is read from the ARM id, or from the hint `principal`; Graph's lists do not name the application.
    https://learn.microsoft.com/graph/api/resources/federatedidentitycredential
    """
    path = record.text("id") or ""
    in_context = _CONTEXT.search(record.text("@odata.context") or "")
    owner: str | Unknown = identity_owner(path) or UNKNOWN
    if owner is UNKNOWN and in_context is not None:
        owner = entra(in_context.group(1))
    if owner is UNKNOWN and hints.principal is not None:
        owner = identity_owner(hints.principal) or entra(hints.principal)
    yield from credential_of(record, owner)


def credential_of(record: Record, owner: str | Unknown) -> Iterator[Entity | Unsupported]:
    """Yield a federated credential of a known owner.

    What of it cannot be read leaves open which tokens it takes: it is not dropped, as that would look like taking none.
    """
    issuer, audiences = record.text("issuer"), record.texts("audiences")
    subject, expression = record.text("subject"), _expression(record.get("claimsmatchingexpression"))
    subject_of = None if owner is UNKNOWN else owner
    if issuer is None or audiences is None:
        yield record.unsupported("a federated credential has no readable issuer or audiences", subject=subject_of)
    if expression is None and subject is None:
        yield record.unsupported("a federated credential has no readable subject or expression", subject=subject_of)
        expression = f"unreadable: subject {record.get('subject')!r:.200}"
    if issuer is None:
        return
    name = record.text("name")
    identifier = record.text("id") or name or record.source.pointer
    yield FederatedCredential(
        cloud=NAME,
        id=scope_id(identifier) or f"{subject_of or '?'}/federatedIdentityCredentials/{identifier}",
        owner=owner,
        issuer=issuer,
        audiences=audiences or (),
        source=record.source,
        subject=subject,
        expression=expression,
        name=name,
    )


def _expression(value: Json) -> str | None:
    """Return the text of a flexible expression. One in another language version is kept whole, as not understood."""
    if isinstance(value, str):
        return value or None
    if not isinstance(value, dict):
        return None if value is None else f"unreadable: {value!r:.200}"
    text, version = value.get("value"), value.get("languageVersion", 1)
    if isinstance(text, str) and version == 1:
        return text
    return f"unreadable: version {version!r:.20}, {text!r:.200}"


def application(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:
    """Yield an application or a service principal with the credentials that it embeds.

    https://learn.microsoft.com/graph/api/resources/application
    """
    app_id, object_id = record.text("appid"), record.text("id", "objectid")
    if object_id is None and app_id is None:
        yield record.unsupported("an application has neither an id nor an app id")
        return
    owner = entra(object_id or app_id or "")
    service = record.stated("serviceprincipaltype") or record.stated("serviceprincipalnames")
    names = (app_id, record.text("displayname"), *(record.texts("serviceprincipalnames") or ()))
    yield Principal(
        cloud=NAME,
        id=owner,
        kind=PrincipalKind.SERVICE_IDENTITY if service else PrincipalKind.APPLICATION,
        source=record.source,
        name=record.text("displayname"),
        aliases=tuple(dict.fromkeys(name for name in names if name is not None)),
        attributes=_attributes(record, app_id),
    )
    yield from owners(record, owner)
    for field, kind in (
        ("passwordcredentials", CredentialKind.ENTRA_CLIENT_SECRET),
        ("keycredentials", CredentialKind.ENTRA_CERTIFICATE),
    ):
        yield from _embedded(record, field, kind=kind, owner=owner, hints=hints)
    for item, source in record.items("federatedidentitycredentials"):
        inner = record_of(item, source)
        if inner is None:
            yield record.unsupported("a federated credential is not an object", subject=owner)
        else:
            yield from credential_of(inner, owner)


def _attributes(record: Record, app_id: str | None) -> dict[str, str]:
    kind = record.text("serviceprincipaltype")
    stated = {"appId": app_id.lower() if app_id is not None else None, "servicePrincipalType": kind}
    return {name: value for name, value in stated.items() if value is not None}


def _embedded(
    record: Record, field: str, *, kind: CredentialKind, owner: str, hints: Hints
) -> Iterator[Entity | Unsupported]:
    value = record.get(field)
    if value is not None and not isinstance(value, list):
        yield record.unsupported(f"`{field}` is not a list", subject=owner)
    seen: set[str] = set()
    for item, source in record.items(field):
        inner = record_of(item, source)
        if inner is None:
            yield record.unsupported(f"a member of `{field}` is not an object", subject=owner)
            continue
        # One certificate stands once for each usage, under the same thumbprint.
        thumbprint = inner.text("customkeyidentifier")
        if kind is CredentialKind.ENTRA_CERTIFICATE and thumbprint is not None:
            if thumbprint in seen:
                continue
            seen.add(thumbprint)
        yield _credential(inner, kind=kind, owner=owner, hints=hints)


def app_credential(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:
    """Yield a secret or certificate as `az ad app credential list` prints it. The owner is told by the hints alone."""
    owner: str | Unknown = entra(hints.principal) if hints.principal is not None else UNKNOWN
    secret = any(map(record.stated, _SECRET_SIGNS)) or not (record.stated("usage") or record.stated("key"))
    kind = CredentialKind.ENTRA_CLIENT_SECRET if secret else CredentialKind.ENTRA_CERTIFICATE
    yield _credential(record, kind=kind, owner=owner, hints=hints)


def _credential(record: Record, *, kind: CredentialKind, owner: str | Unknown, hints: Hints) -> Credential:
    expires = moment(record.text("enddatetime", "enddate"))
    ends: datetime | Unknown | None = expires
    if expires is None:
        ends = None if record.get("enddatetime") is None and record.get("enddate") is None else UNKNOWN
    return Credential(
        cloud=NAME,
        id=record.text("keyid") or record.source.pointer,
        kind=kind,
        owner=owner,
        status=_status(ends, hints),
        source=record.source,
        created=moment(record.text("startdatetime", "startdate")) or UNKNOWN,
        expires=ends,
        last_used=UNKNOWN,
        name=record.text("displayname", "hint"),
    )


def _status(expires: datetime | Unknown | None, hints: Hints) -> CredentialStatus | Unknown:
    """Return INACTIVE for a credential that had expired when it was collected; the audit knows the time of today."""
    if expires is UNKNOWN:
        return UNKNOWN
    if expires is not None and hints.collected_at is not None and expires <= hints.collected_at:
        return CredentialStatus.INACTIVE
    return CredentialStatus.ACTIVE


def identity(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:  # noqa: ARG001 - parsers are called alike
    """Yield a user-assigned managed identity as `az identity list` prints it."""
    path = scope_id(record.text("id") or "")
    holder = record.text("principalid")
    if path is None or holder is None:
        yield record.unsupported("a managed identity has no readable id or `principalId`")
        return
    names = (path, record.text("clientid"), record.text("name"))
    yield Principal(
        cloud=NAME,
        id=entra(holder),
        kind=PrincipalKind.SERVICE_IDENTITY,
        source=record.source,
        name=record.text("name"),
        aliases=tuple(name for name in names if name is not None),
        attributes={"resourceId": path},
    )
