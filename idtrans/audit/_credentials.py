"""Long-lived credentials as facts, with their ages at the time of the audit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby
from typing import Final

from idtrans.model.entities import Credential, CredentialStatus, Principal
from idtrans.model.estate import Estate
from idtrans.model.facts import CredentialFact
from idtrans.model.values import UNKNOWN, Unknown

NO_OWNER: Final = "unknown"
"""Subject of a credential whose owner no document tells."""

_Moment = datetime | Unknown | None


def credential_facts(estate: Estate) -> tuple[CredentialFact, ...]:
    """Return a fact for each credential, in input order. Ages count from the estate's time.

    A credential that two documents describe is one fact: a credential report and a list of keys both show an access
    key, and only the list knows its id and only the report when it was used.
    """
    owners = _owners(estate)
    credentials = (_with_owner(credential, owners) for credential in estate.of(Credential))
    return tuple(_fact(credential, estate.now) for credential in _united(credentials))


def _owners(estate: Estate) -> dict[tuple[str, str], set[str]]:
    """Return the ids that each other spelling of an identity stands for, by cloud and spelling."""
    owners: dict[tuple[str, str], set[str]] = {}
    for principal in estate.of(Principal):
        for alias in principal.aliases:
            owners.setdefault((principal.cloud, alias), set()).add(principal.id)
    return owners


def _with_owner(credential: Credential, owners: Mapping[tuple[str, str], set[str]]) -> Credential:
    """Return a credential whose owner is written by id, where its spelling stands for a single identity."""
    if credential.owner is UNKNOWN:
        return credential
    ids = owners.get((credential.cloud, credential.owner), set())
    return replace(credential, owner=next(iter(ids))) if len(ids) == 1 else credential


def _united(credentials: Iterable[Credential]) -> list[Credential]:
    found: dict[tuple[object, ...], Credential] = {}
    for _, group in groupby(credentials, key=lambda credential: credential.source.path):
        seen: Counter[tuple[object, ...]] = Counter()
        for credential in group:
            likeness = _likeness(credential)
            # Two keys in one document are two, even when they were made in the same second.
            seen[likeness] += 1
            slot = (*likeness, seen[likeness])
            found[slot] = _both(found[slot], credential) if slot in found else credential
    return list(found.values())


def _likeness(credential: Credential) -> tuple[object, ...]:
    """Return what two descriptions of one credential agree on."""
    created = credential.created
    mark = credential.id if created is None or created is UNKNOWN else _utc(created)
    return credential.cloud, credential.kind, credential.owner, credential.status, mark


def _both(one: Credential, other: Credential) -> Credential:
    """Return the description that knows the credential by name, with what only the other one knows."""
    better, worse = (other, one) if one.name is None else (one, other)
    return replace(
        better,
        expires=worse.expires if better.expires is UNKNOWN else better.expires,
        last_used=worse.last_used if better.last_used is UNKNOWN else better.last_used,
    )


def _fact(credential: Credential, now: datetime) -> CredentialFact:
    expires = credential.expires
    age = _days_since(credential.created, now)
    used = _days_since(credential.last_used, now)
    return CredentialFact(
        cloud=credential.cloud,
        subject=NO_OWNER if credential.owner is UNKNOWN else credential.owner,
        source=credential.source,
        credential=credential.id,
        credential_kind=credential.kind,
        status=_status(credential, now),
        age_days=age,
        expires_in_days=UNKNOWN if expires is UNKNOWN or expires is None else (_utc(expires) - _utc(now)).days,
        never_expires=UNKNOWN if expires is UNKNOWN else expires is None,
        idle_days=age if credential.last_used is None else used,
    )


def _status(credential: Credential, now: datetime) -> CredentialStatus | Unknown:
    """Return INACTIVE for a credential whose time has run out, whatever its document says."""
    expires = credential.expires
    if expires is not None and expires is not UNKNOWN and _utc(expires) <= _utc(now):
        return CredentialStatus.INACTIVE
    return credential.status


def _days_since(moment: _Moment, now: datetime) -> int | Unknown:
    """Return full days since a moment, none for one that is still to come."""
    if moment is None or moment is UNKNOWN:
        return UNKNOWN
    return max((_utc(now) - _utc(moment)).days, 0)


def _utc(moment: datetime) -> datetime:
    """Return a moment with a zone: one that names none is in UTC."""
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
