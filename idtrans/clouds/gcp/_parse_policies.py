"""Allow policies: the bindings of one resource, and the principals that they name.

https://cloud.google.com/iam/docs/reference/rest/v1/Policy
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from idtrans.clouds.gcp._fields import CLOUD_NAME, Item, items_of, problem, shown
from idtrans.clouds.gcp._members import UNREAD, Member, member, project_of_account
from idtrans.clouds.gcp._names import container_of, full_name, scope_name
from idtrans.clouds.gcp._parse_containers import chain, named_alias
from idtrans.model.documents import Document, Json, Unsupported
from idtrans.model.entities import Container, Entity, Principal, PrincipalKind, Resource, RoleBinding
from idtrans.model.making import maker
from idtrans.model.spans import Source
from idtrans.model.values import UNKNOWN, Unknown

BASIC_ROLES: Final = ("roles/owner", "roles/editor", "roles/viewer")
"""Roles that cannot carry a condition. https://cloud.google.com/iam/docs/conditions-overview"""

_MANGLED: Final = re.compile(r"_withcond_[0-9a-f]+$")
_KINDS: Final = {
    "storage.googleapis.com/Bucket": "bucket",
    "iam.googleapis.com/ServiceAccount": "service-account",
    "cloudkms.googleapis.com/CryptoKey": "key",
    "cloudkms.googleapis.com/KeyRing": "key-ring",
    "secretmanager.googleapis.com/Secret": "secret",
    "bigquery.googleapis.com/Dataset": "dataset",
    "bigquery.googleapis.com/Table": "table",
}
_HUMP: Final = re.compile(r"(?<!^)(?=[A-Z])")

Found = Iterator[Entity | Unsupported]
"""What the parts of a reader yield."""

_made_binding: Final = maker(RoleBinding)


@dataclass(frozen=True, slots=True)
class Met:
    """What a document has said so far: the same members and roles come again in thousands of its bindings."""

    members: dict[str, str] = field(default_factory=dict)
    """Canonical ids of members of which nothing is doubtful and whose principals were yielded, as written."""
    roles: set[str] = field(default_factory=set)
    """Roles of which nothing is doubtful."""

    def binding(self, raw: Json, scope: str | Unknown, source: Source) -> RoleBinding | None:
        """Return a binding in which nothing is new and nothing is odd, `None` for all others."""
        if not isinstance(raw, dict):
            return None
        role, members, condition = raw.get("role"), raw.get("members"), raw.get("condition")
        if not (isinstance(role, str) and role in self.roles and isinstance(members, list)):
            return None
        expression = None
        if condition is not None:
            expression = condition.get("expression") if isinstance(condition, dict) else None
            if not isinstance(expression, str) or role in BASIC_ROLES:
                return None
        known = self.members
        try:
            found = (known[members[0]],) if len(members) == 1 else tuple([known[each] for each in members])
        except (KeyError, TypeError):
            # One that was not met yet, or that is no text.
            return None
        if len(found) > 1 and len(set(found)) < len(found):
            found = tuple(dict.fromkeys(found))
        return _made_binding(CLOUD_NAME, _id(scope, role, expression), role, found, scope, source, expression)


@lru_cache(maxsize=4096)
def resource_kind(asset_type: str) -> str:
    """Return the neutral kind of a resource for an asset type such as `storage.googleapis.com/Bucket`."""
    known = _KINDS.get(asset_type)
    return known or _HUMP.sub("-", asset_type.rpartition("/")[2]).lower()


def parse_policy_document(document: Document, item: Item) -> Found:
    """Read the output of `get-iam-policy`, which does not say what it belongs to: the hints do."""
    hints = document.hints
    stated = hints.resource or hints.scope
    scope = scope_name(stated) if stated else UNKNOWN
    if scope is UNKNOWN:
        yield problem(
            "the policy does not say which resource it belongs to; name it with a scope or a resource", item.source
        )
    else:
        yield from chain(hints.ancestors, item.source, scope)
        yield from _scope_resource(scope, hints.ancestors[0] if hints.ancestors else None, item)
    yield from parse_bindings(item, scope)


def parse_search_result(item: Item) -> Found:
    """Read one result of `search-all-iam-policies`."""
    name, policy = item.text("resource"), item.item("policy")
    if not name or policy is None:
        yield problem(f"a search result without resource or policy: {shown(dict(item.data))}", item.source)
        return
    scope = scope_name(name)
    above = [item.text("project"), *item.texts("folders"), item.text("organization")]
    ancestors = tuple(each for each in above if each)
    yield from chain(ancestors, item.source, scope)
    project = item.text("project")
    yield from named_alias(name, project, item.source)
    yield from _scope_resource(scope, project, item)
    yield from parse_bindings(policy, scope)


