"""Which members of bindings a principal is: itself, its groups, its domain, everybody, and what is not known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from idtrans.algebra import ALWAYS, NEVER, Condition, Opaque, any_of
from idtrans.clouds.gcp._index import OPEN_ROOT, Index, remembered
from idtrans.clouds.gcp._members import (
    ALL_AUTHENTICATED,
    ALL_USERS,
    Member,
    email_domain,
    is_agent,
    member,
    pool_in,
    project_of_account,
)
from idtrans.model.entities import PrincipalKind

_GOOGLE_KINDS = (PrincipalKind.USER, PrincipalKind.SERVICE_IDENTITY, PrincipalKind.GROUP)
"""Identities that Google itself knows: they can be in groups, and they are signed in with Google."""


_SINGLE = (PrincipalKind.USER, PrincipalKind.SERVICE_IDENTITY)
"""Identities that are one principal."""


def identities(principal: str, index: Index) -> Mapping[str, Condition]:
    """Return the named members that a principal is, each with the condition on which it is that member."""
    table = remembered(index.estate, "identities", dict[str, Mapping[str, Condition]])
    found = table.get(principal)
    if found is None:
        found = table[principal] = _identities(member(principal), index)
    return found


def _identities(me: Member, index: Index) -> dict[str, Condition]:
    if me.deleted or not me.valid:
        return {}
    found: dict[str, Condition] = {me.id: ALWAYS}
    found.update(dict.fromkeys(_public(me), ALWAYS))
    if me.kind in _GOOGLE_KINDS:
        found.update(_groups(me, index))
    for each in _wide(index):
        how = _covers(each, me, index)
        if how != NEVER and each.id not in found:
            found[each.id] = how
    found.update({each.id: how for each in _unread(index) if (how := _may_be(each, me)) != NEVER})
    for role in _project_roles(index):
        if role.id not in found:
            how = role.held_by(found)
            if how != NEVER:
                found[role.id] = how
    return {each: how for each, how in found.items() if each in index.named or each == me.id}


def meant_by(named: Iterable[str], index: Index) -> frozenset[str] | None:
    """Return all principals that are one of some named members, `None` when these can be anybody.

    A user or a service account is nobody else, and a group whose members are all known is nobody but them.
    """
    found: set[str] = set()
    queue = list(named)
    while queue:
        each = queue.pop()
        if each in found:
            continue
        found.add(each)
        stands_for = member(each)
        if stands_for.deleted:
            continue
        if stands_for.kind is PrincipalKind.GROUP and each in index.members_of and each not in index.partly_known:
            queue += index.members_of[each]
        elif not stands_for.valid or stands_for.kind not in _SINGLE:
            return None
    return frozenset(found)


def _public(me: Member) -> Iterator[str]:
    yield ALL_USERS
    # Identities of outside providers are not signed in with Google. https://cloud.google.com/iam/docs/principals-overview
    if me.kind in _GOOGLE_KINDS or me.id == ALL_AUTHENTICATED:
        yield ALL_AUTHENTICATED


def _groups(me: Member, index: Index) -> Iterator[tuple[str, Condition]]:
    """Yield the groups that a principal is in for sure, then those of which it is not known."""
    sure = _above((me.id,), index)
    yield from ((group, ALWAYS) for group in sure)
    unknown = [
        group
        for group in _bound_groups(index)
        if (group not in index.members_of or group in index.partly_known) and group not in sure and group != me.id
    ]
    for group in dict.fromkeys((*unknown, *_above(unknown, index))):
        if group not in sure and group != me.id:
            yield group, _in_group(me, group)


def _in_group(me: Member, group: str) -> Opaque:
    return Opaque(f"{me.id} is a member of {group}", f"the members of `{group}` were not supplied")


def _above(members: tuple[str, ...] | list[str], index: Index) -> tuple[str, ...]:
    """Return all groups that hold the members, directly or through groups."""
    found: dict[str, None] = {}
    queue = list(members)
    while queue:
        for group in index.groups_of.get(queue.pop(), ()):
            if group not in found:
                found[group] = None
                queue.append(group)
    return tuple(found)


def _bound_groups(index: Index) -> tuple[str, ...]:
    """Return the groups that are named by policies or as members of groups."""
    return remembered(
        index.estate,
        "groups",
        lambda: tuple(sorted(each for each in {*index.named, *index.groups_of} if each.startswith("group:"))),
    )


def _wide(index: Index) -> tuple[Member, ...]:
    """Return the bound members that stand for many principals and are not found by look-up."""
    return remembered(index.estate, "wide", lambda: tuple(_bound(index, _is_wide)))


def _project_roles(index: Index) -> tuple[_ProjectRole, ...]:
    """Return the bound members that stand for the owners, editors or viewers of a project."""
    return remembered(
        index.estate,
        "project-roles",
        lambda: tuple(_project_role(each, index) for each in _bound(index, lambda each: each.role is not None)),
    )


def _bound(index: Index, wanted: Callable[[Member], bool]) -> Iterator[Member]:
    yield from (each for each in map(member, sorted(index.named)) if each.valid and not each.deleted and wanted(each))


def _unread(index: Index) -> tuple[Member, ...]:
    """Return the bound members of which nobody knows whom they stand for."""
    return remembered(
        index.estate, "unread-members", lambda: tuple(filter(_is_unread, map(member, sorted(index.named))))
    )


def _is_unread(each: Member) -> bool:
    """Tell a text that is no principal, or a set of an unknown kind. A single principal of one is nobody else."""
    return not each.deleted and (not each.valid or (each.doubt is not None and each.id.startswith("principalSet:")))


def _may_be(unread: Member, me: Member) -> Condition:
    """Return on what condition a member that cannot be read is a principal: one of a pool is of that pool."""
    pool = pool_in(unread.id)
    if pool is not None and (me.pool is None or _pool_id(me.pool.pool) != _pool_id(pool)):
        return NEVER
    return Opaque(f"{me.id} is meant by {unread.id}", unread.doubt or "it cannot be read")


def _is_wide(each: Member) -> bool:
    return each.role is None and (each.kind is PrincipalKind.CONTAINER or each.pool is not None)


def _covers(wide: Member, me: Member, index: Index) -> Condition:
    """Return on what condition a principal is one of a wide member's identities."""
    if wide.pool is not None:
        return _covers_pool(wide, me)
    if wide.id.startswith("domain:"):
        mine = me.kind in (PrincipalKind.USER, PrincipalKind.GROUP) and email_domain(me.name) == wide.name
        return ALWAYS if mine else NEVER
    if wide.container is not None:
        return _covers_container(wide, me, index)
    if me.kind in (PrincipalKind.USER, PrincipalKind.GROUP):
        return Opaque(f"{me.id} belongs to {wide.id}", f"the members of `{wide.id}` were not supplied")
    return NEVER


