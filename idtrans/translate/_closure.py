"""Which capabilities a set of permissions gives, and what is in it beside them."""

from __future__ import annotations

from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING

from idtrans.algebra import NO_TEXT, Language, union
from idtrans.catalog import Capability, by_service, capabilities, held_names, known_losses, listed, noise
from idtrans.model.errors import BudgetExceededError
from idtrans.model.intents import Scope
from idtrans.model.values import rank
from idtrans.translate._levels import stands_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def closure(permissions: Language, cloud: str, scope: Scope) -> tuple[Capability, ...]:
    """Return the capabilities that a set of permissions gives in full on a scope."""
    forms = permissions.forms()
    if forms is None or forms.negated or forms.patterns:
        return tuple(
            each
            for each in capabilities()
            if (needed := each.column(cloud).permissions)
            and stands_at(each, cloud, scope)
            and all(map(permissions.matches, needed))
        )
    # A plain list, as roles have it, is looked up by one permission of each capability, and then compared as a whole.
    held = frozenset(forms.words)
    table = _by_permission(cloud, scope.kind, fold=forms.fold)
    found = [entry for name in table.keys() & held for entry in table[name] if entry[1] <= held]
    return tuple(each for _, _, each in sorted(found, key=itemgetter(0)))


@cache
def _by_permission(cloud: str, kind: str, *, fold: bool) -> dict[str, list[tuple[int, frozenset[str], Capability]]]:
    """Return the capabilities that can be granted at a kind of scope, with all they need, by the first of it."""
    scope = Scope(kind, "")
    table: dict[str, list[tuple[int, frozenset[str], Capability]]] = {}
    for place, each in enumerate(capabilities()):
        needed = each.column(cloud).permissions
        if needed and stands_at(each, cloud, scope):
            names = [name.lower() if fold else name for name in needed]
            table.setdefault(names[0], []).append((place, frozenset(names), each))
    return table


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
    return permissions - explained(wanted, cloud)


def explained(wanted: Iterable[Capability], cloud: str) -> Language:
    """Return the permissions that belong to some capabilities or come along with them."""
    caps = tuple(wanted)
    rides = noise(cloud)
    return union([belonging(caps, cloud), alongside(caps, cloud), rides.silent, rides.printed, handing_on(cloud)])


def leftover(permissions: Language, wanted: Iterable[Capability], cloud: str) -> Mapping[str, tuple[str, ...]]:
    """Return by service what nothing wanted explains in a set of permissions."""
    caps = tuple(wanted)
    names = held_names(cloud, permissions)
    if names is not None:
        known = explained(caps, cloud)
        return by_service(name for name in names if not known.matches(name))
    rest = unexplained(permissions, caps, cloud)
    return {} if is_nothing(rest) else listed(cloud, rest)


def implied(found: Iterable[Capability], cloud: str) -> frozenset[str]:
    """Return the ids of capabilities that are parts of others and have no permission of their own in a cloud."""
    caps = tuple(found)
    parts = {each.id for each in caps if any(_contains(other, each) for other in caps)}
    own: set[str] = set()
    dropped = set()
    # What is no part comes first; of parts, the more dangerous.
    for each in sorted(caps, key=lambda one: (one.id in parts, -rank(one.plane), one.id)):
        needed = each.column(cloud).permissions
        if each.id in parts and own.issuperset(needed):
            dropped.add(each.id)
        else:
            own.update(needed)
    return frozenset(dropped)


def _contains(whole: Capability, part: Capability) -> bool:
    """Tell whether one capability is part of another; of two that are parts of each other, the less dangerous is."""
    if part.id not in whole.parts:
        return False
    return whole.id not in part.parts or (rank(whole.plane), whole.id) > (rank(part.plane), part.id)


def is_nothing(permissions: Language) -> bool:
    """Tell whether a set of permissions is surely empty; one that costs too much to tell is not."""
    try:
        return permissions.is_empty()
    except BudgetExceededError:
        return False
