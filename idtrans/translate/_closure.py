"""Which capabilities a set of permissions gives, and what is in it beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.algebra import NO_TEXT, Language, union
from idtrans.catalog import Capability, capabilities, known_losses, noise
from idtrans.model.errors import BudgetExceededError
from idtrans.translate._levels import stands_at

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.model.intents import Scope


def closure(permissions: Language, cloud: str, scope: Scope) -> tuple[Capability, ...]:
    """Return the capabilities that a set of permissions gives in full on a scope."""
    return tuple(
        each
        for each in capabilities()
        if (needed := each.column(cloud).permissions)
        and stands_at(each, cloud, scope)
        and all(map(permissions.matches, needed))
    )


def belonging(wanted: Iterable[Capability], cloud: str) -> Language:
    """Return the permissions that belong to some capabilities."""
    return union(each.column(cloud).belonging for each in wanted)


def alongside(wanted: Iterable[Capability], cloud: str) -> Language:
    """Return the permissions about parts of the same objects."""
    return union(each.column(cloud).alongside for each in wanted)


def handing_on(cloud: str) -> Language:
    """Return the permissions of a cloud that are losses rather than access."""
    return union([NO_TEXT, *(loss.permission for loss in known_losses(cloud))])


def unexplained(permissions: Language, wanted: Iterable[Capability], cloud: str) -> Language:
    """Return the permissions that neither belong to some capabilities nor come along with them."""
    caps = tuple(wanted)
    rides = noise(cloud)
    known = union([belonging(caps, cloud), alongside(caps, cloud), rides.silent, rides.printed, handing_on(cloud)])
    return permissions - known


def implied(found: Iterable[Capability], cloud: str) -> frozenset[str]:
    """Return the ids of capabilities that are parts of others and have no permission of their own in a cloud."""
    caps = tuple(found)
    parts = {part for each in caps for part in each.parts}
    own = {name for each in caps if each.id not in parts for name in each.column(cloud).permissions}
    return frozenset(each.id for each in caps if each.id in parts and own.issuperset(each.column(cloud).permissions))


def is_nothing(permissions: Language) -> bool:
    """Tell whether a set of permissions is surely empty; one that costs too much to tell is not."""
    try:
        return permissions.is_empty()
    except BudgetExceededError:
        return False
