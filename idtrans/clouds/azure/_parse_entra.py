"""The directory's own system of roles: role assignments, application permissions, owners, administrative units.

Directory roles say nothing of Azure's resources by themselves. They are bindings whose scope is `directory:/...`, an
application permission is a binding on the service principal of its API, and an owner one on what it owns. One step
leads into Azure's roles: a Global Administrator may make itself User Access Administrator at `/`.
https://learn.microsoft.com/azure/role-based-access-control/elevate-access-global-admin
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.clouds.azure._names import NAME, entra, guid, role_id
from idtrans.clouds.azure._parse_pim import validity_of
from idtrans.clouds.azure._parse_roles import KINDS
from idtrans.clouds.azure._records import Record, record_of
from idtrans.clouds.azure._scopes import DIRECTORY, OWNER_ROLE, ROOT, UNITS
from idtrans.model.entities import (
    BindingState,
    Container,
    Membership,
    PermissionBlock,
    Principal,
    PrincipalKind,
    RoleBinding,
    RoleDefinition,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.model.documents import Hints, Unsupported
    from idtrans.model.entities import Entity

GLOBAL_ADMINISTRATOR: Final = "62e90394-69f5-4237-9190-012177145e10"
_ACCESS_ADMINISTRATOR: Final = "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9"


def role_assignment(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:  # noqa: ARG001 - parsers are called alike
    """Yield a role of the directory that a principal holds, active or eligible.

    https://learn.microsoft.com/graph/api/resources/unifiedroleassignment
    """
    holder, role = record.text("principalid"), record.text("roledefinitionid", "roletemplateid")
    if holder is None or role is None:
        yield record.unsupported("a directory role assignment has no readable principal or role")
        return
    yield from _holder(record, holder)
    scope = record.text("directoryscopeid")
    doubts = record.doubts("directoryscopeid", "roledefinitionid")
    if scope is None:
        doubts = (*doubts, "it does not say where in the directory it applies")
    yield from _assigned(record, holder, role_id(role), scope or "/", doubts)


def _assigned(
    record: Record, holder: str, role: str, scope: str, doubts: tuple[str, ...] = ()
) -> Iterator[Entity | Unsupported]:
    validity = validity_of(record)
    where = DIRECTORY + scope.lower().removeprefix("/")
    yield Container(NAME, DIRECTORY, "directory", record.source)
    if where.startswith(UNITS):
        yield Container(NAME, where, "administrative-unit", record.source, parent=DIRECTORY)
    yield _binding(record, entra(holder), role, where, doubts)
    if role == GLOBAL_ADMINISTRATOR and where == DIRECTORY:
        yield RoleBinding(
            cloud=NAME,
            id=f"/#elevateAccess/{entra(holder)}",
            role=_ACCESS_ADMINISTRATOR,
            members=(entra(holder),),
            scope=ROOT,
            source=record.source,
            state=BindingState.ELIGIBLE,
            role_name="User Access Administrator (a Global Administrator may elevate its access)",
            doubts=(*doubts, *validity.doubts),
            starts=validity.starts,
            ends=validity.ends,
        )


def _binding(record: Record, holder: str, role: str, scope: str, doubts: tuple[str, ...]) -> RoleBinding:
    validity = validity_of(record)
    return RoleBinding(
        cloud=NAME,
        id=f"{scope}#{role}/{holder}",
        role=role,
        members=(holder,),
        scope=scope,
        source=record.source,
        state=validity.state,
        role_name=record.text("roledefinitionname", "displayname", "approledisplayname"),
        doubts=(*doubts, *validity.doubts),
        starts=validity.starts,
        ends=validity.ends,
    )


def _holder(record: Record, holder: str) -> Iterator[Principal]:
    inner = record_of(record.get("principal"), record.source)
    stated = (inner.text("@odata.type") or "").lower().rpartition(".")[2] if inner is not None else ""
    stated = stated or (record.text("principaltype") or "").lower()
    name = inner.text("userprincipalname", "displayname") if inner is not None else record.text("principaldisplayname")
    kind = KINDS.get(stated, PrincipalKind.UNKNOWN)
    aliases = (name,) if name is not None else ()
    yield Principal(NAME, entra(holder), kind, record.source, name=name, aliases=aliases)


def directory_role(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:
    """Yield an activated role of the directory with its members, as `directoryRoles?$expand=members` lists it."""
    template = record.text("roletemplateid")
    if template is None:
        yield record.unsupported("a directory role has no readable `roleTemplateId`")
        return
    for item, source in record.items("members"):
        inner = record_of(item, source)
        member = inner.text("id") if inner is not None else hints.principal
        if inner is None or member is None:
            yield record.unsupported("a member of a directory role has no readable id")
            continue
        kind = KINDS.get((inner.text("@odata.type") or "").lower().rpartition(".")[2], PrincipalKind.UNKNOWN)
        name = inner.text("userprincipalname", "displayname")
        aliases = (name,) if name is not None else ()
        yield Principal(NAME, entra(member), kind, source, name=name, aliases=aliases)
        yield from _assigned(inner, member, role_id(template), "/")


def role_definition(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:  # noqa: ARG001 - parsers are called alike
    """Yield the definition of a role of the directory.

    https://learn.microsoft.com/graph/api/resources/unifiedroledefinition
    """
    identifier = record.text("templateid", "id")
    if identifier is None:
        yield record.unsupported("a directory role definition has no readable id")
        return
    actions: list[str] = []
    complete = stated = isinstance(record.get("rolepermissions"), list)
    for item, source in record.items("rolepermissions"):
        inner = record_of(item, source)
        listed = inner.texts("allowedresourceactions") if inner is not None else None
        complete = complete and listed is not None
        actions += listed or ()
    if stated and not complete:
        yield record.unsupported("the permissions of a directory role cannot be read", subject=role_id(identifier))
    yield RoleDefinition(
        cloud=NAME,
        id=role_id(identifier),
        name=record.text("displayname") or identifier,
        blocks=(PermissionBlock(actions=tuple(actions)),),
        source=record.source,
        custom=record.flag("isbuiltin") is False,
        complete=complete,
    )


def app_role(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:  # noqa: ARG001 - parsers are called alike
    """Yield a permission of an API, such as Microsoft Graph, that an application holds.

    https://learn.microsoft.com/graph/api/resources/approleassignment
    """
    holder, role, api = record.text("principalid"), record.text("approleid"), record.text("resourceid")
    if holder is None or role is None or api is None:
        yield record.unsupported("an app role assignment has no readable principal, role or resource")
        return
    yield from _holder(record, holder)
    name = record.text("resourcedisplayname")
    aliases = (name,) if name is not None else ()
    yield Principal(NAME, entra(api), PrincipalKind.SERVICE_IDENTITY, record.source, name=name, aliases=aliases)
    yield _binding(record, entra(holder), role_id(role), entra(api), ())


def owners(record: Record, owned: str) -> Iterator[Entity | Unsupported]:
    """Yield the owners that an application, a service principal or a group embeds."""
    for item, source in record.items("owners"):
        inner = record_of(item, source)
        owner = inner.text("id") if inner is not None else None
        if inner is None or owner is None:
            yield record.unsupported("an owner has no readable id", subject=owned)
        else:
            yield owner_of(inner, owner, owned)


def owner_of(record: Record, owner: str, owned: str) -> RoleBinding:
    """Return the ownership of an object of the directory as a binding on it."""
    return _binding(record, entra(owner), OWNER_ROLE, owned, ())


def administrative_unit(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:  # noqa: ARG001 - called alike
    """Yield an administrative unit with the members that it embeds.

    https://learn.microsoft.com/entra/identity/role-based-access-control/administrative-units
    """
    identifier = record.text("id")
    if identifier is None:
        yield record.unsupported("an administrative unit has no readable id")
        return
    unit = f"{UNITS}{guid(identifier) or identifier.lower()}"
    yield Container(NAME, DIRECTORY, "directory", record.source)
    yield Container(NAME, unit, "administrative-unit", record.source, parent=DIRECTORY, name=record.text("displayname"))
    for item, source in record.items("members"):
        inner = record_of(item, source)
        member = inner.text("id") if inner is not None else None
        if inner is None or member is None:
            yield record.unsupported("a member of an administrative unit has no readable id", subject=unit)
            continue
        kind = KINDS.get((inner.text("@odata.type") or "").lower().rpartition(".")[2], PrincipalKind.UNKNOWN)
        yield Principal(NAME, entra(member), kind, source, name=inner.text("userprincipalname", "displayname"))
        yield Membership(NAME, entra(member), unit, source)
