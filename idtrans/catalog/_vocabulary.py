"""Lists of permissions: the members of a set of permissions by service, as far as they can be listed."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from idtrans.algebra import STAR, pieces, prefix
from idtrans.catalog._aws_actions import aws_service_actions, aws_services
from idtrans.catalog._capabilities import capabilities
from idtrans.catalog._roles import builtin_roles
from idtrans.model.errors import BudgetExceededError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from idtrans.algebra import Language

REST: Final = "*"
"""Service of what cannot be listed."""

_SERVICE = re.compile(r"(?:(?:control|data|either):)?([^:./]+(?:\.googleapis\.com|\.[^/:]+(?=/))?)")


def service_of(permission: str) -> str:
    """Return the service of a permission: `s3`, `storage`, `microsoft.storage`."""
    found = _SERVICE.match(permission)
    return found[1].lower() if found is not None else permission


def listed(cloud: str, permissions: Language) -> Mapping[str, tuple[str, ...]]:
    """Return a set of permissions by service, as people write them.

    A set that is no finite list is shown by the permissions of it that are known. Where the vendor does not publish all
    of them, the service `*` stands for the rest.
    """
    members = permissions.members()
    if members is not None:
        return _grouped(members)
    vocabulary = _VOCABULARIES.get(cloud)
    if vocabulary is not None:
        return _grouped(name for name in vocabulary(permissions) if permissions.matches(name))
    known = [name for name in _named(cloud) if permissions.matches(name)]
    return {**_grouped(known), REST: (f"more than {len(known)} that are known here",)}


@lru_cache(maxsize=64)
def held_names(cloud: str, permissions: Language) -> tuple[str, ...] | None:
    """Return the permissions of a set as the vendor spells them, `None` where the vendor does not publish all."""
    if cloud not in _VOCABULARIES:
        return None
    forms = permissions.forms()
    names, keys = _sorted_vocabulary()
    if forms is None or forms.negated:
        return tuple(name for name in names if permissions.matches(name))
    found = set()
    for word in forms.words:
        place = bisect_left(keys, word.lower())
        if place < len(keys) and keys[place] == word.lower():
            found.add(place)
    for tokens in forms.patterns:
        head = tokens[0].lower() if isinstance(tokens[0], str) else ""
        first = bisect_left(keys, head)
        last = bisect_left(keys, f"{head}\U0010ffff") if head else len(keys)
        if len(tokens) == _START and tokens[1:] == (STAR,):
            found.update(range(first, last))
        else:
            pattern = pieces(tokens, fold=forms.fold)
            found.update(place for place in range(first, last) if pattern.matches(names[place]))
    return tuple(names[place] for place in sorted(found) if forms.fold or permissions.matches(names[place]))


_START: Final = 2
"""Length of a pattern that is a start and a star."""


@cache
def _sorted_vocabulary() -> tuple[tuple[str, ...], tuple[str, ...]]:
    names = sorted((name for service in aws_services() for name in aws_service_actions(service)), key=str.lower)
    return tuple(names), tuple(map(str.lower, names))


def by_service(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return permissions by their service, both sorted."""
    return _grouped(names)


def _grouped(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    groups: dict[str, set[str]] = defaultdict(set)
    for name in names:
        groups[service_of(name)].add(name)
    return {service: tuple(sorted(groups[service])) for service in sorted(groups)}


def _of_aws(permissions: Language) -> Iterable[str]:
    services = (service for service in sorted(aws_services()) if _may_hold(permissions, f"{service}:"))
    return (action for service in services for action in aws_service_actions(service))


def _may_hold(permissions: Language, start: str) -> bool:
    try:
        return permissions.overlaps(prefix(start, fold=True))
    except BudgetExceededError:
        return True


_VOCABULARIES: Final[Mapping[str, Callable[[Language], Iterable[str]]]] = {"aws": _of_aws}
"""All permissions of the clouds whose vendor publishes them."""


@cache
def _named(cloud: str) -> frozenset[str]:
    """Return the permissions that capabilities and roles of a cloud name."""
    columns = [each.column(cloud) for each in capabilities()]
    names = {name for column in columns for name in (*column.permissions, *column.optional, *column.parts)}
    if all(role.id.startswith("roles/") for role in builtin_roles(cloud)):
        names |= {name for role in builtin_roles(cloud) for block in role.blocks for name in block.actions}
    return frozenset(name for name in names if "*" not in name)
