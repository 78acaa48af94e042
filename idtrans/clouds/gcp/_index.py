"""What an estate says about this cloud, arranged for look-up: hierarchy, bindings by member, groups, roles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, TypeVar, cast

from idtrans.algebra import STAR, Language, exact, pieces, prefix
from idtrans.clouds.gcp._fields import CLOUD_NAME
from idtrans.clouds.gcp._members import member
from idtrans.clouds.gcp._names import (
    ACCOUNTS,
    CONTAINER,
    account_of,
    account_resource,
    container_of,
    full_name,
    scope_name,
)
from idtrans.clouds.gcp._parse_groups import PARTLY, SUPPLIED
from idtrans.clouds.gcp._parse_tags import SETTING, UNTYPED
from idtrans.model.entities import (
    AccessRule,
    Boundary,
    BoundaryBinding,
    Container,
    Membership,
    Principal,
    Resource,
    RoleBinding,
    RoleDefinition,
)
from idtrans.model.estate import Estate
from idtrans.model.pausing import paused_gc
from idtrans.model.values import UNKNOWN

T = TypeVar("T")

OPEN_ROOT: Final = "?"
"""First part of a path whose upper end is not known."""


def remembered(estate: Estate, name: str, build: Callable[[], T]) -> T:
    """Return something derived from an estate, built on first use."""
    key = (CLOUD_NAME, name)
    if key not in estate.memo:
        estate.memo[key] = build()
    return cast("T", estate.memo[key])  # each name is used with one type


def index_of(estate: Estate) -> Index:
    """Return the index of an estate."""
    return remembered(estate, "index", lambda: Index(estate))


class _Found(dict[str, str]):
    """What a function returned for the texts that it was asked for."""

    def __init__(self, find: Callable[[str], str]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, text: str) -> str:
        found = self[text] = self._find(text)
        return found


@dataclass(frozen=True)
class Index:
    """Look-ups over the entities of one estate. Everything is built on first use."""

    estate: Estate

    # -- hierarchy ------------------------------------------------------------------------------------------------

    @cached_property
    def _names(self) -> Mapping[str, str]:
        """Canonical id of every container alias."""
        names: dict[str, str] = {}
        for container in self.estate.of(Container, CLOUD_NAME):
            for alias in container.aliases:
                names.setdefault(alias, container.id)
        return names

    @cached_property
    def _parents(self) -> Mapping[str, str]:
        parents: dict[str, str] = {}
        for container in self.estate.of(Container, CLOUD_NAME):
            if container.parent is not None:
                parents.setdefault(self.container(container.id), self.container(container.parent))
        return parents

    @cached_property
    def resources(self) -> Mapping[str, Resource]:
        """Resources by canonical name, what several documents say put together."""
        found: dict[str, Resource] = {}
        for resource in self.estate.of(Resource, CLOUD_NAME):
            known = found.get(resource.id)
            if known is not None:
                resource = replace(  # noqa: PLW2901 - merged with what was said before
                    known,
                    # Some documents only know the name of a resource.
                    kind=resource.kind if known.kind == UNTYPED else known.kind,
                    container=known.container or resource.container,
                    settings={**known.settings, **resource.settings},
                )
            found[resource.id] = resource
        return found

    @cached_property
    def _container_tags(self) -> Mapping[str, Mapping[str, str]]:
        found: dict[str, dict[str, str]] = {}
        for container in self.estate.of(Container, CLOUD_NAME):
            if container.tags:
                found.setdefault(self.container(container.id), {}).update(container.tags)
        return found

    def tags(self, scope: str) -> Mapping[str, str]:
        """Return the tags of a resource that are known: its own and those of all above it; the nearest wins."""
        home = scope if CONTAINER.fullmatch(scope) else self.home(scope)
        found: dict[str, str] = {}
        for container in self.chain(home) if home is not None else ():
            found.update(self._container_tags.get(container, {}))
        # An object has the tags of its bucket, a version those of its secret.
        names = [scope[:end] for end in range(len(scope) + 1) if end == len(scope) or scope[end] == "/"]
        for resource in (self.resources[name] for name in names if name in self.resources):
            for key, value in resource.settings.items():
                if key.startswith(SETTING) and isinstance(value, str):
                    found[key.removeprefix(SETTING)] = value
        return found

    def container(self, name: str) -> str:
        """Return the canonical id of a container."""
        return self._names.get(name, name)

    def chain(self, container: str) -> tuple[str, ...]:
        """Return a container and those above it, highest first."""
        found: list[str] = []
        at: str | None = self.container(container)
        # A cycle can only come from documents that contradict each other; it ends where it closes.
        while at is not None and at not in found:
            found.append(at)
            at = self._parents.get(at)
        return tuple(reversed(found))

    def path(self, container: str | None) -> str:
        """Return the place of a container as text, starting with `?` when what is above is not known."""
        if container is None:
            return OPEN_ROOT
        chain = self.chain(container)
        return "/".join(chain if chain[0].startswith("organizations/") else (OPEN_ROOT, *chain))

    def home(self, name: str) -> str | None:
        """Return the container of a resource, looked up for it or for what it lies in."""
        at = name
        while at:
            resource = self.resources.get(at)
            if resource is not None and resource.container is not None:
                return self.container(resource.container)
            at = at.rpartition("/")[0]
        stated = container_of(name)
        return self.container(stated) if stated is not None else None

    def text(self, name: str) -> str:
        """Return a resource as a text that starts with all that contains it."""
        scope = self.scope(name)
        if CONTAINER.fullmatch(scope):
            return self.path(scope) + full_name(scope)
        return self.path(self.home(scope)) + scope

    def scope(self, name: str) -> str:
        """Return a scope with aliases resolved."""
        scope = scope_name(name)
        if scope.startswith("//") and ACCOUNTS not in scope:
            return self._numbered(scope)
        if CONTAINER.fullmatch(scope):
            return self.container(scope)
        account = account_of(scope)
        if account is not None:
            known = self.accounts.get(account, account).partition(":")[2]
            return account_resource(known, scope.split("/")[4])
        return self._numbered(scope)

    def _numbered(self, scope: str) -> str:
        """Write the project of a full name as the index knows it: names carry ids in one place, numbers in another."""
        stated = container_of(scope) if self._names else None
        if stated is None:
            return scope
        return scope.replace(f"/{stated}", f"/{self.container(stated)}", 1)

    def covered(self, scope: str) -> Language:
        """Return the texts of all resources that surely lie in a scope."""
        known = self._covered.get(scope)
        if known is None:
            known = self._covered[scope] = self._cover(scope)
        return known

    @cached_property
    def _covered(self) -> dict[str, Language]:
        return {}

    def _cover(self, scope: str) -> Language:
        if CONTAINER.fullmatch(scope):
            return prefix(f"{self.path(scope)}/")
        text = self.text(scope)
        return exact(text) | prefix(f"{text}/")

    def maybe_covered(self, scope: str) -> Language | None:
        """Return the texts of resources of which it is not known whether they lie in a scope, `None` when all are."""
        if not CONTAINER.fullmatch(scope):
            return None
        start = f"{OPEN_ROOT}//" if scope.startswith("projects/") else f"{OPEN_ROOT}/"
        return pieces((start, STAR)) - self.covered(scope)

    # -- principals -----------------------------------------------------------------------------------------------

    @cached_property
    def accounts(self) -> Mapping[str, str]:
        """Canonical id of every other spelling of a principal, such as a service account's unique id."""
        known = self.estate.of(Principal, CLOUD_NAME)
        return {alias: principal.id for principal in known for alias in principal.aliases}

    @cached_property
    @paused_gc()
    def bindings(self) -> tuple[RoleBinding, ...]:
        """All bindings, members and scopes canonical."""
        scopes, renamed = self._scopes, self.accounts.keys()
        found: list[RoleBinding] = []
        # A plain loop: an estate has more of these than of anything else, and hardly any needs to be changed.
        for binding in self.estate.of(RoleBinding, CLOUD_NAME):
            scope = UNKNOWN if binding.scope is UNKNOWN else scopes[binding.scope]
            members = binding.members
            # Readers state each member once.
            if renamed and not renamed.isdisjoint(members):
                members = self._canonical(members)
            kept = members is binding.members and scope == binding.scope
            found.append(binding if kept else replace(binding, scope=scope, members=members))
        return tuple(found)

    @cached_property
    def _scopes(self) -> Mapping[str, str]:
        """Canonical scopes of bindings, which share theirs: each is made canonical once."""
        return _Found(self.scope)

    @cached_property
    @paused_gc()
    def by_member(self) -> Mapping[str, tuple[RoleBinding, ...]]:
        """Bindings by the member that they name."""
        found: defaultdict[str, list[RoleBinding]] = defaultdict(list)
        for binding in self.bindings:
            for each in binding.members:
                found[each].append(binding)
        return {each: tuple(held) for each, held in found.items()}

    @cached_property
    def rules(self) -> tuple[AccessRule, ...]:
        """All rules of deny policies and access policies, principals and scopes canonical."""
        return tuple(
            replace(
                rule,
                scope=UNKNOWN if rule.scope is UNKNOWN else self.scope(rule.scope),
                principals=self._canonical(rule.principals),
                excluded_principals=self._canonical(rule.excluded_principals),
            )
            for rule in self.estate.of(AccessRule, CLOUD_NAME)
        )

    @cached_property
    def boundaries(self) -> Mapping[str, Boundary]:
        """Principal access boundaries by id, the organization in it as the index knows it."""
        return {boundary.id: boundary for boundary in self.estate.of(Boundary, CLOUD_NAME)}

    @cached_property
    def boundary_bindings(self) -> tuple[BoundaryBinding, ...]:
        """All bindings of principal access boundaries."""
        return self.estate.of(BoundaryBinding, CLOUD_NAME)

    def _canonical(self, principals: tuple[str, ...]) -> tuple[str, ...]:
        if self.accounts.keys().isdisjoint(principals) and len(set(principals)) == len(principals):
            return principals
        return tuple(dict.fromkeys(self.accounts.get(each, each) for each in principals))

    @cached_property
    def named(self) -> frozenset[str]:
        """Every principal and set of principals that some policy names."""
        found = set(self.by_member)
        for rule in self.rules:
            found.update(rule.principals, rule.excluded_principals)
        found.update(binding.principals for binding in self.boundary_bindings)
        return frozenset(found)

    @cached_property
    @paused_gc()
    def at_scope(self) -> Mapping[str, tuple[RoleBinding, ...]]:
        """Bindings by scope."""
        found: defaultdict[str, list[RoleBinding]] = defaultdict(list)
        for binding in self.bindings:
            if isinstance(binding.scope, str):
                found[binding.scope].append(binding)
        return {scope: tuple(held) for scope, held in found.items()}

    @cached_property
    def members_of(self) -> Mapping[str, tuple[str, ...]]:
        """Known members of groups. A group that is not here was not supplied."""
        known = self.estate.of(Principal, CLOUD_NAME)
        found: dict[str, list[str]] = {each.id: [] for each in known if SUPPLIED in each.attributes}
        for entry in self.estate.of(Membership, CLOUD_NAME):
            found.setdefault(member(entry.group).id, []).append(member(entry.member).id)
        return {group: tuple(members) for group, members in found.items()}

    @cached_property
    def partly_known(self) -> frozenset[str]:
        """Groups that may have members beside those that are known."""
        known = self.estate.of(Principal, CLOUD_NAME)
        return frozenset(each.id for each in known if each.attributes.get(SUPPLIED) == PARTLY)

    @cached_property
    def groups_of(self) -> Mapping[str, tuple[str, ...]]:
        """Groups by their direct members."""
        found: dict[str, list[str]] = {}
        for group, members in self.members_of.items():
            for each in members:
                found.setdefault(each, []).append(group)
        return {each: tuple(groups) for each, groups in found.items()}

    @cached_property
    def roles(self) -> Mapping[str, RoleDefinition]:
        """Roles that documents define, by canonical id."""
        found: dict[str, RoleDefinition] = {}
        for role in self.estate.of(RoleDefinition, CLOUD_NAME):
            known = found.get(self.role_id(role.id))
            if known is None or (role.complete and not known.complete):
                found[self.role_id(role.id)] = role
        return found

    def role_id(self, name: str) -> str:
        """Return the canonical id of a role: the project of a custom role as the index knows it."""
        owner, slash, short = name.partition("/roles/")
        return f"{self.container(owner)}/roles/{short}" if slash else name


def distinct(texts: Iterable[str]) -> tuple[str, ...]:
    """Return texts sorted, each once."""
    return tuple(sorted(set(texts)))
