"""Members of groups, as Cloud Identity and the Directory API list them.

https://cloud.google.com/identity/docs/reference/rest/v1/groups.memberships
https://developers.google.com/workspace/admin/directory/reference/rest/v1/members
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from idtrans.clouds.gcp._fields import CLOUD_NAME, Item, problem, shown
from idtrans.clouds.gcp._members import member
from idtrans.clouds.gcp._parse_policies import Found, principal_of
from idtrans.model.documents import Document, Unsupported
from idtrans.model.entities import Membership, Principal, PrincipalKind
from idtrans.model.spans import Source

SUPPLIED: Final = "members"
"""Attribute of a group whose members are supplied, even when there are none."""
PARTLY: Final = "partly"
"""Value of that attribute when some members could not be read: there may be others than those that are known."""

_PREFIXES: Final = {"USER": "user", "SERVICE_ACCOUNT": "serviceAccount", "GROUP": "group"}
_SERVICE_ACCOUNT: Final = ".gserviceaccount.com"
_INACTIVE: Final = ("SUSPENDED", "ARCHIVED")


def parse_memberships(document: Document, items: Sequence[Item]) -> Found:
    """Read the members of one group, which the hints of the document name, or of the groups that items carry."""
    stated = document.hints.principal or document.hints.resource
    groups: dict[str, Source] = {}
    partly: set[str] = set()
    for item in items:
        group = _group(item, stated)
        if group is None:
            yield problem(
                "the list of members does not say of which group it is; name it with a principal", item.source
            )
            continue
        groups.setdefault(group, item.source)
        for entity in _members(item, group):
            if isinstance(entity, Unsupported):
                partly.add(group)
            yield entity
    if stated is not None and not items:
        groups[_canonical(stated)] = document.source
    for group, source in groups.items():
        supplied = PARTLY if group in partly else "supplied"
        yield Principal(CLOUD_NAME, group, PrincipalKind.GROUP, source, attributes={SUPPLIED: supplied})


def _members(item: Item, group: str) -> Found:
    if isinstance(item.get("memberships"), list):
        for inner in item.items("memberships"):
            yield from _membership(inner, group)
    else:
        yield from _membership(item, group)


def _group(item: Item, stated: str | None) -> str | None:
    """Return the group that an item belongs to: stated beside it, in it, or by the document."""
    key = item.item("groupKey")
    found = (key.text("id") if key is not None else None) or item.text("groupEmail") or stated
    return _canonical(found) if found else None


def _canonical(group: str) -> str:
    return member(group if ":" in group else f"group:{group}").id


def _membership(item: Item, group: str) -> Found:
    address, kind = _address(item), item.text("type") or ""
    if not address:
        # An external or deleted member has no address: whom the group holds is not wholly known then.
        yield problem(f"a member of `{group}` has no address: {shown(dict(item.data))}", item.source, group)
        return
    if (item.text("status") or "").upper() in _INACTIVE:
        return
    prefix = "serviceAccount" if address.lower().endswith(_SERVICE_ACCOUNT) else _PREFIXES.get(kind.upper(), "user")
    if kind.upper() == "CUSTOMER":
        yield problem(f"everybody of the domain is a member of `{group}`, which is not read", item.source, group)
        return
    found = member(f"{prefix}:{address}")
    yield principal_of(found, item.source)
    yield Membership(CLOUD_NAME, found.id, group, item.source)


def _address(item: Item) -> str | None:
    # `memberKey` is what the first versions of the interface called it.
    key = item.get("preferredMemberKey") or item.get("memberKey")
    if isinstance(key, list) and key:
        key = key[0]
    if isinstance(key, dict):
        value = key.get("id")
        return value if isinstance(value, str) else None
    return item.text("email")
