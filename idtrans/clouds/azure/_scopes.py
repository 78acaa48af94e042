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
from idtrans.model.making import maker
from idtrans.model.values import UNKNOWN, Unknown

if TYPE_CHECKING:
    from collections.abc import Mapping

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
_SUBSCRIPTION_AT, _GROUP_AT, _GROUP_END = 2, 4, 5
"""Positions in a scope that is taken apart at its slashes."""
_made_container: Final = maker(Container)
_NONE: Final[Mapping[str, str]] = {}
"""Shared by all containers of which nothing but the name is known."""
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


def containers(scope: str, source: Source, stated: set[str] | None = None) -> list[Container]:
    """Return the containers that a canonical scope names by itself, highest first.

    Those that are `stated` are left out, and the others are added to them.
    """
    named = _named_containers(scope)
    if stated is not None:
        named = [each for each in named if each[0] not in stated]
        stated.update([each[0] for each in named])
    return [
        _made_container(NAME, name, kind, source, parent, tags=_NONE, attributes=_NONE) for name, kind, parent in named
    ]


def _named_containers(scope: str) -> list[tuple[str, str, str | None]]:
    """Return id, level and parent of the containers that a canonical scope names."""
    if not scope.startswith("/subscriptions/"):
        own = level(scope)
        return [(scope, own, None)] if own in {"root", "management-group"} else []
    parts = scope.split("/", _GROUP_END)
    if not parts[_SUBSCRIPTION_AT]:
        return []
    subscription_ = f"/subscriptions/{parts[_SUBSCRIPTION_AT]}"
    found: list[tuple[str, str, str | None]] = [(subscription_, "subscription", None)]
    if len(parts) > _GROUP_AT and parts[_GROUP_AT - 1] == "resourcegroups" and parts[_GROUP_AT]:
        found.append((f"{subscription_}/resourcegroups/{parts[_GROUP_AT]}", "resource-group", subscription_))
    return found


def container(scope: str) -> str | None:
    """Return the nearest container that a canonical resource id lies in, itself left out."""
    for pattern in (_RESOURCE_GROUP, _SUBSCRIPTION):
        found = pattern.match(scope)
        if found is not None and found.group() != scope:
            return found.group()
    return None