def _covers_pool(wide: Member, me: Member) -> Condition:
    pool, mine = wide.pool, me.pool
    if pool is None or mine is None or _pool_id(pool.pool) != _pool_id(mine.pool) or mine.kind == "*":
        return NEVER
    if pool.kind == "*":
        return ALWAYS
    # A set of identities holds what each of its members holds: it is no member of a narrower set.
    if mine.kind != "subject":
        return NEVER
    if pool.kind == "subject":
        # Kubernetes service accounts have an old spelling, without the number of the project.
        return ALWAYS if pool.value == mine.value else NEVER
    if pool.kind == "namespace":
        inside = mine.value.startswith(f"ns/{pool.value}/sa/")
        return ALWAYS if inside else NEVER
    return Opaque(
        f"{me.id} is in {wide.id}", f"claims that are not known here decide whether a subject is in `{wide.id}`"
    )


def _pool_id(pool: str) -> str:
    """Return the id of a pool: those of Kubernetes are named by project id, with or without the number in front."""
    short = pool.rpartition("/")[2]
    return short if short.endswith(".svc.id.goog") else pool


def _pool_project(pool: str) -> str | None:
    """Return the project of a workload pool, `None` for a workforce pool, which belongs to an organization."""
    if pool.startswith("projects/"):
        return "/".join(pool.split("/")[:2])
    return f"projects/{pool.removesuffix('.svc.id.goog')}" if pool.endswith(".svc.id.goog") else None


