"""Records: one object of a document in any of the spellings that Azure's tools print.

The same object is nested under `properties` by the REST API, flat from `az`, flat with `properties_` in front of names
from Resource Graph queries, and in PascalCase from PowerShell. A record shows all of them alike, keys in lower case.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from idtrans.clouds.azure._names import NAME
from idtrans.model.documents import Unsupported
from idtrans.model.making import maker
from idtrans.model.spans import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from idtrans.model.documents import Document, Json

_made_source: Final = maker(Source)
_IDENTIFYING = frozenset({"id", "name", "type"})
_WRAPPERS = ("value", "data")


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """One object, its fields by lower-cased name."""

    fields: Mapping[str, Json]
    places: Mapping[str, tuple[str, ...]]
    source: Source
    clashes: tuple[str, ...] = ()
    """Fields that the object states more than once, with different values."""

    def stated(self, name: str) -> bool:
        """Tell whether the object has the field, `null` included."""
        return name in self.fields

    def get(self, name: str) -> Json:
        """Return the value of a field, `None` when absent."""
        return self.fields.get(name)

    def text(self, *names: str) -> str | None:
        """Return the first of the fields that holds text which is not empty."""
        # A plain loop: every row of an export asks this dozens of times.
        for name in names:
            value = self.fields.get(name)
            if isinstance(value, str) and value.strip():
                return value
        return None

    def flag(self, name: str) -> bool | None:
        """Return a yes or no, `None` when the field is absent, `null` or something else."""
        value = self.fields.get(name)
        return value if isinstance(value, bool) else None

    def texts(self, name: str) -> tuple[str, ...] | None:
        """Return a list of texts, a lone text as a list of one; `None` when it is something else."""
        value = self.fields.get(name)
        if value is None:
            return ()
        if isinstance(value, str):
            return (value,)
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        return None

    def items(self, name: str) -> Iterator[tuple[Json, Source]]:
        """Yield the members of a list with their places; nothing when the field is no list."""
        value = self.fields.get(name)
        if isinstance(value, list):
            for index, item in enumerate(value):
                yield item, self.at(name).at(index)

    def at(self, name: str) -> Source:
        """Return the source of a field, of the whole object when it is absent."""
        return self.source.at(*self.places[name]) if name in self.places else self.source

    def doubts(self, *names: str) -> tuple[str, ...]:
        """Return why some of these fields, all of which ought to be texts, cannot be read."""
        odd = [name for name in names if not isinstance(self.fields.get(name), str | None)]
        return (
            *(f"`{name}` is not a text" for name in odd),
            *(f"`{name}` is stated twice, with different values" for name in self.clashes if name in names),
        )

    def unsupported(self, reason: str, *, subject: str | None = None) -> Unsupported:
        """Return a remark on this object."""
        return Unsupported(reason, self.source, cloud=NAME, subject=subject)


def record_of(value: Json, source: Source) -> Record | None:
    """Return a value as a record, `None` when it is not an object."""
    if not isinstance(value, dict):
        return None
    plain = _plain(tuple(value))
    if plain is not None:
        return Record(dict(zip(plain, value.values(), strict=True)), plain, source)
    fields: dict[str, Json] = {}
    places: dict[str, tuple[str, ...]] = {}
    clashes: list[str] = []
    for path, item in _leaves(value):
        name = field_name(path[-1])
        if name not in fields:
            fields[name], places[name] = item, path
        elif fields[name] != item and not (name in _IDENTIFYING and len(path) > 1):
            clashes.append(name)
    return Record(fields, places, source, tuple(clashes))


@lru_cache(maxsize=1024)
def _plain(keys: tuple[str, ...]) -> Mapping[str, tuple[str, ...]] | None:
    """Return the fields of a flat object with their places, `None` when it is not flat or states a field twice.

    All rows of an export have the same keys, so this is found once for all of them.
    """
    places = {field_name(key): (key,) for key in keys}
    return places if len(places) == len(keys) and "properties" not in places else None


def field_name(key: str) -> str:
    """Return the name of a field for a key in any of the spellings."""
    return key.lower().removeprefix("properties_")


def _leaves(value: dict[str, Json]) -> Iterator[tuple[tuple[str, ...], Json]]:
    """Yield own fields first, then those under `properties`."""
    nested: list[tuple[str, dict[str, Json]]] = []
    for key, item in value.items():
        if key.lower() == "properties" and isinstance(item, dict):
            nested.append((key, item))
        else:
            yield (key,), item
    for outer, inner in nested:
        for key, item in inner.items():
            yield (outer, key), item


def rows(document: Document) -> Iterable[tuple[Json, Source]]:
    """Yield the objects of a document: a list, a page (`value`), a query result (`data`), or the one object it is."""
    content, source = document.content, document.source
    if isinstance(content, dict):
        for wrapper in _WRAPPERS:
            inner = content.get(wrapper)
            if isinstance(inner, list):
                return _listed(inner, source.at(wrapper))
            if isinstance(inner, dict) and isinstance(inner.get("rows"), list):
                return _tabular(inner, source.at(wrapper))
    return _listed(content, source) if isinstance(content, list) else [(content, source)]


def _listed(items: list[Json], source: Source) -> Iterator[tuple[Json, Source]]:
    origin, start = source.origin, source.pointer
    return ((item, _made_source(origin, f"{start}/{index}")) for index, item in enumerate(items))


def _tabular(table: dict[str, Json], source: Source) -> list[tuple[Json, Source]]:
    """Return the rows of the Resource Graph table format, each as an object."""
    columns = table.get("columns")
    names = (
        [item.get("name") if isinstance(item, dict) else None for item in columns] if isinstance(columns, list) else []
    )
    found: list[tuple[Json, Source]] = []
    for index, row in enumerate(table["rows"]):
        place = source.at("rows", index)
        if isinstance(row, list) and len(row) == len(names):
            named = zip(names, row, strict=True)
            found.append(({name: cell for name, cell in named if isinstance(name, str)}, place))
        else:
            found.append((row, place))
    return found
