"""Which roles of the supplied catalogue list a permission: bit masks over the roles, made once for a catalogue."""

from __future__ import annotations

from functools import lru_cache, reduce
from operator import and_
from typing import TYPE_CHECKING

from idtrans.catalog._supplied import Supplied, supplied

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from idtrans.model.entities import RoleDefinition

_AGENT = ".serviceagent"
"""Roles for the service agents of Google alone: https://cloud.google.com/iam/docs/service-agents."""


def roles_listing(cloud: str, names: Iterable[str]) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the supplied roles that list all of some permissions, with all that they list; what lists least first.

    Only roles that write out every permission are meant: one with a pattern, a subtraction or a condition is no exact
    bearer of anything. Nothing without a supplied catalogue.
    """
    known = supplied()
    if known is None:
        return ()
    roles, masks = _index(cloud, known)
    asked = [masks.get(name, 0) for name in names]
    mask = reduce(and_, asked) if asked else 0
    found = [roles[place] for place in _places(mask)]
    return tuple(sorted(found, key=lambda entry: (len(entry[1]), entry[0])))


def _places(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@lru_cache(maxsize=8)
def _index(cloud: str, known: Supplied) -> tuple[tuple[tuple[str, frozenset[str]], ...], dict[str, int]]:
    roles = []
    for role in known.roles.get(cloud, {}).values():
        names = _names(role)
        if names and not role.id.lower().endswith(_AGENT):
            roles.append((role.id, names))
    masks: dict[str, int] = {}
    for place, (_, names) in enumerate(roles):
        for name in names:
            masks[name] = masks.get(name, 0) | 1 << place
    return tuple(roles), masks


def _names(role: RoleDefinition) -> frozenset[str] | None:
    """Return the permissions of a role as capabilities write them, `None` where it does not write them out."""
    named = role.id.startswith("roles/")
    control, data = ("", "") if named else ("control:", "data:")
    found: set[str] = set()
    for block in role.blocks:
        if block.not_actions or block.not_data_actions or block.condition is not None:
            return None
        found.update(f"{control}{name if named else name.lower()}" for name in block.actions)
        found.update(f"{data}{name if named else name.lower()}" for name in block.data_actions)
    return None if any("*" in name for name in found) else frozenset(found)
