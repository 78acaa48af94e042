"""Roles that idtrans knows by itself, from `rules/roles/*.toml`, and those of a catalogue that was supplied."""

from __future__ import annotations

import tomllib
from datetime import date
from functools import cache, lru_cache
from typing import Any

from idtrans.catalog._shorthand import expand
from idtrans.catalog._supplied import Supplied, supplied
from idtrans.model.data import rules_dir
from idtrans.model.entities import PermissionBlock, RoleDefinition
from idtrans.model.errors import DataError
from idtrans.model.spans import Place, Source

_LISTS = ("actions", "not_actions", "data_actions", "not_data_actions")
_ROLE_KEYS = {"id", "name", "complete", "lacks", "block", *_LISTS}


def builtin_roles(cloud: str) -> tuple[RoleDefinition, ...]:
    """Return the known roles of a cloud in file order; empty for a cloud without roles.

    Raises:
        DataError: the role file breaks its schema.
    """
    return tuple(_by_id(cloud, supplied()).values())


def builtin_role(cloud: str, key: str) -> RoleDefinition | None:
    """Return a known role by id (GCP `roles/x`, Azure GUID in any case) or by display name, `None` when not known.

    GCP role ids are compared exactly: `roles/Viewer` is not `roles/viewer`.
    """
    known = supplied()
    return _by_id(cloud, known).get(key) or _by_name(cloud, known).get(key.lower())


def roles_as_of(cloud: str) -> date | None:
    """Return the day of the vendor's list that the built-in roles of a cloud were taken from."""
    found = _content(cloud).get("as_of")
    return found if isinstance(found, date) else None


def known_by_itself(cloud: str) -> tuple[RoleDefinition, ...]:
    """Return the roles of a cloud that are known without a supplied catalogue."""
    return tuple(_by_id(cloud, None).values())


@lru_cache(maxsize=16)
def _by_name(cloud: str, known: Supplied | None) -> dict[str, RoleDefinition]:
    names: dict[str, RoleDefinition] = {}
    for role in _by_id(cloud, known).values():
        # A GCP role id differs from another in case alone only by mistake, so ids are never matched here.
        names.setdefault(role.name.lower(), role)
        if not role.id.startswith("roles/"):
            names.setdefault(role.id.lower(), role)
    return names


@lru_cache(maxsize=16)
def _by_id(cloud: str, known: Supplied | None) -> dict[str, RoleDefinition]:
    """Return the roles by id. What was supplied is the vendor's own list, so it wins over the built-in facts."""
    source = Source(Place(f"rules/roles/{cloud}.toml"))
    roles = {role.id: role for role in (_role(cloud, entry, source) for entry in _content(cloud).get("role", []))}
    return {**roles, **known.roles.get(cloud, {})} if known is not None else roles


@cache
def _content(cloud: str) -> dict[str, Any]:
    path = rules_dir() / "roles" / f"{cloud}.toml"
    if not path.is_file():
        return {}
    with path.open("rb") as file:
        return tomllib.load(file)


def _role(cloud: str, entry: dict[str, Any], source: Source) -> RoleDefinition:
    unknown = sorted(set(entry) - _ROLE_KEYS)
    if unknown:
        raise DataError(f"role `{entry.get('id')}` has the unknown key `{unknown[0]}`", source=source)
    blocks = entry.get("block") or [entry]
    return RoleDefinition(
        cloud=cloud,
        id=entry["id"],
        name=entry["name"],
        blocks=tuple(_block(block) for block in blocks),
        source=source,
        complete=entry.get("complete", True),
        lacks=expand(entry.get("lacks", [])),
    )


def _block(entry: dict[str, Any]) -> PermissionBlock:
    actions, not_actions, data_actions, not_data_actions = (expand(entry.get(name, [])) for name in _LISTS)
    return PermissionBlock(actions, not_actions, data_actions, not_data_actions, entry.get("condition"))
