"""Storage accounts: the settings that decide who gets in, and whether their account keys work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.clouds.azure._names import NAME, scope_id
from idtrans.clouds.azure._records import Record, record_of
from idtrans.clouds.azure._scopes import container, containers
from idtrans.clouds.azure._times import moment
from idtrans.model.entities import Credential, CredentialKind, CredentialStatus, Resource
from idtrans.model.values import UNKNOWN, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from idtrans.model.documents import Hints, Unsupported
    from idtrans.model.entities import Entity

_FLAGS: Final = {
    "allowblobpublicaccess": "allowBlobPublicAccess",
    "allowsharedkeyaccess": "allowSharedKeyAccess",
    "allowcrosstenantreplication": "allowCrossTenantReplication",
    "islocaluserenabled": "isLocalUserEnabled",
}
_TEXTS: Final = {
    "publicnetworkaccess": "publicNetworkAccess",
    "minimumtlsversion": "minimumTlsVersion",
    "allowedcopyscope": "allowedCopyScope",
}
SERVICES: Final = ("blob", "file", "queue", "table")
"""Services whose shared keys can be turned off one by one."""
OWN_KEYS: Final = "allowSharedKeyAccessForServices"
"""Setting, with a dot and a service behind it, that says whether the service accepts keys."""


def storage_account(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:
    """Yield a storage account with its settings, and its shared key unless it is turned off.

    A setting that is absent was not stated; one that is `null` was printed without a value, which Azure reads as its
    default.
    """
    path = scope_id(record.text("id") or hints.resource or "")
    if path is None:
        yield record.unsupported("a storage account has no readable id")
        return
    for name in (*_FLAGS, *_TEXTS):
        wanted = bool if name in _FLAGS else str
        if not isinstance(record.get(name), wanted | None):
            yield record.unsupported(f"`{name}` of a storage account cannot be read", subject=path)
    yield Resource(
        cloud=NAME,
        id=path,
        kind="storage-account",
        source=record.source,
        container=container(path),
        name=record.text("name") or path.rsplit("/", 1)[-1],
        settings=_settings(record),
    )
    yield from containers(path, record.at("id"))
    yield from _shared_key(record, path)


def _settings(record: Record) -> dict[str, str | int | bool | Unknown | None]:
    settings: dict[str, str | int | bool | Unknown | None] = {}
    for names, wanted in ((_FLAGS, bool), (_TEXTS, str)):
        for name, spelled in names.items():
            if record.stated(name):
                value = record.get(name)
                settings[spelled] = value if isinstance(value, wanted | None) else UNKNOWN
    for name in ("networkruleset", "networkacls"):
        rules = record_of(record.get(name), record.at(name))
        if rules is not None:
            settings["defaultAction"] = rules.text("defaultaction") or UNKNOWN
        elif record.get(name) is not None:
            settings["defaultAction"] = UNKNOWN
    return settings | _own_keys(record)


def _own_keys(record: Record) -> dict[str, str | int | bool | Unknown | None]:
    """Return what is stated for the keys of single services; one setting for all where it cannot be read."""
    value = record.get(OWN_KEYS.lower())
    inner = record_of(value, record.source)
    if inner is None:
        return {} if value is None else {OWN_KEYS: UNKNOWN}
    found: dict[str, str | int | bool | Unknown | None] = {}
    for service in SERVICES:
        own = inner.get(service)
        own = own.get("enabled") if isinstance(own, dict) else own
        if own is not None:
            found[f"{OWN_KEYS}.{service}"] = own if isinstance(own, bool) else UNKNOWN
    return found


def _shared_key(record: Record, path: str) -> Iterator[Credential]:
    """Yield the account's keys as one credential.

    `null` and absent mean allowed.
    https://learn.microsoft.com/azure/storage/common/shared-key-authorization-prevent
    """
    status = _key_status(record)
    if status is CredentialStatus.INACTIVE:
        return
    yield Credential(
        cloud=NAME,
        id=f"{path}#shared-key",
        kind=CredentialKind.AZURE_STORAGE_SHARED_KEY,
        owner=path,
        status=status,
        source=record.at("allowsharedkeyaccess"),
        created=_created(record),
        last_used=UNKNOWN,
        name=record.text("name"),
    )


def _key_status(record: Record) -> CredentialStatus | Unknown:
    services = _services(record)
    allowed = record.get("allowsharedkeyaccess")
    if allowed is False:
        # The settings for single services may say otherwise; which of both wins is not documented.
        return UNKNOWN if True in services else CredentialStatus.INACTIVE
    if services and True not in services and UNKNOWN not in services:
        return CredentialStatus.INACTIVE
    return CredentialStatus.ACTIVE if allowed is None or allowed is True else UNKNOWN


def _services(record: Record) -> tuple[bool | Unknown, ...]:
    """Return the settings for blob, file, queue and table; none when they are not all stated."""
    inner = record_of(record.get("allowsharedkeyaccessforservices"), record.source)
    if inner is None:
        return ()
    found: list[bool | Unknown] = []
    for service in ("blob", "file", "queue", "table"):
        value = inner.get(service)
        value = value.get("enabled") if isinstance(value, dict) else value
        found.append(value if isinstance(value, bool) else UNKNOWN)
    return tuple(found)


def _created(record: Record) -> datetime | Unknown:
    times = record_of(record.get("keycreationtime"), record.source)
    found = [moment(times.text(name)) for name in ("key1", "key2")] if times is not None else []
    known = [time for time in found if time is not None]
    return min(known) if known else UNKNOWN
