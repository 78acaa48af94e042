"""Management groups and subscriptions: what lies below what.

https://learn.microsoft.com/azure/governance/management-groups/overview
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.clouds.azure._names import NAME, guid, lowered, scope_id
from idtrans.clouds.azure._records import Record, record_of
from idtrans.clouds.azure._scopes import GROUP, ROOT, level
from idtrans.model.entities import Container

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.model.documents import Hints, Json, Unsupported
    from idtrans.model.entities import Entity

_LEVELS: Final = frozenset({"management-group", "subscription"})


def resource_container(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:  # noqa: ARG001 - called alike
    """Yield a management group or subscription, with what is stated of what lies above and below it.

    Resource Graph states the chain above, `az account management-group show --expand --recurse` the groups below.
    https://learn.microsoft.com/azure/governance/resource-graph/samples/samples-by-table#resourcecontainers
    """
    path = scope_id(record.text("id") or "")
    if path is None or level(path) not in _LEVELS:
        yield record.unsupported("a container has no readable id")
        return
    chain = _chain(record)
    if chain is None:
        yield record.unsupported(f"the management groups above `{path}` cannot be read", subject=path)
    above = chain or _parent(record, path)
    yield Container(
        NAME,
        path,
        level(path),
        record.source,
        parent=above[0] if above else None,
        name=record.text("displayname", "name"),
    )
    if chain:
        # The chain ends at the tenant's root group, so that what it does not name is surely not above.
        for below, parent in zip(chain, [*chain[1:], ROOT], strict=True):
            yield Container(NAME, below, "management-group", record.source, parent=parent)
    yield from _below(record, path)


def _below(record: Record, path: str) -> Iterator[Entity | Unsupported]:
    """Yield what is listed below a group, level by level."""
    waiting = [(path, record)]
    while waiting:
        parent, holder = waiting.pop()
        if holder.get("children") is not None and not isinstance(holder.get("children"), list):
            yield record.unsupported(f"what lies below `{parent}` cannot be read", subject=parent)
        for item, source in holder.items("children"):
            inner = record_of(item, source)
            child = scope_id(inner.text("id") or "") if inner is not None else None
            if inner is None or child is None or level(child) not in _LEVELS:
                yield record.unsupported(f"what lies below `{parent}` cannot be read", subject=parent)
                continue
            name = inner.text("displayname", "name")
            yield Container(NAME, child, level(child), source, parent=parent, name=name)
            waiting.append((child, inner))


def _parent(record: Record, path: str) -> list[str]:
    """Return the group right above, the root for the tenant's root group, nothing when it is not stated."""
    for holder in (record_of(record.get("details"), record.source), record):
        parent = record_of(holder.get("parent"), record.source) if holder is not None else None
        found = scope_id(parent.text("id") or "") if parent is not None else None
        if found is not None:
            return [found]
    tenant = guid(record.text("tenantid") or "")
    return [ROOT] if tenant is not None and path == GROUP + tenant else []


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
