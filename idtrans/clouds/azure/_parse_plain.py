"""Role assignments as `az role assignment list`, the REST API and Resource Graph print them, in a few steps a row.

A row is read here when it is laid out as one of these lays rows out and when there is nothing odd about it. Everything
else is left to the reader of all spellings, which says the same of the rows that are read here.
https://learn.microsoft.com/cli/azure/role/assignment#az-role-assignment-list
https://learn.microsoft.com/rest/api/authorization/role-assignments/list-for-subscription
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from idtrans.clouds.azure._names import NAME, PREFIX, entra, role_id, scope_id
from idtrans.clouds.azure._parse_roles import holder
from idtrans.clouds.azure._records import field_name
from idtrans.clouds.azure._scopes import containers
from idtrans.model.entities import RoleBinding
from idtrans.model.making import maker
from idtrans.model.spans import Source

if TYPE_CHECKING:
    from idtrans.model.documents import Json
    from idtrans.model.entities import Entity

_TYPES: Final = frozenset({"Microsoft.Authorization/roleAssignments", "microsoft.authorization/roleassignments"})
_TEXTS: Final = ("id", "type", "principalid", "roledefinitionid", "scope")
_PERHAPS: Final = ("condition", "conditionversion", "roledefinitionname", "principalname", "principaltype")
_REST: Final = (
    "candelegate",
    "createdby",
    "createdon",
    "delegatedmanagedidentityresourceid",
    "description",
    "name",
    "resourcegroup",
    "updatedby",
    "updatedon",
)
"""What decides nothing."""

_NESTED: Final = "properties"
_TEXT: Final = frozenset({str})
_TEXT_OR_NONE: Final = frozenset({str, type(None)})
_made_binding: Final = maker(RoleBinding)


class _Keys(NamedTuple):
    """Keys of a layout, in the order of the fields that are read."""

    texts: tuple[str, ...]
    perhaps: tuple[str, ...]
    places: tuple[str, ...]
    """Pointers to the texts."""

    def at(self, row: Source, position: int) -> Source:
        """Return the place of one of the texts of a row."""
        return Source(row.origin, f"{row.pointer}/{self.places[position]}")


@dataclass(frozen=True, slots=True)
class PlainAssignments:
    """A document's plain role assignments, each holder and scope stated the first time that it is met."""

    holders: set[tuple[str | None, ...]] = field(default_factory=set)
    """Principal, name and kind of principals that were yielded."""
    scopes: set[str] = field(default_factory=set)
    """Scopes whose containers were yielded."""

    def read(self, row: Json, source: Source) -> list[Entity] | None:
        """Return what a row states, `None` when it is not a plain one."""
        if not isinstance(row, dict):
            return None
        inner = row.get(_NESTED)
        if isinstance(inner, dict):
            keys = _keys(tuple(row), tuple(inner))
            row = row | inner
        else:
            keys = _keys(tuple(row))
        if keys is None:
            return None
        texts, perhaps = [row[key] for key in keys.texts], [row.get(key) for key in keys.perhaps]
        if not _are_texts(texts, perhaps):
            return None
        place, kind, principal, role, written = texts
        stated, scope, held_by = scope_id.__wrapped__(place), scope_id(written), entra(principal)
        plain = kind in _TYPES and role.startswith("/") and len(held_by) > len(PREFIX)
        if not plain or scope is None or stated is None or "/roleeligibility" in stated:
            return None
        condition, version, role_name, name, sort = perhaps
        binding = _made_binding(
            NAME, stated, role_id(role), (held_by,), scope, source, condition, version, role_name=role_name
        )
        found: list[Entity] = [binding]
        if (held_by, name, sort) not in self.holders:
            self.holders.add((held_by, name, sort))
            found.append(holder(held_by, name, None, sort, keys.at(source, 2)))
        if scope not in self.scopes:
            found += containers(scope, keys.at(source, 4), self.scopes)
            self.scopes.add(scope)
        return found


def _are_texts(texts: list[Json], perhaps: list[Json]) -> bool:
    """Tell whether all are texts or absent where they may be; a text of spaces alone is odd."""
    if not (_TEXT.issuperset(map(type, texts)) and _TEXT_OR_NONE.issuperset(map(type, perhaps))):
        return False
    # Lists and not generators: this is done for every row.
    return all([text is None or text.strip() for text in perhaps])  # noqa: C419 - see above


@lru_cache(maxsize=1024)
def _keys(outer: tuple[str, ...], inner: tuple[str, ...] = ()) -> _Keys | None:
    """Return the keys of a layout, `None` when it is another one: found once for all rows of an export.

    `inner` are the keys below `properties`.
    """
    own = tuple(key for key in outer if not inner or key != _NESTED)
    by_name = {field_name(key): key for key in (*own, *inner)}
    if len(by_name) < len(own) + len(inner) or not by_name.keys() <= {*_TEXTS, *_PERHAPS, *_REST}:
        return None
    if not by_name.keys() >= set(_TEXTS):
        return None
    texts = tuple(by_name[name] for name in _TEXTS)
    places = tuple(f"{_NESTED}/{key}" if key in inner else key for key in texts)
    return _Keys(texts, tuple(by_name.get(name, "") for name in _PERHAPS), places)
