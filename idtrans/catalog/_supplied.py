"""The catalogue that a person completes: roles and operations of the vendors, written by `idtrans catalog import`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from idtrans.model.entities import PermissionBlock, RoleDefinition
from idtrans.model.errors import DataError
from idtrans.model.spans import Place, Source

FORMAT: Final = "idtrans-catalog/1"
"""What the file says about itself."""

_LISTS: Final = ("actions", "not_actions", "data_actions", "not_data_actions")
_PLANES: Final = ("control", "data", "either")
_ADVICE: Final = "write it with `idtrans catalog import PATH... --output FILE`"


@dataclass(frozen=True, eq=False)
class Supplied:
    """What a catalogue file holds."""

    path: str
    imported: datetime
    roles: Mapping[str, Mapping[str, RoleDefinition]]
    """Roles by cloud and id."""
    operations: Mapping[str, str] = field(default_factory=dict)
    """Plane of Azure operations by lower-case name: `control`, `data`, or `either` for those in both lists."""


class _Holder:
    """The catalogue of this process: one run reads one."""

    current: Supplied | None = None


def use_catalog(path: Path | None) -> None:
    """Let all look-ups of this process read a catalogue file beside the built-in facts; `None` ends that.

    Raises:
        DataError: the file cannot be read, or is none.
    """
    _Holder.current = read_catalog(path) if path is not None else None


def supplied() -> Supplied | None:
    """Return the catalogue that is in use, `None` when there are only the built-in facts."""
    return _Holder.current


def operation_plane(name: str) -> str | None:
    """Return the plane of an Azure operation as the supplied catalogue states it, `None` when it does not."""
    found = _Holder.current
    return found.operations.get(name.lower()) if found is not None else None


def read_catalog(path: Path) -> Supplied:
    """Read a catalogue file.

    Raises:
        DataError: it cannot be read, or is none.
    """
    source = Source(Place(str(path)))
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"it cannot be read: {(error.strerror or 'unknown reason').lower()}", source=source) from error
    except (ValueError, RecursionError) as error:
        raise DataError("not a catalogue: it is no JSON text", source=source, advice=_ADVICE) from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise DataError(f"not a catalogue: its `format` is not `{FORMAT}`", source=source, advice=_ADVICE)
    try:
        return _supplied(content, str(path), source)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise DataError("the catalogue breaks its own format", source=source, advice=_ADVICE) from error


def _supplied(content: Mapping[str, Any], path: str, source: Source) -> Supplied:
    names = tuple(map(str, content["names"]))
    imported = datetime.fromisoformat(content["imported"])
    roles = {
        str(cloud): {role.id: role for role in (_role(cloud, entry, names, source) for entry in entries)}
        for cloud, entries in content["roles"].items()
    }
    operations = {names[number]: _PLANES[plane] for number, plane in content["operations"]}
    return Supplied(path, imported, roles, operations)


def _role(cloud: str, entry: Mapping[str, Any], names: tuple[str, ...], source: Source) -> RoleDefinition:
    return RoleDefinition(
        cloud=cloud,
        id=str(entry["id"]),
        name=str(entry["name"]),
        blocks=tuple(_read_block(block, names) for block in entry["blocks"]),
        source=source,
    )


def _read_block(block: Mapping[str, Any], names: tuple[str, ...]) -> PermissionBlock:
    actions, not_actions, data_actions, not_data_actions = (
        tuple(names[number] for number in block.get(key, ())) for key in _LISTS
    )
    return PermissionBlock(actions, not_actions, data_actions, not_data_actions, block.get("condition"))


def write_catalog(roles: Iterable[RoleDefinition], operations: Mapping[str, str], imported: datetime) -> str:
    """Return the text of a catalogue file: complete roles of the vendors, each permission name written once."""
    kept = sorted((role for role in roles if role.complete and not role.custom), key=lambda role: (role.cloud, role.id))
    blocks = [block for role in kept for block in role.blocks]
    held = {name for block in blocks for key in _LISTS for name in getattr(block, key)}
    names = sorted({*held, *operations})
    numbers = {name: number for number, name in enumerate(names)}
    by_cloud: dict[str, dict[str, dict[str, Any]]] = {}
    for role in kept:
        entry = {"id": role.id, "name": role.name, "blocks": [_block(block, numbers) for block in role.blocks]}
        by_cloud.setdefault(role.cloud, {})[role.id] = entry
    content = {
        "format": FORMAT,
        "imported": imported.isoformat(),
        "names": names,
        "roles": {cloud: list(entries.values()) for cloud, entries in by_cloud.items()},
        "operations": sorted([numbers[name], _PLANES.index(plane)] for name, plane in operations.items()),
    }
    return json.dumps(content, ensure_ascii=True, separators=(",", ":")) + "\n"


def _block(block: PermissionBlock, numbers: Mapping[str, int]) -> dict[str, Any]:
    found: dict[str, Any] = {
        key: sorted(numbers[name] for name in getattr(block, key)) for key in _LISTS if getattr(block, key)
    }
    return found if block.condition is None else {**found, "condition": block.condition}


def provider_operations(content: Any) -> dict[str, str] | None:  # noqa: ANN401 - any JSON value
    """Return the planes of operations that `az provider operation list` printed, `None` for any other document.

    https://learn.microsoft.com/cli/azure/provider/operation
    """
    providers = content if isinstance(content, list) else [content]
    if isinstance(content, dict) and isinstance(content.get("value"), list):
        providers = content["value"]
    found: dict[str, str] = {}
    seen = False
    for provider in providers:
        if not _is_provider(provider):
            return None
        seen = True
        for operation in _operations(provider):
            name, plane = operation.get("name"), "data" if operation.get("isDataAction") is True else "control"
            if isinstance(name, str) and name:
                before = found.setdefault(name.lower(), plane)
                found[name.lower()] = plane if before == plane else "either"
    return found if seen else None


def _is_provider(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("operations"), list):
        return False
    return "/providerOperations" in str(value.get("id", "")) or isinstance(value.get("resourceTypes"), list)


def _operations(provider: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    kinds = provider.get("resourceTypes")
    holders = [provider, *(kinds if isinstance(kinds, list) else [])]
    for holder in holders:
        listed = holder.get("operations") if isinstance(holder, dict) else None
        yield from (each for each in (listed if isinstance(listed, list) else []) if isinstance(each, dict))
