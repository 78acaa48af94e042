"""Deny assignments.

https://learn.microsoft.com/azure/role-based-access-control/deny-assignments
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.clouds.azure._names import NAME, entra
from idtrans.clouds.azure._parse_roles import EVERYONE, KINDS, blocks_of, scope_of
from idtrans.clouds.azure._records import Record, record_of
from idtrans.clouds.azure._scopes import containers
from idtrans.model.entities import DenyAssignment, PermissionBlock, Principal, PrincipalKind
from idtrans.model.values import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.model.documents import Hints, Unsupported
    from idtrans.model.entities import Entity


def deny(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:
    """Yield a deny assignment, or a remark for one that cannot be read whole: what it takes away is then not known.

    An audited deny assignment blocks nothing; one with an effect of another name may block.
    """
    effect = (record.text("denyassignmenteffect") or "enforced").lower()
    if effect == "audit":
        return
    scope = scope_of(record, hints)
    name = record.text("denyassignmentname", "name", "id") or "without a name"
    blocks = _blocks(record)
    members, excluded = _ids(record, "principals"), _ids(record, "excludeprincipals")
    stated = record.get("donotapplytochildscopes")
    inherited = stated is None or stated is False
    readable = stated is None or isinstance(stated, bool)
    if scope is UNKNOWN or blocks is None or not members or excluded is None or not readable:
        where = "/" if scope is UNKNOWN else scope
        yield record.unsupported(f"the deny assignment `{name}` may take access away", subject=where)
        return
    identifier = record.text("id", "denyassignmentid") or f"{scope}#deny/{name}"
    yield DenyAssignment(
        cloud=NAME,
        id=identifier,
        name=name,
        blocks=blocks,
        members=members,
        excluded=excluded,
        scope=scope,
        source=record.source,
        inherited=inherited,
        condition=record.text("condition"),
        condition_version=record.text("conditionversion"),
        doubts=(
            *record.doubts("condition", "conditionversion", "denyassignmenteffect"),
            *(() if effect == "enforced" else (f"its effect `{effect:.40}` is not known",)),
        ),
    )
    yield from containers(scope, record.at("scope"))
    yield from _named(record)


def _named(record: Record) -> Iterator[Principal]:
    for name in ("principals", "excludeprincipals"):
        for item, source in record.items(name):
            entry = record_of(item, source)
            identifier = entry.text("id", "objectid") if entry is not None else None
            if entry is not None and identifier is not None and entra(identifier) != EVERYONE:
                kind = KINDS.get((entry.text("type", "objecttype") or "").lower(), PrincipalKind.UNKNOWN)
                yield Principal(NAME, entra(identifier), kind, source)


def _blocks(record: Record) -> tuple[PermissionBlock, ...] | None:
    """Return what it takes away, `None` when not all of it can be read."""
    found = list(blocks_of(record))
    blocks = tuple(block for block, _ in found if block is not None)
    return blocks if blocks and not record.clashes and all(problem is None for _, problem in found) else None


def _ids(record: Record, name: str) -> tuple[str, ...] | None:
    """Return the principals of a list, `None` when it cannot be read. PowerShell calls the id `ObjectId`."""
    value = record.get(name)
    if value is None:
        return ()
    if not isinstance(value, list):
        return None
    inner = [record_of(item, source) for item, source in record.items(name)]
    ids = [entry.text("id", "objectid") if entry is not None else None for entry in inner]
    return None if None in ids else tuple(entra(each) for each in ids if each is not None)