def _covers_container(wide: Member, me: Member, index: Index) -> Condition:
    """Decide sets such as "all service accounts of a folder", and the sets of boundaries, which hold more kinds.

    https://cloud.google.com/iam/docs/principal-access-boundary-policies#principal-sets
    """
    container = wide.container or ""
    if me.kind is PrincipalKind.SERVICE_IDENTITY:
        if wide.only is not None and is_agent(me.name) is not (wide.only == "ServiceAgent"):
            return NEVER
        project = project_of_account(me.name)
        return _lies_in(f"projects/{project}" if project else None, wide, me, index)
    if wide.only is not None:
        return NEVER
    if me.pool is not None:
        project = _pool_project(me.pool.pool)
        if project is not None:
            return _lies_in(project, wide, me, index)
        return _perhaps(wide, me) if container.startswith("organizations/") else NEVER
    mine = me.kind in (PrincipalKind.USER, PrincipalKind.GROUP) and container.startswith("organizations/")
    return _perhaps(wide, me) if mine else NEVER


def _perhaps(wide: Member, me: Member) -> Opaque:
    return Opaque(f"{me.id} is in {wide.id}", f"it is not known whether `{me.id}` belongs to `{wide.container}`")


def _lies_in(project: str | None, wide: Member, me: Member, index: Index) -> Condition:
    container = wide.container or ""
    path = index.path(project)
    if f"{index.container(container)}/" in f"{path}/":
        return ALWAYS
    if not path.startswith(OPEN_ROOT):
        return NEVER
    return Opaque(f"{me.id} is in {wide.id}", f"it is not known whether the project of `{me.id}` lies in `{container}`")


@dataclass(frozen=True, slots=True)
class _ProjectRole:
    """A member such as `projectOwner:P`, with those who are bound to the basic role."""

    id: str
    holders: frozenset[str]
    """Members of the basic role's bindings on the project itself."""
    above: frozenset[str]
    """Members of its bindings further up."""
    unknown: Condition
    """What must hold when the project's own policy was not supplied; NEVER when it was."""

    def held_by(self, held: Mapping[str, Condition]) -> Condition:
        """Return on what condition a principal that is the given members counts as one of them."""
        if self.unknown != NEVER or (self.holders.isdisjoint(held) and self.above.isdisjoint(held)):
            return self.unknown
        ways = [held[holder] for holder in sorted(self.holders) if holder in held]
        if not self.above.isdisjoint(held):
            ways.append(
                Opaque(
                    f"{self.id} counts inherited roles",
                    f"whether inherited roles count for `{self.id}` is not documented",
                )
            )
        return any_of(*ways)


def _project_role(each: Member, index: Index) -> _ProjectRole:
    project = index.container(each.container or "")
    supplied = project in index.at_scope
    return _ProjectRole(
        id=each.id,
        holders=frozenset(_holders(each.role, project, index)),
        above=frozenset(holder for scope in index.chain(project)[:-1] for holder in _holders(each.role, scope, index)),
        unknown=NEVER
        if supplied
        else Opaque(f"holds {each.role} on {project}", f"the allow policy of `{project}` was not supplied"),
    )


def _holders(role: str | None, scope: str, index: Index) -> Iterator[str]:
    for binding in index.at_scope.get(scope, ()):
        if binding.role == role:
            yield from binding.members
