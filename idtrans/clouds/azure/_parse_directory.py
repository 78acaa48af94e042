"""Management groups, subscriptions, groups and their members."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.clouds.azure._names import NAME, entra, guid, lowered, scope_id
from idtrans.clouds.azure._records import Record, record_of
from idtrans.clouds.azure._scopes import GROUP, ROOT, level
from idtrans.model.entities import Container, Membership, Principal, PrincipalKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.model.documents import Hints, Json, Unsupported
    from idtrans.model.entities import Entity
    from idtrans.model.spans import Source

LISTED: Final = "members"
"""Attribute of a group whose members were listed in full."""

_KINDS = {
    "#microsoft.graph.user": PrincipalKind.USER,
    "#microsoft.graph.group": PrincipalKind.GROUP,
    "#microsoft.graph.serviceprincipal": PrincipalKind.SERVICE_IDENTITY,
    "#microsoft.graph.application": PrincipalKind.APPLICATION,
}
_NAMES = ("userprincipalname", "mail", "displayname", "appid")


def resource_container(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:  # noqa: ARG001 - called alike
    """Yield a management group or subscription, with the chain of management groups above it where that is stated.

    https://learn.microsoft.com/azure/governance/resource-graph/samples/samples-by-table#resourcecontainers
    """
    path = scope_id(record.text("id") or "")
    if path is None or level(path) not in {"management-group", "subscription"}:
        yield record.unsupported("a container has no readable id")
        return
    chain = _chain(record)
    if chain is None:
        yield record.unsupported(f"the management groups above `{path}` cannot be read", subject=path)
        chain = []
    yield Container(
        NAME,
        path,
        level(path),
        record.source,
        parent=chain[0] if chain else None,
        name=record.text("displayname", "name"),
    )
    # The chain ends at the tenant's root group, so that what it does not name is surely not above.
    for below, parent in zip(chain, [*chain[1:], ROOT], strict=False):
        yield Container(NAME, below, "management-group", record.source, parent=parent)


def _chain(record: Record) -> list[str] | None:
    """Return the management groups above, nearest first; `None` when the chain is stated but cannot be read."""
    details = record_of(record.get("details"), record.source)
    for holder in (record, details):
        for field in ("managementgroupancestorschain", "managementgroupancestors"):
            if holder is not None and holder.get(field) is not None:
                return _groups(holder.get(field))
    return []


def _groups(value: Json) -> list[str] | None:
    if not isinstance(value, list):
        return None
    stated = [item.get("name") if isinstance(item, dict) else item for item in value]
    names = [name for name in stated if isinstance(name, str) and name]
    return [GROUP + lowered(name.rsplit("/", 1)[-1]) for name in names] if len(names) == len(stated) else None


def group(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:  # noqa: ARG001 - parsers are called alike
    """Yield a group with the members that it embeds."""
    identifier = record.text("id", "objectid")
    if identifier is None:
        yield record.unsupported("a group has no readable id")
        return
    yield _listed_group(entra(identifier), record.source, name=record.text("displayname"))
    for item, source in record.items("members"):
        inner = record_of(item, source)
        if inner is None:
            yield record.unsupported("a member of a group is not an object")
        else:
            yield from _member(inner, entra(identifier))


def directory_object(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:
    """Yield a user, group or service principal; with the hint `principal`, as a member of that group."""
    if hints.principal is None:
        yield from _member(record, None)
        return
    owner = entra(hints.principal)
    yield _listed_group(owner, record.source)
    yield from _member(record, owner)


def _listed_group(identifier: str, source: Source, name: str | None = None) -> Principal:
    aliases = (name,) if name is not None else ()
    return Principal(
        NAME, identifier, PrincipalKind.GROUP, source, name=name, aliases=aliases, attributes={LISTED: "listed"}
    )


def _member(record: Record, owner: str | None) -> Iterator[Entity | Unsupported]:
    identifier = record.text("id", "objectid")
    if identifier is None:
        yield record.unsupported("a directory object has no readable id", subject=owner)
        return
    names = [name for field in _NAMES if (name := record.text(field)) is not None]
    kind = _KINDS.get((record.text("@odata.type") or "").lower(), PrincipalKind.UNKNOWN)
    if kind is PrincipalKind.UNKNOWN and record.stated("userprincipalname"):
        kind = PrincipalKind.USER
    outside = (record.text("usertype") or "").lower() == "guest" or any("#ext#" in name.lower() for name in names)
    attributes = {"userType": "Guest"} if outside else {}
    app_id = record.text("appid")
    if app_id is not None:
        attributes["appId"] = guid(app_id) or app_id.lower()
    yield Principal(
        NAME,
        entra(identifier),
        kind,
        record.source,
        name=names[0] if names else None,
        aliases=tuple(dict.fromkeys(names)),
        attributes=attributes,
    )
    if owner is not None:
        yield Membership(NAME, entra(identifier), owner, record.source)
