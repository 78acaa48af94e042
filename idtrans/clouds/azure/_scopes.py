"""Scopes: which contains which, how high they stand, and the containers they name.

https://learn.microsoft.com/azure/role-based-access-control/scope-overview
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from idtrans.algebra import ANY_TEXT, STAR, Language, exact, pieces
from idtrans.clouds.azure._names import NAME
from idtrans.model.entities import Container
from idtrans.model.values import UNKNOWN, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.model.spans import Source

ROOT: Final = "/"
"""The scope above all management groups, where `elevateAccess` assigns."""
DIRECTORY: Final = "directory:/"
"""The directory as a whole, of which roles of the directory are held; administrative units are below it."""
UNITS: Final = "directory:/administrativeunits/"
"""Start of the id of an administrative unit."""
OWNER_ROLE: Final = "owner"
"""Stands for the role of whoever owns an object of the directory."""
GROUP: Final = "/providers/microsoft.management/managementgroups/"
"""Start of the id of a management group."""

_SUBSCRIPTION = re.compile(r"/subscriptions/[^/]+")
_RESOURCE_GROUP = re.compile(r"/subscriptions/[^/]+/resourcegroups/[^/]+")
_LEVELS = ((_SUBSCRIPTION, "subscription"), (_RESOURCE_GROUP, "resource-group"))


def is_arm(scope: str | Unknown) -> bool:
    """Tell whether a scope is one of Azure's resources, and not of the directory; one that is not known may be."""
    return scope is UNKNOWN or scope.startswith("/")


def level(scope: str) -> str:
    """Return the level of a canonical scope: `root`, `management-group`, `subscription`, ..., `resource`."""
    if scope == ROOT:
        return "root"
    if scope.startswith(GROUP) and "/" not in scope.removeprefix(GROUP):
        return "management-group"
    return next((name for pattern, name in _LEVELS if pattern.fullmatch(scope)), "resource")


def subscription(scope: str) -> str | None:
    """Return the subscription that a canonical scope lies in, `None` above subscriptions."""
    found = _SUBSCRIPTION.match(scope)
    return found.group() if found is not None else None


@lru_cache(maxsize=65536)
def under(scope: str) -> Language:
    """Return the resource ids at and below a canonical scope, by whole path segments."""
    return ANY_TEXT if scope == ROOT else exact(scope) | pieces((f"{scope}/", STAR))


def containers(scope: str, source: Source) -> Iterator[Container]:
    """Yield the containers that a canonical scope names by itself, highest first."""
    for name, kind, parent in _named_containers(scope):
        yield Container(NAME, name, kind, source, parent=parent)


@lru_cache(maxsize=65536)
def _named_containers(scope: str) -> tuple[tuple[str, str, str | None], ...]:
    """Return id, level and parent of the containers that a scope names."""
    if (own := level(scope)) in {"root", "management-group"}:
        return ((scope, own, None),)
    found: list[tuple[str, str, str | None]] = []
    for pattern, kind in _LEVELS:
        named = pattern.match(scope)
        if named is not None:
            found.append((named.group(), kind, found[-1][0] if found else None))
    return tuple(found)


def container(scope: str) -> str | None:
    """Return the nearest container that a canonical resource id lies in, itself left out."""
    for pattern in (_RESOURCE_GROUP, _SUBSCRIPTION):
        found = pattern.match(scope)
        if found is not None and found.group() != scope:
            return found.group()
    return None
