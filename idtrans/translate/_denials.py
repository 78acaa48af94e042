"""What the source denies: which capabilities that takes away, and what is left of what is held."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from idtrans.algebra import NEVER, Condition, Language, all_of, any_of, negate, positive, rewrite
from idtrans.catalog import acting, capabilities
from idtrans.ports import Denying, Overlap
from idtrans.translate._levels import key_of, place_of, read_scope, stands_at
from idtrans.translate._limits import lost_names, named, plain, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from idtrans.catalog import Capability
    from idtrans.model.estate import Estate
    from idtrans.model.intents import Scope
    from idtrans.ports import Cloud, Denial
    from idtrans.translate._realise import Item


@dataclass(frozen=True, slots=True)
class Denied:
    """One deny of the source, and the capabilities that it takes away."""

    denial: Denial
    scope: Scope
    permissions: Language
    """What it denies of what acts on its scope."""
    taken: tuple[Capability, ...]
    """Capabilities that need something of it."""
    asked: tuple[Capability, ...]
    """Those that the target is to deny: the others share what they need with one of these."""

    def limit(self, wanted: Capability, cloud: Cloud) -> Condition:
        """Return in common words when something that a capability needs is denied."""
        column = wanted.column(cloud.name)
        hit = (name for name in column.permissions if self.permissions.matches(name))
        limit = any_of(NEVER, *(cloud.limit(self.denial.denied, name, column.variant) for name in hit))
        return rewrite(limit, plain)


def read_denials(principal: str, cloud: Cloud, estate: Estate) -> tuple[Denied, ...]:
    """Return what a principal is denied, in terms of capabilities; nothing where a cloud has no denies."""
    found = cloud.denials(principal, estate) if isinstance(cloud, Denying) else ()
    return tuple(_denied(each, cloud) for each in found)


def _denied(denial: Denial, cloud: Cloud) -> Denied:
    scope = read_scope(denial.denied.scope, cloud)
    permissions = denial.denied.permissions & acting(cloud.name, scope)
    bare = Denied(denial, scope, permissions, (), ())
    standing = (each for each in capabilities() if stands_at(each, cloud.name, scope))
    taken = [each for each in standing if bare.limit(each, cloud) != NEVER]
    whole = [each for each in taken if all(map(permissions.matches, each.column(cloud.name).permissions))]
    settled = {name for each in whole for name in each.column(cloud.name).permissions}
    asked = [each for each in taken if each in whole or not settled.issuperset(_hit(each, permissions, cloud))]
    return Denied(denial, scope, permissions, tuple(taken), tuple(asked))


def _hit(each: Capability, permissions: Language, cloud: Cloud) -> list[str]:
    return [name for name in each.column(cloud.name).permissions if permissions.matches(name)]


@dataclass(frozen=True, slots=True)
class Remaining:
    """What is left of what is held when denies are taken away from it."""

    items: tuple[Item, ...]
    gone: dict[Item, Denied]
    """What is denied wherever and whenever it is granted."""
    unsaid: dict[Item, str]
    """What is denied in part, where the rest has no name; it is left out as a whole."""


def remaining(
    items: Iterable[Item], denied: Sequence[Denied], cloud: Cloud, estate: Estate, enforced: frozenset[tuple[int, str]]
) -> Remaining:
    """Take away from items what the source denies.

    `enforced` are the numbers of the denies, each with the id of a capability, that the target denies as well, so that
    what is granted may stand beside them.
    """
    left: list[Item] = []
    gone: dict[Item, Denied] = {}
    unsaid: dict[Item, str] = {}
    for item in items:
        kept, reason = item, None
        for number, deny in enumerate(denied):
            limit = _left(kept, deny, cloud, estate)
            if limit == NEVER:
                gone[item] = deny
                break
            if (number, item.wanted.capability) not in enforced:
                reason = reason or _unsaid(limit, deny)
                kept = _limited(kept, limit)
        else:
            if reason is None:
                left.append(kept)
            else:
                unsaid[item] = reason
    return Remaining(tuple(left), gone, unsaid)


def _limited(item: Item, limit: Condition | None) -> Item:
    """Return an item with another limit, which its condition says in words."""
    if limit is None or limit == item.limit:
        return item
    return replace(item, limit=limit, wanted=replace(item.wanted, condition=words(limit)))


def _unsaid(limit: Condition | None, deny: Denied) -> str | None:
    if limit is not None:
        return None
    return f"{deny.denial.name} denies a part of it on `{deny.scope.native}`, and the rest cannot be named"


def _left(item: Item, deny: Denied, cloud: Cloud, estate: Estate) -> Condition | None:
    """Return the limit of an item without what a deny takes away, `None` when it cannot be said."""
    column = item.capability.column(cloud.name)
    if not any(map(deny.permissions.matches, column.permissions)) or not isinstance(cloud, Denying):
        return item.limit
    overlap = cloud.overlap(deny.denial.denied.scope, item.wanted.scope.native, estate)
    if overlap is Overlap.NOTHING:
        return item.limit
    limit = deny.limit(item.capability, cloud)
    if overlap is Overlap.PART and key_of(place_of(item.wanted.scope)) == key_of(place_of(deny.scope)):
        limit = all_of(limit, named(deny.scope))
    elif overlap is not Overlap.WHOLE:
        return None
    return rewrite(positive(all_of(item.limit, negate(limit))), plain)


def limit_of(deny: Denied, wanted: Capability, cloud: Cloud) -> Condition:
    """Return the limit under which a capability is to be denied in place of the scope of a deny."""
    return all_of(deny.limit(wanted, cloud), lost_names(deny.scope))
