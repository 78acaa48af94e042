"""Roles that idtrans knows by itself, from `rules/roles/*.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from idtrans.catalog._shorthand import expand
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
    return tuple(_by_id(cloud).values())


def builtin_role(cloud: str, key: str) -> RoleDefinition | None:
    """Return a known role by id (GCP `roles/x`, Azure GUID in any case) or by display name, `None` when not known.

    GCP role ids are compared exactly: `roles/Viewer` is not `roles/viewer`.
    """
    return _by_id(cloud).get(key) or _by_name(cloud).get(key.lower())


@cache
def _by_name(cloud: str) -> dict[str, RoleDefinition]:
    names: dict[str, RoleDefinition] = {}
    for role in _by_id(cloud).values():
        # A GCP role id differs from another in case alone only by mistake, so ids are never matched here.
        names.setdefault(role.name.lower(), role)
        if not role.id.startswith("roles/"):
            names.setdefault(role.id.lower(), role)
    return names


@cache
def _by_id(cloud: str) -> dict[str, RoleDefinition]:
    path = rules_dir() / "roles" / f"{cloud}.toml"
    if not path.is_file():
        return {}
    with path.open("rb") as file:
        content = tomllib.load(file)
    source = Source(Place(f"rules/roles/{cloud}.toml"))
    return {role.id: role for role in (_role(cloud, entry, source) for entry in content["role"])}


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
