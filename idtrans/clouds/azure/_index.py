"""Look-up tables over an estate: who holds what, who is in which group, what a role gives, what lies below what."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from idtrans.clouds.azure._keyed import WHOLE
from idtrans.clouds.azure._names import NAME, PREFIX, guid
from idtrans.clouds.azure._parse_directory import LISTED
from idtrans.clouds.azure._parse_keyed import ACCEPTED, KEYED
from idtrans.clouds.azure._parse_storage import OWN_KEYS, SERVICES
from idtrans.clouds.azure._scopes import ROOT, is_arm, level
from idtrans.model.entities import (
    Container,
    Membership,
    Principal,
    PrincipalKind,
    Resource,
    RoleBinding,
    RoleDefinition,
)
from idtrans.model.pausing import paused_gc
from idtrans.model.values import UNKNOWN, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.model.estate import Estate


@dataclass(slots=True)
class Index:
    """Tables of one estate. Read-only once built."""

    bindings: dict[str, list[RoleBinding]] = field(default_factory=dict)
    """Assignments by principal, active and eligible."""
    principals: dict[str, list[Principal]] = field(default_factory=dict)
    """What documents say of each principal, by id."""
    names: dict[str, dict[str, None]] = field(default_factory=dict)
    """Ids by every other name, names in lower case."""
    groups: dict[str, set[str]] = field(default_factory=dict)
    """Groups that a principal is directly a member of."""
    members: dict[str, set[str]] = field(default_factory=dict)
    """Direct members of a group."""
    listed: set[str] = field(default_factory=set)
    """Groups whose members were listed in full."""
    roles: dict[str, RoleDefinition] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)
    """Containers to the container above."""
    group_holders: list[str] = field(default_factory=list)
    """Groups that hold an assignment."""
    key_states: dict[str, dict[str, dict[str, bool | Unknown]]] = field(default_factory=dict)
    """By type the resources that have keys, and for each service whether their keys are accepted."""
    directory: list[RoleBinding] = field(default_factory=list)
    """Assignments of roles of the directory, and of application permissions: a system apart from Azure's roles."""
    open: dict[str, bool] = field(default_factory=dict)
    """Whether a group that was asked for has members that are not known, itself or through groups in it."""
    ways: dict[tuple[int, str], tuple[object, ...]] = field(default_factory=dict)
    """What assignments that were asked for open through keys, by the identity of the assignment and the keys."""
    opened: dict[tuple[object, object], tuple[object, ...]] = field(default_factory=dict)
    """What keys that were asked for open, by their kind and the scope."""
    handed: dict[int, tuple[RoleDefinition, object]] = field(default_factory=dict)
    """Which keys roles that were asked for hand out, by the identity of the role, which is kept with them."""
    placed: dict[str, dict[str, bool | None]] = field(default_factory=dict)
    """What is known to lie below each management group that was asked for."""

    def kind(self, principal: str) -> PrincipalKind:
        """Return what kind a principal is, as far as any document says."""
        # A plain loop: this is asked of every principal of an estate.
        for found in self.principals.get(principal, ()):
            if found.kind is not PrincipalKind.UNKNOWN:
                return found.kind
        return PrincipalKind.UNKNOWN

    def one_name(self, principal: str) -> str:
        """Return the object id of a principal that is known by a name, where just one has it."""
        name = principal.removeprefix(PREFIX)
        found = self.names.get(name.lower())
        if found is None or len(found) > 1 or guid(name) is not None:
            return principal
        return next(iter(found))

    def attribute(self, principal: str, name: str) -> str | None:
        """Return an attribute of a principal that some document states."""
        stated = (found.attributes.get(name) for found in self.principals.get(principal, ()))
        return next((value for value in stated if value is not None), None)

    def memberships(self, principal: str) -> set[str]:
        """Return the groups a principal is surely in, through nested groups too."""
        return _reach(principal, self.groups)

    def inside(self, group: str) -> set[str]:
        """Return who is surely in a group, through nested groups too."""
        return _reach(group, self.members)

    def may_be_open(self, group: str) -> bool:
        """Tell whether a group has members that are not known, itself or through groups in it."""
        if group not in self.open:
            below = self.inside(group) | {group}
            nested = {member for member in below if self.kind(member) is PrincipalKind.GROUP or member == group}
            self.open[group] = not nested <= self.listed
        return self.open[group]

    def may_be_in(self, principal: str, group: str) -> bool:
        """Tell whether a principal that is not known to be in a group might be, as its members are not all known."""
        return principal != group and self.may_be_open(group)

    def above(self, scope: str) -> tuple[tuple[str, ...], bool]:
        """Return the containers above a container, nearest first, and whether the chain is known up to the root."""
        chain: list[str] = []
        while (parent := self.parents.get(chain[-1] if chain else scope)) is not None and parent not in chain:
            chain.append(parent)
        return tuple(chain), bool(chain) and chain[-1] == ROOT

    def role(self, binding: RoleBinding) -> RoleDefinition | None:
        """Return the definition of the role of a binding: stated, else built in; `None` when it is not known."""
        from idtrans.catalog import builtin_role

        found = self.roles.get(binding.role)
        if found is None:
            found = builtin_role(NAME, binding.role)
        # A role id that is no GUID is a placeholder or a plain name: the name then has to tell.
        if found is None and binding.role_name is not None and guid(binding.role) is None:
            found = builtin_role(NAME, binding.role_name)
        return found

    def data_actions(self) -> frozenset[str]:
        """Return the data actions that role definitions name one by one, in lower case."""
        blocks = (block for role in self.roles.values() for block in role.blocks)
        return frozenset(action.lower() for block in blocks for action in block.data_actions if "*" not in action)


