"""From an intent to grants of the target: predefined roles where they give nothing more, else a list of permissions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import ALWAYS, NEVER, Condition, all_of
from idtrans.catalog import Capability, acting, action_profile, capability, service_tier
from idtrans.model.errors import BudgetExceededError, UsageError
from idtrans.model.translations import NOT_SEARCHED, Searched
from idtrans.model.values import UNKNOWN, Plane, rank
from idtrans.ports import GrantPlan, RoleUse
from idtrans.translate._bearers import bearers
from idtrans.translate._cover import NODE_LIMIT, Bearer, cover
from idtrans.translate._levels import key_of, lies_in, stands_at
from idtrans.translate._limits import NO_LIMIT, Fitted, fitted, named

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from idtrans.model.intents import Scope, Wanted
    from idtrans.ports import Cloud
    from idtrans.translate._place import Placed

_GUARDED: Final = rank(Plane.SECRET)
"""Planes from here on are never given unless they were asked for."""


@dataclass(frozen=True, slots=True)
class Item:
    """One wanted capability, and where in the target it is to be granted."""

    wanted: Wanted
    placed: Placed
    limit: Condition = ALWAYS
    """In common words; once realised, as the target can say it."""
    fit: Fitted = NO_LIMIT
    """What the target can say of the limit."""

    @property
    def capability(self) -> Capability:
        """The capability itself."""
        return service_tier(self.wanted.capability) or capability(self.wanted.capability)


@dataclass(frozen=True, slots=True)
class Site:
    """One scope of the target, and what is granted there."""

    scope: Scope
    items: tuple[Item, ...]
    uses: tuple[RoleUse, ...]
    limit: Condition = ALWAYS
    searched: Searched = NOT_SEARCHED
    """How much was searched for the roles."""

    @property
    def whole_limit(self) -> Condition:
        """The limit, and the names that the scope is limited to."""
        return all_of(self.limit, named(self.scope))

    @property
    def capabilities(self) -> tuple[Capability, ...]:
        """The capabilities that are granted."""
        return tuple({item.capability.id: item.capability for item in self.items}.values())


@dataclass(frozen=True, slots=True)
class Realisation:
    """What is to be written, and what cannot be."""

    sites: tuple[Site, ...]
    missing: dict[Item, str] = field(hash=False)
    """Capabilities that the target has no grant for, with the reason."""
    refused: dict[Item, str] = field(hash=False)
    """Capabilities that would take permissions of another kind, with the reason."""

    @property
    def uses(self) -> tuple[RoleUse, ...]:
        """All uses, in order."""
        return tuple(use for site in self.sites for use in site.uses)

    @property
    def searched(self) -> Searched:
        """How much was searched for roles, on all scopes together."""
        found = [site.searched for site in self.sites]
        return Searched(sum(each.nodes for each in found), NODE_LIMIT, all(each.complete for each in found))


def realise(items: Iterable[Item], cloud: Cloud, now: datetime) -> Realisation:
    """Return the grants that give a set of capabilities in a cloud and as little else as possible."""
    missing: dict[Item, str] = {}
    refused: dict[Item, str] = {}
    sites: dict[object, list[Item]] = {}
    for asked in items:
        item = _fitting(asked, cloud)
        reason = _unsayable(item, cloud.name) or _unwritable(item, cloud) or _unnamed(item, cloud)
        danger = _dangerous(item.capability, cloud.name)
        if reason is not None:
            missing[item] = reason
        elif danger is not None:
            refused[item] = danger
        else:
            sites.setdefault((key_of(item.placed.scope), item.limit), []).append(item)
    found = [_site(group, cloud, now) for group in sites.values()]
    return Realisation(tuple(_kept_apart(site, found, cloud.name) for site in found), missing, refused)


def _fitting(item: Item, cloud: Cloud) -> Item:
    """Return an item with its limit as the target can say it."""
    if item.limit == ALWAYS or not item.capability.column(cloud.name).permissions:
        return item
    column = item.capability.column(cloud.name)
    fit = fitted(item.limit, column.permissions, cloud, column.variant)
    return replace(item, limit=fit.condition, fit=fit)


def _unsayable(item: Item, cloud: str) -> str | None:
    column = item.capability.column(cloud)
    if column.no_counterpart is not None:
        return column.no_counterpart
    if column.unsafe is not None:
        return column.unsafe
    if item.limit == NEVER:
        return f"`{item.wanted.condition}` is never fulfilled in {cloud}"
    if not stands_at(item.capability, cloud, item.placed.scope):
        return f"{cloud} grants it only on: {', '.join(column.levels)}"
    acts = acting(cloud, item.placed.scope)
    idle = [text for name, text in column.written.items() if not acts.matches(name)]
    if idle:
        return f"`{idle[0]}` does nothing on `{item.placed.scope.native}`, {cloud} grants it on something around it"
    return None


def _unwritable(item: Item, cloud: Cloud) -> str | None:
    """Return why the cloud's emitter refuses a scope."""
    written = tuple(item.capability.column(cloud.name).written.values())
    use = RoleUse(item.placed.scope, (), written, None, limit=item.limit)
    try:
        cloud.emit_grants(GrantPlan("<PRINCIPAL>", (use,), "probe"))
    except (BudgetExceededError, UsageError) as refusal:
        return str(refusal)
    return None


