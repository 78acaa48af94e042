"""Cloud Asset Inventory exports: NDJSON files and lists, in either spelling.

https://cloud.google.com/asset-inventory/docs/reference/rest/v1/TopLevel/exportAssets
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from idtrans.clouds.gcp._fields import CLOUD_NAME, Item, items_of, problem, shown, snake
from idtrans.clouds.gcp._names import CONTAINER, IAM_HOST, PROJECTS_HOST, account_of, scope_name
from idtrans.clouds.gcp._parse_containers import chain, named_alias, parse_container
from idtrans.clouds.gcp._parse_guards import parse_level, parse_org_policy, parse_perimeter
from idtrans.clouds.gcp._parse_identity import parse_account, parse_key, parse_provider, parse_role
from idtrans.clouds.gcp._parse_plain import PlainAssets
from idtrans.clouds.gcp._parse_policies import Found, parse_bindings, resource_kind
from idtrans.clouds.gcp._parse_tags import parse_effective_tags
from idtrans.model.documents import Json, Unsupported
from idtrans.model.entities import Container, Entity, Resource
from idtrans.model.making import maker
from idtrans.model.spans import Source
from idtrans.model.values import UNKNOWN, Unknown

_ACCOUNT: Final = "iam.googleapis.com/ServiceAccount"
_POOL: Final = "iam.googleapis.com/WorkloadIdentityPool"
_LIMITING: Final = ("orgPolicy", "servicePerimeter", "accessLevel", "effectiveTags")
_GUARDED: Final = frozenset({*_LIMITING, *map(snake, _LIMITING)})
"""Members of assets that hold limits."""
_made_resource: Final = maker(Resource)

Settings = dict[str, str | int | bool | Unknown | None]


def parse_assets(
    rows: Iterable[tuple[Json, Source]], problems: list[Unsupported]
) -> Iterator[Iterable[Entity | Unsupported]]:
    """Yield what each asset of one export states.

    Service accounts are named by unique id there, and by address in policies.
    """
    listed = list(rows)
    accounts, plain = _accounts(listed, problems), PlainAssets(problems)
    for row, source in listed:
        found = plain.read(row, source)
        if found is not None:
            yield found
            continue
        for item in items_of(((row, source),), problems):
            name, asset_type = item.text("name"), item.text("assetType")
            if name and asset_type:
                yield _asset(item, name, asset_type, accounts, plain)
            else:
                yield (problem(f"an asset without name or type: {shown(dict(item.data))}", item.source),)


def _accounts(rows: Iterable[tuple[Json, Source]], problems: list[Unsupported]) -> dict[str, str]:
    """Return the principal of every unique id that the export states."""
    found: dict[str, str] = {}
    for row, source in rows:
        if not isinstance(row, dict) or _ACCOUNT not in (row.get("assetType"), row.get("asset_type")):
            continue
        item = Item(row, source, problems)
        data = _data(item) if item.get("assetType") == _ACCOUNT else None
        if data is None:
            continue
        address, unique = data.get("email"), data.get("uniqueId")
        if isinstance(address, str) and isinstance(unique, str):
            found[f"serviceAccount:{unique}"] = f"serviceAccount:{address.lower()}"
    return found


def _data(item: Item) -> Item | None:
    """Return the content of an asset: `resource` in exports, the last of `versionedResources` in searches."""
    resource = item.item("resource")
    if resource is not None:
        return resource.item("data")
    versions = item.items("versionedResources") if item.get("versionedResources") is not None else ()
    return versions[-1].item("resource") if versions else None


def _asset(item: Item, name: str, asset_type: str, accounts: Mapping[str, str], plain: PlainAssets) -> Found:
    ancestors = item.texts("ancestors")
    if ancestors not in plain.chains:
        yield from chain(ancestors, item.source)
        if all(map(CONTAINER.fullmatch, ancestors)):
            plain.chains[ancestors] = ancestors
    project = ancestors[0] if ancestors else None
    yield from named_alias(name, project, item.source)
    scope = _scope(name, accounts)
    data = _data(item)
    if data is not None:
        yield from _resource(data, name, asset_type, accounts, project)
    yield _thing(scope, asset_type, project, item, data)
    policy = item.item("iamPolicy")
    if policy is not None:
        yield from parse_bindings(policy, scope, plain.met)
    if not _GUARDED.isdisjoint(item.data):
        yield from _guards(item, scope)


def _guards(item: Item, scope: str) -> Found:
    """Read the limits that an asset carries beside its allow policy."""
    for policy in item.items("orgPolicy"):
        yield from parse_org_policy(policy, scope)
    perimeter, level = item.item("servicePerimeter"), item.item("accessLevel")
    yield from parse_effective_tags(item.items("effectiveTags"))
    if perimeter is not None:
        yield from parse_perimeter(perimeter)
    if level is not None:
        yield from parse_level(level)


def _scope(name: str, accounts: Mapping[str, str]) -> str:
    scope = scope_name(name)
    owner = account_of(scope)
    return scope_name(accounts[owner]) if owner is not None and owner in accounts else scope


def _thing(scope: str, asset_type: str, project: str | None, item: Item, data: Item | None) -> Container | Resource:
    """Return the asset itself, as a container or as a resource."""
    if not scope.startswith("//"):
        return Container(CLOUD_NAME, scope, scope.partition("/")[0].removesuffix("s"), item.source)
    settings = _SETTINGS.get(asset_type, _no_settings)(data) if data is not None else {}
    return _made_resource(CLOUD_NAME, scope, resource_kind(asset_type), item.source, project, settings=settings)


def _resource(data: Item, name: str, asset_type: str, accounts: Mapping[str, str], project: str | None) -> Found:
    """Read the RESOURCE content of the types that decide access."""
    short = name.removeprefix(IAM_HOST)
    match asset_type.rpartition("/")[2]:
        case "Project" | "Folder" | "Organization" if asset_type.startswith(PROJECTS_HOST.strip("/")):
            yield from parse_container(data)
        case "ServiceAccount":
            yield from parse_account(data, project)
        case "ServiceAccountKey":
            yield from parse_key(data, accounts, short)
        case "Role" if asset_type.startswith("iam."):
            yield from parse_role(data, short)
        case "WorkloadIdentityPoolProvider":
            yield from parse_provider(data)


def _bucket_settings(data: Item) -> Settings:
    configuration = data.item("iamConfiguration")
    settings: Settings = {}
    if configuration is None:
        return settings
    prevention = configuration.text("publicAccessPrevention")
    if configuration.get("publicAccessPrevention") is not None:
        settings["publicAccessPrevention"] = prevention if prevention is not None else UNKNOWN
    uniform = configuration.item("uniformBucketLevelAccess")
    if uniform is not None:
        settings["uniformBucketLevelAccess"] = uniform.flag("enabled")
    return settings


def _pool_settings(data: Item) -> Settings:
    return {"disabled": data.flag("disabled") is True or data.text("state") == "DELETED"}


def _no_settings(_: Item) -> Settings:
    return {}


_SETTINGS: Final[dict[str, Callable[[Item], Settings]]] = {
    "storage.googleapis.com/Bucket": _bucket_settings,
    _POOL: _pool_settings,
}
