"""Role assignments as `az role assignment list`, the REST API and Resource Graph print them, in a few steps a row.

A row is read here when it is laid out as one of these lays rows out and when there is nothing odd about it. Everything
else is left to the reader of all spellings, which says the same of the rows that are read here.
https://learn.microsoft.com/cli/azure/role/assignment#az-role-assignment-list
https://learn.microsoft.com/rest/api/authorization/role-assignments/list-for-subscription
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache, partial
from operator import is_not, itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from idtrans.clouds.azure._names import NAME, PREFIX, entra, role_id, scope_id
from idtrans.clouds.azure._parse_roles import holder
from idtrans.clouds.azure._records import field_name
from idtrans.clouds.azure._scopes import containers
from idtrans.model.entities import RoleBinding
from idtrans.model.making import maker
from idtrans.model.spans import Source

if TYPE_CHECKING:
    from collections.abc import Callable

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
_ABSENT: Final = ""
"""Key of what a layout has no field for. It is in no row that is read here, as it is the name of no field."""
_is_stated: Final = partial(is_not, None)
_made_binding: Final = maker(RoleBinding)
_made_source: Final = maker(Source)


class _Keys(NamedTuple):
    """Keys of a layout."""

    values: Callable[[dict[str, Any]], tuple[Any, ...]]
    """Takes the texts of a row, and then what may be absent, out of the row."""
    places: tuple[str, ...]
    """Pointers to the texts."""
    lacking: dict[str, None]
    """What the layout lacks of that which may be absent."""

    def at(self, row: Source, position: int) -> Source:
        """Return the place of one of the texts of a row."""
        return _made_source(row.origin, f"{row.pointer}/{self.places[position]}")


@dataclass(frozen=True, slots=True)
class PlainAssignments:
    """A document's plain role assignments, each holder and scope stated the first time that it is met."""

    holders: set[tuple[str | None, ...]] = field(default_factory=set)
    """Principal, name and kind of principals that were yielded."""
    scopes: set[str] = field(default_factory=set)
    """Scopes whose containers were yielded."""

    def read(self, row: Json, source: Source) -> list[Entity] | None:
        """Return what a row states, the assignment first; `None` when it is not a plain one."""
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
        values = keys.values(row | keys.lacking if keys.lacking else row)
        if not _are_texts(values):
            return None
        place, kind, principal, role, written, condition, version, role_name, name, sort = values
        stated, scope, held_by = scope_id.__wrapped__(place), scope_id(written), entra(principal)
        plain = kind in _TYPES and role.startswith("/") and len(held_by) > len(PREFIX)
        if not plain or scope is None or stated is None or "/roleeligibility" in stated:
            return None
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


def _are_texts(values: tuple[Any, ...]) -> bool:
    """Tell whether all are texts, or `None` where they may be; a text of spaces alone is odd."""
    if None in values[: len(_TEXTS)]:
        return False
    try:
        # At the speed of C: this is done for every row.
        return all(map(str.strip, filter(_is_stated, values)))
    except TypeError:
        return False


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
    perhaps = tuple(by_name.get(name, _ABSENT) for name in _PERHAPS)
    return _Keys(itemgetter(*texts, *perhaps), places, {_ABSENT: None} if _ABSENT in perhaps else {})