def parse_bindings(policy: Item, scope: str | Unknown, met: Met | None = None) -> Found:
    """Read the bindings of a policy: for each the binding, and every principal that it names for the first time.

    `met` is what the other policies of the document say.
    """
    met = met if met is not None else Met()
    for raw, source in policy.elements("bindings"):
        plain = met.binding(raw, scope, source)
        if plain is not None:
            yield plain
        else:
            yield from read_binding(raw, source, scope, met, policy.problems)
    if not isinstance(policy.get("bindings"), list | None):
        yield _made_binding(CLOUD_NAME, _id(scope, "", None), "", (UNREAD,), scope, policy.source)


def read_binding(raw: Json, source: Source, scope: str | Unknown, met: Met, problems: list[Unsupported]) -> Found:
    """Read a binding in which anything may be new or odd."""
    for item in items_of(((raw, source),), problems):
        yield from _any_binding(item, scope, met)
    if not isinstance(raw, dict):
        yield _made_binding(CLOUD_NAME, _id(scope, "", None), "", (UNREAD,), scope, source)


def _any_binding(item: Item, scope: str | Unknown, met: Met) -> Found:
    role = item.text("role")
    if not role:
        yield problem("a binding has no role; whom it grants what is not known", item.source, _subject(scope))
    # A binding without a role names its members all the same, and what they may do is open.
    yield from _binding(item, role or "", scope, met)


def _is_texts(value: Json) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(each, str) for each in value))


def _id(scope: str | Unknown, role: str, expression: str | None) -> str:
    return f"{scope if isinstance(scope, str) else 'unknown'}|{role}|{expression or ''}"


def _binding(item: Item, role: str, scope: str | Unknown, met: Met) -> Found:
    doubts = list(_role_doubts(role))
    if role and not doubts:
        met.roles.add(role)
    condition = item.item("condition")
    expression = condition.text("expression") if condition is not None else None
    if (condition is not None and expression is None) or (condition is None and item.get("condition") is not None):
        doubts.append("the condition has no expression")
    if expression is not None and role in BASIC_ROLES:
        doubts.append(f"the basic role `{role}` cannot carry a condition")
    members: list[str] = []
    yield from _members(item, met, members)
    for doubt in doubts:
        yield problem(doubt, item.source, _subject(scope))
    yield RoleBinding(
        cloud=CLOUD_NAME,
        id=_id(scope, role, expression),
        role=role,
        members=tuple(dict.fromkeys(members)),
        scope=scope,
        source=item.source,
        condition=expression,
        doubts=tuple(doubts),
    )


def _members(item: Item, met: Met, members: list[str]) -> Found:
    """Add the members of a binding to a list, and yield every principal that is met for the first time."""
    for text, place in item.placed_texts("members"):
        found = member(text)
        members.append(found.id)
        if text not in met.members:
            yield from _principal(found, place)
        if found.doubt is None and found.valid:
            met.members[text] = found.id
    if not _is_texts(item.get("members")):
        members.append(UNREAD)


def _principal(found: Member, place: Source) -> Found:
    if found.doubt is not None:
        yield problem(found.doubt, place, found.id if found.valid else None)
    if found.valid:
        yield principal_of(found, place)


def principal_of(found: Member, place: Source) -> Principal:
    """Return the principal that a member names."""
    project = project_of_account(found.name) if found.kind is PrincipalKind.SERVICE_IDENTITY else None
    return Principal(CLOUD_NAME, found.id, found.kind, place, container=f"projects/{project}" if project else None)


def _role_doubts(role: str) -> Iterator[str]:
    if _MANGLED.search(role):
        yield f"the role `{role}` stands for a condition that was left out; export the policy with version 3"
        return
    suggestion = other_case(role)
    if suggestion is not None:
        yield f"there is no role `{role}`, and role names are case-sensitive; did you mean `{suggestion}`"


def other_case(role: str) -> str | None:
    """Return the known role that a text misspells in case alone."""
    if not role.startswith("roles/"):
        return None
    from idtrans.catalog import builtin_role, builtin_roles

    if builtin_role(CLOUD_NAME, role) is not None:
        return None
    folded = role.lower()
    return next((known.id for known in builtin_roles(CLOUD_NAME) if known.id.lower() == folded), None)


def _scope_resource(scope: str, project: str | None, item: Item) -> Found:
    """Yield the thing that a policy belongs to."""
    container = project or container_of(scope)
    if scope == container:
        yield Container(CLOUD_NAME, scope, scope.partition("/")[0].removesuffix("s"), item.source)
        return
    if not scope.startswith("//"):
        return
    kind = resource_kind(item.text("assetType") or _kind_of_name(scope))
    yield Resource(CLOUD_NAME, full_name(scope), kind, item.source, container=container)


def _kind_of_name(scope: str) -> str:
    if "/serviceAccounts/" in scope:
        return "iam.googleapis.com/ServiceAccount"
    return "storage.googleapis.com/Bucket" if scope.startswith("//storage.googleapis.com/") else "Resource"


def _subject(scope: str | Unknown) -> str | None:
    return scope if isinstance(scope, str) else None
