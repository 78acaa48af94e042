"""Grants for the audit: who holds which role where, and how dangerous that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from idtrans.algebra import ALWAYS, NEVER, Condition, Truth, all_of, any_of, reduce
from idtrans.clouds.azure._compile import parts, permissions
from idtrans.clouds.azure._conditions import lower
from idtrans.clouds.azure._index import Index, index_of
from idtrans.clouds.azure._names import NAME
from idtrans.clouds.azure._operations import ASSIGN
from idtrans.clouds.azure._scopes import is_arm, level
from idtrans.model.decisions import Knowledge, Request
from idtrans.model.entities import BindingState, PrincipalKind, RoleBinding
from idtrans.model.facts import GrantFact
from idtrans.model.values import UNKNOWN, Plane, Unknown, rank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.model.entities import RoleDefinition
    from idtrans.model.estate import Estate

_DEFINE: Final = "control:microsoft.authorization/roledefinitions/write"
_ROLE_KEY: Final = "@request[microsoft.authorization/roleassignments:roledefinitionid]"
_PRINCIPAL_KEY: Final = "@request[microsoft.authorization/roleassignments:principalid]"
_TYPE_KEY: Final = "@request[microsoft.authorization/roleassignments:principaltype]"
_POWERFUL: Final = (
    "8e3af657-a8ff-443c-a75c-2fe8c4bcb635",  # Owner
    "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9",  # User Access Administrator
    "f58310d9-a9f6-439a-9e8d-f62e7b41a168",  # Role Based Access Control Administrator
)
_CUSTOM: Final = "ffffffff-ffff-4fff-bfff-ffffffffffff"
"""Stands for a custom role with the same actions as a powerful one, which a list of role ids cannot name."""

_TYPES: Final = {
    PrincipalKind.USER: "User",
    PrincipalKind.GROUP: "Group",
    PrincipalKind.SERVICE_IDENTITY: "ServicePrincipal",
}
_TELLING: Final = (
    "control:microsoft.authorization/roleassignments/write",
    "control:microsoft.authorization/elevateaccess/action",
    "control:microsoft.managedidentity/userassignedidentities/federatedidentitycredentials/write",
    "control:microsoft.keyvault/vaults/accesspolicies/write",
    "control:microsoft.compute/virtualmachines/runcommand/action",
    "control:microsoft.storage/storageaccounts/listkeys/action",
    "data:microsoft.keyvault/vaults/secrets/getsecret/action",
    "data:microsoft.keyvault/vaults/keys/decrypt/action",
    "data:microsoft.storage/storageaccounts/blobservices/containers/blobs/read",
    "control:microsoft.resources/subscriptions/resourcegroups/read",
)
"""Operations that show on which planes a role with wildcards is at home."""


@dataclass(frozen=True, slots=True)
class _RoleFacts:
    """What every assignment of one role has in common."""

    assigns: tuple[Condition, ...]
    """Conditions of the permission objects that give role assignments."""
    defines: bool
    """Whether the role lets its holder write roles."""
    plane: Plane | Unknown
    read_only: bool | Unknown
    conditional: bool


def grants(estate: Estate) -> tuple[GrantFact, ...]:
    """Return every active assignment as a fact. Eligible ones grant nothing until activated, ended ones no more."""
    index = index_of(estate)
    known: dict[str, _RoleFacts] = {}
    found: list[GrantFact] = []
    for binding in estate.of(RoleBinding, NAME):
        over = binding.ends is not None and binding.ends <= estate.now
        if over or binding.state is not BindingState.ACTIVE or not is_arm(binding.scope):
            continue
        role = index.role(binding)
        if role is not None and role.id not in known:
            known[role.id] = _role_facts(role)
        facts = known[role.id] if role is not None else None
        found += [_fact(member, binding, role, facts, index) for member in binding.members]
    return tuple(found)


def _role_facts(role: RoleDefinition) -> _RoleFacts:
    return _RoleFacts(
        assigns=tuple(part.condition for part in parts(role) if permissions(part).matches(ASSIGN)),
        defines=any(permissions(part).matches(_DEFINE) for part in parts(role)),
        plane=_plane(role),
        read_only=_read_only(role),
        conditional=any(block.condition for block in role.blocks),
    )


def _fact(
    member: str, binding: RoleBinding, role: RoleDefinition | None, facts: _RoleFacts | None, index: Index
) -> GrantFact:
    scope = "" if binding.scope is UNKNOWN else binding.scope
    owner_like = UNKNOWN if role is None or facts is None else _owner_like(member, binding, role, facts, index)
    return GrantFact(
        cloud=NAME,
        subject=member,
        source=binding.source,
        principal_kind=index.kind(member),
        role=(role.name if role is not None else None) or binding.role_name or binding.role,
        scope=scope,
        scope_level=level(scope) if scope else "unknown",
        plane=Plane.ADMIN if owner_like is True else (facts.plane if facts is not None else UNKNOWN),
        owner_like=owner_like,
        conditional=bool(binding.condition) or (facts is not None and facts.conditional),
        read_only=facts.read_only if facts is not None else UNKNOWN,
        false_reader=role is not None and _is_false_reader(role),
    )


def _is_false_reader(role: RoleDefinition) -> bool:
    from idtrans.catalog import false_reader

    listed = (f"{part.plane}:{action.strip().lower()}" for part in parts(role) for action in part.given)
    return false_reader(NAME, role.name, listed)


def _owner_like(
    member: str, binding: RoleBinding, role: RoleDefinition, facts: _RoleFacts, index: Index
) -> bool | Unknown:
    """Tell whether the holder can give itself a role that gives everything.

    A condition is asked with the holder as the assignee and the powerful roles one by one. One that only bars a list
    of roles lets a custom role with the same actions through, which the holder can write itself with
    `roleDefinitions/write`; without that it is not known whether such a role exists.
    https://learn.microsoft.com/azure/role-based-access-control/delegate-role-assignments-overview
    """
    if binding.doubts:
        return UNKNOWN
    if not facts.assigns:
        return False if role.complete else UNKNOWN
    limit = all_of(lower(binding.condition, binding.condition_version), any_of(*facts.assigns))
    answers = {_allows(limit, member, powerful, index) for powerful in _POWERFUL}
    if Truth.TRUE in answers:
        return True
    custom = _allows(limit, member, _CUSTOM, index)
    if custom is Truth.TRUE and facts.defines:
        return True
    return False if (answers, custom) == ({Truth.FALSE}, Truth.FALSE) else UNKNOWN


def _allows(condition: Condition, member: str, role: str, index: Index) -> Truth:
    context = {_ROLE_KEY: (role,), _PRINCIPAL_KEY: (member.partition(":")[2],)}
    kind = _TYPES.get(index.kind(member))
    if kind is not None:
        context[_TYPE_KEY] = (kind,)
    rest = reduce(condition, Request(member, ASSIGN, "/", context, Knowledge.OPEN))
    if rest == ALWAYS:
        return Truth.TRUE
    return Truth.FALSE if rest == NEVER else Truth.UNKNOWN


def _plane(role: RoleDefinition) -> Plane | Unknown:
    """Return the most dangerous plane of the role's operations: those it names, and telling ones for wildcards."""
    from idtrans.catalog import action_profile

    planes = [action_profile(NAME, operation).plane for operation in _operations(role)]
    known: list[Plane] = [plane for plane in planes if plane is not UNKNOWN]
    if not known or len(known) < len(planes) or not role.complete:
        return UNKNOWN
    highest = max(rank(plane) for plane in known)
    return list(Plane)[highest]


def _operations(role: RoleDefinition) -> Iterator[str]:
    for part in parts(role):
        given = permissions(part)
        named = (f"{part.plane}:{action.strip().lower()}" for action in part.given)
        # A pattern keeps its verb, which is what tells its plane: `microsoft.compute/*/read`.
        yield from (name for name in named if not name.endswith("*"))
        yield from (name for name in _TELLING if given.matches(name))
        if any(action.endswith("*") for action in part.given):
            yield f"{part.plane}:*/write"


def _read_only(role: RoleDefinition) -> bool | Unknown:
    """Tell whether a role gives nothing but reads, by the verbs of its operations; `.../action` may be either."""
    if not role.blocks:
        return UNKNOWN
    given = [action.strip().lower() for block in role.blocks for action in (*block.actions, *block.data_actions)]
    if any(action.endswith(("*", "/write", "/delete")) for action in given):
        return False
    if all(action.endswith("/read") for action in given) and role.complete:
        return True
    return UNKNOWN
