"""Names and paths of what is emitted."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from idtrans.catalog import CALLED_ALIKE, NAME, scope_kinds
from idtrans.clouds.azure._names import scope_id
from idtrans.clouds.azure._scopes import level
from idtrans.model.artifacts import Argv, Emission, JsonArgument, JsonEncode, Native, NestedBlock, TerraformBlock
from idtrans.model.intents import Names, Scope

if TYPE_CHECKING:
    from collections.abc import Iterator

_ACCOUNT = re.compile(
    r"/subscriptions/(?P<subscription>[^/]+)/resourcegroups/(?P<resource_group>[^/]+)"
    r"/providers/microsoft\.storage/storageaccounts/(?P<account>[^/]+)"
    r"(?:/blobservices/default/containers/(?P<container>[^/]+))?"
)
_PLACE = re.compile(r"/subscriptions/(?P<subscription_id>[^/]+)(?:/resourcegroups/(?P<resource_group>[^/]+))?")
_CONTAINER_NAME = re.compile(r"[a-z0-9](?:-?[a-z0-9]){2,62}")
_PLACEHOLDER = re.compile(r"<[A-Z][A-Z0-9_]*>")
_UNSAFE = re.compile(r"[^A-Za-z0-9]+")


def read_scope(text: str, kind: str) -> Scope | None:
    """Read a scope of a kind, `None` when the text is none.

    An `object-store` is the ARM id of a storage account or blob container. An `account` is a management group,
    subscription or resource group. A `resource` is any other ARM id.
    """
    path = scope_id(text)
    if path is None:
        return None
    known = scope_kinds("azure").get(kind)
    if known is not None:
        parts = known.read(text.rstrip("/"))
        return Scope(kind, text, parts) if parts is not None else None
    if kind not in _READERS:
        return None
    return _READERS[kind](text, path)


def _read_account(text: str, path: str) -> Scope | None:
    parts = _PLACE.fullmatch(path)
    if parts is None:
        around = level(path) in {"root", "management-group"}
        return Scope("account", text, {"management_group": path.rpartition("/")[2]}) if around else None
    return Scope("account", text, {name: value for name, value in parts.groupdict().items() if value is not None})


def _read_resource(text: str, path: str) -> Scope | None:
    return Scope("resource", text, {"resource": path}) if path.startswith("/") and not path.startswith("//") else None


def _read_store(text: str, path: str) -> Scope | None:
    found = _ACCOUNT.fullmatch(path)
    if found is None:
        return None
    parts = {name: value for name, value in found.groupdict().items() if value is not None}
    if "container" in parts:
        parts["bucket"] = parts["container"]
    return Scope("object-store", text, parts)


_READERS: Final[Mapping[str, Callable[[str, str], Scope | None]]] = {
    "account": _read_account,
    "object-store": _read_store,
    "resource": _read_resource,
}


def write_scope(scope: Scope, names: Names) -> Scope:
    """Return a scope as an ARM id; names that are not given become placeholders.

    An object store is a blob container, or a storage account where the source was one.

    A bucket becomes a container of the same name where Azure allows such a name, and a placeholder where not.
    https://learn.microsoft.com/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata
    """
    if scope.kind == "account":
        return Scope(scope.kind, _place(names))
    known = scope_kinds("azure").get(scope.kind)
    if known is not None:
        found = {part: _named(part, scope, names) for part in known.parts}
        return Scope(scope.kind, known.write(found), found)
    if scope.kind != "object-store":
        path = f"{_place(names)}/providers/{names.get('azure-resource')}"
        return Scope(scope.kind, path, {"resource": path})
    keys = ("subscription", "resource_group", "account")
    given = ("azure-subscription-id", "azure-resource-group", "azure-storage-account")
    parts = {key: scope.parts.get(key) or names.get(name) for key, name in zip(keys, given, strict=True)}
    for key, name in zip(keys, given, strict=True):
        if name in names.values:
            parts[key] = names.get(name)
    path = (
        f"/subscriptions/{parts['subscription']}/resourceGroups/{parts['resource_group']}"
        f"/providers/Microsoft.Storage/storageAccounts/{parts['account']}"
    )
    container = _container(scope, names)
    if container is not None:
        parts |= {"container": container, "bucket": container}
        path += f"/blobServices/default/containers/{container}"
    if "prefix" in scope.parts:
        parts["prefix"] = scope.parts["prefix"]
    return Scope(scope.kind, path, parts)


def _named(part: str, scope: Scope, names: Names) -> str:
    """Return a part of an ARM id: what is called so in other clouds too, or what was given."""
    if part == NAME and scope.kind in CALLED_ALIKE and NAME in scope.parts:
        return scope.parts[NAME]
    return names.get(f"azure-{scope.kind if part == NAME else part.replace('_', '-')}")


def _place(names: Names) -> str:
    return f"/subscriptions/{names.get('azure-subscription-id')}/resourceGroups/{names.get('azure-resource-group')}"


def _container(scope: Scope, names: Names) -> str | None:
    wanted = names.values.get("azure-container") or scope.parts.get("container") or scope.parts.get("bucket")
    if wanted is None:
        return None if "account" in scope.parts else names.get("azure-container")
    valid = _CONTAINER_NAME.fullmatch(wanted) or _PLACEHOLDER.fullmatch(wanted)
    return wanted if valid else names.get("azure-container")


def subscription_of(scope: str) -> str:
    """Return the subscription part of a scope, the scope itself when it lies in none."""
    found = re.match(r"/subscriptions/[^/]+", scope, re.IGNORECASE)
    return found.group() if found is not None else scope


def slug(text: str, *, limit: int = 60) -> str:
    """Return a text as a name of letters, digits and hyphens."""
    return _UNSAFE.sub("-", text).strip("-")[:limit].strip("-") or "idtrans"


def label(text: str) -> str:
    """Return a text as a Terraform label."""
    name = _UNSAFE.sub("_", text).strip("_").lower() or "idtrans"
    return name if name[0].isalpha() else f"r_{name}"


def finish(emission: Emission) -> Emission:
    """Return an emission with its placeholders listed, in order of first use."""
    texts = (text for part in (emission.natives, emission.commands, emission.terraform) for text in _texts(part))
    found = dict.fromkeys(name for text in texts for name in _PLACEHOLDER.findall(text))
    return Emission(emission.natives, emission.commands, emission.terraform, emission.losses, tuple(found))


def _texts(value: object) -> Iterator[str]:
    """Yield every text in a tree of artifacts."""
    match value:
        case str():
            yield value
        case Argv(words=inner) | TerraformBlock(body=inner) | NestedBlock(body=inner):
            yield from _texts(inner)
        case JsonArgument(content=inner) | JsonEncode(content=inner) | Native(content=inner):
            yield from _texts(inner)
        case dict() | tuple() | list():
            for item in value.values() if isinstance(value, dict) else value:
                yield from _texts(item)