def _unnamed(item: Item, cloud: Cloud) -> str | None:
    """Return why a capability cannot be limited to the names of objects that a scope is limited to."""
    column = item.capability.column(cloud.name)
    unsaid = fitted(named(item.placed.scope), column.permissions, cloud, column.variant)
    return next(iter((*unsaid.widened, *unsaid.narrowed)), None)


def _dangerous(wanted: Capability, cloud: str) -> str | None:
    column = wanted.column(cloud)
    for name in column.permissions:
        plane = action_profile(cloud, name).plane
        if plane is UNKNOWN or name in column.bounded or rank(plane) < _GUARDED:
            continue
        if rank(plane) > rank(wanted.plane):
            return f"{cloud} gives it only by `{column.written[name]}`, which is {plane} access; what is held is not"
    return None


def _site(items: Sequence[Item], cloud: Cloud, now: datetime) -> Site:
    scope, limit = items[0].placed.scope, items[0].limit
    wanted = tuple({item.capability.id: item.capability for item in items}.values())
    found = [bearer for bearer in bearers(wanted, scope, cloud, now) if _carries(bearer, limit, cloud)]
    borne = frozenset().union(*(bearer.covers for bearer in found))
    by_role = [each for each in wanted if borne.issuperset(each.column(cloud.name).permissions)]
    by_list = [each for each in wanted if each not in by_role]
    best = cover(_needed(by_role, cloud.name), found)
    uses = [_role_use(bearer, scope, by_role, cloud.name) for bearer in best.bearers]
    if by_list:
        written = {name: text for each in by_list for name, text in each.column(cloud.name).written.items()}
        uses.append(RoleUse(scope, tuple(each.id for each in by_list), tuple(written.values()), None))
    searched = Searched(best.nodes, NODE_LIMIT, best.complete)
    return Site(scope, tuple(items), tuple(replace(use, limit=limit) for use in uses), limit, searched)


def _carries(bearer: Bearer, limit: Condition, cloud: Cloud) -> bool:
    """Tell whether a limit holds for everything that a role gives."""
    given = (*bearer.covers, *bearer.excess)
    return limit == ALWAYS or not fitted(limit, given, cloud).widened


def _kept_apart(site: Site, sites: Sequence[Site], cloud: str) -> Site:
    """Return a site whose grants keep out, by conditions, what shares its permissions and was not asked for."""
    sites = [other for other in sites if other.limit in (ALWAYS, site.limit) and lies_in(site.scope, other.scope)]
    around = [each for other in sites for each in other.capabilities]
    welcome = {name for each in around for name in (each.id, *each.parts, *each.synonyms)}
    uses = []
    for use in site.uses:
        found = [
            apart
            for name in use.capabilities
            for apart in (service_tier(name) or capability(name)).column(cloud).apart
            if apart.capability not in welcome and not _shared(capability(apart.capability), around, cloud)
        ]
        conditions = tuple(dict.fromkeys(apart.condition for apart in found))
        joined = " AND ".join(f"({each})" for each in conditions) if len(conditions) > 1 else "".join(conditions)
        uses.append(replace(use, condition=joined or None))
    return replace(site, uses=tuple(uses))


def _shared(kept_out: Capability, around: Iterable[Capability], cloud: str) -> bool:
    """Tell whether what keeps a capability out would keep out a wanted one that is no other sub-operation."""
    column = kept_out.column(cloud)
    return any(
        each.column(cloud).variant == column.variant
        and not set(column.permissions).isdisjoint(each.column(cloud).permissions)
        for each in around
    )


def _needed(wanted: Iterable[Capability], cloud: str) -> frozenset[str]:
    return frozenset(name for each in wanted for name in each.column(cloud).permissions)


def _role_use(bearer: Bearer, scope: Scope, wanted: Sequence[Capability], cloud: str) -> RoleUse:
    borne = [each for each in wanted if bearer.covers.intersection(each.column(cloud).permissions)]
    written = {
        text: None for each in borne for name, text in each.column(cloud).written.items() if name in bearer.covers
    }
    return RoleUse(scope, tuple(each.id for each in borne), tuple(written), bearer.role)