def index_of(estate: Estate) -> Index:
    """Return the tables of an estate, built on first use."""
    found = estate.memo.get((NAME, "index"))
    if isinstance(found, Index):
        return found
    index = _build(estate)
    estate.memo[NAME, "index"] = index
    return index


@paused_gc()
def _build(estate: Estate) -> Index:
    index = Index()
    for principal in estate.of(Principal, NAME):
        _add_principal(index, principal)
    _add_bindings(index, estate)
    _add_accounts(index, estate)
    for membership in estate.of(Membership, NAME):
        index.groups.setdefault(membership.member, set()).add(membership.group)
        index.members.setdefault(membership.group, set()).add(membership.member)
    for role in estate.of(RoleDefinition, NAME):
        known = index.roles.setdefault(role.id, role)
        if known.blocks != role.blocks:
            # Two documents disagree: what neither of them lists stays unknown.
            index.roles[role.id] = replace(known, complete=False)
    stated = (container for container in estate.of(Container, NAME) if container.parent is not None)
    for container in stated:
        index.parents.setdefault(container.id, container.parent or ROOT)
    return index


def _add_bindings(index: Index, estate: Estate) -> None:
    held: defaultdict[str, list[RoleBinding]] = defaultdict(list)
    for binding in estate.of(RoleBinding, NAME):
        if not is_arm(binding.scope):
            index.directory.append(binding)
            continue
        for member in binding.members:
            held[index.one_name(member)].append(binding)
    index.bindings = dict(held)
    index.group_holders = [holder for holder in index.bindings if index.kind(holder) is PrincipalKind.GROUP]


def _add_accounts(index: Index, estate: Estate) -> None:
    for resource in estate.of(Resource, NAME):
        states = _key_states(resource)
        if states is not None:
            table = index.key_states.setdefault(_type_of(resource.id), {})
            known = table.setdefault(resource.id, states)
            # Two documents that disagree leave it unknown.
            table[resource.id] = {name: value if known[name] is value else UNKNOWN for name, value in states.items()}


def _key_states(resource: Resource) -> dict[str, bool | Unknown] | None:
    if resource.kind == "storage-account":
        return {service: _accepts_keys(resource, service) for service in SERVICES}
    if resource.kind == KEYED:
        accepted = resource.settings.get(ACCEPTED)
        return {WHOLE: accepted if isinstance(accepted, bool) else UNKNOWN}
    return None


def _type_of(resource: str) -> str:
    """Return the type of an outermost resource."""
    provider, kind, *_ = resource.partition("/providers/")[2].split("/")
    return f"{provider}/{kind}"


def _accepts_keys(account: Resource, service: str) -> bool | Unknown:
    """Tell whether a service of a storage account accepts account keys. `null` and absent mean that it does.

    Which setting wins when the account turns keys off and a service turns them on is not documented.
    """
    general = account.settings.get("allowSharedKeyAccess")
    whole: bool | Unknown = True if general is None else general if isinstance(general, bool) else UNKNOWN
    own = account.settings.get(f"{OWN_KEYS}.{service}", account.settings.get(OWN_KEYS))
    if own is None or own is whole:
        return whole
    return False if own is False else UNKNOWN


def _add_principal(index: Index, principal: Principal) -> None:
    index.principals.setdefault(principal.id, []).append(principal)
    for name in principal.aliases:
        index.names.setdefault(guid(name) or name.lower(), {})[principal.id] = None
    if principal.attributes.get(LISTED) == "listed":
        index.listed.add(principal.id)


def _reach(start: str, edges: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for following in edges.get(waiting.pop(), ()):
            if following not in found:
                found.add(following)
                waiting.append(following)
    return found


def below(index: Index, group: str) -> dict[str, bool | None]:
    """Return every known container with whether it lies below a management group; `None` when that is not known."""
    if group not in index.placed:
        index.placed[group] = dict(_placed(index, group))
    return index.placed[group]


def _placed(index: Index, group: str) -> Iterator[tuple[str, bool | None]]:
    for container in sorted({*index.parents, *index.parents.values()} - {ROOT, group}):
        if level(container) in {"management-group", "subscription"}:
            chain, whole = index.above(container)
            if group in chain:
                yield container, True
            else:
                yield container, False if whole else None
