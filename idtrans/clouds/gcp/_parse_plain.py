"""Assets as exports of IAM policies write them, in a few steps each.

An asset is read here when it has a name, a type, ancestors and a policy and nothing else that decides access. All else
is left to the reader of all assets, which says the same of the assets that are read here.
https://cloud.google.com/asset-inventory/docs/reference/rest/v1/TopLevel/exportAssets
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from idtrans.clouds.gcp._fields import CLOUD_NAME, snake
from idtrans.clouds.gcp._names import ACCOUNTS, scope_name
from idtrans.clouds.gcp._parse_containers import named_alias
from idtrans.clouds.gcp._parse_policies import Met, read_binding, resource_kind
from idtrans.model.documents import Json, Unsupported
from idtrans.model.entities import Entity, Resource
from idtrans.model.making import maker
from idtrans.model.spans import Source
from idtrans.model.values import Unknown

_READ: Final = ("name", "assetType", "iamPolicy", "ancestors")
_BESIDE: Final = frozenset({"updateTime", "update_time"})
"""What decides nothing."""
_NONE: Final[Mapping[str, str | int | bool | Unknown | None]] = {}
"""Settings that all resources share of which none are stated."""
_made_resource: Final = maker(Resource)
_made_source: Final = maker(Source)


class _Keys(NamedTuple):
    """The keys of a layout."""

    name: str
    kind: str
    policy: str
    ancestors: str


@dataclass(frozen=True, slots=True)
class PlainAssets:
    """What the assets of an export have said so far."""

    problems: list[Unsupported]
    chains: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)
    """By themselves the ancestors of assets whose containers were yielded, and that are all well formed."""
    met: Met = field(default_factory=Met)

    def read(self, row: Json, source: Source) -> list[Entity | Unsupported] | None:
        """Return what an asset states, `None` when it is not a plain one."""
        keys = _keys(tuple(row)) if isinstance(row, dict) else None
        if keys is None:
            return None
        name, kind, policy, ancestors = row[keys.name], row[keys.kind], row[keys.policy], row[keys.ancestors]
        written = policy.get("bindings") if isinstance(policy, dict) else None
        if not (_are_texts(name, kind) and isinstance(written, list) and isinstance(ancestors, list)):
            return None
        above = self._above(ancestors)
        scope = scope_name(name)
        if above is None or not scope.startswith("//") or ACCOUNTS in scope:
            return None
        project = above[0] if above else None
        found: list[Entity | Unsupported] = [*named_alias(name, project, source)] if "projects/" in name else []
        found.append(_made_resource(CLOUD_NAME, scope, resource_kind(kind), source, project, settings=_NONE))
        origin, start, met = source.origin, f"{source.pointer}/{keys.policy}/bindings/", self.met
        for index, raw in enumerate(written):
            place = _made_source(origin, f"{start}{index}")
            plain = met.binding(raw, scope, place)
            if plain is not None:
                found.append(plain)
            else:
                found += read_binding(raw, place, scope, met, self.problems)
        return found

    def _above(self, ancestors: list[Json]) -> tuple[str, ...] | None:
        """Return ancestors that were met before, as they were first met: assets share theirs."""
        try:
            return self.chains.get(tuple(ancestors))
        except TypeError:
            # One of them is a list or an object.
            return None


def _are_texts(name: Json, kind: Json) -> bool:
    return isinstance(name, str) and isinstance(kind, str) and name != "" and kind != ""


@lru_cache(maxsize=1024)
def _keys(written: tuple[str, ...]) -> _Keys | None:
    """Return the keys of a layout, `None` when it is another one: found once for all assets of an export."""
    found: list[str] = []
    for name in _READ:
        spelled = {name, snake(name)}.intersection(written)
        if len(spelled) != 1:
            return None
        found += spelled
    return _Keys(*found) if _BESIDE.issuperset(set(written).difference(found)) else None
