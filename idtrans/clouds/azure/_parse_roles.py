"""Role assignments, role definitions and deny assignments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.clouds.azure._names import NAME, entra, guid, role_id, scope_id
from idtrans.clouds.azure._parse_pim import validity_of
from idtrans.clouds.azure._records import Record, record_of
from idtrans.clouds.azure._scopes import containers
from idtrans.model.entities import PermissionBlock, Principal, PrincipalKind, RoleBinding, RoleDefinition
from idtrans.model.making import maker
from idtrans.model.values import UNKNOWN, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from idtrans.model.documents import Hints, Unsupported
    from idtrans.model.entities import Entity
    from idtrans.model.spans import Source

KINDS: Final = {
    "user": PrincipalKind.USER,
    "group": PrincipalKind.GROUP,
    "foreigngroup": PrincipalKind.GROUP,
    "serviceprincipal": PrincipalKind.SERVICE_IDENTITY,
    "msi": PrincipalKind.SERVICE_IDENTITY,
    "application": PrincipalKind.APPLICATION,
}
"""Kinds of principals by the lower-cased `principalType`."""

EVERYONE: Final = entra("00000000-0000-0000-0000-000000000000")
"""All principals of the tenant, as deny assignments name them."""

UNHELD: Final = "a role assignment has no readable `principalId`"
"""Remark on an assignment of which it is not known who holds it."""
UNREAD: Final = "a role assignment is no object"
"""Remark on something among assignments of which nothing is known."""

_SUFFIX = "/providers/microsoft.authorization/"
_LISTS = ("actions", "notactions", "dataactions", "notdataactions")
_GUEST = "#ext#"
_made_principal: Final = maker(Principal)
_OUTSIDE: Final[Mapping[str, str]] = {"userType": "Guest"}
_NONE: Final[Mapping[str, str]] = {}
"""Attributes that principals share: most have none."""


def assignment(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:
    """Yield a role assignment, active or eligible, with the principal and the containers that it names.

    https://learn.microsoft.com/rest/api/authorization/role-assignments
    """
    holder = record.text("principalid", "objectid")
    if holder is None:
        yield record.unsupported(UNHELD)
        return
    role = record.text("roledefinitionid")
    scope = scope_of(record, hints)
    validity = validity_of(record)
    doubts = record.doubts("principalid", "roledefinitionid", "scope", "condition", "conditionversion")
    doubts = (*doubts, *validity.doubts)
    if role is None:
        doubts = (*doubts, "it names no role definition")
    principal = entra(holder)
    yield RoleBinding(
        cloud=NAME,
        id=_assignment_id(record, principal=principal, role=role, scope=scope),
        role=role_id(role) if role is not None else "",
        members=(principal,),
        scope=scope,
        source=record.source,
        condition=record.text("condition"),
        condition_version=record.text("conditionversion"),
        state=validity.state,
        role_name=record.text("roledefinitionname"),
        doubts=doubts,
        starts=validity.starts,
        ends=validity.ends,
    )
    yield _holder(record, principal)
    if scope is not UNKNOWN:
        yield from containers(scope, record.at("scope"))


def scope_of(record: Record, hints: Hints) -> str | Unknown:
    """Return where an assignment applies: as it says, else as its id does, else as the hints do."""
    path = record.text("id") or ""
    cut = path.lower().rfind(_SUFFIX)
    stated = record.text("scope") or (path[:cut] or "/" if cut >= 0 else hints.scope)
    return (scope_id(stated) if stated is not None else None) or UNKNOWN


def _assignment_id(record: Record, *, principal: str, role: str | None, scope: str | Unknown) -> str:
    stated = record.text("id", "roleassignmentid")
    if stated is not None:
        return scope_id(stated) or stated
    where = "?" if scope is UNKNOWN else scope
    return f"{where}#{principal}#{role_id(role or '')}"


def _holder(record: Record, principal: str) -> Principal:
    name, title = record.text("principalname", "signinname"), record.text("displayname")
    return holder(principal, name, title, record.text("principaltype", "objecttype"), record.at("principalid"))


def holder(principal: str, name: str | None, title: str | None, kind: str | None, source: Source) -> Principal:
    """Return the principal that an assignment names: its id, its names, and its kind as written."""
    stated, names = (kind or "").lower(), tuple([text for text in (name, title) if text is not None])
    outside = stated.startswith("foreign") or _GUEST in (name or "").lower()
    return _made_principal(
        NAME,
        principal,
        PrincipalKind.PUBLIC if principal == EVERYONE else KINDS.get(stated, PrincipalKind.UNKNOWN),
        source,
        name=names[0] if names else None,
        aliases=names if name != title else names[:1],
        attributes=_OUTSIDE if outside else _NONE,
    )


def definition(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:  # noqa: ARG001 - parsers are called alike
    """Yield a role definition as the REST API, `az`, Resource Graph or PowerShell print it.

    https://learn.microsoft.com/azure/role-based-access-control/role-definitions
    """
    # PowerShell calls the display name `Name` and the GUID `Id`; the others have the GUID in `name`.
    names = [text for text in (record.text("name"), record.text("id")) if text is not None]
    ids = [found for text in names if (found := guid(text.rstrip("/").rsplit("/", 1)[-1])) is not None]
    title = record.text("rolename") or (names[0] if names else None)
    if title is None:
        yield record.unsupported("a role definition has neither an id nor a name")
        return
    identifier = ids[0] if ids else role_id(title)
    blocks: list[PermissionBlock] = []
    complete = True
    for block, problem in blocks_of(record):
        if block is not None:
            blocks.append(block)
        if problem is not None:
            complete = False
            yield record.unsupported(f"role `{title}`: {problem}", subject=identifier)
    custom = record.flag("iscustom") is True or (record.text("roletype") or "").lower() == "customrole"
    yield RoleDefinition(
        cloud=NAME,
        id=identifier,
        name=title,
        blocks=tuple(blocks),
        source=record.source,
        custom=custom,
        complete=complete,
        scopes=tuple(filter(None, (scope_id(text) for text in record.texts("assignablescopes") or ()))),
    )


def blocks_of(record: Record) -> Iterator[tuple[PermissionBlock | None, str | None]]:
    """Yield the permission objects of a role, with what could not be read."""
    if not record.stated("permissions"):
        yield _block(record)
        return
    if not isinstance(record.get("permissions"), list):
        yield None, "its permissions are not a list"
    for item, source in record.items("permissions"):
        inner = record_of(item, source)
        yield _block(inner) if inner is not None else (None, "a permission is not an object")


def _block(record: Record) -> tuple[PermissionBlock | None, str | None]:
    """Return a permission object. One whose lists cannot be read is left out, and the role is then incomplete."""
    lists = [record.texts(name) for name in _LISTS]
    doubts = record.doubts("condition")
    if any(names is None for names in lists) or doubts:
        return None, "a permission has lists or a condition that cannot be read"
    actions, not_actions, data_actions, not_data_actions = (names or () for names in lists)
    return PermissionBlock(actions, not_actions, data_actions, not_data_actions, record.text("condition")), None
