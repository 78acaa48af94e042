"""Access of a principal: the union of all assignments that it holds, itself and through groups.

Per permission object of a role, actions minus notActions; `notActions` is no deny: another role may give it.
https://learn.microsoft.com/azure/role-based-access-control/overview#how-azure-rbac-determines-if-a-user-has-access-to-a-resource

`Managed Identity Operator` names `userAssignedIdentities/*/assign/action`. Read strictly, as here, that pattern does
not match the operation `userAssignedIdentities/assign/action`, which is what the resource provider lists.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from idtrans.algebra import (
    ALWAYS,
    ANY_TEXT,
    NO_TEXT,
    Access,
    Box,
    Condition,
    Except,
    Language,
    Opaque,
    all_of,
    exact,
    prefix,
    union,
)
from idtrans.clouds.azure._conditions import lower
from idtrans.clouds.azure._index import Index, below, index_of
from idtrans.clouds.azure._names import NAME
from idtrans.clouds.azure._operations import OperationPlane, asked, bare, both_planes, listed
from idtrans.clouds.azure._parse_roles import EVERYONE, UNHELD, UNREAD
from idtrans.clouds.azure._scopes import GROUP, level, under
from idtrans.clouds.azure._validity import in_force
from idtrans.model.documents import Unsupported
from idtrans.model.entities import BindingState
from idtrans.model.values import UNKNOWN, Effect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from idtrans.model.entities import DenyAssignment, PermissionBlock, RoleBinding, RoleDefinition
    from idtrans.model.estate import Estate

LAYER = "role assignment"
"""Layer of every grant, as shown to people."""


@dataclass(frozen=True, slots=True)
class Held:
    """An assignment that a principal holds, and on what it depends that it does."""

    binding: RoleBinding
    membership: Condition = ALWAYS
    group: str | None = None
    """Group through which it is held."""


@dataclass(frozen=True, slots=True)
class Part:
    """One plane of one permission object: what it lists and what it leaves out."""

    plane: OperationPlane
    given: tuple[str, ...]
    left_out: tuple[str, ...]
    condition: Condition
    """The condition of the permission object itself."""
    written: str | None
    """The same as written."""


def held(principal: str, index: Index) -> Iterator[Held]:
    """Yield the assignments of a principal, active or eligible: its own, then those of its groups, sure or possible."""
    return held_among(principal, index.bindings, index.group_holders, index)


def held_among(
    principal: str, bindings: Mapping[str, Sequence[RoleBinding]], groups: Sequence[str], index: Index
) -> Iterator[Held]:
    """Yield those of some assignments that a principal holds; `groups` are the groups among their holders."""
    for binding in bindings.get(principal, ()):
        yield Held(binding)
    if principal != EVERYONE:
        for binding in bindings.get(EVERYONE, ()):
            yield Held(binding, group=EVERYONE)
    sure = index.memberships(principal)
    for group in groups:
        if group in sure:
            yield from (Held(binding, group=group) for binding in bindings[group])
        elif index.may_be_in(principal, group):
            unclear = Opaque(f"`{principal}` is a member of `{group}`", "the members of the group are not all known")
            yield from (Held(binding, unclear, group) for binding in bindings[group])


def parts(role: RoleDefinition) -> Iterator[Part]:
    """Yield the permission objects of a role, each plane on its own."""
    for block in role.blocks:
        yield from planes(block)


def planes(block: PermissionBlock) -> Iterator[Part]:
    """Yield the planes of which a permission object lists anything."""
    condition = lower(block.condition)
    control = Part(OperationPlane.CONTROL, block.actions, block.not_actions, condition, block.condition)
    data = Part(OperationPlane.DATA, block.data_actions, block.not_data_actions, condition, block.condition)
    yield from (part for part in (control, data) if part.given)


def permissions(part: Part) -> Language:
    """Return the operations that a part gives, in the spelling of the action dimension."""
    return listed(part.plane, part.given) - listed(part.plane, part.left_out)


def unlisted(role: RoleDefinition) -> Language:
    """Return the operations of which it is not known whether an incomplete role gives them."""
    if role.complete:
        return NO_TEXT
    known = union(asked(part.plane, part.given) for part in parts(role))
    return ANY_TEXT - known - both_planes(bare(name) for name in role.lacks)


def scopes_of(binding: RoleBinding | DenyAssignment, index: Index) -> Iterator[tuple[Language, Condition]]:
    """Yield the resources of an assignment, those that are surely in its scope first, then those that may be.

    A management group contains subscriptions whose ids do not say so: without their place in the hierarchy it is not
    known whether the assignment reaches them.
    """
    scope = binding.scope
    if scope is UNKNOWN:
        yield ANY_TEXT, Opaque(f"the scope of `{binding.id}`", "the assignment does not say where it applies")
        return
    if level(scope) != "management-group":
        yield under(scope), ALWAYS
        return
    known = below(index, scope)
    inside = union([under(scope), *(under(name) for name, placed in known.items() if placed is True)])
    outside = union(under(name) for name, placed in known.items() if placed is False)
    yield inside, ALWAYS
    reason = "the place of this subscription below the management groups is not known"
    yield (
        (prefix("/subscriptions/") | prefix(GROUP)) - inside - outside,
        Opaque(f"the resource is below `{scope}`", reason),
    )


@dataclass(frozen=True, slots=True)
class Grant:
    """A part of what is granted, and the plane that it stands in: `None` for what may stand in either."""

    plane: OperationPlane | None
    access: Access


def granted(principal: str, items: Iterable[Held], estate: Estate) -> list[Grant]:
    """Return everything that the role assignments of a principal give it."""
    index = index_of(estate)
    found = [grant for item in items for grant in _grants(principal, item, index)]
    own = (problem for problem in problems(estate) if problem.subject == principal or is_unheld(problem))
    return [*found, *(Grant(None, _possible_grant(principal, problem)) for problem in own)]


def problems(estate: Estate) -> Iterator[Unsupported]:
    """Yield what was not understood in documents of Azure."""
    known = estate.memo.get((NAME, "problems"))
    if not isinstance(known, tuple):
        known = tuple(problem for problem in estate.unsupported if problem.cloud == NAME)
        estate.memo[NAME, "problems"] = known
    return iter(known)


def is_unheld(problem: Unsupported) -> bool:
    """Tell a role assignment that does not say who holds it: anybody may."""
    return problem.subject is None and problem.reason in {UNHELD, UNREAD}


def _possible_grant(principal: str, problem: Unsupported) -> Box:
    return Box(
        effect=Effect.ALLOW,
        layer=LAYER,
        principals=exact(principal),
        actions=ANY_TEXT,
        resources=ANY_TEXT,
        condition=Opaque(problem.reason, "a document about this principal was not understood"),
        name=problem.reason,
        source=problem.source,
    )


def _grants(principal: str, item: Held, index: Index) -> Iterator[Grant]:
    """Yield what one assignment grants: a box for each plane of each permission object, and one for what is unknown."""
    binding, role = item.binding, index.role(item.binding)
    limit = limit_of(item)
    label = label_of(item, role)
    for resources, placed in scopes_of(binding, index):
        blank = Box(
            effect=Effect.ALLOW,
            layer=LAYER,
            principals=exact(principal),
            actions=ANY_TEXT,
            resources=resources,
            condition=all_of(limit, placed),
            name=label,
            source=binding.source,
        )
        if role is None:
            yield Grant(None, _limited(blank, unknown_role(binding)))
            continue
        for part in parts(role):
            base = replace(blank, actions=asked(part.plane, part.given), name=f"{label} ({part.plane} plane)")
            yield Grant(part.plane, _without(_limited(base, part.condition), part))
        if not role.complete:
            yield Grant(None, _limited(replace(blank, actions=unlisted(role)), rest_of(role)))


def limit_of(item: Held) -> Condition:
    """Return what an assignment as a whole depends on: membership, and what it says itself."""
    return all_of(item.membership, own_limit(item.binding))


def own_limit(binding: RoleBinding) -> Condition:
    """Return what an assignment says of itself: its state, its condition, and doubts about it."""
    limit = all_of(in_force(binding), lower(binding.condition, binding.condition_version))
    if not binding.doubts:
        return limit
    return all_of(limit, Opaque(f"{binding.id}: {'; '.join(binding.doubts)}", "the assignment was not understood"))


def unknown_role(binding: RoleBinding) -> Opaque:
    """Return the symbol for what a role gives of which there is no definition."""
    return Opaque(f"what role `{binding.role_name or binding.role}` gives", "its definition is not known")


def rest_of(role: RoleDefinition) -> Opaque:
    """Return the symbol for what a role gives beside what is known of it."""
    return Opaque(f"what role `{role.name}` gives beside", "its definition is not known in full")


def _limited(box: Box, condition: Condition) -> Box:
    return replace(box, condition=all_of(box.condition, condition))


def _without(base: Box, part: Part) -> Access:
    if not part.left_out:
        return base
    word = "notActions" if part.plane is OperationPlane.CONTROL else "notDataActions"
    left_out = Box(
        effect=Effect.ALLOW,
        layer=LAYER,
        principals=base.principals,
        actions=asked(part.plane, part.left_out),
        resources=base.resources,
        name=f"{word} of {base.name}",
        source=base.source,
    )
    return Except(base, left_out)


def label_of(item: Held, role: RoleDefinition | None) -> str:
    """Return how an assignment is named to people."""
    binding = item.binding
    stated = binding.role_name or binding.role
    # A name of the assignment that says more than that of the role stands for how it came to be.
    name = stated if role is None or stated.startswith(f"{role.name} (") else role.name
    where = "an unknown scope" if binding.scope is UNKNOWN else binding.scope
    through = f" through {item.group}" if item.group is not None else ""
    state = " (eligible, not active)" if binding.state is BindingState.ELIGIBLE else ""
    return f"role {name} at {where}{through}{state}"
