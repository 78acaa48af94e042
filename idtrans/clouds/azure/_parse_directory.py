"""Groups, their members, and the other objects of the directory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.clouds.azure._names import NAME, entra, guid
from idtrans.clouds.azure._parse_entra import owners
from idtrans.clouds.azure._records import Record, record_of
from idtrans.model.entities import Membership, Principal, PrincipalKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from idtrans.model.documents import Hints, Unsupported
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


def group(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:  # noqa: ARG001 - parsers are called alike
    """Yield a group with the members that it embeds."""
    identifier = record.text("id", "objectid")
    if identifier is None:
        yield record.unsupported("a group has no readable id")
        return
    yield _listed_group(entra(identifier), record.source, name=record.text("displayname"), protected=_protected(record))
    yield from owners(record, entra(identifier))
    yield from _members(record, entra(identifier))


def group_members(record: Record, group: str, *, inside: str) -> Iterator[Entity | Unsupported]:
    """Yield a group whose members are listed, each in an object that holds it under the name `inside`."""
    yield _listed_group(group, record.source)
    yield from _members(record, group, inside=inside)


def _members(record: Record, group: str, *, inside: str | None = None) -> Iterator[Entity | Unsupported]:
    for item, source in record.items("members"):
        outer = record_of(item, source)
        inner = record_of(outer.get(inside), source) if outer is not None and inside is not None else outer
        if inner is None:
            yield record.unsupported("a member of a group is not an object")
        else:
            yield from _member(inner, group)


def directory_object(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:
    """Yield a user, group or service principal; with the hint `principal`, as a member of that group."""
    if hints.principal is None:
        yield from _member(record, None)
        return
    owner = entra(hints.principal)
    yield _listed_group(owner, record.source)
    yield from _member(record, owner)


def _listed_group(
    identifier: str, source: Source, *, name: str | None = None, protected: Mapping[str, str] | None = None
) -> Principal:
    aliases = (name,) if name is not None else ()
    attributes = {LISTED: "listed", **(protected or {})}
    return Principal(NAME, identifier, PrincipalKind.GROUP, source, name=name, aliases=aliases, attributes=attributes)


def _protected(record: Record) -> dict[str, str]:
    """Return whether directory roles can be assigned to a group, which limits who manages its members."""
    stated = record.flag("isassignabletorole")
    if stated is None:
        return {"isAssignableToRole": "false"} if record.stated("isassignabletorole") else {}
    return {"isAssignableToRole": str(stated).lower()}


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
    attributes |= _protected(record)
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
