"""AzureHound: the collection that security teams already have. A row has a kind and an object as its API printed it.

Rows of several kinds wrap lists of other objects; those are read by the parser of what they hold. What a kind says that
bears on access and is not read is remarked.
https://bloodhound.specterops.io/collect-data/ce-collection/azurehound
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from idtrans.clouds.azure._names import entra
from idtrans.clouds.azure._parse_containers import resource_container
from idtrans.clouds.azure._parse_credentials import application
from idtrans.clouds.azure._parse_directory import directory_object, group_members
from idtrans.clouds.azure._parse_entra import app_role, owner_of, role_assignment, role_definition
from idtrans.clouds.azure._parse_roles import UNREAD, assignment
from idtrans.clouds.azure._parse_storage import storage_account
from idtrans.clouds.azure._records import Record, record_of
from idtrans.model.documents import Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from idtrans.model.documents import Hints
    from idtrans.model.entities import Entity

    Parser = Callable[[Record, Hints], Iterator[Entity | Unsupported]]

_DEPTH: Final = 6
_NOT_READ: Final = " are not read"
_SILENT: Final = frozenset(
    f"az{name}"
    for name in (
        "automationaccount",
        "containerregistry",
        "device",
        "deviceowner",
        "functionapp",
        "keyvault",
        "logicapp",
        "managedcluster",
        "resourcegroup",
        "storagecontainer",
        "tenant",
        "vm",
        "vmscaleset",
        "webapp",
    )
)
"""Kinds that say that something exists, and nothing of access to it."""
_TYPES: Final = {"azuser": "user", "azgroup": "group"}


def row(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:
    """Yield what one row of a collection states."""
    kind = (record.text("kind") or "").lower()
    inner = record_of(record.get("data"), record.at("data"))
    if inner is None:
        yield record.unsupported("a row of AzureHound has no readable `data`")
        if kind not in _SILENT:
            # It may be an assignment to anybody.
            yield record.unsupported(UNREAD)
    elif kind in _TYPES:
        typed = {**inner.fields, "@odata.type": f"#microsoft.graph.{_TYPES[kind]}"}
        yield from directory_object(Record(typed, inner.places, inner.source, inner.clashes), hints)
    elif kind in _PARSERS:
        yield from _PARSERS[kind](inner, hints)
    elif kind not in _SILENT:
        yield from _nested(record, inner, hints)


def counted(found: Iterable[Entity | Unsupported]) -> Iterator[Entity | Unsupported]:
    """Yield what rows state, and for each kind that is not read one remark that says how many rows there are."""
    first: dict[str, Unsupported] = {}
    rows: Counter[str] = Counter()
    for item in found:
        if isinstance(item, Unsupported) and item.reason.endswith(_NOT_READ):
            first.setdefault(item.reason, item)
            rows[item.reason] += 1
        else:
            yield item
    for reason, item in first.items():
        yield replace(item, reason=f"{reason}: {rows[reason]}")


def _nested(record: Record, inner: Record, hints: Hints) -> Iterator[Entity | Unsupported]:
    """Yield the assignments that an object holds at any depth, as the kinds for owners, contributors, ... do."""
    found = False
    waiting = [(inner, 0)]
    while waiting:
        current, depth = waiting.pop()
        if current.stated("principalid") and current.stated("roledefinitionid"):
            found = True
            yield from (role_assignment if current.stated("directoryscopeid") else assignment)(current, hints)
            continue
        below = list(_below(current))
        if depth == _DEPTH and below:
            yield record.unsupported("a row of AzureHound is nested too deeply")
            return
        waiting += [(each, depth + 1) for each in below]
    if not found and not _is_empty(inner):
        yield record.unsupported(f"rows of AzureHound of kind `{record.text('kind')!s:.60}`{_NOT_READ}")


def _below(record: Record) -> Iterator[Record]:
    for name, value in record.fields.items():
        single = record_of(value, record.at(name))
        if single is not None:
            yield single
        for item, source in record.items(name):
            each = record_of(item, source)
            if each is not None:
                yield each


def _is_empty(record: Record) -> bool:
    """Tell a list for an object without entries: nothing but ids, and lists that are empty or absent."""
    return all(isinstance(value, str) or value in (None, []) for value in record.fields.values())


def _members(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:  # noqa: ARG001 - parsers are called alike
    identifier = record.text("groupid")
    if identifier is None:
        yield record.unsupported("the members of a group are listed without its id")
        return
    yield from group_members(record, entra(identifier), inside="member")


def _owners(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:  # noqa: ARG001 - parsers are called alike
    owned = record.text("groupid", "serviceprincipalid", "appid")
    for item, source in record.items("owners"):
        outer = record_of(item, source)
        inner = record_of(outer.get("owner"), source) if outer is not None else None
        owner = inner.text("id") if inner is not None else None
        if inner is None or owner is None or owned is None:
            yield record.unsupported("an owner has no readable id")
        else:
            yield owner_of(inner, owner, entra(owned))


_PARSERS: Final[dict[str, Parser]] = {
    "azapp": application,
    "azapproleassignment": app_role,
    "azappowner": _owners,
    "azgroupmember": _members,
    "azgroupowner": _owners,
    "azmanagementgroup": resource_container,
    "azmanagementgroupdescendant": resource_container,
    "azrole": role_definition,
    "azserviceprincipal": application,
    "azserviceprincipalowner": _owners,
    "azstorageaccount": storage_account,
    "azsubscription": resource_container,
}
