"""Roles that are proper bearers of what is wanted: they give it, and nothing beside it but parts of the same objects.

Roles that were looked at by hand for a capability come first; what none of them bears is looked for in the catalogue
that was supplied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.algebra import Language, union
from idtrans.catalog import acting, action_profile, builtin_role, listed, roles_listing
from idtrans.ports import GrantPlan, RoleUse
from idtrans.translate._closure import belonging, explained, is_nothing, unexplained
from idtrans.translate._cover import Bearer
from idtrans.translate._readback import read_back, same_place

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from idtrans.catalog import Capability
    from idtrans.model.intents import Scope
    from idtrans.ports import Cloud


def bearers(wanted: Sequence[Capability], scope: Scope, cloud: Cloud, now: datetime) -> list[Bearer]:
    """Return the proper bearers of some capabilities on a scope, those looked at by hand first."""
    found = _bearers(_curated(wanted, cloud), wanted, scope, cloud, now)
    borne = frozenset().union(*(bearer.covers for bearer in found))
    left = [each for each in wanted if not borne.issuperset(each.column(cloud.name).permissions)]
    return [*found, *_bearers(_supplied(left, wanted, scope, cloud), wanted, scope, cloud, now)]


def _bearers(
    roles: Iterable[str], wanted: Sequence[Capability], scope: Scope, cloud: Cloud, now: datetime
) -> list[Bearer]:
    return [bearer for role in roles if (bearer := _bearer(role, scope, wanted, cloud, now)) is not None]


def _curated(wanted: Iterable[Capability], cloud: Cloud) -> list[str]:
    """Return the bearers that capabilities name, those of which every permission is known."""
    names = dict.fromkeys(role for each in wanted for role in each.column(cloud.name).roles)
    known = {name: builtin_role(cloud.name, name) for name in names}
    return [name for name, role in known.items() if role is not None and role.complete]


def _supplied(left: Iterable[Capability], wanted: Sequence[Capability], scope: Scope, cloud: Cloud) -> list[str]:
    """Return the roles of the supplied catalogue that give a whole capability and nothing that stands out."""
    known, acts = explained(wanted, cloud.name), acting(cloud.name, scope)
    found: dict[str, None] = {}
    for each in left:
        for role, names in roles_listing(cloud.name, each.column(cloud.name).permissions):
            if all(known.matches(name) or not acts.matches(name) for name in names):
                found[role] = None
    return list(found)


def _bearer(role: str, scope: Scope, wanted: Sequence[Capability], cloud: Cloud, now: datetime) -> Bearer | None:
    """Return what a role gives on a scope, `None` when that is more than parts of what is wanted."""
    given = _given(role, scope, cloud, now)
    if not is_nothing(unexplained(given, wanted, cloud.name)):
        return None
    excess = given - belonging(wanted, cloud.name)
    names = [name for group in listed(cloud.name, excess).values() for name in group] if not is_nothing(excess) else []
    needed = {name for each in wanted for name in each.column(cloud.name).permissions}
    covers = frozenset(filter(given.matches, needed))
    return Bearer(role, covers, {name: action_profile(cloud.name, name).plane for name in names})


def _given(role: str, scope: Scope, cloud: Cloud, now: datetime) -> Language:
    emission = cloud.emit_grants(GrantPlan("<PRINCIPAL>", (RoleUse(scope, (), (), role),), "probe"))
    given = read_back(emission.natives, cloud, now)
    return union(each.permissions for each in given if same_place(each.scope, scope)) & acting(cloud.name, scope)
